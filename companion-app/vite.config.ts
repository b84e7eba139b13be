// How the bundle is made. Owns its shape: one page, few files, the same bytes on every machine; knows nothing of the hall.
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig(({ command }) => ({
  plugins: [svelte()],
  resolve: {
    alias: {
      // The built app has the words it uses; tests and the server of `npm run dev` have those of the public pages, too.
      "$gen/words": here(command === "build" ? "./target/app-words" : "./target/gen/words"),
      $gen: here("./target/gen"),
      $lib: here("./src/lib"),
      $look: here("../hub/assets/live"),
    },
    conditions: ["browser"],
  },
  // The page may lie under any path of the hub.
  base: "./",
  build: {
    outDir: "target/dist",
    target: ["safari16", "chrome108"],
    sourcemap: false,
    modulePreload: { polyfill: false },
    // Nothing is inlined as data: the hub's content security policy allows its own files alone.
    assetsInlineLimit: 0,
    // Modules that the app and the player's page share stay in one file, which compresses better than three.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [{ name: "core", test: /src\/lib\/(?!player|replay|checkpoint|log|enrol)|target\/gen\/(?!words)/, minShareCount: 4 }],
        },
      },
    },
  },
  server: { proxy: { "/flagfall.api.v1.": "http://127.0.0.1:7480", "/session": "http://127.0.0.1:7480" } },
  test: {
    include: ["src/**/*.test.ts", "dev/**/*.test.ts", "pages/**/*.test.js"],
    environment: "node",
    setupFiles: ["./tests/setup.ts"],
    // Importing every module again for each file takes longer than the tests.
    isolate: false,
  },
}));

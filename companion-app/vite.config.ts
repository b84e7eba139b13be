// Configures the bundle: one page, few files, the same bytes on every machine. Also configures the development server and the unit tests.
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig(({ command }) => ({
  plugins: [svelte()],
  resolve: {
    alias: {
      // The built app has only the texts it uses; tests and `npm run dev` also have those of the public pages.
      "$gen/words": here(command === "build" ? "./target/app-words" : "./target/gen/words"),
      $gen: here("./target/gen"),
      $lib: here("./src/lib"),
      $look: here("../hub/assets/live"),
    },
    conditions: ["browser"],
  },
  // The hub may serve the page under any path.
  base: "./",
  build: {
    outDir: "target/dist",
    target: ["safari16", "chrome108"],
    sourcemap: false,
    modulePreload: { polyfill: false },
    // Nothing is inlined as a data URL: the hub's content security policy allows only its own files.
    assetsInlineLimit: 0,
    // Modules that at least four parts of the app share go into one file, which compresses better than several.
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
    // Importing every module again for each test file would take longer than the tests.
    isolate: false,
  },
}));

// How the bundle is made. Owns its shape: one page, few files, the same bytes on every machine; knows nothing of the hall.
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Takes the messages that only the public pages say out of a language's file; their places stay, since messages are told by their places. */
const withoutPages = {
  name: "without-messages-of-pages",
  apply: "build" as const,
  transform: (code: string, id: string) =>
    /\/gen\/words\/messages\/[a-z]+\.js$/.test(id) ? code.replace(/\/\* page \*\/ \(i?\) => \{[\s\S]*?\n\}(?=,?\n)/g, "0") : null,
};

export default defineConfig({
  plugins: [svelte(), withoutPages],
  resolve: { alias: { $gen: here("./target/gen"), $lib: here("./src/lib"), $look: here("../hub/assets/live") }, conditions: ["browser"] },
  // The page may lie under any path of the hub.
  base: "./",
  build: {
    outDir: "target/dist",
    target: ["safari16", "chrome108"],
    sourcemap: false,
    modulePreload: { polyfill: false },
    // Nothing is inlined as data: the hub's content security policy allows its own files alone.
    assetsInlineLimit: 0,
  },
  server: { proxy: { "/flagfall.api.v1.": "http://127.0.0.1:7480", "/session": "http://127.0.0.1:7480" } },
  test: { include: ["src/**/*.test.ts", "dev/**/*.test.ts", "pages/**/*.test.js"], environment: "node", setupFiles: ["./tests/words.ts"] },
});

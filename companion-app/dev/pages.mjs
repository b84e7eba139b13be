// Builds the public pages' modules (pages/) into target/pages, as small files with readable names. There is one entry for each page, shared
// chunks, and one file per language with the messages that the pages use. Shared modules come from the app's sources.

import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { readMessages, writeWords } from "./words.mjs";

const here = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const WORDS = here("target/pages-words");
const ENTRIES = { live: here("pages/live/live.js"), board: here("pages/live/board.js"), event: here("pages/event/event.js") };

const names = await messagesUsed();
await writeWords(WORDS, await readMessages(), names);
await build(settings(WORDS, { outDir: here("target/pages"), emptyOutDir: true }));
// The style sheets of the diagram library, with its pieces.
const ground = (part) => readFile(here(`node_modules/@lichess-org/chessground/assets/chessground.${part}.css`), "utf8");
await writeFile(here("target/pages/chessground.css"), (await Promise.all(["base", "cburnett"].map(ground))).join("\n"));
console.log(`target/pages: ${names.length} messages`);

function settings(words, out, plugins = []) {
  return {
    root: here("pages"),
    configFile: false,
    publicDir: false,
    logLevel: out.write === false ? "error" : "warn",
    base: "./",
    resolve: { alias: { "$gen/words": words, $gen: here("target/gen"), $lib: here("src/lib") } },
    plugins,
    build: {
      target: ["safari16", "chrome108"],
      modulePreload: false,
      minify: true,
      sourcemap: false,
      ...out,
      rolldownOptions: {
        input: ENTRIES,
        output: { entryFileNames: "[name].js", chunkFileNames: "[name].js", hashCharacters: "hex" },
      },
    },
  };
}

/** Returns the sorted names of the messages that the pages use, directly or through the app's modules. */
async function messagesUsed() {
  const used = new Set();
  const listen = {
    name: "messages-used",
    transform(code, id) {
      if (id.includes("/target/gen/") || id.includes("/node_modules/")) return;
      for (const [, name] of code.matchAll(/\bm\.(\w+)/g)) used.add(name);
    },
  };
  await build(settings(here("target/gen/words"), { write: false }, [listen]));
  return [...used].sort();
}

// Builds the public pages' modules (pages/) into target/pages, as small files with readable names: an entry for each page, what they share,
// and one file for each language with the messages that the pages say. The arbiters' app has the same sources for what both show.

import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const here = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const WORDS = here("target/pages-words/");
const ENTRIES = { live: here("pages/live/live.js"), board: here("pages/live/board.js"), event: here("pages/event/event.js") };

const names = await messagesSaid();
await writeWords(names);
await build(settings({ $gen: here("target/gen"), words: WORDS }, { outDir: here("target/pages"), emptyOutDir: true }));
console.log(`target/pages: ${names.length} messages`);

/** @param out where to, if anywhere */
function settings({ $gen, words }, out, plugins = []) {
  const alias = [
    ...(words ? [{ find: /^(\$gen\/words\/|.*\/gen\/words\/)/, replacement: words }] : []),
    { find: "$gen", replacement: $gen },
    { find: "$lib", replacement: here("src/lib") },
  ];
  return {
    root: here("pages"),
    configFile: false,
    publicDir: false,
    logLevel: out.write === false ? "error" : "warn",
    base: "./",
    resolve: { alias },
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

/** The messages that the pages and what they share with the app can say, in the order of their names. */
async function messagesSaid() {
  const said = new Set();
  const listen = {
    name: "messages-said",
    transform(code, id) {
      if (id.includes("/target/gen/")) return;
      for (const [, name] of code.matchAll(/\bm\.(\w+)/g)) said.add(name);
    },
  };
  await build(settings({ $gen: here("target/gen") }, { write: false }, [listen]));
  return [...said].sort();
}

/** The words of the pages alone: `target/gen/words` with fewer messages, and without what chooses the app's language. */
async function writeWords(names) {
  const index = await readFile(here("target/gen/words/messages/_index.js"), "utf8");
  const places = new Map([...index.matchAll(/^export const (\w+) = .*say\((\d+)\);$/gm)].map(([, name, at]) => [name, Number(at)]));
  const known = names.filter((name) => places.has(name));
  if (known.length === 0) throw new Error("the pages say no message that the catalogue has");
  const missing = names.filter((name) => !places.has(name));
  if (missing.length > 0) throw new Error(`messages/en.json has no ${missing.join(", ")}`);
  await rm(WORDS, { recursive: true, force: true });
  await mkdir(WORDS, { recursive: true });
  const runtime = await readFile(here("target/gen/words/runtime.js"), "utf8");
  const [, list] = /^export const locales = .*?(\[[^\]]*\])/ms.exec(runtime) ?? [];
  const locales = JSON.parse((list ?? "[]").replaceAll("'", '"'));
  if (locales.length < 2) throw new Error("the compiler of words lists languages in a form that is not known here");
  for (const tag of locales) {
    const { default: texts } = await import(here(`target/gen/words/messages/${tag}.js`));
    const chosen = names.map((name) => texts[places.get(name)].toString()).join(",\n").replaceAll("registry.plural(", "plural(");
    if (/\bregistry\./.test(chosen)) throw new Error(`messages/${tag}.json formats more than plurals: that is not known here`);
    await writeFile(`${WORDS}${tag}.js`, `import { plural } from "./tables.js";\nexport default [\n${chosen}\n];\n`);
  }
  await writeFile(`${WORDS}runtime.js`, `export const locales = ${JSON.stringify(locales)};\nexport let getLocale = () => "en";\nexport const overwriteGetLocale = (get) => { getLocale = get; };\n`);
  await writeFile(
    `${WORDS}tables.js`,
    `export const plural = (locale, input, options) => new Intl.PluralRules(locale, options).select(Number(input));\nconst files = {\n${locales.map((tag) => `\t${tag}: () => import("./${tag}.js")`).join(",\n")}\n};\nlet table = [];\n` +
      "export async function loadWords(tag) {\n\ttable = (await files[tag]()).default;\n}\nexport const say = (at) => (inputs) => table[at](inputs ?? {});\n",
  );
  await writeFile(`${WORDS}index.js`, `import { say } from "./tables.js";\n${names.map((name, at) => `export const ${name} = /* @__PURE__ */ say(${at});`).join("\n")}\n`);
  await writeFile(`${WORDS}messages.js`, 'export * as m from "./index.js";\n');
}

// Makes target/gen: types of the wire from proto/, words from messages/, presets of time controls from timing/. The compiler of words writes files of its own beside its
// settings, so it works on a copy of them under target/.

import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL("..", import.meta.url));
const project = `${here}target/words.inlang`;
/** Messages that only the public pages and the hub itself say: the app leaves them out of its bundle (vite.config.ts). */
const PAGES_ONLY = /^(hub_page|pub|tb|tbx)_/;
const run = (program, ...args) => execFileSync(process.execPath, [`${here}node_modules/${program}`, ...args], { cwd: here, stdio: ["ignore", "ignore", "inherit"] });

mkdirSync(project, { recursive: true });
copyFileSync(`${here}words.json`, `${project}/settings.json`);
run("@bufbuild/buf/bin/buf", "generate");
run(
  "@inlang/paraglide-js/bin/run.js",
  ...["compile", "--project", project, "--outdir", `${here}target/gen/words`, "--output-structure", "locale-modules"],
  ...["--strategy", "localStorage", "preferredLanguage", "baseLocale", "--emit-ts-declarations"],
  ...["--no-emit-git-ignore", "--no-emit-prettier-ignore", "--no-emit-readme", "--silent"],
);
splitByLanguage(`${here}target/gen/words/`);
writeFileSync(`${here}target/gen/presets.ts`, presetsOf(readFileSync(`${here}../timing/src/presets/table.rs`, "utf8")));

/**
 * The compiler puts every language into one bundle, and a function for each message in each of them. Here a language is one file, a list of
 * messages in the order of their names, so that a browser fetches only the one it shows (`loadWords`).
 */
function splitByLanguage(folder) {
  const index = readFileSync(`${folder}messages/_index.js`, "utf8");
  const tags = [...index.matchAll(/^import \* as __(\w+) from "\.\/\w+\.js"$/gm)].map(([, tag]) => tag);
  const choice = /\(\(inputs(?: = \{\})?, options = \{\}\) => \{\n\tconst locale = .*\n(?:\tif \(locale === "\w+"\) return __\w+\.\w+\(inputs\)\n)+\treturn __\w+\.(\w+)\(inputs\)\n\}\);/g;
  const names = [...index.matchAll(choice)].map(([, name]) => name);
  const short = index.replace(/^import \* as __\w+ from .*\n/gm, "").replace(/^import .*runtime\.js"\n/m, 'import { say } from "../tables.js"\n').replace(choice, (_, name) => `/* @__PURE__ */ say(${names.indexOf(name)});`);
  const texts = Object.fromEntries(tags.map((tag) => [tag, messagesOf(`${folder}messages/${tag}.js`)]));
  const missing = tags.flatMap((tag) => names.filter((name) => !texts[tag][name]).map((name) => `${tag}: ${name}`));
  if (tags.length < 2 || names.length === 0 || /\b__\w+\./.test(short) || missing.length > 0) {
    throw new Error(`the compiler of words writes messages in a form that is not known here ${missing.slice(0, 5).join(", ")}`);
  }
  for (const tag of tags) {
    const list = names.map((name) => `${PAGES_ONLY.test(name) ? "/* page */ " : ""}${texts[tag][name]}`).join(",\n");
    writeFileSync(`${folder}messages/${tag}.js`, `import * as registry from "../registry.js";\nexport default [\n${list}\n];\n`);
  }
  writeFileSync(`${folder}messages/_index.js`, short);
  writeFileSync(
    `${folder}tables.js`,
    `import { getLocale } from "./runtime.js";\nconst files = {\n${tags.map((tag) => `\t${tag}: () => import("./messages/${tag}.js")`).join(",\n")}\n};\nconst tables = {};\n` +
      "export async function loadWords(tag) {\n\ttables[tag] ??= (await files[tag]()).default;\n}\n" +
      "export const say = (at) => (inputs = {}, options = {}) => tables[options.locale ?? getLocale()][at](inputs);\n",
  );
  writeFileSync(
    `${folder}tables.d.ts`,
    'import type { Locale } from "./runtime.js";\n/** Fetches the words of a language; messages can be read in it from then on. */\nexport function loadWords(tag: Locale): Promise<void>;\n',
  );
}

/** The functions of a language's file, by name. */
function messagesOf(file) {
  const written = readFileSync(file, "utf8").replaceAll("${i?.", "${i.");
  const messages = written.matchAll(/^export const (\w+) = \/\*\*.*\*\/ (\(i?\) => \{[\s\S]*?\n\});$/gm);
  return Object.fromEntries([...messages].map(([, name, message]) => [name, message]));
}

/** The presets that `flagfall presets` lists, as a module. */
function presetsOf(table) {
  const text = String.raw`"((?:[^"\\]|\\.)*)"`;
  const entry = new RegExp(String.raw`Preset \{\s*name: ${text},\s*title: ${text},\s*group: ${text},\s*notation: ${text},\s*draw_odds: (None|Some\(Side::(\w+)\)),`, "g");
  const presets = [...table.matchAll(entry)].map(([, name, , group, notation, , odds]) => ({ name, group, notation, drawOdds: odds?.toLowerCase() ?? "" }));
  const count = table.split("Preset {").length - 1;
  if (presets.length === 0 || presets.length !== count) throw new Error(`${presets.length} of ${count} presets of time controls can be read`);
  return `/** A time control with a name. */\nexport interface Preset {\n  name: string;\n  group: string;\n  notation: string;\n  /** The side for which a drawn game counts as won. */\n  drawOdds: "" | "white" | "black";\n}\nexport const PRESETS: readonly Preset[] = ${JSON.stringify(presets, null, 2)};\n`;
}

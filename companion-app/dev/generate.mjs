// Generates target/gen: wire types from proto/, texts from messages/, presets of time controls from timing/, the names of rule sets from
// hub/laws/. Also generates target/app-words, the texts of the built app.

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readMessages, writeWords } from "./words.mjs";

const here = fileURLToPath(new URL("..", import.meta.url));
/** Messages that only the public pages and the hub itself use; the built app does not contain them. */
const PAGES_ONLY = /^(hub_page|pub|tb|tbx)_/;

execFileSync(process.execPath, [`${here}node_modules/@bufbuild/buf/bin/buf`, "generate"], { cwd: here, stdio: ["ignore", "ignore", "inherit"] });
const messages = await readMessages();
const ruleSets = ruleSetsIn(`${here}../hub/laws/rules/`);
for (const [language, words] of messages) for (const { message, titles } of ruleSets) words.set(message, { other: [titles.get(language) ?? titles.get("en")] });
const names = [...messages.get("en").keys()].sort();
await writeWords(`${here}target/gen/words`, messages, names);
await writeWords(
  `${here}target/app-words`,
  messages,
  names.filter((name) => !PAGES_ONLY.test(name)),
);
writeFileSync(`${here}target/gen/presets.ts`, presetsOf(readFileSync(`${here}../timing/src/presets/table.rs`, "utf8")));
writeFileSync(`${here}target/gen/rule-sets.ts`, ruleSetsModule(ruleSets));

/** Returns the rule sets that `flagfall ctl rules` lists, each with its titles by language and the name of its message. */
function ruleSetsIn(folder) {
  return readdirSync(folder)
    .sort()
    .map((file) => {
      const text = readFileSync(folder + file, "utf8");
      const titles = new Map([...text.matchAll(/^(title|de|es|fr) = "([^"\\]+)"$/gm)].map(([, name, title]) => [name === "title" ? "en" : name, title]));
      if (!titles.has("en")) throw new Error(`hub/laws/rules/${file} has no title`);
      const key = file.replace(/\.toml$/, "");
      return { key, titles, message: `rule_set_${key.replaceAll("-", "_")}` };
    });
}

function ruleSetsModule(sets) {
  const entries = sets.map(({ key, message }) => `  [${JSON.stringify(key)}, m.${message}],\n`);
  return `import { m } from "$gen/words/messages.js";\n\n/** The titles of the rule sets, by key. */\nexport const RULE_SETS: ReadonlyMap<string, () => string> = new Map([\n${entries.join("")}]);\n`;
}

/** Returns a module with the presets that `flagfall presets` lists. */
function presetsOf(table) {
  const text = String.raw`"((?:[^"\\]|\\.)*)"`;
  const entry = new RegExp(
    String.raw`Preset \{\s*name: ${text},\s*title: ${text},\s*group: ${text},\s*notation: ${text},\s*draw_odds: (None|Some\(Side::(\w+)\)),`,
    "g",
  );
  const presets = [...table.matchAll(entry)].map(([, name, , group, notation, , odds]) => ({ name, group, notation, drawOdds: odds?.toLowerCase() ?? "" }));
  const count = table.split("Preset {").length - 1;
  if (presets.length === 0 || presets.length !== count) throw new Error(`${presets.length} of ${count} presets of time controls can be read`);
  return `/** A time control with a name. */\nexport interface Preset {\n  name: string;\n  group: string;\n  notation: string;\n  /** The side for which a drawn game counts as won. */\n  drawOdds: "" | "white" | "black";\n}\nexport const PRESETS: readonly Preset[] = ${JSON.stringify(presets, null, 2)};\n`;
}

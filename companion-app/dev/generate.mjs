// Makes target/gen: wire types from proto/, texts from messages/, time-control presets from timing/, the names of rule sets from hub/laws/;
// and target/app-words, the words of the built app.

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readMessages, writeWords } from "./words.mjs";

const here = fileURLToPath(new URL("..", import.meta.url));
/** Messages that only the public pages and the hub itself use: the built app goes without them. */
const PAGES_ONLY = /^(hub_page|pub|tb|tbx)_/;

execFileSync(process.execPath, [`${here}node_modules/@bufbuild/buf/bin/buf`, "generate"], { cwd: here, stdio: ["ignore", "ignore", "inherit"] });
const messages = await readMessages();
const names = [...messages.get("en").keys()].sort();
await writeWords(`${here}target/gen/words`, messages, names);
await writeWords(
  `${here}target/app-words`,
  messages,
  names.filter((name) => !PAGES_ONLY.test(name)),
);
writeFileSync(`${here}target/gen/presets.ts`, presetsOf(readFileSync(`${here}../timing/src/presets/table.rs`, "utf8")));
writeFileSync(`${here}target/gen/rule-sets.ts`, ruleSetsOf(`${here}../hub/laws/rules/`));

/** Returns the rule sets that `flagfall ctl rules` lists, as a module. */
function ruleSetsOf(folder) {
  const sets = readdirSync(folder)
    .sort()
    .map((file) => {
      const title = /^title = "([^"\\]+)"$/m.exec(readFileSync(folder + file, "utf8"))?.[1];
      if (!title) throw new Error(`hub/laws/rules/${file} has no title`);
      return { key: file.replace(/\.toml$/, ""), title };
    });
  return `/** The rule sets, by key. */\nexport const RULE_SETS: readonly { key: string; title: string }[] = ${JSON.stringify(sets, null, 2)};\n`;
}

/** Returns the presets that `flagfall presets` lists, as a module. */
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

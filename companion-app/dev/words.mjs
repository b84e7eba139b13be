// Generates modules from the message catalogue: one table for each language, in the order of the names, and one function for each name. A
// browser loads only the table of its language (src/lib/words/catalogue.ts).
//
// Reads only the part of inlang's message format that messages/*.json use: text with `{slots}`, and a plural that depends on one slot.
// Fails on anything else.

import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const MESSAGES = fileURLToPath(new URL("../messages", import.meta.url));
const BASE = "en";

/** Reads the messages of all languages, by language and name. The base language comes first. */
export async function readMessages(folder = MESSAGES) {
  const tags = (await readdir(folder)).map((file) => file.replace(/\.json$/, "")).sort();
  const all = new Map();
  for (const tag of [BASE, ...tags.filter((tag) => tag !== BASE)]) {
    const messages = Object.entries(JSON.parse(await readFile(`${folder}/${tag}.json`, "utf8"))).filter(([name]) => name !== "$schema");
    all.set(tag, new Map(messages.map(([name, message]) => [name, parse(message, `${tag}.json: ${name}`)])));
  }
  return all;
}

/** Writes the messages with these names as modules into `folder`, replacing its contents. */
export async function writeWords(folder, messages, names) {
  const missing = [...messages].flatMap(([tag, known]) => names.filter((name) => !known.has(name)).map((name) => `${tag}.json has no ${name}`));
  if (missing.length > 0) throw new Error(`messages: ${missing.slice(0, 5).join(", ")}`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const base = messages.get(BASE);
  const functions = names.map((name, at) => {
    const message = base.get(name);
    const made = `: (${slotTypes(message)}) => string = /* @__PURE__ */ say(${at});\n`;
    return `/** ${comment(message)} */\n${isReserved(name) ? `const ${name}_${made}export { ${name}_ as ${name} };\n` : `export const ${name}${made}`}`;
  });
  await writeFile(`${folder}/index.ts`, `import { say, type Slot } from "$lib/words/catalogue.js";\n\n${functions.join("")}`);
  await writeFile(`${folder}/messages.ts`, 'export * as m from "./index.js";\n');
  await writeFile(
    `${folder}/tables.ts`,
    `export const TABLES = {\n${[...messages.keys()].map((tag) => `  ${tag}: () => import("./${tag}.js"),\n`).join("")}};\n`,
  );
  for (const [tag, known] of messages) {
    const table = names.map((name) => `  ${code(known.get(name))},\n`).join("");
    const imports = table.includes("isOne(")
      ? 'import { isOne, type Message } from "$lib/words/catalogue.js";'
      : 'import type { Message } from "$lib/words/catalogue.js";';
    await writeFile(`${folder}/${tag}.ts`, `${imports}\n\nconst table: readonly Message[] = [\n${table}];\nexport default table;\n`);
  }
}

/** Parses a message into `{ other }` for plain text, or `{ count, one, other }` for a plural. In each text, literals and slots alternate. */
function parse(message, where) {
  if (typeof message === "string") return { other: parts(message) };
  const [{ declarations = [], selectors = [], match = {} } = {}, ...more] = Array.isArray(message) ? message : [];
  const [, local, count] = declarations.map((text) => /^local (\w+) = (\w+): plural$/.exec(text)).find(Boolean) ?? [];
  const { [`${local}=one`]: one, [`${local}=other`]: other, ...others } = match;
  if (more.length > 0 || selectors.join() !== local || one === undefined || other === undefined || Object.keys(others).length > 0) {
    throw new Error(`${where} uses a part of the message format that dev/words.mjs does not read`);
  }
  return { count, one: parts(one), other: parts(other) };
}

/** Splits a text at its slots: literals are at even indexes, slot names at odd indexes. */
function parts(text) {
  return text.split(/\{(\w+)\}/);
}

function slots({ count, one = [], other }) {
  const named = [one, other].flatMap((text) => text.filter((_, at) => at % 2 === 1));
  return [...new Set(count === undefined ? named : [count, ...named])].sort();
}

function slotTypes(message) {
  const named = slots(message);
  return named.length === 0 ? "" : `slots: { ${named.map((name) => `${name}: Slot`).join("; ")} }`;
}

/** Returns the source of a table entry: a string, or a function of the slots. */
function code(message) {
  const { count, one, other } = message;
  if (slots(message).length === 0) return JSON.stringify(other[0]);
  return count === undefined ? `(i) => ${template(other)}` : `(i) => (isOne(i.${count}) ? ${template(one)} : ${template(other)})`;
}

function template(text) {
  const written = text.map((part, at) => (at % 2 === 1 ? `\${i.${part}}` : part.replace(/[\\`]|\$(?=\{)/g, "\\$&")));
  return `\`${written.join("")}\``;
}

/** Reports whether a name, such as `import`, cannot be a variable's name. */
function isReserved(name) {
  try {
    new Function(`"use strict"; const ${name} = 0;`);
    return false;
  } catch {
    return true;
  }
}

function comment({ other }) {
  return other
    .map((part, at) => (at % 2 === 1 ? `{${part}}` : part))
    .join("")
    .replaceAll("*/", "* /")
    .replaceAll("\n", " ");
}

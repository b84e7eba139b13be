// Finds the style sheets' features that the oldest browser does not have (support.mjs), in the app and in the public pages.
//
// A rule inside `@supports` is guarded. A declaration has a fallback if it repeats an earlier property or follows its `-webkit-` twin.

import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import postcss from "postcss";
import { feature, isMissing, OLDEST, since } from "./support.mjs";

const FOLDERS = ["src/styles", "../hub/assets/live", "../hub/assets/event"];
/** Features that a browser may safely ignore, each with the effect. */
const HARMLESS = {
  "scrollbar-width": "a scroll bar is seen where there would be none",
  "content-visibility": "boards out of sight are laid out, too: slower, and nothing else",
  "contain-intrinsic-size": "goes with content-visibility",
  "forced-color-adjust": "no Safari forces colours",
  "@page": "the margins are those of the print dialog",
  size: "the paper is that of the print dialog",
};

/** Returns one sentence for each use of a missing feature, with its line, unless the use is harmless, guarded or has a fallback. */
export function missingIn(css, from) {
  const found = [];
  const look = (node, name, described) => {
    if (!isMissing(described) || Object.hasOwn(HARMLESS, name.split(":")[0]) || hasAsked(node)) return;
    found.push(`${from}:${node.source.start.line}: ${name} is not in ${OLDEST.name} (${since(described)})`);
  };
  postcss.parse(css, { from }).walk((node) => {
    if (node.type === "atrule") look(node, `@${node.name}`, feature("css", "at-rules", node.name));
    if (node.type === "rule") {
      if (node.parent.type === "rule") look(node, "nesting", feature("css", "selectors", "nesting"));
      for (const [, name] of node.selector.matchAll(/::?([a-z-]+)/g)) look(node, `:${name}`, feature("css", "selectors", name));
    }
    if (node.type === "decl" && !hasFallback(node)) declaration(node, look);
  });
  return found;
}

function declaration(node, look) {
  const property = feature("css", "properties", node.prop);
  look(node, node.prop, property);
  // Strings and URLs contain no keywords.
  const value = node.value.replace(/"[^"]*"|'[^']*'|url\([^)]*\)/g, " ");
  for (const [word, call] of value.matchAll(/-?[a-z][\w-]*(\()?/gi)) {
    const name = word.replace("(", "");
    look(node, call ? `${name}()` : `${node.prop}: ${name}`, property?.[name] ?? (call ? typeOf(name) : undefined));
  }
  for (const [, unit] of value.matchAll(/(?<![\w#-])[\d.]+([a-z]+)/gi)) look(node, unit, feature("css", "types", "length", unit) ?? unitOf(unit));
}

/** Returns the data of a function that is valid in several properties. */
function typeOf(name) {
  const types = feature("css", "types");
  return (
    types[name] ??
    Object.values(types)
      .map((type) => type[name])
      .find((type) => type?.__compat)
  );
}

function unitOf(unit) {
  if (/^[dls]v(h|w|min|max|i|b)$/.test(unit)) return feature("css", "types", "length", "viewport_percentage_units_dynamic");
  return /^cq/.test(unit) ? feature("css", "types", "length", "container_query_length_units") : undefined;
}

function hasAsked(node) {
  for (let around = node.parent; around; around = around.parent) if (around.type === "atrule" && around.name === "supports") return true;
  return false;
}

/** Reports whether an earlier declaration applies in browsers that do not know this one. */
function hasFallback(node) {
  return node.parent.nodes.slice(0, node.parent.index(node)).some((one) => one.type === "decl" && [node.prop, `-webkit-${node.prop}`].includes(one.prop));
}

async function check() {
  const here = fileURLToPath(new URL("../../", import.meta.url));
  let sheets = 0;
  const found = [];
  for (const folder of FOLDERS) {
    for (const name of (await readdir(here + folder)).filter((file) => file.endsWith(".css"))) {
      sheets += 1;
      found.push(...missingIn(await readFile(`${here}${folder}/${name}`, "utf8"), `${folder}/${name}`));
    }
  }
  for (const one of found) console.error(one);
  if (sheets === 0) throw new Error("there are no style sheets where they are looked for");
  if (found.length > 0) process.exit(1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await check();

// Makes target/gen: types of the wire from proto/, words from messages/. The compiler of words writes files of its own beside its
// settings, so it works on a copy of them under target/.

import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL("..", import.meta.url));
const project = `${here}target/words.inlang`;
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
shorten(`${here}target/gen/words/messages/`);

/**
 * The compiler gives each message a function in each language and one that chooses among them, 10 kB of names in the bundle. Here each message
 * is one call with all its languages in it.
 */
function shorten(folder) {
  const index = readFileSync(`${folder}_index.js`, "utf8");
  const said = {};
  const inEach = (tag) => {
    const written = readFileSync(`${folder}${tag}.js`, "utf8").replaceAll("${i?.", "${i.");
    const messages = written.matchAll(/^export const (\w+) = \/\*\*.*\*\/ (\(i?\) => \{\n[\s\S]*?\n\});$/gm);
    return Object.fromEntries([...messages].map(([, name, message]) => [name, message]));
  };
  const choice = /\(\(inputs(?: = \{\})?, options = \{\}\) => \{\n\tconst locale = .*\n((?:\tif \(locale === "\w+"\) return __\w+\.\w+\(inputs\)\n)+)\treturn (__\w+\.\w+)\(inputs\)\n\}\);/g;
  const orders = new Set();
  const short = index.replace(choice, (_, others, base) => {
    const ways = [base, ...[...others.matchAll(/return (__\w+\.\w+)/g)].map(([, way]) => way)].map((way) => way.slice(2).split("."));
    orders.add(ways.map(([tag]) => tag).join());
    return `/* @__PURE__ */ inLanguage(${ways.map(([tag, name]) => (said[tag] ??= inEach(tag))[name] ?? `__${tag}.${name}`).join(", ")});`;
  });
  const [order, another] = orders;
  if (!order || another || short.includes("options.locale")) throw new Error("the compiler of words writes messages otherwise than it did");
  writeFileSync(
    `${folder}_index.js`,
    `import * as registry from "../registry.js";\n${short}\nconst tags = ${JSON.stringify(order.split(","))};\nfunction inLanguage(...ways) {\n\treturn (inputs = {}, options = {}) => ways[tags.indexOf(options.locale ?? getLocale())](inputs);\n}\n`,
  );
}

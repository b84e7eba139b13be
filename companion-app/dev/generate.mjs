// Makes target/gen: types of the wire from proto/, words from messages/. The compiler of words writes files of its own beside its
// settings, so it works on a copy of them under target/.

import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync } from "node:fs";
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

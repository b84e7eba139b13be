// Writes the names and digests of the build's files into its service worker, target/dist/worker.js. Part of `npm run build`. The same files
// produce the same worker on every machine.

import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const WORKER = "worker.js";
/** Number of hexadecimal digits in a build's name. */
const DIGITS = 16;

await fill(process.argv[2] ?? fileURLToPath(new URL("../target/dist/", import.meta.url)));

async function fill(dist) {
  const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");
  const found = await readdir(dist, { recursive: true, withFileTypes: true });
  const names = found.filter((one) => one.isFile()).map((one) => `${one.parentPath}/${one.name}`.replaceAll("\\", "/").replace(/\/+/g, "/").slice(dist.length));
  const files = {};
  for (const name of names.sort()) if (name !== WORKER) files[name] = sha256(await readFile(dist + name));
  const worker = await readFile(dist + WORKER, "utf8");
  // The digest covers the worker's own code too.
  const build = sha256(worker + JSON.stringify(files)).slice(0, DIGITS);
  const filled = worker
    .replace('const BUILD = "";', `const BUILD = ${JSON.stringify(build)};`)
    .replace("const FILES = {};", `const FILES = ${JSON.stringify(files)};`);
  if (!filled.includes(build) || filled.split("const FILES = {};").length > 1) throw new Error(`${WORKER} has no place for its build and its files`);
  await writeFile(dist + WORKER, filled);
}

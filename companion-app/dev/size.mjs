// Holds the bundle to its limit: 200 kB of JavaScript, compressed. Says what each file weighs.

import { readdir, readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { fileURLToPath } from "node:url";

const LIMIT = 200_000;
const dist = fileURLToPath(new URL("../target/dist/", import.meta.url));
let scripts = 0;
for (const file of (await readdir(dist, { recursive: true })).sort()) {
  if (!/\.(js|css|html|svg)$/.test(file)) continue;
  const bytes = await readFile(dist + file);
  const packed = gzipSync(bytes, { level: 9 }).length;
  if (file.endsWith(".js")) scripts += packed;
  console.log(`${file.padEnd(40)} ${String(bytes.length).padStart(8)} B ${String(packed).padStart(8)} B compressed`);
}
console.log(`JavaScript: ${scripts} B compressed, at most ${LIMIT}`);
if (scripts > LIMIT) process.exit(1);

// Copies the built app and the public pages to where the hub serves them. With --check, fails if they differ.
//
// target/dist goes to hub/assets/ui, with a Brotli file beside each text file that becomes shorter. target/pages goes to hub/assets/pages, which
// the hub compresses itself. Brotli files are compared by content, because encoders differ. Both bundles are committed, so that a machine
// without Node.js has them. With --pages, only the public pages are handled.

import { cp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { brotliDecompressSync } from "node:zlib";
import { fileURLToPath } from "node:url";
import { ENCODED, packed } from "./size.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const app = { made: here("../target/dist/"), carried: here("../../hub/assets/ui/"), name: "hub/assets/ui", isPacked: true };
const pages = { made: here("../target/pages/"), carried: here("../../hub/assets/pages/"), name: "hub/assets/pages", isPacked: false };
const bundles = process.argv.includes("--pages") ? [pages] : [app, pages];

for (const bundle of bundles) await (process.argv.includes("--check") ? check(bundle) : carry(bundle));

async function check(bundle) {
  const differing = [...(await differences(bundle)), ...(bundle.isPacked ? await misread(bundle) : [])];
  if (differing.length > 0) {
    console.error(`${bundle.name} is not what the sources make: ${differing.join(", ")}.`);
    console.error(`Refresh it: cd companion-app && npm install --no-save && npm run bundle, and commit ${bundle.name}.`);
    process.exit(1);
  }
  console.log(`${bundle.name} is what the sources make`);
}

async function carry({ made, carried, name, isPacked }) {
  await rm(carried, { recursive: true, force: true });
  await cp(made, carried, { recursive: true });
  for (const file of isPacked ? await files(made) : []) {
    const brotli = packed(file, await readFile(made + file));
    if (brotli) await writeFile(carried + file + ENCODED, brotli);
  }
  console.log(`${name}: ${(await files(carried)).join(", ")}`);
}

async function differences({ made, carried }) {
  const plain = (await files(carried)).filter((name) => !name.endsWith(ENCODED));
  const names = [...new Set([...(await files(made)), ...plain])].sort();
  const same = await Promise.all(names.map(async (name) => (await bytes(made + name)).equals(await bytes(carried + name))));
  return names.filter((_, at) => !same[at]);
}

/** Returns the Brotli files that are missing but would be shorter, whose content differs from their plain file, or that have no plain file. */
async function misread({ made, carried }) {
  const there = new Set((await files(carried)).filter((name) => name.endsWith(ENCODED)));
  const wrong = [];
  for (const name of await files(made)) {
    const file = await readFile(made + name);
    const encoded = name + ENCODED;
    if (there.delete(encoded) ? !says(await readFile(carried + encoded), file) : packed(name, file)) wrong.push(encoded);
  }
  return [...wrong, ...there];
}

function says(brotli, file) {
  try {
    const { buffer, engine } = brotliDecompressSync(brotli, { info: true });
    // Some browsers reject trailing bytes.
    return buffer.equals(file) && engine.bytesWritten === brotli.length;
  } catch {
    return false;
  }
}

async function files(folder) {
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return found
    .filter((one) => one.isFile())
    .map((one) => `${one.parentPath}/${one.name}`.replace(/\/+/g, "/").slice(folder.length))
    .sort();
}

/** Returns a file's bytes; for a missing file, bytes that no real file contains. */
async function bytes(path) {
  return readFile(path).catch(() => Buffer.from("\0missing"));
}

// The bundle that the hub carries and serves: hub/assets/ui is target/dist, byte for byte, and beside each text its Brotli, which the hub
// sends to whoever takes it. Copies it there, or, with --check, fails where the two differ. The Brotli is checked by what it says: another
// version of the encoder writes other bytes. The bundle is committed so that a machine without Node.js has the app too.

import { cp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { brotliDecompressSync } from "node:zlib";
import { fileURLToPath } from "node:url";
import { ENCODED, packed } from "./size.mjs";

const dist = fileURLToPath(new URL("../target/dist/", import.meta.url));
const carried = fileURLToPath(new URL("../../hub/assets/ui/", import.meta.url));

if (process.argv[2] === "--check") {
  const differing = [...(await differences()), ...(await misread())];
  if (differing.length > 0) {
    console.error(`hub/assets/ui is not what the sources make: ${differing.join(", ")}.`);
    console.error("Refresh it: cd companion-app && npm install --no-save && npm run bundle, and commit hub/assets/ui.");
    process.exit(1);
  }
  console.log("hub/assets/ui is what the sources make");
} else {
  await rm(carried, { recursive: true, force: true });
  await cp(dist, carried, { recursive: true });
  for (const name of await files(dist)) {
    const brotli = packed(name, await readFile(dist + name));
    if (brotli) await writeFile(carried + name + ENCODED, brotli);
  }
  console.log(`hub/assets/ui: ${(await files(carried)).join(", ")}`);
}

async function differences() {
  const plain = (await files(carried)).filter((name) => !name.endsWith(ENCODED));
  const names = [...new Set([...(await files(dist)), ...plain])].sort();
  const same = await Promise.all(names.map(async (name) => (await bytes(dist + name)).equals(await bytes(carried + name))));
  return names.filter((_, at) => !same[at]);
}

/** Encodings that are not there though they would be shorter, and those that say something else than their file. */
async function misread() {
  const there = new Set((await files(carried)).filter((name) => name.endsWith(ENCODED)));
  const wrong = [];
  for (const name of await files(dist)) {
    const file = await readFile(dist + name);
    const encoded = name + ENCODED;
    if (there.delete(encoded) ? !says(await readFile(carried + encoded), file) : packed(name, file)) wrong.push(encoded);
  }
  return [...wrong, ...there];
}

function says(brotli, file) {
  try {
    const { buffer, engine } = brotliDecompressSync(brotli, { info: true });
    // What follows the end would be ignored here, and not by every browser.
    return buffer.equals(file) && engine.bytesWritten === brotli.length;
  } catch {
    return false;
  }
}

async function files(folder) {
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return found.filter((one) => one.isFile()).map((one) => `${one.parentPath}/${one.name}`.replace(/\/+/g, "/").slice(folder.length)).sort();
}

/** What is missing is nothing that a file could be. */
async function bytes(path) {
  return readFile(path).catch(() => Buffer.from("\0missing"));
}

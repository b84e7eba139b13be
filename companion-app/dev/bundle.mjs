// The bundle that the hub carries and serves: hub/assets/ui is target/dist, byte for byte. Copies it there, or, with --check, fails
// where the two differ. The bundle is committed so that a machine without Node.js has the app too.

import { cp, readFile, readdir, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const dist = fileURLToPath(new URL("../target/dist/", import.meta.url));
const carried = fileURLToPath(new URL("../../hub/assets/ui/", import.meta.url));

if (process.argv[2] === "--check") {
  const differing = await differences();
  if (differing.length > 0) {
    console.error(`hub/assets/ui is not what the sources make: ${differing.join(", ")}.`);
    console.error("Refresh it: cd companion-app && npm install --no-save && npm run bundle, and commit hub/assets/ui.");
    process.exit(1);
  }
  console.log("hub/assets/ui is what the sources make");
} else {
  await rm(carried, { recursive: true, force: true });
  await cp(dist, carried, { recursive: true });
  console.log(`hub/assets/ui: ${(await files(carried)).join(", ")}`);
}

async function differences() {
  const names = [...new Set([...(await files(dist)), ...(await files(carried))])].sort();
  const same = await Promise.all(names.map(async (name) => (await bytes(dist + name)).equals(await bytes(carried + name))));
  return names.filter((_, at) => !same[at]);
}

async function files(folder) {
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return found.filter((one) => one.isFile()).map((one) => `${one.parentPath}/${one.name}`.replace(/\/+/g, "/").slice(folder.length)).sort();
}

/** What is missing is nothing that a file could be. */
async function bytes(path) {
  return readFile(path).catch(() => Buffer.from("\0missing"));
}

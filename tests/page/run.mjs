// Runs the public pages' tests in Chromium, then takes screenshots into target/screenshots. The pages' modules have unit tests in
// companion-app/pages. Run `node tests/page/run.mjs` from any folder; it needs node 20, npm, cargo and Chromium.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const HERE = dirname(fileURLToPath(import.meta.url));

async function run(command, args, env = {}) {
  const child = spawn(command, args, { cwd: HERE, stdio: "inherit", env: { ...process.env, ...env } });
  const [code] = await once(child, "exit");
  if (code !== 0) process.exit(code ?? 1);
}

function installed() {
  const { dependencies } = JSON.parse(readFileSync(join(HERE, "package.json"), "utf8"));
  return Object.entries(dependencies).every(([name, version]) => {
    const manifest = join(HERE, "node_modules", name, "package.json");
    return existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).version === version;
  });
}

const tests = async (folder) => (await readdir(join(HERE, folder))).filter((name) => name.endsWith(".test.mjs")).map((name) => join(folder, name));

if (!installed()) await run("npm", ["ci", "--no-audit", "--no-fund"]);
const { buildHall } = await import("./hall.mjs");
const hall = { FAKE_HALL: await buildHall() };
await run("node", ["--test", "--test-concurrency=2", ...(await tests("browser"))], hall);
await run("node", ["shots.mjs"], hall);
await run("node", ["event-shots.mjs"], hall);

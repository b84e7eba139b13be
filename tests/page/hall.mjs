// Starts and drives the fake hall (hub/examples/fake_hall.rs), and the browser that opens its pages.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, extname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Possible paths of Chromium or Chrome; the first that exists is used. The headless shell precedes the browsers: it uses less processor time. */
const BROWSERS = [process.env.CHROMIUM, "/usr/bin/chromium-headless-shell", "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Returns the path of the fake hall's binary, which cargo builds unless `FAKE_HALL` names one. */
export async function buildHall() {
  if (process.env.FAKE_HALL) return process.env.FAKE_HALL;
  const cargo = spawn("cargo", ["build", "--quiet", "-p", "hub", "--example", "fake_hall"], { cwd: ROOT, stdio: "inherit" });
  const [code] = await once(cargo, "exit");
  if (code !== 0) throw new Error("the pretended hall does not build");
  return join(process.env.CARGO_TARGET_DIR ?? join(ROOT, "target"), "debug/examples/fake_hall");
}

export class Hall {
  /**
   * @param {string} binary
   * @param {string[]} args
   */
  static async start(binary, ...args) {
    const hall = new Hall();
    hall.process = spawn(binary, args.includes("--http") ? args : ["--http", "127.0.0.1:0", ...args], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    hall.ended = once(hall.process, "exit");
    const lines = createInterface({ input: hall.process.stdout });
    const [url] = await Promise.race([once(lines, "line"), hall.ended.then(([code]) => { throw new Error(`the hall ended with ${code}`); })]);
    hall.url = url;
    hall.address = url.replace("http://", "");
    return hall;
  }

  /** Sends the hall a line of script, such as `press 3` or `flag 9 fallen`. @param {string} line */
  say(line) {
    this.process.stdin.write(`${line}\n`);
  }

  async kill() {
    this.process.kill("SIGKILL");
    await this.ended;
  }
}

/** Serves the pages' modules and styles from these folders instead of the hall, so that changes can be tried without building a hub. */
async function serveFrom(context, folders) {
  const types = { ".js": "text/javascript", ".css": "text/css" };
  await context.route(/\/assets\/(?:event\/)?[\w-]+\.(?:js|css)$/, (route) => {
    const name = basename(new URL(route.request().url()).pathname);
    const path = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
    return path ? route.fulfill({ path, contentType: types[extname(path)] }) : route.continue();
  });
}

export async function startBrowser() {
  const executablePath = BROWSERS.find((path) => path && existsSync(path));
  if (!executablePath) throw new Error("no Chromium found; install the package chromium or set CHROMIUM");
  const profile = await mkdtemp(join(tmpdir(), "flagfall-page-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    locale: "en-GB",
    args: [
      "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync",
    ],
  });
  if (process.env.PAGES_DIST) await serveFrom(context, [process.env.PAGES_DIST, join(ROOT, "hub/assets/live"), join(ROOT, "hub/assets/event")]);
  return {
    context,
    async close() {
      await context.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
}

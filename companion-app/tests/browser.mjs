// Chromium for the tests, which trusts only the keys of given hubs. If an address contains a code, the browser enrols first. Owns the browser that it
// starts.

import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { connect } from "node:tls";
import { chromium } from "playwright-core";

/** Returns the SHA-256 of a TLS server's key, in Chromium's format. */
export function keyOf(host, port) {
  return new Promise((done, failed) => {
    const line = connect({ host, port, servername: "localhost", rejectUnauthorized: false }, () => {
      const key = line.getPeerX509Certificate()?.publicKey.export({ type: "spki", format: "der" });
      line.end();
      done(createHash("sha256").update(key).digest("base64"));
    });
    line.on("error", failed);
  });
}

/** The path of the full Chromium. Unlike the headless shell, it stores notifications. */
export const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
/** The path of Chromium's headless shell, which needs a third less processor time. Falls back to Chromium if the shell is missing. */
const SHELL = process.env.CHROMIUM ?? ["/usr/bin/chromium-headless-shell", CHROMIUM].find((path) => existsSync(path));

export async function launch(keys, more = [], executablePath = SHELL) {
  const trust = keys.length > 0 ? [`--ignore-certificate-errors-spki-list=${keys.join(",")}`] : [];
  return chromium.launch({ executablePath, args: ["--no-sandbox", ...trust, ...more] });
}

/**
 * Serves the page from a folder instead of the hub, so that the app can be changed without rebuilding the hub.
 *
 * @param folder a path, or a function that returns one
 * @param there returns true while the hub is running
 */
export async function serveFrom(context, base, folder, there = () => true) {
  await context.route(
    (asked) => asked.href.startsWith(base) && /^\/($|assets\/|[\w-]+\.(svg|png|html|js|webmanifest)$)/.test(asked.pathname),
    async (route) => {
      const path = join(typeof folder === "function" ? folder() : folder, new URL(route.request().url()).pathname.replace(/^\/$/, "index.html"));
      // While the hub is away, the folder serves nothing either.
      if (!there()) await route.abort("connectionrefused");
      else if (existsSync(path)) await route.fulfill({ path });
      else await route.fulfill({ status: 404, body: "There is no such file." });
    },
  );
}

/** Marks the device as used before, so that it does not ask about sound. */
export async function withoutQuestions(context) {
  await context.addInitScript(() => {
    if (globalThis.localStorage && localStorage.getItem("flagfall.settings") === null)
      localStorage.setItem("flagfall.settings", JSON.stringify({ sound: false }));
  });
}

/** Opens the address in a new browser, and enrols the browser if the address has a code. `base` is the address of the views. */
export async function open(address, options = {}, more = []) {
  const url = new URL(address);
  const browser = await launch(url.protocol === "https:" ? [await keyOf(url.hostname, Number(url.port || 443))] : [], more);
  const context = await browser.newContext({ locale: "en-GB", ...options });
  await withoutQuestions(context);
  if (process.env.COMPANION_DIST) await serveFrom(context, `${url.origin}/`, process.env.COMPANION_DIST);
  const page = await context.newPage();
  await page.goto(address);
  if (url.hash.includes(".")) {
    await page.locator(".first .btn.pri").click();
    await page.waitForSelector(".live .online");
  }
  return { browser, page, base: `${url.origin}/` };
}

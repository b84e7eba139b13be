// A page without its hub: it opens and shows the last known hall with its age. Its worker caches the files of one build but none of the hub's data,
// and a newer build waits until the page is loaded again. Also a browser that does not trust the hub's certificate, and a revoked device.

import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launch, serveFrom } from "../browser.mjs";
import { Rig, until } from "./rig.js";

/** A restarted hub has a new key. Real devices trust any key that the hub's authority certifies; the test browser trusts only the first key. */
const TRUSTS = { ignoreHTTPSErrors: true, serviceWorkers: "allow" } as const;
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const built = process.env["COMPANION_DIST"] ?? here("../../../hub/assets/ui");
let rig: Rig;
let page: Page;
beforeAll(async () => {
  rig = await Rig.start({ boards: { "1": "60m", "2": "60m", "3": "60m" } });
  page = await rig.page(TRUSTS);
  await rig.ctl("start", "1-3");
  await page.locator('.tile.running[data-board="1"]').waitFor();
});
afterAll(async () => {
  await page.goto("about:blank");
  await rig.stop();
});

const buildCached = (of: Page): Promise<unknown> =>
  until("the worker has cached the build", () =>
    of.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration();
      return registration?.active?.state === "activated" && navigator.serviceWorker.controller !== null;
    }),
  );
const cached = (of: Page): Promise<string[]> =>
  of.evaluate(async () => {
    const stores = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
    return stores.flat().map((request) => new URL(request.url).pathname);
  });
/** Returns the number of boards in the device's snapshot; -1 if there is none. */
const onDevice = (of: Page): Promise<number> =>
  of.evaluate(
    () =>
      new Promise<number>((done) => {
        const opened = indexedDB.open("flagfall-hall");
        opened.onsuccess = () => {
          if (!opened.result.objectStoreNames.contains("halls")) {
            done(-1);
            return;
          }
          const read = opened.result.transaction("halls").objectStore("halls").get("last") as IDBRequest<{ boards: unknown[] } | undefined>;
          read.onsuccess = () => {
            opened.result.close();
            done(read.result?.boards.length ?? -1);
          };
        };
      }),
  );

test("the worker caches every file of the build, and no answer of the hub", async () => {
  await buildCached(page);
  const names = readdirSync(built, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile() && one.name !== "worker.js" && !one.name.endsWith(".br"))
    .map((one) => `/${join(one.parentPath, one.name).slice(built.length).replace(/^\//, "")}`);
  expect(names.length).toBeGreaterThan(20);
  expect((await cached(page)).sort()).toEqual(names.sort());
  // The page requests all of these while the worker is active.
  const requested = ["/session", "/flagfall.api.v1.Arbiter/Watch", "/authority", "/session/challenge"];
  await page.evaluate((paths) => Promise.all(paths.map((path) => fetch(path).catch(() => undefined))), requested);
  expect((await cached(page)).filter((path) => requested.includes(path))).toEqual([]);
});

test("a page that loads while the worker starts gets its files from it too", async () => {
  const browser = await page.context().newCDPSession(page);
  const loaded = page.waitForEvent("load");
  // A page that is loaded with this option has no worker at first, like a page that the worker could not claim on activation.
  await browser.send("Page.reload", { ignoreCache: true });
  await loaded;
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await page.locator('.tile.running[data-board="1"]').waitFor();
  await browser.detach();
});

test("without the hub the page opens with the last known hall and its age", { timeout: 120_000 }, async () => {
  await rig.ctl("pause", "2");
  await page.locator('.tile.paused[data-board="2"]').waitFor();
  await rig.stopHub();
  await page.locator(".live .offline").waitFor();
  await until("the hall is on the device", async () => (await onDevice(page)) === 3);
  await page.reload();
  await page.locator('.tile.paused[data-board="2"]').waitFor();
  expect(await page.locator(".tile").count()).toBe(3);
  expect(await page.locator(".hall[data-offline]").count()).toBe(1);
  expect(await page.locator(".bar h1").textContent()).toContain("Harbour Cup 2026");
  await page.locator(".urg.offline strong", { hasText: /^Last contact \d+ (sec|min)\. ago, \d\d:\d\d:\d\d$/ }).waitFor();
  await page.locator(".urg.offline", { hasText: /Times are estimates, 0:\d\d old/ }).waitFor();
  expect(await page.locator(".bar .end", { hasText: "Doe, Jane" }).count()).toBe(1);
});

test("every view opens without the hub, and actions are impossible", { timeout: 120_000 }, async () => {
  for (const view of ["round", "standings", "clocks", "board/1"]) {
    await page.goto(`${rig.url}#/${view}`);
    await page.locator(".live .offline", { hasText: /Offline \d:\d\d/ }).waitFor();
    expect(await page.locator(".empty[role=alert]").count(), view).toBe(0);
  }
  // The device stores no log, so the card must not claim to be reading one.
  await page.locator(".log .none", { hasText: "No connection to the hub" }).waitFor();
  await page.locator(".acts .btn", { hasText: "Pause" }).first().click({ force: true });
  await page.locator(".btn .why", { hasText: /offline|hub/i }).waitFor();
});

test("an age counts from the last contact, however long the page was closed", async () => {
  const context = page.context();
  const later = await context.newPage();
  await later.clock.install({ time: Date.now() + 240_000 });
  await later.goto(`${rig.url}#/hall`);
  await later.locator(".urg.offline strong", { hasText: /^Last contact [4-6] min\. ago/ }).waitFor();
  await later.close();
});

test("the hub comes back, and the hall continues", { timeout: 120_000 }, async () => {
  await rig.startHub();
  await page.goto(`${rig.url}#/hall`);
  await page.locator(".live .online").waitFor({ timeout: 60_000 });
  expect(await page.locator(".urg.offline").count()).toBe(0);
  await rig.ctl("resume", "2");
  await page.locator('.tile.running[data-board="2"]').waitFor();
});

/** Creates a different build of the app, in which the main script and one lazily loaded part have new names. Returns its folder. */
function otherBuild(): string {
  const folder = `${mkdtempSync(join(tmpdir(), "flagfall-build-"))}/`;
  cpSync(built, folder, { recursive: true });
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name));
  for (const file of files.filter((name) => name.endsWith(".br"))) rmSync(file);
  const main = /assets\/(index-[\w-]+)\.js/.exec(readFileSync(`${folder}index.html`, "utf8"))?.[1] ?? "";
  const clocks =
    readdirSync(`${folder}assets`)
      .find((name) => name.startsWith("ClocksView-") && name.endsWith(".js"))
      ?.replace(".js", "") ?? "";
  expect(main && clocks).not.toBe("");
  for (const file of files.filter((name) => /\.(js|html)$/.test(name))) {
    const text = readFileSync(file, "utf8").replaceAll(main, "index-OTHERBLD").replaceAll(clocks, "ClocksView-OTHERBLD");
    writeFileSync(file, text);
  }
  renameSync(`${folder}assets/${main}.js`, `${folder}assets/index-OTHERBLD.js`);
  renameSync(`${folder}assets/${clocks}.js`, `${folder}assets/ClocksView-OTHERBLD.js`);
  writeFileSync(`${folder}worker.js`, readFileSync(here("../../public/worker.js")));
  execFileSync(process.execPath, [here("../../dev/worker.mjs"), folder]);
  return folder;
}
const scripts = (of: Page): Promise<string> => of.evaluate(() => document.querySelector<HTMLScriptElement>('script[type="module"]')?.src ?? "");

test("a newer build waits for the next load, and an open page keeps its own parts", { timeout: 120_000 }, async () => {
  const folder = otherBuild();
  try {
    const tablet = await rig.stranger(TRUSTS);
    let serves = built;
    await serveFrom(tablet.context(), rig.url, () => serves);
    await tablet.goto(await rig.invitation("floor", "Berg, Anna"));
    await tablet.locator(".first .btn.pri").click();
    await tablet.locator(".live .online").waitFor();
    await buildCached(tablet);
    const before = await scripts(tablet);
    serves = folder;
    // Registers the worker under a new address, because the test can answer only the browser's first request for a worker.
    await tablet.evaluate(() => navigator.serviceWorker.register("./worker.js?other"));
    await tablet.getByRole("button", { name: "Sound, appearance and language" }).click();
    // The button appears once the worker has cached the whole build.
    await tablet.getByRole("button", { name: "Load the new version" }).waitFor({ timeout: 60_000 });
    await tablet.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    // The old build is still in use, although the hub no longer has its parts.
    expect(await scripts(tablet)).toBe(before);
    const part = (await cached(tablet)).find((path) => path.includes("ClocksView-") && !path.includes("OTHERBLD")) ?? "";
    expect(await tablet.evaluate(async (path) => (await fetch(path)).status, part)).toBe(200);
    await tablet.locator("nav a", { hasText: "Clocks" }).click();
    await tablet.locator(".inventory").waitFor();
    await tablet.reload();
    await tablet.locator(".live .online").waitFor();
    expect(await scripts(tablet)).toContain("OTHERBLD");
    await tablet.locator(".inventory").waitFor();
    await tablet.context().close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a missing part of an old build offers to load the new one", { timeout: 120_000 }, async () => {
  const folder = otherBuild();
  try {
    // A browser without a worker can load only the parts that the hub still serves.
    const tablet = await rig.page({ ...TRUSTS, serviceWorkers: "block" }, "floor", "Carlsen, Ben");
    await withoutParts(tablet.context());
    await tablet.reload();
    await tablet.locator(".live .online").waitFor();
    await serveFrom(tablet.context(), rig.url, folder);
    await tablet.locator("nav a", { hasText: "Clocks" }).click();
    await tablet.getByRole("button", { name: "Load the new version" }).click();
    await tablet.locator(".inventory").waitFor();
    expect(await scripts(tablet)).toContain("OTHERBLD");
    await tablet.context().close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

async function withoutParts(context: BrowserContext): Promise<void> {
  if (process.env["COMPANION_DIST"]) await serveFrom(context, rig.url, built);
  await context.route(/ClocksView-/, (route) => route.abort());
}

// With COMPANION_DIST the page comes from a folder, so the browser does not check the hub's certificate when it loads the worker.
test.skipIf(process.env["COMPANION_DIST"])(
  "a browser that does not trust the hub's certificate works as long as it is open, and says what is missing",
  async () => {
    const untrusting = await launch([]);
    try {
      const tablet = await rig.stranger(TRUSTS, untrusting);
      await tablet.goto(await rig.invitation("floor", "Doyle, Dan"));
      await tablet.locator(".first .btn.pri").click();
      await tablet.locator(".live .online").waitFor();
      await tablet.getByRole("button", { name: "Sound, appearance and language" }).click();
      await tablet.getByText("this browser does not trust the hub’s certificate").waitFor();
      expect(await tablet.locator('dialog a[href="/authority"]').count()).toBe(1);
    } finally {
      await untrusting.close();
    }
  },
);

test("a revoked device shows by whom, when and why, and stores nothing of the hall", { timeout: 120_000 }, async () => {
  const tablet = await rig.page(TRUSTS, "floor", "Eriksen, Eva");
  await until("the hall is on the device", async () => {
    await tablet.evaluate(() => {
      Object.defineProperty(document, "hidden", { get: () => true, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    });
    return (await onDevice(tablet)) === 3;
  });
  await page.goto(`${rig.url}#/clocks`);
  await page.getByRole("button", { name: "Arbiters…" }).click();
  const device = page.locator("dialog .device", { hasText: "Eriksen, Eva" });
  await device.getByRole("button", { name: "Revoke access…" }).click();
  await device.getByLabel("Reason").fill("left in the café");
  await device.getByRole("button", { name: "Revoke", exact: true }).click();
  const why = tablet.locator(".first .slip.refused", { hasText: /Doe, Jane.* revoked this device’s access \(\d\d:\d\d:\d\d\)\. Reason: .*left in the café/ });
  await why.waitFor();
  await until("nothing is left on the device", async () => (await onDevice(tablet)) === -1);
  // The device has deleted its key, but still knows the reason.
  await tablet.reload();
  await why.waitFor();
  expect(await tablet.locator(".tile").count()).toBe(0);
  await tablet.goto("about:blank");
  await tablet.goto(await rig.invitation("floor", "Eriksen, Eva"));
  await tablet.locator(".first .btn.pri").click();
  await tablet.locator(".bar .end", { hasText: "Eriksen, Eva" }).waitFor();
  expect(await tablet.evaluate(() => localStorage.getItem("flagfall.revoked"))).toBeNull();
  await tablet.context().close();
});

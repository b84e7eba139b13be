// Installation of the page: the manifest, the icons, the worker and the browsers' conditions. Also the question about sound after enrolment, and the
// setting that keeps the screen on.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Rig, until } from "./rig.js";

let rig: Rig;
beforeAll(async () => {
  rig = await Rig.start({ boards: { "1": "60m" } });
});
afterAll(() => rig.stop());

interface Manifest {
  id: string;
  name: string;
  start_url: string;
  scope: string;
  display: string;
  icons: { src: string; sizes: string; type: string; purpose: string }[];
}
/** The number of requests for persistent storage, and the number of screen locks held now. Functions that replace the browser's count both. */
interface CallCounts {
  persisted: number;
  locks: number;
}
function count(): void {
  const counts: CallCounts = { persisted: 0, locks: 0 };
  Object.assign(globalThis, { counts });
  const kept = Number(sessionStorage.getItem("persisted") ?? 0);
  counts.persisted = kept;
  navigator.storage.persist = () => {
    counts.persisted += 1;
    // The page reloads as soon as it has asked, so the count must survive the reload.
    sessionStorage.setItem("persisted", String(counts.persisted));
    return Promise.resolve(true);
  };
  const request = (): Promise<unknown> => {
    counts.locks += 1;
    const lock = { released: false, release: () => ((lock.released = true), (counts.locks -= 1), Promise.resolve()) };
    return Promise.resolve(lock);
  };
  Object.defineProperty(navigator, "wakeLock", { value: { request } });
}
const counts = (page: Page): Promise<CallCounts> => page.evaluate(() => (globalThis as unknown as { counts: CallCounts }).counts);

test("the hub serves manifest, icons and worker with the right types and headers", async () => {
  const page = await rig.stranger();
  const answer = await page.request.get(`${rig.url}app.webmanifest`, { ignoreHTTPSErrors: true });
  expect([answer.status(), answer.headers()["content-type"]]).toEqual([200, "application/manifest+json"]);
  const manifest = (await answer.json()) as Manifest;
  expect([manifest.name, manifest.display, manifest.start_url, manifest.scope, manifest.id]).toEqual(["Flagfall", "standalone", "./", "./", "./"]);
  const purposes = manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`);
  for (const wanted of ["192x192 any", "512x512 any", "192x192 maskable", "512x512 maskable"]) expect(purposes).toContain(wanted);
  for (const { src, sizes, type } of [...manifest.icons, { src: "apple-touch-icon.png", sizes: "180x180", type: "image/png" }]) {
    const icon = await page.request.get(new URL(src, rig.url).href, { ignoreHTTPSErrors: true });
    expect([icon.status(), icon.headers()["content-type"]], src).toEqual([200, type]);
    const bytes = await icon.body();
    // A PNG's header contains the width and the height at these two offsets.
    if (type === "image/png") expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`, src).toBe(sizes);
  }
  const worker = await page.request.get(`${rig.url}worker.js`, { ignoreHTTPSErrors: true });
  const headers = worker.headers();
  expect([worker.status(), headers["content-type"], headers["cache-control"]]).toEqual([200, "text/javascript; charset=utf-8", "no-cache"]);
  expect(headers["content-security-policy"]).toContain("worker-src 'self'");
  // The worker is at the root, so that its scope covers the whole page without a header.
  expect(headers["service-worker-allowed"]).toBeUndefined();
  await page.context().close();
});

test("Chromium finds no obstacle to installation", async () => {
  const page = await rig.page({ serviceWorkers: "allow" });
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const browser = await page.context().newCDPSession(page);
  const { errors, url } = (await browser.send("Page.getAppManifest")) as { errors: unknown[]; url: string };
  expect([errors, url]).toEqual([[], `${rig.url}app.webmanifest`]);
  const { installabilityErrors } = await browser.send("Page.getInstallabilityErrors");
  // The tests' contexts count as private windows, in which browsers do not install pages.
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito")).toEqual([]);
  await page.context().close();
});

test("the browser's offer to install is in the settings", async () => {
  const page = await rig.page();
  const settings = page.getByRole("button", { name: "Sound, appearance and language" });
  await settings.click();
  await page.getByText("Keep screen on").waitFor();
  expect(await page.getByRole("button", { name: "Install on this device…" }).count()).toBe(0);
  const prevented = await page.evaluate(() => {
    const offer = Object.assign(new Event("beforeinstallprompt", { cancelable: true }), {
      prompt: () => ((document.title = "asked"), Promise.resolve({ outcome: "accepted" })),
    });
    return !globalThis.dispatchEvent(offer);
  });
  expect(prevented).toBe(true);
  await page.getByRole("button", { name: "Install on this device…" }).click();
  await page.getByText("Installed", { exact: true }).waitFor();
  expect(await page.title()).toBe("asked");
  await page.context().close();
});

test("Safari on a tablet gets instructions for its share sheet", async () => {
  const page = await rig.stranger();
  await page.addInitScript(() => Object.defineProperty(navigator, "standalone", { value: false }));
  await page.goto(await rig.invitation());
  await page.locator(".first .btn.pri").click();
  await page.waitForSelector(".tile");
  await page.getByRole("button", { name: "Sound, appearance and language" }).click();
  await page.getByText("Add to Home Screen").waitFor();
  await page.context().close();
});

test("a device is asked once about sound, and its storage is made persistent", async () => {
  for (const [word, sound] of [
    ["On", true],
    ["Off", false],
  ] as const) {
    const page = await rig.stranger({}, undefined, false);
    await page.addInitScript(count);
    await page.goto(await rig.invitation("floor", "Berg, Anna"));
    await page.locator(".first .btn.pri").click();
    await page.getByRole("heading", { name: "Sound when a flag falls?" }).waitFor();
    expect((await counts(page)).persisted).toBe(1);
    await page.getByRole("button", { name: word, exact: true }).click();
    await page.waitForSelector(".tile");
    expect(await page.evaluate(() => (JSON.parse(localStorage.getItem("flagfall.settings") ?? "{}") as { sound?: boolean }).sound)).toBe(sound);
    await page.goto("about:blank");
    await page.goto(await rig.invitation("floor", "Berg, Anna"));
    await page.locator(".first .btn.pri").click();
    await page.waitForSelector(".tile");
    expect(await page.getByText("Sound when a flag falls?").count()).toBe(0);
    await page.context().close();
  }
});

test("the screen stays on while the hall is shown, unless that is turned off", async () => {
  const page = await rig.stranger();
  await page.addInitScript(count);
  await page.goto(rig.url);
  await page.locator(".first textarea").waitFor();
  expect((await counts(page)).locks).toBe(0);
  await page.goto("about:blank");
  await page.goto(await rig.invitation());
  await page.locator(".first .btn.pri").click();
  await page.waitForSelector(".tile");
  await until("the screen is kept on", async () => (await counts(page)).locks === 1);
  await page.getByRole("button", { name: "Sound, appearance and language" }).click();
  const choice = page.getByRole("group", { name: "Keep screen on" });
  await choice.getByRole("button", { name: "Off" }).click();
  await until("the screen may go dark", async () => (await counts(page)).locks === 0);
  await page.reload();
  await page.waitForSelector(".tile");
  await page.getByRole("button", { name: "Sound, appearance and language" }).click();
  expect(await choice.getByRole("button", { name: "Off" }).getAttribute("aria-pressed")).toBe("true");
  expect((await counts(page)).locks).toBe(0);
  await choice.getByRole("button", { name: "On" }).click();
  await until("the screen is kept on again", async () => (await counts(page)).locks === 1);
  await page.context().close();
});

// The first minutes of a new device: a code scanned by camera, a browser that does not trust the hub, and the authority's certificate.

import { X509Certificate } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "node:tls";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launch } from "../browser.mjs";
import { filmOf } from "./film.js";
import { inWebKit, Rig } from "./rig.js";

let rig: Rig;
beforeAll(async () => {
  rig = await Rig.start({ boards: { "1": "60m" } });
});
afterAll(() => rig.stop());

// Only Chromium has a fake camera.
test.skipIf(inWebKit)("a code is scanned with the camera, which is let go, and enrols the device", async () => {
  const address = await rig.invitation("floor", "Berg, Anna");
  const film = join(rig.dir, "code.y4m");
  writeFileSync(film, filmOf(address));
  const page = await rig.stranger({ permissions: ["camera"] }, await rig.browserThatSees(film));
  await page.goto(rig.url);
  await page.getByRole("button", { name: "Scan the code" }).click();
  await page.locator(".first", { hasText: `Hub localhost:${new URL(rig.url).port}` }).waitFor();
  expect(await page.locator(".first textarea").inputValue()).toBe(address);
  await page.locator(".first video").waitFor({ state: "detached" });
  await page.locator(".first .btn.pri").click();
  await page.locator(".bar .end", { hasText: "Berg, Anna" }).waitFor();
});

test("a link with a code is one button with the arbiter's name", async () => {
  const page = await rig.stranger({ viewport: { width: 390, height: 844 } });
  const link = await rig.invitation("floor", "Berg, Anna");
  await page.goto(link);
  const use = page.getByRole("button", { name: "Use this device as Berg, Anna" });
  await use.waitFor();
  await page.locator(".first", { hasText: `Hub localhost:${new URL(rig.url).port}` }).waitFor();
  await page.locator(".first", { hasText: "Your role: floor arbiter" }).waitFor();
  const shown = page.locator(".first :is(button, a, input, textarea):visible");
  expect(await shown.allTextContents()).toEqual(["Use this device as Berg, Anna"]);
  await page.getByText("Other ways to enrol").click();
  await page.locator(".first textarea").waitFor();
  await use.click();
  await page.waitForSelector(".tile");
  // The code is used up. The screen says so, and accepts a new code.
  const late = await rig.stranger();
  await late.goto(link);
  await late.locator(".first .bad", { hasText: "code" }).waitFor();
  await late.locator(".first textarea").waitFor();
  await page.context().close();
  await late.context().close();
});

test("without a camera the code can be pasted", async () => {
  const page = await rig.stranger({ permissions: [] });
  await page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("Permission denied", "NotAllowedError"));
  });
  await page.goto(rig.url);
  await page.getByRole("button", { name: "Scan the code" }).click();
  await page.locator(".first .bad", { hasText: inWebKit ? "The camera cannot be used:" : "The camera cannot be used: Permission denied" }).waitFor();
  await page.locator(".first textarea").fill(await rig.invitation("viewer", "Watch, Wim"));
  await page.locator(".first .btn.pri").click();
  await page.locator(".bar .end", { hasText: "Watch, Wim" }).waitFor();
  await page.context().close();
});

// Requires a second browser and a download, which WebKitGTK's inspector does not support.
test.skipIf(inWebKit)("a browser without the hub's authority warns; the page says what is missing, and with the file the hub is trusted", async () => {
  const untrusting = await launch([]);
  try {
    const warned = await untrusting.newPage();
    await expect(warned.goto(rig.url)).rejects.toThrow("ERR_CERT_AUTHORITY_INVALID");
    // After accepting the browser's warning, the user can continue on the first screen.
    const page = await rig.stranger({ ignoreHTTPSErrors: true }, untrusting);
    await page.goto(await rig.invitation());
    await page.getByText("Other ways to enrol").click();
    await page.locator(".first a", { hasText: "What this is and how to install it" }).click();
    await page.getByRole("heading", { name: "Trust this hub" }).waitFor();
    const shown = await page.locator(".print").textContent();
    expect(shown).toBe(await rig.browserAuthority());
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "authority.crt" }).click()]);
    const file = await download.createReadStream();
    const certificate = Buffer.concat((await file.toArray()) as Buffer[]);
    const authority = new X509Certificate(certificate);
    expect(authority.fingerprint256).toBe(shown);
    expect(await trusted(authority.toString())).toBe(true);
  } finally {
    await untrusting.close();
  }
});

/** Returns true if a device that has installed this authority trusts the hub by its name. */
async function trusted(ca: string): Promise<boolean> {
  const { port } = new URL(rig.url);
  return new Promise((done, failed) => {
    const line = connect({ host: "127.0.0.1", port: Number(port), servername: "localhost", ca, rejectUnauthorized: false }, () => {
      done(line.authorized);
      line.end();
    });
    line.on("error", failed);
  });
}

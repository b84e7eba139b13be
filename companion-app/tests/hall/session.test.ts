// Signing in: a code by link and by paste, refused codes, and commands in the arbiter's name. Also a restarted hub, a revoked device, and two
// arbiters who see each other's actions.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Rig, until } from "./rig.js";

/** A restarted hub has a new key. Real devices trust any key that the hub's authority certifies; the test browser trusts only the first key. */
const TRUSTS = { ignoreHTTPSErrors: true };
let rig: Rig;
let page: Page;
beforeAll(async () => {
  rig = await Rig.start({ boards: { "1": "60m", "2": "60m", "3": "60m" }, apart: ["3"] });
  page = await rig.stranger(TRUSTS);
});
afterAll(() => rig.stop());

test("a stranger is asked for a code; a wrong and a used one are refused", async () => {
  await page.goto(rig.url);
  await page.locator(".first textarea").fill("hello");
  await page.locator(".first .bad", { hasText: "This is not an enrolment code" }).waitFor();
  await page.locator(".first textarea").fill(`${rig.url}#${"a".repeat(32)}.${"b".repeat(32)}`);
  await page.locator(".first .btn.pri").click();
  await page.locator('.first .bad[role="alert"]').waitFor();
  expect(await page.locator('.first a[href="/authority"]').count()).toBe(1);
});

test("a link's code stays out of the history; the device is named and the key cannot be exported", async () => {
  await page.goto("about:blank");
  await page.goto(await rig.invitation("chief", "Doe, Jane"));
  await page.getByRole("button", { name: "Use this device as Doe, Jane" }).waitFor();
  expect(page.url()).not.toContain(".");
  await page.getByText("Other ways to enrol").click();
  await page.locator(".first .opts input").fill("Tablet 2");
  await page.locator(".first .btn.pri").click();
  await page.locator(".bar .end", { hasText: "Doe, Jane" }).waitFor();
  const extractable = await page.evaluate(
    () =>
      new Promise((done) => {
        const opening = indexedDB.open("flagfall", 1);
        opening.onsuccess = () => {
          const key = opening.result.transaction("keys").objectStore("keys").get("device") as IDBRequest<CryptoKeyPair>;
          key.onsuccess = () => done(key.result.privateKey.extractable);
        };
      }),
  );
  expect(extractable).toBe(false);
});

test("commands carry the enrolled name", async () => {
  await rig.ctl("start", "1-3");
  await page.goto(`${rig.url}#/board/1`);
  await page.locator(".acts .btn", { hasText: "Pause" }).first().click();
  await until("board 1 is paused", async () => (await rig.board("1")).state === "paused");
  await page.locator(".log li", { hasText: "Doe, Jane" }).first().waitFor();
});

test("a restarted hub knows the device without a new code", async () => {
  await rig.stopHub();
  await page.locator(".live .offline").waitFor();
  await rig.startHub();
  await page.locator(".live .online").waitFor();
  await page.locator(".acts .btn", { hasText: "Resume" }).click();
  await until("board 1 runs", async () => (await rig.board("1")).state === "running");
});

test("one arbiter is on the way, and the other sees it", async () => {
  const floor = await rig.page(TRUSTS, "floor", "Berg, Anna");
  await rig.ctl("pause", "2");
  // Stops only one clock: three silent ones would share a card, which has no “On my way”.
  await rig.stopSwarm("apart");
  await page.goto(`${rig.url}#/hall`);
  await floor.locator(".now .urg.silent").first().getByRole("button", { name: "On my way" }).click({ timeout: 60_000 });
  await page.locator(".now .urg .going", { hasText: "Berg, Anna is on the way" }).waitFor();
  rig.startSwarm("apart");
  await page.locator(".now .urg .going").waitFor({ state: "detached", timeout: 60_000 });
  await floor.context().close();
});

test("the chief enrols a colleague from the app and revokes the device", async () => {
  await page.goto(`${rig.url}#/clocks`);
  await page.getByRole("button", { name: "Arbiters…" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Carlsen, Cora");
  await page.getByRole("button", { name: "Make a code" }).click();
  await page.locator("dialog svg.qr").waitFor();
  const address = (await page.locator("dialog .code").textContent()) ?? "";
  const colleague = await rig.stranger(TRUSTS);
  await colleague.goto(`${rig.url}#${address.split("#")[1] ?? ""}`);
  await colleague.locator(".first .btn.pri").click();
  await colleague.locator(".bar .end", { hasText: "Carlsen, Cora" }).waitFor();
  await page.getByRole("button", { name: "Enrol a device…" }).click();
  const device = page.locator("dialog .device", { hasText: "Carlsen, Cora" });
  await device.getByRole("button", { name: "Revoke access…" }).click();
  await device.getByRole("button", { name: "Revoke", exact: true }).click();
  await colleague.locator(".first textarea").waitFor();
  await colleague.context().close();
});

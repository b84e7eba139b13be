// The broadcast as the chief arbiter sets it up in the app (a delay, a folder, Lichess), and what spectators then receive.

import { join } from "node:path";
import type { Page, Route } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Rig, until } from "./rig.js";

let rig: Rig;
let page: Page;

beforeAll(async () => {
  rig = await Rig.start({ boards: { "1": "60m", "2": "60m" } });
  page = await rig.stranger();
  await page.goto(await rig.invitation("chief", "Doe, Jane"));
  await page.locator(".first .btn.pri").click();
  await page.waitForSelector(".tile");
});
afterAll(async () => {
  await page.goto("about:blank");
  await rig.stop();
});

const button = (name: string) => page.getByRole("button", { name, exact: true });

/** Opens the sheet with a hub that answers late: the stored settings must not overwrite what was typed before they arrived. */
async function open(): Promise<void> {
  let answer = (): void => undefined;
  const requested = new Promise<void>((resolve) => (answer = resolve));
  const held = async (route: Route) => {
    await requested;
    await route.continue();
  };
  await page.route(/\/GetBroadcast$/, held, { times: 1 });
  await button("Hall").click();
  await button("Broadcast…").click();
  const delay = page.getByLabel("Delay in minutes");
  await delay.waitFor();
  expect(await delay.isDisabled()).toBe(true);
  answer();
  await expect.poll(() => delay.isEnabled()).toBe(true);
}

test("a delay and a folder are set, kept and shown with their state", async () => {
  await open();
  const games = join(rig.dir, "games");
  await page.getByLabel("Delay in minutes").fill("0.1");
  await page.getByLabel("Boards with a different delay (in minutes)").fill("2=0.2");
  await page.getByLabel("Folder for the games (PGN) on the hub’s machine").fill(games);
  await button("Save").click();
  await page.getByText("Saved.").waitFor();
  await page.getByText("Games sent: 0").waitFor();
  expect(await rig.broadcast()).toMatchObject({ delay_s: 6, boards: { "2": 12 }, folder: { path: games } });
  await button("Close").click();
  // Spectators see nothing until the hub has computed the delayed hall.
  await until("the delayed hall is shown", async () => {
    const answer = await fetch(`${rig.publicUrl}live/boards.json`);
    return answer.ok && ((await answer.json()) as { boards: unknown[] }).boards.length === 2;
  });
});

test("what cannot be read is named, and nothing is lost", async () => {
  await open();
  await page.getByLabel("Boards with a different delay (in minutes)").fill("2=0.2, seven");
  await button("Save").click();
  await page.getByText("“seven” is not valid here. Correct it and save again.").waitFor();
  expect(await page.getByLabel("Boards with a different delay (in minutes)").inputValue()).toBe("2=0.2, seven");
  await page.getByLabel("Boards with a different delay (in minutes)").fill("");
  await page.getByLabel(/^Lichess rounds/).fill("1=https://lichess.org/broadcast/x/y/AbCdEf12");
  await button("Save").click();
  await page.getByText(/needs a token/).waitFor();
  await page.getByLabel("Lichess access token", { exact: true }).fill("lip_secret");
  await button("Save").click();
  await page.getByText("Saved.").waitFor();
  expect(await page.getByLabel(/keep the stored one/).inputValue()).toBe("");
  expect(await page.content()).not.toContain("lip_secret");
  await page.getByLabel(/^Lichess rounds/).fill("");
  await page.getByLabel("Folder for the games (PGN) on the hub’s machine").fill("");
  await page.getByLabel("Delay in minutes").fill("0");
  await button("Save").click();
  await page.getByText("Saved.").waitFor();
  expect(await rig.broadcast()).toMatchObject({ delay_s: 0, folder: null, lichess: null });
  await button("Close").click();
});

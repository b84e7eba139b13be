// Takes screenshots of every view in a staged hall (stage.ts): `npm run shots`. They are saved in target/shots or the folder in SHOTS;
// ONLY=hall,board limits them to some views.

import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { complaints, everyLook, pictures } from "./shots.mjs";
import { stage, type Stage } from "./stage.js";

let staged: Stage | undefined;
beforeAll(async () => {
  staged = await stage();
}, 300_000);
afterAll(() => staged?.rig.stop());

test("pictures of every view, in every theme, at every size", { timeout: 1_200_000 }, async () => {
  if (!staged) throw new Error("nothing is staged");
  const { rig, page } = staged;
  const directory = process.env["SHOTS"] ?? fileURLToPath(new URL("../target/shots", import.meta.url));
  const only = process.env["ONLY"]?.split(",") ?? [];
  const heard = complaints(page);
  await pictures(page, rig.url, directory, only, heard);
  // The hall without its hub comes last, because the hub is stopped for it.
  const also = (name: string): boolean => only.length === 0 || only.includes(name);
  const visitor = await rig.stranger();
  const outside = complaints(visitor);
  const visits = [
    ["live", rig.publicUrl, ".game .clk"],
    ["live-board", `${rig.publicUrl}board/1`, ".clk:not([hidden])"],
    ["live-standings", `${rig.publicUrl}event/standings`, "td"],
    ["authority", `${rig.publicUrl}authority`, "h1"],
    ["invited", await rig.invitation("floor", "Keller, Maria"), ".first .use:not([aria-disabled])"],
  ] as const;
  for (const [name, address, there] of visits.filter(([name]) => also(name))) {
    outside.shown = name;
    await visitor.goto(address);
    await visitor.waitForSelector(there);
    await everyLook(visitor, name, directory);
  }
  if (also("offline")) {
    await page.goto(`${rig.url}#/hall`);
    Object.assign(heard, { shown: "offline", away: true });
    Object.assign(outside, { shown: "without its hub", away: true });
    await rig.stopHub();
    await page.waitForSelector("[data-offline] .urg.offline");
    await everyLook(page, "offline", directory);
  }
  expect([...heard.wrong, ...outside.wrong]).toEqual([]);
});

// Pictures of every view on a hall that is staged for them: forty boards of an event under way, with what needs an arbiter. One command,
// nothing need run: npm run shots. They go into target/shots, or into the folder that SHOTS names, and are for eyes.

import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { report } from "./hall/report.js";
import { Rig, until } from "./hall/rig.js";
import { pictures } from "./shots.mjs";

const BOARDS = 40;
let rig: Rig;
beforeAll(async () => {
  const boards = Array.from({ length: BOARDS }, (_, at) => String(at + 1));
  rig = await Rig.start({ boards: Object.fromEntries(boards.map((board) => [board, "90m+30s"])), apart: ["19", "22"], spares: 2, serve: ["--default-time", "30m"], event: "The evening before" });
  const page = await rig.page();
  await page.goto(`${rig.url}#/standings`);
  await page.getByRole("button", { name: "Import…" }).click();
  await page.setInputFiles('dialog input[type="file"]', { name: "cup.trf", mimeType: "text/plain", buffer: Buffer.from(report({ boards: BOARDS, control: "5400+30", name: "Harbour Cup 2026" })) });
  await page.locator("dialog footer .pri").click();
  await page.locator(".bar .ev", { hasText: "Harbour Cup 2026" }).waitFor();
  await page.context().close();
  await rig.event("set", "--sector", "A=1-12", "--sector", "B=13-26", "--sector", "C=27-40");
  await rig.event("preset", "1");
  await rig.event("start", "1");
  await until("everybody plays", async () => (await rig.boards()).every((board) => board.state !== "ready"));
  // Clocks of a game that has gone on for a while.
  for (const [at, board] of boards.slice(0, 28).entries()) {
    await rig.ctl("pause", board);
    await rig.ctl("set", board, "white", `${3 + ((at * 37) % 83)}m${1 + ((at * 7) % 59)}s`);
    await rig.ctl("set", board, "black", `${2 + ((at * 29) % 71)}m${1 + ((at * 11) % 59)}s`);
    if (board !== "4") await rig.ctl("resume", board);
  }
  for (const board of ["17", "14"]) {
    await rig.ctl("pause", board);
    for (const side of ["white", "black"]) await rig.ctl("set", board, side, "1s");
    await rig.ctl("resume", board);
  }
  for (const [board, code] of [["3", "1-0"], ["13", "1/2-1/2"], ["24", "0-1"]] as const) await rig.event("result", board, code);
  await rig.stopSwarm("apart");
  await until("two clocks are silent", async () => !(await rig.board("22")).online);
}, 240_000);
afterAll(() => rig.stop());

test("pictures of every view, in every look, at every size", { timeout: 1_200_000 }, async () => {
  const directory = process.env["SHOTS"] ?? fileURLToPath(new URL("../target/shots", import.meta.url));
  const only = process.env["ONLY"]?.split(",") ?? [];
  const page = await rig.page({ hasTouch: true });
  expect(await pictures(page, rig.url, directory, only)).toEqual([]);
});

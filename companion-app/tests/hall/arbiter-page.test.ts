// Follows docs/arbiter-first-day.md, from an empty directory to a confirmed round: each name in bold must be on the screen and is used, in order.
// If `PICTURES` names a folder, the page's pictures are saved there.

import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { keyOf, launch, serveFrom } from "../browser.mjs";
import { ended, freePort, program, until } from "./rig.js";

const PAGE = fileURLToPath(new URL("../../../docs/arbiter-first-day.md", import.meta.url));
const PLAYERS = ["Ames, Ann", "Bell, Bob", "Cole, Cid", "Dunn, Dee"];
const CLOCKS = 2;
/** The input for each field named in the document. */
const FIELDS: Readonly<Record<string, string>> = { Name: "Club Championship", Rounds: "3", "Number of boards": String(CLOCKS) };

const dir = mkdtempSync(join(tmpdir(), "flagfall-page-"));
const data = join(dir, "hub");
const clocks: ChildProcess[] = [];
let hub: ChildProcess;
let browser: Browser;
let page: Page;
let listen = 0;
let said = "";

beforeAll(async () => {
  listen = await freePort();
  const serve = [
    program("flagfall", "FLAGFALL_BIN"),
    "serve",
    "--data-dir",
    data,
    "--listen",
    `127.0.0.1:${listen}`,
    "--http",
    "127.0.0.1:0",
    "--metrics",
    "off",
    "--mdns",
    "false",
    "--public-name",
    "localhost",
  ];
  // `script` gives the hub a terminal.
  hub = spawn("script", ["-qfec", serve.join(" "), "/dev/null"], { cwd: dir, stdio: ["ignore", "pipe", "ignore"] });
  hub.stdout?.on("data", (text: Buffer) => (said += text.toString()));
  await until("the terminal shows a code", () => Promise.resolve(/https:\/\/\S+\/#\S+/.test(said)), 60_000);
  browser = await launch([await keyOf("127.0.0.1", listen)]);
  const context = await browser.newContext({ viewport: { width: 1024, height: 768 }, locale: "en-GB", serviceWorkers: "block" });
  context.setDefaultTimeout(20_000);
  const dist = process.env["COMPANION_DIST"];
  if (dist) await serveFrom(context, `https://127.0.0.1:${listen}/`, dist);
  page = await context.newPage();
  await page.goto(/https:\/\/\S+\/#\S+/.exec(said)?.[0] ?? "");
});
afterAll(async () => {
  await browser.close();
  for (const one of clocks) await ended(one);
  process.kill(Number(readFileSync(join(data, "lock"), "utf8")), "SIGTERM");
  await new Promise((done) => (hub.exitCode === null ? hub.once("exit", done) : done(null)));
  rmSync(dir, { recursive: true, force: true });
});

interface Step {
  kind: "name" | "picture" | "clocks";
  text: string;
}

/** Returns the document's steps in order: names in bold, pictures, and the places where clocks get their code. */
function steps(): Step[] {
  const [, told = ""] = readFileSync(PAGE, "utf8").split("## Let the iPad in");
  const [walked = ""] = told.split("## Afterwards");
  const found = walked.matchAll(/^\d\. For each of the four players.*$|\*\*(?<name>[^*]+)\*\*|\]\((?<picture>[\w-]+\.png)\)|(?<clocks>FLAGFALL_AGENT_CODE)/gm);
  return [...found].flatMap((one): Step[] => {
    const { name, picture, clocks: given } = one.groups ?? {};
    if (name !== undefined) return [{ kind: "name", text: name }];
    if (picture !== undefined) return [{ kind: "picture", text: picture }];
    if (given !== undefined) return [{ kind: "clocks", text: "" }];
    const names = [...one[0].matchAll(/\*\*([^*]+)\*\*/g)].map(([, text = ""]) => ({ kind: "name" as const, text }));
    return PLAYERS.flatMap(() => names);
  });
}

/** Returns the control with this name. A board is represented by its tile in the hall. */
function control(name: string): Locator {
  const board = /^Board (\d+)$/.exec(name)?.[1];
  if (board !== undefined) return page.locator(`.tile[data-board="${board}"]`);
  const sheet = page.locator("dialog[open]");
  // A result button also contains the meaning of the result, so it cannot be found by an exact name.
  if (/^[½01]–[½01]$/.test(name)) return sheet.locator(".btn", { hasText: name });
  const roles = (["button", "link", "tab"] as const).map((role) => ({
    inSheet: sheet.getByRole(role, { name, exact: true }),
    onPage: page.getByRole(role, { name, exact: true }),
  }));
  const [first, ...more] = roles.flatMap(({ inSheet, onPage }) => [inSheet, onPage]);
  if (!first) throw new Error("no roles");
  return more.reduce((all, one) => all.or(one), first).filter({ visible: true });
}

async function giveCode(): Promise<void> {
  const code = (await page.locator(".many-code .code").textContent()) ?? "";
  expect(code).toMatch(/^flagfall:\/\//);
  for (let n = 1; n <= CLOCKS; n += 1) {
    const args = ["run", "--state", join(dir, `clock-${n}`), "--hub", `127.0.0.1:${listen}`, "--buttons", "none", "--face", "none", "--log", "error"];
    clocks.push(spawn(program("clock-agent", "CLOCK_AGENT_BIN"), args, { stdio: "ignore", env: { ...process.env, FLAGFALL_AGENT_CODE: code } }));
    await page
      .locator(".came li")
      .nth(n - 1)
      .waitFor();
  }
}

test("the page leads from an empty directory to a confirmed round", { timeout: 180_000 }, async () => {
  const names = [...PLAYERS];
  const told = steps();
  for (const [at, { kind, text }] of told.entries()) {
    const next = told[at + 1];
    if (kind === "clocks") await giveCode();
    else if (kind === "picture") {
      if (next?.kind === "name") await control(next.text).first().waitFor();
      await picture(text);
    } else if (text === "Name (Last, First)") await page.getByLabel(text, { exact: true }).fill(names.shift() ?? "");
    else if (text === "Close")
      await page
        .locator("dialog[open]")
        .getByText(`Player ${PLAYERS.length} added: ${PLAYERS.at(-1) ?? ""}`)
        .waitFor()
        .then(() => control(text).first().click());
    else if (text in FIELDS)
      await page
        .locator("dialog[open]")
        .getByLabel(text, { exact: true })
        .fill(FIELDS[text] ?? "");
    else {
      const [one] = [control(text).first()];
      await one.waitFor().catch(() => {
        throw new Error(`the page says “${text}”, and the screen has no such thing to tap`);
      });
      await until(`“${text}” can be tapped`, async () => (await one.getAttribute("aria-disabled")) !== "true");
      await one.click();
    }
  }
  expect(names).toEqual([]);
  await page.getByRole("button", { name: "Pair round 2…", exact: true }).waitFor();
  const { rounds } = JSON.parse(await standings()) as { rounds: number };
  expect(rounds).toBe(3);
});

async function picture(name: string): Promise<void> {
  const folder = process.env["PICTURES"];
  if (!folder) return;
  await page.evaluate(() => Promise.all(document.getAnimations().map((one) => one.finished.catch(() => undefined))));
  await page.screenshot({ path: join(folder, name), animations: "disabled" });
}

async function standings(): Promise<string> {
  const port = /http:\/\/[^\s/]*:(\d+)/.exec(said)?.[1] ?? "";
  const reply = await fetch(`http://127.0.0.1:${port}/live/event/standings.json`);
  return reply.text();
}

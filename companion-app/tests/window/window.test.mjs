// The app in a real window, with a real hub and clock. Tests the allowed commands, links, enrolment, a correction, and restarts of both.
//
// `tests/run --step window` provides a display, a session bus and the programs.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Window, until } from "./driver.mjs";
import { Hall } from "./hall.mjs";
import { picture } from "./picture.mjs";

const target = process.env.CARGO_TARGET_DIR ?? fileURLToPath(new URL("../../../target", import.meta.url));

/** Returns the first of these paths that exists, unless an environment variable gives one. */
function program(variable, ...places) {
  const found = process.env[variable] ?? places.find((path) => existsSync(path));
  if (!found) throw new Error(`${places[0]} is not there: build it, or set ${variable}`);
  return found;
}

const app = program("COMPANION_BIN", join(target, "shell/debug/flagfall-companion"));
const hall = new Hall({
  flagfall: program("FLAGFALL_BIN", join(target, "debug/flagfall"), join(target, "release/flagfall")),
  agent: program("CLOCK_AGENT_BIN", join(target, "debug/clock-agent"), join(target, "release/clock-agent")),
});
/** The user's home folder, empty at first. */
const home = mkdtempSync(join(tmpdir(), "flagfall-window-home-"));
const kept = join(home, "data", "org.flagfall.companion");
const env = {
  ...process.env,
  HOME: home,
  XDG_DATA_HOME: join(home, "data"),
  XDG_CONFIG_HOME: join(home, "config"),
  XDG_CACHE_HOME: join(home, "cache"),
  LANG: "C.UTF-8",
  // The test machine has no graphics card and no screen reader.
  WEBKIT_DISABLE_COMPOSITING_MODE: "1",
  NO_AT_BRIDGE: "1",
};
let window;

before(async () => {
  await hall.start("1", "90m+30s");
  window = await Window.driver({
    webkitDriver: program("WEBKIT_DRIVER", "/usr/bin/WebKitWebDriver"),
    env,
  });
  await window.open(app);
});
after(async () => {
  await window?.stop();
  await hall.stop();
  rmSync(home, { recursive: true, force: true });
});

const button = (text) => `//button[contains(normalize-space(.), "${text}")]`;

test("the page can use only the allowed commands", async () => {
  await window.find("//main[contains(@class, 'first')]");
  const said = await window.run(`
    const refused = (command, args) => window.__TAURI_INTERNALS__.invoke(command, args).then(() => "allowed", (why) => String(why));
    return {
      commands: await Promise.all(["plugin:app|version", "plugin:window|close", "plugin:event|emit", "plugin:path|resolve_directory"].map((command) => refused(command, {}))),
      own: await Promise.all([
        refused("hub_session", { path: "/metrics", body: null, code: null }),
        refused("hub_enrol", { code: "", name: "" }),
        refused("key_enrol", { device: "../device" }),
        window.__TAURI_INTERNALS__.invoke("key_sign", new TextEncoder().encode("any text"), { headers: { "flagfall-device": "d-0" } }).then(() => "allowed", (why) => String(why)),
      ]),
      elsewhere: await fetch("https://127.0.0.1:${hall.address.split(":")[1]}/").then(() => "allowed", (why) => String(why)),
      inline: await new Promise((done) => {
        document.addEventListener("securitypolicyviolation", (event) => done(event.effectiveDirective), { once: true });
        document.body.append(Object.assign(document.createElement("script"), { textContent: "window.ran = true" }));
      }),
    };`);
  for (const answer of said.commands) assert.match(answer, /not allowed/);
  for (const answer of said.own) assert.notEqual(answer, "allowed");
  assert.notEqual(said.elsewhere, "allowed");
  assert.match(said.inline, /^script-src/);
});

test("a link offers its code in the open window, and a foreign link is refused", async () => {
  await follow(await hall.arbiterCode("Berg, Anna", "viewer"));
  await window.find("//main[contains(@class, 'first')]//*[contains(@class, 'slip') and contains(@class, 'done')]");
  assert.ok(!existsSync(join(kept, "device.json")), "nothing was enrolled");
  await follow("flagfall://192.0.2.7/board/1");
  assert.match(await window.text("//*[contains(@class, 'link') and @role='alert']"), /192\.0\.2\.7.*not enrolled/s);
  await follow("flagfall://forged");
  await window.find("//*[@role='alert'][contains(., 'neither')]");
  await window.click("//*[@role='alert']//button");
});

test("a device enrols with a code, and stores its key privately", async () => {
  await window.type("//main//textarea", await hall.arbiterCode("J. Doe", "chief"));
  await window.type("//main//input", "Tablet 3");
  await window.click("//main//button[contains(@class, 'pri')]");
  // On a new device, the app asks about sound once.
  await window.click("//*[contains(@class, 'answers')]//button[1]");
  await window.find("//*[contains(@class, 'tile')][@data-board='1']");
  assert.ok(existsSync(join(kept, "device.json")), `nothing in ${kept}`);
  const { key, device } = JSON.parse(readFileSync(join(kept, "device.json"), "utf8"));
  assert.equal(key, "file", "there is no key store on this bus");
  const keys = readdirSync(join(kept, "keys"));
  assert.deepEqual(keys, [`${device}.pk8`]);
  assert.equal(statSync(join(kept, "keys", keys[0])).mode & 0o777, 0o600);
});

test("a link to a board opens it in the same window; one to another hub is refused", async () => {
  await follow(`flagfall://${hall.address}/board/1`);
  await window.find("//*[contains(@class, 'faces')]");
  await follow("flagfall://192.0.2.7/board/1");
  assert.match(await window.text("//*[contains(@class, 'link') and @role='alert']"), /192\.0\.2\.7.*127\.0\.0\.1/s);
  await window.click("//*[@role='alert']//button");
});

test("a clock is corrected in the window, and the log names the arbiter", async () => {
  await hall.ctl("start", "1");
  await until("the clock runs", async () => (await hall.board("1")).state === "running");
  await correct("10440"); // 1:04:40
  await until("the clock stands at what was set", async () => {
    const { state, white } = await hall.board("1");
    return state === "paused" && white.us === 3_880_000_000;
  });
  assert.match(await hall.ctl("log", "1"), /J\. Doe/);
});

test("a restarted hub needs no new code", async () => {
  await hall.restartHub();
  await until("the clock is back", async () => (await hall.board("1")).online);
  // The restarted hub does not know the old session, so the app opens a new one with its key.
  await correct("10500"); // 1:05:00
  await until("the clock stands at what was set", async () => (await hall.board("1")).white.us === 3_900_000_000);
});

test("the restarted app is still enrolled", async () => {
  await window.close();
  await window.open(app);
  await window.find("//*[contains(@class, 'tile')][@data-board='1']");
  await window.run("location.hash = '#/board/1'");
  await window.find("//*[contains(@class, 'faces')]");
  if (!process.env.SCREEN_DIR) return;
  // New content is on the screen within three frames.
  await window.run("for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame)");
  const path = join(target, "screenshots", "window.png");
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, picture(process.env.SCREEN_DIR));
});

/** Opens a link as the system does: starts the program a second time. The second process passes the link to the first and ends. */
async function follow(link) {
  const second = spawn(app, [link], { env, stdio: ["ignore", "inherit", "inherit"] });
  const [code] = await once(second, "exit");
  assert.equal(code, 0, "the second start hands its link over and ends");
}

/** Sets White's clock in the board's dialog. */
async function correct(digits) {
  await window.run("location.hash = '#/board/1'");
  await window.click(button("orrect"));
  await window.find("//dialog//*[contains(@class, 'chip') and contains(@class, 'paused')][contains(., 'Paused')]");
  await window.click("//dialog//section[@aria-label='White']//button[contains(@class, 'time')]");
  for (const digit of digits) await window.click(`//dialog//*[contains(@class, 'pad')]//button[normalize-space(.)='${digit}']`);
  await window.click(button("Set both clocks"));
}

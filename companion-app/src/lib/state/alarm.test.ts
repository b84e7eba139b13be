import { afterEach, expect, test, vi } from "vitest";
import { board, side } from "$lib/testing.js";
import { Alarm } from "./alarm.js";
import { seenKey } from "./states.js";
import { Settings } from "./settings.svelte.js";

interface Told {
  title: string;
  body: string;
  tap: () => void;
}

/** Creates a page, visible or hidden, in a browser that has this permission for notifications. */
function page(hidden: boolean, permission = "granted") {
  const told: Told[] = [];
  class Note {
    static permission = permission;
    onclick: () => void = () => undefined;
    constructor(title: string, { body }: { body: string }) {
      told.push({ title, body, tap: () => this.onclick() });
    }
    close(): void {
      told.splice(0);
    }
  }
  vi.stubGlobal("document", { hidden });
  vi.stubGlobal("Notification", Note);
  vi.stubGlobal("focus", () => undefined);
  const opened: string[] = [];
  // Without stored settings, sound is off, as on a new device.
  const settings = new Settings();
  settings.vibration = false;
  const alarm = new Alarm(settings, (name) => opened.push(name));
  return { told, opened, alarm, settings };
}
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const onlyByWorker = Object.assign(
  function () {
    throw new TypeError("Illegal constructor");
  },
  { permission: "granted" },
);
const before = board({ board: "17", white: side({ name: "Okonkwo, Ada" }), black: side({ name: "Lindqvist, Bo" }) });
const fallen = { ...before, phase: "flagged" as const, white: side({ name: "Okonkwo, Ada", flag: "fallen" as const }) };
const none: ReadonlySet<string> = new Set();

test("a flag on a hidden page is a notification that opens the board", () => {
  const { told, opened, alarm } = page(true);
  alarm.changed(fallen, before, none);
  expect(told.map(({ title, body }) => [title, body])).toEqual([["Board 17. Flag", "Okonkwo, Ada – Lindqvist, Bo"]]);
  told[0]?.tap();
  expect([opened, told]).toEqual([["#/board/17"], []]);
  alarm.quiet("17");
});

test("a visible page, a denied permission and a press notify nothing", () => {
  for (const { told, alarm } of [page(true, "denied"), page(false)]) {
    alarm.changed(fallen, before, none);
    alarm.changed({ ...before, seq: 9n }, before, none);
    expect(told).toEqual([]);
    alarm.quiet("17");
  }
});

test("a flag alerts again until it is acknowledged", () => {
  vi.useFakeTimers();
  const { alarm } = page(false);
  alarm.changed(fallen, before, none);
  expect(vi.getTimerCount()).toBe(1);
  alarm.changed({ ...fallen, answered: [{ call: "flag", actor: "Berg, Anna", going: true }] }, fallen, none);
  expect(vi.getTimerCount()).toBe(0);
});

test("a flag that fell before the load alerts again unless it was acknowledged", () => {
  vi.useFakeTimers();
  const { alarm } = page(false);
  alarm.changed(fallen, undefined, none);
  expect(vi.getTimerCount()).toBe(1);
  alarm.changed({ ...fallen, seq: 9n }, fallen, none);
  expect(vi.getTimerCount()).toBe(1);
  alarm.quiet("17");
  alarm.changed(before, undefined, none);
  alarm.changed({ ...fallen, board: "18" }, undefined, new Set([seenKey({ ...fallen, board: "18" }, { key: "flag", side: "white" })]));
  expect(vi.getTimerCount()).toBe(0);
});

test("a flag alerts again whether or not its notification was shown", async () => {
  vi.useFakeTimers();
  const complained = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const { alarm } = page(true);
  // As in Chrome on Android with an untrusted certificate: only a worker may show notifications, and there is no worker.
  vi.stubGlobal("Notification", onlyByWorker);
  vi.stubGlobal("navigator", {
    serviceWorker: { addEventListener: () => undefined, register: () => Promise.reject(new DOMException("certificate", "SecurityError")) },
  });
  for (const name of ["17", "18"]) alarm.changed({ ...fallen, board: name }, { ...before, board: name }, none);
  expect(vi.getTimerCount()).toBe(2);
  await vi.advanceTimersByTimeAsync(0);
  expect(complained).toHaveBeenCalledOnce();
  for (const name of ["17", "18"]) alarm.quiet(name);
});

test("where only a worker may notify, it does, and a tap opens the board", async () => {
  const shown: [string, NotificationOptions | undefined][] = [];
  let tapped: (event: { data: { open: string } }) => void = () => undefined;
  const worker = {
    active: {},
    showNotification: (title: string, how?: NotificationOptions) => (shown.push([title, how]), Promise.resolve()),
  };
  const register = vi.fn(() => Promise.resolve(worker));
  vi.stubGlobal("navigator", {
    serviceWorker: { register, controller: {}, addEventListener: (_: string, heard: typeof tapped) => (tapped = heard) },
  });
  const { alarm, opened } = page(true);
  vi.stubGlobal("Notification", onlyByWorker);
  // A tap also counts if an earlier page showed the notification.
  tapped({ data: { open: "#/board/9" } });
  expect(opened.splice(0)).toEqual(["#/board/9"]);
  alarm.changed(fallen, before, none);
  alarm.changed({ ...fallen, board: "18" }, { ...before, board: "18" }, none);
  await vi.waitFor(() => expect(shown.length).toBe(2));
  expect(shown[0]).toEqual(["Board 17. Flag", { body: "Okonkwo, Ada – Lindqvist, Bo", tag: "#/board/17", icon: "./mark.svg", data: { place: "#/board/17" } }]);
  expect(register).toHaveBeenCalledOnce();
  tapped({ data: { open: "#/board/17" } });
  expect(opened).toEqual(["#/board/17"]);
  for (const name of ["17", "18"]) alarm.quiet(name);
});

test("a flag stops alerting once the game has a result or this arbiter has acknowledged it", () => {
  vi.useFakeTimers();
  const since = { ...fallen, sinceUs: 7e6 };
  const key = seenKey(since, { key: "flag", side: "white", sinceUs: 7e6 });
  for (const [state, seen] of [
    [{ ...since, phase: "over" as const, result: "0-1" }, none],
    [{ ...since, seq: 9n }, new Set([key])],
  ] as const) {
    const { alarm } = page(false);
    alarm.changed(since, before, none);
    expect(vi.getTimerCount()).toBe(1);
    alarm.changed(state, since, seen);
    expect(vi.getTimerCount()).toBe(0);
  }
});

test("sound plays from the first touch if it is on", async () => {
  let resumed = 0;
  class Audio {
    state = "suspended";
    resume(): Promise<void> {
      resumed += 1;
      this.state = "running";
      return Promise.resolve();
    }
  }
  vi.stubGlobal("AudioContext", Audio);
  const { alarm, settings } = page(false);
  await alarm.touched();
  expect(resumed).toBe(0);
  settings.sound = true;
  await alarm.touched();
  await alarm.touched();
  expect(resumed).toBe(1);
});

test("no notification is shown where they are turned off", () => {
  const { told, alarm, settings } = page(true);
  settings.notices = false;
  alarm.changed(fallen, before, none);
  expect(told).toEqual([]);
  alarm.quiet("17");
});

test("clocks that lose their signal together are one alarm; those that return in time are none", () => {
  vi.useFakeTimers();
  const { told, opened, alarm } = page(true);
  const running = (name: string) => ({ ...before, board: name });
  const silent = (name: string) => ({ ...running(name), online: false });
  for (let name = 1; name <= 20; name += 1) {
    alarm.changed(silent(String(name)), running(String(name)), none);
    vi.advanceTimersByTime(100);
  }
  expect(told).toEqual([]);
  vi.advanceTimersByTime(3000);
  expect(told.map(({ title, body }) => [title, body])).toEqual([["20 clocks not responding", "Boards 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, …"]]);
  told[0]?.tap();
  expect(opened).toEqual([`#/hall/only/${Array.from({ length: 20 }, (_, at) => at + 1).join(",")}`]);
  alarm.changed(silent("7"), running("7"), none);
  alarm.changed(running("7"), silent("7"), none);
  vi.advanceTimersByTime(3000);
  expect(told).toEqual([]);
  alarm.changed(silent("8"), running("8"), none);
  vi.advanceTimersByTime(3000);
  expect(told.map(({ title }) => title)).toEqual(["Board 8. No signal"]);
});

test("clocks stopped by the players raise no alarm, a call does", () => {
  const { told, alarm } = page(true);
  const stopped = { ...before, phase: "stopped" as const, running: null };
  alarm.changed(stopped, before, none);
  expect(told).toEqual([]);
  alarm.changed({ ...stopped, arbiterCalledUs: 9e6 }, stopped, none);
  expect(told.map(({ title }) => title)).toEqual(["Board 17. Arbiter called"]);
});

import { afterEach, expect, test, vi } from "vitest";
import { board, side } from "$lib/testing.js";
import { Alarm } from "./alarm.js";
import { Settings } from "./settings.svelte.js";

interface Told {
  title: string;
  body: string;
  tap: () => void;
}

/** A page of a browser that may notify, seen or hidden. */
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
  // Nothing is kept where there is no storage: sound is off, as on every new device.
  const settings = new Settings();
  settings.vibration = false;
  const alarm = new Alarm(settings, (name) => opened.push(name));
  return { told, opened, alarm };
}
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const before = board({ board: "17", white: side({ name: "Okonkwo, Ada" }), black: side({ name: "Lindqvist, Bo" }) });
const fallen = { ...before, phase: "flagged" as const, white: side({ name: "Okonkwo, Ada", flag: "fallen" as const }) };
const none: ReadonlySet<string> = new Set();

test("a flag on a hidden page is a notification of the system, which opens the board", () => {
  const { told, opened, alarm } = page(true);
  alarm.changed(fallen, before, none);
  expect(told.map(({ title, body }) => [title, body])).toEqual([["Board 17. Flag", "Okonkwo, Ada – Lindqvist, Bo"]]);
  told[0]?.tap();
  expect([opened, told]).toEqual([["17"], []]);
  alarm.quiet("17");
});

test("a page that is seen notifies nobody, nor does one that may not, nor a press", () => {
  for (const { told, alarm } of [page(true, "denied"), page(false)]) {
    alarm.changed(fallen, before, none);
    alarm.changed({ ...before, seq: 9n }, before, none);
    expect(told).toEqual([]);
    alarm.quiet("17");
  }
});

test("a flag calls again until it was seen, and no more once somebody goes", () => {
  vi.useFakeTimers();
  const { alarm } = page(false);
  alarm.changed(fallen, before, none);
  expect(vi.getTimerCount()).toBe(1);
  alarm.changed({ ...fallen, answered: [{ call: "flag", actor: "Berg, Anna", going: true }] }, fallen, none);
  expect(vi.getTimerCount()).toBe(0);
});

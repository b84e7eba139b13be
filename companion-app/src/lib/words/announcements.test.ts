import { expect, test } from "vitest";
import { setLocale } from "$lib/words/catalogue.js";
import { board, side } from "$lib/testing.js";
import { Announcements } from "./announcements.js";

setLocale("en");
const named = (name: string) => board({ board: name, white: side({ name: `W${name}` }), black: side({ name: `B${name}` }) });
const all = (): Announcements => new Announcements(() => true);

test("flags that fall together are announced together, each once", () => {
  const told = all();
  for (const name of ["3", "7"]) told.add("flag", named(name));
  told.add("wanted", named("9"));
  expect(told.alert()).toBe("Flag. Board 3. W3 – B3. Flag. Board 7. W7 – B7. Arbiter called. Board 9. W9 – B9.");
  expect(told.alert()).toBe("");
});

test("many flags are counted, with their boards", () => {
  const told = all();
  for (let name = 1; name <= 4; name += 1) told.add("flag", named(String(name)));
  expect(told.alert()).toBe("4 flags fell. Boards 1, 2, 3, 4.");
  for (let name = 1; name <= 20; name += 1) told.add("wanted", named(String(name)));
  expect(told.alert()).toBe("20 boards need an arbiter. Boards 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, ….");
});

test("a thousand silent clocks are one message, a few are one each", () => {
  const told = all();
  for (let name = 1; name <= 1000; name += 1) told.add("silent", named(String(name)));
  expect([told.status(), told.status(), told.status()]).toEqual(["", "1000 clocks not responding.", ""]);
  for (const name of ["4", "5"]) told.add("silent", named(name));
  told.add("expected", named("6"));
  expect([told.status(), told.status(), told.status(), told.status(), told.status()]).toEqual([
    "Flag unconfirmed. Board 6. W6 – B6.",
    "",
    "No signal. Board 4. W4 – B4.",
    "No signal. Board 5. W5 – B5.",
    "",
  ]);
});

test("a call that is over before its turn is not announced", () => {
  const silent = new Set(["1", "2", "3", "4", "5"]);
  const told = new Announcements((_, name) => silent.has(name));
  for (const name of silent) told.add("silent", named(name));
  for (const name of ["1", "2", "3", "4"]) silent.delete(name);
  expect([told.status(), told.status(), told.status()]).toEqual(["", "No signal. Board 5. W5 – B5.", ""]);
});

test("clocks that lose their signal in sequence are one message after a limited wait", () => {
  const told = all();
  const said: string[] = [];
  for (let name = 1; name <= 20; name += 4) {
    for (let more = name; more < name + 4; more += 1) told.add("silent", named(String(more)));
    said.push(told.status());
  }
  said.push(told.status());
  expect(said.filter(Boolean)).toEqual(["16 clocks not responding.", "4 clocks not responding."]);
  expect(said.slice(0, 3)).toEqual(["", "", ""]);
});

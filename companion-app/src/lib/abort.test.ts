import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { within } from "./abort.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());
/** Goes on until its signal ends it. */
const forever = (signal: AbortSignal): Promise<string> =>
  new Promise((done) => {
    if (signal.aborted) done("over");
    signal.addEventListener("abort", () => done("over"));
  });

test("what takes too long is ended", async () => {
  let over = "";
  void within(1000, undefined, forever).then((said) => (over = said));
  await vi.advanceTimersByTimeAsync(999);
  expect(over).toBe("");
  await vi.advanceTimersByTimeAsync(1);
  expect(over).toBe("over");
});

test("and what the caller ends, before or after it has begun", async () => {
  const life = new AbortController();
  const said = within(1000, life.signal, forever);
  life.abort();
  expect(await said).toBe("over");
  expect(await within(1000, life.signal, forever)).toBe("over");
});

test("what is done in time leaves no timer", async () => {
  expect(await within(1000, new AbortController().signal, () => Promise.resolve("done"))).toBe("done");
  expect(vi.getTimerCount()).toBe(0);
});

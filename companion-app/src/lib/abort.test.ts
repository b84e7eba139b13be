import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { pause, unlessAborted, within } from "./abort.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());
const forever = (signal: AbortSignal): Promise<string> =>
  new Promise((done) => {
    if (signal.aborted) done("over");
    signal.addEventListener("abort", () => done("over"));
  });

test("work that takes too long is aborted", async () => {
  let over = "";
  void within(1000, undefined, forever).then((said) => (over = said));
  await vi.advanceTimersByTimeAsync(999);
  expect(over).toBe("");
  await vi.advanceTimersByTimeAsync(1);
  expect(over).toBe("over");
});

test("the caller can abort before and after the start", async () => {
  const life = new AbortController();
  const said = within(1000, life.signal, forever);
  life.abort();
  expect(await said).toBe("over");
  expect(await within(1000, life.signal, forever)).toBe("over");
});

test("work that finishes in time leaves no timer", async () => {
  expect(await within(1000, new AbortController().signal, () => Promise.resolve("done"))).toBe("done");
  expect(vi.getTimerCount()).toBe(0);
});

test("an answer is not waited for after an abort", async () => {
  const life = new AbortController();
  const never = new Promise<string>(() => undefined);
  const said = unlessAborted(life.signal, never);
  life.abort();
  await expect(said).rejects.toThrow();
  await expect(unlessAborted(life.signal, Promise.resolve("late"))).rejects.toThrow();
  expect(await unlessAborted(null, Promise.resolve("done"))).toBe("done");
  expect(await unlessAborted(new AbortController().signal, Promise.resolve("done"))).toBe("done");
});

test("a pause ends with the signal, also when the signal has aborted before", async () => {
  const life = new AbortController();
  const waiting = pause(60_000, life.signal);
  life.abort();
  await waiting;
  await pause(60_000, life.signal);
  expect(vi.getTimerCount()).toBe(0);
});

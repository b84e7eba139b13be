import { clearMocks, mockIPC } from "@tauri-apps/api/mocks";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { placeOfLink } from "$lib/place.js";
import { followLinks, type Link } from "./links.js";

beforeEach(() => {
  vi.stubGlobal("window", globalThis);
});
afterEach(() => {
  clearMocks();
  vi.unstubAllGlobals();
});

test("every link reaches the page, in order", () => {
  let channel = 0;
  mockIPC((command, args) => {
    expect(command).toBe("follow_links");
    channel = (args as { links: { id: number } }).links.id;
  });
  const opened: Link[] = [];
  followLinks((link) => opened.push(link));
  const { runCallback } = Reflect.get(globalThis, "__TAURI_INTERNALS__") as { runCallback: (id: number, message: unknown) => void };
  const links: Link[] = [{ kind: "board", board: "7" }, { kind: "not_ours" }];
  for (const [index, message] of links.entries()) runCallback(channel, { index, message });
  expect(opened).toEqual(links);
});

test("a code and a board have a place, a refused link has none", () => {
  const code = { hub: "hub.local:7464", authority: "a".repeat(32), token: "b".repeat(32) };
  expect(placeOfLink({ kind: "code", code: `flagfall://${code.hub}#${code.authority}.${code.token}` })).toEqual({ fragment: "#/start", code });
  expect(placeOfLink({ kind: "board", board: "B%C3%BChne-1" })).toEqual({ fragment: "#/board/B%C3%BChne-1", code: null });
  expect(placeOfLink({ kind: "not_ours" })).toBeNull();
  expect(placeOfLink({ kind: "code", code: "hello" })).toBeNull();
});

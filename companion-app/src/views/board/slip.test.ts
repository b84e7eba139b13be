import { expect, test } from "vitest";
import { pause } from "$lib/commands/command.js";
import type { SlipState } from "$lib/commands/ledger.svelte.js";
import { slipSays } from "./slip.js";

test("a command's state is announced, unless it is an alert of its own", () => {
  const says = (state: SlipState) => slipSays({ state, draft: { board: "7", label: "Pause", reason: "", commands: [pause()] } });
  expect([says("sending"), says("pending"), says("done"), says("withdrawn")]).toEqual(["Pause. Sending…", "Pause pending", "Pause", "Pause. Withdrawn."]);
  expect([says("refused"), says("unknown"), says("late")]).toEqual(["", "", ""]);
});

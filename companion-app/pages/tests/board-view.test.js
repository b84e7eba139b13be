import assert from "node:assert/strict";
import { test } from "vitest";
import { turnSince } from "../live/board-view.js";

test("a turn begins when the page shows the last press, even on a board that is shown later than the others", () => {
  const presses = [{ atUs: 5e6 }, { atUs: 9e6 }];
  assert.equal(turnSince({ sinceUs: 1e6 }, presses), 9e6);
  assert.equal(turnSince({ sinceUs: 31e6, laterUs: 30e6 }, presses), 39e6);
  assert.equal(turnSince({ sinceUs: 31e6, laterUs: 30e6 }, []), 31e6);
  assert.equal(turnSince({}, []), undefined);
});

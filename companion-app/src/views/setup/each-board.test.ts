import { expect, test } from "vitest";
import { create } from "@bufbuild/protobuf";
import { RefusalSchema } from "$gen/frames/refusal_pb.js";
import { addBoard } from "$lib/commands/command.js";
import { Slip, type CommandDraft } from "$lib/commands/ledger.svelte.js";
import { eachBoard } from "./each-board.js";

const draft = (board: string): CommandDraft => ({ board, label: "Add board", reason: "", commands: [addBoard("5m")] });

/** Creates a ledger whose hub refuses every command for the board `refused`. */
function ledger(refused = "") {
  const sent: string[] = [];
  const away: string[] = [];
  return {
    sent,
    away,
    send: (wanted: CommandDraft): Promise<Slip> => {
      sent.push(wanted.board);
      const slip = new Slip(sent.length, wanted, 0);
      slip.state = wanted.board === refused ? "refused" : "done";
      if (slip.state === "refused") slip.why = create(RefusalSchema, { text: "board 3 already exists" });
      return Promise.resolve(slip);
    },
    dismiss: (slip: Slip): void => void away.push(slip.draft.board),
  };
}

test("each board gets one command, and leaves no slip", async () => {
  const one = ledger();
  let done = 0;
  const boards = Array.from({ length: 20 }, (_, at) => String(at + 1));
  expect(await eachBoard(one, boards, draft, () => (done += 1))).toBe("");
  expect(one.sent).toEqual(boards);
  expect(one.away).toHaveLength(20);
  expect(done).toBe(20);
});

test("the first refused board is named with the reason, and ends the series", async () => {
  const one = ledger("3");
  const boards = Array.from({ length: 20 }, (_, at) => String(at + 1));
  const said = await eachBoard(one, boards, draft);
  expect(said).toContain("Board 3: board 3 already exists");
  expect(one.sent.length).toBeLessThan(boards.length);
});

// One command for each of many boards, a few at a time. The ledger repeats what got lost and keeps what was refused.

import type { Ledger, Wish } from "$lib/commands/ledger.svelte.js";
import { m } from "$gen/words/messages.js";

/** Commands on their way at once: a browser keeps few connections to one server. */
const AT_ONCE = 4;

/** Sends the wishes of all boards; returns the words of the first one that was not done, empty if all were. */
export async function eachBoard(ledger: Pick<Ledger, "send" | "put">, boards: readonly string[], wish: (board: string) => Wish, done: () => void = () => undefined): Promise<string> {
  const left = boards.values();
  let problem = "";
  const worker = async (): Promise<void> => {
    for (const board of left) {
      if (problem) return;
      const slip = await ledger.send(wish(board));
      if (slip.state === "done") done();
      else problem ||= m.board_not({ board, why: slip.rule || m.no_answer() });
      // The sheet says what became of it; the board's own view need not.
      ledger.put(slip);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return problem;
}

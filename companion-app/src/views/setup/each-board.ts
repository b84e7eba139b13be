// Sends one command for each of many boards, a few at a time. The ledger retries lost commands.

import type { Ledger, CommandDraft } from "$lib/commands/ledger.svelte.js";
import { m } from "$gen/words/messages.js";

/** Maximum number of commands under way, because browsers limit the connections to a server. */
const AT_ONCE = 4;

/** Sends a request for each board, until one fails. Returns the text of the first failure; empty if there was none. */
export async function eachBoard(
  ledger: Pick<Ledger, "send" | "dismiss">,
  boards: readonly string[],
  draft: (board: string) => CommandDraft,
  done: () => void = () => undefined,
): Promise<string> {
  const left = boards.values();
  let problem = "";
  const worker = async (): Promise<void> => {
    for (const board of left) {
      if (problem) return;
      const slip = await ledger.send(draft(board));
      if (slip.state === "done") done();
      else problem ||= m.board_not({ board, why: slip.rule || m.no_answer() });
      // The sheet shows the outcome, so the board need not.
      ledger.dismiss(slip);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return problem;
}

// Describes the reasons for the state of a round's clocks, and for a proposed result, in the arbiter's language. A kind that only a newer
// hub knows keeps the hub's own text.
//
// Owns the sentence of each kind. Must never judge a board.

import { m } from "$gen/words/messages.js";
import { BoardReasonKind as Kind, type BoardReason } from "$gen/api/board_reason_pb.js";
import { ProposalReason, type BoardState } from "$gen/frames/event_pb.js";
import { codeOf } from "$lib/event/results.js";
import type { BoardReport } from "$lib/event/round-work.js";
import { controlWords } from "./control.js";
import { refusalWords } from "./refusal.js";
import { resultText } from "./results.js";

type Sentence = (reason: BoardReason, board: string) => string;

/**
 * The sentence of each kind; the compiler checks that none is missing. `null` if only the hub's own text describes the kind. Empty if the
 * board's state already says the same.
 */
const SENTENCES: Record<Kind, Sentence | null> = {
  [Kind.UNSPECIFIED]: null,
  [Kind.REFUSED]: ({ refusal }) => (refusal ? refusalWords(refusal) : ""),
  [Kind.HAS_RESULT]: ({ result }) => m.stand_has_result({ result: resultText(codeOf(result) ?? "") }),
  [Kind.SIDE_EMPTY]: () => m.stand_side_empty(),
  [Kind.MATCH_FORFEITED]: ({ number: n }) => m.stand_match_forfeited({ n }),
  [Kind.CLOCK_SILENT]: () => "",
  [Kind.NOT_IN_HALL]: (_, board) => m.stand_not_in_hall({ board }),
  [Kind.CHIEF_ADDS_BOARD]: (_, board) => m.stand_chief_adds({ board }),
  [Kind.FORMER_GAME]: ({ number: round }) => m.stand_former_game({ round }),
  [Kind.OTHER_CONTROL]: ({ control }) => m.stand_other_control({ control: controlWords(control) }),
  [Kind.GAME_ENDED]: ({ result }) => (result ? m.stand_ended({ result: resultText(codeOf(result) ?? "") }) : m.stand_ended_open()),
  [Kind.IN_PLAY]: () => m.why_playing(),
  [Kind.SIDE_WITHOUT_CLOCK]: () => m.stand_side_no_clock(),
  [Kind.NO_CLOCK]: () => "",
  [Kind.BLACK_STARTS]: () => m.stand_black_starts(),
  [Kind.NOT_SET]: () => m.stand_not_set(),
};

/** Describes the reason for a board's state. Without a reason, returns the hub's own text. */
export function workWords({ board, reason, words }: Pick<BoardReport, "board" | "reason" | "words">): string {
  if (!reason) return words;
  // A kind from a newer hub is missing here, although the type says otherwise.
  const sentence = (SENTENCES as Partial<typeof SENTENCES>)[reason.kind];
  return sentence ? sentence(reason, board) : words;
}

export function proposalWords({ proposedReason, proposedWhy }: Pick<BoardState, "proposedReason" | "proposedWhy">): string {
  switch (proposedReason) {
    case ProposalReason.WHITE_FLAG_CALLED:
      return m.proposed_flag({ side: m.white() });
    case ProposalReason.BLACK_FLAG_CALLED:
      return m.proposed_flag({ side: m.black() });
    case ProposalReason.RULES:
      return m.proposed_rules();
    case ProposalReason.CLOCK:
      return m.proposed_clock();
    case ProposalReason.UNSPECIFIED:
    default:
      return proposedWhy;
  }
}

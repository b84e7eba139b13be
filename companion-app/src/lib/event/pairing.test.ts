import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { Bye, ChangeSchema, EventSchema, Outcome, RoundStateSchema, TournamentSchema, type Change } from "$gen/frames/event_pb.js";
import { Side } from "$gen/frames/side_pb.js";
import {
  accelerate,
  boardWith,
  byeOf,
  exchange,
  floatOf,
  forbid,
  forfeits,
  freeBoards,
  isBaku,
  lift,
  moveGame,
  nextRound,
  pairByHand,
  proposed,
  renumbers,
  scoresPlainly,
  swapColours,
  unpaired,
} from "./pairing.js";

/** Creates round 1 of six players: games on boards 1 and 2, a half-point bye for player 5, and neither for player 6. */
const round = (...finished: number[]) =>
  create(RoundStateSchema, {
    round: 1,
    boards: [
      [1, 1, 2],
      [2, 3, 4],
    ].map(([board = 0, white = 0, black = 0]) => ({
      pairing: { board, white, black },
      ...(finished.includes(board) ? { result: { kind: { case: "played" as const, value: { white: Outcome.WIN, black: Outcome.LOSS } } } } : {}),
    })),
    byes: [{ player: 5, bye: Bye.HALF }],
  });
const six = create(TournamentSchema, {
  event: { rounds: 2, typeCode: "" },
  players: [1, 2, 3, 4, 5, 6].map((no) => ({ no, name: `Player ${no}` })),
  rounds: [round()],
});
const player = (no: number) => {
  const found = six.players.find((one) => one.no === no);
  if (!found) throw new Error(`no player ${no}`);
  return found;
};
const seats = (changes: Change[]): string[] =>
  changes.flatMap(({ what }) =>
    what.case === "reseat" ? what.value.pairings.map(({ board, white, black }) => `${board}:${white}-${black}`) : [what.case ?? ""],
  );

test("the next round follows the last paired one, until all are paired", () => {
  expect(nextRound(six)).toBe(2);
  expect(nextRound(create(TournamentSchema, { event: { rounds: 1 }, rounds: [round()] }))).toBeNull();
  expect(nextRound(create(TournamentSchema, { event: { rounds: 1 } }))).toBe(1);
});

test("a proposal with new numbers is shown with the present numbers", () => {
  const changes = [
    create(ChangeSchema, { what: { case: "renumber", value: { order: [3, 1, 2] } } }),
    create(ChangeSchema, {
      what: { case: "pairRound", value: { round: 1, boards: [{ board: 1, white: 1, black: 3 }], byes: [{ player: 2, bye: Bye.PAIRING_ALLOCATED }] } },
    }),
  ];
  expect(proposed(changes)).toEqual([{ round: 1, games: [{ board: 1, white: 3, black: 2 }], byes: [{ player: 1, bye: Bye.PAIRING_ALLOCATED }] }]);
  expect(renumbers(changes)).toBe(true);
  expect(renumbers(changes.slice(1))).toBe(false);
});

test("a float is the difference from White's score to Black's", () => {
  const points = new Map([
    [1, 150],
    [2, 100],
  ]);
  expect(floatOf({ board: 1, white: 1, black: 2 }, points)).toBe(50);
  expect(floatOf({ board: 1, white: 3, black: 2 }, points)).toBe(-100);
});

test("a player without a game, a bye, a late arrival or a withdrawal is unpaired", () => {
  expect(unpaired(six, 1, round()).map(({ no }) => no)).toEqual([6]);
  const left = create(TournamentSchema, {
    players: [{ no: 1, leaves: 1 }, { no: 2, enters: 3 }, { no: 3, byes: [{ round: 2, bye: Bye.ZERO }] }, { no: 4 }],
  });
  expect(unpaired(left, 2, null).map(({ no }) => no)).toEqual([4]);
  expect(byeOf(player(5), 1, round())).toBe(Bye.HALF);
  expect(boardWith(round(), 4)?.pairing?.board).toBe(2);
  expect(freeBoards([1, 3], 3)).toEqual([2, 4, 5]);
});

test("colours and players change in one change, and a bye goes with the seat", () => {
  const [first] = round().boards;
  if (!first?.pairing) throw new Error("board 1 has a game");
  expect(seats(swapColours(1, first.pairing))).toEqual(["1:2-1"]);
  expect(seats(exchange(round(), 1, player(4)))).toEqual(["1:4-2", "2:3-1"]);
  const changes = exchange(round(), 1, player(5));
  expect(seats(changes)).toEqual(["1:5-2", "grantBye"]);
  expect(changes[1]?.what.value).toMatchObject({ player: 1, round: 1, bye: Bye.HALF });
  expect(seats(exchange(round(), 1, player(6)))).toEqual(["1:6-2"]);
});

test("a game moves to a free board, swaps with another, or is paired again if it is the only one", () => {
  const state = round();
  const [first] = state.boards;
  if (!first?.pairing) throw new Error("board 1 has a game");
  expect(seats(moveGame(state, first.pairing, 9))).toEqual(["removeBoards", "9:1-2"]);
  expect(seats(moveGame(state, first.pairing, 2))).toEqual(["2:1-2", "1:3-4"]);
  const alone = create(RoundStateSchema, { ...state, boards: [first] });
  const moved = moveGame(alone, first.pairing, 9);
  expect(seats(moved)).toEqual(["unpair", "pairRound"]);
  expect(moved[1]?.what.value).toMatchObject({ boards: [{ board: 9, white: 1, black: 2 }], byes: [{ player: 5, bye: Bye.HALF }] });
});

test("absent players forfeit, both at one board lose, and a result is kept", () => {
  const winners = (changes: Change[]): unknown[] =>
    changes.map(({ what }) =>
      what.case === "enter" && what.value.result?.kind.case === "forfeit" ? [what.value.board, what.value.result.kind.value.winner] : what.case,
    );
  expect(winners(forfeits(round(), new Set([1]), "why"))).toEqual([[1, Side.BLACK]]);
  expect(winners(forfeits(round(), new Set([2, 3, 4]), "why"))).toEqual([
    [1, Side.WHITE],
    [2, Side.UNSPECIFIED],
  ]);
  expect(forfeits(round(1), new Set([1]), "why")).toEqual([]);
});

test("manual games and byes are one change", () => {
  const [change] = pairByHand(2, [{ board: 1, white: 4, black: 6 }], new Map([[5, Bye.FULL]]));
  expect(change?.what).toMatchObject({
    case: "pairRound",
    value: { round: 2, boards: [{ board: 1, white: 4, black: 6 }], byes: [{ player: 5, bye: Bye.FULL }] },
  });
});

test("acceleration and forbidden pairs change nothing else of the event", () => {
  const event = create(EventSchema, { name: "Cup", typeCode: "FIDE_BURSTEIN" });
  const of = (changes: Change[]) => {
    const what = changes[0]?.what;
    if (what?.case !== "setEvent") throw new Error("the event's data are set");
    return what.value;
  };
  const fast = of(accelerate(event, true));
  expect([fast.name, fast.typeCode, isBaku(fast)]).toEqual(["Cup", "FIDE_BURSTEIN_BAKU", true]);
  expect(of(accelerate(fast, false)).typeCode).toBe("FIDE_BURSTEIN");
  expect(of(accelerate(create(EventSchema), true)).typeCode).toBe("FIDE_DUTCH_2025_BAKU");
  const scoring = { win: 100n, draw: 50n, loss: 0n, forfeitLoss: 0n, pairingBye: 100n, fullBye: 100n, halfBye: 50n, zeroBye: 0n };
  expect(scoresPlainly(create(EventSchema, { scoring }))).toBe(true);
  expect(scoresPlainly(create(EventSchema, { scoring: { ...scoring, win: 300n } }))).toBe(false);
  const apart = of(forbid(event, [9, 3]));
  expect(apart.forbidden).toMatchObject([{ fromRound: 1, toRound: 200, participants: [3, 9] }]);
  expect(of(lift(apart, 0)).forbidden).toEqual([]);
});

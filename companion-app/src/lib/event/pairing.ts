// Pairings and the changes that make them: proposals, seats, byes, absences, forfeits, and the rules for pairings. Pure: sends no request.

import { create } from "@bufbuild/protobuf";
import {
  Bye,
  ChangeSchema,
  type BoardState,
  type Change,
  type Event,
  type Pairing,
  type Player,
  type RoundState,
  type Tournament,
} from "$gen/frames/event_pb.js";
import { Side } from "$gen/frames/side_pb.js";
import type { Standings } from "$gen/api/tournament_pb.js";

type What = NonNullable<Parameters<typeof create<typeof ChangeSchema>>[1]>["what"];
const change = (what: NonNullable<What>): Change => create(ChangeSchema, { what });

/** A proposed or manually entered game. The players are given by their current pairing numbers. */
export interface Game {
  board: number;
  white: number;
  black: number;
}

/** The byes in the order in which they are offered: zero-point, half-point, full-point, pairing-allocated. */
export const BYES: readonly Bye[] = [Bye.ZERO, Bye.HALF, Bye.FULL, Bye.PAIRING_ALLOCATED];

/** Returns the next round to pair; null if all rounds are paired. */
export function nextRound({ event, rounds }: Tournament): number | null {
  const next = (rounds.at(-1)?.round ?? 0) + 1;
  return next <= (event?.rounds ?? 0) ? next : null;
}

/** Returns each player's points in the standings, in hundredths, for showing floats. Empty without standings and in a team event. */
export function pointsOf(standings: Standings | null): Map<number, number> {
  return new Map(standings && !standings.teams ? standings.rows.map((row) => [row.no, Number(row.score)]) : []);
}

/** Returns a proposal's games and byes for each round, with the players' current pairing numbers. */
export function proposed(changes: readonly Change[]): { round: number; games: Game[]; byes: { player: number; bye: Bye }[] }[] {
  const order = changes.flatMap(({ what }) => (what.case === "renumber" ? what.value.order : []));
  const now = (no: number): number => (order.length > 0 ? (order[no - 1] ?? no) : no);
  return changes.flatMap(({ what }) => {
    if (what.case !== "pairRound") return [];
    const { round, boards, byes } = what.value;
    return [
      {
        round,
        games: boards.map(({ board, white, black }) => ({ board, white: now(white), black: now(black) })),
        byes: byes.map(({ player, bye }) => ({ player: now(player), bye })),
      },
    ];
  });
}

/** Returns true if a proposal gives the players new pairing numbers before it pairs them. */
export const renumbers = (changes: readonly Change[]): boolean => changes.some(({ what }) => what.case === "renumber");

/** Returns White's score minus Black's, in hundredths; 0 if both are in the same score group. */
export function floatOf({ white, black }: Game, points: ReadonlyMap<number, number>): number {
  return (points.get(white) ?? 0) - (points.get(black) ?? 0);
}

export const away = ({ enters, leaves }: Player, round: number): boolean => round < enters || (leaves !== undefined && round > leaves);

/** Returns the bye that a player has in a round, or else the one that the player requested; `UNSPECIFIED` if there is neither. */
export function byeOf(player: Player | undefined, no: number, round: RoundState | null): Bye {
  return round?.byes.find((one) => one.player === player?.no)?.bye ?? player?.byes.find((one) => one.round === no)?.bye ?? Bye.UNSPECIFIED;
}

export const boardWith = (round: RoundState | null, player: number): BoardState | undefined =>
  round?.boards.find(({ pairing }) => pairing?.white === player || pairing?.black === player);

/** Returns the players who could play in a round and have neither an opponent nor a bye. */
export function unpaired({ players }: Tournament, no: number, round: RoundState | null): Player[] {
  return players.filter((player) => !away(player, no) && !boardWith(round, player.no) && byeOf(player, no, round) === Bye.UNSPECIFIED);
}

export function freeBoards(taken: readonly number[], count: number): number[] {
  const free: number[] = [];
  for (let board = 1; free.length < count; board += 1) if (!taken.includes(board)) free.push(board);
  return free;
}

export function pairByHand(no: number, games: readonly Game[], byes: ReadonlyMap<number, Bye>): Change[] {
  return [
    change({ case: "pairRound", value: { round: no, boards: games.map((game) => ({ ...game })), byes: [...byes].map(([player, bye]) => ({ player, bye })) } }),
  ];
}

export const seat = (round: number, game: Game): Change[] => [change({ case: "reseat", value: { round, pairings: [{ ...game }] } })];

const seats = (pairing: Pairing, changes: Partial<Pairing>) => ({ ...pairing, ...changes });
const reseat = (round: number, pairings: Pairing[]): Change => change({ case: "reseat", value: { round, pairings } });

export function swapColours(round: number, pairing: Pairing): Change[] {
  return [reseat(round, [seats(pairing, { white: pairing.black, black: pairing.white })])];
}

/** Returns the changes that swap `one`, who has a seat, with `other`, who has a seat, a bye or neither. */
export function exchange(state: RoundState, one: number, other: Player): Change[] {
  const swapped = (no: number): number => (no === one ? other.no : no === other.no ? one : no);
  const meant = state.boards.flatMap(({ pairing }) => (pairing && [pairing.white, pairing.black].some((no) => no === one || no === other.no) ? [pairing] : []));
  const changes = [
    reseat(
      state.round,
      meant.map((pairing) => seats(pairing, { white: swapped(pairing.white), black: swapped(pairing.black) })),
    ),
  ];
  // The player who leaves the seat gets the bye of the other player.
  const bye = boardWith(state, other.no) ? Bye.UNSPECIFIED : byeOf(other, state.round, state);
  return bye === Bye.UNSPECIFIED ? changes : [...changes, grantBye(one, state.round, bye)];
}

/** Returns the changes that move a game to a different board. A game already on that board moves to the vacated board. */
export function moveGame(state: RoundState, pairing: Pairing, to: number): Change[] {
  const there = state.boards.find((one) => one.pairing?.board === to)?.pairing;
  if (there) return [reseat(state.round, [seats(pairing, { board: to }), seats(there, { board: pairing.board })])];
  const moved = reseat(state.round, [seats(pairing, { board: to })]);
  // A round must keep at least one board, so the only game of a round is moved by pairing the round again.
  if (state.boards.length === 1) {
    const { white, black } = pairing;
    const byes = state.byes.map(({ player, bye }) => ({ player, bye }));
    return [
      change({ case: "unpair", value: state.round }),
      change({ case: "pairRound", value: { round: state.round, boards: [{ ...pairing, board: to, white, black }], byes } }),
    ];
  }
  return [change({ case: "removeBoards", value: { round: state.round, boards: [pairing.board] } }), moved];
}

export const removeGame = (round: number, board: number): Change[] => [change({ case: "removeBoards", value: { round, boards: [board] } })];
export const unpair = (round: number): Change[] => [change({ case: "unpair", value: round })];

/** Returns the change that grants a bye for a round; `UNSPECIFIED` withdraws the bye. */
export const grantBye = (player: number, round: number, bye: Bye): Change => change({ case: "grantBye", value: { player, round, bye } });
export const withdraw = (player: number, lastRound: number): Change[] => [change({ case: "withdraw", value: { player, lastRound } })];
export const comeBack = (player: number): Change[] => [change({ case: "returnPlayer", value: player })];

/** Returns the forfeits of absent players (FIDE 6.7.1), board by board. Boards that have a result are skipped. */
export function forfeits(state: RoundState, absent: ReadonlySet<number>, reason: string): Change[] {
  return state.boards.flatMap(({ pairing, result }) => {
    if (!pairing || result) return [];
    const [white, black] = [absent.has(pairing.white), absent.has(pairing.black)];
    if (!white && !black) return [];
    const winner = white && black ? Side.UNSPECIFIED : white ? Side.BLACK : Side.WHITE;
    return [change({ case: "enter", value: { round: state.round, board: pairing.board, result: { kind: { case: "forfeit", value: { winner } } }, reason } })];
  });
}

/** The number stored as the last round of a rule that applies to all rounds. */
export const ALL_ROUNDS = 200;
const BAKU = "_BAKU";
/** The pairing system of an event whose type has no code: FIDE's Dutch system. */
const DUTCH = "FIDE_DUTCH_2025";
export const isBaku = ({ typeCode }: Event): boolean => typeCode.trim().endsWith(BAKU);

export function setEvent(event: Event, changes: Partial<Event>): Change[] {
  return [change({ case: "setEvent", value: { ...event, ...changes } })];
}

/** Returns true if a win scores 1, a draw ½ and a loss 0, and byes and forfeits score accordingly. The Baku method requires this. */
export function scoresPlainly({ scoring }: Event): boolean {
  if (!scoring) return true;
  const whole = [scoring.win, scoring.pairingBye, scoring.fullBye];
  const half = [scoring.draw, scoring.halfBye];
  const none = [scoring.loss, scoring.forfeitLoss, scoring.zeroBye];
  return whole.every((points) => points === 100n) && half.every((points) => points === 50n) && none.every((points) => points === 0n);
}

/** Returns the change that turns the Baku acceleration (FIDE C.04.5.1) on or off, and removes any other acceleration. */
export function accelerate(event: Event, baku: boolean): Change[] {
  const plain = isBaku(event) ? event.typeCode.trim().slice(0, -BAKU.length) : event.typeCode.trim();
  return setEvent(event, { typeCode: baku ? `${plain || DUTCH}${BAKU}` : plain, accelerations: [] });
}

export function forbid(event: Event, participants: readonly number[]): Change[] {
  const rule = { $typeName: "flagfall.event.v1.Forbidden" as const, fromRound: 1, toRound: ALL_ROUNDS, participants: [...participants].sort((a, b) => a - b) };
  return setEvent(event, { forbidden: [...event.forbidden, rule] });
}

export const lift = (event: Event, at: number): Change[] => setEvent(event, { forbidden: event.forbidden.filter((_, place) => place !== at) });

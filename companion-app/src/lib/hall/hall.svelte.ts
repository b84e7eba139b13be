// All boards as this device knows them: a snapshot, then deltas, each applied once and in order.
//
// Owns the newest known state of every board, and its age. Must never invent a state: a command changes nothing here until the hub reports
// the change. Updates are shown together, once per frame; a tile redraws only when its own board changes.

import { untrack } from "svelte";
import type { Board, Hall, WatchUpdate } from "$gen/api/arbiter_pb.js";
import { withoutBoards, type KnownHall } from "$lib/offline/snapshot.js";
import { isQuiet } from "$lib/state/states.js";
import { PRESSES_SENT, type NotEnrolled, type Place } from "$lib/transport/transport.js";
import { setAhead, setZone } from "$lib/words/day-time.js";
import { boardFromWire, noteFromWire, SIDES, type BoardState, type Note, type Press } from "./board.js";
import { HubTime } from "./hub-time.js";
import type { Follower } from "./follow.js";

export type Link = "connecting" | "live" | "offline";

export class Cell {
  state: BoardState = $state.raw() as BoardState;
  /** The presses of the current game; null until the hub has sent them on request. The hub sends only the newest few with a board. */
  #known: Press[] | null = $state.raw(null);
  readonly #history = $derived(merged(this.#known ?? [], this.state.presses));

  constructor(state: BoardState) {
    this.state = state;
  }

  get history(): Press[] {
    return this.#history;
  }

  take(state: BoardState): void {
    // Presses are merged only for boards that were opened, because a full hall produces hundreds of presses a second.
    if (this.#known) this.#known = merged(this.#known, state.presses);
    this.state = state;
  }

  /** Stores the presses of the game, and appends those received in the meantime. */
  know(presses: Press[]): void {
    this.#known = merged(presses, this.state.presses);
  }
}

/** Lists and counts may be this late. Tiles and lists of calls change immediately. */
const LISTS_MS = 400;

/** Appends the presses just sent to those already known. If the hub sends fewer than usual, it has sent all presses of the game. */
export function merged(known: Press[], sent: Press[]): Press[] {
  const first = sent[0];
  if (!first || sent.length < PRESSES_SENT) return sent;
  const before = known.filter((press) => press.eventSeq < first.eventSeq);
  const last = before.at(-1);
  // After a gap or in a new game, the earlier presses would appear to come directly before the new ones. They are kept only if the last of
  // them directly precedes the first new press. `begins` means that the first new press opens its move.
  const begins = sent[1]?.move === first.move;
  const joined = last && last.move === (begins ? first.move - 1 : first.move) && last.side !== first.side;
  return joined ? [...before, ...sent] : sent;
}

export interface EventName {
  name: string;
  round: string;
  logOrigin: string;
  startsAtUs?: number;
}

/** Decides when the collected updates are shown; tests replace it. */
export type Gather = (flush: () => void) => void;

export class HallStore implements Follower {
  readonly time: HubTime;
  /** Board names in the hub's order. */
  order: string[] = $state.raw([]);
  /** Incremented whenever lists and counts must be recomputed. */
  revision = $state(0);
  event: EventName = $state.raw({ name: "", round: "", logOrigin: "" });
  /** Notes about the hub itself, most urgent first. */
  hubNotes: Note[] = $state.raw([]);
  link: Link = $state("connecting");
  /** The hub's time at the last contact, in microseconds; null while connected, or if there never was a contact. */
  offlineSinceUs: number | null = $state(null);
  enrolled = $state(true);

  readonly #cells = new Map<string, Cell>();
  /** Boards that have a state to list, newest last. Kept separately, because most boards have none and lists are recomputed often. */
  readonly #boardsInState = new Set<string>();
  readonly #gathered = new Map<string, BoardState | null>();
  readonly #gather: Gather;
  readonly #watchers = new Set<(state: BoardState, before: BoardState | undefined) => void>();
  readonly #timeMoved: () => void;
  readonly #leavers = new Set<(board: string) => void>();
  readonly #losers = new Set<() => void>();
  readonly #strangers = new Set<(why: NotEnrolled) => void>();
  /** The boards as received, for storage on the device. */
  readonly #told = new Map<string, Board>();
  #hall: Hall | null = null;
  #aheadMs = 0;
  #restored = false;
  /** Watchers that have failed before, so that each is logged only once. */
  readonly #failed = new Set<unknown>();
  #place: Place | null = null;
  /** The time of the last contact in milliseconds, by a monotonic clock, which may stop during sleep, and by the wall clock. */
  #heard = { steady: 0, ofDay: 0 };
  #scheduled = false;
  #listsDue = false;

  constructor(time: HubTime = new HubTime(), timeMoved: () => void = () => undefined, gather: Gather = onceAFrame) {
    this.time = time;
    this.#timeMoved = timeMoved;
    this.#gather = gather;
  }

  cell(board: string): Cell | undefined {
    return this.#cells.get(board);
  }

  /** Returns all boards in the hub's order. Depends only on `revision`, because a press must not recompute lists. */
  boards(): BoardState[] {
    void this.revision;
    const { order } = this;
    return untrack(() => order.flatMap((name) => this.#cells.get(name)?.state ?? []));
  }

  /** Returns the boards that have a state to list, and those in `named`. Depends only on `revision`, like `boards`. */
  boardsInState(named: ReadonlySet<string>): BoardState[] {
    void this.revision;
    return untrack(() => [...new Set([...this.#boardsInState, ...named])].flatMap((name) => this.#cells.get(name)?.state ?? []));
  }

  /** Calls `watcher` after each change to a board is shown. Returns a function that ends the calls. */
  onChange(watcher: (state: BoardState, before: BoardState | undefined) => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  onRemoved(watcher: (board: string) => void): () => void {
    this.#leavers.add(watcher);
    return () => this.#leavers.delete(watcher);
  }

  onLost(watcher: () => void): () => void {
    this.#losers.add(watcher);
    return () => this.#losers.delete(watcher);
  }

  /** Returns the hall for storage on the device; null before the hub has sent one. */
  known(): KnownHall | null {
    const nowUs = this.time.nowUs();
    if (!this.#hall || this.#restored || nowUs === null) return null;
    const hubUs = nowUs - (performance.now() - this.#heard.steady) * 1000;
    return { hall: this.#hall, boards: [...this.#told.values()], hubUs, heardAtMs: this.#heard.ofDay, aheadMs: this.#aheadMs };
  }

  /** Shows a stored hall with its age. Returns false if the hub has already sent a hall. */
  restore({ hall, boards, hubUs, heardAtMs, aheadMs }: KnownHall): boolean {
    if (this.#place) return false;
    const agoMs = Date.now() - heardAtMs;
    this.#heard = { steady: performance.now() - agoMs, ofDay: heardAtMs };
    this.#ahead(aheadMs);
    this.#restored = true;
    this.#replace({ ...hall, boards: [...boards], hubUs: BigInt(Math.round(hubUs + agoMs * 1000)) }, "quietly");
    this.offlineSinceUs = hubUs;
    this.link = "offline";
    return true;
  }

  #ahead(ms: number): void {
    this.#aheadMs = ms;
    setAhead(ms);
  }

  place(): Place | null {
    return this.#place;
  }

  heard(update: WatchUpdate): void {
    this.#online();
    this.#ahead(Number(update.wallAheadMs));
    if (this.time.sample(Number(update.hubUs))) this.#timeMoved();
    switch (update.update.case) {
      case "snapshot":
        this.#replace(update.update.value);
        this.#restored = false;
        break;
      case "board":
        this.board(update.update.value);
        break;
      case "removed":
        this.#told.delete(update.update.value.board);
        this.#gathered.set(update.update.value.board, null);
        this.#soon();
        break;
      case undefined:
        break;
    }
    this.#place = { epoch: update.epoch, seq: update.seq };
  }

  /** Applies a board that the hub has just sent, unless a newer state is known. */
  board(wire: Board): void {
    const state = boardFromWire(wire);
    const known = this.#gathered.get(state.board) ?? this.#cells.get(state.board)?.state;
    if (known && state.seq < known.seq) return;
    this.#told.set(state.board, wire);
    this.#gathered.set(state.board, state);
    this.#soon();
  }

  answered(): void {
    // Without a snapshot, nothing shown can be current.
    if (this.#place) this.#online();
  }

  lost(): void {
    if (this.link === "offline") return;
    const nowUs = this.time.nowUs();
    if (this.link === "live" && nowUs !== null) this.offlineSinceUs = nowUs - (performance.now() - this.#heard.steady) * 1000;
    this.link = "offline";
    for (const watcher of [...this.#losers]) watcher();
  }

  /**
   * Returns the age of the data shown while the hub is unreachable, in microseconds; null while connected, or if there never was a contact.
   * Uses the wall clock if that gives a greater age, because many monotonic clocks stop while the device sleeps.
   */
  ageUs(): number | null {
    if (this.offlineSinceUs === null) return null;
    return Math.max(performance.now() - this.#heard.steady, Date.now() - this.#heard.ofDay) * 1000;
  }

  unknown(why: NotEnrolled): void {
    this.enrolled = false;
    for (const watcher of this.#strangers) watcher(why);
  }

  onUnknown(watcher: (why: NotEnrolled) => void): void {
    this.#strangers.add(watcher);
  }

  #online(): void {
    this.link = "live";
    this.offlineSinceUs = null;
    this.#heard = { steady: performance.now(), ofDay: Date.now() };
  }

  /** @param how `quietly` calls no watcher, because nothing has happened in the hall */
  #replace(hall: Hall, how: "aloud" | "quietly" = "aloud"): void {
    if (hall.epoch !== this.#place?.epoch) {
      this.time.reset();
      this.time.sample(Number(hall.hubUs));
      this.#timeMoved();
    }
    setZone(hall.timeZone);
    this.event = {
      name: hall.eventName,
      round: hall.round,
      logOrigin: hall.logOrigin,
      ...(hall.startsAtUs === undefined ? {} : { startsAtUs: Number(hall.startsAtUs) }),
    };
    this.hubNotes = hall.notes.map(noteFromWire);
    this.#hall = withoutBoards(hall);
    this.#told.clear();
    for (const board of hall.boards) this.#told.set(board.board, board);
    this.#gathered.clear();
    const present = new Set(hall.boards.map((board) => board.board));
    for (const name of this.#cells.keys()) if (!present.has(name)) this.#gathered.set(name, null);
    for (const board of hall.boards) this.#gathered.set(board.board, boardFromWire(board));
    this.order = hall.boards.map((board) => board.board);
    this.#flush(how === "quietly" ? [] : this.#watchers);
    this.revision += 1;
  }

  #soon(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#gather(() => {
      this.#scheduled = false;
      this.#flush();
    });
  }

  #flush(watchers: Iterable<(state: BoardState, before: BoardState | undefined) => void> = this.#watchers): void {
    const added: string[] = [];
    let called = false;
    for (const [name, state] of this.#gathered) {
      const cell = this.#cells.get(name);
      // Changes since an earlier visit must not raise an alarm, so watchers see the board as new.
      const before = this.#restored ? undefined : cell?.state;
      if (state === null) {
        this.#cells.delete(name);
        this.#boardsInState.delete(name);
        this.order = this.order.filter((known) => known !== name);
        for (const watcher of this.#leavers) this.#tell(watcher, name);
        continue;
      }
      if (cell) cell.take(state);
      else {
        this.#cells.set(name, new Cell(state));
        added.push(name);
      }
      if (isQuiet(state)) this.#boardsInState.delete(name);
      else this.#boardsInState.add(name);
      called ||= calls(state, before);
      for (const watcher of watchers) this.#tell(watcher, state, before);
    }
    this.#seat(added);
    if (called) this.revision += 1;
    else if (this.#gathered.size > 0) this.#listsSoon();
    this.#gathered.clear();
  }

  /** Calls a watcher. A failing watcher must not affect other watchers or boards. */
  #tell<T extends unknown[]>(watcher: (...news: T) => void, ...news: T): void {
    try {
      watcher(...news);
    } catch (error) {
      if (!this.#failed.has(watcher)) console.error("a board watcher failed", error);
      this.#failed.add(watcher);
    }
  }

  /** Adds new boards to the order. Sorts only if there are any, because a snapshot sets the order of the boards that it contains. */
  #seat(added: string[]): void {
    if (added.length === 0) return;
    const known = new Set(this.order);
    const fresh = added.filter((name) => !known.has(name));
    if (fresh.length > 0) this.order = [...this.order, ...fresh].sort(inHallOrder);
  }

  #listsSoon(): void {
    if (this.#listsDue) return;
    this.#listsDue = true;
    setTimeout(() => {
      this.#listsDue = false;
      this.revision += 1;
    }, LISTS_MS);
  }
}

/** Returns true if lists must show a change immediately: a flag, stopped clocks, a call for the arbiter, an acknowledgement or a command. */
function calls(state: BoardState, before: BoardState | undefined): boolean {
  if (!before) return false;
  const stopped = (one: BoardState): boolean => one.phase === "stopped";
  const called = (one: BoardState): boolean => one.arbiterCalledUs !== undefined;
  return (
    stopped(state) !== stopped(before) ||
    called(state) !== called(before) ||
    SIDES.some((side) => state[side].flag !== before[side].flag) ||
    state.answered.length !== before.answered.length ||
    state.waiting.length !== before.waiting.length
  );
}

const byNumber = new Intl.Collator("en", { numeric: true });

/** Compares board names as the hub does: numbers by value, before other names. */
export function inHallOrder(a: string, b: string): number {
  return byNumber.compare(a, b);
}

/** Delay of updates in a hidden page, which has no frames but must still detect a flag. */
const FRAMELESS_MS = 100;

const onceAFrame: Gather = (flush) => {
  const draw = (): void => {
    cancelAnimationFrame(frame);
    clearTimeout(frameless);
    flush();
  };
  const frame = requestAnimationFrame(draw);
  const frameless = setTimeout(draw, FRAMELESS_MS);
};

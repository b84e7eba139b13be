// All boards as this device knows them: a snapshot and deltas, each applied once and in order.
//
// Owns the newest known state of every board and how old it is. Must never invent a state: a command changes nothing here until
// the hub says so. Updates are gathered and shown together once a frame; a tile redraws when its own board changes and at no
// other time.

import { untrack } from "svelte";
import type { Board, Hall, WatchUpdate } from "$gen/api/arbiter_pb.js";
import { withoutBoards, type KnownHall } from "$lib/offline/snapshot.js";
import { isQuiet } from "$lib/state/states.js";
import { PRESSES_SENT, type NotEnrolled, type Place } from "$lib/transport/transport.js";
import { setAhead, setZone } from "$lib/words/day-time.js";
import { boardFromWire, SIDES, type BoardState, type Press } from "./board.js";
import { HubTime } from "./hub-time.js";
import type { Follower } from "./follow.js";

export type Link = "connecting" | "live" | "offline";

/** One board, by itself reactive. */
export class Cell {
  /** Newest state the hub has told. */
  state: BoardState = $state.raw() as BoardState;
  /** Presses of the present game, asked of the hub when somebody looked: the hub sends the newest few with a board. */
  #known: Press[] | null = $state.raw(null);
  readonly #history = $derived(merged(this.#known ?? [], this.state.presses));

  constructor(state: BoardState) {
    this.state = state;
  }

  /** Every press of the present game that this device has heard of. */
  get history(): Press[] {
    return this.#history;
  }

  take(state: BoardState): void {
    // Presses of boards that nobody looks at are left alone: a full hall makes hundreds a second.
    if (this.#known) this.#known = merged(this.#known, state.presses);
    this.state = state;
  }

  /** The presses of the whole game, as the hub has them; what has come meanwhile goes on from there. */
  know(presses: Press[]): void {
    this.#known = merged(presses, this.state.presses);
  }
}

/** Lists and counts follow changes after this long; tiles, and lists of what calls somebody, at once. */
const LISTS_MS = 400;

/** The newest presses joined to those known from before; fewer than the hub sends are all there are. */
export function merged(known: Press[], sent: Press[]): Press[] {
  const first = sent[0];
  if (!first || sent.length < PRESSES_SENT) return sent;
  const before = known.filter((press) => press.eventSeq < first.eventSeq);
  const last = before.at(-1);
  // Another game's presses, or a gap: what is before it would be drawn as if it belonged to this game. A side whose move is answered in the
  // same one begins each move.
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

/** When gathered updates are shown. Injected, so that a test decides. */
export type Gather = (flush: () => void) => void;

export class HallStore implements Follower {
  readonly time: HubTime;
  /** Board names in the hub's order. */
  order: string[] = $state.raw([]);
  /** Grows when lists and counts have to be made anew. */
  revision = $state(0);
  event: EventName = $state.raw({ name: "", round: "", logOrigin: "" });
  link: Link = $state("connecting");
  /** The hub's instant, microseconds, at which it was heard last; null while the link holds, and where there was none. */
  offlineSinceUs: number | null = $state(null);
  enrolled = $state(true);

  readonly #cells = new Map<string, Cell>();
  /** Boards in some state, the newest last: most boards of a hall are in none, and a full one is gone through several times a second. */
  readonly #uneasy = new Set<string>();
  readonly #gathered = new Map<string, BoardState | null>();
  readonly #gather: Gather;
  readonly #watchers = new Set<(state: BoardState, before: BoardState | undefined) => void>();
  readonly #timeMoved: () => void;
  readonly #leavers = new Set<(board: string) => void>();
  readonly #losers = new Set<() => void>();
  readonly #strangers = new Set<(why: NotEnrolled) => void>();
  /** The boards as the hub told them, by their names, and the hall without them: what a device can keep. */
  readonly #told = new Map<string, Board>();
  #hall: Hall | null = null;
  #aheadMs = 0;
  /** What is shown is from an earlier visit, and not from the hub. */
  #restored = false;
  /** Watchers that have failed, each of which is told of once. */
  readonly #failed = new Set<unknown>();
  #place: Place | null = null;
  /** When the hub was heard last, by the clock that only goes forward and by the one that goes on while the device sleeps, milliseconds. */
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

  /** Every board in the hub's order; reading it follows `revision` alone, or each press would make every list anew. */
  boards(): BoardState[] {
    void this.revision;
    const { order } = this;
    return untrack(() => order.flatMap((name) => this.#cells.get(name)?.state ?? []));
  }

  /** Boards that are in some state by themselves, and those named; follows `revision` alone, like `boards`. */
  uneasy(named: ReadonlySet<string>): BoardState[] {
    void this.revision;
    return untrack(() => [...new Set([...this.#uneasy, ...named])].flatMap((name) => this.#cells.get(name)?.state ?? []));
  }

  /** Told of each board's change after it was shown. */
  onChange(watcher: (state: BoardState, before: BoardState | undefined) => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** Told of each board that is no more. */
  onRemoved(leaver: (board: string) => void): () => void {
    this.#leavers.add(leaver);
    return () => this.#leavers.delete(leaver);
  }

  /** Told when the link is lost. */
  onLost(loser: () => void): () => void {
    this.#losers.add(loser);
    return () => this.#losers.delete(loser);
  }

  /** The hall as the hub told it, for the device to keep; null before the hub has told one. */
  known(): KnownHall | null {
    const nowUs = this.time.nowUs();
    if (!this.#hall || this.#restored || nowUs === null) return null;
    const hubUs = nowUs - (performance.now() - this.#heard.steady) * 1000;
    return { hall: this.#hall, boards: [...this.#told.values()], hubUs, heardAtMs: this.#heard.ofDay, aheadMs: this.#aheadMs };
  }

  /** Shows a hall that the device kept, as old as it is; answers false where the hub has told a newer one. */
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

  /** A board as the hub has just told it; an older picture than the one that is known is dropped. */
  board(wire: Board): void {
    const state = boardFromWire(wire);
    const known = this.#gathered.get(state.board) ?? this.#cells.get(state.board)?.state;
    if (known && state.seq < known.seq) return;
    this.#told.set(state.board, wire);
    this.#gathered.set(state.board, state);
    this.#soon();
  }

  answered(): void {
    // Without a snapshot there is nothing that could be as new as that.
    if (this.#place) this.#online();
  }

  lost(): void {
    if (this.link === "offline") return;
    const nowUs = this.time.nowUs();
    if (this.link === "live" && nowUs !== null) this.offlineSinceUs = nowUs - (performance.now() - this.#heard.steady) * 1000;
    this.link = "offline";
    for (const loser of [...this.#losers]) loser();
  }

  /**
   * How old all that is shown is while the hub is away, microseconds; null while it is heard, and where it never was. The device's clock of
   * day counts where it says more: many a clock that only goes forward stands still while the device sleeps.
   */
  ageUs(): number | null {
    if (this.offlineSinceUs === null) return null;
    return Math.max(performance.now() - this.#heard.steady, Date.now() - this.#heard.ofDay) * 1000;
  }

  unknown(why: NotEnrolled): void {
    this.enrolled = false;
    for (const watcher of this.#strangers) watcher(why);
  }

  /** Told when the hub says that it does not know this device, or no longer. */
  onUnknown(watcher: (why: NotEnrolled) => void): void {
    this.#strangers.add(watcher);
  }

  #online(): void {
    this.link = "live";
    this.offlineSinceUs = null;
    this.#heard = { steady: performance.now(), ofDay: Date.now() };
  }

  /** @param how `quietly`: no watcher is told, because nothing has happened */
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
      // What changed since an earlier visit raises no alarm: watchers hear of the board as if for the first time.
      const before = this.#restored ? undefined : cell?.state;
      if (state === null) {
        this.#cells.delete(name);
        this.#uneasy.delete(name);
        this.order = this.order.filter((known) => known !== name);
        for (const leaver of this.#leavers) this.#tell(leaver, name);
        continue;
      }
      if (cell) cell.take(state);
      else {
        this.#cells.set(name, new Cell(state));
        added.push(name);
      }
      if (isQuiet(state)) this.#uneasy.delete(name);
      else this.#uneasy.add(name);
      called ||= calls(state, before);
      for (const watcher of watchers) this.#tell(watcher, state, before);
    }
    this.#seat(added);
    if (called) this.revision += 1;
    else if (this.#gathered.size > 0) this.#listsSoon();
    this.#gathered.clear();
  }

  /** One that fails must keep neither the other watchers nor the other boards from what is new. */
  #tell<T extends unknown[]>(watcher: (...news: T) => void, ...news: T): void {
    try {
      watcher(...news);
    } catch (error) {
      if (!this.#failed.has(watcher)) console.error("a watcher of boards failed", error);
      this.#failed.add(watcher);
    }
  }

  /** Sorted once, however many are new; a snapshot has its own order, and knows them all. */
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

/** What nobody should wait for: a flag goes up or down, the players stop their clocks, somebody answers or asks for something. */
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

/** Numbers before names, numbers by their size, as the hub sorts them. */
export function inHallOrder(a: string, b: string): number {
  return byNumber.compare(a, b);
}

/** A page that is hidden has no frames, and must hear of a flag all the same. */
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

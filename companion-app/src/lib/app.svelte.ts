// The state that all views share, such as the hall, the event, the commands, the arbiter, acknowledged calls, and the settings.
//
// Owns the app's background work while the page is open. Views read this state and call its methods; they must never use a transport
// themselves.

import { getContext, setContext, untrack } from "svelte";
import { CheckpointKeeper } from "$lib/checkpoint/keeper.svelte.js";
import { Ledger } from "$lib/commands/ledger.svelte.js";
import { Painter } from "$lib/draw/painter.js";
import { keepStorage, revocation } from "$lib/enrol/revocation.js";
import type { Enrolment } from "$lib/enrol/code.js";
import type { Refusal } from "$gen/frames/refusal_pb.js";
import { EventStore } from "$lib/event/event.svelte.js";
import { follow } from "$lib/hall/follow.js";
import { FloorStore } from "$lib/hall/floor.svelte.js";
import { HeldStore } from "$lib/hall/held.svelte.js";
import { HallStore } from "$lib/hall/hall.svelte.js";
import { HubTime } from "$lib/hall/hub-time.js";
import { Logs } from "$lib/log/logs.js";
import { HallKeeper } from "$lib/offline/keeper.js";
import { deviceStore } from "$lib/offline/store.js";
import { Alarm } from "$lib/state/alarm.js";
import { Settings } from "$lib/state/settings.svelte.js";
import { PLAYER_PAGE } from "$lib/place.js";
import type { Shell } from "$lib/transport/shell.js";
import { NotEnrolled, type Identity, type Transport } from "$lib/transport/transport.js";
import { readsOnly } from "$lib/words/why.js";
import { callOfState, seenKey, statesOf, type State } from "$lib/state/states.js";
import { wireCall, type BoardState } from "$lib/hall/board.js";

const KEY = Symbol("app");
/** Interval between updates of `nowUs`, and between attempts to load the identity. */
const SECOND_MS = 1000;

export class App {
  readonly shell: Shell;
  readonly transport: Transport;
  readonly time = new HubTime();
  readonly painter: Painter;
  readonly hall: HallStore;
  readonly event: EventStore;
  readonly floor: FloorStore;
  readonly held: HeldStore;
  readonly ledger: Ledger;
  readonly logs: Logs;
  readonly settings = new Settings();
  readonly alarm: Alarm;
  readonly kept: HallKeeper;
  readonly checkpoints: CheckpointKeeper;
  /** The hub's refusal that says why, when and by whom this device was revoked; null if there is none. */
  revoked: Refusal | null = $state.raw(null);
  me: Identity | null = $state.raw(null);
  /** The hub's time in microseconds, updated every second. Used for ages and lists, but never to draw a clock. */
  nowUs = $state(0);
  /** The keys (`seenKey`) of the calls that this arbiter has acknowledged. */
  seen: ReadonlySet<string> = $state.raw(new Set<string>());

  constructor(shell: Shell) {
    const { transport } = shell;
    this.shell = shell;
    this.transport = transport;
    this.painter = new Painter(this.time);
    this.hall = new HallStore(this.time, () => {
      // Set immediately: otherwise, a time today would be shown with its date until the next second.
      this.nowUs = this.time.nowUs() ?? 0;
      this.painter.redrawAll();
    });
    this.event = new EventStore(transport, () => this.hall.event.round);
    this.floor = new FloorStore(transport);
    this.held = new HeldStore(transport);
    this.ledger = new Ledger(this.hall, transport);
    this.logs = new Logs(transport);
    this.alarm = new Alarm(this.settings, (place) => {
      globalThis.location.hash = place;
    });
    this.checkpoints = new CheckpointKeeper(transport, () => !this.offline);
    this.hall.onChange((state, before) => {
      this.#recall(state);
      this.alarm.changed(state, before, this.seen);
    });
    this.hall.onRemoved((board) => this.alarm.quiet(board));
    this.kept = new HallKeeper({ hall: this.hall, event: this.event, me: () => this.me, restoreArbiter: (me) => (this.me = me) }, deviceStore);
    this.hall.onUnknown((unknown) => {
      if (unknown.why) revocation.keep(unknown.why);
      this.revoked = revocation.read();
      void this.kept.forget();
    });
  }

  run(signal: AbortSignal): void {
    void follow(this.transport, this.hall, signal);
    void this.event.follow(signal);
    void this.kept.run(signal);
    void this.#know(signal);
    const tick = setInterval(() => {
      this.nowUs = this.time.nowUs() ?? 0;
    }, SECOND_MS);
    signal.addEventListener("abort", () => clearInterval(tick));
    // Browsers allow sound only after input. A touch counts on release, a mouse click on pressing the button.
    for (const touch of ["pointerdown", "pointerup", "keydown"])
      globalThis.addEventListener(touch, () => void this.alarm.touched(), { signal, capture: true, passive: true });
  }

  /** Acknowledges a call, which then stays visible but no longer alerts. */
  see(board: BoardState, state: State): void {
    this.#noted(board, state);
    this.#tell(board, state, false);
  }

  /** Tells the other arbiters that this arbiter is on the way, so that two do not go to the same board. */
  go(board: BoardState, state: State): void {
    this.#noted(board, state);
    this.#tell(board, state, true);
  }

  #noted(board: BoardState, state: State): void {
    this.seen = new Set([...this.seen, seenKey(board, state)]);
    this.alarm.quiet(board.board);
  }

  /** Restores the acknowledgements that this arbiter made before a reload or on another device. */
  #recall(board: BoardState): void {
    const { name } = this.me ?? {};
    if (name === undefined || !board.answered.some((one) => one.actor === name)) return;
    for (const state of statesOf(board, { nowUs: board.hubUs, refused: false })) {
      const call = callOfState(state.key);
      const known = call === null || this.seen.has(seenKey(board, state));
      if (!known && board.answered.some((one) => one.actor === name && one.call === call)) this.#noted(board, state);
    }
  }

  /** Sends an acknowledgement. A failure is not reported, because an acknowledgement is only a courtesy. */
  #tell(board: BoardState, state: State, going: boolean): void {
    const call = callOfState(state.key);
    const told = board.answered.some((one) => one.call === call && one.actor === this.me?.name && one.going === going);
    if (call === null || told || this.offline || this.readsOnly) return;
    this.transport.acknowledge(board.board, wireCall(call), going).catch(() => undefined);
  }

  /** The age of the data shown while the hub is unreachable, in microseconds, updated every second; null while connected or before any contact. */
  get ageUs(): number | null {
    void this.nowUs;
    return this.hall.ageUs();
  }

  get readsOnly(): boolean {
    return readsOnly(this.me);
  }

  get chief(): boolean {
    return this.me?.role === "chief";
  }

  get offline(): boolean {
    return this.hall.link !== "live";
  }

  /** Enrols this device with a code. On failure, throws the reason and keeps the previous enrolment. */
  async enrol(code: Enrolment, name: string): Promise<void> {
    await this.shell.enrol(code, name);
    revocation.forget();
    await this.kept.forget();
    keepStorage();
  }

  async #know(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        this.me = await this.transport.identity(signal);
        if (this.me.role === "player") {
          // A player's device uses a different page, so load that page.
          globalThis.location.hash = PLAYER_PAGE;
          globalThis.location.reload();
          return;
        }
        if (["floor", "chief", "auditor"].includes(this.me.role)) {
          void this.held.follow(signal);
          void this.checkpoints.follow(signal);
        }
        untrack(() => this.hall.boards()).forEach((board) => this.#recall(board));
        return;
      } catch (error) {
        if (error instanceof NotEnrolled) {
          this.hall.unknown(error);
          return;
        }
        await new Promise((done) => setTimeout(done, SECOND_MS));
      }
    }
  }
}

export function provideApp(app: App): App {
  return setContext(KEY, app);
}

export function useApp(): App {
  return getContext<App>(KEY);
}

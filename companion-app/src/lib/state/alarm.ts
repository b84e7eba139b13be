// What calls an arbiter who is not looking: sound, vibration, a notification of the system (notices.ts). Never for ticks, presses or short time.
//
// Owns who is called when. Sound is off until the arbiter turns it on, because a hall is silent.

import { SIDES, type BoardState } from "$lib/hall/board.js";
import { placeOf } from "$lib/place.js";
import { words } from "$lib/words/states.js";
import { Notices, type NoticeWords } from "./notices.js";
import type { Settings } from "./settings.svelte.js";
import { goer, seenKey, statesOf } from "./states.js";

export type Call = "flag" | "expected" | "wanted" | "silent";

/** Lengths of vibration and pause, milliseconds. */
const VIBRATION: Record<Call, number[]> = { flag: [200, 100, 200], expected: [60], wanted: [120], silent: [60] };
/** Tones: hertz, and when they begin and end, seconds. */
const TONES: Record<Call, readonly (readonly [number, number, number])[]> = {
  flag: [
    [880, 0, 0.22],
    [587, 0.25, 0.6],
  ],
  expected: [],
  wanted: [[1175, 0, 0.5]],
  silent: [[220, 0, 0.35]],
};
/** A flag that nobody has seen calls again after this long. */
const AGAIN_MS = 20_000;
/** Clocks that fall silent within this are one alarm: one switch that fails takes a whole row with it. */
const GATHER_MS = 3000;

export class Alarm {
  readonly #settings: Settings;
  readonly #notices: Notices;
  readonly #calling = new Map<string, ReturnType<typeof setInterval>>();
  /** Boards whose clocks have fallen silent of late, as they are now, and when that is told. */
  readonly #silent = new Map<string, BoardState>();
  #telling: ReturnType<typeof setTimeout> | undefined;
  #audio: AudioContext | null = null;

  /** @param open goes to the place of a notification that is tapped */
  constructor(settings: Settings, open: (place: string) => void) {
    this.#settings = settings;
    this.#notices = new Notices(open);
  }

  /** A board has changed, or is known for the first time, without a before: calls for what is new about it. */
  changed(state: BoardState, before: BoardState | undefined, seen: ReadonlySet<string>): void {
    const call = before && callOf(state, before);
    if (call === "silent") this.#gather(state);
    else if (call) this.#call(call, state);
    if (this.#silent.has(state.board)) this.#silent.set(state.board, state);
    // A finished game has no such state any more, whatever its clock still shows.
    const down = statesOf(state, { nowUs: state.hubUs, refused: false }).find((one) => one.key === "flag");
    // Where somebody goes, nobody else need be called again.
    if (!down || seen.has(seenKey(state, down)) || goer(state, "flag") !== null) this.#rest(state.board);
    else this.#again(state);
  }

  /** Somebody has seen to it, or the board is no more. */
  quiet(board: string): void {
    this.#silent.delete(board);
    this.#rest(board);
  }

  /** The board's flag calls no more. */
  #rest(board: string): void {
    clearInterval(this.#calling.get(board));
    this.#calling.delete(board);
  }

  /** A tap or a key, without which browsers play nothing: whoever has sound on is heard from then on, after every reload. */
  async touched(): Promise<void> {
    if (!this.#settings.sound) return;
    this.#audio ??= new AudioContext();
    if (this.#audio.state !== "running") await this.#audio.resume();
  }

  /** What the system says of notifications to this page. */
  permission(): NotificationPermission | "none" {
    return this.#notices.permission();
  }

  /** Asks the system once; what it has been told before, it says again. */
  async ask(): Promise<NotificationPermission | "none"> {
    return this.#notices.ask();
  }

  #again(state: BoardState): void {
    if (this.#calling.has(state.board)) return;
    this.#calling.set(
      state.board,
      setInterval(() => this.#sound("flag"), AGAIN_MS),
    );
  }

  #gather(state: BoardState): void {
    this.#silent.set(state.board, state);
    this.#telling ??= setTimeout(() => this.#tellSilent(), GATHER_MS);
  }

  /** One alarm for all clocks that are still silent. */
  #tellSilent(): void {
    const boards = [...this.#silent.values()].filter((state) => isCalled("silent", state));
    this.#telling = undefined;
    this.#silent.clear();
    const [one] = boards;
    if (one && boards.length === 1) this.#call("silent", one);
    else if (boards.length > 1) this.#alarm("silent", boards, () => words.silentTogether(boards));
  }

  #call(call: Call, state: BoardState): void {
    this.#alarm(call, [state], () => words.notification(call, state));
  }

  /** @param boards which a notification opens */
  #alarm(call: Call, boards: readonly BoardState[], told: () => NoticeWords): void {
    this.#sound(call);
    if (this.#settings.vibration && "vibrate" in navigator && "userActivation" in navigator && navigator.userActivation.hasBeenActive) navigator.vibrate(VIBRATION[call]);
    if (document.hidden && this.#settings.notices) this.#notices.show(placeOf(boards.map((one) => one.board)), told());
  }

  #sound(call: Call): void {
    const audio = this.#audio;
    if (!audio || !this.#settings.sound) return;
    for (const [hertz, from, to] of TONES[call]) {
      const tone = audio.createOscillator();
      const level = audio.createGain();
      tone.frequency.value = hertz;
      level.gain.setValueAtTime(0.25, audio.currentTime + from);
      level.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + to);
      tone.connect(level).connect(audio.destination);
      tone.start(audio.currentTime + from);
      tone.stop(audio.currentTime + to);
    }
  }
}

/** What is new about a board that somebody should come for; null for everything else. */
export function callOf(state: BoardState, before: BoardState): Call | null {
  if (state.phase === "over") return null;
  const newly = (flag: "fallen" | "expected"): boolean => SIDES.some((side) => state[side].flag === flag && before[side].flag !== flag);
  if (newly("fallen")) return "flag";
  if (state.arbiterCalledUs !== undefined && before.arbiterCalledUs === undefined) return "wanted";
  if (newly("expected")) return "expected";
  return before.online && !state.online && state.phase === "running" ? "silent" : null;
}

/** Whether what a board was called for still holds. */
export function isCalled(call: Call, state: BoardState): boolean {
  if (state.phase === "over") return false;
  switch (call) {
    case "flag":
      return SIDES.some((side) => state[side].flag === "fallen");
    case "expected":
      return SIDES.some((side) => state[side].flag === "expected");
    case "wanted":
      return state.arbiterCalledUs !== undefined;
    case "silent":
      return !state.online;
  }
}

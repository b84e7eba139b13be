// Alerts for an arbiter who is not looking at the screen: sound, vibration, notification (notices.ts). Never for presses or time trouble.
//
// Owns the decision when to alert. Sound is off until the arbiter turns it on, because a playing hall must be quiet.

import { SIDES, type BoardState } from "$lib/hall/board.js";
import { placeOf } from "$lib/place.js";
import { words } from "$lib/words/states.js";
import { Notices, type NoticeWords } from "./notices.js";
import type { Settings } from "./settings.svelte.js";
import { arbiterOnTheWay, seenKey, statesOf } from "./states.js";

export type Call = "flag" | "expected" | "wanted" | "silent";

/** Alternating lengths of vibration and pause, in milliseconds. */
const VIBRATION: Record<Call, number[]> = { flag: [200, 100, 200], expected: [60], wanted: [120], silent: [60] };
/** The tones of each call: frequency in hertz, then start and end in seconds. */
const TONES: Record<Call, readonly (readonly [number, number, number])[]> = {
  flag: [
    [880, 0, 0.22],
    [587, 0.25, 0.6],
  ],
  expected: [],
  wanted: [[1175, 0, 0.5]],
  silent: [[220, 0, 0.35]],
};
/** Interval between repeated sounds for an unacknowledged flag. */
const AGAIN_MS = 20_000;
/** Clocks that lose their signal within this time raise a single alarm, because one failed switch disconnects a whole row. */
const GATHER_MS = 3000;

export class Alarm {
  readonly #settings: Settings;
  readonly #notices: Notices;
  readonly #calling = new Map<string, ReturnType<typeof setInterval>>();
  /** Boards that have lost their signal and are not announced yet. */
  readonly #silent = new Map<string, BoardState>();
  #telling: ReturnType<typeof setTimeout> | undefined;
  #audio: AudioContext | null = null;

  constructor(settings: Settings, open: (place: string) => void) {
    this.#settings = settings;
    this.#notices = new Notices(open);
  }

  /**
   * Alerts the arbiter if a board's change raises a call, and starts or stops the repeated sound for a flag. `before` is undefined if the
   * board is new to this device.
   */
  changed(state: BoardState, before: BoardState | undefined, seen: ReadonlySet<string>): void {
    const call = before && callOf(state, before);
    if (call === "silent") this.#gather(state);
    else if (call) this.#call(call, state);
    if (this.#silent.has(state.board)) this.#silent.set(state.board, state);
    // A finished game has no flag to rule on, whatever its clock still shows.
    const down = statesOf(state, { nowUs: state.hubUs, refused: false }).find((one) => one.key === "flag");
    // Once an arbiter is on the way, no other arbiter needs a reminder.
    if (!down || seen.has(seenKey(state, down)) || arbiterOnTheWay(state, "flag") !== null) this.#rest(state.board);
    else this.#again(state);
  }

  /** Ends a board's alerts, because its call was acknowledged or the board was removed. */
  quiet(board: string): void {
    this.#silent.delete(board);
    this.#rest(board);
  }

  /** Stops the repeated sound for a board's flag. */
  #rest(board: string): void {
    clearInterval(this.#calling.get(board));
    this.#calling.delete(board);
  }

  /** Enables sound if the settings allow it. Browsers play no sound before the first tap or key press after a load. */
  async touched(): Promise<void> {
    if (!this.#settings.sound) return;
    this.#audio ??= new AudioContext();
    if (this.#audio.state !== "running") await this.#audio.resume();
  }

  permission(): NotificationPermission | "none" {
    return this.#notices.permission();
  }

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

  /** @param boards the boards to which the notification leads */
  #alarm(call: Call, boards: readonly BoardState[], told: () => NoticeWords): void {
    this.#sound(call);
    if (this.#settings.vibration && "vibrate" in navigator && "userActivation" in navigator && navigator.userActivation.hasBeenActive)
      navigator.vibrate(VIBRATION[call]);
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

/** Returns the call that a change raises; null if none. */
export function callOf(state: BoardState, before: BoardState): Call | null {
  if (state.phase === "over") return null;
  const newly = (flag: "fallen" | "expected"): boolean => SIDES.some((side) => state[side].flag === flag && before[side].flag !== flag);
  if (newly("fallen")) return "flag";
  if (state.arbiterCalledUs !== undefined && before.arbiterCalledUs === undefined) return "wanted";
  if (newly("expected")) return "expected";
  return before.online && !state.online && state.phase === "running" ? "silent" : null;
}

/** Returns true if the reason for a call still exists. */
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

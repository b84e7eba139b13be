// The state of enrolment at the hub: the open window with its list of clocks, and the sheets with unused codes.
//
// Owns the newest state and the countdown. Must never admit a clock: the arbiter does.

import { SvelteMap } from "svelte/reactivity";
import { ClockAdmission, type EnrolmentSheet, type EnrollingClock, type EnrolmentState, type EnrolmentWindow, type SheetState } from "$gen/api/enrolment_pb.js";
import { sleep } from "$lib/hall/follow.js";
import type { Transport } from "$lib/transport/transport.js";
import { Refused } from "$lib/transport/transport.js";
import { failureWords } from "$lib/words/refusal.js";

const AGAIN_MS = 1000;
const SECOND_MS = 1000;

/** The cards created since this page was loaded. The hub does not store codes, so only this page can print them. */
export const printable = new SvelteMap<bigint, { sheet: EnrolmentSheet; untilMs: number }>();

export class Enrolment {
  window: EnrolmentWindow | null = $state.raw(null);
  sheets: SheetState[] = $state.raw([]);
  known = $state(false);
  refusal = $state("");
  busy = $state(false);
  leftS = $state(0);
  #untilMs = 0;
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async follow(signal: AbortSignal): Promise<void> {
    const tick = setInterval(() => this.#look(), SECOND_MS);
    signal.addEventListener("abort", () => clearInterval(tick));
    while (!signal.aborted) {
      try {
        for await (const state of this.#transport.enrolment.watch(signal)) this.#take(state);
      } catch (error) {
        if (error instanceof Refused) {
          this.refusal = failureWords(error);
          return;
        }
      }
      await sleep(AGAIN_MS, signal);
    }
  }

  /** Runs an arbiter's request, and shows the resulting state or the refusal. */
  async ask(work: (calls: Transport["enrolment"]) => Promise<EnrolmentState | undefined>): Promise<boolean> {
    this.busy = true;
    this.refusal = "";
    try {
      const state = await work(this.#transport.enrolment);
      if (state) this.#take(state);
      return true;
    } catch (error) {
      this.refusal = failureWords(error);
      return false;
    } finally {
      this.busy = false;
    }
  }

  #take(state: EnrolmentState): void {
    this.window = state.window ?? null;
    this.sheets = state.sheets;
    this.known = true;
    this.#untilMs = performance.now() + Number(state.window?.leftUs ?? 0n) / 1000;
    this.#look();
  }

  #look(): void {
    this.leftS = Math.max(0, Math.ceil((this.#untilMs - performance.now()) / 1000));
  }
}

export const waits = (clock: EnrollingClock): boolean => clock.admission === ClockAdmission.WAITING;
export const admitted = (clock: EnrollingClock): boolean => clock.admission === ClockAdmission.ADMITTED;
export const turnedAway = (clock: EnrollingClock): boolean => clock.admission === ClockAdmission.REFUSED;

export function countdown(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** Splits a code into groups of four, for reading from paper. The clock accepts the code with or without spaces. */
export function inGroups(uri: string): string[] {
  const [address = "", secret = ""] = uri.split("#");
  // A line has four groups.
  const lines = (text: string): string[] => (text.match(/.{1,16}\.?/g) ?? []).map((line) => line.match(/.{1,4}\.?/g)?.join(" ") ?? "");
  const [authority = "", token = ""] = secret.split(".");
  return [`${address}#`, ...lines(`${authority}.`), ...lines(token)];
}

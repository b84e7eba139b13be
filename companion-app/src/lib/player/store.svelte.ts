// Follows a player's game and sends the player's actions.
//
// Owns the link, and reconnects until the page is closed or the hub denies this device. If the response to an action is lost, the action is
// sent again with the same id, up to three times. Must never guess how the hub would respond.

import { ActRefusal } from "$gen/api/player_pb.js";
import { PlayerActKind } from "$gen/frames/time_chess_pb.js";
import { pause } from "$lib/abort.js";
import { Painter } from "$lib/draw/painter.js";
import { HubTime } from "$lib/hall/hub-time.js";
import { NotEnrolled, Unreachable, type Transport } from "$lib/transport/transport.js";
import { stateOf, type PlayerState } from "./game.js";

const AGAIN_MS = 500;
const LONGEST_MS = 5000;
const ACT_ATTEMPTS = 4;

export type LinkState = "connecting" | "live" | "lost" | "unknown";

export class PlayerStore {
  readonly time = new HubTime();
  readonly painter = new Painter(this.time);
  state: PlayerState | null = $state.raw(null);
  link: LinkState = $state("connecting");
  busy = $state(false);
  /** The reason why the latest action had no effect; `UNSPECIFIED` if it was not refused. */
  refusal: ActRefusal = $state(ActRefusal.UNSPECIFIED);
  /** True if the request for the latest action failed. */
  unanswered = $state(false);
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async follow(signal: AbortSignal): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      try {
        for await (const update of this.#transport.player.watch(signal, () => undefined)) {
          failures = 0;
          this.link = "live";
          if (this.time.sample(Number(update.hubUs))) this.painter.redrawAll();
          this.state = stateOf(update);
        }
      } catch (error) {
        if (error instanceof NotEnrolled && (await this.#isUnknown(signal))) return;
      }
      if (isOver(signal)) return;
      failures += 1;
      this.link = "lost";
      await pause(Math.min(LONGEST_MS, AGAIN_MS * 2 ** Math.min(failures, 4)), signal);
    }
  }

  /**
   * Asks the hub for this device's identity, which also renews an expired session. Returns true if the hub answers that the device is not
   * enrolled.
   */
  async #isUnknown(signal: AbortSignal): Promise<boolean> {
    try {
      await this.#transport.identity(signal);
      return false;
    } catch (error) {
      if (!(error instanceof NotEnrolled)) return false;
      this.link = "unknown";
      return true;
    }
  }

  /** Sends an action. Returns true if it took effect. */
  async act(kind: PlayerActKind, move = ""): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.refusal = ActRefusal.UNSPECIFIED;
    this.unanswered = false;
    const id = crypto.getRandomValues(new Uint8Array(16));
    try {
      for (let attempt = 1; ; attempt += 1) {
        try {
          this.refusal = await this.#transport.player.act(id, kind, move);
          return this.refusal === ActRefusal.UNSPECIFIED;
        } catch (error) {
          if (!(error instanceof Unreachable) || attempt === ACT_ATTEMPTS) throw error;
          await pause(AGAIN_MS * attempt, new AbortController().signal);
        }
      }
    } catch {
      this.unanswered = true;
      return false;
    } finally {
      this.busy = false;
    }
  }
}

/** Reads the signal in a function, because TypeScript would assume that it cannot have changed while the stream was open. */
const isOver = (signal: AbortSignal): boolean => signal.aborted;

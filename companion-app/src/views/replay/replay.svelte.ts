// The game on the replay page, and the current supposition about it.
//
// Owns the requests to the hub: a newer request cancels an older one. If a request fails, the replay and its supposition stay unchanged.

import { AS_IT_WAS, isEmpty, wireSupposition, type Supposition } from "$lib/replay/supposition.js";
import { replayFromWire, type Replay } from "$lib/replay/timeline.js";
import { paperProof, type PaperProof } from "$lib/replay/paper-proof.js";
import type { GameWanted, Transport } from "$lib/transport/transport.js";
import { failureWords } from "$lib/words/refusal.js";

export class ReplayStore {
  replay: Replay | null = $state.raw(null);
  supposed: Supposition = $state.raw(AS_IT_WAS);
  computing = $state(false);
  /** The proof of the game's last record, for the printed page; null if the hub has not given one. */
  proof: PaperProof | null = $state.raw(null);
  /** The reason why the last request failed; empty if it succeeded or is under way. */
  refusal = $state("");
  readonly #transport: Pick<Transport, "replay" | "proof">;
  #life = new AbortController();

  constructor(transport: Pick<Transport, "replay" | "proof">) {
    this.#transport = transport;
  }

  async load(game: GameWanted): Promise<void> {
    await this.#ask(game, this.supposed);
  }

  async suppose(supposed: Supposition): Promise<void> {
    const { was } = this.replay ?? {};
    if (!was) return;
    if (isEmpty(supposed) && this.replay) {
      this.stop();
      this.refusal = "";
      this.supposed = supposed;
      this.replay = { ...this.replay, would: null, moves: new Set(), flags: [] };
      return;
    }
    await this.#ask({ board: was.board, game: was.game, round: 0 }, supposed);
  }

  async #ask(game: GameWanted, supposed: Supposition): Promise<void> {
    this.stop();
    this.#life = new AbortController();
    const { signal } = this.#life;
    this.computing = true;
    this.refusal = "";
    try {
      const answer = await this.#transport.replay(game, isEmpty(supposed) ? null : wireSupposition(supposed), signal);
      if (signal.aborted) return;
      this.replay = replayFromWire(answer);
      this.supposed = supposed;
    } catch (error) {
      if (signal.aborted) return;
      this.refusal = failureWords(error);
    }
    this.computing = false;
    await this.#prove(signal);
  }

  async #prove(signal: AbortSignal): Promise<void> {
    const last = this.replay?.was.moments.at(-1)?.record;
    if (last === undefined || this.proof?.record === last) return;
    // Without a proof, the printed page says that there is none.
    const answer = await this.#transport.proof({ case: "record", value: BigInt(last) }, signal).catch(() => null);
    if (!signal.aborted) this.proof = answer ? paperProof(last, answer) : null;
  }

  stop(): void {
    this.#life.abort();
    this.computing = false;
  }
}

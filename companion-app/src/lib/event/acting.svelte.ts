// The state of a sheet's single action: whether it is under way, and why it failed. Asking again makes a new request.

import type { Change } from "$gen/frames/event_pb.js";
import type { App } from "$lib/app.svelte.js";
import { m } from "$gen/words/messages.js";
import { failureWords } from "$lib/words/refusal.js";
import { whyNot } from "$lib/words/why.js";

export class Acting {
  busy = $state(false);
  /** The reason why the last action failed; empty if it did not. */
  refusal = $state("");
  readonly #app: App;

  constructor(app: App) {
    this.#app = app;
  }

  /** The reason why no action is possible now; empty if an action is possible. */
  get why(): string {
    return whyNot(this.#app) || (this.busy ? m.sending() : "");
  }

  /** The reason why no action of the chief arbiter is possible now; empty if an action is possible. */
  get chiefs(): string {
    return this.why || (this.#app.chief ? "" : m.why_chief());
  }

  /**
   * Asks the hub to apply either all of these changes or none. If the request fails, sets `refusal` to the reason and returns false. Returns false
   * immediately if another action is under way.
   */
  make(changes: Change[], reason = ""): Promise<boolean> {
    return this.run(this.#app.event.asks(reason, changes));
  }

  async run(ask: () => Promise<unknown>): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.refusal = "";
    try {
      await ask();
      this.#app.event.look();
      return true;
    } catch (error) {
      this.refusal = failureWords(error);
      return false;
    } finally {
      this.busy = false;
    }
  }
}

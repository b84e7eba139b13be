// One act of a sheet at a time: on its way, done, or refused with the rule. Owns no wish: what is asked again is asked as a new one.

import type { Change } from "$gen/frames/event_pb.js";
import type { App } from "$lib/app.svelte.js";
import { m } from "$gen/words/messages.js";
import { failureWords } from "$lib/words/refusal.js";
import { whyNot } from "$lib/words/why.js";

export class Acting {
  busy = $state(false);
  /** Why the last act was refused; empty if it was not. */
  refusal = $state("");
  readonly #app: App;

  constructor(app: App) {
    this.#app = app;
  }

  /** Why nothing can be asked now; empty if it can. */
  get why(): string {
    return whyNot(this.#app) || (this.busy ? m.sending() : "");
  }

  /** The same for what the chief arbiter alone may do. */
  get chiefs(): string {
    return this.why || (this.#app.chief ? "" : m.why_chief());
  }

  /** Has the hub make these changes, all of them or none. False with the reason in `refusal`. */
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

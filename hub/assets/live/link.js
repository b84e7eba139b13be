// Says whether what is shown is live, and how old it is when it is not.

import { byId, setText } from "./dom.js";
import { clockText } from "./clock-text.js";

export class Link {
  /** @param {import("./announce.js").Announcer} announcer */
  constructor(announcer) {
    this.announcer = announcer;
    this.lostAtMs = 0;
    this.timer = 0;
    this.everLive = false;
  }

  /** @param {boolean} live */
  set(live) {
    if (live) {
      clearInterval(this.timer);
      if (this.lostAtMs && this.everLive) this.announcer.say("Live again.");
      this.lostAtMs = 0;
      this.everLive = true;
      delete document.documentElement.dataset.offline;
    } else if (!this.lostAtMs) {
      this.lostAtMs = performance.now();
      document.documentElement.dataset.offline = "";
      this.announcer.say(this.everLive ? "Connection lost. Clocks are drawn from what was last known." : "No connection yet.");
      this.timer = setInterval(() => this.#showAge(), 1000);
      this.#showAge();
    }
  }

  #showAge() {
    const us = (performance.now() - this.lostAtMs) * 1000;
    const [age] = clockText(Math.max(1e6, Math.floor(us / 1e6) * 1e6));
    setText(byId("age"), this.everLive ? `No connection for ${age}` : `Connecting for ${age}`);
  }
}

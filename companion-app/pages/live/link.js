// Shows the state of the connection and, while there is no connection, how long that has lasted.

import { m } from "$gen/words/messages.js";
import { ageText } from "$lib/draw/clock-text.js";
import { byId, setText } from "./dom.js";

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
      if (this.lostAtMs && this.everLive) this.announcer.say(m.pub_live_again());
      this.lostAtMs = 0;
      this.everLive = true;
      delete document.documentElement.dataset.offline;
    } else if (!this.lostAtMs) {
      this.lostAtMs = performance.now();
      document.documentElement.dataset.offline = "";
      this.announcer.say(this.everLive ? m.pub_link_lost() : m.pub_no_link_yet());
      this.timer = setInterval(() => this.#showAge(), 1000);
      this.#showAge();
    }
  }

  #showAge() {
    const age = ageText((performance.now() - this.lostAtMs) * 1000);
    setText(byId("age"), this.everLive ? m.pub_offline_for({ age }) : m.pub_connecting_for({ age }));
  }
}

// Announcements for screen readers: flag falls immediately, the rest at most every two seconds.

import { m } from "$gen/words/messages.js";

const POLITE_MS = 2000;

export class Announcer {
  /**
   * @param {HTMLElement} loud role="alert"
   * @param {HTMLElement} polite role="status"
   */
  constructor(loud, polite) {
    this.loud = loud;
    this.polite = polite;
    /** @type {string[]} */
    this.waiting = [];
    this.timer = 0;
  }

  /** @param {{text: string, loud: boolean}} news */
  tell({ text, loud }) {
    if (loud) this.alert(text);
    else this.say(text);
  }

  /** @param {string} text */
  alert(text) {
    // A new element each time, so that screen readers read a repeated text again; old elements are removed.
    const line = document.createElement("p");
    line.textContent = text;
    this.loud.append(line);
    while (this.loud.childElementCount > 3) this.loud.firstElementChild?.remove();
  }

  /** @param {string} text */
  say(text) {
    this.waiting.push(text);
    if (!this.timer) this.#next();
  }

  #next() {
    const texts = this.waiting.splice(0);
    this.timer = 0;
    if (!texts.length) return;
    this.polite.textContent = texts.length > 3 ? m.pub_boards_changed({ n: texts.length }) : texts.join(" ");
    this.timer = setTimeout(() => this.#next(), POLITE_MS);
  }
}

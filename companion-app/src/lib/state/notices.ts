// Notifications of the system: one for each board, and a tap on it opens that board.
//
// Owns how they are shown: by the page where it may, as on every desktop, and by the worker of the page (public/worker.js) where only that may,
// as on Android. A browser that does not trust the hub's certificate has no worker, and then there are none. Never throws: what is only told
// beside the sound and the strip must keep neither waiting.

import { pageWorker } from "$lib/offline/page-worker.svelte.js";

/** Beside the page. */
const ICON = "./mark.svg";

export interface NoticeWords {
  title: string;
  body: string;
}

/** What the worker says when a notification is tapped: which board's. */
interface Tapped {
  open: string;
}

export class Notices {
  readonly #open: (board: string) => void;
  #complained = false;

  /** @param open shows a board when its notification is tapped; the hall for an empty name */
  constructor(open: (board: string) => void) {
    this.#open = open;
    // A notification may be older than this page. A browser that does not trust the hub's certificate has nobody to hear from.
    const workers = "navigator" in globalThis && "serviceWorker" in navigator ? navigator.serviceWorker : null;
    workers?.addEventListener("message", ({ data }: MessageEvent<Tapped>) => this.#open(data.open));
  }

  /** What the system says of notifications to this page. */
  permission(): NotificationPermission | "none" {
    return "Notification" in globalThis ? Notification.permission : "none";
  }

  /** Asks the system once; what it has been told before, it says again. */
  async ask(): Promise<NotificationPermission | "none"> {
    return this.permission() === "default" ? Notification.requestPermission() : this.permission();
  }

  /** @param board empty for what concerns the hall */
  show(board: string, words: NoticeWords): void {
    if (this.permission() !== "granted") return;
    try {
      this.#byPage(board, words);
    } catch {
      this.#byWorker(board, words).catch((why: unknown) => this.#complain(why));
    }
  }

  /** Throws where a page may not, which only trying tells. */
  #byPage(board: string, { title, body }: NoticeWords): void {
    const note = new Notification(title, { body, tag: board, icon: ICON });
    note.onclick = () => {
      globalThis.focus();
      this.#open(board);
      note.close();
    };
  }

  async #byWorker(board: string, { title, body }: NoticeWords): Promise<void> {
    const worker = await pageWorker.hire();
    await worker.showNotification(title, { body, tag: board, icon: ICON, data: { board } });
  }

  /** Once: a flag that comes again would say the same. */
  #complain(why: unknown): void {
    if (!this.#complained) console.warn("this browser shows no notifications", why);
    this.#complained = true;
  }
}

// Notifications of the system: one for each board or group of boards, which a tap opens.
//
// Shown by the page where it may, as on every desktop, else by its worker (public/worker.js), as on Android. A browser that does not
// trust the hub's certificate has no worker and shows none. Must never throw: the sound and the strip must not wait.

import { pageWorker } from "$lib/offline/page-worker.svelte.js";

const ICON = "./mark.svg";

export interface NoticeWords {
  title: string;
  body: string;
}

/** The worker's message about a tapped notification: the place to open. */
interface Tapped {
  open: string;
}

export class Notices {
  readonly #open: (place: string) => void;
  #complained = false;

  /** @param open goes to the place of a tapped notification */
  constructor(open: (place: string) => void) {
    this.#open = open;
    // A tapped notification may be older than this page. With an untrusted certificate there is no worker.
    const workers = "navigator" in globalThis && "serviceWorker" in navigator ? navigator.serviceWorker : null;
    workers?.addEventListener("message", ({ data }: MessageEvent<Tapped>) => this.#open(data.open));
  }

  /** Returns the system's permission for notifications. */
  permission(): NotificationPermission | "none" {
    return "Notification" in globalThis ? Notification.permission : "none";
  }

  /** Asks for permission; the system repeats an earlier answer. */
  async ask(): Promise<NotificationPermission | "none"> {
    return this.permission() === "default" ? Notification.requestPermission() : this.permission();
  }

  /** @param place the fragment that a tap opens; a newer notification of the same place replaces this one */
  show(place: string, words: NoticeWords): void {
    if (this.permission() !== "granted") return;
    try {
      this.#byPage(place, words);
    } catch {
      this.#byWorker(place, words).catch((why: unknown) => this.#complain(why));
    }
  }

  /** Shows it from the page. Throws where only a worker may, which cannot be found out otherwise. */
  #byPage(place: string, { title, body }: NoticeWords): void {
    const note = new Notification(title, { body, tag: place, icon: ICON });
    note.onclick = () => {
      globalThis.focus();
      this.#open(place);
      note.close();
    };
  }

  async #byWorker(place: string, { title, body }: NoticeWords): Promise<void> {
    const worker = await pageWorker.hire();
    await worker.showNotification(title, { body, tag: place, icon: ICON, data: { place } });
  }

  /** Logs a failure once. */
  #complain(why: unknown): void {
    if (!this.#complained) console.warn("this browser shows no notifications", why);
    this.#complained = true;
  }
}

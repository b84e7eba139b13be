// System notifications: one for each board or group of boards. A tap on a notification opens its boards.
//
// Where the browser allows it, as on desktops, the page itself shows notifications. Elsewhere, as on Android, the page's worker shows
// them (public/worker.js). If the browser does not trust the hub's certificate, there is no worker, so there may be no notifications. Must
// never throw, so that the sound and the strip work without notifications.

import { pageWorker } from "$lib/offline/page-worker.svelte.js";

const ICON = "./mark.svg";

export interface NoticeWords {
  title: string;
  body: string;
}

/** The worker's message about a tapped notification, with the address to open. */
interface Tapped {
  open: string;
}

export class Notices {
  readonly #open: (place: string) => void;
  #complained = false;

  /** @param open goes to the address of a tapped notification */
  constructor(open: (place: string) => void) {
    this.#open = open;
    // The tapped notification may be from an earlier page. A browser without a secure context has no `serviceWorker`.
    const workers = "navigator" in globalThis && "serviceWorker" in navigator ? navigator.serviceWorker : null;
    workers?.addEventListener("message", ({ data }: MessageEvent<Tapped>) => this.#open(data.open));
  }

  permission(): NotificationPermission | "none" {
    return "Notification" in globalThis ? Notification.permission : "none";
  }

  /** Asks for permission to show notifications, unless the user has answered before. Returns the permission; `none` without notifications. */
  async ask(): Promise<NotificationPermission | "none"> {
    return this.permission() === "default" ? Notification.requestPermission() : this.permission();
  }

  /** @param place the fragment that a tap opens; a newer notification with the same fragment replaces this one */
  show(place: string, words: NoticeWords): void {
    if (this.permission() !== "granted") return;
    try {
      this.#byPage(place, words);
    } catch {
      this.#byWorker(place, words).catch((why: unknown) => this.#complain(why));
    }
  }

  /** Shows a notification from the page. Throws if only a worker may show notifications: an attempt is the only way to find out. */
  #byPage(place: string, { title, body }: NoticeWords): void {
    const note = new Notification(title, { body, tag: place, icon: ICON });
    note.onclick = () => {
      globalThis.focus();
      this.#open(place);
      note.close();
    };
  }

  async #byWorker(place: string, { title, body }: NoticeWords): Promise<void> {
    const worker = await pageWorker.whenRegistered();
    await worker.showNotification(title, { body, tag: place, icon: ICON, data: { place } });
  }

  #complain(why: unknown): void {
    if (!this.#complained) console.warn("this browser shows no notifications", why);
    this.#complained = true;
  }
}

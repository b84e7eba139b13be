// The installation of the page as an app, where the browser allows it.
//
// Owns the browser's offer, which arrives at any time and can be used once.

import { inApp } from "$lib/transport/shell.js";

/** Chromium's offer to install a page. */
interface InstallOffer extends Event {
  prompt(): Promise<{ outcome: "accepted" | "dismissed" }>;
}

/** `offered`: a button installs it. `share`: Safari on iPad and iPhone installs it from its share sheet. */
export type InstallWay = "installed" | "offered" | "share" | "none";

class Install {
  way: InstallWay = $state("none");
  #offer: InstallOffer | null = null;

  /** Listens for the browser's offer, which arrives early and only once. */
  start(): void {
    this.way = found();
    globalThis.addEventListener("beforeinstallprompt", (event) => {
      // Otherwise Chromium on Android shows a bar over the hall.
      event.preventDefault();
      this.#offer = event as InstallOffer;
      this.way = "offered";
    });
    globalThis.addEventListener("appinstalled", () => {
      this.#offer = null;
      this.way = "installed";
    });
  }

  /** Asks the arbiter in the browser's own dialog. */
  async ask(): Promise<void> {
    const offer = this.#offer;
    this.#offer = null;
    if (!offer) return;
    const { outcome } = await offer.prompt();
    this.way = outcome === "accepted" ? "installed" : "none";
  }
}

export const install = new Install();

function found(): InstallWay {
  if (inApp()) return "none";
  if (matchMedia("(display-mode: standalone)").matches) return "installed";
  // Only Safari on iPad and iPhone has this property.
  return "standalone" in navigator ? "share" : "none";
}

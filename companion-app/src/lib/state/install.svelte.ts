// The installation of the page as an app, if the browser allows it.
//
// Owns the browser's offer, which may arrive at any time and can be used only once.

import { inApp } from "$lib/transport/shell.js";

/** Chromium's offer to install a page. */
interface InstallOffer extends Event {
  prompt(): Promise<{ outcome: "accepted" | "dismissed" }>;
}

/** The ways to install. `offered`: a button opens the browser's dialog. `share`: Safari on iPad and iPhone installs from its share sheet. */
export type InstallWay = "installed" | "offered" | "share" | "none";

class Install {
  way: InstallWay = $state("none");
  #offer: InstallOffer | null = null;

  /** Starts to listen for the browser's offer. Must be called early, because the offer is not repeated. */
  start(): void {
    this.way = found();
    globalThis.addEventListener("beforeinstallprompt", (event) => {
      // Prevents the bar that Chromium on Android would otherwise show over the hall.
      event.preventDefault();
      this.#offer = event as InstallOffer;
      this.way = "offered";
    });
    globalThis.addEventListener("appinstalled", () => {
      this.#offer = null;
      this.way = "installed";
    });
  }

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
  // Browsers on iPad and iPhone have the property `standalone`.
  return "standalone" in navigator ? "share" : "none";
}

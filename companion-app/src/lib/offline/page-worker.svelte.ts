// The page's side of its worker (public/worker.js): hires it, and knows whether the page opens without the hub.
//
// Owns how the page changes to a newer build: when it is loaded the next time, or when the arbiter asks for it. Must never load it by itself.

import { inApp } from "$lib/transport/shell.js";

const WORKER = "./worker.js";
/** How often the hub is asked for a newer build while the page is open. */
const LOOK_MS = 60 * 60 * 1000;
/** How long a newer build may take to arrive once the arbiter has asked for it. */
const BUILD_MS = 15_000;

/**
 * `inApp`: the app has its files itself. `none`: this browser has no workers here. `refused`: it does not trust the hub's certificate.
 */
export type WorkerState = "inApp" | "none" | "starting" | "ready" | "refused";

class PageWorker {
  state: WorkerState = $state("starting");
  /** A newer build is on this device; the next load shows it. */
  newer = $state(false);
  #hired: Promise<ServiceWorkerRegistration> | null = null;

  /** Hires the worker. Without one the page works as long as it is open, and needs the hub to be opened. */
  start(): void {
    if (inApp()) this.state = "inApp";
    else if (!("serviceWorker" in navigator)) this.state = "none";
    else {
      // The first worker of all is no news.
      let known = navigator.serviceWorker.controller !== null;
      navigator.serviceWorker.addEventListener("controllerchange", () => {
        this.newer = known;
        known = true;
      });
      this.hire().catch(() => undefined);
      setInterval(() => this.look(), LOOK_MS);
    }
  }

  /** The worker, once it runs. Throws where the browser lets the page have none. */
  hire(): Promise<ServiceWorkerRegistration> {
    this.#hired ??= this.#register();
    return this.#hired;
  }

  async #register(): Promise<ServiceWorkerRegistration> {
    const { serviceWorker } = navigator;
    try {
      await serviceWorker.register(WORKER, { updateViaCache: "none" });
      const registration = await serviceWorker.ready;
      this.state = "ready";
      return registration;
    } catch (error) {
      // The hub may only have been away: the next wish asks again.
      this.#hired = null;
      this.state = isRefusal(error) ? "refused" : "none";
      throw error;
    }
  }

  /** Asks the hub for a newer build: it may have been updated while it was away. */
  look(): void {
    if (this.state === "ready") void this.hire().then((worker) => worker.update(), () => undefined).catch(() => undefined);
  }

  /** Loads the page again, in the hub's newest build. */
  async loadNewest(): Promise<void> {
    const registration = "serviceWorker" in navigator ? await navigator.serviceWorker.getRegistration() : undefined;
    // A worker that cannot fetch the newer build would show the old one for ever: then the page does without until the next time.
    if (registration && !this.newer && !(await updated(registration))) await registration.unregister();
    globalThis.location.reload();
  }
}

export const pageWorker = new PageWorker();

/** Browsers say so of a certificate that they do not trust, and of an origin that is not secure. */
function isRefusal(error: unknown): boolean {
  return error instanceof DOMException && error.name === "SecurityError";
}

/** Whether a newer worker takes over in time. */
async function updated(registration: ServiceWorkerRegistration): Promise<boolean> {
  try {
    await registration.update();
    const coming = registration.installing ?? registration.waiting;
    return coming !== null && (await activated(coming));
  } catch {
    return false;
  }
}

function activated(worker: ServiceWorker): Promise<boolean> {
  return new Promise((done) => {
    const late = setTimeout(() => done(false), BUILD_MS);
    const look = (): void => {
      if (worker.state !== "activated" && worker.state !== "redundant") return;
      clearTimeout(late);
      done(worker.state === "activated");
    };
    worker.addEventListener("statechange", look);
    look();
  });
}

/** Whether the hub has another build than the one that this page runs; false where it does not answer. */
export async function hubHasNewer(): Promise<boolean> {
  const mine = document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src;
  if (mine === undefined || inApp()) return false;
  try {
    const answer = await fetch("./", { cache: "no-store", headers: { accept: "text/html" } });
    const name = new URL(mine).pathname.split("/").at(-1) ?? "";
    return answer.ok && !(await answer.text()).includes(name);
  } catch {
    return false;
  }
}

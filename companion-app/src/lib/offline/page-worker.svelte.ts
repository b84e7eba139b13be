// The page's side of its service worker (public/worker.js): registers it, and knows whether the page can open without the hub.
//
// Owns the update to a newer build: at the next load, or when the arbiter asks for it. Must never reload the page by itself.

import { inApp } from "$lib/transport/shell.js";

const WORKER = "./worker.js";
/** Interval between checks for a newer build. */
const LOOK_MS = 60 * 60 * 1000;
/** Time limit for loading a newer build after the arbiter has asked for it. */
const BUILD_MS = 15_000;

/**
 * The state of the worker. `inApp`: the app has its own files. `none`: the browser has no service workers, or the registration failed.
 * `refused`: the browser does not trust the hub's certificate.
 */
export type WorkerState = "inApp" | "none" | "starting" | "ready" | "refused";

class PageWorker {
  state: WorkerState = $state("starting");
  /** True if a newer build is on this device; the next load of the page uses it. */
  newer = $state(false);
  #registered: Promise<ServiceWorkerRegistration> | null = null;

  /** Registers the worker. Without a worker an open page still works, but loading the page needs the hub. */
  start(): void {
    if (inApp()) this.state = "inApp";
    else if (!("serviceWorker" in navigator)) this.state = "none";
    else {
      // The first worker of a page is not an update.
      let known = navigator.serviceWorker.controller !== null;
      navigator.serviceWorker.addEventListener("controllerchange", () => {
        this.newer = known;
        known = true;
      });
      this.whenRegistered().catch(() => undefined);
      setInterval(() => this.look(), LOOK_MS);
    }
  }

  /** Returns the registration once the worker runs. Throws if the worker cannot be registered. */
  whenRegistered(): Promise<ServiceWorkerRegistration> {
    this.#registered ??= this.#register();
    return this.#registered;
  }

  async #register(): Promise<ServiceWorkerRegistration> {
    const { serviceWorker } = navigator;
    try {
      const registration = await serviceWorker.register(WORKER, { updateViaCache: "none" });
      const coming = registration.installing ?? registration.waiting;
      if (!registration.active && coming) await settled(coming);
      if (!registration.active) throw new Error("The worker could not cache every file of the build.");
      // On activation the worker claims the open pages, but it misses a page that is being loaded at that moment.
      if (!serviceWorker.controller) registration.active.postMessage("claim");
      this.state = "ready";
      return registration;
    } catch (error) {
      // The hub may only have been unreachable, so the next call tries again.
      this.#registered = null;
      this.state = isRefusal(error) ? "refused" : "none";
      throw error;
    }
  }

  /** Checks for a newer build; registers the worker if that failed before. */
  look(): void {
    if (this.state === "ready" || (this.state === "none" && "serviceWorker" in navigator))
      void this.whenRegistered()
        .then(
          (worker) => worker.update(),
          () => undefined,
        )
        .catch(() => undefined);
  }

  /** Reloads the page with the hub's newest build. */
  async loadNewest(): Promise<void> {
    const registration = "serviceWorker" in navigator ? await navigator.serviceWorker.getRegistration() : undefined;
    // A worker that cannot fetch the newer build would keep serving the old one, so it is removed. The next load registers it again.
    if (registration && !this.newer && !(await updated(registration))) await registration.unregister();
    globalThis.location.reload();
  }
}

export const pageWorker = new PageWorker();

/** Returns true if registration failed because of an untrusted certificate or an insecure origin. */
function isRefusal(error: unknown): boolean {
  return error instanceof DOMException && error.name === "SecurityError";
}

/** Returns true if a newer worker takes over within `BUILD_MS`. */
async function updated(registration: ServiceWorkerRegistration): Promise<boolean> {
  try {
    await registration.update();
    const coming = registration.installing ?? registration.waiting;
    return coming !== null && (await Promise.race([settled(coming), late(BUILD_MS)]));
  } catch {
    return false;
  }
}

/** Waits until the worker is active or has failed. Returns true if it is active. */
function settled(worker: ServiceWorker): Promise<boolean> {
  return new Promise((done) => {
    const look = (): void => {
      if (worker.state === "activated" || worker.state === "redundant") done(worker.state === "activated");
    };
    worker.addEventListener("statechange", look);
    look();
  });
}

function late(afterMs: number): Promise<false> {
  return new Promise((done) => setTimeout(() => done(false), afterMs));
}

/** Returns true if the hub has a different build from this page's; false in the app, or if the hub does not answer. */
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

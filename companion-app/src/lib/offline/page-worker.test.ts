import { afterEach, beforeEach, expect, test, vi } from "vitest";

// The page has one worker, and the test files of a process share their modules, so each test needs a module of its own.
beforeEach(() => void vi.resetModules());
afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

class Registration extends EventTarget {
  active: Worker | null = null;
  installing: Worker | null = new Worker();
  waiting = null;
  settle(state: "activated" | "redundant"): void {
    const worker = this.installing;
    if (!worker) throw new Error("No worker is being installed.");
    this.installing = null;
    if (state === "activated") this.active = worker;
    worker.state = state;
    worker.dispatchEvent(new Event("statechange"));
  }
}

class Worker extends EventTarget {
  state = "installing";
  received: unknown[] = [];
  postMessage(message: unknown): void {
    this.received.push(message);
  }
}

/** Starts the page's side in a browser that installs a worker at each registration. */
async function started(controller: Worker | null = null) {
  const registrations: Registration[] = [];
  const serviceWorker = Object.assign(new EventTarget(), {
    controller,
    register: () => {
      registrations.push(new Registration());
      return Promise.resolve(registrations.at(-1));
    },
  });
  vi.stubGlobal("navigator", { serviceWorker });
  const { pageWorker } = await import("./page-worker.svelte.js");
  pageWorker.start();
  await vi.waitFor(() => expect(registrations).toHaveLength(1));
  return { pageWorker, registrations };
}

test("a worker that could not cache its files is registered again when the hub is back", async () => {
  const { pageWorker, registrations } = await started();
  registrations[0]?.settle("redundant");
  await vi.waitFor(() => expect(pageWorker.state).toBe("none"));
  pageWorker.look();
  await vi.waitFor(() => expect(registrations).toHaveLength(2));
  registrations[1]?.settle("activated");
  await vi.waitFor(() => expect(pageWorker.state).toBe("ready"));
});

test("a page without a worker asks to be claimed, and no other page does", async () => {
  const without = await started();
  without.registrations[0]?.settle("activated");
  await vi.waitFor(() => expect(without.registrations[0]?.active?.received).toEqual(["claim"]));
  vi.resetModules();
  const under = await started(new Worker());
  under.registrations[0]?.settle("activated");
  await vi.waitFor(() => expect(under.pageWorker.state).toBe("ready"));
  expect(under.registrations[0]?.active?.received).toEqual([]);
});

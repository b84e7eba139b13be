// The shell that the page runs in: its connection to a hub, and how it enrols. Only this module knows that there are two.

import type { Enrolment } from "$lib/enrol/code.js";
import { browserKeys } from "$lib/enrol/keys.js";
import { BrowserSession } from "$lib/enrol/session.js";
import { appShell } from "./app-shell.js";
import { hubTransport } from "./grpc-web.js";
import type { Identity, Transport } from "./transport.js";

export interface Shell {
  readonly transport: Transport;
  /** Returns the arbiter whose device a code would enrol, without using it up; absent where only enrolling tells. Throws the hub's reason. */
  readonly offer?: (code: Enrolment) => Promise<Identity>;
  /** Enrols this device. Throws the hub's reason. */
  enrol(code: Enrolment, name: string): Promise<void>;
}

/** Reports whether the page runs in the app. */
export const inApp = (): boolean => "__TAURI_INTERNALS__" in globalThis;

export function thisShell(): Shell {
  if (inApp()) return appShell();
  return browserShell();
}

/** The shell of a page served by the hub: the session's cookie goes with every call, and the browser's key signs it. */
function browserShell(): Shell {
  const way = {
    base: globalThis.location.origin,
    fetch: (input: RequestInfo | URL, init?: RequestInit) => fetch(input, { ...init, credentials: "same-origin" }),
  };
  const session = new BrowserSession({ ...way, keys: browserKeys });
  const transport = hubTransport({ ...way, interceptors: [session.interceptor] });
  return {
    transport: { ...transport, identity: (signal) => session.identity(signal) },
    offer: (code) => session.offer(code),
    enrol: (code, name) => session.enrol(code, name),
  };
}

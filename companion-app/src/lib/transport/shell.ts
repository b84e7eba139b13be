// The shell that the page runs in: its connection to a hub, and where its keys are. Only this module knows that there are two.

import type { Enrolment } from "$lib/enrol/code.js";
import { BrowserKeys, databaseStore } from "$lib/enrol/browser-keys.js";
import { DeviceSession } from "$lib/enrol/session.js";
import { appShell } from "./app-shell.js";
import { sessionTransport } from "./grpc-web.js";
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
  const base = globalThis.location.origin;
  const sent = (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => fetch(input, { ...init, credentials: "same-origin" });
  const session = new DeviceSession({ keys: new BrowserKeys(databaseStore), send: (path, init) => sent(new URL(path, base), init) });
  return {
    transport: sessionTransport(session, { base, fetch: sent }),
    offer: (code) => session.offer(code),
    enrol: (code, name) => session.enrol(code, name),
  };
}

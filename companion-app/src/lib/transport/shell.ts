// The shell in which the page runs: its connection to a hub, and its keys. Only this module chooses between the two shells.

import type { Enrolment } from "$lib/enrol/code.js";
import { BrowserKeys, databaseStore } from "$lib/enrol/browser-keys.js";
import { DeviceSession } from "$lib/enrol/session.js";
import { appShell } from "./app-shell.js";
import { sessionTransport } from "./grpc-web.js";
import type { Identity, Transport } from "./transport.js";

export interface Shell {
  readonly transport: Transport;
  /** Returns the person for whom a code would enrol a device, without using up the code. On failure, throws the reason. Absent in the app. */
  readonly offer?: (code: Enrolment) => Promise<Identity>;
  /** Enrols this device. On failure, throws the reason. */
  enrol(code: Enrolment, name: string): Promise<void>;
}

export const inApp = (): boolean => "__TAURI_INTERNALS__" in globalThis;

export function thisShell(): Shell {
  if (inApp()) return appShell();
  return browserShell();
}

/** Returns the shell of a page served by the hub. The browser sends the session's cookie with every call, and the device's key signs the calls. */
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

// Which shell this is, and what it has: a way to a hub, and the enrolment of the device. The one place that knows there are two.

import type { Enrolment } from "$lib/enrol/code.js";
import { browserKeys } from "$lib/enrol/keys.js";
import { BrowserSession } from "$lib/enrol/session.js";
import { appShell } from "./app-shell.js";
import { hubTransport } from "./grpc-web.js";
import type { Identity, Transport } from "./transport.js";

export interface Shell {
  readonly transport: Transport;
  /** The arbiter whose device this would be with a code, which stays good; absent where only enrolling tells. Throws with the hub's sentence. */
  readonly offer?: (code: Enrolment) => Promise<Identity>;
  /** Enrols this device. Throws with the hub's sentence. */
  enrol(code: Enrolment, name: string): Promise<void>;
}

/** Whether the page is in the app, whose Rust side then answers. */
export const inApp = (): boolean => "__TAURI_INTERNALS__" in globalThis;

export function thisShell(): Shell {
  if (inApp()) return appShell();
  return browserShell();
}

/** The page that the hub itself has sent: its session's cookie goes with every call, and its own key signs them. */
function browserShell(): Shell {
  const way = { base: globalThis.location.origin, fetch: (input: RequestInfo | URL, init?: RequestInit) => fetch(input, { ...init, credentials: "same-origin" }) };
  const session = new BrowserSession({ ...way, keys: browserKeys });
  const transport = hubTransport({ ...way, interceptors: [session.interceptor] });
  return { transport: { ...transport, identity: (signal) => session.identity(signal) }, offer: (code) => session.offer(code), enrol: (code, name) => session.enrol(code, name) };
}

// Which shell this is, and what it has: a way to a hub, and the enrolment of the device. The one place that knows there are two.

import type { Enrolment } from "$lib/enrol/code.js";
import { enrol } from "$lib/enrol/enrol.js";
import { appShell } from "./app-shell.js";
import { browserTransport } from "./grpc-web.js";
import type { Transport } from "./transport.js";

export interface Shell {
  readonly transport: Transport;
  /** Enrols this device. Throws with the hub's sentence. */
  enrol(code: Enrolment, name: string): Promise<void>;
}

/** Whether the page is in the app, whose Rust side then answers. */
export const inApp = (): boolean => "__TAURI_INTERNALS__" in globalThis;

export function thisShell(): Shell {
  if (inApp()) return appShell();
  return { transport: browserTransport(), enrol };
}

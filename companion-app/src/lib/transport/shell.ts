// Which shell this is, and what it has: a way to a hub, and the enrolment of the device. The one place that knows there are two.

import type { Enrolment } from "$lib/enrol/code.js";
import { enrol } from "$lib/enrol/enrol.js";
import { browserTransport } from "./grpc-web.js";
import type { Transport } from "./transport.js";

export interface Shell {
  readonly transport: Transport;
  /** Enrols this device. Throws with the hub's sentence. */
  enrol(code: Enrolment, name: string): Promise<void>;
}

export function thisShell(): Shell {
  return { transport: browserTransport(), enrol };
}

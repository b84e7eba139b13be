// Which way this shell has to the hub. The one place that knows there are two shells.

import { browserTransport } from "./grpc-web.js";
import type { Transport } from "./transport.js";

export function shellTransport(): Transport {
  return browserTransport();
}

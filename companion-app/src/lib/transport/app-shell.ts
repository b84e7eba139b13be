// The app's connection to a hub. The Rust side holds the connection, trusts only the hub of the enrolment code, and keeps the session's
// cookie and the keys. This module offers the connection as a `fetch`, so that all code above it is the same as in a browser.
//
// Owns the page's side of the encoding (src-tauri/src/ipc.rs). Must never read a message or retry.

import { Channel, invoke } from "@tauri-apps/api/core";
import { Arbiter } from "$gen/api/arbiter_pb.js";
import { Tournament } from "$gen/api/tournament_pb.js";
import { unlessAborted } from "$lib/abort.js";
import { AppKeys } from "$lib/enrol/app-keys.js";
import { codeText, type Enrolment } from "$lib/enrol/code.js";
import { DeviceSession } from "$lib/enrol/session.js";
import { sessionTransport } from "./grpc-web.js";
import type { Shell } from "./shell.js";

/** A placeholder for the hub's address in the page's requests. The Rust side knows the real address. */
const BASE = "https://hub.flagfall";
const STREAMS: ReadonlySet<string> = new Set(
  [Arbiter, Tournament].flatMap((service) =>
    service.methods.filter((method) => method.methodKind === "server_streaming").map((method) => `/${service.typeName}/${method.name}`),
  ),
);
/** The kinds of a stream's pieces; the kind is the first byte. */
const PIECE = { end: 0, data: 1, failed: 2 } as const;
/** Size in bytes of the length field that precedes the head of a response. */
const LENGTH_BYTES = 4;

interface Head {
  status: number;
  headers: [string, string][];
}

let streams = 0;

export function appShell(): Shell {
  const session = new DeviceSession({ keys: new AppKeys(), send: sessionRequest });
  return {
    transport: sessionTransport(session, { base: BASE, fetch: throughApp }),
    enrol: (code, name) => session.enrol(code, name),
  };
}

/** Calls a service through the Rust side. Like `fetch`, it throws if there is no response. */
export async function throughApp(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const { pathname } = new URL(input instanceof Request ? input.url : input);
  const frame = new Uint8Array(await new Response(init.body ?? null).arrayBuffer());
  const given = new Headers(init.headers);
  if (STREAMS.has(pathname)) return stream(pathname, frame, given.get("grpc-timeout"), init.signal);
  const passed = { "flagfall-path": pathname, "flagfall-within": given.get("grpc-timeout"), "flagfall-signature": given.get("flagfall-signature") };
  const headers = Object.entries(passed).filter((one): one is [string, string] => one[1] !== null);
  return whole(await abortable(init.signal, invoke<ArrayBuffer>("hub_unary", frame, { headers })));
}

/** Sends a request about a session to the hub of a code or, without a code, to this device's hub. */
async function sessionRequest(path: string, { body, signal }: RequestInit, code?: Enrolment): Promise<Response> {
  const args = { path, body: typeof body === "string" ? body : null, code: code ? codeText(code) : null };
  return whole(await abortable(signal, invoke<ArrayBuffer>("hub_session", args)));
}

async function stream(path: string, frame: Uint8Array, within: string | null, signal?: AbortSignal | null): Promise<Response> {
  const id = (streams += 1);
  const cancel = (): void => void invoke("hub_cancel", { id });
  const pieces = new Channel<ArrayBuffer>();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      let open = true;
      const ended = (how: () => void): void => {
        if (!open) return;
        open = false;
        signal?.removeEventListener("abort", aborted);
        how();
        // Cancelling also removes the stream from the Rust side's list.
        cancel();
      };
      const aborted = (): void => ended(() => controller.error(signal?.reason));
      signal?.addEventListener("abort", aborted);
      pieces.onmessage = (message) => {
        const [kind] = new Uint8Array(message, 0, 1);
        const rest = new Uint8Array(message, 1);
        if (kind === PIECE.data && open) controller.enqueue(rest);
        if (kind === PIECE.end) ended(() => controller.close());
        if (kind === PIECE.failed) ended(() => controller.error(new TypeError(new TextDecoder().decode(rest))));
      };
    },
    cancel,
  });
  const begun = invoke<ArrayBuffer>("hub_stream", { path, frame: [...frame], within, id, pieces });
  try {
    return new Response(body, headOf(await abortable(signal, begun)));
  } catch (error) {
    // The stream may begin on the Rust side after it has ended in the page, so cancel it then.
    begun.then(cancel, cancel);
    throw error;
  }
}

function abortable<T>(signal: AbortSignal | null | undefined, answer: Promise<T>): Promise<T> {
  const said = answer.catch((why: unknown) => {
    throw why instanceof Error ? why : new TypeError(String(why));
  });
  return unlessAborted(signal, said);
}

function whole(answer: ArrayBuffer): Response {
  return new Response(new Uint8Array(answer, LENGTH_BYTES + headLength(answer)), headOf(answer));
}

function headLength(answer: ArrayBuffer): number {
  return new DataView(answer).getUint32(0);
}

function headOf(answer: ArrayBuffer): ResponseInit {
  const text = new TextDecoder().decode(new Uint8Array(answer, LENGTH_BYTES, headLength(answer)));
  const { status, headers } = JSON.parse(text) as Head;
  return { status, headers };
}

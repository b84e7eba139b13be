import { Channel, type InvokeArgs, type InvokeOptions } from "@tauri-apps/api/core";
import { clearMocks, mockIPC } from "@tauri-apps/api/mocks";
import { create, toBinary } from "@bufbuild/protobuf";
import { AnySchema, anyPack } from "@bufbuild/protobuf/wkt";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CommandReplySchema, CommandRequestSchema, HallSchema, WatchUpdateSchema } from "$gen/api/arbiter_pb.js";
import { RefusalCode, RefusalSchema, type Refusal } from "$gen/frames/refusal_pb.js";
import { appShell, throughApp } from "./app-shell.js";
import { thisShell } from "./shell.js";
import { NotEnrolled, Refused, Unreachable } from "./transport.js";

interface Invocation {
  command: string;
  args: InvokeArgs | undefined;
  options: InvokeOptions | undefined;
}
type Rust = (invocation: Invocation) => unknown;
interface Internals {
  invoke(command: string, args?: InvokeArgs, options?: InvokeOptions): Promise<unknown>;
  runCallback(id: number, message: unknown): void;
}

let invocations: Invocation[] = [];

beforeEach(() => {
  invocations = [];
  vi.stubGlobal("window", globalThis);
});
afterEach(() => {
  clearMocks();
  Reflect.deleteProperty(globalThis, "__TAURI_INTERNALS__");
  vi.unstubAllGlobals();
});

/** Fakes the Rust side of a device in a session. */
function pretend(rust: Rust): Internals {
  return pretendAll((call) => SESSION[call.command]?.() ?? rust(call));
}

function pretendAll(rust: Rust): Internals {
  // `mockIPC` alone would drop an invocation's headers, which name the call.
  mockIPC(() => undefined);
  const internals = Reflect.get(globalThis, "__TAURI_INTERNALS__") as Internals;
  internals.invoke = (command, args, options) => {
    const call = { command, args, options };
    invocations.push(call);
    return Promise.resolve(rust(call));
  };
  return internals;
}

function answer(status: number, headers: Record<string, string>, body: Uint8Array = new Uint8Array()): ArrayBuffer {
  const head = new TextEncoder().encode(JSON.stringify({ status, headers: Object.entries(headers) }));
  const whole = new Uint8Array(4 + head.length + body.length);
  new DataView(whole.buffer).setUint32(0, head.length);
  whole.set(head, 4);
  whole.set(body, 4 + head.length);
  return whole.buffer;
}

const SESSION: Record<string, () => unknown> = {
  hub_session: () => answer(200, {}, new TextEncoder().encode(`{"name":"J. Doe","role":"chief","device":"d-1","session":"s1"}`)),
  keys_read: () => ({ enrolled: { device: "d-1", publicKey: "" }, pending: [] }),
  key_sign: () => "c2lnbmVk",
};

const GRPC = { "content-type": "application/grpc-web+proto" };

function frame(flags: number, message: Uint8Array): Uint8Array {
  const framed = new Uint8Array(5 + message.length);
  framed[0] = flags;
  new DataView(framed.buffer).setUint32(1, message.length);
  framed.set(message, 5);
  return framed;
}
const trailers = (text: string): Uint8Array => frame(0x80, new TextEncoder().encode(text));
const joined = (...parts: Uint8Array[]): Uint8Array => new Uint8Array(parts.flatMap((part) => [...part]));

test("a call is signed and passed on, and its answer is returned", async () => {
  const reply = toBinary(CommandReplySchema, create(CommandReplySchema, {}));
  pretend(() => answer(200, GRPC, joined(frame(0, reply), trailers("grpc-status: 0\r\n"))));
  const request = create(CommandRequestSchema, { board: "7" });
  await appShell().transport.send(request);
  expect(invocations.map((one) => one.command)).toEqual(["hub_session", "keys_read", "key_sign", "hub_unary"]);
  const message = toBinary(CommandRequestSchema, request);
  const signed = joined(new TextEncoder().encode("flagfall-command-v1\n/flagfall.api.v1.Arbiter/Send\ns1\n"), message);
  expect([invocations[2]?.args, invocations[2]?.options?.headers]).toEqual([signed, { "flagfall-device": "d-1" }]);
  const headers = Object.fromEntries(new Headers(invocations[3]?.options?.headers));
  expect(headers).toEqual({ "flagfall-path": "/flagfall.api.v1.Arbiter/Send", "flagfall-signature": "c2lnbmVk" });
  expect(invocations[3]?.args).toEqual(frame(0, message));
});

test("a time limit is passed on", async () => {
  pretend(() => answer(200, GRPC));
  await throughApp("https://hub.flagfall/flagfall.api.v1.Arbiter/GetHall", {
    method: "POST",
    headers: { "grpc-timeout": "500m" },
    body: frame(0, new Uint8Array()).slice(),
  });
  expect(Object.fromEntries(new Headers(invocations[0]?.options?.headers))).toMatchObject({ "flagfall-within": "500m" });
});

test("a refusal of the hub is a refusal here", async () => {
  pretend(() => answer(200, { ...GRPC, "grpc-status": "9", "grpc-message": "the%20flag%20has%20fallen" }));
  await expect(appShell().transport.send(create(CommandRequestSchema, {}))).rejects.toEqual(new Refused("the flag has fallen"));
});

/** Encodes a google.rpc.Status with a refusal in its details, as the hub does. */
function detailed(code: number, text: string, why: Refusal): string {
  const part = (field: number, bytes: Uint8Array): Uint8Array => joined(new Uint8Array([(field << 3) | 2, bytes.length]), bytes);
  const status = joined(new Uint8Array([8, code]), part(2, new TextEncoder().encode(text)), part(3, toBinary(AnySchema, anyPack(RefusalSchema, why))));
  return btoa(String.fromCharCode(...status)).replace(/=+$/, "");
}

test("a refusal keeps its code, also that of a silent clock", async () => {
  const why = create(RefusalSchema, { code: RefusalCode.CLOCK_SILENT, board: "7" });
  for (const status of [9, 14]) {
    pretend(() =>
      answer(200, { ...GRPC, "grpc-status": String(status), "grpc-message": "silent", "grpc-status-details-bin": detailed(status, "silent", why) }),
    );
    const failed: unknown = await appShell()
      .transport.send(create(CommandRequestSchema, {}))
      .catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(Refused);
    expect(failed).toMatchObject({ message: "silent", why: { code: RefusalCode.CLOCK_SILENT, text: "silent", board: "7" } });
  }
  pretend(() => answer(200, { ...GRPC, "grpc-status": "14", "grpc-message": "stopping" }));
  await expect(appShell().transport.send(create(CommandRequestSchema, {}))).rejects.toBeInstanceOf(Unreachable);
});

test("a device that is not enrolled learns so", async () => {
  const none = { enrolled: null, pending: [] };
  const not = (): ArrayBuffer => answer(401, { "content-type": "text/plain" }, new TextEncoder().encode("this device is not enrolled with a hub"));
  pretendAll(({ command }) => (command === "keys_read" ? none : not()));
  const signal = new AbortController().signal;
  await expect(appShell().transport.identity(signal)).rejects.toBeInstanceOf(NotEnrolled);
  await expect(appShell().transport.hall(signal)).rejects.toBeInstanceOf(NotEnrolled);
});

test("the identity comes from the hub", async () => {
  pretend(() => undefined);
  await expect(appShell().transport.identity(new AbortController().signal)).resolves.toMatchObject({ name: "J. Doe", role: "chief" });
  expect(invocations.map(({ command }) => command)).toEqual(["hub_session"]);
});

test("an unreachable hub is not a refusal", async () => {
  pretend(() => Promise.reject(new Error("the hub at 192.0.2.7:7464 cannot be reached: connection refused")));
  const failed = appShell().transport.send(create(CommandRequestSchema, {}));
  await expect(failed).rejects.toBeInstanceOf(Unreachable);
  await expect(failed).rejects.toThrow("cannot be reached");
});

function pretendStream(): { piece: (kind: number, bytes?: Uint8Array) => void; begun: Promise<void> } {
  let index = 0;
  let id = -1;
  let begin = (): void => undefined;
  const begun = new Promise<void>((done) => (begin = done));
  const internals = pretend(({ command, args }) => {
    if (command !== "hub_stream") return undefined;
    const { pieces } = args as { pieces: Channel<ArrayBuffer> };
    id = pieces.id;
    begin();
    return answer(200, GRPC);
  });
  return {
    begun,
    piece: (kind, bytes = new Uint8Array()) => {
      internals.runCallback(id, { index, message: joined(new Uint8Array([kind]), bytes).buffer });
      index += 1;
    },
  };
}

test("a stream arrives in pieces, cut anywhere", async () => {
  const { piece, begun } = pretendStream();
  const feed = appShell()
    .transport.watch(null, new AbortController().signal, () => undefined)
    [Symbol.asyncIterator]();
  const first = feed.next();
  await begun;
  expect(invocations.at(-1)?.args).toMatchObject({ path: "/flagfall.api.v1.Arbiter/Watch", within: null });
  const update = frame(0, toBinary(WatchUpdateSchema, create(WatchUpdateSchema, { update: { case: "snapshot", value: create(HallSchema, { seq: 12n }) } })));
  piece(1, update.subarray(0, 3));
  piece(1, joined(update.subarray(3), update.subarray(0, 4)));
  expect((await first).done).toBe(false);
  const second = feed.next();
  piece(1, update.subarray(4));
  expect((await second).done).toBe(false);
  const last = feed.next();
  piece(1, trailers("grpc-status: 0\r\n"));
  piece(0);
  expect((await last).done).toBe(true);
  expect(invocations.at(-1)?.command).toBe("hub_cancel");
});

test("a broken stream means that the hub is unreachable", async () => {
  const { piece, begun } = pretendStream();
  const feed = appShell()
    .transport.watch(null, new AbortController().signal, () => undefined)
    [Symbol.asyncIterator]();
  const first = feed.next();
  await begun;
  piece(2, new TextEncoder().encode("connection reset"));
  await expect(first).rejects.toBeInstanceOf(Unreachable);
});

test("a cancelled stream ends on the Rust side, too", async () => {
  const { begun } = pretendStream();
  const life = new AbortController();
  const feed = appShell()
    .transport.watch(null, life.signal, () => undefined)
    [Symbol.asyncIterator]();
  const first = feed.next();
  await begun;
  life.abort();
  await expect(first).rejects.toBeInstanceOf(Unreachable);
  await vi.waitFor(() => expect(invocations.some(({ command }) => command === "hub_cancel")).toBe(true));
  const [begin, end] = ["hub_stream", "hub_cancel"].map((command) => invocations.find((one) => one.command === command)?.args as { id: number });
  expect(end?.id).toBe(begin?.id);
});

test("a code goes to the Rust side as the hub prints it, and its error is thrown", async () => {
  pretendAll(async ({ command }) => {
    await Promise.resolve();
    if (command === "key_create") return { key: { device: "d-2", publicKey: "a2V5" }, sent: false };
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- as the Rust side does
    throw "the hub at 192.0.2.7:7464 cannot be reached: no answer";
  });
  const code = { hub: "192.0.2.7:7464", authority: "01".repeat(16), token: "02".repeat(16) };
  await expect(appShell().enrol(code, "Tablet 3")).rejects.toThrow("cannot be reached");
  const text = `flagfall://192.0.2.7:7464#${"01".repeat(16)}.${"02".repeat(16)}`;
  expect(invocations.slice(0, 2).map(({ command, args }) => [command, args])).toEqual([
    ["key_create", { code: text }],
    ["hub_session", { path: "/session/challenge", body: null, code: text }],
  ]);
});

test("the app shell is used inside the app", async () => {
  pretend(() => undefined);
  await thisShell().transport.identity(new AbortController().signal);
  expect(invocations.map(({ command }) => command)).toEqual(["hub_session"]);
});

// A simulated hub and devices for the enrolment tests. The hub checks signatures and can lose its responses. A device is a browser or the
// app; everything above its storage is the real code.

import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { vi } from "vitest";
import { CommandReplySchema, CommandRequestSchema, Outcome } from "$gen/api/arbiter_pb.js";
import { appShell } from "$lib/transport/app-shell.js";
import { sessionTransport } from "$lib/transport/grpc-web.js";
import type { Shell } from "$lib/transport/shell.js";
import { BrowserKeys, type PairStore } from "./browser-keys.js";
import { enrolmentFrom, type Enrolment } from "./code.js";
import type { DeviceKey } from "./keys.js";
import { DeviceSession } from "./session.js";

/** The fate of the next enrolment: carried out and answered, carried out without a readable response, or not carried out. */
export type Fate = "told" | "lost" | "failing" | "garbled" | "unheard" | "silent" | "too many";

const SEND = "/flagfall.api.v1.Arbiter/Send";
const CURVE = { name: "ECDSA", namedCurve: "P-256" } as const;
const json = (body: object): Response => new Response(JSON.stringify(body));
const bytes = (text: string): Buffer<ArrayBuffer> => Buffer.from(text, "base64");

export class SimulatedHub {
  readonly authority: string;
  readonly address: string;
  readonly tokens = new Set(["b".repeat(32)]);
  /** The public keys of the enrolled devices, in base64, by device name. */
  readonly devices = new Map<string, string>();
  open: { session: string; device: string } | null = null;
  count = 0;
  readonly requested: string[] = [];
  readonly signed: string[] = [];
  fate: Fate = "told";
  /** True if the hub does not respond to requests for a challenge after the next enrolment. */
  mute = false;
  /** The HTTP statuses of the responses to the next proofs, in order. Later proofs are checked as usual. */
  denies: number[] = [];
  /** The headers of the response to an invalid proof. */
  why: Record<string, string> = {};
  /** A promise that delays the response to the next proof. */
  hold: Promise<void> | null = null;

  constructor(name = "a") {
    this.authority = name.repeat(32);
    this.address = `hub-${name}.local:7464`;
  }

  code(token = "b"): Enrolment {
    return { hub: this.address, authority: this.authority, token: token.repeat(32) };
  }

  forgetSessions(): void {
    this.open = null;
  }

  revoke(): void {
    this.devices.clear();
    this.open = null;
  }

  async answer(path: string, init: RequestInit): Promise<Response> {
    this.requested.push(path);
    if (init.signal?.aborted) throw new DOMException("aborted", "AbortError");
    if (path === SEND) return this.#executed(init);
    const body = typeof init.body === "string" ? (JSON.parse(init.body) as Record<string, string>) : {};
    switch (path) {
      case "/session":
        return this.open ? json({ name: "J. Doe", role: "floor", session: this.open.session }) : new Response("no session", { status: 401 });
      case "/session/challenge":
        if (this.mute && this.fate === "told") throw new TypeError("no answer arrives");
        return json({ challenge: "cafe" });
      case "/session/renew":
        return this.#renew(body);
      case "/session/enrol":
        return this.#enrolled(body, init.signal);
      default:
        return new Response("", { status: 404 });
    }
  }

  async #enrolled(body: Record<string, string>, signal?: AbortSignal | null): Promise<Response> {
    const { fate } = this;
    this.fate = "told";
    if (fate === "unheard") throw new TypeError("nothing has arrived");
    if (fate === "silent") return new Promise((_, fail) => signal?.addEventListener("abort", () => fail(new DOMException("aborted", "AbortError"))));
    if (fate === "too many") return new Response("too many wrong codes", { status: 429 });
    if (!this.tokens.delete(body["token"] ?? "")) return new Response("the code is not valid", { status: 403, headers: { "flagfall-refusal": "140" } });
    const key = body["public_key"] ?? "";
    const device = await deviceOf(key);
    const text = Buffer.from(`flagfall-enrol-v1\n${body["authority"] ?? ""}\n${body["token"] ?? ""}\ncafe`);
    const proved = body["challenge"] === "cafe" && (await signedBy(key, body["signature"] ?? "", text));
    if (!proved) return new Response("the device's proof does not hold", { status: 409 });
    this.devices.set(device, key);
    if (fate === "lost") throw new TypeError("the connection is gone");
    if (fate === "failing") return new Response("the hub cannot do that now", { status: 503 });
    if (fate === "garbled") return new Response("{");
    return this.#begin(device);
  }

  async #renew(body: Record<string, string>): Promise<Response> {
    const denied = this.denies.shift();
    if (denied !== undefined) return new Response("", { status: denied });
    const { device = "", signature = "" } = body;
    const valid = await this.#verified(device, signature, Buffer.from("flagfall-session-v1\ncafe"));
    const { hold } = this;
    this.hold = null;
    await hold;
    return valid ? this.#begin(device) : new Response("this device was shut out", { status: 401, headers: this.why });
  }

  #begin(device: string): Response {
    this.open = { session: `s${(this.count += 1)}`, device };
    return json({ name: "J. Doe", role: "floor", device, session: this.open.session });
  }

  async #executed(init: RequestInit): Promise<Response> {
    const message = new Uint8Array(await new Response(init.body ?? null).arrayBuffer()).slice(5);
    fromBinary(CommandRequestSchema, message);
    const signature = new Headers(init.headers).get("flagfall-signature") ?? "";
    const text = Buffer.from(`flagfall-command-v1\n${SEND}\n${this.open?.session ?? ""}\n`);
    const headers = { "content-type": "application/grpc-web+proto" };
    if (!this.open || !(await this.#verified(this.open.device, signature, Buffer.concat([text, message]))))
      return new Response(null, { headers: { ...headers, "grpc-status": "16", "grpc-message": "not signed in this session" } });
    this.signed.push(signature);
    const reply = toBinary(CommandReplySchema, create(CommandReplySchema, { outcome: Outcome.DONE }));
    return new Response(Buffer.concat([framed(0, reply), framed(0x80, Buffer.from("grpc-status: 0\r\n"))]), { headers });
  }

  async #verified(device: string, signature: string, message: Uint8Array<ArrayBuffer>): Promise<boolean> {
    const spki = this.devices.get(device);
    return spki !== undefined && signedBy(spki, signature, message);
  }
}

async function signedBy(spki: string, signature: string, message: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const key = await crypto.subtle.importKey("spki", bytes(spki), CURVE, true, ["verify"]);
  return crypto.subtle.verify({ name: "ECDSA", hash: "SHA-256" }, key, bytes(signature), message);
}

export interface SimulatedDevice {
  shell: Shell;
  enrolled(): Promise<string | null>;
  pendingKeys(): Promise<string[]>;
  restart(): void;
  /** True if the device has no space left, so that storing an enrolment fails. */
  full: boolean;
}

export class MemoryStore implements PairStore {
  readonly pairs = new Map<string, CryptoKeyPair>();
  full = false;

  read = (name: string): Promise<CryptoKeyPair | null> => Promise.resolve(this.pairs.get(name) ?? null);
  keep(name: string, pair: CryptoKeyPair): Promise<void> {
    if (this.full && name === "device") return Promise.reject(new Error("the disk is full"));
    this.pairs.set(name, pair);
    return Promise.resolve();
  }
  forget = (name: string): Promise<void> => Promise.resolve(void this.pairs.delete(name));
  names = (): Promise<string[]> => Promise.resolve([...this.pairs.keys()]);
}

export class SimulatedBrowser implements SimulatedDevice {
  readonly store = new MemoryStore();
  readonly #hub: SimulatedHub;
  shell: Shell;

  constructor(hub: SimulatedHub) {
    this.#hub = hub;
    this.shell = this.#started();
  }

  get full(): boolean {
    return this.store.full;
  }
  set full(full: boolean) {
    this.store.full = full;
  }

  restart(): void {
    this.shell = this.#started();
  }

  async enrolled(): Promise<string | null> {
    return (await new BrowserKeys(this.store).enrolled())?.device ?? null;
  }

  async pendingKeys(): Promise<string[]> {
    return (await new BrowserKeys(this.store).pendingKeys()).map(({ device }) => device);
  }

  #started(): Shell {
    const send = (path: string, init: RequestInit): Promise<Response> => this.#hub.answer(path, init);
    const session = new DeviceSession({ keys: new BrowserKeys(this.store), send });
    const called: typeof fetch = (input, init = {}) => send(new URL(input instanceof Request ? input.url : input).pathname, init);
    const transport = sessionTransport(session, { base: `https://${this.#hub.address}`, fetch: called });
    return { transport, enrol: (code, name) => session.enrol(code, name) };
  }
}

/** The app on a simulated Rust side, which behaves like src-tauri/src/shell. */
export class SimulatedApp implements SimulatedDevice {
  readonly #hubs: SimulatedHub[];
  readonly #pairs = new Map<string, CryptoKeyPair>();
  #file: { device: string; authority: string } | null = null;
  /** The records of unconfirmed keys, by code. */
  readonly #records = new Map<string, { device: string; authority: string }>();
  shell: Shell;
  full = false;
  locked = false;

  constructor(...hubs: SimulatedHub[]) {
    this.#hubs = hubs;
    vi.stubGlobal("window", globalThis);
    vi.stubGlobal("__TAURI_INTERNALS__", { invoke: this.#invoke });
    this.shell = appShell();
  }

  restart(): void {
    this.shell = appShell();
  }

  enrolled = (): Promise<string | null> => Promise.resolve(this.#file?.device ?? null);
  pendingKeys = (): Promise<string[]> => Promise.resolve([...this.#records.values()].map(({ device }) => device));
  keys = (): string[] => [...this.#pairs.keys()];

  #invoke = async (command: string, args: unknown, options?: { headers: HeadersInit }): Promise<unknown> => {
    const headers = new Headers(options?.headers);
    const given = args as { code: string | null; device: string; path: string; body: string | null };
    switch (command) {
      case "keys_read":
        return this.#stored();
      case "key_create":
        return this.#created(given.code ?? "");
      case "key_sign":
        return this.#signature(headers.get("flagfall-device") ?? "", args as Uint8Array<ArrayBuffer>);
      case "key_enrol": {
        this.#enrol(given.device);
        return;
      }
      case "key_forget": {
        this.#forget(given.device);
        return;
      }
      case "hub_session":
        return this.#session(given.path, given.body, given.code);
      case "hub_unary":
        return envelope(await this.#current().answer(headers.get("flagfall-path") ?? "", { method: "POST", headers, body: args as Uint8Array<ArrayBuffer> }));
      default:
        throw new Error(`${command} is not allowed`);
    }
  };

  #current(): SimulatedHub {
    const hub = this.#hubs.find(({ authority }) => authority === this.#file?.authority);
    if (!hub) throw new Error("not enrolled");
    return hub;
  }

  async #session(path: string, json: string | null, code: string | null): Promise<ArrayBuffer> {
    const body = json === null ? null : await this.#signed(path, json);
    const init = body === null ? {} : { method: "POST", body };
    if (code === null) {
      if (!this.#file) return envelope(new Response("this device is not enrolled with a hub", { status: 401 }));
      return envelope(await this.#current().answer(path, init));
    }
    const named = enrolmentFrom(code);
    const hub = this.#hubs.find(({ address }) => address === named?.hub);
    if (!hub || hub.authority !== named?.authority) return envelope(new Response("what answers is not the hub of this code", { status: 421 }));
    return envelope(await hub.answer(path, init));
  }

  async #signed(path: string, json: string): Promise<string> {
    const proof = JSON.parse(json) as Record<"device" | "challenge" | "authority" | "token" | "public_key", string>;
    const { challenge, authority, token } = proof;
    switch (path) {
      case "/session/renew":
        return this.#with(proof, proof.device, `flagfall-session-v1\n${challenge}`);
      case "/session/enrol":
        return this.#with(proof, await deviceOf(proof.public_key), `flagfall-enrol-v1\n${authority}\n${token}\n${challenge}`);
      default:
        return json;
    }
  }

  async #with(proof: object, device: string, text: string): Promise<string> {
    return JSON.stringify({ ...proof, signature: await this.#signature(device, new TextEncoder().encode(text)) });
  }

  async #stored(): Promise<{ enrolled: DeviceKey | null; pending: DeviceKey[] }> {
    if (!this.#file) return { enrolled: null, pending: [] };
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- as the Rust side does
    if (this.locked) throw "this device cannot store or read its key: locked";
    const { device, authority } = this.#file;
    const others = [...this.#records.values()].filter((one) => one.authority === authority && one.device !== device);
    return { enrolled: await this.#public(device), pending: await Promise.all(others.map((one) => this.#public(one.device))) };
  }

  async #created(text: string): Promise<{ key: DeviceKey; sent: boolean }> {
    const { authority, token } = enrolmentFrom(text) ?? { authority: "", token: "" };
    // The address is not part of a hub's identity.
    const code = `${authority}-${token}`;
    const record = this.#records.get(code);
    if (record) return { key: await this.#public(record.device), sent: true };
    const pair = await crypto.subtle.generateKey(CURVE, false, ["sign", "verify"]);
    const device = await deviceOf(await spkiOf(pair));
    this.#pairs.set(device, pair);
    this.#records.set(code, { device, authority });
    return { key: await this.#public(device), sent: false };
  }

  async #signature(device: string, message: Uint8Array<ArrayBuffer>): Promise<string> {
    const pair = this.#pairs.get(device);
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- as the Rust side does
    if (!pair) throw "invalid request from the page: unknown key";
    return Buffer.from(await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, pair.privateKey, message)).toString("base64");
  }

  #enrol(device: string): void {
    const record = [...this.#records.values()].find((one) => one.device === device);
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- as the Rust side does
    if (this.full || !record) throw this.full ? "this device cannot store or read its key: full" : "invalid request from the page: no code has this key";
    const before = this.#file?.device;
    this.#file = { ...record };
    for (const [code, one] of this.#records) {
      if (one.authority !== record.authority) continue;
      this.#records.delete(code);
      if (one.device !== device) this.#pairs.delete(one.device);
    }
    if (before !== undefined && before !== device) this.#pairs.delete(before);
  }

  #forget(device: string): void {
    if (this.#file?.device === device) this.#file = null;
    for (const [code, one] of this.#records) if (one.device === device) this.#records.delete(code);
    this.#pairs.delete(device);
  }

  async #public(device: string): Promise<DeviceKey> {
    const pair = this.#pairs.get(device);
    if (!pair) throw new Error(`${device} is missing`);
    return { device, publicKey: await spkiOf(pair) };
  }
}

async function spkiOf(pair: CryptoKeyPair): Promise<string> {
  return Buffer.from(await crypto.subtle.exportKey("spki", pair.publicKey)).toString("base64");
}

async function deviceOf(spki: string): Promise<string> {
  return `d-${Buffer.from(await crypto.subtle.digest("SHA-256", bytes(spki)))
    .toString("hex")
    .slice(0, 16)}`;
}

function framed(flags: number, message: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head[0] = flags;
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

/** Encodes a response as src-tauri/src/ipc.rs does. */
async function envelope(answer: Response): Promise<ArrayBuffer> {
  const head = Buffer.from(JSON.stringify({ status: answer.status, headers: [...answer.headers] }));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(head.length);
  return new Uint8Array(Buffer.concat([length, head, Buffer.from(await answer.arrayBuffer())])).buffer;
}

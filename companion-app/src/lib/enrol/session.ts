// The browser's session with the hub: enrolment with a code, the device's identity, signed commands, and renewal.
//
// Owns the session's id and the use of the key, which never leaves the browser. Must never repeat a call that the hub may have
// executed: only one that it denied for lack of a session.

import { create, toBinary } from "@bufbuild/protobuf";
import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import { RefusalSchema } from "$gen/frames/refusal_pb.js";
import { within } from "$lib/abort.js";
import { notEnrolled, parseSession, type Session } from "$lib/transport/identity.js";
import { NotEnrolled, Refused, Unreachable, type Identity } from "$lib/transport/transport.js";
import type { Enrolment } from "./code.js";
import type { KeyName, KeyStore } from "./keys.js";

const CURVE = { name: "ECDSA", namedCurve: "P-256" } as const;
const SIGNING = { name: "ECDSA", hash: "SHA-256" } as const;
const HEADER = "flagfall-signature";
/** The header with the code of a refusal. */
const NUMBER = "flagfall-refusal";
/** After this long without an answer the hub counts as unreachable. */
const PATIENCE_MS = 8000;
/** The key whose answer was lost comes first: it is the arbiter's last wish. */
const KEYS: readonly KeyName[] = ["new", "device"];

/** The status of a failed proof, whether or not the hub knows the device. */
const NO_PROOF = 409;
class NoProof extends Unreachable {}

export interface SessionOptions {
  base: string;
  fetch: typeof fetch;
  keys: KeyStore;
}

export class BrowserSession {
  readonly #options: SessionOptions;
  #current: Promise<Session> | null = null;
  /** The renewal in progress: one for all calls that wait. */
  #renewing: Promise<Session> | null = null;
  /** The hub's answer about the key that was forgotten last, repeated to later calls. */
  #lastDenial = new NotEnrolled();

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** Asks the hub for this device's identity. Never cached, because the call also detects whether the hub is reachable. */
  async identity(signal?: AbortSignal): Promise<Identity> {
    const who = (await this.#fetchSession(signal)) ?? (await this.#renewOnce());
    this.#current = Promise.resolve(who);
    return { name: who.name, role: who.role };
  }

  /** Returns the arbiter whose device the code would enrol, without using the code up. Throws the hub's reason. */
  async offer({ authority, token }: Enrolment): Promise<Identity> {
    const answer = await this.#fetch("/session/offer", { authority, token });
    if (!answer.ok) throw await refusedBy(answer);
    const { name, role } = parseSession(await answer.json());
    return { name, role };
  }

  /** Enrols this device under a name. On failure it throws the hub's reason, and the device keeps its previous enrolment. */
  async enrol({ authority, token }: Enrolment, name: string): Promise<void> {
    const { keys } = this.#options;
    const lost = await keys.read("new");
    const key = await crypto.subtle.generateKey(CURVE, false, ["sign", "verify"]);
    // Stored before it is sent, beside the old key: if the reply is lost, `#renew` finds out which one the hub knows.
    await keys.keep("new", key);
    const answer = await this.#fetch("/session/enrol", { authority, token, name, public_key: base64(await spki(key)) });
    if (answer.ok) {
      this.#current = Promise.resolve(await this.#adopt(key, parseSession(await answer.json())));
      return;
    }
    const refused = await refusedBy(answer);
    if (answer.status < 500) {
      if (lost && (await this.#adoptLost(lost))) return;
      await keys.forget("new");
    }
    throw refused;
  }

  /** Reports whether an earlier attempt of this device used the code up and lost its reply. */
  async #adoptLost(lost: CryptoKeyPair): Promise<boolean> {
    await this.#options.keys.keep("new", lost);
    try {
      this.#current = Promise.resolve(await this.#adopt(lost, await this.#authenticate(lost)));
      return true;
    } catch (error) {
      if (error instanceof NotEnrolled) return false;
      throw error;
    }
  }

  /** Makes a key that the hub knows the device's key. */
  async #adopt(key: CryptoKeyPair, who: Session): Promise<Session> {
    await this.#options.keys.keep("device", key);
    await this.#options.keys.forget("new");
    return who;
  }

  /** Signs every unary call, and retries once in a new session if the old one has expired. */
  readonly interceptor: Interceptor = (next) => async (call) => {
    if (call.stream) return next(call);
    const signed = async (): Promise<string | undefined> => {
      const { session } = await this.#session();
      call.header.delete(HEADER);
      if (session === undefined) return undefined;
      const path = new URL(call.url).pathname;
      call.header.set(HEADER, await this.#signature(`flagfall-command-v1\n${path}\n${session}\n`, toBinary(call.method.input, call.message)));
      return session;
    };
    const used = await signed();
    try {
      return await next(call);
    } catch (error) {
      if (ConnectError.from(error).code !== Code.Unauthenticated) throw error;
      await this.#replaceSession(used);
      await signed();
      return await next(call);
    }
  };

  async #session(): Promise<Session> {
    this.#current ??= this.#fetchSession().then((who) => who ?? this.#renewOnce());
    try {
      return await this.#current;
    } catch (error) {
      this.#current = null;
      throw error;
    }
  }

  /** Replaces an expired session by one that another window opened, or by a new one. */
  async #replaceSession(used: string | undefined): Promise<void> {
    const who = await this.#fetchSession();
    this.#current = Promise.resolve(who && who.session !== used ? who : await this.#renewOnce());
  }

  async #fetchSession(signal?: AbortSignal): Promise<Session | null> {
    const answer = await this.#fetch("/session", undefined, signal);
    if (answer.status === 401) return null;
    if (!answer.ok) throw new Unreachable(`the hub answered ${answer.status}`);
    return parseSession(await answer.json());
  }

  #renewOnce(): Promise<Session> {
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = null;
    });
    return this.#renewing;
  }

  async #renew(): Promise<Session> {
    const { keys } = this.#options;
    for (const name of KEYS) {
      const key = await keys.read(name);
      if (!key) continue;
      try {
        return await this.#adopt(key, await this.#authenticate(key));
      } catch (error) {
        if (!(error instanceof NotEnrolled)) throw error;
        if (error.why || !this.#lastDenial.why) this.#lastDenial = error;
        await keys.forget(name);
      }
    }
    throw new NotEnrolled(this.#lastDenial.message, this.#lastDenial.why);
  }

  /** Opens a session with a key. Throws `NotEnrolled` only after two denials, because it costs the key. */
  async #authenticate(key: CryptoKeyPair): Promise<Session> {
    try {
      return await this.#proveKey(key);
    } catch (error) {
      // The challenge may have expired, or date from before a restart of the hub.
      if (!(error instanceof NotEnrolled || error instanceof NoProof)) throw error;
      return await this.#proveKey(key);
    }
  }

  async #proveKey(key: CryptoKeyPair): Promise<Session> {
    const { challenge } = (await this.#json("/session/challenge")) as { challenge: string };
    const device = `d-${hex(await crypto.subtle.digest("SHA-256", await spki(key))).slice(0, 16)}`;
    const signature = await signed(key, `flagfall-session-v1\n${challenge}`);
    const answer = await this.#fetch("/session/renew", { device, challenge, signature });
    if (answer.status === 401) throw await notEnrolled(answer);
    if (answer.status === NO_PROOF) throw new NoProof((await answer.text()).trim());
    if (!answer.ok) throw new Unreachable(`the hub answered ${answer.status}`);
    return parseSession(await answer.json());
  }

  async #json(path: string): Promise<unknown> {
    const answer = await this.#fetch(path);
    if (!answer.ok) throw new Unreachable(`the hub answered ${answer.status}`);
    return answer.json();
  }

  async #fetch(path: string, body?: object, signal?: AbortSignal): Promise<Response> {
    const ask =
      body === undefined
        ? { headers: { accept: "application/json" } }
        : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    try {
      return await within(PATIENCE_MS, signal, (ends) =>
        this.#options.fetch(new URL(path, this.#options.base), { ...ask, credentials: "same-origin", signal: ends }),
      );
    } catch (error) {
      throw new Unreachable(error instanceof Error ? error.message : String(error));
    }
  }

  async #signature(text: string, message: Uint8Array): Promise<string> {
    const key = await this.#options.keys.read("device");
    if (!key) throw new NotEnrolled();
    return signed(key, text, message);
  }
}

/** Returns the hub's refusal, with its code. */
async function refusedBy(answer: Response): Promise<Refused> {
  const why = (await answer.text()).trim() || `HTTP ${answer.status}`;
  return new Refused(why, Object.assign(create(RefusalSchema), { code: Number(answer.headers.get(NUMBER)) }));
}

async function signed(key: CryptoKeyPair, text: string, message: Uint8Array = new Uint8Array()): Promise<string> {
  const head = new TextEncoder().encode(text);
  const whole = new Uint8Array(head.length + message.length);
  whole.set(head);
  whole.set(message, head.length);
  return base64(new Uint8Array(await crypto.subtle.sign(SIGNING, key.privateKey, whole)));
}

async function spki(key: CryptoKeyPair): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.exportKey("spki", key.publicKey));
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

function hex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

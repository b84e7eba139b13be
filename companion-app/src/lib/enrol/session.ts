// This browser's session with the hub: enrolment with a code, who the device is, commands signed by its key, a new session when the
// old one is over.
//
// Owns the name of the session and the use of the key, which never leaves the browser. Must never repeat a call that the hub may have
// carried out: only one that it has denied for want of a session.

import { create, toBinary } from "@bufbuild/protobuf";
import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import { RefusalSchema } from "$gen/frames/refusal_pb.js";
import { within } from "$lib/abort.js";
import { notEnrolled, whoIs, type Who } from "$lib/transport/identity.js";
import { NotEnrolled, Refused, Unreachable, type Identity } from "$lib/transport/transport.js";
import type { Enrolment } from "./code.js";
import type { KeyName, KeyStore } from "./keys.js";

const CURVE = { name: "ECDSA", namedCurve: "P-256" } as const;
const SIGNING = { name: "ECDSA", hash: "SHA-256" } as const;
const HEADER = "flagfall-signature";
/** A refusal's number. */
const NUMBER = "flagfall-refusal";
/** A hub that answers nothing for so long is away. */
const PATIENCE_MS = 8000;
/** Whose answer was lost is asked for first: it is what the arbiter wanted last. */
const KEYS: readonly KeyName[] = ["new", "device"];

/** How the hub answers a proof that does not hold, whether or not it knows the device. */
const NO_PROOF = 409;
class NoProof extends Unreachable {}

export interface Ways {
  /** The hub's address. */
  base: string;
  fetch: typeof fetch;
  keys: KeyStore;
}

export class BrowserSession {
  readonly #ways: Ways;
  #who: Promise<Who> | null = null;
  /** One new session at a time, however many calls want one. */
  #renewing: Promise<Who> | null = null;
  /** What the hub said of the key that was forgotten last: calls that come later hear it too. */
  #said = new NotEnrolled();

  constructor(ways: Ways) {
    this.#ways = ways;
  }

  /** Who this device is: asked of the hub each time, since it is how one finds out whether the hub is there. */
  async identity(signal?: AbortSignal): Promise<Identity> {
    const who = (await this.#ask(signal)) ?? (await this.#renewed());
    this.#who = Promise.resolve(who);
    return { name: who.name, role: who.role };
  }

  /** The arbiter whose device this would be with the code, which stays good. Throws what the hub says. */
  async offer({ authority, token }: Enrolment): Promise<Identity> {
    const answer = await this.#fetch("/session/offer", { authority, token });
    if (!answer.ok) throw await refusedBy(answer);
    const { name, role } = whoIs(await answer.json());
    return { name, role };
  }

  /** Enrols this device under a name of its own. Throws what the hub says; then the device is who it was. */
  async enrol({ authority, token }: Enrolment, name: string): Promise<void> {
    const { keys } = this.#ways;
    const lost = await keys.read("new");
    const key = await crypto.subtle.generateKey(CURVE, false, ["sign", "verify"]);
    // Kept before it is sent, and beside the old one: if the answer is lost on the way, `#renew` finds out which of them the hub knows.
    await keys.keep("new", key);
    const answer = await this.#fetch("/session/enrol", { authority, token, name, public_key: base64(await spki(key)) });
    if (answer.ok) {
      this.#who = Promise.resolve(await this.#taken(key, whoIs(await answer.json())));
      return;
    }
    const refused = await refusedBy(answer);
    if (answer.status < 500) {
      if (lost && (await this.#tookBefore(lost))) return;
      await keys.forget("new");
    }
    throw refused;
  }

  /** A code that is used up may have been used up by this device, by an attempt whose answer was lost. */
  async #tookBefore(lost: CryptoKeyPair): Promise<boolean> {
    await this.#ways.keys.keep("new", lost);
    try {
      this.#who = Promise.resolve(await this.#taken(lost, await this.#proved(lost)));
      return true;
    } catch (error) {
      if (error instanceof NotEnrolled) return false;
      throw error;
    }
  }

  /** The hub knows this key: it is the device's from now on. */
  async #taken(key: CryptoKeyPair, who: Who): Promise<Who> {
    await this.#ways.keys.keep("device", key);
    await this.#ways.keys.forget("new");
    return who;
  }

  /** Signs every unary call, and begins a new session once where the old one is over. */
  readonly interceptor: Interceptor = (next) => async (call) => {
    if (call.stream) return next(call);
    const signed = async (): Promise<string | undefined> => {
      const { session } = await this.#known();
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
      await this.#beyond(used);
      await signed();
      return await next(call);
    }
  };

  async #known(): Promise<Who> {
    this.#who ??= this.#ask().then((who) => who ?? this.#renewed());
    try {
      return await this.#who;
    } catch (error) {
      this.#who = null;
      throw error;
    }
  }

  /** Another session than this one: the one another window has begun, or a new one. */
  async #beyond(used: string | undefined): Promise<void> {
    const who = await this.#ask();
    this.#who = Promise.resolve(who && who.session !== used ? who : await this.#renewed());
  }

  async #ask(signal?: AbortSignal): Promise<Who | null> {
    const answer = await this.#fetch("/session", undefined, signal);
    if (answer.status === 401) return null;
    if (!answer.ok) throw new Unreachable(`the hub answered ${answer.status}`);
    return whoIs(await answer.json());
  }

  #renewed(): Promise<Who> {
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = null;
    });
    return this.#renewing;
  }

  async #renew(): Promise<Who> {
    const { keys } = this.#ways;
    for (const name of KEYS) {
      const key = await keys.read(name);
      if (!key) continue;
      try {
        return await this.#taken(key, await this.#proved(key));
      } catch (error) {
        if (!(error instanceof NotEnrolled)) throw error;
        if (error.why || !this.#said.why) this.#said = error;
        await keys.forget(name);
      }
    }
    throw new NotEnrolled(this.#said.message, this.#said.why);
  }

  /** A new session of the device with this key; `NotEnrolled` if the hub knows none, and says so twice: what it says costs the key. */
  async #proved(key: CryptoKeyPair): Promise<Who> {
    try {
      return await this.#prove(key);
    } catch (error) {
      // A challenge may have come too late, or be of a hub that was started again meanwhile.
      if (!(error instanceof NotEnrolled || error instanceof NoProof)) throw error;
      return await this.#prove(key);
    }
  }

  async #prove(key: CryptoKeyPair): Promise<Who> {
    const { challenge } = (await this.#json("/session/challenge")) as { challenge: string };
    const device = `d-${hex(await crypto.subtle.digest("SHA-256", await spki(key))).slice(0, 16)}`;
    const signature = await signed(key, `flagfall-session-v1\n${challenge}`);
    const answer = await this.#fetch("/session/renew", { device, challenge, signature });
    if (answer.status === 401) throw await notEnrolled(answer);
    if (answer.status === NO_PROOF) throw new NoProof((await answer.text()).trim());
    if (!answer.ok) throw new Unreachable(`the hub answered ${answer.status}`);
    return whoIs(await answer.json());
  }

  async #json(path: string): Promise<unknown> {
    const answer = await this.#fetch(path);
    if (!answer.ok) throw new Unreachable(`the hub answered ${answer.status}`);
    return answer.json();
  }

  async #fetch(path: string, body?: object, signal?: AbortSignal): Promise<Response> {
    const ask = body === undefined ? { headers: { accept: "application/json" } } : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    try {
      return await within(PATIENCE_MS, signal, (ends) => this.#ways.fetch(new URL(path, this.#ways.base), { ...ask, credentials: "same-origin", signal: ends }));
    } catch (error) {
      throw new Unreachable(error instanceof Error ? error.message : String(error));
    }
  }

  async #signature(text: string, message: Uint8Array): Promise<string> {
    const key = await this.#ways.keys.read("device");
    if (!key) throw new NotEnrolled();
    return signed(key, text, message);
  }
}

/** What the hub says against it, with its number. */
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

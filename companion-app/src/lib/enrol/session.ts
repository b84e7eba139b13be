// The device's session with a hub: enrolment with a code and proof of possession of the key, the device's identity, signed calls, and
// renewal. Identical in every shell.
//
// Owns the session's id, and decides which keys are kept. A key that a hub may have accepted is kept until that hub denies it or the device is
// enrolled.
// Must never repeat a call that the hub may have executed; it may repeat a call that was denied for lack of a session.

import { create, toBinary } from "@bufbuild/protobuf";
import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import { RefusalCode, RefusalSchema } from "$gen/frames/refusal_pb.js";
import { unlessAborted, within } from "$lib/abort.js";
import { notEnrolled, parseSession, type Session } from "$lib/transport/identity.js";
import { NotEnrolled, Refused, Unreachable, type Identity } from "$lib/transport/transport.js";
import type { Enrolment } from "./code.js";
import type { DeviceKey, DeviceKeys } from "./keys.js";

const HEADER = "flagfall-signature";
/** The response header with the code of a refusal. */
const NUMBER = "flagfall-refusal";
/** Time without a response after which the hub counts as unreachable. */
const PATIENCE_MS = 8000;

/** The HTTP status for a code that is used up, expired or wrong. */
const CODE_REFUSED = 403;
/** The HTTP status with which the app reports that the machine that answered is not the code's hub. Nothing was sent to it. */
const OTHER_HUB = 421;
/** The HTTP status for the failed proof of a device that is still enrolled: for example, its challenge has expired. */
const NO_PROOF = 409;
class NoProof extends Unreachable {}

export interface SessionOptions {
  keys: DeviceKeys;
  /** Sends a request to the hub of `code` or, without a code, to the page's hub. Throws if it is unknown whether the hub received the request. */
  send: (path: string, init: RequestInit, code?: Enrolment) => Promise<Response>;
}

type Attempt = { who: Session } | { failure: Error; answered: "refused" | "other hub" | "unclear" };

export class DeviceSession {
  readonly #options: SessionOptions;
  #current: Promise<Session> | null = null;
  #renewing: Promise<Session> | null = null;
  /** The hub's denial of the key forgotten last, preferably one that says who revoked the device. Later calls fail with the same denial. */
  #lastDenial = new NotEnrolled();
  /** The queue of enrolments: two enrolments with the same code would compete for its key. */
  readonly #enrolments = new Turns();
  /** Number of enrolments begun. A renewal must not change stored keys if an enrolment has begun since. */
  #begun = 0;
  #enrolling = false;
  readonly #changes = new Turns();

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** Asks the hub for this device's identity. Never cached, because the call is also the check that the hub is reachable. */
  async identity(signal?: AbortSignal): Promise<Identity> {
    const who = (await this.#fetchSession(signal)) ?? (await this.#renewOnce());
    this.#current = Promise.resolve(who);
    return { name: who.name, role: who.role };
  }

  /** Returns the arbiter for whom the code would enrol a device, without using the code up. Throws the hub's reason if the code is refused. */
  async offer(code: Enrolment): Promise<Identity> {
    const { authority, token } = code;
    const answer = await this.#send("/session/offer", { body: { authority, token }, code });
    if (!answer.ok) throw await refusedBy(answer);
    const { name, role } = parseSession(await readJson(answer));
    return { name, role };
  }

  /**
   * Enrols this device as `name` with the hub that issued `code`. On failure, throws the reason and keeps the previous enrolment. If the
   * response is lost, the same code can be entered again; the retry uses the same key.
   */
  enrol(code: Enrolment, name: string): Promise<void> {
    return this.#enrolments.run(async () => {
      this.#begun += 1;
      this.#enrolling = true;
      try {
        this.#current = Promise.resolve(await this.#enrolNow(code, name));
        // A renewal in progress uses an earlier key, so later calls must not wait for it.
        this.#renewing = null;
      } finally {
        this.#enrolling = false;
      }
    });
  }

  async #enrolNow(code: Enrolment, name: string): Promise<Session> {
    const { keys } = this.#options;
    // The key is stored before it is sent. Even if the response is lost, the device can still ask the hub whether it knows the key.
    const { key, sent } = await this.#changes.run(() => keys.create(code));
    const attempt = await this.#useUp(code, key, name);
    const who = "who" in attempt ? attempt.who : await this.#askWithKey(code, key, sent, attempt);
    await this.#changes.run(() => keys.enrol(key));
    return who;
  }

  async #useUp(code: Enrolment, key: DeviceKey, name: string): Promise<Attempt> {
    try {
      const challenge = await this.#send("/session/challenge", { code });
      if (challenge.status === OTHER_HUB) return { failure: otherHub(await challenge.text()), answered: "other hub" };
      const proof = await this.#options.keys.proveEnrolment(key, code, await challengeIn(challenge));
      const body = { authority: code.authority, token: code.token, name, public_key: key.publicKey, ...proof };
      const answer = await this.#send("/session/enrol", { body, code });
      if (answer.ok) return { who: parseSession(await readJson(answer)) };
      if (answer.status === OTHER_HUB) return { failure: otherHub(await answer.text()), answered: "other hub" };
      return { failure: await refusedBy(answer), answered: answer.status === CODE_REFUSED ? "refused" : "unclear" };
    } catch (error) {
      return { failure: error instanceof Error ? error : new Unreachable(String(error)), answered: "unclear" };
    }
  }

  /**
   * Settles a failed attempt. Asks the hub, by authenticating with the key, whether it accepted the key in this attempt or an earlier one. Asks
   * nothing if a different hub answered.
   */
  async #askWithKey(code: Enrolment, key: DeviceKey, sent: boolean, { failure, answered }: Exclude<Attempt, { who: Session }>): Promise<Session> {
    const discard = (): Promise<void> => this.#changes.run(() => this.#options.keys.forget(key));
    if (answered === "other hub") {
      if (!sent) await discard();
      throw failure;
    }
    try {
      return await this.#authenticate(key, code);
    } catch (error) {
      if (answered !== "refused") throw failure;
      // A refusal of the code proves nothing: this key may itself have used the code up. Only the denial of the key counts.
      if (!(error instanceof NotEnrolled)) throw error;
      await discard();
      throw failure;
    }
  }

  /** Signs unary calls, and retries a call once if its session has expired. A stream needs only an open session. */
  readonly interceptor: Interceptor = (next) => async (call) => {
    if (call.stream) {
      await this.#orStatus(unlessAborted(call.signal, this.#session()));
      return next(call);
    }
    const signed = async (): Promise<string | undefined> => {
      const { session } = await this.#session();
      call.header.delete(HEADER);
      if (session === undefined) return undefined;
      const path = new URL(call.url).pathname;
      call.header.set(HEADER, await this.#signature(`flagfall-command-v1\n${path}\n${session}\n`, toBinary(call.method.input, call.message)));
      return session;
    };
    const used = await this.#orStatus(signed());
    try {
      return await next(call);
    } catch (error) {
      if (ConnectError.from(error).code !== Code.Unauthenticated) throw error;
      await this.#orStatus(this.#replaceSession(used).then(signed));
      return await next(call);
    }
  };

  /** Converts `NotEnrolled` to a call status, so that the failure of any call shows that this device is not enrolled. */
  async #orStatus<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      throw error instanceof NotEnrolled ? new ConnectError(error.message, Code.Unauthenticated, undefined, undefined, error) : error;
    }
  }

  async #session(): Promise<Session> {
    const current = (this.#current ??= this.#fetchSession().then((who) => who ?? this.#renewOnce()));
    try {
      return await current;
    } catch (error) {
      if (this.#current === current) this.#current = null;
      throw error;
    }
  }

  /** Replaces an expired session with one that another window opened, or with a new one. */
  async #replaceSession(used: string | undefined): Promise<void> {
    const who = await this.#fetchSession();
    this.#current = Promise.resolve(who && who.session !== used ? who : await this.#renewOnce());
  }

  async #fetchSession(signal?: AbortSignal): Promise<Session | null> {
    const answer = await this.#send("/session", signal ? { signal } : {});
    if (answer.status === 401) return null;
    if (!answer.ok) throw new Unreachable(`the hub answered ${answer.status}`);
    return parseSession(await readJson(answer));
  }

  #renewOnce(): Promise<Session> {
    const renewing = (this.#renewing ??= this.#renew().finally(() => {
      if (this.#renewing === renewing) this.#renewing = null;
    }));
    return renewing;
  }

  async #renew(): Promise<Session> {
    const { keys } = this.#options;
    const begun = this.#begun;
    /** Changes the stored keys, unless an enrolment has begun; the enrolment then decides which keys are stored. */
    const change = (act: () => Promise<void>): Promise<void> =>
      this.#changes.run(async () => {
        if (this.#begun === begun) await act();
      });
    // Unconfirmed keys come first, because they are the arbiter's latest choice. During an enrolment, only the enrolment decides about them.
    for (const key of this.#enrolling ? [] : await keys.pendingKeys()) {
      const who = await this.#orDenied(key, change);
      if (!who) continue;
      await change(() => keys.enrol(key));
      return who;
    }
    const key = await keys.enrolled();
    const who = key && (await this.#orDenied(key, change));
    if (who) return who;
    if (this.#begun === begun) this.#current = null;
    throw new NotEnrolled(this.#lastDenial.message, this.#lastDenial.why);
  }

  /** Opens a session with a key; forgets the key and returns null if the hub denies it. */
  async #orDenied(key: DeviceKey, change: (act: () => Promise<void>) => Promise<void>): Promise<Session | null> {
    try {
      return await this.#authenticate(key);
    } catch (error) {
      if (!(error instanceof NotEnrolled)) throw error;
      if (error.why || !this.#lastDenial.why) this.#lastDenial = error;
      await change(() => this.#options.keys.forget(key));
      return null;
    }
  }

  /** Opens a session with a key. Throws `NotEnrolled` only after two failed proofs, because the device then forgets the key. */
  async #authenticate(key: DeviceKey, code?: Enrolment): Promise<Session> {
    try {
      return await this.#proveKey(key, code);
    } catch (error) {
      // The challenge may have expired, or the hub may have restarted since it issued the challenge.
      if (!(error instanceof NotEnrolled || error instanceof NoProof)) throw error;
      return await this.#proveKey(key, code);
    }
  }

  async #proveKey(key: DeviceKey, code?: Enrolment): Promise<Session> {
    const to = code ? { code } : {};
    const challenge = await challengeIn(await this.#send("/session/challenge", to));
    const answer = await this.#send("/session/renew", { body: await this.#options.keys.prove(key, challenge), ...to });
    if (answer.status === 401) throw await notEnrolled(answer);
    if (answer.status === NO_PROOF) throw new NoProof((await answer.text()).trim());
    if (!answer.ok) throw new Unreachable(`the hub answered ${answer.status}`);
    return parseSession(await readJson(answer));
  }

  async #send(path: string, { body, code, signal }: { body?: object; code?: Enrolment; signal?: AbortSignal }): Promise<Response> {
    const init =
      body === undefined
        ? { headers: { accept: "application/json" } }
        : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    try {
      return await within(PATIENCE_MS, signal, (ends) => this.#options.send(path, { ...init, signal: ends }, code));
    } catch (error) {
      throw new Unreachable(error instanceof Error ? error.message : String(error));
    }
  }

  async #signature(text: string, message: Uint8Array): Promise<string> {
    const key = await this.#options.keys.enrolled();
    if (!key) throw new NotEnrolled();
    return this.#options.keys.sign(key, text, message);
  }
}

/** A queue that runs actions one at a time, in order. */
class Turns {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(act: () => Promise<T>): Promise<T> {
    const result = this.#last.then(act);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

async function refusedBy(answer: Response): Promise<Refused> {
  const why = (await answer.text()).trim() || `HTTP ${answer.status}`;
  return new Refused(why, Object.assign(create(RefusalSchema), { code: Number(answer.headers.get(NUMBER)) }));
}

function otherHub(text: string): Refused {
  return new Refused(text.trim(), create(RefusalSchema, { code: RefusalCode.CODE_OF_OTHER_HUB }));
}

async function challengeIn(answer: Response): Promise<string> {
  if (!answer.ok) throw new Unreachable(`the hub answered ${answer.status}`);
  const { challenge } = (await readJson(answer)) as { challenge: string };
  return challenge;
}

async function readJson(answer: Response): Promise<unknown> {
  try {
    return await answer.json();
  } catch (error) {
    throw new Unreachable(error instanceof Error ? error.message : String(error));
  }
}

import { create, toBinary } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient, createRouterTransport } from "@connectrpc/connect";
import { expect, test } from "vitest";
import { Arbiter, CommandReplySchema, CommandRequestSchema, Outcome } from "$gen/api/arbiter_pb.js";
import { RefusalCode, RefusalSchema } from "$gen/frames/refusal_pb.js";
import { setLocale } from "$lib/words/catalogue.js";
import { NotEnrolled, Refused, Unreachable } from "$lib/transport/transport.js";
import { failureWords } from "$lib/words/refusal.js";
import type { KeyName, KeyStore } from "./keys.js";
import { BrowserSession } from "./session.js";

const code = { hub: "hub.local:7464", authority: "a".repeat(32), token: "b".repeat(32) };

function keyStore(): KeyStore & { kept: Map<KeyName, CryptoKeyPair>; readonly key: CryptoKeyPair | null } {
  const kept = new Map<KeyName, CryptoKeyPair>();
  return {
    kept,
    get key() {
      return kept.get("device") ?? null;
    },
    read: (name) => Promise.resolve(kept.get(name) ?? null),
    keep: (name, key) => (kept.set(name, key), Promise.resolve()),
    forget: (name) => (kept.delete(name), Promise.resolve()),
  };
}

/** Creates a hub with sessions: `valid` is the current one, `known` tells whether it knows the device's key. */
function hub() {
  const at = {
    valid: "",
    known: true,
    count: 0,
    asked: [] as string[],
    public: null as CryptoKey | null,
    signed: [] as string[],
    used: false,
    loses: false,
    denies: [] as number[],
    why: {} as Record<string, string>,
  };
  const begin = (): Response => {
    at.valid = `s${(at.count += 1)}`;
    return Response.json({ name: "J. Doe", role: "floor", device: "d-0", session: at.valid });
  };
  const answer = async (path: string, body: Record<string, string>): Promise<Response> => {
    switch (path) {
      case "/session":
        return at.valid === ""
          ? new Response("this device is not signed in", { status: 401 })
          : Response.json({ name: "J. Doe", role: "floor", session: at.valid });
      case "/session/challenge":
        return Response.json({ challenge: "cafe" });
      case "/session/renew": {
        const denied = at.denies.shift();
        if (denied !== undefined) return new Response("", { status: denied });
        return at.known && (await verified(body["signature"] ?? "", "flagfall-session-v1\ncafe"))
          ? begin()
          : new Response("this device was shut out", { status: 401, headers: at.why });
      }
      case "/session/enrol": {
        if (body["token"] !== code.token || at.used) return new Response("the code is not valid", { status: 403, headers: { "flagfall-refusal": "140" } });
        at.public = await crypto.subtle.importKey("spki", bytes(body["public_key"] ?? ""), { name: "ECDSA", namedCurve: "P-256" }, true, ["verify"]);
        if (!at.loses) return begin();
        // Executed, but the reply is lost.
        at.used = true;
        throw new TypeError("the connection is gone");
      }
      default:
        return new Response("", { status: 404 });
    }
  };
  const verified = async (signature: string, text: string, message = new Uint8Array()): Promise<boolean> =>
    at.public !== null && crypto.subtle.verify({ name: "ECDSA", hash: "SHA-256" }, at.public, bytes(signature), Buffer.concat([Buffer.from(text), message]));
  const keys = keyStore();
  const asked: typeof fetch = (input, init) => {
    const path = new URL(input instanceof Request ? input.url : input).pathname;
    at.asked.push(path);
    if (init?.signal?.aborted) return Promise.reject(new DOMException("aborted", "AbortError"));
    return answer(path, typeof init?.body === "string" ? (JSON.parse(init.body) as Record<string, string>) : {});
  };
  const session = new BrowserSession({ base: "https://hub.local:7464", fetch: asked, keys });
  const wire = createRouterTransport(
    ({ service }) =>
      service(Arbiter, {
        send: async (request, context) => {
          const signature = context.requestHeader.get("flagfall-signature") ?? "";
          const text = `flagfall-command-v1\n/flagfall.api.v1.Arbiter/Send\n${at.valid}\n`;
          if (!(await verified(signature, text, Buffer.from(toBinary(CommandRequestSchema, request)))))
            throw new ConnectError("not signed in this session", Code.Unauthenticated);
          at.signed.push(signature);
          return create(CommandReplySchema, { outcome: Outcome.DONE });
        },
      }),
    { transport: { interceptors: [session.interceptor] } },
  );
  return { at, keys, session, arbiter: createClient(Arbiter, wire) };
}
const bytes = (text: string): Buffer<ArrayBuffer> => Buffer.from(text, "base64");
const command = { id: new Uint8Array(16), board: "7", seenSeq: 3n };

test("a code opens a session, and the key cannot be exported", async () => {
  const { keys, session, arbiter } = hub();
  await session.enrol(code, "Tablet 2");
  expect(await session.identity()).toEqual({ name: "J. Doe", role: "floor" });
  expect(keys.key?.privateKey.extractable).toBe(false);
  expect((await arbiter.send(command)).outcome).toBe(Outcome.DONE);
});

test("a wrong code throws the hub's reason", async () => {
  await expect(hub().session.enrol({ ...code, token: "c".repeat(32) }, "")).rejects.toThrow("the code is not valid");
});

test("a refusal has a code, so that the page can word it in its own language", async () => {
  const refused: unknown = await hub()
    .session.enrol({ ...code, token: "c".repeat(32) }, "")
    .catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(Refused);
  setLocale("de");
  expect(failureWords(refused)).toBe("Dieser Code ist ungültig: Er wurde schon benutzt oder ist älter als zehn Minuten. Bitten Sie um einen neuen.");
});

test("a refused enrolment leaves the device as it was", async () => {
  const { at, keys, session, arbiter } = hub();
  await session.enrol(code, "");
  const before = keys.key;
  await expect(session.enrol({ ...code, token: "c".repeat(32) }, "")).rejects.toThrow("the code is not valid");
  expect([...keys.kept]).toEqual([["device", before]]);
  expect((await arbiter.send(command)).outcome).toBe(Outcome.DONE);
  at.valid = "";
  expect((await arbiter.send(command)).outcome).toBe(Outcome.DONE);
});

test("a lost enrolment is recovered by its key, at the next session or attempt", async () => {
  for (const again of ["session", "attempt"]) {
    const { at, keys, session, arbiter } = hub();
    await session.enrol(code, "");
    const before = keys.key;
    at.loses = true;
    await expect(session.enrol(code, "")).rejects.toBeInstanceOf(Unreachable);
    expect(keys.key).toBe(before);
    const lost = keys.kept.get("new");
    if (again === "attempt") await session.enrol(code, "");
    else at.valid = "";
    expect((await arbiter.send(command)).outcome).toBe(Outcome.DONE);
    expect([...keys.kept]).toEqual([["device", lost]]);
  }
});

test("a hub that never received the new key still knows the old one", async () => {
  const { at, keys, session } = hub();
  await session.enrol(code, "");
  const before = keys.key;
  await keys.keep("new", await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, false, ["sign", "verify"]));
  at.valid = "";
  expect((await session.identity()).name).toBe("J. Doe");
  expect([...keys.kept]).toEqual([["device", before]]);
});

test("every call is signed, and signed again when repeated", async () => {
  const { at, session, arbiter } = hub();
  await session.enrol(code, "");
  await arbiter.send(command);
  await arbiter.send(command);
  expect(new Set(at.signed).size).toBe(2);
});

test("an expired session is renewed once for all waiting calls, and the command is done", async () => {
  const { at, session, arbiter } = hub();
  await session.enrol(code, "");
  at.valid = "";
  at.asked.length = 0;
  const replies = await Promise.all([arbiter.send(command), arbiter.send(command), arbiter.send(command)]);
  expect(replies.map((reply) => reply.outcome)).toEqual([Outcome.DONE, Outcome.DONE, Outcome.DONE]);
  expect(at.asked.filter((path) => path === "/session/renew").length).toBe(1);
});

test("a session opened by another window is reused", async () => {
  const { at, session, arbiter } = hub();
  await session.enrol(code, "");
  at.valid = "of another window";
  expect((await arbiter.send(command)).outcome).toBe(Outcome.DONE);
  expect(at.asked).not.toContain("/session/renew");
});

test("a revoked device learns who did it, when and why, even without its key", async () => {
  const { at, keys, session } = hub();
  await session.enrol(code, "");
  const why = create(RefusalSchema, { code: RefusalCode.DEVICE_REVOKED, name: "Berg, Anna", atUs: 1_790_000_000_000_000n, reason: "lost" });
  at.why = { "flagfall-refusal": "210", "flagfall-refusal-bin": Buffer.from(toBinary(RefusalSchema, why)).toString("base64") };
  [at.valid, at.known] = ["", false];
  for (const time of ["first", "second"]) {
    const unknown: unknown = await session.identity().catch((error: unknown) => error);
    expect(unknown, time).toBeInstanceOf(NotEnrolled);
    const said = (unknown as NotEnrolled).why;
    expect(said && [said.code, said.name, said.atUs, said.reason, said.text], time).toEqual([
      why.code,
      why.name,
      why.atUs,
      why.reason,
      "this device was shut out",
    ]);
    expect(keys.key).toBeNull();
  }
});

test.each(["", "no base64!", "AAAA", Buffer.from([8, 0]).toString("base64")])(
  "an answer whose details cannot be read is a denial without them: %j",
  async (details) => {
    const { at, session } = hub();
    await session.enrol(code, "");
    at.why = { "flagfall-refusal-bin": details };
    [at.valid, at.known] = ["", false];
    const unknown: unknown = await session.identity().catch((error: unknown) => error);
    expect(unknown).toBeInstanceOf(NotEnrolled);
    expect((unknown as NotEnrolled).why).toBeUndefined();
  },
);

test("a revoked device forgets its key", async () => {
  const { at, keys, session, arbiter } = hub();
  await session.enrol(code, "");
  Object.assign(at, { valid: "", known: false });
  await expect(arbiter.send(command)).rejects.toThrow("this device was shut out");
  await expect(session.identity()).rejects.toBeInstanceOf(NotEnrolled);
  expect(keys.key).toBeNull();
});

test("an unreachable hub does not revoke a device", async () => {
  const { keys } = hub();
  const session = new BrowserSession({ base: "https://hub.local:7464", fetch: () => Promise.reject(new TypeError("no network")), keys });
  await expect(session.identity()).rejects.toBeInstanceOf(Unreachable);
});

test("one denial costs no key: the challenge may be stale, or from before a restart", async () => {
  for (const no of [401, 409]) {
    const { at, keys, session, arbiter } = hub();
    await session.enrol(code, "");
    const { key } = keys;
    [at.valid, at.denies] = ["", [no]];
    expect((await arbiter.send(command)).outcome).toBe(Outcome.DONE);
    expect([keys.key, at.denies]).toEqual([key, []]);
  }
});

test("a proof that never succeeds does not cost the key", async () => {
  const { at, keys, session } = hub();
  await session.enrol(code, "");
  const { key } = keys;
  [at.valid, at.denies] = ["", [409, 409]];
  await expect(session.identity()).rejects.toBeInstanceOf(Unreachable);
  expect(keys.key).toBe(key);
  expect(await session.identity()).toEqual({ name: "J. Doe", role: "floor" });
});

test("asking for the identity can be aborted", async () => {
  const { session } = hub();
  const given = new AbortController();
  given.abort();
  await expect(session.identity(given.signal)).rejects.toBeInstanceOf(Unreachable);
});

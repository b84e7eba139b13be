import { create, toBinary } from "@bufbuild/protobuf";
import { afterEach, describe, expect, test, vi } from "vitest";
import { CommandRequestSchema, Outcome } from "$gen/api/arbiter_pb.js";
import { RefusalCode, RefusalSchema } from "$gen/frames/refusal_pb.js";
import { setLocale } from "$lib/words/catalogue.js";
import { NotEnrolled, Refused, Unreachable, type Identity } from "$lib/transport/transport.js";
import { failureWords } from "$lib/words/refusal.js";
import { DeviceSession } from "./session.js";
import { BrowserKeys } from "./browser-keys.js";
import { SimulatedApp, SimulatedBrowser, SimulatedHub, type Fate, type SimulatedDevice } from "./testing.js";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const command = create(CommandRequestSchema, { id: new Uint8Array(16), board: "7", seenSeq: 3n });
const identity = ({ shell }: SimulatedDevice): Promise<Identity> => shell.transport.identity(new AbortController().signal);
const outcome = async ({ shell }: SimulatedDevice): Promise<Outcome> => (await shell.transport.send(command)).outcome;
const failure = (answer: Promise<unknown>): Promise<unknown> =>
  answer.then(
    () => "no failure",
    (error: unknown) => error,
  );

/** The fates of an enrolment after which the device cannot know whether the hub has its key. */
const UNCLEAR: readonly Fate[] = ["lost", "failing", "garbled", "unheard"];

const SHELLS = [
  ["a browser", (hub: SimulatedHub): SimulatedDevice => new SimulatedBrowser(hub)],
  ["the app", (hub: SimulatedHub): SimulatedDevice => new SimulatedApp(hub)],
] as const;

describe.each(SHELLS)("in %s", (_, start) => {
  function started(): { hub: SimulatedHub; device: SimulatedDevice } {
    const hub = new SimulatedHub();
    return { hub, device: start(hub) };
  }

  async function enrolled(): Promise<{ hub: SimulatedHub; device: SimulatedDevice; key: string }> {
    const { hub, device } = started();
    await device.shell.enrol(hub.code(), "Tablet 2");
    const key = await device.enrolled();
    expect(key).not.toBeNull();
    return { hub, device, key: key ?? "" };
  }

  /** Attempts an enrolment that meets `fate`. Until the attempt has failed, the hub then answers no further request for a challenge. */
  async function enrolWithoutAnswer(hub: SimulatedHub, device: SimulatedDevice, fate: Fate, token = "b"): Promise<void> {
    [hub.fate, hub.mute] = [fate, true];
    await expect(device.shell.enrol(hub.code(token), "")).rejects.toBeInstanceOf(fate === "failing" || fate === "too many" ? Refused : Unreachable);
    hub.mute = false;
  }

  async function expectEnrolled(hub: SimulatedHub, device: SimulatedDevice): Promise<void> {
    hub.forgetSessions();
    device.restart();
    expect(await outcome(device)).toBe(Outcome.DONE);
    expect(hub.devices.has((await device.enrolled()) ?? "")).toBe(true);
    expect(await device.pendingKeys()).toEqual([]);
  }

  test("a code opens a session", async () => {
    const { device } = await enrolled();
    expect(await identity(device)).toEqual({ name: "J. Doe", role: "floor" });
    expect(await outcome(device)).toBe(Outcome.DONE);
  });

  test("a refusal has a code, so that the page can word it in its own language", async () => {
    const { hub, device } = started();
    const refused = await failure(device.shell.enrol(hub.code("c"), ""));
    expect(refused).toBeInstanceOf(Refused);
    expect(refused).toMatchObject({ message: "the code is not valid" });
    setLocale("de");
    expect(failureWords(refused)).toBe("Dieser Code ist ungültig: Er wurde schon benutzt oder ist älter als zehn Minuten. Bitten Sie um einen neuen.");
    setLocale("en");
  });

  test("a refused enrolment leaves the device as it was", async () => {
    const { hub, device, key } = await enrolled();
    await expect(device.shell.enrol(hub.code("c"), "")).rejects.toThrow("the code is not valid");
    expect([await device.enrolled(), await device.pendingKeys()]).toEqual([key, []]);
    expect(await outcome(device)).toBe(Outcome.DONE);
    await expectEnrolled(hub, device);
  });

  test.each(UNCLEAR.filter((fate) => fate !== "unheard"))("a lost answer costs no code: %s", async (fate) => {
    const { hub, device } = started();
    hub.fate = fate;
    await device.shell.enrol(hub.code(), "");
    await expectEnrolled(hub, device);
  });

  test.each(UNCLEAR)("a code without an answer can be entered again with the same key, also after a restart: %s", async (fate) => {
    const { hub, device } = started();
    await enrolWithoutAnswer(hub, device, fate);
    const lost = await device.pendingKeys();
    expect(lost).toHaveLength(1);
    expect(await device.enrolled()).toBeNull();
    device.restart();
    await device.shell.enrol(hub.code(), "");
    expect(await device.enrolled()).toBe(lost[0]);
    await expectEnrolled(hub, device);
    expect(hub.devices.size).toBe(1);
  });

  test("two lost codes keep both keys until the hub knows the device", async () => {
    const { hub, device } = started();
    hub.tokens.add("c".repeat(32));
    await enrolWithoutAnswer(hub, device, "lost");
    await enrolWithoutAnswer(hub, device, "unheard", "c");
    await enrolWithoutAnswer(hub, device, "lost", "c");
    expect(await device.pendingKeys()).toHaveLength(2);
    await enrolWithoutAnswer(hub, device, "unheard");
    await device.shell.enrol(hub.code(), "");
    await expectEnrolled(hub, device);
  });

  test("a key is removed only after both code and key were refused", async () => {
    const { hub, device } = started();
    for (const fate of ["too many", "unheard"] as const) {
      hub.fate = fate;
      await expect(device.shell.enrol(hub.code(), "")).rejects.toThrow();
      expect(await device.pendingKeys(), fate).toHaveLength(1);
    }
    hub.tokens.clear();
    await expect(device.shell.enrol(hub.code(), "")).rejects.toThrow("the code is not valid");
    expect([await device.enrolled(), await device.pendingKeys()]).toEqual([null, []]);
    await expect(identity(device)).rejects.toBeInstanceOf(NotEnrolled);
  });

  test("a known key counts, whatever the hub says about the address", async () => {
    const { hub, device } = started();
    await enrolWithoutAnswer(hub, device, "lost");
    hub.fate = "too many";
    await device.shell.enrol(hub.code(), "");
    await expectEnrolled(hub, device);
  });

  test("a refused code is no answer while its key has none", async () => {
    const { hub, device } = started();
    await enrolWithoutAnswer(hub, device, "lost");
    hub.mute = true;
    await expect(device.shell.enrol(hub.code(), "")).rejects.toBeInstanceOf(Unreachable);
    hub.mute = false;
    await device.shell.enrol(hub.code(), "");
    await expectEnrolled(hub, device);
  });

  test("enrolling again keeps the old identity until the new one is confirmed, and the next session finds it", async () => {
    const { hub, device, key } = await enrolled();
    hub.tokens.add("c".repeat(32));
    await enrolWithoutAnswer(hub, device, "lost", "c");
    expect(await device.enrolled()).toBe(key);
    expect(await outcome(device)).toBe(Outcome.DONE);
    const lost = await device.pendingKeys();
    hub.forgetSessions();
    expect(await outcome(device)).toBe(Outcome.DONE);
    expect([await device.enrolled(), await device.pendingKeys()]).toEqual([lost[0], []]);
  });

  test("a hub that never received the new key still knows the old one", async () => {
    const { hub, device, key } = await enrolled();
    await enrolWithoutAnswer(hub, device, "unheard", "c");
    hub.forgetSessions();
    expect((await identity(device)).name).toBe("J. Doe");
    expect([await device.enrolled(), await device.pendingKeys()]).toEqual([key, []]);
  });

  test("a code stays valid if the enrolment cannot be stored", async () => {
    const { hub, device } = started();
    device.full = true;
    await expect(device.shell.enrol(hub.code(), "")).rejects.toThrow("full");
    expect([await device.enrolled(), (await device.pendingKeys()).length]).toEqual([null, 1]);
    device.full = false;
    await device.shell.enrol(hub.code(), "");
    await expectEnrolled(hub, device);
  });

  test("two enrolments with one code at the same time use one key", async () => {
    const { hub, device } = started();
    [hub.fate, hub.mute] = ["lost", true];
    const both = await Promise.all([failure(device.shell.enrol(hub.code(), "")), failure(device.shell.enrol(hub.code(), ""))]);
    for (const error of both) expect(error).toBeInstanceOf(Unreachable);
    hub.mute = false;
    await device.shell.enrol(hub.code(), "");
    await expectEnrolled(hub, device);
    expect(hub.devices.size).toBe(1);
  });

  test("a silent hub counts as unreachable", async () => {
    const { hub, device } = started();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    [hub.fate, hub.mute] = ["silent", true];
    const attempt = failure(device.shell.enrol(hub.code(), ""));
    while (!hub.requested.includes("/session/enrol")) await new Promise(setImmediate);
    await vi.advanceTimersByTimeAsync(8000);
    expect(await attempt).toBeInstanceOf(Unreachable);
    vi.useRealTimers();
    hub.mute = false;
    await device.shell.enrol(hub.code(), "");
    await expectEnrolled(hub, device);
  });

  test("a late denial of the old key does not affect the new one", async () => {
    const { hub, device } = await enrolled();
    hub.revoke();
    hub.tokens.add("c".repeat(32));
    let release = (): void => undefined;
    hub.hold = new Promise((done) => (release = done));
    const late = failure(identity(device));
    while (!hub.requested.includes("/session/renew")) await new Promise(setImmediate);
    await device.shell.enrol(hub.code("c"), "");
    release();
    await late;
    await expectEnrolled(hub, device);
  });

  test("a denial from before an enrolment does not cost the key that it uses", async () => {
    const { hub, device } = await enrolled();
    await enrolWithoutAnswer(hub, device, "unheard", "c");
    hub.tokens.add("c".repeat(32));
    hub.forgetSessions();
    hub.requested.length = 0;
    let release = (): void => undefined;
    hub.hold = new Promise((done) => (release = done));
    // The renewal uses the new key, which the hub does not know yet.
    const late = failure(identity(device));
    while (!hub.requested.includes("/session/renew")) await new Promise(setImmediate);
    hub.denies = [401];
    hub.fate = "lost";
    const entered = device.shell.enrol(hub.code("c"), "");
    release();
    await Promise.all([late, entered]);
    await expectEnrolled(hub, device);
  });

  test("every call is signed, and signed again when repeated", async () => {
    const { hub, device } = await enrolled();
    await outcome(device);
    await outcome(device);
    expect(new Set(hub.signed).size).toBe(2);
  });

  test("an expired session is renewed once for all waiting calls, and the command is done", async () => {
    const { hub, device } = await enrolled();
    hub.forgetSessions();
    hub.requested.length = 0;
    const outcomes = await Promise.all([outcome(device), outcome(device), outcome(device)]);
    expect(outcomes).toEqual([Outcome.DONE, Outcome.DONE, Outcome.DONE]);
    expect(hub.requested.filter((path) => path === "/session/renew").length).toBe(1);
  });

  test("a session opened by another window is reused", async () => {
    const { hub, device, key } = await enrolled();
    hub.open = { session: "of another window", device: key };
    expect(await outcome(device)).toBe(Outcome.DONE);
    expect(hub.requested).not.toContain("/session/renew");
  });

  test("a revoked device learns who did it, when and why, even without its key", async () => {
    const { hub, device } = await enrolled();
    const why = create(RefusalSchema, { code: RefusalCode.DEVICE_REVOKED, name: "Berg, Anna", atUs: 1_790_000_000_000_000n, reason: "lost" });
    hub.why = { "flagfall-refusal": "210", "flagfall-refusal-bin": Buffer.from(toBinary(RefusalSchema, why)).toString("base64") };
    hub.revoke();
    for (const time of ["first", "second"]) {
      const unknown = await failure(identity(device));
      expect(unknown, time).toBeInstanceOf(NotEnrolled);
      const said = (unknown as NotEnrolled).why;
      expect(said && [said.code, said.name, said.atUs, said.reason, said.text], time).toEqual([
        why.code,
        why.name,
        why.atUs,
        why.reason,
        "this device was shut out",
      ]);
      expect(await device.enrolled()).toBeNull();
    }
  });

  test.each(["", "no base64!", "AAAA", Buffer.from([8, 0]).toString("base64")])(
    "an answer whose details cannot be read is a denial without them: %j",
    async (details) => {
      const { hub, device } = await enrolled();
      hub.why = { "flagfall-refusal-bin": details };
      hub.revoke();
      const unknown = await failure(identity(device));
      expect(unknown).toBeInstanceOf(NotEnrolled);
      expect((unknown as NotEnrolled).why).toBeUndefined();
    },
  );

  test("a revoked device forgets its key, and every call says so", async () => {
    const { hub, device } = await enrolled();
    hub.revoke();
    const denied = await failure(outcome(device));
    expect(denied).toBeInstanceOf(NotEnrolled);
    expect(denied).toMatchObject({ message: "this device was shut out" });
    await expect(identity(device)).rejects.toBeInstanceOf(NotEnrolled);
    const watch = device.shell.transport.watch(null, new AbortController().signal, () => undefined);
    await expect(watch[Symbol.asyncIterator]().next()).rejects.toBeInstanceOf(NotEnrolled);
    expect(await device.enrolled()).toBeNull();
  });

  test("one denial costs no key: the challenge may be stale, or from before a restart", async () => {
    for (const no of [401, 409]) {
      const { hub, device, key } = await enrolled();
      hub.forgetSessions();
      hub.denies = [no];
      expect(await outcome(device)).toBe(Outcome.DONE);
      expect([await device.enrolled(), hub.denies]).toEqual([key, []]);
    }
  });

  test("a proof that never succeeds does not cost the key", async () => {
    const { hub, device, key } = await enrolled();
    hub.forgetSessions();
    hub.denies = [409, 409];
    await expect(identity(device)).rejects.toBeInstanceOf(Unreachable);
    expect(await device.enrolled()).toBe(key);
    expect(await identity(device)).toEqual({ name: "J. Doe", role: "floor" });
  });

  test("asking for the identity can be aborted", async () => {
    const { device } = await enrolled();
    const given = new AbortController();
    given.abort();
    await expect(device.shell.transport.identity(given.signal)).rejects.toBeInstanceOf(Unreachable);
  });
});

describe("in the app", () => {
  test("a start without an enrolment asks no hub, whatever waits for an answer", async () => {
    const hub = new SimulatedHub();
    const device = new SimulatedApp(hub);
    hub.fate = "unheard";
    hub.mute = true;
    await expect(device.shell.enrol(hub.code(), "")).rejects.toBeInstanceOf(Unreachable);
    hub.requested.length = 0;
    await expect(identity(device)).rejects.toBeInstanceOf(NotEnrolled);
    device.restart();
    await expect(identity(device)).rejects.toBeInstanceOf(NotEnrolled);
    expect(hub.requested).toEqual([]);
  });

  test("a key is sent to one hub only", async () => {
    const [hub, other] = [new SimulatedHub("a"), new SimulatedHub("d")];
    const device = new SimulatedApp(hub, other);
    [hub.fate, hub.mute, other.fate, other.mute] = ["lost", true, "lost", true];
    await expect(device.shell.enrol(hub.code(), "")).rejects.toBeInstanceOf(Unreachable);
    await expect(device.shell.enrol(other.code(), "")).rejects.toBeInstanceOf(Unreachable);
    // The first hub's code at the second hub's address: nothing is sent, and the key stays.
    await expect(device.shell.enrol({ ...hub.code(), hub: other.address }, "")).rejects.toBeInstanceOf(Refused);
    [hub.mute, other.mute] = [false, false];
    expect([...hub.devices.keys(), ...other.devices.keys()]).toEqual(device.keys().slice(0, 2));
    await device.shell.enrol(hub.code(), "");
    expect(await outcome(device)).toBe(Outcome.DONE);
    // The second hub may have this key, so the device keeps the key until it is enrolled with that hub.
    expect(await device.pendingKeys()).toContain([...other.devices.keys()][0]);
    await device.shell.enrol(other.code(), "");
    expect(await device.enrolled()).toBe([...other.devices.keys()][0]);
    expect(await outcome(device)).toBe(Outcome.DONE);
    expect(device.keys()).toEqual([...other.devices.keys()]);
  });

  test("another machine in place of the code's hub leaves nothing, and is worded", async () => {
    const hub = new SimulatedHub();
    const device = new SimulatedApp(hub);
    const refused = await failure(device.shell.enrol({ ...hub.code(), authority: "9".repeat(32) }, ""));
    expect(refused).toBeInstanceOf(Refused);
    expect(failureWords(refused)).toContain("another hub");
    expect([hub.requested, device.keys()]).toEqual([[], []]);
  });

  test("another hub's code moves the device", async () => {
    const [hub, other] = [new SimulatedHub("a"), new SimulatedHub("d")];
    const device = new SimulatedApp(hub, other);
    await device.shell.enrol(hub.code(), "");
    [other.fate, other.mute] = ["lost", true];
    await expect(device.shell.enrol(other.code(), "")).rejects.toBeInstanceOf(Unreachable);
    expect(await outcome(device)).toBe(Outcome.DONE);
    expect([hub.signed.length, other.signed.length]).toEqual([1, 0]);
    other.mute = false;
    await device.shell.enrol(other.code(), "");
    expect(await outcome(device)).toBe(Outcome.DONE);
    expect([hub.signed.length, other.signed.length, device.keys().length]).toEqual([1, 1, 1]);
  });

  test("a locked key store costs no key", async () => {
    const hub = new SimulatedHub();
    const device = new SimulatedApp(hub);
    await device.shell.enrol(hub.code(), "");
    hub.forgetSessions();
    device.restart();
    device.locked = true;
    const locked = await failure(identity(device));
    expect(locked).toBeInstanceOf(NotEnrolled);
    expect(locked).toMatchObject({ message: "this device cannot store or read its key: locked" });
    device.locked = false;
    expect((await identity(device)).name).toBe("J. Doe");
  });
});

describe("in a browser", () => {
  const pair = (): Promise<CryptoKeyPair> => crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, false, ["sign", "verify"]);

  /** Creates a browser with keys stored by an earlier version. The hub knows the keys in `known`. */
  async function earlier(known: readonly ("device" | "new")[]): Promise<{ hub: SimulatedHub; device: SimulatedBrowser }> {
    const hub = new SimulatedHub();
    const device = new SimulatedBrowser(hub);
    for (const name of ["device", "new"] as const) {
      const made = await pair();
      device.store.pairs.set(name, made);
      const [key] = name === "new" ? await new BrowserKeys(device.store).pendingKeys() : [await new BrowserKeys(device.store).enrolled()];
      if (key && known.includes(name)) hub.devices.set(key.device, key.publicKey);
    }
    return { hub, device };
  }

  test("the key cannot be exported", async () => {
    const hub = new SimulatedHub();
    const device = new SimulatedBrowser(hub);
    await device.shell.enrol(hub.code(), "");
    expect([...device.store.pairs].map(([name, { privateKey }]) => [name, privateKey.extractable])).toEqual([["device", false]]);
  });

  test.each(["device", "new"] as const)("a device stored by an earlier version is still enrolled: %s", async (known) => {
    const { hub, device } = await earlier([known]);
    const key = device.store.pairs.get(known);
    expect(await outcome(device)).toBe(Outcome.DONE);
    expect([...device.store.pairs]).toEqual([["device", key]]);
    expect(hub.count).toBe(1);
  });

  test("a code whose answer an earlier version lost can be entered again", async () => {
    const { hub, device } = await earlier(["new"]);
    const key = device.store.pairs.get("new");
    hub.tokens.clear();
    await device.shell.enrol(hub.code(), "");
    expect([...device.store.pairs]).toEqual([["device", key]]);
    expect(await outcome(device)).toBe(Outcome.DONE);
  });

  test("an unreachable hub does not revoke a device", async () => {
    const hub = new SimulatedHub();
    const device = new SimulatedBrowser(hub);
    await device.shell.enrol(hub.code(), "");
    const stored = [...device.store.pairs];
    const session = new DeviceSession({ keys: new BrowserKeys(device.store), send: () => Promise.reject(new TypeError("no network")) });
    await expect(session.identity()).rejects.toBeInstanceOf(Unreachable);
    expect([...device.store.pairs]).toEqual(stored);
  });
});

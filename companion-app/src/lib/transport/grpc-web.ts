// gRPC-web to a hub over any `fetch`: the browser's own, so that the session's cookie goes with every call, or the app's Rust side
// (app-shell.ts).
//
// Translates the hub's status codes into what a caller can do about them.

import { create } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient, type Client, type Interceptor } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { Arbiter } from "$gen/api/arbiter_pb.js";
import { ApplyRequestSchema, ImportRequestSchema, Tournament } from "$gen/api/tournament_pb.js";
import { RefusalSchema, type Refusal } from "$gen/frames/refusal_pb.js";
import { wireScope } from "$lib/event/round-work.js";
import type { EnrolmentCalls } from "./enrolment.js";
import type { EventCalls } from "./event.js";
import { notEnrolled, whoIs } from "./identity.js";
import { NotEnrolled, PRESSES_SENT, Refused, Unreachable, type Identity, type Transport } from "./transport.js";

/** Updates are batched over two frames: each message wakes the page. */
const GATHER_MS = 33;

/** How calls reach the hub. */
export interface Way {
  /** The prefix of the hub's paths. */
  base: string;
  fetch: typeof globalThis.fetch;
  interceptors?: Interceptor[];
}

export function hubTransport(way: Way): Transport {
  const wire = createGrpcWebTransport({ baseUrl: way.base, fetch: way.fetch, interceptors: way.interceptors ?? [] });
  const arbiter = createClient(Arbiter, wire);
  return {
    identity: (signal) => session(way, signal),
    hall: (signal) => told(arbiter.getHall({}, { signal })),
    watch: (after, signal, opened) =>
      toldEach(arbiter.watch({ afterEpoch: after?.epoch ?? 0n, afterSeq: after?.seq ?? 0n, presses: PRESSES_SENT, gatherMs: GATHER_MS }, { signal, onHeader: opened })),
    send: (request) => told(arbiter.send(request)),
    outcome: (id, signal) => told(arbiter.getCommand({ id }, signal ? { signal } : {})),
    agents: (signal) => told(arbiter.listAgents({}, { signal })),
    enrolmentCode: (board) => told(arbiter.createEnrolmentCode({ board })),
    log: (board, fromIndex, signal) => toldEach(arbiter.readLog({ board, fromIndex }, { signal })),
    presses: (board, signal) => told(arbiter.getPresses({ board }, { signal })),
    acknowledge: async (board, kind, going) => {
      await told(arbiter.acknowledge({ board, kind, going }));
    },
    arbiterCode: (name, role) => told(arbiter.createArbiterCode({ name, role })),
    devices: async (signal) => (await told(arbiter.listDevices({}, { signal }))).devices,
    revokeDevice: async (device, reason) => {
      await told(arbiter.revokeDevice({ device, reason }));
    },
    watchFloor: (signal) => toldEach(arbiter.watchFloor({}, { signal })),
    setFloor: (places, whole, seenVersion) => told(arbiter.setFloor({ places, whole, seenVersion })),
    event: eventCalls(wire),
    enrolment: enrolmentCalls(arbiter),
  };
}

function enrolmentCalls(arbiter: Client<typeof Arbiter>): EnrolmentCalls {
  return {
    makeSheet: ({ boards, eachSide, hours }) => told(arbiter.createEnrolmentSheet({ boards, eachSide, validForUs: BigInt(hours) * 3_600_000_000n })),
    withdrawSheet: async (sheet) => (await told(arbiter.withdrawEnrolmentSheet({ sheet }))).withdrawn,
    open: ({ clocks, minutes, boards }) => told(arbiter.openEnrolment({ clocks, boards, validForUs: BigInt(minutes) * 60_000_000n })),
    admit: (window, clocks) => told(arbiter.admitClocks({ window, clocks: clocks.map(({ key, board }) => ({ key, board })) })),
    refuse: (window, key) => told(arbiter.refuseClock({ window, key })),
    closeWindow: (window) => told(arbiter.closeEnrolment({ window })),
    watch: (signal) => toldEach(arbiter.watchEnrolment({}, { signal })),
  };
}

function eventCalls(wire: ReturnType<typeof createGrpcWebTransport>): EventCalls {
  const event = createClient(Tournament, wire);
  return {
    tournament: async (signal) => {
      try {
        return await event.getTournament({}, { signal });
      } catch (error) {
        // A hub without an event, or older than events.
        if ([Code.NotFound, Code.Unimplemented].includes(ConnectError.from(error).code)) return null;
        throw meaning(error);
      }
    },
    watch: (signal) => toldEach(event.watchTournament({}, { signal })),
    apply: (id, seenVersion, reason, changes) => told(event.apply(create(ApplyRequestSchema, { id, seenVersion, reason, changes }))),
    preset: ({ scope, ...wish }) => told(event.presetRound({ scope: wireScope(scope), ...wish })),
    start: ({ scope, ...wish }) => told(event.startRound({ scope: wireScope(scope), ...wish })),
    proposePairings: (wish, signal) => told(event.proposePairings(wish, { signal })),
    proposeNumbers: (signal) => told(event.proposeNumbers({}, { signal })),
    undoImport: (id, version, dryRun) => told(event.undoImport({ id, version, dryRun })),
    importFile: ({ id, fileName, content, dryRun, seenVersion, removePairings, setAside }) =>
      told(
        event.import(
          create(ImportRequestSchema, {
            id,
            fileName,
            dryRun,
            source: { case: "content", value: content },
            // A dry run has nothing to confirm yet.
            removePairings: dryRun ? 0 : removePairings,
            ...(seenVersion === undefined ? {} : { seenVersion }),
            ...(setAside === undefined ? {} : { setAside }),
          }),
        ),
      ),
    standings: (after, explain, signal) => told(event.getStandings({ after, explain }, { signal })),
    crossTable: (after, signal) => told(event.getCrossTable({ after }, { signal })),
    checkRatingReport: (signal) => told(event.checkRatingReport({}, { signal })),
    exportFile: (format) => told(event.export({ format })),
    searchFideList: (text, limit, signal) => told(event.searchFideList({ text, limit }, { signal })),
    fideListStatus: (signal) => told(event.getFideListStatus({}, { signal })),
    importFideList: (piece) => told(event.importFideList(piece)),
  };
}

async function told<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw meaning(error);
  }
}

async function* toldEach<T>(answers: AsyncIterable<T>): AsyncIterable<T> {
  try {
    yield* answers;
  } catch (error) {
    throw meaning(error);
  }
}

/** Converts a failed call into an error that tells the caller what to do. */
export function meaning(error: unknown): Error {
  const status = ConnectError.from(error);
  switch (status.code) {
    case Code.Unauthenticated:
      return new NotEnrolled(status.rawMessage);
    case Code.FailedPrecondition:
    case Code.InvalidArgument:
    case Code.NotFound:
    case Code.PermissionDenied:
    case Code.AlreadyExists:
    case Code.OutOfRange:
    case Code.ResourceExhausted:
    case Code.Unimplemented:
      return new Refused(status.rawMessage, numbered(status));
    case Code.Canceled:
    case Code.Unknown:
    case Code.DeadlineExceeded:
    case Code.Aborted:
    case Code.Internal:
    case Code.Unavailable:
    case Code.DataLoss: {
      // Then a board's clock is unreachable, and not the hub, which has answered.
      const refusal = numbered(status);
      return refusal ? new Refused(status.rawMessage, refusal) : new Unreachable(status.rawMessage);
    }
  }
}

/** Returns the refusal in the details of a status. */
function numbered(status: ConnectError): Refusal | undefined {
  return status.findDetails(RefusalSchema)[0];
}

async function session(way: Way, signal: AbortSignal): Promise<Identity> {
  let answer: Response;
  try {
    answer = await way.fetch(new URL("/session", way.base), { signal, headers: { accept: "application/json" } });
  } catch (error) {
    throw new Unreachable(error instanceof Error ? error.message : String(error));
  }
  if (answer.status === 401) throw await notEnrolled(answer);
  if (!answer.ok) throw new Unreachable(`the hub answered ${answer.status}`);
  const { name, role } = whoIs(await answer.json());
  return { name, role };
}

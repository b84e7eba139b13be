// gRPC-web to a hub over any `fetch`: the browser's own, which sends the session's cookie with every call, or the app's Rust side
// (app-shell.ts).
//
// Translates the hub's status codes into errors that tell callers what they can do.

import { create } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient, type Client } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { Arbiter } from "$gen/api/arbiter_pb.js";
import { Archive } from "$gen/api/archive_pb.js";
import { HeldDecision } from "$gen/api/held_pb.js";
import { Player } from "$gen/api/player_pb.js";
import { ApplyRequestSchema, ImportRequestSchema, Tournament } from "$gen/api/tournament_pb.js";
import { RefusalSchema, type Refusal } from "$gen/frames/refusal_pb.js";
import type { DeviceSession } from "$lib/enrol/session.js";
import { wireSide } from "$lib/hall/board.js";
import { wireScope } from "$lib/event/round-work.js";
import type { EnrolmentCalls } from "./enrolment.js";
import type { EventCalls } from "./event.js";
import type { PlayerCalls } from "./player.js";
import { NotEnrolled, PRESSES_SENT, Refused, Unreachable, type Transport } from "./transport.js";

/** Time over which the hub batches updates: two frames. Without batching, each update would wake the page. */
const GATHER_MS = 33;

/** The means by which calls reach the hub. */
export interface Carrier {
  base: string;
  fetch: typeof globalThis.fetch;
}

export function sessionTransport(session: DeviceSession, carrier: Carrier): Transport {
  const wire = createGrpcWebTransport({ baseUrl: carrier.base, fetch: carrier.fetch, interceptors: [session.interceptor] });
  const arbiter = createClient(Arbiter, wire);
  const archive = createClient(Archive, wire);
  return {
    identity: (signal) => session.identity(signal),
    hall: (signal) => orFailure(arbiter.getHall({}, { signal })),
    watch: (after, signal, opened) =>
      eachOrFailure(
        arbiter.watch({ afterEpoch: after?.epoch ?? 0n, afterSeq: after?.seq ?? 0n, presses: PRESSES_SENT, gatherMs: GATHER_MS }, { signal, onHeader: opened }),
      ),
    send: (request, signal) => orFailure(arbiter.send(request, signal ? { signal } : {})),
    outcome: (id, signal) => orFailure(arbiter.getCommand({ id }, signal ? { signal } : {})),
    agents: (signal) => orFailure(arbiter.listAgents({}, { signal })),
    enrolmentCode: (board) => orFailure(arbiter.createEnrolmentCode({ board })),
    log: (board, fromIndex, signal) => eachOrFailure(arbiter.readLog({ board, fromIndex }, { signal })),
    presses: (board, signal) => orFailure(arbiter.getPresses({ board }, { signal })),
    proceedings: (board, signal) => orFailure(arbiter.getProceedings({ board }, { signal })),
    acknowledge: async (board, kind, going) => {
      await orFailure(arbiter.acknowledge({ board, kind, going }));
    },
    acknowledgeNotes: async (board, notes, reason = "") => {
      await orFailure(arbiter.acknowledgeNotes({ board, notes: notes.map(({ kind, agent, count }) => ({ kind, agent, count: BigInt(count) })), reason }));
    },
    arbiterCode: (name, role, boards, side) => orFailure(arbiter.createArbiterCode({ name, role, boards, ...(side ? { side: wireSide(side) } : {}) })),
    devices: async (signal) => (await orFailure(arbiter.listDevices({}, { signal }))).devices,
    revokeDevice: async (device, reason) => {
      await orFailure(arbiter.revokeDevice({ device, reason }));
    },
    watchFloor: (signal) => eachOrFailure(arbiter.watchFloor({}, { signal })),
    broadcast: () => orFailure(arbiter.getBroadcast({})),
    setBroadcast: (settings, lichessToken) => orFailure(arbiter.setBroadcast({ settings, lichessToken })),
    setFloor: (places, whole, seenVersion) => orFailure(arbiter.setFloor({ places, whole, seenVersion })),
    watchHeld: (signal) => eachOrFailure(arbiter.watchHeld({}, { signal })),
    decideHeld: (id, confirm) => orFailure(arbiter.decideHeld({ id, decision: confirm ? HeldDecision.CONFIRM : HeldDecision.DECLINE })),
    commands: ({ actor, board, fromUs, before }, signal) =>
      orFailure(arbiter.listCommands({ actor, board, before, ...(fromUs === null ? {} : { fromUs }) }, { signal })),
    replay: (of, supposed, signal) => orFailure(archive.getGame({ of, ...(supposed ? { supposed } : {}) }, { signal })),
    checkpoint: (signal) => orFailure(archive.getCheckpoint({}, { signal })),
    proof: (of, signal) => orFailure(archive.getProof({ of }, { signal })),
    event: eventCalls(wire),
    enrolment: enrolmentCalls(arbiter),
    player: playerCalls(wire),
  };
}

function enrolmentCalls(arbiter: Client<typeof Arbiter>): EnrolmentCalls {
  return {
    makeSheet: ({ boards, eachSide, hours }) => orFailure(arbiter.createEnrolmentSheet({ boards, eachSide, validForUs: BigInt(hours) * 3_600_000_000n })),
    withdrawSheet: async (sheet) => (await orFailure(arbiter.withdrawEnrolmentSheet({ sheet }))).withdrawn,
    open: ({ clocks, minutes, boards }) => orFailure(arbiter.openEnrolment({ clocks, boards, validForUs: BigInt(minutes) * 60_000_000n })),
    admit: (window, clocks) => orFailure(arbiter.admitClocks({ window, clocks: clocks.map(({ key, board }) => ({ key, board })) })),
    refuse: (window, key) => orFailure(arbiter.refuseClock({ window, key })),
    closeWindow: (window) => orFailure(arbiter.closeEnrolment({ window })),
    watch: (signal) => eachOrFailure(arbiter.watchEnrolment({}, { signal })),
  };
}

function playerCalls(wire: ReturnType<typeof createGrpcWebTransport>): PlayerCalls {
  const player = createClient(Player, wire);
  return {
    watch: (signal, opened) => eachOrFailure(player.watch({}, { signal, onHeader: opened })),
    act: async (id, kind, move = "") => (await orFailure(player.act({ id, kind, move }))).refusal,
  };
}

function eventCalls(wire: ReturnType<typeof createGrpcWebTransport>): EventCalls {
  const event = createClient(Tournament, wire);
  return {
    tournament: async (signal) => {
      try {
        return await event.getTournament({}, { signal });
      } catch (error) {
        // The hub has no event, or its version does not support events.
        if ([Code.NotFound, Code.Unimplemented].includes(ConnectError.from(error).code)) return null;
        throw failureOf(error);
      }
    },
    watch: (signal) => eachOrFailure(event.watchTournament({}, { signal })),
    apply: (id, seenVersion, reason, changes, setAside) =>
      orFailure(event.apply(create(ApplyRequestSchema, { id, seenVersion, reason, changes, ...(setAside === undefined ? {} : { setAside }) }))),
    preset: ({ scope, ...draft }) => orFailure(event.presetRound({ scope: wireScope(scope), ...draft })),
    start: ({ scope, ...draft }) => orFailure(event.startRound({ scope: wireScope(scope), ...draft })),
    proposePairings: (draft, signal) => orFailure(event.proposePairings(draft, { signal })),
    proposeNumbers: (signal) => orFailure(event.proposeNumbers({}, { signal })),
    undoImport: (id, version, dryRun) => orFailure(event.undoImport({ id, version, dryRun })),
    importFile: ({ id, fileName, content, dryRun, seenVersion, removePairings, setAside }) =>
      orFailure(
        event.import(
          create(ImportRequestSchema, {
            id,
            fileName,
            dryRun,
            source: { case: "content", value: content },
            // During a dry run, the arbiter has not yet agreed to the removal of pairings.
            removePairings: dryRun ? 0 : removePairings,
            ...(seenVersion === undefined ? {} : { seenVersion }),
            ...(setAside === undefined ? {} : { setAside }),
          }),
        ),
      ),
    standings: (after, explain, signal) => orFailure(event.getStandings({ after, explain }, { signal })),
    crossTable: (after, signal) => orFailure(event.getCrossTable({ after }, { signal })),
    checkRatingReport: (signal) => orFailure(event.checkRatingReport({}, { signal })),
    exportFile: (format) => orFailure(event.export({ format })),
    searchFideList: (text, limit, signal) => orFailure(event.searchFideList({ text, limit }, { signal })),
    fideListStatus: (signal) => orFailure(event.getFideListStatus({}, { signal })),
    importFideList: (piece) => orFailure(event.importFideList(piece)),
  };
}

async function orFailure<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw failureOf(error);
  }
}

async function* eachOrFailure<T>(answers: AsyncIterable<T>): AsyncIterable<T> {
  try {
    yield* answers;
  } catch (error) {
    throw failureOf(error);
  }
}

export function failureOf(error: unknown): Error {
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
      return new Refused(status.rawMessage, refusalOf(status));
    case Code.Canceled:
    case Code.Unknown:
    case Code.DeadlineExceeded:
    case Code.Aborted:
    case Code.Internal:
    case Code.Unavailable:
    case Code.DataLoss: {
      // A refusal shows that the hub itself has answered. For example, only a board's clock may be unreachable.
      const refusal = refusalOf(status);
      return refusal ? new Refused(status.rawMessage, refusal) : new Unreachable(status.rawMessage);
    }
  }
}

function refusalOf(status: ConnectError): Refusal | undefined {
  return status.findDetails(RefusalSchema)[0];
}

// The event as the hub knows it: players, rounds, standings. Absent in a hall without an event.
//
// Owns the newest copy and its version. Must never compute standings: the hub computes and explains them.

import type { Standings, TakenImport, TournamentUpdate } from "$gen/api/tournament_pb.js";
import type { Change, Player, RoundState, Tournament } from "$gen/frames/event_pb.js";
import { sleep } from "$lib/hall/follow.js";
import type { KnownEvent } from "$lib/offline/snapshot.js";
import type { Transport } from "$lib/transport/transport.js";

const AGAIN_MS = 3000;
/** Retry interval while the hub has no event. */
const NONE_MS = 10_000;
/** Maximum time for which `reaches` waits until this device has a change that the hub has made. */
const REACH_MS = 2000;
const LOOK_MS = 25;

export class EventStore {
  version = $state(0n);
  tournament: Tournament | null = $state.raw(null);
  standings: Standings | null = $state.raw(null);
  /** The imports that can be undone, oldest first. */
  imports: readonly TakenImport[] = $state.raw([]);
  readonly #transport: Transport;
  readonly #currentRound: () => string;
  #waiting = new AbortController();

  /** @param currentRound returns the number of the round being played, which the hub sends with the boards */
  constructor(transport: Transport, currentRound: () => string) {
    this.#transport = transport;
    this.#currentRound = currentRound;
  }

  /** The paired rounds in order, including those paired in advance. */
  get rounds(): readonly RoundState[] {
    return this.tournament?.rounds ?? [];
  }

  /** The round being played. If the hub names no round that this device knows, the last paired round; null if no round is paired. */
  get round(): RoundState | null {
    return this.roundNo(Number(this.#currentRound())) ?? this.rounds.at(-1) ?? null;
  }

  roundNo(no: number): RoundState | null {
    return this.rounds.find((one) => one.round === no) ?? null;
  }

  player(no: number): Player | undefined {
    return this.tournament?.players.find((player) => player.no === no);
  }

  /**
   * Returns a request that makes changes and resolves to the event's new version; it throws the hub's refusal. A repeated request keeps its
   * id and the version that the arbiter saw, so the hub makes the changes once.
   */
  asks(reason: string, changes: Change[]): () => Promise<bigint> {
    return this.seen()(reason, changes);
  }

  /**
   * Returns a function like `asks` for changes that are decided later, but based on the event's current version. With `setAside`, the
   * current event's name as typed by the arbiter, the changes begin a new event.
   */
  seen(): (reason: string, changes: Change[], setAside?: string) => () => Promise<bigint> {
    const seen = this.version;
    return (reason, changes, setAside) => {
      const id = crypto.getRandomValues(new Uint8Array(16));
      return async () => {
        const { version } = await this.#transport.event.apply(id, seen, reason, changes, setAside);
        return version;
      };
    };
  }

  /** Waits up to two seconds until this device has `version`, because the next request must be based on it. */
  async reaches(version: bigint): Promise<void> {
    const never = new AbortController().signal;
    for (let looks = 0; this.version < version && looks < REACH_MS / LOOK_MS; looks += 1) {
      this.look();
      await sleep(LOOK_MS, never);
    }
  }

  /** Ends the wait for an event, so that the next request is sent immediately. */
  look(): void {
    this.#waiting.abort();
  }

  /** Follows the event until `signal` aborts. A hall without an event is not an error. */
  async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const found = await this.#load(signal);
        if (!found) {
          await this.#rest(signal);
          continue;
        }
        for await (const update of this.#transport.event.watch(signal)) {
          if (update.version === 0n) {
            // Undoing the import that opened the event leaves no event.
            this.#clear();
            break;
          }
          if (update.standings) this.standings = update.standings;
          if (update.version === this.version) continue;
          if (update.entriesChanged || !this.tournament) await this.#load(signal);
          else this.#take(this.tournament, update);
        }
      } catch {
        // The hall store reports an unreachable hub; this loop only retries.
      }
      await sleep(AGAIN_MS, signal);
    }
  }

  async #rest(signal: AbortSignal): Promise<void> {
    const waiting = (this.#waiting = new AbortController());
    const end = (): void => waiting.abort();
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
    await sleep(NONE_MS, waiting.signal);
    signal.removeEventListener("abort", end);
  }

  /** Returns the event for storage on the device; null if there is none. */
  known(): KnownEvent | null {
    const { version, tournament, imports, standings } = this;
    return tournament && { version, tournament, imports, standings };
  }

  /** Shows a stored event until the hub sends its own. Does nothing if an event is already known. */
  restore({ version, tournament, imports, standings }: KnownEvent): void {
    if (this.tournament) return;
    [this.version, this.tournament, this.imports, this.standings] = [version, tournament, imports, standings];
  }

  /** Applies an update. Each changed round arrives complete. */
  #take(tournament: Tournament, { version, rounds, gone, imports }: TournamentUpdate): void {
    this.tournament = { ...tournament, rounds: joined(tournament.rounds, rounds, gone) };
    this.imports = imports;
    this.version = version;
  }

  #clear(): void {
    [this.version, this.tournament, this.standings, this.imports] = [0n, null, null, []];
  }

  async #load(signal: AbortSignal): Promise<boolean> {
    const reply = await this.#transport.event.tournament(signal);
    if (!reply) {
      this.#clear();
      return false;
    }
    this.version = reply.version;
    this.tournament = reply.tournament ?? null;
    this.imports = reply.imports;
    return true;
  }
}

export function joined(known: RoundState[], changed: RoundState[], gone: number[]): RoundState[] {
  const rounds = new Map(known.map((round) => [round.round, round]));
  for (const round of changed) rounds.set(round.round, round);
  for (const round of gone) rounds.delete(round);
  return [...rounds.values()].sort((a, b) => a.round - b.round);
}

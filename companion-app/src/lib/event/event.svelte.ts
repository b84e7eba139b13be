// The event as the hub knows it: players, rounds, standings. Absent in a hall that plays no event.
//
// Owns the newest copy and its version. Must never compute a standing: the hub does, and explains it.

import type { Standings, TakenImport, TournamentUpdate } from "$gen/api/tournament_pb.js";
import type { Change, Player, RoundState, Tournament } from "$gen/frames/event_pb.js";
import { sleep } from "$lib/hall/follow.js";
import type { KnownEvent } from "$lib/offline/snapshot.js";
import type { Transport } from "$lib/transport/transport.js";

const AGAIN_MS = 3000;
/** A hub without an event is asked again after this long. */
const NONE_MS = 10_000;
/** How long an answer waits for what it changed, and how often it looks. */
const REACH_MS = 2000;
const LOOK_MS = 25;

export class EventStore {
  version = $state(0n);
  tournament: Tournament | null = $state.raw(null);
  standings: Standings | null = $state.raw(null);
  /** The imports that can be undone, oldest first. */
  imports: readonly TakenImport[] = $state.raw([]);
  readonly #transport: Transport;
  readonly #present: () => string;
  #asked = new AbortController();

  /** `present`: the round that is being played, as the hub names it with its boards. */
  constructor(transport: Transport, present: () => string) {
    this.#transport = transport;
    this.#present = present;
  }

  /** The rounds that are paired, in their order; some of them may be so in advance. */
  get rounds(): readonly RoundState[] {
    return this.tournament?.rounds ?? [];
  }

  /** The round that is being played; the last one there is where the hub names none of them. */
  get round(): RoundState | null {
    return this.roundNo(Number(this.#present())) ?? this.rounds.at(-1) ?? null;
  }

  roundNo(no: number): RoundState | null {
    return this.rounds.find((one) => one.round === no) ?? null;
  }

  player(no: number): Player | undefined {
    return this.tournament?.players.find((player) => player.no === no);
  }

  /**
   * Asks for changes, or throws the rule that refuses them. Asked again, it is the same wish: its id and what this arbiter saw when
   * deciding stay, and the hub makes them once. Returns the version that they made.
   */
  asks(reason: string, changes: Change[]): () => Promise<bigint> {
    return this.seen()(reason, changes);
  }

  /** The same for changes that are decided on later, from what can be seen now. */
  seen(): (reason: string, changes: Change[]) => () => Promise<bigint> {
    const seen = this.version;
    return (reason, changes) => {
      const id = crypto.getRandomValues(new Uint8Array(16));
      return async () => {
        const { version } = await this.#transport.event.apply(id, seen, reason, changes);
        return version;
      };
    };
  }

  /** Waits, for two seconds at most, until the event is known as of `version`: a wish that follows at once must rest on the previous one. */
  async reaches(version: bigint): Promise<void> {
    const never = new AbortController().signal;
    for (let looks = 0; this.version < version && looks < REACH_MS / LOOK_MS; looks += 1) {
      this.look();
      await sleep(LOOK_MS, never);
    }
  }

  /** There may be an event now: looks at once. */
  look(): void {
    this.#asked.abort();
  }

  /** Follows the event until `signal` ends it; quietly, since a hall may have none. */
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
            // An opening that was undone leaves no event.
            this.#clear();
            break;
          }
          if (update.standings) this.standings = update.standings;
          if (update.version === this.version) continue;
          if (update.entriesChanged || !this.tournament) await this.#load(signal);
          else this.#take(this.tournament, update);
        }
      } catch {
        // Whether the hub is away is the hall's to say; here there is only another attempt.
      }
      await sleep(AGAIN_MS, signal);
    }
  }

  /** Rests until it is time to ask for an event again, or until somebody knows of one. */
  async #rest(signal: AbortSignal): Promise<void> {
    const asked = (this.#asked = new AbortController());
    const end = (): void => asked.abort();
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
    await sleep(NONE_MS, asked.signal);
    signal.removeEventListener("abort", end);
  }

  /** The event as the hub told it, for the device to keep; null where there is none. */
  known(): KnownEvent | null {
    const { version, tournament, imports, standings } = this;
    return tournament && { version, tournament, imports, standings };
  }

  /** Shows an event that the device kept, until the hub tells a newer one. */
  restore({ version, tournament, imports, standings }: KnownEvent): void {
    if (this.tournament) return;
    [this.version, this.tournament, this.imports, this.standings] = [version, tournament, imports, standings];
  }

  /** Rounds come whole, and only those that have changed: nothing else need be asked for. */
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

/** The rounds as they stand after an update, in their order. */
export function joined(known: RoundState[], changed: RoundState[], gone: number[]): RoundState[] {
  const rounds = new Map(known.map((round) => [round.round, round]));
  for (const round of changed) rounds.set(round.round, round);
  for (const round of gone) rounds.delete(round);
  return [...rounds.values()].sort((a, b) => a.round - b.round);
}

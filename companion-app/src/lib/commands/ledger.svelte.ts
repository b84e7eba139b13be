// The ledger of this arbiter's commands and their outcomes.
//
// Must never show a command as done before the hub confirms it. A command whose reply was lost is sent again with the same id: the hub
// executes an id only once and repeats its first reply.

import { create } from "@bufbuild/protobuf";
import { SvelteMap } from "svelte/reactivity";
import { Outcome, type CommandReply } from "$gen/api/arbiter_pb.js";
import { RefusalSchema, type Refusal } from "$gen/frames/refusal_pb.js";
import { unlessAborted, within } from "$lib/abort.js";
import { hex, type SideName } from "$lib/hall/board.js";
import type { HallStore } from "$lib/hall/hall.svelte.js";
import { NotEnrolled, Refused, type Transport } from "$lib/transport/transport.js";
import { refusalWords } from "$lib/words/refusal.js";
import { request, type Command, type Offence } from "./command.js";

/** The state of a slip. `late`: a command took so long that the remaining commands are not sent automatically. */
export type SlipState = "sending" | "pending" | "done" | "refused" | "withdrawn" | "unknown" | "late";

/** An undo, offered for ten seconds after its draft is done. */
export interface UndoDraft {
  label: string;
  commands: Command[];
  reason: string;
  /** The withdrawal of the offence that the command reported. */
  offence?: Offence;
  /** Creates the request that undoes something other than a command. Used in place of `commands`. */
  ask?: () => Ask;
}

/** A request that is not a command. It keeps its id when repeated, so the hub executes it only once. */
export type Ask = () => Promise<unknown>;

export interface CommandDraft {
  /** The board; empty if the draft does not concern a single board. */
  board: string;
  /** The subject of a draft without a board: an id such as `round 3`, never translated. */
  subject?: string;
  /** A description of the request, in the arbiter's language. */
  label: string;
  reason: string;
  /** The commands, in the order in which they are sent. */
  commands: Command[];
  /** The offence that the hub must count or withdraw. Sent only with the first command; the other commands then have no reason. */
  offence?: Offence;
  /** The board's sequence number when the values were entered or the sheet was opened. If absent, the newest number is used. */
  seenSeq?: bigint;
  /** A description of each command, in order, if there are several. */
  steps?: string[];
  back?: UndoDraft;
}

export class Slip {
  readonly key: number;
  readonly draft: CommandDraft;
  readonly sentAtMs = performance.now();
  /** The hub time at which the slip was created, in microseconds. */
  readonly sentUs: number;
  #state: SlipState = $state("sending");
  #answer = (): void => undefined;
  /** Resolves when the state is no longer `sending`. */
  readonly answered = new Promise<void>((resolve) => (this.#answer = resolve));
  why: Refusal | null = $state.raw(null);
  done = $state(0);
  id = $state("");
  doneAtMs = $state(0);
  reply: CommandReply | null = $state.raw(null);
  /** True once the arbiter has given up waiting: nothing more is sent. */
  givenUp = false;

  constructor(key: number, draft: CommandDraft, sentUs: number) {
    this.key = key;
    this.draft = draft;
    this.sentUs = sentUs;
  }

  get state(): SlipState {
    return this.#state;
  }

  set state(state: SlipState) {
    this.#state = state;
    if (state !== "sending") this.#answer();
  }

  /** A description of the commands that the hub has not carried out yet; the draft's label if it has no `steps`. */
  get left(): string {
    return (this.draft.steps?.slice(this.done) ?? [this.draft.label]).join(" · ");
  }

  /** The text of the refusal; empty unless the request was refused. */
  get rule(): string {
    return this.why ? refusalWords(this.why) : "";
  }
}

/** Time for which undo is offered and a completed request is shown. */
export const UNDO_MS = 10_000;
/** Two taps on the same offence within this time count as one. */
const TWICE_MS = 1000;
/** Interval between requests while a reply is missing or the command is pending. */
const ASK_MS = 1000;
/** Time limit for one attempt: on a connection that a roaming tablet has lost, a request may wait for minutes. */
const REPLY_MS = 5000;
/** Time without a response after which a request is given up. */
const ASK_FOR_MS = 120_000;
/** Number of denials that are retried: a hub that has just restarted may deny one call of a valid session. */
const MAX_DENIAL_RETRIES = 1;
/** After a command that took longer than this, the remaining commands wait for the arbiter: a clock must not start minutes after the tap. */
const LATE_MS = 3000;

export type Wait = (ms: number) => Promise<void>;

export class Ledger {
  /** The slips that have not been dismissed, newest first. */
  slips: Slip[] = $state.raw([]);
  readonly #hall: HallStore;
  readonly #transport: Transport;
  readonly #wait: Wait;
  readonly #ownSeq = new SvelteMap<string, bigint>();
  #next = 0;

  constructor(hall: HallStore, transport: Transport, wait: Wait = sleepFor) {
    this.#hall = hall;
    this.#transport = transport;
    this.#wait = wait;
  }

  of(board: string): Slip[] {
    return this.slips.filter((slip) => slip.draft.board === board);
  }

  about(subject: string): Slip[] {
    return this.slips.filter((slip) => slip.draft.subject === subject);
  }

  /** Returns the boards that have a slip in the state `refused` or `late`. */
  refused(): ReadonlySet<string> {
    return new Set(this.slips.filter(({ state }) => state === "refused" || state === "late").map((slip) => slip.draft.board));
  }

  /** Returns true if an offence of this side was sent just now, so that a double tap counts once. */
  justSent(board: string, side: SideName): boolean {
    return this.of(board).some(({ draft, state, sentAtMs }) => {
      if (offenderIn(draft) !== side) return false;
      return state === "sending" || ((state === "done" || state === "pending") && performance.now() - sentAtMs < TWICE_MS);
    });
  }

  /**
   * Returns true if a command for this board awaits the hub's reply. With `which`, considers only commands of that kind, including those
   * that wait for a clock.
   */
  underWay(board: string, which?: Command["case"]): boolean {
    return this.of(board).some(({ state, draft, done }) => {
      if (which === undefined) return state === "sending";
      return (state === "sending" || state === "pending") && draft.commands[done]?.case === which;
    });
  }

  /** Returns the board's sequence number after this arbiter's latest completed command; 0 if there is none. */
  ownSeq(board: string): bigint {
    return this.#ownSeq.get(board) ?? 0n;
  }

  /** Returns true if a slip can be undone. It must be done and have an undo, and no newer draft for its board or subject may have taken effect. */
  undoable(slip: Slip): boolean {
    const { board, subject, back } = slip.draft;
    if (slip.state !== "done" || !back) return false;
    if (board === "" && subject === undefined) return true;
    return !this.slips.some(
      (newer) =>
        newer.key > slip.key &&
        newer.draft.board === board &&
        newer.draft.subject === subject &&
        (newer.done > 0 || (newer.state !== "refused" && newer.state !== "withdrawn")),
    );
  }

  /** Stops sending. Only the log shows whether the hub has already received a command. */
  giveUp(slip: Slip): void {
    if (slip.state !== "sending") return;
    slip.givenUp = true;
    slip.state = "unknown";
  }

  dismiss(slip: Slip): void {
    this.slips = this.slips.filter((one) => one !== slip);
  }

  /**
   * Sends a draft's commands, once the board's earlier commands are answered. Resolves when every command is done, or as soon as one fails,
   * is late or is given up; the slip's state shows the outcome.
   */
  async send(draft: CommandDraft): Promise<Slip> {
    const slip = new Slip(this.#next++, draft, this.#hall.time.nowUs() ?? 0);
    const earlier = this.of(draft.board).find(({ state }) => state === "sending");
    this.slips = [slip, ...this.slips];
    // The first command names the state that the arbiter saw; each further command names the state after the previous command.
    let seen = draft.seenSeq ?? this.#hall.cell(draft.board)?.state.seq ?? 0n;
    let tookMs = 0;
    if (earlier) {
      await earlier.answered;
      // The arbiter knows about the earlier command, even if its outcome was not on the screen yet.
      const made = earlier.state === "done" ? (earlier.reply?.board?.seq ?? 0n) : 0n;
      if (made > seen) seen = made;
    }
    for (const command of draft.commands) {
      if (slip.givenUp) return slip;
      if (tookMs > LATE_MS) {
        slip.state = "late";
        return slip;
      }
      const began = performance.now();
      const said = draft.offence && slip.done > 0 ? { reason: "" } : { reason: draft.reason, offence: draft.offence };
      const reply = await this.#carry(slip, seen, command, said);
      if (!reply) return slip;
      tookMs = performance.now() - began;
      slip.done += 1;
      slip.reply = reply;
      if (reply.board) {
        seen = reply.board.seq;
        this.#ownSeq.set(draft.board, seen);
        this.#hall.board(reply.board);
      }
    }
    slip.doneAtMs = performance.now();
    slip.state = "done";
    void this.#forget(slip);
    return slip;
  }

  /** Sends a request that is not a command. Like a command, the request is retried and has a slip. */
  async run(draft: CommandDraft, ask: Ask): Promise<Slip> {
    const slip = new Slip(this.#next++, draft, this.#hall.time.nowUs() ?? 0);
    this.slips = [slip, ...this.slips];
    slip.state = await this.#retried(slip, ask);
    if (slip.state === "done") {
      slip.doneAtMs = performance.now();
      void this.#forget(slip);
    }
    return slip;
  }

  /** Sends a slip's remaining commands, based on the state after the commands that the hub has already carried out. */
  async sendRest(slip: Slip): Promise<Slip> {
    const { draft, done, reply } = slip;
    const { offence, ...rest } = draft;
    this.dismiss(slip);
    return this.send({
      ...rest,
      ...(offence && done === 0 ? { offence } : {}),
      label: slip.left,
      reason: offence && done > 0 ? "" : draft.reason,
      commands: draft.commands.slice(done),
      ...(draft.steps ? { steps: draft.steps.slice(done) } : {}),
      ...(reply?.board ? { seenSeq: reply.board.seq } : {}),
    });
  }

  async undo(slip: Slip): Promise<void> {
    const { back, board } = slip.draft;
    if (!back || !this.undoable(slip)) return;
    this.dismiss(slip);
    const draft = { board, label: back.label, reason: back.reason, commands: back.commands, ...(back.offence ? { offence: back.offence } : {}) };
    await (back.ask ? this.run(draft, back.ask()) : this.send(draft));
  }

  async #carry(
    slip: Slip,
    seen: bigint,
    command: Command,
    { reason, offence }: { reason: string; offence?: Offence | undefined },
  ): Promise<CommandReply | null> {
    const id = crypto.getRandomValues(new Uint8Array(16));
    slip.id = hex(id);
    const wanted = request(id, slip.draft.board, seen, reason, command, offence);
    let ask = (signal: AbortSignal): Promise<CommandReply> => this.#transport.send(wanted, signal);
    let heard = performance.now();
    let denied = 0;
    for (let attempts = 0; performance.now() - heard < ASK_FOR_MS; attempts += 1) {
      if (attempts > 0) await this.#wait(ASK_MS);
      if (slip.givenUp) {
        slip.state = "unknown";
        return null;
      }
      try {
        const reply = await attempt(ask);
        if (reply.outcome === Outcome.DONE) return reply;
        if (!waits(slip, reply)) return null;
        if (reply.board) this.#hall.board(reply.board);
        heard = performance.now();
        ask = (signal) => this.#transport.outcome(id, signal);
      } catch (error) {
        if (error instanceof NotEnrolled && (denied += 1) > MAX_DENIAL_RETRIES) this.#hall.unknown(error);
        else if (!(error instanceof Refused)) continue;
        slip.why = refusalOf(error);
        slip.state = "refused";
        return null;
      }
    }
    slip.state = "unknown";
    return null;
  }

  async #retried(slip: Slip, ask: Ask): Promise<SlipState> {
    const began = performance.now();
    let denied = 0;
    for (let attempts = 0; performance.now() - began < ASK_FOR_MS; attempts += 1) {
      if (attempts > 0) await this.#wait(ASK_MS);
      if (slip.givenUp) break;
      try {
        await attempt(ask);
        return "done";
      } catch (error) {
        if (error instanceof NotEnrolled && (denied += 1) > MAX_DENIAL_RETRIES) this.#hall.unknown(error);
        else if (!(error instanceof Refused)) continue;
        slip.why = refusalOf(error);
        return "refused";
      }
    }
    return "unknown";
  }

  async #forget(slip: Slip): Promise<void> {
    await this.#wait(UNDO_MS);
    this.dismiss(slip);
  }
}

function attempt<T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return within(REPLY_MS, undefined, (signal) => unlessAborted(signal, ask(signal)));
}

function offenderIn({ offence, commands: [first] }: CommandDraft): SideName | null {
  if (offence) return offence.withdrawn ? null : offence.side;
  const [, side] = /^illegal (white|black)/.exec(first?.case === "rule" ? first.value.request : "") ?? [];
  return side === "white" || side === "black" ? side : null;
}

/** Records a reply other than "done" in the slip. Returns true if the command is still pending. */
function waits(slip: Slip, reply: CommandReply): boolean {
  switch (reply.outcome) {
    case Outcome.PENDING:
      slip.state = "pending";
      return true;
    case Outcome.REFUSED:
      slip.why = reply.why ?? refusalOf(reply.refusal);
      slip.state = "refused";
      return false;
    case Outcome.WITHDRAWN:
      slip.state = "withdrawn";
      return false;
    case Outcome.DONE:
    case Outcome.UNSPECIFIED:
      slip.state = "unknown";
      return false;
  }
}

/** Returns the reason for a failure, with the refusal code if the hub gave one. */
function refusalOf(why: unknown): Refusal {
  if (why instanceof Refused) return why.why;
  return create(RefusalSchema, { text: why instanceof Error ? why.message : String(why) });
}

const sleepFor: Wait = (ms) =>
  new Promise((done) => {
    setTimeout(done, ms);
  });

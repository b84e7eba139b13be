// The ledger of this arbiter's commands and their outcomes.
//
// Must never show a command as done before the hub has said so. A command whose reply was lost is sent again with the same id: the hub
// executes an id once and repeats its first reply.

import { create } from "@bufbuild/protobuf";
import { SvelteMap } from "svelte/reactivity";
import { Outcome, type CommandReply } from "$gen/api/arbiter_pb.js";
import { RefusalSchema, type Refusal } from "$gen/frames/refusal_pb.js";
import { hex, type SideName } from "$lib/hall/board.js";
import type { HallStore } from "$lib/hall/hall.svelte.js";
import { NotEnrolled, Refused, type Transport } from "$lib/transport/transport.js";
import { refusalWords } from "$lib/words/refusal.js";
import { request, type Command, type Offence } from "./command.js";

/** `late`: a command finished too late for the remaining ones to follow automatically. */
export type SlipState = "sending" | "pending" | "done" | "refused" | "withdrawn" | "unknown" | "late";

/** An undo, offered for ten seconds. */
export interface UndoDraft {
  label: string;
  commands: Command[];
  reason: string;
  /** The offence that it takes back. */
  offence?: Offence;
  /** Creates the request that undoes something that was not a command; used in place of `commands`. */
  ask?: () => Ask;
}

/** A request that is not a command. Repeating it keeps its id, so the hub executes it once. */
export type Ask = () => Promise<unknown>;

export interface CommandDraft {
  /** Empty for a draft that does not concern a single board. */
  board: string;
  /** The subject of a draft without a board: an id such as `round 3`, never text from the screen. */
  subject?: string;
  /** The request in the arbiter's language. */
  label: string;
  reason: string;
  /** Executed in order until one is refused. */
  commands: Command[];
  /** The offence that the hub counts: sent with the first command only, together with the reason. */
  offence?: Offence;
  /** The board's sequence number that the arbiter saw, if not the newest: from when the values were entered or the sheet opened. */
  seenSeq?: bigint;
  /** The text of each command, where there are several. */
  steps?: string[];
  back?: UndoDraft;
}

export class Slip {
  readonly key: number;
  readonly draft: CommandDraft;
  readonly sentAtMs = performance.now();
  /** Hub time, in microseconds. */
  readonly sentUs: number;
  #state: SlipState = $state("sending");
  #answer = (): void => undefined;
  /** Resolves when it is no longer `sending`. */
  readonly answered = new Promise<void>((resolve) => (this.#answer = resolve));
  /** Why the hub refused it. */
  why: Refusal | null = $state.raw(null);
  /** The number of commands that are done. */
  done = $state(0);
  /** The id of the current command. */
  id = $state("");
  doneAtMs = $state(0);
  reply: CommandReply | null = $state.raw(null);
  /** Set when the arbiter stops it: nothing more is sent. */
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

  /** The text of the commands that are not done. */
  get left(): string {
    return (this.draft.steps?.slice(this.done) ?? [this.draft.label]).join(" · ");
  }

  /** The text of the refusal; empty unless it was refused. */
  get rule(): string {
    return this.why ? refusalWords(this.why) : "";
  }
}

/** How long undo is offered and a finished command is shown. */
export const UNDO_MS = 10_000;
/** Two taps within this time count as one tap. */
const TWICE_MS = 1000;
/** The retry interval after a lost reply. */
const ASK_MS = 1000;
/** The time after which retries stop. */
const ASK_FOR_MS = 120_000;
/** A hub that has just restarted may deny one call of a valid session; a second denial is taken as final. */
const DENIED_ONCE = 1;
/** After a command that took longer than this, the remaining ones wait for the arbiter: a clock must not start minutes later. */
const LATE_MS = 3000;

export type Wait = (ms: number) => Promise<void>;

export class Ledger {
  /** The newest comes first. */
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

  /** Returns the slips of drafts about a subject, newest first. */
  about(subject: string): Slip[] {
    return this.slips.filter((slip) => slip.draft.subject === subject);
  }

  /** Returns the boards on which a command of this arbiter was refused or left half done, until the slip is dismissed. */
  refused(): ReadonlySet<string> {
    return new Set(this.slips.filter(({ state }) => state === "refused" || state === "late").map((slip) => slip.draft.board));
  }

  /** Reports whether an offence of this side was sent just now: a double tap counts once. */
  justSent(board: string, side: SideName): boolean {
    return this.of(board).some(({ draft, state, sentAtMs }) => {
      if (offenderIn(draft) !== side) return false;
      return state === "sending" || ((state === "done" || state === "pending") && performance.now() - sentAtMs < TWICE_MS);
    });
  }

  /** Reports whether a command for this board awaits a reply; of the kind `which`, also whether one waits for a silent clock. */
  underWay(board: string, which?: Command["case"]): boolean {
    return this.of(board).some(({ state, draft, done }) => {
      if (which === undefined) return state === "sending";
      return (state === "sending" || state === "pending") && draft.commands[done]?.case === which;
    });
  }

  /** Returns the board's sequence number after this arbiter's newest command. */
  ownSeq(board: string): bigint {
    return this.#ownSeq.get(board) ?? 0n;
  }

  /** Reports whether a slip offers its undo: it is done, and no newer draft about the same board or subject may have changed the same thing. */
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

  /** Stops sending. Only the log knows whether the hub has already received something. */
  giveUp(slip: Slip): void {
    if (slip.state !== "sending") return;
    slip.givenUp = true;
    slip.state = "unknown";
  }

  dismiss(slip: Slip): void {
    this.slips = this.slips.filter((one) => one !== slip);
  }

  /**
   * Sends the commands of a draft, after the board's earlier ones are answered. Resolves when each has finished, was refused or is no
   * longer pending.
   */
  async send(draft: CommandDraft): Promise<Slip> {
    const slip = new Slip(this.#next++, draft, this.#hall.time.nowUs() ?? 0);
    const earlier = this.of(draft.board).find(({ state }) => state === "sending");
    this.slips = [slip, ...this.slips];
    // The first command names the state the arbiter saw, the following ones the state that these commands produced.
    let seen = draft.seenSeq ?? this.#hall.cell(draft.board)?.state.seq ?? 0n;
    let tookMs = 0;
    if (earlier) {
      await earlier.answered;
      // The arbiter knows of the earlier command, although its outcome was not on the screen yet.
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

  /** Sends a request that is not a command, with the same retries and the same slip as a command. */
  async run(draft: CommandDraft, ask: Ask): Promise<Slip> {
    const slip = new Slip(this.#next++, draft, this.#hall.time.nowUs() ?? 0);
    this.slips = [slip, ...this.slips];
    slip.state = await this.#asked(slip, ask);
    if (slip.state === "done") {
      slip.doneAtMs = performance.now();
      void this.#forget(slip);
    }
    return slip;
  }

  /** Sends the commands that a slip has left, based on the state that its own commands produced. */
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

  /** Sends the undo of a slip as a new command. */
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
    let ask = (): Promise<CommandReply> => this.#transport.send(wanted);
    let heard = performance.now();
    let denied = 0;
    for (let asked = 0; performance.now() - heard < ASK_FOR_MS; asked += 1) {
      if (asked > 0) await this.#wait(ASK_MS);
      if (slip.givenUp) {
        slip.state = "unknown";
        return null;
      }
      try {
        const reply = await ask();
        if (reply.outcome === Outcome.DONE) return reply;
        if (!waits(slip, reply)) return null;
        if (reply.board) this.#hall.board(reply.board);
        heard = performance.now();
        ask = () => this.#transport.outcome(id);
      } catch (error) {
        if (error instanceof NotEnrolled && (denied += 1) > DENIED_ONCE) this.#hall.unknown(error);
        else if (!(error instanceof Refused)) continue;
        slip.why = said(error);
        slip.state = "refused";
        return null;
      }
    }
    slip.state = "unknown";
    return null;
  }

  async #asked(slip: Slip, ask: Ask): Promise<SlipState> {
    const began = performance.now();
    let denied = 0;
    for (let asked = 0; performance.now() - began < ASK_FOR_MS; asked += 1) {
      if (asked > 0) await this.#wait(ASK_MS);
      if (slip.givenUp) break;
      try {
        await ask();
        return "done";
      } catch (error) {
        if (error instanceof NotEnrolled && (denied += 1) > DENIED_ONCE) this.#hall.unknown(error);
        else if (!(error instanceof Refused)) continue;
        slip.why = said(error);
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

/** Returns the side whose offence a draft reports. */
function offenderIn({ offence, commands: [first] }: CommandDraft): SideName | null {
  if (offence) return offence.revoked ? null : offence.side;
  const [, side] = /^illegal (white|black)/.exec(first?.case === "rule" ? first.value.request : "") ?? [];
  return side === "white" || side === "black" ? side : null;
}

/** Records an answer other than "done" in the slip, and reports whether it is still pending. */
function waits(slip: Slip, reply: CommandReply): boolean {
  switch (reply.outcome) {
    case Outcome.PENDING:
      slip.state = "pending";
      return true;
    case Outcome.REFUSED:
      slip.why = reply.why ?? said(reply.refusal);
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

/** Returns the reason of a failure, with its code if the hub gave one. */
function said(why: unknown): Refusal {
  if (why instanceof Refused) return why.why;
  return create(RefusalSchema, { text: why instanceof Error ? why.message : String(why) });
}

const sleepFor: Wait = (ms) =>
  new Promise((done) => {
    setTimeout(done, ms);
  });

// Every command this arbiter has sent, and what became of it: on its way, pending, done, refused with the rule, withdrawn, or done so late
// that what was to follow is asked for again.
//
// Owns the truth about commands. Must never show one as done before the hub has said so. A command whose answer got lost is sent
// again with the same id: the hub carries an id out once and repeats its first answer.

import { create } from "@bufbuild/protobuf";
import { SvelteMap } from "svelte/reactivity";
import { Outcome, type CommandReply } from "$gen/api/arbiter_pb.js";
import { RefusalSchema, type Refusal } from "$gen/frames/refusal_pb.js";
import { hex, type SideName } from "$lib/hall/board.js";
import type { HallStore } from "$lib/hall/hall.svelte.js";
import { NotEnrolled, Refused, type Transport } from "$lib/transport/transport.js";
import { refusalWords } from "$lib/words/refusal.js";
import { request, type Command, type Offence } from "./command.js";

/** `late`: what is done came too late for the rest to follow by itself. */
export type SlipState = "sending" | "pending" | "done" | "refused" | "withdrawn" | "unknown" | "late";

/** A way back, offered for ten seconds. */
export interface WayBack {
  label: string;
  commands: Command[];
  reason: string;
  /** It takes this offence back. */
  offence?: Offence;
  /** Instead of commands: what leads back from something that was no command. Made when it is wished for. */
  ask?: () => Ask;
}

/** Asks for something that is no command. Asked again, it is the same wish: what has an id keeps it. */
export type Ask = () => Promise<unknown>;

export interface Wish {
  /** Empty for a wish that concerns no single board. */
  board: string;
  /** What a wish without a board is about: an id such as `round 3`, never a text of the screen. */
  subject?: string;
  /** What is asked, in the arbiter's language. */
  label: string;
  reason: string;
  /** Carried out one after the other; the first that is refused ends it. */
  commands: Command[];
  /** The offence that it is about, which the hub counts: only the first command has it, and the reason. */
  offence?: Offence;
  /** The board's number when these values were made, or their sheet was opened; without it the newest one is what was seen. */
  seenSeq?: bigint;
  /** What each command does, in words, where they are several. */
  steps?: string[];
  back?: WayBack;
}

export class Slip {
  readonly key: number;
  readonly wish: Wish;
  readonly sentAtMs = performance.now();
  /** The hub's instant, microseconds. */
  readonly sentUs: number;
  state: SlipState = $state("sending");
  /** The rule that refused it. */
  why: Refusal | null = $state.raw(null);
  /** How many of its commands are done. */
  done = $state(0);
  /** Id of the command that waits now. */
  id = $state("");
  doneAtMs = $state(0);
  reply: CommandReply | null = $state.raw(null);
  /** Nothing of it is sent any more. */
  givenUp = false;

  constructor(key: number, wish: Wish, sentUs: number) {
    this.key = key;
    this.wish = wish;
    this.sentUs = sentUs;
  }

  /** What has not been done of it, in words. */
  get left(): string {
    return (this.wish.steps?.slice(this.done) ?? [this.wish.label]).join(" · ");
  }

  /** The rule that refused it, in words; empty while none has. */
  get rule(): string {
    return this.why ? refusalWords(this.why) : "";
  }
}

/** Undo is offered, and a done command shown, for this long. */
export const UNDO_MS = 10_000;
/** Two taps within this time are one. */
const TWICE_MS = 1000;
/** An answer that did not come is asked for again so often. */
const ASK_MS = 1000;
/** After that nobody asks by itself any more. */
const ASK_FOR_MS = 120_000;
/** A hub that has just begun anew may deny one call of a session that the next one finds; more often it means it. */
const DENIED_ONCE = 1;
/** A command that took longer is followed by no other that nobody expects any more: a clock that starts, minutes later. */
const LATE_MS = 3000;

export type Wait = (ms: number) => Promise<void>;

export class Ledger {
  /** Newest first. */
  slips: Slip[] = $state.raw([]);
  readonly #hall: HallStore;
  readonly #transport: Transport;
  readonly #wait: Wait;
  readonly #made = new SvelteMap<string, bigint>();
  #next = 0;

  constructor(hall: HallStore, transport: Transport, wait: Wait = sleepFor) {
    this.#hall = hall;
    this.#transport = transport;
    this.#wait = wait;
  }

  of(board: string): Slip[] {
    return this.slips.filter((slip) => slip.wish.board === board);
  }

  /** Returns the slips of wishes about a subject, newest first. */
  about(subject: string): Slip[] {
    return this.slips.filter((slip) => slip.wish.subject === subject);
  }

  /** Boards on which a command of this arbiter was refused, or left half done, and not put away: he is wanted there. */
  refused(): ReadonlySet<string> {
    return new Set(this.slips.filter(({ state }) => state === "refused" || state === "late").map((slip) => slip.wish.board));
  }

  /** An offence of this side has just been named, or is on its way: a finger that taps twice means one. */
  justNamed(board: string, side: SideName): boolean {
    return this.of(board).some(({ wish, state, sentAtMs }) => {
      if (wish.offence?.side !== side || wish.offence.revoked) return false;
      return state === "sending" || ((state === "done" || state === "pending") && performance.now() - sentAtMs < TWICE_MS);
    });
  }

  /** Some command for this board has no answer yet; with `which`, one of this kind has none, or waits for a silent clock. */
  underWay(board: string, which?: Command["case"]): boolean {
    return this.of(board).some(({ state, wish, done }) => {
      if (which === undefined) return state === "sending";
      return (state === "sending" || state === "pending") && wish.commands[done]?.case === which;
    });
  }

  /** The board's number after the newest of this arbiter's own commands for it. */
  made(board: string): bigint {
    return this.#made.get(board) ?? 0n;
  }

  /** Nothing of it is sent again. What the hub may have heard already, only the log knows. */
  giveUp(slip: Slip): void {
    if (slip.state !== "sending") return;
    slip.givenUp = true;
    slip.state = "unknown";
  }

  put(slip: Slip): void {
    this.slips = this.slips.filter((one) => one !== slip);
  }

  /** Sends what was wished; resolves when every command of it has an end, or waits for a silent clock no longer. */
  async send(wish: Wish): Promise<Slip> {
    const slip = new Slip(this.#next++, wish, this.#hall.time.nowUs() ?? 0);
    this.slips = [slip, ...this.slips];
    // What the arbiter saw when deciding, and after that what these commands themselves made of the board.
    let seen = wish.seenSeq ?? this.#hall.cell(wish.board)?.state.seq ?? 0n;
    let tookMs = 0;
    for (const command of wish.commands) {
      if (slip.givenUp) return slip;
      if (tookMs > LATE_MS) {
        slip.state = "late";
        return slip;
      }
      const began = performance.now();
      const said = wish.offence && slip.done > 0 ? { reason: "" } : { reason: wish.reason, offence: wish.offence };
      const reply = await this.#carry(slip, seen, command, said);
      if (!reply) return slip;
      tookMs = performance.now() - began;
      slip.done += 1;
      slip.reply = reply;
      if (reply.board) {
        seen = reply.board.seq;
        this.#made.set(wish.board, seen);
        this.#hall.board(reply.board);
      }
    }
    slip.doneAtMs = performance.now();
    slip.state = "done";
    void this.#forget(slip);
    return slip;
  }

  /** Something else that can be refused, shown as a command is, and asked again as a command is when its answer was lost. */
  async run(wish: Wish, ask: Ask): Promise<Slip> {
    const slip = new Slip(this.#next++, wish, this.#hall.time.nowUs() ?? 0);
    this.slips = [slip, ...this.slips];
    slip.state = await this.#asked(slip, ask);
    if (slip.state === "done") {
      slip.doneAtMs = performance.now();
      void this.#forget(slip);
    }
    return slip;
  }

  /** Sends what a slip has left undone. It rests on what its own commands made of the board. */
  async rest(slip: Slip): Promise<Slip> {
    const { wish, done, reply } = slip;
    const { offence, ...rest } = wish;
    this.put(slip);
    return this.send({
      ...rest,
      ...(offence && done === 0 ? { offence } : {}),
      label: slip.left,
      reason: offence && done > 0 ? "" : wish.reason,
      commands: wish.commands.slice(done),
      ...(wish.steps ? { steps: wish.steps.slice(done) } : {}),
      ...(reply?.board ? { seenSeq: reply.board.seq } : {}),
    });
  }

  /** Takes back what a slip did, as a new command of its own. */
  async undo(slip: Slip): Promise<void> {
    const { back, board } = slip.wish;
    if (!back) return;
    this.put(slip);
    const wish = { board, label: back.label, reason: back.reason, commands: back.commands, ...(back.offence ? { offence: back.offence } : {}) };
    await (back.ask ? this.run(wish, back.ask()) : this.send(wish));
  }

  async #carry(slip: Slip, seen: bigint, command: Command, { reason, offence }: { reason: string; offence?: Offence | undefined }): Promise<CommandReply | null> {
    const id = crypto.getRandomValues(new Uint8Array(16));
    slip.id = hex(id);
    const wanted = request(id, slip.wish.board, seen, reason, command, offence);
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
    this.put(slip);
  }
}

/** Writes into the slip what an answer that is not "done" means; answers whether there is more to wait for. */
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

/** Why not: with its number where the hub gave one. */
function said(why: unknown): Refusal {
  if (why instanceof Refused) return why.why;
  return create(RefusalSchema, { text: why instanceof Error ? why.message : String(why) });
}

const sleepFor: Wait = (ms) =>
  new Promise((done) => {
    setTimeout(done, ms);
  });

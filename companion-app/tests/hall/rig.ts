// A real hub with a swarm of clocks, and an enrolled browser on the hub's own page. Waits for conditions, never for a fixed time.
//
// Owns the processes that it starts, except a terminal clock's, and ends them by process id.

import { execFile, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:http2";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { create, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { ApplyRequestSchema } from "$gen/api/tournament_pb.js";
import type { ChangeSchema } from "$gen/frames/event_pb.js";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import type { Role } from "$lib/transport/transport.js";
import { CHROMIUM, keyOf, launch, serveFrom, withoutQuestions } from "../browser.mjs";
import { ended, freePort, until } from "./process.js";
import { openWebKit } from "./webkit.js";

export { ended, freePort, until };

const execute = promisify(execFile);
const root = fileURLToPath(new URL("../../../", import.meta.url));

/** Runs a program. An error's message also contains the standard output, to which `--json` writes the reason. */
async function run(program: string, args: readonly string[]): Promise<{ stdout: string }> {
  try {
    return await execute(program, args);
  } catch (error) {
    if (error instanceof Error && "stdout" in error) error.message += String(error.stdout);
    throw error;
  }
}

/** True if the tests run in WebKitGTK, Safari's engine, instead of Chromium: `BROWSER=webkit`. */
export const inWebKit = process.env["BROWSER"] === "webkit";

/** Returns the path of the debug build, or else of the release build, unless an environment variable gives a path. */
export function program(name: string, variable: string): string {
  const named = process.env[variable];
  if (named) return named;
  const built = ["debug", "release"].map((profile) => join(root, "target", profile, name)).find((path) => existsSync(path));
  if (!built) throw new Error(`${name} is not built: cargo build -p hub -p clock-agent, or set ${variable}`);
  return built;
}

export interface Wanted {
  /** The time control of each board, by the board's name. */
  boards: Record<string, string>;
  spares?: number;
  pace?: "bullet" | "blitz" | "rapid" | "classical";
  /** Boards whose clocks run in a separate process, so that the test can stop them without the others. */
  apart?: string[];
  /** Boards whose players move at blitz pace, whatever the pace of the others. */
  quick?: string[];
  /** Boards whose clock is a separate program, with or without a script. */
  alone?: Record<string, Alone>;
  /** Boards without a clock. */
  bare?: string[];
  /** Further options for `flagfall serve`, such as `--default-time 2s`. */
  serve?: string[];
  event?: string;
}

export interface Alone {
  /** The players' script, in the format of `clock-agent run --buttons script:`. Without a script they do not move. */
  script?: string;
  /** The battery charge in per cent; ignored if the system does not allow a fake battery. */
  battery?: number;
}

/** A running clock program: its display and, once it has ended, its exit code. */
export interface ProgramClock {
  face: () => string;
  exitCode: () => number | null;
}

interface Swarm {
  name: string;
  clocks: number;
  pace: string;
  process?: ChildProcess;
}

export class Rig {
  readonly dir = mkdtempSync(join(tmpdir(), "flagfall-companion-"));
  readonly #flagfall = program("flagfall", "FLAGFALL_BIN");
  readonly #agent = program("clock-agent", "CLOCK_AGENT_BIN");
  #listen = 0;
  /** True while the hub should be running. */
  #there = false;
  #http = 0;
  #hub: ChildProcess | undefined;
  readonly #swarms = new Map<string, Swarm>();
  #browser: Browser | undefined;
  url = "";
  #serve: string[] = [];
  readonly #single: ChildProcess[] = [];
  readonly #alone = new Map<string, ChildProcess>();
  /** The state directory of each separate clock, by board. */
  readonly #state = new Map<string, string>();
  readonly #more: Browser[] = [];
  readonly #webkits: BrowserContext[] = [];

  static async start(wanted: Wanted): Promise<Rig> {
    const rig = new Rig();
    try {
      await rig.#start(wanted);
      return rig;
    } catch (error) {
      await rig.stop();
      throw error;
    }
  }

  async #start({
    boards,
    spares = 0,
    pace = "blitz",
    apart = [],
    quick = [],
    alone = {},
    bare = [],
    serve = [],
    event = "Harbour Cup 2026",
  }: Wanted): Promise<void> {
    [this.#listen, this.#http] = [await freePort(), await freePort()];
    this.url = `https://localhost:${this.#listen}/`;
    this.#serve = ["--event-name", event, ...serve];
    await this.startHub();
    const names = Object.keys(boards);
    // A command takes a while to start, so boards with the same control share one.
    for (const control of new Set(Object.values(boards))) await this.ctl("add", names.filter((board) => boards[board] === control).join(), control);
    await each(names, (board) => this.ctl("names", board, `Okonkwo, Board${board}`, `Lindqvist, Board${board}`));
    const together = names.filter((board) => !apart.includes(board) && !quick.includes(board) && !bare.includes(board) && !(board in alone));
    const swarms = [
      { name: "clocks", clocks: [...together, ...Array<string>(spares).fill("")], pace },
      { name: "apart", clocks: apart, pace },
      { name: "quick", clocks: quick, pace: "blitz" },
    ];
    for (const { name, clocks, pace } of swarms.filter((swarm) => swarm.clocks.length > 0)) {
      writeFileSync(join(this.dir, `${name}.codes`), (await each(clocks, (board) => this.code(board))).join("\n"));
      this.#swarms.set(name, { name, clocks: clocks.length, pace });
      this.startSwarm(name);
    }
    await each(Object.entries(alone), async ([board, how]) => {
      const code = await this.code(board);
      this.#state.set(board, this.#nextState());
      this.#alone.set(board, this.#program(code, how));
    });
    await until("every clock is connected", async () => (await this.boards()).every((board) => board.online || bare.includes(board.board)));
    if (!inWebKit) this.#browser = await launch([await keyOf("127.0.0.1", this.#listen)]);
  }

  get data(): string {
    return join(this.dir, "hub");
  }

  startSwarm(name = "clocks"): void {
    const swarm = this.#swarms.get(name);
    if (!swarm) throw new Error(`the rig has no clocks called ${name}`);
    const dir = join(this.dir, name);
    const codes = existsSync(dir) ? [] : ["--codes", `${dir}.codes`];
    swarm.process = spawn(
      this.#agent,
      [
        "swarm",
        "--hub",
        `127.0.0.1:${this.#listen}`,
        "--dir",
        dir,
        "--journals",
        "--pace",
        swarm.pace,
        "--log",
        "error",
        "--boards",
        String(swarm.clocks),
        ...codes,
      ],
      { stdio: "ignore" },
    );
  }
  async stopSwarm(name = "clocks"): Promise<void> {
    await ended(this.#swarms.get(name)?.process);
  }
  /** Starts one more clock without players, which enrols with this code. */
  clock(code: string): ProgramClock {
    const process = this.#program(code, {}, "plain");
    let face = "";
    process.stdout?.on("data", (text: Buffer) => (face += text.toString()));
    return { face: () => face, exitCode: () => process.exitCode };
  }
  #nextState(): string {
    return join(this.dir, `clock-${this.#single.length}`);
  }
  #program(code: string, { script, battery }: Alone, face = "none"): ChildProcess {
    const dir = this.#nextState();
    if (script !== undefined) writeFileSync(`${dir}.script`, script);
    const buttons = script === undefined ? "none" : `script:${dir}.script`;
    const args = [
      this.#agent,
      "run",
      "--state",
      dir,
      "--hub",
      `127.0.0.1:${this.#listen}`,
      "--code",
      code,
      "--buttons",
      buttons,
      "--face",
      face,
      "--log",
      "error",
    ];
    const [first = "", ...rest] = [...(battery === undefined ? [] : withBattery(`${dir}.power`, battery)), ...args];
    const process = spawn(first, rest, { stdio: ["ignore", "pipe", "ignore"] });
    this.#single.push(process);
    return process;
  }
  /** Starts a board's clock in a separate terminal, whose keys act as its buttons. The test must end the tmux server at `socket`. */
  async terminalClock(board: string, socket: string): Promise<void> {
    const args = [this.#agent, "run", "--state", this.#nextState(), "--hub", `127.0.0.1:${this.#listen}`, "--code", await this.code(board)];
    const command = [...args, "--buttons", "keys", "--face", "terminal", "--log", "error"].map((word) => `'${word}'`).join(" ");
    await run("tmux", ["-L", socket, "new-session", "-d", "-s", "clock", "-x", "80", "-y", "24", command]);
    await until("the clock in the terminal is connected", async () => (await this.board(board)).online);
  }
  /** Returns a code for a player's device, as a link to the hub's page. */
  async playerCode(board: string, side: string): Promise<string> {
    const at = ["--hub", `127.0.0.1:${this.#listen}`, "--data-dir", this.data];
    const { stdout } = await run(this.#flagfall, ["enrol", "--json", ...at, "--player", `Player ${side}`, "--board", board, "--side", side]);
    const { uri } = JSON.parse(stdout) as { uri: string };
    return `${this.url}#${uri.split("#")[1] ?? ""}`;
  }
  /** Starts a copy of a board's clock beside it, with the same keys and journal. */
  copyAlone(board: string): void {
    const from = this.#state.get(board);
    if (from === undefined) throw new Error(`the rig has no clock of its own on board ${board}`);
    const copy = `${from}-copy`;
    cpSync(from, copy, { recursive: true });
    const args = ["run", "--state", copy, "--hub", `127.0.0.1:${this.#listen}`, "--buttons", "none", "--face", "none", "--log", "error"];
    this.#single.push(spawn(this.#agent, args, { stdio: "ignore" }));
  }
  async stopAlone(board: string): Promise<void> {
    await ended(this.#alone.get(board));
  }

  async startHub(): Promise<void> {
    this.#there = true;
    this.#hub = spawn(
      this.#flagfall,
      [
        "serve",
        "--data-dir",
        this.data,
        "--listen",
        `127.0.0.1:${this.#listen}`,
        "--http",
        `127.0.0.1:${this.#http}`,
        "--metrics",
        "off",
        "--mdns",
        "false",
        "--public-name",
        "localhost",
        "--round",
        "5",
        ...this.#serve,
      ],
      { stdio: "ignore" },
    );
    await until(
      "the hub answers",
      () =>
        this.ctl("list").then(
          () => true,
          () => false,
        ),
      60_000,
    );
  }
  async stopHub(): Promise<void> {
    this.#there = false;
    await ended(this.#hub);
  }
  /** Suspends the hub but leaves its connections open, as when a machine hangs. */
  freezeHub(): void {
    this.#hub?.kill("SIGSTOP");
  }
  thawHub(): void {
    this.#hub?.kill("SIGCONT");
  }

  /** Returns a code for an arbiter's device, as a link to the hub's page. */
  async invitation(role: Role = "chief", name = "Doe, Jane"): Promise<string> {
    const { stdout } = await run(this.#flagfall, [
      "enrol",
      "--json",
      "--hub",
      `127.0.0.1:${this.#listen}`,
      "--data-dir",
      this.data,
      "--arbiter",
      name,
      "--role",
      role,
    ]);
    const { uri } = JSON.parse(stdout) as { uri: string };
    return `${this.url}#${uri.split("#")[1] ?? ""}`;
  }

  /** Returns the fingerprint of the hub's authority for browsers, which the command line prints beside a code. */
  async browserAuthority(): Promise<string> {
    const { stdout } = await run(this.#flagfall, [
      "enrol",
      "--json",
      "--hub",
      `127.0.0.1:${this.#listen}`,
      "--data-dir",
      this.data,
      "--arbiter",
      "Doe, Jane",
      "--role",
      "viewer",
    ]);
    return (JSON.parse(stdout) as { browser_authority: string }).browser_authority;
  }

  /** Starts a second browser whose camera plays this video. */
  browserThatSees(film: string): Promise<Browser> {
    return this.#another(["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream", `--use-file-for-fake-video-capture=${film}`]);
  }

  /** Starts a second browser that keeps notifications. The default headless browser does not. */
  browserThatNotifies(): Promise<Browser> {
    return this.#another([], CHROMIUM);
  }

  async #another(more: string[], executablePath?: string): Promise<Browser> {
    const browser = await launch([await keyOf("127.0.0.1", this.#listen)], more, executablePath);
    this.#more.push(browser);
    return browser;
  }

  /**
   * Opens a page in a fresh browser context. It has no service worker unless `options` allow one, so that a test sees every request.
   *
   * @param used true if the arbiter has chosen settings on the device before
   */
  async stranger(options: BrowserContextOptions = {}, among?: Browser, used = true): Promise<Page> {
    const context = await this.#context(
      { viewport: { width: 1024, height: 768 }, locale: "en-GB", serviceWorkers: "block", ...options },
      among ?? this.#browser,
    );
    context.setDefaultTimeout(30_000);
    if (used) await withoutQuestions(context);
    const fresh = process.env["COMPANION_DIST"];
    if (fresh) await serveFrom(context, this.url, fresh, () => this.#there);
    return context.newPage();
  }

  async #context(options: BrowserContextOptions, browser?: Browser): Promise<BrowserContext> {
    if (browser) return browser.newContext(options);
    const context = await openWebKit(this.dir, options);
    this.#webkits.push(context);
    return context;
  }

  /** Enrols an arbiter in a fresh browser context, and opens the hall there. */
  async page(options: BrowserContextOptions = {}, role: Role = "chief", name?: string): Promise<Page> {
    const page = await this.stranger(options);
    await page.goto(await this.invitation(role, name));
    await page.locator(".first .btn.pri").click();
    await page.waitForSelector(".live .online");
    return page;
  }

  /** Runs the arbiter's command line, which shows the hub's state independently of the page. */
  async ctl(...args: string[]): Promise<string> {
    const { stdout } = await run(this.#flagfall, ["ctl", "--json", "--hub", `127.0.0.1:${this.#listen}`, "--data-dir", this.data, ...args]);
    return stdout;
  }
  /** Runs an arbiter's command that the hub may refuse; returns the output. */
  async refused(...args: string[]): Promise<string> {
    try {
      return await this.ctl(...args);
    } catch (error) {
      return error instanceof Error && "stdout" in error ? String(error.stdout) : String(error);
    }
  }
  async event(...args: string[]): Promise<string> {
    const { stdout } = await run(this.#flagfall, ["event", "--hub", `127.0.0.1:${this.#listen}`, "--data-dir", this.data, ...args]);
    return stdout;
  }
  async broadcast(): Promise<unknown> {
    const { stdout } = await run(this.#flagfall, ["broadcast", "--json", "--hub", `127.0.0.1:${this.#listen}`, "--data-dir", this.data]);
    return JSON.parse(stdout);
  }
  /** Applies changes to the event with the chief arbiter's key. The command line does not offer all of them. */
  async apply(changes: MessageInitShape<typeof ChangeSchema>[]): Promise<void> {
    const pem = readFileSync(join(this.data, "chief.pem"), "utf8");
    const message = toBinary(ApplyRequestSchema, create(ApplyRequestSchema, { id: randomBytes(16), changes }));
    const frame = Buffer.alloc(5 + message.length);
    frame.writeUInt32BE(message.length, 1);
    frame.set(message, 5);
    const line = connect(`https://127.0.0.1:${this.#listen}`, { cert: pem, key: pem, rejectUnauthorized: false });
    try {
      const call = line.request({
        ":method": "POST",
        ":path": "/flagfall.api.v1.Tournament/Apply",
        "content-type": "application/grpc-web+proto",
        "x-grpc-web": "1",
      });
      const status = new Promise((done, failed) => {
        call.once("response", (headers) => done(headers["grpc-status"] ?? "0"));
        call.once("error", failed);
      });
      call.end(frame);
      const answer = Buffer.concat((await call.toArray()) as Buffer[]).toString("latin1");
      const said = /grpc-status:\s*(\d+)/.exec(answer)?.[1] ?? (await status);
      if (said !== "0") throw new Error(`the hub refuses the changes: ${answer}`);
    } finally {
      line.close();
    }
  }
  get publicUrl(): string {
    return `http://127.0.0.1:${this.#http}/`;
  }
  async presses(board: string): Promise<{ move: number; side: string; used_us: number; left_us: number }[]> {
    return lines<{ presses: { move: number; side: string; used_us: number; left_us: number }[] }>(await this.ctl("show", board))[0]?.presses ?? [];
  }
  async boards(): Promise<HubBoard[]> {
    return lines<HubBoard>(await this.ctl("list"));
  }
  async board(name: string): Promise<HubBoard> {
    const found = (await this.boards()).find((board) => board.board === name);
    if (!found) throw new Error(`the hub has no board ${name}`);
    return found;
  }

  /** Creates an enrolment code for one additional clock. */
  async code(board = ""): Promise<string> {
    const { stdout } = await run(this.#flagfall, [
      "enrol",
      "--hub",
      `127.0.0.1:${this.#listen}`,
      "--data-dir",
      this.data,
      ...(board ? ["--board", board] : []),
    ]);
    const code = /flagfall:\/\/\S+/.exec(stdout)?.[0];
    if (!code) throw new Error(`no code in ${stdout}`);
    return code.replace(/'$/, "");
  }

  async stop(): Promise<void> {
    this.thawHub();
    for (const browser of [this.#browser, ...this.#more]) await browser?.close();
    for (const context of this.#webkits) await context.close();
    for (const one of [...[...this.#swarms.values()].map((swarm) => swarm.process), ...this.#single, this.#hub]) await ended(one);
    rmSync(this.dir, { recursive: true, force: true });
  }
}

export interface HubSide {
  name: string;
  us: number;
  moves: number;
  flag: string;
}
/** A board as the command line prints it. */
export interface HubBoard {
  board: string;
  online: boolean;
  state: string;
  running: string;
  note: string;
  control: string;
  result?: string | null;
  white: HubSide;
  black: HubSide;
}

/** Runs `work` for all items, a few at a time; returns the results in order. */
export async function each<T, R>(items: T[], work: (item: T) => Promise<R>, atOnce = 4): Promise<R[]> {
  const done: R[] = [];
  const left = items.entries();
  const worker = async (): Promise<void> => {
    for (const [at, item] of left) done[at] = await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return done;
}

/** Returns a command prefix that gives the program a fake battery with this charge; empty if the system does not allow one. */
function withBattery(dir: string, percent: number): string[] {
  mkdirSync(join(dir, "BAT0"), { recursive: true });
  writeFileSync(join(dir, "BAT0", "type"), "Battery\n");
  writeFileSync(join(dir, "BAT0", "capacity"), `${percent}\n`);
  const begin = ["unshare", "--map-root-user", "--mount", "sh", "-c", 'mount --bind "$0" /sys/class/power_supply && exec "$@"', dir];
  return spawnSync("unshare", [...begin.slice(1), "true"]).status === 0 ? begin : [];
}

function lines<T>(text: string): T[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);
}

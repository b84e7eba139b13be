// A real hub with a real swarm of clocks, and a browser on the hub's own page, enrolled with a code as an arbiter's is. Everything waits for what is meant, never for a while.
//
// Owns the processes it starts and ends them by their id. Checks nothing.

import { execFile, spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { keyOf, launch } from "../browser.mjs";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../../", import.meta.url));

/** The newest build there is, unless the caller says which. */
function program(name: string, variable: string): string {
  const named = process.env[variable];
  if (named) return named;
  const built = ["debug", "release"].map((profile) => join(root, "target", profile, name)).find((path) => existsSync(path));
  if (!built) throw new Error(`${name} is not built: cargo build -p hub -p clock-agent, or set ${variable}`);
  return built;
}

export interface Wanted {
  /** Control of each board, by its name. */
  boards: Record<string, string>;
  /** Clocks that serve no board yet. */
  spares?: number;
  pace?: "blitz" | "rapid" | "classical";
}

export class Rig {
  readonly dir = mkdtempSync(join(tmpdir(), "flagfall-companion-"));
  readonly #flagfall = program("flagfall", "FLAGFALL_BIN");
  readonly #agent = program("clock-agent", "CLOCK_AGENT_BIN");
  #listen = 0;
  #http = 0;
  #hub: ChildProcess | undefined;
  #swarm: ChildProcess | undefined;
  #browser: Browser | undefined;
  url = "";
  #clocks = 0;

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

  async #start({ boards, spares = 0, pace = "blitz" }: Wanted): Promise<void> {
    [this.#listen, this.#http] = [await freePort(), await freePort()];
    this.url = `https://localhost:${this.#listen}/`;
    await this.startHub();
    for (const [board, control] of Object.entries(boards)) await this.ctl("add", board, control);
    for (const board of Object.keys(boards)) await this.ctl("names", board, `Okonkwo, Board${board}`, `Lindqvist, Board${board}`);
    const codes: string[] = [];
    for (const board of [...Object.keys(boards), ...Array<string>(spares).fill("")]) codes.push(await this.#code(board));
    this.#clocks = codes.length;
    writeFileSync(join(this.dir, "codes"), codes.join("\n"));
    this.startSwarm(pace);
    await until("every clock is connected", async () => (await this.boards()).every((board) => board.online));
    this.#browser = await launch([await keyOf("127.0.0.1", this.#listen)]);
  }

  get data(): string {
    return join(this.dir, "hub");
  }

  startSwarm(pace = "blitz"): void {
    const codes = existsSync(join(this.dir, "clocks")) ? [] : ["--codes", join(this.dir, "codes")];
    this.#swarm = spawn(this.#agent, ["swarm", "--hub", `127.0.0.1:${this.#listen}`, "--dir", join(this.dir, "clocks"), "--journals", "--pace", pace, "--log", "error", "--boards", String(this.#clocks), ...codes], { stdio: "ignore" });
  }
  /** The clocks fall silent: their process is gone, as if their power were. */
  async stopSwarm(): Promise<void> {
    await ended(this.#swarm);
  }

  async startHub(): Promise<void> {
    this.#hub = spawn(
      this.#flagfall,
      ["serve", "--data-dir", this.data, "--listen", `127.0.0.1:${this.#listen}`, "--http", `127.0.0.1:${this.#http}`, "--metrics", "off", "--mdns", "false", "--public-name", "localhost", "--event-name", "Harbour Cup 2026", "--round", "5"],
      { stdio: "ignore" },
    );
    await until("the hub answers", () => this.ctl("list").then(() => true, () => false), 60_000);
  }
  async stopHub(): Promise<void> {
    await ended(this.#hub);
  }

  /** A code for an arbiter's device, as the address of the hub's page. */
  async invitation(role: "chief" | "floor" | "viewer" = "chief", name = "Doe, Jane"): Promise<string> {
    const { stdout } = await run(this.#flagfall, ["enrol", "--json", "--hub", `127.0.0.1:${this.#listen}`, "--data-dir", this.data, "--arbiter", name, "--role", role]);
    const { uri } = JSON.parse(stdout) as { uri: string };
    return `${this.url}#${uri.split("#")[1] ?? ""}`;
  }

  /** A browser of its own that has never been here. */
  async stranger(options: BrowserContextOptions = {}): Promise<Page> {
    if (!this.#browser) throw new Error("the rig has not started");
    const context = await this.#browser.newContext({ viewport: { width: 1024, height: 768 }, locale: "en-GB", ...options });
    context.setDefaultTimeout(30_000);
    const fresh = process.env["COMPANION_DIST"];
    if (fresh) await serveFrom(context, this.url, fresh);
    return context.newPage();
  }

  /** An arbiter's browser: enrolled, with the hall before it. */
  async page(options: BrowserContextOptions = {}, role: "chief" | "floor" | "viewer" = "chief", name?: string): Promise<Page> {
    const page = await this.stranger(options);
    await page.goto(await this.invitation(role, name));
    await page.locator(".first .btn.pri").click();
    await page.waitForSelector(".live .online");
    return page;
  }

  /** What the arbiter's command line prints: the hub's own word, past the page. */
  async ctl(...args: string[]): Promise<string> {
    const { stdout } = await run(this.#flagfall, ["ctl", "--json", "--hub", `127.0.0.1:${this.#listen}`, "--data-dir", this.data, ...args]);
    return stdout;
  }
  async boards(): Promise<HubBoard[]> {
    return lines<HubBoard>(await this.ctl("list"));
  }
  async board(name: string): Promise<HubBoard> {
    const found = (await this.boards()).find((board) => board.board === name);
    if (!found) throw new Error(`the hub has no board ${name}`);
    return found;
  }

  async #code(board: string): Promise<string> {
    const { stdout } = await run(this.#flagfall, ["enrol", "--hub", `127.0.0.1:${this.#listen}`, "--data-dir", this.data, ...(board ? ["--board", board] : [])]);
    const code = /flagfall:\/\/\S+/.exec(stdout)?.[0];
    if (!code) throw new Error(`no code in ${stdout}`);
    return code.replace(/'$/, "");
  }

  async stop(): Promise<void> {
    await this.#browser?.close();
    for (const one of [this.#swarm, this.#hub]) await ended(one);
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

export async function until(what: string, holds: () => Promise<boolean>, withinMs = 30_000): Promise<void> {
  for (const began = performance.now(); !(await holds()); ) {
    if (performance.now() - began > withinMs) throw new Error(`not within ${withinMs} ms: ${what}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

function lines<T>(text: string): T[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);
}

/** The page from a folder instead of from the hub: for whoever changes the app and does not want to build the hub for it. */
async function serveFrom(context: BrowserContext, url: string, folder: string): Promise<void> {
  await context.route(
    (asked) => asked.href.startsWith(url) && /^\/($|assets\/|mark\.svg$)/.test(asked.pathname),
    (route) => route.fulfill({ path: join(folder, new URL(route.request().url()).pathname.replace(/^\/$/, "index.html")) }),
  );
}

async function freePort(): Promise<number> {
  return new Promise((done, failed) => {
    const server = createServer();
    server.once("error", failed);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address ? address.port : 0;
      server.close(() => done(port));
    });
  });
}

async function ended(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((done) => child.once("exit", done));
  child.kill("SIGTERM");
  const killer = setTimeout(() => child.kill("SIGKILL"), 5000);
  await gone;
  clearTimeout(killer);
}

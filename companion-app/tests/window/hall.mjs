// A real hub, at which a window can enrol, with one real clock. Owns their processes and their folder.

import { execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ended, freePort, until } from "./driver.mjs";

const run = promisify(execFile);

export class Hall {
  dir = mkdtempSync(join(tmpdir(), "flagfall-window-"));
  #flagfall;
  #agent;
  #listen = 0;
  #http = 0;
  #hub;
  #swarm;

  constructor({ flagfall, agent }) {
    this.#flagfall = flagfall;
    this.#agent = agent;
  }

  async start(board, control) {
    [this.#listen, this.#http] = [await freePort(), await freePort()];
    await this.startHub();
    await this.ctl("add", board, control);
    await this.ctl("names", board, "Okonkwo, Ada", "Lindqvist, Bo");
    writeFileSync(join(this.dir, "codes"), await this.#code("--board", board));
    this.#swarm = spawn(
      this.#agent,
      [
        "swarm",
        "--hub",
        this.address,
        "--dir",
        join(this.dir, "clocks"),
        "--codes",
        join(this.dir, "codes"),
        "--pace",
        "classical",
        "--log",
        "error",
        "--boards",
        "1",
      ],
      { stdio: ["ignore", "ignore", "inherit"] },
    );
    await until("the clock is connected", async () => (await this.board(board)).online);
  }

  get address() {
    return `127.0.0.1:${this.#listen}`;
  }

  async startHub() {
    this.#hub = spawn(
      this.#flagfall,
      [
        "serve",
        "--data-dir",
        join(this.dir, "hub"),
        "--listen",
        this.address,
        "--http",
        `127.0.0.1:${this.#http}`,
        "--metrics",
        "off",
        "--mdns",
        "false",
        "--event-name",
        "Harbour Cup 2026",
      ],
      { stdio: ["ignore", "ignore", "inherit"] },
    );
    await until("the hub answers", () => this.ctl("list").then(() => true));
  }

  async restartHub() {
    await ended(this.#hub);
    await this.startHub();
  }

  async ctl(...args) {
    const { stdout } = await run(this.#flagfall, ["ctl", "--json", "--hub", this.address, "--data-dir", join(this.dir, "hub"), ...args]);
    return stdout;
  }

  async board(name) {
    const boards = (await this.ctl("list"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const found = boards.find(({ board }) => board === name);
    if (!found) throw new Error(`the hub has no board ${name}`);
    return found;
  }

  arbiterCode(name, role) {
    return this.#code("--arbiter", name, "--role", role);
  }

  async #code(...args) {
    const { stdout } = await run(this.#flagfall, ["enrol", "--hub", this.address, "--data-dir", join(this.dir, "hub"), ...args]);
    const [code] = /flagfall:\/\/[\w.:[\]-]+#[0-9a-f]{32}\.[0-9a-f]{32}/.exec(stdout) ?? [];
    if (!code) throw new Error(`no code in ${stdout}`);
    return code;
  }

  async stop() {
    for (const one of [this.#swarm, this.#hub]) await ended(one);
    rmSync(this.dir, { recursive: true, force: true });
  }
}

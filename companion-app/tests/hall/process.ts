// Helpers for the rig and its browsers: waiting, free ports, ending processes.

import type { ChildProcess } from "node:child_process";
import { createServer } from "node:net";

export async function until(what: string, holds: () => Promise<boolean>, withinMs = 30_000): Promise<void> {
  for (const began = performance.now(); !(await holds());) {
    if (performance.now() - began > withinMs) throw new Error(`not within ${withinMs} ms: ${what}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

/** The ports of vitest worker n begin at this number plus n × `PORTS`. Linux's range for clients begins at 32768, above those of 11 workers. */
const FIRST_PORT = 20_000;
const PORTS = 1000;
let port = Math.floor(Math.random() * PORTS);

export async function freePort(): Promise<number> {
  const worker = Number(process.env["VITEST_POOL_ID"] ?? 0);
  for (;;) {
    port = (port + 1) % PORTS;
    const candidate = FIRST_PORT + worker * PORTS + port;
    if (await isFree(candidate)) return candidate;
  }
}

async function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const server = createServer();
    server.once("error", () => done(false));
    server.listen(port, "127.0.0.1", () => server.close(() => done(true)));
  });
}

export async function ended(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((done) => child.once("exit", done));
  child.kill("SIGTERM");
  const killer = setTimeout(() => child.kill("SIGKILL"), 5000);
  await gone;
  clearTimeout(killer);
}

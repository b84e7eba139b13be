// Helpers of the rig and its browsers: waiting, free ports, ending processes.

import type { ChildProcess } from "node:child_process";
import { createServer } from "node:net";

export async function until(what: string, holds: () => Promise<boolean>, withinMs = 30_000): Promise<void> {
  for (const began = performance.now(); !(await holds());) {
    if (performance.now() - began > withinMs) throw new Error(`not within ${withinMs} ms: ${what}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

export async function freePort(): Promise<number> {
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

export async function ended(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((done) => child.once("exit", done));
  child.kill("SIGTERM");
  const killer = setTimeout(() => child.kill("SIGKILL"), 5000);
  await gone;
  clearTimeout(killer);
}

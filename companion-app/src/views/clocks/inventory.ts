// Formats a clock's figures, and finds the clocks that need attention. Pure.

import type { Agent } from "$gen/api/arbiter_pb.js";

/** Charge below which a battery counts as low, in per cent. */
export const LOW_BATTERY = 15;
/** Limit for a crystal's rate error, in parts per billion. */
const RATE_PPB = 100_000n;

export function troubled(agent: Agent): boolean {
  if (agent.revoked) return false;
  const rate = agent.ratePpb ?? 0n;
  return (
    (!agent.online && agent.board !== "") ||
    (agent.batteryPercent ?? 100) < LOW_BATTERY ||
    agent.alerts.length > 0 ||
    agent.unsaved > 0n ||
    (agent.online && !agent.journalOk) ||
    rate > RATE_PPB ||
    rate < -RATE_PPB
  );
}

/** Formats a crystal's rate error relative to the hub's: `+12.4 ppm`. */
export function millionths(ppb: bigint | undefined): string {
  if (ppb === undefined) return "–";
  const ppm = Number(ppb) / 1000;
  return `${ppm < 0 ? "−" : "+"}${Math.abs(ppm).toFixed(1)} ppm`;
}

/** Formats the half-width of the interval that is proven to contain the clock's offset. */
export function offset(agent: Agent): string {
  return agent.offsetUncertaintyUs === undefined ? "–" : `± ${(Number(agent.offsetUncertaintyUs) / 1000).toFixed(2)} ms`;
}

// The figures of a clock in words. Pure.

import type { Agent } from "$gen/api/arbiter_pb.js";

/** The limit below which a battery is low, in per cent. */
export const LOW_BATTERY = 15;
/** The limit for the error of a crystal, in parts per billion. */
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

/** Formats the rate error of a crystal against the hub's: `+12.4 ppm`. */
export function millionths(ppb: bigint | undefined): string {
  if (ppb === undefined) return "–";
  const ppm = Number(ppb) / 1000;
  return `${ppm < 0 ? "−" : "+"}${Math.abs(ppm).toFixed(1)} ppm`;
}

/** Formats the half-width of the proven interval. */
export function offset(agent: Agent): string {
  return agent.offsetUncertaintyUs === undefined ? "–" : `± ${(Number(agent.offsetUncertaintyUs) / 1000).toFixed(2)} ms`;
}

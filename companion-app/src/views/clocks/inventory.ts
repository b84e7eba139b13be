// What a clock's figures mean for an arbiter. Pure.

import type { Agent } from "$gen/api/arbiter_pb.js";

/** Below this a battery is low, per cent. */
export const LOW_BATTERY = 15;
/** A crystal off by more than this is worth a look, parts per billion. */
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

/** `+12.4 ppm`: how much the crystal gains or loses against the hub's. */
export function millionths(ppb: bigint | undefined): string {
  if (ppb === undefined) return "–";
  const ppm = Number(ppb) / 1000;
  return `${ppm < 0 ? "−" : "+"}${Math.abs(ppm).toFixed(1)} ppm`;
}

/** Half-width of the proven interval. */
export function offset(agent: Agent): string {
  return agent.offsetUncertaintyUs === undefined ? "–" : `± ${(Number(agent.offsetUncertaintyUs) / 1000).toFixed(2)} ms`;
}

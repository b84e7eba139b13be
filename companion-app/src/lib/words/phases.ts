import { m } from "$gen/words/messages.js";
import type { DayPhase } from "$lib/hall/day-game.js";

const PHASE: Record<DayPhase, () => string> = {
  dawn: m.phase_dawn,
  midday: m.phase_midday,
  evening: m.phase_evening,
  dusk: m.phase_dusk,
  midnight: m.phase_midnight,
  morning: m.phase_morning,
};

export const phaseWord = (phase: DayPhase): string => PHASE[phase]();

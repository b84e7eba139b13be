// Points as tables print them: hundredths as `3½`. Pure.

const PARTS: Record<number, string> = { 0: "", 25: "¼", 50: "½", 75: "¾" };

export function points(hundredths: bigint): string {
  const all = Number(hundredths);
  const whole = Math.trunc(all / 100);
  const part = PARTS[Math.abs(all % 100)];
  if (part === undefined) return (all / 100).toFixed(2);
  return whole === 0 && part ? `${all < 0 ? "−" : ""}${part}` : `${whole}${part}`;
}

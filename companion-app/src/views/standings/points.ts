// Points as tables print them: hundredths as `3½`. Pure.

const PARTS: Record<number, string> = { 0: "", 25: "¼", 50: "½", 75: "¾" };

export function points(hundredths: bigint): string {
  const all = Number(hundredths);
  const whole = Math.trunc(all / 100);
  const part = PARTS[Math.abs(all % 100)];
  if (part === undefined) return (all / 100).toFixed(2);
  return whole === 0 && part ? `${all < 0 ? "−" : ""}${part}` : `${whole}${part}`;
}

/** A value of a tie-break as tables print it: `12.5` as `12½` and `12.0` as `12`; other values, such as averages of ratings, as they are. */
export function tieText(text: string): string {
  const [, sign = "", whole = "", half] = /^(-?)(\d+)\.([05])$/.exec(text) ?? [];
  if (half === undefined) return text;
  return `${sign ? "−" : ""}${half === "0" || whole !== "0" ? whole : ""}${half === "5" ? "½" : ""}`;
}

import { expect, test } from "vitest";
import type { LogProof } from "$gen/api/archive_pb.js";
import { LARGEST_BYTES, paperProof } from "./paper-proof.js";

const note = `flagfall/0123abcd/0123456789abcdef\n1000000\n${"A".repeat(43)}=\n\n\u2014 flagfall/0123abcd/0123456789abcdef ${"B".repeat(92)}\n`;
const answer = (hashes: number, record: number): LogProof =>
  ({ checkpoint: { note, key: "" }, hashes: Array.from({ length: hashes }, () => new Uint8Array(32)), record: new Uint8Array(record) }) as LogProof;
const sizeOf = (text: string): number => new TextEncoder().encode(text).length;

test("the code has the record as long as there is space, then the proof alone", () => {
  const small = paperProof(41, answer(10, 200));
  expect(small?.hasRecord).toBe(true);
  expect(small?.text.split("\n").slice(0, 3)).toEqual(["c2sp.org/tlog-proof@v1", `extra ${btoa("\0".repeat(200))}`, "index 41"]);
  expect(small?.text.endsWith(`=\n\n${note}`)).toBe(true);
  // A log of a million records needs a proof of this size.
  const large = paperProof(999_999, answer(20, 400));
  expect([large?.hasRecord, large?.size]).toEqual([false, 1_000_000n]);
  expect(sizeOf(large?.text ?? "")).toBeGreaterThan(900);
  expect(sizeOf(large?.text ?? "")).toBeLessThanOrEqual(LARGEST_BYTES);
  expect(paperProof(1, answer(40, 10))?.text).toBe("");
  expect(paperProof(1, { ...answer(1, 1), checkpoint: { note: "", key: "" } } as LogProof)).toBeNull();
});

// The proof on the printed record of a game: a proof file (C2SP tlog-proof) of the game's last record, small enough for a QR code. Pure.

import type { LogProof } from "$gen/api/archive_pb.js";
import { checkpointOf, textOf } from "$lib/checkpoint/tree.js";

/** The largest text of a code that cameras read from a printed page: version 25 with low error correction. */
export const LARGEST_BYTES = 1273;

export interface PaperProof {
  /** Index of the record. */
  record: number;
  /** Number of records of the checkpoint, and its root. */
  size: bigint;
  root: string;
  /** The proof file; empty if it is too large for a code. */
  text: string;
  /** The file contains the record itself, so that it can be checked alone. */
  hasRecord: boolean;
}

export function paperProof(record: number, { checkpoint, hashes, record: entry }: LogProof): PaperProof | null {
  const note = checkpoint?.note ?? "";
  const parsed = checkpointOf(note);
  if (!parsed) return null;
  const lines = [`index ${record}`, ...hashes.map(textOf), "", note];
  const head = "c2sp.org/tlog-proof@v1";
  const texts = [
    [head, `extra ${textOf(entry)}`, ...lines],
    [head, ...lines],
  ].map((all) => all.join("\n"));
  const at = texts.findIndex((text) => new TextEncoder().encode(text).length <= LARGEST_BYTES);
  return { record, size: parsed.size, root: parsed.root, text: texts[at] ?? "", hasRecord: at === 0 };
}

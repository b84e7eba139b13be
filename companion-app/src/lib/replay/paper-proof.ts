// The proof on the printed record of a game: a proof file (C2SP tlog-proof) of the game's last record, small enough for a QR code. Pure.

import type { LogProof } from "$gen/api/archive_pb.js";
import { checkpointOf, textOf } from "$lib/checkpoint/tree.js";

/** Capacity in bytes of the largest QR code that is printed: version 25 with low error correction. */
export const LARGEST_BYTES = 1273;

export interface PaperProof {
  /** The index of the record in the log. */
  record: number;
  /** Number of records that the checkpoint covers. */
  size: bigint;
  root: string;
  /** The proof file; empty if it is too large for a QR code. */
  text: string;
  /** True if the file contains the record itself, so that it can be checked on its own. */
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

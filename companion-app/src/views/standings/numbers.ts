import type { Change } from "$gen/frames/event_pb.js";

export interface Moved {
  before: number;
  after: number;
}

/** Returns the players whose numbers change, in the order of the new numbers. */
export function moved(changes: readonly Change[]): Moved[] {
  const orders = changes.flatMap(({ what }) => (what.case === "renumber" ? [what.value.order] : []));
  return orders.flatMap((order) => order.map((before, at) => ({ before, after: at + 1 }))).filter(({ before, after }) => before !== after);
}

import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { FloorSchema, type BoardPlace, type Floor } from "$gen/api/floor_pb.js";
import { Refused, type Transport } from "$lib/transport/transport.js";
import { FloorStore } from "./floor.svelte.js";

interface PlanRequest {
  places: [string, number, number][];
  whole: boolean;
  seen: bigint;
}
const floor = (version: bigint, places: [string, number, number][], actor = "Ann"): Floor =>
  create(FloorSchema, { version, actor, places: places.map(([board, x, y]) => ({ board, x, y })) });

function hub(plans: Floor[], answer: (request: PlanRequest) => Promise<Floor>): { store: FloorStore; requests: PlanRequest[] } {
  const requests: PlanRequest[] = [];
  const setFloor = async (places: BoardPlace[], whole: boolean, seen: bigint): Promise<Floor> => {
    const one: PlanRequest = { places: places.map(({ board, x, y }) => [board, x, y]), whole, seen };
    requests.push(one);
    return answer(one);
  };
  async function* watchFloor(): AsyncIterable<Floor> {
    await Promise.resolve();
    yield* plans;
  }
  return { store: new FloorStore({ setFloor, watchFloor } as unknown as Transport), requests };
}

async function followed(store: FloorStore): Promise<void> {
  const life = new AbortController();
  const over = store.follow(life.signal);
  await Promise.resolve();
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  life.abort();
  await over;
}

test("the newest plan is shown", async () => {
  const { store } = hub([floor(3n, [["1", 4, 5]]), floor(4n, [["1", 6, 7]], "Bea")], () => Promise.reject(new Refused("no")));
  await followed(store);
  expect([...store.places]).toEqual([["1", { x: 6, y: 7 }]]);
  expect([store.known, store.actor]).toEqual([true, "Bea"]);
});

test("a moved board is a draft until the hub stores it, together with boards without a place", async () => {
  let done = (): void => undefined;
  const { store, requests } = hub([floor(3n, [["1", 4, 5]])], async ({ places }) => {
    await new Promise<void>((finish) => (done = finish));
    return floor(4n, places);
  });
  await followed(store);
  store.put("1", 9.4, -3);
  expect(requests).toEqual([]);
  const kept = store.keep(new Map([["2", { x: 3, y: 20 }]]));
  expect(store.draft.get("1")).toEqual({ x: 9, y: 0 });
  expect(store.places.get("1")).toEqual({ x: 4, y: 5 });
  store.put("2", 8, 8);
  done();
  await kept;
  expect(requests).toEqual([
    {
      places: [
        ["2", 3, 20],
        ["1", 9, 0],
      ],
      whole: false,
      seen: 3n,
    },
  ]);
  expect(store.places.get("1")).toEqual({ x: 9, y: 0 });
  expect([...store.draft.keys()]).toEqual(["2"]);
});

test("moves of one board are sent in order, and later ones together", async () => {
  const answers: (() => void)[] = [];
  const { store, requests } = hub([floor(3n, [["1", 4, 5]])], async ({ places }) => {
    await new Promise<void>((finish) => answers.push(finish));
    return floor(BigInt(3 + answers.length), places);
  });
  await followed(store);
  const kept = [6, 7, 8].map((y) => {
    store.put("1", 4, y);
    return store.keep(new Map());
  });
  expect(requests.map(({ places }) => places)).toEqual([[["1", 4, 6]]]);
  answers[0]?.();
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  expect(requests.map(({ places }) => places)).toEqual([[["1", 4, 6]], [["1", 4, 8]]]);
  answers[1]?.();
  await Promise.all(kept);
  expect(store.places.get("1")).toEqual({ x: 4, y: 8 });
  expect(store.draft.size).toBe(0);
});

test("a refused board returns to its place and shows the reason", async () => {
  const { store } = hub([floor(3n, [["1", 4, 5]])], () => Promise.reject(new Refused("boards 1 and 2 would have the same place (9, 9)")));
  await followed(store);
  store.put("1", 9, 9);
  await store.keep(new Map());
  expect([store.draft.size, store.refused]).toEqual([0, "boards 1 and 2 would have the same place (9, 9)"]);
  expect(store.places.get("1")).toEqual({ x: 4, y: 5 });
});

test("going back to rows names the plan that was seen", async () => {
  const { store, requests } = hub([floor(7n, [["1", 4, 5]])], () => Promise.resolve(floor(8n, [])));
  await followed(store);
  await store.clear();
  expect(requests).toEqual([{ places: [], whole: true, seen: 7n }]);
  expect(store.places.size).toBe(0);
});

// Measures how long a change in the hall takes to reach the tablet: `node tests/latency.mjs ADDRESS LIVE [SECONDS]`. ADDRESS is as in frames.mjs;
// LIVE is the address of the hub's public page. Fails if a limit is exceeded or if there are too few samples. Measures two delays:
//   - from a press, as stamped by its clock, until the tile shows the next move: p99 100 ms;
//   - from the instant at which the hub considers a flag fallen until a tile shows it: 250 ms, for each flag.
// Instants come from the hub through the public feed. Round trips compare this machine's clock with the hub's, and their error is printed. A change
// counts as shown when Chromium has laid it out and painted it.

import { open } from "./browser.mjs";

const [address, live, seconds = "25"] = process.argv.slice(2);
if (!address || !live) {
  console.error("Usage: node tests/latency.mjs ADDRESS LIVE [SECONDS]");
  process.exit(2);
}
const LIMITS = { press_p99_ms: 100, flag_longest_ms: 250 };
/** With fewer presses, the 99th percentile would not be reliable. The limit for flags needs no more than one sample. */
const MIN_STEP = { presses: 100, flags: 1 };
const now = () => performance.timeOrigin + performance.now();
const wait = (ms) => new Promise((done) => setTimeout(done, ms));

const { browser, page, base } = await open(address, { viewport: { width: 1280, height: 800 } });
await page.goto(`${base}#/hall`);
await page.waitForSelector(".tile .half");
const boards = await page.evaluate(() => Number(document.querySelector(".slot")?.getAttribute("aria-setsize")));
const hub = await hubTime(await page.locator(".tile").first().getAttribute("data-board"));
const feed = new AbortController();
const told = [];
const followed = follow(told, feed.signal);
await page.evaluate(watchTiles);
const presses = await drawn(Number(seconds), pressesOf);
await page.locator(".find select").first().selectOption("flag");
const flags = await drawn(Number(seconds), flagsOf);
feed.abort();
await followed;
await browser.close();

const result = {
  boards,
  clock_error_ms: +hub.errorMs.toFixed(1),
  presses: presses.length,
  press_p50_ms: at(presses, 0.5),
  press_p95_ms: at(presses, 0.95),
  press_p99_ms: at(presses, 0.99),
  press_longest_ms: at(presses, 1),
  flags: flags.length,
  flag_p50_ms: at(flags, 0.5),
  flag_longest_ms: at(flags, 1),
};
console.log(JSON.stringify(result));
const broken = Object.entries(LIMITS).filter(([name, most]) => !(result[name] <= most));
for (const [name, most] of broken) console.error(`${name}: ${result[name]} is over ${most}`);
const few = Object.entries(MIN_STEP).filter(([name, least]) => result[name] < least);
for (const [name, least] of few) console.error(`${name}: ${result[name]}, at least ${least} are needed`);
process.exit(broken.length + few.length > 0 ? 1 : 0);

/** Returns the sorted delays, in milliseconds, of the changes shown within this period. */
async function drawn(forSeconds, matched) {
  await page.evaluate(() => globalThis.tiles.forget());
  const from = told.length;
  await wait(forSeconds * 1000);
  const seen = await page.evaluate(() => globalThis.tiles.found);
  return matched(told.slice(from), seen).sort((a, b) => a - b);
}

/**
 * Returns the delay from each press to the tile change that shows it, in milliseconds. A tile names the next move, `31.` or `31…`, so the press
 * is the previous one.
 */
function pressesOf(happened, seen) {
  const whose = new Map();
  for (const { board } of happened) {
    const { last, plan } = board;
    // The opponent's time starts to run at the instant of the press, as stamped by the board's clock.
    if (last && board.state === "running") whose.set(`${board.board} ${last.side} ${last.n}`, plan[0]?.from_us ?? last.at_us);
  }
  return seen.flatMap(({ board, move, shown }) => {
    const [, n, mark] = /^(\d+)(\.|…)$/.exec(move) ?? [];
    const happenedUs = whose.get(mark === "…" ? `${board} white ${n}` : `${board} black ${Number(n) - 1}`);
    return happenedUs === undefined ? [] : [shown - hub.wallMs(happenedUs)];
  });
}

function flagsOf(happened, seen) {
  const fell = new Map();
  for (const { hub_us, board } of happened) {
    const down = board.white.flag === "fallen" || board.black.flag === "fallen";
    if (!down) fell.delete(board.board);
    else if (!fell.has(board.board)) fell.set(board.board, hub_us);
  }
  return seen.flatMap(({ board, flag, shown }) => (flag && fell.has(board) ? [shown - hub.wallMs(fell.get(board))] : []));
}

/** Runs in the page: records when a tile shows a new move or a flag, once the change is painted. */
function watchTiles() {
  const found = [];
  const before = new Map();
  const look = () => {
    const shown = performance.timeOrigin + performance.now();
    for (const tile of document.querySelectorAll(".tile")) {
      const { board } = tile.dataset;
      const known = before.get(board);
      // A tile with two icons has no room for its move. The same move reappears later, which is not a change.
      const one = { board, move: tile.querySelector(".mv")?.textContent || known?.move || "", flag: tile.classList.contains("flag"), shown };
      before.set(board, one);
      const falls = one.flag && !known?.flag;
      if (falls || (known && known.move !== one.move)) found.push({ ...one, flag: falls });
    }
  };
  // Changes made in an animation frame are painted before the next task runs.
  const after = new MessageChannel();
  after.port1.onmessage = look;
  const ticks = (record) => record.type === "characterData" && record.target.parentElement?.className !== "mv";
  const observer = new MutationObserver((records) => records.every(ticks) || after.port2.postMessage(0));
  observer.observe(document.querySelector(".hall > main"), {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
    attributeFilter: ["class"],
  });
  globalThis.tiles = {
    found,
    forget: () => {
      look();
      found.length = 0;
    },
  };
}

/** Returns the conversion from the hub's time to this machine's clock with its error, both from the fastest of many round trips. */
async function hubTime(board) {
  let best = { took: Infinity, offset: 0 };
  for (let asked = 0; asked < 60; asked += 1) {
    const from = now();
    const { hub_us } = await (await fetch(new URL(`/live/boards/${encodeURIComponent(board)}.json`, live))).json();
    const took = now() - from;
    if (took < best.took) best = { took, offset: from + took / 2 - hub_us / 1000 };
  }
  return { errorMs: best.took / 2, wallMs: (us) => us / 1000 + best.offset };
}

/** Appends to `into` each change to a board that the public feed reports. */
async function follow(into, signal) {
  try {
    const answer = await fetch(new URL("/live/events", live), { signal });
    let rest = "";
    for await (const text of answer.body.pipeThrough(new TextDecoderStream())) {
      const messages = (rest + text).split("\n\n");
      rest = messages.pop();
      for (const message of messages) if (message.includes("event: board\n")) into.push(JSON.parse(message.slice(message.indexOf("data: ") + 6)));
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function at(sorted, part) {
  const one = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
  return one === undefined ? Number.NaN : +one.toFixed(1);
}

// Measures frames while scrolling through a full hall: `node tests/frames.mjs ADDRESS [SECONDS]`. If the address contains a code, the browser
// enrols first. Prints frame intervals and main-thread work by kind, with those of an empty page for comparison, and fails if a value exceeds
// `LIMITS`. Main-thread times are CPU times, so other programs affect only the intervals.

import { open } from "./browser.mjs";

const [address, seconds = "10"] = process.argv.slice(2);
if (!address) {
  console.error("Usage: node tests/frames.mjs ADDRESS [SECONDS]");
  process.exit(2);
}
const LIMITS = { interval_p99_ms: 34, work_p95_ms: 8, longest_task_ms: 100, useful_ms: 1500 };
/** Scrolling speed in pixels per second: fourteen rows of boards. */
const SPEED = 1440;
const viewport = { width: 1280, height: 800 };
const { browser, page, base } = await open(address, { viewport });
await page.waitForSelector(".tile");
// Measures the first useful screen when the page is opened again.
await page.goto("about:blank");
const meter = await page.context().newCDPSession(page);
await meter.send("Performance.enable", { timeDomain: "threadTicks" });
await page.goto(`${base}#/hall`);
const useful = await page.evaluate(
  () =>
    new Promise((done) => {
      const look = () =>
        document.querySelector(".tile .half")?.textContent ? requestAnimationFrame(() => done(performance.now())) : requestAnimationFrame(look);
      look();
    }),
);
// The CPU time of the main thread for the same screen.
const { metrics } = await meter.send("Performance.getMetrics");
await meter.send("Performance.disable");
const spent = (name) => Math.round((metrics.find((one) => one.name === name)?.value ?? 0) * 1000);
const boards = await page.evaluate(() => Number(document.querySelector(".slot")?.getAttribute("aria-setsize")));
// Waits until loading is over, which means that the page has been idle.
await page.evaluate(() => new Promise((done) => requestIdleCallback(() => requestIdleCallback(done))));
const hall = await measured(page, Number(seconds));

await page.goto("about:blank");
await page.setContent('<div class="rows" style="height:700px;overflow:auto"><div style="height:10000px"></div></div>');
const empty = await measured(page, 4);
await browser.close();

async function measured(where, forSeconds) {
  const session = await where.context().newCDPSession(where);
  const events = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...value));
  await session.send("Tracing.start", { categories: "toplevel,devtools.timeline", transferMode: "ReportEvents" });
  const intervals = await scrolled(where, session, forSeconds);
  const whole = new Promise((done) => session.once("Tracing.tracingComplete", done));
  await session.send("Tracing.end");
  await whole;
  return { intervals: intervals.sort((a, b) => a - b), ...work(events) };
}

/** Scrolls down and up without a pause. Returns the intervals between frames, in milliseconds. */
async function scrolled(where, session, forSeconds) {
  await where.evaluate(() => {
    globalThis.times = [];
    const look = (now) => globalThis.times.push(now) && requestAnimationFrame(look);
    requestAnimationFrame(look);
  });
  const box = await where.locator(".rows").boundingBox();
  const at = { x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height / 2) };
  const way = Math.min((SPEED * forSeconds) / 2, (await where.evaluate(() => document.querySelector(".rows").scrollHeight)) - box.height);
  for (const yDistance of [-way, way]) {
    const before = await where.evaluate(() => document.querySelector(".rows").scrollTop);
    await session.send("Input.synthesizeScrollGesture", { ...at, yDistance, speed: SPEED, gestureSourceType: "mouse", preventFling: true });
    const moved = Math.abs((await where.evaluate(() => document.querySelector(".rows").scrollTop)) - before);
    if (moved < way * 0.9) throw new Error(`the wheel went ${way} pixels, the hall ${moved}`);
  }
  const times = await where.evaluate(() => globalThis.times);
  return times.slice(1).map((time, index) => time - times[index]);
}

/** Returns the main thread's work: its time per frame, its longest task, and its milliseconds per second by kind. */
function work(events) {
  const main = events.find(
    (one) =>
      one.name === "thread_name" &&
      one.args?.name === "CrRendererMain" &&
      events.some((other) => other.tid === one.tid && other.pid === one.pid && other.name === "FireAnimationFrame"),
  );
  const mine = events.filter((one) => one.pid === main?.pid && one.tid === main?.tid);
  // Chromium reports nested tasks; only the outermost counts.
  const tasks = mine.filter((one) => one.ph === "X" && one.name === "ThreadControllerImpl::RunTask").sort((a, b) => a.ts - b.ts);
  const callbacks = mine.filter((one) => one.name === "FireAnimationFrame").map((one) => one.ts);
  const took = (one) => (one.tdur ?? one.dur) / 1000;
  // A frame is the task that draws, together with everything before the next drawing task.
  const draws = tasks.filter((task) => callbacks.some((ts) => ts >= task.ts && ts < task.ts + task.dur));
  const frames = draws.map((task) => task.ts);
  const perFrame = frames
    .slice(1)
    .map((end, index) => tasks.filter((task) => task.ts >= frames[index] && task.ts < end).reduce((sum, task) => sum + took(task), 0));
  const spanS = ((frames.at(-1) ?? 0) - (frames[0] ?? 0)) / 1e6 || 1;
  const kinds = {
    style: /^UpdateLayoutTree$/,
    layout: /^Layout$/,
    paint: /^(Pre)?Paint$|^Layerize$|^Commit$/,
    frame: /^FireAnimationFrame$/,
    timers: /^TimerFire$/,
    messages: /^SimpleWatcher::OnHandleReady$/,
    garbage: /^M(in|aj)orGC$/,
  };
  const shares = Object.fromEntries(
    Object.entries(kinds).map(([kind, name]) => [
      kind,
      +(mine.filter((one) => one.ph === "X" && name.test(one.name)).reduce((sum, one) => sum + took(one), 0) / spanS).toFixed(1),
    ]),
  );
  return { work: perFrame.sort((a, b) => a - b), longest: Math.max(0, ...tasks.map(took)), shares };
}

function at(sorted, part) {
  return +(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(1);
}
const result = {
  boards,
  frames: hall.intervals.length,
  useful_ms: Math.round(useful),
  until_then_cpu_ms: { tasks: spent("TaskDuration"), script: spent("ScriptDuration"), layout: spent("LayoutDuration") + spent("RecalcStyleDuration") },
  interval_p50_ms: at(hall.intervals, 0.5),
  interval_p99_ms: at(hall.intervals, 0.99),
  work_p50_ms: at(hall.work, 0.5),
  work_p95_ms: at(hall.work, 0.95),
  longest_task_ms: +hall.longest.toFixed(1),
  ms_a_second: hall.shares,
  empty_page: { interval_p99_ms: at(empty.intervals, 0.99), work_p95_ms: at(empty.work, 0.95), longest_task_ms: +empty.longest.toFixed(1) },
};
console.log(JSON.stringify(result));
const broken = Object.entries(LIMITS).filter(([name, most]) => !(result[name] <= most));
for (const [name, most] of broken) console.error(`${name}: ${result[name]} is over ${most}`);
process.exit(broken.length > 0 ? 1 : 0);

// The page of all boards.

import { m } from "$gen/words/messages.js";
import { Painter } from "$lib/draw/painter.js";
import { HubTime } from "$lib/hall/hub-time.js";
import { controlWords } from "$lib/words/control.js";
import { hourMinute, setZone } from "$lib/words/day-time.js";
import { isolated } from "$lib/words/isolated.js";
import { hasWords } from "$lib/words/plain.js";
import { applyLanguage } from "../language.js";
import { Refresher } from "../event/refresher.js";
import { Announcer } from "./announce.js";
import { Countdown } from "./countdown.js";
import { SIDES, boardOf, pressOf } from "./board-view.js";
import { byId, setText } from "./dom.js";
import { tellHeight } from "./embed.js";
import { Feed, followWhileShown } from "./feed.js";
import { Roving, globalKeys } from "./keys.js";
import { Link } from "./link.js";
import { Roster } from "./roster.js";
import { Side } from "./side.js";
import { Star, chooseStar } from "./star.js";
import { Tile } from "./tile.js";
import { Wall } from "./wall.js";
import { statesOf, announcementOf } from "./words.js";

await applyLanguage();
tellHeight();

/** @typedef {import("./board-view.js").BoardView} BoardView */

const wanted = new URLSearchParams(location.search);
const list = byId("games");
const search = /** @type {HTMLInputElement} */ (byId("search"));

const time = new HubTime();
const painter = new Painter(time);
const announcer = new Announcer(byId("loud"), byId("polite"));
const link = new Link(announcer);
const star = new Star(byId("star"));
const side = new Side(byId("side"), wanted.has("wall"));
let roster = new Roster();
const countdown = new Countdown(byId("starts"));
const wall = wanted.has("wall") ? new Wall(list) : null;

/** Tiles by board, in board order. @type {Map<string, Tile>} */
let tiles = new Map();
/** @type {Map<Element, Tile>} */
const tileOf = new Map();
/** @type {{name?: string, round?: number, rounds?: number, place?: string, control?: string, starts_at_us?: number, time_zone?: string, recording_stopped?: boolean}} */
let event = {};
let eventKnown = false;

const roving = new Roving(list, () => shownTiles().map((tile) => tile.link));

// Only tiles in or near the viewport are drawn.
const eye = new IntersectionObserver(
  (entries) => {
    for (const entry of entries) {
      const tile = tileOf.get(entry.target);
      if (!tile) continue;
      if (entry.isIntersecting) painter.show(tile);
      else painter.hide(tile);
    }
  },
  { rootMargin: "160px" },
);

const feed = new Feed("/live/boards.json", "/live/events", {
  snapshot(snapshot) {
    showEvent(snapshot.event);
    showLinks(snapshot.tournament !== undefined);
    const had = tiles;
    tiles = new Map();
    for (const view of /** @type {BoardView[]} */ (snapshot.boards.map(boardOf))) {
      const old = had.get(view.board);
      had.delete(view.board);
      tiles.set(view.board, old ?? new Tile(view, roster, wall !== null));
      if (old) change(old, view);
    }
    for (const tile of had.values()) drop(tile);
    arrange();
  },
  board(json) {
    const view = boardOf(json);
    const tile = tiles.get(view.board);
    if (tile) {
      change(tile, view);
    } else {
      insert(view);
    }
    summariseSoon();
  },
  event: showEvent,
  tournament: () => showLinks(true),
  gone(board) {
    const tile = tiles.get(board);
    if (!tile) return;
    tiles.delete(board);
    drop(tile);
    arrange();
  },
  absent() {},
  time(hubUs, fresh) {
    if (fresh) time.reset();
    if (!time.sample(hubUs)) return;
    painter.redrawAll();
    if (eventKnown) showHallTime();
  },
  link(live) {
    link.set(live);
  },
});

/**
 * @param {Tile} tile
 * @param {BoardView} view
 */
function change(tile, view) {
  const before = tile.view;
  const news = announcementOf(before, view);
  if (news) announcer.tell(news);
  tile.update(view);
  if (painter.shows(tile)) painter.show(tile);
  const stateChanged =
    before.phase !== view.phase ||
    before.online !== view.online ||
    SIDES.some((s) => before[s].flag !== view[s].flag || before.clocks?.[s] !== view.clocks?.[s]);
  if (stateChanged || document.activeElement !== tile.link) tile.rename(view, time.nowUs() ?? undefined);
}

/** @param {BoardView} view */
function insert(view) {
  tiles.set(view.board, new Tile(view, roster, wall !== null));
  const order = new Intl.Collator("en", { numeric: true });
  tiles = new Map([...tiles].sort(([a], [b]) => order.compare(a, b)));
  arrange();
}

/** @param {Tile} tile */
function drop(tile) {
  painter.hide(tile);
  eye.unobserve(tile.item);
  tileOf.delete(tile.item);
  tile.item.remove();
}

/** Puts the tiles into board order, and moves only those that are misplaced. */
function arrange() {
  let place = list.firstElementChild;
  for (const tile of tiles.values()) {
    if (tile.item === place) {
      place = place.nextElementSibling;
      continue;
    }
    list.insertBefore(tile.item, place);
    tileOf.set(tile.item, tile);
    eye.observe(tile.item);
  }
  find();
  summariseSoon();
}

let summaryDue = false;

const standings = new Refresher(async () => {
  const table = await json("/live/event/standings.json");
  if (!table) return;
  side.update(table);
  // A team event's standings do not list players.
  const players = table.team ? (await json("/live/event/players.json"))?.players : table.rows;
  roster = new Roster(players);
  for (const tile of tiles.values()) tile.introduce(roster);
  star.introduce(roster);
});

/**
 * Fetches a data set of the event. Returns null if that fails.
 * @param {string} url
 */
async function json(url) {
  try {
    const response = await fetch(url, { cache: "no-cache" });
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

/** @param {boolean} hasEvent */
function showLinks(hasEvent) {
  byId("links").hidden = !hasEvent;
  if (hasEvent) standings.want();
  else side.update(null);
}

function summariseSoon() {
  if (summaryDue) return;
  summaryDue = true;
  setTimeout(() => {
    summaryDue = false;
    showFacts();
    showStar();
    showPlaying();
  }, 16);
}

function find() {
  const sought = search.value.trim();
  let found = 0;
  for (const { item, view } of tiles.values()) {
    item.hidden = !/^\d+$/.test(sought) ? !hasWords(`${view.board} ${view.white.name} ${view.black.name}`, sought) : view.board !== sought;
    if (!item.hidden) found += 1;
  }
  setText(byId("count"), sought ? m.n_of({ n: found, all: tiles.size }) : String(tiles.size));
  const empty = byId("empty");
  empty.hidden = found > 0;
  setText(empty, tiles.size ? m.pub_nothing_found({ name: sought }) : m.pub_no_boards());
  wall?.setItems([...tiles.values()].filter((tile) => !tile.item.hidden || !sought).map((tile) => tile.item));
  roving.refresh();
}

function shownTiles() {
  return [...tiles.values()].filter((tile) => !tile.item.hidden);
}

/** @param {typeof event} now */
function showEvent(now) {
  event = now ?? {};
  eventKnown = true;
  byId("stopped").hidden = !event.recording_stopped;
  setZone(event.time_zone ?? "");
  countdown.set(event.starts_at_us);
  painter.show(countdown);
  showHallTime();
  showFacts();
  setText(/** @type {Element} */ (byId("event").firstElementChild), event.name || m.pub_live_boards());
  document.title = [isolated(event.name || "Flagfall"), roundInWords(), m.live()].filter(Boolean).join(" · ");
}

function roundInWords() {
  if (!event.round) return "";
  return event.rounds ? m.round_of({ n: event.round, all: event.rounds }) : m.round_no({ n: event.round });
}

function showFacts() {
  const control = tiles.size ? usualControl() : event.control;
  setText(byId("facts"), [roundInWords(), isolated(event.place ?? ""), !wall && control && controlWords(control)].filter(Boolean).join(" · "));
}

function usualControl() {
  /** @type {Map<string, number>} */
  const boards = new Map();
  for (const { view } of tiles.values()) boards.set(view.control, (boards.get(view.control) ?? 0) + 1);
  return [...boards].find(([, count]) => count * 2 > tiles.size)?.[0];
}

/** @type {string|undefined} */
let starred;

function showStar() {
  const choice = chooseStar(
    [...tiles.values()].map((tile) => tile.view),
    starred,
    wanted.get("star"),
  );
  if (!choice) {
    byId("star").hidden = true;
    starred = undefined;
    return;
  }
  const another = choice.board !== starred;
  if (!another && star.view === choice) return;
  starred = choice.board;
  star.update(choice, another ? [] : null);
  star.introduce(roster);
  painter.show(star);
  if (another && !wall) void fetchPresses(choice.board);
}

/** @param {string} board */
async function fetchPresses(board) {
  try {
    const response = await fetch(`/live/boards/${encodeURIComponent(board)}.json`);
    if (!response.ok || board !== starred || !star.view) return;
    star.update(star.view, (await response.json()).presses.map(pressOf));
    painter.show(star);
  } catch {
    // The page works without these presses: the chart fills up with the next moves.
  }
}

function showPlaying() {
  let playing = 0;
  for (const { view } of tiles.values()) if (view.phase !== "over" && view.phase !== "ready") playing += 1;
  setText(byId("playing"), m.pub_playing({ n: playing }));
}

search.addEventListener("input", () => {
  find();
  announcer.say(m.pub_found({ n: shownTiles().length }));
});
search.addEventListener("keydown", (key) => {
  if (key.key === "Escape") {
    search.value = "";
    find();
    search.blur();
  } else if (key.key === "Enter" || key.key === "ArrowDown") {
    key.preventDefault();
    shownTiles()[0]?.link.focus();
  }
});

list.addEventListener("focusin", (focus) => {
  const tile = tileOf.get(/** @type {Element} */ (focus.target).parentElement ?? list);
  tile?.rename(tile.view, time.nowUs() ?? undefined);
});

globalKeys({
  "/": () => {
    search.focus();
    search.select();
  },
  f: () => {
    const flag = shownTiles().find((tile) => statesOf(tile.view).some((state) => state.key === "flag"));
    if (flag) flag.link.focus();
    else announcer.say(m.why_no_flag());
  },
  ...(wall ? { ArrowRight: () => wall.turn(1), ArrowLeft: () => wall.turn(-1) } : {}),
});

function showHallTime() {
  const now = time.nowUs();
  if (!wall || now === null) return;
  setText(byId("hall-time"), hourMinute(now));
}

if (wall) setInterval(() => eventKnown && showHallTime(), 1000);

followWhileShown(feed);

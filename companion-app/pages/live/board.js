// The page of one board: two large clocks, the times used, the last presses, and the entered moves with a diagram.

import { m } from "$gen/words/messages.js";
import { ageText, clockText, lengthText, sideText, untilNextDigit } from "$lib/draw/clock-text.js";
import { Painter } from "$lib/draw/painter.js";
import { drawAt } from "$lib/draw/plan.js";
import { longest } from "$lib/draw/time-used.js";
import { HubTime } from "$lib/hall/hub-time.js";
import { besideTime } from "$lib/words/beside.js";
import { controlWords } from "$lib/words/control.js";
import { dayTime, setZone } from "$lib/words/day-time.js";
import { isolated } from "$lib/words/isolated.js";
import { isWon, scores } from "$lib/words/results.js";
import { Announcer } from "./announce.js";
import { boardOf, pressOf, SIDES, turnSince } from "./board-view.js";
import { drawChart, moveMark } from "./chart.js";
import { Countdown } from "./countdown.js";
import { byId, chip, disc, el, setText, sign } from "./dom.js";
import { tellHeight } from "./embed.js";
import { Feed, followWhileShown } from "./feed.js";
import { Game } from "./game.js";
import { globalKeys } from "./keys.js";
import { Link } from "./link.js";
import { Roster, aboutText } from "./roster.js";
import { ClockCell, fieldClasses } from "./tile.js";
import { oddsInWords, sideWord, statesOf, withOdds, announcementOf } from "./words.js";
import { applyLanguage } from "../language.js";

await applyLanguage();
tellHeight();

/**
 * @typedef {import("./board-view.js").BoardView} BoardView
 * @typedef {import("./board-view.js").SideName} SideName
 * @typedef {import("./board-view.js").Press} Press
 * @typedef {import("./words.js").State} State
 */

/** Maximum number of presses in the list; the chart shows all of them. */
const LISTED = 12;

class Face {
  /** @param {SideName} side */
  constructor(side) {
    this.side = side;
    this.name = el("bdi");
    this.facts = el("small", "q");
    this.moves = el("span", "mvs");
    const digits = el("span", "clk");
    this.beside = el("span", "ex");
    this.used = document.createTextNode("");
    this.turn = el("span", "turn", sign("running"), this.used);
    this.took = el("span", "took");
    this.states = el("span", "states");
    this.node = el(
      "div",
      `face ${side}`,
      el("p", "who", disc(side), el("span", "nm", el("b", "", this.name), this.facts), this.moves),
      el("span", "time", digits),
      this.beside,
      el("p", "how", this.turn, this.took, this.states),
    );
    this.cell = new ClockCell(this.node, digits);
    /** @type {{state: State, sinceUs: number|undefined, word: Element|null}[]} */
    this.ages = [];
  }

  /**
   * @param {BoardView} view
   * @param {Press[]} presses
   */
  update(view, presses) {
    const own = view[this.side];
    setText(this.name, own.name || "–");
    this.node.title = own.name;
    setText(this.moves, m.moves({ n: own.moves }));
    const last = presses.findLast((press) => press.side === this.side);
    setText(this.took, last ? m.last_move({ time: lengthText(last.usedUs) }) : "");
    this.took.hidden = view.running === this.side;
    const states = statesOf(view).filter((state) => (state.side ?? "black") === this.side);
    this.states.replaceChildren();
    this.ages = states.map((state) => {
      const node = chip(state);
      this.states.append(node);
      const sinceUs = state.key === "silent" ? view.silentSinceUs : state.key === "paused" ? view.sinceUs : undefined;
      return { state, sinceUs, word: node.lastElementChild };
    });
    const halves = scores(view.result);
    this.score = halves && halves[this.side === "white" ? 0 : 1];
    this.reached = turnSince(view, presses);
  }

  /** Shows the player's title, rating and federation from the event. @param {Roster} roster */
  introduce(roster) {
    setText(this.facts, aboutText(roster.of(this.name.textContent ?? "")));
  }

  /**
   * @param {BoardView} view
   * @param {import("$lib/draw/plan.js").Drawing} drawing
   * @param {number} hubUs
   * @returns {number} microseconds until the digits change; Infinity if the score is shown instead
   */
  draw(view, drawing, hubUs) {
    const drawn = drawing[this.side];
    if (this.score) {
      this.cell.write([this.score, ""]);
      this.cell.mark(isWon(this.score) || this.score === "½" ? ["over"] : ["over", "lost"]);
      setText(this.beside, withOdds(view, this.side, m.pub_time_left({ time: sideText(drawn.us, drawn.allotment)[0] })));
      return Infinity;
    }
    this.cell.write(sideText(drawn.us, drawn.allotment));
    this.cell.mark(fieldClasses(view, this.side, drawn));
    this.node.style.setProperty("--left", String(Math.min(1, Math.max(0, drawn.us) / 60e6)));
    const runs = view.running === this.side;
    const beside = besideTime(view[this.side], drawn.allotment, runs ? drawing.waitUs : undefined);
    setText(this.beside, withOdds(view, this.side, beside));
    setText(this.used, runs && this.reached && !WALL ? m.pub_to_move_used({ time: ageText(hubUs - this.reached) }) : m.to_move());
    for (const { state, sinceUs, word } of this.ages) {
      if (sinceUs && word) setText(word, `${state.short} ${ageText(hubUs - sinceUs)}`);
    }
    return untilNextDigit(drawn.us, drawn.rate, drawn.allotment);
  }
}

const WALL = new URLSearchParams(location.search).has("wall");
const board = decodeURIComponent(location.pathname.replace(/^\/board\//, ""));
const time = new HubTime();
const painter = new Painter(time);
const announcer = new Announcer(byId("loud"), byId("polite"));
const link = new Link(announcer);
const faces = { white: new Face("white"), black: new Face("black") };
const countdown = new Countdown(byId("starts"));
const game = new Game();
byId("pair").append(faces.white.node, faces.black.node);

/** @type {BoardView|undefined} */
let view;
let roster = new Roster();
/** @type {Press[]} */
let presses = [];
/** The moves entered so far, in SAN. @type {string[]} */
let score = [];
/** @type {{name?: string, round?: number, starts_at_us?: number, time_zone?: string, recording_stopped?: boolean}} */
let event = {};

const drawable = {
  /** @param {number} hubUs */
  draw(hubUs) {
    if (!view) return Infinity;
    const drawing = drawAt(view, hubUs);
    const waits = SIDES.map((side) => faces[side].draw(/** @type {BoardView} */ (view), drawing, hubUs));
    // The ages and the time used change at whole seconds that do not coincide. While they change, the page is drawn at least every 250 ms.
    const aging = view.running || view.paused || !view.online;
    return Math.min(drawing.untilUs, hubUs + Math.min(...waits, aging ? 250_000 : Infinity));
  },
};

const file = encodeURIComponent(board);
const feed = new Feed(`/live/boards/${file}.json`, `/live/events?board=${file}`, {
  snapshot(snapshot) {
    presses = snapshot.presses.map(pressOf);
    score = snapshot.score;
    showNeighbour("previous", snapshot.previous);
    showNeighbour("next", snapshot.next);
    showEvent(snapshot.event);
    show(boardOf(snapshot.board));
    if (snapshot.tournament !== undefined) void fetchPlayers();
  },
  board(json) {
    const now = boardOf(json);
    const { last } = now;
    if (last && last.atUs !== presses.at(-1)?.atUs) {
      // A correction may have removed moves, so only presses before the newest press stay.
      presses = [...presses.filter((press) => press.atUs < last.atUs), last];
    }
    void follow(now.written);
    show(now);
  },
  event: showEvent,
  gone: showAbsence,
  absent: showAbsence,
  time(hubUs, fresh) {
    if (fresh) time.reset();
    if (time.sample(hubUs)) painter.redrawAll();
  },
  link(live) {
    link.set(live);
    if (live) setText(byId("online"), m.live());
  },
});

/**
 * Updates the list of moves from the newest entered move. Fetches the whole list if that move does not directly follow the last known one.
 * @param {import("./board-view.js").Written|undefined} written
 */
async function follow(written) {
  if (!written) {
    score = [];
    return;
  }
  if (written.count === score.length && score.at(-1) === written.san) return;
  if (written.count === score.length + 1) {
    score = [...score, written.san];
    return;
  }
  try {
    const response = await fetch(`/live/boards/${file}.json`, { cache: "no-cache" });
    if (!response.ok) return;
    score = (await response.json()).score;
    game.show(view?.written, score, view?.day);
  } catch {
    // The diagram is right even without the list. The next move or snapshot fetches the list again.
  }
}

async function fetchPlayers() {
  try {
    const response = await fetch("/live/event/players.json", { cache: "no-cache" });
    if (!response.ok) return;
    roster = new Roster((await response.json()).players);
    for (const side of SIDES) faces[side].introduce(roster);
  } catch {
    // The clocks work without titles and ratings.
  }
}

function showAbsence() {
  const empty = byId("empty");
  setText(empty, m.pub_board_gone({ board }));
  empty.hidden = false;
}

/** @param {BoardView} now */
function show(now) {
  const news = announcementOf(view, now);
  if (news) announcer.tell(news);
  view = now;
  byId("empty").hidden = true;
  for (const side of SIDES) {
    faces[side].update(view, presses);
    faces[side].introduce(roster);
  }
  const note = byId("note");
  note.hidden = !view.note;
  setText(note, view.note ?? "");
  showMoves();
  game.show(view.written, score, view.day);
  showTitle();
  painter.show(drawable);
}

function showMoves() {
  const top = longest(presses);
  setText(byId("longest"), top ? m.pub_longest({ move: moveMark(top), time: lengthText(top.usedUs) }) : "");
  const unit = drawChart(byId("chart"), presses);
  setText(byId("chart-title"), unit === null ? m.chart_thinking() : unit === "seconds" ? m.pub_thinking_seconds() : m.pub_thinking_minutes());
  const lines = presses
    .slice(-LISTED)
    .reverse()
    .map((press) => {
      const what = el("span", "", m.log_press({ move: moveMark(press), used: lengthText(press.usedUs), left: clockText(press.leftUs)[0] }));
      const when = /** @type {HTMLTimeElement} */ (el("time", "", dayTime(press.atUs, time.nowUs() ?? press.atUs, true)));
      return el("li", "", when, el("b", "", disc(press.side), sideWord(press.side)), what);
    });
  byId("log").replaceChildren(...(lines.length ? lines : [el("li", "none q", m.pub_no_move())]));
}

/** @param {typeof event} now */
function showEvent(now) {
  event = now ?? {};
  byId("stopped").hidden = !event.recording_stopped;
  setZone(event.time_zone ?? "");
  countdown.set(event.starts_at_us);
  painter.show(countdown);
  showTitle();
}

function showTitle() {
  setText(byId("number"), board);
  const round = event.round ? m.round_no({ n: event.round }) : "";
  setText(byId("facts"), [isolated(event.name ?? ""), round, view && controlWords(view.control), view && oddsInWords(view)].filter(Boolean).join(" · "));
  document.title = [m.more_title({ board: isolated(board) }), isolated(event.name ?? ""), round].filter(Boolean).join(" · ");
}

/**
 * @param {"previous"|"next"} id
 * @param {string|undefined} neighbour
 */
function showNeighbour(id, neighbour) {
  const step = /** @type {HTMLAnchorElement} */ (byId(id));
  step.hidden = !neighbour;
  if (!neighbour) return;
  step.href = `/board/${encodeURIComponent(neighbour)}`;
  step.setAttribute("aria-label", m.more_title({ board: neighbour }));
  setText(/** @type {Element} */ (step.querySelector("span")), neighbour);
}

globalKeys({
  ArrowLeft: () => byId("previous").click(),
  ArrowRight: () => byId("next").click(),
  Escape: () => location.assign("/"),
});

followWhileShown(feed);

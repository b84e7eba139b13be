// The page of one board: both clocks large, thinking times, the last moves.

import { Announcer } from "./announce.js";
import { controlWords } from "./control-words.js";
import { drawChart, longest } from "./chart.js";
import { Countdown } from "./countdown.js";
import { clockText, lengthText, sideText, untilNextDigit } from "./clock-text.js";
import { byId, chip, disc, el, isolated, setText, sign } from "./dom.js";
import { Feed } from "./feed.js";
import { HubTime, dayTime } from "./hub-time.js";
import { globalKeys } from "./keys.js";
import { Link } from "./link.js";
import { Painter } from "./painter.js";
import { drawAt } from "./plan.js";
import { ClockCell, fieldClasses } from "./tile.js";
import { SIDES, SIDE_WORD, besideTime, oddsInWords, scores, statesOf, withOdds, worthSaying } from "./words.js";

/**
 * @typedef {import("./words.js").BoardView} BoardView
 * @typedef {import("./words.js").SideName} SideName
 * @typedef {import("./words.js").Press} Press
 * @typedef {import("./words.js").State} State
 */

/** How many moves the list shows; the chart has all of them. */
const LISTED = 12;

/** One side: name, digits, what it is doing. */
class Face {
  /** @param {SideName} side */
  constructor(side) {
    this.side = side;
    this.name = el("bdi");
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
      el("p", "who", disc(side), el("b", "", this.name), this.moves),
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
    setText(this.moves, own.moves === 1 ? "1 move" : `${own.moves} moves`);
    const last = presses.findLast((press) => press.side === this.side);
    setText(this.took, last ? `Last move took ${lengthText(last.used_us)}` : "");
    this.took.hidden = view.running === this.side;
    const states = statesOf(view).filter((state) => (state.side ?? "black") === this.side);
    this.states.replaceChildren();
    this.ages = states.map((state) => {
      const node = chip(state);
      this.states.append(node);
      const sinceUs = state.key === "silent" ? view.silent_since_us : state.key === "paused" ? view.since_us : undefined;
      return { state, sinceUs, word: node.lastElementChild };
    });
    const halves = scores(view.result);
    this.score = halves && halves[this.side === "white" ? 0 : 1];
    this.reached = presses.at(-1)?.at_us ?? view.since_us;
  }

  /**
   * @param {BoardView} view
   * @param {import("./plan.js").Drawing} drawing
   * @param {number} hubUs
   * @returns {number} microseconds until its next change
   */
  draw(view, drawing, hubUs) {
    const drawn = drawing[this.side];
    if (this.score) {
      this.cell.write([this.score, ""]);
      this.cell.mark(this.score === "0" || this.score === "–" ? ["over", "lost"] : ["over"]);
      setText(this.beside, withOdds(view, this.side, `${sideText(drawn.us, drawn.phase)[0]} left`));
      return Infinity;
    }
    this.cell.write(sideText(drawn.us, drawn.phase));
    this.cell.mark(fieldClasses(view, this.side, drawn));
    this.node.style.setProperty("--left", String(Math.min(1, Math.max(0, drawn.us) / 60e6)));
    const runs = view.running === this.side;
    const beside = besideTime(view[this.side], { phase: drawn.phase, waitUs: runs ? drawing.waitUs : undefined });
    setText(this.beside, withOdds(view, this.side, beside));
    setText(this.used, runs && this.reached && !WALL ? `To move, ${age(hubUs - this.reached)} used` : "To move");
    for (const { state, sinceUs, word } of this.ages) {
      if (sinceUs && word) setText(word, `${state.short} ${age(hubUs - sinceUs)}`);
    }
    return untilNextDigit(drawn.us, drawn.rate, drawn.phase);
  }
}

/** `12.` or `12…`, as a score sheet has it. @param {Press} press */
function moveMark(press) {
  return press.side === "white" ? `${press.n}.` : `${press.n}…`;
}

/** Whole seconds that have passed. @param {number} us */
function age(us) {
  const s = Math.floor(us / 1e6);
  return s < 1 ? "0:00" : clockText(s * 1e6)[0].padStart(4, "0:0");
}

const WALL = new URLSearchParams(location.search).has("wall");
const board = decodeURIComponent(location.pathname.replace(/^\/board\//, ""));
const time = new HubTime();
const painter = new Painter(time);
const announcer = new Announcer(byId("loud"), byId("polite"));
const link = new Link(announcer);
const faces = { white: new Face("white"), black: new Face("black") };
const countdown = new Countdown(byId("starts"));
byId("pair").append(faces.white.node, faces.black.node);

/** @type {BoardView|undefined} */
let view;
/** @type {Press[]} */
let presses = [];
/** @type {{name?: string, round?: number, starts_at_us?: number, time_zone?: string}} */
let event = {};

const drawable = {
  /** @param {number} hubUs */
  draw(hubUs) {
    if (!view) return Infinity;
    const drawing = drawAt(view, hubUs);
    const waits = SIDES.map((side) => faces[side].draw(/** @type {BoardView} */ (view), drawing, hubUs));
    // Ages and used time go by whole seconds of their own, so it looks at least four times a second.
    const aging = view.running !== "none" || view.paused || !view.online;
    return Math.min(drawing.untilUs, hubUs + Math.min(...waits, aging ? 250_000 : Infinity));
  },
};

const file = encodeURIComponent(board);
const feed = new Feed(`/live/boards/${file}.json`, `/live/events?board=${file}`, {
  snapshot(snapshot) {
    presses = snapshot.presses;
    showNeighbour("previous", snapshot.previous);
    showNeighbour("next", snapshot.next);
    showEvent(snapshot.event);
    show(snapshot.board);
  },
  board(now) {
    const { last } = now;
    if (last && last.at_us !== presses.at(-1)?.at_us) {
      // A correction may have taken moves back: what follows from the newest press stays.
      presses = [...presses.filter((press) => press.at_us < last.at_us), last];
    }
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
    if (live) setText(byId("online"), "Live");
  },
});

function showAbsence() {
  const empty = byId("empty");
  setText(empty, `Board ${board} is not part of this round any more.`);
  empty.hidden = false;
}

/** @param {BoardView} now */
function show(now) {
  const news = worthSaying(view, now);
  if (news) (news.loud ? announcer.alert(news.text) : announcer.say(news.text));
  view = now;
  byId("empty").hidden = true;
  for (const side of SIDES) faces[side].update(view, presses);
  const note = byId("note");
  note.hidden = !view.note;
  setText(note, view.note ?? "");
  showMoves();
  showTitle();
  painter.show(drawable);
}

function showMoves() {
  const top = longest(presses);
  setText(byId("longest"), top ? `Longest ${moveMark(top)} ${lengthText(top.used_us)}` : "");
  const unit = drawChart(byId("chart"), presses);
  setText(byId("chart-title"), unit ? `Thinking time, ${unit}` : "Thinking time");
  const lines = presses.slice(-LISTED).reverse().map((press) => {
    const what = el("span", "", `${moveMark(press)} in ${lengthText(press.used_us)}, left ${clockText(press.left_us)[0]}`);
    const when = /** @type {HTMLTimeElement} */ (el("time", "", dayTime(press.at_us, time.nowUs() ?? press.at_us, event.time_zone)));
    return el("li", "", when, el("b", "", disc(press.side), SIDE_WORD[press.side]), what);
  });
  byId("log").replaceChildren(...(lines.length ? lines : [el("li", "none q", "No move has been completed yet.")]));
}

/** @param {typeof event} now */
function showEvent(now) {
  event = now ?? {};
  countdown.set(event.starts_at_us);
  painter.show(countdown);
  showTitle();
}

function showTitle() {
  setText(byId("number"), board);
  const round = event.round ? `round ${event.round}` : "";
  setText(byId("facts"), [isolated(event.name ?? ""), round, view && controlWords(view.control), view && oddsInWords(view)].filter(Boolean).join(" · "));
  document.title = [`Board ${isolated(board)}`, isolated(event.name ?? ""), round].filter(Boolean).join(" · ");
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
  step.setAttribute("aria-label", `Board ${neighbour}`);
  setText(/** @type {Element} */ (step.querySelector("span")), neighbour);
}

globalKeys({
  ArrowLeft: () => byId("previous").click(),
  ArrowRight: () => byId("next").click(),
  Escape: () => location.assign("/"),
});

addEventListener("online", () => feed.start());
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) feed.start();
});

feed.start();

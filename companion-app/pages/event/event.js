// The pages of the event: one document whose view depends on the address, redrawn when the hub reports a change.

import { m } from "$gen/words/messages.js";
import { isolated } from "$lib/words/isolated.js";
import { applyLanguage } from "../language.js";
import { Announcer } from "../live/announce.js";
import { byId, el, setText } from "../live/dom.js";
import { Feed, followWhileShown } from "../live/feed.js";
import { Link } from "../live/link.js";
import { link } from "./parts.js";
import { Refresher } from "./refresher.js";
import { viewOf } from "./views.js";

await applyLanguage();

/**
 * @typedef {{code: string, title: string}} TieBreak
 * @typedef {{round: number, date?: string, state: "paired"|"playing"|"finished"|"confirmed", boards: number, results: number}} RoundLine
 * @typedef {object} Overview `/live/event.json`
 * @property {number} version
 * @property {string} name
 * @property {string} [city]
 * @property {string} [federation]
 * @property {string} [starts]
 * @property {string} [ends]
 * @property {string} [chief_arbiter]
 * @property {string[]} [deputies]
 * @property {string} [time_control]
 * @property {"swiss"|"round robin"} system
 * @property {boolean} team
 * @property {number} players
 * @property {number} teams
 * @property {number} rounds
 * @property {TieBreak[]} tie_breaks
 * @property {RoundLine[]} paired
 * @property {number} [present] the current round
 * @property {number} after
 * @property {number} boards number of boards on the live page
 *
 * @typedef {object} View
 * @property {(overview: Overview) => string} url returns the address of the data
 * @property {(data: any, overview: Overview) => string[]} draw draws the data and returns the texts to announce
 * @property {(overview: Overview) => string} title
 */

const page = byId("page");
const announcer = new Announcer(byId("loud"), byId("polite"));
const status = new Link(announcer);
const view = viewOf(location.pathname, new URLSearchParams(location.search), page);

/** @type {Overview|undefined} */
let overview;
let drawn = "";
/** The event of the feed's snapshot, until the next refresh takes it. @type {Overview|null} */
let begun = null;

const refresher = new Refresher(async () => {
  const known = overview && view.url(overview);
  const handed = begun;
  begun = null;
  const [news, first] = await Promise.all([handed ?? get("/live/event.json"), known ? get(known) : undefined]);
  if (!news || news === ABSENT) return;
  const url = view.url(news);
  const data = url === known && first ? first : await get(url);
  if (data === ABSENT) page.replaceChildren(el("p", "empty", m.pub_gone()));
  else if (data) show(news, data);
});

/** The hub's answer that there is no such data set. */
const ABSENT = Symbol("absent");

/** Fetches a data set; the browser revalidates its own copy. @param {string} url */
async function get(url) {
  try {
    const response = await fetch(url, { cache: "no-cache" });
    if (response.status === 404) return ABSENT;
    return response.ok ? await response.json() : null;
  } catch {
    // Unreachable: the feed notices it, reports it, and asks again on reconnection.
    return null;
  }
}

/** @param {Overview} news @param {any} data */
function show(news, data) {
  overview = news;
  drawBar(news);
  const words = view.draw(data, news);
  document.title = [view.title(news), news.name].filter(Boolean).map(isolated).join(" · ");
  if (drawn && drawn !== String(news.version)) for (const text of words) announcer.say(text);
  drawn = String(news.version);
  page.dataset.version = drawn;
}

/** @param {Overview} news */
function drawBar(news) {
  setText(/** @type {Element} */ (byId("event").firstElementChild), news.name || m.pub_event());
  setText(byId("facts"), news.present ? m.round_of({ n: news.present, all: news.rounds }) : m.pub_rounds({ n: news.rounds }));
  setText(byId("online"), m.live());
  const tabs = [
    ["/", m.boards()],
    ["/event/rounds", m.pub_pairings()],
    ["/event/standings", m.view_standings()],
    ["/event/cross-table", m.cross_table()],
    ...(news.team ? [["/event/teams", m.teams()]] : []),
    ["/event/players", m.players()],
  ];
  const text = tabs.map(([href]) => href).join(" ");
  const nav = byId("nav");
  if (nav.dataset.tabs === text) return;
  nav.dataset.tabs = text;
  const section = (/** @type {string} */ path) => path.split("/").slice(0, 3).join("/");
  nav.replaceChildren(
    ...tabs.map(([href, word]) => {
      const tab = link(href, word);
      if (href !== "/" && section(href) === section(location.pathname)) tab.setAttribute("aria-current", "page");
      return tab;
    }),
  );
  nav.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
}

const feed = new Feed("/live/event.json", "/live/events?only=event", {
  snapshot: (event) => {
    begun = event;
    refresher.want();
  },
  tournament: () => {
    begun = null;
    refresher.want();
  },
  board() {},
  event() {},
  gone() {},
  absent: () => page.replaceChildren(el("p", "empty", m.pub_no_event())),
  time() {},
  link: (live) => status.set(live),
});

followWhileShown(feed);

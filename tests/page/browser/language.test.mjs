// The public pages in every language: translations leave no text in English, only one language file is fetched, and the visitor's choice persists.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT } from "../hall.mjs";
import { stage } from "./stage.mjs";

const catalogue = (tag) => JSON.parse(readFileSync(join(ROOT, `companion-app/messages/${tag}.json`), "utf8"));
const OTHERS = ["de", "es", "fr"];
const OPEN = ["--players", "30"];
const TEAMS = ["--trf", join(ROOT, "tests/samples/team-cup.trf")];
const SHARED = ["/", "/?wall", "/board/1", "/board/9", "/board/3?wall", "/event", "/event/rounds/2", "/event/standings", "/event/cross-table", "/event/players"];
const PAGES = [
  [OPEN, [...SHARED, "/event/players/4", "/event/print/pairings", "/event/print/names", "/event/print/slips", "/event/print/cards", "/event/print/standings", "/event/standings?after=1", "/board/999", "/nowhere", "/authority"]],
  [TEAMS, ["/event", "/event/rounds/1", "/event/standings", "/event/cross-table", "/event/teams", "/event/teams/2", "/event/players"]],
];

/** Returns the texts of a message, one for each plural form, with `#` in place of each slot, as `said` replaces numbers. */
function forms(message) {
  const texts = typeof message === "string" ? [message] : message.flatMap(({ match }) => Object.values(match));
  return texts.map((text) => text.replace(/−?\{\w+\}/g, "#"));
}

/**
 * Makes the page ask for a language. Changes requests in transit, because the context's locale would otherwise override the header.
 */
async function ask(page, tag) {
  const isDocument = (url) => !/^\/(assets|live)\//.test(url.pathname);
  await page.route(isDocument, (route) => route.fallback({ headers: { ...route.request().headers(), "accept-language": `${tag}-XX,${tag};q=0.9` } }));
  await page.addInitScript((tag) => Object.defineProperty(navigator, "languages", { get: () => [`${tag}-XX`, tag] }), tag);
}

/** Returns a page's texts (visible text, labels, titles, hints), without names in `bdi`, and with `#` in place of each number. */
async function said(page) {
  return page.evaluate(() => {
    const texts = [];
    const nodes = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
    while (nodes.nextNode()) if (!nodes.currentNode.parentElement?.closest("script, style, noscript, bdi, select, .languages")) texts.push(nodes.currentNode.textContent);
    for (const name of ["aria-label", "placeholder", "title", "alt"]) for (const node of document.querySelectorAll(`[${name}]`)) if (!node.closest("select, .languages")) texts.push(node.getAttribute(name));
    return texts.map((text) => text.replace(/−?[\d½¼¾]+/g, "#").trim()).filter((text) => /\p{L}{2}/u.test(text));
  });
}

async function shown(page) {
  await page.waitForFunction(() => !document.querySelector("#page") || document.querySelector("#page[data-version]"));
  await page.waitForFunction(() => !document.querySelector("#games, #pair") || [...document.querySelectorAll(".clk")].some((clk) => clk.textContent));
  await page.waitForFunction(() => !document.querySelector("#side:not([hidden])") || document.querySelector("#side td"));
  for (const why of await page.locator("button.why").all().then((all) => all.slice(0, 2))) {
    await why.click();
    await page.locator(".whybox .seg button").last().click();
  }
}

for (const [event, paths] of PAGES) {
  test(`no English is left on the pages of ${event.join(" ")}`, async () => {
    const english = new Map();
    await stage({ boards: 34, event }, async ({ hall, page, complaints }) => {
      await ask(page, "en");
      for (const path of paths) {
        await page.goto(hall.url + path);
        await shown(page);
        english.set(path, new Set(await said(page)));
        assert.equal(await page.getAttribute("html", "lang"), "en", path);
      }
      complaints.length = 0;
    });
    for (const tag of OTHERS) {
      const [en, own] = [catalogue("en"), catalogue(tag)];
      const same = new Set(Object.keys(en).flatMap((name) => forms(en[name]).filter((form) => forms(own[name]).includes(form))));
      await stage({ boards: 34, event }, async ({ hall, page, complaints }) => {
        await ask(page, tag);
        const teams = await teamNames(hall);
        const left = {};
        for (const path of paths) {
          await page.goto(hall.url + path);
          await shown(page);
          assert.equal(await page.getAttribute("html", "lang"), tag, path);
          const texts = (await said(page)).filter((text) => english.get(path).has(text) && !isShared(text, same, teams));
          if (texts.length > 0) left[path] = [...new Set(texts)];
        }
        assert.deepEqual(left, {}, tag);
        complaints.length = 0;
      });
    }
  });
}

/** Returns true if a text is the same in both languages, as a whole or part by part: `place 2, 3½` in English and in French. */
function isShared(text, same, teams) {
  const known = (part) => same.has(part) || isData(part, teams);
  return text.split(" · ").every((part) => known(part) || part.split(/, |: /).every(known));
}

async function teamNames(hall) {
  const answer = await fetch(`${hall.url}/live/event/teams.json`);
  return answer.ok ? (await answer.json()).teams.map(({ name }) => name) : [];
}

/** Returns true if a text may be the same in every language: names, places, addresses, codes, ratings and the like. */
function isData(text, teams) {
  return teams.includes(text) || DATA.some((shape) => shape.test(text));
}
const DATA = [
  /^[\p{Lu}:/#+-]+$/u,
  // A player's rating and federation, in either order.
  /^(# )?\p{Lu}{3}( #)?$/u,
  // A board's address on its card.
  /^[#.]+(:#)?\/board\/#$/,
  // Places and a time: `16–30 in 0:12`, which is the same in German.
  /^#–# in #:#$/,
  /^(Harbour Cup|Fjord Team Cup|Flagfall|Bergen|Live|iPad, iPhone|Android|Windows|macOS|Linux, ChromeOS: Chrome, Chromium|authority\.(crt|pem)|Enter|FIDE #)/,
  /^[\p{L}’'. -]+, [\p{L}’'. -]+( I+)?\.?$/u,
  /^(GM|IM|FM|CM|WGM|WIM|WFM|WCM)\b[ #\p{Lu}]*$/u,
];

test("one language is fetched, and no other when the visitor has chosen", async () => {
  await stage({ boards: 4 }, async ({ page, open }) => {
    await ask(page, "es");
    const fetched = [];
    page.on("request", (request) => fetched.push(...(/\/assets\/((?:de|en|es|fr)\.js)$/.exec(request.url())?.slice(1) ?? [])));
    await open("/");
    assert.deepEqual(fetched, ["es.js"]);
    assert.equal(await page.locator(".all h2").innerText(), "Todas las mesas");

    fetched.length = 0;
    await page.locator("#language select").selectOption("fr");
    await page.locator("html[lang=fr]").waitFor();
    await page.waitForFunction(() => [...document.querySelectorAll(".games .clk")].some((clk) => clk.textContent));
    assert.deepEqual(fetched, ["fr.js"]);
    // The hub rendered the document in Spanish, the browser's language, so the page must render it again in French.
    assert.equal(await page.locator(".all h2").innerText(), "Tous les échiquiers");
    assert.equal(await page.getAttribute("#search", "placeholder"), catalogue("fr").find_hint);
    assert.equal(await page.locator("#language select").inputValue(), "fr");

    fetched.length = 0;
    await open("/board/1");
    assert.deepEqual(fetched, ["fr.js"], "the choice holds on every page");
    assert.equal(await page.getAttribute("html", "lang"), "fr");
    await page.evaluate(() => [localStorage, sessionStorage].forEach((store) => store.clear()));
  });
});

test("a language that an address names holds for the visit, and gives way to a choice", async () => {
  await stage({ boards: 4, event: OPEN }, async ({ page, openEvent }) => {
    await ask(page, "en");
    await openEvent("/event/print/names?round=2&lang=de");
    assert.equal(await page.getAttribute("html", "lang"), "de");
    assert.equal(await page.locator(".head h1").innerText(), catalogue("de").pub_by_name);
    await page.locator('#nav a[href="/event/standings"]').click();
    await page.waitForURL("**/event/standings");
    await page.waitForSelector("#page[data-version]");
    assert.equal(await page.getAttribute("html", "lang"), "de");
    assert.equal(await page.locator('#nav a[aria-current="page"]').innerText(), catalogue("de").view_standings);

    await page.locator("#language select").selectOption("es");
    await page.locator("html[lang=es]").waitFor();
    await openEvent("/event/players");
    assert.equal(await page.getAttribute("html", "lang"), "es");
    await page.evaluate(() => [localStorage, sessionStorage].forEach((store) => store.clear()));
  });
});

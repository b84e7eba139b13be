// The language of a public page: the one its address names (`?lang=de`), else the visitor's choice, else the browser's first that there is,
// else English. Fetches the words of that one language.
//
// Owns the choice and where it is kept: a choice in this browser, a language named by an address in its tab, because the links of the pages
// do not repeat it. Must be awaited before a page says anything.

import { m } from "$gen/words/messages.js";
import { loadWords, locales, setLocale } from "$lib/words/catalogue.js";
import { LANGUAGES, directionOf, languageFor } from "$lib/words/languages.js";
import { el } from "./live/dom.js";
import { TEXTS } from "./texts.js";

/** @typedef {import("$lib/words/catalogue.js").Locale} Locale */

const KEPT = "flagfall.language";
const AGAIN_MS = 1000;

/** Brings the page into its language. */
export async function dressed() {
  const root = document.documentElement;
  const named = new URLSearchParams(location.search).get("lang");
  const tag = languageFor([named, kept("sessionStorage"), kept("localStorage"), ...navigator.languages]);
  if (named) keep("sessionStorage", tag);
  await fetched(tag);
  setLocale(tag);
  // The hub has written the page by what the browser asks for; the visitor may have chosen otherwise.
  if (root.lang !== tag) write(root);
  root.lang = tag;
  if (!root.dir) root.dir = directionOf(tag);
  document.getElementById("language")?.replaceChildren(picker(tag));
}

/** A page without words says nothing: it asks until the hub is back. @param {Locale} tag @returns {Promise<void>} */
async function fetched(tag) {
  try {
    await loadWords(tag);
  } catch {
    await new Promise((again) => setTimeout(again, AGAIN_MS));
    // A browser keeps a module that failed as failed: only another page fetches it again.
    location.reload();
    await new Promise(() => {});
  }
}

/** Writes what stands in the document itself. @param {HTMLElement} root */
function write(root) {
  for (const node of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-m]"))) node.textContent = TEXTS[node.dataset.m ?? ""]?.() ?? "";
  for (const name of ["placeholder", "aria-label"]) {
    for (const node of root.querySelectorAll(`[data-m-${name}]`)) node.setAttribute(name, TEXTS[node.getAttribute(`data-m-${name}`) ?? ""]?.() ?? "");
  }
}

/** @param {Locale} chosen */
function picker(chosen) {
  const select = /** @type {HTMLSelectElement} */ (el("select"));
  select.setAttribute("aria-label", m.language());
  for (const tag of locales) {
    const option = new Option(LANGUAGES[tag], tag, false, tag === chosen);
    option.lang = tag;
    select.append(option);
  }
  select.addEventListener("change", () => {
    const url = new URL(location.href);
    url.searchParams.delete("lang");
    // Where nothing may be kept, the address says it for this visit.
    if (!keep("localStorage", select.value)) url.searchParams.set("lang", select.value);
    keep("sessionStorage", select.value);
    if (url.href === location.href) location.reload();
    else location.assign(url);
  });
  return select;
}

/** @typedef {"localStorage"|"sessionStorage"} Store */

/** @param {Store} store */
function kept(store) {
  try {
    return window[store].getItem(KEPT);
  } catch {
    return null;
  }
}

/** @param {Store} store @param {string} tag @returns {boolean} whether the browser keeps it */
function keep(store, tag) {
  try {
    window[store].setItem(KEPT, tag);
    return true;
  } catch {
    return false;
  }
}

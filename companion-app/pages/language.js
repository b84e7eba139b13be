// The language of a public page. The first of these that is available: the language in the address (`?lang=de`), the visitor's choice, the
// browser's languages, English. Only that language is loaded.
//
// Owns the choice and its storage. The visitor's choice is stored in the browser. A language in the address is stored only for its tab,
// because the pages' links do not repeat it. `applyLanguage` must be awaited before any text is shown.

import { m } from "$gen/words/messages.js";
import { loadWords, locales, setLocale } from "$lib/words/catalogue.js";
import { LANGUAGES, directionOf, languageFor } from "$lib/words/languages.js";
import { el } from "./live/dom.js";
import { TEXTS } from "./texts.js";

/** @typedef {import("$lib/words/catalogue.js").Locale} Locale */

const KEPT = "flagfall.language";
const AGAIN_MS = 1000;

export async function applyLanguage() {
  const root = document.documentElement;
  const named = new URLSearchParams(location.search).get("lang");
  const tag = languageFor([named, kept("sessionStorage"), kept("localStorage"), ...navigator.languages]);
  if (named) keep("sessionStorage", tag);
  await fetched(tag);
  setLocale(tag);
  // The hub wrote the page in the browser's language; the visitor may have chosen a different language.
  if (root.lang !== tag) write(root);
  root.lang = tag;
  if (!root.dir) root.dir = directionOf(tag);
  document.getElementById("language")?.replaceChildren(picker(tag));
}

/**
 * Loads a language. The page's scripts have no texts without it, so the page reloads until loading succeeds.
 * @param {Locale} tag
 * @returns {Promise<void>}
 */
async function fetched(tag) {
  try {
    await loadWords(tag);
  } catch {
    await new Promise((again) => setTimeout(again, AGAIN_MS));
    // A browser remembers that a module failed to load, so only a reload tries again.
    location.reload();
    await new Promise(() => {});
  }
}

/** Translates the texts that the document itself contains. @param {HTMLElement} root */
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
    // If the browser does not store the choice, the address carries it.
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

/** @param {Store} store @param {string} tag @returns {boolean} true if the browser stored it */
function keep(store, tag) {
  try {
    window[store].setItem(KEPT, tag);
    return true;
  } catch {
    return false;
  }
}

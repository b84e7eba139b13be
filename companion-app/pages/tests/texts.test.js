// Checks the documents of the public pages: each message name has a text, and no visible text is in one language only. Also tests the choice of
// the language.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "vitest";
import { TEXTS } from "../texts.js";
import { languageFor } from "$lib/words/languages.js";

const file = (path) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
const catalogue = JSON.parse(file("companion-app/messages/en.json"));
/** Slots in the hub's documents that are not messages. */
const SLOTS = ["lang", "title", "text", "status", "notes", "fingerprint", "what", "addresses", "former"];
/** Names, file names and keys, which are not translated. */
const NAMES =
  /^(iPad, iPhone|Android|Windows|macOS|Linux, ChromeOS: Chrome, Chromium|authority\.crt|authority\.pem|boards\.json|event\.json|standings\.json|English|Deutsch|Español|Français|Enter|F|[/←↑→↓,]*)$/;

test.each(["live/index.html", "live/board.html", "live/authority.html", "live/error.html", "event/event.html"])("%s", (name) => {
  const html = file(`hub/assets/${name}`);
  for (const [, slot] of html.matchAll(/\{\{(\w+)\}\}/g)) assert.ok(SLOTS.includes(slot) || typeof catalogue[slot] === "string", slot);
  for (const [, key] of html.matchAll(/data-m(?:-[a-z-]+)?="(\w+)"/g)) {
    assert.ok(TEXTS[key], `${key} in pages/texts.js`);
    assert.equal(TEXTS[key](), catalogue[key]);
  }
  const visible = html
    .replace(/<!--.*?-->/gs, "")
    .replace(/<[^>]*>/g, "\n")
    .replace(/\{\{\w+\}\}/g, "");
  for (const line of visible.split("\n").map((text) => text.trim())) assert.match(line, NAMES, `“${line}” is a word of the document's own`);
});

test("the language is the visitor's choice, else the browser's first known one, else English", () => {
  for (const [wished, tag] of [
    [[null, null, "de-AT", "en"], "de"],
    [["fr", "es", "de"], "fr"],
    [[null, "xx", "nb", "ES-mx"], "es"],
    [[null, null, "nb"], "en"],
    [[], "en"],
    [["constructor", "toString"], "en"],
  ]) {
    assert.equal(languageFor(wished), tag, JSON.stringify(wished));
  }
});

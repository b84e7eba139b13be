import { expect, test } from "vitest";
import { setLocale } from "$lib/words/catalogue.js";
import { agoText } from "./ago.js";

test("an age is in its largest unit, rounded down", () => {
  setLocale("en");
  const said = [0, 59.9, 60, 299, 3600, 86_399, 86_400, 3 * 86_400].map((seconds) => agoText(seconds * 1e6));
  expect(said).toEqual(["0 sec. ago", "59 sec. ago", "1 min. ago", "4 min. ago", "1 hr. ago", "23 hr. ago", "1 day ago", "3 days ago"]);
});

test("an age is in the arbiter's language", () => {
  const said = (["de", "es", "fr"] as const).map((tag) => {
    setLocale(tag);
    return agoText(240e6).replace(/\s/g, " ");
  });
  expect(said).toEqual(["vor 4 Min.", "hace 4 min", "il y a 4 min"]);
});

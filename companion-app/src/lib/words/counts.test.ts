import { expect, test } from "vitest";
import { setLocale, type Locale } from "$lib/words/catalogue.js";
import { m } from "$gen/words/messages.js";
import { countWords } from "./counts.js";

const none = { players: 0, amendedPlayers: 0, teams: 0, games: 0, results: 0, byes: 0, removedPairings: 0, event: false };

function button(locale: Locale, counts: Partial<typeof none>): string {
  setLocale(locale);
  return m.import_now({ what: countWords({ ...none, ...counts }, locale) });
}

test("a button words the size of an import in each language", () => {
  const counts = { players: 40, games: 20, event: true };
  expect(button("en", counts)).toBe("Import 40 players and 20 games");
  expect(button("de", counts)).toBe("40 Spieler und 20 Partien importieren");
  expect(button("es", counts)).toBe("Importar 40 jugadores y 20 partidas");
  expect(button("fr", counts)).toBe("Importer 40 joueurs et 20 parties");
});

test("one item, a list of three, and the event's own data if they are alone", () => {
  expect(button("en", { players: 1, games: 1, results: 2 })).toBe("Import 1 player, 1 game, and 2 results");
  expect(button("en", { event: true })).toBe("Import the event’s data");
  expect(countWords({ ...none, removedPairings: 19 }, "en")).toBe("");
});

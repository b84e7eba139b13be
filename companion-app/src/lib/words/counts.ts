// The size of an import in words: "40 players and 20 games". Zeros are left out.

import { m } from "$gen/words/messages.js";
import type { ImportCounts } from "$gen/api/tournament_pb.js";

type Counts = Omit<ImportCounts, "$typeName" | "$unknown">;

/** Lists the numbers in the reader's language; empty where only pairings are removed. */
export function countWords(counts: Counts, language: string): string {
  const words: string[] = [];
  const add = (n: number, word: (input: { n: number }) => string): void => {
    if (n > 0) words.push(word({ n }));
  };
  add(counts.players, m.import_players);
  add(counts.amendedPlayers, m.import_amended);
  add(counts.teams, m.import_teams);
  add(counts.games, m.import_games);
  add(counts.results, m.import_results);
  add(counts.byes, m.import_byes);
  // Beside players and games, the data of the event go without saying.
  if (counts.event && words.length === 0) words.push(m.import_event());
  return new Intl.ListFormat(language, { type: "conjunction" }).format(words);
}

// Describes the size of an import: "40 players and 20 games". Leaves out zeros.

import { m } from "$gen/words/messages.js";
import type { ImportCounts } from "$gen/api/tournament_pb.js";

type Counts = Omit<ImportCounts, "$typeName" | "$unknown">;

/** Lists the counts in the reader's language; empty if there are none, as for an import that only removes pairings. */
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
  // Changes to the event's data are mentioned only if there are no other counts.
  if (counts.event && words.length === 0) words.push(m.import_event());
  return new Intl.ListFormat(language, { type: "conjunction" }).format(words);
}

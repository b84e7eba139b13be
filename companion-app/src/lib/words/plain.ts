// Prepares texts for searching: lower case without diacritics, so that typing d also finds ð.
//
// Owns the folding of letters and the matching of words. Pure.

const LETTERS: Readonly<Record<string, string>> = { ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", ß: "ss", ı: "i", æ: "ae", œ: "oe" };
const BREAKS = /[\s,.]+/g;

export function plain(text: string): string {
  return text
    .toLowerCase()
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/[øłđðþßıæœ]/g, (letter) => LETTERS[letter] ?? letter);
}

/**
 * Returns true if every wanted word occurs, in any order: `ada lindqvist` matches `Lindqvist, Ada`. A single letter matches only the
 * beginning of a word.
 */
export function hasWords(text: string, wanted: string): boolean {
  const all = ` ${plain(text).replace(BREAKS, " ")}`;
  return wordsOf(wanted).every((word) => all.includes(word.length === 1 ? ` ${word}` : word));
}

export function wordsOf(wanted: string): string[] {
  return plain(wanted)
    .replace(BREAKS, " ")
    .split(" ")
    .filter((word) => word !== "");
}

// Text as people type it into a search field: small letters without marks, so that ð is found as d.
//
// Owns the folding of letters and the test for words. Pure.

const LETTERS: Readonly<Record<string, string>> = { ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", ß: "ss", ı: "i", æ: "ae", œ: "oe" };
/** What names are put together with. */
const BREAKS = /[\s,.]+/g;

export function plain(text: string): string {
  return text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "").replace(/[øłđðþßıæœ]/g, (letter) => LETTERS[letter] ?? letter);
}

/** Every word stands in it, in whatever order: `ada lindqvist` finds `Lindqvist, Ada`. A single letter is an initial, and begins a word. */
export function hasWords(text: string, wanted: string): boolean {
  const all = ` ${plain(text).replace(BREAKS, " ")}`;
  return wordsOf(wanted).every((word) => all.includes(word.length === 1 ? ` ${word}` : word));
}

/** What is looked for, word by word. */
export function wordsOf(wanted: string): string[] {
  return plain(wanted).replace(BREAKS, " ").split(" ").filter((word) => word !== "");
}

// Measures the app's transfer size as Brotli, which the hub sends to every supported browser.
//
// Run directly, it prints the size of each text file, and fails if the JavaScript exceeds a limit. A browser loads only one language, so the largest
// language counts.

import { readdir, readFile } from "node:fs/promises";
import { brotliCompressSync, constants } from "node:zlib";
import { fileURLToPath } from "node:url";

export const ENCODED = ".br";
const TEXTS = /\.(js|css|html|svg)$/;
const LANGUAGE = /^assets\/(?:de|en|es|fr)-[^/]*\.js$/;
const FIRST_LIMIT = 200_000;
const WHOLE_LIMIT = 325_000;
const PLAYER_LIMIT = 20_000;
/** Files that only a player's device loads. */
const PLAYER = /^assets\/(?:player|GroundBoard)-[^/]*\.js$/;

/** Compresses a file as the hub sends it; null for a file that is not text or would not become shorter. */
export function packed(name, bytes) {
  if (!TEXTS.test(name)) return null;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  const brotli = brotliCompressSync(bytes, { params });
  return brotli.length < bytes.length ? brotli : null;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await weigh(fileURLToPath(new URL("../target/dist/", import.meta.url)));

async function weigh(dist) {
  const page = await readFile(`${dist}index.html`, "utf8");
  let first = 0;
  let later = 0;
  let player = 0;
  let words = 0;
  for (const file of (await readdir(dist, { recursive: true })).sort()) {
    if (!TEXTS.test(file)) continue;
    const bytes = await readFile(dist + file);
    const sent = packed(file, bytes)?.length ?? bytes.length;
    if (LANGUAGE.test(file)) words = Math.max(words, sent);
    else if (file.endsWith(".js") && page.includes(file)) first += sent;
    else if (PLAYER.test(file)) player += sent;
    else if (file.endsWith(".js")) later += sent;
    console.log(`${file.padEnd(40)} ${String(bytes.length).padStart(8)} B ${String(sent).padStart(8)} B as Brotli`);
  }
  if (words === 0) throw new Error("no file of the bundle has the words of a language");
  first += words;
  const whole = first + later;
  console.log(
    `JavaScript as Brotli with one language: ${first} B for the first screen, at most ${FIRST_LIMIT}; ${whole} B in all, at most ${WHOLE_LIMIT}; ` +
      `${player} B more for a player, at most ${PLAYER_LIMIT}`,
  );
  if (player === 0) throw new Error("no file of the bundle is the page of a player");
  if (first > FIRST_LIMIT || whole > WHOLE_LIMIT || player > PLAYER_LIMIT) process.exit(1);
}

// Board cards, four (A6) on a sheet of A4. The QR code opens the page with the board's live clocks.

import { m } from "$gen/words/messages.js";
import { el } from "../live/dom.js";

/** Host names that work only on the hub's own machine. */
const ONLY_HERE = /^(localhost|127\.|\[::1\])/;

/** @param {import("./round.js").Data} data @param {import("./event.js").Overview} overview */
export function boardCards(data, overview) {
  const all = data.boards.map((board) => card(board, overview));
  const sheets = [];
  for (let first = 0; first < all.length; first += 4) sheets.push(el("article", "sheet cards", ...all.slice(first, first + 4)));
  if (!ONLY_HERE.test(location.host)) return sheets;
  const warning = el("p", "notice noprint", m.pub_cards_only_here({ name: location.hostname }));
  return [warning, ...sheets];
}

/** @param {import("./round.js").BoardLine} board @param {import("./event.js").Overview} overview */
function card({ board, sector }, overview) {
  const code = /** @type {HTMLImageElement} */ (el("img", "qr"));
  code.src = `/board/${board}/qr.svg`;
  code.alt = m.pub_code_of({ board });
  return el(
    "section",
    "bcard",
    el("p", "small", el("bdi", "", overview.name)),
    el("p", "no", String(board)),
    el("p", "small", el("bdi", "", sector ?? "")),
    code,
    el("p", "small", m.pub_clocks_live()),
    el("p", "tiny", `${location.host}/board/${board}`),
  );
}

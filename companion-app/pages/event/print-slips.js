// Result slips, eight (A7) on a sheet of A4, to be cut apart. The players circle the result, and both sign.

import { m } from "$gen/words/messages.js";
import { scoreText } from "$lib/event/score.js";
import { isolated } from "$lib/words/isolated.js";
import { halvesText } from "$lib/words/results.js";
import { disc, el } from "../live/dom.js";
import { originText } from "./parts.js";

/** @param {import("./round.js").Data} data @param {import("./event.js").Overview} overview */
export function slips(data, overview) {
  const all = data.boards.map((board) => slip(board, data, overview));
  const sheets = [];
  for (let first = 0; first < all.length; first += 8) sheets.push(el("article", "sheet slips", ...all.slice(first, first + 8)));
  return sheets;
}

/** @param {import("./round.js").BoardLine} board @param {import("./round.js").Data} data @param {import("./event.js").Overview} overview */
function slip(board, data, overview) {
  const player = (/** @type {"white"|"black"} */ side) => {
    const who = board[side];
    const facts = who ? [originText(who), m.pub_score({ n: scoreText(who.score), points: Number(who.score) })].filter(Boolean).join(", ") : "";
    return el(
      "div",
      "side",
      disc(side),
      el("div", "", el("b", "", el("bdi", "", who ? [who.title, who.name].filter(Boolean).join(" ") : "–")), el("small", "", facts)),
      el("span", "line", el("small", "", m.pub_signature())),
    );
  };
  const choices = [halvesText(["1", "0"]), halvesText(["½", "½"]), halvesText(["0", "1"])].map((text) => el("b", "ltr", text));
  return el(
    "section",
    "slip",
    el(
      "header",
      "",
      el("span", "no", String(board.board)),
      el(
        "span",
        "",
        el("b", "", el("bdi", "", overview.name)),
        el("small", "", [m.round_no({ n: data.round }), isolated(board.sector ?? "")].filter(Boolean).join(", ")),
      ),
    ),
    player("white"),
    player("black"),
    el("p", "choices", ...choices, el("span", "line", el("small", "", m.pub_other()))),
  );
}

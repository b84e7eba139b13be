// Translates the notation in which the log stores commands. An unknown command is returned unchanged.

import { m } from "$gen/words/messages.js";
import { duration } from "$lib/commands/command.js";
import { clockText } from "$lib/draw/clock-text.js";
import { controlWords } from "./control.js";
import { rulingWords } from "./laws.js";
import { resultText } from "./results.js";

export function commandWords(text: string): string {
  return text.split("; ").map(oneWords).join(" · ");
}

function oneWords(text: string): string {
  const [verb, first, second] = text.split(" ");
  switch (verb) {
    case "start":
      return first ? m.did_start_side({ side: side(first) }) : m.did_start();
    case "pause":
      return m.did_pause();
    case "resume":
      return first ? m.did_resume_side({ side: side(first) }) : m.did_resume();
    case "set":
      return m.did_set({ side: side(first), time: time(second) });
    case "add":
      return m.did_add({ side: side(first), time: change(second) });
    case "moves":
      return m.did_moves({ side: side(first), n: Number(second) });
    case "flag":
      return m.did_flag({ side: side(first) });
    case "swap":
      return m.did_swap();
    case "restore":
      return m.did_go_back();
    case "end":
      return ended(first, second) ?? text;
    // The claim of a draw with both flags down, which the clock decides.
    case "claim":
      return first === "draw" ? m.did_result({ result: resultText("1/2-1/2") }) : rulingWords(text);
    case "prepare":
      return m.did_prepare({ control: controlWords(text.split(" ").slice(3).join(" ")) });
    case "control":
      return m.did_control({ control: controlWords(text.slice("control ".length)) });
    // A request under the Laws that does not change the clocks.
    default:
      return rulingWords(text);
  }
}

function ended(how: string | undefined, what: string | undefined): string | null {
  if (how === "result") return what === "*" ? m.did_result_removed() : m.did_result({ result: resultText(what ?? "") });
  if (how === "draw") return m.did_result({ result: resultText("1/2-1/2") });
  if (how === "mate") return m.did_mate({ side: side(what) });
  return how === "resign" ? m.did_resign({ side: side(what) }) : null;
}

function side(word: string | undefined): string {
  return word === "black" ? m.black() : m.white();
}

function time(text: string | undefined): string {
  const us = duration(text ?? "");
  return us === null ? (text ?? "") : clockText(us)[0];
}

function change(text: string | undefined): string {
  const [, minus, length] = /^([-−]?)(.*)$/.exec(text ?? "") ?? [];
  return `${minus ? "−" : "+"}${time(length)}`;
}

// Tie-breaks in the reader's language, from TRF codes such as `BH:GP/C1`.
//
// Owns the texts of codes and modifiers. An unknown code from a newer hub is shown unchanged; an unknown modifier is left out.

import { m } from "$gen/words/messages.js";

/** @type {Record<string, () => string>} */
const NAMES = {
  PTS: () => m.tb_pts(),
  MPTS: () => m.tb_mpts(),
  GPTS: () => m.tb_gpts(),
  MPVGP: () => m.tb_mpvgp(),
  DE: () => m.tb_de(),
  EDE: () => m.tb_ede(),
  EDEC: () => m.tb_edec(),
  EDET: () => m.tb_edet(),
  EDEB: () => m.tb_edeb(),
  EDEBT: () => m.tb_edebt(),
  EDEBB: () => m.tb_edebb(),
  WIN: () => m.tb_win(),
  WON: () => m.tb_won(),
  BPG: () => m.tb_bpg(),
  BWG: () => m.tb_bwg(),
  PS: () => m.tb_ps(),
  REP: () => m.tb_rep(),
  STD: () => m.tb_std(),
  TPN: () => m.tb_tpn(),
  RTNG: () => m.tb_rtng(),
  BH: () => m.tb_bh(),
  AOB: () => m.tb_aob(),
  FB: () => m.tb_fb(),
  SB: () => m.tb_sb(),
  KS: () => m.tb_ks(),
  ARO: () => m.tb_aro(),
  TPR: () => m.tb_tpr(),
  PTP: () => m.tb_ptp(),
  APRO: () => m.tb_apro(),
  APPO: () => m.tb_appo(),
  ESB: () => m.tb_esb(),
  EMMSB: () => m.tb_emmsb(),
  EMGSB: () => m.tb_emgsb(),
  EGMSB: () => m.tb_egmsb(),
  EGGSB: () => m.tb_eggsb(),
  BC: () => m.tb_bc(),
  TBR: () => m.tb_tbr(),
  BBE: () => m.tb_bbe(),
  SSSC: () => m.tb_sssc(),
  SPREAD: () => m.tb_spread(),
  TALLY: () => m.tb_tally(),
};

/** @type {Record<string, (what: string, n: string) => string>} */
const MODIFIERS = {
  ":MP": (what) => m.tbx_match({ what }),
  ":GP": (what) => m.tbx_game({ what }),
  "/C": (what, n) => (n === "1" ? m.tbx_low_one({ what }) : m.tbx_low({ what, n })),
  "/M": (what, n) => (n === "1" ? m.tbx_both_one({ what }) : m.tbx_both({ what, n })),
  "/P": (what) => m.tbx_forfeits({ what }),
  "/F": (what) => m.tbx_fore({ what }),
  "/R": (what) => m.tbx_reversed({ what }),
  "/U": (what, n) => m.tbx_unrated({ what, n }),
};

/** @param {string} code */
export function titleOf(code) {
  const [name = ""] = /^[A-Z]+/.exec(code) ?? [];
  const title = NAMES[name];
  if (!title) return code;
  const modifiers = [...code.slice(name.length).matchAll(/(:[MG]P|\/[A-Z])([\d.+-]*)/g)];
  return modifiers.reduce((what, [, key, n]) => MODIFIERS[key]?.(what, n) ?? what, title());
}

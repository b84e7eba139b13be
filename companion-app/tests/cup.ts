// An open tournament half-way through, as a report (TRF) from a pairing program: eighty players, some rounds played, one paired. Results follow the
// ratings and a fixed sequence of surprises, so the cup is always the same.

interface Player {
  no: number;
  name: string;
  federation: string;
  title: string;
  rating: number;
  points: number;
  whites: number;
  met: Set<number>;
  /** The player's entry for each round, as written in the report. */
  rounds: string[];
}

export interface Cup {
  name: string;
  /** The time control in the format of record 222: `5400+30`. */
  control: string;
  rounds: number;
  /** The number of rounds already played. The next round is only paired. */
  played: number;
}

export function cup({ name, control, rounds, played }: Cup): string {
  const players: Player[] = PLAYERS.map((text, at) => {
    const [title = "", federation = "", ...words] = text.split(" ");
    return { no: at + 1, name: words.join(" "), federation, title, rating: 2618 - at * 9 - ((at * 7) % 5), points: 0, whites: 0, met: new Set(), rounds: [] };
  });
  for (let round = 1; round <= played; round += 1) {
    for (const [board, [white, black]] of pairings(players).entries()) play(white, black, surprise(round, board, white, black));
  }
  for (const [white, black] of pairings(players)) meet(white, black, " ", " ");
  const order = standing(players);
  const head = [
    `012 ${name}`,
    "022 Bergen",
    "032 NOR",
    "042 2026/11/18",
    "052 2026/11/22",
    `062 ${players.length}`,
    "102 IA Doe, Jane",
    `142 ${rounds}`,
    "152 W",
    "192 FIDE_DUTCH_2025",
    "202 BH/C1,BH,SB,DE",
    `222 ${control}`,
  ];
  const lines = players.map((player) => {
    const title = TITLES[player.title] ?? "";
    const start = `001 ${String(player.no).padStart(4)} ${player.title.startsWith("W") ? "w" : "m"}${title.padStart(3)} ${player.name.padEnd(33)} ${player.rating} ${player.federation}`;
    return `${start.padEnd(80)}${player.points.toFixed(1).padStart(4)} ${String(order.indexOf(player) + 1).padStart(4)}${player.rounds.join("")}`;
  });
  return [...head, ...lines, ""].join("\r\n");
}

/** Pairs players by points and rating, from the top: each meets the next player not met before. */
function pairings(players: Player[]): [Player, Player][] {
  const left = standing(players);
  const found: [Player, Player][] = [];
  for (let one = left.shift(); one; one = left.shift()) {
    const upper = one;
    // In the first round, the top half plays the bottom half.
    const from = upper.met.size === 0 ? left.length >> 1 : 0;
    const at = Math.max(
      0,
      left.findIndex((other, at) => at >= from && !upper.met.has(other.no)),
    );
    const [other] = left.splice(at, 1);
    if (!other) break;
    const upperHasWhite = upper.whites === other.whites ? found.length % 2 === 0 : upper.whites < other.whites;
    found.push(upperHasWhite ? [upper, other] : [other, upper]);
  }
  return found;
}

const standing = (players: Player[]): Player[] => [...players].sort((a, b) => b.points - a.points || a.no - b.no);

/** Returns White's score. Among ten values of the fixed sequence, three give a draw, two an upset, and five a win for the favourite. */
function surprise(round: number, board: number, white: Player, black: Player): number {
  const chance = (round * 31 + board * 17 + white.no * 7) % 10;
  if (chance < 3) return 0.5;
  const favourite = white.rating >= black.rating ? 1 : 0;
  return chance < 5 ? 1 - favourite : favourite;
}

function play(white: Player, black: Player, score: number): void {
  white.points += score;
  black.points += 1 - score;
  meet(white, black, RESULT[score] ?? "=", RESULT[1 - score] ?? "=");
}
function meet(white: Player, black: Player, ofWhite: string, ofBlack: string): void {
  white.whites += 1;
  white.met.add(black.no);
  black.met.add(white.no);
  white.rounds.push(`  ${String(black.no).padStart(4)} w ${ofWhite}`);
  black.rounds.push(`  ${String(white.no).padStart(4)} b ${ofBlack}`);
}

const RESULT: Record<number, string> = { 1: "1", 0.5: "=", 0: "0" };
const TITLES: Record<string, string> = { GM: "g", IM: "m", FM: "f", CM: "c", WGM: "wg", WIM: "wm", WFM: "wf" };
/** Titles, federations and names, with the highest rating first. Some names are long. */
const PLAYERS = `GM NOR Haugland, Sindre Aleksander
GM ARM Petrosyan-Melikyan, Levon
GM UKR Ivanchenko, Volodymyr
GM ESP de la Fuente Navarro, Íñigo
IM HUN Szabó, Gergő
GM NED van der Wiel, Bastiaan
IM JPN Nakagawa, Ren
GM POL Kowalczyk-Zielińska, Oliwia
IM ISL Þorsteinsdóttir, Guðlaug
GM IND Chaudhary, Arjun
IM SWE Lindqvist, Tove
IM NOR Sørensen, Kristoffer Emil
FM IRL O’Sullivan, Caoimhe
IM TUR Yıldırım, Emre
IM GER Bachmann, Friedrich Karl
FM DEN Østergård, Mikkel
IM FRA Lemaire, Jean-Baptiste
FM NGR Okonkwo, Chidera
WGM GEO Kvirikashvili, Nana
IM CZE Novák, Tomáš
FM EST Tamm, Kaarel
FM ITA Marchetti, Giulia
IM CRO Jovanović, Marko
FM VIE Nguyễn, Thị Minh Khai
WIM ROU Popescu, Andreea-Ioana
FM FIN Virtanen, Oskari
CM BRA Fonseca, João Pedro
FM SGP Ng, Jun Wei
FM SUI Weiss, Dominik
WFM LTU Kazlauskaitė, Ugnė
FM POR Reyes, Tomé
CM CHN Zhang, Yiming
FM NOR Eriksen, Signe
FM GRE Papadimitriou, Alexandros
CM USA Rao, Priya
FM ARG Ferrari, Lautaro
CM BEL Dubois, Célestine
FM KEN Mbeki, Samuel
CM NOR Halvorsen, Ingrid
FM ISL Björnsson, Hrafn
CM SYR Haddad, Rami
CM NOR Kjellberg, Vegard
WFM NGR Oyelaran, Temitope
CM HUN Varga, Dóra
- SWE Ödegaard, Jonatan
- NOR Solheim, Frøydis
- GER Brandt, Annika
- NOR Aas, Gro
CM MEX Castellanos, Ximena
- POL Bielawski, Jakub
- NOR Iversen, Håkon
- KOR Kim, Seo-yeon
- SWE Gustavsson, Elsa
- NOR Mikkelsen, Ruth
- DEN Sahlberg, Esben
- FRA Moreau, Éloïse
- EST Kask, Mart
- NOR Holm, Andreas
- NOR Berg, Hedda
- BRA Silva Santos, Beatriz
- NGR Adeyemi, Folasade
- NOR Dahl, Kjersti
- DEN Lund, Magnus
- NOR Brekke, Torbjørn
- CHN Li, Wenjie
- NOR Fossum, Maren
- IND Krishnamurthy, Venkataraghavan
- NOR Vik, Einar
- SCO MacGillivray, Ruaridh
- NOR Tveit, Solveig
- ESP Echeverría, Nerea
- NOR Strand, Ole-Jakob
- SWE Nyström, Alva
- NOR Bakken, Nils
- GER Wallenstein, Theodora
- NOR Lie, Vilde
- WLS Llewellyn, Rhys
- NOR Moen, Synnøve
- NOR Skaar, Per
- DEN Friis, Laura`.split("\n");

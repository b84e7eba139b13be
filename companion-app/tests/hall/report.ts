// A report (TRF) from a pairing program with any number of boards. Round 1 is paired, and no game has been played.

export interface Wanted {
  boards: number;
  /** The time control in the format of record 222: `5400+30`. */
  control: string;
  name?: string;
  rounds?: number;
}

/** Creates the report; on odd boards the higher-ranked player has White. */
export function report({ boards, control, name = "Harbour Blitz 2026", rounds = 9 }: Wanted): string {
  const players = boards * 2;
  const head = [
    `012 ${name}`,
    "022 Bergen",
    "032 NOR",
    "042 2026/11/20",
    "052 2026/11/22",
    `062 ${players}`,
    "102 IA Doe, Jane",
    `142 ${rounds}`,
    "152 W",
    "192 FIDE_DUTCH_2025",
    "202 BH/C1,BH,SB,DE",
    `222 ${control}`,
  ];
  const lines = Array.from({ length: players }, (_, at) => {
    const no = at + 1;
    const upper = no <= boards;
    const board = upper ? no : no - boards;
    const white = upper === (board % 2 === 1);
    const opponent = upper ? no + boards : board;
    const start = `001 ${String(no).padStart(4)} ${sex(no)}    ${nameOf(no).padEnd(33)} ${2500 - no * 3} ${FEDERATIONS[no % FEDERATIONS.length] ?? "NOR"}`;
    return `${start.padEnd(80)} 0.0 ${String(no).padStart(4)}  ${String(opponent).padStart(4)} ${white ? "w" : "b"}  `;
  });
  return [...head, ...lines, ""].join("\r\n");
}

const FEDERATIONS = ["NOR", "SWE", "DEN", "ISL", "FIN", "GER", "FRA", "ESP", "POL"];
const sex = (no: number): string => (no % 4 === 0 ? "w" : "m");
const SURNAMES = ["Okonkwo", "Lindqvist", "Haugland", "Petrosyan", "Nakagawa", "de la Fuente", "O’Brien", "Szabó", "Ivanchenko", "Thorvaldsen"];
const GIVEN = ["Ada", "Bjørn", "Chidi", "Daria", "Einar", "Fatima", "Georg", "Hana", "Ines", "Jonas"];

export function nameOf(no: number): string {
  return `${SURNAMES[no % SURNAMES.length] ?? ""}, ${GIVEN[Math.floor(no / SURNAMES.length) % GIVEN.length] ?? ""} ${no}`;
}

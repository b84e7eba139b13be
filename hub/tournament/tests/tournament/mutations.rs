//! Damaged files: each is refused with the position of the error, or read as a complete event. Reading never panics, and never imports half a file.

use std::collections::{BTreeMap, BTreeSet};

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{RngCore as _, SeedableRng as _};
use tournament::formats::draft::{Draft, DraftRound, Seats, export, import, import_file};
use tournament::formats::fault::Faults;
use tournament::formats::table::pairings;
use tournament::formats::trf::report::Report;
use tournament::formats::trf::{Edition, read, write};
use tournament::{Actor, Event, PlayerNo, RoundNo, Tournament};

use crate::said;
use crate::trf::{EXTENDED_OPEN, HARBOUR_CUP, TEAM_CUP};

const FILES: u64 = 500;

struct Dice(SplitMix64);

impl Dice {
    fn new(seed: u64) -> Self {
        Self(SplitMix64::seed_from_u64(seed))
    }

    fn roll(&mut self) -> u64 {
        self.0.next_u64()
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.roll() % u64::try_from(limit.max(1)).unwrap()).unwrap()
    }

    fn byte(&mut self) -> u8 {
        const LIKELY: &[u8] = b" 0123456789wb=-+WDLHFUZ/.,;\"\t\r\nAXx\xe9\xff\x00";
        if self.below(10) == 0 {
            return u8::try_from(self.roll() % 256).unwrap();
        }
        LIKELY[self.below(LIKELY.len())]
    }
}

fn damaged(bytes: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=dice.below(3) {
        let at = dice.below(bytes.len());
        match dice.below(9) {
            0 | 1 => {
                let byte = dice.byte();
                if let Some(place) = bytes.get_mut(at) {
                    *place = byte;
                }
            }
            2 => bytes.truncate(at),
            3 => bytes.insert(at, dice.byte()),
            4 if !bytes.is_empty() => {
                bytes.remove(at);
            }
            kind => lines(&mut bytes, kind, dice),
        }
    }
    bytes
}

fn lines(bytes: &mut Vec<u8>, kind: usize, dice: &mut Dice) {
    let mut lines: Vec<Vec<u8>> = bytes
        .split(|byte| *byte == b'\n')
        .map(<[u8]>::to_vec)
        .collect();
    let (one, two) = (dice.below(lines.len()), dice.below(lines.len()));
    let mut end: &[u8] = b"\n";
    match kind {
        5 => {
            lines.remove(one);
        }
        6 => lines.insert(two, lines[one].clone()),
        7 => lines.swap(one, two),
        _ => end = [&b"\r"[..], b"\n\n", b""][dice.below(3)],
    }
    *bytes = lines.join(end);
}

#[track_caller]
fn has_a_place(faults: &Faults, bytes: &[u8], seed: u64) {
    let lines = bytes
        .iter()
        .filter(|byte| matches!(byte, b'\r' | b'\n'))
        .count()
        + 2;
    assert!(
        !faults.listed().is_empty() && faults.listed().len() <= faults.count(),
        "SEED={seed}"
    );
    for fault in faults.listed() {
        let inside = (1..=lines).contains(&fault.line) && fault.column >= 1;
        assert!(
            inside && !fault.expected.to_string().is_empty() && !fault.found.to_string().is_empty(),
            "SEED={seed}: {fault}"
        );
    }
}

#[track_caller]
fn assert_whole(report: &Report, bytes: &[u8], seed: u64) {
    let text = write(report, Edition::Trf26).text;
    let again =
        read(text.as_bytes()).unwrap_or_else(|faults| panic!("SEED={seed}: {faults}\n{text}"));
    assert_eq!(again.report, *report, "SEED={seed}\n{text}");
    let players = bytes
        .split(|byte| matches!(byte, b'\r' | b'\n'))
        .filter(|line| line.starts_with(b"001"))
        .count();
    let marked = bytes.starts_with(b"\xef\xbb\xbf")
        || bytes.starts_with(b"\xff\xfe")
        || bytes.starts_with(b"\xfe\xff");
    assert!(marked || report.players.len() == players, "SEED={seed}");
    let draft = import(report).draft;
    is_consistent(&draft, seed);
    let mut tournament = Tournament::new(Event::new("before", 1));
    for change in draft.changes("a file") {
        let words = format!("{change:?}");
        let applied = tournament.apply(&Actor::program("import"), change);
        assert_eq!(applied, Ok(()), "SEED={seed}: {words}");
    }
    assert_eq!(Draft::of(&tournament), draft, "SEED={seed}");
    let out = export(&tournament, Edition::Trf26).text;
    let back =
        import_file(out.as_bytes()).unwrap_or_else(|faults| panic!("SEED={seed}: {faults}\n{out}"));
    assert_eq!(back.draft, draft, "SEED={seed}\n{out}");
}

#[track_caller]
fn is_consistent(draft: &Draft, seed: u64) {
    for (no, round) in &draft.rounds {
        let mut seen: BTreeSet<PlayerNo> = BTreeSet::new();
        let seated = round
            .boards
            .values()
            .flat_map(|seats| [seats.white, seats.black])
            .flatten();
        for player in seated.chain(round.byes.keys().copied()) {
            assert!(
                draft.players.contains_key(&player),
                "SEED={seed}: round {no}, player {player}"
            );
            assert!(
                seen.insert(player),
                "SEED={seed}: round {no}, player {player} twice"
            );
        }
    }
}

#[test]
fn damaged_reports_are_refused_or_whole() {
    let (mut read_well, mut refused) = (0, 0);
    for seed in 0..FILES {
        let mut dice = Dice::new(seed);
        let sample = [HARBOUR_CUP, TEAM_CUP, EXTENDED_OPEN][dice.below(3)];
        let bytes = damaged(sample, &mut dice);
        match read(&bytes) {
            Ok(read) => {
                assert_whole(&read.report, &bytes, seed);
                read_well += 1;
            }
            Err(faults) => {
                has_a_place(&faults, &bytes, seed);
                refused += 1;
            }
        }
    }
    // Both outcomes must be frequent; otherwise the damage is too heavy or too light for the test to mean anything.
    assert!(
        read_well > FILES / 10 && refused > FILES / 10,
        "{read_well} read, {refused} refused"
    );
}

#[test]
fn damaged_tables_are_refused_or_whole() {
    let known = import_file(HARBOUR_CUP).unwrap().draft;
    let rounds: Vec<RoundNo> = known.rounds.keys().copied().collect();
    let tables = [
        pairings::table(&known, &rounds),
        "Board;White;Black;Result\r\n1;5;1;\r\n2;3;4;1-0\r\n;2;bye;U\r\n".to_owned(),
        "White No\tBlack No\tRound\n5\t1\t4\n3\t4\t4\n".to_owned(),
    ];
    let (mut read_well, mut refused) = (0, 0);
    for seed in 0..FILES {
        let mut dice = Dice::new(seed ^ 0x7ab1e);
        let bytes = damaged(tables[dice.below(3)].as_bytes(), &mut dice);
        match pairings::read(&bytes, &known, RoundNo(4)) {
            Ok(table) => {
                read_well += 1;
                let draft = table.merged(&known);
                is_consistent(&draft, seed);
                let named: Vec<RoundNo> = table.rounds.keys().copied().collect();
                let text = pairings::table(&draft, &named);
                let again = pairings::read(text.as_bytes(), &known, RoundNo(4));
                // A table with only some boards of a known round is merged with the others, so the export contains the whole round.
                let merged = named.iter().map(|no| (*no, draft.rounds[no].clone()));
                // The export states every board number, so the difference in stated numbers is ignored.
                let unstated = |(no, round)| {
                    let numbered = BTreeSet::new();
                    (no, DraftRound { numbered, ..round })
                };
                let again = again.map(|again| again.rounds.into_iter().map(unstated).collect());
                assert_eq!(
                    again,
                    Ok(merged.map(unstated).collect::<BTreeMap<_, _>>()),
                    "SEED={seed}\n{text}"
                );
                for (no, said) in &table.rounds {
                    let boards = &draft.rounds[no].boards;
                    let seats = |seats: &Seats| (seats.white, seats.black, seats.result);
                    let all = |board| boards.values().any(|other| seats(other) == seats(board));
                    assert!(said.boards.values().all(all), "SEED={seed}\n{text}");
                }
            }
            Err(faults) => {
                has_a_place(&faults, &bytes, seed);
                refused += 1;
            }
        }
    }
    assert!(
        read_well > FILES / 10 && refused > FILES / 10,
        "{read_well} read, {refused} refused"
    );
}

#[test]
fn noise_is_refused() {
    let known = import_file(HARBOUR_CUP).unwrap().draft;
    let mut refused = 0;
    for seed in 0..FILES {
        let mut dice = Dice::new(seed);
        let length = dice.below(400);
        let bytes: Vec<u8> = (0..length).map(|_| dice.byte()).collect();
        match read(&bytes) {
            Ok(read) => assert_whole(&read.report, &bytes, seed),
            Err(faults) => {
                has_a_place(&faults, &bytes, seed);
                refused += 1;
            }
        }
        match pairings::read(&bytes, &known, RoundNo(4)) {
            Ok(table) => is_consistent(&table.merged(&known), seed),
            Err(faults) => {
                has_a_place(&faults, &bytes, seed);
                refused += 1;
            }
        }
    }
    // A short random file may happen to consist of valid lines without content.
    assert!(refused > 2 * FILES - FILES / 10, "{refused} refused");
}

fn large(players: u32, rounds: u32) -> String {
    let half = players / 2;
    let mut text = format!("012 Large Open\r\n062 {players}\r\n142 {rounds}\r\n");
    for number in 1..=players {
        let mut line = format!(
            "001 {number:>4} m    {:<33} {:>4} NOR {:>11}            ",
            format!("Player, Number {number}"),
            2900 - number,
            1_000_000 + number
        );
        let mut points = 0;
        let mut cells = String::new();
        for round in 0..rounds {
            // The upper half meets the lower half, which rotates by one place each round.
            let (opponent, white) = match number <= half {
                true => (half + 1 + (number - 1 + round) % half, round % 2 == 0),
                false => (
                    1 + (number - half - 1 + half - round % half) % half,
                    round % 2 == 1,
                ),
            };
            let result = match ((number.min(opponent) + round) % 3, number < opponent) {
                (0, _) => '=',
                (1, true) | (2, false) => '1',
                (_, _) => '0',
            };
            points += match result {
                '1' => 10,
                '=' => 5,
                _ => 0,
            };
            let colour = if white { 'w' } else { 'b' };
            cells.push_str(&format!("  {opponent:>4} {colour} {result}"));
        }
        line.push_str(&format!("{:>2}.{} {:>4}", points / 10, points % 10, number));
        text.push_str(&format!("{line}{cells}\r\n"));
    }
    text
}

#[test]
fn a_large_open_is_read_completely() {
    let text = large(500, 11);
    let imported = import_file(text.as_bytes()).unwrap_or_else(|faults| panic!("{faults}"));
    assert_eq!(imported.draft.players.len(), 500);
    assert_eq!(imported.draft.rounds.len(), 11);
    assert_eq!(imported.draft.rounds[&RoundNo(11)].boards.len(), 250);
    let ranks = "499 of 500 players have a different rank in the file; the first is number 1: 1 in the file, 169 here; \
                 the file lists no tie-breaks (202, 212): participants on equal points share a rank here; the file's numbers apply until a pairing, a result or the list \
                 of tie-breaks changes";
    assert_eq!(said(&imported.remarks), [ranks]);
}

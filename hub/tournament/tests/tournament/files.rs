//! Converting files into events and events into files: the same event on both sides, and differences described in words.

use expect_test::expect;
use timing::Side;
use tournament::formats::difference::{DifferenceKind, difference};
use tournament::formats::draft::{
    Draft, Imported, Totals, export, export_for_pairing, import_file,
};
use tournament::formats::trf::Edition;
use tournament::{
    Actor, BoardNo, Bye, Change, Contest, Event, GameResult, Outcome, Pairing, Pairings, Player,
    PlayerNo, RoundNo, System, TeamNo, Tournament,
};

use crate::said;
use crate::trf::{EXTENDED_OPEN, HARBOUR_CUP, TEAM_CUP, harbour_cup};

#[track_caller]
pub(crate) fn imported(bytes: &[u8]) -> Imported {
    import_file(bytes).unwrap_or_else(|faults| panic!("{faults}"))
}

#[track_caller]
pub(crate) fn folded(draft: &Draft) -> Tournament {
    let mut tournament = Tournament::new(Event::new("before the import", 1));
    for change in draft.changes("a file") {
        let words = format!("{change:?}");
        let applied = tournament.apply(&Actor::program("import"), change);
        assert_eq!(applied, Ok(()), "{words}");
    }
    tournament
}

#[test]
fn an_imported_event_equals_its_draft() {
    for bytes in [HARBOUR_CUP, TEAM_CUP, EXTENDED_OPEN] {
        let draft = imported(bytes).draft;
        assert_eq!(Draft::of(&folded(&draft)), draft);
    }
}

#[test]
fn the_harbour_cup_is_imported() {
    let read = imported(HARBOUR_CUP);
    assert_eq!(read.remarks, []);
    let draft = read.draft;
    assert_eq!(draft.event.rounds, 4);
    assert_eq!(draft.event.system, System::Swiss);
    let seats = |round: u16| -> Vec<(u16, u16, u16)> {
        let boards = draft.rounds[&RoundNo(round)].boards.iter();
        let of = |player: Option<PlayerNo>| player.unwrap().0;
        boards
            .map(|(no, seats)| (no.0, of(seats.white), of(seats.black)))
            .collect()
    };
    // C.04.2 orders the boards by the better player's score, then by the sum of both scores, then by the better player's number.
    assert_eq!(seats(1), [(1, 1, 3), (2, 4, 2)]);
    assert_eq!(seats(2), [(1, 2, 1), (2, 3, 5)]);
    assert_eq!(seats(3), [(1, 1, 4), (2, 5, 3)]);
    let second = &draft.rounds[&RoundNo(2)];
    assert_eq!(
        second.boards[&BoardNo(2)].result,
        Some(GameResult::forfeit(Side::White))
    );
    assert_eq!(second.byes[&PlayerNo(4)], Bye::PairingAllocated);
    assert_eq!(draft.rounds[&RoundNo(3)].byes[&PlayerNo(2)], Bye::Half);
    assert_eq!(draft.players[&PlayerNo(5)].rating, None);
}

#[test]
fn the_team_cup_is_imported() {
    let read = imported(TEAM_CUP);
    assert_eq!(read.remarks, []);
    let draft = read.draft;
    assert_eq!(draft.event.contest, Contest::Teams { boards: 2 });
    let first = &draft.rounds[&RoundNo(1)];
    let matches: Vec<(u16, u16)> = first
        .matches
        .values()
        .map(|paired| (paired.white.0, paired.black.0))
        .collect();
    assert_eq!(matches, [(1, 2), (3, 4)]);
    let second = &draft.rounds[&RoundNo(2)];
    let empty = second
        .boards
        .values()
        .find(|seats| seats.white.is_none() || seats.black.is_none());
    let empty = empty.unwrap();
    assert_eq!(empty.white.or(empty.black), Some(PlayerNo(3)));
    assert_eq!(draft.teams[&TeamNo(4)].players.len(), 3);
}

#[test]
fn exported_events_are_imported_unchanged() {
    for bytes in [HARBOUR_CUP, TEAM_CUP, EXTENDED_OPEN] {
        let before = folded(&imported(bytes).draft);
        let written = export(&before, Edition::Trf26);
        let after = imported(written.text.as_bytes()).draft;
        assert_eq!(after, Draft::of(&before), "{}", written.text);
    }
}

#[test]
fn the_harbour_cup_is_exported_unchanged() {
    let written = export(&folded(&imported(HARBOUR_CUP).draft), Edition::Trf26);
    assert_eq!(written.lost, []);
    assert_eq!(written.text.replace('\r', ""), harbour_cup());
}

#[test]
fn lines_of_other_programs_survive_import_and_export() {
    let written = export(&folded(&imported(TEAM_CUP).draft), Edition::Trf26);
    for line in String::from_utf8_lossy(TEAM_CUP).lines() {
        let there = written.text.lines().any(|written| written == line);
        assert!(there, "{line}\nis not in\n{}", written.text);
    }
}

fn odd_event() -> Tournament {
    let mut tournament = Tournament::new(Event::new("Odd Open", 3));
    let chief = Actor::chief("Doe");
    let mut changes = Vec::new();
    for (no, name) in [
        (1, "One"),
        (2, "Two"),
        (3, "Three"),
        (4, "Four"),
        (7, "Seven"),
    ] {
        let mut player = Player::new(PlayerNo(no), name);
        player.enters = RoundNo(if no == 7 { 2 } else { 1 });
        changes.push(Change::EnterPlayer(Box::new(player)));
    }
    let boards = vec![
        Pairing::new(BoardNo(11), PlayerNo(4), PlayerNo(2)),
        Pairing::new(BoardNo(5), PlayerNo(1), PlayerNo(3)),
    ];
    let pairings = Pairings {
        boards,
        ..Pairings::default()
    };
    changes.push(Change::PairRound(RoundNo(1), Box::new(pairings)));
    let half = GameResult::Played {
        white: Outcome::Draw,
        black: Outcome::Loss,
        rated: true,
        tally: None,
    };
    changes.push(Change::Enter(RoundNo(1), BoardNo(11), half, String::new()));
    changes.push(Change::Withdraw(PlayerNo(2), RoundNo(1)));
    changes.push(Change::GrantBye(PlayerNo(3), RoundNo(2), Some(Bye::Half)));
    for change in changes {
        tournament.apply(&chief, change).unwrap();
    }
    tournament
}

#[test]
fn data_without_a_record_round_trips() {
    let before = odd_event();
    let written = export(&before, Edition::Trf26);
    assert_eq!(
        imported(written.text.as_bytes()).draft,
        Draft::of(&before),
        "{}",
        written.text
    );
    let notes: Vec<&str> = written
        .text
        .lines()
        .filter(|line| line.starts_with("###"))
        .collect();
    let expected = [
        "### Flagfall leaves 2 1",
        "### Flagfall enters 7 2",
        "### Flagfall boards 1 5=1 11=4",
    ];
    assert_eq!(notes, expected);
}

#[test]
fn pairing_programs_get_the_byes_of_the_next_round() {
    let written = export_for_pairing(&odd_event());
    let second: Vec<&str> = written
        .text
        .lines()
        .filter(|line| line.starts_with("001"))
        .map(|line| line.get(101..).unwrap_or_default())
        .collect();
    assert_eq!(second, ["", "0000 - Z", "0000 - H", "", ""]);
    let ended = written.text.lines().any(|line| line.starts_with("###"));
    assert!(!ended, "comments are for this program alone");
}

#[test]
fn trf16_gives_the_same_rounds() {
    for bytes in [HARBOUR_CUP, TEAM_CUP, EXTENDED_OPEN] {
        let before = folded(&imported(bytes).draft);
        let text = export(&before, Edition::Trf16).text;
        let after = imported(text.as_bytes()).draft;
        assert_eq!(after.event.scoring, before.event().scoring, "{text}");
        assert_eq!(after.event.rounds, before.event().rounds, "{text}");
        let known = Draft::of(&before);
        assert_eq!(after.rounds, known.rounds, "{text}");
        assert_eq!(after.teams, known.teams, "{text}");
        assert_eq!(after.event.match_scoring, before.event().match_scoring);
        let totals = |draft: &Draft| Totals::of(&folded(draft));
        assert_eq!(totals(&after), totals(&known), "{text}");
    }
}

#[test]
fn the_same_file_again_has_no_differences() {
    for bytes in [HARBOUR_CUP, TEAM_CUP, EXTENDED_OPEN] {
        let draft = imported(bytes).draft;
        let known = Draft::of(&folded(&draft));
        assert_eq!(difference(&known, &draft, "a file").words(), "");
    }
}

#[test]
fn the_next_round_is_a_difference_in_words_and_changes() {
    let mut known = folded(&imported(HARBOUR_CUP).draft);
    let text = harbour_cup()
        .replace("     2 b =     4 w 1", "     2 b =     4 w 1     5 b")
        .replace("     5 w +     5 b 0", "     5 w +     5 b 0     4 w")
        .replace("  0000 - U     1 b 0", "  0000 - U     1 b 0     3 b")
        .replace("     3 b -     3 w 1", "     3 b -     3 w 1     1 w")
        .replace("     1 w =  0000 - H", "     1 w =  0000 - H  0000 - U");
    let next = imported(text.as_bytes()).draft;
    let found = difference(&Draft::of(&known), &next, "harbour.trf");
    let kinds: Vec<DifferenceKind> = found.items.iter().map(|item| item.kind).collect();
    assert_eq!(kinds, [DifferenceKind::NewRound]);
    let words = expect![[r#"
        Round 4 is paired: 2 boards, 1 bye
          1: Echo, Eve – Alpha, Anna
          2: Charlie, Cid – Delta, Dan"#]];
    words.assert_eq(&found.words());
    for change in found.changes() {
        known.apply(&Actor::program("import"), change).unwrap();
    }
    assert_eq!(Draft::of(&known), next);
}

#[test]
fn changed_results_are_corrected_with_a_reason() {
    let mut known = folded(&imported(HARBOUR_CUP).draft);
    let text = harbour_cup()
        .replace("Bravo, Bea     ", "Bravo, Beatrice")
        .replace("2400 SWE", "2410 SWE")
        .replace(
            "     3 w 1     2 b =     4 w 1",
            "     3 w 1     2 b 1     4 w 1",
        )
        .replace(
            "     4 b 1     1 w =  0000 - H",
            "     4 b 1     1 w 0  0000 - F",
        );
    let next = imported(text.as_bytes()).draft;
    let found = difference(&Draft::of(&known), &next, "harbour.trf");
    let words = expect![[r#"
        Player 2, Bravo, Bea: name Bravo, Bea → Bravo, Beatrice, rating 2400 → 2410
        Round 2, board 1, Bravo, Beatrice – Alpha, Anna: 0-1 (was ½-½)
        Round 3, Bravo, Beatrice: full-point bye"#]];
    words.assert_eq(&found.words());
    for change in found.changes() {
        let applied = known.apply_imported(&Actor::program("import"), change);
        applied.unwrap();
    }
    // The event has its own list of tie-breaks, so different places in the file are not imported.
    assert!(next.stated.is_some());
    assert_eq!(
        Draft::of(&known),
        Draft {
            stated: None,
            ..next
        }
    );
    let board = &known.rounds()[&RoundNo(2)].boards[&BoardNo(1)];
    assert_eq!(board.corrections[0].reason, "as in harbour.trf");
}

#[test]
fn results_known_only_to_the_hall_stay() {
    let known = odd_event();
    let mut file = Draft::of(&known);
    for seats in file
        .rounds
        .get_mut(&RoundNo(1))
        .unwrap()
        .boards
        .values_mut()
    {
        seats.result = None;
    }
    assert!(difference(&Draft::of(&known), &file, "a file").is_empty());
}

/// Invisible characters that other programs may put into names.
pub(crate) const HIDDEN: [char; 13] = [
    '\u{202a}', '\u{202b}', '\u{202c}', '\u{202d}', '\u{202e}', '\u{2066}', '\u{2067}', '\u{2068}',
    '\u{2069}', '\u{200e}', '\u{200f}', '\u{61c}', '\u{200b}',
];

#[test]
fn hidden_characters_of_a_report_are_removed_with_a_remark() {
    let known = imported(HARBOUR_CUP);
    let text = String::from_utf8(HARBOUR_CUP.to_vec()).unwrap();
    let line = text
        .lines()
        .position(|line| line.contains("Alpha, Anna"))
        .unwrap()
        + 1;
    for char in HIDDEN {
        let remark = format!(
            "line {line}: the invisible character U+{:04X} is left out",
            u32::from(char)
        );
        // A program that counts the invisible character as a column pads the name with one space fewer. Other programs do not count it.
        for (from, to) in [
            ("Alpha, Anna ", format!("Alpha{char}, Anna")),
            ("Alpha, Anna ", format!("Alpha{char}, Anna ")),
        ] {
            let read = imported(text.replacen(from, &to, 1).as_bytes());
            assert_eq!(read.draft, known.draft);
            assert_eq!(said(&read.remarks), [remark.as_str()]);
        }
        let read = imported(
            text.replacen("Bergen", &format!("Bergen{char}"), 1)
                .as_bytes(),
        );
        assert_eq!(read.draft, known.draft);
    }
}

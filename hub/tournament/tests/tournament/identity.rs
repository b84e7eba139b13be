//! Checks whether a file belongs to the event: the same event and people, changed numbers, or a different event.

use std::sync::Arc;

use tournament::formats::difference::{Identity, compare, identity};
use tournament::formats::draft::Draft;
use tournament::formats::watch::{FileStatus, Watch};
use tournament::{Actor, Change, Event, Player, PlayerNo, RoundNo, Tournament};

use crate::files::{folded, imported};
use crate::trf::{HARBOUR_CUP, harbour_cup};

fn harbour() -> Draft {
    imported(HARBOUR_CUP).draft
}

fn unpaired() -> Draft {
    let mut draft = harbour();
    draft.rounds.clear();
    draft
}

fn player(draft: &mut Draft, no: u16) -> &mut Player {
    draft.players.get_mut(&PlayerNo(no)).unwrap()
}

#[track_caller]
fn foreign(known: &Draft, file: &Draft) -> String {
    let Identity::Foreign(foreign) = identity(known, file) else {
        panic!("the file is taken for this event's");
    };
    assert_eq!(compare(known, file, "other.trf"), Err(foreign.clone()));
    foreign.words(&known.event.name)
}

#[track_caller]
fn assert_same_event(known: &Draft, file: &Draft) {
    assert_eq!(identity(known, file), Identity::Same);
}

/// Regression: a different event's file must be refused, so that it cannot replace the players.
#[test]
fn another_events_file_is_refused_with_what_differs() {
    let known = folded(&harbour());
    let mut file = harbour();
    file.event.name = "Winter Open".to_owned();
    let other = player(&mut file, 1);
    (other.name, other.fide_id) = ("Smith, Jo".to_owned(), Some(4_500_456));
    let words = foreign(&Draft::of(&known), &file);
    let wanted = "the file is about a different event: the event is “Harbour Cup 2026” here and “Winter Open” in the file; \
                  player 1 is Alpha, Anna (FIDE 1500011) here and Smith, Jo (FIDE 4500456) in the file.";
    assert!(words.starts_with(wanted), "{words}");
    let how = [
        "`flagfall event set --name 'Winter Open'`",
        "`flagfall event open FILE --set-aside 'Harbour Cup 2026'`",
    ];
    assert!(how.iter().all(|way| words.contains(way)), "{words}");
}

#[test]
fn a_name_with_quotes_is_quoted_for_the_shell() {
    let mut here = harbour();
    here.event.name = "\"O'Brien\" & $Co".to_owned();
    let mut file = harbour();
    file.event.name = "Winter Open".to_owned();
    let words = foreign(&Draft::of(&folded(&here)), &file);
    let how = r#"`flagfall event open FILE --set-aside '"O'\''Brien" & $Co'`"#;
    assert!(words.contains(how), "{words}");
}

#[test]
fn the_first_differing_players_are_named() {
    let known = harbour();
    let mut file = harbour();
    for no in 1..=5 {
        let other = player(&mut file, no);
        (other.name, other.fide_id) = (format!("Smith, Jo {no}"), Some(456 + u64::from(no)));
        other.birth.clear();
    }
    *player(&mut file, 5) = Player::new(PlayerNo(5), "Jones, Al");
    let words = foreign(&known, &file);
    let wanted =
        "player 3 is Charlie, Cid (FIDE 1500013) here and Smith, Jo 3 (FIDE 459) in the file";
    assert!(words.contains(wanted), "{words}");
    assert!(
        words.contains("player 5 is Echo, Eve (born 1994/05/05) here and Jones, Al in the file"),
        "{words}"
    );
    assert!(!words.contains("more player"), "{words}");

    let mut many = Draft::of(&Tournament::new(Event::new("Open", 3)));
    for no in 1..=12 {
        let entered = Player::new(PlayerNo(no), &format!("Player, {no}"));
        many.players.insert(PlayerNo(no), entered);
    }
    let mut others = many.clone();
    for no in 1..=12 {
        player(&mut others, no).name = format!("Other, {no}");
    }
    let words = foreign(&many, &others);
    assert!(words.contains("player 5 is"), "{words}");
    assert!(!words.contains("player 6 is"), "{words}");
    assert!(words.contains("; 7 more players differ."), "{words}");
}

#[test]
fn people_are_identified_by_fide_id_or_date_of_birth() {
    let known = harbour();
    // With the same FIDE ID, the name may be spelt in any way.
    let mut file = harbour();
    player(&mut file, 1).name = "Alfa, Anne-Marie".to_owned();
    player(&mut file, 1).rating = Some(2510);
    assert_same_event(&known, &file);
    // Without a FIDE ID, the full date of birth identifies the person, but the year alone does not.
    let mut file = harbour();
    player(&mut file, 5).name = "Ekko, Eva".to_owned();
    assert_same_event(&known, &file);
    player(&mut file, 5).birth = "1994".to_owned();
    foreign(&known, &file);
    // If one side has no FIDE ID, the name decides, unless the dates of birth contradict each other.
    let mut file = harbour();
    (player(&mut file, 2).fide_id, player(&mut file, 2).birth) = (None, "1991/00/00".to_owned());
    player(&mut file, 2).name = "BRAVO  BEA".to_owned();
    assert_same_event(&known, &file);
    player(&mut file, 2).birth = "1975/02/02".to_owned();
    foreign(&known, &file);
    // A different FIDE ID may be a typing error if the name and the date of birth agree.
    let mut file = harbour();
    player(&mut file, 3).fide_id = Some(1_500_031);
    assert_same_event(&known, &file);
    player(&mut file, 3).birth.clear();
    foreign(&known, &file);
    let mut file = harbour();
    player(&mut file, 4).fide_id = Some(0);
    assert_same_event(&known, &file);
}

#[test]
fn names_match_despite_case_blanks_and_cuts() {
    let mut known = harbour();
    let long = "Wolfeschlegelsteinhausenbergerdorff, Hubert Blaine";
    player(&mut known, 5).name = long.to_owned();
    player(&mut known, 5).birth.clear();
    let mut file = known.clone();
    player(&mut file, 5).name = long[..33].to_owned();
    file.event.name = "HARBOUR  cup, 2026".to_owned();
    assert_same_event(&known, &file);
    file.event.name.clear();
    assert_same_event(&known, &file);
    assert_same_event(&file, &known);
}

#[test]
fn late_entries_are_accepted() {
    let mut file = harbour();
    let late = Player::new(PlayerNo(6), "Foxtrot, Fay");
    file.players.insert(PlayerNo(6), late);
    let found = compare(&harbour(), &file, "late.trf").unwrap();
    assert_eq!(found.counts().players, 1);
    assert_same_event(&file, &harbour());
}

/// A pairing program sorts late entries by rating. Before round 1 is paired, the hub adopts the program's numbers.
#[test]
fn new_numbers_are_adopted_before_round_1() {
    let known = folded(&unpaired());
    let mut file = unpaired();
    let late = Player::new(PlayerNo(1), "Foxtrot, Fay");
    let before: Vec<Player> = file.players.into_values().collect();
    file.players = [(PlayerNo(1), late)].into();
    for entered in before {
        let no = PlayerNo(entered.no.0 + 1);
        file.players.insert(no, Player { no, ..entered });
    }
    let found = compare(&Draft::of(&known), &file, "late.trf").unwrap();
    let words = found.words();
    assert!(
        words.starts_with("Players get the numbers they have in the file:\n  1 Alpha, Anna is 2\n"),
        "{words}"
    );
    let mut after = known.clone();
    for change in found.changes() {
        after.apply(&Actor::chief("Doe"), change).unwrap();
    }
    assert_eq!(Draft::of(&after).players, file.players);
    let mut known = known;
    let bye = Change::GrantBye(PlayerNo(3), RoundNo(1), Some(tournament::Bye::Half));
    known.apply(&Actor::chief("Doe"), bye).unwrap();
    let found = compare(&Draft::of(&known), &file, "late.trf").unwrap();
    for change in found.changes() {
        known.apply(&Actor::chief("Doe"), change).unwrap();
    }
    let half = Some(tournament::Bye::Half);
    assert_eq!(known.bye_of(PlayerNo(4), RoundNo(1)), half);
    assert_eq!(known.bye_of(PlayerNo(3), RoundNo(1)), None);
}

#[test]
fn new_numbers_are_refused_after_round_1() {
    let known = harbour();
    let mut file = harbour();
    let two = Player {
        no: PlayerNo(1),
        ..file.players[&PlayerNo(2)].clone()
    };
    let one = Player {
        no: PlayerNo(2),
        ..file.players[&PlayerNo(1)].clone()
    };
    file.players.insert(PlayerNo(1), two);
    file.players.insert(PlayerNo(2), one);
    let words = foreign(&known, &file);
    let wanted = "the file numbers players differently: player 1, Alpha, Anna, has number 2 in the file; \
                  player 2, Bravo, Bea, has number 1 in the file.";
    assert!(words.starts_with(wanted), "{words}");
    assert!(
        words.contains("give the players the numbers they have here"),
        "{words}"
    );
    // If the program gives a late entry made at the hub a different number, the player must not appear twice.
    let mut known = harbour();
    known
        .players
        .insert(PlayerNo(7), Player::new(PlayerNo(7), "Late, Lea"));
    let mut file = harbour();
    file.players
        .insert(PlayerNo(6), Player::new(PlayerNo(6), "Late, Lea"));
    let words = foreign(&known, &file);
    assert!(
        words.contains("player 7, Late, Lea, has number 6 in the file"),
        "{words}"
    );
}

#[test]
fn a_watched_folder_reports_a_foreign_file_once() {
    let known = Draft::of(&folded(&harbour()));
    let other = harbour_cup().replace("Harbour Cup 2026", "Winter Open");
    let mut watch = Watch::new();
    let mut see = |known: &Draft| {
        let known = Arc::new(known.clone());
        watch.observe("other.trf", other.as_bytes(), &known)
    };
    see(&known);
    let FileStatus::Foreign(foreign) = see(&known) else {
        panic!("another event's file is news");
    };
    let names = ("Harbour Cup 2026".to_owned(), "Winter Open".to_owned());
    assert_eq!(foreign.event, Some(names));
    assert_eq!(see(&known), FileStatus::AlreadyReported);
    let mut later = known.clone();
    later.event.city = "Oslo".to_owned();
    assert_eq!(
        see(&later),
        FileStatus::AlreadyReported,
        "it is still another event's"
    );
    later.event.name = "Winter Open".to_owned();
    assert!(
        matches!(see(&later), FileStatus::News(_)),
        "it is this event's now"
    );
    assert_eq!(watch.pending(&known).len(), 1);
}

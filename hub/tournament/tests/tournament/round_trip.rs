//! Importing the report of any event creates the same event again, and importing a file twice has the effect of importing it once.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use tournament::formats::difference::difference;
use tournament::formats::draft::{Draft, export, import_file};
use tournament::formats::trf::Edition;
use tournament::{
    Actor, BoardNo, Bye, Change, Date, Event, GameResult, Outcome, Pairing, Pairings, Player,
    PlayerNo, Points, RoundNo, Scoring, Sex, Side, System, TieBreak, Tournament,
};

use crate::said;

/// A player's part in a round: the sort key in the pairing order, the bye if there is no game, and the kind of result.
type Fate = (u32, Option<u8>, u8);

const RESULTS: u8 = 14;

fn result(kind: u8) -> Option<GameResult> {
    let odd = |white, black| {
        Some(GameResult::Played {
            white,
            black,
            rated: true,
            tally: None,
        })
    };
    match kind {
        0..=3 => Some(GameResult::played(Outcome::Win)),
        4 | 5 => Some(GameResult::played(Outcome::Draw)),
        6 | 7 => Some(GameResult::played(Outcome::Loss)),
        8 => Some(GameResult::forfeit(Side::White)),
        9 => Some(GameResult::forfeit(Side::Black)),
        10 => Some(GameResult::DOUBLE_FORFEIT),
        11 => Some(GameResult::unrated(Outcome::Loss)),
        12 => odd(Outcome::Draw, Outcome::Loss),
        _ => None,
    }
}

prop_compose! {
    fn player()(
        name in "[A-ZÅØ][a-zéß]{1,9}, [A-ZČ][a-zł. -]{0,8}[a-z]",
        sex in option::of(any::<bool>()),
        title in prop::sample::select(vec!["", "GM", "IM", "WGM", "FM", "WCM"]),
        rating in option::of(1000u16..2900),
        federation in prop::sample::select(vec!["", "NOR", "USA", "FID"]),
        fide_id in option::of(1u64..99_999_999_999),
        birth in option::of((1920u16..2020, 1u8..=12, 1u8..=28)),
        enters in prop::sample::select(vec![1u16, 1, 1, 1, 2, 3]),
        leaves in prop::sample::select(vec![None, None, None, Some(0u16), Some(1), Some(2)]),
        later in option::of((4u16..=6, 0u8..4)),
    ) -> Player {
        let mut player = Player::new(PlayerNo(1), &name);
        player.sex = sex.map(|woman| if woman { Sex::Female } else { Sex::Male });
        player.title = title.to_owned();
        player.rating = rating;
        player.federation = federation.to_owned();
        player.fide_id = fide_id;
        player.birth = birth.map_or(String::new(), |(year, month, day)| format!("{year}/{month:02}/{day:02}"));
        player.enters = RoundNo(enters);
        player.leaves = leaves.map(RoundNo);
        player.byes = later.into_iter().map(|(round, bye)| (RoundNo(round), granted(bye))).collect();
        player
    }
}

/// Returns a bye that may be granted for a future round. A pairing-allocated bye may also be known before the pairing.
fn granted(kind: u8) -> Bye {
    if kind == 3 {
        Bye::PairingAllocated
    } else {
        asked(kind)
    }
}

fn asked(kind: u8) -> Bye {
    [Bye::Half, Bye::Zero, Bye::Full][usize::from(kind % 3)]
}

/// Types that an event may have: as text, as a code, and the number of cycles in a round robin (0 for a Swiss).
const KINDS: [(&str, &str, u8); 9] = [
    ("", "FIDE_DUTCH_2025", 0),
    ("", "", 0),
    ("Open", "", 0),
    ("Open", "FIDE_DUBOV", 0),
    ("", "", 1),
    ("", "", 2),
    ("", "", 3),
    ("Club championship", "", 2),
    ("Club championship", "BERGER_ROUNDROBIN", 1),
];

prop_compose! {
    fn event()(
        name in "[A-Z][a-z ]{0,20}[a-z]",
        city in "[A-Z][a-zø]{0,12}",
        days in option::of((2020u16..2030, 1u8..=12, 1u8..=28)),
        colour in option::of(any::<bool>()),
        scoring in 0usize..3,
        tie_breaks in prop::sample::subsequence(vec!["DE", "BH/C1", "BH", "SB", "AOB", "TPR", "WIN", "PS/C2", "KS/L+1"], 0..6),
        deputies in vec("[A-Z][a-z]{2,8}, [A-Z][a-z]{1,6}", 0..3),
        kind in 0usize..KINDS.len(),
    ) -> Event {
        let mut event = Event::new(&name, 6);
        event.city = city;
        event.starts = days.and_then(|(year, month, day)| Date::new(year, month, day));
        event.ends = event.starts;
        event.round_dates = event.starts.into_iter().map(|day| (RoundNo(2), day)).collect();
        event.initial_colour = colour.map(|black| if black { Side::Black } else { Side::White });
        event.scoring = [
            Scoring::STANDARD,
            Scoring::of(Points::whole(3), Points::ONE, Points::ZERO),
            Scoring { pairing_bye: Points::HALF, ..Scoring::STANDARD },
        ][scoring];
        event.tie_breaks = tie_breaks.iter().map(|code| TieBreak::parse(code).unwrap()).collect();
        event.deputies = deputies;
        let (text, code, cycles) = KINDS[kind];
        event.type_text = text.to_owned();
        event.type_code = code.to_owned();
        if cycles > 0 {
            event.system = System::RoundRobin { cycles };
        }
        event
    }
}

#[derive(Clone, Debug)]
struct Parts {
    event: Event,
    players: Vec<Player>,
    rounds: Vec<Vec<Fate>>,
    gap: u16,
    first_board: u16,
}

prop_compose! {
    fn parts()(
        event in event(),
        players in vec(player(), 2..12),
        rounds in vec(vec((any::<u32>(), option::weighted(0.15, 0u8..4), 0u8..RESULTS), 12), 0..4),
        gap in 0u16..3,
        first_board in prop::sample::select(vec![1u16, 1, 1, 11]),
    ) -> Parts {
        Parts { event, players, rounds, gap, first_board }
    }
}

/// Returns the event after `rounds` rounds. If `open` is true, the last of these rounds has no results yet.
fn after(parts: &Parts, rounds: usize, open: bool) -> Tournament {
    let mut tournament = Tournament::new(Event::new("before", 6));
    let event = parts.event.clone();
    apply(&mut tournament, Change::SetEvent(Box::new(event)));
    for (place, player) in (1..).zip(&parts.players) {
        let no = match player.no {
            PlayerNo(1) if place > 2 => PlayerNo(place + parts.gap),
            PlayerNo(1) => PlayerNo(place),
            large => large,
        };
        let player = Player {
            no,
            ..player.clone()
        };
        apply(&mut tournament, Change::EnterPlayer(Box::new(player)));
    }
    for (round, fates) in (1..).map(RoundNo).zip(parts.rounds.iter().take(rounds)) {
        let results = !(open && usize::from(round.0) == rounds);
        // Without two players for a round, the event ends with the previous round.
        if !play(&mut tournament, round, fates, parts.first_board, results) {
            break;
        }
    }
    tournament
}

#[track_caller]
fn apply(tournament: &mut Tournament, change: Change) {
    let words = format!("{change:?}");
    let applied = tournament.apply(&Actor::chief("Doe"), change);
    assert_eq!(applied, Ok(()), "{words}");
}

/// Pairs a round and enters its results. Returns false if fewer than two players take part.
fn play(
    tournament: &mut Tournament,
    round: RoundNo,
    fates: &[Fate],
    first_board: u16,
    with_results: bool,
) -> bool {
    let mut present: Vec<(u32, PlayerNo, Option<u8>, u8)> = tournament
        .players()
        .values()
        .zip(fates)
        .filter(|(player, _)| player.bye_in(round).is_none())
        .map(|(player, (order, bye, result))| (*order, player.no, *bye, *result))
        .collect();
    present.sort();
    let playing = present
        .iter()
        .filter(|(_, _, bye, _)| bye.is_none())
        .count();
    if playing < 2 {
        return false;
    }
    let mut pairings = Pairings::default();
    let (mut waiting, mut results) = (None, Vec::new());
    for (_, player, bye, kind) in present {
        match (bye, waiting.take()) {
            (Some(bye), before) => {
                pairings.byes.push((player, asked(bye)));
                waiting = before;
            }
            (None, None) => waiting = Some(player),
            (None, Some(white)) => {
                let board = first_board + u16::try_from(pairings.boards.len()).unwrap();
                let board = BoardNo(board);
                pairings.boards.push(Pairing::new(board, white, player));
                results.extend(result(kind).map(|result| (board, result)));
            }
        }
    }
    pairings
        .byes
        .extend(waiting.map(|player| (player, Bye::PairingAllocated)));
    apply(tournament, Change::PairRound(round, Box::new(pairings)));
    for (board, result) in results.into_iter().filter(|_| with_results) {
        let change = Change::Enter(round, board, result, String::new());
        apply(tournament, change);
    }
    true
}

#[test]
fn a_bye_granted_ahead_scores_nothing_yet() {
    let mut event = Tournament::new(Event::new("Cup", 3));
    for no in [1, 2] {
        let player = Player::new(PlayerNo(no), &format!("Player, {no}"));
        apply(&mut event, Change::EnterPlayer(Box::new(player)));
    }
    let pairing = Pairing::new(BoardNo(1), PlayerNo(1), PlayerNo(2));
    let pairings = Pairings {
        boards: vec![pairing],
        ..Pairings::default()
    };
    apply(
        &mut event,
        Change::PairRound(RoundNo(1), Box::new(pairings)),
    );
    let won = GameResult::played(Outcome::Win);
    apply(
        &mut event,
        Change::Enter(RoundNo(1), BoardNo(1), won, String::new()),
    );
    apply(
        &mut event,
        Change::GrantBye(PlayerNo(2), RoundNo(2), Some(Bye::Half)),
    );
    let text = export(&event, Edition::Trf26).text;
    let read = import_file(text.as_bytes()).unwrap();
    assert_eq!(read.remarks, [], "{text}");
    assert_eq!(
        read.draft.players[&PlayerNo(2)].byes[&RoundNo(2)],
        Bye::Half
    );

    // A file in which the program has already counted the bye causes no remark. Unexplained points do.
    for (points, remarks) in [(" 0.5", 0), (" 1.5", 2)] {
        let lines = text.lines().map(|line| {
            let mut line = line.to_owned();
            if line.starts_with("001    2") {
                line.replace_range(80..84, points);
            }
            line + "\n"
        });
        let changed: String = lines.collect();
        let read = import_file(changed.as_bytes()).unwrap();
        assert_eq!(read.remarks.len(), remarks, "{points}: {:?}", read.remarks);
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 200,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn reports_round_trip(parts in parts()) {
        let before = after(&parts, parts.rounds.len(), false);
        let written = export(&before, Edition::Trf26);
        prop_assert_eq!(said(&written.lost), Vec::<String>::new());
        let read = match import_file(written.text.as_bytes()) {
            Ok(imported) => imported.draft,
            Err(faults) => return Err(TestCaseError::fail(format!("{faults}\n{}", written.text))),
        };
        prop_assert_eq!(&read, &Draft::of(&before), "{}", written.text);
        let found = difference(&Draft::of(&before), &read, "a file");
        prop_assert_eq!(found.words(), "");
    }

    /// Names that the report shortened do not count as a difference, so the hub's names stay.
    #[test]
    fn a_report_with_cut_names_changes_no_name(parts in parts(), length in 20usize..80, wide: bool) {
        let mut parts = parts;
        for (no, player) in parts.players.iter_mut().enumerate() {
            let filler = if wide { "ö y" } else { "oy-" };
            player.name = format!("{} {}{no}", player.name, filler.repeat(length / 3));
            if no == 0 {
                player.no = PlayerNo(9_999);
                player.fide_id = Some(99_999_999_999);
                player.rating = Some(3_999);
            }
        }
        let before = after(&parts, parts.rounds.len(), false);
        let written = export(&before, Edition::Trf26);
        let read = match import_file(written.text.as_bytes()) {
            Ok(imported) => imported.draft,
            Err(faults) => return Err(TestCaseError::fail(format!("{faults}\n{}", written.text))),
        };
        let found = difference(&Draft::of(&before), &read, "a file");
        prop_assert_eq!(found.words(), "", "{}", written.text);
        prop_assert_eq!(&read.rounds, &Draft::of(&before).rounds, "{}", written.text);
    }

    #[test]
    fn an_applied_file_has_no_differences(parts in parts(), earlier in 0usize..4, open: bool) {
        let file = export(&after(&parts, parts.rounds.len(), false), Edition::Trf26);
        let file = import_file(file.text.as_bytes()).unwrap().draft;
        let mut known = after(&parts, earlier.min(parts.rounds.len()), open);
        for change in difference(&Draft::of(&known), &file, "a file").changes() {
            apply(&mut known, change);
        }
        prop_assert_eq!(difference(&Draft::of(&known), &file, "a file").words(), "");
        prop_assert_eq!(Draft::of(&known), file);
    }
}

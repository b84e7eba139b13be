//! The FIDE rating report: its contents, the problems that prevent it, and those that only get a remark.

use expect_test::expect;
use tournament::formats::draft::{export_for_rating, import_file};
use tournament::formats::rating_report::{Problem, arbiter_id, check};
use tournament::formats::trf::Edition;
use tournament::{
    Actor, BoardNo, Bye, Change, Contest, Date, Event, GameResult, Outcome, Pairing, Pairings,
    Player, PlayerNo, RoundNo, Sector, Sex, Side, TieBreak, Tournament,
};

fn complete() -> Tournament {
    let mut event = Event::new("Harbour Cup", 2);
    event.city = "Narvik".to_owned();
    event.federation = "NOR".to_owned();
    event.starts = Date::new(2026, 11, 20);
    event.ends = Date::new(2026, 11, 21);
    event.chief_arbiter = "IA Doe, Jane (1500001)".to_owned();
    event.deputies = vec!["FA Roe, Max (1500002)".to_owned()];
    event.time_control_code = "5400+30".to_owned();
    event.tie_breaks = vec![TieBreak::parse("BH").unwrap()];
    event.kept_lines = Vec::new();
    for (round, day) in [(1, 20), (2, 21)] {
        event
            .round_dates
            .insert(RoundNo(round), Date::new(2026, 11, day).unwrap());
    }
    let mut tournament = Tournament::new(event);
    for (no, name, sex, title, rating, birth) in [
        (1, "Alpha, Anna", Sex::Female, "WFM", 2_100, "1999/03/07"),
        (2, "Bravo, Ben", Sex::Male, "", 1_900, "2001"),
        (3, "Charlie, Cid", Sex::Male, "", 0, "1980"),
    ] {
        let player = Player {
            sex: Some(sex),
            title: title.to_owned(),
            rating: Some(rating).filter(|rating| *rating > 0),
            federation: "NOR".to_owned(),
            fide_id: Some(1_500_010 + u64::from(no)),
            birth: birth.to_owned(),
            club: "Narvik".to_owned(),
            ..Player::new(PlayerNo(no), name)
        };
        apply(&mut tournament, Change::EnterPlayer(Box::new(player)));
    }
    play(
        &mut tournament,
        1,
        (1, 2),
        (3, Bye::PairingAllocated),
        GameResult::Played {
            white: Outcome::Win,
            black: Outcome::Loss,
            rated: false,
            tally: None,
        },
    );
    play(
        &mut tournament,
        2,
        (3, 1),
        (2, Bye::Half),
        GameResult::Forfeit {
            winner: Some(Side::Black),
        },
    );
    tournament
}

#[track_caller]
fn apply(tournament: &mut Tournament, change: Change) {
    tournament.apply(&Actor::chief("Jane"), change).unwrap();
}

fn play(
    tournament: &mut Tournament,
    round: u16,
    (white, black): (u16, u16),
    (away, bye): (u16, Bye),
    result: GameResult,
) {
    let round = RoundNo(round);
    let pairings = Pairings {
        boards: vec![Pairing::new(BoardNo(1), PlayerNo(white), PlayerNo(black))],
        byes: vec![(PlayerNo(away), bye)],
        ..Pairings::default()
    };
    apply(tournament, Change::PairRound(round, Box::new(pairings)));
    apply(
        tournament,
        Change::Enter(round, BoardNo(1), result, String::new()),
    );
    apply(tournament, Change::Confirm(round));
}

fn with(amend: impl FnOnce(&mut Event)) -> Tournament {
    let mut tournament = complete();
    let mut event = tournament.event().clone();
    amend(&mut event);
    apply(&mut tournament, Change::SetEvent(Box::new(event)));
    tournament
}

fn with_player(amend: impl FnOnce(&mut Player)) -> Tournament {
    let mut tournament = complete();
    let mut player = tournament.players()[&PlayerNo(2)].clone();
    amend(&mut player);
    apply(&mut tournament, Change::EnterPlayer(Box::new(player)));
    tournament
}

#[track_caller]
fn check_findings(tournament: &Tournament, missing: &[Problem], remarks: &[Problem]) {
    let found = check(tournament);
    let of = |remark: bool| -> Vec<Problem> {
        let found = found.iter().filter(|finding| finding.remark == remark);
        found.map(|finding| finding.problem.clone()).collect()
    };
    assert_eq!((of(false), of(true)), (missing.to_vec(), remarks.to_vec()));
    for finding in &found {
        assert!(finding.remedy().len() > 10, "{finding:?}");
    }
}

#[test]
fn a_complete_event_has_no_findings() {
    check_findings(&complete(), &[], &[]);
}

#[test]
fn the_report_has_the_form_of_a_rating_server() {
    let tournament = complete();
    let written = export_for_rating(&tournament, Edition::Trf16);
    assert_eq!(written.lost, []);
    expect![[r#"
        012 Harbour Cup
        022 Narvik
        032 NOR
        042 2026/11/20
        052 2026/11/21
        062 3
        072 2
        092 Individual: Swiss system
        102 IA Doe, Jane (1500001)
        112 FA Roe, Max (1500002)
        122 90 min + 30 sec per move
        132                                                                                        26/11/20  26/11/21
        001    1 wWFM Alpha, Anna                       2100 NOR     1500011 1999/03/07  2.0    1     2 w W     3 b +
        001    2 m    Bravo, Ben                        1900 NOR     1500012 2001/00/00  0.5    3     1 b L  0000 - H
        001    3 m    Charlie, Cid                         0 NOR     1500013 1980/00/00  1.0    2  0000 - U     1 w -
    "#]]
    .assert_eq(&written.text.replace("\r\n", "\n"));
    assert!(written.text.lines().count() == written.text.matches("\r\n").count());
    let read = import_file(written.text.as_bytes()).unwrap();
    assert_eq!(read.draft.players[&PlayerNo(1)].fide_id, Some(1_500_011));
    assert_eq!(read.draft.rounds.len(), 2);
    let newer = export_for_rating(&tournament, Edition::Trf26).text;
    assert!(
        newer.contains("\r\n142 2\r\n") && newer.contains("\r\n222 5400+30\r\n"),
        "{newer}"
    );
}

#[test]
fn the_rating_report_omits_extensions_and_comments() {
    let mut tournament = with(|event| {
        event.kept_lines = vec![
            "### by hand".to_owned(),
            "XXR 9".to_owned(),
            "XXS W=1".to_owned(),
        ]
    });
    apply(&mut tournament, Change::Withdraw(PlayerNo(2), RoundNo(2)));
    for edition in [Edition::Trf16, Edition::Trf26] {
        let text = export_for_rating(&tournament, edition).text;
        assert!(!text.contains("###") && !text.contains("XX"), "{text}");
    }
}

#[test]
fn unplayed_rounds_are_zero_point_byes_and_later_ones_absent() {
    let mut tournament = with(|event| event.rounds = 4);
    let late = Player {
        enters: RoundNo(3),
        ..Player::new(PlayerNo(4), "Delta, Dan")
    };
    apply(&mut tournament, Change::EnterPlayer(Box::new(late)));
    apply(
        &mut tournament,
        Change::GrantBye(PlayerNo(1), RoundNo(4), Some(Bye::Half)),
    );
    let text = export_for_rating(&tournament, Edition::Trf16).text;
    let line = text.lines().find(|line| line.contains("Delta")).unwrap();
    assert!(line.ends_with("0000 - Z  0000 - Z"), "{line}");
    let first = text.lines().find(|line| line.contains("Alpha")).unwrap();
    assert!(first.ends_with("3 b +"), "{first}");
}

#[test]
fn missing_data_of_the_event_is_named() {
    check_findings(
        &with(|event| event.city = " ".to_owned()),
        &[Problem::NoCity],
        &[],
    );
    check_findings(
        &with(|event| event.federation = "NO".to_owned()),
        &[Problem::NoFederation("NO".to_owned())],
        &[],
    );
    check_findings(&with(|event| event.starts = None), &[Problem::NoStart], &[]);
    check_findings(&with(|event| event.ends = None), &[Problem::NoEnd], &[]);
    check_findings(
        &with(|event| event.chief_arbiter.clear()),
        &[Problem::NoChiefArbiter],
        &[],
    );
    let unnumbered = "IA Doe, Jane (NOR)".to_owned();
    let chief = unnumbered.clone();
    check_findings(
        &with(|event| event.chief_arbiter = chief),
        &[Problem::NoArbiterId(unnumbered.clone())],
        &[],
    );
    let deputy = unnumbered.clone();
    check_findings(
        &with(|event| event.deputies.push(deputy)),
        &[],
        &[Problem::NoDeputyId(unnumbered)],
    );
    assert_eq!(arbiter_id("FA (temp) Roe, Max (1500002)"), Some(1_500_002));
    assert_eq!(arbiter_id("Roe, Max"), None);
}

#[test]
fn round_dates_are_checked_against_the_event() {
    let day = |day: u8| Date::new(2026, 11, day).unwrap();
    let dated = |round: u16, on: Option<Date>| {
        with(|event| match on {
            Some(on) => drop(event.round_dates.insert(RoundNo(round), on)),
            None => drop(event.round_dates.remove(&RoundNo(round))),
        })
    };
    check_findings(&dated(2, None), &[Problem::NoRoundDate(RoundNo(2))], &[]);
    check_findings(
        &dated(2, Some(day(22))),
        &[Problem::RoundDateOutside(RoundNo(2), day(22))],
        &[],
    );
    check_findings(
        &dated(2, Some(day(19))),
        &[
            Problem::RoundDateOutside(RoundNo(2), day(19)),
            Problem::RoundDateOrder(RoundNo(2), day(19)),
        ],
        &[],
    );
    let backwards = with(|event| {
        (event.starts, event.ends) = (Date::new(2026, 11, 21), Date::new(2026, 11, 20));
    });
    let found = check(&backwards);
    assert!(
        found
            .iter()
            .any(|finding| finding.problem == Problem::EndBeforeStart)
    );
}

#[test]
fn unfinished_and_unconfirmed_rounds_are_named() {
    let to_come = with(|event| {
        event.rounds = 3;
        event
            .round_dates
            .insert(RoundNo(3), Date::new(2026, 11, 21).unwrap());
    });
    check_findings(&to_come, &[Problem::RoundNotPaired(RoundNo(3))], &[]);
    let mut reopened = complete();
    apply(
        &mut reopened,
        Change::Reopen(RoundNo(2), "an appeal".to_owned()),
    );
    check_findings(&reopened, &[Problem::RoundNotConfirmed(RoundNo(2))], &[]);
    apply(
        &mut reopened,
        Change::RemoveResult(RoundNo(2), BoardNo(1), "an appeal".to_owned()),
    );
    check_findings(&reopened, &[Problem::NoResult(RoundNo(2), BoardNo(1))], &[]);
}

#[test]
fn missing_data_of_players_is_named() {
    let name = "Bravo, Ben".to_owned();
    let two = PlayerNo(2);
    check_findings(
        &with_player(|player| player.fide_id = None),
        &[Problem::NoFideId(two, name.clone())],
        &[],
    );
    check_findings(
        &with_player(|player| player.fide_id = Some(1_500_011)),
        &[Problem::SameFideId(PlayerNo(1), "1500011".to_owned(), two)],
        &[],
    );
    check_findings(
        &with_player(|player| player.birth = "soon".to_owned()),
        &[Problem::BadBirth(two, "soon".to_owned())],
        &[],
    );
    check_findings(
        &with_player(|player| player.birth.clear()),
        &[],
        &[Problem::NoBirth(two, name.clone())],
    );
    check_findings(
        &with_player(|player| player.sex = None),
        &[],
        &[Problem::NoSex(two, name.clone())],
    );
    check_findings(
        &with_player(|player| player.federation.clear()),
        &[],
        &[Problem::NoPlayerFederation(two, name)],
    );
    check_findings(
        &with_player(|player| player.title = "NM".to_owned()),
        &[],
        &[Problem::UnknownTitle(two, "NM".to_owned())],
    );
    let long = "Bravo, Benjamin Bartholomew Balthazar".to_owned();
    let given = long.clone();
    check_findings(
        &with_player(|player| player.name = given),
        &[],
        &[Problem::LongName(two, long)],
    );
    check_findings(
        &with_player(|player| player.name = "Ben".to_owned()),
        &[],
        &[Problem::NameOrder(two, "Ben".to_owned())],
    );
}

#[test]
fn a_rate_of_play_too_fast_to_be_rated_gets_a_remark() {
    let control = |code: &str| {
        let code = code.to_owned();
        with(move |event| event.time_control_code = code)
    };
    check_findings(&control(""), &[Problem::NoTimeControl], &[]);
    check_findings(
        &control("G/90"),
        &[],
        &[Problem::UnreadableTimeControl("G/90".to_owned())],
    );
    let too_fast = |players: u16, rating: u16, minutes: u16| Problem::TooFast {
        players,
        rating,
        minutes,
    };
    check_findings(&control("3600+29"), &[], &[too_fast(2, 1_800, 90)]);
    check_findings(&control("3600+30"), &[], &[]);
    check_findings(&control("900+10"), &[], &[]);
    check_findings(&control("180"), &[], &[too_fast(0, 0, 5)]);
    check_findings(&control("180+2"), &[], &[]);
    check_findings(&control("25/5400+30:1800"), &[], &[Problem::FewMoves(25)]);
    let mut strong = control("5400+29");
    let mut player = strong.players()[&PlayerNo(1)].clone();
    player.rating = Some(2_400);
    apply(&mut strong, Change::EnterPlayer(Box::new(player)));
    check_findings(&strong, &[], &[too_fast(1, 2_400, 120)]);
    let sectors = with(|event| {
        let sector = Sector {
            control: "15m+10s".to_owned(),
            ..Sector::new(BoardNo(1), BoardNo(1))
        };
        event.sectors.insert("gallery".to_owned(), sector);
    });
    check_findings(&sectors, &[], &[Problem::SeveralRates]);
}

#[test]
fn three_standard_rounds_a_day_get_a_remark() {
    let day = Date::new(2026, 11, 20).unwrap();
    let mut tournament = with(|event| {
        event.rounds = 3;
        event.round_dates = (1..=3).map(|round| (RoundNo(round), day)).collect();
    });
    let not_paired = Problem::RoundNotPaired(RoundNo(3));
    check_findings(
        &tournament,
        std::slice::from_ref(&not_paired),
        &[Problem::ManyRoundsADay(day, 3)],
    );
    let mut event = tournament.event().clone();
    event.time_control_code = "180+2".to_owned();
    event.contest = Contest::Individual;
    apply(&mut tournament, Change::SetEvent(Box::new(event)));
    check_findings(&tournament, &[not_paired], &[]);
}

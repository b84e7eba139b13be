//! The event in the hall: changes apply once, completely or not at all, and only from permitted senders who saw the current state.

use hall::{Denied, HubEffect, Input, Outcome, describe, to_proto};
use proto::log::record;
use tournament::{
    AbnormalPoints, Actor, BoardNo, BoardPhase, Bye, Change, Event, GameResult, Outcome as Score,
    Pairing, Player, PlayerNo, Points, ProposalReason, Renumbering, RoundNo, RoundPhase, Scope,
    Sector, Team, TeamNo,
};

use proto::refusal::{ChangeKind, RefusalCode};

use crate::event_rig::{apply_all, bonus, enter, id_of, paired, player, sample};
use crate::rig::{Rig, start_up};

const WON: GameResult = GameResult::played(Score::Win);
const DRAWN: GameResult = GameResult::played(Score::Draw);

#[test]
fn a_file_becomes_the_halls_event_and_the_log_alone_reproduces_it() {
    let mut rig = Rig::new();
    let changes = sample();
    assert_eq!(rig.chief_changes(changes.clone()), 1);
    assert_eq!(rig.event_now(), Some(apply_all(&changes)));
    assert_eq!(
        rig.replayed().tournament().map(|now| now.tournament),
        rig.hall.tournament().map(|now| now.tournament)
    );
    rig.assert_replay_equals_live();
}

#[test]
fn a_round_takes_its_course_live_and_in_a_replay() {
    let mut rig = Rig::with_round();
    let (round, board) = (RoundNo(1), BoardNo(1));
    rig.chief_changes(
        (1..=3)
            .map(|no| Change::Preset(round, BoardNo(no)))
            .collect(),
    );
    rig.chief_changes(vec![Change::Start(round, Scope::All)]);
    let clock = rig.request_for(Actor::clock("1"), vec![Change::FirstPress(round, board)]);
    assert_eq!(rig.change(clock).unwrap().outcome, Outcome::Done);
    let proposal = Change::Propose(round, board, WON, ProposalReason::Text("flag".to_owned()));
    let proposal = rig.request_for(Actor::clock("1"), vec![proposal]);
    assert_eq!(rig.change(proposal).unwrap().outcome, Outcome::Done);
    let at = rig.event_now().unwrap().rounds()[&round].boards[&board].clone();
    assert_eq!(at.phase, BoardPhase::Running);
    assert_eq!(
        at.proposed,
        Some((WON, ProposalReason::Text("flag".to_owned())))
    );
    for no in 1..=3 {
        let floor = rig.request_for(Actor::floor("Ann"), vec![enter(1, no, WON, "")]);
        assert_eq!(rig.change(floor).unwrap().outcome, Outcome::Done);
    }
    rig.chief_changes(vec![enter(1, 2, DRAWN, "slip misread")]);
    rig.chief_changes(vec![Change::Confirm(round)]);
    let event = rig.event_now().unwrap();
    assert_eq!(event.rounds()[&round].phase(), RoundPhase::Confirmed);
    let corrected = &event.rounds()[&round].boards[&BoardNo(2)].corrections[0];
    assert_eq!(corrected.from, Some(WON));
    assert_eq!(corrected.reason, "slip misread");
    rig.assert_replay_equals_live();
}

#[test]
fn a_bundle_applies_whole_or_not_at_all() {
    let mut rig = Rig::with_round();
    let both = vec![enter(1, 1, WON, ""), enter(1, 9, WON, "")];
    let request = rig.request_for(Actor::chief("Chief"), both);
    let why = rig.refused(request);
    assert_eq!(why, "round 1, board 9: 1-0: round 1 has no board 9");
    rig.assert_replay_equals_live();
}

#[test]
fn an_event_begins_with_its_own_data() {
    let mut rig = Rig::new();
    let request = rig.request_for(Actor::chief("Chief"), vec![player(1)]);
    let why = rig.refused(request);
    assert!(why.contains("there is no event yet"), "{why}");
    let nothing = Event::new("Open", 0);
    let request = rig.request_for(
        Actor::chief("Chief"),
        vec![Change::SetEvent(Box::new(nothing)), player(1)],
    );
    let why = rig.refused(request);
    assert!(why.contains("1 to 200 rounds"), "{why}");
    rig.assert_replay_equals_live();
}

#[test]
fn a_repeated_request_has_one_effect_and_its_first_answer() {
    let mut rig = Rig::with_round();
    let first = rig.request_for(Actor::floor("Ann"), vec![enter(1, 1, WON, "")]);
    let done = rig.change(first.clone()).unwrap();
    rig.chief_changes(vec![enter(1, 1, DRAWN, "slip misread")]);
    let (log, event) = (rig.log.len(), rig.event_now());
    assert_eq!(rig.change(first.clone()).unwrap(), done);
    rig.restart();
    assert_eq!(rig.change(first).unwrap(), done);
    assert_eq!(rig.event_now(), event);
    // The restart has added only one record: the hub's start.
    assert_eq!(rig.log.len(), log + 1);
}

#[test]
fn a_repeated_refused_request_gets_the_same_answer_whatever_has_changed() {
    let mut rig = Rig::with_round();
    let early = rig.request_for(Actor::chief("Chief"), vec![Change::Confirm(RoundNo(1))]);
    let first = rig.change(early.clone()).unwrap();
    assert!(matches!(&first.outcome, Outcome::Refused(why) if why.text().contains("not finished")));
    rig.chief_changes((1..=3).map(|no| enter(1, no, WON, "")).collect());
    rig.restart();
    assert_eq!(rig.change(early).unwrap(), first);
    let again = rig.request_for(Actor::chief("Chief"), vec![Change::Confirm(RoundNo(1))]);
    assert_eq!(rig.change(again).unwrap().outcome, Outcome::Done);
    rig.assert_replay_equals_live();
}

#[test]
fn two_arbiters_at_two_boards_do_not_conflict() {
    let mut rig = Rig::with_round();
    let ann = rig.request_for(Actor::floor("Ann"), vec![enter(1, 1, WON, "")]);
    let bea = rig.request_for(Actor::floor("Bea"), vec![enter(1, 2, DRAWN, "")]);
    assert_eq!(ann.seen, bea.seen);
    assert_eq!(rig.change(ann).unwrap().outcome, Outcome::Done);
    assert_eq!(rig.change(bea).unwrap().outcome, Outcome::Done);
}

#[test]
fn a_stale_request_is_refused_with_the_changes() {
    let mut rig = Rig::with_round();
    let correct = vec![enter(1, 1, DRAWN, "slip misread")];
    let mut late = rig.request_for(Actor::floor("Bea"), correct.clone());
    let confirm = rig.request_for(Actor::chief("Chief"), vec![Change::Confirm(RoundNo(1))]);
    let pair = rig.request_for(
        Actor::chief("Chief"),
        vec![paired(2, &[(1, 2), (3, 4), (5, 6)])],
    );
    let rename = rig.request_for(Actor::chief("Chief"), vec![player(1)]);
    let ann = rig.request_for(Actor::floor("Ann"), vec![enter(1, 1, WON, "")]);
    assert_eq!(rig.change(ann).unwrap().outcome, Outcome::Done);
    let why = rig.refusal(late.clone());
    assert_eq!(
        why.text(),
        "the event has changed since you looked: board 1 of round 1 has 1-0 now, by Ann"
    );
    let told = why.to_wire().changes;
    let [change] = &told[..] else {
        panic!("{told:?}");
    };
    assert_eq!(
        (change.kind(), change.actor.as_str()),
        (ChangeKind::GameResult, "Ann")
    );
    assert_eq!(
        (change.round, change.board.as_str(), change.name.as_str()),
        (1, "1", "1-0")
    );
    assert_eq!(change.at_us, Some(rig.now.as_micros()));
    // Both of these requests depend on the changed board: a confirmation depends on all boards of its round, and pairings depend on everything.
    // Renaming a player does not depend on it.
    for request in [confirm, pair] {
        let why = rig.refused(request);
        assert!(
            why.contains("board 1 of round 1 has 1-0 now, by Ann"),
            "{why}"
        );
    }
    assert_eq!(rig.change(rename).unwrap().outcome, Outcome::Done);
    // The sender's view is just as outdated after a restart.
    rig.restart();
    late.id = id_of(200);
    assert_eq!(rig.refusal(late.clone()).to_wire().changes, told);
    // A sender may choose to ignore later changes.
    (late.id, late.seen) = (id_of(201), None);
    assert_eq!(rig.change(late).unwrap().outcome, Outcome::Done);
}

#[test]
fn the_second_of_two_simultaneous_new_events_is_refused() {
    let mut rig = Rig::new();
    let file = sample();
    let other = vec![
        Change::SetEvent(Box::new(Event::new("Other", 9))),
        player(90),
    ];
    let first = rig.request_for(Actor::chief("Ann"), file.clone());
    let second = rig.request_for(Actor::chief("Bea"), other);
    assert_eq!((first.seen, second.seen), (Some(0), Some(0)));
    assert_eq!(rig.change(first).unwrap().outcome, Outcome::Done);
    let why = rig.refused(second);
    assert!(
        why.starts_with("the event has changed since you looked:") && why.contains("by Ann"),
        "{why}"
    );
    assert_eq!(rig.event_now(), Some(apply_all(&file)));
}

#[test]
fn a_result_on_the_wrong_board_can_be_removed_after_a_restart() {
    let mut rig = Rig::with_round();
    let board = BoardNo(1);
    rig.chief_changes(vec![enter(1, 1, WON, "")]);
    rig.hall = rig.replayed();
    let back = Change::RemoveResult(RoundNo(1), board, "wrong board".to_owned());
    rig.chief_changes(vec![back]);
    let round = rig.event_now().unwrap().rounds()[&RoundNo(1)].clone();
    assert_eq!(
        (round.boards[&board].phase, round.phase()),
        (BoardPhase::Paired, RoundPhase::Paired)
    );
    rig.chief_changes(vec![Change::Unpair(RoundNo(1))]);
}

#[test]
fn reports_of_clocks_make_no_view_stale() {
    let mut rig = Rig::with_round();
    let (round, board) = (RoundNo(1), BoardNo(1));
    let ann = rig.request_for(Actor::floor("Ann"), vec![enter(1, 1, DRAWN, "")]);
    rig.chief_changes(vec![Change::Start(round, Scope::All)]);
    let moves = vec![
        Change::FirstPress(round, board),
        Change::Propose(round, board, WON, ProposalReason::Text("flag".to_owned())),
    ];
    let clock = rig.request_for(Actor::clock("1"), moves);
    assert_eq!(rig.change(clock).unwrap().outcome, Outcome::Done);
    assert_eq!(rig.change(ann).unwrap().outcome, Outcome::Done);
}

#[test]
fn roles_are_enforced() {
    let mut rig = Rig::with_round();
    let floor = rig.request_for(Actor::floor("Ann"), vec![player(7)]);
    assert_eq!(rig.refused(floor), "only the chief arbiter may do this");
    let clock = rig.request_for(Actor::clock("1"), vec![enter(1, 1, WON, "")]);
    assert_eq!(rig.refused(clock), "only an arbiter may do this");
    rig.assert_replay_equals_live();
}

#[test]
fn an_invalid_bundle_is_denied_and_leaves_no_trace() {
    let mut rig = Rig::with_round();
    let log = rig.log.len();
    let nothing = rig.request_for(Actor::chief("Chief"), Vec::new());
    let mut long = rig.request_for(Actor::chief("Chief"), vec![player(7)]);
    long.reason = "x".repeat(301);
    let named = rig.request_for(Actor::chief(&"x".repeat(241)), vec![player(7)]);
    let mut long_note = rig.request_for(Actor::floor("Ann"), Vec::new());
    long_note.changes = vec![enter(1, 1, WON, &"x".repeat(301))];
    for request in [nothing, long, named, long_note] {
        let denied = rig.change(request).unwrap_err();
        assert!(matches!(denied, Denied::Invalid(_)), "{denied:?}");
    }
    assert_eq!(rig.log.len(), log);
}

#[test]
fn every_version_is_published_and_the_newest_again_after_a_start() {
    let shown = |effects: Vec<HubEffect>| -> Vec<u64> {
        let versions = effects.into_iter().filter_map(|effect| match effect {
            HubEffect::Tournament { now } => Some(now.version),
            _ => None,
        });
        versions.collect()
    };
    let mut rig = Rig::with_round();
    for (version, no) in (2..).zip(1..=3) {
        let request = rig.request_for(Actor::floor("Ann"), vec![enter(1, no, WON, "")]);
        let (_, effects) = rig.asked(request);
        assert_eq!(shown(effects), [version]);
    }
    rig.hall = rig.replayed();
    let started = Input::StartUp(Box::new(start_up(None)));
    assert_eq!(shown(rig.input(started)), [4]);
}

#[test]
fn the_current_round_is_published() {
    let mut rig = Rig::with_round();
    let mut shown = |changes: Vec<Change>| {
        let request = rig.request_for(Actor::chief("Chief"), changes);
        let (_, effects) = rig.asked(request);
        let mut events = effects.into_iter().filter_map(|effect| match effect {
            HubEffect::PublishEvent { event } => Some((event.round, event.rounds)),
            _ => None,
        });
        events.next()
    };
    let results = (1..=3).map(|no| enter(1, no, WON, "")).collect();
    assert_eq!(shown(vec![player(7)]), None, "it is shown already");
    assert_eq!(shown(vec![paired(2, &[(1, 2), (3, 4), (5, 6)])]), None);
    assert_eq!(shown(results), Some((Some(2), Some(3))));
    let back = Change::RemoveResult(RoundNo(1), BoardNo(1), "still playing".to_owned());
    assert_eq!(shown(vec![back]), Some((Some(1), Some(3))));
    rig.hall = rig.replayed();
    let effects = rig.input(Input::StartUp(Box::new(start_up(None))));
    let newest = effects.iter().rev().find_map(|effect| match effect {
        HubEffect::PublishEvent { event } => Some(event.round),
        _ => None,
    });
    assert_eq!(newest, Some(Some(1)));
}

#[test]
fn the_events_own_name_is_published() {
    let mut rig = Rig::new();
    let shown = |rig: &mut Rig, input: Input| {
        let effects = rig.input(input).into_iter();
        let names = effects.filter_map(|effect| match effect {
            HubEffect::PublishEvent { event } => Some(event.name),
            _ => None,
        });
        names.last()
    };
    let named = |rig: &mut Rig, name: &str| {
        let change = Change::SetEvent(Box::new(Event::new(name, 3)));
        let request = rig.request_for(Actor::chief("Chief"), vec![change]);
        let reply = rig.reply();
        Input::asked(request, reply)
    };
    for name in ["Harbour Cup", "", "Harbour Cup 2026"] {
        let input = named(&mut rig, name);
        let public = if name.is_empty() { "Test Open" } else { name };
        assert_eq!(shown(&mut rig, input).as_deref(), Some(public));
    }
    rig.hall = rig.replayed();
    let started = Input::StartUp(Box::new(start_up(None)));
    assert_eq!(
        shown(&mut rig, started).as_deref(),
        Some("Harbour Cup 2026")
    );
}

#[test]
fn every_record_of_an_event_has_a_readable_description() {
    let mut rig = Rig::with_round();
    let mut entered = rig.request_for(Actor::floor("Ann"), vec![enter(1, 1, WON, "")]);
    entered.reason = "from the slips".to_owned();
    rig.change(entered).unwrap();
    let early = rig.request_for(Actor::chief("Chief"), vec![Change::Confirm(RoundNo(1))]);
    rig.change(early).unwrap();
    let lines: Vec<String> = rig.log.iter().map(describe).collect();
    let text = lines.join("\n");
    for line in [
        "event: the event is “Harbour Cup”, 3 rounds; player 1: Player, 1; player 2: Player, 2; \
         player 3: Player, 3; and 4 more changes by Chief",
        "event: round 1, board 1: 1-0 by Ann (from the slips)",
        "event: refused: round 1 is not finished: board 2 has no result: asked by Chief",
    ] {
        assert!(text.contains(line), "{text}");
    }
}

/// Characters that control the writing direction, other invisible characters, and control characters that a terminal interprets.
const HIDDEN: [char; 17] = [
    '\u{202a}', '\u{202b}', '\u{202c}', '\u{202d}', '\u{202e}', '\u{2066}', '\u{2067}', '\u{2068}',
    '\u{2069}', '\u{200e}', '\u{200f}', '\u{61c}', '\u{200b}', '\u{feff}', '\u{2028}', '\n',
    '\u{1b}',
];

#[test]
fn names_and_reasons_with_hidden_characters_are_refused() {
    let mut rig = Rig::with_round();
    for char in HIDDEN {
        let text = format!("Ada{char} 1-0");
        let event = |change: fn(&mut Event, String)| {
            let mut event = Event::new("Harbour Cup", 3);
            change(&mut event, text.clone());
            Change::SetEvent(Box::new(event))
        };
        let team = Team {
            no: TeamNo(1),
            name: text.clone(),
            short_name: String::new(),
            federation: String::new(),
            players: Vec::new(),
        };
        let mut member = Player::new(PlayerNo(1), "Ada");
        member.club.clone_from(&text);
        let changes = [
            event(|event, text| event.name = text),
            event(|event, text| event.city = text),
            event(|event, text| event.chief_arbiter = text),
            event(|event, text| event.deputies = vec![text]),
            event(|event, text| event.time_control = text),
            event(|event, text| {
                let (from, to) = (BoardNo(1), BoardNo(2));
                let control = String::new();
                event.sectors.insert(text, Sector { from, to, control });
            }),
            Change::EnterPlayer(Box::new(member)),
            Change::EnterPlayer(Box::new(Player::new(PlayerNo(1), &text))),
            Change::EnterTeam(Box::new(team)),
            enter(1, 1, WON, &text),
            Change::Reopen(RoundNo(1), text.clone()),
        ];
        for change in changes {
            let words = format!("{change:?}");
            let request = rig.request_for(Actor::chief("Chief"), vec![change]);
            let denied = rig.change(request).unwrap_err();
            let Denied::NotPossible(why) = denied else {
                panic!("{words}: {denied}");
            };
            assert_eq!(why.code(), RefusalCode::HiddenCharacter, "{words}");
            assert!(why.text().contains(&format!("U+{:04X}", u32::from(char))));
        }
        let mut request = rig.request_for(Actor::chief("Chief"), vec![enter(1, 1, WON, "")]);
        request.reason = text.clone();
        assert!(matches!(rig.change(request), Err(Denied::NotPossible(_))));
    }
    assert_eq!(rig.version(), 1);
    // A name written from right to left is valid. The event itself accepts hidden characters, so that older logs remain readable.
    let name = "פלונית, אלמונית";
    rig.chief_changes(vec![Change::EnterPlayer(Box::new(Player::new(
        PlayerNo(1),
        name,
    )))]);
    let marked = Player::new(PlayerNo(1), "Ada\u{200f} Byron");
    let mut older = rig.event_now().unwrap();
    let taken = older.apply(
        &Actor::chief("Chief"),
        Change::EnterPlayer(Box::new(marked)),
    );
    assert_eq!(taken, Ok(()));
}

/// An older hub accepted points that no report can hold. The event keeps them, but no request can add any.
#[test]
fn new_abnormal_points_fit_their_columns_in_a_report() {
    let with_points = |points: &[&str]| {
        let mut event = Event::new("Harbour Cup", 3);
        event.abnormal_points = points
            .iter()
            .map(|points| AbnormalPoints {
                points: Points::parse(points),
                ..bonus(&[1])
            })
            .collect();
        Change::SetEvent(Box::new(event))
    };
    let mut rig = Rig::with_round();
    rig.chief_changes(vec![with_points(&["-9.9", "99.9", "-99", "999"])]);
    for wide in ["123.4", "-12.5"] {
        let request = rig.request_for(Actor::chief("Chief"), vec![with_points(&[wide])]);
        let Err(Denied::NotPossible(why)) = rig.change(request) else {
            panic!("{wide}");
        };
        let said = "abnormal points must be from -9.9 to 99.9 with one decimal, or a whole number from -99 to 999, not ";
        assert_eq!(why.text(), format!("{said}{wide}"));
    }
    if let Some(record::Input::EventChanged(changed)) = &mut rig.log.last_mut().unwrap().input {
        changed.changes = vec![to_proto::tournament::change(&with_points(&["123.4"]))];
    }
    rig.hall = rig.replayed();
    rig.chief_changes(vec![with_points(&["123.4", "2.5"])]);
}

#[test]
fn a_request_with_an_old_player_number_is_refused() {
    let mut rig = Rig::with_round();
    let stale = [
        Change::Withdraw(PlayerNo(1), RoundNo(1)),
        Change::GrantBye(PlayerNo(2), RoundNo(2), Some(Bye::Half)),
        Change::Reseat(
            RoundNo(1),
            Pairing::new(BoardNo(1), PlayerNo(4), PlayerNo(1)).into(),
        ),
    ];
    let stale = stale.map(|change| rig.request_for(Actor::chief("Bea"), vec![change]));
    let by_number = rig.request_for(Actor::floor("Ann"), vec![enter(1, 1, WON, "")]);
    let order = [6, 5, 4, 3, 2, 1].map(PlayerNo).to_vec();
    let kept_lines = Vec::new();
    rig.chief_changes(vec![Change::Renumber(Box::new(Renumbering {
        order,
        kept_lines,
    }))]);
    for request in stale {
        let why = rig.refused(request);
        assert!(
            why.starts_with("the event has changed since you looked: player "),
            "{why}"
        );
    }
    // A result refers to a board, and the boards have kept their numbers.
    assert_eq!(rig.change(by_number).unwrap().outcome, Outcome::Done);
    let event = rig.event_now().unwrap();
    let board = &event.rounds()[&RoundNo(1)].boards[&BoardNo(1)];
    assert_eq!(
        (board.white, board.black),
        (Some(PlayerNo(6)), Some(PlayerNo(3)))
    );
    assert_eq!(event.players()[&PlayerNo(6)].name, "Player, 1");
    rig.assert_replay_equals_live();
}

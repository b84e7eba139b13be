//! Setting the clocks of a round: clocks that are set, pending, refused, set differently or missing.

use hall::{Denied, Outcome, WorkState};
use proto::refusal::RefusalCode;
use timing::{AfterFlag, Side};
use tournament::{
    Actor, BoardNo, BoardPhase, Change, Event, Refusal, RoundNo, RoundPhase, Scope, Sector,
};

use crate::rig::Rig;
use crate::round_rig::{CONTROL, at, freezes, preset_of, with};

#[test]
fn a_round_is_set_with_control_names_and_number() {
    let (mut rig, mut clocks) = Rig::with_hall();
    // Each clock keeps its board's time, so it is set by an order that it must carry out.
    assert_eq!(rig.preset(1, Scope::All), [WorkState::OnItsWay; 3]);
    assert_eq!(rig.round_phase(1), RoundPhase::Paired);
    assert_eq!(rig.control("1"), "5m");
    // A board has no game of the round until its clock has carried out the order.
    assert_eq!(rig.view("2").round, None);
    clocks[1].take_orders(&mut rig);
    assert_eq!(rig.view("2").round, Some(RoundNo(1)));
    assert_eq!(rig.view("3").round, None);
    let (paired, preset) = (BoardPhase::Paired, BoardPhase::Preset);
    assert_eq!(rig.phases(1), [paired, preset, paired]);
    assert_eq!(rig.round_phase(1), RoundPhase::Paired);
    rig.all_take(&mut clocks);
    assert_eq!(rig.phases(1), [preset; 3]);
    assert_eq!(rig.round_phase(1), RoundPhase::Preset);
    let board = rig.view("2").view.clone();
    let names = (board.white.name.as_str(), board.black.name.as_str());
    assert_eq!(names, ("Player, 2", "Player, 5"));
    for board in ["1", "2", "3"] {
        assert_eq!(rig.control(board), CONTROL);
    }
    rig.assert_replay_equals_live();
}

#[test]
fn repeating_the_request_changes_nothing() {
    let (mut rig, mut clocks) = Rig::with_hall();
    rig.preset(1, Scope::All);
    let log = rig.log.len();
    // No second order is sent while the first is in transit.
    assert_eq!(rig.preset(1, Scope::All), [WorkState::OnItsWay; 3]);
    assert_eq!(rig.log.len(), log);
    rig.all_take(&mut clocks);
    let (log, version) = (rig.log.len(), rig.version());
    assert_eq!(rig.preset(1, Scope::All), [WorkState::Set; 3]);
    assert_eq!((rig.log.len(), rig.version()), (log, version));
}

#[test]
fn a_dry_run_only_reports_the_state_of_the_boards() {
    let (mut rig, _) = Rig::with_hall();
    let log = rig.log.len();
    let mut request = preset_of(1, Scope::Sector("gallery".to_owned()));
    request.dry_run = true;
    let answer = rig.work(request).unwrap();
    let boards: Vec<_> = answer
        .boards
        .iter()
        .map(|board| (board.board.0, board.state))
        .collect();
    assert_eq!(boards, [(2, WorkState::Open), (3, WorkState::Open)]);
    assert_eq!(
        answer.control.map(|control| control.to_string()).as_deref(),
        Some(CONTROL)
    );
    assert_eq!(rig.log.len(), log);
}

#[test]
fn a_sector_or_a_board_can_be_set_alone() {
    let (mut rig, mut clocks) = Rig::with_hall();
    rig.preset(1, Scope::Sector("gallery".to_owned()));
    rig.all_take(&mut clocks);
    assert_eq!(rig.phases(1)[0], BoardPhase::Paired);
    assert_eq!(rig.phases(1)[1..], [BoardPhase::Preset; 2]);
    // Board 1, which is outside the sector, is set on its own.
    assert_eq!(rig.preset_board(1, 1).state, WorkState::OnItsWay);
    rig.all_take(&mut clocks);
    assert_eq!(rig.round_phase(1), RoundPhase::Preset);
    let nowhere = rig.work(preset_of(1, at(9))).unwrap_err();
    assert_eq!(
        nowhere,
        Denied::NotFound(Refusal::NoBoard(RoundNo(1), BoardNo(9)).into())
    );
    let nowhere = rig
        .work(preset_of(1, Scope::Sector("attic".to_owned())))
        .unwrap_err();
    assert!(matches!(nowhere, Denied::NotFound(why) if why.text().contains("attic")));
    let early = rig.work(preset_of(2, Scope::All)).unwrap_err();
    assert_eq!(early, Denied::NotFound(Refusal::NoRound(RoundNo(2)).into()));
}

#[test]
fn every_board_gets_the_control_of_its_sector() {
    let (mut rig, mut clocks) = Rig::with_hall();
    let mut event = rig.event_now().unwrap().event().clone();
    let set = |rig: &mut Rig, event: &Event| {
        let change = Change::SetEvent(Box::new(event.clone()));
        let request = rig.request_for(Actor::chief("Chief"), vec![change]);
        rig.change(request).map(|answer| answer.outcome)
    };
    let gallery = event.sectors.get_mut("gallery").unwrap();
    gallery.control = "soon".to_owned();
    let why = set(&mut rig, &event).unwrap_err().to_string();
    assert!(why.contains("of sector gallery cannot be read"), "{why}");
    event.sectors.get_mut("gallery").unwrap().control = "1500+10".to_owned();
    let mut clash = event.clone();
    let stage = Sector {
        control: "3m+2s".to_owned(),
        ..Sector::new(BoardNo(3), BoardNo(9))
    };
    clash.sectors.insert("stage".to_owned(), stage);
    let why = set(&mut rig, &clash).unwrap_err().to_string();
    assert!(why.contains("gallery and stage share boards"), "{why}");
    assert_eq!(set(&mut rig, &event), Ok(Outcome::Done));
    let answer = rig.work(preset_of(1, Scope::All)).unwrap();
    assert_eq!(answer.control, None, "they differ");
    rig.all_take(&mut clocks);
    let controls = ["1", "2", "3"].map(|board| rig.control(board));
    assert_eq!(controls, [CONTROL, "25m+10s", "25m+10s"]);
    assert_eq!(rig.preset(1, Scope::All), [WorkState::Set; 3]);
    // A time control that an arbiter names applies to all boards.
    let named = with(preset_of(1, Scope::All), |with| {
        with.control = Some("5m".parse().unwrap());
        with.again = true;
    });
    rig.work(named).unwrap();
    rig.all_take(&mut clocks);
    assert_eq!(rig.control("3"), "5m");
    rig.assert_replay_equals_live();
}

#[test]
fn a_silent_clock_is_set_when_it_reconnects_even_if_the_hub_restarts() {
    let (mut rig, mut clocks) = Rig::with_hall();
    clocks[2].drop_link(&mut rig);
    rig.pass(5.0);
    clocks[0].watermark(&mut rig);
    clocks[1].watermark(&mut rig);
    let stands = rig.preset(1, Scope::All);
    assert_eq!(
        stands,
        [WorkState::OnItsWay, WorkState::OnItsWay, WorkState::Silent]
    );
    clocks[0].take_orders(&mut rig);
    rig.restart();
    for clock in &mut clocks {
        clock.connect(&mut rig);
    }
    rig.all_take(&mut clocks);
    assert_eq!(rig.phases(1), [BoardPhase::Preset; 3]);
    assert_eq!(rig.control("3"), CONTROL);
    assert_eq!(rig.view("3").view.white.name, "Player, 3");
    rig.assert_replay_equals_live();
}

#[test]
fn the_clocks_are_set_wherever_the_hub_stops() {
    let (mut rig, mut clocks) = Rig::with_hall();
    let before = rig.log.len();
    rig.preset(1, at(1));
    clocks[0].take_orders(&mut rig);
    let whole = rig.log.clone();
    for len in before..=whole.len() {
        let mut other = Rig::new();
        other.now = rig.now;
        other.log = whole[..len].to_vec();
        other.restart();
        if len > before {
            let taken = other.hall.clock_bytes("1") == rig.hall.clock_bytes("1");
            let phase = other.phases(1)[0];
            assert_eq!(
                phase == BoardPhase::Preset,
                taken,
                "{len} of {}",
                whole.len()
            );
        }
        other.assert_replay_equals_live();
    }
}

#[test]
fn boards_are_added_to_the_hall_and_boards_without_a_clock_are_missing() {
    let mut rig = Rig::with_timed_round();
    let mut floor = preset_of(1, at(1));
    floor.actor = Actor::floor("Ann");
    let board = rig.work(floor).unwrap().boards.remove(0);
    assert_eq!(board.state, WorkState::Missing);
    assert!(
        board.words().contains("only the chief arbiter"),
        "{}",
        board.words()
    );
    assert_eq!(rig.hall.board_count(), 0);
    assert_eq!(rig.preset(1, Scope::All), [WorkState::Missing; 3]);
    assert_eq!(rig.control("3"), CONTROL);
    assert_eq!(rig.phases(1), [BoardPhase::Paired; 3]);
    assert_eq!(rig.preset(1, Scope::All), [WorkState::Missing; 3]);
    // A clock that connects later completes the setting.
    let mut clock = rig.enrol(7, Some("3"));
    clock.connect(&mut rig);
    clock.take_orders(&mut rig);
    assert_eq!(rig.phases(1)[2], BoardPhase::Preset);
    assert_eq!(rig.preset_board(1, 3).state, WorkState::Set);
    rig.assert_replay_equals_live();
}

#[test]
fn a_clock_that_was_set_differently_is_listed_and_set_again_on_request() {
    let (mut rig, mut clocks) = Rig::with_preset();
    rig.ask("2", "control 1h");
    rig.all_take(&mut clocks);
    let board = rig.preset_board(1, 2);
    assert_eq!(board.state, WorkState::Differs);
    assert_eq!(board.words(), "its clock has 1h, not 90m+30s");
    assert_eq!(rig.control("2"), "1h");
    let again = with(preset_of(1, at(2)), |with| with.again = true);
    assert_eq!(
        rig.work(again).unwrap().boards[0].state,
        WorkState::OnItsWay
    );
    rig.all_take(&mut clocks);
    assert_eq!(rig.preset_board(1, 2).state, WorkState::Set);
    assert_eq!(rig.control("2"), CONTROL);
    rig.assert_replay_equals_live();
}

#[test]
fn an_arbiter_may_name_a_control_and_the_event_a_rule_for_fallen_flags() {
    let (mut rig, mut clocks) = Rig::with_hall();
    let odds = "15m+10s vs 10m+10s";
    let named = with(preset_of(1, at(1)), |with| with.control = odds.parse().ok());
    rig.work(named).unwrap();
    rig.work(with(preset_of(1, at(2)), freezes)).unwrap();
    rig.all_take(&mut clocks);
    let odds: timing::TimeControl = odds.parse().unwrap();
    assert_eq!(rig.control("1"), odds.to_string());
    let has: timing::TimeControl = rig.control("2").parse().unwrap();
    assert_eq!(has.after_flag(), AfterFlag::Freezes);
    let wanted: timing::TimeControl = CONTROL.parse().unwrap();
    assert_eq!(has.side(Side::White), wanted.side(Side::White));
}

#[test]
fn draw_odds_come_with_the_control_that_an_arbiter_names() {
    let (mut rig, mut clocks) = Rig::with_hall();
    let named = with(preset_of(1, at(1)), |with| {
        with.control = Some("5m vs 4m".parse().unwrap());
        with.draw_odds = Some(Side::Black);
    });
    rig.work(named).unwrap();
    rig.preset(1, at(2));
    rig.all_take(&mut clocks);
    let odds = ["1", "2"].map(|board| rig.view(board).view.draw_odds);
    assert_eq!(odds, [Some(hall::view::Side::Black), None]);
    rig.assert_replay_equals_live();
}

#[test]
fn a_sector_may_have_a_preset_with_its_draw_odds() {
    let (mut rig, mut clocks) = Rig::with_hall();
    let mut event = rig.event_now().unwrap().event().clone();
    event.sectors.get_mut("gallery").unwrap().control = "fide-armageddon".to_owned();
    rig.chief_changes(vec![Change::SetEvent(Box::new(event))]);
    rig.preset(1, Scope::All);
    rig.all_take(&mut clocks);
    assert_eq!(rig.control("2"), "5m vs 4m");
    let odds = ["1", "2"].map(|board| rig.view(board).view.draw_odds);
    assert_eq!(odds, [None, Some(hall::view::Side::Black)]);
    rig.assert_replay_equals_live();
}

#[test]
fn an_event_without_a_control_uses_the_hubs_and_an_unreadable_one_is_reported() {
    let (mut rig, mut clocks) = Rig::with_hall();
    let mut event = rig.event_now().unwrap().event().clone();
    event.time_control_code = "ninety minutes".to_owned();
    rig.chief_changes(vec![Change::SetEvent(Box::new(event.clone()))]);
    let why = rig.work(preset_of(1, Scope::All)).unwrap_err();
    assert!(
        matches!(&why, Denied::NotPossible(why) if why.text().contains("ninety minutes")
            && why.code() == RefusalCode::ControlUnreadable
            && why.to_wire().name == "ninety minutes"),
        "{why}"
    );
    event.time_control_code.clear();
    rig.chief_changes(vec![Change::SetEvent(Box::new(event))]);
    rig.preset(1, Scope::All);
    rig.all_take(&mut clocks);
    assert_eq!(rig.control("1"), "15m+10s");
}

#[test]
fn a_board_with_two_clocks_is_set_once_both_have_answered() {
    let mut rig = Rig::with_timed_round();
    assert_eq!(rig.preset_board(1, 1).state, WorkState::Missing);
    let mut clocks = Vec::new();
    for (number, side) in [(8, Side::White), (9, Side::Black)] {
        let mut clock = rig.enrol(number, None);
        clock.connect(&mut rig);
        let key = clock.id.to_string();
        let assigned = rig.request("1", hall::Action::AssignSide(side, key));
        assert_eq!(assigned.unwrap().outcome, Outcome::Done);
        clocks.push(clock);
    }
    crate::pair::synchronise(&mut rig, &mut clocks.iter_mut().collect::<Vec<_>>());
    clocks[0].take_orders(&mut rig);
    assert_eq!(rig.phases(1)[0], BoardPhase::Paired);
    assert_eq!(rig.preset_board(1, 1).state, WorkState::OnItsWay);
    clocks[1].take_orders(&mut rig);
    assert_eq!(rig.phases(1)[0], BoardPhase::Preset);
    rig.start_round(1, at(1));
    assert_eq!(rig.phases(1)[0], BoardPhase::Started);
    assert_eq!(rig.view("1").view.running, hall::view::Running::White);
    rig.assert_replay_equals_live();
}

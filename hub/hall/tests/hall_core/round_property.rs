//! For any actions of arbiters, clocks and links in any order, a game has the same result in the event and on its clock. The log alone reproduces it.

use hall::{Action, Outcome};
use proptest::prelude::*;
use timing::Button;
use tournament::{BoardNo, BoardPhase, Change, GameResult, RoundNo, Scope};

use crate::event_rig::enter;
use crate::rig::{HandClock, Rig};
use crate::round_rig::{CONTROL, DRAWN, LOST, WON, at, floor};

#[derive(Clone, Copy, Debug)]
enum RoundAction {
    Preset,
    Start,
    StartAtBoard,
    Press,
    Result(u8),
    ResultAtBoard(u8),
    TakeBack,
    Resume,
    TakeOrders,
    LinkDown,
    LinkUp,
    HubDies,
}

fn round_action() -> impl Strategy<Value = (u16, RoundAction)> {
    let action = prop_oneof![
        2 => Just(RoundAction::Preset),
        2 => Just(RoundAction::Start),
        1 => Just(RoundAction::StartAtBoard),
        3 => Just(RoundAction::Press),
        3 => (0..3_u8).prop_map(RoundAction::Result),
        3 => (0..3_u8).prop_map(RoundAction::ResultAtBoard),
        2 => Just(RoundAction::TakeBack),
        1 => Just(RoundAction::Resume),
        5 => Just(RoundAction::TakeOrders),
        1 => Just(RoundAction::LinkDown),
        2 => Just(RoundAction::LinkUp),
        1 => Just(RoundAction::HubDies),
    ];
    (1..=3_u16, action)
}

fn perform(rig: &mut Rig, clocks: &mut [HandClock], board: u16, action: RoundAction) {
    let results: [(GameResult, &str); 3] = [(WON, "1-0"), (DRAWN, "1/2-1/2"), (LOST, "0-1")];
    let name = board.to_string();
    let clock = &mut clocks[usize::from(board) - 1];
    let ask = |rig: &mut Rig, command: String| {
        let mut asked = rig.chief(&name, Action::Board(command.parse().unwrap()));
        asked.reason = "as seen".to_owned();
        rig.send(asked);
    };
    match action {
        RoundAction::Preset => drop(rig.preset(1, at(board))),
        RoundAction::Start => drop(rig.start_round(1, at(board))),
        RoundAction::StartAtBoard => ask(rig, "start".to_owned()),
        RoundAction::Resume => ask(rig, "resume".to_owned()),
        // Skips a clock that has no link, because a test clock would not resend its events later.
        RoundAction::Press | RoundAction::TakeOrders if clock.link.is_none() => (),
        RoundAction::Press => {
            clock.press(rig, Button::Left);
            clock.press(rig, Button::Right);
        }
        RoundAction::Result(which) => {
            let (result, _) = results[usize::from(which)];
            let done = floor(rig, enter(1, board, result, "as seen"));
            assert_eq!(done, Outcome::Done);
        }
        RoundAction::ResultAtBoard(which) => {
            let (_, text) = results[usize::from(which)];
            ask(rig, format!("end result {text}"));
        }
        RoundAction::TakeBack => {
            let back = Change::RemoveResult(RoundNo(1), BoardNo(board), "as seen".to_owned());
            floor(rig, back);
        }
        RoundAction::TakeOrders => drop(clock.take_orders(rig)),
        RoundAction::LinkDown => clock.drop_link(rig),
        RoundAction::LinkUp if clock.link.is_none() => clock.connect(rig),
        RoundAction::LinkUp => (),
        RoundAction::HubDies => {
            rig.restart();
            for clock in clocks {
                clock.link = None;
            }
        }
    }
}

fn settle(rig: &mut Rig, clocks: &mut [HandClock]) {
    for clock in clocks.iter_mut() {
        clock.drop_link(rig);
    }
    rig.pass(5.0);
    for clock in clocks.iter_mut() {
        clock.connect(rig);
        clock.take_orders(rig);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_game_has_one_result(actions in prop::collection::vec(round_action(), 1..40)) {
        let (mut rig, mut clocks) = Rig::with_hall();
        for (board, action) in actions {
            rig.pass(0.1);
            perform(&mut rig, &mut clocks, board, action);
        }
        settle(&mut rig, &mut clocks);
        rig.preset(1, Scope::All);
        let (log, news) = (rig.log.len(), rig.news());
        for board in 1..=3 {
            let (game, name) = (rig.game(1, board), board.to_string());
            if rig.control(&name) != CONTROL {
                continue;
            }
            let wanted = game.result.map(|result| match result {
                DRAWN => "1/2-1/2".to_owned(),
                other => other.label(),
            });
            prop_assert_eq!(rig.shown(&name), wanted.clone(), "board {}: {:?}", board, game);
            prop_assert_eq!(game.phase == BoardPhase::Finished, wanted.is_some());
            prop_assert!(rig.view(&name).pending.is_empty());
        }
        // Once the clocks have settled, settling them again adds at most a few records.
        settle(&mut rig, &mut clocks);
        let later = rig.log.iter().skip(log);
        prop_assert!(rig.news() - news <= 12, "{:?}", later.map(hall::describe).collect::<Vec<_>>());
        prop_assert!(!rig.notes().iter().any(|kind| kind == "event_not_told" || kind == "result_not_shown"));
        rig.assert_replay_equals_live();
    }
}

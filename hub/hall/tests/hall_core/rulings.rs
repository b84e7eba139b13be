//! Claims, rulings and moves in the hall: judged by the Laws, carried out by the clock in a single step, and replayed like a press.

use proptest::collection::vec;
use proptest::prelude::*;

use hall::{Action, AgentFrame, Denied, Outcome, Request};
use laws::RuleSet;
use proto::log::record;
use proto::refusal::RefusalCode;
use timing::{Button, Side};
use tournament::{Actor, Change, RoundNo, Scope};

use crate::rig::{HandClock, Rig, id};

pub(crate) fn rule(rig: &mut Rig, request: &str) -> Request {
    let request = request.parse().unwrap();
    rig.chief("1", Action::Rule(Box::new(request)))
}

pub(crate) fn moves(rig: &mut Rig, after: u32, moves: &[&str]) -> Request {
    let moves = moves.iter().map(|san| (*san).to_owned()).collect();
    rig.chief("1", Action::Moves { after, moves })
}

#[track_caller]
pub(crate) fn ruled(rig: &mut Rig, clock: &mut HandClock, request: &str) {
    let wanted = rule(rig, request);
    assert!(rig.send(wanted).is_none(), "{request} was answered at once");
    clock.take_orders(rig);
    rig.assert_replay_equals_live();
}

/// Sends a request that the hall must refuse; returns the refusal's code and, if the Laws refuse it, their own code.
#[track_caller]
pub(crate) fn refused(rig: &mut Rig, request: Request) -> (RefusalCode, String) {
    let before = rig.hall.clock_bytes("1");
    let answer = rig.send(request).unwrap().unwrap();
    let Outcome::Refused(why) = answer.outcome else {
        panic!("{:?}", answer.outcome);
    };
    assert_eq!(rig.hall.clock_bytes("1"), before);
    rig.assert_replay_equals_live();
    let law = why.to_wire().law.unwrap_or_default();
    (why.code(), law.kind)
}

#[test]
fn a_second_illegal_move_loses_the_game_by_the_rule_set() {
    let (mut rig, mut clock) = Rig::running("5m");
    rig.pass(2.0);
    clock.press(&mut rig, Button::Left);
    ruled(&mut rig, &mut clock, "illegal white");
    // In blitz, the opponent gains one minute, and White moves again.
    assert_eq!(rig.times("1").1, 360_000_000);
    let detail = rig.hall.detail(&id("1"), rig.now).unwrap();
    assert_eq!(detail.illegal_moves.white, 1);
    rig.pass(1.0);
    clock.press(&mut rig, Button::Left);
    ruled(&mut rig, &mut clock, "illegal white two-hands");
    assert_eq!(
        rig.hall
            .detail(&id("1"), rig.now)
            .unwrap()
            .illegal_moves
            .white,
        2
    );
    assert_eq!(rig.view("1").view.result.as_deref(), Some("0-1"));
}

#[test]
fn a_wrong_claim_costs_two_minutes_and_the_written_move_must_be_played() {
    let (mut rig, mut clock) = Rig::running("2h");
    let standard = RuleSet::find("fide-standard").unwrap();
    let chosen = rig.chief("1", Action::Rules(standard));
    assert_eq!(rig.send(chosen).unwrap().unwrap().outcome, Outcome::Done);
    let entered = moves(&mut rig, 0, &["e4", "e5"]);
    assert_eq!(rig.send(entered).unwrap().unwrap().outcome, Outcome::Done);
    for button in [Button::Left, Button::Right] {
        rig.pass(1.0);
        clock.press(&mut rig, button);
    }
    let wrong = rule(&mut rig, "claim threefold black");
    assert_eq!(
        refused(&mut rig, wrong),
        (RefusalCode::ByTheLaws, "not-on-move".to_owned())
    );
    ruled(&mut rig, &mut clock, "claim threefold white writing Nf3");
    let shown = rig.hall.proceedings("1", rig.now).unwrap();
    let open = shown.open_claim().unwrap();
    assert_eq!(open.written.as_deref(), Some("Nf3"));
    assert_eq!(open.finding.map(laws::Finding::is_correct), Some(false));
    ruled(&mut rig, &mut clock, "rule as-found");
    assert_eq!(rig.times("1").1, 7_319_000_000);
    let shown = rig.hall.proceedings("1", rig.now).unwrap();
    assert_eq!(shown.must_play(), Some((Side::White, "Nf3")));
    let other = moves(&mut rig, 2, &["d4"]);
    assert_eq!(
        refused(&mut rig, other),
        (RefusalCode::ByTheLaws, "must-play".to_owned())
    );
    let intended = moves(&mut rig, 2, &["g1f3"]);
    assert_eq!(rig.send(intended).unwrap().unwrap().outcome, Outcome::Done);
    let shown = rig.hall.proceedings("1", rig.now).unwrap();
    assert_eq!(shown.moves(), ["e4", "e5", "Nf3"]);
    assert_eq!((shown.ahead().white, shown.ahead().black), (1, 0));
    rig.assert_replay_equals_live();
}

#[test]
fn a_claim_that_the_clock_never_carries_out_is_taken_back() {
    let (mut rig, mut clock) = Rig::running("2h");
    rig.pass(1.0);
    clock.press(&mut rig, Button::Left);
    clock.drop_link(&mut rig);
    let claim = rule(&mut rig, "claim fifty-moves black");
    let waiting = claim.id;
    let _ = rig.send(claim);
    rig.pass(3.0);
    assert!(
        rig.hall
            .proceedings("1", rig.now)
            .unwrap()
            .open_claim()
            .is_some()
    );
    // The clock has not carried out the claim's pause yet, so the hall does not judge the ruling.
    let next = rule(&mut rig, "rule as-found");
    assert_eq!(refused(&mut rig, next).0, RefusalCode::CommandWaits);
    let withdrawn = rig.request("1", Action::Withdraw(waiting)).unwrap();
    assert_eq!(withdrawn.outcome, Outcome::Done);
    assert_eq!(
        rig.hall.proceedings("1", rig.now).unwrap().open_claim(),
        None
    );
    rig.assert_replay_equals_live();
}

#[test]
fn moves_are_read_by_the_laws_and_end_the_game() {
    let (mut rig, mut clock) = Rig::running("5m");
    let illegal = moves(&mut rig, 0, &["e4", "e5", "Ke3"]);
    assert_eq!(
        refused(&mut rig, illegal),
        (RefusalCode::MoveNotPlayable, "illegal".to_owned())
    );
    let gap = moves(&mut rig, 3, &["e4"]);
    assert_eq!(refused(&mut rig, gap).0, RefusalCode::MovesMissing);
    let fools_mate = moves(&mut rig, 0, &["f3", "e5", "g4"]);
    assert_eq!(
        rig.send(fools_mate).unwrap().unwrap().outcome,
        Outcome::Done
    );
    // A move entered by mistake is replaced.
    let again = moves(&mut rig, 2, &["g2g4", "Qh4"]);
    assert_eq!(rig.send(again).unwrap().unwrap().outcome, Outcome::Done);
    clock.take_orders(&mut rig);
    assert_eq!(rig.view("1").view.result.as_deref(), Some("0-1"));
    let ended = rig.log.iter().find_map(|record| match &record.input {
        Some(record::Input::Command(command)) if command.actor == "hub" => {
            Some((command.ruling.clone()?.request, command.reason.clone()))
        }
        Some(_) | None => None,
    });
    assert_eq!(
        ended,
        Some(("ended checkmate black".to_owned(), "5.1.1".to_owned()))
    );
    let shown = rig.hall.proceedings("1", rig.now).unwrap();
    assert_eq!(shown.moves(), ["f3", "e5", "g4", "Qh4#"]);
    rig.assert_replay_equals_live();
    assert_eq!(rig.ask("1", "prepare left arbiter 5m"), None);
    clock.take_orders(&mut rig);
    assert_eq!(rig.hall.proceedings("1", rig.now).unwrap().moves(), [""; 0]);
}

#[derive(Clone, Debug)]
enum Turn {
    Press,
    /// Sends the request of the choice with this index modulo the number of choices, even if the choice is not possible.
    Choose(usize),
    /// Enters the legal move with this index modulo the number of legal moves.
    Write(usize),
}

fn turn() -> impl Strategy<Value = Turn> {
    prop_oneof![
        4 => Just(Turn::Press),
        4 => any::<usize>().prop_map(Turn::Choose),
        2 => any::<usize>().prop_map(Turn::Write),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn choices_are_answered_as_they_were_shown(
        rules in 0..RuleSet::all().len(),
        turns in vec((turn(), 1..400_u32), 1..25),
    ) {
        // A game in progress cannot become a game of Time Chess.
        prop_assume!(RuleSet::all()[rules].game != laws::GameKind::TimeChess);
        let (mut rig, mut clock) = Rig::running("3m");
        let chosen = rig.chief("1", Action::Rules(&RuleSet::all()[rules]));
        prop_assert_eq!(rig.send(chosen).unwrap().unwrap().outcome, Outcome::Done);
        for (turn, tenths) in turns {
            rig.pass(f64::from(tenths) / 10.0);
            match turn {
                Turn::Press => {
                    let button = match rig.view("1").view.running {
                        hall::view::Running::Black => Button::Right,
                        _ => Button::Left,
                    };
                    clock.press(&mut rig, button);
                }
                Turn::Choose(index) => {
                    let shown = rig.hall.proceedings("1", rig.now).unwrap();
                    let choices = shown.choices();
                    if choices.is_empty() {
                        continue;
                    }
                    let choice = &choices[index % choices.len()];
                    let request = Action::Rule(Box::new(choice.request.clone()));
                    let request = rig.chief("1", request);
                    let before = rig.hall.clock_bytes("1");
                    let answer = rig.send(request);
                    if choice.refused.is_some() {
                        let outcome = answer.unwrap().unwrap().outcome;
                        prop_assert!(matches!(outcome, Outcome::Refused(_)), "{choice:?} {outcome:?}");
                        prop_assert_eq!(rig.hall.clock_bytes("1"), before);
                    } else {
                        let refused = answer.map(|answer| answer.unwrap().outcome);
                        prop_assert!(!matches!(refused, Some(Outcome::Refused(_))), "{choice:?} {refused:?}");
                        clock.take_orders(&mut rig);
                        prop_assert_eq!(rig.view("1").pending.len(), 0);
                    }
                }
                Turn::Write(index) => {
                    let shown = rig.hall.proceedings("1", rig.now).unwrap();
                    let Some(fen) = shown.fen() else { continue };
                    let legal = laws::Scoresheet::from_fen(&fen).unwrap().legal_moves();
                    if legal.is_empty() {
                        continue;
                    }
                    let san = legal[index % legal.len()].san.clone();
                    let after = u32::try_from(shown.moves().len()).unwrap();
                    let written = moves(&mut rig, after, &[san.as_str()]);
                    let _ = rig.send(written);
                    clock.take_orders(&mut rig);
                }
            }
        }
        rig.assert_replay_equals_live();
    }
}

#[test]
fn a_score_that_is_behind_the_clock_decides_nothing() {
    let (mut rig, mut clock) = Rig::running("2h");
    let shuffle = ["Nf3", "Nf6", "Ng1", "Ng8"];
    for _ in 0..2 {
        for button in [Button::Left, Button::Right, Button::Left, Button::Right] {
            rig.pass(1.0);
            clock.press(&mut rig, button);
        }
    }
    let repetition = |rig: &Rig| {
        let shown = rig.hall.proceedings("1", rig.now).unwrap();
        let mut choices = shown.choices().into_iter();
        let claim = choices.find(|choice| choice.request.to_string() == "claim threefold white");
        claim.unwrap().correct
    };
    let first = moves(&mut rig, 0, &shuffle);
    let _ = rig.send(first);
    // Four more half-moves have been played than entered, so the last entered position is not the one on the board.
    assert_eq!(repetition(&rig), None);
    let second = moves(&mut rig, 4, &shuffle);
    let _ = rig.send(second);
    assert_eq!(repetition(&rig), Some(true));
    // A mate in the middle of the game is the arbiter's mistake in entering the moves, and ends nothing.
    let mate = moves(&mut rig, 0, &["f3", "e5", "g4", "Qh4"]);
    let _ = rig.send(mate);
    clock.take_orders(&mut rig);
    assert_eq!(rig.view("1").view.result, None);
    rig.assert_replay_equals_live();
}

#[test]
fn an_open_claim_keeps_its_rule_set_and_ends_with_the_game() {
    let (mut rig, mut clock) = Rig::running("2h");
    ruled(&mut rig, &mut clock, "claim fifty-moves white");
    let other = rig.chief("1", Action::Rules(RuleSet::find("double-flag").unwrap()));
    assert_eq!(
        refused(&mut rig, other),
        (RefusalCode::ByTheLaws, "claim-open".to_owned())
    );
    assert_eq!(rig.ask("1", "end resign black"), None);
    clock.take_orders(&mut rig);
    let shown = rig.hall.proceedings("1", rig.now).unwrap();
    assert_eq!((shown.open_claim(), shown.draw_offer()), (None, None));
    // The end of the game closed the claim, so an appeal is possible.
    ruled(&mut rig, &mut clock, "appeal");
}

#[test]
fn a_board_has_the_rule_set_of_its_round_unless_one_is_chosen_for_it() {
    let (mut rig, mut clocks) = Rig::with_hall();
    let keys = |rig: &Rig| {
        ["1", "2", "3"].map(|board| {
            let shown = rig.hall.proceedings(board, rig.now).unwrap();
            shown.rules().key.clone()
        })
    };
    assert_eq!(keys(&rig), ["fide-blitz"; 3], "the control decides");
    let named = |rig: &Rig, of_event: &str, of_round: &str| {
        let mut event = rig.event_now().unwrap().event().clone();
        of_event.clone_into(&mut event.rules);
        event.round_rules = [(RoundNo(1), of_round.to_owned())].into();
        vec![Change::SetEvent(Box::new(event))]
    };
    let changes = named(&rig, "uscf", "fide-standard");
    rig.chief_changes(changes);
    assert_eq!(keys(&rig), ["uscf"; 3], "no game of the round is set");
    rig.preset(1, Scope::All);
    rig.all_take(&mut clocks);
    assert_eq!(keys(&rig), ["fide-standard"; 3]);
    rig.assert_replay_equals_live();

    let casual = rig.chief("1", Action::Rules(RuleSet::find("casual").unwrap()));
    assert_eq!(rig.send(casual).unwrap().unwrap().outcome, Outcome::Done);
    rig.start_round(1, Scope::All);
    rig.all_take(&mut clocks);
    let changes = named(&rig, "uscf", "fide-rapid");
    rig.chief_changes(changes);
    assert_eq!(keys(&rig), ["casual", "fide-rapid", "fide-rapid"]);
    let shown = rig.hall.detail(&id("2"), rig.now).unwrap();
    assert_eq!(shown.rules.unwrap().key, "fide-rapid");
    let changes = named(&rig, "uscf", "chess960");
    let unknown = rig.request_for(Actor::chief("Chief"), changes);
    let Err(Denied::NotPossible(why)) = rig.change(unknown) else {
        panic!("an unknown rule set was taken");
    };
    assert_eq!(why.code(), RefusalCode::NoRuleSet);

    rig.assert_replay_equals_live();
}

#[test]
fn a_penalty_follows_the_rule_set_of_the_round() {
    let (mut rig, mut clocks) = Rig::with_started();
    let mut event = rig.event_now().unwrap().event().clone();
    event.rules = "fide-blitz".to_owned();
    rig.chief_changes(vec![Change::SetEvent(Box::new(event))]);
    rig.pass(2.0);
    clocks[0].press(&mut rig, Button::Left);
    let before = rig.times("1").1;
    ruled(&mut rig, &mut clocks[0], "illegal white");
    // The opponent gains one minute, as in blitz (B.2); the 90-minute time control would give two (7.5.5).
    assert_eq!(rig.times("1").1 - before, 60_000_000);
}

#[test]
fn an_open_claim_keeps_its_rule_set_until_it_is_decided() {
    let (mut rig, mut clocks) = Rig::with_started();
    let key = |rig: &Rig| {
        let shown = rig.hall.proceedings("1", rig.now).unwrap();
        shown.rules().key.clone()
    };
    ruled(&mut rig, &mut clocks[0], "claim fifty-moves white");
    let detail = rig.hall.detail(&id("1"), rig.now).unwrap();
    assert_eq!(detail.open_claim.as_ref().unwrap().by, Side::White);
    let viewed = detail.for_viewers(detail.published.clone());
    assert_eq!(viewed.open_claim, None);
    let mut event = rig.event_now().unwrap().event().clone();
    event.rules = "casual".to_owned();
    rig.chief_changes(vec![Change::SetEvent(Box::new(event))]);
    assert_eq!(key(&rig), "fide-standard");
    ruled(&mut rig, &mut clocks[0], "rule incorrect");
    assert_eq!(key(&rig), "casual");
    let detail = rig.hall.detail(&id("1"), rig.now).unwrap();
    assert_eq!(detail.open_claim, None);
    rig.assert_replay_equals_live();
}

#[test]
fn an_electronic_boards_moves_are_entered_and_replace_no_move_of_a_person() {
    let (mut rig, mut clock) = Rig::running("90m+30s");
    let show = |rig: &mut Rig, clock: &mut HandClock, moves: &str| {
        rig.pass(1.0);
        let moves = moves.split_whitespace().map(str::to_owned).collect();
        clock.frame(rig, AgentFrame::BoardMoves(moves));
    };
    let score = |rig: &Rig| {
        rig.hall
            .proceedings("1", rig.now)
            .unwrap()
            .moves()
            .join(" ")
    };
    let before = rig.hall.clock_bytes("1");
    clock.frame(&mut rig, AgentFrame::BoardMoves(vec!["e2e4".to_owned()]));
    assert_eq!(score(&rig), "e4");
    assert_eq!(rig.hall.clock_bytes("1"), before);
    clock.press(&mut rig, Button::Left);
    show(&mut rig, &mut clock, "e2e4 e7e5");
    clock.press(&mut rig, Button::Right);
    // The bishop slid on to a further square, so the board replaces its own last move.
    show(&mut rig, &mut clock, "e2e4 e7e5 f1c4");
    show(&mut rig, &mut clock, "e2e4 e7e5 f1b5");
    assert_eq!(score(&rig), "e4 e5 Bb5");
    // None of these lists adds moves: the same list, one with an illegal move, and one that is legal but too far ahead of the clock.
    let records = rig.log.len();
    show(&mut rig, &mut clock, "e2e4 e7e5 f1b5");
    show(&mut rig, &mut clock, "e2e4 e7e5 f1b5 e8e6");
    show(&mut rig, &mut clock, "e2e4 e7e5 f1b5 a7a6 b5a4 g8f6 d2d3");
    let written = rig.log[records..]
        .iter()
        .filter(|record| matches!(&record.input, Some(record::Input::Command(_))));
    assert_eq!(written.count(), 0);
    // The board does not overwrite an arbiter's correction.
    let corrected = moves(&mut rig, 2, &["Bc4"]);
    assert_eq!(rig.send(corrected).unwrap().unwrap().outcome, Outcome::Done);
    show(&mut rig, &mut clock, "e2e4 e7e5 f1b5 a7a6");
    assert_eq!(score(&rig), "e4 e5 Bc4");
    show(&mut rig, &mut clock, "e2e4 e7e5 f1c4 a7a6");
    assert_eq!(score(&rig), "e4 e5 Bc4 a6");
    // The board's moves do not end the game: the arbiter is only offered the result that they show.
    for button in [Button::Left, Button::Right] {
        clock.press(&mut rig, button);
    }
    show(&mut rig, &mut clock, "e2e4 e7e5 f1c4 a7a6 d1h5 b8c6");
    for button in [Button::Left, Button::Right] {
        clock.press(&mut rig, button);
    }
    show(&mut rig, &mut clock, "e2e4 e7e5 f1c4 a7a6 d1h5 b8c6 h5f7");
    assert_eq!(score(&rig), "e4 e5 Bc4 a6 Qh5 Nc6 Qxf7#");
    assert_eq!(rig.view("1").view.result, None);
    let choices = rig.hall.proceedings("1", rig.now).unwrap().choices();
    let offered = choices.iter().map(|choice| choice.request.to_string());
    assert!(
        offered
            .into_iter()
            .any(|request| request == "ended checkmate white")
    );
    let wrong = rule(&mut rig, "ended stalemate");
    assert_eq!(refused(&mut rig, wrong).1, "not-on-board");
    ruled(&mut rig, &mut clock, "ended checkmate white");
    assert_eq!(rig.view("1").view.result.as_deref(), Some("1-0"));
    // Moves of the next game do not change this game.
    show(&mut rig, &mut clock, "d2d4");
    assert_eq!(score(&rig), "e4 e5 Bc4 a6 Qh5 Nc6 Qxf7#");
    rig.assert_replay_equals_live();
}

#[test]
fn moves_that_arrive_before_their_presses_are_entered_with_them() {
    let (mut rig, mut clock) = Rig::running("90m+30s");
    let moves = "e2e4 e7e5 g1f3".split(' ').map(str::to_owned).collect();
    clock.frame(&mut rig, AgentFrame::BoardMoves(moves));
    let score = |rig: &Rig| {
        rig.hall
            .proceedings("1", rig.now)
            .unwrap()
            .moves()
            .join(" ")
    };
    assert_eq!(score(&rig), "", "three half-moves without a press");
    clock.press(&mut rig, Button::Left);
    rig.pass(6.0);
    assert_eq!(score(&rig), "e4 e5 Nf3");
    rig.assert_replay_equals_live();
}

#[test]
fn a_new_link_forgets_the_moves_on_an_electronic_board() {
    let (mut rig, mut clock) = Rig::running("90m+30s");
    let moves = "e2e4 e7e5 g1f3".split(' ').map(str::to_owned).collect();
    clock.frame(&mut rig, AgentFrame::BoardMoves(moves));
    clock.drop_link(&mut rig);
    clock.connect(&mut rig);
    clock.press(&mut rig, Button::Left);
    rig.pass(6.0);
    let proceedings = rig.hall.proceedings("1", rig.now).unwrap();
    assert_eq!(proceedings.moves().join(" "), "");
}

#[test]
fn moves_entered_after_a_claim_decide_it() {
    let (mut rig, mut clock) = Rig::running("90m+30s");
    let repetition = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8";
    for _ in 0..4 {
        clock.press(&mut rig, Button::Left);
        clock.press(&mut rig, Button::Right);
    }
    ruled(&mut rig, &mut clock, "claim threefold white");
    let unknown = rule(&mut rig, "rule as-found");
    assert_eq!(refused(&mut rig, unknown).1, "moves-unknown");
    let list: Vec<&str> = repetition.split(' ').collect();
    let written = moves(&mut rig, 0, &list);
    assert_eq!(rig.send(written).unwrap().unwrap().outcome, Outcome::Done);
    ruled(&mut rig, &mut clock, "rule as-found");
    assert_eq!(rig.view("1").view.result.as_deref(), Some("1/2-1/2"));
}

#[test]
fn a_written_move_that_cannot_be_checked_is_not_binding() {
    let (mut rig, mut clock) = Rig::running("90m+30s");
    let nonsense = rule(&mut rig, "claim threefold white writing Nf9");
    assert_eq!(refused(&mut rig, nonsense).1, "written-move");
    ruled(&mut rig, &mut clock, "claim threefold white writing Nh6");
    ruled(&mut rig, &mut clock, "rule incorrect");
    let played = moves(&mut rig, 0, &["e4"]);
    assert_eq!(rig.send(played).unwrap().unwrap().outcome, Outcome::Done);
}

#[test]
fn a_ruling_that_interrupts_a_turn_raises_no_doubt_about_the_clock() {
    let (mut rig, mut clock) = Rig::running("60m");
    rig.pass(2.0);
    clock.press(&mut rig, Button::Left);
    rig.pass(3.0);
    ruled(&mut rig, &mut clock, "illegal white");
    rig.pass(1.0);
    clock.press(&mut rig, Button::Left);
    rig.pass(1.0);
    let draw = rig.chief("1", Action::Board("end draw".parse().unwrap()));
    assert!(rig.send(draw).is_none());
    clock.take_orders(&mut rig);
    rig.pass(10.0);
    let doubts = rig.log.iter().filter(|record| {
        matches!(&record.input, Some(record::Input::Note(note)) if note.kind == "sum_check")
    });
    assert_eq!(doubts.count(), 0);
    rig.assert_replay_equals_live();
}

//! A game has one result, whether it is entered in the event or at the board. A result that only a clock reports becomes a proposal.

use hall::{Action, Outcome, WorkState};
use timing::Button;
use tournament::{
    Actor, BoardNo, BoardPhase, Change, GameResult, InvalidResult, Outcome as Score,
    ProposalReason, Refusal, RoundNo, Side, Tally,
};

use crate::event_rig::{enter, paired};
use crate::rig::{HandClock, Rig};
use crate::round_rig::{DRAWN, LOST, WON, at, floor, preset_of, runs, with};

fn no(why: Refusal) -> Outcome {
    Outcome::Refused(why.into())
}

/// A time control under which the game is drawn once both sides have used up their main time.
const DOUBLE_FLAG: &str = "1m extra 5m min 10s hybrid";

#[test]
fn a_result_at_the_board_enters_the_event_immediately_with_arbiter_and_reason() {
    let (mut rig, mut clocks) = Rig::with_started();
    let mut asked = rig.chief("1", Action::Board("end result 1-0".parse().unwrap()));
    asked.reason = "resigned".to_owned();
    assert!(rig.send(asked).is_none());
    // The event has the result, although the clock has not carried out the order yet.
    assert_eq!(rig.game(1, 1).result, Some(WON));
    clocks[0].take_orders(&mut rig);
    assert_eq!(rig.shown("1").as_deref(), Some("1-0"));
    let version = rig.version();
    // A correction entered at the board needs a reason too.
    let bare = rig.ask("1", "end result 0-1").unwrap();
    assert_eq!(bare, no(Refusal::ReasonMissing));
    assert_eq!((rig.game(1, 1).result, rig.version()), (Some(WON), version));
    let mut correct = rig.chief("1", Action::Board("end result 0-1".parse().unwrap()));
    correct.reason = "slip misread".to_owned();
    rig.send(correct);
    clocks[0].take_orders(&mut rig);
    assert_eq!(rig.shown("1").as_deref(), Some("0-1"));
    let game = rig.game(1, 1);
    assert_eq!(game.result, Some(LOST));
    assert_eq!(game.corrections[0].reason, "slip misread");
    assert_eq!(game.corrections[0].by, Actor::chief("chief"));
    rig.assert_replay_equals_live();
}

/// If an arbiter gives half a point to one side only (FIDE 12.9.5), or no points to either, the clock shows exactly that result, not a
/// draw.
#[test]
fn an_uneven_result_is_shown_exactly() {
    let (mut rig, mut clocks) = Rig::with_started();
    let uneven = |white, black| GameResult::Played {
        white,
        black,
        rated: true,
        tally: None,
    };
    let (draw, loss) = (Score::Draw, Score::Loss);
    for (result, word) in [
        (uneven(draw, loss), "1/2-0"),
        (uneven(loss, draw), "0-1/2"),
        (uneven(loss, loss), "0-0"),
        (GameResult::unrated(draw), "1/2-1/2"),
    ] {
        rig.chief_changes(vec![enter(1, 2, result, "an arbiter's penalty")]);
        rig.all_take(&mut clocks);
        assert_eq!(rig.shown("2").as_deref(), Some(word));
        assert_eq!(rig.game(1, 2).result, Some(result));
    }
    // An uneven result that is entered at the board is recorded in the event, too.
    for (word, result) in [("1/2-0", uneven(draw, loss)), ("0-1/2", uneven(loss, draw))] {
        let mut asked = rig.chief(
            "1",
            Action::Board(format!("end result {word}").parse().unwrap()),
        );
        asked.reason = "an illegal move of Black, mate cannot be given".to_owned();
        rig.send(asked);
        rig.all_take(&mut clocks);
        assert_eq!(rig.game(1, 1).result, Some(result));
        assert_eq!(rig.shown("1").as_deref(), Some(word));
    }
    rig.assert_replay_equals_live();
}

#[test]
fn a_result_entered_while_the_clock_is_being_set_belongs_to_the_new_game() {
    let (mut rig, mut clocks) = Rig::with_hall();
    rig.preset(1, at(1));
    rig.ask("1", "end result 1-0f");
    let won = GameResult::forfeit(timing::Side::White);
    assert_eq!(rig.game(1, 1).result, Some(won));
    rig.all_take(&mut clocks);
    assert_eq!(rig.shown("1").as_deref(), Some("1-0f"));
    let game = rig.game(1, 1);
    assert_eq!((game.result, game.proposed), (Some(won), None));
    rig.assert_replay_equals_live();
}

#[test]
fn a_result_in_the_event_stops_the_clock_and_is_shown_on_it() {
    let (mut rig, mut clocks) = Rig::with_started();
    assert_eq!(floor(&mut rig, enter(1, 2, DRAWN, "")), Outcome::Done);
    clocks[1].take_orders(&mut rig);
    assert!(!runs(&rig, "2") && runs(&rig, "1"));
    assert_eq!(rig.shown("2").as_deref(), Some("1/2-1/2"));
    let news = rig.news();
    rig.pass(10.0);
    rig.all_take(&mut clocks);
    let quiet = rig.news() == news;
    assert!(quiet, "nothing goes round in circles");
    rig.assert_replay_equals_live();
}

#[test]
fn removing_a_result_lets_the_game_continue() {
    let (mut rig, mut clocks) = Rig::with_started();
    floor(&mut rig, enter(1, 2, DRAWN, ""));
    rig.all_take(&mut clocks);
    let back = Change::RemoveResult(RoundNo(1), BoardNo(2), "wrong board".to_owned());
    assert_eq!(floor(&mut rig, back), Outcome::Done);
    rig.all_take(&mut clocks);
    assert_eq!(rig.shown("2"), None);
    // The game had been started, but neither player had pressed the clock.
    assert_eq!(rig.phases(1)[1], BoardPhase::Started);
    rig.ask("2", "resume");
    rig.all_take(&mut clocks);
    assert!(runs(&rig, "2"));
    // The result can also be removed at the board.
    rig.end_at_board(&mut clocks[1], "2", "1-0");
    let mut lift = rig.chief("2", Action::Board("end result *".parse().unwrap()));
    lift.reason = "no result".to_owned();
    rig.send(lift);
    rig.all_take(&mut clocks);
    assert_eq!((rig.game(1, 2).result, rig.shown("2")), (None, None));
    rig.assert_replay_equals_live();
}

#[test]
fn a_silent_clock_follows_the_newest_decision_when_it_reconnects() {
    let (mut rig, mut clocks) = Rig::with_started();
    clocks[0].drop_link(&mut rig);
    rig.pass(5.0);
    floor(&mut rig, enter(1, 1, WON, ""));
    let back = Change::RemoveResult(RoundNo(1), BoardNo(1), "wrong board".to_owned());
    floor(&mut rig, back);
    floor(&mut rig, enter(1, 1, DRAWN, ""));
    assert_eq!(rig.shown("1"), None);
    // A pending command that brings the event's result to the clock cannot be withdrawn.
    let pending = rig.view("1").pending[0].record.id;
    let answer = rig.request("1", Action::Withdraw(pending)).unwrap();
    assert!(
        matches!(answer.outcome, Outcome::Refused(why) if why.text().contains("event's result"))
    );
    rig.restart();
    for clock in &mut clocks {
        clock.connect(&mut rig);
    }
    rig.all_take(&mut clocks);
    assert_eq!(rig.shown("1").as_deref(), Some("1/2-1/2"));
    assert_eq!(rig.game(1, 1).result, Some(DRAWN));
    rig.assert_replay_equals_live();
}

#[test]
fn a_result_removed_before_a_silent_clock_received_it_does_not_return() {
    let (mut rig, mut clocks) = Rig::with_started();
    clocks[0].drop_link(&mut rig);
    rig.pass(5.0);
    floor(&mut rig, enter(1, 1, WON, ""));
    let back = Change::RemoveResult(RoundNo(1), BoardNo(1), "wrong board".to_owned());
    floor(&mut rig, back);
    rig.restart();
    for clock in &mut clocks {
        clock.connect(&mut rig);
    }
    rig.all_take(&mut clocks);
    let game = rig.game(1, 1);
    assert_eq!(
        (rig.shown("1"), game.result, game.proposed),
        (None, None, None)
    );
    rig.assert_replay_equals_live();
}

#[test]
fn an_adjourned_game_stops_its_clock_and_keeps_its_board() {
    let (mut rig, mut clocks) = Rig::with_started();
    floor(&mut rig, enter(1, 1, GameResult::Adjourned, ""));
    rig.all_take(&mut clocks);
    assert!(!runs(&rig, "1"));
    assert_eq!(rig.shown("1"), None);
    rig.chief_changes(vec![paired(2, &[(4, 2), (5, 3), (6, 1)])]);
    assert_eq!(rig.preset_board(2, 1).state, WorkState::Refused);
    floor(&mut rig, enter(1, 1, WON, ""));
    rig.all_take(&mut clocks);
    assert_eq!(rig.shown("1").as_deref(), Some("1-0"));
    assert_eq!(rig.preset_board(2, 1).state, WorkState::OnItsWay);
}

#[test]
fn a_result_that_the_event_refuses_is_refused_at_the_board_in_the_same_words() {
    let (mut rig, mut clocks) = Rig::with_started();
    for (clock, board) in clocks.iter_mut().zip(["1", "2", "3"]) {
        rig.end_at_board(clock, board, "1-0");
    }
    rig.chief_changes(vec![Change::Confirm(RoundNo(1))]);
    let mut late = rig.chief("1", Action::Board("end result 0-1".parse().unwrap()));
    late.reason = "appeal".to_owned();
    let answer = rig.send(late).unwrap().unwrap();
    assert_eq!(answer.outcome, no(Refusal::Confirmed(RoundNo(1))));
    assert_eq!(rig.shown("1").as_deref(), Some("1-0"));
    rig.assert_replay_equals_live();
}

#[test]
fn a_game_decided_by_a_count_is_entered_only_in_the_event() {
    let (mut rig, mut clocks) = Rig::with_hall();
    let mut event = rig.event_now().unwrap().event().clone();
    event.game = tournament::Game::Scrabble;
    rig.chief_changes(vec![Change::SetEvent(Box::new(event))]);
    let short = with(preset_of(1, at(1)), |with| {
        with.control = "1m".parse().ok();
    });
    rig.work(short).unwrap();
    rig.all_take(&mut clocks);
    rig.start_round(1, at(1));
    rig.all_take(&mut clocks);
    rig.pass(61.0);
    clocks[0].watermark(&mut rig);
    rig.ask("1", "flag white");
    rig.all_take(&mut clocks);
    assert_eq!(rig.game(1, 1).proposed, None, "points decide, not a flag");
    let bare = rig.ask("1", "end result 1-0").unwrap();
    assert_eq!(bare, no(Refusal::Impossible(InvalidResult::NoPoints)));
    let counted = GameResult::counted(Tally {
        white: 377,
        black: 402,
    });
    assert_eq!(floor(&mut rig, enter(1, 1, counted, "")), Outcome::Done);
    rig.all_take(&mut clocks);
    assert_eq!(rig.shown("1").as_deref(), Some("0-1"));
    assert!(!rig.notes().iter().any(|kind| kind == "event_not_told"));
}

#[test]
fn a_result_of_the_event_reaches_its_clock_wherever_the_hub_stops() {
    let (mut rig, mut clocks) = Rig::with_started();
    clocks[0].drop_link(&mut rig);
    rig.pass(5.0);
    let before = rig.log.len();
    rig.ask("1", "end result 1-0");
    let whole = rig.log.clone();
    assert!(whole.len() > before + 1);
    for len in before..=whole.len() {
        let mut other = Rig::new();
        other.now = rig.now;
        other.log = whole[..len].to_vec();
        other.restart();
        let decided = other.game(1, 1).result.is_some();
        let asked = other.view("1").pending.len();
        assert_eq!(asked, usize::from(decided), "{len} of {}", whole.len());
        other.assert_replay_equals_live();
    }
}

fn started_at(control: &str) -> (Rig, Vec<HandClock>) {
    let (mut rig, mut clocks) = Rig::with_hall();
    let asked = with(preset_of(1, at(1)), |with| {
        with.control = Some(control.parse().unwrap());
    });
    rig.work(asked).unwrap();
    rig.all_take(&mut clocks);
    rig.start_round(1, at(1));
    rig.all_take(&mut clocks);
    (rig, clocks)
}

#[test]
fn a_called_flag_becomes_a_proposal_and_an_arbiter_decides() {
    let (mut rig, mut clocks) = started_at("1m");
    rig.pass(61.0);
    clocks[0].watermark(&mut rig);
    assert_eq!(
        rig.game(1, 1).proposed,
        None,
        "a flag that falls is no result"
    );
    rig.ask("1", "flag white");
    rig.all_take(&mut clocks);
    let (proposed, why) = rig.game(1, 1).proposed.expect("a proposal");
    assert_eq!(
        (proposed, why),
        (LOST, ProposalReason::FlagCalled(Side::White))
    );
    assert_eq!(rig.game(1, 1).result, None);
    // The arbiter enters a draw, because the opponent cannot checkmate by any series of legal moves (FIDE 6.9).
    assert_eq!(floor(&mut rig, enter(1, 1, DRAWN, "")), Outcome::Done);
    rig.all_take(&mut clocks);
    assert_eq!(rig.shown("1").as_deref(), Some("1/2-1/2"));
    rig.assert_replay_equals_live();
}

#[test]
fn a_game_that_its_rules_end_on_the_clock_becomes_a_proposal() {
    let (mut rig, mut clocks) = started_at(DOUBLE_FLAG);
    // Both sides use up their main time: double flag.
    for button in [Button::Left, Button::Right] {
        assert_eq!(rig.game(1, 1).proposed, None);
        rig.pass(61.0);
        clocks[0].press(&mut rig, button);
    }
    assert_eq!(rig.shown("1").as_deref(), Some("1/2-1/2"));
    let (proposed, _) = rig.game(1, 1).proposed.expect("a proposal");
    assert_eq!(proposed, DRAWN);
    assert_eq!(rig.game(1, 1).result, None);
    assert_eq!(floor(&mut rig, enter(1, 1, DRAWN, "")), Outcome::Done);
    let log = rig.log.len();
    rig.all_take(&mut clocks);
    assert_eq!(rig.log.len(), log, "the clock shows it already");
    rig.assert_replay_equals_live();
}

#[test]
fn a_result_that_only_a_clock_has_becomes_a_proposal_when_the_hub_starts() {
    let (mut rig, mut clocks) = started_at(DOUBLE_FLAG);
    rig.pass(61.0);
    clocks[0].press(&mut rig, Button::Left);
    rig.pass(61.0);
    let before = rig.log.len();
    clocks[0].press(&mut rig, Button::Right);
    assert!(
        rig.log.len() > before + 1,
        "the end, and what the event is told"
    );
    // Simulates a hub that stopped right after it had recorded the press.
    rig.log.truncate(before + 1);
    rig.restart();
    let (proposed, why) = rig.game(1, 1).proposed.expect("a proposal");
    assert_eq!((proposed, why), (DRAWN, ProposalReason::Clock));
    rig.assert_replay_equals_live();
}

//! Requests that the Laws do not allow in the current situation, such as an offence without a press or a new claim in an adjourned game.

use hall::{Action, Outcome};
use timing::Button;

use crate::rig::Rig;
use crate::rulings::{moves, refused, rule, ruled};

#[test]
fn an_illegal_move_is_completed_by_a_press_and_counts_once() {
    let (mut rig, mut clock) = Rig::running("90m+30s");
    let unpressed = rule(&mut rig, "illegal black");
    assert_eq!(refused(&mut rig, unpressed).1, "nothing-completed");
    clock.press(&mut rig, Button::Left);
    ruled(&mut rig, &mut clock, "illegal white");
    let again = rule(&mut rig, "illegal white two-hands");
    assert_eq!(refused(&mut rig, again).1, "nothing-completed");
    clock.press(&mut rig, Button::Left);
    ruled(&mut rig, &mut clock, "illegal white two-hands");
    assert_eq!(rig.view("1").view.result.as_deref(), Some("0-1"));
}

#[test]
fn an_adjourned_game_waits_for_its_sealed_move() {
    let (mut rig, mut clock) = Rig::running("2h");
    ruled(&mut rig, &mut clock, "adjourn");
    let resume = rig.chief("1", Action::Board("resume white".parse().unwrap()));
    assert_eq!(refused(&mut rig, resume).1, "adjourned");
    for request in ["claim threefold white", "adjourn", "scorekeeping"] {
        let asked = rule(&mut rig, request);
        assert_eq!(refused(&mut rig, asked).1, "adjourned", "{request}");
    }
    ruled(&mut rig, &mut clock, "unseal");
    assert_eq!(rig.view("1").view.state, hall::view::BoardState::Running);
    let late = rule(&mut rig, "unseal");
    assert_eq!(refused(&mut rig, late).1, "not-adjourned");
    ruled(&mut rig, &mut clock, "adjourn");
}

#[test]
fn an_open_appeal_keeps_the_clocks_stopped() {
    let (mut rig, mut clock) = Rig::running("5m");
    clock.press(&mut rig, Button::Left);
    let end = rig.chief("1", Action::Board("end result 1-0".parse().unwrap()));
    assert!(rig.send(end).is_none());
    clock.take_orders(&mut rig);
    ruled(&mut rig, &mut clock, "appeal");
    let resume = rig.chief("1", Action::Board("resume black".parse().unwrap()));
    assert_eq!(refused(&mut rig, resume).1, "appeal-open");
    let illegal = rule(&mut rig, "illegal white");
    assert_eq!(refused(&mut rig, illegal).1, "appeal-open");
    ruled(&mut rig, &mut clock, "rule continue");
    let nothing = rule(&mut rig, "rule uphold");
    assert_eq!(refused(&mut rig, nothing).1, "nothing-open");
    ruled(&mut rig, &mut clock, "illegal white");
}

#[test]
fn a_draw_offer_rejected_with_its_claim_cannot_be_accepted_later() {
    let (mut rig, mut clock) = Rig::running("90m+30s");
    ruled(&mut rig, &mut clock, "claim fifty-moves white");
    let decline = rule(&mut rig, "decline black");
    assert_eq!(rig.send(decline).unwrap().unwrap().outcome, Outcome::Done);
    let accept = rule(&mut rig, "accept black");
    assert_eq!(refused(&mut rig, accept).1, "no-offer");
    ruled(&mut rig, &mut clock, "rule incorrect");
    let accept = rule(&mut rig, "accept black");
    assert_eq!(refused(&mut rig, accept).1, "no-offer");
    let offer = rule(&mut rig, "offer white");
    assert_eq!(rig.send(offer).unwrap().unwrap().outcome, Outcome::Done);
    ruled(&mut rig, &mut clock, "accept black");
    assert_eq!(rig.view("1").view.result.as_deref(), Some("1/2-1/2"));
}

#[test]
fn moves_that_mate_while_a_claim_is_open_leave_the_end_to_the_arbiter() {
    let (mut rig, mut clock) = Rig::running("90m+30s");
    ruled(&mut rig, &mut clock, "claim threefold white");
    let mated = moves(&mut rig, 0, &["f3", "e5", "g4", "Qh4#"]);
    assert_eq!(rig.send(mated).unwrap().unwrap().outcome, Outcome::Done);
    clock.take_orders(&mut rig);
    assert_eq!(rig.view("1").view.result, None);
    ruled(&mut rig, &mut clock, "rule incorrect");
    ruled(&mut rig, &mut clock, "ended checkmate black");
    assert_eq!(rig.view("1").view.result.as_deref(), Some("0-1"));
}

#[test]
fn a_player_who_has_moved_is_not_absent() {
    let (mut rig, mut clock) = Rig::running("90m+30s");
    clock.press(&mut rig, Button::Left);
    let absent = rule(&mut rig, "absent white 60m 30m");
    assert_eq!(refused(&mut rig, absent).1, "arrived");
    ruled(&mut rig, &mut clock, "absent black 60m 30m");
    assert_eq!(rig.view("1").view.result.as_deref(), Some("1-0f"));
}

#[test]
fn the_record_of_a_refusal_states_the_request() {
    let (mut rig, _clock) = Rig::running("90m+30s");
    let early = rule(&mut rig, "illegal white two-hands");
    refused(&mut rig, early);
    let described = hall::describe(rig.log.last().unwrap());
    assert!(
        described.contains("asked illegal white two-hands by"),
        "{described}"
    );
}

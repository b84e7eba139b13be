//! The floor plan in the hall: permitted changes, refusals, and replay from the log alone.

use hall::{
    Actor, BoardId, Denied, FloorAnswer, FloorPlan, FloorRequest, HubEffect, MAX_PLACES, Outcome,
    Role, Spot, describe,
};

use proto::refusal::RefusalCode;

use crate::rig::{Rig, id};

fn spots(boards: impl IntoIterator<Item = (u16, u16, u16)>) -> Vec<(BoardId, Spot)> {
    let spots = boards.into_iter();
    spots
        .map(|(board, x, y)| (id(&board.to_string()), Spot { x, y }))
        .collect()
}

impl Rig {
    fn arrange(
        &mut self,
        role: Role,
        whole: bool,
        seen: u64,
        places: Vec<(BoardId, Spot)>,
    ) -> (Result<FloorAnswer, Denied>, Vec<FloorPlan>) {
        let (answer, effects) = self.asked(FloorRequest {
            actor: Actor {
                name: "Anna Berg".to_owned(),
                role,
            },
            places: places.into_iter().collect(),
            whole,
            seen,
        });
        let shown = effects.into_iter().filter_map(|effect| match effect {
            HubEffect::Floor(plan) => Some(plan),
            _ => None,
        });
        (answer.expect("an answer at once"), shown.collect())
    }

    #[track_caller]
    fn put(&mut self, whole: bool, places: Vec<(BoardId, Spot)>) {
        let seen = self.hall.floor().version;
        let (answer, shown) = self.arrange(Role::Chief, whole, seen, places);
        let answer = answer.unwrap();
        assert_eq!(answer.outcome, Outcome::Done);
        assert_eq!(shown, [answer.plan], "every view shows it");
    }

    fn places(&self) -> Vec<(BoardId, Spot)> {
        let places = self.hall.floor().places.iter();
        places.map(|(board, spot)| (board.clone(), *spot)).collect()
    }
}

#[test]
fn boards_stay_where_they_were_placed_and_the_log_names_the_arbiter() {
    let mut rig = Rig::new();
    rig.put(true, spots([(1, 3, 3), (2, 14, 3), (3, 25, 3)]));
    rig.pass(2.0);
    rig.put(false, spots([(2, 14, 40)]));
    assert_eq!(rig.places(), spots([(1, 3, 3), (2, 14, 40), (3, 25, 3)]));
    let plan = rig.hall.floor();
    assert_eq!((plan.version, plan.actor.as_str()), (2, "Anna Berg"));
    assert_eq!(plan.changed, Some(rig.now));
    let line = describe(rig.log.last().unwrap());
    assert_eq!(line, "floor plan: a place for board 2 by Anna Berg");
    rig.assert_replay_equals_live();

    rig.restart();
    assert_eq!(rig.places(), spots([(1, 3, 3), (2, 14, 40), (3, 25, 3)]));
    rig.put(true, Vec::new());
    assert!(rig.places().is_empty());
    rig.assert_replay_equals_live();
}

#[test]
fn a_request_that_changes_nothing_adds_no_record() {
    let mut rig = Rig::new();
    rig.put(true, spots([(1, 3, 3), (2, 14, 3)]));
    let records = rig.log.len();
    // The answer was lost, so the sender repeats the request with the earlier version.
    let (answer, shown) = rig.arrange(Role::Chief, true, 0, spots([(1, 3, 3), (2, 14, 3)]));
    let answer = answer.unwrap();
    assert_eq!((answer.outcome, answer.plan.version), (Outcome::Done, 1));
    assert_eq!((rig.log.len(), shown.len()), (records, 0));
}

#[test]
fn a_stale_whole_plan_is_refused_but_a_stale_single_board_is_not() {
    let mut rig = Rig::new();
    rig.put(true, spots([(1, 3, 3), (2, 14, 3)]));
    let (answer, _) = rig.arrange(Role::Chief, true, 0, spots([(1, 99, 99)]));
    let Outcome::Refused(why) = answer.unwrap().outcome else {
        panic!("not refused");
    };
    assert!(why.text().contains("Anna Berg"), "{why}");
    assert_eq!(why.code(), RefusalCode::FloorChanged);
    assert_eq!(rig.places(), spots([(1, 3, 3), (2, 14, 3)]));
    let (answer, _) = rig.arrange(Role::Chief, false, 0, spots([(1, 99, 99)]));
    assert_eq!(answer.unwrap().outcome, Outcome::Done);
    assert_eq!(rig.places(), spots([(1, 99, 99), (2, 14, 3)]));
}

#[test]
fn invalid_plans_are_refused_and_only_the_chief_may_change_the_plan() {
    let mut rig = Rig::new();
    rig.put(true, spots([(1, 3, 3), (2, 14, 3)]));
    let before = (rig.places(), rig.log.len());
    let (answer, _) = rig.arrange(Role::Chief, false, 1, spots([(7, 14, 3)]));
    let Err(Denied::Invalid(why)) = &answer else {
        panic!("{answer:?}");
    };
    assert_eq!(why, "boards 2 and 7 would have the same place (14, 3)");
    let many = u16::try_from(MAX_PLACES + 1).unwrap();
    let (answer, _) = rig.arrange(Role::Chief, true, 1, spots((1..=many).map(|n| (n, n, 1))));
    let Err(Denied::Invalid(why)) = &answer else {
        panic!("{answer:?}");
    };
    assert!(why.contains("10000") && why.contains("10001"), "{why}");
    for role in [Role::Floor, Role::Viewer] {
        let (answer, _) = rig.arrange(role, false, 1, spots([(1, 50, 50)]));
        let Err(Denied::Forbidden(why)) = &answer else {
            panic!("{answer:?}");
        };
        assert!(why.text().contains("chief"), "{why}");
    }
    assert_eq!((rig.places(), rig.log.len()), before);
}

#[test]
fn a_plan_of_several_records_applies_whole_or_not_at_all() {
    let mut rig = Rig::new();
    let hall = spots((0..2_000).map(|n| (n + 1, 3 + n % 50 * 11, n / 50 * 8)));
    let before = rig.log.len();
    rig.put(true, hall.clone());
    let parts = rig.log.len() - before;
    assert!(parts > 3, "{parts}");
    assert_eq!(rig.places().len(), 2_000);
    assert_eq!(rig.hall.floor().version, 1);
    rig.assert_replay_equals_live();

    // The hub stops before the last part of the bundle is on its disk.
    rig.log.truncate(before + parts - 1);
    let half = rig.replayed();
    assert_eq!(half.floor().version, 0);
    rig.restart();
    assert!(rig.places().is_empty());
    rig.put(true, hall);
    rig.assert_replay_equals_live();
}

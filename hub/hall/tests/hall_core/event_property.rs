//! The log alone reproduces the published event, for any sequence of requests and any restart of the hub.

use hall::{EventNo, Purpose};
use proptest::prelude::*;
use tournament::{
    Actor, BoardNo, Bye, Change, Event, GameResult, MatchNo, Outcome, Pairing, PlayerNo,
    ProposalReason, Renumbering, Reseating, RoundNo, Scope, Side, TeamNo,
};

use crate::event_rig::{paired, player};
use crate::rig::Rig;

fn results() -> impl Strategy<Value = GameResult> {
    prop_oneof![
        Just(GameResult::played(Outcome::Win)),
        Just(GameResult::played(Outcome::Draw)),
        Just(GameResult::forfeit(Side::Black)),
        Just(GameResult::DOUBLE_FORFEIT),
        Just(GameResult::Adjourned),
    ]
}

fn changes() -> impl Strategy<Value = Change> {
    let (round, board, no) = (1..4_u16, 1..5_u16, 1..8_u16);
    let place = (round.clone().prop_map(RoundNo), board.prop_map(BoardNo));
    let round = round.prop_map(RoundNo);
    let reason = prop_oneof![Just(String::new()), Just("misread".to_owned())];
    let who = no.clone().prop_map(PlayerNo);
    let pairs = prop::sample::subsequence(vec![(1, 4), (2, 5), (3, 6), (6, 1)], 1..4);
    prop_oneof![
        2 => (1..4_u16).prop_map(|rounds| Change::SetEvent(Box::new(Event::new("Open", rounds)))),
        4 => no.prop_map(player),
        1 => who.clone().prop_map(Change::RemovePlayer),
        1 => (who.clone(), round.clone()).prop_map(|(who, last)| Change::Withdraw(who, last)),
        1 => who.clone().prop_map(Change::ReturnPlayer),
        1 => Just((1..8).map(PlayerNo).collect::<Vec<_>>()).prop_shuffle().prop_flat_map(|order| {
            (0..=order.len()).prop_map(move |count| Change::Renumber(Box::new(Renumbering {
                order: order.iter().copied().take(count).collect(),
                kept_lines: Vec::new(),
            })))
        }),
        1 => (1..3_u16).prop_map(|team| Change::RemoveTeam(TeamNo(team))),
        1 => (who.clone(), round.clone()).prop_map(|(who, round)| {
            Change::GrantBye(who, round, Some(Bye::Half))
        }),
        4 => (1..4_u16, pairs).prop_map(|(round, pairs)| paired(round, &pairs)),
        1 => round.clone().prop_map(Change::Unpair),
        1 => (place.clone(), who.clone(), who, any::<bool>()).prop_map(|((round, board), white, black, restart)| {
            let boards = vec![Pairing::new(board, white, black)];
            Change::Reseat(round, Reseating { boards, restart })
        }),
        1 => place.clone().prop_map(|(round, board)| Change::RemoveBoards(round, vec![board])),
        1 => place.clone().prop_map(|(round, board)| Change::Preset(round, board)),
        1 => round.clone().prop_map(|round| Change::Start(round, Scope::All)),
        1 => place.clone().prop_map(|(round, board)| Change::FirstPress(round, board)),
        2 => (place.clone(), results()).prop_map(|((round, board), result)| {
            Change::Propose(round, board, result, ProposalReason::Text("flag".to_owned()))
        }),
        6 => (place.clone(), results(), reason.clone()).prop_map(|((round, board), result, why)| {
            Change::Enter(round, board, result, why)
        }),
        1 => (place, reason.clone()).prop_map(|((round, board), why)| {
            Change::RemoveResult(round, board, why)
        }),
        1 => round.clone().prop_map(|round| Change::ForfeitMatch(round, MatchNo(1), None)),
        2 => round.clone().prop_map(Change::Confirm),
        1 => (round, reason).prop_map(|(round, why)| Change::Reopen(round, why)),
    ]
}

#[derive(Clone, Debug)]
struct PlannedRequest {
    actor: Actor,
    /// Number of versions by which the sender's view is out of date; with `None`, the request accepts any version.
    old: Option<u64>,
    changes: Vec<Change>,
    purpose: Purpose,
    dies: bool,
}

fn plans() -> impl Strategy<Value = Vec<PlannedRequest>> {
    let actor = prop_oneof![
        6 => Just(Actor::chief("Chief")),
        2 => Just(Actor::floor("Ann")),
        1 => Just(Actor::clock("1")),
    ];
    let old = prop::option::of(0..3_u64);
    let bundle = prop::collection::vec(changes(), 1..6);
    let set_aside = prop_oneof![Just("Harbour Cup"), Just("Open")].prop_map(str::to_owned);
    let file = || "a.trf".to_owned();
    let purpose = prop_oneof![
        6 => Just(Purpose::Amend),
        3 => Just(Purpose::Import { file: file() }),
        1 => set_aside.clone().prop_map(move |set_aside| Purpose::Open { file: file(), set_aside }),
        2 => (0..30_u64).prop_map(|version| Purpose::Undo { version: version.saturating_sub(15) }),
        1 => (1..4_u32, set_aside).prop_map(|(to, set_aside)| Purpose::Switch { to: EventNo(to), set_aside }),
    ];
    let plan = (actor, old, bundle, purpose, any::<u8>());
    let plan = plan.prop_map(|(actor, old, mut changes, purpose, chance)| {
        if let Purpose::Open { .. } = purpose {
            changes.insert(0, Change::SetEvent(Box::new(Event::new("Open", 3))));
        }
        PlannedRequest {
            actor,
            old,
            changes,
            purpose,
            dies: chance < 16,
        }
    });
    prop::collection::vec(plan, 1..60)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn whatever_is_asked_replay_equals_live(plans in plans()) {
        let mut rig = Rig::with_round();
        for plan in plans {
            let mut request = rig.request_for(plan.actor, plan.changes);
            request.purpose = plan.purpose;
            request.seen = plan.old.map(|old| rig.version().saturating_sub(old));
            let (before, version) = (rig.event_now(), rig.version());
            let answer = rig.change(request.clone()).unwrap();
            if answer.outcome == hall::Outcome::Done {
                prop_assert_eq!(answer.version, version + 1);
            } else {
                prop_assert_eq!(rig.event_now(), before);
                prop_assert_eq!(rig.version(), version);
            }
            if plan.dies {
                rig.restart();
            }
            let after = rig.event_now();
            prop_assert_eq!(rig.change(request).unwrap(), answer);
            prop_assert_eq!(rig.event_now(), after);
        }
        rig.assert_replay_equals_live();
    }
}

//! What is odd about changes that an arbiter makes by hand, and yet may be meant. Owns the remarks; never refuses anything: that is the
//! event's affair.

use std::collections::BTreeSet;

use super::oddities::oddities;
use crate::formats::draft::Draft;
use crate::{Actor, Bye, Change, Pairings, PlayerNo, RoundNo, Tournament};

/// What an arbiter should look at twice once these changes are made: a pairing that there was already, somebody seated who has withdrawn,
/// two with the bye of the pairing in one round, somebody withdrawn before a round he is paired in. Nothing where the event refuses them.
pub fn doubts(before: &Tournament, actor: &Actor, changes: &[Change]) -> Vec<String> {
    if !changes.iter().any(is_about_seats) {
        return Vec::new();
    }
    let mut after = before.clone();
    for change in changes {
        if after.apply(actor, change.clone()).is_err() {
            return Vec::new();
        }
    }
    let known = Draft::of(&after);
    let mut said = Vec::new();
    let mut byes = BTreeSet::new();
    for change in changes {
        match change {
            Change::PairRound(round, pairings) => {
                said.extend(oddities(&known, &known, *round, pairings));
                byes.insert(*round);
            }
            Change::Reseat(round, seats) => {
                let pairings = Pairings {
                    boards: seats.boards.clone(),
                    ..Pairings::default()
                };
                said.extend(oddities(&known, &known, *round, &pairings));
            }
            Change::GrantBye(_, round, Some(Bye::PairingAllocated)) => {
                byes.insert(*round);
            }
            Change::Withdraw(player, last) => said.extend(played_after(&after, *player, *last)),
            Change::SetEvent(_)
            | Change::EnterPlayer(_)
            | Change::RemovePlayer(_)
            | Change::Return(_)
            | Change::GrantBye(..)
            | Change::Renumber(_)
            | Change::EnterTeam(_)
            | Change::RemoveTeam(_)
            | Change::Unpair(_)
            | Change::RemoveBoards(..)
            | Change::Preset(..)
            | Change::Start(..)
            | Change::FirstPress(..)
            | Change::Propose(..)
            | Change::Enter(..)
            | Change::TakeBack(..)
            | Change::ForfeitMatch(..)
            | Change::StateStandings(_)
            | Change::Confirm(_)
            | Change::Reopen(..) => (),
        }
    }
    said.extend(
        byes.into_iter()
            .filter_map(|round| shared_bye(&after, round)),
    );
    said
}

/// Results and clocks raise no doubts, and there are many of them.
fn is_about_seats(change: &Change) -> bool {
    matches!(
        change,
        Change::PairRound(..) | Change::Reseat(..) | Change::GrantBye(..) | Change::Withdraw(..)
    )
}

/// Where somebody sits in a round after his last one.
fn played_after(event: &Tournament, player: PlayerNo, last: RoundNo) -> Option<String> {
    let mut later = event.rounds().range(last.next()..);
    let (round, board) = later
        .find_map(|(no, round)| Some((*no, round.board_of(player).map(|(board, _)| board)?)))?;
    Some(format!(
        "{} is withdrawn after round {last} and sits at board {board} in round {round}",
        named(event, player)
    ))
}

/// Who shares the bye that one can have.
fn shared_bye(event: &Tournament, round: RoundNo) -> Option<String> {
    let players = event.players().keys();
    let has = |no: &&PlayerNo| event.said_bye(**no, round) == Some(Bye::PairingAllocated);
    let named: Vec<String> = players.filter(has).map(|no| named(event, *no)).collect();
    (named.len() > 1).then(|| {
        format!(
            "round {round}: {} players have the bye of the pairing, where one can: {}",
            named.len(),
            named.join(", ")
        )
    })
}

fn named(event: &Tournament, no: PlayerNo) -> String {
    match event.players().get(&no) {
        Some(player) => format!("{no} {}", player.name),
        None => no.to_string(),
    }
}

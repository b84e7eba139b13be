//! Remarks on an arbiter's manual changes that look odd but may be intended. Owns the remarks; must never refuse a
//! change: that is the event's task.

use std::collections::BTreeSet;

use super::pairing_remarks::pairing_remarks;
use crate::formats::draft::Draft;
use crate::formats::remark::{Entrant, PairingRemark, Remark};
use crate::{Actor, Bye, Change, Pairings, PlayerNo, RoundNo, Tournament};

/// Returns remarks on these changes for an arbiter to check. They concern odd pairings, several pairing-allocated byes
/// in one round, and withdrawals of players who are paired in a later round. Returns no remarks if the event refuses
/// one of the changes.
pub fn change_remarks(before: &Tournament, actor: &Actor, changes: &[Change]) -> Vec<Remark> {
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
    let mut remarks = Vec::new();
    let mut byes = BTreeSet::new();
    for change in changes {
        match change {
            Change::PairRound(round, pairings) => {
                remarks.extend(pairing_remarks(&known, &known, *round, pairings));
                byes.insert(*round);
            }
            Change::Reseat(round, seats) => {
                let pairings = Pairings {
                    boards: seats.boards.clone(),
                    ..Pairings::default()
                };
                remarks.extend(pairing_remarks(&known, &known, *round, &pairings));
            }
            Change::GrantBye(_, round, Some(Bye::PairingAllocated)) => {
                byes.insert(*round);
            }
            Change::Withdraw(player, last) => remarks.extend(played_after(&after, *player, *last)),
            Change::SetEvent(_)
            | Change::EnterPlayer(_)
            | Change::RemovePlayer(_)
            | Change::ReturnPlayer(_)
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
            | Change::RemoveResult(..)
            | Change::ForfeitMatch(..)
            | Change::StateStandings(_)
            | Change::Confirm(_)
            | Change::Reopen(..) => (),
        }
    }
    let rounds = byes.into_iter();
    remarks.extend(rounds.filter_map(|round| shared_bye(&after, round)));
    remarks
}

/// Returns true if a change can cause a remark. Only then is the event copied.
fn is_about_seats(change: &Change) -> bool {
    matches!(
        change,
        Change::PairRound(..) | Change::Reseat(..) | Change::GrantBye(..) | Change::Withdraw(..)
    )
}

fn played_after(event: &Tournament, player: PlayerNo, last: RoundNo) -> Option<Remark> {
    let mut later = event.rounds().range(last.next()..);
    let (round, (board, _)) = later.find_map(|(no, round)| Some((*no, round.board_of(player)?)))?;
    let remark = PairingRemark::WithdrawnButPaired {
        player: named(event, player),
        last,
        board,
        round,
    };
    Some(remark.into())
}

fn shared_bye(event: &Tournament, round: RoundNo) -> Option<Remark> {
    let players = event.players().keys();
    let has = |no: &&PlayerNo| event.assigned_bye(**no, round) == Some(Bye::PairingAllocated);
    let players: Vec<Entrant> = players.filter(has).map(|no| named(event, *no)).collect();
    let shared = players.len() > 1;
    shared.then(|| PairingRemark::SharedBye { round, players }.into())
}

fn named(event: &Tournament, no: PlayerNo) -> Entrant {
    let player = event.players().get(&no);
    Entrant::named(no.0, player.map_or("", |player| &player.name))
}

//! Undoes an import as a whole: applies the other bundles again, or removes the event that the import started. Decides
//! what prevents an undo; for example, a game that has begun is never lost.

use std::sync::Arc;

use super::rebase::rebased;
use super::{Bundle, Journal, pairs};
use crate::event_no::EventNo;
use crate::refusal::Why;
use crate::tournament::topic;
use tournament::{
    Board, BoardNo, BoardPhase, Change, PlayerNo, RoundNo, System, TeamNo, Tournament,
};

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Undone {
    Event(Arc<Tournament>, Journal),
    /// The import started the event, so the event is removed. The event that was set aside for it, if any, returns.
    Opening(Option<EventNo>),
}

impl Journal {
    /// Returns the result of undoing the import that created `version` (0 for the newest), and that import's version.
    pub(crate) fn without(&self, version: u64, current: &Tournament) -> Result<(u64, Undone), Why> {
        let wanted = |made: u64| version == 0 || made == version;
        let newest = self
            .imports()
            .filter(|import| wanted(import.version))
            .last();
        let version = newest
            .map(|import| import.version)
            .ok_or(Why::NothingToUndo(
                Some(version).filter(|version| *version > 0),
            ))?;
        if let Some(opened) = self
            .opened
            .as_ref()
            .filter(|opened| opened.version == version)
        {
            self.nothing_since(current)?;
            return Ok((version, Undone::Opening(opened.instead_of)));
        }
        let (mut event, bundles) = self.again(version, current)?;
        games_stay(current, &event)?;
        self.pairings_stay(version, current, &event)?;
        // A clock that was set for different players must be set again.
        event.unset_clocks(|round, no, board| {
            at(current, round, no)
                .is_some_and(|now| same_players(now, board) && now.reached >= BoardPhase::Preset)
        });
        let mut journal = Self {
            bundles,
            ..self.clone()
        };
        journal.trim();
        Ok((version, Undone::Event(Arc::new(event), journal)))
    }

    /// Returns the event and its bundles as if the import had never been made. Later changes are applied again. A
    /// change that no longer fits is left out if it is moot; otherwise it blocks the undo.
    fn again(
        &self,
        version: u64,
        current: &Tournament,
    ) -> Result<(Tournament, Vec<Arc<Bundle>>), Why> {
        let Some(base) = &self.base else {
            return Err(Why::NothingToUndo(Some(version)));
        };
        let mut event = (**base).clone();
        // The event with the import. It shows the original meaning of a later change.
        let mut was: Option<Tournament> = None;
        let mut moved = false;
        let mut bundles = Vec::new();
        for bundle in &self.bundles {
            if bundle.version == version {
                was = Some(made(bundle, event.clone()));
                moved = bundle.changes.iter().any(changes_player_numbers);
                continue;
            }
            let Some(was) = &mut was else {
                event = made(bundle, event);
                bundles.push(bundle.clone());
                continue;
            };
            let mut kept = Vec::new();
            for change in &bundle.changes {
                let fits = fits(change, was, &event) && !(moved && refers_to_players(change));
                let again = fits.then(|| rebased(change, was, &event));
                match again {
                    Some(again) if bundle.apply(&mut event, again.clone()).is_ok() => {
                        kept.push(again);
                    }
                    Some(_) | None if is_moot(change, current) => (),
                    Some(_) | None => return Err(blocked(bundle, change)),
                }
                // Cannot fail: the change was applied to the same event before.
                let _ = bundle.apply(was, change.clone());
            }
            if !kept.is_empty() {
                let import = bundle.import.clone();
                let again = Bundle {
                    imported: bundle.imported,
                    ..Bundle::new(bundle.version, &bundle.actor, import, kept)
                };
                bundles.push(Arc::new(again));
            }
        }
        Ok((event, bundles))
    }

    /// Refuses to remove results on which the pairing of a later Swiss round is based.
    fn pairings_stay(
        &self,
        version: u64,
        current: &Tournament,
        event: &Tournament,
    ) -> Result<(), Why> {
        if event.event().system != System::Swiss {
            return Ok(());
        }
        let has_result = |of: &Tournament, round, no| {
            at(of, round, no).is_some_and(|board| board.result.is_some())
        };
        let mut lost = games(current)
            .filter(|(round, no, game)| game.result.is_some() && !has_result(event, *round, *no));
        let Some((lost, _, _)) = lost.next() else {
            return Ok(());
        };
        let since = self
            .bundles
            .iter()
            .filter(|bundle| bundle.version > version);
        let mut paired = since.flat_map(|bundle| bundle.changes.iter().filter_map(pairs));
        match paired.find(|round| *round > lost && event.rounds().contains_key(round)) {
            Some(round) => Err(Why::UndoBlocked {
                what: format!("the pairing of round {round}"),
            }),
            None => Ok(()),
        }
    }

    /// Refuses to drop the event if a change after its opening import still has an effect.
    fn nothing_since(&self, current: &Tournament) -> Result<(), Why> {
        for bundle in &self.bundles {
            let mut changes = bundle.changes.iter();
            // The event's own data may be lost: an arbiter can enter it again.
            let stands = |change: &&Change| {
                !matches!(change, Change::SetEvent(_)) && !is_moot(change, current)
            };
            if let Some(change) = changes.find(stands) {
                return Err(blocked(bundle, change));
            }
        }
        Ok(())
    }
}

fn made(bundle: &Bundle, mut event: Tournament) -> Tournament {
    for change in &bundle.changes {
        // Cannot fail: the change was applied to the same event before.
        let _ = bundle.apply(&mut event, change.clone());
    }
    event
}

fn changes_player_numbers(change: &Change) -> bool {
    matches!(change, Change::RemovePlayer(_) | Change::Renumber(_))
}

fn refers_to_players(change: &Change) -> bool {
    matches!(
        change,
        Change::EnterPlayer(_)
            | Change::RemovePlayer(_)
            | Change::Renumber(_)
            | Change::Withdraw(..)
            | Change::ReturnPlayer(_)
            | Change::GrantBye(..)
            | Change::EnterTeam(_)
            | Change::PairRound(..)
            | Change::Reseat(..)
    )
}

fn blocked(bundle: &Bundle, change: &Change) -> Why {
    let what = match &bundle.import {
        Some(import) => format!("the import of {}", import.file),
        None => format!("“{}”, by {},", topic::words(change), bundle.actor),
    };
    Why::UndoBlocked { what }
}

/// Returns true if a later change has the same meaning in the event without the import. If not, applying the
/// change again could restore part of the imported data.
fn fits(change: &Change, was: &Tournament, event: &Tournament) -> bool {
    let player = |no: &PlayerNo| was.players().contains_key(no) == event.players().contains_key(no);
    let team = |no: &TeamNo| was.teams().contains_key(no) == event.teams().contains_key(no);
    let round = |no: &RoundNo| was.rounds().contains_key(no) == event.rounds().contains_key(no);
    let board = |round: &RoundNo, no: &BoardNo| {
        at(was, *round, *no).is_some() == at(event, *round, *no).is_some()
    };
    match change {
        Change::EnterPlayer(entered) => player(&entered.no),
        Change::RemovePlayer(no)
        | Change::Withdraw(no, _)
        | Change::ReturnPlayer(no)
        | Change::GrantBye(no, _, _) => player(no),
        Change::EnterTeam(entered) => team(&entered.no),
        Change::RemoveTeam(no) => team(no),
        Change::PairRound(no, _)
        | Change::Unpair(no)
        | Change::Confirm(no)
        | Change::Reopen(no, _)
        | Change::ForfeitMatch(no, _, _) => round(no),
        Change::Reseat(no, seats) => {
            let mut boards = seats.boards.iter();
            boards.all(|pairing| board(no, &pairing.board))
        }
        Change::RemoveBoards(no, boards) => boards.iter().all(|at| board(no, at)),
        Change::Preset(no, at)
        | Change::FirstPress(no, at)
        | Change::Propose(no, at, _, _)
        | Change::Enter(no, at, _, _)
        | Change::RemoveResult(no, at, _) => board(no, at),
        // Imported standings belong to the results at that time.
        Change::StateStandings(_) => was.rounds() == event.rounds(),
        Change::SetEvent(_) | Change::Renumber(_) | Change::Start(..) => true,
    }
}

/// Returns true if a change may be left out: the current event shows no effect of it, or it can be made again.
fn is_moot(change: &Change, current: &Tournament) -> bool {
    let no_player = |no: &PlayerNo| !current.players().contains_key(no);
    let no_round = |no: &RoundNo| !current.rounds().contains_key(no);
    let no_result = |round: &RoundNo, no: &BoardNo| {
        at(current, *round, *no).is_none_or(|board| board.result.is_none())
    };
    match change {
        // A clock reports the change again if it still holds.
        Change::Preset(..) | Change::Propose(..) => true,
        // The file can be imported again.
        Change::StateStandings(_) => true,
        Change::Enter(round, board, ..) | Change::RemoveResult(round, board, _) => {
            no_result(round, board)
        }
        Change::EnterPlayer(player) => no_player(&player.no),
        Change::RemovePlayer(no) => no_player(no),
        Change::RemoveTeam(no) => !current.teams().contains_key(no),
        Change::Withdraw(no, _) | Change::ReturnPlayer(no) => {
            let player = current.players().get(no);
            player.is_none_or(|player| player.leaves.is_none())
        }
        Change::GrantBye(no, round, _) => current.assigned_bye(*no, *round).is_none(),
        Change::PairRound(round, _) | Change::Unpair(round) => no_round(round),
        Change::Reseat(round, seats) => {
            let mut boards = seats.boards.iter();
            boards.all(|pairing| at(current, *round, pairing.board).is_none())
        }
        Change::RemoveBoards(round, boards) => boards
            .iter()
            .all(|board| at(current, *round, *board).is_none()),
        Change::Confirm(round) | Change::Reopen(round, _) => {
            let paired = current.rounds().get(round);
            paired.is_none_or(|paired| paired.confirmed.is_none())
        }
        Change::ForfeitMatch(round, no, _) => {
            let paired = current.rounds().get(round);
            let paired = paired.and_then(|paired| paired.matches.get(no));
            paired.is_none_or(|paired| paired.forfeit.is_none())
        }
        Change::SetEvent(_)
        | Change::EnterTeam(_)
        | Change::Renumber(_)
        | Change::Start(..)
        | Change::FirstPress(..) => false,
    }
}

/// Refuses to lose a game that has begun, or to give a result to players who did not play that game.
fn games_stay(current: &Tournament, event: &Tournament) -> Result<(), Why> {
    let begun = games(current).filter(|(_, _, game)| game.reached > BoardPhase::Preset);
    for (round, no, game) in begun {
        if at(event, round, no).is_none_or(|other| !same_players(game, other)) {
            return Err(game_of("the game", round, no));
        }
    }
    let decided = games(event).filter(|(_, _, game)| game.result.is_some());
    for (round, no, game) in decided {
        if at(current, round, no).is_none_or(|other| !same_players(game, other)) {
            return Err(game_of("the result", round, no));
        }
    }
    Ok(())
}

fn game_of(what: &str, round: RoundNo, no: BoardNo) -> Why {
    Why::UndoBlocked {
        what: format!("{what} of board {no} in round {round}"),
    }
}

fn games(event: &Tournament) -> impl Iterator<Item = (RoundNo, BoardNo, &Board)> {
    let rounds = event.rounds().iter();
    rounds.flat_map(|(round, paired)| {
        let boards = paired.boards.iter();
        boards.map(|(no, board)| (*round, *no, board))
    })
}

fn at(event: &Tournament, round: RoundNo, no: BoardNo) -> Option<&Board> {
    event.rounds().get(&round)?.boards.get(&no)
}

fn same_players(one: &Board, other: &Board) -> bool {
    (one.white, one.black) == (other.white, other.black)
}

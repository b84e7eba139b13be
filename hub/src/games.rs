//! Reads the event's games, with their moves and clocks, from the log. Writes nothing.

use std::collections::BTreeMap;
use std::sync::Arc;

use durable_log::LogReader;
use hall::BoardId;
use hall::replay::{MomentDetail, Place, RecordIndex, Timeline, game};
use sha2::{Digest, Sha256};
use time_chess::Annotated;
use tonic::Status;
use tournament::formats::pgn::games::PgnTarget;
use tournament::formats::pgn::movetext::{Played, Press, Termination, Variant};
use tournament::{Board, BoardNo, GameResult, Outcome, RoundNo, Tournament};

use crate::api::BoardRecordIndex;
use crate::replay::records_at;

/// A game of the event, with the players' names and the result that the event states.
pub(crate) struct EventGame {
    pub(crate) place: (RoundNo, BoardNo),
    names: [String; 2],
    result: Option<GameResult>,
}

impl EventGame {
    /// Returns the game on a board of a round; `None` if a player is missing.
    pub(crate) fn of(
        tournament: &Tournament,
        place: (RoundNo, BoardNo),
        board: &Board,
    ) -> Option<Self> {
        let players = tournament.players();
        let name = |side| Some(players.get(&board.player(side)?)?.name.clone());
        Some(Self {
            place,
            names: [name(timing::Side::White)?, name(timing::Side::Black)?],
            result: board.result,
        })
    }
}

#[derive(Clone)]
pub struct Games {
    pub(crate) log: LogReader,
    pub(crate) places: Arc<BoardRecordIndex>,
}

impl Games {
    /// Creates a source of games for `log`, whose records so far are in `index`.
    pub(crate) fn new(log: LogReader, index: RecordIndex) -> Self {
        Self {
            log,
            places: Arc::new(BoardRecordIndex::new(index)),
        }
    }

    /// Returns a game as of the first `records` records, or `None` if its players have begun none on that board in that round.
    ///
    /// # Errors
    /// Returns `DATA_LOSS` if the log is damaged.
    pub(crate) fn played(&self, due: &EventGame, records: u64) -> Result<Option<Played>, Status> {
        let (round, no) = due.place;
        let Ok(board) = no.to_string().parse::<BoardId>() else {
            return Ok(None);
        };
        let found = self.places.read(|index| {
            let games = index.games(&board);
            let of_round = |begins: &&Place| begins.game.is_in(0, round.0.into());
            let begun = games.iter().filter(|begins| begins.index < records);
            let place = begun.rev().find(of_round)?.game;
            let mut needed = index.needed(&board, place);
            needed.truncate(needed.partition_point(|index| *index < records));
            Some((place.game, needed))
        });
        let Some((number, needed)) = found else {
            return Ok(None);
        };
        let damaged = |error: &dyn std::fmt::Display| Status::data_loss(error.to_string());
        let records = records_at(&self.log, &needed).map_err(|error| damaged(&error))?;
        let timeline = game(&records, &board, number).map_err(|error| damaged(&error))?;
        // A round of a different event may have had the same number.
        let is_theirs = [&timeline.white, &timeline.black] == [&due.names[0], &due.names[1]];
        Ok(is_theirs.then(|| {
            let presses = presses(&timeline);
            Played {
                variant: time_chess(&timeline, due.result, &presses),
                presses,
                control: timeline.control.parse().ok(),
                termination: termination(&timeline, due.result),
                san: timeline.score,
            }
        }))
    }
}

/// Returns the key with which the `GameId`s of an event's games begin: a short hash of the log's origin and the event's number. Every PGN file
/// thus names a game by the same id.
pub(crate) fn key(origin: &str, event: u32) -> String {
    let digest = Sha256::digest(format!("{origin} {event}"));
    hex::encode(&digest[..6])
}

fn presses(timeline: &Timeline) -> BTreeMap<(u32, timing::Side), Press> {
    let presses = timeline.moves().map(|(name, clocks)| {
        let left_us = match name.side {
            timing::Side::White => clocks.white_us,
            timing::Side::Black => clocks.black_us,
        };
        let press = Press {
            left: timing::Duration::from_micros(left_us),
            used: timing::Duration::from_micros(clocks.used_us),
        };
        ((name.number, name.side), press)
    });
    presses.collect()
}

/// Returns the movetext of a Time Chess game that has ended with a result of play. Returns `None` for a forfeit, for other games, and while
/// moves may be hidden.
fn time_chess(
    timeline: &Timeline,
    result: Option<GameResult>,
    presses: &BTreeMap<(u32, timing::Side), Press>,
) -> Option<Variant> {
    let turns = timeline.turns.as_ref()?;
    if !matches!(result?, GameResult::Played { .. }) || turns.game.outcome().is_none() {
        return None;
    }
    let mut game = Annotated::new(turns.game.clone());
    for (index, (side, number)) in turns.presses.iter().enumerate() {
        if let Some(press) = presses.get(&(*number, *side)) {
            let note = time_chess::Note {
                comment: press.comment(PgnTarget::Standard),
                ..time_chess::Note::default()
            };
            game.set_note(index, note).ok()?;
        }
    }
    Some(Variant {
        name: time_chess::VARIANT,
        movetext: game.movetext().join(" "),
    })
}

/// Returns a game's termination according to its timeline; `None` for a forfeit or without a result.
fn termination(timeline: &Timeline, result: Option<GameResult>) -> Option<Termination> {
    let loser = match result? {
        GameResult::Adjourned => return Some(Termination::Unterminated),
        GameResult::Forfeit { .. } => return None,
        GameResult::Played { white, black, .. } => match (white, black) {
            (Outcome::Loss, Outcome::Win) => Some(hall::view::Side::White),
            (Outcome::Win, Outcome::Loss) => Some(hall::view::Side::Black),
            (Outcome::Win | Outcome::Draw, _) | (Outcome::Loss, Outcome::Draw | Outcome::Loss) => {
                None
            }
        },
    };
    let mut moments = timeline.moments.iter().map(|moment| &moment.what);
    let flag = moments
        .clone()
        .any(|what| matches!(what, MomentDetail::Flag { side } if Some(*side) == loser));
    let offence = moments.rfind(|what| matches!(what, MomentDetail::Action { .. }));
    let is_offence = |what: &MomentDetail| matches!(what, MomentDetail::Action { command, .. } if command.starts_with("illegal "));
    Some(match loser {
        Some(_) if offence.is_some_and(is_offence) => Termination::RulesInfraction,
        Some(_) if flag => Termination::TimeForfeit,
        Some(_) | None => Termination::Normal,
    })
}

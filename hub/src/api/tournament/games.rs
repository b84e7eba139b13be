//! The games of the event as PGN: their moves and clocks from the log, one replay after the other. Reads only.

use std::collections::BTreeMap;

use proto::grpc::PgnReader;
use sha2::{Digest, Sha256};
use tonic::Status;

use super::super::work::{Turn, computed};
use super::super::{Parts, log_places::damaged};
use crate::replay::records_at;
use hall::replay::{Timeline, What, game};
use hall::{BoardId, TournamentNow};
use tournament::formats::pgn::games::{Games, Reader, Selection, write};
use tournament::formats::pgn::movetext::{Played, Press, Termination};
use tournament::{Board, BoardNo, GameResult, Outcome, RoundNo};

/// The wanted games.
pub(super) struct Wanted {
    pub(super) rounds: Vec<RoundNo>,
    pub(super) board: Option<BoardNo>,
    pub(super) reader: PgnReader,
    /// The moves of games without a result too.
    pub(super) running: bool,
    /// The event is the one that the hall plays now.
    pub(super) current: bool,
}

/// A game of the event, with its players' names as its board's record has them.
struct Due {
    place: (RoundNo, BoardNo),
    names: [String; 2],
    result: Option<GameResult>,
}

pub(super) async fn pgn(
    parts: &std::sync::Arc<Parts>,
    now: TournamentNow,
    wanted: Wanted,
) -> Result<Games, Status> {
    let mut known = BTreeMap::new();
    if wanted.current {
        let turn = Turn::current()?;
        parts.places.complete(&parts.log, &turn).await??;
        for due in due(&now, &wanted) {
            let (parts, place) = (parts.clone(), due.place);
            let played = computed(move || played(&parts, &due)).await??;
            known.extend(played.map(|played| (place, played)));
        }
    }
    let key = key(&parts.log_origin, now.number().0);
    computed(move || {
        let selection = Selection {
            rounds: &wanted.rounds,
            board: wanted.board,
            reader: match wanted.reader {
                PgnReader::Unspecified => Reader::Standard,
                PgnReader::Lichess => Reader::Lichess,
            },
            key: &key,
        };
        write(&now.tournament, selection, &|round, board| {
            known.get(&(round, board)).cloned()
        })
    })
    .await
}

/// Returns a short name of an event that is the same in every file and for no other event.
fn key(origin: &str, event: u32) -> String {
    let digest = Sha256::digest(format!("{origin} {event}"));
    digest[..6]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

fn due(now: &TournamentNow, wanted: &Wanted) -> Vec<Due> {
    let players = now.tournament.players();
    let name = |board: &Board, side| Some(players.get(&board.player(side)?)?.name.clone());
    let mut games = Vec::new();
    for round in &wanted.rounds {
        let paired = now.tournament.rounds().get(round);
        for (no, board) in paired.iter().flat_map(|round| &round.boards) {
            let is_wanted = wanted.board.is_none_or(|only| only == *no)
                && (wanted.running || board.result.is_some());
            let names = (
                name(board, timing::Side::White),
                name(board, timing::Side::Black),
            );
            if let (true, (Some(white), Some(black))) = (is_wanted, names) {
                games.push(Due {
                    place: (*round, *no),
                    names: [white, black],
                    result: board.result,
                });
            }
        }
    }
    games
}

/// Returns a game as the log has it; `None` if its players have played none on that board.
fn played(parts: &Parts, due: &Due) -> Result<Option<Played>, Status> {
    let (round, no) = due.place;
    let Ok(board) = no.to_string().parse::<BoardId>() else {
        return Ok(None);
    };
    let found = parts.places.read(|index| {
        let place = index.find(&board, 0, round.0.into()).ok()?;
        Some((place.game, index.needed(&board, place)))
    });
    let Some((number, needed)) = found else {
        return Ok(None);
    };
    let records = records_at(&parts.log, &needed).map_err(|error| damaged(&error))?;
    let timeline = game(&records, &board, number);
    let timeline = timeline.map_err(|error| Status::data_loss(error.to_string()))?;
    // A round of another event had the same number.
    let is_theirs = [&timeline.white, &timeline.black] == [&due.names[0], &due.names[1]];
    Ok(is_theirs.then(|| Played {
        presses: presses(&timeline),
        control: timeline.control.parse().ok(),
        termination: termination(&timeline, due.result),
        san: timeline.score,
    }))
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

/// Returns how a game with that result ended, as far as the clocks tell.
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
    let moments = &timeline.moments;
    let flag = moments
        .iter()
        .any(|moment| matches!(moment.what, What::Flag { side } if Some(side) == loser));
    let offence = moments.iter().rev().find_map(|moment| {
        if let What::Action { command, .. } = &moment.what {
            return Some(command.starts_with("illegal "));
        }
        None
    });
    Some(match loser {
        Some(_) if offence == Some(true) => Termination::RulesInfraction,
        Some(_) if flag => Termination::TimeForfeit,
        Some(_) | None => Termination::Normal,
    })
}

//! Exports the event's games as PGN. Owns the choice of games that are exported with their moves.

use std::collections::BTreeMap;

use proto::grpc::PgnReader;
use tonic::Result;

use super::super::ServiceContext;
use super::super::work::{Turn, computed};
use crate::games::{self, EventGame};
use hall::TournamentNow;
use tournament::formats::pgn::games::{Games, PgnTarget, Selection, write};
use tournament::{BoardNo, RoundNo};

pub(super) struct GameQuery {
    pub(super) rounds: Vec<RoundNo>,
    pub(super) board: Option<BoardNo>,
    pub(super) reader: PgnReader,
    pub(super) include_unfinished: bool,
    pub(super) is_current_event: bool,
}

pub(super) async fn pgn(
    parts: &std::sync::Arc<ServiceContext>,
    now: TournamentNow,
    wanted: GameQuery,
) -> Result<Games> {
    let mut known = BTreeMap::new();
    if wanted.is_current_event {
        let turn = Turn::current()?;
        parts.places.complete(&parts.log, &turn).await??;
        let games = games::Games {
            log: parts.log.clone(),
            places: parts.places.clone(),
        };
        for due in due(&now, &wanted) {
            let (games, place) = (games.clone(), due.place);
            let played = computed(move || games.played(&due, u64::MAX)).await??;
            known.extend(played.map(|played| (place, played)));
        }
    }
    let key = games::key(&parts.log_origin, now.number().0);
    computed(move || {
        let selection = Selection {
            rounds: &wanted.rounds,
            board: wanted.board,
            target: match wanted.reader {
                PgnReader::Unspecified => PgnTarget::Standard,
                PgnReader::Lichess => PgnTarget::Lichess,
            },
            key: &key,
        };
        write(&now.tournament, selection, &|round, board| {
            known.get(&(round, board)).cloned()
        })
    })
    .await
}

fn due(now: &TournamentNow, wanted: &GameQuery) -> Vec<EventGame> {
    let mut games = Vec::new();
    for round in &wanted.rounds {
        let paired = now.tournament.rounds().get(round);
        for (no, board) in paired.iter().flat_map(|round| &round.boards) {
            if wanted.board.is_none_or(|only| only == *no)
                && (wanted.include_unfinished || board.result.is_some())
            {
                games.extend(EventGame::of(&now.tournament, (*round, *no), board));
            }
        }
    }
    games
}

//! `/live/event/rounds/{round}/games.pgn`: the games of a round for programs that fetch PGN, such as Lichess.
//!
//! Lichess shows at most a hundred games per address, accepts only a strong `ETag`, gives up after six seconds, and reads text without a
//! charset as ISO 8859-1. `?boards=1-100` selects part of a large round.

use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use flate2::Compression;
use serde::Deserialize;

use super::answer::{Answer, Keep};
use super::{WantedGames, Web, error_page, with_cors};
use tournament::RoundNo;

const PGN: &str = "application/x-chess-pgn; charset=utf-8";

#[derive(Deserialize)]
pub(super) struct Options {
    boards: Option<String>,
    /// `lichess` for Lichess's variant of PGN; anything else means standard PGN.
    form: Option<String>,
}

pub(super) async fn pgn(
    State(web): State<Web>,
    Path(round): Path<String>,
    Query(options): Query<Options>,
    headers: HeaderMap,
) -> Response {
    let Some(wanted) = wanted(&round, &options) else {
        return error_page::not_in_event(&headers);
    };
    match web.source.games(wanted).await {
        Ok(Some(text)) => {
            let answer = Answer::new(PGN, Keep::Second, text.into(), Compression::fast());
            with_cors(answer.respond(&headers))
        }
        Ok(None) => error_page::not_in_event(&headers),
        Err(why) => {
            tracing::error!("the games could not be written: {why}");
            error_page::not_yet(&headers)
        }
    }
}

fn wanted(round: &str, options: &Options) -> Option<WantedGames> {
    let places = match &options.boards {
        Some(range) => {
            let (first, last) = range.split_once('-')?;
            (first.parse().ok()?, last.parse().ok()?)
        }
        None => (1, usize::MAX),
    };
    Some(WantedGames {
        round: RoundNo(round.parse().ok()?),
        places,
        lichess: options.form.as_deref() == Some("lichess"),
    })
}

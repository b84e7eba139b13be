//! The public pages of the event: rounds, results, standings, cross table, players, teams, and printed sheets.
//!
//! Owns their routes. Each data set is computed once for a version of the event and kept encoded. A result costs one computation however
//! many clients ask. Must never show data for arbiters alone: proposals, reasons, actors, notes (FIDE 12.6).

mod edition;
mod explain;
mod explain_words;
mod overview;
mod participants;
mod qr;
mod round;
mod shared;
mod sheets;
mod table;
mod team;
mod tie_break_names;

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde::Deserialize;

use super::{Web, error_page, with_cors};
use edition::{Edition, Sheet};

pub(super) use edition::Editions;

/// Allowed names after `/event/print/`.
const PRINTED: &[&str] = &["pairings", "names", "cards", "slips", "standings"];

pub(super) fn routes() -> Router<Web> {
    Router::new()
        .route("/event", get(any_page))
        .route("/event/standings", get(any_page))
        .route("/event/cross-table", get(any_page))
        .route("/event/players", get(any_page))
        .route("/event/players/{no}", get(player_page))
        .route("/event/teams", get(teams_page))
        .route("/event/teams/{no}", get(team_page))
        .route("/event/rounds", get(any_page))
        .route("/event/rounds/{no}", get(round_page))
        .route("/event/print/{what}", get(print_page))
        .route("/live/event.json", get(overview_json))
        .route("/live/event/standings.json", get(standings_json))
        .route("/live/event/cross-table.json", get(cross_table_json))
        .route("/live/event/players.json", get(players_json))
        .route("/live/event/players/{file}", get(player_json))
        .route("/live/event/teams.json", get(teams_json))
        .route("/live/event/teams/{file}", get(team_json))
        .route("/live/event/rounds/{file}", get(round_json))
        .route("/live/event/why/{file}", get(why_json))
        .route("/board/{board}/qr.svg", get(qr::board))
}

#[derive(Deserialize)]
struct After {
    after: Option<u16>,
}

async fn any_page(State(web): State<Web>, headers: HeaderMap) -> Response {
    page(&web, &headers, |_| true)
}

async fn player_page(
    State(web): State<Web>,
    Path(no): Path<String>,
    headers: HeaderMap,
) -> Response {
    page(&web, &headers, |edition| {
        number(&no).is_some_and(|no| edition.has_player(no))
    })
}

async fn teams_page(State(web): State<Web>, headers: HeaderMap) -> Response {
    page(&web, &headers, Edition::is_team)
}

async fn team_page(State(web): State<Web>, Path(no): Path<String>, headers: HeaderMap) -> Response {
    page(&web, &headers, |edition| {
        number(&no).is_some_and(|no| edition.has_team(no))
    })
}

async fn round_page(
    State(web): State<Web>,
    Path(no): Path<String>,
    headers: HeaderMap,
) -> Response {
    page(&web, &headers, |edition| {
        number(&no).is_some_and(|no| edition.has_round(no))
    })
}

async fn print_page(
    State(web): State<Web>,
    Path(what): Path<String>,
    headers: HeaderMap,
) -> Response {
    page(&web, &headers, |_| PRINTED.contains(&what.as_str()))
}

/// Returns the single page for all of these addresses, if there is an event and it has the requested item.
fn page(web: &Web, headers: &HeaderMap, shows: impl Fn(&Edition) -> bool) -> Response {
    match web.edition() {
        None => error_page::no_event(headers),
        Some(edition) if shows(&edition) => web.page("event/event.html", headers),
        Some(_) => error_page::not_in_event(headers),
    }
}

async fn overview_json(State(web): State<Web>, headers: HeaderMap) -> Response {
    // Read the position in the feed before the event: a change in between is sent again, and nothing is missed.
    let place = overview::Place::of(&web.hall);
    let Some(edition) = web.edition() else {
        return error_page::no_event(&headers);
    };
    match serde_json::to_vec(&overview::of(&edition, place)) {
        Ok(json) => with_cors(super::Answer::json(json.into()).respond(&headers)),
        Err(error) => failed(&error),
    }
}

async fn standings_json(
    State(web): State<Web>,
    Query(of): Query<After>,
    headers: HeaderMap,
) -> Response {
    sheet(&web, &headers, |edition| {
        Some(Sheet::Standings(edition.round_or_now(of.after)?))
    })
    .await
}

async fn cross_table_json(State(web): State<Web>, headers: HeaderMap) -> Response {
    sheet(&web, &headers, |_| Some(Sheet::CrossTable)).await
}

async fn players_json(State(web): State<Web>, headers: HeaderMap) -> Response {
    sheet(&web, &headers, |_| Some(Sheet::Players)).await
}

async fn player_json(
    State(web): State<Web>,
    Path(file): Path<String>,
    headers: HeaderMap,
) -> Response {
    sheet(&web, &headers, |edition| {
        let no = file_number(&file).filter(|no| edition.has_player(*no))?;
        Some(Sheet::Player(no))
    })
    .await
}

async fn teams_json(State(web): State<Web>, headers: HeaderMap) -> Response {
    sheet(&web, &headers, |edition| {
        edition.is_team().then_some(Sheet::Teams)
    })
    .await
}

async fn team_json(
    State(web): State<Web>,
    Path(file): Path<String>,
    headers: HeaderMap,
) -> Response {
    sheet(&web, &headers, |edition| {
        let no = file_number(&file).filter(|no| edition.has_team(*no))?;
        Some(Sheet::Team(no))
    })
    .await
}

async fn round_json(
    State(web): State<Web>,
    Path(file): Path<String>,
    headers: HeaderMap,
) -> Response {
    sheet(&web, &headers, |edition| {
        let no = file_number(&file).filter(|no| edition.has_round(*no))?;
        Some(Sheet::Round(no))
    })
    .await
}

async fn why_json(
    State(web): State<Web>,
    Path(file): Path<String>,
    Query(of): Query<After>,
    headers: HeaderMap,
) -> Response {
    sheet(&web, &headers, |edition| {
        let no = file_number(&file).filter(|no| edition.has_competitor(*no))?;
        Some(Sheet::Why(edition.round_or_now(of.after)?, no))
    })
    .await
}

async fn sheet(
    web: &Web,
    headers: &HeaderMap,
    which: impl FnOnce(&Edition) -> Option<Sheet>,
) -> Response {
    let Some(edition) = web.edition() else {
        return error_page::no_event(headers);
    };
    let Some(wanted) = which(&edition) else {
        return error_page::not_in_event(headers);
    };
    match Edition::answer(edition, wanted).await {
        Ok(answer) => with_cors(answer.respond(headers)),
        Err(error) => failed(&error),
    }
}

fn failed(error: &serde_json::Error) -> Response {
    tracing::error!(%error, "the event could not be put into JSON");
    let no_store = [(header::CACHE_CONTROL, "no-store")];
    (StatusCode::INTERNAL_SERVER_ERROR, no_store).into_response()
}

fn file_number(file: &str) -> Option<u16> {
    number(file.strip_suffix(".json")?)
}

/// Parses a number in its canonical form: each page has one address.
fn number(text: &str) -> Option<u16> {
    let no: u16 = text.parse().ok()?;
    (no.to_string() == text).then_some(no)
}

impl Web {
    fn edition(&self) -> Option<Arc<Edition>> {
        let (version, tournament) = self.source.tournament()?;
        Some(self.editions.of(version, tournament))
    }
}

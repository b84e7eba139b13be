//! `/plain`: the hall and the standings as a self-reloading document without scripts.

use std::fmt::Write as _;

use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;

use super::answer::{Answer, Keep};
use super::words::Language;
use super::{Web, event};
use crate::clock_text::in_hand;
use hall::view::{BoardState, BoardView, Running, SideView};

const PAGE: &str = include_str!("../../assets/live/plain.html");
const HTML: &str = "text/html; charset=utf-8";

pub(super) async fn page(State(web): State<Web>, headers: HeaderMap) -> Response {
    let language = Language::of(&headers);
    let hall = web.hall.snapshot();
    let mut rows = String::new();
    for board in &hall.boards {
        row(&mut rows, language, &board.at(hall.hub_us));
    }
    let standings = event::places(&web).map(|places| {
        let mut rows = String::new();
        for (rank, name, score) in places {
            // Writing into a `String` cannot fail.
            let _ = write!(
                rows,
                "<tr><td class=\"num\">{rank}</td><th scope=\"row\"><bdi>{}</bdi></th><td class=\"num\">{}</td></tr>",
                escape(&name),
                escape(&score)
            );
        }
        format!(
            "<table><caption>{}</caption><tbody>{rows}</tbody></table>",
            language.word("view_standings")
        )
    });
    let page = language
        .fill(PAGE)
        .replace("{{title}}", &escape(&hall.event.name))
        .replace("{{rows}}", &rows)
        .replace("{{standings}}", &standings.unwrap_or_default());
    let told = [
        (header::VARY, "accept-encoding, accept-language"),
        (header::CONTENT_LANGUAGE, language.tag()),
    ];
    let answer = Answer::new(HTML, Keep::Second, page.into(), Compression::fast());
    (told, answer.respond(&headers)).into_response()
}

fn row(rows: &mut String, language: Language, board: &BoardView) {
    let clock = |side: &SideView, running| {
        let class = match board.running == running {
            true => "num run",
            false => "num",
        };
        let time = in_hand(side.us, side.phase);
        format!("<td class=\"{class}\">{time}</td>")
    };
    let _ = write!(
        rows,
        "<tr><th scope=\"row\"><bdi>{}</bdi></th><td><bdi>{}</bdi></td>{}{}<td><bdi>{}</bdi></td><td>{}</td></tr>",
        escape(&board.board),
        escape(&board.white.name),
        clock(&board.white, Running::White),
        clock(&board.black, Running::Black),
        escape(&board.black.name),
        board
            .result
            .as_deref()
            .map_or_else(|| state(language, board).to_owned(), escape),
    );
}

pub(super) fn state(language: Language, board: &BoardView) -> &'static str {
    language.word(match board.state {
        BoardState::Ready => "state_ready",
        BoardState::Running => "state_running",
        BoardState::Paused | BoardState::Stopped => "state_paused",
        BoardState::Flagged => "state_flag",
        BoardState::Over => "state_over",
    })
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

//! What is said when there is nothing to show: in the house's look to a browser, in one line to a program.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

const PAGE: &str = include_str!("../../assets/live/error.html");

pub(super) async fn not_found(headers: HeaderMap) -> Response {
    page(
        StatusCode::NOT_FOUND,
        "Nothing is shown here",
        "This address has no page. All boards of the hall are on one page.",
        &headers,
    )
}

pub(super) async fn method_not_allowed(headers: HeaderMap) -> Response {
    page(
        StatusCode::METHOD_NOT_ALLOWED,
        "This page can only be read",
        "Spectators’ pages answer GET and HEAD. Arbiters’ commands have their own address.",
        &headers,
    )
}

pub(super) fn no_such_board(board: &str, headers: &HeaderMap) -> Response {
    page(
        StatusCode::NOT_FOUND,
        &format!("No board {board} in this hall"),
        "It may have been played in an earlier round. All boards of this round are on one page.",
        headers,
    )
}

pub(super) fn no_authority(headers: &HeaderMap) -> Response {
    page(
        StatusCode::NOT_FOUND,
        "No authority is known here",
        "The hub that serves arbiters has one of its own.",
        headers,
    )
}

pub(super) fn no_event(headers: &HeaderMap) -> Response {
    page(
        StatusCode::NOT_FOUND,
        "No event is open in this hall",
        "Pairings and standings appear here once the arbiters have entered the event.",
        headers,
    )
}

pub(super) fn not_in_event(headers: &HeaderMap) -> Response {
    page(
        StatusCode::NOT_FOUND,
        "The event has nothing of that number",
        "It may come with a later round. Rounds, players and standings are on the event’s page.",
        headers,
    )
}

pub(super) fn too_many(headers: &HeaderMap) -> Response {
    let mut response = page(
        StatusCode::SERVICE_UNAVAILABLE,
        "As many are watching as this hub can serve",
        "Try again in a minute.",
        headers,
    );
    response
        .headers_mut()
        .insert(header::RETRY_AFTER, HeaderValue::from_static("60"));
    response
}

fn page(status: StatusCode, title: &str, text: &str, headers: &HeaderMap) -> Response {
    let no_store = (header::CACHE_CONTROL, "no-store");
    let wants_html = headers
        .get(header::ACCEPT)
        .and_then(|accept| accept.to_str().ok())
        .is_some_and(|accept| accept.contains("text/html"));
    if wants_html {
        let body = PAGE
            .replace("{{title}}", &escape(title))
            .replace("{{text}}", &escape(text))
            .replace("{{status}}", status.as_str());
        let kind = (header::CONTENT_TYPE, "text/html; charset=utf-8");
        (status, [no_store, kind], body).into_response()
    } else {
        (status, [no_store], format!("{title}. {text}\n")).into_response()
    }
}

pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        // A name that spells one of the page's own slots stays a name.
        .replace('{', "&#123;")
}

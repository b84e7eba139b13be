//! Error responses: a styled page for a browser, one line for a program, in the client's language.

use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use headers::HeaderMapExt as _;
use headers_accept::Accept;
use mediatype::{MediaType, names};

use super::words::Language;

const PAGE: &str = include_str!("../../assets/live/error.html");

pub(super) async fn not_found(headers: HeaderMap) -> Response {
    let words = ("hub_page_nothing", "hub_page_nothing_text");
    page(StatusCode::NOT_FOUND, words, &headers)
}

pub(super) async fn method_not_allowed(headers: HeaderMap) -> Response {
    let words = ("hub_page_read_only", "hub_page_read_only_text");
    page(StatusCode::METHOD_NOT_ALLOWED, words, &headers)
}

pub(super) fn no_such_board(board: &str, headers: &HeaderMap) -> Response {
    let language = Language::of(headers);
    let title = language.say("hub_page_no_board", &[("board", board)]);
    let text = language.word("hub_page_no_board_text");
    answer(StatusCode::NOT_FOUND, language, &title, text, headers)
}

pub(super) fn no_authority(headers: &HeaderMap) -> Response {
    let words = ("hub_page_no_authority", "hub_page_no_authority_text");
    page(StatusCode::NOT_FOUND, words, headers)
}

pub(super) fn no_event(headers: &HeaderMap) -> Response {
    let words = ("hub_page_no_event", "hub_page_no_event_text");
    page(StatusCode::NOT_FOUND, words, headers)
}

pub(super) fn not_in_event(headers: &HeaderMap) -> Response {
    let words = ("hub_page_not_in_event", "hub_page_not_in_event_text");
    page(StatusCode::NOT_FOUND, words, headers)
}

pub(super) fn too_many(headers: &HeaderMap) -> Response {
    let words = ("hub_page_too_many", "hub_page_too_many_text");
    let response = page(StatusCode::SERVICE_UNAVAILABLE, words, headers);
    ([(header::RETRY_AFTER, "60")], response).into_response()
}

pub(super) fn not_yet(headers: &HeaderMap) -> Response {
    let words = ("hub_page_not_yet", "hub_page_not_yet_text");
    let response = page(StatusCode::SERVICE_UNAVAILABLE, words, headers);
    ([(header::RETRY_AFTER, "1")], response).into_response()
}

/// Returns a response whose title and text are the messages with these names.
fn page(
    status: StatusCode,
    (title, text): (&'static str, &'static str),
    headers: &HeaderMap,
) -> Response {
    let language = Language::of(headers);
    let (title, text) = (language.word(title), language.word(text));
    answer(status, language, title, text, headers)
}

fn answer(
    status: StatusCode,
    language: Language,
    title: &str,
    text: &str,
    headers: &HeaderMap,
) -> Response {
    let told = [
        (header::CACHE_CONTROL, "no-store"),
        (header::CONTENT_LANGUAGE, language.tag()),
    ];
    if prefers_html(headers) {
        let body = language
            .fill(PAGE)
            .replace("{{title}}", &escape(title))
            .replace("{{text}}", &escape(text))
            .replace("{{status}}", status.as_str());
        let kind = [(header::CONTENT_TYPE, "text/html; charset=utf-8")];
        (status, told, kind, body).into_response()
    } else {
        (status, told, format!("{title}. {text}\n")).into_response()
    }
}

/// Returns true if the client prefers HTML to plain text; a client without a preference gets plain text.
fn prefers_html(headers: &HeaderMap) -> bool {
    const PLAIN: MediaType<'_> = MediaType::new(names::TEXT, names::PLAIN);
    const HTML: MediaType<'_> = MediaType::new(names::TEXT, names::HTML);
    match headers.typed_try_get::<Accept>() {
        Ok(accept) => accept.is_some_and(|types| types.negotiate(&[PLAIN, HTML]) == Some(&HTML)),
        // Some clients send a bare `*` or an empty element.
        Err(_) => headers
            .get_all(header::ACCEPT)
            .iter()
            .any(|value| value.to_str().is_ok_and(|text| text.contains("text/html"))),
    }
}

pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        // A name that looks like a slot of the page must not be filled in.
        .replace('{', "&#123;")
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[track_caller]
    fn check(accept: &'static str, html: bool) {
        let headers = HeaderMap::from_iter([(header::ACCEPT, HeaderValue::from_static(accept))]);
        assert_eq!(prefers_html(&headers), html, "{accept}");
    }

    #[test]
    fn a_browser_gets_a_page_and_a_program_a_line() {
        check("text/html", true);
        check("text/html,*/*", true);
        check(
            "text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8",
            true,
        );
        check("application/json, text/*;q=0.1, text/html;q=0.2", true);
        check("*/*", false);
        check("text/*", false);
        check("text/plain, text/html;q=0.9", false);
        check("text/html;q=0, */*", false);
        check("application/json", false);
        check("nonsense", false);
        check("text/html, image/gif, *; q=.2, */*; q=.2", true);
        check("text/html, , */*", true);
        assert!(!prefers_html(&HeaderMap::new()));
    }
}

//! The QR code on a board's card, which leads a phone to that board's live page.
//!
//! A code is drawn once for each board and each of the hub's own hosts while the cache has room. Must never draw an address that a request
//! invents, and never on a thread that carries presses.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use fast_qr::qr::{QRBuilder, QRCode};
use flate2::Compression;
use percent_encoding::utf8_percent_encode;

use super::super::answer::{Answer, Keep};
use super::super::kept::Kept;
use super::super::snapshot::off_the_runtime;
use super::super::{Web, error_page, requested_host};
use super::number;
use crate::identity::RESERVED;
use tournament::BoardNo;

/// The quiet zone that readers need around a code, in modules.
const QUIET: usize = 4;
/// A code takes about 7,000 bytes.
const MAX_KEPT: usize = 2048;

#[derive(Default)]
pub(in crate::web) struct BoardCodes {
    drawn: Kept<Arc<str>, Answer, MAX_KEPT>,
    /// Held while a code is drawn, so that concurrent requests draw it only once.
    drawing: tokio::sync::Mutex<()>,
}

pub(super) async fn board(
    State(web): State<Web>,
    Path(board): Path<String>,
    headers: HeaderMap,
) -> Response {
    if !web.is_board(&board) {
        return error_page::no_such_board(&board, &headers);
    }
    let Some(host) = web.source.hosts().of(requested_host(&headers)) else {
        return error_page::not_found(headers).await;
    };
    match web.codes.of(address(&host, &board)).await {
        Some(code) => code.respond(&headers),
        None => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

impl Web {
    fn is_board(&self, name: &str) -> bool {
        let in_event = |no| {
            self.edition()
                .is_some_and(|edition| edition.has_board(BoardNo(no)))
        };
        self.hall.board(name).is_some() || number(name).is_some_and(in_event)
    }
}

impl BoardCodes {
    /// Returns the code that leads to `address`; `None` if it does not fit into a code.
    async fn of(&self, address: String) -> Option<Answer> {
        let address: Arc<str> = address.into();
        if let Some(code) = self.drawn.get(&address) {
            return Some(code);
        }
        let _turn = self.drawing.lock().await;
        if let Some(code) = self.drawn.get(&address) {
            return Some(code);
        }
        let text = address.clone();
        let code = off_the_runtime(move || draw(&text)).await?;
        self.drawn.keep(address, code.clone());
        Some(code)
    }
}

fn draw(address: &str) -> Option<Answer> {
    let code = QRBuilder::new(address).build().ok()?;
    let body = Bytes::from(svg(&code));
    let (kind, keep) = ("image/svg+xml", Keep::Revalidate);
    Some(Answer::new(kind, keep, body, Compression::fast()))
}

fn address(host: &str, board: &str) -> String {
    let board = utf8_percent_encode(board, RESERVED);
    format!("http://{host}/board/{board}")
}

/// Draws a code as one path, made of the runs of dark modules in each row. Always black on white, as readers require.
fn svg(code: &QRCode) -> String {
    use std::fmt::Write as _;
    let mut path = String::new();
    for row in 0..code.size {
        let dark = |column: usize| column < code.size && code[row][column].value();
        let mut column = 0;
        while column < code.size {
            let run = (column..).take_while(|at| dark(*at)).count();
            if run > 0 {
                // Writing to a String cannot fail.
                let _ = write!(path, "M{} {}h{run}v1h-{run}z", column + QUIET, row + QUIET);
            }
            column += run.max(1);
        }
    }
    let side = code.size + 2 * QUIET;
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h{side}v{side}H0z"/><path d="{path}"/></svg>"##
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_leads_to_the_boards_page() {
        let hosted = |host, board| address(host, board);
        assert_eq!(
            hosted("hall.local:8080", "7"),
            "http://hall.local:8080/board/7"
        );
        assert_eq!(
            hosted("[fe80::1]:80", "A 3"),
            "http://[fe80::1]:80/board/A%203"
        );
        assert_eq!(hosted("10.0.0.7", "Ø1"), "http://10.0.0.7/board/%C3%981");
    }

    #[tokio::test]
    async fn a_code_is_drawn_once() {
        let codes = BoardCodes::default();
        for _ in 0..3 {
            assert!(
                codes
                    .of("http://10.0.0.7/board/1".to_owned())
                    .await
                    .is_some()
            );
        }
        assert_eq!(codes.drawn.len(), 1);
    }

    #[test]
    fn the_picture_has_every_module_of_the_code() {
        let code = QRBuilder::new("http://10.0.0.7/board/12").build().unwrap();
        let picture = svg(&code);
        let path = picture.rsplit_once("<path d=\"M").unwrap().1;
        let path = path.split_once('"').unwrap().0;
        let mut drawn = vec![vec![false; code.size]; code.size];
        for run in path.split('M') {
            let (at, rest) = run.split_once('h').unwrap();
            let (x, y) = at.split_once(' ').unwrap();
            let length: usize = rest.split_once('v').unwrap().0.parse().unwrap();
            let (x, y): (usize, usize) = (x.parse().unwrap(), y.parse().unwrap());
            drawn[y - QUIET][x - QUIET..][..length].fill(true);
        }
        for (row, line) in drawn.iter().enumerate() {
            for (column, dark) in line.iter().enumerate() {
                assert_eq!(*dark, code[row][column].value(), "{row} {column}");
            }
        }
    }
}

//! The QR code on a board's card, which leads a phone to that board's live page.

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use fast_qr::qr::{QRBuilder, QRCode};
use flate2::Compression;
use percent_encoding::utf8_percent_encode;

use super::super::Web;
use super::super::answer::{Answer, Keep};
use crate::identity::RESERVED;

/// The quiet zone that readers need around a code, in modules.
const QUIET: usize = 4;
/// Maximum length of a board name in a code.
const MAX_BOARD_NAME: usize = 32;

pub(super) async fn board(
    State(_): State<Web>,
    Path(board): Path<String>,
    headers: HeaderMap,
) -> Response {
    let host = headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    let Some(address) = host.and_then(|host| address(host, &board)) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    match QRBuilder::new(address).build() {
        Ok(code) => {
            let body = Bytes::from(svg(&code));
            Answer::new("image/svg+xml", Keep::Revalidate, body, Compression::fast())
                .respond(&headers)
        }
        Err(_) => StatusCode::BAD_REQUEST.into_response(),
    }
}

/// Returns the address of the board's page under the host name of the request; `None` for an invalid host or board.
fn address(host: &str, board: &str) -> Option<String> {
    let is_host = |byte: u8| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte);
    let is_board = |letter: char| letter.is_alphanumeric() || "-_. ".contains(letter);
    let fits = !host.is_empty() && host.len() <= 255 && host.bytes().all(is_host);
    let names = !board.is_empty() && board.len() <= MAX_BOARD_NAME && board.chars().all(is_board);
    (fits && names).then(|| {
        format!(
            "http://{host}/board/{}",
            utf8_percent_encode(board, RESERVED)
        )
    })
}

/// Draws each row's dark runs as one path. Always black on white, which readers need.
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
    fn a_code_leads_to_the_boards_page_under_the_askers_own_name_for_the_hub() {
        assert_eq!(
            address("hall.local:8080", "7").unwrap(),
            "http://hall.local:8080/board/7"
        );
        assert_eq!(
            address("[fe80::1]:80", "A 3").unwrap(),
            "http://[fe80::1]:80/board/A%203"
        );
        assert_eq!(
            address("10.0.0.7", "Ø1").unwrap(),
            "http://10.0.0.7/board/%C3%981"
        );
        for (host, board) in [
            ("", "7"),
            ("a/b", "7"),
            ("a\"b", "7"),
            ("a", ""),
            ("a", "../x"),
            ("a", "<b>"),
        ] {
            assert_eq!(address(host, board), None, "{host} {board}");
        }
    }

    /// Reads the picture back module by module and compares it with the code.
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

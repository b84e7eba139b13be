//! The encoding of the hub's responses for the page; `companion-app/src/lib/transport/app-shell.ts` decodes it.

use hyper::StatusCode;
use hyper::header::{HeaderMap, SET_COOKIE};
use serde::Serialize;

use crate::hub_client::FullResponse;
use crate::streams::Piece;

/// The status and headers from which the page builds a `Response`.
#[derive(Debug, Serialize)]
pub(crate) struct Head {
    status: u16,
    headers: Vec<(String, String)>,
}

impl Head {
    /// Copies the head of a response, omitting cookies and values that are not visible ASCII.
    pub(crate) fn new(status: u16, headers: &HeaderMap) -> Self {
        let shown = headers.iter().filter(|(name, _)| *name != SET_COOKIE);
        Self {
            status,
            headers: shown
                .filter_map(|(name, value)| {
                    Some((name.to_string(), value.to_str().ok()?.to_owned()))
                })
                .collect(),
        }
    }

    /// Returns the head of a plain-text response that the shell itself creates.
    pub(crate) fn own(status: StatusCode) -> Self {
        Self {
            status: status.as_u16(),
            headers: vec![("content-type".to_owned(), "text/plain".to_owned())],
        }
    }
}

/// Encodes a response: the length of the head (four bytes, big-endian), the head as JSON, then the body.
pub(crate) fn envelope(head: &Head, body: &[u8]) -> Vec<u8> {
    // This cannot fail: a status and headers always serialise, and are far shorter than 4 GiB.
    let head = serde_json::to_vec(head).unwrap_or_default();
    let length = u32::try_from(head.len()).unwrap_or_default();
    [&length.to_be_bytes(), head.as_slice(), body].concat()
}

pub(crate) fn whole(answer: &FullResponse) -> Vec<u8> {
    let head = Head::new(answer.head.status.as_u16(), &answer.head.headers);
    envelope(&head, &answer.body)
}

/// Encodes a piece of a stream: one byte for its kind, then its data.
pub(crate) fn piece(piece: Piece) -> Vec<u8> {
    match piece {
        Piece::End => vec![0],
        Piece::Data(bytes) => [&[1], bytes.as_slice()].concat(),
        Piece::Failed(why) => [&[2], why.as_bytes()].concat(),
    }
}

#[cfg(test)]
mod tests {
    use hyper::header::HeaderValue;

    use super::*;

    #[test]
    fn a_response_has_a_head_and_a_body() {
        let mut headers = HeaderMap::new();
        headers.insert("grpc-status", HeaderValue::from_static("0"));
        headers.insert(SET_COOKIE, HeaderValue::from_static("__Host-flagfall=x"));
        let bytes = envelope(&Head::new(200, &headers), b"body");
        let head = br#"{"status":200,"headers":[["grpc-status","0"]]}"#;
        let length = u32::try_from(head.len()).unwrap().to_be_bytes();
        assert_eq!(bytes, [&length, &head[..], b"body"].concat());
    }

    #[test]
    fn pieces_begin_with_their_kind() {
        assert_eq!(piece(Piece::End), [0]);
        assert_eq!(piece(Piece::Data(vec![7, 8])), [1, 7, 8]);
        assert_eq!(piece(Piece::Failed("x".to_owned())), [2, b'x']);
    }
}

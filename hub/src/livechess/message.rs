//! The messages of LiveChess's WebSocket, as JSON. Fields that are not needed are ignored.

use serde::Deserialize;
use serde_json::json;

/// Id of the call that requests the list of boards.
const BOARDS: u32 = 1;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// The serial numbers of the boards that LiveChess knows.
    Boards(Vec<String>),
    /// The moves on a board since its starting position, in SAN.
    Moves { serial: String, moves: Vec<String> },
    /// A message that does not change a score, such as one about a clock or pieces in the air.
    Other,
}

#[derive(Debug, thiserror::Error)]
#[error("not a message of LiveChess: {0}")]
pub struct NoMessage(#[from] serde_json::Error);

#[derive(Deserialize)]
struct Wire {
    response: String,
    #[serde(default)]
    id: u32,
    #[serde(default)]
    param: serde_json::Value,
}

#[derive(Deserialize)]
struct Board {
    #[serde(rename = "serialnr")]
    serial: String,
    san: Option<Vec<String>>,
}

impl Message {
    pub fn read(text: &str) -> Result<Self, NoMessage> {
        let wire: Wire = serde_json::from_str(text)?;
        match wire.response.as_str() {
            "call" if wire.id == BOARDS => {
                let boards: Vec<Board> = serde_json::from_value(wire.param)?;
                let serials = boards.into_iter().map(|board| board.serial);
                Ok(Self::Boards(serials.collect()))
            }
            // Before a board has a position, its feed's parameter is not an object.
            "feed" if wire.param.is_object() => {
                let board: Board = serde_json::from_value(wire.param)?;
                Ok(match board.san {
                    Some(moves) => Self::Moves {
                        serial: board.serial,
                        moves,
                    },
                    None => Self::Other,
                })
            }
            _ => Ok(Self::Other),
        }
    }
}

/// Returns the call that requests the list of boards.
pub fn ask_for_boards() -> String {
    json!({"id": BOARDS, "call": "eboards"}).to_string()
}

/// Returns the call that subscribes to the moves of the board with this serial number. `number` counts the subscriptions from 0.
pub fn subscribe(number: u32, serial: &str) -> String {
    json!({
        "id": BOARDS + 1 + number,
        "call": "subscribe",
        "param": {"feed": "eboardevent", "id": 1 + number, "param": {"serialnr": serial}},
    })
    .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_and_moves_are_read_and_other_messages_ignored() {
        let boards = r#"{"response":"call","id":1,"param":[{"serialnr":"31401","source":"COM3","state":"ACTIVE","battery":"87%",
            "comment":null,"board":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR","flipped":false,"clock":null}]}"#;
        assert_eq!(
            Message::read(boards).unwrap(),
            Message::Boards(vec!["31401".to_owned()])
        );
        let feed = r#"{"response":"feed","id":1,"time":1,"param":{"serialnr":"31401","board":"8/8","san":["e4","e5"],
            "clock":{"white":5312,"black":5290,"run":true,"time":1795169000123}}}"#;
        assert_eq!(
            Message::read(feed).unwrap(),
            Message::Moves {
                serial: "31401".to_owned(),
                moves: vec!["e4".to_owned(), "e5".to_owned()],
            }
        );
        for other in [
            r#"{"response":"call","id":2,"param":null}"#,
            r#"{"response":"feed","id":1,"param":{"serialnr":"31401","board":"8/8"}}"#,
            r#"{"response":"feed","id":1,"param":null}"#,
            r#"{"response":"error","id":2,"param":"no such board"}"#,
        ] {
            assert_eq!(Message::read(other).unwrap(), Message::Other, "{other}");
        }
        for none in [
            "",
            "[]",
            r#"{"id":1}"#,
            r#"{"response":"call","id":1,"param":[{}]}"#,
        ] {
            assert!(Message::read(none).is_err(), "{none}");
        }
    }
}

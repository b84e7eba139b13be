//! `/api/v1.0`: the boards of the hall as DGT LiveChess shows electronic boards, for programs that read them from its WebSocket.
//!
//! A board's serial number is its name in the hall. Owns the protocol's messages, which contain only what every spectator sees. Calls that
//! would change a board are refused.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use axum::extract::ws::{Message as Frame, WebSocket, WebSocketUpgrade};
use axum::http::{Extensions, HeaderMap};
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};

use super::serve::{Closing, Visitor};
use super::{Web, error_page};
use crate::live::{Change, Message, PublicHall};
use crate::time_source::wall_now;
use hall::view::{BoardState, BoardView, Running};

/// Maximum length of a call, in bytes.
const MAX_CALL: usize = 16 * 1024;
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

#[derive(Deserialize)]
struct Call {
    id: Value,
    call: String,
    #[serde(default)]
    param: Value,
}

pub(super) async fn socket(
    State(web): State<Web>,
    extensions: Extensions,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    let Some(seat) = web.watchers.seat(Visitor::of(&extensions)) else {
        return error_page::too_many(&headers);
    };
    upgrade
        .max_message_size(MAX_CALL)
        .on_upgrade(async move |socket| {
            let (closing, over) = (Closing::of(&extensions), web.over.clone());
            tokio::select! {
                () = closing.cancelled() => (),
                () = over.cancelled() => (),
                () = seat.cut() => (),
                () = (Client { web, feeds: BTreeMap::new() }).serve(socket) => (),
            }
        })
}

/// A connected program, with the feed id that it chose for each board that it follows.
struct Client {
    web: Web,
    feeds: BTreeMap<String, Value>,
}

impl Client {
    /// Responds to calls and reports changes until the program disconnects.
    async fn serve(mut self, mut socket: WebSocket) {
        let mut changes = self.web.hall.subscribe(None);
        loop {
            let said = tokio::select! {
                called = socket.recv() => match called {
                    Some(Ok(Frame::Text(text))) => self.answer(text.as_str()).await,
                    Some(Ok(Frame::Close(_)) | Err(_)) | None => return,
                    Some(Ok(Frame::Binary(_) | Frame::Ping(_) | Frame::Pong(_))) => continue,
                },
                change = changes.next() => match change {
                    Some(Message::Change { change, .. }) => self.events_of(change.change()).await,
                    Some(Message::Resync { .. }) => self.all_events().await,
                    None => return,
                },
            };
            for message in said {
                if socket.send(Frame::text(message.to_string())).await.is_err() {
                    return;
                }
            }
        }
    }

    async fn answer(&mut self, text: &str) -> Vec<Value> {
        let Ok(call) = serde_json::from_str::<Call>(text) else {
            return vec![
                json!({"response": "error", "id": null, "param": "not a call of LiveChess"}),
            ];
        };
        let answered = |param: Value| json!({"response": "call", "id": call.id, "param": param});
        match call.call.as_str() {
            "eboards" => {
                let boards = self.web.hall.snapshot().boards;
                let boards = boards.iter().map(|board| eboard(&self.web.hall, board));
                vec![answered(boards.collect())]
            }
            "subscribe" if call.param["feed"] == "eboardevent" => {
                let serial = call.param["param"]["serialnr"].as_str().unwrap_or_default();
                let Some(board) = self.web.hall.board(serial) else {
                    let text = format!("there is no board {serial:?}");
                    return vec![json!({"response": "error", "id": call.id, "param": text})];
                };
                self.feeds
                    .insert(serial.to_owned(), call.param["id"].clone());
                let mut said = vec![answered(Value::Null)];
                said.extend(self.event(&board).await);
                said
            }
            "unsubscribe" => {
                self.feeds.retain(|_, feed| *feed != call.param["id"]);
                vec![answered(Value::Null)]
            }
            other => {
                let text = format!(
                    "{other:?} is not a call that this hub answers: it shows boards and takes no moves"
                );
                vec![json!({"response": "error", "id": call.id, "param": text})]
            }
        }
    }

    async fn events_of(&self, change: &Change) -> Vec<Value> {
        match change {
            Change::Board(board) => self.event(board).await.into_iter().collect(),
            Change::Event(_) | Change::Gone(_) | Change::Tournament(_) => Vec::new(),
        }
    }

    /// Returns the events of all followed boards, for use after changes were missed.
    async fn all_events(&self) -> Vec<Value> {
        let mut said = Vec::new();
        for serial in self.feeds.keys() {
            if let Some(board) = self.web.hall.board(serial) {
                said.extend(self.event(&board).await);
            }
        }
        said
    }

    async fn event(&self, board: &Arc<BoardView>) -> Option<Value> {
        let feed = self.feeds.get(&board.board)?;
        let written = board.written.as_ref();
        let Web { scores, source, .. } = &self.web;
        let score = scores.of(&board.board, written, &**source).await;
        Some(json!({
            "response": "feed",
            "id": feed,
            "time": unix_ms(),
            "param": {
                "serialnr": board.board,
                "flipped": false,
                "board": placement(board),
                "san": &score[..],
                "clock": clock(&self.web.hall, board),
            },
        }))
    }
}

fn eboard(hall: &PublicHall, board: &BoardView) -> Value {
    json!({
        "serialnr": board.board,
        "source": "flagfall",
        "state": if board.online { "ACTIVE" } else { "NOTRESPONDING" },
        "battery": null,
        "comment": null,
        "board": placement(board),
        "flipped": false,
        "clock": clock(hall, board),
    })
}

/// Returns the pieces on a board, as the first field of a FEN.
fn placement(board: &BoardView) -> &str {
    let written = board.written.as_ref();
    let fen = written.map_or(START, |written| written.fen.as_str());
    fen.split(' ').next().unwrap_or_default()
}

/// Returns a board's clock: each side's time in whole seconds, and the current time as `time`. `run` is true if White's clock runs, false if
/// Black's clock runs, and null if neither runs.
fn clock(hall: &PublicHall, board: &BoardView) -> Value {
    let now = board.at(hall.hub_us());
    let run = match now.running {
        Running::White => Some(true),
        Running::Black => Some(false),
        Running::None => None,
    };
    let run = run.filter(|_| now.state == BoardState::Running);
    json!({
        "white": now.white.us.div_euclid(1_000_000),
        "black": now.black.us.div_euclid(1_000_000),
        "run": run,
        "time": unix_ms(),
    })
}

/// Returns the wall-clock time, in milliseconds. Programs extrapolate a clock from this time, so it is current even if the hall is shown with a
/// delay.
fn unix_ms() -> i64 {
    wall_now().unix_us() / 1_000
}

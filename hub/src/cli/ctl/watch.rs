//! `flagfall ctl watch`: one line for each change, until Ctrl-C.

use std::pin::pin;

use proto::grpc::watch_update::Update;
use proto::grpc::{Board, WatchRequest};
use serde_json::json;

use super::show;
use crate::cli::client::Client;
use crate::cli::output::{Failure, print};

pub(super) async fn follow(
    client: &mut Client,
    boards: Option<&str>,
    as_json: bool,
) -> Result<(), Failure> {
    let mut chosen: Option<Vec<String>> = None;
    let request = WatchRequest::default();
    let mut updates = client.watch(request).await?.into_inner();
    // One future for the whole loop: another for each pass would miss a signal that comes between two.
    let mut interrupted = pin!(tokio::signal::ctrl_c());
    loop {
        let next = tokio::select! {
            next = updates.message() => next,
            _ = &mut interrupted => return Ok(()),
        };
        let Some(next) = next? else {
            return Err(Failure::failed("the hub has stopped"));
        };
        let wanted = |board: &str| {
            chosen
                .as_ref()
                .is_none_or(|chosen| chosen.iter().any(|name| name == board))
        };
        match next.update {
            Some(Update::Snapshot(hall)) => {
                if let Some(selector) = boards {
                    let named = super::boards::existing(&hall, selector)?;
                    chosen = Some(named.iter().map(|board| board.board.clone()).collect());
                }
                let named = chosen.clone();
                for board in &hall.boards {
                    if named
                        .as_ref()
                        .is_none_or(|named| named.contains(&board.board))
                    {
                        changed(board, as_json)?;
                    }
                }
            }
            Some(Update::Board(board)) if wanted(&board.board) => changed(&board, as_json)?,
            Some(Update::Removed(removed)) if wanted(&removed.board) => {
                if as_json {
                    print(json!({"board": removed.board, "removed": true}))?;
                } else {
                    print(format_args!("board {}: removed", removed.board))?;
                }
            }
            Some(Update::Board(_) | Update::Removed(_)) | None => (),
        }
    }
}

fn changed(board: &Board, as_json: bool) -> Result<(), Failure> {
    if as_json {
        return print(show::json_of(board));
    }
    let time =
        |side: &Option<proto::grpc::PlayerSide>| side.as_ref().map_or_else(String::new, show::time);
    let moves = |side: &Option<proto::grpc::PlayerSide>| side.as_ref().map_or(0, |side| side.moves);
    print(format_args!(
        "board {}: {}  White {} ({} moves)  Black {} ({} moves)",
        board.board,
        show::state(board),
        time(&board.white),
        moves(&board.white),
        time(&board.black),
        moves(&board.black),
    ))
}

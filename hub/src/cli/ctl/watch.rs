//! `flagfall ctl watch`: prints the boards, then one line per change, until Ctrl-C.

use proto::grpc::watch_update::Update;
use proto::grpc::{Board, WatchRequest};
use serde_json::json;

use super::show;
use crate::cli::client::{Client, answer, each_update};
use crate::cli::output::{Result, counted, stream};

pub(super) async fn follow(client: &mut Client, boards: Option<&str>, as_json: bool) -> Result<()> {
    let mut chosen: Option<Vec<String>> = None;
    let updates = answer(client.watch(WatchRequest::default()).await)?;
    each_update(updates, |next| {
        if let (Some(Update::Snapshot(hall)), Some(selector)) = (&next.update, boards) {
            let named = super::boards::existing(hall, selector)?;
            chosen = Some(named.iter().map(|board| board.board.clone()).collect());
        }
        let wanted = |board: &String| chosen.as_ref().is_none_or(|all| all.contains(board));
        match next.update {
            Some(Update::Snapshot(hall)) => {
                // The hub sends a snapshot at the start, after missed changes, and whenever the event or the hub's own notes change.
                show::warnings(&hall);
                let mut boards = hall.boards.iter().filter(|board| wanted(&board.board));
                boards.try_for_each(|board| changed(board, as_json))
            }
            Some(Update::Board(board)) if wanted(&board.board) => changed(&board, as_json),
            Some(Update::Removed(removed)) if wanted(&removed.board) => match as_json {
                true => stream(json!({"board": removed.board, "removed": true})),
                false => stream(format_args!("board {}: removed", removed.board)),
            },
            Some(Update::Board(_) | Update::Removed(_)) | None => Ok(()),
        }
    })
    .await
}

fn changed(board: &Board, as_json: bool) -> Result<()> {
    if as_json {
        return stream(show::json_of(board));
    }
    let (white, black) = show::sides(board);
    stream(format_args!(
        "board {}: {}  White {} ({})  Black {} ({})",
        board.board,
        show::state(board),
        show::time(white),
        counted(white.moves, "move"),
        show::time(black),
        counted(black.moves, "move")
    ))
}

//! `flagfall ctl log`: the records of a running hub's log.

use proto::grpc::ReadLogRequest;
use proto::ids::hex;
use serde_json::json;

use crate::cli::client::{Client, refused};
use crate::cli::output::{Failure, print};
use crate::time_source::WallTime;

pub(super) async fn read(
    client: &mut Client,
    board: String,
    from_index: u64,
    as_json: bool,
) -> Result<(), Failure> {
    let request = ReadLogRequest { board, from_index };
    let answer = client.read_log(request).await;
    let mut lines = answer.map_err(|status| refused(&status))?.into_inner();
    while let Some(line) = lines.message().await.map_err(|status| refused(&status))? {
        if as_json {
            print(json!({
                "index": line.index, "hub_us": line.hub_us, "board": line.board, "text": line.text,
                "record": hex(&line.record),
            }))?;
        } else {
            // The hub's timeline began at the wall clock of its first start, so it reads as a date.
            let at = WallTime::from_unix_us(line.hub_us);
            let board = match line.board.as_str() {
                "" => "hall",
                board => board,
            };
            print(format_args!(
                "{:>8}  {at}  {board:>5}  {}",
                line.index, line.text
            ))?;
        }
    }
    Ok(())
}

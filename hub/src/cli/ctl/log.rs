//! `flagfall ctl log`: prints the records of a running hub's log.

use proto::grpc::ReadLogRequest;
use proto::ids::hex;

use crate::cli::client::Client;
use crate::cli::hall_time::HallTime;
use crate::cli::history::{RecordLine, decode, json_of};
use crate::cli::output::{Result, stream};
use hall::GamePlace;

pub(super) async fn read(
    client: &mut Client,
    request: ReadLogRequest,
    time: &HallTime,
    as_json: bool,
) -> Result<()> {
    let mut lines = client.read_log(request).await?.into_inner();
    while let Some(line) = lines.message().await? {
        let record = decode(line.index, &line.record)?;
        let of = GamePlace {
            game: line.game,
            round: line.round,
        };
        let row = RecordLine {
            time,
            index: line.index,
            record: &record,
            of,
        };
        if as_json {
            let mut object = json_of(&row);
            object["record"] = hex(&line.record).into();
            stream(object)?;
        } else {
            stream(row)?;
        }
    }
    Ok(())
}

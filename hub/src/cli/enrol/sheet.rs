//! `flagfall enrol --sheet`: makes codes for many boards in one call, one per line, for printing or for a script that starts clocks.
//! Also withdraws the unused codes of a sheet.

use proto::Side;
use proto::grpc::{CreateEnrolmentSheetRequest, WithdrawEnrolmentSheetRequest};

use super::{Args, boards};
use crate::cli::client::Client;
use crate::cli::output::{Failure, Result, changed, counted, print, print_once, say, tell};

pub(super) async fn make(client: &mut Client, args: &Args) -> Result<()> {
    let request = CreateEnrolmentSheetRequest {
        boards: boards(client, args.boards.as_deref()).await?,
        each_side: args.each_side,
        valid_for_us: i64::from(args.hours) * 3_600_000_000,
    };
    let sheet = client.create_enrolment_sheet(request).await?.into_inner();
    let lost = |failure: Failure| {
        failure.with_advice(&format!(
            "not every code was shown: withdraw the codes with `flagfall enrol --withdraw {}` and make a new sheet",
            sheet.sheet
        ))
    };
    for code in &sheet.codes {
        let side = match code.side() {
            Side::Unspecified => "",
            Side::White => "white",
            Side::Black => "black",
        };
        if args.json {
            print_once(serde_json::json!({
                "sheet": sheet.sheet, "board": code.board, "side": side, "uri": code.uri,
                "valid_for_us": sheet.valid_for_us,
            }))
            .map_err(lost)?;
        } else {
            let space = if side.is_empty() { "" } else { " " };
            let line = format!("{} {side}{space}{}", code.board, code.uri);
            print_once(line).map_err(lost)?;
        }
    }
    if !args.json {
        tell!(
            "Sheet {}: {}, each for one clock, valid for {} hours. `flagfall enrol --withdraw {}` withdraws the unused codes.",
            sheet.sheet,
            counted(sheet.codes.len(), "code"),
            sheet.valid_for_us / 3_600_000_000,
            sheet.sheet
        );
    }
    Ok(())
}

pub(super) async fn withdraw(client: &mut Client, args: &Args, sheet: u64) -> Result<()> {
    let request = WithdrawEnrolmentSheetRequest { sheet };
    let withdrawn = client
        .withdraw_enrolment_sheet(request)
        .await?
        .into_inner()
        .withdrawn;
    if args.json {
        let reply = serde_json::json!({ "sheet": sheet, "withdrawn": withdrawn });
        return changed(print(reply));
    }
    changed(say!(
        "{} of sheet {sheet} withdrawn.",
        counted(withdrawn, "unused code")
    ))
}

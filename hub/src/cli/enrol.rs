//! `flagfall enrol`: makes enrolment codes for clocks, gateways, and the devices of arbiters and players. Also enrols a clock over
//! Bluetooth LE, and withdraws the unused codes of a sheet.

mod arbiter;
mod many;
mod sheet;

use fast_qr::qr::QRBuilder;
use proto::ble::PairingCode;
use proto::grpc::{CreateEnrolmentCodeRequest, GetHallRequest};

use super::client::{Client, HubOptions, connect};
use super::ctl::args::Side;
use super::ctl::boards::existing;
use super::output::{
    Failure, Result, changed, failed, init_messages, paint, print, print_once, say, to_a_person,
    unless_empty,
};
use crate::api::messages::text;
use crate::identity::{Role, Sector};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall enrol --board 12
  flagfall enrol --hub hub.local --key chief.pem
  flagfall enrol --ble 4711-0815-2290-6204 --board 12
  flagfall enrol --arbiter \"Anna Berg\" --role floor
  flagfall enrol --arbiter \"Per Lind\" --role floor --sector 1-20
  flagfall enrol --arbiter \"Stream\" --role broadcaster
  flagfall enrol --player \"Bo Li\" --board 7 --side black    a player of Time Chess
  flagfall enrol --gateway \"far corner\"
  flagfall enrol --clocks 20 --boards 1-20          make one code, then admit the clocks that use it
  flagfall enrol --sheet --boards 1-40              make a code for each board, for printing
  flagfall enrol --withdraw 1

On the clock: clock-agent run --code 'CODE'
For an arbiter: open the address in a browser, or enter the first line in the installed app")]
pub(super) struct Args {
    #[command(flatten)]
    hub: HubOptions,
    /// The board that the clock will serve; without it, assign one later with `flagfall ctl assign`
    #[arg(long, default_value = "")]
    board: String,
    /// Enrol a clock over Bluetooth LE: the sixteen digits that it shows
    #[arg(long, value_name = "CODE")]
    ble: Option<PairingCode>,
    /// Make a code for an arbiter's browser or app instead; the log shows this name beside every command
    #[arg(long, value_name = "NAME", requires = "role", conflicts_with_all = ["board", "ble"])]
    arbiter: Option<String>,
    /// The role: viewer (sees the hall), floor (acts on boards), chief (also sets up, enrols and revokes), broadcaster (reads boards,
    /// standings and games) or auditor (reads everything, including the log)
    #[arg(long, requires = "arbiter")]
    role: Option<Role>,
    /// With --role floor: the boards on which the arbiter may act, such as 1-20,A3 [default: all]
    #[arg(long, value_name = "BOARDS", requires = "arbiter")]
    sector: Option<Sector>,
    /// Make a code for a device of this player of Time Chess instead; the device sees what that side may see of the game on --board
    #[arg(long, value_name = "NAME", requires_all = ["board", "side"], conflicts_with_all = ["ble", "arbiter"])]
    player: Option<String>,
    /// With --player: the player's side
    #[arg(long, requires = "player")]
    side: Option<Side>,
    /// Make a code for a gateway with this name, whose radios connect clocks that the hub's radios cannot reach (`flagfall gateway --code CODE`)
    #[arg(long, value_name = "NAME", conflicts_with_all = ["board", "ble", "arbiter"])]
    gateway: Option<String>,
    /// Make one code for this many clocks, list the clocks that use it, and admit each clock whose number you type. The code ends when the hub
    /// restarts
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=500), conflicts_with_all = ["board", "ble", "arbiter", "gateway"])]
    clocks: Option<u32>,
    /// With --clocks: admit the clocks without asking, as soon as exactly this many have used the code
    #[arg(long, requires = "clocks")]
    admit_all: bool,
    /// With --clocks: how long the code is valid, in minutes
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u8).range(1..=60), requires = "clocks")]
    minutes: u8,
    /// Make a code for each of many boards, one per line, for printing. Each code works once; all codes end when the hub restarts
    #[arg(long, conflicts_with_all = ["board", "ble", "arbiter", "gateway", "clocks"])]
    sheet: bool,
    /// With --sheet: make a code for each side, for boards with a separate clock for each side
    #[arg(long, requires = "sheet")]
    each_side: bool,
    /// With --sheet: how long the codes are valid, in hours
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u8).range(1..=24), requires = "sheet")]
    hours: u8,
    /// With --clocks: boards for the clocks, in order of arrival. With --sheet: boards on the sheet [default: all boards without a clock]
    #[arg(long, value_name = "BOARDS", conflicts_with_all = ["board", "ble", "arbiter", "gateway"])]
    boards: Option<String>,
    /// Withdraw the unused codes of a sheet
    #[arg(long, value_name = "SHEET", conflicts_with_all = ["board", "ble", "arbiter", "gateway", "clocks", "sheet", "boards"])]
    withdraw: Option<u64>,
    /// Print JSON, for programs
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Result<()> {
    init_messages("warn");
    super::serve::runtime()?.block_on(ask(args))
}

async fn ask(args: &Args) -> Result<()> {
    let mut client = connect(&args.hub).await?;
    if let (Some(name), Some(role)) = (&args.arbiter, args.role) {
        return arbiter::ask(&mut client, args, name, role).await;
    }
    if let (Some(name), Some(side)) = (&args.player, args.side) {
        return arbiter::ask_for_player(&mut client, args, name, side).await;
    }
    if let Some(clocks) = args.clocks {
        return many::ask(&mut client, args, clocks).await;
    }
    if let Some(sheet) = args.withdraw {
        return sheet::withdraw(&mut client, args, sheet).await;
    }
    if args.sheet {
        return sheet::make(&mut client, args).await;
    }
    if args.boards.is_some() {
        return Err(Failure::usage(
            "--boards needs --clocks or --sheet; to enrol one clock for a board, use --board",
        ));
    }
    let request = CreateEnrolmentCodeRequest {
        board: args.board.clone(),
        pairing_code: text(args.ble.as_ref()),
        gateway: args.gateway.clone().unwrap_or_default(),
    };
    let code = client.create_enrolment_code(request).await?.into_inner();
    if args.ble.is_some() {
        return enrolled(args, &code.agent);
    }
    if args.json {
        return print_once(serde_json::json!({
            "uri": code.uri, "board": args.board, "valid_for_us": code.valid_for_us,
        }));
    }
    print_once(&code.uri)?;
    if to_a_person() {
        paint(&picture(&code.uri)?)?;
        let minutes = code.valid_for_us / 60_000_000;
        if let Some(name) = &args.gateway {
            return say!(
                "The gateway {name} can enrol with this code within {minutes} minutes; on its machine run: flagfall gateway --code 'CODE'"
            );
        }
        let board = unless_empty(&args.board, |board| {
            format!(" It will serve board {board}.")
        });
        say!("One clock can enrol with this code within {minutes} minutes.{board}")?;
    }
    Ok(())
}

async fn boards(client: &mut Client, selector: Option<&str>) -> Result<Vec<String>> {
    let Some(selector) = selector else {
        return Ok(Vec::new());
    };
    let hall = client.get_hall(GetHallRequest {}).await?.into_inner();
    let chosen = existing(&hall, selector)?;
    Ok(chosen.iter().map(|board| board.board.clone()).collect())
}

fn enrolled(args: &Args, agent: &str) -> Result<()> {
    if args.json {
        return changed(print(
            serde_json::json!({ "agent": agent, "board": args.board }),
        ));
    }
    let short = agent.get(..8).unwrap_or(agent);
    changed(match args.board.as_str() {
        "" => say!("Clock {short} is enrolled. `flagfall ctl assign` assigns it to a board."),
        board => say!("Clock {short} is enrolled and serves board {board}."),
    })
}

pub(super) fn picture(text: &str) -> Result<String> {
    let picture = QRBuilder::new(text)
        .build()
        .map_err(|error| failed!("cannot draw the code: {error:?}"))?;
    Ok(framed(&picture.to_str()))
}

/// Frames a QR code so that cameras can read it on light and dark terminals: always white on black, with a margin.
fn framed(picture: &str) -> String {
    let width = picture.lines().map(|line| line.chars().count()).max();
    let margin = "█".repeat(width.unwrap_or(0) + 4);
    let lines = picture.lines().map(|line| format!("██{line}██"));
    std::iter::once(margin.clone())
        .chain(lines)
        .chain([margin])
        .map(|line| format!("\x1b[97;40m{line}\x1b[0m"))
        .collect::<Vec<_>>()
        .join("\n")
}

//! `flagfall enrol`: a code for one clock or one arbiter's device, as text and as a picture for its camera.

mod arbiter;

use fast_qr::qr::QRBuilder;
use proto::ble::PairingCode;
use proto::grpc::CreateEnrolmentCodeRequest;

use super::client::{HubOptions, connect, refused};
use super::output::{Failure, init_messages, paint, print, to_a_person};
use crate::identity::Role;

/// Makes a code.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall enrol --board 12
  flagfall enrol --hub hub.local --key chief.pem
  flagfall enrol --ble 4711-0815-2290-6204 --board 12
  flagfall enrol --arbiter \"Anna Berg\" --role floor
  flagfall enrol --gateway \"far corner\"

On the clock: clock-agent run --code 'CODE'
For an arbiter: the address opens the app in a browser; the other line is for the app of its own")]
pub(super) struct Args {
    #[command(flatten)]
    hub: HubOptions,
    /// The board that the clock is to serve; without it `flagfall ctl assign` gives it one later
    #[arg(long, default_value = "")]
    board: String,
    /// Enrol a clock over Bluetooth LE: the sixteen digits that it shows
    #[arg(long, value_name = "CODE")]
    ble: Option<PairingCode>,
    /// A code for an arbiter's browser or app instead: whose name the log shows beside every command
    #[arg(long, value_name = "NAME", requires = "role", conflicts_with_all = ["board", "ble"])]
    arbiter: Option<String>,
    /// What the arbiter may do: viewer (looks), floor (acts on boards) or chief (sets up, enrols, shuts out)
    #[arg(long, requires = "arbiter")]
    role: Option<Role>,
    /// A code for a machine whose radios carry clocks of a far corner: `flagfall gateway --code CODE`. How the inventory names it
    #[arg(long, value_name = "NAME", conflicts_with_all = ["board", "ble", "arbiter"])]
    gateway: Option<String>,
    /// For programs: a JSON object with uri, board and valid_for_us
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    init_messages("warn");
    super::serve::runtime()?.block_on(ask(args))
}

async fn ask(args: &Args) -> Result<(), Failure> {
    let mut client = connect(&args.hub).await?;
    if let (Some(name), Some(role)) = (&args.arbiter, args.role) {
        return arbiter::ask(&mut client, args, name, role).await;
    }
    let board = args.board.clone();
    let request = CreateEnrolmentCodeRequest {
        board,
        pairing_code: args
            .ble
            .as_ref()
            .map(PairingCode::to_string)
            .unwrap_or_default(),
        gateway: args.gateway.clone().unwrap_or_default(),
    };
    let answer = client.create_enrolment_code(request).await;
    let code = answer.map_err(|status| refused(&status))?.into_inner();
    if args.ble.is_some() {
        return enrolled(args, &code.agent);
    }
    if args.json {
        return print(serde_json::json!({
            "uri": code.uri, "board": args.board, "valid_for_us": code.valid_for_us,
        }));
    }
    print(&code.uri)?;
    if to_a_person() {
        paint(&picture(&code.uri)?)?;
        let minutes = code.valid_for_us / 60_000_000;
        if let Some(name) = &args.gateway {
            return print(format_args!(
                "The gateway {name} may enrol with it within {minutes} minutes, on its own machine: flagfall gateway --code 'CODE'"
            ));
        }
        let board = match args.board.as_str() {
            "" => String::new(),
            board => format!(" It will serve board {board}."),
        };
        print(format_args!(
            "One clock may enrol with it within {minutes} minutes.{board}"
        ))?;
    }
    Ok(())
}

/// A clock has been enrolled with its own code.
fn enrolled(args: &Args, agent: &str) -> Result<(), Failure> {
    if args.json {
        return print(serde_json::json!({ "agent": agent, "board": args.board }));
    }
    let short = agent.get(..8).unwrap_or(agent);
    match args.board.as_str() {
        "" => print(format_args!(
            "Clock {short} is enrolled. `flagfall ctl assign` gives it a board."
        )),
        board => print(format_args!(
            "Clock {short} is enrolled and serves board {board}."
        )),
    }
}

/// A code as a picture.
pub(super) fn picture(text: &str) -> Result<String, Failure> {
    let picture = QRBuilder::new(text)
        .build()
        .map_err(|error| Failure::Failed(format!("cannot draw the code: {error:?}")))?;
    Ok(framed(&picture.to_str()))
}

/// A picture that cameras read on light terminals and on dark ones: white on black whatever the colours, with a margin.
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

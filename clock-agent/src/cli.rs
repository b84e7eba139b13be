//! Arguments and help of the command line; [`crate::run`] carries out the commands.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use proto::enrolment::EnrolmentCode;

use crate::buttons::ButtonSpec;
use crate::links::HubAddress;
use crate::speech::Listener;
use crate::swarm::Pace;

#[derive(Debug, Parser)]
#[command(
    name = "clock-agent",
    version,
    about = "The clock program that runs beside a chessboard",
    after_help = "Examples:\n  \
        clock-agent enrol 'CODE'                        enrol once, with a code that `flagfall enrol` prints\n  \
        clock-agent run --code 'CODE'                   enrol first; with a code for many clocks, wait for the arbiter\n  \
        clock-agent run                                 run with keys f and j as the buttons, s to stop, q to quit\n  \
        clock-agent run --buttons gpio:gpiochip0:17,27  use real buttons on two lines of a GPIO chip\n  \
        clock-agent swarm --boards 100 --codes codes.txt\n\n\
        Exit codes: 0 success, 1 failure, 2 usage error."
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,

    /// The log level: error, warn, info or debug, or a filter such as clock_agent=debug,quinn=warn
    #[arg(
        long,
        global = true,
        value_name = "FILTER",
        env = "FLAGFALL_AGENT_LOG",
        default_value = "info"
    )]
    pub log: String,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run the clock of one board
    Run(Run),
    /// Enrol this clock with a hub: creates keys if needed, verifies the code, stores the certificate
    Enrol(Enrol),
    /// Run many clocks with simulated players in one process
    Swarm(Swarm),
}

/// The directory of an agent's keys and journals.
#[derive(Args, Clone, Debug)]
pub struct StateDir {
    /// Directory of keys, enrolment and journals [default: /var/lib/clock-agent as root, else ~/.local/share/clock-agent]
    #[arg(long, value_name = "DIR", env = "FLAGFALL_AGENT_STATE")]
    pub state: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub struct Run {
    #[command(flatten)]
    pub state: StateDir,

    /// Address of the hub [default: the last address used, then hubs announced on the local network]
    #[arg(long, value_name = "HOST[:PORT]", env = "FLAGFALL_AGENT_HUB")]
    pub hub: Option<HubAddress>,

    /// Link to the hub: quic, ble (Bluetooth LE: the hub's radio finds this clock), or auto (quic if available)
    #[arg(
        long,
        value_name = "LINK",
        env = "FLAGFALL_AGENT_LINK",
        default_value = "quic"
    )]
    pub link: LinkKind,

    /// Bluetooth adapter, such as hci0 [default: the first]
    #[arg(long, value_name = "ADAPTER", env = "FLAGFALL_AGENT_BLE_ADAPTER")]
    pub ble_adapter: Option<String>,

    /// Enrol with this code first, unless this clock is already enrolled with the code's hub. With a code for many clocks
    /// (`flagfall enrol --clocks`), the clock shows a number and waits until the arbiter admits it
    #[arg(
        long,
        alias = "enrol",
        value_name = "CODE",
        env = "FLAGFALL_AGENT_CODE",
        hide_env_values = true
    )]
    pub code: Option<EnrolmentCode>,

    /// Source of presses: keys, keys:LEFT,RIGHT,STOP, gpio:CHIP:LEFT,RIGHT, lines (`press left` on standard input), script:FILE or none
    #[arg(
        long,
        value_name = "BUTTONS",
        env = "FLAGFALL_AGENT_BUTTONS",
        default_value = "keys"
    )]
    pub buttons: ButtonSpec,

    /// Read a DGT board on this serial port, such as /dev/ttyACM0, and send its moves to the hub
    #[cfg(feature = "dgt-board")]
    #[arg(long, value_name = "PORT", env = "FLAGFALL_AGENT_DGT_BOARD")]
    pub dgt_board: Option<PathBuf>,

    /// Display for the players [default: terminal, or plain if standard output is not a terminal]
    #[arg(long, value_name = "FACE", env = "FLAGFALL_AGENT_FACE")]
    pub face: Option<FaceKind>,

    /// Speak this side's time after the opponent's press and at 5 minutes, 1 minute, 30 and 10 seconds (FIDE D.2.6.1). Press t to hear both times
    #[arg(long, value_name = "SIDE", env = "FLAGFALL_AGENT_SPEAK")]
    pub speak: Option<Listener>,

    /// Program that speaks the text passed as its argument [default: spd-say, else espeak-ng]
    #[arg(
        long,
        value_name = "PROGRAM",
        env = "FLAGFALL_AGENT_SPEAK_WITH",
        requires = "speak"
    )]
    pub speak_with: Option<PathBuf>,
}

/// The kind of link to the hub.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LinkKind {
    /// QUIC over Wi-Fi or cable
    Quic,
    /// Bluetooth LE; an unenrolled clock shows a code that an arbiter types at the hub
    Ble,
    /// QUIC if available, else Bluetooth LE
    Auto,
}

/// A kind of display for the players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FaceKind {
    /// Large digits that fill the terminal
    Terminal,
    /// One line per change
    Plain,
    /// No display
    None,
}

#[derive(Args, Debug)]
pub struct Enrol {
    /// The code from `flagfall enrol`: flagfall://HOST:PORT#AUTHORITY.TOKEN. With a code for many clocks, this clock shows a number and waits until
    /// an arbiter admits it
    #[arg(value_name = "CODE")]
    pub code: EnrolmentCode,

    #[command(flatten)]
    pub state: StateDir,

    /// Name to request for this clock [default: the name of this machine]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
}

#[derive(Args, Debug)]
pub struct Swarm {
    /// Number of clocks
    #[arg(long, value_name = "N", default_value_t = 12)]
    pub boards: usize,

    /// Pace of the players: bullet, blitz, rapid or classical
    #[arg(long, value_name = "PACE", default_value = "blitz")]
    pub pace: Pace,

    /// Seed of the players' behaviour
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,

    /// Address of the hub [default: from the codes or the stored identities]
    #[arg(long, value_name = "HOST[:PORT]")]
    pub hub: Option<HubAddress>,

    /// File of enrolment codes, one per line, as `flagfall enrol` prints them
    #[arg(long, value_name = "FILE", required_unless_present = "dir")]
    pub codes: Option<PathBuf>,

    /// Directory of the clocks' identities: reuses existing identities and stores new ones
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,

    /// Keep journals in --dir as well, as real clocks do
    #[arg(long, requires = "dir")]
    pub journals: bool,

    /// End after this time, such as 60s or 10m [default: run until Ctrl-C]
    #[arg(long = "for", value_name = "TIME", value_parser = span)]
    pub lasts: Option<Duration>,

    /// Print counters as JSON lines
    #[arg(long)]
    pub json: bool,
}

/// Parses a duration above zero in the notation of time controls: `60s`, `10m`, `1h30m`.
fn span(text: &str) -> Result<Duration, String> {
    let span: timing::Duration = text.parse().map_err(|error| format!("{error}"))?;
    match u64::try_from(span.as_micros()) {
        Ok(us) if us > 0 => Ok(Duration::from_micros(us)),
        Ok(_) | Err(_) => Err("expected a duration above zero".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[track_caller]
    fn wrong(args: &[&str], word: &str) {
        let args = std::iter::once("clock-agent").chain(args.iter().copied());
        let error = Cli::try_parse_from(args).unwrap_err();
        assert_eq!(error.exit_code(), 2);
        assert!(error.to_string().contains(word), "{error}");
    }

    #[test]
    fn errors_name_the_fault() {
        wrong(&["run", "--buttons", "pedals"], "pedals");
        wrong(&["run", "--hub", "hub:x"], "HOST:PORT");
        wrong(&["enrol", "https://hub"], "column 1");
        wrong(&["swarm", "--pace", "slow", "--dir", "d"], "rapid");
        wrong(&["swarm"], "--codes");
        wrong(&["swarm", "--dir", "d", "--for", "0s"], "above zero");
    }
}

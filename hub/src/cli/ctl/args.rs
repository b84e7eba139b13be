//! What `flagfall ctl` understands.

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};

use super::offence::Named;
use crate::cli::client::HubOptions;

/// Acts on a running hub as an arbiter.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "BOARDS are names, ranges and `all`, separated by commas: 1-40,A3
CONTROL is a time control (40/90m+30s : 30m+30s) or the name of a preset (`flagfall presets`)
TIME is written 1h30m, 5m, 3.5s

Examples:
  flagfall ctl add 1-40 90m+30s
  flagfall ctl names 1 \"Carlsen, Magnus\" \"Nepomniachtchi, Ian\" --round 3
  flagfall ctl zero-test all --html certificates.html
  flagfall ctl start all
  flagfall ctl pause 7 --reason \"claim of threefold repetition\"
  flagfall ctl add-time 7 black 2m --offence illegal-move --reason \"FIDE 7.5.5\"
  flagfall ctl result 7 0-1 --offence illegal-move --reason \"FIDE 7.5.5\"
  flagfall ctl resume 7
  flagfall ctl restore 7 31w           the board as it was before White's 31st press
  flagfall ctl result 7 1-0
  flagfall ctl watch"
)]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    pub(super) hub: HubOptions,
    #[command(flatten)]
    pub(super) common: Common,
    #[command(subcommand)]
    pub(super) what: What,
}

/// What every command takes.
#[derive(Debug, clap::Args)]
pub(super) struct Common {
    /// Why: kept in the log beside the command
    #[arg(long, global = true, default_value = "")]
    pub(super) reason: String,
    /// For programs: one JSON object a line
    #[arg(long, global = true)]
    pub(super) json: bool,
    /// The board's sequence number on which the decision rests [default: the present one]
    #[arg(long, global = true, value_name = "SEQ")]
    pub(super) seen: Option<u64>,
    /// The command's own id, 32 hexadecimal digits: repeated, it is carried out once [default: random]
    #[arg(long, global = true, value_name = "HEX")]
    pub(super) id: Option<String>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Side {
    #[value(alias = "w")]
    White,
    #[value(alias = "b")]
    Black,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Button {
    Left,
    Right,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Starter {
    Arbiter,
    #[value(alias = "black")]
    BlackPress,
}

/// What a fallen flag does to the clocks.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct AfterFlag {
    /// When a flag falls the clocks freeze [default: as the event, else as the control has it]
    #[arg(long, conflicts_with = "runs_on")]
    pub(super) freeze: bool,
    /// When a flag falls the clocks run on (FIDE 6.8)
    #[arg(long)]
    pub(super) runs_on: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Odds {
    Draw,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum OddsTo {
    #[value(alias = "w")]
    White,
    #[value(alias = "b")]
    Black,
    None,
}

#[derive(Debug, Subcommand)]
pub(super) enum What {
    #[command(flatten)]
    Look(Look),
    #[command(flatten)]
    SetUp(SetUp),
    #[command(flatten)]
    Game(Game),
    #[command(flatten)]
    Agents(ClocksAtBoards),
}

/// What concerns the clocks beside the boards.
#[derive(Debug, Subcommand)]
pub(super) enum ClocksAtBoards {
    /// Put a spare in the place of a board's clock, in mid-game too: replace 7 spare-2
    ///
    /// The spare has to be connected. It goes on from where the hub knows the game to stand; what passes until it has taken over is
    /// charged at the proven lower bound. It does not matter whether the old clock is dead, silent or alive: it is released when it is
    /// heard again, and presses that only it knew come up for review.
    Replace {
        board: String,
        /// The spare's name, or its hexadecimal key or a unique beginning of it
        clock: String,
        /// It takes the place of this side's clock, where each side has its own
        #[arg(long, value_enum)]
        side: Option<Side>,
    },
    /// Print proofs of clocks that contradicted their own signed words, and check their signatures
    Evidence { board: Option<String> },
}

/// What changes nothing of a game.
#[derive(Debug, Subcommand)]
pub(super) enum Look {
    /// Show the boards of the hall
    #[command(visible_alias = "ls")]
    List { boards: Option<String> },
    /// Show all about one board: clocks, presses, what is pending
    Show { board: String },
    /// Show the clocks that are enrolled, and how each of them is
    Agents,
    /// Show the browsers and apps that arbiters have enrolled with a code
    Devices,
    /// Show where the boards stand in the hall, a line for each: board, x, y
    ///
    /// What it prints can be edited and given back with --set.
    Floor {
        /// Let the boards stand as this file says, and no others (chief arbiter)
        #[arg(long, value_name = "FILE")]
        set: Option<PathBuf>,
    },
    /// Have the boards' clocks make a scripted press and print a certificate for each; code 1 if one failed
    ZeroTest {
        /// Which boards [default: all]
        boards: Vec<String>,
        /// Write the certificates to this file, for printing: A4, a page for each board
        #[arg(long, value_name = "FILE")]
        html: Option<PathBuf>,
    },
    /// Follow the hall: one line for each change
    Watch { boards: Option<String> },
    /// Print the records of the log
    Log {
        board: Option<String>,
        /// The first record to print
        #[arg(long, default_value_t = 0)]
        from: u64,
        #[command(flatten)]
        games: Games,
    },
}

/// Which games of a board.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(in crate::cli) struct Games {
    /// Only while the board had a game of this round
    #[arg(long, value_name = "N")]
    pub(in crate::cli) round: Option<std::num::NonZeroU32>,
    /// Only this game of each board, counted from 1
    #[arg(long, value_name = "N")]
    pub(in crate::cli) game: Option<std::num::NonZeroU32>,
}

impl Games {
    /// The game and the round as the hub is asked for them: 0 for any.
    pub(in crate::cli) fn wanted(self) -> (u32, u32) {
        let number = |number: Option<std::num::NonZeroU32>| number.map_or(0, u32::from);
        (number(self.game), number(self.round))
    }
}

/// What concerns the hall, or a board outside its game.
#[derive(Debug, Subcommand)]
pub(super) enum SetUp {
    /// Add boards to the hall
    Add {
        boards: String,
        /// The time control [default: the event's]
        control: Option<String>,
        /// Who starts White's clock [default: as the event has it]
        #[arg(long)]
        start: Option<Starter>,
        /// Which button is White's [default: left]
        #[arg(long)]
        white: Option<Button>,
        #[command(flatten)]
        after_flag: AfterFlag,
    },
    /// Take boards out of the hall
    Remove { boards: String },
    /// Say who plays
    Names {
        board: String,
        white: String,
        black: String,
        /// The round, as the players' clock shows it
        #[arg(long, default_value = "")]
        round: String,
    },
    /// Let a clock serve a board; `none` takes the board's clock away
    Assign {
        board: String,
        /// Its hexadecimal key or a unique beginning (`flagfall ctl agents`), or none
        agent: String,
        /// It serves this side alone: the other side has a clock elsewhere (a match between two halls)
        #[arg(long, value_enum)]
        side: Option<Side>,
    },
    /// Prepare a new game under this time control
    Control {
        boards: String,
        control: String,
        #[arg(long, value_enum, default_value = "arbiter")]
        start: Starter,
        /// Which button is White's [default: as it is]
        #[arg(long)]
        white: Option<Button>,
        #[command(flatten)]
        after_flag: AfterFlag,
    },
    /// Go on under another time control in mid-game: time in hand and move counts stay
    ChangeControl {
        boards: String,
        control: String,
        #[command(flatten)]
        after_flag: AfterFlag,
    },
    /// Say for whom a drawn game counts as won (armageddon): odds 7 draw black
    Odds {
        boards: String,
        /// In what the odds are: draw
        #[arg(value_enum)]
        odds: Odds,
        #[arg(value_enum)]
        side: OddsTo,
    },
    /// Say which button is White's
    Button { boards: String, white: Button },
    /// Exchange the buttons
    Swap { boards: String },
    /// Let the clock make itself known
    Identify { boards: String },
    /// Show a text on the clock
    Message { boards: String, text: String },
    /// Shut a clock, an arbiter's device (d-…) or a gateway (g-…) out for good
    Revoke {
        /// Its hexadecimal key or a unique beginning
        agent: String,
    },
}

/// What concerns a game.
#[derive(Debug, Subcommand)]
pub(super) enum Game {
    /// Start White's clock (or Black's)
    Start {
        boards: String,
        #[arg(long)]
        side: Option<Side>,
    },
    /// Stop both clocks
    Pause { boards: String },
    /// Start the clock again that was stopped (or the other)
    Resume {
        boards: String,
        #[arg(long)]
        side: Option<Side>,
    },
    /// Set the time in hand
    Set {
        boards: String,
        side: Side,
        time: String,
    },
    /// Give time, or take it: 2m, -30s
    AddTime {
        boards: String,
        side: Side,
        #[arg(allow_hyphen_values = true)]
        time: String,
        /// The offence of a player for which it is given, counted by the hub: illegal-move of the opponent, or illegal-move:white.
        /// With time that is taken away again it is taken back
        #[arg(long, value_name = "WHAT")]
        offence: Option<Named>,
    },
    /// Correct the number of completed moves
    Moves {
        boards: String,
        side: Side,
        moves: u32,
    },
    /// Put a board back to just before a press, stopped
    Restore {
        board: String,
        /// Which press: 31w, 31b, or its event number (`flagfall ctl show BOARD`)
        press: String,
    },
    /// Observe that a flag has fallen (FIDE 6.8)
    Flag { boards: String, side: Side },
    /// Enter a result: 1-0, 0-1, 1/2-1/2, 0-0, 1/2-0, 0-1/2, 1-0f, 0-1f, 0-0f, or * to take it back
    Result {
        boards: String,
        #[arg(allow_hyphen_values = true)]
        result: String,
        /// The offence by which it was lost: illegal-move, or illegal-move:white where the opponent cannot mate and it is a draw
        /// (FIDE 7.5.5)
        #[arg(long, value_name = "WHAT")]
        offence: Option<Named>,
    },
    /// End a game: mate white, resign black, draw
    End {
        boards: String,
        #[arg(num_args = 1.., required = true)]
        ending: Vec<String>,
    },
    /// Claim a draw for a side (double flag)
    Claim { boards: String, side: Side },
    /// Refill a clock from its bank (Triple Block)
    Refill {
        boards: String,
        side: Side,
        /// How much [default: as much as fits]
        amount: Option<String>,
    },
    /// Carry out what is pending for a silent clock, without it
    Force { boards: String },
    /// Take back what is pending for a silent clock
    Withdraw { boards: String },
}

//! Command-line arguments of `flagfall ctl`.

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};

use super::audit;
use super::offence::Named;
use crate::cli::client::HubOptions;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "BOARDS is a list of names and ranges, separated by commas (1-40,A3), or `all`
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
  flagfall ctl claims 7                show what may be claimed and ruled on board 7 now
  flagfall ctl rule 7 illegal white
  flagfall ctl restore 7 31w           go back to just before White's 31st press
  flagfall ctl result 7 1-0
  flagfall ctl watch"
)]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    pub(super) hub: HubOptions,
    #[command(flatten)]
    pub(super) common: Common,
    #[command(subcommand)]
    pub(super) what: CtlCommand,
}

#[derive(Debug, clap::Args)]
pub(super) struct Common {
    /// The reason, which the log keeps beside the command
    #[arg(long, global = true, default_value = "")]
    pub(super) reason: String,
    /// Print one JSON object per line, for programs
    #[arg(long, global = true)]
    pub(super) json: bool,
    /// The board's sequence number on which the decision is based [default: the current one]
    #[arg(long, global = true, value_name = "SEQ")]
    pub(super) seen: Option<u64>,
    /// The command's idempotency key, 32 hexadecimal digits: a repeated command is carried out once [default: random]
    #[arg(long, global = true, value_name = "HEX")]
    pub(super) id: Option<String>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(in crate::cli) enum Side {
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

/// The effect of a fallen flag on the clocks.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct AfterFlag {
    /// Freeze the clocks when a flag falls [default: the hub's setting, else the control's]
    #[arg(long, conflicts_with = "runs_on")]
    pub(super) freeze: bool,
    /// Let the clocks keep running after a flag fall (FIDE 6.8)
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
pub(super) enum CtlCommand {
    #[command(flatten)]
    Inspect(Inspect),
    #[command(flatten)]
    SetUp(SetUp),
    #[command(flatten)]
    Game(Game),
    #[command(flatten)]
    Laws(Laws),
    #[command(flatten)]
    Agents(ClocksAtBoards),
    #[command(flatten)]
    Second(Second),
    #[command(flatten)]
    Proofs(Proofs),
}

/// Commands that read the hub's signed checkpoints and proofs.
#[derive(Debug, Subcommand)]
pub(super) enum Proofs {
    /// Show the newest signed checkpoint of the log, which commits the hub to every record
    Checkpoint {
        /// Keep the checkpoint in this file. If the file holds an earlier one, the hub must prove that its log continues it; exit code 1
        /// if it cannot
        #[arg(short, long, value_name = "FILE")]
        file: Option<PathBuf>,
    },
    /// Write a proof that a record is in the log, for `flagfall proof check` on any machine
    Proof {
        /// The record's number, as in `flagfall ctl log`
        record: u64,
        /// The proof file to write
        #[arg(short, long, value_name = "FILE")]
        output: PathBuf,
    },
}

/// Commands about the Laws on a board.
#[derive(Debug, Subcommand)]
pub(super) enum Laws {
    /// Show the claims and rulings of a board: who may make each, its article, and the reason if it is not possible now
    ///
    /// The first column is the request for `flagfall ctl rule`. If the moves are written down (`flagfall ctl score`), a claim about the
    /// position also shows whether it is correct, and which moves would make it correct.
    Claims {
        board: String,
        /// Show only what is possible now
        #[arg(long)]
        possible: bool,
    },
    /// Make a claim for a player, decide a claim, or report an offence: rule 7 illegal white
    ///
    /// Examples:
    ///   flagfall ctl rule 7 illegal black no-move
    ///   flagfall ctl rule 7 claim threefold white writing Nf3
    ///   flagfall ctl rule 7 rule as-found
    ///   flagfall ctl rule 7 flag white by arbiter
    ///   flagfall ctl rule 7 appeal
    #[command(verbatim_doc_comment)]
    Rule {
        board: String,
        /// The request, as `flagfall ctl claims BOARD` lists it
        #[arg(num_args = 1.., required = true)]
        request: Vec<String>,
    },
    /// Write down moves of the game, in SAN or UCI: score 7 e4 e5 Nf3
    ///
    /// The moves follow those already written down. To correct a mistake, use --after: it replaces all later moves, or removes them if no
    /// moves are given.
    Score {
        board: String,
        #[arg(conflicts_with = "pgn")]
        moves: Vec<String>,
        /// The number of half-moves to keep [default: all]
        #[arg(long, value_name = "N")]
        after: Option<u32>,
        /// Read the moves of the first game of a PGN file; they replace all moves written down
        #[arg(long, value_name = "FILE", conflicts_with = "after")]
        pgn: Option<PathBuf>,
    },
    /// Choose the rule set for boards: rules 1-40 fide-rapid; without boards, list the rule sets
    ///
    /// Without a choice, a board uses the rule set of its time control: FIDE's standard, rapid or blitz rules, or those of its timing
    /// method.
    Rules {
        #[arg(requires = "rules")]
        boards: Option<String>,
        /// The key of a rule set
        rules: Option<String>,
    },
    /// Choose the action that completes a turn of Time Chess: press 7 move
    ///
    /// With `page` or `move` the hub keeps the time and the board has no clock. If a clock is assigned later, players press its buttons.
    Press { boards: String, by: PressBy },
}

/// The action that completes a turn of Time Chess.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum PressBy {
    /// The button of the board's clock
    Clock,
    /// A button on the player's page
    Page,
    /// The move itself
    Move,
}

/// Decisions of a second arbiter.
#[derive(Debug, Subcommand)]
pub(super) enum Second {
    /// Confirm a command that waits for a second arbiter; it takes effect now
    ///
    /// `flagfall ctl held` lists these commands. The sender cannot confirm a command. If the board has changed since the command was sent,
    /// the command is refused.
    Confirm {
        /// The command's id, or its first characters if unique
        command: String,
    },
    /// Decline a command that waits for a second arbiter, or withdraw your own; it has no effect
    Decline {
        /// The command's id, or its first characters if unique
        command: String,
    },
}

/// Commands for the clocks at the boards.
#[derive(Debug, Subcommand)]
pub(super) enum ClocksAtBoards {
    /// Replace a board's clock with a spare, even in mid-game: replace 7 spare-2
    ///
    /// The spare must be connected. It continues from the game as the hub knows it. Of the time until the spare takes over, only the proven
    /// minimum is charged. The old clock may be dead, without a signal or connected: the hub releases it at the next contact. Presses that
    /// only the old clock knew are marked for review.
    Replace {
        board: String,
        /// The spare's name, or its hexadecimal key or the key's first characters, if unique
        clock: String,
        /// The side whose clock the spare replaces, if each side has its own clock
        #[arg(long, value_enum)]
        side: Option<Side>,
    },
    /// Mark the notes about a board or its clocks as seen: acknowledge 7 --reason "clock replaced"
    ///
    /// The note stays on its board until an arbiter has seen it. `flagfall ctl show` prints a board's notes, `flagfall ctl agents` the clocks'
    /// notes. If the cause recurs, the note returns.
    Acknowledge(Acknowledge),
    /// Print proofs of clocks that contradicted their own signed statements, and check their signatures
    Evidence { board: Option<String> },
}

#[derive(Debug, clap::Args)]
pub(super) struct Acknowledge {
    /// The boards whose notes to mark as seen
    #[arg(required_unless_present = "clock")]
    pub(super) boards: Option<String>,
    /// Only notes about this clock, on any board: its name, or its hexadecimal key or the key's first characters, if unique
    #[arg(long)]
    pub(super) clock: Option<String>,
    /// Confirm the loss of events that neither the log, which was set back, nor the clock still has (chief arbiter)
    #[arg(long)]
    pub(super) confirm_loss: bool,
}

/// Commands that change no game.
#[derive(Debug, Subcommand)]
pub(super) enum Inspect {
    /// Show the boards of the hall
    #[command(visible_alias = "ls")]
    List { boards: Option<String> },
    /// Show one board in full: clocks, presses, pending commands
    Show { board: String },
    /// Show the enrolled clocks and the state of each
    Agents,
    /// Show the browsers and apps enrolled with a code, the key files, and the gateways
    Devices,
    /// Show the commands that wait for a second arbiter
    Held,
    /// Show the commands in the log, newest first, with sender, board and time (arbiters and auditors)
    Audit(audit::Args),
    /// Show the boards' positions in the hall, one per line: board, x, y
    ///
    /// You can edit the output and load it again with --set.
    Floor {
        /// Replace the whole floor plan with this file (chief arbiter)
        #[arg(long, value_name = "FILE")]
        set: Option<PathBuf>,
    },
    /// Test the boards' clocks with a scripted press and print a certificate for each; exit code 1 if any test failed
    ZeroTest {
        /// The boards to test [default: all]
        boards: Vec<String>,
        /// Write the certificates to this file, for printing: A4, one page per clock
        #[arg(long, value_name = "FILE")]
        html: Option<PathBuf>,
    },
    /// Follow the hall: print one line per change
    Watch {
        boards: Option<String>,
        /// Keep the log's newest checkpoint in this file; end with exit code 1 as soon as the hub cannot prove that its log continues it
        #[arg(long, value_name = "FILE")]
        checkpoint: Option<PathBuf>,
    },
    /// Replay a game with moves, clocks and actions, or ask "what if": game 12 --round 3
    Game {
        /// The board's number, as in `flagfall ctl list`
        board: String,
        #[command(flatten)]
        games: Games,
        #[command(flatten)]
        view: crate::cli::game::View,
    },
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

/// A selection of a board's games.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(in crate::cli) struct Games {
    /// Only games of this round
    #[arg(long, value_name = "N")]
    pub(in crate::cli) round: Option<std::num::NonZeroU32>,
    /// Only this game of each board, counted from 1
    #[arg(long, value_name = "N")]
    pub(in crate::cli) game: Option<std::num::NonZeroU32>,
}

impl Games {
    /// Returns the game and the round for the request to the hub; 0 means any.
    pub(in crate::cli) fn wanted(self) -> (u32, u32) {
        let number = |number: Option<std::num::NonZeroU32>| number.map_or(0, u32::from);
        (number(self.game), number(self.round))
    }
}

/// Commands that set up the hall, its boards and their clocks.
#[derive(Debug, Subcommand)]
pub(super) enum SetUp {
    /// Add boards to the hall
    Add {
        boards: String,
        /// The time control [default: the hub's setting `control`]
        control: Option<String>,
        /// How White's clock is started [default: the hub's setting `start`]
        #[arg(long)]
        start: Option<Starter>,
        /// White's button [default: left]
        #[arg(long)]
        white: Option<Button>,
        #[command(flatten)]
        after_flag: AfterFlag,
    },
    /// Remove boards from the hall
    Remove { boards: String },
    /// Set the players' names
    Names {
        board: String,
        white: String,
        black: String,
        /// The round, as the clock shows it to the players
        #[arg(long, default_value = "")]
        round: String,
    },
    /// Assign a clock to a board; `none` removes the board's clock
    Assign {
        board: String,
        /// The clock's hexadecimal key or its first characters, if unique (`flagfall ctl agents`), or none
        agent: String,
        /// The only side that the clock serves, if the opponent has a clock elsewhere (a match between two halls)
        #[arg(long, value_enum)]
        side: Option<Side>,
    },
    /// Prepare a new game under this time control
    Control {
        boards: String,
        control: String,
        #[arg(long, value_enum, default_value = "arbiter")]
        start: Starter,
        /// White's button [default: unchanged]
        #[arg(long)]
        white: Option<Button>,
        #[command(flatten)]
        after_flag: AfterFlag,
    },
    /// Change the time control in mid-game; time in hand and move counts are kept
    ChangeControl {
        boards: String,
        control: String,
        #[command(flatten)]
        after_flag: AfterFlag,
    },
    /// Set the side for which a drawn game counts as won (armageddon): odds 7 draw black
    Odds {
        boards: String,
        /// The kind of odds: draw
        #[arg(value_enum)]
        odds: Odds,
        #[arg(value_enum)]
        side: OddsTo,
    },
    /// Set White's button
    Button { boards: String, white: Button },
    /// Exchange the buttons
    Swap { boards: String },
    /// Make the clock identify itself
    Identify { boards: String },
    /// Show a message on the clock
    Message { boards: String, text: String },
    /// Permanently revoke a clock, an arbiter's device (d-…), a key file (k-…) or a gateway (g-…)
    Revoke {
        /// A clock's hexadecimal key or its first characters, if unique; or the id of a device, key file or gateway
        agent: String,
    },
}

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
    /// Start the stopped clock again, or the clock of --side
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
    /// Add or remove time: 2m, -30s
    AddTime {
        boards: String,
        side: Side,
        #[arg(allow_hyphen_values = true)]
        time: String,
        /// The offence for which the time is given, such as illegal-move (of the opponent) or illegal-move:white. The hub counts the
        /// offence, and withdraws it if the time is removed again
        #[arg(long, value_name = "WHAT")]
        offence: Option<Named>,
    },
    /// Correct the number of completed moves
    Moves {
        boards: String,
        side: Side,
        moves: u32,
    },
    /// Restore a board to just before a press, with both clocks stopped
    Restore {
        board: String,
        /// The press: 31w, 31b, or its event number (`flagfall ctl show BOARD`)
        press: String,
    },
    /// Call a fallen flag (FIDE 6.8)
    Flag { boards: String, side: Side },
    /// Enter a result: 1-0, 0-1, 1/2-1/2, 0-0, 1/2-0, 0-1/2, 1-0f, 0-1f, 0-0f, or * to remove it
    Result {
        boards: String,
        #[arg(allow_hyphen_values = true)]
        result: String,
        /// The offence that ended the game: illegal-move. Name the side, as in illegal-move:white, if the game is drawn because the
        /// opponent cannot checkmate (FIDE 7.5.5)
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
        /// The amount [default: as much as fits]
        amount: Option<String>,
    },
    /// Force commands that are pending for a clock without a signal: carry them out without the clock's answer
    Force { boards: String },
    /// Withdraw commands that are pending for a clock without a signal
    Withdraw { boards: String },
}

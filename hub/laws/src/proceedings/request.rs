//! Requests from players and arbiters, as data.

mod text;

pub use text::ParseRequestError;
pub(crate) use text::read_span;

use timing::{BySide, Duration, GameResult, Side};

use super::{FlagOrder, OffenceKind};
use crate::BoardEnd;
use crate::rule_set::{ClaimKind, FlagCaller};

/// A request to the proceedings of a game. `Display` and `FromStr` are its only text form.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "a name without a doc says what it is")]
pub enum Request {
    Claim {
        kind: ClaimKind,
        by: Side,
        /// The move that the claimant has written down and declared, but not played.
        written: Option<String>,
        /// True if a delay clock is available (US Chess 14H).
        delay_clock: bool,
    },
    /// The arbiter decides an open or watched claim, or an appeal.
    Decide(Decision),
    Withdraw {
        by: Side,
    },
    OfferDraw {
        by: Side,
    },
    Accept {
        by: Side,
    },
    Decline {
        by: Side,
    },
    /// A player touches a piece with the intention of moving it.
    Touch {
        by: Side,
    },
    /// Before the first move, the players agree to the extension of the fifty-move rule.
    AgreeExtension,
    IllegalMove {
        /// The offender.
        by: Side,
        kind: OffenceKind,
    },
    /// An arbiter, the opponent or the clock calls a fallen flag.
    CallFlag {
        side: Side,
        caller: FlagCaller,
        /// If both flags are down: whether the log shows which fell first.
        order: FlagOrder,
    },
    WrongSetting {
        times: BySide<Duration>,
        /// The correct move counters, if they change.
        moves: Option<BySide<u32>>,
        /// True if the event's schedule would suffer without the correction.
        schedule_suffers: bool,
    },
    ReversedColours,
    /// Both players have stopped keeping score in time trouble.
    ScorekeepingStopped,
    Absent {
        sides: BySide<bool>,
        /// Time since the start of play.
        elapsed: Duration,
        default_time: Duration,
    },
    /// The moves written down have ended the game on the board, which needs no claim (FIDE 5.1.1, 5.2, 9.6).
    EndedOnBoard(BoardEnd),
    /// The game is adjourned; the player to move seals a move.
    Adjourn,
    /// The adjourned game is resumed: the sealed move is played.
    OpenSealedMove,
    /// A decision that ended the game is appealed.
    Appeal,
    /// A team captain moves bank time to a player's clock.
    CaptainsRescue {
        side: Side,
        /// The bank time to move; `None` for as much as possible.
        amount: Option<Duration>,
        /// True if the player is substituted or replaced at the same time.
        substituted: bool,
        /// True if the scheduled end date has passed.
        after_end_date: bool,
    },
    /// An Othello game has ended on the board.
    Othello {
        /// The side that used its grace time.
        graced: Option<Side>,
        discs: BySide<u32>,
    },
}

/// A decision on an open or watched claim, or on an appeal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The claim is decided by the moves of the game.
    AsFound,
    /// The claim is correct: the game is drawn.
    Correct,
    /// The claim is incorrect. Time may be taken from the claimant, where the rules allow it.
    Incorrect {
        /// Time taken from the claimant (US Chess 14H).
        penalty: Duration,
    },
    /// The claim is denied, and the player may claim again later (US Chess 14H, Guidelines III.4).
    Deny,
    /// The director watches and reserves judgement (US Chess 14H).
    Watch,
    /// A delay of this length is introduced (US Chess 14H), or, with `None`, the increment that the rule set states
    /// (Guidelines III.4).
    Fit(Option<Duration>),
    /// The decision is postponed (Guidelines III.5).
    Postpone {
        /// True if the opponent receives extra time.
        award: bool,
    },
    /// The claim is rejected (Guidelines III.5).
    Reject,
    /// The game continues after a director's claim, a watched claim that is not upheld, or a successful appeal.
    Continue,
    /// The result that was appealed stands.
    Uphold,
    /// A different result is entered.
    Result(GameResult),
}

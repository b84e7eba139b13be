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
pub enum Request {
    /// A player makes a claim.
    Claim {
        /// The kind of claim.
        kind: ClaimKind,
        /// The claimant.
        by: Side,
        /// The move that the claimant has written down and declared, but not played.
        written: Option<String>,
        /// True if a delay clock is available (US Chess 14H).
        delay_clock: bool,
    },
    /// The arbiter decides the open claim, or the appeal.
    Decide(Decision),
    /// A player wants to withdraw a claim.
    Withdraw {
        /// The claimant.
        by: Side,
    },
    /// A player offers a draw.
    OfferDraw {
        /// The player who offers the draw.
        by: Side,
    },
    /// A player accepts the opponent's offer.
    Accept {
        /// The player who accepts the offer.
        by: Side,
    },
    /// A player rejects the opponent's offer.
    Decline {
        /// The player who rejects the offer.
        by: Side,
    },
    /// A player touches a piece with the intention of moving it.
    Touch {
        /// The player who touches the piece.
        by: Side,
    },
    /// Before the first move, the players agree to the extension of the fifty-move rule.
    AgreeExtension,
    /// An illegal move was completed.
    IllegalMove {
        /// The offender.
        by: Side,
        /// The kind of offence.
        kind: OffenceKind,
    },
    /// An arbiter, the opponent or the clock calls a fallen flag.
    CallFlag {
        /// The side whose flag is called.
        side: Side,
        /// The caller of the flag.
        caller: FlagCaller,
        /// If both flags are down: whether the log shows which fell first.
        order: FlagOrder,
    },
    /// The clock was wrongly set.
    WrongSetting {
        /// The correct times.
        times: BySide<Duration>,
        /// The correct move counters, if they change.
        moves: Option<BySide<u32>>,
        /// True if the event's schedule would suffer without the correction.
        schedule_suffers: bool,
    },
    /// The game was begun with reversed colours.
    ReversedColours,
    /// Neither player keeps score in time trouble.
    ScorekeepingStopped,
    /// Players have not arrived.
    Absent {
        /// The absent players.
        sides: BySide<bool>,
        /// Time since the start of play.
        elapsed: Duration,
        /// The default time of the regulations.
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
        /// The player whose clock gets the time.
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
        /// Number of discs of each side.
        discs: BySide<u32>,
    },
}

/// A decision on an open claim or appeal.
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
    /// The claim is denied, with an invitation to claim again (US Chess 14H).
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

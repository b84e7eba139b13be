//! Requests of players and arbiters, as data.

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
    /// A player claims.
    Claim {
        /// The kind of claim.
        kind: ClaimKind,
        /// The claimant.
        by: Side,
        /// The move that the claimant has written down and declared, but not played.
        written: Option<String>,
        /// A delay clock is at hand (US Chess 14H).
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
        /// The player.
        by: Side,
    },
    /// A player accepts the opponent's offer.
    Accept {
        /// The player.
        by: Side,
    },
    /// A player rejects the opponent's offer.
    Decline {
        /// The player.
        by: Side,
    },
    /// A player touches a piece with the intention of moving it.
    Touch {
        /// The player.
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
    /// A fallen flag is called.
    CallFlag {
        /// The side whose flag fell.
        side: Side,
        /// The person who calls.
        caller: FlagCaller,
        /// If both flags are down: whether the log tells which fell first.
        order: FlagOrder,
    },
    /// The clock was wrongly set.
    WrongSetting {
        /// The correct times.
        times: BySide<Duration>,
        /// The correct move counters, if they change.
        moves: Option<BySide<u32>>,
        /// Without the correction the event's schedule would suffer.
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
    /// The moves written down have ended the game on the board, without a request by anyone (FIDE 5.1.1, 5.2, 9.6).
    EndedOnBoard(BoardEnd),
    /// The game is adjourned; the player on move seals a move.
    Adjourn,
    /// The adjourned game is resumed: the sealed move is played.
    OpenSealedMove,
    /// A decision that ended the game is appealed.
    Appeal,
    /// A team captain moves bank time to the clock of a player.
    CaptainsRescue {
        /// The player.
        side: Side,
        /// The amount; by default as much as fits.
        amount: Option<Duration>,
        /// The player is substituted or replaced at the same time.
        substituted: bool,
        /// The scheduled end date has passed.
        after_end_date: bool,
    },
    /// An Othello game has ended on the board.
    Othello {
        /// The side that used its grace time.
        graced: Option<Side>,
        /// The discs of each side.
        discs: BySide<u32>,
    },
}

/// A decision on an open claim or appeal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// As the moves of the game show.
    AsFound,
    /// The claim is correct: the game is drawn.
    Correct,
    /// The claim is incorrect; the time to take from the claimant, where the rules allow it.
    Incorrect {
        /// Taken from the claimant (US Chess 14H).
        penalty: Duration,
    },
    /// The claim is denied, with an invitation to claim again (US Chess 14H).
    Deny,
    /// The director watches and reserves judgement (US Chess 14H).
    Watch,
    /// A delay or increment is fitted; its length where the rule set leaves it open.
    Fit(Option<Duration>),
    /// The decision is postponed (Guidelines III.5).
    Postpone {
        /// The opponent gets the extra time.
        award: bool,
    },
    /// The claim is rejected (Guidelines III.5).
    Reject,
    /// The game continues; for a director's claim and an appeal that is upheld.
    Continue,
    /// The appealed result stands.
    Uphold,
    /// Another result is entered.
    Result(GameResult),
}

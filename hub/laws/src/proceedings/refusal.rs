//! The reasons why a request is refused, worded for the arbiter.

use timing::{Duration, Rejection, Side};

use crate::MoveError;
use crate::rule_set::ClaimKind;

/// A refused request. Proceedings and clocks are unchanged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The rule set has no rule for the request.
    #[error("{rules} has no such procedure")]
    NotInRules {
        /// The title of the rule set.
        rules: String,
    },
    /// The rule set switches off the rule for the request.
    #[error("{article}: {why}")]
    Off {
        /// The article on which the refusal is based.
        article: String,
        /// The reason that the rule set gives for switching the rule off.
        why: String,
    },
    /// The game has not started.
    #[error("the game has not started")]
    NotStarted,
    /// The game has started.
    #[error("the game has started: this is agreed before the first move")]
    AlreadyStarted,
    /// The game has a result.
    #[error("the game has a result: an appeal reopens it")]
    GameOver,
    /// The game has no result.
    #[error("the game has no result to appeal against")]
    NoResult,
    /// The claimant does not have the move.
    #[error("{article}: only the player having the move may claim")]
    NotOnMove {
        /// The article on which the refusal is based.
        article: String,
    },
    /// The claimant has touched a piece.
    #[error("9.4: the player has touched a piece and loses the right to claim on that move")]
    Touched,
    /// The claimant has more time than the rule allows.
    #[error("{article}: the player has {} s, more than the rule allows", seconds(*has))]
    TooMuchTime {
        /// The article on which the refusal is based.
        article: String,
        /// The claimant's time in hand.
        has: Duration,
    },
    /// The claimant's flag is down.
    #[error("{article}: a player whose flag is down may not claim")]
    FlagDown {
        /// The article on which the refusal is based.
        article: String,
    },
    /// The clock has a delay or an increment.
    #[error("{article}: the clock has a delay or an increment")]
    DelayInUse {
        /// The article on which the refusal is based.
        article: String,
    },
    /// The claimant is not in the last period, or that period does not end the game (sudden death).
    #[error("{article}: the claimant is not in the last period, which must end the game")]
    NotSuddenDeath {
        /// The article on which the refusal is based.
        article: String,
    },
    /// A delay or an increment was introduced after an earlier claim.
    #[error(
        "{article}: a delay or increment was introduced after a claim, so this claim is no longer available"
    )]
    AlreadyFitted {
        /// The article on which the refusal is based.
        article: String,
    },
    /// The written move cannot be played.
    #[error("{0}")]
    WrittenMove(MoveError),
    /// The moves of the game are not known.
    #[error("the moves of the game are not entered: decide whether the claim is correct")]
    MovesUnknown,
    /// The moves entered do not show the reported end.
    #[error("the moves entered do not end the game in this way")]
    NotOnBoard,
    /// A claim is open.
    #[error("the claim by {} ({}) is open: decide it first", .by.as_str(), .kind.as_str())]
    ClaimOpen {
        /// The kind of claim.
        kind: ClaimKind,
        /// The claimant.
        by: Side,
    },
    /// No claim or appeal is open.
    #[error("no claim is open")]
    NothingOpen,
    /// The claim cannot be withdrawn.
    #[error("{article}: a claim cannot be withdrawn")]
    CannotWithdraw {
        /// The article on which the refusal is based.
        article: &'static str,
    },
    /// The decision does not apply to this claim.
    #[error("{article}: this decision is not open to the arbiter here{}", .why)]
    WrongDecision {
        /// The article on which the refusal is based.
        article: String,
        /// The reason, preceded by a colon; empty if the decision belongs to a different kind of claim.
        why: &'static str,
    },
    /// The penalty is too high.
    #[error("{article}: at most {} s may be taken from the claimant", seconds(*most))]
    PenaltyTooHigh {
        /// The article on which the refusal is based.
        article: String,
        /// The highest penalty allowed.
        most: Duration,
    },
    /// There is no offer to answer.
    #[error("9.1.2: the opponent has offered no draw")]
    NoOffer,
    /// A draw offer is already open.
    #[error("9.1.2.1: a draw offer stands and cannot be withdrawn or repeated")]
    OfferStands,
    /// The draw offer must be put to the opponent first.
    #[error("14H2: first put the draw offer to the opponent")]
    OfferNotAnswered,
    /// The rule set has no draws by agreement.
    #[error("{article}: this rule set has no draws by agreement")]
    NoDraws {
        /// The article on which the refusal is based.
        article: String,
    },
    /// The offender has not completed a move, or has completed none since the last illegal move.
    #[error("{article}: {} has completed no move that could be illegal: only a press completes a move", super::name(*side))]
    NothingCompleted {
        /// The article on which the refusal is based.
        article: String,
        /// The player accused of the offence.
        side: Side,
    },
    /// The game is adjourned.
    #[error("Guidelines I: the game is adjourned: first open the sealed move")]
    Adjourned,
    /// An appeal is open.
    #[error("an appeal against the decision is open: decide it first")]
    AppealOpen,
    /// The player has completed a move.
    #[error("6.7: {} has completed a move and so has arrived", super::name(*side))]
    Arrived {
        /// The player who has completed a move.
        side: Side,
    },
    /// The opponent has made the next move, so the illegal move stands.
    #[error("{article}: the opponent has made the next move, so the illegal move stands")]
    IllegalMoveStands {
        /// The article on which the refusal is based.
        article: String,
    },
    /// The flag to be called has not fallen.
    #[error("6.8: that flag is not down")]
    FlagUp,
    /// The rule set does not let this person call a flag.
    #[error("{article}: this person may not call a flag here")]
    MayNotCall {
        /// The article on which the refusal is based.
        article: String,
    },
    /// The game ended on the board before the flag fell.
    #[error("6.9: the game ended on the board ({article})")]
    EndedOnBoard {
        /// The article of the FIDE Laws under which the game ended on the board.
        article: &'static str,
    },
    /// A different move must be played.
    #[error("9.5.3: the intended move {san} must be played")]
    MustPlay {
        /// The intended move.
        san: String,
    },
    /// Each player has completed ten moves, so the fault at the start is no longer corrected.
    #[error(
        "{article}: ten moves have been completed by each player; the setting is not changed unless the schedule would otherwise suffer"
    )]
    TenMoves {
        /// The article on which the refusal is based.
        article: String,
    },
    /// The default time has not passed.
    #[error("6.7: the default time has not passed")]
    NotYetLate,
    /// A captain may intervene only with a substitution.
    #[error(
        "Triple Block (h): a captain may intervene only when the player is substituted or replaced"
    )]
    NotSubstituted,
    /// The event's end date has passed.
    #[error("Triple Block (e): the scheduled end date has passed")]
    AfterEndDate,
    /// The discs outnumber the squares of the board.
    #[error("at most 64 discs fit on the board, not {discs}")]
    TooManyDiscs {
        /// Number of discs.
        discs: u32,
    },
    /// The game is not adjourned, or has no sealed move.
    #[error("Guidelines I: no sealed move is kept for this game")]
    NotAdjourned,
    /// No flag has fallen.
    #[error("8.5.1: no flag has fallen yet")]
    NoFlagYet,
    /// The player must still record the moves.
    #[error(
        "8.4: the player has five minutes or more, or an increment of 30 s: moves must be recorded"
    )]
    MustRecord,
    /// The clock refuses the step.
    #[error("{0}")]
    Clock(Rejection),
}

fn seconds(span: Duration) -> String {
    let micros = span.as_micros();
    let text = format!("{}.{:06}", micros / 1_000_000, (micros % 1_000_000).abs());
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

impl Refusal {
    pub(crate) fn if_off(article: &str, off: Option<&str>) -> Result<(), Self> {
        let refusal = |why: &str| Self::Off {
            article: article.to_owned(),
            why: why.to_owned(),
        };
        off.map_or(Ok(()), |why| Err(refusal(why)))
    }

    /// Returns the article on which the refusal is based; `None` if it is not based on a single article.
    pub fn article(&self) -> Option<&str> {
        match self {
            Self::Off { article, .. }
            | Self::NotOnMove { article }
            | Self::TooMuchTime { article, .. }
            | Self::FlagDown { article }
            | Self::DelayInUse { article }
            | Self::NotSuddenDeath { article }
            | Self::AlreadyFitted { article }
            | Self::WrongDecision { article, .. }
            | Self::PenaltyTooHigh { article, .. }
            | Self::NoDraws { article }
            | Self::IllegalMoveStands { article }
            | Self::NothingCompleted { article, .. }
            | Self::MayNotCall { article }
            | Self::TenMoves { article } => Some(article),
            Self::CannotWithdraw { article } | Self::EndedOnBoard { article } => Some(article),
            Self::Touched => Some("9.4"),
            Self::NoOffer => Some("9.1.2"),
            Self::OfferStands => Some("9.1.2.1"),
            Self::OfferNotAnswered => Some("14H2"),
            Self::FlagUp => Some("6.8"),
            Self::MustPlay { .. } => Some("9.5.3"),
            Self::NotYetLate | Self::Arrived { .. } => Some("6.7"),
            Self::NotSubstituted => Some("Triple Block (h)"),
            Self::AfterEndDate => Some("Triple Block (e)"),
            Self::NotAdjourned | Self::Adjourned => Some("Guidelines I"),
            Self::NoFlagYet => Some("8.5.1"),
            Self::MustRecord => Some("8.4"),
            Self::NotInRules { .. }
            | Self::NotStarted
            | Self::AlreadyStarted
            | Self::GameOver
            | Self::NoResult
            | Self::WrittenMove(_)
            | Self::MovesUnknown
            | Self::NotOnBoard
            | Self::ClaimOpen { .. }
            | Self::NothingOpen
            | Self::AppealOpen
            | Self::TooManyDiscs { .. }
            | Self::Clock(_) => None,
        }
    }

    /// Returns the code used in scripts and logs.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NotInRules { .. } => "not-in-rules",
            Self::Off { .. } => "off",
            Self::NotStarted => "not-started",
            Self::AlreadyStarted => "already-started",
            Self::GameOver => "game-over",
            Self::NoResult => "no-result",
            Self::NotOnMove { .. } => "not-on-move",
            Self::Touched => "touched",
            Self::TooMuchTime { .. } => "too-much-time",
            Self::FlagDown { .. } => "flag-down",
            Self::DelayInUse { .. } => "delay-in-use",
            Self::NotSuddenDeath { .. } => "not-sudden-death",
            Self::AlreadyFitted { .. } => "already-fitted",
            Self::WrittenMove(_) => "written-move",
            Self::MovesUnknown => "moves-unknown",
            Self::NotOnBoard => "not-on-board",
            Self::ClaimOpen { .. } => "claim-open",
            Self::NothingOpen => "nothing-open",
            Self::CannotWithdraw { .. } => "cannot-withdraw",
            Self::WrongDecision { .. } => "wrong-decision",
            Self::PenaltyTooHigh { .. } => "penalty-too-high",
            Self::NoOffer => "no-offer",
            Self::OfferStands => "offer-stands",
            Self::OfferNotAnswered => "offer-not-answered",
            Self::NoDraws { .. } => "no-draws",
            Self::IllegalMoveStands { .. } => "illegal-move-stands",
            Self::NothingCompleted { .. } => "nothing-completed",
            Self::Adjourned => "adjourned",
            Self::AppealOpen => "appeal-open",
            Self::Arrived { .. } => "arrived",
            Self::FlagUp => "flag-up",
            Self::MayNotCall { .. } => "may-not-call",
            Self::EndedOnBoard { .. } => "ended-on-board",
            Self::MustPlay { .. } => "must-play",
            Self::TenMoves { .. } => "ten-moves",
            Self::NotYetLate => "not-yet-late",
            Self::NotSubstituted => "not-substituted",
            Self::AfterEndDate => "after-end-date",
            Self::TooManyDiscs { .. } => "too-many-discs",
            Self::NotAdjourned => "not-adjourned",
            Self::NoFlagYet => "no-flag-yet",
            Self::MustRecord => "must-record",
            Self::Clock(_) => "clock",
        }
    }
}

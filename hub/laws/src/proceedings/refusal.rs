//! The reasons why a request is refused, worded for the arbiter.

use timing::{Duration, Rejection, Side};

use crate::MoveError;
use crate::rule_set::ClaimKind;

/// The reason why a request, a written move or a start of the clocks is refused. Proceedings and clocks are unchanged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum Refusal {
    #[error("{rules} has no such procedure")]
    NotInRules { rules: String },
    /// The rule set switches off the rule for the request.
    #[error("{article}: {why}")]
    Off { article: String, why: String },
    #[error("the game has not started")]
    NotStarted,
    #[error("the game has started: this is agreed before the first move")]
    AlreadyStarted,
    #[error("the game has a result: an appeal reopens it")]
    GameOver,
    #[error("the game has no result to appeal against")]
    NoResult,
    #[error("{article}: only the player having the move may claim")]
    NotOnMove { article: String },
    #[error("9.4: the player has touched a piece and loses the right to claim on that move")]
    Touched,
    #[error("{article}: the player has {} s, more than the rule allows", seconds(*has))]
    TooMuchTime { article: String, has: Duration },
    #[error("{article}: a player whose flag is down may not claim")]
    FlagDown { article: String },
    #[error("{article}: the clock has a delay or an increment")]
    DelayInUse { article: String },
    #[error("{article}: the claimant is not in the last period, which must end the game")]
    NotSuddenDeath { article: String },
    #[error(
        "{article}: a delay or increment was introduced after a claim, so this claim is no longer available"
    )]
    AlreadyFitted { article: String },
    #[error("{0}")]
    WrittenMove(MoveError),
    #[error("the moves of the game are not entered: decide whether the claim is correct")]
    MovesUnknown,
    #[error("the moves entered do not end the game in this way")]
    NotOnBoard,
    #[error("the claim by {} ({}) is open: decide it first", .by.as_str(), .kind.as_str())]
    ClaimOpen { kind: ClaimKind, by: Side },
    /// There is no claim or appeal to which the request applies.
    #[error("no claim is open")]
    NothingOpen,
    #[error("{article}: a claim cannot be withdrawn")]
    CannotWithdraw { article: &'static str },
    #[error("{article}: this decision is not open to the arbiter here{}", .why)]
    WrongDecision {
        article: String,
        /// The reason, preceded by a colon; empty if the claim has no such decision.
        why: &'static str,
    },
    #[error("{article}: at most {} s may be taken from the claimant", seconds(*most))]
    PenaltyTooHigh { article: String, most: Duration },
    #[error("9.1.2: the opponent has offered no draw")]
    NoOffer,
    #[error("9.1.2.1: a draw offer stands and cannot be withdrawn or repeated")]
    OfferStands,
    #[error("14H2: first put the draw offer to the opponent")]
    OfferNotAnswered,
    #[error("{article}: this rule set has no draws by agreement")]
    NoDraws { article: String },
    /// The offender has not completed a move, or has completed none since the last illegal move.
    #[error("{article}: {} has completed no move that could be illegal: only a press completes a move", super::name(*side))]
    NothingCompleted { article: String, side: Side },
    #[error("Guidelines I: the game is adjourned: first open the sealed move")]
    Adjourned,
    #[error("an appeal against the decision is open: decide it first")]
    AppealOpen,
    #[error("6.7: {} has completed a move and so has arrived", super::name(*side))]
    Arrived { side: Side },
    #[error("{article}: the opponent has made the next move, so the illegal move stands")]
    IllegalMoveStands { article: String },
    #[error("6.8: that flag is not down")]
    FlagUp,
    #[error("{article}: this person may not call a flag here")]
    MayNotCall { article: String },
    #[error("6.9: the game ended on the board ({article})")]
    EndedOnBoard { article: &'static str },
    #[error("9.5.3: the intended move {san} must be played")]
    MustPlay { san: String },
    #[error(
        "{article}: ten moves have been completed by each player; the setting is not changed unless the schedule would otherwise suffer"
    )]
    TenMoves { article: String },
    #[error("6.7: the default time has not passed")]
    NotYetLate,
    #[error(
        "Triple Block (h): a captain may intervene only when the player is substituted or replaced"
    )]
    NotSubstituted,
    #[error("Triple Block (e): the scheduled end date has passed")]
    AfterEndDate,
    #[error("at most 64 discs fit on the board, not {discs}")]
    TooManyDiscs { discs: u32 },
    /// The game is not adjourned, or has no sealed move.
    #[error("Guidelines I: no sealed move is kept for this game")]
    NotAdjourned,
    #[error("8.5.1: no flag has fallen yet")]
    NoFlagYet,
    #[error(
        "8.4: the player has five minutes or more, or an increment of 30 s: moves must be recorded"
    )]
    MustRecord,
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

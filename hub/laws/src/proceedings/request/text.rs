//! The text form of requests, for logs, protocols, scripts and command lines: parsing and printing.

use std::fmt;
use std::str::FromStr;

use timing::{BySide, Duration, GameResult, ParseDurationError, Side};

use super::{Decision, Request};
use crate::BoardEnd;
use crate::proceedings::{FlagOrder, OffenceKind};
use crate::rule_set::{ClaimKind, FlagCaller};

/// A syntax error in the text of a request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: expected {expected}")]
pub struct ParseRequestError {
    /// Column of the error, from 1, in characters.
    pub column: usize,
    /// The expected input at that column.
    pub expected: String,
}

impl Request {
    pub(crate) const VERBS: &str = "claim, rule, withdraw, offer, accept, decline, touch, extension, illegal, flag, setting, reversed, \
        scorekeeping, absent, ended, adjourn, unseal, appeal, rescue, othello";
}

struct Words<'a> {
    text: &'a str,
    /// Byte offset of the last word read, or of the end of the text if no word was left.
    last: usize,
    /// Byte offset of the first byte that has not been read.
    at: usize,
}

impl<'a> Words<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            last: 0,
            at: 0,
        }
    }

    fn next(&mut self) -> Option<&'a str> {
        let left = &self.text[self.at..];
        let left = left.trim_start();
        self.last = self.text.len() - left.len();
        let end = left.find(char::is_whitespace).unwrap_or(left.len());
        self.at = self.last + end;
        (!left.is_empty()).then(|| &left[..end])
    }

    /// Returns an error at the last word read, or at the end of the text if no word was left.
    fn fault(&self, expected: impl Into<String>) -> ParseRequestError {
        ParseRequestError {
            column: self.text[..self.last].chars().count() + 1,
            expected: expected.into(),
        }
    }

    fn word(&mut self, expected: &str) -> Result<&'a str, ParseRequestError> {
        self.next().ok_or_else(|| self.fault(expected))
    }

    fn side(&mut self) -> Result<Side, ParseRequestError> {
        const EXPECTED: &str = "white or black";
        let word = self.word(EXPECTED)?;
        Side::from_word(word).ok_or_else(|| self.fault(EXPECTED))
    }

    fn span(&mut self, expected: &str) -> Result<Duration, ParseRequestError> {
        let word = self.word(expected)?;
        read_span(word).map_err(|_| self.fault(expected))
    }

    fn number(&mut self, expected: &str) -> Result<u32, ParseRequestError> {
        let word = self.word(expected)?;
        word.parse().map_err(|_| self.fault(expected))
    }
}

/// Parses a duration with a unit, or a bare number as seconds.
pub(crate) fn read_span(word: &str) -> Result<Duration, ParseDurationError> {
    match word.ends_with(|last: char| last.is_ascii_digit()) {
        true => format!("{word}s").parse(),
        false => word.parse(),
    }
}

impl FromStr for Request {
    type Err = ParseRequestError;

    fn from_str(text: &str) -> Result<Self, ParseRequestError> {
        let mut words = Words::new(text);
        let verbs = || format!("one of {}", Self::VERBS);
        let request = match words.word(&verbs())? {
            "claim" => claim(&mut words)?,
            "rule" => Self::Decide(decision(&mut words)?),
            "withdraw" => Self::Withdraw { by: words.side()? },
            "offer" => Self::OfferDraw { by: words.side()? },
            "accept" => Self::Accept { by: words.side()? },
            "decline" => Self::Decline { by: words.side()? },
            "touch" => Self::Touch { by: words.side()? },
            "extension" => Self::AgreeExtension,
            "illegal" => illegal(&mut words)?,
            "flag" => flag(&mut words)?,
            "setting" => setting(&mut words)?,
            "reversed" => Self::ReversedColours,
            "scorekeeping" => Self::ScorekeepingStopped,
            "absent" => absent(&mut words)?,
            "ended" => ended(&mut words)?,
            "adjourn" => Self::Adjourn,
            "unseal" => Self::OpenSealedMove,
            "appeal" => Self::Appeal,
            "rescue" => rescue(&mut words)?,
            "othello" => othello(&mut words)?,
            _ => return Err(words.fault(verbs())),
        };
        match words.next() {
            None => Ok(request),
            Some(_) => Err(words.fault("the end of the line")),
        }
    }
}

fn claim(words: &mut Words<'_>) -> Result<Request, ParseRequestError> {
    let kinds = || {
        format!(
            "one of {}",
            ClaimKind::ALL.map(ClaimKind::as_str).join(", ")
        )
    };
    let kind = words.word(&kinds())?;
    let kind = ClaimKind::from_word(kind).ok_or_else(|| words.fault(kinds()))?;
    let by = words.side()?;
    let (mut written, mut delay_clock) = (None, false);
    while let Some(more) = words.next() {
        match more {
            "writing" => written = Some(words.word("a move such as Nf3")?.to_owned()),
            "delay-clock" => delay_clock = true,
            _ => return Err(words.fault("writing or delay-clock")),
        }
    }
    Ok(Request::Claim {
        kind,
        by,
        written,
        delay_clock,
    })
}

fn decision(words: &mut Words<'_>) -> Result<Decision, ParseRequestError> {
    const DECISIONS: &str = "as-found, correct, incorrect, deny, watch, fit, postpone, reject, continue, uphold or result";
    Ok(match words.word(DECISIONS)? {
        "as-found" => Decision::AsFound,
        "correct" => Decision::Correct,
        "incorrect" => Decision::Incorrect {
            penalty: optional_span(words)?.unwrap_or(Duration::ZERO),
        },
        "deny" => Decision::Deny,
        "watch" => Decision::Watch,
        "fit" => Decision::Fit(optional_span(words)?),
        "postpone" => Decision::Postpone {
            award: match words.next() {
                None => false,
                Some("award") => true,
                Some(_) => return Err(words.fault("award")),
            },
        },
        "reject" => Decision::Reject,
        "continue" => Decision::Continue,
        "uphold" => Decision::Uphold,
        "result" => {
            const RESULT: &str = "a result such as 1-0";
            let word = words.word(RESULT)?;
            Decision::Result(GameResult::from_word(word).ok_or_else(|| words.fault(RESULT))?)
        }
        _ => return Err(words.fault(DECISIONS)),
    })
}

fn optional_span(words: &mut Words<'_>) -> Result<Option<Duration>, ParseRequestError> {
    let span = words.next().map(read_span).transpose();
    span.map_err(|_| words.fault("a time such as 2m or 90"))
}

fn illegal(words: &mut Words<'_>) -> Result<Request, ParseRequestError> {
    let by = words.side()?;
    let kind = match words.next() {
        None => OffenceKind::IllegalMove,
        Some(word) => OffenceKind::ALL
            .into_iter()
            .find(|kind| kind.as_str() == word)
            .ok_or_else(|| {
                let kinds = OffenceKind::ALL.map(OffenceKind::as_str).join(", ");
                words.fault(format!("one of {kinds}"))
            })?,
    };
    Ok(Request::IllegalMove { by, kind })
}

fn flag(words: &mut Words<'_>) -> Result<Request, ParseRequestError> {
    const CALLERS: &str = "arbiter, opponent or clock";
    let side = words.side()?;
    if words.word("by")? != "by" {
        return Err(words.fault("by"));
    }
    let caller = match words.word(CALLERS)? {
        "arbiter" => FlagCaller::Arbiter,
        "opponent" => FlagCaller::Opponent,
        "clock" => FlagCaller::Clock,
        _ => return Err(words.fault(CALLERS)),
    };
    let order = match words.next() {
        None => FlagOrder::Known,
        Some("order-unknown") => FlagOrder::Unknown,
        Some(_) => return Err(words.fault("order-unknown")),
    };
    Ok(Request::CallFlag {
        side,
        caller,
        order,
    })
}

fn setting(words: &mut Words<'_>) -> Result<Request, ParseRequestError> {
    let times = BySide {
        white: words.span("White's time")?,
        black: words.span("Black's time")?,
    };
    let (mut moves, mut schedule_suffers) = (None, false);
    while let Some(more) = words.next() {
        match more {
            "moves" => {
                moves = Some(BySide {
                    white: words.number("White's moves")?,
                    black: words.number("Black's moves")?,
                });
            }
            "schedule" => schedule_suffers = true,
            _ => return Err(words.fault("moves or schedule")),
        }
    }
    Ok(Request::WrongSetting {
        times,
        moves,
        schedule_suffers,
    })
}

fn absent(words: &mut Words<'_>) -> Result<Request, ParseRequestError> {
    const SIDES: &str = "white, black or both";
    let (white, black) = match words.word(SIDES)? {
        "white" => (true, false),
        "black" => (false, true),
        "both" => (true, true),
        _ => return Err(words.fault(SIDES)),
    };
    Ok(Request::Absent {
        sides: BySide { white, black },
        elapsed: words.span("the time since the start")?,
        default_time: words.span("the default time")?,
    })
}

fn ended(words: &mut Words<'_>) -> Result<Request, ParseRequestError> {
    const ENDS: &str = "checkmate, stalemate, dead-position, fivefold or seventy-five-moves";
    let end = match words.word(ENDS)? {
        "checkmate" => BoardEnd::Checkmate {
            winner: words.side()?,
        },
        "stalemate" => BoardEnd::Stalemate,
        "dead-position" => BoardEnd::DeadPosition,
        "fivefold" => BoardEnd::Fivefold,
        "seventy-five-moves" => BoardEnd::SeventyFiveMoves,
        _ => return Err(words.fault(ENDS)),
    };
    Ok(Request::EndedOnBoard(end))
}

fn rescue(words: &mut Words<'_>) -> Result<Request, ParseRequestError> {
    let side = words.side()?;
    let (mut amount, mut substituted, mut after_end_date) = (None, false, false);
    while let Some(more) = words.next() {
        match more {
            "substituted" => substituted = true,
            "after-end-date" => after_end_date = true,
            word => {
                let expected = "a time such as 3d, substituted or after-end-date";
                amount = Some(read_span(word).map_err(|_| words.fault(expected))?);
            }
        }
    }
    Ok(Request::CaptainsRescue {
        side,
        amount,
        substituted,
        after_end_date,
    })
}

fn othello(words: &mut Words<'_>) -> Result<Request, ParseRequestError> {
    let discs = BySide {
        white: words.number("White's discs")?,
        black: words.number("Black's discs")?,
    };
    let graced = match words.next() {
        None => None,
        Some("grace") => Some(words.side()?),
        Some(_) => return Err(words.fault("grace")),
    };
    Ok(Request::Othello { graced, discs })
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Claim {
                kind,
                by,
                written,
                delay_clock,
            } => {
                write!(f, "claim {} {by}", kind.as_str())?;
                write_optional(f, " writing", written.as_ref())?;
                when(f, *delay_clock, " delay-clock")
            }
            Self::Decide(decision) => write!(f, "rule {decision}"),
            Self::Withdraw { by } => write!(f, "withdraw {by}"),
            Self::OfferDraw { by } => write!(f, "offer {by}"),
            Self::Accept { by } => write!(f, "accept {by}"),
            Self::Decline { by } => write!(f, "decline {by}"),
            Self::Touch { by } => write!(f, "touch {by}"),
            Self::AgreeExtension => f.write_str("extension"),
            Self::IllegalMove { by, kind } => write!(f, "illegal {by} {}", kind.as_str()),
            Self::CallFlag {
                side,
                caller,
                order,
            } => {
                write!(f, "flag {side} by {}", caller.as_str())?;
                when(f, *order == FlagOrder::Unknown, " order-unknown")
            }
            Self::WrongSetting {
                times,
                moves,
                schedule_suffers,
            } => write_setting(f, *times, *moves, *schedule_suffers),
            Self::ReversedColours => f.write_str("reversed"),
            Self::ScorekeepingStopped => f.write_str("scorekeeping"),
            Self::Absent {
                sides,
                elapsed,
                default_time,
            } => {
                let absent = match (sides.white, sides.black) {
                    (true, false) => "white",
                    (false, _) => "black",
                    (true, true) => "both",
                };
                write!(f, "absent {absent} {elapsed} {default_time}")
            }
            Self::EndedOnBoard(end) => write!(f, "ended {}", end.as_str()),
            Self::Adjourn => f.write_str("adjourn"),
            Self::OpenSealedMove => f.write_str("unseal"),
            Self::Appeal => f.write_str("appeal"),
            Self::CaptainsRescue {
                side,
                amount,
                substituted,
                after_end_date,
            } => {
                write!(f, "rescue {side}")?;
                write_optional(f, "", amount.as_ref())?;
                when(f, *substituted, " substituted")?;
                when(f, *after_end_date, " after-end-date")
            }
            Self::Othello { graced, discs } => {
                write!(f, "othello {} {}", discs.white, discs.black)?;
                write_optional(f, " grace", graced.as_ref())
            }
        }
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AsFound => f.write_str("as-found"),
            Self::Correct => f.write_str("correct"),
            Self::Incorrect {
                penalty: Duration::ZERO,
            } => f.write_str("incorrect"),
            Self::Incorrect { penalty } => write!(f, "incorrect {penalty}"),
            Self::Deny => f.write_str("deny"),
            Self::Watch => f.write_str("watch"),
            Self::Fit(None) => f.write_str("fit"),
            Self::Fit(Some(delay)) => write!(f, "fit {delay}"),
            Self::Postpone { award } => {
                f.write_str("postpone")?;
                when(f, *award, " award")
            }
            Self::Reject => f.write_str("reject"),
            Self::Continue => f.write_str("continue"),
            Self::Uphold => f.write_str("uphold"),
            Self::Result(result) => write!(f, "result {result}"),
        }
    }
}

fn write_setting(
    f: &mut fmt::Formatter<'_>,
    times: BySide<Duration>,
    moves: Option<BySide<u32>>,
    schedule_suffers: bool,
) -> fmt::Result {
    write!(f, "setting {} {}", times.white, times.black)?;
    if let Some(moves) = moves {
        write!(f, " moves {} {}", moves.white, moves.black)?;
    }
    when(f, schedule_suffers, " schedule")
}

fn write_optional(
    f: &mut fmt::Formatter<'_>,
    word: &str,
    value: Option<&impl fmt::Display>,
) -> fmt::Result {
    match value {
        Some(value) => write!(f, "{word} {value}"),
        None => Ok(()),
    }
}

fn when(f: &mut fmt::Formatter<'_>, is_set: bool, words: &str) -> fmt::Result {
    if is_set { f.write_str(words) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn reads_back(text: &str) {
        let request: Request = text
            .parse()
            .unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(request.to_string(), text);
    }

    #[test]
    fn every_request_prints_as_it_is_read() {
        for kind in ClaimKind::ALL {
            for side in Side::BOTH {
                reads_back(&format!("claim {} {side}", kind.as_str()));
            }
        }
        for kind in OffenceKind::ALL {
            reads_back(&format!("illegal black {}", kind.as_str()));
        }
        for text in [
            "claim threefold white writing Nf3",
            "claim losing-chances-new black delay-clock",
            "rule as-found",
            "rule correct",
            "rule incorrect",
            "rule incorrect 2m",
            "rule deny",
            "rule watch",
            "rule fit",
            "rule fit 5s",
            "rule postpone",
            "rule postpone award",
            "rule reject",
            "rule continue",
            "rule uphold",
            "rule result 1/2-1/2",
            "withdraw white",
            "offer black",
            "accept white",
            "decline black",
            "touch white",
            "extension",
            "flag white by arbiter",
            "flag black by opponent order-unknown",
            "flag black by clock",
            "setting 90m 89m",
            "setting 5m 4m moves 12 11 schedule",
            "reversed",
            "scorekeeping",
            "absent white 31m 30m",
            "absent black 31m 30m",
            "absent both 1h 30m",
            "ended checkmate black",
            "ended stalemate",
            "ended dead-position",
            "ended fivefold",
            "ended seventy-five-moves",
            "adjourn",
            "unseal",
            "appeal",
            "rescue white",
            "rescue black 3d substituted after-end-date",
            "othello 33 31",
            "othello 40 24 grace white",
        ] {
            reads_back(text);
        }
    }

    #[test]
    fn a_fault_is_named_by_its_column() {
        for (text, column, expected) in [
            ("", 1, "one of claim"),
            ("claims", 1, "one of claim"),
            ("claim", 6, "one of threefold"),
            ("claim threefold grey", 17, "white or black"),
            ("claim threefold white writing", 30, "a move such as Nf3"),
            ("illegal white  twice", 16, "one of illegal"),
            ("flag white", 11, "by"),
            ("rule incorrect soon", 16, "a time such as 2m"),
            ("rule postpone later", 15, "award"),
            ("appeal now", 8, "the end of the line"),
        ] {
            let error = text.parse::<Request>().expect_err(text);
            assert_eq!(error.column, column, "{text}: {error}");
            assert!(error.expected.starts_with(expected), "{text}: {error}");
        }
    }
}

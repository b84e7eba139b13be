//! The text form of time controls. Owns how clauses combine (periods, sides, `runs on`) and their order; the clauses themselves belong to the
//! methods.

use alloc::format;
use alloc::vec::Vec;
use core::fmt;

use super::cursor::{Cursor, Fault};
use super::{AfterFlag, Length, NO_TIME, Period, SideControl, TimeControl};
use crate::method::{Bonus, Flow, Increment, MoveTime, Reserve, TAILS, Tail, TripleBlock};
use crate::{BySide, Duration, Side};

/// Maximum length of a time control, in bytes, which keeps records and snapshots small. No real time control is that long.
const MAX_LEN: usize = 600;

/// A parsed period, with the positions at which errors in it are reported.
struct ParsedPeriod {
    period: Period,
    start: usize,
    star: Option<usize>,
    count: usize,
    tail: usize,
    /// The period's keyword, if it must be its side's only period.
    alone: Option<&'static str>,
}

pub(crate) fn read(text: &str) -> Result<TimeControl, Fault> {
    if text.len() > MAX_LEN {
        return Err(Fault::new(
            MAX_LEN,
            format!("a control of at most {MAX_LEN} characters"),
        ));
    }
    let mut cursor = Cursor::new(text);
    let white = read_side(&mut cursor)?;
    let black = if cursor.eat(" vs ") {
        let start = cursor.at();
        let black = read_side(&mut cursor)?;
        check_by_zero_alike(&white, &black, start)?;
        black
    } else {
        white.clone()
    };
    let after_flag = if cursor.eat(" runs on") {
        AfterFlag::RunsOn
    } else {
        AfterFlag::Freezes
    };
    if cursor.is_at_end() {
        return Ok(TimeControl {
            sides: BySide {
                white: control(white),
                black: control(black),
            },
            after_flag,
        });
    }
    Err(match after_flag {
        AfterFlag::RunsOn => cursor.fault("the end after runs on"),
        AfterFlag::Freezes => unexpected(cursor),
    })
}

/// The periods of a parsed and checked side, each with its position in the text.
type SidePeriods = Vec<(usize, Period)>;

fn control(periods: SidePeriods) -> SideControl {
    SideControl {
        periods: periods.into_iter().map(|(_, period)| period).collect(),
    }
}

fn check_by_zero_alike(
    white: &SidePeriods,
    black: &SidePeriods,
    start: usize,
) -> Result<(), Fault> {
    let by_zero = |side: &SidePeriods, index: usize| {
        side.get(index)
            .is_some_and(|p| p.1.length == Length::ByZero)
    };
    let differs = (0..white.len().max(black.len()))
        .find(|index| by_zero(white, *index) != by_zero(black, *index));
    match differs {
        None => Ok(()),
        Some(index) => {
            let at = black.get(index).map_or(start, |period| period.0);
            Err(Fault::new(
                at,
                format!(
                    "zero/ on the same periods for both sides; see period {}",
                    index + 1
                ),
            ))
        }
    }
}

fn read_side(cursor: &mut Cursor<'_>) -> Result<SidePeriods, Fault> {
    let mut parsed = Vec::new();
    loop {
        let period = read_period(cursor)?;
        if let Some(name) = period.alone
            && !parsed.is_empty()
        {
            return Err(Fault::new(
                period.start,
                format!("an ordinary period: {name} stands alone"),
            ));
        }
        let alone = period.alone;
        parsed.push(period);
        let colon = *cursor;
        if !cursor.eat(" : ") {
            break;
        }
        if let Some(name) = alone {
            return Err(Fault::new(
                colon.at() + 1,
                format!("vs, runs on or the end: {name} stands alone"),
            ));
        }
    }
    let last = parsed.len() - 1;
    for (index, period) in parsed.iter().enumerate() {
        check_place(period, index == last)?;
    }
    Ok(parsed
        .into_iter()
        .map(|period| (period.start, period.period))
        .collect())
}

/// Checks that a period contains only what its position allows: some clauses are allowed only in the last period, others never there.
fn check_place(parsed: &ParsedPeriod, is_last: bool) -> Result<(), Fault> {
    let Period {
        length, reserve, ..
    } = &parsed.period;
    let has_reserve = !matches!(reserve, Reserve::None);
    match (length, is_last) {
        (Length::ByZero, true) => Err(Fault::new(
            parsed.count,
            "another period after this one: zero/ never stands on the last",
        )),
        (Length::ToTheEnd, false) => Err(Fault::new(
            parsed.start,
            "a move count or zero/: only the last period has neither",
        )),
        (Length::Moves(_) | Length::ByZero, false) if parsed.star.is_some() => Err(Fault::new(
            parsed.start,
            "a period without *: only the last repeats",
        )),
        (Length::ToTheEnd, true) if parsed.star.is_some() => Err(Fault::new(
            parsed.count,
            "a move count after *, as in *20/1h",
        )),
        (Length::Moves(_) | Length::ByZero, false) if has_reserve => Err(Fault::new(
            parsed.tail,
            "nothing that follows the main time here: only the last period has it",
        )),
        (Length::Moves(_), true) if has_reserve => Err(Fault::new(
            parsed.tail,
            "nothing that follows the main time here: this period has a move count",
        )),
        (Length::Moves(_) | Length::ByZero | Length::ToTheEnd, _) => Ok(()),
    }
}

fn read_period(cursor: &mut Cursor<'_>) -> Result<ParsedPeriod, Fault> {
    let start = cursor.at();
    let whole = |period, name| ParsedPeriod {
        period,
        start,
        star: None,
        count: start,
        tail: start,
        alone: Some(name),
    };
    if cursor.eat("triple ") {
        let bonus = Bonus::TripleBlock(TripleBlock::read(cursor)?);
        return Ok(whole(
            Period {
                main: TripleBlock::CLOCK,
                bonus,
                ..NO_TIME
            },
            "triple",
        ));
    }
    if cursor.rest() == "up" || cursor.rest().starts_with("up ") {
        cursor.eat("up");
        return Ok(whole(
            Period {
                flow: Flow::Up,
                ..NO_TIME
            },
            "up",
        ));
    }
    if cursor.eat("move ") {
        let main = cursor.duration()?;
        return Ok(whole(
            Period {
                main,
                bonus: Bonus::MoveTime(MoveTime(main)),
                ..NO_TIME
            },
            "move",
        ));
    }
    read_granted(cursor, start)
}

/// Parses a period with a main time: `["*"] [(N | "zero") "/"] D ["+" D] [tail]`.
fn read_granted(cursor: &mut Cursor<'_>, start: usize) -> Result<ParsedPeriod, Fault> {
    let star = cursor.eat("*").then_some(start);
    let count = cursor.at();
    let length = if cursor.eat("zero/") {
        Length::ByZero
    } else if cursor.sees_number_then("/") {
        let moves = cursor.count()?;
        cursor.eat("/");
        Length::Moves(moves)
    } else {
        Length::ToTheEnd
    };
    let main_at = cursor.at();
    let main = cursor.duration_or_zero()?;
    let mut period = Period {
        length,
        main,
        ..NO_TIME
    };
    if cursor.eat("+") {
        period.bonus = Bonus::Increment(Increment {
            by: cursor.duration()?,
            cap: None,
        });
    }
    let mut parsed = ParsedPeriod {
        period,
        start,
        star,
        count,
        tail: cursor.at() + 1,
        alone: None,
    };
    if let Some(tail) = read_tail(cursor)? {
        join(&mut parsed, tail)?;
    }
    let may_be_zero = matches!(
        parsed.period.reserve,
        Reserve::ByoYomi(_) | Reserve::Canadian(_)
    );
    if main == Duration::ZERO && !may_be_zero {
        return Err(Fault::new(
            main_at,
            "a main time: only byo-yomi and Canadian overtime can do without",
        ));
    }
    Ok(parsed)
}

fn read_tail(cursor: &mut Cursor<'_>) -> Result<Option<Tail>, Fault> {
    let mut ahead = *cursor;
    if !ahead.eat(" ") {
        return Ok(None);
    }
    let word = ahead.word();
    let Some((_, read)) = TAILS.iter().find(|(keyword, _)| *keyword == word) else {
        return Ok(None);
    };
    *cursor = ahead;
    read(cursor).map(Some)
}

fn join(parsed: &mut ParsedPeriod, tail: Tail) -> Result<(), Fault> {
    let (at, period) = (parsed.tail, &mut parsed.period);
    match tail {
        Tail::Cap(cap) => match &mut period.bonus {
            Bonus::Increment(increment) if cap >= period.main + increment.by => {
                increment.cap = Some(cap)
            }
            Bonus::Increment(increment) => {
                let least = period.main + increment.by;
                return Err(Fault::new(
                    at,
                    format!("a cap of at least main time and increment, {least}"),
                ));
            }
            Bonus::None
            | Bonus::Delay(_)
            | Bonus::Bronstein(_)
            | Bonus::MoveTime(_)
            | Bonus::TripleBlock(_) => {
                return Err(Fault::new(
                    at,
                    "an increment before cap, as in 1m+10s cap 1m15s",
                ));
            }
        },
        Tail::Bonus(bonus) if period.bonus == Bonus::None => period.bonus = bonus,
        Tail::Bonus(_) => return Err(Fault::new(at, "an increment or a delay, not both")),
        Tail::Hourglass => {
            period.flow = Flow::Hourglass;
            parsed.alone = Some("hourglass");
        }
        Tail::Reserve(reserve) => period.reserve = reserve,
    }
    Ok(())
}

/// Returns the error for text that follows a complete control.
fn unexpected(mut cursor: Cursor<'_>) -> Fault {
    if cursor.eat(" ") {
        let clauses = TAILS.map(|(keyword, _)| keyword).join(", ");
        return cursor.fault(format!("{clauses}, \" : \", vs, runs on or the end"));
    }
    let before = cursor
        .rest()
        .starts_with(|c: char| c.is_ascii_digit() || c.is_ascii_alphabetic() || c == '+');
    cursor.fault(if before {
        "a space or the end"
    } else {
        "a space and what follows, or the end"
    })
}

impl fmt::Display for TimeControl {
    /// Writes the shortest notation of this control.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.sides[Side::White].fmt(f)?;
        if self.sides.white != self.sides.black {
            write!(f, " vs {}", self.sides.black)?;
        }
        match self.after_flag {
            AfterFlag::Freezes => Ok(()),
            AfterFlag::RunsOn => f.write_str(" runs on"),
        }
    }
}

impl fmt::Display for SideControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, period) in self.periods.iter().enumerate() {
            if index > 0 {
                f.write_str(" : ")?;
            }
            period.fmt(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.length {
            Length::Moves(moves) => write!(f, "{moves}/")?,
            Length::ByZero => f.write_str("zero/")?,
            Length::ToTheEnd => (),
        }
        match (&self.bonus, self.flow) {
            // The bonus's clause determines the main time, so the main time is not written.
            (Bonus::MoveTime(_) | Bonus::TripleBlock(_), _) => return self.bonus.fmt(f),
            (_, Flow::Up) => return f.write_str("up"),
            (
                Bonus::None | Bonus::Increment(_) | Bonus::Delay(_) | Bonus::Bronstein(_),
                Flow::Down | Flow::Hourglass,
            ) => (),
        }
        write!(f, "{}{}", self.main, self.bonus)?;
        match self.flow {
            Flow::Hourglass => f.write_str(" hourglass"),
            Flow::Down | Flow::Up => self.reserve.fmt(f),
        }
    }
}

//! Writes an event as the rating report that is submitted to FIDE. Owns the additions that this report needs. They are
//! a time control and, in an individual event, zero-point byes in the empty cells up to the last paired round.

use timing::{Bonus, Duration, Length, Side, SideControl, TimeControl};

use super::export::without_notes;
use super::model::Draft;
use super::totals::Totals;
use crate::formats::trf::report::Cell;
use crate::formats::trf::value::Letter;
use crate::formats::trf::{Edition, Written, control, write_for_rating};
use crate::formats::wording::joined;
use crate::{Bye, Contest, Tournament};

/// Writes the rating report of an event, with its current standings.
pub fn export_for_rating(tournament: &Tournament, edition: Edition) -> Written {
    let draft = Draft::of(tournament);
    let (mut report, lost) = without_notes(&draft, &Totals::of(tournament));
    let header = &mut report.header;
    if header.times.is_none() {
        header.times = control_of(&draft.event.time_control_code).map(|control| words(&control));
    }
    // An empty cell means the same as a zero-point bye, but some programs do not read it that way.
    if matches!(draft.event.contest, Contest::Individual) {
        let absent = Cell {
            letter: Some(Letter::Bye(Bye::Zero)),
            ..Cell::default()
        };
        let paired = draft.rounds.keys().next_back().map_or(0, |round| round.0);
        for player in &mut report.players {
            player.cells.truncate(paired.into());
            for cell in player.cells.iter_mut().filter(|cell| cell.is_blank()) {
                *cell = absent;
            }
        }
    }
    write_for_rating(&report, edition).after(lost)
}

/// Parses an event's encoded time control: TRF26's record 222, Flagfall's notation, or the name of a preset.
pub fn control_of(code: &str) -> Option<TimeControl> {
    let code = code.trim();
    let read = control::read(code).ok();
    read.or_else(|| timing::presets::control_of(code).ok())
}

fn words(control: &TimeControl) -> String {
    let [white, black] = Side::BOTH.map(|side| side_words(control.side(side)));
    match white == black {
        true => white,
        false => format!("White: {white}; Black: {black}"),
    }
}

fn side_words(side: &SideControl) -> String {
    let periods = side.periods().iter().map(|period| {
        let length = match period.length {
            Length::Moves(moves) => format!("{moves} moves in "),
            Length::ByZero | Length::ToTheEnd => String::new(),
        };
        let bonus = match period.bonus {
            Bonus::Increment(increment) => format!(" + {} per move", time(increment.by)),
            Bonus::Delay(delay) => format!(", delay {} per move", time(delay.0)),
            Bonus::Bronstein(delay) => format!(", Bronstein delay {} per move", time(delay.0)),
            Bonus::MoveTime(each) => format!("{} per move", time(each.0)),
            Bonus::None | Bonus::TripleBlock(_) => String::new(),
        };
        let main = match period.main > Duration::ZERO {
            true => time(period.main),
            false => String::new(),
        };
        format!("{length}{main}{bonus}")
    });
    joined(periods, ", then ")
}

fn time(span: Duration) -> String {
    let seconds = span.as_micros() / 1_000_000;
    match (seconds / 60, seconds % 60) {
        (0, seconds) => format!("{seconds} sec"),
        (minutes, 0) => format!("{minutes} min"),
        (minutes, seconds) => format!("{minutes} min {seconds} sec"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_control_in_words() {
        let of = |code: &str| control_of(code).map(|control| words(&control));
        assert_eq!(of("5400+30").as_deref(), Some("90 min + 30 sec per move"));
        assert_eq!(
            of("40/6000+30:900+30").as_deref(),
            Some("40 moves in 100 min + 30 sec per move, then 15 min + 30 sec per move")
        );
        assert_eq!(
            of("W300-B240").as_deref(),
            Some("White: 5 min; Black: 4 min")
        );
        assert_eq!(of("3m+2s").as_deref(), Some("3 min + 2 sec per move"));
        assert_eq!(of("G/90"), None);
    }
}

//! PGN's `TimeControl` tag (PGN standard 9.6.1), and Lichess's reading of it.
//!
//! The fields are in the order of use, separated by `:`, and the last field repeats. The forms are `?` (unknown), `-` (no
//! time control), `40/9000` (moves in seconds), `300` (sudden death), `4500+60` (main time and increment) and `*180`
//! (hourglass).

pub mod games;
pub mod movetext;

use timing::{AfterFlag, Flow, Side, TimeControl};

use super::fields::{self, Field, malformed};
use super::wording::joined;
use super::{Inexpressible, ReadError, Written, control};

/// The largest main time that Lichess reads as minutes. It reads a larger number as seconds.
const LICHESS_MAX_MINUTES: i64 = 180;

/// Writes a control in the standard's notation. A clause that the standard cannot express is left out and named
/// in `lost`. The tag is `?` if the sides have different controls, or if the control without that clause would mislead.
pub fn write(control: &TimeControl) -> Written {
    let mut lost = Vec::new();
    let white = control.side(Side::White);
    if white != control.side(Side::Black) {
        return Written {
            text: Some("?".to_owned()),
            lost: vec![Inexpressible::Odds],
        };
    }
    let text = sand_clock(control).or_else(|| {
        let fields = fields::of_side(white, &mut lost)?;
        let unsaid = |field: &Field| field.moves.is_some() && field.increment.is_some();
        if fields.iter().any(unsaid) {
            lost.push(Inexpressible::IncrementInMoves);
            return None;
        }
        Some(joined(&fields, ":"))
    });
    if control.after_flag() == AfterFlag::RunsOn {
        lost.push(Inexpressible::RunsOn);
    }
    Written {
        text: Some(text.unwrap_or_else(|| "?".to_owned())),
        lost,
    }
}

/// Writes a control in a form that Lichess displays correctly. Lichess reads `180+2` as 180 minutes, so short main
/// times are written in minutes. A control that Lichess cannot read is left out; Lichess then shows the time control
/// set for the broadcast.
pub fn write_for_lichess(control: &TimeControl) -> Written {
    let mut written = write(control);
    let side = control.side(Side::White);
    let only = match side.periods() {
        [_] if written.text.as_deref() != Some("?") => fields::of_side(side, &mut Vec::new()),
        [_] => None,
        _ => {
            written.lost.push(Inexpressible::Periods);
            None
        }
    };
    let only = only.and_then(|fields| fields.first().copied());
    let only = only.filter(|field| field.moves.is_none());
    written.text = only.and_then(|field| {
        let increment = field.increment.unwrap_or(0);
        match field.seconds {
            long if long > LICHESS_MAX_MINUTES => Some(format!("{long}+{increment}")),
            short if short % 60 == 0 => Some(format!("{}+{increment}", short / 60)),
            short => {
                written.lost.push(Inexpressible::TakenForMinutes(short));
                None
            }
        }
    });
    written
}

/// Parses a tag as the standard defines it, and also `M/S+I`, which other programs write.
///
/// # Errors
/// Returns an error if the tag states no control, is malformed, or states a control that no clock can have.
pub fn read(text: &str) -> Result<TimeControl, ReadError> {
    match text {
        "?" => return Err(ReadError::NoControl("not known")),
        "-" => return Err(ReadError::NoControl("none")),
        _ => (),
    }
    if let Some(sand) = text.strip_prefix('*') {
        let field = Field::read(sand, 2)?;
        if field.moves.is_some() || field.increment.is_some() {
            return Err(malformed(2, "only the seconds of the sand clock"));
        }
        return control(&format!("{} hourglass", field.notation()));
    }
    control(&periods(text, 1)?)
}

/// Parses a tag as Lichess does: only one period, whose main time is in minutes if the number is at most 180, otherwise
/// in seconds.
///
/// # Errors
/// Returns an error if the tag is malformed, has a move count or several periods, or states a control that no clock can
/// have.
pub fn read_as_lichess(text: &str) -> Result<TimeControl, ReadError> {
    let mut field = Field::read(text, 1)?;
    if field.moves.is_some() {
        return Err(malformed(1, "one period without a move count"));
    }
    if field.seconds <= LICHESS_MAX_MINUTES {
        field.seconds *= 60;
    }
    control(&field.notation())
}

/// Returns the periods of `text`, which begins at `column`, in Flagfall's notation.
pub(super) fn periods(text: &str, column: usize) -> Result<String, ReadError> {
    let mut at = column;
    let mut periods = Vec::new();
    for field in text.split(':') {
        periods.push(Field::read(field, at)?.notation());
        at += field.chars().count() + 1;
    }
    Ok(periods.join(" : "))
}

/// Returns the value of the tag for an hourglass in whole seconds, for example `*180`; `None` for any other control.
fn sand_clock(control: &TimeControl) -> Option<String> {
    let [period] = control.side(Side::White).periods() else {
        return None;
    };
    let micros = period.main.as_micros();
    (period.flow == Flow::Hourglass && micros % 1_000_000 == 0)
        .then(|| format!("*{}", micros / 1_000_000))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn exact(notation: &str, tag: &str) {
        let control: TimeControl = notation.parse().unwrap();
        assert_eq!(
            write(&control),
            Written {
                text: Some(tag.to_owned()),
                lost: Vec::new()
            },
            "{notation}"
        );
        assert_eq!(read(tag), Ok(control), "{tag}");
    }

    #[track_caller]
    fn partly(notation: &str, tag: &str, lost: &[&str]) {
        let written = write(&notation.parse().unwrap());
        let said: Vec<String> = written.lost.iter().map(ToString::to_string).collect();
        assert_eq!(
            (
                written.text.as_deref(),
                said.iter()
                    .map(String::as_str)
                    .collect::<Vec<_>>()
                    .as_slice()
            ),
            (Some(tag), lost)
        );
    }

    #[track_caller]
    fn lichess(notation: &str, tag: Option<&str>) {
        assert_eq!(
            write_for_lichess(&notation.parse().unwrap())
                .text
                .as_deref(),
            tag,
            "{notation}"
        );
    }

    #[test]
    fn expressible_controls_round_trip() {
        exact("5m", "300");
        exact("3m+2s", "180+2");
        exact("40/2h30m : 1h", "40/9000:3600");
        exact("40/2h : 20/1h", "40/7200:20/3600");
        exact("3m hourglass", "*180");
    }

    #[test]
    fn lost_clauses_are_named() {
        partly("5m delay 3s", "300", &["`delay 3s` cannot be expressed"]);
        partly(
            "5m bronstein 3s",
            "300",
            &["`bronstein 3s` cannot be expressed"],
        );
        partly("10m byo 3x30s", "600", &["`byo 3x30s` cannot be expressed"]);
        partly(
            "1m+10s cap 1m15s",
            "60+10",
            &["`cap 75s` cannot be expressed"],
        );
        partly(
            "90m+30s runs on",
            "5400+30",
            &["the game continues after a flag until the flag is called"],
        );
        partly(
            "40/1h30m+30s : 30m+30s",
            "?",
            &["an increment in a period with a move count cannot be expressed"],
        );
        partly(
            "5m vs 4m",
            "?",
            &["White and Black have different controls"],
        );
        partly("move 30s", "?", &["`move 30s` cannot be expressed"]);
        partly("up", "?", &["`up` cannot be expressed"]);
        partly("triple 450", "?", &["`triple 450` cannot be expressed"]);
        partly("zero/1m : 30m", "?", &["`zero/` cannot be expressed"]);
        partly("1m30.5s", "?", &["90.5s is not a whole number of seconds"]);
    }

    #[test]
    fn lichess_never_gets_seconds_it_takes_for_minutes() {
        lichess("3m+2s", Some("3+2"));
        lichess("3m1s+2s", Some("181+2"));
        lichess("1m", Some("1+0"));
        lichess("1m30s+2s", None);
        lichess("90m+30s", Some("5400+30"));
        lichess("40/2h : 1h", None);
        lichess("5m vs 4m", None);
        lichess("3m hourglass", None);
    }

    #[test]
    fn lichess_tags_round_trip() {
        for notation in ["3m+2s", "1m", "90m+30s", "3m1s+2s"] {
            let control: TimeControl = notation.parse().unwrap();
            let text = write_for_lichess(&control).text.unwrap();
            assert_eq!(read_as_lichess(&text), Ok(control), "{text}");
        }
        assert_eq!(read_as_lichess("180+2"), Ok("3h+2s".parse().unwrap()));
        assert!(matches!(
            read_as_lichess("40/7200:3600"),
            Err(ReadError::Malformed { column: 8, .. })
        ));
    }

    #[test]
    fn malformed_tag_names_the_column() {
        let column = |text: &str| match read(text) {
            Err(ReadError::Malformed { column, .. }) => Some(column),
            _ => None,
        };
        assert_eq!(column("40/72x0:3600"), Some(6));
        assert_eq!(column("40/7200:"), Some(9));
        assert_eq!(column("0/7200"), Some(1));
        assert_eq!(column("180+"), Some(5));
        assert_eq!(column("*40/180"), Some(2));
        assert_eq!(read("?"), Err(ReadError::NoControl("not known")));
        assert!(matches!(read("300:300"), Err(ReadError::Impossible(_))));
        assert!(matches!(read("0"), Err(ReadError::Impossible(_))));
    }
}

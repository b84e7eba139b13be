//! TRF26's record 222, the encoded time control: `d[:d]` or `Wd[:d]-Bd[:d]`, where each `d` is one of `M/S`, `M/S+I`,
//! `S` and `S+I`.

use timing::{AfterFlag, Side, TimeControl};

use crate::formats::fields::{self, malformed};
use crate::formats::pgn::periods;
use crate::formats::wording::joined;
use crate::formats::{Inexpressible, ReadError, Written, control};

/// Writes a control in the form of record 222. A clause that the record cannot express is left out and named in `lost`.
/// The text is `None` if the control without that clause would mislead.
pub fn write(control: &TimeControl) -> Written {
    let mut lost = Vec::new();
    let [white, black] = Side::BOTH.map(|side| control.side(side));
    let text = if white == black {
        fields::of_side(white, &mut lost).map(|fields| joined(fields, ":"))
    } else {
        let [white, black] = [white, black].map(|side| fields::of_side(side, &mut lost));
        let both = white.zip(black);
        both.map(|(white, black)| format!("W{}-B{}", joined(white, ":"), joined(black, ":")))
    };
    if text.is_some() && (fields::repeats(white) || fields::repeats(black)) {
        lost.push(Inexpressible::Repetition);
    }
    if control.after_flag() == AfterFlag::RunsOn {
        lost.push(Inexpressible::RunsOn);
    }
    Written { text, lost }
}

/// Parses the content of record 222, which follows the tag.
///
/// # Errors
/// Returns an error if the record is malformed or states a control that no clock can have.
pub fn read(text: &str) -> Result<TimeControl, ReadError> {
    let Some(sides) = text.strip_prefix('W') else {
        return control(&periods(text, 1)?);
    };
    let no_black = malformed(text.chars().count() + 1, "- and Black's control");
    let (white, black) = sides.split_once('-').ok_or(no_black)?;
    let black_at = white.chars().count() + 3;
    let black = black.strip_prefix('B');
    let black = black.ok_or(malformed(black_at, "B and Black's control"))?;
    let (white, black) = (periods(white, 2)?, periods(black, black_at + 1)?);
    control(&format!("{white} vs {black}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn exact(notation: &str, record: &str) {
        let control: TimeControl = notation.parse().unwrap();
        assert_eq!(
            write(&control),
            Written {
                text: Some(record.to_owned()),
                lost: Vec::new()
            },
            "{notation}"
        );
        assert_eq!(read(record), Ok(control), "{record}");
    }

    #[test]
    fn expressible_controls_round_trip() {
        exact("90m+30s", "5400+30");
        exact("40/1h40m+30s : 15m+30s", "40/6000+30:900+30");
        exact("5m vs 4m", "W300-B240");
        exact(
            "40/90m+30s : 30m+30s vs 40/1h : 15m",
            "W40/5400+30:1800+30-B40/3600:900",
        );
    }

    #[test]
    fn lost_clauses_are_named() {
        let lost = |notation: &str| {
            let written = write(&notation.parse().unwrap());
            (written.text, written.lost)
        };
        assert_eq!(
            lost("40/2h : 20/1h"),
            (
                Some("40/7200:20/3600".to_owned()),
                vec![Inexpressible::Repetition]
            )
        );
        assert_eq!(
            lost("60s hourglass"),
            (None, vec![Inexpressible::Clause("hourglass".to_owned())])
        );
        assert_eq!(
            lost("90m+30s runs on"),
            (Some("5400+30".to_owned()), vec![Inexpressible::RunsOn])
        );
    }

    #[test]
    fn malformed_record_names_the_column() {
        let column = |text: &str| match read(text) {
            Err(ReadError::Malformed { column, .. }) => Some(column),
            _ => None,
        };
        assert_eq!(column("W300"), Some(5));
        assert_eq!(column("W300-240"), Some(6));
        assert_eq!(column("W300-B24x"), Some(9));
        assert_eq!(column("90 min"), Some(3));
    }
}

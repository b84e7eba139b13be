//! Formats clock times for human-readable lists, with the same digits as the face, the public page and the app. All
//! implementations are tested with `tests/clock-text.txt`.

const SECOND: i64 = 1_000_000;
const TENTH: i64 = 100_000;
/// The largest time that is shown with tenths, in microseconds.
const TENTHS_BELOW: i64 = 9_900_000;

/// Formats a time in hand, in microseconds. Rounds up, shows tenths up to 9.9 seconds, and shows zero once the time is used up.
pub(crate) fn clock_text(us: i64) -> String {
    if (1..=TENTHS_BELOW).contains(&us) {
        let tenths = (us + TENTH - 1) / TENTH;
        return format!("0:0{}.{}", tenths / 10, tenths % 10);
    }
    whole(us.max(0).saturating_add(SECOND - 1) / SECOND)
}

pub(crate) fn whole(seconds: i64) -> String {
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

/// Formats the time in hand of a side that is using the kind of time `allotment`. A side that plays on past zero shows its overrun: `+0:42`.
pub(crate) fn in_hand(us: i64, allotment: &str) -> String {
    match allotment {
        "overtime" if us <= 0 => format!("+{}", clock_text(us.saturating_neg())),
        _ => clock_text(us),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_display_shows_the_same_digits() {
        let shared = include_str!("../../tests/clock-text.txt");
        let mut lines = 0;
        for line in shared.lines().filter(|line| !line.starts_with('#')) {
            let mut parts = line.split('\t');
            let us: i64 = parts.next().unwrap().parse().unwrap();
            let (big, small) = (parts.next().unwrap(), parts.next().unwrap_or_default());
            assert_eq!(clock_text(us), format!("{big}{small}"), "{us}");
            lines += 1;
        }
        assert!(lines > 40, "{lines}");
    }

    #[test]
    fn only_a_side_in_overtime_shows_an_overrun() {
        assert_eq!(in_hand(0, "overtime"), "+0:00");
        assert_eq!(in_hand(-1_600_000, "overtime"), "+0:01.6");
        assert_eq!(in_hand(-42_000_000, "overtime"), "+0:42");
        assert_eq!(in_hand(5_000_000, "overtime"), "0:05.0");
        assert_eq!(in_hand(-42_000_000, "main"), "0:00");
        assert_eq!(in_hand(i64::MIN, "flagged"), "0:00");
    }
}

//! The instants at which the face changes without any event, such as a tick of the digits or the end of an identification.
//!
//! Must never draw.

use timing::{Allotment, Board, BoardState, Duration, Instant, Plan, Segment};

use super::clock_text::until_change;
use super::words;
use crate::face_state::{FaceState, FaceView, HubLink};

const SECOND_US: i64 = 1_000_000;

pub(crate) fn next_change(state: &FaceState, now: Instant<Board>) -> Option<Instant<Board>> {
    let clock = state.clock.as_ref();
    let deadline = clock.and_then(|clock| clock.next_deadline());
    let digits = clock.and_then(|clock| digits_change(&clock.plan(now), now));
    let delay = state
        .at(now)
        .as_ref()
        .and_then(|view| delay_change(view, now));
    [
        deadline,
        digits,
        delay,
        away_change(state, now),
        start_change(state, now),
        state.identify_until,
    ]
    .into_iter()
    .flatten()
    .filter(|&at| at > now)
    .min()
}

/// Returns the instant at which either clock's digits change, or the start of the plan's next segment if that is earlier; `None` without either.
pub(crate) fn digits_change(plan: &Plan, now: Instant<Board>) -> Option<Instant<Board>> {
    let here = plan
        .segments
        .iter()
        .rposition(|segment| segment.from <= now)?;
    let segment = &plan.segments[here];
    let bend = plan.segments.get(here + 1).map(|next| next.from);
    let Segment {
        from,
        white,
        black,
        white_rate,
        black_rate,
        white_phase,
        black_phase,
    } = *segment;
    let gone = now - from;
    let changes = [
        (white, white_rate, white_phase),
        (black, black_rate, black_phase),
    ];
    changes
        .into_iter()
        .filter_map(|(time, rate, phase)| {
            let shown = time + scaled(gone, rate);
            let after = match phase {
                // Overtime digits show the time beyond zero, so they grow as the time in hand falls.
                Allotment::Overtime if shown.as_micros() <= 0 => until_change(-shown, -rate)?,
                Allotment::Overtime
                | Allotment::Main
                | Allotment::Byo
                | Allotment::Canadian
                | Allotment::Extra
                | Allotment::Grace
                | Allotment::Flagged => until_change(shown, rate)?,
            };
            Some(now + after)
        })
        .chain(bend)
        .min()
}

fn scaled(gone: Duration, rate: i8) -> Duration {
    Duration::from_micros(gone.as_micros().saturating_mul(i64::from(rate)))
}

fn delay_change(view: &FaceView, now: Instant<Board>) -> Option<Instant<Board>> {
    let left = view.sides[view.running?].delay_left?;
    let whole = words::whole_seconds(left).max(1) - 1;
    left.is_positive()
        .then(|| now + (left - Duration::from_micros(whole.saturating_mul(SECOND_US))))
}

fn start_change(state: &FaceState, now: Instant<Board>) -> Option<Instant<Board>> {
    let clock = state.clock.as_ref()?;
    let left = state.starts_at? - now;
    let counts = clock.state() == BoardState::Ready && left.is_positive();
    counts.then(|| now + Duration::from_micros((left.as_micros() - 1) % SECOND_US + 1))
}

fn away_change(state: &FaceState, now: Instant<Board>) -> Option<Instant<Board>> {
    match state.hub {
        HubLink::Connected => None,
        HubLink::Away { since } => {
            let gone = (now - since).or_zero().as_micros() / SECOND_US;
            Some(since + Duration::from_micros((gone + 1).saturating_mul(SECOND_US)))
        }
    }
}

#[cfg(test)]
mod tests {
    use timing::{Allotment, Board, Duration, Instant, Plan, Segment};

    use super::digits_change;

    fn at(us: i64) -> Instant<Board> {
        Instant::from_micros(us)
    }

    #[track_caller]
    fn check(white_us: i64, rate: i8, phase: Allotment, now_us: i64, expected_us: Option<i64>) {
        let plan = Plan {
            segments: vec![Segment {
                from: at(0),
                white: Duration::from_micros(white_us),
                black: Duration::from_secs(90),
                white_rate: rate,
                black_rate: 0,
                white_phase: phase,
                black_phase: Allotment::Main,
            }],
        };
        assert_eq!(digits_change(&plan, at(now_us)), expected_us.map(at));
    }

    #[test]
    fn a_running_clock_changes_at_its_own_second_edges() {
        check(60_000_000, -1, Allotment::Main, 0, Some(1_000_000));
        check(60_400_000, -1, Allotment::Main, 0, Some(400_000));
        check(60_400_000, -1, Allotment::Main, 400_000, Some(1_400_000));
    }

    #[test]
    fn below_ten_seconds_it_changes_at_tenths() {
        check(10_000_000, -1, Allotment::Main, 0, Some(100_000));
        check(9_950_000, -1, Allotment::Main, 0, Some(50_000));
        check(8_430_000, -1, Allotment::Main, 0, Some(30_000));
        check(100_000, -1, Allotment::Main, 0, Some(100_000));
    }

    #[test]
    fn a_standing_or_used_up_clock_never_changes() {
        check(60_400_000, 0, Allotment::Main, 0, None);
        check(0, -1, Allotment::Flagged, 0, None);
    }

    #[test]
    fn counting_up_changes_just_past_the_edge() {
        check(60_000_000, 1, Allotment::Main, 0, Some(1));
        check(59_500_000, 1, Allotment::Main, 0, Some(500_001));
    }

    #[test]
    fn overtime_counts_up() {
        check(0, -1, Allotment::Overtime, 0, Some(1));
        check(-5_000_000, -1, Allotment::Overtime, 0, Some(1));
        check(-41_300_000, -1, Allotment::Overtime, 0, Some(700_001));
    }

    #[test]
    fn a_new_segment_is_a_change() {
        let delay = |from, rate| Segment {
            from: at(from),
            white: Duration::from_secs(60),
            black: Duration::from_secs(60),
            white_rate: rate,
            black_rate: 0,
            white_phase: Allotment::Main,
            black_phase: Allotment::Main,
        };
        let plan = Plan {
            segments: vec![delay(0, 0), delay(3_000_000, -1)],
        };
        assert_eq!(digits_change(&plan, at(5)), Some(at(3_000_000)));
        assert_eq!(digits_change(&plan, at(3_000_000)), Some(at(4_000_000)));
    }
}

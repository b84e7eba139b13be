//! How precisely the hub can know a clock's time over Bluetooth LE: for each connection interval, the error of the best estimate and the width
//! of the proven interval. Plays two dozen fixed sessions of half an hour for each connection interval and compares them with the planning
//! figures. Owns those figures; `delay` owns the link model.

use timing::sync::OffsetEstimate;
use timing::{Board, Hub, Instant};

use super::crystal::Crystal;
use super::delay::LinkKind;
use super::random::Random;
use super::{Bar, Ns, SECOND, bars};

const SESSIONS: u64 = 24;
/// The length of a session in seconds. Each second has one exchange.
const SECONDS: i64 = 1_800;
/// Presses before this second are not measured, because the estimate uses the last sixty-four exchanges.
const WARM: i64 = 64;

/// A limit in microseconds, and its display text.
type Limit = (i64, &'static str);

struct Planned {
    link: LinkKind,
    /// |best estimate − truth|: median, p99, p99.9.
    error: [Limit; 3],
    /// Half the width of the proven interval right after an exchange: median, p99. It depends on the crystals' errors, and the planning figures come
    /// from twelve other sessions, so the limits allow 5 % more.
    half: [Limit; 2],
}

const PLANNED: [Planned; 3] = [
    Planned {
        link: LinkKind::BleFast,
        error: [(360, "≤ 0.36 ms"), (1_800, "≤ 1.8 ms"), (2_700, "≤ 2.7 ms")],
        half: [(1_785, "1.7 ms, + 5 %"), (2_835, "2.7 ms, + 5 %")],
    },
    Planned {
        link: LinkKind::Ble,
        error: [(740, "≤ 0.74 ms"), (3_000, "≤ 3.0 ms"), (4_000, "≤ 4.0 ms")],
        half: [(2_205, "2.1 ms, + 5 %"), (3_780, "3.6 ms, + 5 %")],
    },
    Planned {
        link: LinkKind::BleSlow,
        error: [
            (1_800, "≤ 1.8 ms"),
            (5_700, "≤ 5.7 ms"),
            (7_900, "≤ 7.9 ms"),
        ],
        half: [(3_465, "3.3 ms, + 5 %"), (6_405, "6.1 ms, + 5 %")],
    },
];

/// Runs the sessions for every connection interval and returns the bars. Each figure must be within its planned limit, and every proven interval
/// must contain the truth.
pub fn ble_figures() -> Vec<Bar> {
    let mut list = Vec::new();
    for planned in &PLANNED {
        let mut seen = Seen::default();
        for session in 0..SESSIONS {
            seen.session(planned.link, session);
        }
        seen.errors.sort_unstable();
        seen.halves.sort_unstable();
        let name = planned.link.name();
        list.push(bars::bar(
            &format!("{name}: presses whose interval contains the true time"),
            format!("{} of {}", seen.held, seen.errors.len()),
            "all",
            seen.held == seen.errors.len() && seen.held > 0,
        ));
        let errors = [(500, "median"), (990, "p99"), (999, "p99.9")];
        for ((share, what), limit) in errors.into_iter().zip(planned.error) {
            let what = format!("{name}: |best estimate − truth|, {what}");
            list.push(figure(&what, quantile(&seen.errors, share), limit));
        }
        let halves = [(500, "median"), (990, "p99")];
        for ((share, what), limit) in halves.into_iter().zip(planned.half) {
            let what = format!("{name}: half the proven interval, {what}");
            list.push(figure(&what, quantile(&seen.halves, share), limit));
        }
    }
    list
}

fn figure(name: &str, us: i64, (limit_us, limit): Limit) -> Bar {
    bars::bar(name, format!("{us} µs"), limit, us <= limit_us)
}

/// Returns the quantile `share`, in thousandths, of sorted values.
fn quantile(sorted: &[i64], share: usize) -> i64 {
    let wanted = (sorted.len() * share).div_ceil(1_000).saturating_sub(1);
    sorted.get(wanted).copied().unwrap_or(i64::MAX)
}

#[derive(Default)]
struct Seen {
    errors: Vec<i64>,
    halves: Vec<i64>,
    held: usize,
}

impl Seen {
    /// Plays one crystal behind one link, with a press at a random moment in each second. Converts each press to hub time from the exchanges so far.
    fn session(&mut self, link: LinkKind, session: u64) {
        let random = &mut Random::new(session, 0xf16);
        // The sessions' crystal errors are spread evenly from −40 to 40 ppm.
        let ppm = 80.0 * (session as f64 + 0.5) / SESSIONS as f64 - 40.0;
        let crystal = Crystal::new(ppm, 2.5, random);
        let hub = |at: Ns| Instant::<Hub>::from_micros(at.div_euclid(1_000));
        let board = |at: Ns| Instant::<Board>::from_micros(crystal.micros(at));
        let mut estimate = OffsetEstimate::default();
        for second in 0..SECONDS {
            let sent = second * SECOND;
            let received = sent + link.delay(random);
            let answered = received + random.span(0.0, 0.002);
            let back = answered + link.delay(random);
            // The crystal is sound, so the estimate must accept every exchange. Otherwise the press has no correct interval, and the bar fails.
            let sound = estimate
                .on_exchange(hub(sent), board(received), board(answered), hub(back))
                .is_ok();
            let pressed = sent + random.span(0.0, 1.0);
            if second < WARM {
                continue;
            }
            let placed = |at: Ns| estimate.to_hub(board(at)).filter(|_| sound);
            let (Some(mapped), Some(fresh)) = (placed(pressed), placed(back)) else {
                self.errors.push(i64::MAX);
                continue;
            };
            let truth = hub(pressed);
            self.errors.push((mapped.est - truth).as_micros().abs());
            self.halves.push((fresh.hi - fresh.lo).as_micros() / 2);
            self.held += usize::from(mapped.lo <= truth && truth <= mapped.hi);
        }
    }
}

//! Clock synchronisation tested in isolation, on many presses. A simulated hall has only a few thousand presses, whose errors are correlated
//! because presses share time exchanges. The sessions here are independent.
//!
//! Owns sessions of one crystal behind one modelled link, without losses. Must not know the engine's arithmetic: it compares [`OffsetEstimate`]
//! with the truth, which only a simulation knows.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use timing::sync::OffsetEstimate;
use timing::{Board, Hub, Instant};

use super::crystal::Crystal;
use super::delay::LinkKind;
use super::random::Random;
use super::{Bar, Ns, SECOND, Tally, bars};

/// The length of a session in seconds. Each second has one exchange; the estimate uses the last sixty-four.
const SESSION: i64 = 600;
/// Presses before this second are checked but not measured, because the estimate has not settled yet.
const WARM: i64 = 64;

/// The limit of the p99 error for each link, in microseconds, from measurements of real links.
const LIMITS: [(LinkKind, u64, &str); 6] = [
    (LinkKind::Lan, 100, "≤ 0.1 ms"),
    (LinkKind::WifiQuiet, 1_000, "≤ 1 ms"),
    (LinkKind::WifiBusy, 5_000, "≤ 5 ms"),
    (LinkKind::BleFast, 3_000, "≤ 3 ms"),
    (LinkKind::Ble, 3_000, "≤ 3 ms"),
    (LinkKind::BleSlow, 6_000, "≤ 6 ms"),
];

/// Plays sessions on every kind of link in `jobs` threads, enough for at least `presses` presses.
pub fn synchronise(seed: u64, presses: u64, jobs: usize) -> Tally {
    let kinds = LinkKind::ALL.len() as u64;
    let sessions = presses.div_ceil(SESSION.unsigned_abs() * kinds) * kinds;
    let (next, sum) = (AtomicU64::new(0), Mutex::new(Tally::default()));
    std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= sessions {
                        return;
                    }
                    let kind = LinkKind::ALL[(number % kinds) as usize];
                    let tally = session(kind, &mut Random::new(seed, number));
                    sum.lock()
                        .unwrap_or_else(std::sync::PoisonError::into_inner)
                        .add(&tally);
                }
            });
        }
    });
    sum.into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

pub fn sync_bars(tally: &Tally) -> Vec<Bar> {
    let mut list = vec![bars::bar(
        "presses of boards with two agents whose interval contains the true time",
        format!("{} of {}", tally.held, tally.intervals),
        "all",
        tally.held == tally.intervals && tally.intervals > 0,
    )];
    for (link, limit_us, limit) in LIMITS {
        if let Some((us, presses)) = tally.error_quantile(link, 0.99) {
            list.push(bars::bar(
                &format!("their error, p99, {}", link.name()),
                format!("{us} µs of {presses}"),
                limit,
                us <= limit_us,
            ));
        }
    }
    list
}

/// Plays one crystal behind one link: one press each second, placed with the exchanges up to then.
fn session(kind: LinkKind, random: &mut Random) -> Tally {
    // Presses with an extreme crystal are checked but not measured.
    let (ppm, extreme) = Crystal::any_error(random);
    let crystal = Crystal::new(ppm, 2.5, random);
    let (hub, board) = (
        |at: Ns| Instant::<Hub>::from_micros(at.div_euclid(1_000)),
        |at: Ns| Instant::<Board>::from_micros(crystal.micros(at)),
    );
    let mut tally = Tally::default();
    let mut estimate = OffsetEstimate::default();
    for second in 0..SESSION {
        let sent = second * SECOND;
        let received = sent + kind.delay(random);
        let answered = received + random.span(0.0, 0.002);
        let back = answered + kind.delay(random);
        if estimate
            .on_exchange(hub(sent), board(received), board(answered), hub(back))
            .is_err()
        {
            // The estimate has rejected a sound crystal, which breaks a promise. The press counts as one whose interval misses the truth.
            tally.intervals += 1;
            continue;
        }
        let pressed = sent + random.span(0.0, 1.0);
        if let Some(mapped) = estimate.to_hub(board(pressed)) {
            tally.intervals += 1;
            tally.held += u64::from(mapped.lo <= hub(pressed) && hub(pressed) <= mapped.hi);
            if second >= WARM && !extreme {
                tally.error(kind, (mapped.est - hub(pressed)).as_micros());
            }
        }
    }
    tally
}

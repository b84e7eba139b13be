//! The bars: the limits that a simulation's results must meet. Owns the bars of whole halls; the other simulations own theirs.

use super::delay::LinkKind;
use super::tally::Tally;

#[derive(Clone, Debug)]
pub struct Bar {
    pub name: String,
    pub value: String,
    pub limit: &'static str,
    pub ok: bool,
}

/// Returns the bars for `tally`, which must contain only halls that kept every promise. `failed` is the number of halls that did not.
pub fn bars(tally: &Tally, failed: u64) -> Vec<Bar> {
    let mut bars = vec![
        bar(
            "halls with a press lost, doubled, or acknowledged before it was durable",
            failed.to_string(),
            "0",
            failed == 0,
        ),
        bar(
            "final clocks bit-identical to the run without delays",
            format!("{} of {}", tally.identical, tally.schedules),
            "all",
            tally.identical == tally.schedules && tally.schedules > 0,
        ),
        bar(
            "offset intervals that contain the true offset",
            format!("{} of {}", tally.held, tally.intervals),
            "all",
            tally.held == tally.intervals && tally.intervals > 0,
        ),
        bar(
            "flags settled while a press that saved the player was on its way",
            failed.to_string(),
            "0",
            failed == 0,
        ),
    ];
    for (link, limit_us, limit) in [
        (LinkKind::WifiQuiet, 1_000, "≤ 1 ms"),
        (LinkKind::WifiBusy, 5_000, "≤ 5 ms"),
    ] {
        if let Some((us, presses)) = tally.error_quantile(link, 0.99) {
            bars.push(bar(
                &format!(
                    "error of a press's position on the hub's timeline, p99, {}",
                    link.name()
                ),
                format!("{us} µs of {presses} presses"),
                limit,
                us <= limit_us,
            ));
        }
    }
    if let Some(excess_us) = tally.excess_us {
        bars.push(bar(
            "gain of a lying agent per move: at most the gap since its last watermark",
            format!(
                "largest gain minus gap {excess_us} µs over {} lies, largest gain {} ms",
                tally.gains,
                tally.gain_us / 1_000
            ),
            "≤ 0",
            excess_us <= 0,
        ));
    }
    for (kind, lies) in &tally.lies {
        let noted = tally.noted.get(kind).copied().unwrap_or(0);
        bars.push(bar(
            &format!("lies of the kind “{kind}” noted"),
            format!("{noted} of {lies}"),
            "all",
            noted == *lies,
        ));
    }
    bars
}

/// The kinds of notes that cast doubt on a clock. `unchecked_time`, the note about a slow network, does not.
const ACCUSING: [&str; 24] = [
    "bad_chain",
    "bad_signature",
    "before_order",
    "before_probe",
    "broken_promise",
    "clock_fault",
    "decreasing_stamp",
    "diverged",
    "fork",
    "forged_correction",
    "forged_promise",
    "from_the_future",
    "late_report",
    "no_watermarks",
    "one_sided",
    "order_ignored",
    "slow_link",
    "slow_watermarks",
    "sum_check",
    "unknown_order",
    "unproven_jump",
    "unsigned_watermarks",
    "unverified",
    "word_alone",
];

pub fn doubts(tally: &Tally) -> Vec<&'static str> {
    let kinds = ACCUSING.into_iter();
    kinds
        .filter(|kind| tally.notices.contains_key(kind))
        .collect()
}

pub fn honest_bars(tally: &Tally, failed: u64) -> Vec<Bar> {
    let accused: u64 = ACCUSING
        .iter()
        .filter_map(|kind| tally.notices.get(kind))
        .sum();
    let quick = (LinkKind::Lan, false);
    let remarks = tally.remarks.get(&quick).copied().unwrap_or(0);
    let linked = tally.linked.get(&quick).copied().unwrap_or(0);
    vec![
        bar(
            "honest halls that failed",
            failed.to_string(),
            "0",
            failed == 0,
        ),
        bar(
            "notes about the honesty of honest clocks",
            format!(
                "{accused} in {} halls with {} presses",
                tally.halls, tally.presses
            ),
            "0",
            accused == 0 && tally.presses > 0,
        ),
        bar(
            "events of honest clocks that were moved",
            format!("{} of {}", tally.moved, tally.events),
            "0",
            tally.moved == 0 && tally.events > 0,
        ),
        bar(
            "notes about a slow network, LAN",
            format!("{remarks} of {linked} games"),
            "0",
            remarks == 0,
        ),
    ]
}

pub(super) fn bar(name: &str, value: String, limit: &'static str, ok: bool) -> Bar {
    Bar {
        name: name.to_owned(),
        value,
        limit,
        ok,
    }
}

#[cfg(test)]
mod tests {
    use hall::NoteKind;

    use super::*;

    #[test]
    fn a_note_about_an_honest_clocks_honesty_fails_its_hall() {
        assert!(
            ACCUSING
                .iter()
                .all(|kind| NoteKind::from_word(kind).is_some())
        );
        for kind in [
            NoteKind::Diverged,
            NoteKind::UnsignedWatermarks,
            NoteKind::Fork,
        ] {
            let mut tally = Tally::default();
            tally.presses += 1;
            tally.notices.insert(kind.as_str(), 1);
            let bars = honest_bars(&tally, 0);
            let noted = bars
                .iter()
                .find(|bar| bar.name.starts_with("notes about the honesty"));
            assert!(noted.is_some_and(|bar| !bar.ok), "{kind}");
            assert_eq!(doubts(&tally), [kind.as_str()]);
        }
    }
}

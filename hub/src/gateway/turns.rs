//! Selects the clocks for a radio scan when more are in range than it can hold. Owns the rotation.

use std::collections::BTreeMap;

use crate::links::DetectedClock;

/// Number of places in each scan reserved for clocks that advertise themselves as unenrolled, however many enrolled ones are in range.
const UNENROLLED_PLACES: usize = 16;

/// Each radio's starting positions for its next scan: among clocks that advertise themselves as enrolled, and among the others.
#[derive(Debug, Default)]
pub(super) struct Turns(BTreeMap<String, (usize, usize)>);

impl Turns {
    /// Returns at most `room` of the clocks that `adapter` hears now. If they do not all fit, the enrolled ones come first, except in the places
    /// reserved for the others. A clock without a place gets one in a later scan, so that fake clocks cannot hide a real one.
    pub(super) fn take<'a>(
        &mut self,
        adapter: &str,
        heard: &'a [DetectedClock],
        room: usize,
    ) -> Vec<&'a DetectedClock> {
        if heard.len() <= room {
            return heard.iter().collect();
        }
        let (enrolled, others): (Vec<_>, Vec<_>) =
            heard.iter().partition(|clock| clock.advertisement.enrolled);
        let reserved = others.len().min(UNENROLLED_PLACES).min(room);
        let first = enrolled.len().min(room - reserved);
        let next = self.0.entry(adapter.to_owned()).or_default();
        let mut named = turn(&enrolled, &mut next.0, first);
        named.extend(turn(&others, &mut next.1, room - first));
        named
    }
}

/// Returns at most `count` of `all`, starting at `next`, and moves `next` past them.
fn turn<'a>(all: &[&'a DetectedClock], next: &mut usize, count: usize) -> Vec<&'a DetectedClock> {
    let count = count.min(all.len());
    let from = *next % all.len().max(1);
    *next = from + count;
    all.iter().cycle().skip(from).take(count).copied().collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proto::ble::Advertisement;
    use proto::ids::AgentId;

    use super::*;

    fn heard(number: usize, enrolled: bool) -> DetectedClock {
        DetectedClock {
            address: number.to_string(),
            advertisement: Advertisement::new(&AgentId([7; 32]), enrolled, None),
            rssi: None,
        }
    }

    #[test]
    fn a_few_clocks_are_all_reported_at_once() {
        let air: Vec<_> = (0..160).map(|number| heard(number, false)).collect();
        let named = Turns::default().take("hci0", &air, 160).len();
        assert_eq!(named, 160);
    }

    #[test]
    fn enrolled_clocks_are_in_every_scan_and_the_others_take_turns() {
        let mut air: Vec<_> = (0..1_000).map(|number| heard(number, false)).collect();
        air.extend((1_000..1_020).map(|number| heard(number, true)));
        let mut turns = Turns::default();
        let mut seen = BTreeSet::new();
        for _ in 0..8 {
            let named = turns.take("hci0", &air, 160);
            assert_eq!(named.len(), 160);
            assert!(named[..20].iter().all(|clock| clock.advertisement.enrolled));
            // Another radio has its own rotation.
            turns.take("hci1", &air, 160);
            seen.extend(named.iter().map(|clock| clock.address.clone()));
        }
        assert_eq!(seen.len(), 1_020, "every clock within eight scans");
    }

    #[test]
    fn false_claims_of_enrolment_hide_no_real_clock() {
        let mut air: Vec<_> = (0..1_000).map(|number| heard(number, true)).collect();
        air.extend((1_000..1_040).map(|number| heard(number, false)));
        let mut turns = Turns::default();
        let mut seen = BTreeSet::new();
        for _ in 0..7 {
            let named = turns.take("hci0", &air, 160);
            assert_eq!(named.len(), 160);
            seen.extend(named.iter().map(|clock| clock.address.clone()));
        }
        assert_eq!(seen.len(), 1_040, "every clock within seven scans");
    }
}

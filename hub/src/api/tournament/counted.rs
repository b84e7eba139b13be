//! A cache of requested standings, by event, version, round and list of tie-breaks.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, OnceLock};

use tonic::{Result, Status};

use crate::lock::lock;
use hall::{EventNo, TournamentNow};
use tournament::{RoundNo, Standings, TieBreak, Tournament};

/// Maximum number of cached standings, sufficient for a few arbiters who compare tables.
const MAX_CACHED: usize = 8;

#[derive(Debug, Default)]
pub(super) struct CountedStandings(Mutex<VecDeque<(Key, Arc<OnceLock<Computed>>)>>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Key {
    event: EventNo,
    version: u64,
    after: Option<RoundNo>,
    tie_breaks: Vec<TieBreak>,
}

type Computed = Result<Arc<Counted>>;

/// The event with the requested tie-breaks, and its standings.
#[derive(Debug)]
pub(super) struct Counted {
    pub(super) tournament: Arc<Tournament>,
    pub(super) standings: Standings,
}

impl CountedStandings {
    /// Returns the standings after round `after`, or after all rounds so far if `after` is `None`. Uses the event's own tie-breaks if
    /// `tie_breaks` is empty. A second caller waits for the first caller's computation. Returns INVALID_ARGUMENT if the event cannot have
    /// these tie-breaks.
    pub(super) fn of(
        &self,
        now: &TournamentNow,
        after: Option<RoundNo>,
        tie_breaks: Vec<TieBreak>,
    ) -> Computed {
        let key = Key {
            event: now.number(),
            version: now.version,
            after,
            tie_breaks,
        };
        let place = self.place(&key);
        let computed = place.get_or_init(|| {
            let tournament = match key.tie_breaks.as_slice() {
                [] => now.tournament.clone(),
                list => Arc::new(
                    now.tournament
                        .with_tie_breaks(list.to_vec())
                        .map_err(|refusal| Status::invalid_argument(refusal.to_string()))?,
                ),
            };
            let standings = tournament.standings(after);
            Ok(Arc::new(Counted {
                tournament,
                standings,
            }))
        });
        computed.clone()
    }

    fn place(&self, key: &Key) -> Arc<OnceLock<Computed>> {
        let mut kept = lock(&self.0);
        // Arbiters and viewers have different versions and may alternate, so the version requested before this one stays.
        let mut versions = kept.iter().map(|(of, _)| (of.event, of.version));
        let requested = (key.event, key.version);
        let previous = versions.find(|version| *version != requested);
        kept.retain(|(of, _)| {
            let version = (of.event, of.version);
            version == requested || Some(version) == previous
        });
        let at = kept.iter().position(|(of, _)| of == key);
        let known = at.and_then(|at| kept.remove(at));
        let newest = known.unwrap_or_else(|| (key.clone(), Arc::default()));
        let place = newest.1.clone();
        kept.truncate(MAX_CACHED - 1);
        kept.push_front(newest);
        place
    }
}

#[cfg(test)]
mod tests {
    use tournament::Event;

    use super::*;

    fn event(version: u64) -> TournamentNow {
        TournamentNow::new(
            version,
            Arc::new(Tournament::new(Event::new("Harbour Cup", 9))),
        )
    }

    fn list(names: &[&str]) -> Vec<TieBreak> {
        let list = names.iter().map(|name| TieBreak::parse(name));
        list.collect::<Result<_, _>>().unwrap()
    }

    #[test]
    fn standings_are_computed_once_for_a_version_and_a_list() {
        let counted = CountedStandings::default();
        let first = counted.of(&event(1), None, list(&["BH", "SB"])).unwrap();
        let again = counted.of(&event(1), None, list(&["BH", "SB"])).unwrap();
        assert!(Arc::ptr_eq(&first, &again));
        let other = counted.of(&event(1), None, list(&["SB", "BH"])).unwrap();
        assert!(!Arc::ptr_eq(&first, &other));
        let later = counted.of(&event(2), None, list(&["BH", "SB"])).unwrap();
        assert!(!Arc::ptr_eq(&first, &later));
    }

    #[test]
    fn an_arbiter_and_a_viewer_who_alternate_share_the_cache() {
        let counted = CountedStandings::default();
        let (arbiters, viewers) = (event(3), event(70));
        let first = counted.of(&arbiters, None, list(&["BH"])).unwrap();
        let shown = counted.of(&viewers, None, list(&["BH"])).unwrap();
        for _ in 0..2 {
            let again = counted.of(&arbiters, None, list(&["BH"])).unwrap();
            assert!(Arc::ptr_eq(&first, &again));
            let again = counted.of(&viewers, None, list(&["BH"])).unwrap();
            assert!(Arc::ptr_eq(&shown, &again));
        }
    }

    #[test]
    fn kept_standings_are_few_and_of_two_versions() {
        let counted = CountedStandings::default();
        let now = event(1);
        let names = ["BH", "SB", "PS", "ARO", "WIN"];
        for first in names {
            for second in names.into_iter().filter(|name| *name != first) {
                drop(counted.of(&now, None, list(&[first, second])));
            }
        }
        assert_eq!(lock(&counted.0).len(), MAX_CACHED);
        drop(counted.of(&event(2), None, Vec::new()));
        drop(counted.of(&event(3), None, Vec::new()));
        let kept = lock(&counted.0);
        let versions: Vec<_> = kept.iter().map(|(of, _)| of.version).collect();
        assert_eq!(versions, [3, 2]);
    }
}

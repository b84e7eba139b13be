//! A cache of standings that arbiters requested, each computed once per version of the event, round and list of tie-breaks.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, OnceLock};

use tonic::{Result, Status};

use crate::lock::lock;
use hall::{EventNo, TournamentNow};
use tournament::{RoundNo, Standings, TieBreak, Tournament};

/// Maximum number of cached standings, sufficient for a few arbiters who compare tables.
const KEPT: usize = 8;

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
        // Drop earlier versions, which no caller can request again.
        kept.retain(|(of, _)| (of.event, of.version) == (key.event, key.version));
        let at = kept.iter().position(|(of, _)| of == key);
        let known = at.and_then(|at| kept.remove(at));
        let newest = known.unwrap_or_else(|| (key.clone(), Arc::default()));
        let place = newest.1.clone();
        kept.truncate(KEPT - 1);
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
    fn kept_standings_are_few_and_of_one_version() {
        let counted = CountedStandings::default();
        let now = event(1);
        let names = ["BH", "SB", "PS", "ARO", "WIN"];
        for first in names {
            for second in names.into_iter().filter(|name| *name != first) {
                drop(counted.of(&now, None, list(&[first, second])));
            }
        }
        assert_eq!(lock(&counted.0).len(), KEPT);
        drop(counted.of(&event(2), None, Vec::new()));
        assert_eq!(lock(&counted.0).len(), 1);
    }
}

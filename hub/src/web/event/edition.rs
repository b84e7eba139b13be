//! One version of the event and its derived data: standings computed once, and data sets cached in encoded form.
//!
//! Must never return data of a different version, and must never compute on a thread that carries presses.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock};

use tokio::sync::Semaphore;

use super::super::answer::Answer;
use super::super::kept::Kept;
use crate::lock::lock;
use tournament::cross_table::Line;
use tournament::standings::{Explainer, RoundRecord};
use tournament::{BoardNo, Contest, Participant, PlayerNo, RoundNo, Standings, TeamNo, Tournament};

/// Maximum number of requests for missing details that may be in progress. Each takes a few milliseconds. Clients with further
/// requests are told to try again later.
pub(super) const DETAILS_QUEUED: usize = 256;
/// Maximum number of data sets of one version that each cache keeps.
const MAX_KEPT: usize = 1024;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sheet {
    Round(u16),
    /// The standings after a round.
    Standings(u16),
    CrossTable,
    Players,
    Player(u16),
    Teams,
    Team(u16),
    /// The explanation of a participant's numbers in the standings after a round: the round, and the participant's number.
    Why(u16, u16),
}

/// The edition of the most recently requested version of the event.
#[derive(Default)]
pub(in crate::web) struct Editions(Mutex<Option<Arc<Edition>>>);

impl Editions {
    pub(super) fn of(&self, version: u64, tournament: Arc<Tournament>) -> Arc<Edition> {
        let mut kept = lock(&self.0);
        match kept.as_ref() {
            Some(edition) if edition.version == version => edition.clone(),
            Some(_) | None => kept
                .insert(Arc::new(Edition::new(version, tournament)))
                .clone(),
        }
    }
}

pub(super) struct Edition {
    pub(super) version: u64,
    pub(super) tournament: Arc<Tournament>,
    standings: Mutex<BTreeMap<u16, Arc<Standings>>>,
    explainers: Mutex<BTreeMap<u16, Arc<Explainer>>>,
    lines: OnceLock<Vec<Line>>,
    records: OnceLock<BTreeMap<Participant, Vec<RoundRecord>>>,
    /// The data sets that everyone reads.
    pub(super) tables: DataCache,
    /// The cards of players and teams, and the explanations. They have a cache of their own because there are many of them.
    pub(super) details: DataCache,
}

/// A cache of data sets, and the queue of requests for those that are missing.
pub(super) struct DataCache {
    pub(super) answers: Kept<Sheet, Answer, MAX_KEPT>,
    /// Held while a data set is computed, so that concurrent requests compute one set at a time and none twice.
    pub(super) making: tokio::sync::Mutex<()>,
    pub(super) queue: Semaphore,
}

impl DataCache {
    fn new(queue: usize) -> Self {
        Self {
            answers: Kept::default(),
            making: tokio::sync::Mutex::default(),
            queue: Semaphore::new(queue),
        }
    }
}

impl Edition {
    fn new(version: u64, tournament: Arc<Tournament>) -> Self {
        Self {
            version,
            tournament,
            standings: Mutex::default(),
            explainers: Mutex::default(),
            lines: OnceLock::new(),
            records: OnceLock::new(),
            tables: DataCache::new(Semaphore::MAX_PERMITS),
            details: DataCache::new(DETAILS_QUEUED),
        }
    }

    /// Returns the cache of a data set. Data sets that everyone reads never wait behind details.
    pub(super) fn cache_for(&self, sheet: Sheet) -> &DataCache {
        match sheet {
            Sheet::Round(_)
            | Sheet::Standings(_)
            | Sheet::CrossTable
            | Sheet::Players
            | Sheet::Teams => &self.tables,
            Sheet::Player(_) | Sheet::Team(_) | Sheet::Why(..) => &self.details,
        }
    }

    /// Returns the round of the requested standings: `after`, or the last round that has begun. Returns `None` if `after` has not begun.
    pub(super) fn round_or_now(&self, after: Option<u16>) -> Option<u16> {
        let begun = self.tournament.rounds_begun();
        match after {
            None => Some(begun),
            Some(round) => (round <= begun).then_some(round),
        }
    }

    pub(super) fn standings(&self, after: u16) -> Arc<Standings> {
        let mut standings = lock(&self.standings);
        let made = standings
            .entry(after)
            .or_insert_with(|| Arc::new(self.tournament.standings(Some(RoundNo(after)))));
        made.clone()
    }

    pub(super) fn explainer(&self, after: u16) -> Arc<Explainer> {
        let mut explainers = lock(&self.explainers);
        let made = explainers
            .entry(after)
            .or_insert_with(|| Arc::new(self.tournament.explainer(Some(RoundNo(after)))));
        made.clone()
    }

    pub(super) fn now(&self) -> Arc<Standings> {
        self.standings(self.tournament.rounds_begun())
    }

    pub(super) fn lines(&self) -> &[Line] {
        self.lines
            .get_or_init(|| self.tournament.cross_table(&self.now()))
    }

    pub(super) fn line(&self, player: PlayerNo) -> Option<&Line> {
        self.lines().iter().find(|line| line.player == player)
    }

    /// Returns the records of all participants, one for each round up to the last paired one.
    pub(super) fn records(&self) -> &BTreeMap<Participant, Vec<RoundRecord>> {
        let last = self.tournament.last_round().unwrap_or(RoundNo(0));
        self.records
            .get_or_init(|| self.tournament.records(Some(last)))
    }

    pub(super) fn is_team(&self) -> bool {
        matches!(self.tournament.event().contest, Contest::Teams { .. })
    }

    pub(super) fn has_round(&self, no: u16) -> bool {
        self.tournament.rounds().contains_key(&RoundNo(no))
    }

    pub(super) fn has_board(&self, no: BoardNo) -> bool {
        let mut rounds = self.tournament.rounds().values();
        rounds.any(|round| round.boards.contains_key(&no))
    }

    pub(super) fn has_player(&self, no: u16) -> bool {
        self.tournament.players().contains_key(&PlayerNo(no))
    }

    pub(super) fn has_team(&self, no: u16) -> bool {
        self.is_team() && self.tournament.teams().contains_key(&TeamNo(no))
    }

    pub(super) fn has_competitor(&self, no: u16) -> bool {
        if self.is_team() {
            self.has_team(no)
        } else {
            self.has_player(no)
        }
    }

    pub(super) fn who(&self, no: u16) -> Participant {
        if self.is_team() {
            Participant::Team(TeamNo(no))
        } else {
            Participant::Player(PlayerNo(no))
        }
    }
}

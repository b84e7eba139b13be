//! One version of the event and what was made of it: standings computed once, data sets encoded once.
//!
//! Must never give out anything of another version, and must never compute on a thread that carries presses.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use bytes::Bytes;
use flate2::Compression;
use serde::Serialize;

use super::super::answer::{Answer, Keep};
use super::{explain, participants, round, table, team};
use tournament::cross_table::Line;
use tournament::standings::RoundRecord;
use tournament::{Contest, Participant, PlayerNo, RoundNo, Standings, TeamNo, Tournament};

/// Data sets of one version that are kept; somebody who asks for everything there is fills no more memory than this.
const MOST_KEPT: usize = 2048;

/// A data set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sheet {
    /// Pairings and results of a round.
    Round(u16),
    /// The standings after a round.
    Standings(u16),
    CrossTable,
    Players,
    Player(u16),
    Teams,
    Team(u16),
    /// How the numbers of a participant come about, after a round.
    Why(u16, u16),
}

/// The newest version that somebody asked for.
#[derive(Default)]
pub(in crate::web) struct Editions(Mutex<Option<Arc<Edition>>>);

impl Editions {
    pub(super) fn of(&self, version: u64, tournament: Arc<Tournament>) -> Arc<Edition> {
        // A reader that panicked left a whole edition behind: it is replaced in one assignment.
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
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
    lines: OnceLock<Vec<Line>>,
    records: OnceLock<BTreeMap<Participant, Vec<RoundRecord>>>,
    answers: Mutex<BTreeMap<Sheet, Answer>>,
    /// Held by the one who makes a data set: askers of the same wait for it instead of making it again.
    making: tokio::sync::Mutex<()>,
}

impl Edition {
    fn new(version: u64, tournament: Arc<Tournament>) -> Self {
        Self {
            version,
            tournament,
            standings: Mutex::default(),
            lines: OnceLock::new(),
            records: OnceLock::new(),
            answers: Mutex::default(),
            making: tokio::sync::Mutex::default(),
        }
    }

    /// The data set, made now or before.
    pub(super) async fn answer(
        edition: Arc<Self>,
        sheet: Sheet,
    ) -> Result<Answer, serde_json::Error> {
        if let Some(answer) = edition.kept(sheet) {
            return Ok(answer);
        }
        let _turn = edition.making.lock().await;
        if let Some(answer) = edition.kept(sheet) {
            return Ok(answer);
        }
        let maker = edition.clone();
        let make = move || maker.make(sheet);
        let answer = match tokio::task::spawn_blocking(make.clone()).await {
            Ok(answer) => answer?,
            // The runtime is shutting down and starts no more threads.
            Err(_) => make()?,
        };
        let mut answers = edition
            .answers
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if answers.len() >= MOST_KEPT {
            answers.clear();
        }
        answers.insert(sheet, answer.clone());
        Ok(answer)
    }

    fn kept(&self, sheet: Sheet) -> Option<Answer> {
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        answers.get(&sheet).cloned()
    }

    fn make(&self, sheet: Sheet) -> Result<Answer, serde_json::Error> {
        match sheet {
            Sheet::Round(no) => encode(&round::of(self, RoundNo(no))),
            Sheet::Standings(after) => encode(&table::standings(self, after)),
            Sheet::CrossTable if self.is_team() => encode(&team::cross_table(self)),
            Sheet::CrossTable => encode(&table::cross_table(self)),
            Sheet::Players => encode(&participants::players(self)),
            Sheet::Player(no) => encode(&participants::player(self, PlayerNo(no))),
            Sheet::Teams => encode(&team::teams(self)),
            Sheet::Team(no) => encode(&team::team(self, TeamNo(no))),
            Sheet::Why(after, no) => encode(&explain::of(self, after, self.who(no))),
        }
    }

    /// The round whose standings are meant: the one named, if it has begun, or the last one that has.
    pub(super) fn round_or_now(&self, after: Option<u16>) -> Option<u16> {
        let begun = self.tournament.rounds_begun();
        match after {
            None => Some(begun),
            Some(round) => (round <= begun).then_some(round),
        }
    }

    /// The standings after a round, computed once.
    pub(super) fn standings(&self, after: u16) -> Arc<Standings> {
        let mut standings = self
            .standings
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let made = standings
            .entry(after)
            .or_insert_with(|| Arc::new(self.tournament.standings(Some(RoundNo(after)))));
        made.clone()
    }

    /// The live standings.
    pub(super) fn now(&self) -> Arc<Standings> {
        self.standings(self.tournament.rounds_begun())
    }

    /// The cross table of players, computed once.
    pub(super) fn lines(&self) -> &[Line] {
        self.lines
            .get_or_init(|| self.tournament.cross_table(&self.now()))
    }

    /// A player's line of the cross table.
    pub(super) fn line(&self, player: PlayerNo) -> Option<&Line> {
        self.lines().iter().find(|line| line.player == player)
    }

    /// The participants' rounds, those that are paired but have no result yet too.
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

    /// The participant of that number.
    pub(super) fn who(&self, no: u16) -> Participant {
        if self.is_team() {
            Participant::Team(TeamNo(no))
        } else {
            Participant::Player(PlayerNo(no))
        }
    }
}

fn encode(sheet: &impl Serialize) -> Result<Answer, serde_json::Error> {
    let body = Bytes::from(serde_json::to_vec(sheet)?);
    Ok(Answer::new(
        "application/json",
        Keep::Revalidate,
        body,
        Compression::fast(),
    ))
}

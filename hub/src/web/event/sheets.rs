//! The data sets of one version of the event, computed on request and cached in encoded form.
//!
//! Must never compute on a thread that carries presses.

use std::sync::Arc;

use bytes::Bytes;
use flate2::Compression;
use serde::Serialize;

use super::super::answer::{Answer, JSON, Keep};
use super::super::snapshot::off_the_runtime;
use super::edition::{Edition, Sheet};
use super::{explain, participants, round, table, team};
use tournament::{PlayerNo, RoundNo, TeamNo};

pub(super) enum Unserved {
    /// Too many clients are waiting for details.
    Busy,
    Failed(serde_json::Error),
}

impl Edition {
    pub(super) async fn answer(edition: Arc<Self>, sheet: Sheet) -> Result<Answer, Unserved> {
        let cache = edition.cache_for(sheet);
        if let Some(answer) = cache.answers.get(&sheet) {
            return Ok(answer);
        }
        let _place = cache.queue.try_acquire().map_err(|_| Unserved::Busy)?;
        let _turn = cache.making.lock().await;
        if let Some(answer) = cache.answers.get(&sheet) {
            return Ok(answer);
        }
        let maker = edition.clone();
        let made = off_the_runtime(move || maker.make(sheet)).await;
        let answer = made.map_err(Unserved::Failed)?;
        cache.answers.keep(sheet, answer.clone());
        Ok(answer)
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
}

fn encode(sheet: &impl Serialize) -> Result<Answer, serde_json::Error> {
    let body = Bytes::from(serde_json::to_vec(sheet)?);
    let keep = Keep::Revalidate;
    Ok(Answer::new(JSON, keep, body, Compression::fast()))
}

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;

    use super::super::edition::{DETAILS_QUEUED, Editions};
    use super::*;
    use tournament::{Actor, Change, Event, Player, Tournament};

    fn edition() -> Arc<Edition> {
        let mut tournament = Tournament::new(Event::new("Cup", 3));
        for no in 1..=2 {
            let player = Player::new(PlayerNo(no), "Ivy");
            let added = Change::EnterPlayer(Box::new(player));
            tournament.apply(&Actor::chief("Ada"), added).unwrap();
        }
        Editions::default().of(1, Arc::new(tournament))
    }

    fn is_busy<T>(answer: &Result<T, Unserved>) -> bool {
        matches!(answer, Err(Unserved::Busy))
    }

    #[tokio::test]
    async fn tables_never_wait_behind_details_and_details_wait_in_a_bounded_queue() {
        let edition = edition();
        // Hold the lock, as a computation that never ends would.
        let computing = edition.details.making.lock().await;
        let mut waiting: Vec<_> = (0..DETAILS_QUEUED)
            .map(|_| Box::pin(Edition::answer(edition.clone(), Sheet::Why(0, 1))))
            .collect();
        for detail in &mut waiting {
            assert!(detail.now_or_never().is_none());
        }
        for detail in [Sheet::Why(0, 2), Sheet::Player(1)] {
            assert!(is_busy(&Edition::answer(edition.clone(), detail).await));
        }
        for table in [Sheet::Standings(0), Sheet::CrossTable, Sheet::Players] {
            assert!(Edition::answer(edition.clone(), table).await.is_ok());
        }

        drop(computing);
        for detail in waiting {
            assert!(detail.await.is_ok());
        }
        assert_eq!(edition.details.answers.len(), 1, "computed once");
        assert!(Edition::answer(edition, Sheet::Why(0, 2)).await.is_ok());
    }
}

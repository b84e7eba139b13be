//! The data sets of one version of the event, each computed and encoded once.
//!
//! Must never compute on a thread that carries presses.

use std::sync::Arc;

use bytes::Bytes;
use flate2::Compression;
use serde::Serialize;

use super::super::answer::{Answer, Keep};
use super::super::snapshot::off_the_runtime;
use super::edition::{Edition, Sheet};
use super::{explain, participants, round, table, team};
use crate::lock::lock;
use tournament::{PlayerNo, RoundNo, TeamNo};

/// Maximum number of cached data sets of one version, which bounds the memory that a client can fill.
const MAX_KEPT: usize = 2048;

impl Edition {
    /// Returns the data set, computed now or earlier.
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
        let answer = off_the_runtime(move || maker.make(sheet)).await?;
        let mut answers = lock(&edition.answers);
        if answers.len() >= MAX_KEPT {
            answers.clear();
        }
        answers.insert(sheet, answer.clone());
        Ok(answer)
    }

    fn kept(&self, sheet: Sheet) -> Option<Answer> {
        let answers = lock(&self.answers);
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

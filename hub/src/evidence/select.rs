//! Selects the records of a game, of a round or of the event.

use std::collections::BTreeSet;

use prost::Message as _;
use proto::evidence::Game;
use proto::log::{Record, record::Input};

use super::{EvidenceError, records_of, unreadable};
use durable_log::LogReader;
use hall::replay::RecordIndex;
use hall::{BoardId, GamePlace};

/// The part of a log that an evidence file covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selection {
    /// Every record.
    Event,
    /// The newest game of this round on each board.
    Round(u32),
    /// One game of a board: the newest that matches `game` and `round`. Zero in either field matches every value.
    Game {
        board: BoardId,
        game: u32,
        round: u32,
    },
}

pub(super) struct Chosen {
    pub(super) games: Vec<Game>,
    /// `None` for every record.
    records: Option<BTreeSet<u64>>,
}

impl Chosen {
    pub(super) fn contains(&self, index: u64) -> bool {
        let records = self.records.as_ref();
        records.is_none_or(|records| records.contains(&index))
    }
}

impl Selection {
    /// Returns the selected games and the records that they need, from the first `len` records of `log`. [`Selection::Event`] lists no games and
    /// needs every record.
    pub(super) fn choose(&self, log: &LogReader, len: u64) -> Result<Chosen, EvidenceError> {
        if *self == Self::Event {
            return Ok(Chosen {
                games: Vec::new(),
                records: None,
            });
        }
        let mut index = RecordIndex::default();
        let (mut boards, mut signed) = (BTreeSet::new(), BTreeSet::new());
        for (at, payload) in records_of(log, len) {
            let record = Record::decode(payload?.as_slice());
            let record = record.map_err(|error| unreadable(at, &error))?;
            index.add(at, &record);
            if let Some(Input::RequestSigned(_)) = record.input {
                signed.insert(at);
            }
            if let Ok(board) = record.board.parse::<BoardId>() {
                boards.insert(board);
            }
        }
        let places = self.places(&index, boards)?;
        let needed = places
            .iter()
            .flat_map(|(board, place)| index.needed(board, *place));
        let mut records: BTreeSet<u64> = needed.collect();
        // The record of a signed request comes immediately before the first record that the request caused.
        let before = records.iter().filter_map(|at| at.checked_sub(1));
        let requests: Vec<u64> = before.filter(|at| signed.contains(at)).collect();
        records.extend(requests);
        let games = places.iter().map(|(board, place)| Game {
            board: board.to_string(),
            game: place.game,
            round: place.round,
        });
        Ok(Chosen {
            games: games.collect(),
            records: Some(records),
        })
    }

    fn places(
        &self,
        index: &RecordIndex,
        boards: BTreeSet<BoardId>,
    ) -> Result<Vec<(BoardId, GamePlace)>, EvidenceError> {
        match self {
            Self::Event => Ok(Vec::new()),
            Self::Game { board, game, round } => {
                let place = index.find(board, *game, *round)?;
                Ok(vec![(board.clone(), place)])
            }
            Self::Round(round) => {
                let found = boards.into_iter().filter_map(|board| {
                    let place = index.find(&board, 0, *round).ok()?;
                    Some((board, place))
                });
                let found: Vec<_> = found.collect();
                match found.is_empty() {
                    true => Err(EvidenceError::NoRound(*round)),
                    false => Ok(found),
                }
            }
        }
    }
}

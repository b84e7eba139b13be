//! Log records as lines for people. Reads durable records page by page, each page when the reader has taken the previous one. An
//! unread stream therefore occupies no thread.

use std::sync::Arc;

use futures::StreamExt;
use futures::stream::{self, BoxStream};
use proto::grpc::{LogLine, ReadLogRequest};
use tonic::Result;

use super::board_records::{BoardRecordIndex, Place, damaged, record_of};
use super::work::Turn;
use durable_log::LogReader;
use hall::{GamePlace, describe};

const PAGE: usize = 32;

type Line = Result<LogLine>;

/// Returns the records about one board, or all records if no board is named, oldest first. A game or round in the request limits them
/// further.
pub(super) fn read(
    log: LogReader,
    places: Arc<BoardRecordIndex>,
    request: ReadLogRequest,
) -> Result<BoxStream<'static, Line>> {
    let filtered = request.game != 0 || request.round != 0;
    let next = match request.board.as_str() {
        "" if !filtered => Next::All {
            from: request.from_index,
            end: log.len(),
        },
        _ => Next::Search,
    };
    let reading = Reading {
        log,
        places,
        turn: Turn::current()?,
        request,
        next,
    };
    let pages = stream::unfold(reading, |mut reading| async {
        let page = reading.page().await?;
        Some((stream::iter(page), reading))
    });
    Ok(pages.flatten().boxed())
}

struct Reading {
    log: LogReader,
    places: Arc<BoardRecordIndex>,
    turn: Turn,
    request: ReadLogRequest,
    next: Next,
}

enum Next {
    All {
        from: u64,
        end: u64,
    },
    /// The records of a board, game or round, which have not been searched for yet.
    Search,
    /// The records found, and the error, if any, that ended the search early.
    Found {
        places: std::vec::IntoIter<Place>,
        reached: Result<()>,
    },
    Nothing,
}

impl Reading {
    /// Reads the next page; `None` at the end. After an error no further page follows.
    async fn page(&mut self) -> Option<Vec<Line>> {
        loop {
            let page = match std::mem::replace(&mut self.next, Next::Nothing) {
                Next::Nothing => return None,
                Next::Search => {
                    self.next = self.search().await;
                    continue;
                }
                Next::All { from, end } => self.all(from, end).await,
                Next::Found { places, reached } => self.found(places, reached).await,
            };
            let page = page.unwrap_or_else(|failed| vec![Err(failed)]);
            if page.last().is_some_and(Result::is_err) {
                self.next = Next::Nothing;
            }
            return (!page.is_empty()).then_some(page);
        }
    }

    async fn all(&mut self, from: u64, end: u64) -> Result<Vec<Line>> {
        let log = self.log.clone();
        let until = end.min(from.saturating_add(PAGE as u64));
        let count = usize::try_from(until.saturating_sub(from)).unwrap_or(PAGE);
        if until < end {
            self.next = Next::All { from: until, end };
        }
        let read = move || {
            let records = log.read(from).take(count);
            let lines = records.map(|record| {
                let (index, payload) = record.map_err(|error| damaged(&error))?;
                line(index, payload, GamePlace::default())
            });
            until_error(lines)
        };
        self.turn.computed(read).await
    }

    async fn search(&self) -> Next {
        let (board, from) = (self.request.board.clone(), self.request.from_index);
        let found = self.places.of(&self.log, &self.turn, board, from).await;
        let (mut places, reached) = found.unwrap_or_else(|failed| (Vec::new(), Err(failed)));
        let (game, round) = (self.request.game, self.request.round);
        places.retain(|place| place.game.is_in(game, round));
        Next::Found {
            places: places.into_iter(),
            reached,
        }
    }

    async fn found(
        &mut self,
        mut places: std::vec::IntoIter<Place>,
        reached: Result<()>,
    ) -> Result<Vec<Line>> {
        let page: Vec<Place> = places.by_ref().take(PAGE).collect();
        if page.is_empty() {
            return reached.map(|()| Vec::new());
        }
        self.next = Next::Found { places, reached };
        let log = self.log.clone();
        let read = move || {
            let lines = page.into_iter().filter_map(|place| {
                let (index, payload) = match log.read(place.index).next()? {
                    Ok(record) => record,
                    Err(error) => return Some(Err(damaged(&error))),
                };
                Some(line(index, payload, place.game))
            });
            until_error(lines)
        };
        self.turn.computed(read).await
    }
}

fn until_error(lines: impl Iterator<Item = Line>) -> Vec<Line> {
    let mut page = Vec::new();
    for line in lines {
        let failed = line.is_err();
        page.push(line);
        if failed {
            break;
        }
    }
    page
}

pub(super) fn line(index: u64, payload: Vec<u8>, of: GamePlace) -> Line {
    let record = record_of(index, &payload)?;
    Ok(LogLine {
        index,
        hub_us: record.hub_us,
        board: record.board.clone(),
        text: describe(&record),
        record: payload,
        game: of.game,
        round: of.round,
    })
}

//! The audit view: the commands in the log, newest first, filtered by actor, board and time. Keeps no index: reads the log backwards in
//! windows, and only a limited number of records for each page.

use prost::Message;
use proto::grpc::{ListCommandsReply, ListCommandsRequest, LoggedCommand};
use proto::log::record::Input;
use proto::log::{Record, RequestSigned};
use tonic::Result;

use super::board_records::{damaged, record_of};
use durable_log::LogReader;
use hall::{AuditedCommand, command_in, describe};

const DEFAULT_PAGE: usize = 50;
const MAX_PAGE: usize = 200;
const WINDOW_RECORDS: u64 = 512;
/// Maximum number of records read for one page. A page that reaches it may be short, and states where the next page begins.
const MAX_READ: u64 = 20_000;

/// Returns a page of commands, or DATA_LOSS if a record cannot be read.
pub(super) fn list(log: &LogReader, request: &ListCommandsRequest) -> Result<ListCommandsReply> {
    let limit = match usize::try_from(request.limit) {
        Ok(0) => DEFAULT_PAGE,
        Ok(limit) => limit.min(MAX_PAGE),
        Err(_) => MAX_PAGE,
    };
    let mut end = match request.before {
        0 => log.len(),
        before => before.min(log.len()),
    };
    if let Some(to) = request.to_us {
        end = first_from(log, to, end)?;
    }
    let stop = end.saturating_sub(MAX_READ);
    let mut page = Page {
        request,
        actor: request.actor.to_lowercase(),
        commands: Vec::new(),
    };
    while end > stop {
        let start = end.saturating_sub(WINDOW_RECORDS).max(stop);
        let window = Window::read(log, start, end)?;
        for index in (start..end).rev() {
            if page.commands.len() >= limit {
                return Ok(page.ends_before(index + 1));
            }
            let record = window.record(index)?;
            if request.from_us.is_some_and(|from| record.hub_us < from) {
                return Ok(page.ends_before(0));
            }
            if let Some(command) = window.command(index, &record) {
                page.take(index, &record, command);
            }
        }
        end = start;
    }
    Ok(page.ends_before(end))
}

/// Returns the index of the first record at or after a hub instant, or `end` if there is none.
fn first_from(log: &LogReader, hub_us: i64, end: u64) -> Result<u64> {
    let (mut low, mut high) = (0, end);
    while low < high {
        let middle = low + (high - low) / 2;
        let Some(record) = log.read(middle).next() else {
            return Ok(end);
        };
        let (index, payload) = record.map_err(|error| damaged(&error))?;
        if record_of(index, &payload)?.hub_us < hub_us {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    Ok(low)
}

/// Consecutive records, with one more on each side, because a device's signed request immediately precedes the records that it caused.
struct Window {
    first: u64,
    payloads: Vec<Vec<u8>>,
}

struct Found {
    audited: AuditedCommand,
    device: String,
}

impl Window {
    fn read(log: &LogReader, start: u64, end: u64) -> Result<Self> {
        let first = start.saturating_sub(1);
        let count = usize::try_from(end + 1 - first).unwrap_or(usize::MAX);
        let read = log.read(first).take(count);
        let payloads = read.map(|record| record.map(|(_, payload)| payload));
        let payloads = payloads.collect::<Result<_, _>>();
        Ok(Self {
            first,
            payloads: payloads.map_err(|error| damaged(&error))?,
        })
    }

    fn record(&self, index: u64) -> Result<Record> {
        record_of(index, self.payload(index).unwrap_or_default())
    }

    fn decoded(&self, index: u64) -> Option<Record> {
        Record::decode(self.payload(index)?).ok()
    }

    fn payload(&self, index: u64) -> Option<&[u8]> {
        let at = usize::try_from(index.checked_sub(self.first)?).ok()?;
        self.payloads.get(at).map(Vec::as_slice)
    }

    fn command(&self, index: u64, record: &Record) -> Option<Found> {
        if let Some(Input::RequestSigned(signed)) = &record.input {
            return self.alone(index, signed);
        }
        let audited = command_in(record)?;
        let before = index.checked_sub(1).and_then(|before| self.decoded(before));
        let device = match before.and_then(|before| before.input) {
            Some(Input::RequestSigned(signed)) if signed.actor == audited.actor => signed.device,
            Some(_) | None => String::new(),
        };
        Some(Found { audited, device })
    }

    /// Returns a signed request, for example for an enrolment code, as a command if it caused no further record.
    fn alone(&self, index: u64, signed: &RequestSigned) -> Option<Found> {
        let next = self.decoded(index + 1);
        let caused = next.as_ref().and_then(command_in);
        if caused.is_some_and(|command| command.actor == signed.actor) {
            return None;
        }
        Some(Found {
            audited: AuditedCommand {
                actor: signed.actor.clone(),
                refused: false,
            },
            device: signed.device.clone(),
        })
    }
}

struct Page<'a> {
    request: &'a ListCommandsRequest,
    /// The part of an actor's name to search for, in lower case.
    actor: String,
    commands: Vec<LoggedCommand>,
}

impl Page<'_> {
    fn take(&mut self, index: u64, record: &Record, found: Found) {
        let Found { audited, device } = found;
        let board = &self.request.board;
        let elsewhere = !board.is_empty() && record.board != *board;
        if elsewhere || !audited.actor.to_lowercase().contains(&self.actor) {
            return;
        }
        self.commands.push(LoggedCommand {
            index,
            hub_us: record.hub_us,
            actor: audited.actor,
            board: record.board.clone(),
            text: describe(record),
            device,
            refused: audited.refused,
            record: record.encode_to_vec(),
        });
    }

    fn ends_before(self, next_before: u64) -> ListCommandsReply {
        ListCommandsReply {
            commands: self.commands,
            next_before,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use durable_log::{Log, Submission};
    use proto::log::{CallMade, Settled, Withdrawn};

    fn record(hub_us: i64, board: &str, input: Input) -> Vec<u8> {
        let record = Record {
            rules: 1,
            hub_us,
            board: board.to_owned(),
            input: Some(input),
            ..Record::default()
        };
        record.encode_to_vec()
    }

    fn withdrawn(actor: &str) -> Input {
        Input::Withdrawn(Withdrawn {
            id: vec![1; 16],
            actor: actor.to_owned(),
        })
    }

    fn signed(actor: &str, device: &str) -> Input {
        Input::RequestSigned(RequestSigned {
            actor: actor.to_owned(),
            device: device.to_owned(),
            path: "/flagfall.api.v1.Arbiter/Send".to_owned(),
            ..RequestSigned::default()
        })
    }

    fn log_of(records: Vec<Vec<u8>>) -> (tempfile::TempDir, LogReader) {
        let dir = tempfile::tempdir().unwrap();
        let log = Log::open(dir.path()).unwrap();
        let handle = log.into_commit(|_| (), |why| panic!("{why}")).unwrap();
        let submission = Submission {
            records,
            effects: (),
        };
        handle.submit(submission).unwrap();
        handle.close().unwrap();
        let reader = Log::open(dir.path()).unwrap().reader();
        (dir, reader)
    }

    #[track_caller]
    fn indexes(log: &LogReader, request: ListCommandsRequest) -> (Vec<u64>, u64) {
        let reply = list(log, &request).unwrap();
        let found = reply.commands.iter().map(|command| command.index).collect();
        (found, reply.next_before)
    }

    #[test]
    fn commands_come_newest_first_with_their_device() {
        let call = CallMade {
            actor: "chief".to_owned(),
            path: "/flagfall.api.v1.Arbiter/CreateArbiterCode".to_owned(),
        };
        let (_dir, log) = log_of(vec![
            record(10, "", signed("Ann", "d-1")),
            record(10, "7", withdrawn("Ann")),
            record(20, "7", Input::Settled(Settled { at_us: 1 })),
            record(30, "8", withdrawn("Bea")),
            record(40, "", signed("Bea", "d-2")),
            record(50, "", Input::CallMade(call)),
        ]);
        let all = list(&log, &ListCommandsRequest::default()).unwrap();
        let lines = all.commands.iter();
        let lines: Vec<_> = lines
            .map(|command| {
                (
                    command.index,
                    command.actor.as_str(),
                    command.device.as_str(),
                )
            })
            .collect();
        let expected = [
            (5, "chief", ""),
            (4, "Bea", "d-2"),
            (3, "Bea", ""),
            (1, "Ann", "d-1"),
        ];
        // A signed request that caused a record has no separate line.
        assert_eq!(lines, expected);
        assert_eq!(all.next_before, 0);
        let request = ListCommandsRequest::default;
        let of_actor = |actor: &str| ListCommandsRequest {
            actor: actor.to_owned(),
            ..request()
        };
        assert_eq!(indexes(&log, of_actor("bEa")), (vec![4, 3], 0));
        let board = ListCommandsRequest {
            board: "7".to_owned(),
            ..request()
        };
        assert_eq!(indexes(&log, board), (vec![1], 0));
        let time = ListCommandsRequest {
            from_us: Some(30),
            to_us: Some(50),
            ..request()
        };
        assert_eq!(indexes(&log, time), (vec![4, 3], 0));
    }

    #[test]
    fn pages_join_without_gaps_over_a_long_log() {
        let quiet = || record(1, "7", Input::Settled(Settled { at_us: 1 }));
        let mut records = vec![record(1, "7", withdrawn("Ann"))];
        records.extend((0..MAX_READ + WINDOW_RECORDS).map(|_| quiet()));
        records.extend((0..7).map(|_| record(2, "7", withdrawn("Ann"))));
        let (_dir, log) = log_of(records);
        let (mut before, mut found, mut pages) = (0, Vec::new(), 0);
        loop {
            let request = ListCommandsRequest {
                before,
                limit: 3,
                ..ListCommandsRequest::default()
            };
            let (page, next) = indexes(&log, request);
            assert!(page.len() <= 3);
            found.extend(page);
            pages += 1;
            if next == 0 {
                break;
            }
            before = next;
        }
        let newest = log.len();
        let mut expected: Vec<_> = (newest - 7..newest).rev().collect();
        expected.push(0);
        assert_eq!(found, expected);
        // Three pages hold the newest commands; the third also reads many records without commands. The fourth holds the oldest command.
        assert_eq!(pages, 4);
    }
}

//! The evidence that a hub leaves: its log, read from a copy with the crate that wrote it.
//!
//! Owns none of the hub's state; it only counts records and folds them. Must not read anything outside the data directory.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context as _;
use durable_log::{Log, Options};
use hall::Hall;
use prost::Message as _;
use proto::log::{Record, record::Input};
use proto::wire::EventBody;
use timing::{Board, BoardClock, Instant, Snapshot};

use super::copy_without_ballast;

/// Counts of the contents of a hub's log, and the hall folded from the log.
pub struct Evidence {
    /// The number of occurrences of each event, by agent key and sequence number.
    pub events: BTreeMap<(Vec<u8>, u64), usize>,
    pub commands: BTreeMap<Vec<u8>, usize>,
    pub notes: BTreeMap<String, usize>,
    pub records: u64,
    pub hall: Hall,
}

impl Evidence {
    /// Copies `data_dir`, opens the copy and reads the whole log.
    pub fn of(data_dir: &Path) -> anyhow::Result<Self> {
        let scratch = tempfile::tempdir()?;
        copy_without_ballast(data_dir, scratch.path()).context("cannot copy the data directory")?;
        let log = Log::open_with(
            scratch.path(),
            Options {
                ballast_bytes: 0,
                ..Options::default()
            },
        )?;
        let records = log.len();
        let (mut events, mut commands) = (BTreeMap::new(), BTreeMap::new());
        let mut notes = BTreeMap::new();
        for item in log.read(0) {
            let (index, payload) = item?;
            let record =
                Record::decode(payload.as_slice()).with_context(|| format!("record {index}"))?;
            match record.input {
                Some(Input::AgentEvent(event)) => {
                    let body = EventBody::decode(event.body.as_slice())
                        .with_context(|| format!("record {index}"))?;
                    *events.entry((event.agent, body.seq)).or_default() += 1;
                }
                Some(Input::Note(note)) => *notes.entry(note.kind).or_default() += 1,
                Some(Input::Command(command)) => *commands.entry(command.id).or_default() += 1,
                Some(_) | None => (),
            }
        }
        let hall = hub::replay::fold(&log).context("the log does not fold")?;
        Ok(Self {
            events,
            commands,
            notes,
            records,
            hall,
        })
    }

    /// Returns descriptions of the events and commands that occur in the log more than once.
    pub fn doubled(&self) -> Vec<String> {
        let events = self.events.iter().filter(|(_, times)| **times > 1);
        let commands = self.commands.iter().filter(|(_, times)| **times > 1);
        let mut found: Vec<String> = events
            .map(|((agent, seq), times)| {
                format!(
                    "event {seq} of clock {} is in the log {times} times",
                    hex::encode(&agent[..4])
                )
            })
            .collect();
        found.extend(
            commands.map(|(id, times)| {
                format!("command {} is in the log {times} times", hex::encode(id))
            }),
        );
        found
    }
}

/// Checks that two clocks, possibly at different instants, are equal bit for bit once both have advanced to the later instant.
///
/// # Errors
/// Returns a description of the difference.
pub fn same_clock(hubs: &[u8], agents: &BoardClock) -> Result<(), String> {
    let snapshot = Snapshot::from_bytes(hubs)
        .map_err(|error| format!("the hub's clock cannot be read: {error}"))?;
    let mut hubs = BoardClock::from_snapshot(&snapshot)
        .map_err(|error| format!("the hub's clock: {error}"))?;
    let mut agents = agents.clone();
    let both: Instant<Board> = hubs.now().max(agents.now());
    let _settled = (hubs.pass_time(both), agents.pass_time(both));
    if hubs.snapshot().to_bytes() == agents.snapshot().to_bytes() {
        return Ok(());
    }
    let told = |clock: &BoardClock| {
        timing::Side::BOTH.map(|side| {
            let view = clock.side(side, both);
            format!(
                "{} µs, {} moves, {:?}",
                view.time.as_micros(),
                view.moves,
                view.allotment
            )
        })
    };
    Err(format!(
        "hub {:?}, clock {:?}; {:?} and {:?}",
        told(&hubs),
        told(&agents),
        hubs.state(),
        agents.state()
    ))
}

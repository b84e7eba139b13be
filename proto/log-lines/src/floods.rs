//! Rate limit for log messages. In each interval, writes the first messages of a kind and counts the rest; one line for each kind then sums up the
//! rest.
//!
//! Owns the counts of the current interval. The same rule applies to all messages at level INFO or above except the summaries, so code that logs
//! a stranger's actions needs no limit of its own.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Debug;
use std::net::{IpAddr, SocketAddr};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use tracing::callsite::Identifier;
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;

const INTERVAL: Duration = Duration::from_secs(10);
/// Maximum number of messages of one kind written in an interval.
const PER_KIND: u64 = 20;
/// Maximum number of messages of one kind written about one sender in an interval, so that one sender cannot hide messages about others.
const PER_SENDER: u64 = 4;
/// Maximum number of senders counted separately for one kind.
const MAX_SENDERS: usize = 1_024;
/// Maximum number of kinds counted separately. Messages of further kinds are counted together.
const MAX_KINDS: usize = 1_024;

#[derive(Clone, Default)]
pub(super) struct Floods {
    counts: Arc<Mutex<Counts>>,
}

type Counts = HashMap<Kind, Count>;

/// A key for counting: messages with the same log statement and the same kind of note are counted together.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Kind {
    place: Option<Identifier>,
    note: String,
}

struct Count {
    level: Level,
    written: u64,
    senders: HashMap<MessageSender, u64>,
    held_back: u64,
    from: BTreeSet<MessageSender>,
    message: String,
}

/// The sender that a message names: an address without its port, or a clock.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum MessageSender {
    Address(IpAddr),
    Clock(String),
}

/// A guard for the thread that writes the summaries; dropping it writes the last summary and ends the thread.
pub struct Summaries {
    end: Option<Sender<()>>,
    writer: Option<JoinHandle<()>>,
}

impl Drop for Summaries {
    fn drop(&mut self) {
        self.end = None;
        if let Some(writer) = self.writer.take() {
            // A panic in the writer thread must not end the program.
            let _ = writer.join();
        }
    }
}

impl Floods {
    /// Starts a thread that writes a summary after each interval. Returns `None` if the thread cannot be started.
    pub(super) fn sum_up_regularly(self) -> Option<Summaries> {
        let (end, ended) = channel();
        let write = move || {
            while ended.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                self.sum_up();
            }
            self.sum_up();
        };
        let thread = std::thread::Builder::new().name("log-summary".to_owned());
        let writer = thread.spawn(write).ok()?;
        Some(Summaries {
            end: Some(end),
            writer: Some(writer),
        })
    }

    fn sum_up(&self) {
        // Release the lock before writing the lines, because they are log messages too.
        let counts = std::mem::take(&mut *lock(&self.counts));
        let mut held: Vec<_> = counts
            .into_iter()
            .filter(|(_, one)| one.held_back > 0)
            .collect();
        held.sort_by(|(_, one), (_, other)| one.message.cmp(&other.message));
        for (kind, count) in held {
            let text = count.summary();
            let note = Some(kind.note).filter(|note| !note.is_empty());
            match count.level {
                Level::ERROR => tracing::error!(kind = note, "{text}"),
                Level::WARN => tracing::warn!(kind = note, "{text}"),
                _ => tracing::info!(kind = note, "{text}"),
            }
        }
    }

    fn admit(&self, place: Identifier, level: Level, fields: MessageFields) -> bool {
        let mut counts = lock(&self.counts);
        let mut kind = Kind {
            place: Some(place),
            note: fields.note,
        };
        if counts.len() >= MAX_KINDS && !counts.contains_key(&kind) {
            kind = Kind {
                place: None,
                note: String::new(),
            };
        }
        let count = counts.entry(kind).or_insert_with(|| Count::new(level));
        let quiet = match &fields.sender {
            Some(sender) => count.count_sender(sender) < PER_SENDER,
            None => true,
        };
        if quiet && count.written < PER_KIND {
            count.written += 1;
            return true;
        }
        count.hold(fields.sender, fields.message);
        false
    }
}

impl Count {
    fn new(level: Level) -> Self {
        Self {
            level,
            written: 0,
            senders: HashMap::new(),
            held_back: 0,
            from: BTreeSet::new(),
            message: String::new(),
        }
    }

    /// Counts a message from `sender`. Returns the number of earlier messages from this sender, or [`PER_SENDER`] if [`MAX_SENDERS`] others are
    /// already counted.
    fn count_sender(&mut self, sender: &MessageSender) -> u64 {
        if self.senders.len() >= MAX_SENDERS && !self.senders.contains_key(sender) {
            return PER_SENDER;
        }
        let count = self.senders.entry(sender.clone()).or_default();
        *count += 1;
        *count - 1
    }

    fn hold(&mut self, sender: Option<MessageSender>, message: String) {
        if self.held_back == 0 {
            self.message = message;
        }
        self.held_back += 1;
        if let Some(sender) = sender
            && self.from.len() < MAX_SENDERS
        {
            self.from.insert(sender);
        }
    }

    fn summary(&self) -> String {
        let clocks = self
            .from
            .iter()
            .all(|one| matches!(one, MessageSender::Clock(_)));
        let (one, many) = match clocks {
            true => ("clock", "clocks"),
            false => ("address", "addresses"),
        };
        let from = match self.from.len() {
            0 => String::new(),
            1 => format!(" from 1 {one}"),
            MAX_SENDERS.. => format!(" from {MAX_SENDERS} {many} or more"),
            number => format!(" from {number} {many}"),
        };
        let (more, secs) = (self.held_back, INTERVAL.as_secs());
        format!("{more} more in the last {secs} s{from}: {}", self.message)
    }
}

impl<S: Subscriber> Layer<S> for Floods {
    fn event_enabled(&self, event: &Event<'_>, _: Context<'_, S>) -> bool {
        let about = event.metadata();
        if *about.level() > Level::INFO || about.target() == module_path!() {
            return true;
        }
        let mut fields = MessageFields::default();
        event.record(&mut fields);
        self.admit(about.callsite(), *about.level(), fields)
    }
}

#[derive(Default)]
struct MessageFields {
    message: String,
    note: String,
    sender: Option<MessageSender>,
}

impl Visit for MessageFields {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        match field.name() {
            "message" => self.message = format!("{value:?}"),
            "kind" => self.note = format!("{value:?}"),
            "address" | "from" => {
                let text = format!("{value:?}");
                let address = text.parse::<SocketAddr>().map(|address| address.ip());
                let address = address.or_else(|_| text.parse());
                // An address takes precedence over a clock that the message also names.
                self.sender =
                    Some(address.map_or(MessageSender::Clock(text), MessageSender::Address));
            }
            "agent" if self.sender.is_none() => {
                self.sender = Some(MessageSender::Clock(format!("{value:?}")))
            }
            _ => (),
        }
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.record_debug(field, &format_args!("{value}"));
    }
}

/// Locks `mutex`, even if a thread panicked while holding the lock: the counts are still usable.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::io::{self, Write};

    use tracing_subscriber::layer::SubscriberExt as _;

    use super::*;

    #[derive(Clone, Default)]
    struct Lines(Arc<Mutex<Vec<u8>>>);

    impl Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            lock(&self.0).extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Lines {
        fn taken(&self) -> Vec<String> {
            let bytes = std::mem::take(&mut *lock(&self.0));
            let text = String::from_utf8(bytes).unwrap();
            text.lines().map(str::to_owned).collect()
        }
    }

    fn logged(act: impl FnOnce(&Lines, &Floods)) {
        let (lines, floods) = (Lines::default(), Floods::default());
        let writer = lines.clone();
        let written = tracing_subscriber::fmt::layer()
            .without_time()
            .with_ansi(false)
            .with_writer(move || writer.clone());
        let subscriber = tracing_subscriber::registry()
            .with(written)
            .with(floods.clone());
        tracing::subscriber::with_default(subscriber, || act(&lines, &floods));
    }

    fn refused(host: u8, port: u16) {
        let address = SocketAddr::from(([192, 0, 2, host], port));
        tracing::warn!(%address, "an enrolment was refused");
    }

    #[test]
    fn a_flood_gives_a_few_lines_and_a_summary() {
        logged(|lines, floods| {
            for port in 1..=1_000 {
                refused(66, port);
            }
            refused(7, 1);
            let written = lines.taken();
            assert_eq!(written.len(), 5, "{written:#?}");
            assert!(written[4].contains("192.0.2.7"), "{written:#?}");
            floods.sum_up();
            let summed = lines.taken();
            assert_eq!(summed.len(), 1, "{summed:#?}");
            let sum = "996 more in the last 10 s from 1 address: an enrolment was refused";
            assert!(
                summed[0].contains("WARN") && summed[0].contains(sum),
                "{summed:?}"
            );
            // The next interval begins without counts.
            floods.sum_up();
            refused(66, 1);
            assert_eq!(lines.taken().len(), 1);
        });
    }

    #[test]
    fn many_senders_cannot_flood_either() {
        logged(|lines, floods| {
            for host in 0..=255 {
                refused(host, 1);
                refused(host, 2);
            }
            assert_eq!(lines.taken().len(), 20);
            floods.sum_up();
            let sum = "492 more in the last 10 s from 246 addresses";
            assert!(lines.taken()[0].contains(sum));
        });
    }

    #[test]
    fn kinds_are_counted_separately_and_debug_messages_are_not_held_back() {
        logged(|lines, floods| {
            for kind in ["forged_correction", "before_order"] {
                for _ in 0..100 {
                    tracing::warn!(kind, agent = "01020304", "a note of the kind {kind}");
                }
            }
            for _ in 0..100 {
                tracing::debug!("a frame");
            }
            let written = lines.taken();
            let of = |what: &str| written.iter().filter(|line| line.contains(what)).count();
            assert_eq!((of("forged_correction"), of("before_order")), (4, 4));
            assert_eq!(of("a frame"), 100);
            floods.sum_up();
            let summed = lines.taken();
            assert_eq!(summed.len(), 2, "{summed:#?}");
            assert!(summed[0].contains(
                "96 more in the last 10 s from 1 clock: a note of the kind before_order"
            ));
        });
    }
}

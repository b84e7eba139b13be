//! Monitors the free space on the disk of the data directory, and tells arbiters before it runs out.
//!
//! Owns the levels and the messages. Must never free anything or stop the hub: the log stops it when a write fails.

use std::time::Duration;

use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::config::Config;
use crate::event_loop::EventLoopHandle;
use durable_log::LogReader;
use hall::{NoteKind, Notice};

/// Interval between two checks. Within it, a hall of a thousand boards writes well under a mebibyte.
const EVERY: Duration = Duration::from_secs(2);

const MIB: u64 = 1 << 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    Enough,
    Low,
    Critical,
}

impl Level {
    /// Returns the next level for `free` bytes, where `self` is the current level and `low` the threshold in bytes. A level ends only a quarter above
    /// its own threshold, so that the note does not come and go.
    fn next(self, free: u64, low: u64) -> Self {
        let below = |threshold: u64, already: bool| {
            let margin = if already { threshold / 4 } else { 0 };
            free < threshold.saturating_add(margin)
        };
        if below(low / 4, self == Self::Critical) {
            Self::Critical
        } else if below(low, self != Self::Enough) {
            Self::Low
        } else {
            Self::Enough
        }
    }

    const fn kind(self) -> NoteKind {
        match self {
            Self::Enough => NoteKind::SpaceFreed,
            Self::Low => NoteKind::LowSpace,
            Self::Critical => NoteKind::SpaceCritical,
        }
    }

    fn text(self, free: u64, low: u64) -> String {
        let (free, low) = (free / MIB, low / MIB);
        match self {
            Self::Enough => {
                format!("the disk of the data directory has {free} MiB left: enough again")
            }
            Self::Low => format!(
                "the disk of the data directory has {free} MiB left, less than {low} MiB: free some space before it is full; the hub stops \
                 recording then"
            ),
            Self::Critical => format!(
                "the disk of the data directory has only {free} MiB left: free some space now; the hub stops recording once it is full"
            ),
        }
    }
}

/// Starts the task that checks the free space until `ending` is cancelled. Returns `None` if the configuration disables it.
pub(super) fn watch(
    config: &Config,
    log: &LogReader,
    hub: &EventLoopHandle,
    ending: &CancellationToken,
) -> Option<JoinHandle<()>> {
    let low = u64::from(config.note_low_space) * MIB;
    if low == 0 {
        return None;
    }
    let (log, hub, ending) = (log.clone(), hub.clone(), ending.clone());
    let look = async move {
        let mut level = Level::Enough;
        let mut looks = tokio::time::interval(EVERY);
        loop {
            looks.tick().await;
            // An unresponsive disk must not block a thread of the runtime.
            let reader = log.clone();
            let asked = tokio::task::spawn_blocking(move || reader.free_bytes());
            let Ok(Ok(free)) = asked.await else { continue };
            let now = level.next(free, low);
            if now != level {
                level = now;
                tell(&hub, level, level.text(free, low));
            }
        }
    };
    Some(tokio::spawn(async move {
        // An unresponsive disk must not delay the hub's shutdown either.
        ending.run_until_cancelled(look).await;
    }))
}

/// Replaces the note about free space, or removes it once there is enough, and writes the level to the log.
fn tell(hub: &EventLoopHandle, level: Level, text: String) {
    let live = hub.live();
    for other in [Level::Low, Level::Critical] {
        if other != level {
            live.end_note(other.kind());
        }
    }
    if level != Level::Enough {
        live.note(level.kind(), text.clone());
    }
    hub.note(Notice::of_hall(level.kind(), text));
}

#[cfg(test)]
mod tests {
    use super::Level::{Critical, Enough, Low};
    use super::*;

    #[test]
    fn a_level_begins_at_its_threshold_and_ends_above_it() {
        let low = 1000;
        for (before, free, after) in [
            (Enough, 1000, Enough),
            (Enough, 999, Low),
            (Enough, 249, Critical),
            (Low, 1249, Low),
            (Low, 1250, Enough),
            (Low, 250, Low),
            (Low, 249, Critical),
            (Critical, 311, Critical),
            (Critical, 312, Low),
            (Critical, 1250, Enough),
        ] {
            assert_eq!(before.next(free, low), after, "{before:?} at {free}");
        }
    }

    #[test]
    fn the_message_has_the_figures() {
        let text = Low.text(812 * MIB + 5, 1024 * MIB);
        assert!(text.contains("812 MiB left, less than 1024 MiB"), "{text}");
    }
}

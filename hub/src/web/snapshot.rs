//! `/live/boards.json`, encoded for many askers at once.

use tokio::sync::Mutex;

use super::answer::Answer;
use crate::live::PublicHall;

/// A snapshot without news is given anew after this long, so that its times in hand are of now.
const OLD_US: i64 = 1_000_000;

/// With news, a snapshot is still good for this many times what it cost to make: encoding takes at most a tenth of a
/// core, however many ask, and a small hall's snapshot is always the newest.
const WORTH: i64 = 10;

pub(super) struct Snapshots {
    hall: PublicHall,
    made: Mutex<Option<Made>>,
}

struct Made {
    seq: u64,
    at_us: i64,
    cost_us: i64,
    answer: Answer,
}

impl Made {
    fn is_fresh(&self, newest: u64, now_us: i64) -> bool {
        let age = now_us.saturating_sub(self.at_us);
        let limit = if self.seq == newest {
            OLD_US
        } else {
            self.cost_us.saturating_mul(WORTH)
        };
        (0..limit).contains(&age)
    }
}

impl Snapshots {
    pub(super) fn new(hall: PublicHall) -> Self {
        Self {
            hall,
            made: Mutex::new(None),
        }
    }

    /// The newest snapshot, or one that cannot be told from it by a human. Askers that come while one is being made share it.
    pub(super) async fn newest(&self) -> Answer {
        let mut made = self.made.lock().await;
        if let Some(made) = made.as_ref()
            && made.is_fresh(self.hall.newest(), self.hall.hub_us())
        {
            return made.answer.clone();
        }
        let hall = self.hall.clone();
        let make = move || {
            let snapshot = hall.snapshot();
            let answer = Answer::json(snapshot.to_json());
            Made {
                seq: snapshot.seq,
                at_us: snapshot.hub_us,
                cost_us: hall.hub_us().saturating_sub(snapshot.hub_us),
                answer,
            }
        };
        // A thousand boards take milliseconds to compress: not on a thread that carries presses.
        let new = match tokio::task::spawn_blocking(make.clone()).await {
            Ok(new) => new,
            // The runtime is shutting down and starts no more threads.
            Err(_) => make(),
        };
        made.insert(new).answer.clone()
    }
}

//! `/live/boards.json`, encoded once for many clients.

use tokio::sync::Mutex;

use super::answer::Answer;
use crate::live::PublicHall;

/// Age at which a snapshot without changes is encoded again, so that its times in hand are current.
const MAX_AGE_US: i64 = 1_000_000;

/// Once the hall has changed, a snapshot stays valid for this multiple of its encoding time. Encoding then takes at most a tenth of a core,
/// however many clients ask, and a small hall's snapshot is nearly always the newest.
const VALID_FACTOR: i64 = 10;

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
            MAX_AGE_US
        } else {
            self.cost_us.saturating_mul(VALID_FACTOR)
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

    /// Returns the newest snapshot, or an earlier one that is still valid. Requests during the encoding share its result.
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
        // Encoding a thousand boards takes milliseconds, so it must not run on a thread that carries presses.
        made.insert(off_the_runtime(make).await).answer.clone()
    }
}

pub(super) async fn off_the_runtime<T: Send + 'static>(
    make: impl Fn() -> T + Clone + Send + 'static,
) -> T {
    match tokio::task::spawn_blocking(make.clone()).await {
        Ok(made) => made,
        // A runtime that is shutting down starts no more threads, so run `make` here.
        Err(_) => make(),
    }
}

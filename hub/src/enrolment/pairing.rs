//! The open codes that clocks show and arbiters type. Each entry remembers the caller that waits for the clock. Owns no radio.

use proto::ble::PairingCode;
use proto::ids::AgentId;
use timing::{Duration, Hub, Instant};
use tokio::sync::oneshot;

/// Time for which a typed code stays open.
pub const PAIRING_WITHIN: Duration = Duration::from_micros(60_000_000);
const MAX_OPEN: usize = 16;

#[derive(Debug)]
pub(super) struct Pairings {
    open: Vec<Pairing>,
    typed: u64,
}

#[derive(Debug)]
pub(super) struct Pairing {
    number: u64,
    code: PairingCode,
    board: String,
    until: Instant<Hub>,
    enrolled: oneshot::Sender<AgentId>,
}

impl Pairing {
    /// Returns the board that the clock will serve; empty for none.
    pub(super) fn board(&self) -> &str {
        &self.board
    }

    /// Consumes the code, and tells the caller who opened it that `agent` is enrolled.
    pub(super) fn used(self, agent: AgentId) {
        // Ignore a failure: the arbiter who typed the code may have gone.
        let _ = self.enrolled.send(agent);
    }
}

impl Pairings {
    /// Creates a table without codes. The codes are numbered from `first` + 1. `first` must differ from run to run, because a gateway that
    /// outlives the hub remembers the numbers that it has tried.
    pub(super) fn new(first: u64) -> Self {
        Self {
            open: Vec::new(),
            typed: first,
        }
    }

    /// Opens a code. Returns `None` if too many are open.
    pub(super) fn open(
        &mut self,
        now: Instant<Hub>,
        code: PairingCode,
        board: String,
    ) -> Option<oneshot::Receiver<AgentId>> {
        self.forget(now);
        // The same code typed again replaces the earlier entry.
        self.open.retain(|open| open.code != code);
        if self.open.len() >= MAX_OPEN {
            return None;
        }
        self.typed = self.typed.wrapping_add(1);
        let (enrolled, wait) = oneshot::channel();
        self.open.push(Pairing {
            number: self.typed,
            code,
            board,
            until: now + PAIRING_WITHIN,
            enrolled,
        });
        Some(wait)
    }

    pub(super) fn newest(&mut self, now: Instant<Hub>) -> Option<(u64, PairingCode)> {
        self.forget(now);
        let newest = self.open.last()?;
        Some((newest.number, newest.code.clone()))
    }

    pub(super) fn by_number(&mut self, now: Instant<Hub>, number: u64) -> Option<PairingCode> {
        self.forget(now);
        let found = self.open.iter().find(|open| open.number == number)?;
        Some(found.code.clone())
    }

    /// Removes `code` for the clock that has proved knowledge of it, so that no second clock can use it.
    pub(super) fn take(&mut self, now: Instant<Hub>, code: &PairingCode) -> Option<Pairing> {
        self.forget(now);
        let at = self.open.iter().position(|open| open.code == *code)?;
        Some(self.open.remove(at))
    }

    pub(super) fn put_back(&mut self, pairing: Pairing) {
        // If the code was typed again in the meantime, keep the newer entry.
        if self.open.iter().all(|open| open.code != pairing.code) {
            self.open.push(pairing);
        }
    }

    fn forget(&mut self, now: Instant<Hub>) {
        self.open
            .retain(|open| now < open.until && !open.enrolled.is_closed());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at_s(s: i64) -> Instant<Hub> {
        Instant::from_micros(s * 1_000_000)
    }

    #[test]
    fn a_code_is_valid_once_for_a_minute_and_while_its_caller_waits() {
        let mut pairings = Pairings::new(0);
        let code = |number: u8| PairingCode::from_random([number; 8]);
        let mut first = pairings.open(at_s(0), code(1), "7".to_owned()).unwrap();
        let second = pairings.open(at_s(1), code(2), String::new()).unwrap();
        assert_eq!(pairings.newest(at_s(2)), Some((2, code(2))));
        drop(second);
        assert_eq!(pairings.newest(at_s(2)), Some((1, code(1))));
        let taken = pairings.take(at_s(58), &code(1)).unwrap();
        assert!(pairings.take(at_s(58), &code(1)).is_none(), "one clock");
        pairings.put_back(taken);
        let taken = pairings.take(at_s(59), &code(1)).unwrap();
        assert_eq!(taken.board(), "7");
        taken.used(AgentId([5; 32]));
        assert_eq!(first.try_recv(), Ok(AgentId([5; 32])));
        assert_eq!(pairings.newest(at_s(59)), None);
        let _third = pairings.open(at_s(60), code(3), String::new()).unwrap();
        assert_eq!(pairings.newest(at_s(119)), Some((3, code(3))));
        assert!(pairings.take(at_s(120), &code(3)).is_none());
    }

    #[test]
    fn open_codes_are_bounded() {
        let mut pairings = Pairings::new(0);
        let mut waiting = Vec::new();
        for number in 0..MAX_OPEN {
            let code = PairingCode::from_random([u8::try_from(number).unwrap(); 8]);
            waiting.push(pairings.open(at_s(0), code, String::new()).unwrap());
        }
        let code = PairingCode::from_random([200; 8]);
        assert!(pairings.open(at_s(0), code, String::new()).is_none());
    }
}

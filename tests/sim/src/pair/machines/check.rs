//! The promises of a match, checked record by record and at the end.

use std::collections::BTreeSet;

use hall::Hall;
use proto::log::{Record, record};

use super::{SMOOTH, World};

impl World {
    /// Returns true if the crystal's error is ordinary, no datagrams are lost, and no fault has disturbed the exchanges that the estimate uses.
    fn smooth(&self, number: usize) -> bool {
        let machine = &self.machines[number];
        !machine.extreme && self.lost == 0.0 && self.now - machine.smooth_since > SMOOTH
    }

    pub(super) fn compare_record(&mut self, record: &Record) {
        self.sum.tally.records += 1;
        if let Some(record::Input::AgentEvent(event)) = &record.input {
            let Some(number) = self
                .machines
                .iter()
                .position(|one| one.id.0[..] == event.agent)
            else {
                return;
            };
            let seq = self.machines[number].logged + 1;
            self.machines[number].logged = seq;
            let (Some(placed), Some(made)) = (event.placed, self.machines[number].made.get(&seq))
            else {
                return;
            };
            let made = *made;
            self.sum.tally.intervals += 1;
            if placed.lo_us <= made && made <= placed.hi_us {
                self.sum.tally.held += 1;
            } else {
                self.fail(format!(
                    "a press of clock {number} made at {made} was placed in {}..{} (boot {})",
                    placed.lo_us, placed.hi_us, self.machines[number].boot
                ));
            }
            if self.smooth(number) {
                let kind = self.machines[number].kind;
                self.sum.tally.error(kind, placed.est_us - made);
            }
        }
        if let Some(after) = &record.after
            && !record.board.is_empty()
        {
            let left_us = timing::BySide {
                white: after.white_us,
                black: after.black_us,
            };
            self.check_flag(&record.board, left_us);
        }
    }

    pub(super) fn forget(&mut self, record: &Record) {
        if let Some(input) = &record.input {
            self.forget_command(input, &record.board);
        }
        if let Some(record::Input::AgentEvent(event)) = &record.input
            && let Some(machine) = self
                .machines
                .iter_mut()
                .find(|one| one.id.0[..] == event.agent)
        {
            machine.logged -= 1;
        }
    }

    /// Checks that folding the log alone gives the state of the live hall, and that the log holds every event exactly once.
    pub(super) fn check_end(&mut self) {
        let Some(hall) = &self.hall else {
            return self.fail("the hub is not there at the end".to_owned());
        };
        let mut again = Hall::new();
        let same = self
            .log
            .iter()
            .all(|record| again.apply(record.clone()).is_ok())
            && again.same_state(hall);
        if !same {
            return self.fail("a fold of the log differs from the hall".to_owned());
        }
        let mut seen = BTreeSet::new();
        for record in &self.log {
            if let Some(record::Input::AgentEvent(event)) = &record.input
                && !seen.insert(event.body.clone())
            {
                return self.fail("an event is in the log twice".to_owned());
            }
        }
        let behind = self
            .machines
            .iter()
            .position(|machine| machine.logged != machine.core.seq().0);
        if let Some(number) = behind {
            let machine = &self.machines[number];
            let (logged, made) = (machine.logged, machine.core.seq().0);
            self.fail(format!(
                "clock {number} has made {made} events, {logged} are in the log"
            ));
        }
    }
}

//! The faults of a match: links break, the hub dies, clocks are switched off and on again.

use clock_agent::core::{AgentCore, Input as AgentInput, recover};
use hall::Hall;
use prost::Message as _;
use proto::log::Record;

use super::{Event, ORIGIN, PLAY, World, config};
use crate::shell::start_up;

impl World {
    pub(super) fn plan_trouble(&mut self) {
        if let Some(wait) = self.random.wait(self.trouble)
            && self.now + wait < PLAY
        {
            self.queue.push(self.now + wait, Event::Trouble);
        }
    }

    pub(super) fn trouble(&mut self) {
        let number = self.random.below(self.machines.len());
        match self.random.below(10) {
            0 | 1 if self.hall.is_some() => {
                self.sum.tally.fault("hub killed");
                self.kill_hub();
            }
            2 if !self.machines[number].off => {
                self.sum.tally.fault("clock restarted");
                self.power_down(number);
            }
            _ => {
                self.sum.tally.fault("link cut");
                self.cut(number);
            }
        }
        self.plan_trouble();
    }

    fn kill_hub(&mut self) {
        self.hall = None;
        self.life += 1;
        let gone = self.log.split_off(self.durable);
        for record in &gone {
            self.forget(record);
        }
        self.steps.clear();
        self.hub_wake = None;
        for number in 0..self.machines.len() {
            self.cut(number);
        }
        let away = self.random.span(0.2, 15.0);
        self.queue.push(self.now + away, Event::StartHub);
    }

    pub(super) fn start_hub(&mut self) {
        let mut hall = Hall::new();
        for record in &self.log {
            let bytes = record.encode_to_vec();
            let again = Record::decode(bytes.as_slice()).map_err(|error| error.to_string());
            let applied =
                again.and_then(|record| hall.apply(record).map_err(|error| error.to_string()));
            if let Err(error) = applied {
                return self.fail(format!("the log cannot be read again: {error}"));
            }
        }
        // The simulation replaces signatures with hashes, so there is nothing to verify.
        hall.check_promises_by(|_, _| true);
        self.hall = Some(hall);
        self.hub(start_up(ORIGIN, self.hub_us(), self.seed ^ self.life));
    }

    fn power_down(&mut self, number: usize) {
        self.cut(number);
        self.machines[number].stopped = self.board_now(number);
        self.machines[number].off = true;
        // The hub can now place the unsent presses only very roughly.
        self.boards[number / 2].near = true;
        let away = self.random.span(3.0, 40.0);
        self.queue.push(self.now + away, Event::PowerUp(number));
    }

    /// Powers the machine up. Its journal is complete, and board time continues from the instant of the power cut.
    pub(super) fn power_up(&mut self, number: usize) {
        let reached = self.machines[number].stopped;
        let now_us = self.machines[number].crystal.micros(self.now);
        let machine = &mut self.machines[number];
        let journal = machine.core.whole_journal();
        let (recovered, error) = recover(journal.entries, ORIGIN, &machine.id);
        machine.off = false;
        machine.boot += 1;
        machine.wake = None;
        machine.base_us = reached.as_micros() - now_us;
        let config = config(machine.id, machine.boot);
        machine.core = AgentCore::new(config, recovered, reached);
        if let Some(error) = error {
            self.fail(format!("a journal cannot be read again: {error}"));
        }
        self.connect_in(number, 500_000);
        self.agent(number, AgentInput::Wake);
    }
}

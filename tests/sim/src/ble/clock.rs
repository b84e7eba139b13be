//! A clock that runs the firmware and can lose its power. Owns the firmware and its radio's state; the world owns time.

use clock_core::buttons::Edge;
use clock_core::firmware::platform::{ContactEdge, FlashError};
use clock_core::firmware::{Firmware, RadioEvent, Screen, Settings};
use proto::ble::PairingCode;
use proto::ids::AgentId;
use timing::{BoardClock, Button};

use super::chip::{Chip, ROOM, RadioInstruction};
use super::{Event, World};
use crate::Ns;

/// The number of events that fit in a clock's memory.
const KEPT: usize = 300;

pub(super) struct FirmwareClock {
    firmware: Option<Firmware<Chip>>,
    /// The chip, while it has no power.
    dark: Option<Chip>,
    pub(super) wake: Option<Ns>,
    pub(super) shown: bool,
}

impl FirmwareClock {
    pub(super) fn new(seed: u64) -> Self {
        let mut new = Self {
            firmware: None,
            dark: Some(Chip::new(seed)),
            wake: None,
            shown: false,
        };
        // A simulated chip always starts; if it did not, the test would find the clock missing.
        let _ = new.power_up();
        new
    }

    pub(super) fn power_up(&mut self) -> Result<(), FlashError> {
        let chip = self.dark.take().ok_or(FlashError)?;
        let settings = Settings {
            firmware: "simulated firmware".to_owned(),
            name: "clock without a home".to_owned(),
            max_events: KEPT,
            in_flight: 24,
        };
        self.firmware = Some(Firmware::start(chip, settings)?);
        Ok(())
    }

    pub(super) fn lose_power_after(&mut self, bytes: usize) {
        if let Some(firmware) = &mut self.firmware {
            firmware.platform().power = Some(bytes);
        }
    }

    /// Closes or opens a contact; does nothing without power.
    pub(super) fn touch(&mut self, button: Button, edge: Edge, at_us: i64) {
        if let Some(firmware) = &mut self.firmware {
            firmware.platform().edges.push_back(ContactEdge {
                button,
                edge,
                at_us,
            });
        }
    }

    pub(super) fn agent(&self) -> AgentId {
        let firmware = self.firmware.as_ref();
        firmware.map_or(AgentId([0; 32]), Firmware::agent)
    }

    pub(super) fn is_on(&self) -> bool {
        self.firmware.is_some()
    }

    pub(super) fn board_clock(&self) -> Option<&BoardClock> {
        self.firmware.as_ref()?.core()?.clock()
    }

    /// Returns the clock's current board time in microseconds; `None` without power.
    pub(super) fn now_us(&self) -> Option<i64> {
        Some(self.firmware.as_ref()?.now().as_micros())
    }

    pub(super) fn has_board(&self) -> bool {
        // A clock without power counts as having a board: it restores its board when it starts.
        self.firmware.is_none() || self.board_clock().is_some()
    }

    pub(super) fn all_acknowledged(&self) -> bool {
        let core = self.firmware.as_ref().and_then(Firmware::core);
        core.is_some_and(|core| core.seq() == core.acknowledged())
    }

    /// Returns the code that the clock shows until it is enrolled.
    pub(super) fn code(&self) -> Option<PairingCode> {
        match self.firmware.as_ref()?.screen() {
            Screen::Code(code, _) => Some(code.clone()),
            Screen::Face(_) => None,
        }
    }
}

impl World {
    /// Runs the firmware's due work and carries out its instructions to the radio.
    pub(super) fn turn(&mut self, number: usize, event: Option<RadioEvent>) {
        let now_us = self.raw_us(number);
        let clock = &mut self.pairs[number].clock;
        let Some(firmware) = &mut clock.firmware else {
            return;
        };
        firmware.platform().now_us = now_us;
        let before = firmware.core().map_or(0, |core| core.seq().0);
        let wake = firmware.run_once(event);
        let after = firmware.core().map_or(0, |core| core.seq().0);
        let told = std::mem::take(&mut firmware.platform().told);
        if firmware.platform().power.is_some() {
            // The power failed: the firmware is gone, and with it everything that it was about to send.
            let chip = firmware.platform().again();
            clock.firmware = None;
            clock.shown = false;
            clock.dark = Some(chip);
            return;
        }
        self.count_presses(number, before, after);
        let at = self.when(number, wake).max(self.now + 1_000);
        self.pairs[number].clock.wake = Some(at);
        self.queue.push(at, Event::ClockWake(number, at));
        for told in told {
            match told {
                RadioInstruction::Shown(shown) => {
                    let clock = &mut self.pairs[number].clock;
                    clock.shown = true;
                    let new = clock.code().is_some();
                    if shown.enrolled == new || !shown.may_belong_to(&clock.agent()) {
                        self.fail(format!("clock {number} advertises {shown:?}"));
                    }
                    self.call(number);
                }
                RadioInstruction::Hidden => self.pairs[number].clock.shown = false,
                RadioInstruction::Notified(value) => {
                    if let Some(connection) = &mut self.pairs[number].connection {
                        connection.up.push_back(value);
                    }
                    self.plan_air(number);
                }
                RadioInstruction::HungUp => self.disconnect(number, false),
            }
        }
    }

    fn count_presses(&mut self, number: usize, before: u64, after: u64) {
        let pair = &mut self.pairs[number];
        let Some(core) = pair.clock.firmware.as_ref().and_then(Firmware::core) else {
            return;
        };
        for seq in before + 1..=after {
            let made = core.unacknowledged_event(proto::ids::EventSeq(seq));
            pair.presses += u64::from(made.is_some_and(super::hub::is_press));
        }
    }

    pub(super) fn make_room(&mut self, number: usize) {
        let waiting = self.pairs[number]
            .connection
            .as_ref()
            .map_or(0, |connection| connection.up.len());
        if let Some(firmware) = &mut self.pairs[number].clock.firmware {
            firmware.platform().room = ROOM.saturating_sub(waiting);
        }
    }
}

//! The air between a clock and the hub's radio: connection events at an interval, some of which fail. Owns values in transit; the handshake and the
//! encryption at the hub's end are real.

use std::collections::VecDeque;

use clock_core::firmware::RadioEvent;
use proto::ble::{Channel, LocalKeys, Received};
use proto::ids::AgentId;
use timing::{Hub, Instant};

use super::hub::SECRET;
use super::{Event, World};
use crate::{Ns, SECOND};

/// The share of connection events lost, chosen so that values take as long as in the delay model for the same interval.
const LOST: f64 = 0.05;
/// The maximum number of values in each direction in one connection event.
const BURST: usize = 4;
/// The time from an event's anchor to the end of its data.
const AIRTIME: Ns = 700_000;

pub(super) struct Connection {
    pub(super) number: u64,
    /// The instant of the first connection event. Another one follows after each connection interval.
    anchor: Ns,
    planned: bool,
    pub(super) hub: Channel,
    pub(super) enrols: bool,
    pub(super) opened: Instant<Hub>,
    pub(super) link: Option<hall::LinkId>,
    pub(super) agent: Option<AgentId>,
    pub(super) binding: Option<([u8; 16], [u8; 32])>,
    pub(super) up: VecDeque<Vec<u8>>,
    pub(super) down: VecDeque<Vec<u8>>,
}

impl World {
    /// Schedules the moment at which the hub's radio finds a clock that is advertising.
    pub(super) fn call(&mut self, number: usize) {
        let pair = &mut self.pairs[number];
        if !std::mem::replace(&mut pair.calling, true) {
            let wait = self.random.span(0.05, 0.6);
            let at = self.now.max(pair.deaf_until) + wait;
            self.queue.push(at, Event::Found(number));
        }
    }

    pub(super) fn on_found(&mut self, number: usize) {
        self.pairs[number].calling = false;
        if self.now < self.pairs[number].deaf_until {
            return self.call(number);
        }
        let clock = &self.pairs[number].clock;
        if self.pairs[number].connection.is_some() || !clock.is_on() || !clock.shown {
            return;
        }
        let mut code = clock.code();
        let enrols = code.is_some();
        if enrols && std::mem::take(&mut self.pairs[number].wrong_code) {
            self.sum.wrong_codes += 1;
            code = Some(proto::ble::PairingCode::from_random([7; 8]));
        }
        let own = LocalKeys {
            secret: &SECRET,
            random: self.random.bytes(),
        };
        let opened = self.hub_now();
        self.connections += 1;
        let connection = self.connections;
        let pair = &mut self.pairs[number];
        pair.clock.shown = false;
        pair.connection = Some(Connection {
            number: connection,
            anchor: self.now,
            planned: false,
            hub: Channel::hub(own, code),
            enrols,
            opened,
            link: None,
            agent: None,
            binding: None,
            up: VecDeque::new(),
            down: VecDeque::new(),
        });
        let mtu = pair.mtu;
        if !enrols && self.random.chance(0.7) {
            let holds = self.random.exponential(20.0);
            let holds = (holds * SECOND as f64) as Ns;
            self.queue
                .push(self.now + holds, Event::Cut(number, connection));
        }
        self.make_room(number);
        self.turn(number, Some(RadioEvent::Subscribed { mtu }));
    }

    pub(super) fn disconnect(&mut self, number: usize, tell_clock: bool) {
        let Some(connection) = self.pairs[number].connection.take() else {
            return;
        };
        if let Some(link) = connection.link {
            self.hub.links.remove(&link);
            let why = "the connection is gone".to_owned();
            self.tell_hub(hall::Input::AgentGone { link, why });
        }
        if tell_clock {
            self.turn(number, Some(RadioEvent::Disconnected));
        }
    }

    /// Schedules the next connection event if a value is waiting for it.
    pub(super) fn plan_air(&mut self, number: usize) {
        let now = self.now;
        let pair = &mut self.pairs[number];
        let interval = pair.interval;
        let Some(connection) = &mut pair.connection else {
            return;
        };
        let idle = connection.up.is_empty() && connection.down.is_empty();
        if idle || std::mem::replace(&mut connection.planned, true) {
            return;
        }
        let passed = (now - connection.anchor).div_euclid(interval);
        let at = connection.anchor + (passed + 1) * interval + AIRTIME;
        self.queue.push(at, Event::Air(number, connection.number));
    }

    pub(super) fn on_air(&mut self, number: usize, connection: u64) {
        let lost = self.random.chance(LOST);
        let Some(there) = self.pairs[number]
            .connection
            .as_mut()
            .filter(|there| there.number == connection)
        else {
            return;
        };
        there.planned = false;
        if lost {
            self.sum.events_lost += 1;
            return self.plan_air(number);
        }
        let count = there.up.len().min(BURST);
        let up: Vec<_> = there.up.drain(..count).collect();
        let count = there.down.len().min(BURST);
        let down: Vec<_> = there.down.drain(..count).collect();
        self.sum.values += (up.len() + down.len()) as u64;
        for value in up {
            self.hub_takes(number, connection, &value);
        }
        for value in down {
            if self.is_connected(number, connection) {
                self.turn(number, Some(RadioEvent::Value(value)));
            }
        }
        if self.is_connected(number, connection) {
            self.make_room(number);
            self.turn(number, Some(RadioEvent::RoomAvailable));
        }
        self.plan_air(number);
    }

    fn is_connected(&self, number: usize, connection: u64) -> bool {
        let there = self.pairs[number].connection.as_ref();
        there.is_some_and(|there| there.number == connection)
    }

    fn hub_takes(&mut self, number: usize, connection: u64, value: &[u8]) {
        let Some(there) = self.pairs[number]
            .connection
            .as_mut()
            .filter(|there| there.number == connection)
        else {
            return;
        };
        match there.hub.receive(value) {
            Ok(Received::Nothing) => {}
            Ok(Received::SessionRequest {
                agent,
                exchange_key,
            }) => {
                let known = self.hub.known.get(&agent) == Some(&exchange_key);
                there.agent = Some(agent);
                if !known || there.hub.answer().is_err() {
                    self.fail(format!("clock {number} is not the one that was enrolled"));
                }
            }
            Ok(Received::Opened { binding, peer }) => there.binding = Some((binding, peer)),
            Ok(Received::Frame(bytes)) if there.enrols => self.enrol(number, &bytes),
            Ok(Received::Frame(bytes)) => self.clock_says(number, &bytes),
            Err(error) => {
                if !there.enrols {
                    self.fail(format!("clock {number} breaks its link: {error}"));
                }
                self.disconnect(number, true);
            }
        }
        self.pump(number);
    }

    pub(super) fn pump(&mut self, number: usize) {
        let pair = &mut self.pairs[number];
        let room = usize::from(pair.mtu) - proto::ble::ATT_HEADER;
        let Some(connection) = &mut pair.connection else {
            return;
        };
        while let Some(value) = connection.hub.next_value(room) {
            connection.down.push_back(value);
        }
        self.plan_air(number);
    }
}

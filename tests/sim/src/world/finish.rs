//! The end of a simulation. All faults are cured and everything settles. Then the hub must agree with the agents, with its log, and with the
//! same games played without delays.

use std::collections::BTreeMap;

use clock_agent::core::AgentCore;
use prost::Message as _;
use proto::wire::{Button as WireButton, EventBody, event_body, order};
use timing::{BoardClock, Button, ClockStep, Command, Fact, Instant, Snapshot};

use super::World;
use crate::{Ns, SECOND};

/// The time allowed for everything to settle, at the end of play and again after the last event.
const REST: Ns = 300 * SECOND;

impl World {
    pub(super) fn finish(&mut self) {
        if self.failure.is_some() {
            return;
        }
        self.heal();
        self.rest("at the end of play");
        // One more event for every clock advances it to the same instant at both ends.
        for agent in 0..self.agents.len() {
            if self.agents[agent].runs(self.now) {
                self.touch(agent, Fact::Stopped);
            }
        }
        self.rest("after the last event");
        if self.failure.is_none() {
            self.check_whole_log();
            self.check_chains();
            self.check_boards();
        }
    }

    fn heal(&mut self) {
        self.playing = false;
        self.rest_players();
        let now = self.now;
        for machine in &mut self.agents {
            machine.cut = [now; 2];
            machine.clogged = [now; 2];
            machine.journal.failing = false;
        }
        if self.hub.hall.is_none() {
            self.on_hub_starts(self.hub.life);
        }
    }

    fn rest(&mut self, when: &str) {
        let limit = self.now + REST;
        loop {
            let until = self.now + SECOND / 2;
            self.run_until(until);
            let unsettled = self.unsettled();
            if self.failure.is_some() || unsettled.is_none() {
                return;
            }
            if self.now >= limit
                && let Some(what) = unsettled
            {
                return self.fail(format!("{when}, the hall did not settle: {what}"));
            }
        }
    }

    /// Returns the first reason why the hall has not settled; `None` if it has.
    fn unsettled(&self) -> Option<String> {
        let Some(hall) = &self.hub.hall else {
            return Some("the hub is away".to_owned());
        };
        if !self.hub.idle() {
            return Some("the hub is still syncing its log".to_owned());
        }
        let second_links =
            |tally: &BTreeMap<_, u64>| tally.get("second_link").copied().unwrap_or(0);
        if second_links(&self.tally.lies) != second_links(&self.tally.noted) {
            return Some("a copy of an agent waits for its answer".to_owned());
        }
        for (agent, machine) in self.agents.iter().enumerate() {
            if machine.liar.is_some() {
                continue;
            }
            let Some(core) = machine.core.as_ref().filter(|core| core.connected()) else {
                return Some(format!("agent {agent} is not connected"));
            };
            let kept = self.hub.chains[agent].len() as u64;
            if !machine.runs(self.now) {
                return Some(format!("the machine of agent {agent} is asleep"));
            }
            let (seq, acked) = (core.seq().0, core.acknowledged().0);
            if seq != acked || seq != kept || machine.earliest_finger().is_some() {
                return Some(format!(
                    "agent {agent} is at event {seq}, {acked} acknowledged, {kept} in the log"
                ));
            }
        }
        for desk in &self.desks {
            let detail = hall.detail(&desk.id, self.hub.now(self.now))?;
            let liar = detail
                .agent
                .is_some_and(|id| self.agents.iter().any(|a| a.id == id && a.liar.is_some()));
            if !detail.pending.is_empty() && !liar && detail.agent.is_some() {
                return Some(format!("a command is pending on board {}", desk.id));
            }
        }
        None
    }

    /// Checks that the log alone reproduces the live hall, record by record and as a whole.
    fn check_whole_log(&mut self) {
        let Some(hall) = &self.hub.hall else { return };
        if !hall.same_state(&self.hub.shadow) {
            return self.fail("the hall differs from a fold of its records".to_owned());
        }
        match self.folded() {
            Ok(folded) if folded.same_state(hall) => {}
            Ok(_) => self.fail("a fold of the whole log differs from the hall".to_owned()),
            Err(error) => self.fail(format!("the log cannot be folded: {error}")),
        }
    }

    /// Checks that the log holds no more presses than were made. For an honest agent, checks that the log's chain ends like the agent's, and that it
    /// contradicts no event that was durable at the agent.
    fn check_chains(&mut self) {
        for agent in 0..self.agents.len() {
            let machine = &self.agents[agent];
            let chain = &self.hub.chains[agent];
            let presses = chain.iter().filter(|event| is_press(&event.body)).count() as u64;
            let pressed = machine.pressed;
            if presses > pressed {
                return self.fail(format!(
                    "agent {agent} was pressed {pressed} times, and the log has {presses} presses"
                ));
            }
            if machine.liar.is_some() {
                continue;
            }
            let head = machine.core.as_ref().map(AgentCore::head);
            if chain.last().is_some_and(|last| Some(last.hash) != head) {
                return self.fail(format!(
                    "the chain of agent {agent} ends differently in the log"
                ));
            }
            let safe = usize::try_from(machine.saved).unwrap_or(usize::MAX);
            let differs = machine
                .chain
                .iter()
                .zip(chain)
                .take(safe)
                .position(|(made, kept)| made.is_some_and(|made| made.hash != kept.hash));
            if let Some(index) = differs {
                return self.fail(format!(
                    "event {} of agent {agent} was on its disk, but the log has a different one",
                    index + 1
                ));
            }
        }
    }

    /// Checks the clock of every board with an honest agent: it must be the same at the hub, at the agent, and in a game played without delays.
    fn check_boards(&mut self) {
        let Some(hall) = &self.hub.hall else { return };
        let mut wrong = None;
        for desk in &self.desks {
            let Some(detail) = hall.detail(&desk.id, self.hub.now(self.now)) else {
                wrong = Some(format!("board {} is gone", desk.id));
                break;
            };
            let Some(agent) = self
                .agents
                .iter()
                .position(|machine| Some(machine.id) == detail.agent)
            else {
                // The board has no clock: the clock that it had serves a different board now.
                continue;
            };
            if self.agents[agent].liar.is_some() {
                continue;
            }
            self.tally.schedules += 1;
            let bytes = |clock: Option<&BoardClock>| clock.map(|clock| clock.snapshot().to_bytes());
            let at_agent = self.agents[agent].core.as_ref().and_then(AgentCore::clock);
            let at_hub = hall.clock_bytes(desk.id.as_str());
            let without_delay = match self.without_delay(agent) {
                Ok(clock) => clock,
                Err(what) => {
                    wrong = Some(format!("board {}, agent {agent}: {what}", desk.id));
                    break;
                }
            };
            if at_hub != bytes(at_agent) {
                wrong = Some(format!(
                    "board {}: hub and agent {agent} have different clocks: {:?} and {:?}",
                    desk.id,
                    at_hub.map(|bytes| shown(&bytes)),
                    bytes(at_agent).map(|bytes| shown(&bytes)),
                ));
                break;
            }
            if at_hub != bytes(without_delay.as_ref()) {
                wrong = Some(format!(
                    "board {}, agent {agent}: the run without delays ends with {:?}, the hub with {:?}",
                    desk.id,
                    bytes(without_delay.as_ref()).map(|bytes| shown(&bytes)),
                    at_hub.map(|bytes| shown(&bytes)),
                ));
                break;
            }
            self.tally.identical += 1;
        }
        if let Some(wrong) = wrong {
            self.fail(wrong);
        }
    }

    /// Returns the clock that results from an agent's stamped inputs alone, given to a new clock without delay.
    fn without_delay(&self, agent: usize) -> Result<Option<BoardClock>, String> {
        let mut clock: Option<BoardClock> = None;
        for event in &self.hub.chains[agent] {
            let body = EventBody::decode(event.body.as_slice()).map_err(|e| e.to_string())?;
            let at = Instant::from_micros(body.at_us);
            let fact = match body.fact {
                Some(event_body::Fact::Press(press)) => Fact::Pressed(match press.button() {
                    WireButton::Right => Button::Right,
                    WireButton::Left | WireButton::Unspecified => Button::Left,
                }),
                Some(event_body::Fact::Stop(_)) => Fact::Stopped,
                Some(event_body::Fact::Rebase(_)) | None => {
                    if let Some(clock) = &mut clock {
                        let to = event.charged_to_us.map_or(at, Instant::from_micros);
                        let _ = clock.pass_time(to);
                        if event.charged_to_us.is_some() {
                            let _ = clock.apply(&ClockStep::Moved(at));
                        }
                    }
                    continue;
                }
                Some(event_body::Fact::ZeroTested(_)) => continue,
                Some(event_body::Fact::Correction(correction)) => {
                    command(&correction.command, at, &mut clock)?;
                    continue;
                }
                Some(event_body::Fact::OrderTaken(taken)) => {
                    let what = self.hub.orders.get(&(agent, taken.order));
                    let what = what.ok_or(format!("order {} was never sent", taken.order))?;
                    self.obey(what, at, &mut clock)?;
                    continue;
                }
            };
            if let Some(clock) = &mut clock {
                let _ = clock.on_fact(at, fact);
            }
        }
        Ok(clock)
    }

    fn obey(
        &self,
        what: &order::What,
        at: Instant<timing::Board>,
        clock: &mut Option<BoardClock>,
    ) -> Result<(), String> {
        match what {
            order::What::Adopt(adopt) if adopt.board.is_empty() => *clock = None,
            order::What::Adopt(adopt) => {
                let snapshot = Snapshot::from_bytes(&adopt.snapshot).map_err(|e| e.to_string())?;
                let moved = snapshot.moved_to(at);
                *clock = Some(BoardClock::from_snapshot(&moved).map_err(|e| e.to_string())?);
            }
            order::What::ServeSide(_) => {
                return Err("a board of this hall was given two clocks".to_owned());
            }
            order::What::Command(text) => {
                command(text, at, clock)?;
            }
        }
        Ok(())
    }
}

/// Applies a command in the same way as the hub and the agent: time advances even if the command is refused.
fn command(
    text: &str,
    at: Instant<timing::Board>,
    clock: &mut Option<BoardClock>,
) -> Result<(), String> {
    let command: Command = text.parse().map_err(|e| format!("{e}"))?;
    if let Some(clock) = clock
        && clock.on_command(at, &command).is_err()
    {
        let _ = clock.pass_time(at);
    }
    Ok(())
}

fn is_press(body: &[u8]) -> bool {
    EventBody::decode(body).is_ok_and(|body| matches!(body.fact, Some(event_body::Fact::Press(_))))
}

fn shown(bytes: &[u8]) -> String {
    let clock = Snapshot::from_bytes(bytes)
        .ok()
        .and_then(|snapshot| BoardClock::from_snapshot(&snapshot).ok());
    match clock {
        Some(clock) => {
            let time = |side| clock.side(side, clock.now()).time;
            format!(
                "{:?} at {:?}, White {}, Black {}",
                clock.state(),
                clock.now(),
                time(timing::Side::White),
                time(timing::Side::Black)
            )
        }
        None => proto::ids::hex(bytes),
    }
}

//! The promises, checked during play against the truth, which only the simulation knows. Owns the checks; changes nothing in the hall.

use hall::view::Flag;
use hall::{BoardDetail, EventFact, NoteKind, Notice, SignedEvent};
use prost::Message as _;
use proto::chain::{chain_hash, genesis};
use proto::ids::{AgentId, CommandId, EventSeq};
use proto::log::{Record, record};
use proto::wire::{EventBody, order};
use timing::{BoardState, Duration, Fact, Instant};

use super::hub::Durable;
use super::{ORIGIN, World};
use crate::{Ns, SECOND};

/// Tolerance for the drift between an agent's crystal and the hub's while the agent's machine is off, in parts per million.
const DRIFT_PPM: i64 = 150;
const ROUNDING_US: i64 = 5;
/// Time within which the hub may leave out a repeated note of the same kind about an agent.
pub(super) const NOTE_REPEATS: Ns = 61 * SECOND;

impl World {
    /// Checks that the log holds every event that an acknowledgement covers, as the agent made it.
    pub(super) fn check_acknowledged(&mut self, agent: usize, seq: EventSeq) {
        self.tally.acknowledged += 1;
        let machine = &self.agents[agent];
        let chain = &self.hub.chains[agent];
        let index = usize::try_from(seq.0).unwrap_or(usize::MAX);
        let Some(durable) = index.checked_sub(1).and_then(|index| chain.get(index)) else {
            if index == 0 {
                return;
            }
            return self.fail(format!(
                "event {index} of agent {agent} was acknowledged but is not in the log, which has {}",
                chain.len()
            ));
        };
        let made = machine.chain.get(index - 1).copied().flatten();
        if let Some(made) = made
            && made.hash != durable.hash
            && machine.liar.is_none()
        {
            self.fail(format!(
                "event {index} of agent {agent} was acknowledged but is different in the log"
            ));
        }
    }

    /// Checks a durable record: each event appears once and in order, and each command once.
    pub(super) fn check_durable(&mut self, record: &Record) {
        match &record.input {
            Some(record::Input::AgentEvent(event)) => {
                let Some(agent) = self.agent_of(&event.agent) else {
                    return self.fail("an event of an unknown agent is in the log".to_owned());
                };
                let Ok(body) = EventBody::decode(event.body.as_slice()) else {
                    return self.fail("an event that cannot be read is in the log".to_owned());
                };
                let chain = &self.hub.chains[agent];
                let expected = chain.len() as u64 + 1;
                let head = chain.last().map_or_else(
                    || genesis(ORIGIN, &self.agents[agent].id),
                    |durable| durable.hash,
                );
                if body.seq != expected || body.prev_hash != head {
                    return self.fail(format!(
                        "event {} of agent {agent} is in the log instead of event {expected}",
                        body.seq
                    ));
                }
                self.tally.events += 1;
                self.hub.chains[agent].push(Durable {
                    hash: chain_hash(&event.body),
                    body: event.body.clone(),
                    charged_to_us: event.charged_to_us,
                });
            }
            Some(record::Input::Command(command)) => {
                let Ok(id) = CommandId::try_from(command.id.as_slice()) else {
                    return self.fail("a command without an id is in the log".to_owned());
                };
                if !self.hub.commands.insert(id) {
                    self.fail(format!("command {id:?} is in the log twice"));
                }
            }
            _ => {}
        }
    }

    fn agent_of(&self, id: &[u8]) -> Option<usize> {
        let id = AgentId::try_from(id).ok()?;
        let [a, b, c, d, ..] = id.0;
        let index = u32::from_be_bytes([a, b, c, d]) as usize;
        (self.agents.get(index)?.id == id).then_some(index)
    }

    /// Checks that when the hall settles time up to an instant, no earlier press is still in transit. Counts the corrected events of honest clocks,
    /// and remembers when the hall made notes.
    pub(super) fn check_record(&mut self, record: &Record) {
        match &record.input {
            Some(record::Input::AgentEvent(event)) => {
                let moved = event.counts_at_us.is_some() || event.charged_to_us.is_some();
                let agent = self.agent_of(&event.agent);
                let honest = agent.is_some_and(|agent| self.agents[agent].sound());
                self.tally.moved += u64::from(moved && honest);
            }
            Some(record::Input::Settled(settled)) => {
                self.tally.flags += 1;
                self.check_settled(&record.board, Instant::from_micros(settled.at_us));
            }
            Some(record::Input::Note(note)) => {
                let agent = self.agent_of(&note.agent);
                let now = self.now;
                self.noted.insert((note.kind.clone(), agent), now);
            }
            _ => {}
        }
    }

    fn check_settled(&mut self, board: &str, at: Instant<timing::Board>) {
        let Some(agent) = self.keeper_of(board) else {
            return self.fail(format!(
                "time is settled on board {board}, which no clock serves"
            ));
        };
        let machine = &self.agents[agent];
        if machine.liar.is_some() {
            return;
        }
        let next = usize::try_from(self.hub.taken[agent]).unwrap_or(usize::MAX);
        let made = machine.chain.get(next).copied().flatten();
        let first = made
            .map(|made| made.at)
            .into_iter()
            .chain(machine.earliest_finger())
            .min();
        if let Some(first) = first
            && first < at
        {
            let early = at - first;
            self.fail(format!(
                "the hub settled board {board} while a press {early} older was on its way from agent {agent}"
            ));
        }
    }

    fn keeper_of(&self, board: &str) -> Option<usize> {
        let hall = self.hub.hall.as_ref()?;
        let id = board.parse().ok()?;
        let detail = hall.detail(&id, self.hub.now(self.now))?;
        self.agent_of(&detail.agent?.0)
    }

    pub(super) fn check_order(&mut self, agent: usize, number: u64, what: &order::What) {
        let known = self
            .hub
            .orders
            .entry((agent, number))
            .or_insert_with(|| what.clone());
        if known != what {
            self.fail(format!(
                "order {number} of agent {agent} was sent with different content before"
            ));
        }
    }

    /// Checks a published state: every fallen flag is in the log too, and at most one clock is running down.
    pub(super) fn check_view(&mut self, detail: &BoardDetail) {
        let view = &detail.view;
        let both = view
            .plan
            .iter()
            .any(|segment| segment.white_rate < 0 && segment.black_rate < 0);
        if both {
            return self.fail(format!("both clocks of board {} run down", view.board));
        }
        let fallen = |flag| matches!(flag, Flag::Fallen | Flag::Called);
        if !fallen(view.white.flag) && !fallen(view.black.flag) {
            return;
        }
        let Ok(id) = view.board.parse() else { return };
        let Some(kept) = self.hub.shadow.detail(&id, self.hub.now(self.now)) else {
            return;
        };
        for (shown, kept) in [
            (view.white.flag, kept.view.white.flag),
            (view.black.flag, kept.view.black.flag),
        ] {
            if fallen(shown) && !fallen(kept) {
                return self.fail(format!(
                    "a flag on board {} is shown {shown:?}, but is {kept:?} in the log",
                    view.board
                ));
            }
        }
    }

    /// Returns true if the agent is sound and runs, and the hub has received every jump of its board time. Until then, the hub cannot know its time.
    fn hub_knows_time_of(&self, agent: usize) -> bool {
        let machine = &self.agents[agent];
        machine.sound() && machine.runs(self.now) && self.hub.taken[agent] >= machine.jumped
    }

    /// Checks that the interval proven for an agent's clock offset contains the true offset.
    pub(super) fn check_interval(&mut self, agent: usize) {
        let machine = &self.agents[agent];
        if !self.hub_knows_time_of(agent) {
            return;
        }
        let Some(estimate) = self
            .hub
            .hall
            .as_ref()
            .and_then(|hall| hall.offset_estimate(&machine.id))
        else {
            return;
        };
        let board = machine.board_now(self.now);
        let truth = self.hub.now(self.now);
        let Some(mapped) = estimate.to_hub(board) else {
            return;
        };
        self.tally.intervals += 1;
        let slack = Duration::from_micros(1);
        if mapped.lo - slack <= truth && truth <= mapped.hi + slack {
            self.tally.held += 1;
        } else {
            self.fail(format!(
                "the interval {mapped:?} of agent {agent} does not contain the truth {truth:?}"
            ));
        }
    }

    /// Compares the hub's time for an arriving press with the true time.
    pub(super) fn check_mapping(&mut self, agent: usize, event: &SignedEvent) {
        let machine = &self.agents[agent];
        if !self.hub_knows_time_of(agent)
            || !matches!(event.fact, EventFact::Players(Fact::Pressed(_)))
        {
            return;
        }
        let index = usize::try_from(event.seq.0 - 1).unwrap_or(usize::MAX);
        let Some(made) = machine.chain.get(index).copied().flatten() else {
            return;
        };
        // A press stamped before a jump of board time, or in an earlier run of the machine, has no single true instant.
        let span = machine.board_now(self.now) - event.at;
        let passed = Duration::from_micros((self.now - made.when) / 1_000);
        let strange = (span - passed).as_micros().abs() > 2_000 + machine.buttons_us + 1_000;
        if strange || made.hash != event.hash || self.now - made.when > 60 * SECOND {
            return;
        }
        let Some(estimate) = self
            .hub
            .hall
            .as_ref()
            .and_then(|hall| hall.offset_estimate(&machine.id))
        else {
            return;
        };
        let Some(mapped) = estimate.to_hub(event.at) else {
            return;
        };
        // Compute the true instant of the press from the crystal that stamped it.
        let board = machine.board_now(self.now) - event.at;
        let when = machine.crystal.before(self.now, board.as_micros());
        let truth = self.hub.now(when);
        self.tally.intervals += 1;
        let slack = Duration::from_micros(2);
        if mapped.lo - slack <= truth && truth <= mapped.hi + slack {
            self.tally.held += 1;
        } else {
            let agent_id = machine.id;
            return self.fail(format!(
                "event {} of agent {agent} ({agent_id:?}) was made at {truth:?}, not within {mapped:?}",
                event.seq.0
            ));
        }
        // Measure the error only if the link has followed its model for as long as the estimate looks back: 64 exchanges, one per second.
        let as_modelled = self.mix.reordering == 0.0 && self.mix.loss == 0.0;
        let smooth = self.now - machine.smooth_since > 70 * SECOND && as_modelled;
        let kind = machine.kind;
        if smooth {
            self.tally.error(kind, (mapped.est - truth).as_micros());
        }
    }

    /// Checks a jump of board time: it must never charge a player more than the time that truly passed.
    pub(super) fn check_jump(&mut self, agent: usize) {
        let machine = &self.agents[agent];
        let given = machine.ideal_now(self.now) - machine.board_now(self.now);
        let slack = self.now / 1_000 * DRIFT_PPM / 1_000_000 + ROUNDING_US;
        if machine.sound() && given.as_micros() < -slack {
            return self.fail(format!(
                "a jump of agent {agent}'s time charges {} more than has passed",
                -given
            ));
        }
        self.tally.given += 1;
        self.tally.given_us = self.tally.given_us.max(given.as_micros());
    }

    pub(super) fn count_close_call(&mut self, agent: usize, fact: Fact) {
        let machine = &self.agents[agent];
        let Some(clock) = machine.core.as_ref().and_then(|core| core.clock()) else {
            return;
        };
        if let (BoardState::Running { mover }, Fact::Pressed(_)) = (clock.state(), fact) {
            let left = clock.side(mover, machine.board_now(self.now)).time;
            if left.is_positive() && left < Duration::from_millis(100) {
                self.tally.close_calls += 1;
            }
        }
    }

    pub(super) fn on_notice(&mut self, notice: &Notice) {
        *self.tally.notices.entry(notice.kind.as_str()).or_default() += 1;
        let of = |agent| self.agents.iter().find(|machine| machine.id == agent);
        if notice.kind == NoteKind::UncheckedTime
            && let Some(machine) = notice.agent.and_then(of)
        {
            *self
                .tally
                .remarks
                .entry((machine.kind, machine.slow_buttons()))
                .or_default() += 1;
        }
        self.say(|| format!("note: {}", notice.text));
    }

    /// Returns the kind of note that the lie deserves if the event's stamp contradicts a watermark of the agent or is in the future.
    pub(super) fn lie_that_shows(
        &self,
        agent: usize,
        event: &SignedEvent,
        received: Instant<timing::Hub>,
    ) -> Option<&'static str> {
        let machine = &self.agents[agent];
        let lie_us = machine.liar.as_ref()?.lie_us(event.seq.0);
        if event.seq.0 != self.hub.taken[agent] + 1 {
            return None;
        }
        if lie_us > 0 {
            let (at, seq) = self.promised[agent]?;
            return (event.at < at && seq < event.seq.0).then_some("broken_promise");
        }
        let estimate = self.hub.hall.as_ref()?.offset_estimate(&machine.id)?;
        let late = lie_us < 0 && estimate.to_hub(event.at)?.lo > received;
        late.then_some("from_the_future")
    }

    /// Tracks the newest watermark of an agent in the same way as the hub, which forgets it after a jump of board time.
    pub(super) fn remember_promise(
        &mut self,
        agent: usize,
        mark: Option<(Instant<timing::Board>, u64)>,
        event: Option<&SignedEvent>,
    ) {
        let promised = &mut self.promised[agent];
        if let Some(mark) = mark
            && promised.is_none_or(|known| known.0 < mark.0)
        {
            *promised = Some(mark);
        }
        if event.is_some_and(|event| matches!(event.fact, EventFact::Rebase { .. })) {
            *promised = None;
        }
    }

    /// Checks that a detectable lie is noted: now, or so recently that the hub need not repeat the note.
    pub(super) fn check_noted(&mut self, kind: &'static str, agent: usize) {
        *self.tally.lies.entry(kind).or_default() += 1;
        let noted = self
            .noted
            .get(&(kind.to_owned(), Some(agent)))
            .is_some_and(|at| self.now - at < NOTE_REPEATS);
        if noted {
            *self.tally.noted.entry(kind).or_default() += 1;
        } else {
            self.fail(format!(
                "agent {agent} lied ({kind}), but nothing was noted"
            ));
        }
    }
}

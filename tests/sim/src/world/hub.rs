//! The hub's machine: the real hall, and a log whose records are pending until a disk sync covers them. Like the hub's event loop, it carries out a
//! step's effects only after the step's records are durable.
//!
//! The shadow is a second hall, folded from the bytes of the durable records alone, record by record. A restarted hub must reach the same state.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use hall::view::EventView;
use hall::{Hall, HubEffect, Input, StartUp, Step};
use prost::Message as _;
use proto::chain::ChainHash;
use proto::ids::CommandId;
use proto::log::{Record, record};
use proto::wire::{hub_frame, order};
use timing::{Hub, Instant};

use super::correcting::ClockArbiters;
use super::{Event, ORIGIN, World, name_of};
use crate::crystal::Crystal;
use crate::random::Random;
use crate::shell::{START_US, probes};
use crate::{Ns, SECOND};

/// The maximum size of a record, in bytes.
const RECORD: usize = 4_096;

pub(super) struct HubMachine {
    pub(super) hall: Option<Hall>,
    pub(super) life: u64,
    boot: [u8; 16],
    crystal: Crystal,
    base_us: i64,
    /// The maximum error of the timeline relative to the previous run, in microseconds.
    bound_us: i64,
    /// Steps whose records are not durable yet, oldest first.
    queue: VecDeque<Submission>,
    /// The number of steps at the front of `queue` that the running sync covers.
    in_sync: usize,
    failed: bool,
    pub(super) log: Vec<Vec<u8>>,
    pub(super) shadow: Hall,
    wake_at: Option<Ns>,
    /// The durable events of each agent, from event 1.
    pub(super) chains: Vec<Vec<Durable>>,
    /// The sequence number of the newest event that the current hall has accepted from each agent.
    pub(super) taken: Vec<u64>,
    /// The value of `taken` when the current hall started.
    pub(super) began: Vec<u64>,
    pub(super) orders: BTreeMap<(usize, u64), order::What>,
    pub(super) commands: BTreeSet<CommandId>,
}

#[derive(Clone, Debug)]
pub(super) struct Durable {
    pub(super) hash: ChainHash,
    pub(super) body: Vec<u8>,
    /// The board time up to which a jump is charged, if it is not charged in full, in microseconds.
    pub(super) charged_to_us: Option<i64>,
}

struct Submission {
    records: Vec<Vec<u8>>,
    effects: Vec<HubEffect>,
}

impl HubMachine {
    pub(super) fn new(agents: usize, random: &mut Random) -> Self {
        let ppm = random.between(-0.4, 0.4);
        Self {
            hall: None,
            life: 0,
            boot: random.bytes(),
            crystal: Crystal::new(ppm, 0.1, random),
            base_us: START_US,
            bound_us: 0,
            queue: VecDeque::new(),
            in_sync: 0,
            failed: false,
            log: Vec::new(),
            shadow: Hall::new(),
            wake_at: None,
            chains: vec![Vec::new(); agents],
            taken: vec![0; agents],
            began: vec![0; agents],
            orders: BTreeMap::new(),
            commands: BTreeSet::new(),
        }
    }

    pub(super) fn now(&self, now: Ns) -> Instant<Hub> {
        Instant::from_micros(self.crystal.micros(now) + self.base_us)
    }

    pub(super) fn idle(&self) -> bool {
        self.queue.is_empty()
    }
}

impl World {
    pub(super) fn tell_hub(&mut self, input: Input) {
        if self.hub.failed {
            return;
        }
        let now = self.hub.now(self.now);
        let event = if let Input::AgentFrame {
            link,
            frame: hall::AgentFrame::Event(event),
            ..
        } = &input
        {
            Some((self.links[link.0 as usize].agent, event.seq.0))
        } else {
            None
        };
        let Some(hall) = &mut self.hub.hall else {
            return;
        };
        let Step {
            records,
            effects,
            immediate,
        } = hall.on_input(now, input);
        if let Some((agent, seq)) = event {
            let taken = records
                .iter()
                .any(|record| matches!(record.input, Some(record::Input::AgentEvent(_))));
            if taken {
                self.hub.taken[agent] = seq;
            }
            self.keep_late_note(agent, &records);
        }
        if let Some(reported) = self.reporting.take() {
            self.check_report(&reported, &records);
        }
        if let Some(agent) = self.contradicting.take() {
            self.check_proof(agent, &records);
        }
        for record in &records {
            self.check_record(record);
        }
        for (link, probe) in probes(immediate) {
            self.send_to_agent(link.0 as usize, &probe);
        }
        if !records.is_empty() || !effects.is_empty() {
            self.submit(&records, effects);
        }
        self.wake_hub();
    }

    fn submit(&mut self, records: &[Record], effects: Vec<HubEffect>) {
        if records.is_empty() && self.hub.queue.is_empty() {
            // A step without records waits only for earlier steps.
            for effect in effects {
                self.carry_hub_effect(effect);
            }
            return;
        }
        let records: Vec<Vec<u8>> = records.iter().map(Record::encode_to_vec).collect();
        if let Some(long) = records.iter().find(|record| record.len() > RECORD) {
            return self.fail(format!("a record of {} bytes", long.len()));
        }
        self.hub.queue.push_back(Submission { records, effects });
        self.sync_log();
    }

    fn sync_log(&mut self) {
        if self.hub.in_sync > 0 || self.hub.queue.is_empty() {
            return;
        }
        self.hub.in_sync = self.hub.queue.len();
        let wait = if self.disk.chance(self.mix.hub_slow_syncs) {
            self.tally.fault("hub sync slow");
            self.disk.span(0.02, 2.0)
        } else {
            self.disk.span(0.000_2, 0.002)
        };
        let life = self.hub.life;
        self.plan(wait, Event::LogSynced { life });
    }

    pub(super) fn on_log_synced(&mut self, life: u64) {
        if self.hub.life != life || self.hub.failed {
            return;
        }
        for _ in 0..std::mem::take(&mut self.hub.in_sync) {
            let Some(submission) = self.hub.queue.pop_front() else {
                break;
            };
            self.keep(submission.records);
            for effect in submission.effects {
                self.carry_hub_effect(effect);
            }
            if self.hub.life != life || self.failure.is_some() {
                return;
            }
        }
        self.sync_log();
    }

    fn keep(&mut self, records: Vec<Vec<u8>>) {
        for bytes in records {
            let record = match Record::decode(bytes.as_slice()) {
                Ok(record) => record,
                Err(error) => return self.fail(format!("a record cannot be read: {error}")),
            };
            self.mark(6, &[name_of(&bytes)]);
            self.check_durable(&record);
            if let Err(error) = self.hub.shadow.apply(record) {
                return self.fail(format!("the log cannot be folded: {error}"));
            }
            self.hub.log.push(bytes);
        }
    }

    pub(super) fn on_hub_wake(&mut self, life: u64) {
        if self.hub.life != life || self.hub.wake_at != Some(self.now) {
            return;
        }
        self.hub.wake_at = None;
        let now = self.hub.now(self.now);
        let due = self
            .hub
            .hall
            .as_ref()
            .and_then(Hall::next_wake)
            .is_some_and(|wake| wake <= now);
        if due {
            self.tell_hub(Input::Wake);
        } else {
            self.wake_hub();
        }
    }

    fn wake_hub(&mut self) {
        let Some(wake) = self.hub.hall.as_ref().and_then(Hall::next_wake) else {
            return;
        };
        let counted = wake.as_micros().saturating_sub(self.hub.base_us);
        if counted > 1_000_000_000_000 {
            return;
        }
        let at = self.hub.crystal.when(counted).max(self.now);
        if self.hub.wake_at.is_none_or(|planned| at < planned) {
            self.hub.wake_at = Some(at);
            let life = self.hub.life;
            self.queue.push(at, Event::HubWake { life });
        }
    }

    fn carry_hub_effect(&mut self, effect: HubEffect) {
        match effect {
            HubEffect::ToAgent { link, frame } => {
                let link = link.0 as usize;
                if let Some(hub_frame::Frame::Order(order)) = &frame.frame
                    && let Some(what) = &order.what
                {
                    let agent = self.links[link].agent;
                    self.say(|| {
                        format!(
                            "order {} to agent {agent}: {}",
                            order.number,
                            one_line(what)
                        )
                    });
                    self.check_order(agent, order.number, what);
                }
                self.send_to_agent(link, &frame);
            }
            HubEffect::CloseLink { link, reason, text } => {
                self.say(|| format!("the hub closes link {}: {text}", link.0));
                self.hub_closes(link.0 as usize, reason, text);
            }
            HubEffect::Reply { reply, answer } => self.answer_to(reply, answer),
            HubEffect::Publish { boards, .. } => {
                for board in boards {
                    self.check_view(&board);
                    self.show_arbiter(board);
                }
            }
            HubEffect::Notice(notice) => self.on_notice(&notice),
            HubEffect::Floor(_)
            | HubEffect::Held(_)
            | HubEffect::Tournament { .. }
            | HubEffect::NoTournament { .. }
            | HubEffect::PublishEvent { .. }
            | HubEffect::BoardRemoved { .. }
            | HubEffect::Count(_) => {}
        }
    }

    /// Kills the hub's program. A random number of the records being written survive, oldest first.
    pub(super) fn kill_hub(&mut self, away: Ns) {
        if self.hub.hall.take().is_none() {
            return;
        }
        let covered = self.hub.in_sync;
        let kept = self.disk.below(covered + 1);
        let torn = self.disk.chance(0.5);
        for index in 0..kept {
            let Some(mut submission) = self.hub.queue.pop_front() else {
                break;
            };
            if torn && index + 1 == kept {
                let records = self.disk.below(submission.records.len() + 1);
                submission.records.truncate(records);
            }
            self.keep(submission.records);
        }
        self.hub.queue.clear();
        self.hub.in_sync = 0;
        self.hub.failed = false;
        self.hub.life += 1;
        self.hub.wake_at = None;
        self.drop_hub_links();
        let life = self.hub.life;
        self.plan(away, Event::HubStarts { life });
    }

    /// Cuts the power of the hub's machine. The hub then recovers its timeline with a bounded error.
    pub(super) fn reboot_hub(&mut self, away: Ns) {
        if self.hub.hall.is_none() {
            return;
        }
        self.kill_hub(away);
        self.hub.boot = self.disk.bytes();
        let bound = self.disk.between(2_000.0, 60_000.0);
        let error = self.disk.between(-bound, bound);
        self.hub.bound_us = bound.ceil() as i64;
        self.hub.base_us += error as i64;
    }

    /// Makes the disk fail: the hub acknowledges nothing more, and is restarted by hand.
    pub(super) fn fail_hub_disk(&mut self, away: Ns) {
        if self.hub.hall.is_none() || self.hub.failed {
            return;
        }
        self.hub.failed = true;
        let after = self.disk.span(0.5, 4.0);
        let open: Vec<usize> = (0..self.links.len())
            .filter(|link| self.links[*link].hub_open)
            .collect();
        for link in open {
            let reason = proto::wire::GoodbyeReason::LogStopped;
            self.hub_closes(link, reason, "the log has failed".to_owned());
        }
        self.kill_hub(after + away);
    }

    pub(super) fn on_hub_starts(&mut self, life: u64) {
        if self.hub.life != life || self.hub.hall.is_some() {
            return;
        }
        let mut hall = match self.folded() {
            Ok(hall) => hall,
            Err(error) => return self.fail(format!("the hub cannot read its log: {error}")),
        };
        if !hall.same_state(&self.hub.shadow) {
            return self.fail("a fold of the log differs from the hall that wrote it".to_owned());
        }
        if let Some(newest) = hall.newest() {
            let behind = newest.as_micros() - self.hub.now(self.now).as_micros();
            self.hub.base_us += behind.max(0);
        }
        for (agent, chain) in self.hub.chains.iter().enumerate() {
            self.hub.taken[agent] = chain.len() as u64;
        }
        self.promised.fill(None);
        hall.set_arbiters(ClockArbiters::arbiters());
        hall.check_promises_by(super::lies::signed_by_hash);
        self.late_run.fill(false);
        self.watermarks.iter_mut().for_each(BTreeMap::clear);
        self.hub.began.clone_from(&self.hub.taken);
        self.hub.hall = Some(hall);
        self.say(|| "the hub starts".to_owned());
        self.mark(7, &[self.hub.life, self.hub.log.len() as u64]);
        let start = StartUp {
            origin: ORIGIN.to_owned(),
            event: EventView {
                name: "Simulated Open".to_owned(),
                ..EventView::default()
            },
            boot: self.hub.boot.to_vec(),
            wall_us: self.hub.now(self.now).as_micros(),
            timeline: "simulated".to_owned(),
            bound_us: std::mem::take(&mut self.hub.bound_us),
            authority_der: Vec::new(),
            voucher_der: Vec::new(),
            nonce_seed: self.seed ^ (life << 32),
            scheduled: None,
        };
        self.tell_hub(Input::StartUp(Box::new(start)));
    }

    pub(super) fn folded(&self) -> anyhow::Result<Hall> {
        let mut hall = Hall::new();
        for bytes in &self.hub.log {
            hall.apply(Record::decode(bytes.as_slice())?)?;
        }
        Ok(hall)
    }

    pub(super) fn open_hall(&mut self) {
        let life = self.hub.life;
        self.on_hub_starts(life);
        for board in 0..self.desks.len() {
            self.add_board(board);
        }
        for agent in 0..self.agents.len() {
            self.enrol(agent);
        }
        for agent in 0..self.agents.len() {
            let wait = self.fate.span(0.05, 2.0);
            self.plan(wait, Event::AgentStarts { agent, life: 0 });
        }
        for board in 0..self.desks.len() {
            let wait = self.people.span(2.5, 5.0);
            self.plan(wait, Event::Look { board });
        }
        self.run_until(SECOND / 20);
    }
}

fn one_line(what: &order::What) -> String {
    match what {
        order::What::Command(text) => text.chars().take(60).collect(),
        order::What::Adopt(adopt) => format!("adopt board {:?}", adopt.board),
        order::What::ServeSide(serve) => {
            format!("serve {:?} of board {:?}", serve.side(), serve.board)
        }
    }
}

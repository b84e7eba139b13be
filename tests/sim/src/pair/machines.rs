//! The machines of a match: one hub, two clocks per board, and their links. Does the work of the programs around the real cores.

mod check;
mod trouble;

use std::collections::BTreeMap;

use clock_agent::core::signer::Signer;
use clock_agent::core::{AgentCore, CoreConfig, Input as AgentInput, Output, Recovered};
use hall::{Hall, HubEffect, Input, LinkId, Step};
use proto::ids::AgentId;
use proto::log::Record;
use proto::wire::{AgentFrame, HubFrame, hub_frame};
use timing::{Board, Hub, Instant};

use super::truth::Truth;
use super::{Matches, games};
use crate::crystal::Crystal;
use crate::delay::LinkKind;
use crate::queue::Queue;
use crate::random::Random;
use crate::shell::{Outward, START_US, outward, probes, received};
use crate::{Ns, SECOND};

pub(super) const ORIGIN: &str = "flagfall.example/match";
pub(super) const BOARDS: usize = 6;
/// The duration of play, not counting the settling time that follows.
pub(super) const PLAY: Ns = 1_200 * SECOND;
/// The time after a fault until estimates match the link's model again: an estimate uses the last sixty-four exchanges.
const SMOOTH: Ns = 70 * SECOND;

pub(super) enum Event {
    ToHub(usize, LinkId, Box<AgentFrame>),
    ToAgent(usize, LinkId, Box<HubFrame>),
    Durable(u64, u64),
    Synced(usize, u64, u64),
    Connect(usize),
    HubWake(Ns),
    AgentWake(usize, Ns),
    Trouble,
    StartHub,
    PowerUp(usize),
    Game(games::Doing),
}

pub(super) struct Machine {
    pub(super) id: AgentId,
    pub(super) core: AgentCore,
    kind: LinkKind,
    crystal: Crystal,
    extreme: bool,
    /// Board time minus the crystal's count, in microseconds.
    base_us: i64,
    boot: u8,
    link: Option<LinkId>,
    connecting: bool,
    pub(super) off: bool,
    stopped: Instant<Board>,
    wake: Option<Ns>,
    /// The arrival times of the newest stream frames: at the hub, and at this machine.
    stream: [Ns; 2],
    smooth_since: Ns,
    /// The true time of each event in the chain, in hub microseconds.
    pub(super) made: BTreeMap<u64, i64>,
    /// The number of this clock's newest event in the hub's log.
    pub(super) logged: u64,
}

pub(super) struct World {
    pub(super) seed: u64,
    pub(super) now: Ns,
    pub(super) queue: Queue<Event>,
    pub(super) random: Random,
    pub(super) hall: Option<Hall>,
    life: u64,
    log: Vec<Record>,
    durable: usize,
    steps: BTreeMap<u64, (usize, Vec<HubEffect>)>,
    pub(super) machines: Vec<Machine>,
    pub(super) boards: Vec<Truth>,
    next: u64,
    hub_wake: Option<Ns>,
    /// Faults per minute.
    trouble: f64,
    /// The share of datagrams lost.
    lost: f64,
    pub(super) sum: Matches,
    pub(super) failed: Option<String>,
}

impl World {
    pub(super) fn new(seed: u64) -> Self {
        let mut random = Random::new(seed, 0x9a1);
        let calm = random.chance(0.5);
        let mut world = Self {
            seed,
            now: 0,
            queue: Queue::new(),
            hall: None,
            life: 0,
            log: Vec::new(),
            durable: 0,
            steps: BTreeMap::new(),
            machines: Vec::new(),
            boards: Vec::new(),
            next: 1,
            hub_wake: None,
            trouble: if calm { 0.0 } else { random.between(0.1, 3.0) },
            lost: if calm { 0.0 } else { random.between(0.0, 0.3) },
            sum: Matches::default(),
            failed: None,
            random,
        };
        for number in 0..BOARDS * 2 {
            let machine = world.machine(number);
            world.machines.push(machine);
        }
        world.start_hub();
        world.set_up();
        for number in 0..BOARDS * 2 {
            world.connect_in(number, 1_000_000);
        }
        if world.trouble > 0.0 {
            world.plan_trouble();
        }
        world
    }

    fn machine(&mut self, number: usize) -> Machine {
        let random = &mut self.random;
        let (ppm, extreme) = Crystal::any_error(random);
        let id = AgentId([number as u8 + 1; 32]);
        let crystal = Crystal::new(ppm, 2.5, random);
        let base_us = random.below(1_000_000_000) as i64;
        let config = config(id, 1);
        Machine {
            id,
            core: AgentCore::new(
                config,
                Recovered::fresh(ORIGIN, &id),
                Instant::from_micros(crystal.micros(0) + base_us),
            ),
            kind: random.pick(&LinkKind::ALL),
            crystal,
            extreme,
            base_us,
            boot: 1,
            link: None,
            connecting: false,
            off: false,
            stopped: Instant::from_micros(0),
            wake: None,
            stream: [0; 2],
            smooth_since: 0,
            made: BTreeMap::new(),
            logged: 0,
        }
    }

    pub(super) fn play(mut self) -> Matches {
        while self.failed.is_none() && self.now < PLAY + 600 * SECOND {
            let Some((at, event)) = self.queue.pop_until(Ns::MAX) else {
                break;
            };
            self.now = self.now.max(at);
            self.happen(event);
            if self.at_rest() {
                break;
            }
        }
        if self.failed.is_none() {
            self.check_end();
        }
        if let Some(what) = self.failed.take() {
            self.sum
                .failures
                .push(format!("SEED={}: {what}", self.seed));
        }
        self.sum.tally.virtual_ns += self.now;
        self.sum.tally.halls += 1;
        self.sum
    }

    fn happen(&mut self, event: Event) {
        match event {
            Event::ToHub(number, link, frame) => self.at_hub(number, link, *frame),
            Event::ToAgent(number, link, frame) => {
                if self.machines[number].link == Some(link) {
                    self.agent(number, AgentInput::Frame(*frame));
                }
            }
            Event::Durable(life, step) if life == self.life => {
                if let Some((records, effects)) = self.steps.remove(&step) {
                    // A report may arrive late, and must not reduce the durable length of the log.
                    self.durable = self.durable.max(records);
                    self.carry_out(effects);
                }
            }
            Event::Durable(..) => (),
            Event::Synced(number, boot, seq) => {
                if u64::from(self.machines[number].boot) == boot {
                    self.agent(number, AgentInput::JournalSynced { seq });
                }
            }
            Event::Connect(number) => self.connect(number),
            Event::HubWake(at) if self.hub_wake == Some(at) => {
                self.hub_wake = None;
                self.hub(Input::Wake);
            }
            Event::HubWake(_) => (),
            Event::AgentWake(number, at) if self.machines[number].wake == Some(at) => {
                self.machines[number].wake = None;
                self.agent(number, AgentInput::Wake);
            }
            Event::AgentWake(..) => (),
            Event::Trouble => self.trouble(),
            Event::StartHub => self.start_hub(),
            Event::PowerUp(number) => self.power_up(number),
            Event::Game(doing) => self.do_game(doing),
        }
    }

    pub(super) fn hub_us(&self) -> i64 {
        START_US + self.now.div_euclid(1_000)
    }

    pub(super) fn hub_now(&self) -> Instant<Hub> {
        Instant::from_micros(self.hub_us())
    }

    pub(super) fn board_now(&self, number: usize) -> Instant<Board> {
        let machine = &self.machines[number];
        Instant::from_micros(machine.crystal.micros(self.now) + machine.base_us)
    }

    pub(super) fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    pub(super) fn hub(&mut self, input: Input) {
        let now = self.hub_now();
        let Some(hall) = &mut self.hall else { return };
        let Step {
            records,
            effects,
            immediate,
        } = hall.on_input(now, input);
        let wake = hall.next_wake();
        for record in records {
            self.compare_record(&record);
            self.log.push(record);
        }
        let step = self.number();
        self.steps.insert(step, (self.log.len(), effects));
        let commit = self.random.span(0.000_3, 0.003);
        self.queue
            .push(self.now + commit, Event::Durable(self.life, step));
        for (link, probe) in probes(immediate) {
            self.tell_agent(link, probe);
        }
        if let Some(wake) = wake {
            let at = (wake.as_micros() - START_US) * 1_000;
            let at = at.max(self.now + 1_000);
            if self
                .hub_wake
                .is_none_or(|planned| at < planned || planned <= self.now)
            {
                self.hub_wake = Some(at);
                self.queue.push(at, Event::HubWake(at));
            }
        }
    }

    fn carry_out(&mut self, effects: Vec<HubEffect>) {
        for effect in effects {
            match outward(effect) {
                Some(Outward::Frame(link, frame)) => self.tell_agent(link, frame),
                Some(Outward::Close(link, _)) => {
                    if let Some(number) = self.on_link(link) {
                        self.cut(number);
                    }
                }
                Some(Outward::Notice(notice)) => self.noticed(&notice),
                None => (),
            }
        }
    }

    fn on_link(&self, link: LinkId) -> Option<usize> {
        let mut machines = self.machines.iter();
        machines.position(|machine| machine.link == Some(link))
    }

    /// Returns the times at which a frame arrives. Stream frames arrive once and in order; a datagram may be lost or duplicated.
    fn arrivals(&mut self, number: usize, way: usize, stream: bool) -> Vec<Ns> {
        let copies = match stream {
            true => 1,
            false if self.random.chance(self.lost) => 0,
            false if self.random.chance(self.lost / 3.0) => 2,
            false => 1,
        };
        let machine = &mut self.machines[number];
        (0..copies)
            .map(|_| {
                let at = self.now + machine.kind.delay(&mut self.random);
                if !stream {
                    return at;
                }
                machine.stream[way] = machine.stream[way].max(at);
                machine.stream[way]
            })
            .collect()
    }

    fn tell_agent(&mut self, link: LinkId, frame: HubFrame) {
        let Some(number) = self.on_link(link) else {
            return;
        };
        let stream = !matches!(frame.frame, Some(hub_frame::Frame::TimeProbe(_)));
        for at in self.arrivals(number, 1, stream) {
            let frame = Box::new(frame.clone());
            self.queue.push(at, Event::ToAgent(number, link, frame));
        }
    }

    fn tell_hub(&mut self, number: usize, frame: AgentFrame, stream: bool) {
        let Some(link) = self.machines[number].link else {
            return;
        };
        for at in self.arrivals(number, 0, stream) {
            self.queue
                .push(at, Event::ToHub(number, link, Box::new(frame.clone())));
        }
    }

    fn at_hub(&mut self, number: usize, link: LinkId, frame: AgentFrame) {
        if self.machines[number].link != Some(link) || self.hall.is_none() {
            return;
        }
        let (agent, now) = (self.machines[number].id, self.hub_now());
        match received(agent, link, now, now, frame) {
            Ok(input) => self.hub(input),
            Err(error) => self.fail(error),
        }
    }

    pub(super) fn agent(&mut self, number: usize, input: AgentInput) {
        if self.machines[number].off {
            return;
        }
        let now = self.board_now(number);
        let true_us = self.hub_us();
        let outputs = self.machines[number].core.step(now, input);
        for output in outputs {
            match output {
                Output::Send(frame) => self.tell_hub(number, frame, true),
                Output::Datagram(frame) => self.tell_hub(number, frame, false),
                Output::Persist(batch) => {
                    let boot = u64::from(self.machines[number].boot);
                    let at = self.now + self.random.span(0.000_5, 0.004);
                    self.queue.push(at, Event::Synced(number, boot, batch.seq));
                }
                Output::Chained { seq, .. } => {
                    self.machines[number].made.insert(seq.0, true_us);
                }
                Output::Jump(span) => self.machines[number].base_us += span.as_micros(),
                Output::Close(_) => self.cut(number),
                Output::OtherLog { origin } => self.fail(format!("another log: {origin}")),
                Output::FaceChanged
                | Output::Acknowledged { .. }
                | Output::KeepCheckpoint(_)
                | Output::Contradiction { .. } => (),
            }
        }
        let machine = &mut self.machines[number];
        if let Some(wake) = machine.core.next_wake() {
            let at = machine.crystal.when(wake.as_micros() - machine.base_us);
            let at = at.max(self.now + 1_000);
            if machine
                .wake
                .is_none_or(|planned| at < planned || planned <= self.now)
            {
                machine.wake = Some(at);
                self.queue.push(at, Event::AgentWake(number, at));
            }
        }
    }

    fn connect_in(&mut self, number: usize, most_us: usize) {
        if !self.machines[number].connecting {
            self.machines[number].connecting = true;
            let wait = self.random.below(most_us) as Ns * 1_000;
            self.queue.push(self.now + wait, Event::Connect(number));
        }
    }

    fn connect(&mut self, number: usize) {
        self.machines[number].connecting = false;
        if self.machines[number].off || self.machines[number].link.is_some() {
            return;
        }
        if self.hall.is_none() {
            return self.connect_in(number, 1_000_000);
        }
        let link = LinkId(self.number());
        let now = self.now;
        let machine = &mut self.machines[number];
        machine.link = Some(link);
        machine.stream = [now; 2];
        self.agent(number, AgentInput::LinkUp);
    }

    /// Breaks a link; frames in transit are lost.
    fn cut(&mut self, number: usize) {
        let now = self.now;
        let machine = &mut self.machines[number];
        machine.smooth_since = now;
        let Some(link) = machine.link.take() else {
            return;
        };
        let why = "cut".to_owned();
        self.hub(Input::AgentGone { link, why });
        self.agent(number, AgentInput::LinkDown);
        self.connect_in(number, 6_000_000);
    }

    pub(super) fn slowness(&self, number: usize) -> LinkKind {
        self.machines[number].kind
    }

    pub(super) fn fail(&mut self, what: String) {
        self.failed.get_or_insert(what);
    }
}

fn config(id: AgentId, boot: u8) -> CoreConfig {
    CoreConfig {
        signer: Signer::Hash(id),
        firmware: "match".to_owned(),
        boot: vec![boot; 16],
        base_us: 0,
        token: u64::from(boot),
    }
}

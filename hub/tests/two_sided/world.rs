//! Both cores in one thread, in virtual time. The same seed gives the same run.

#[path = "check.rs"]
mod check;
#[path = "clock_side.rs"]
mod clock_side;
#[path = "faces.rs"]
mod faces;
#[path = "hub_side.rs"]
mod hub_side;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use clock_agent::buttons::ButtonEvent;
use clock_agent::core::signer::Signer;
use clock_agent::core::{AgentCore, CoreConfig, Input as AgentInput, Recovered};
use hall::{Action, Enrolment, Hall, HubEffect, Input, LinkId, ReplyId};
use proto::frame;
use proto::ids::AgentId;
use proto::log::Record;
use proto::wire::HubFrame;
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{RngCore as _, SeedableRng as _};
use timing::{Board, Button, Instant, Side};

pub(crate) const ORIGIN: &str = "flagfall.example/two-sided";
const START: i64 = 1_700_000_000_000_000;
/// Delay until a step's records are durable, in microseconds.
const COMMIT: i64 = 300;

/// The limits and rates of the simulated network's faults.
#[derive(Clone, Copy)]
pub(crate) struct Faults {
    /// Maximum additional one-way delay, in microseconds.
    delay: u64,
    /// Percentage of datagrams that are lost.
    lost: u64,
    /// Percentage of datagrams that are duplicated.
    repeated: u64,
}

impl Faults {
    pub(crate) const NONE: Self = Self {
        delay: 300,
        lost: 0,
        repeated: 0,
    };
    pub(crate) const BAD: Self = Self {
        delay: 800_000,
        lost: 25,
        repeated: 20,
    };
}

enum SimEvent {
    ToHub(LinkId, Vec<u8>),
    ToAgent(usize, LinkId, Vec<u8>),
    Durable(u64),
    Synced(usize, u64, u64),
    Connect(usize),
    HubWake,
    AgentWake(usize),
}

struct SimClock {
    core: AgentCore,
    id: AgentId,
    link: Option<LinkId>,
    opened: i64,
    /// The clock's offset from hub time, in microseconds.
    offset: i64,
    /// The error of the clock's crystal, in parts per million.
    ppm: i64,
    boot: u8,
    connecting: bool,
    /// True while the machine is switched off: it neither acts nor receives anything.
    off: bool,
    /// The arrival time of the newest stream frame to the hub. A later frame must not arrive earlier.
    to_hub: i64,
    to_agent: i64,
    journal: u64,
    diverged: u64,
}

pub(crate) struct World {
    seed: u64,
    random: SplitMix64,
    faults: Faults,
    now: i64,
    queue: BinaryHeap<Reverse<(i64, u64)>>,
    events: BTreeMap<u64, SimEvent>,
    order: u64,
    hall: Option<Hall>,
    log: Vec<Record>,
    durable: usize,
    waiting: BTreeMap<u64, (usize, Vec<HubEffect>)>,
    clocks: Vec<SimClock>,
    next: u64,
    pub(crate) presses: u64,
    hub_wake: Option<i64>,
    /// Every effect that the hub carried out, with its time.
    pub(crate) carried: Vec<(i64, HubEffect)>,
}

impl World {
    /// Creates a world with this many boards, each with a clock that is connected and ready.
    pub(crate) fn new(seed: u64, boards: usize, control: &str, faults: Faults) -> Self {
        let mut world = Self {
            seed,
            random: SplitMix64::seed_from_u64(seed),
            faults: Faults::NONE,
            now: START,
            queue: BinaryHeap::new(),
            events: BTreeMap::new(),
            order: 0,
            hall: Some(Hall::new()),
            log: Vec::new(),
            durable: 0,
            waiting: BTreeMap::new(),
            clocks: Vec::new(),
            next: 1,
            presses: 0,
            hub_wake: None,
            carried: Vec::new(),
        };
        world.start_up();
        for number in 0..boards {
            let board = (number + 1).to_string();
            let setup = format!("prepare left arbiter {control}");
            let timing::Command::Prepare(setup) = setup.parse().unwrap() else {
                unreachable!()
            };
            world.command(&board, Action::AddBoard(setup, None));
            let id = AgentId([u8::try_from(number).unwrap() + 1; 32]);
            let reply = ReplyId(world.number());
            let enrolment = Enrolment {
                side: None,
                admitted_by: String::new(),
                agent: id,
                exchange_key: Vec::new(),
                name: format!("clock {board}"),
                certificate_serial: Vec::new(),
                certificate: Vec::new(),
                board: Some(board.parse().unwrap()),
            };
            world.hub_input(Input::asked(enrolment, reply));
            let clock = world.new_clock(id);
            world.clocks.push(clock);
            world.after(1_000, SimEvent::Connect(number));
        }
        world.let_pass(2.0);
        world.faults = faults;
        world
    }

    fn new_clock(&mut self, id: AgentId) -> SimClock {
        let offset = -START + 1_000_000_000 + i64::try_from(self.random(1_000_000_000)).unwrap();
        let ppm = i64::try_from(self.random(80)).unwrap() - 40;
        let mut clock = SimClock {
            core: AgentCore::new(
                config(id, 1),
                Recovered::fresh(ORIGIN, &id),
                Instant::from_micros(0),
            ),
            id,
            link: None,
            opened: 0,
            offset,
            ppm,
            boot: 1,
            connecting: true,
            off: false,
            to_hub: 0,
            to_agent: 0,
            journal: 0,
            diverged: 0,
        };
        let now = clock.board(self.now);
        clock.core = AgentCore::new(config(id, 1), Recovered::fresh(ORIGIN, &id), now);
        clock
    }

    fn random(&mut self, below: u64) -> u64 {
        self.random.next_u64() % below.max(1)
    }

    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    fn after(&mut self, us: i64, event: SimEvent) {
        self.at(self.now + us, event);
    }

    fn at(&mut self, at: i64, event: SimEvent) {
        self.order += 1;
        self.queue.push(Reverse((at, self.order)));
        self.events.insert(self.order, event);
    }

    /// Processes all events of the next `seconds`. The players do nothing.
    pub(crate) fn let_pass(&mut self, seconds: f64) {
        let until = self.now + (seconds * 1e6) as i64;
        while let Some(Reverse((at, order))) = self.queue.peek().copied() {
            if at > until {
                break;
            }
            self.queue.pop();
            self.now = self.now.max(at);
            if let Some(event) = self.events.remove(&order) {
                self.handle(event);
            }
        }
        self.now = until;
    }

    /// Processes all events of the next `seconds`, while the players press at random intervals.
    pub(crate) fn play(&mut self, seconds: f64) {
        let until = self.now + (seconds * 1e6) as i64;
        while self.now < until {
            let think = 200_000 + i64::try_from(self.random(2_500_000)).unwrap();
            let think = think.min(until - self.now).max(1);
            self.let_pass(think as f64 / 1e6);
            let number = usize::try_from(self.random(self.clocks.len() as u64)).unwrap();
            let button = self.button(number);
            self.press(number, button);
        }
    }

    /// Returns a button: usually that of the side to move, sometimes the other one.
    fn button(&mut self, number: usize) -> Button {
        let careless = self.random(10) == 0;
        let Some(clock) = self.clocks[number].core.clock() else {
            return Button::Left;
        };
        let mover = clock.state().running().unwrap_or(Side::White);
        let of_mover = if mover == Side::White {
            clock.white_button()
        } else {
            clock.white_button().other()
        };
        if careless { of_mover.other() } else { of_mover }
    }

    pub(crate) fn press(&mut self, number: usize, button: Button) {
        let at = self.clocks[number].board(self.now);
        self.presses += 1;
        self.agent_input(number, AgentInput::Button(ButtonEvent::press(button, at)));
    }

    fn handle(&mut self, event: SimEvent) {
        match event {
            SimEvent::ToHub(link, bytes) => self.arrive_at_hub(link, &bytes),
            SimEvent::ToAgent(number, link, bytes) => {
                if self.clocks[number].link == Some(link) {
                    let frame = frame::decode::<HubFrame>(&bytes).unwrap();
                    self.agent_input(number, AgentInput::Frame(frame));
                }
            }
            SimEvent::Durable(step) => {
                let Some((len, effects)) = self.waiting.remove(&step) else {
                    return;
                };
                self.durable = len;
                self.carry_out(effects);
            }
            SimEvent::Synced(number, journal, seq) => {
                if self.clocks[number].journal == journal {
                    self.agent_input(number, AgentInput::JournalSynced { seq });
                }
            }
            SimEvent::Connect(number) => self.connect(number),
            SimEvent::HubWake => {
                self.hub_wake = None;
                if self.hall.is_some() {
                    self.hub_input(Input::Wake);
                }
            }
            SimEvent::AgentWake(number) => self.agent_input(number, AgentInput::Wake),
        }
    }
}

impl SimClock {
    fn board(&self, hub: i64) -> Instant<Board> {
        let drift = (hub - START) * self.ppm / 1_000_000;
        Instant::from_micros(hub + drift + self.offset)
    }
}

fn config(id: AgentId, boot: u8) -> CoreConfig {
    CoreConfig {
        signer: Signer::Hash(id),
        firmware: "two-sided".to_owned(),
        boot: vec![boot; 16],
        base_us: 0,
        token: 1,
    }
}

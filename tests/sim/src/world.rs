//! A hall in play: the event queue, the machines, and the order of their inputs. Owns virtual time. The modules below own the machines; `check`,
//! `lies` and `finish` own the promises.

mod agent;
mod arbiter;
mod check;
mod correcting;
mod finish;
mod hub;
pub(super) mod lies;
mod network;
mod trouble;

use std::collections::BTreeMap;

use timing::{Board as BoardTime, Instant, Setup, StartRule};

use super::mix::Mix;
use super::queue::Queue;
use super::random::Random;
use super::tally::Tally;
use super::{Ns, Options, Outcome, SECOND};
use agent::AgentMachine;
use arbiter::{Asked, Desk};
use correcting::ClockArbiters;
use hub::HubMachine;
use network::Link;
use trouble::Trouble;

const ORIGIN: &str = "flagfall.example/simulated";

/// A planned event. `life` distinguishes a machine's current run from one that a crash has ended.
#[derive(Clone, Debug)]
enum Event {
    AgentWake {
        agent: usize,
        life: u64,
    },
    Buttons {
        agent: usize,
        life: u64,
    },
    Player {
        agent: usize,
        token: u64,
    },
    Journal {
        agent: usize,
        life: u64,
    },
    Dial {
        agent: usize,
        life: u64,
    },
    /// The agent's dial arrives at the hub.
    Accept {
        agent: usize,
        life: u64,
    },
    LinkUp {
        link: usize,
    },
    ToHub {
        link: usize,
        bytes: Vec<u8>,
    },
    ToAgent {
        link: usize,
        bytes: Vec<u8>,
    },
    AgentLoses {
        link: usize,
    },
    HubLoses {
        link: usize,
    },
    AgentStarts {
        agent: usize,
        life: u64,
    },
    Awake {
        agent: usize,
        life: u64,
    },
    JournalHeals {
        agent: usize,
    },
    HubWake {
        life: u64,
    },
    LogSynced {
        life: u64,
    },
    HubStarts {
        life: u64,
    },
    Look {
        board: usize,
    },
    Request {
        asked: usize,
    },
    Impatient {
        asked: usize,
    },
    Answer {
        asked: usize,
    },
    Correct,
    Trouble(Trouble),
}

pub(super) struct World {
    seed: u64,
    mix: Mix,
    now: Ns,
    ends: Ns,
    /// True while people act and faults occur.
    playing: bool,
    queue: Queue<Event>,
    hub: HubMachine,
    agents: Vec<AgentMachine>,
    links: Vec<Link>,
    desks: Vec<Desk>,
    asked: Vec<Asked>,
    net: Random,
    disk: Random,
    people: Random,
    fate: Random,
    clock_arbiters: ClockArbiters,
    tally: Tally,
    /// The time of the latest note of each kind about each agent.
    noted: BTreeMap<(String, Option<usize>), Ns>,
    /// The newest watermark that the current hall has received from each agent.
    promised: Vec<Option<(Instant<BoardTime>, u64)>>,
    /// Each agent's watermarks received by the current hall: the newest instant for each sequence number.
    watermarks: Vec<BTreeMap<u64, Instant<BoardTime>>>,
    /// For each agent, true from a noted late report until the agent's next timely report.
    late_run: Vec<bool>,
    /// The press that the hub is about to receive, if its report will be checked.
    reporting: Option<lies::Reported>,
    /// The agent, if any, whose next message will contradict an earlier signed one.
    contradicting: Option<usize>,
    trace: u64,
    failure: Option<String>,
    tell: bool,
}

impl World {
    pub(super) fn new(seed: u64, mix: Mix, options: &Options) -> Self {
        let mut setting = Random::new(seed, 2);
        let spares = if options.calm { 0 } else { options.boards / 10 };
        let agents = (0..options.boards + spares)
            .map(|index| AgentMachine::new(index, seed, options.boards, &mix, &mut setting))
            .collect();
        let desks = (0..options.boards)
            .map(|board| {
                let control = setting.pick(&mix.controls).parse();
                // All controls in the list are valid.
                let control = control.unwrap_or_else(|error| panic!("{error}"));
                let start = if setting.chance(0.3) {
                    StartRule::BlackPress
                } else {
                    StartRule::Arbiter
                };
                let white = setting.pick(&[timing::Button::Left, timing::Button::Right]);
                Desk::new(
                    board,
                    Setup {
                        control,
                        start,
                        white,
                    },
                )
            })
            .collect();
        Self {
            seed,
            now: 0,
            ends: (options.minutes * 60.0 * SECOND as f64) as Ns,
            playing: true,
            queue: Queue::new(),
            hub: HubMachine::new(options.boards + spares, &mut setting),
            agents,
            links: Vec::new(),
            desks,
            asked: Vec::new(),
            net: Random::new(seed, 3),
            disk: Random::new(seed, 4),
            people: Random::new(seed, 5),
            fate: Random::new(seed, 6),
            clock_arbiters: ClockArbiters::new(seed, options.boards, options.calm),
            tally: Tally::default(),
            noted: BTreeMap::new(),
            promised: vec![None; options.boards + spares],
            watermarks: vec![BTreeMap::new(); options.boards + spares],
            late_run: vec![false; options.boards + spares],
            reporting: None,
            contradicting: None,
            trace: seed,
            failure: None,
            tell: options.tell,
            mix,
        }
    }

    pub(super) fn play(mut self) -> Outcome {
        self.open_hall();
        // Wait until the boards and the enrolments are durable.
        while !self.hub.idle() {
            self.run_until(self.now + SECOND / 1_000);
        }
        self.plan_troubles();
        self.plan_correction();
        self.run_until(self.ends);
        self.finish();
        self.tally.halls = 1;
        self.tally.virtual_ns = self.now;
        self.tally.records = self.hub.log.len() as u64;
        Outcome {
            seed: self.seed,
            mix: self.mix,
            tally: self.tally,
            trace: self.trace,
            failure: self.failure,
        }
    }

    /// Runs the events up to `until`, or until a promise is broken.
    fn run_until(&mut self, until: Ns) {
        while self.failure.is_none() {
            let Some((at, event)) = self.queue.pop_until(until) else {
                break;
            };
            self.now = at;
            self.happen(event);
        }
        self.now = self.now.max(until);
    }

    fn plan(&mut self, after: Ns, event: Event) {
        self.queue.push(self.now + after.max(0), event);
    }

    fn happen(&mut self, event: Event) {
        let Some(event) = self.hold_for_sleepers(event) else {
            return;
        };
        match event {
            Event::AgentWake { agent, life } => self.on_agent_wake(agent, life),
            Event::Buttons { agent, life } => self.on_buttons(agent, life),
            Event::Player { agent, token } => self.on_player(agent, token),
            Event::Journal { agent, life } => self.on_journal(agent, life),
            Event::Dial { agent, life } => self.on_dial(agent, life),
            Event::Accept { agent, life } => self.on_accept(agent, life),
            Event::LinkUp { link } => self.on_link_up(link),
            Event::ToHub { link, bytes } => self.on_frame_at_hub(link, &bytes),
            Event::ToAgent { link, bytes } => self.on_frame_at_agent(link, &bytes),
            Event::AgentLoses { link } => self.on_agent_loses(link),
            Event::HubLoses { link } => self.on_hub_loses(link),
            Event::AgentStarts { agent, life } => self.on_agent_starts(agent, life),
            Event::Awake { agent, life } => self.on_awake(agent, life),
            Event::JournalHeals { agent } => self.agents[agent].journal.failing = false,
            Event::HubWake { life } => self.on_hub_wake(life),
            Event::LogSynced { life } => self.on_log_synced(life),
            Event::HubStarts { life } => self.on_hub_starts(life),
            Event::Look { board } => self.on_look(board),
            Event::Correct => self.on_correct(),
            Event::Request { asked } => self.on_request(asked),
            Event::Impatient { asked } => self.on_impatient(asked),
            Event::Answer { asked } => self.on_answer(asked),
            Event::Trouble(trouble) => self.on_trouble(trouble),
        }
    }

    /// Postpones the event if the agent's machine that would handle it is asleep; otherwise, returns it.
    fn hold_for_sleepers(&mut self, event: Event) -> Option<Event> {
        let agent = match &event {
            Event::AgentWake { agent, .. }
            | Event::Buttons { agent, .. }
            | Event::Journal { agent, .. }
            | Event::Dial { agent, .. } => *agent,
            Event::LinkUp { link } | Event::ToAgent { link, .. } | Event::AgentLoses { link } => {
                self.links[*link].agent
            }
            Event::Player { .. }
            | Event::Accept { .. }
            | Event::ToHub { .. }
            | Event::HubLoses { .. }
            | Event::AgentStarts { .. }
            | Event::Awake { .. }
            | Event::JournalHeals { .. }
            | Event::HubWake { .. }
            | Event::LogSynced { .. }
            | Event::HubStarts { .. }
            | Event::Look { .. }
            | Event::Correct
            | Event::Request { .. }
            | Event::Impatient { .. }
            | Event::Answer { .. }
            | Event::Trouble(_) => return Some(event),
        };
        let until = self.agents[agent].asleep_until;
        if until > self.now {
            self.queue.push(until, event);
            return None;
        }
        Some(event)
    }

    fn say(&self, what: impl FnOnce() -> String) {
        if self.tell {
            eprintln!("{:12.6} {}", self.now as f64 / SECOND as f64, what());
        }
    }

    fn fail(&mut self, what: String) {
        if self.failure.is_none() {
            let at = self.now as f64 / SECOND as f64;
            self.failure = Some(format!("at {at:.6} s: {what}"));
        }
    }

    fn mark(&mut self, kind: u64, values: &[u64]) {
        let mut mixed = self.trace ^ kind.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        for value in values.iter().chain([&(self.now.cast_unsigned())]) {
            mixed = (mixed ^ value).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed ^= mixed >> 29;
        }
        self.trace = mixed;
    }
}

/// Returns a short hash of bytes, for the trace.
fn name_of(bytes: &[u8]) -> u64 {
    let mut mixed = bytes.len() as u64;
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        mixed = (mixed ^ u64::from_le_bytes(word)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
    }
    mixed
}

//! Both cores on one thread, in virtual time. One seed, one course of events.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::sync::Arc;

use clock_agent::core::signer::Signer;
use clock_agent::core::{AgentCore, CoreConfig, Input as AgentInput, Output, Recovered};
use hub::hall::{
    Action, Actor, BoardDetail, Enrolment, Hall, HubEffect, Input, LinkId, Outcome, ReplyId,
    Request, Role, StartUp, Step,
};
use hub::view::EventView;
use prost::Message;
use proto::frame;
use proto::ids::{AgentId, CommandId};
use proto::log::Record;
use proto::wire::{self, AgentFrame, HubFrame, agent_frame, hub_frame};
use timing::{Board, BoardClock, BoardState, Button, Fact, Hub, Instant, Side, Snapshot};

pub(crate) const ORIGIN: &str = "flagfall.example/two-sided";
const START: i64 = 1_700_000_000_000_000;
/// A step's records are durable this much later.
const COMMIT: i64 = 300;

/// What may go wrong.
#[derive(Clone, Copy)]
pub(crate) struct Faults {
    /// Longest one-way delay beside the usual, microseconds.
    delay: u64,
    /// Datagrams lost and repeated, in a hundred.
    lost: u64,
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

enum Happening {
    ToHub(LinkId, Vec<u8>),
    ToAgent(usize, LinkId, Vec<u8>),
    Durable(u64),
    Synced(usize, u64, u64),
    Connect(usize),
    HubWake,
    AgentWake(usize),
}

struct Clock {
    core: AgentCore,
    id: AgentId,
    link: Option<LinkId>,
    opened: i64,
    /// Board time is the hub's, plus this, faster by so many parts in a million.
    offset: i64,
    ppm: i64,
    boot: u8,
    connecting: bool,
    /// When the newest frame on the stream arrives, in both directions.
    to_hub: i64,
    to_agent: i64,
    journal: u64,
    diverged: u64,
}

pub(crate) struct World {
    seed: u64,
    faults: Faults,
    now: i64,
    queue: BinaryHeap<Reverse<(i64, u64)>>,
    happenings: BTreeMap<u64, Happening>,
    order: u64,
    hall: Option<Hall>,
    log: Vec<Record>,
    /// Records that a crash leaves.
    durable: usize,
    waiting: BTreeMap<u64, (usize, Vec<HubEffect>)>,
    clocks: Vec<Clock>,
    next: u64,
    pub(crate) presses: u64,
    hub_wake: Option<i64>,
}

impl World {
    /// So many boards, each with its clock, connected and ready.
    pub(crate) fn new(seed: u64, boards: usize, control: &str, faults: Faults) -> Self {
        let mut world = Self {
            seed,
            faults: Faults::NONE,
            now: START,
            queue: BinaryHeap::new(),
            happenings: BTreeMap::new(),
            order: 0,
            hall: Some(Hall::new()),
            log: Vec::new(),
            durable: 0,
            waiting: BTreeMap::new(),
            clocks: Vec::new(),
            next: 1,
            presses: 0,
            hub_wake: None,
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
            world.hub_input(Input::Enrol {
                enrolment: Box::new(Enrolment {
                    agent: id,
                    exchange_key: Vec::new(),
                    name: format!("clock {board}"),
                    certificate_serial: Vec::new(),
                    board: Some(board.parse().unwrap()),
                }),
                reply,
            });
            let clock = world.new_clock(id);
            world.clocks.push(clock);
            world.after(1_000, Happening::Connect(number));
        }
        world.let_pass(2.0);
        world.faults = faults;
        world
    }

    fn new_clock(&mut self, id: AgentId) -> Clock {
        let offset = -START + 1_000_000_000 + i64::try_from(self.random(1_000_000_000)).unwrap();
        let ppm = i64::try_from(self.random(80)).unwrap() - 40;
        let mut clock = Clock {
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
        self.seed = self.seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.seed;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % below.max(1)
    }

    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    fn after(&mut self, us: i64, happening: Happening) {
        self.at(self.now + us, happening);
    }

    fn at(&mut self, at: i64, happening: Happening) {
        self.order += 1;
        self.queue.push(Reverse((at, self.order)));
        self.happenings.insert(self.order, happening);
    }

    /// Lets everything happen that happens within so many seconds, without players.
    pub(crate) fn let_pass(&mut self, seconds: f64) {
        let until = self.now + (seconds * 1e6) as i64;
        while let Some(Reverse((at, order))) = self.queue.peek().copied() {
            if at > until {
                break;
            }
            self.queue.pop();
            self.now = self.now.max(at);
            if let Some(happening) = self.happenings.remove(&order) {
                self.happen(happening);
            }
        }
        self.now = until;
    }

    /// The same, with players.
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

    /// The button of the side on move, mostly.
    fn button(&mut self, number: usize) -> Button {
        let careless = self.random(10) == 0;
        let Some(clock) = self.clocks[number].core.clock() else {
            return Button::Left;
        };
        let mover = match clock.state() {
            BoardState::Running { mover } => mover,
            _ => Side::White,
        };
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
        self.agent_input(number, AgentInput::Pressed { button, at });
    }

    fn happen(&mut self, happening: Happening) {
        match happening {
            Happening::ToHub(link, bytes) => self.arrive_at_hub(link, &bytes),
            Happening::ToAgent(number, link, bytes) => {
                if self.clocks[number].link == Some(link) {
                    let frame = frame::decode::<HubFrame>(&bytes).unwrap();
                    self.agent_input(number, AgentInput::Frame(frame));
                }
            }
            Happening::Durable(step) => {
                let Some((len, effects)) = self.waiting.remove(&step) else {
                    return;
                };
                self.durable = len;
                self.carry_out(effects);
            }
            Happening::Synced(number, journal, seq) => {
                if self.clocks[number].journal == journal {
                    self.agent_input(number, AgentInput::JournalSynced { seq });
                }
            }
            Happening::Connect(number) => self.connect(number),
            Happening::HubWake => {
                self.hub_wake = None;
                if self.hall.is_some() {
                    self.hub_input(Input::Wake);
                }
            }
            Happening::AgentWake(number) => self.agent_input(number, AgentInput::Wake),
        }
    }

    // ---- the hub

    fn start_up(&mut self) {
        let start = StartUp {
            origin: ORIGIN.to_owned(),
            event: EventView::default(),
            boot: vec![1; 16],
            wall_us: self.now,
            timeline: "same boot".to_owned(),
            bound_us: 0,
            nonce_seed: self.seed,
            scheduled: None,
        };
        self.hub_input(Input::StartUp(Box::new(start)));
    }

    fn hub_input(&mut self, input: Input) {
        let now = Instant::<Hub>::from_micros(self.now);
        let Some(hall) = &mut self.hall else { return };
        let Step {
            records,
            effects,
            at_once,
        } = hall.on_input(now, input);
        let wake = hall.next_wake().map(|at| at.as_micros().max(self.now + 1));
        self.log.extend(records);
        let step = self.number();
        self.waiting.insert(step, (self.log.len(), effects));
        self.after(COMMIT, Happening::Durable(step));
        self.carry_out(at_once);
        if let Some(at) = wake
            && self.hub_wake.is_none_or(|planned| at < planned)
        {
            self.hub_wake = Some(at);
            self.at(at, Happening::HubWake);
        }
    }

    fn carry_out(&mut self, effects: Vec<HubEffect>) {
        for effect in effects {
            match effect {
                HubEffect::ToAgent { link, frame } => self.send_to_agent(link, &frame),
                HubEffect::CloseLink { link, .. } => {
                    if let Some(number) = self.on_link(link) {
                        self.cut(number);
                    }
                }
                HubEffect::Reply { .. }
                | HubEffect::Enrolled { .. }
                | HubEffect::Publish { .. }
                | HubEffect::PublishEvent { .. }
                | HubEffect::Gone { .. }
                | HubEffect::Notice(_)
                | HubEffect::Count(_) => (),
            }
        }
    }

    fn on_link(&self, link: LinkId) -> Option<usize> {
        self.clocks
            .iter()
            .position(|clock| clock.link == Some(link))
    }

    fn arrive_at_hub(&mut self, link: LinkId, bytes: &[u8]) {
        let Some(number) = self.on_link(link) else {
            return;
        };
        let frame = frame::decode::<AgentFrame>(bytes).unwrap();
        if let Some(agent_frame::Frame::Hello(hello)) = frame.frame {
            let hello = Box::new(hub::from_proto::hello(hello).unwrap());
            let (agent, opened) = (self.clocks[number].id, self.clocks[number].opened);
            let opened = Instant::from_micros(opened);
            return self.hub_input(Input::AgentConnected {
                agent,
                link,
                opened,
                hello,
            });
        }
        let frame = hub::from_proto::agent_frame(frame).unwrap();
        let received = Instant::from_micros(self.now);
        self.hub_input(Input::AgentFrame {
            link,
            received,
            frame,
        });
    }

    /// The hub dies: what was not durable is gone, and nothing that depends on it was sent.
    pub(crate) fn kill_hub(&mut self) {
        self.hall = None;
        self.log.truncate(self.durable);
        self.waiting.clear();
        self.hub_wake = None;
        for number in 0..self.clocks.len() {
            self.cut(number);
        }
    }

    pub(crate) fn start_hub(&mut self) {
        let mut hall = Hall::new();
        for record in &self.log {
            let bytes = record.encode_to_vec();
            hall.apply(Record::decode(bytes.as_slice()).unwrap())
                .unwrap();
        }
        self.hall = Some(hall);
        self.start_up();
        for number in 0..self.clocks.len() {
            self.reconnect(number, 200_000);
        }
    }

    pub(crate) fn command(&mut self, board: &str, action: Action) -> CommandId {
        let mut id = [0; 16];
        id[..8].copy_from_slice(&self.number().to_be_bytes());
        let id = CommandId(id);
        let seen_seq = self
            .hall
            .as_ref()
            .and_then(|hall| hall.detail(&board.parse().unwrap(), Instant::from_micros(self.now)))
            .map_or(0, |detail| detail.view.seq);
        let request = Request {
            id,
            actor: Actor {
                name: "chief".to_owned(),
                role: Role::Chief,
            },
            board: Some(board.parse().unwrap()),
            seen_seq,
            reason: String::new(),
            action,
        };
        let reply = ReplyId(self.number());
        self.hub_input(Input::Command {
            request: Box::new(request),
            reply,
        });
        id
    }

    pub(crate) fn outcome(&self, id: CommandId) -> Option<Outcome> {
        let now = Instant::from_micros(self.now);
        self.hall
            .as_ref()?
            .outcome(&id, now)
            .map(|answer| answer.outcome)
    }

    pub(crate) fn view(&self, board: &str) -> Arc<BoardDetail> {
        let hall = self.hall.as_ref().unwrap();
        hall.detail(&board.parse().unwrap(), Instant::from_micros(self.now))
            .unwrap()
    }

    pub(crate) fn times(&self, board: &str) -> (i64, i64) {
        let view = self.view(board).view.clone().at(self.now);
        (view.white.us, view.black.us)
    }

    pub(crate) fn notes(&self, kind: &str) -> usize {
        self.log
            .iter()
            .filter(|record| {
                matches!(&record.input, Some(proto::log::record::Input::Note(note)) if note.kind == kind)
            })
            .count()
    }

    // ---- the clocks

    fn agent_input(&mut self, number: usize, input: AgentInput) {
        let now = self.clocks[number].board(self.now);
        let outputs = self.clocks[number].core.step(now, input);
        for output in outputs {
            match output {
                Output::Send(frame) => self.send_to_hub(number, &frame, true),
                Output::Datagram(frame) => self.send_to_hub(number, &frame, false),
                Output::Persist(batch) => {
                    let journal = self.clocks[number].journal;
                    let late = 500 + i64::try_from(self.random(3_000)).unwrap();
                    self.after(late, Happening::Synced(number, journal, batch.seq));
                }
                Output::Jump(span) => self.clocks[number].offset += span.as_micros(),
                Output::Close(_) => {
                    self.cut(number);
                    self.reconnect(number, 300_000);
                }
                Output::FaceChanged
                | Output::Chained { .. }
                | Output::Acknowledged { .. }
                | Output::OtherLog { .. } => (),
            }
        }
        let clock = &self.clocks[number];
        if let Some(wake) = clock.core.next_wake() {
            let wait = (wake - clock.board(self.now)).as_micros().max(1);
            // The crystal may be slower than the hub's: look a little later, not a little too early for ever.
            self.after(wait + wait / 20_000 + 1, Happening::AgentWake(number));
        }
    }

    fn send_to_hub(&mut self, number: usize, frame: &AgentFrame, stream: bool) {
        if let Some(agent_frame::Frame::Diverged(_)) = frame.frame {
            self.clocks[number].diverged += 1;
        }
        let Some(link) = self.clocks[number].link else {
            return;
        };
        let bytes = frame::encode(frame).unwrap();
        for _ in 0..self.copies(stream) {
            let mut at = self.now + self.delay();
            if stream {
                at = at.max(self.clocks[number].to_hub);
                self.clocks[number].to_hub = at;
            }
            self.at(at, Happening::ToHub(link, bytes.clone()));
        }
    }

    fn send_to_agent(&mut self, link: LinkId, frame: &HubFrame) {
        let Some(number) = self.on_link(link) else {
            return;
        };
        let stream = !matches!(frame.frame, Some(hub_frame::Frame::TimeProbe(_)));
        let bytes = frame::encode(frame).unwrap();
        for _ in 0..self.copies(stream) {
            let mut at = self.now + self.delay();
            if stream {
                at = at.max(self.clocks[number].to_agent);
                self.clocks[number].to_agent = at;
            }
            self.at(at, Happening::ToAgent(number, link, bytes.clone()));
        }
    }

    fn copies(&mut self, stream: bool) -> u32 {
        if stream {
            return 1;
        }
        let drawn = self.random(100);
        if drawn < self.faults.lost {
            0
        } else if drawn < self.faults.lost + self.faults.repeated {
            2
        } else {
            1
        }
    }

    fn delay(&mut self) -> i64 {
        let usual = 100 + self.random(200);
        let unusual = match self.random(4) {
            0 => self.random(self.faults.delay),
            _ => 0,
        };
        i64::try_from(usual + unusual).unwrap()
    }

    fn reconnect(&mut self, number: usize, us: i64) {
        if !self.clocks[number].connecting {
            self.clocks[number].connecting = true;
            let us = us + i64::try_from(self.random(100_000)).unwrap();
            self.after(us, Happening::Connect(number));
        }
    }

    fn connect(&mut self, number: usize) {
        self.clocks[number].connecting = false;
        if self.hall.is_none() || self.clocks[number].link.is_some() {
            return;
        }
        let link = LinkId(self.number());
        let clock = &mut self.clocks[number];
        clock.link = Some(link);
        clock.opened = self.now;
        (clock.to_hub, clock.to_agent) = (self.now, self.now);
        self.agent_input(number, AgentInput::LinkUp);
    }

    /// The link breaks: what was on its way is lost, and both ends find out.
    pub(crate) fn cut(&mut self, number: usize) {
        let Some(link) = self.clocks[number].link.take() else {
            return;
        };
        let why = "cut".to_owned();
        self.hub_input(Input::AgentGone { link, why });
        self.agent_input(number, AgentInput::LinkDown);
    }

    /// The machine is off for so many seconds; its board time stands still, and its journal is whole.
    pub(crate) fn reboot(&mut self, number: usize, seconds: f64) {
        self.cut(number);
        let journal = self.clocks[number].core.whole_journal();
        self.let_pass(seconds);
        let clock = &mut self.clocks[number];
        clock.offset -= (seconds * 1e6) as i64;
        clock.boot += 1;
        clock.journal += 1;
        let (recovered, error) = clock_agent::core::recover(journal.entries, ORIGIN, &clock.id);
        assert!(error.is_none(), "{error:?}");
        let now = clock.board(self.now);
        clock.core = AgentCore::new(config(clock.id, clock.boot), recovered, now);
        self.reconnect(number, 100_000);
    }

    pub(crate) fn agent_key(&self, number: usize) -> String {
        self.clocks[number].id.to_string()
    }

    /// Something goes wrong, or an arbiter acts.
    pub(crate) fn disturb(&mut self) {
        let number = usize::try_from(self.random(self.clocks.len() as u64)).unwrap();
        let board = (number + 1).to_string();
        match self.random(8) {
            0 | 1 => {
                self.kill_hub();
                let away = self.random(8_000) as f64 / 1e3;
                self.play(away);
                self.start_hub();
            }
            2 | 3 => {
                self.cut(number);
                let us = i64::try_from(self.random(6_000_000)).unwrap();
                self.reconnect(number, us);
            }
            4 => {
                let seconds = self.random(20) as f64;
                self.reboot(number, seconds);
            }
            drawn => {
                let text = match drawn {
                    5 => "pause",
                    6 => "resume",
                    _ => "add white 5s",
                };
                let id = self.command(&board, Action::Board(text.parse().unwrap()));
                if self.random(3) == 0 {
                    self.command(&board, Action::Force(id));
                }
            }
        }
    }

    /// Nothing goes wrong any more.
    pub(crate) fn calm(&mut self) {
        self.faults = Faults::NONE;
        if self.hall.is_none() {
            self.start_hub();
        }
    }

    /// Every clock is connected, and everything that is under way arrives.
    pub(crate) fn settle(&mut self) {
        for _ in 0..8 {
            for number in 0..self.clocks.len() {
                if self.clocks[number].link.is_none() {
                    self.reconnect(number, 10_000);
                }
            }
            self.let_pass(4.0);
        }
        for clock in &self.clocks {
            assert!(
                clock.core.connected(),
                "clock {} is not connected",
                clock.id
            );
        }
    }

    /// Starts every game.
    pub(crate) fn start_all(&mut self) {
        for number in 0..self.clocks.len() {
            let board = (number + 1).to_string();
            self.command(&board, Action::Board("start".parse().unwrap()));
        }
        self.let_pass(1.0);
    }

    // ---- what must hold

    /// Hub and clock have the same clock, to the byte, and neither ever thought otherwise.
    #[track_caller]
    pub(crate) fn assert_both_ends_alike(&self) {
        let hall = self.hall.as_ref().unwrap();
        for clock in &self.clocks {
            let board = clock.core.board();
            let Some(ours) = clock.core.clock() else {
                continue;
            };
            if board.is_empty() {
                continue;
            }
            let bytes = hall.clock_bytes(board).unwrap();
            let theirs = BoardClock::from_snapshot(&Snapshot::from_bytes(&bytes).unwrap()).unwrap();
            let now = clock.board(self.now);
            let settled = |clock: &BoardClock| {
                let mut clock = clock.clone();
                let _ = clock.on_fact(now, Fact::TimePassed);
                clock
            };
            if hall.agents().iter().any(|agent| {
                agent.agent == clock.id && agent.board.as_ref().is_some_and(|b| b.as_str() == board)
            }) {
                assert_eq!(settled(ours), settled(&theirs), "board {board}");
            }
            assert_eq!(clock.diverged, 0, "clock of board {board}");
        }
        for kind in [
            "bad_chain",
            "broken_promise",
            "fork",
            "clock_fault",
            "from_the_future",
        ] {
            assert_eq!(self.notes(kind), 0, "{kind}");
        }
        let mut replayed = Hall::new();
        for record in &self.log {
            replayed.apply(record.clone()).unwrap();
        }
        assert!(replayed.snapshot() == hall.snapshot(), "replay equals live");
    }

    /// Every event of every clock is in the log, once.
    pub(crate) fn assert_nothing_lost(&self) {
        for clock in &self.clocks {
            let logged: Vec<u64> = self
                .log
                .iter()
                .filter_map(|record| match &record.input {
                    Some(proto::log::record::Input::AgentEvent(event))
                        if event.agent == clock.id.0 =>
                    {
                        let body = wire::EventBody::decode(event.body.as_slice()).unwrap();
                        Some(body.seq)
                    }
                    _ => None,
                })
                .collect();
            let all: Vec<u64> = (1..=clock.core.seq().0).collect();
            assert_eq!(logged, all);
        }
    }
}

impl Clock {
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
    }
}

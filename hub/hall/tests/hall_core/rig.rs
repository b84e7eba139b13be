//! A hall in virtual time, with clocks operated by the test.

use std::collections::BTreeMap;
use std::sync::Arc;

use hall::view::EventView;
use hall::{
    Action, Actor, AgentFrame, Answer, Ask, BoardDetail, BoardId, Denied, Enrolment, Hall, Hello,
    HubEffect, Immediate, Input, LinkId, OriginText, Outcome, ReplyId, Request, RequestDigest,
    Role, StartUp, Step,
};
use prost::Message;
use proto::chain::{chain_hash, genesis};
use proto::ids::{AgentId, CommandId, EventSeq};
use proto::log::Record;
use proto::wire::{self, Ack, EventBody, GoodbyeReason, HubFrame, event_body, hub_frame, order};
use timing::{Board, Button, Duration, Hub, Instant, Setup, StartRule};

/// Hub instant, in microseconds, at which the rig begins. Not zero, so that nothing happens at instant 0.
pub(crate) const START: i64 = 1_000_000_000_000;

pub(crate) struct Rig {
    pub(crate) hall: Hall,
    pub(crate) now: Instant<Hub>,
    pub(crate) log: Vec<Record>,
    post: BTreeMap<LinkId, Vec<HubEffect>>,
    next_link: u64,
    next_reply: u64,
    next_command: u64,
}

pub(crate) fn seconds(seconds: f64) -> Duration {
    Duration::from_micros((seconds * 1e6).round() as i64)
}

pub(crate) fn id(board: &str) -> BoardId {
    board.parse().unwrap()
}

pub(crate) fn start_up(scheduled: Option<Instant<Hub>>) -> StartUp {
    StartUp {
        origin: "flagfall.example/hall".to_owned(),
        event: EventView {
            name: "Test Open".to_owned(),
            ..EventView::default()
        },
        boot: vec![1; 16],
        wall_us: START,
        timeline: "first start".to_owned(),
        bound_us: 0,
        authority_der: Vec::new(),
        voucher_der: Vec::new(),
        nonce_seed: 7,
        scheduled,
    }
}

impl Rig {
    pub(crate) fn new() -> Self {
        Self::scheduled(None)
    }

    pub(crate) fn scheduled(at: Option<Instant<Hub>>) -> Self {
        let mut rig = Self {
            hall: Hall::new(),
            now: Instant::from_micros(START),
            log: Vec::new(),
            post: BTreeMap::new(),
            next_link: 1,
            next_reply: 1,
            next_command: 1,
        };
        rig.input(Input::StartUp(Box::new(start_up(at))));
        rig
    }

    pub(crate) fn with_board(control: &str) -> (Self, HandClock) {
        let mut rig = Self::new();
        let clock = rig.add_board_with_clock(1, control);
        (rig, clock)
    }

    pub(crate) fn running(control: &str) -> (Self, HandClock) {
        let (mut rig, mut clock) = Self::with_board(control);
        rig.pass(1.0);
        let answer = rig.ask("1", "start");
        assert_eq!(answer, None, "the clock has not taken the order yet");
        clock.take_orders(&mut rig);
        assert_eq!(rig.view("1").view.running, hall::view::Running::White);
        (rig, clock)
    }

    /// Lets `span` seconds pass and wakes the hall whenever a wake-up is due; returns the effects.
    pub(crate) fn pass(&mut self, span: f64) -> Vec<HubEffect> {
        let until = self.now + seconds(span);
        let mut effects = Vec::new();
        while let Some(wake) = self.hall.next_wake().filter(|wake| *wake <= until) {
            self.now = self.now.max(wake);
            effects.extend(self.input(Input::Wake));
        }
        self.now = until;
        effects
    }

    pub(crate) fn input(&mut self, input: Input) -> Vec<HubEffect> {
        let Step {
            records,
            effects,
            immediate,
        } = self.hall.on_input(self.now, input);
        for record in &records {
            assert!(record.encoded_len() <= 4096, "{record:?}");
        }
        self.log.extend(records);
        let probes = immediate.into_iter().filter_map(|effect| match effect {
            Immediate::Probe { link, probe } => Some(HubEffect::ToAgent {
                link,
                frame: probe.into(),
            }),
            Immediate::ClockHealth(_) => None,
        });
        let effects: Vec<HubEffect> = probes.chain(effects).collect();
        for effect in &effects {
            if let HubEffect::ToAgent { link, .. } | HubEffect::CloseLink { link, .. } = effect {
                self.post.entry(*link).or_default().push(effect.clone());
            }
        }
        effects
    }

    pub(crate) fn add_board(&mut self, board: &str, control: &str) {
        let setup = Setup {
            control: control.parse().unwrap(),
            start: StartRule::Arbiter,
            white: Button::Left,
        };
        let answer = self.request(board, Action::AddBoard(setup, None)).unwrap();
        assert_eq!(answer.outcome, Outcome::Done);
    }

    pub(crate) fn add_board_with_clock(&mut self, number: u8, control: &str) -> HandClock {
        let board = number.to_string();
        self.add_board(&board, control);
        let mut clock = self.enrol(number, Some(&board));
        clock.connect(self);
        clock.take_orders(self);
        clock
    }

    pub(crate) fn enrol(&mut self, number: u8, board: Option<&str>) -> HandClock {
        let agent = AgentId([number; 32]);
        let enrolment = Enrolment {
            side: None,
            admitted_by: String::new(),
            agent,
            exchange_key: vec![number; 32],
            name: format!("clock {number}"),
            certificate_serial: vec![number],
            certificate: Vec::new(),
            board: board.map(id),
        };
        self.answered(enrolment)
            .expect("an answer at once")
            .unwrap();
        HandClock::new(agent)
    }

    pub(crate) fn reply(&mut self) -> ReplyId {
        self.next_reply += 1;
        ReplyId(self.next_reply)
    }

    pub(crate) fn command_id(&mut self) -> CommandId {
        self.next_command += 1;
        let mut id = [0; 16];
        id[..8].copy_from_slice(&self.next_command.to_be_bytes());
        CommandId(id)
    }

    /// Returns a request from the chief arbiter, who has seen the current state.
    pub(crate) fn chief(&mut self, board: &str, action: Action) -> Request {
        Request {
            digest: RequestDigest::OWN,
            id: self.command_id(),
            actor: Actor {
                name: "chief".to_owned(),
                role: Role::Chief,
            },
            board: Some(id(board)),
            seen_seq: self.seq(board),
            offence: None,
            reason: String::new(),
            action,
        }
    }

    pub(crate) fn send(&mut self, request: Request) -> Option<Result<Answer, Denied>> {
        self.answered(request)
    }

    pub(crate) fn answered<A: Ask>(&mut self, request: A) -> Option<Result<A::Answer, Denied>> {
        self.asked(request).0
    }

    pub(crate) fn asked<A: Ask>(
        &mut self,
        request: A,
    ) -> (Option<Result<A::Answer, Denied>>, Vec<HubEffect>) {
        let reply = self.reply();
        let effects = self.input(Input::asked(request, reply));
        (answer_to::<A>(reply, &effects), effects)
    }

    pub(crate) fn request(&mut self, board: &str, action: Action) -> Result<Answer, Denied> {
        let request = self.chief(board, action);
        self.send(request).expect("an answer at once")
    }

    /// Sends a command for the board as the chief arbiter; returns the outcome if it is immediate.
    pub(crate) fn ask(&mut self, board: &str, command: &str) -> Option<Outcome> {
        let request = self.chief(board, Action::Board(command.parse().unwrap()));
        self.send(request).map(|answer| answer.unwrap().outcome)
    }

    pub(crate) fn view(&self, board: &str) -> Arc<BoardDetail> {
        self.hall.detail(&id(board), self.now).unwrap()
    }

    pub(crate) fn seq(&self, board: &str) -> u64 {
        self.hall
            .detail(&id(board), self.now)
            .map_or(0, |detail| detail.view.seq)
    }

    /// Returns White's and Black's time in hand, in microseconds.
    pub(crate) fn times(&self, board: &str) -> (i64, i64) {
        let detail = self.view(board);
        let view = detail.view.clone().at(self.now.as_micros());
        (view.white.us, view.black.us)
    }

    pub(crate) fn notes(&self) -> Vec<String> {
        self.log
            .iter()
            .filter_map(|record| match &record.input {
                Some(proto::log::record::Input::Note(note)) => Some(note.kind.clone()),
                _ => None,
            })
            .collect()
    }

    /// Returns the number of records, not counting the changes of clocks' links.
    pub(crate) fn news(&self) -> usize {
        let link = |record: &&Record| {
            matches!(
                record.input,
                Some(proto::log::record::Input::LinkChanged(_))
            )
        };
        self.log.len() - self.log.iter().filter(link).count()
    }

    /// Folds the log and returns the resulting hall. Also checks the changes that the records list.
    pub(crate) fn replayed(&self) -> Hall {
        let mut hall = Hall::new();
        for record in &self.log {
            let bytes = record.encode_to_vec();
            let changed = hall
                .apply_traced(Record::decode(bytes.as_slice()).unwrap())
                .unwrap();
            // Hubs with older rules did not log the changes made by a record.
            if !record.board.is_empty() && record.rules > 1 {
                assert_eq!(record.changed, Some(changed), "{record:?}");
            }
        }
        hall
    }

    #[track_caller]
    pub(crate) fn assert_replay_equals_live(&self) {
        let replayed = self.replayed();
        assert!(replayed.same_state(&self.hall), "replay differs from live");
    }

    pub(crate) fn restart(&mut self) {
        self.hall = self.replayed();
        let mut start = start_up(None);
        start.nonce_seed += 1;
        self.input(Input::StartUp(Box::new(start)));
    }

    /// Returns a running board whose clock has answered 24 probes within two milliseconds each.
    pub(crate) fn on_a_quick_link(control: &str) -> (Self, HandClock) {
        let (mut rig, mut clock) = Self::with_board(control);
        for _ in 0..24 {
            clock.frames.clear();
            let nonce = loop {
                rig.pass(0.001);
                clock.hear(&mut rig);
                let probe = clock.frames.iter().find_map(|frame| match frame.frame {
                    Some(hub_frame::Frame::TimeProbe(probe)) => Some(probe.nonce),
                    _ => None,
                });
                if let Some(nonce) = probe {
                    break nonce;
                }
            };
            rig.pass(0.001);
            let at = clock.now(&rig) - seconds(0.0005);
            let (received, sent) = (at, at);
            let reply = AgentFrame::TimeReply {
                nonce,
                received,
                sent,
            };
            clock.frame(&mut rig, reply);
            clock.watermark(&mut rig);
        }
        assert_eq!(rig.ask("1", "start"), None);
        clock.take_orders(&mut rig);
        (rig, clock)
    }

    pub(crate) fn link(&mut self) -> LinkId {
        self.next_link += 1;
        LinkId(self.next_link)
    }
}

pub(crate) fn answer_to<A: Ask>(
    to: ReplyId,
    effects: &[HubEffect],
) -> Option<Result<A::Answer, Denied>> {
    effects.iter().find_map(|effect| match effect {
        HubEffect::Reply { reply, answer } if *reply == to => Some(
            answer
                .clone()
                .map(|answer| A::answer(answer).expect("an answer of the request's kind")),
        ),
        _ => None,
    })
}

/// A clock agent operated by the test. It maintains its own chain and does nothing else by itself.
#[derive(Clone)]
pub(crate) struct HandClock {
    pub(crate) id: AgentId,
    pub(crate) seq: u64,
    pub(crate) head: [u8; 32],
    pub(crate) taken: u64,
    pub(crate) link: Option<LinkId>,
    /// The offset (hub − board) in microseconds.
    pub(crate) offset: i64,
    pub(crate) waiting: Vec<wire::Order>,
    pub(crate) acks: Vec<Ack>,
    pub(crate) welcome: Option<wire::Welcome>,
    pub(crate) closed: Option<(GoodbyeReason, String)>,
    pub(crate) frames: Vec<HubFrame>,
    /// The nonce of the probe that the clock's events echo.
    pub(crate) echo: u64,
}

impl HandClock {
    fn new(id: AgentId) -> Self {
        Self {
            id,
            seq: 0,
            head: genesis("flagfall.example/hall", &id),
            taken: 0,
            link: None,
            offset: START - 5_000_000_000,
            waiting: Vec::new(),
            acks: Vec::new(),
            welcome: None,
            closed: None,
            frames: Vec::new(),
            echo: 0,
        }
    }

    pub(crate) fn now(&self, rig: &Rig) -> Instant<Board> {
        Instant::from_micros(rig.now.as_micros().saturating_sub(self.offset))
    }

    pub(crate) fn hello(&self, rig: &Rig) -> Hello {
        Hello {
            major: proto::MAJOR,
            minor: 0,
            firmware: "by hand".parse().unwrap(),
            log_origin: match self.seq {
                0 => OriginText::default(),
                _ => "flagfall.example/hall".parse().unwrap(),
            },
            next_seq: EventSeq(self.seq + 1),
            head: (self.seq > 0).then_some(self.head),
            boot: vec![1; 16],
            now: self.now(rig),
            orders_taken: self.taken,
            rebooted: false,
            foreign: None,
            journal_damaged: false,
            process: None,
            no_corrections: false,
        }
    }

    pub(crate) fn connect(&mut self, rig: &mut Rig) {
        let hello = self.hello(rig);
        self.connect_with(rig, hello);
    }

    pub(crate) fn connect_with(&mut self, rig: &mut Rig, hello: Hello) {
        let link = rig.link();
        self.link = Some(link);
        self.waiting.clear();
        self.closed = None;
        self.welcome = None;
        rig.input(Input::AgentConnected {
            agent: self.id,
            link,
            opened: rig.now,
            hello: Box::new(hello),
        });
        self.hear(rig);
    }

    pub(crate) fn drop_link(&mut self, rig: &mut Rig) {
        if let Some(link) = self.link.take() {
            let why = "test".to_owned();
            rig.input(Input::AgentGone { link, why });
        }
    }

    pub(crate) fn hear(&mut self, rig: &mut Rig) {
        let Some(link) = self.link else { return };
        for effect in rig.post.remove(&link).unwrap_or_default() {
            match effect {
                HubEffect::ToAgent { frame, .. } => {
                    self.frames.push(frame.clone());
                    match frame.frame.unwrap() {
                        hub_frame::Frame::Order(order) => self.waiting.push(order),
                        hub_frame::Frame::Ack(ack) => self.acks.push(ack),
                        hub_frame::Frame::Welcome(welcome) => self.welcome = Some(welcome),
                        _ => (),
                    }
                }
                HubEffect::CloseLink { reason, text, .. } => {
                    self.closed = Some((reason, text));
                    self.link = None;
                }
                _ => (),
            }
        }
    }

    pub(crate) fn frame(&mut self, rig: &mut Rig, frame: AgentFrame) -> Vec<HubEffect> {
        let Some(link) = self.link else {
            return Vec::new();
        };
        let effects = rig.input(Input::AgentFrame {
            link,
            received: rig.now,
            frame,
        });
        self.hear(rig);
        effects
    }

    pub(crate) fn event(&mut self, at: Instant<Board>, fact: event_body::Fact) -> AgentFrame {
        self.seq += 1;
        let body = EventBody {
            seq: self.seq,
            prev_hash: self.head.to_vec(),
            at_us: at.as_micros(),
            newest_probe: self.echo,
            fact: Some(fact),
            ..EventBody::default()
        }
        .encode_to_vec();
        self.head = chain_hash(&body);
        let event = hall::from_proto::signed_event(body, vec![0; 64]).unwrap();
        AgentFrame::Event(Box::new(event))
    }

    pub(crate) fn press_frame(&mut self, at: Instant<Board>, button: Button) -> AgentFrame {
        let button = match button {
            Button::Left => wire::Button::Left,
            Button::Right => wire::Button::Right,
        }
        .into();
        self.event(at, event_body::Fact::Press(wire::Press { button }))
    }

    pub(crate) fn press(&mut self, rig: &mut Rig, button: Button) -> Vec<HubEffect> {
        let frame = self.press_frame(self.now(rig), button);
        self.frame(rig, frame)
    }

    /// Answers the newest time probe, which may be up to a second old; returns the probe's nonce.
    pub(crate) fn answer_probe(&mut self, rig: &mut Rig) -> u64 {
        rig.pass(0.03);
        self.hear(rig);
        let probe = self
            .frames
            .iter()
            .rev()
            .find_map(|frame| match frame.frame {
                Some(hub_frame::Frame::TimeProbe(probe)) => Some(probe),
                _ => None,
            });
        let probe = probe.unwrap();
        self.frames.clear();
        rig.now = rig.now.max(Instant::from_micros(probe.hub_us + 1_000));
        let received = Instant::from_micros(rig.now.as_micros() - 500 - self.offset);
        let reply = AgentFrame::TimeReply {
            nonce: probe.nonce,
            received,
            sent: received,
        };
        self.frame(rig, reply);
        probe.nonce
    }

    pub(crate) fn watermark(&mut self, rig: &mut Rig) -> Vec<HubEffect> {
        let (at, seq) = (self.now(rig), EventSeq(self.seq));
        self.frame(rig, AgentFrame::Watermark { at, seq })
    }

    pub(crate) fn take_orders(&mut self, rig: &mut Rig) -> Vec<HubEffect> {
        self.take_orders_at(rig, self.now(rig))
    }

    pub(crate) fn take_orders_at(&mut self, rig: &mut Rig, at: Instant<Board>) -> Vec<HubEffect> {
        self.hear(rig);
        let mut effects = Vec::new();
        while !self.waiting.is_empty() {
            let order = self.waiting.remove(0);
            if order.number <= self.taken {
                continue;
            }
            self.taken = order.number;
            let fact = event_body::Fact::OrderTaken(wire::OrderTaken {
                order: order.number,
            });
            let frame = self.event(at, fact);
            effects.extend(self.frame(rig, frame));
        }
        effects
    }

    pub(crate) fn ordered(&mut self, rig: &mut Rig) -> Vec<String> {
        self.hear(rig);
        self.waiting
            .iter()
            .map(|order| match order.what.as_ref().unwrap() {
                order::What::Command(text) => text.clone(),
                order::What::Adopt(adopt) => format!("adopt {}", adopt.board),
                order::What::ServeSide(serve) => {
                    format!("serve {:?} of {}", serve.side(), serve.board)
                }
            })
            .collect()
    }
}

//! A hall that receives arbitrary actions: the possible actions, and their effects on a [`Rig`]. Like real clocks, these clocks keep every event
//! until it is acknowledged, unless they lose their journal.

use hall::{Action, AgentFrame, Health, Hello, OriginText};
use proptest::prelude::*;
use proto::ids::EventSeq;
use proto::wire::{self, event_body};
use timing::{Button, Instant, Side};

use crate::rig::{HandClock, Rig, seconds};

#[derive(Clone, Debug)]
pub(crate) enum MillAction {
    Pass(u32),
    Restart,
    Clock(usize, ClockAction),
    Link(usize, LinkAction),
    Arbiter(usize, ArbiterAction),
}

#[derive(Clone, Debug)]
pub(crate) enum ClockAction {
    Press { left: bool, early_ms: u32 },
    Stop,
    Absurd { at: i64, rebase: bool },
    Watermark { ahead_ms: i32, seq: i8 },
    Orders,
    Repeat,
    Gap,
    Diverged,
    Health { percent: u32 },
}

#[derive(Clone, Debug)]
pub(crate) enum LinkAction {
    Connect,
    Drop,
    Reboot { stood_ms: u32 },
    LoseJournal,
}

#[derive(Clone, Debug)]
pub(crate) enum ArbiterAction {
    Command { text: usize, behind: u8 },
    Restore { event: u64 },
    Assign { clock: Option<usize> },
    AssignSide { side: Side, clock: Option<usize> },
    Force { nth: usize },
    Withdraw { nth: usize },
    Names,
    AddBoard,
    RemoveBoard,
}

const COMMANDS: &[&str] = &[
    "start",
    "start black",
    "pause",
    "resume",
    "resume white",
    "set white 3s",
    "add black -20s",
    "add white 1m",
    "moves white 41",
    "end mate white",
    "end draw",
    "end result 1-0",
    "end result *",
    "flag white",
    "flag black",
    "swap",
    "button right",
    "prepare left arbiter 5s",
    "prepare right black-press 3s+1s",
    "control 10s byo 2x3s",
    "claim draw white",
    "refill white",
];

pub(crate) fn mill_action() -> impl Strategy<Value = MillAction> {
    prop_oneof![
        6 => (1..20_000_u32).prop_map(MillAction::Pass),
        30 => (0..3_usize, clock_action()).prop_map(|(clock, what)| MillAction::Clock(clock, what)),
        8 => (0..3_usize, link_action()).prop_map(|(clock, what)| MillAction::Link(clock, what)),
        20 => (0..4_usize, arbiter_action()).prop_map(|(board, what)| MillAction::Arbiter(board, what)),
        1 => Just(MillAction::Restart),
    ]
}

fn clock_action() -> impl Strategy<Value = ClockAction> {
    prop_oneof![
        12 => (any::<bool>(), 0..1_500_u32)
            .prop_map(|(left, early_ms)| ClockAction::Press { left, early_ms }),
        1 => Just(ClockAction::Stop),
        1 => (absurd(), any::<bool>()).prop_map(|(at, rebase)| ClockAction::Absurd { at, rebase }),
        6 => (-500..500_i32, -1..2_i8)
            .prop_map(|(ahead_ms, seq)| ClockAction::Watermark { ahead_ms, seq }),
        6 => Just(ClockAction::Orders),
        2 => Just(ClockAction::Repeat),
        1 => Just(ClockAction::Gap),
        1 => Just(ClockAction::Diverged),
        1 => (0..101_u32).prop_map(|percent| ClockAction::Health { percent }),
    ]
}

fn link_action() -> impl Strategy<Value = LinkAction> {
    prop_oneof![
        4 => Just(LinkAction::Connect),
        2 => Just(LinkAction::Drop),
        1 => (0..60_000_u32).prop_map(|stood_ms| LinkAction::Reboot { stood_ms }),
        1 => Just(LinkAction::LoseJournal),
    ]
}

fn arbiter_action() -> impl Strategy<Value = ArbiterAction> {
    prop_oneof![
        10 => (0..COMMANDS.len(), 0..3_u8)
            .prop_map(|(text, behind)| ArbiterAction::Command { text, behind }),
        1 => (1..30_u64).prop_map(|event| ArbiterAction::Restore { event }),
        2 => prop::option::of(0..3_usize).prop_map(|clock| ArbiterAction::Assign { clock }),
        2 => (any::<bool>(), prop::option::of(0..3_usize)).prop_map(|(white, clock)| {
            let side = if white { Side::White } else { Side::Black };
            ArbiterAction::AssignSide { side, clock }
        }),
        2 => (0..5_usize).prop_map(|nth| ArbiterAction::Force { nth }),
        2 => (0..5_usize).prop_map(|nth| ArbiterAction::Withdraw { nth }),
        1 => Just(ArbiterAction::Names),
        1 => Just(ArbiterAction::AddBoard),
        1 => Just(ArbiterAction::RemoveBoard),
    ]
}

/// Generates extreme and arbitrary stamps.
fn absurd() -> impl Strategy<Value = i64> {
    prop_oneof![
        Just(i64::MIN),
        Just(i64::MAX),
        Just(0),
        any::<i64>(),
        (0..1_000_000_000_000_000_i64),
    ]
}

pub(crate) struct Mill {
    pub(crate) rig: Rig,
    clocks: Vec<HandClock>,
    unacknowledged: Vec<Vec<(u64, AgentFrame)>>,
    last: Vec<Option<AgentFrame>>,
    pub(crate) commands: Vec<(usize, proto::ids::CommandId)>,
}

impl Mill {
    pub(crate) fn new() -> Self {
        let mut rig = Rig::new();
        for board in ["1", "2", "3"] {
            rig.add_board(board, "5s+1s");
        }
        let clocks: Vec<HandClock> = (1..=3_u8)
            .map(|n| rig.enrol(n, Some(["1", "2", "3"][usize::from(n) - 1])))
            .collect();
        Self {
            rig,
            unacknowledged: vec![Vec::new(); 3],
            last: vec![None; 3],
            clocks,
            commands: Vec::new(),
        }
    }

    /// Returns a hall after its three clocks have connected and `actions` have been performed.
    pub(crate) fn after(actions: Vec<MillAction>) -> Self {
        let mut mill = Self::new();
        for clock in 0..3 {
            mill.connect(clock, |_| ());
            mill.orders(clock);
        }
        for action in actions {
            mill.run(action);
        }
        mill
    }

    fn board(board: usize) -> &'static str {
        ["1", "2", "3", "4"][board]
    }

    fn deliver(&mut self, clock: usize, frame: AgentFrame) {
        if let AgentFrame::Event(event) = &frame {
            self.unacknowledged[clock].push((event.seq.0, frame.clone()));
            self.last[clock] = Some(frame.clone());
        }
        self.clocks[clock].frame(&mut self.rig, frame);
        self.sort_acks(clock);
    }

    fn sort_acks(&mut self, clock: usize) {
        let acked = self.clocks[clock].acks.last().map_or(0, |ack| ack.seq);
        self.unacknowledged[clock].retain(|(seq, _)| *seq > acked);
    }

    pub(crate) fn orders(&mut self, clock: usize) {
        self.clocks[clock].hear(&mut self.rig);
        while !self.clocks[clock].waiting.is_empty() {
            let order = self.clocks[clock].waiting.remove(0);
            if order.number <= self.clocks[clock].taken {
                continue;
            }
            self.clocks[clock].taken = order.number;
            let fact = event_body::Fact::OrderTaken(wire::OrderTaken {
                order: order.number,
            });
            let at = self.clocks[clock].now(&self.rig);
            let frame = self.clocks[clock].event(at, fact);
            self.deliver(clock, frame);
        }
    }

    pub(crate) fn connect(&mut self, clock: usize, change: impl FnOnce(&mut Hello)) {
        let mut hello = self.clocks[clock].hello(&self.rig);
        change(&mut hello);
        self.clocks[clock].drop_link(&mut self.rig);
        self.clocks[clock].connect_with(&mut self.rig, hello);
        let Some(welcome) = self.clocks[clock].welcome.clone() else {
            return;
        };
        self.unacknowledged[clock].retain(|(seq, _)| *seq > welcome.acked_seq);
        if welcome.rebase_us > 0 {
            // Events from before the jump are sent first.
            self.resend(clock);
            let offset = self.clocks[clock].offset;
            self.clocks[clock].offset = offset.saturating_sub(welcome.rebase_us);
            let fact = event_body::Fact::Rebase(wire::Rebase {
                jump_us: welcome.rebase_us,
                uncertainty_us: welcome.rebase_uncertainty_us,
                uncharged: false,
            });
            let at = self.clocks[clock].now(&self.rig);
            let frame = self.clocks[clock].event(at, fact);
            self.deliver(clock, frame);
        } else {
            self.resend(clock);
        }
    }

    fn resend(&mut self, clock: usize) {
        for (_, frame) in self.unacknowledged[clock].clone() {
            self.clocks[clock].frame(&mut self.rig, frame);
        }
        self.sort_acks(clock);
    }

    fn request(&mut self, board: usize, action: Action, behind: u8) {
        let mut request = self.rig.chief(Self::board(board), action);
        request.seen_seq = request.seen_seq.saturating_sub(u64::from(behind));
        self.commands.push((board, request.id));
        let answer = self.rig.send(request.clone());
        // A repetition sent immediately afterwards has no second effect.
        let records = self.rig.log.len();
        let again = self.rig.send(request);
        assert!(self.rig.log.len() == records || !matches!(answer, Some(Ok(_))));
        if let (Some(Ok(first)), Some(Ok(second))) = (answer, again) {
            assert_eq!(first.outcome, second.outcome);
        }
    }

    fn hear_all(&mut self) {
        for clock in &mut self.clocks {
            clock.hear(&mut self.rig);
        }
        for clock in 0..self.clocks.len() {
            self.sort_acks(clock);
        }
    }

    pub(crate) fn run(&mut self, action: MillAction) {
        match action {
            MillAction::Pass(ms) => drop(self.rig.pass(f64::from(ms) / 1e3)),
            MillAction::Restart => {
                self.rig.restart();
                for clock in &mut self.clocks {
                    clock.link = None;
                }
            }
            MillAction::Clock(clock, what) => self.act_on_clock(clock, what),
            MillAction::Link(clock, what) => self.act_on_link(clock, what),
            MillAction::Arbiter(board, what) => self.act(board, what),
        }
        self.hear_all();
    }

    fn act_on_clock(&mut self, clock: usize, what: ClockAction) {
        match what {
            ClockAction::Press { left, early_ms } => {
                let at = self.clocks[clock].now(&self.rig) - seconds(f64::from(early_ms) / 1e3);
                let button = if left { Button::Left } else { Button::Right };
                let frame = self.clocks[clock].press_frame(at, button);
                self.deliver(clock, frame);
            }
            ClockAction::Stop => {
                let at = self.clocks[clock].now(&self.rig);
                let frame = self.clocks[clock].event(at, event_body::Fact::Stop(wire::Stop {}));
                self.deliver(clock, frame);
            }
            ClockAction::Absurd { at, rebase } => {
                let at_fact = Instant::from_micros(at);
                let frame = if rebase {
                    let fact = event_body::Fact::Rebase(wire::Rebase {
                        jump_us: at,
                        uncertainty_us: at,
                        uncharged: false,
                    });
                    self.clocks[clock].event(at_fact, fact)
                } else {
                    self.clocks[clock].press_frame(at_fact, Button::Left)
                };
                self.deliver(clock, frame);
                let seq = EventSeq(self.clocks[clock].seq);
                self.deliver(clock, AgentFrame::Watermark { at: at_fact, seq });
            }
            ClockAction::Watermark { ahead_ms, seq } => {
                let at = self.clocks[clock].now(&self.rig) + seconds(f64::from(ahead_ms) / 1e3);
                let seq = self.clocks[clock].seq.saturating_add_signed(i64::from(seq));
                let seq = EventSeq(seq);
                self.deliver(clock, AgentFrame::Watermark { at, seq });
            }
            ClockAction::Orders => self.orders(clock),
            ClockAction::Repeat => {
                if let Some(frame) = self.last[clock].clone() {
                    self.clocks[clock].frame(&mut self.rig, frame);
                }
            }
            ClockAction::Gap => {
                let mut ahead = self.clocks[clock].clone();
                let _ = ahead.press_frame(Instant::from_micros(0), Button::Left);
                let frame = ahead.press_frame(Instant::from_micros(0), Button::Left);
                self.clocks[clock].frame(&mut self.rig, frame);
            }
            ClockAction::Diverged => {
                let seq = EventSeq(self.clocks[clock].seq);
                self.deliver(clock, AgentFrame::Diverged { seq });
            }
            ClockAction::Health { percent } => {
                let health = Health {
                    battery_percent: Some(percent),
                    journal_ok: percent % 2 == 0,
                    unacknowledged: 0,
                    temperature_mc: None,
                    ..Health::default()
                };
                self.deliver(clock, AgentFrame::Health(health));
            }
        }
    }

    fn act_on_link(&mut self, clock: usize, what: LinkAction) {
        match what {
            LinkAction::Connect => self.connect(clock, |_| ()),
            LinkAction::Drop => self.clocks[clock].drop_link(&mut self.rig),
            LinkAction::Reboot { stood_ms } => {
                let offset = self.clocks[clock].offset;
                self.clocks[clock].offset = offset.saturating_add(i64::from(stood_ms) * 1_000);
                self.connect(clock, |hello| {
                    hello.rebooted = true;
                    hello.boot = vec![9; 16];
                });
            }
            LinkAction::LoseJournal => {
                self.unacknowledged[clock].clear();
                self.connect(clock, |hello| {
                    hello.log_origin = OriginText::default();
                    hello.next_seq = EventSeq(1);
                    hello.head = None;
                    hello.orders_taken = 0;
                });
                if let Some(welcome) = self.clocks[clock].welcome.clone() {
                    self.clocks[clock].seq = welcome.acked_seq;
                    if let Ok(head) = welcome.acked_head.try_into() {
                        self.clocks[clock].head = head;
                    } else {
                        let id = self.clocks[clock].id;
                        self.clocks[clock].head =
                            proto::chain::genesis("flagfall.example/hall", &id);
                    }
                }
            }
        }
    }

    fn act(&mut self, board: usize, what: ArbiterAction) {
        match what {
            ArbiterAction::Command { text, behind } => {
                let command = COMMANDS[text].parse().unwrap();
                self.request(board, Action::Board(command), behind);
            }
            ArbiterAction::Restore { event } => {
                self.request(board, Action::RestoreBefore(EventSeq(event)), 0);
            }
            ArbiterAction::Assign { clock } => {
                let key = clock.map_or(String::new(), |clock| self.clocks[clock].id.to_string());
                self.request(board, Action::Assign(key), 0);
            }
            ArbiterAction::AssignSide { side, clock } => {
                let key = clock.map_or(String::new(), |clock| self.clocks[clock].id.to_string());
                self.request(board, Action::AssignSide(side, key), 0);
            }
            ArbiterAction::Force { nth } => {
                if let Some((board, id)) = self.commands.iter().rev().nth(nth).copied() {
                    self.request(board, Action::Force(id), 0);
                }
            }
            ArbiterAction::Withdraw { nth } => {
                if let Some((board, id)) = self.commands.iter().rev().nth(nth).copied() {
                    self.request(board, Action::Withdraw(id), 0);
                }
            }
            ArbiterAction::Names => {
                let names = Action::Names {
                    white: "A".to_owned(),
                    black: "B".to_owned(),
                    round: "1".to_owned(),
                };
                self.request(board, names, 0);
            }
            ArbiterAction::AddBoard => {
                let setup = timing::Setup {
                    control: "5s".parse().unwrap(),
                    start: timing::StartRule::BlackPress,
                    white: Button::Right,
                };
                self.request(board, Action::AddBoard(setup, None), 0);
            }
            ArbiterAction::RemoveBoard => self.request(board, Action::RemoveBoard, 0),
        }
    }

    pub(crate) fn assert_exactly_once(&self) {
        for clock in &self.clocks {
            let mut expected = 1;
            for record in &self.rig.log {
                if let Some(proto::log::record::Input::AgentEvent(event)) = &record.input
                    && event.agent == clock.id.0
                {
                    let body: wire::EventBody =
                        prost::Message::decode(event.body.as_slice()).unwrap();
                    assert_eq!(body.seq, expected);
                    expected += 1;
                }
            }
        }
    }
}

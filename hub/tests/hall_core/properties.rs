//! Whatever comes in whatever order: the hall never panics, replay equals live, nothing counts twice.

use hub::hall::{Action, AgentFrame, Health, Hello, Outcome};
use proptest::prelude::*;
use proto::ids::EventSeq;
use proto::wire::{self, event_body};
use timing::{Button, Instant};

use crate::rig::{Clock, Rig, seconds};

#[derive(Clone, Debug)]
enum Doing {
    Pass(u32),
    Press {
        clock: usize,
        left: bool,
        early_ms: u32,
    },
    Stop {
        clock: usize,
    },
    Absurd {
        clock: usize,
        at: i64,
        rebase: bool,
    },
    Watermark {
        clock: usize,
        ahead_ms: i32,
        seq: i8,
    },
    Orders {
        clock: usize,
    },
    Connect {
        clock: usize,
    },
    Reboot {
        clock: usize,
        stood_ms: u32,
    },
    LoseJournal {
        clock: usize,
    },
    Drop {
        clock: usize,
    },
    Repeat {
        clock: usize,
    },
    Gap {
        clock: usize,
    },
    Diverged {
        clock: usize,
    },
    Health {
        clock: usize,
        percent: u32,
    },
    Command {
        board: usize,
        text: usize,
        behind: u8,
    },
    Restore {
        board: usize,
        event: u64,
    },
    Assign {
        board: usize,
        clock: Option<usize>,
    },
    Force {
        nth: usize,
    },
    Withdraw {
        nth: usize,
    },
    Names {
        board: usize,
    },
    AddBoard {
        board: usize,
    },
    RemoveBoard {
        board: usize,
    },
    Restart,
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

fn doing() -> impl Strategy<Value = Doing> {
    let clock = 0..3_usize;
    let board = 0..4_usize;
    prop_oneof![
        6 => (1..20_000_u32).prop_map(Doing::Pass),
        12 => (clock.clone(), any::<bool>(), 0..1_500_u32)
            .prop_map(|(clock, left, early_ms)| Doing::Press { clock, left, early_ms }),
        1 => clock.clone().prop_map(|clock| Doing::Stop { clock }),
        1 => (clock.clone(), absurd(), any::<bool>())
            .prop_map(|(clock, at, rebase)| Doing::Absurd { clock, at, rebase }),
        6 => (clock.clone(), -500..500_i32, -1..2_i8)
            .prop_map(|(clock, ahead_ms, seq)| Doing::Watermark { clock, ahead_ms, seq }),
        6 => clock.clone().prop_map(|clock| Doing::Orders { clock }),
        4 => clock.clone().prop_map(|clock| Doing::Connect { clock }),
        1 => (clock.clone(), 0..60_000_u32)
            .prop_map(|(clock, stood_ms)| Doing::Reboot { clock, stood_ms }),
        1 => clock.clone().prop_map(|clock| Doing::LoseJournal { clock }),
        2 => clock.clone().prop_map(|clock| Doing::Drop { clock }),
        2 => clock.clone().prop_map(|clock| Doing::Repeat { clock }),
        1 => clock.clone().prop_map(|clock| Doing::Gap { clock }),
        1 => clock.clone().prop_map(|clock| Doing::Diverged { clock }),
        1 => (clock.clone(), 0..101_u32).prop_map(|(clock, percent)| Doing::Health { clock, percent }),
        10 => (board.clone(), 0..COMMANDS.len(), 0..3_u8)
            .prop_map(|(board, text, behind)| Doing::Command { board, text, behind }),
        1 => (board.clone(), 1..30_u64).prop_map(|(board, event)| Doing::Restore { board, event }),
        2 => (board.clone(), prop::option::of(clock)).prop_map(|(board, clock)| Doing::Assign { board, clock }),
        2 => (0..5_usize).prop_map(|nth| Doing::Force { nth }),
        2 => (0..5_usize).prop_map(|nth| Doing::Withdraw { nth }),
        1 => board.clone().prop_map(|board| Doing::Names { board }),
        1 => board.clone().prop_map(|board| Doing::AddBoard { board }),
        1 => board.prop_map(|board| Doing::RemoveBoard { board }),
        1 => Just(Doing::Restart),
    ]
}

/// Stamps that no sound clock makes.
fn absurd() -> impl Strategy<Value = i64> {
    prop_oneof![
        Just(i64::MIN),
        Just(i64::MAX),
        Just(0),
        any::<i64>(),
        (0..1_000_000_000_000_000_i64),
    ]
}

/// A hall under arbitrary treatment. Clocks keep every event until it is acknowledged, as real ones do.
struct Mill {
    rig: Rig,
    clocks: Vec<Clock>,
    unacknowledged: Vec<Vec<(u64, AgentFrame)>>,
    last: Vec<Option<AgentFrame>>,
    commands: Vec<(usize, proto::ids::CommandId)>,
}

impl Mill {
    fn new() -> Self {
        let mut rig = Rig::new();
        for board in ["1", "2", "3"] {
            rig.add_board(board, "5s+1s");
        }
        let clocks: Vec<Clock> = (1..=3_u8)
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

    fn orders(&mut self, clock: usize) {
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

    fn connect(&mut self, clock: usize, change: impl FnOnce(&mut Hello)) {
        let mut hello = self.clocks[clock].hello(&self.rig);
        change(&mut hello);
        self.clocks[clock].drop_link(&mut self.rig);
        self.clocks[clock].connect_with(&mut self.rig, hello);
        let Some(welcome) = self.clocks[clock].welcome.clone() else {
            return;
        };
        self.unacknowledged[clock].retain(|(seq, _)| *seq > welcome.acked_seq);
        if welcome.rebase_us > 0 {
            // Events kept from before the jump come first.
            self.resend(clock);
            let offset = self.clocks[clock].offset;
            self.clocks[clock].offset = offset.saturating_sub(welcome.rebase_us);
            let fact = event_body::Fact::Rebase(wire::Rebase {
                jump_us: welcome.rebase_us,
                uncertainty_us: welcome.rebase_uncertainty_us,
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
        // Asked again at once, it has no second effect.
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

    fn run(&mut self, doing: Doing) {
        match doing {
            Doing::Pass(ms) => {
                self.rig.pass(f64::from(ms) / 1e3);
            }
            Doing::Press {
                clock,
                left,
                early_ms,
            } => {
                let at = self.clocks[clock].now(&self.rig) - seconds(f64::from(early_ms) / 1e3);
                let button = if left { Button::Left } else { Button::Right };
                let frame = self.clocks[clock].press_frame(at, button);
                self.deliver(clock, frame);
            }
            Doing::Stop { clock } => {
                let at = self.clocks[clock].now(&self.rig);
                let frame = self.clocks[clock].event(at, event_body::Fact::Stop(wire::Stop {}));
                self.deliver(clock, frame);
            }
            Doing::Absurd { clock, at, rebase } => {
                let at_fact = Instant::from_micros(at);
                let frame = if rebase {
                    let fact = event_body::Fact::Rebase(wire::Rebase {
                        jump_us: at,
                        uncertainty_us: at,
                    });
                    self.clocks[clock].event(at_fact, fact)
                } else {
                    self.clocks[clock].press_frame(at_fact, Button::Left)
                };
                self.deliver(clock, frame);
                let seq = EventSeq(self.clocks[clock].seq);
                self.deliver(clock, AgentFrame::Watermark { at: at_fact, seq });
            }
            Doing::Watermark {
                clock,
                ahead_ms,
                seq,
            } => {
                let at = self.clocks[clock].now(&self.rig) + seconds(f64::from(ahead_ms) / 1e3);
                let seq = self.clocks[clock].seq.saturating_add_signed(i64::from(seq));
                let seq = EventSeq(seq);
                self.deliver(clock, AgentFrame::Watermark { at, seq });
            }
            Doing::Orders { clock } => self.orders(clock),
            Doing::Connect { clock } => self.connect(clock, |_| ()),
            Doing::Reboot { clock, stood_ms } => {
                let offset = self.clocks[clock].offset;
                self.clocks[clock].offset = offset.saturating_add(i64::from(stood_ms) * 1_000);
                self.connect(clock, |hello| {
                    hello.rebooted = true;
                    hello.boot = vec![9; 16];
                });
            }
            Doing::LoseJournal { clock } => {
                self.unacknowledged[clock].clear();
                self.connect(clock, |hello| {
                    hello.log_origin = String::new();
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
            Doing::Drop { clock } => self.clocks[clock].drop_link(&mut self.rig),
            Doing::Repeat { clock } => {
                if let Some(frame) = self.last[clock].clone() {
                    self.clocks[clock].frame(&mut self.rig, frame);
                }
            }
            Doing::Gap { clock } => {
                let mut ahead = self.clocks[clock].clone();
                let _ = ahead.press_frame(Instant::from_micros(0), Button::Left);
                let frame = ahead.press_frame(Instant::from_micros(0), Button::Left);
                self.clocks[clock].frame(&mut self.rig, frame);
            }
            Doing::Diverged { clock } => {
                let seq = EventSeq(self.clocks[clock].seq);
                self.deliver(clock, AgentFrame::Diverged { seq });
            }
            Doing::Health { clock, percent } => {
                let health = Health {
                    battery_percent: Some(percent),
                    journal_ok: percent % 2 == 0,
                    unacknowledged: 0,
                    temperature_mc: None,
                };
                self.deliver(clock, AgentFrame::Health(health));
            }
            Doing::Command {
                board,
                text,
                behind,
            } => {
                let command = COMMANDS[text].parse().unwrap();
                self.request(board, Action::Board(command), behind);
            }
            Doing::Restore { board, event } => {
                self.request(board, Action::RestoreBefore(EventSeq(event)), 0);
            }
            Doing::Assign { board, clock } => {
                let key = clock.map_or(String::new(), |clock| self.clocks[clock].id.to_string());
                self.request(board, Action::Assign(key), 0);
            }
            Doing::Force { nth } => {
                if let Some((board, id)) = self.commands.iter().rev().nth(nth).copied() {
                    self.request(board, Action::Force(id), 0);
                }
            }
            Doing::Withdraw { nth } => {
                if let Some((board, id)) = self.commands.iter().rev().nth(nth).copied() {
                    self.request(board, Action::Withdraw(id), 0);
                }
            }
            Doing::Names { board } => {
                let names = Action::Names {
                    white: "A".to_owned(),
                    black: "B".to_owned(),
                    round: "1".to_owned(),
                };
                self.request(board, names, 0);
            }
            Doing::AddBoard { board } => {
                let setup = timing::Setup {
                    control: "5s".parse().unwrap(),
                    start: timing::StartRule::BlackPress,
                    white: Button::Right,
                };
                self.request(board, Action::AddBoard(setup, None), 0);
            }
            Doing::RemoveBoard { board } => self.request(board, Action::RemoveBoard, 0),
            Doing::Restart => {
                self.rig.restart();
                for clock in &mut self.clocks {
                    clock.link = None;
                }
            }
        }
        self.hear_all();
    }

    /// No event is in the log twice, and none is missing.
    fn assert_exactly_once(&self) {
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

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]
    #[test]
    fn whatever_happens_replay_equals_live(doings in prop::collection::vec(doing(), 1..120)) {
        let mut mill = Mill::new();
        for clock in 0..3 {
            mill.connect(clock, |_| ());
            mill.orders(clock);
        }
        for doing in doings {
            mill.run(doing);
        }
        mill.rig.assert_replay_equals_live();
        mill.assert_exactly_once();
        prop_assert!(!mill.rig.notes().contains(&"board_fault".to_owned()), "the engine panicked");
        for (_, id) in &mill.commands {
            if let Some(answer) = mill.rig.hall.outcome(id, mill.rig.now) {
                prop_assert!(answer.id == *id);
                prop_assert!(answer.outcome != Outcome::Pending || answer.board.is_some());
            }
        }
    }
}

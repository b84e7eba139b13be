//! One game against a lying clock: the hall, the link, the players and the arbiter. Owns virtual time and the comparison of the hall's
//! clock with the truth.

use ed25519_dalek::SigningKey;
use hall::{Action, Arbiter, Arbiters, HubEffect, Input, LinkId, NoteKind, Outcome, Reply, Step};
use proto::ids::CommandId;
use proto::log::record;
use proto::wire::{AgentFrame, HubFrame, agent_frame, hub_frame, order};
use timing::{Board, BoardClock, BoardState, Command, Duration, Hub, Instant, Side};

use super::LieTally;
use super::clock::{ARBITER, ORIGIN, PIN_KEY, ScriptedClock, Truth};
use super::desk::{Desk, Gains, differences, enrolment, hello, setup};
use super::kind::Lie;
use crate::Ns;
use crate::delay::LinkKind;
use crate::queue::Queue;
use crate::random::Random;
use crate::shell::{Outward, START_US, outward, probes, received, start_up};

const SECOND_US: i64 = 1_000_000;
/// Board time at the start of the simulation, in microseconds.
const BOARD_US: i64 = 5_000_000_000;
const LINK: LinkId = LinkId(1);

enum Due {
    /// The player to move acts. The number identifies the plan; an outdated plan is dropped.
    Player(u64),
    Watermark,
    ToHub(Box<AgentFrame>),
    ToClock(Box<HubFrame>),
    Wake,
    Arbiter,
}

struct Game {
    lie: Lie,
    desk: Desk,
    now_us: i64,
    queue: Queue<Due>,
    clock: ScriptedClock,
    kind: LinkKind,
    net: Random,
    people: Random,
    /// The arrival times of the stream's newest frames: at the hub, and at the clock.
    arrives: [i64; 2],
    plan: u64,
    planned: Option<(Side, u32)>,
    moves: u32,
    ignored: Option<CommandId>,
    tally: LieTally,
    noted: bool,
    doubted: bool,
    gains: Gains,
    failure: Option<String>,
}

pub(super) fn play(seed: u64, lie: Lie) -> (LieTally, Option<String>) {
    let mut setting = Random::new(seed, 31);
    let kind = setting.pick(&LinkKind::ALL);
    let control = setting.pick(&["3m+2s", "1m+1s", "5m", "10m+5s"]);
    let moves = 30 + setting.below(40) as u32;
    let mut game = Game {
        lie,
        desk: Desk::new(),
        now_us: START_US,
        queue: Queue::new(),
        clock: ScriptedClock::new(lie, kind.usual_us(), Random::new(seed, 32)),
        kind,
        net: Random::new(seed, 33),
        people: Random::new(seed, 34),
        arrives: [0; 2],
        plan: 0,
        planned: None,
        moves,
        ignored: None,
        tally: LieTally::default(),
        noted: false,
        doubted: false,
        gains: Gains::default(),
        failure: None,
    };
    game.open(seed, control);
    while game.moves > 0 && game.failure.is_none() {
        let Some((at, due)) = game.queue.pop_until(START_US + 3_600 * SECOND_US) else {
            break;
        };
        game.now_us = at;
        game.happen(due);
    }
    game.end()
}

impl Game {
    fn hub_now(&self) -> Instant<Hub> {
        Instant::from_micros(self.now_us)
    }

    fn board_now(&self) -> Instant<Board> {
        Instant::from_micros(self.now_us - START_US + BOARD_US)
    }

    fn way(&mut self) -> i64 {
        self.kind.delay(&mut self.net) / 1_000
    }

    fn later(&mut self, us: i64, due: Due) {
        let at: Ns = self.now_us + us.max(0);
        self.queue.push(at, due);
    }

    fn open(&mut self, seed: u64, control: &str) {
        self.desk.hall.set_arbiters(Arbiters {
            salt: vec![0x5a; 16],
            list: vec![Arbiter {
                name: ARBITER.to_owned(),
                key: proto::pin::public(&SigningKey::from_bytes(&PIN_KEY)),
            }],
        });
        self.tell_hub(start_up(ORIGIN, START_US, seed));
        self.request(Action::AddBoard(setup(control), None));
        self.tell_hub(enrolment(self.clock.id, "clock", true));
        self.send_to_hub(hello(self.board_now()).into(), true, false);
        self.later(SECOND_US, Due::Watermark);
        self.later(3 * SECOND_US, Due::Arbiter);
    }

    fn request(&mut self, action: Action) {
        let request = self.desk.request(self.hub_now(), action);
        self.tell_hub(request);
    }

    fn happen(&mut self, due: Due) {
        match due {
            Due::Player(plan) if plan == self.plan => self.act(),
            Due::Player(_) => {}
            Due::Watermark => {
                let now = self.board_now();
                self.send_watermark();
                let interval = self.clock.interval_us(now);
                self.later(interval, Due::Watermark);
            }
            Due::ToHub(frame) => self.on_frame_at_hub(*frame),
            Due::ToClock(frame) => self.on_frame_at_clock(*frame),
            Due::Wake => {
                if self.desk.wakes(self.now_us) {
                    self.tell_hub(Input::Wake);
                }
            }
            Due::Arbiter => self.intervene(),
        }
    }

    fn send_watermark(&mut self) {
        if let Some(mark) = self.clock.watermark(self.board_now()) {
            self.send_to_hub(mark, false, false);
        }
    }

    /// Starts the game, then pauses and resumes it occasionally until a flag falls. Forces a pause that the clock has ignored.
    fn intervene(&mut self) {
        if let Some(command) = self.ignored.take() {
            return self.force(command);
        }
        let state = self.clock.clock.as_ref().map(BoardClock::state);
        let command = match state {
            Some(BoardState::Ready) => "start",
            Some(BoardState::Running { .. }) => "pause",
            Some(BoardState::Paused { .. } | BoardState::Stopped { .. }) => "resume",
            Some(BoardState::Flagged { .. } | BoardState::Over) => {
                self.moves = 0;
                return;
            }
            None => "pause",
        };
        // All commands above are valid.
        let command: Command = command.parse().unwrap_or_else(|error| panic!("{error}"));
        let corrected = self.lie == Lie::EarlyCorrections && command != Command::Start(None);
        if corrected {
            let correction = self.clock.correct(command, self.board_now());
            self.planned = None;
            self.chain(vec![correction], false);
        } else {
            self.request(Action::Board(command));
        }
        let paused = matches!(state, Some(BoardState::Running { .. }));
        let wait = if paused {
            5.0
        } else {
            self.people.between(8.0, 30.0)
        };
        self.later((wait * 1e6) as i64, Due::Arbiter);
    }

    fn force(&mut self, command: CommandId) {
        self.request(Action::Force(command));
        if let Some(clock) = self.clock.clock.clone() {
            self.measure(&Truth {
                clock,
                at: self.board_now(),
                shift_us: 0,
                adopts: false,
            });
        }
        self.later(2 * SECOND_US, Due::Arbiter);
    }

    fn look(&mut self) {
        let moves = self.moves;
        let seen = self.clock.running().map(|side| (side, moves));
        if seen == self.planned {
            return;
        }
        self.planned = seen;
        self.plan += 1;
        if let (Some((side, _)), Some(clock)) = (seen, &self.clock.clock) {
            let left = clock.side(side, self.board_now()).time.as_micros() as f64 / 1e6;
            let think = 0.3 + self.people.exponential(2.0);
            let think = think.min((left / 8.0).max(0.2));
            let plan = self.plan;
            self.later((think * 1e6) as i64, Due::Player(plan));
        }
    }

    fn act(&mut self) {
        let Some(side) = self.clock.running() else {
            return;
        };
        self.planned = None;
        let now = self.board_now();
        if self.people.chance(0.03) {
            let frames = self.clock.stop(now);
            self.chain(frames, false);
        } else {
            let frames = self.clock.press(side, now);
            self.moves = self.moves.saturating_sub(1);
            self.chain(frames, side == Side::White);
        }
    }

    fn chain(&mut self, frames: Vec<AgentFrame>, own: bool) {
        for frame in frames {
            self.send_to_hub(frame, true, own);
        }
        self.send_watermark();
        self.look();
    }

    fn send_to_hub(&mut self, frame: AgentFrame, reliably: bool, own: bool) {
        let mut at = self.now_us + self.way() + self.clock.holds_back(own);
        if reliably {
            at += self.clock.held_us(self.board_now());
            at = at.max(self.arrives[0] + 1);
            self.arrives[0] = at;
        }
        self.queue.push(at, Due::ToHub(Box::new(frame)));
    }

    fn send_to_clock(&mut self, frame: HubFrame) {
        let mut at = self.now_us + self.way();
        if !matches!(frame.frame, Some(hub_frame::Frame::TimeProbe(_))) {
            at = at.max(self.arrives[1] + 1);
            self.arrives[1] = at;
        }
        self.queue.push(at, Due::ToClock(Box::new(frame)));
    }

    fn on_frame_at_clock(&mut self, frame: HubFrame) {
        let now = self.board_now();
        if let Some(hub_frame::Frame::TimeProbe(probe)) = frame.frame {
            if let Some(reply) = self.clock.answer(probe, now) {
                self.send_to_hub(reply, false, false);
            }
            return;
        }
        let Some(hub_frame::Frame::Order(order)) = frame.frame else {
            return;
        };
        let frames = match order.what {
            Some(order::What::Adopt(adopt)) => {
                vec![self.clock.adopt(order.number, &adopt.snapshot, now)]
            }
            Some(order::What::Command(text)) => match text.parse() {
                Ok(command) if self.clock.ignores(&command, now) => {
                    self.ignored = Some(self.desk.newest_request());
                    Vec::new()
                }
                Ok(command) => self.clock.obey(order.number, command, now),
                Err(error) => return self.fail(format!("an order cannot be read: {error}")),
            },
            Some(order::What::ServeSide(_)) | None => return,
        };
        self.planned = None;
        self.chain(frames, false);
    }

    fn on_frame_at_hub(&mut self, frame: AgentFrame) {
        let event = matches!(frame.frame, Some(agent_frame::Frame::Event(_)));
        let (agent, now) = (self.clock.id, self.hub_now());
        // The link was opened before the clock wrote its hello.
        let opened = Instant::from_micros(START_US);
        match received(agent, LINK, opened, now, frame) {
            Ok(input) => {
                let taken = self.tell_hub(input);
                if let Some(seq) = taken.filter(|_| event) {
                    self.compare(seq);
                }
            }
            Err(error) => self.fail(format!("the hub cannot read a frame: {error}")),
        }
    }

    /// Gives the hub an input. Returns the number of the event that the hub accepted, if any.
    fn tell_hub(&mut self, input: Input) -> Option<u64> {
        let Step {
            records,
            effects,
            immediate,
        } = self.desk.hall.on_input(self.hub_now(), input);
        let mut taken = None;
        for record in &records {
            if let Some(record::Input::AgentEvent(event)) = &record.input {
                let moved = event.counts_at_us.is_some() || event.charged_to_us.is_some();
                self.tally.moved += u64::from(moved);
                taken = hall::from_proto::signed_event(event.body.clone(), Vec::new())
                    .ok()
                    .map(|event| event.seq.0);
            }
        }
        for (_, probe) in probes(immediate) {
            self.send_to_clock(probe);
        }
        for effect in effects {
            self.carry_out(effect);
        }
        if let Some(wake) = self.desk.plan_wake(self.now_us) {
            self.queue.push(wake, Due::Wake);
        }
        taken
    }

    fn carry_out(&mut self, effect: HubEffect) {
        if let HubEffect::Reply {
            answer: Ok(Reply::Command(answer)),
            ..
        } = &effect
            && answer.outcome == Outcome::Pending
        {
            // A pending command tells the arbiter that the clock does not answer.
            self.noted = true;
        }
        match outward(effect) {
            Some(Outward::Frame(_, frame)) => self.send_to_clock(frame),
            Some(Outward::Close(_, text)) => self.fail(format!("the hub closed the link: {text}")),
            Some(Outward::Notice(notice)) if notice.kind == NoteKind::UncheckedTime => {
                self.noted = true;
                *self.tally.remarks.entry(self.kind).or_default() += 1;
            }
            // An arbiter's own correction does not count as a note.
            Some(Outward::Notice(notice)) if notice.kind == NoteKind::CorrectedAtClock => (),
            Some(Outward::Notice(notice)) => {
                self.noted = true;
                self.doubted = true;
                *self.tally.notes.entry(notice.kind.as_str()).or_default() += 1;
            }
            None => {}
        }
    }

    /// Compares the hub's board clock after event `seq` with the truth after the same event.
    fn compare(&mut self, seq: u64) {
        let index = usize::try_from(seq - 1).unwrap_or(usize::MAX);
        let Some(truth) = self.clock.truths.get_mut(index).and_then(Option::take) else {
            return;
        };
        self.measure(&truth);
    }

    fn measure(&mut self, truth: &Truth) {
        let Some(hub) = self.desk.clock() else {
            return;
        };
        let shift = Duration::from_micros(truth.shift_us);
        // Compare at the same instant on both timelines, late enough to be after the event on both.
        let at = truth.at.max(hub.now() - shift);
        let gains = differences(&hub, &truth.clock, at, shift);
        if truth.adopts {
            self.gains.adopted(gains);
        } else {
            self.gains.measured(gains, self.noted, &mut self.tally);
        }
    }

    fn fail(&mut self, what: String) {
        self.failure.get_or_insert(what);
    }

    fn end(mut self) -> (LieTally, Option<String>) {
        self.tally.games = 1;
        self.tally.lies = self.clock.lies;
        self.tally.noted = u64::from(self.noted);
        self.tally.doubted = u64::from(self.doubted);
        if self.noted {
            self.tally.noted_us = self.gains.end_us();
        }
        self.tally.game_us.insert(self.kind, self.gains.peak_us());
        (self.tally, self.failure)
    }
}

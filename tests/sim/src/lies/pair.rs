//! One game on a board where each side has a separate clock, and White's clock may lie. Owns the comparison of the hall's clock with an engine that
//! gets every press at its true instant.

use hall::{Action, HubEffect, Input, LinkId, NoteKind, Step};
use proto::log::record;
use proto::wire::{AgentFrame, HubFrame, hub_frame, order};
use timing::{Board, BoardClock, Button, Command, Duration, Fact, Hub, Instant, Setup, Side};

use super::LieTally;
use super::clock::{ORIGIN, ScriptedClock};
use super::desk::{Desk, Gains, differences, enrolment, hello, setup};
use super::kind::Lie;
use crate::Ns;
use crate::delay::LinkKind;
use crate::queue::Queue;
use crate::random::Random;
use crate::shell::{Outward, START_US, outward, probes, received, start_up};

const SECOND_US: i64 = 1_000_000;
/// Hub time at which the arbiter starts the game, after the clocks have connected.
const BEGIN_US: i64 = START_US + 3 * SECOND_US;
/// The time allowed at the end for the last events to arrive.
const REST_US: i64 = 5 * SECOND_US;

enum Due {
    Press,
    Watermark(Side),
    ToHub(Side, Box<AgentFrame>),
    ToClock(Side, Box<HubFrame>),
    Wake,
    Begin,
    End,
}

struct Seat {
    clock: ScriptedClock,
    kind: LinkKind,
    /// The clock's board time minus hub time, in microseconds.
    offset_us: i64,
    /// The arrival times of the stream's newest frames: at the hub, and at the clock.
    arrives: [i64; 2],
}

struct Game {
    desk: Desk,
    truth: BoardClock,
    now_us: i64,
    queue: Queue<Due>,
    seats: [Seat; 2],
    net: Random,
    people: Random,
    moves: u32,
    over: bool,
    tally: LieTally,
    noted: bool,
    gains: Gains,
    failure: Option<String>,
}

pub(super) fn play(seed: u64, lie: Lie) -> (LieTally, Option<String>) {
    let mut setting = Random::new(seed, 41);
    let kinds = [setting.pick(&LinkKind::ALL), setting.pick(&LinkKind::ALL)];
    let control = setting.pick(&["3m+2s", "5m", "10m+5s"]);
    let moves = 60 + setting.below(80) as u32;
    let setup = setup(control);
    let seat = |lie, kind: LinkKind, stream| Seat {
        clock: ScriptedClock::new(lie, kind.usual_us(), Random::new(seed, stream)),
        kind,
        offset_us: 1_000_000_000 * (stream as i64),
        arrives: [0; 2],
    };
    let mut game = Game {
        desk: Desk::new(),
        truth: BoardClock::new(setup.clone()),
        now_us: START_US,
        queue: Queue::new(),
        seats: [seat(lie, kinds[0], 42), seat(Lie::PairHonest, kinds[1], 43)],
        net: Random::new(seed, 44),
        people: Random::new(seed, 45),
        moves,
        over: false,
        tally: LieTally::default(),
        noted: false,
        gains: Gains::default(),
        failure: None,
    };
    game.open(seed, setup);
    while !game.over && game.failure.is_none() {
        let Some((at, due)) = game.queue.pop_until(START_US + 3_600 * SECOND_US) else {
            break;
        };
        game.now_us = at;
        game.happen(due);
    }
    game.end()
}

fn index(side: Side) -> usize {
    match side {
        Side::White => 0,
        Side::Black => 1,
    }
}

fn link(side: Side) -> LinkId {
    LinkId(1 + index(side) as u64)
}

impl Game {
    fn hub_now(&self) -> Instant<Hub> {
        Instant::from_micros(self.now_us)
    }

    /// Returns the current hub time, expressed on the board's timeline.
    fn truth_now(&self) -> Instant<Board> {
        Instant::from_micros(self.now_us)
    }

    fn clock_now(&self, side: Side) -> Instant<Board> {
        Instant::from_micros(self.now_us + self.seats[index(side)].offset_us)
    }

    fn later(&mut self, us: i64, due: Due) {
        let at: Ns = self.now_us + us.max(0);
        self.queue.push(at, due);
    }

    fn open(&mut self, seed: u64, setup: Setup) {
        self.tell_hub(start_up(ORIGIN, START_US, seed));
        self.request(Action::AddBoard(setup, None));
        for side in Side::BOTH {
            let agent = self.seats[index(side)].clock.id;
            self.tell_hub(enrolment(agent, &format!("{side}'s clock"), false));
            self.request(Action::AssignSide(side, agent.to_string()));
            let hello = hello(self.clock_now(side));
            self.send_to_hub(side, hello.into(), true);
            self.later(SECOND_US, Due::Watermark(side));
        }
        self.queue.push(BEGIN_US, Due::Begin);
    }

    fn request(&mut self, action: Action) {
        let request = self.desk.request(self.hub_now(), action);
        self.tell_hub(request);
    }

    fn happen(&mut self, due: Due) {
        match due {
            Due::Begin => self.begin(),
            Due::Press => self.press(),
            Due::Watermark(side) => {
                self.send_watermark(side);
                self.later(SECOND_US, Due::Watermark(side));
            }
            Due::ToHub(side, frame) => {
                let agent = self.seats[index(side)].clock.id;
                let opened = Instant::from_micros(START_US);
                match received(agent, link(side), opened, self.hub_now(), *frame) {
                    Ok(input) => self.tell_hub(input),
                    Err(error) => self.fail(format!("the hub cannot read a frame: {error}")),
                }
                self.compare();
            }
            Due::ToClock(side, frame) => self.on_frame_at_clock(side, *frame),
            Due::Wake => {
                if self.desk.wakes(self.now_us) {
                    self.tell_hub(Input::Wake);
                }
            }
            Due::End => self.over = true,
        }
    }

    fn begin(&mut self) {
        let start = Command::Start(None);
        // The game is ready, so the engine accepts the start.
        let _ = self.truth.on_command(self.truth_now(), &start);
        self.request(Action::Board(start));
        self.plan();
    }

    fn plan(&mut self) {
        let Some(side) = self.truth.state().running().filter(|_| self.moves > 0) else {
            return self.later(REST_US, Due::End);
        };
        let left = self.truth.side(side, self.truth_now()).time.as_micros() as f64 / 1e6;
        let think = 0.3 + self.people.exponential(2.0);
        // A move takes at most an eighth of the time left, because the clocks cannot be compared after a flag fall.
        let think = think.min(left / 8.0);
        self.later((think * 1e6) as i64, Due::Press);
    }

    fn press(&mut self) {
        let Some(side) = self.truth.state().running() else {
            return self.plan();
        };
        let button = match side {
            Side::White => Button::Left,
            Side::Black => Button::Right,
        };
        let now = self.truth_now();
        // The press comes from the side to move, so the engine accepts it.
        let _ = self.truth.on_fact(now, Fact::Pressed(button));
        self.moves -= 1;
        let at = self.clock_now(side);
        for frame in self.seats[index(side)].clock.press(side, at) {
            self.send_to_hub(side, frame, true);
        }
        self.send_watermark(side);
        self.plan();
    }

    fn send_watermark(&mut self, side: Side) {
        let at = self.clock_now(side);
        if let Some(mark) = self.seats[index(side)].clock.watermark(at) {
            self.send_to_hub(side, mark, false);
        }
    }

    fn send_to_hub(&mut self, side: Side, frame: AgentFrame, reliably: bool) {
        let seat = &mut self.seats[index(side)];
        let mut at = self.now_us + seat.kind.delay(&mut self.net) / 1_000;
        if reliably {
            at = at.max(seat.arrives[0] + 1);
            seat.arrives[0] = at;
        }
        self.queue.push(at, Due::ToHub(side, Box::new(frame)));
    }

    fn send_to_clock(&mut self, link: LinkId, frame: HubFrame) {
        let side = match link.0 {
            1 => Side::White,
            _ => Side::Black,
        };
        let seat = &mut self.seats[index(side)];
        let mut at = self.now_us + seat.kind.delay(&mut self.net) / 1_000;
        if !matches!(frame.frame, Some(hub_frame::Frame::TimeProbe(_))) {
            at = at.max(seat.arrives[1] + 1);
            seat.arrives[1] = at;
        }
        self.queue.push(at, Due::ToClock(side, Box::new(frame)));
    }

    fn on_frame_at_clock(&mut self, side: Side, frame: HubFrame) {
        let now = self.clock_now(side);
        let clock = &mut self.seats[index(side)].clock;
        if let Some(hub_frame::Frame::TimeProbe(probe)) = frame.frame {
            if let Some(reply) = clock.answer(probe, now) {
                self.send_to_hub(side, reply, false);
            }
        } else if let Some(hub_frame::Frame::Order(order)) = frame.frame
            && let Some(order::What::ServeSide(_)) = order.what
        {
            let taken = clock.serve_side(order.number, now);
            self.send_to_hub(side, taken, true);
        }
    }

    fn tell_hub(&mut self, input: Input) {
        let Step {
            records,
            effects,
            immediate,
        } = self.desk.hall.on_input(self.hub_now(), input);
        let taken = records.iter().filter_map(|record| match &record.input {
            Some(record::Input::AgentEvent(event)) => Some(event),
            _ => None,
        });
        let moved = taken.filter(|event| event.counts_at_us.is_some()).count();
        self.tally.moved += moved as u64;
        for (link, probe) in probes(immediate) {
            self.send_to_clock(link, probe);
        }
        for effect in effects {
            self.carry_out(effect);
        }
        if let Some(wake) = self.desk.plan_wake(self.now_us) {
            self.queue.push(wake, Due::Wake);
        }
    }

    fn carry_out(&mut self, effect: HubEffect) {
        match outward(effect) {
            Some(Outward::Frame(link, frame)) => self.send_to_clock(link, frame),
            Some(Outward::Close(_, text)) => self.fail(format!("the hub closed the link: {text}")),
            Some(Outward::Notice(notice)) if notice.kind == NoteKind::UncheckedTime => {
                self.noted = true;
                let of = |seat: &&Seat| Some(seat.clock.id) == notice.agent;
                if let Some(seat) = self.seats.iter().find(of) {
                    *self.tally.remarks.entry(seat.kind).or_default() += 1;
                }
            }
            // A press close to a deadline was decided in the player's favour. That does not expose a lie.
            Some(Outward::Notice(notice)) if notice.kind == NoteKind::Straddle => (),
            Some(Outward::Notice(notice)) => {
                self.noted = true;
                self.tally.doubted = 1;
                *self.tally.notes.entry(notice.kind.as_str()).or_default() += 1;
            }
            None => {}
        }
    }

    /// Compares the hub's clock with the truth. Does nothing while the hub has not placed every press.
    fn compare(&mut self) {
        let Some(hub) = self.desk.clock() else {
            return;
        };
        let at = self.truth_now().max(hub.now());
        let same = Side::BOTH
            .into_iter()
            .all(|side| hub.side(side, at).moves == self.truth.side(side, at).moves);
        if !same || hub.state().running() != self.truth.state().running() {
            return;
        }
        let gains = differences(&hub, &self.truth, at, Duration::ZERO);
        self.gains.measured(gains, self.noted, &mut self.tally);
    }

    fn fail(&mut self, what: String) {
        self.failure.get_or_insert(what);
    }

    fn end(mut self) -> (LieTally, Option<String>) {
        if self.failure.is_none() && self.moves > 0 {
            self.fail(format!("the game ends {} moves too early", self.moves));
        }
        self.tally.games = 1;
        self.tally.lies = self.seats[0].clock.lies;
        self.tally.noted = u64::from(self.noted);
        if self.noted {
            self.tally.noted_us = self.gains.end_us();
        }
        let peak_us = self.gains.peak_us();
        self.tally.game_us.insert(self.seats[0].kind, peak_us);
        (self.tally, self.failure)
    }
}

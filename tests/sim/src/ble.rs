//! Whole games with a clock's firmware over Bluetooth LE: the firmware's real core on a simulated chip, and the hub's real core. The real
//! handshake, encryption and fragmentation run between them, over connection events that come at intervals and can be lost.
//!
//! Each such clock has a twin: the agent's core on a lossless link, which gets the same button presses timed by the same crystal. Links break, and
//! clocks lose power in the middle of a write.
//!
//! Owns the promises. No press is lost or counted twice. The four clocks of a pair (firmware and twin, each at both ends) are bit-identical, unless a
//! power cut has set firmware and twin to different times.

mod air;
mod chip;
mod clock;
mod hub;
mod twin;

use super::crystal::Crystal;
use super::queue::Queue;
use super::random::Random;
use super::{Bar, Ns, SECOND, bars};
use air::Connection;
use clock::FirmwareClock;
use hub::HubEnd;
use twin::Twin;

const INTERVALS: [Ns; 3] = [7_500_000, 15_000_000, 48_750_000];
/// MTUs, assigned to the pairs in turn: the minimum, two that radios negotiate in practice, the maximum.
const MTUS: [u16; 4] = [23, 185, 247, 517];
const PAIRS: usize = 4;
/// The number of the last ply, counted from 0. After it, both buttons are held down.
const PLIES: usize = 70;
/// The maximum time until every press has been made and acknowledged.
const PATIENCE: Ns = 900 * SECOND;
/// Time for which a player holds a button down.
const TOUCH: Ns = 90_000_000;

#[derive(Clone, Debug, Default)]
pub struct BleGames {
    pub games: u64,
    /// Presses that the firmware added to its chain.
    pub presses: u64,
    /// Values delivered over the air in either direction.
    pub values: u64,
    pub events_lost: u64,
    pub cuts: u64,
    pub power_cuts: u64,
    /// Pairs whose two clocks have shown different times since a power cut. Each clock is then compared only with its own board at the hub.
    pub apart: u64,
    pub wrong_codes: u64,
    pub failures: Vec<String>,
}

/// Plays `halls` halls of four pairs, with seeds counting up from `seed`; the same seed gives the same games.
pub fn play_ble(seed: u64, halls: u64) -> BleGames {
    let mut sum = BleGames::default();
    for seed in seed..seed + halls {
        World::new(seed).play(&mut sum);
    }
    sum
}

pub fn ble_bars(games: &BleGames) -> Vec<Bar> {
    vec![bars::bar(
        "games over Bluetooth LE with a press lost or doubled, or a clock not bit-identical to its twin over QUIC",
        format!(
            "{} of {} ({} presses, {} cut connections, {} power cuts)",
            games.failures.len(),
            games.games,
            games.presses,
            games.cuts,
            games.power_cuts
        ),
        "0",
        games.failures.is_empty() && games.games > 0,
    )]
}

enum Event {
    /// A connection event: the pair, and the number of its connection.
    Air(usize, u64),
    Found(usize),
    Cut(usize, u64),
    ClockWake(usize, Ns),
    TwinWake(usize, Ns),
    TwinLink(usize),
    ToTwin(usize, Box<proto::wire::HubFrame>),
    FromTwin(usize, Box<proto::wire::AgentFrame>),
    HubWake(Ns),
    Durable,
    /// A player presses for a ply: the pair, and the number of the ply.
    Press(usize, usize),
    /// A player releases a button; the last number identifies the power-up during which the button went down.
    Lift(usize, timing::Button, u64),
    /// Both buttons of a pair's clock go down, and stay down for a while.
    Hold(usize),
    LetGo(usize),
    PowerUp(usize),
}

struct Pair {
    clock: FirmwareClock,
    twin: Twin,
    crystal: Crystal,
    powered: Ns,
    life: u64,
    interval: Ns,
    mtu: u16,
    connection: Option<Connection>,
    /// True while the moment at which the hub's radio will find the clock is scheduled.
    calling: bool,
    /// Instant before which the hub hears neither clock of the pair.
    deaf_until: Ns,
    /// The ply at which the power fails; `usize::MAX` once it has failed.
    fails_at: usize,
    wrong_code: bool,
    presses: u64,
    held: bool,
    /// True if a power cut has set the two clocks to different times, which is allowed.
    apart: bool,
}

struct World {
    seed: u64,
    now: Ns,
    queue: Queue<Event>,
    random: Random,
    hub: HubEnd,
    pairs: Vec<Pair>,
    connections: u64,
    sum: BleGames,
    failed: Option<String>,
}

impl World {
    fn new(seed: u64) -> Self {
        let mut random = Random::new(seed, 0xb1e);
        let mut queue = Queue::new();
        let pairs = (0..PAIRS)
            .map(|number| {
                let ppm = random.between(-40.0, 40.0);
                let crystal = Crystal::new(ppm, 2.5, &mut random);
                queue.push(SECOND * 20, Event::Press(number, 0));
                queue.push(1, Event::ClockWake(number, 1));
                Pair {
                    clock: FirmwareClock::new(seed * 100 + number as u64),
                    twin: Twin::new(number),
                    crystal,
                    powered: 0,
                    life: 0,
                    interval: INTERVALS[(seed as usize + number) % INTERVALS.len()],
                    mtu: MTUS[number % MTUS.len()],
                    connection: None,
                    calling: false,
                    deaf_until: 0,
                    fails_at: 10 + random.below(PLIES - 20),
                    wrong_code: number == 0,
                    presses: 0,
                    held: false,
                    apart: false,
                }
            })
            .collect();
        Self {
            seed,
            now: 0,
            queue,
            hub: HubEnd::new(seed),
            random,
            pairs,
            connections: 0,
            sum: BleGames::default(),
            failed: None,
        }
    }

    fn play(mut self, sum: &mut BleGames) {
        self.start_hub();
        for number in 0..PAIRS {
            self.enrol_twin(number);
            self.queue.push(SECOND, Event::TwinLink(number));
            self.pairs[number].clock.wake = Some(1);
        }
        while self.failed.is_none() && self.now < PATIENCE && !self.at_rest() {
            let Some((at, event)) = self.queue.pop_until(PATIENCE) else {
                break;
            };
            self.now = self.now.max(at);
            self.happen(event);
        }
        for number in 0..PAIRS {
            self.check(number);
        }
        let played = self.sum;
        sum.games += PAIRS as u64;
        sum.presses += played.presses;
        sum.values += played.values;
        sum.events_lost += played.events_lost;
        sum.cuts += played.cuts;
        sum.power_cuts += played.power_cuts;
        sum.apart += played.apart;
        sum.wrong_codes += played.wrong_codes;
        if let Some(failed) = self.failed {
            sum.failures.push(format!("SEED={}: {failed}", self.seed));
        }
    }

    fn happen(&mut self, event: Event) {
        match event {
            Event::Air(number, connection) => self.on_air(number, connection),
            Event::Found(number) => self.on_found(number),
            Event::Cut(number, connection) => {
                let there = self.pairs[number].connection.as_ref();
                if there.is_some_and(|there| there.number == connection) {
                    self.sum.cuts += 1;
                    self.disconnect(number, true);
                }
            }
            Event::ClockWake(number, at) if self.pairs[number].clock.wake == Some(at) => {
                self.turn(number, None);
            }
            Event::TwinWake(number, at) if self.pairs[number].twin.wake == Some(at) => {
                self.pairs[number].twin.wake = None;
                self.step_twin(number, clock_agent::core::Input::Wake);
            }
            Event::ClockWake(..) | Event::TwinWake(..) => {}
            Event::TwinLink(number) => self.link_twin(number),
            Event::ToTwin(number, frame) => {
                if self.pairs[number].twin.link.is_some() {
                    self.step_twin(number, clock_agent::core::Input::Frame(*frame));
                }
            }
            Event::FromTwin(number, frame) => self.twin_says(number, *frame),
            Event::HubWake(at) => self.on_hub_wake(at),
            Event::Durable => self.on_durable(),
            Event::Press(number, ply) => self.on_press(number, ply),
            Event::Lift(number, button, life) => {
                if self.pairs[number].life == life {
                    self.touch(number, button, clock_agent::buttons::Edge::Up);
                }
            }
            Event::Hold(number) => self.hold(number, clock_agent::buttons::Edge::Down),
            Event::LetGo(number) => {
                self.hold(number, clock_agent::buttons::Edge::Up);
                self.pairs[number].held = true;
            }
            Event::PowerUp(number) => self.power_up(number),
        }
    }

    /// Returns the microseconds that a pair's crystal has counted since power-up.
    fn raw_us(&self, number: usize) -> i64 {
        let pair = &self.pairs[number];
        pair.crystal.micros(self.now) - pair.crystal.micros(pair.powered)
    }

    /// Returns the instant at which the crystal's count reaches `raw_us`.
    fn when(&self, number: usize, raw_us: i64) -> Ns {
        let pair = &self.pairs[number];
        let before = pair.crystal.micros(pair.powered);
        pair.crystal.when(raw_us.saturating_add(before))
    }

    fn fail(&mut self, what: String) {
        self.failed.get_or_insert(what);
    }

    /// Presses the button for a ply. Black's press in ply 0 starts White's clock; then the players alternate.
    fn on_press(&mut self, number: usize, ply: usize) {
        if self.pairs[number].twin.core.clock().is_none() || !self.pairs[number].clock.has_board() {
            // The game begins only when both clocks of the pair have their board.
            return self
                .queue
                .push(self.now + SECOND, Event::Press(number, ply));
        }
        let button = if ply.is_multiple_of(2) {
            timing::Button::Right
        } else {
            timing::Button::Left
        };
        let think = self.random.span(0.25, 2.5);
        if ply == self.pairs[number].fails_at {
            return self.power_fails(number, button, ply);
        }
        let life = self.pairs[number].life;
        self.touch(number, button, clock_agent::buttons::Edge::Down);
        self.queue
            .push(self.now + TOUCH, Event::Lift(number, button, life));
        if ply < PLIES {
            // A power cut at the next press must follow so soon that neither clock reports its time in between.
            let next_fails = ply + 1 == self.pairs[number].fails_at;
            let wait = if next_fails { SECOND / 50 } else { think };
            self.queue
                .push(self.now + wait, Event::Press(number, ply + 1));
        } else {
            self.queue.push(self.now + think, Event::Hold(number));
        }
    }

    fn hold(&mut self, number: usize, edge: clock_agent::buttons::Edge) {
        for button in [timing::Button::Left, timing::Button::Right] {
            self.touch(number, button, edge);
        }
        if edge == clock_agent::buttons::Edge::Down {
            self.queue
                .push(self.now + SECOND * 3 / 2, Event::LetGo(number));
        }
    }

    /// Gives both clocks of a pair the same button edge, at the same count of their shared crystal.
    fn touch(&mut self, number: usize, button: timing::Button, edge: clock_agent::buttons::Edge) {
        let at_us = self.raw_us(number);
        self.pairs[number].clock.touch(button, edge, at_us);
        self.turn(number, None);
        self.touch_twin(number, button, edge, at_us);
    }

    /// Cuts the power of both clocks of a pair while the firmware writes this press, before the press is shown or sent.
    fn power_fails(&mut self, number: usize, button: timing::Button, ply: usize) {
        self.sum.power_cuts += 1;
        let at_us = self.raw_us(number);
        let torn = self.random.below(150);
        self.pairs[number].clock.lose_power_after(torn);
        let edge = clock_agent::buttons::Edge::Down;
        self.pairs[number].clock.touch(button, edge, at_us);
        self.turn(number, None);
        self.disconnect(number, false);
        self.unlink_twin(number);
        let pair = &mut self.pairs[number];
        pair.life += 1;
        pair.clock.wake = None;
        pair.twin.wake = None;
        let away = self.random.span(1.0, 20.0);
        self.queue.push(self.now + away, Event::PowerUp(number));
        // The player presses again when the clock is back, but before the hub hears the clock.
        let again = away + self.random.span(0.5, 2.0);
        self.pairs[number].fails_at = usize::MAX;
        self.queue.push(self.now + again, Event::Press(number, ply));
        self.pairs[number].deaf_until = self.now + again + SECOND;
    }

    fn power_up(&mut self, number: usize) {
        let pair = &mut self.pairs[number];
        pair.powered = self.now;
        if let Err(error) = pair.clock.power_up() {
            return self.fail(format!("clock {number} does not start: {error}"));
        }
        pair.twin.power_up();
        // Each clock stores its time every ten seconds, but not at the same moments. If only one of the two has stored its time since the newest
        // press, that one continues from a later time.
        pair.apart |= pair.clock.now_us() != Some(pair.twin.base_us);
        self.sum.apart += u64::from(pair.apart);
        let wait = pair.deaf_until - self.now;
        self.queue
            .push(self.now + wait.max(1), Event::TwinLink(number));
        self.step_twin(number, clock_agent::core::Input::Wake);
        self.turn(number, None);
    }

    fn at_rest(&self) -> bool {
        self.pairs.iter().all(|pair| {
            let twin = &pair.twin.core;
            pair.held && pair.clock.all_acknowledged() && twin.seq() == twin.acknowledged()
        })
    }

    fn check(&mut self, number: usize) {
        let pair = &self.pairs[number];
        if self.failed.is_some() {
            return;
        }
        if !self.at_rest() {
            return self.fail(format!("clock {number} never settled"));
        }
        let agent = pair.clock.agent();
        let chained = self.hub.presses_of(&agent);
        if chained != pair.presses {
            return self.fail(format!(
                "{} presses were made at clock {number}, the hub's log has {chained}",
                pair.presses
            ));
        }
        let hall = self.hub.hall.as_ref();
        let hubs = |board: usize| hall.and_then(|hall| hall.clock_bytes(&board.to_string()));
        let bytes = |clock: Option<&timing::BoardClock>| Some(clock?.snapshot().to_bytes());
        let four = [
            ("the firmware's", bytes(pair.clock.board_clock())),
            ("the hub's of the firmware", hubs(number + 1)),
            ("the agent's", bytes(pair.twin.core.clock())),
            ("the hub's of the agent", hubs(PAIRS + number + 1)),
        ];
        self.sum.presses += pair.presses;
        let apart = pair.apart;
        for (at, (whose, clock)) in four.iter().enumerate() {
            let like = if apart { &four[at - at % 2] } else { &four[0] };
            if clock.is_none() || *clock != like.1 {
                return self.fail(format!("pair {number}: {whose} clock differs"));
            }
        }
    }
}

//! Simulated players: time used, losses on time, ends of games. Owns the players' behaviour only; the engine decides the effect of a press.

use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration as StdDuration;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use timing::{Board, BoardClock, BoardState, Duration, Fact, Instant, Side, StartRule};
use tokio::sync::watch;

use crate::buttons::ButtonEvent;
use crate::time_source::TimeSource;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// Two or three presses a second, as in the last seconds of a bullet game.
    Bullet,
    /// A press every three seconds or so.
    Blitz,
    /// A press every ten seconds or so.
    Rapid,
    /// A press every minute or so.
    Classical,
}

impl Pace {
    /// Returns the minimum and the mean time used for an ordinary move.
    fn thinking(self) -> (Duration, Duration) {
        match self {
            Self::Bullet => (Duration::from_millis(100), Duration::from_millis(400)),
            Self::Blitz => (Duration::from_millis(700), Duration::from_millis(3_000)),
            Self::Rapid => (Duration::from_millis(1_500), Duration::from_secs(10)),
            Self::Classical => (Duration::from_secs(4), Duration::from_secs(60)),
        }
    }
}

impl FromStr for Pace {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "bullet" => Ok(Self::Bullet),
            "blitz" => Ok(Self::Blitz),
            "rapid" => Ok(Self::Rapid),
            "classical" => Ok(Self::Classical),
            _ => Err(format!(
                "expected bullet, blitz, rapid or classical, got {text:?}"
            )),
        }
    }
}

/// Percentage of games in which a player ignores the clock.
const CARELESS_PERCENT: u32 = 4;
/// A careful player spends at most 1/`CAREFUL_PARTS` of the remaining time on a move, except for quick moves when time is short.
const CAREFUL_PARTS: i64 = 12;
/// Number of one side's moves after which a game ends.
const GAME_MOVES: std::ops::Range<u32> = 22..70;

pub(super) struct SimulatedPlayers {
    pace: Pace,
    endless: bool,
    random: ChaCha8Rng,
    time: Arc<TimeSource>,
    /// While this is false, the players do nothing.
    gate: watch::Receiver<bool>,
    game: Option<Game>,
    plan: Option<Plan>,
}

/// The length of a simulated game, and the side that ignores its remaining time, if any.
#[derive(Clone, Copy, Debug)]
struct Game {
    moves: u32,
    careless: Option<Side>,
}

#[derive(Clone, Copy, Debug)]
struct Plan {
    situation: Situation,
    fact: Fact,
    at: Instant<Board>,
}

/// The action that a board expects from its players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Situation {
    /// Black must start White's clock.
    Start,
    /// This side is to move, and has completed this number of moves.
    Move(Side, u32),
}

impl Situation {
    /// Returns the situation; `None` while no player has to act.
    pub fn of(clock: &BoardClock) -> Option<Self> {
        match clock.state() {
            BoardState::Running { mover } => {
                let moves = clock.side(mover, clock.now()).moves;
                Some(Self::Move(mover, moves))
            }
            BoardState::Ready if clock.start_rule() == StartRule::BlackPress => Some(Self::Start),
            BoardState::Ready
            | BoardState::Paused { .. }
            | BoardState::Stopped { .. }
            | BoardState::Flagged { .. }
            | BoardState::Over => None,
        }
    }
}

impl SimulatedPlayers {
    pub(super) fn new(
        pace: Pace,
        endless: bool,
        seed: u64,
        time: Arc<TimeSource>,
        gate: watch::Receiver<bool>,
    ) -> Self {
        Self {
            pace,
            endless,
            random: ChaCha8Rng::seed_from_u64(seed),
            time,
            gate,
            game: None,
            plan: None,
        }
    }

    pub(super) async fn wait(&mut self) {
        let due = match (self.plan, *self.gate.borrow()) {
            (Some(plan), true) => Some((plan.at - self.time.now()).or_zero()),
            (Some(_) | None, _) => None,
        };
        let action = async {
            match due {
                Some(wait) => {
                    let wait = wait.as_micros().unsigned_abs();
                    tokio::time::sleep(StdDuration::from_micros(wait)).await;
                }
                None => std::future::pending().await,
            }
        };
        let moved = async {
            if self.gate.changed().await.is_err() {
                // The swarm was dropped without being stopped: its players continue.
                std::future::pending::<()>().await;
            }
        };
        tokio::select! {
            () = action => {}
            () = moved => {}
        }
    }

    pub(super) fn drain(&mut self, now: Instant<Board>) -> Option<ButtonEvent> {
        if !*self.gate.borrow() {
            return None;
        }
        let plan = self.plan.filter(|plan| plan.at <= now)?;
        self.plan = None;
        Some(ButtonEvent {
            fact: plan.fact,
            at: now,
        })
    }

    /// Plans the press or stop for the board's situation, unless it is already planned.
    pub(super) fn plan_next(&mut self, clock: Option<&BoardClock>, now: Instant<Board>) {
        let situation = clock.and_then(Situation::of);
        if self.plan.map(|plan| plan.situation) == situation {
            return;
        }
        self.plan = match (clock, situation) {
            (Some(clock), Some(situation)) => Some(self.plan_for(clock, situation, now)),
            (Some(_) | None, _) => None,
        };
    }

    fn plan_for(&mut self, clock: &BoardClock, situation: Situation, now: Instant<Board>) -> Plan {
        let (side, moves) = match situation {
            Situation::Start => {
                self.game = None;
                let wait = self.random.random_range(500_000..2_500_000);
                return Plan {
                    situation,
                    fact: Fact::Pressed(clock.button_of(Side::Black)),
                    at: now + Duration::from_micros(wait),
                };
            }
            Situation::Move(side, moves) => (side, moves),
        };
        if moves == 0 && side == Side::White {
            self.game = None;
        }
        let game = match self.game {
            Some(game) => game,
            None => self.new_game(),
        };
        self.game = Some(game);
        let over = !self.endless && moves >= game.moves;
        Plan {
            situation,
            fact: if over {
                Fact::Stopped
            } else {
                Fact::Pressed(clock.button_of(side))
            },
            at: now + self.think(clock, side, game, now),
        }
    }

    fn new_game(&mut self) -> Game {
        let careless = self.random.random_range(0..100) < CARELESS_PERCENT;
        let side = if self.random.random() {
            Side::White
        } else {
            Side::Black
        };
        Game {
            moves: self.random.random_range(GAME_MOVES),
            careless: (careless && !self.endless).then_some(side),
        }
    }

    /// Returns the time used for a move. Its exponential tail makes most moves quick and a few long.
    fn think(
        &mut self,
        clock: &BoardClock,
        side: Side,
        game: Game,
        now: Instant<Board>,
    ) -> Duration {
        let (least, mean) = self.pace.thinking();
        let uniform: f64 = self.random.random_range(0.001..1.0);
        let tail = (mean - least).as_micros() as f64 * -uniform.ln();
        let thought = least + Duration::from_micros(tail as i64);
        if game.careless == Some(side) {
            return thought + thought;
        }
        let hand = clock.side(side, now).time.or_zero();
        let careful = Duration::from_micros(hand.as_micros() / CAREFUL_PARTS);
        let hurried = Duration::from_micros(self.random.random_range(150_000..600_000));
        thought.min(careful.max(hurried))
    }
}

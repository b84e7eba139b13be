//! The two players at a board: how long they think, what they forget, and when they lose on time. They see only their clock's display; the engine
//! decides the effect of a press.

use clock_agent::swarm::Situation;
use timing::{Board, BoardClock, Duration, Fact, Instant, Side};

use super::mix::Mix;
use super::random::{Random, seconds};
use super::{Ns, SECOND};

#[derive(Debug)]
pub(super) struct Players {
    random: Random,
    pace: f64,
    clumsy: f64,
    careless: f64,
    game: Option<Game>,
    plan: Option<Plan>,
    /// The number of the current plan. An event with an earlier number belongs to an outdated plan.
    pub(super) token: u64,
}

#[derive(Clone, Copy, Debug)]
struct Game {
    moves: u32,
    careless: Option<Side>,
}

#[derive(Clone, Copy, Debug)]
struct Plan {
    situation: Situation,
    fact: Fact,
}

/// A careful player spends at most 1/`CAREFUL_PARTS` of the remaining time on a move, except in time trouble.
const CAREFUL_PARTS: f64 = 12.0;

impl Players {
    pub(super) fn new(random: Random, mix: &Mix) -> Self {
        Self {
            random,
            pace: mix.pace,
            clumsy: mix.clumsy,
            careless: mix.careless,
            game: None,
            plan: None,
            token: 0,
        }
    }

    /// Looks at the clock. If the situation has changed, plans the next action and returns the wait until then.
    pub(super) fn look(&mut self, clock: Option<&BoardClock>, now: Instant<Board>) -> Option<Ns> {
        let seen = clock.and_then(Situation::of);
        if self.plan.map(|plan| plan.situation) == seen {
            return None;
        }
        self.token += 1;
        self.plan = None;
        let (Some(clock), Some(seen)) = (clock, seen) else {
            return None;
        };
        let (fact, wait) = self.decide(clock, seen, now);
        self.plan = Some(Plan {
            situation: seen,
            fact,
        });
        Some(wait)
    }

    /// Returns the player's action, and true if it is repeated by mistake. A clumsy player may press the wrong button. Returns `None` if `token` is
    /// outdated or there is no plan.
    pub(super) fn act(&mut self, token: u64) -> Option<(Fact, bool)> {
        if token != self.token {
            return None;
        }
        let plan = self.plan.take()?;
        let mut fact = plan.fact;
        let mut twice = false;
        if self.random.chance(self.clumsy) {
            match (fact, self.random.below(2)) {
                (Fact::Pressed(button), 0) => fact = Fact::Pressed(button.other()),
                (Fact::Pressed(_), _) => twice = true,
                (Fact::Stopped, _) => {}
            }
        }
        Some((fact, twice))
    }

    /// Discards the plan: the players do nothing until they look at the clock again.
    pub(super) fn rest(&mut self) {
        self.token += 1;
        self.plan = None;
    }

    fn decide(&mut self, clock: &BoardClock, seen: Situation, now: Instant<Board>) -> (Fact, Ns) {
        let (side, moves) = match seen {
            Situation::Start => {
                self.game = None;
                let wait = self.random.span(0.3, 2.5);
                return (Fact::Pressed(clock.button_of(Side::Black)), wait);
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
        let fact = if moves >= game.moves {
            Fact::Stopped
        } else {
            Fact::Pressed(clock.button_of(side))
        };
        (fact, self.think(clock, side, game, now))
    }

    fn new_game(&mut self) -> Game {
        let careless = self.random.chance(self.careless);
        let side = self.random.pick(&[Side::White, Side::Black]);
        Game {
            moves: 10 + self.random.below(50) as u32,
            careless: careless.then_some(side),
        }
    }

    /// Draws a think time. Most moves come quickly and a few take long. A careful player saves time for later moves; a player in time trouble may
    /// press at the last moment.
    fn think(&mut self, clock: &BoardClock, side: Side, game: Game, now: Instant<Board>) -> Ns {
        let thought = (0.15 + self.random.exponential(2.5)) * self.pace;
        if game.careless == Some(side) {
            return seconds(thought * 3.0);
        }
        if self.random.chance(self.clumsy / 4.0) {
            // This player forgot to press.
            return self.random.span(5.0, 40.0);
        }
        let hand = hand(clock.side(side, now).time);
        let hurried = self.random.between(0.05, 0.6);
        let careful = (hand / CAREFUL_PARTS).max(hurried);
        let brink = self.random.chance(0.02) && hand > 0.05 && hand < 20.0;
        if brink {
            return seconds(hand - self.random.between(0.0, 0.04));
        }
        seconds(thought.min(careful))
    }
}

fn hand(time: Duration) -> f64 {
    time.or_zero().as_micros() as f64 / (SECOND / 1_000) as f64
}

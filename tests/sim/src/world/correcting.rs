//! Arbiters who correct a board at its clock, with or without a connection to the hub. Owns their actions; the checks at the end of a hall cover the
//! effects at the hub and the clock.

use clock_agent::core::{CorrectionRequest, Input};
use ed25519_dalek::SigningKey;
use hall::{Arbiter, Arbiters};
use proto::pin::public;
use timing::{BoardState, Command, Duration, Side};

use super::{Event, World};
use crate::random::Random;

/// The key derived from the PIN of one arbiter.
const KEY: [u8; 32] = [0x70; 32];
const NAME: &str = "Floor Arbiter";
/// The share of halls in which arbiters make corrections at clocks.
const HALLS: f64 = 0.3;

/// The arbiters who make corrections at a hall's clocks. They have their own random stream, so that the rest of the hall draws the same numbers
/// without them.
pub(super) struct ClockArbiters {
    random: Random,
    /// Corrections per minute in the whole hall.
    rate: f64,
}

impl ClockArbiters {
    pub(super) fn new(seed: u64, boards: usize, calm: bool) -> Self {
        let mut random = Random::new(seed, 27);
        let rate = if random.chance(HALLS) && !calm {
            random.scale(0.2, 6.0) * boards as f64 / 20.0
        } else {
            0.0
        };
        Self { random, rate }
    }

    pub(super) fn arbiters() -> Arbiters {
        Arbiters {
            salt: vec![0x5a; 16],
            list: vec![Arbiter {
                name: NAME.to_owned(),
                key: public(&SigningKey::from_bytes(&KEY)),
            }],
        }
    }
}

impl World {
    pub(super) fn plan_correction(&mut self) {
        let rate = self.clock_arbiters.rate;
        if let Some(wait) = self.clock_arbiters.random.wait(rate) {
            self.plan(wait, Event::Correct);
        }
    }

    pub(super) fn on_correct(&mut self) {
        if !self.playing {
            return;
        }
        self.plan_correction();
        let agent = self.clock_arbiters.random.below(self.agents.len());
        let machine = &self.agents[agent];
        let clock = machine.core.as_ref().and_then(|core| core.clock());
        let Some(state) = clock.map(|clock| clock.state()) else {
            return;
        };
        if !machine.runs(self.now) || machine.liar.is_some() {
            return;
        }
        let connected = machine.core.as_ref().is_some_and(|core| core.connected());
        if connected && self.clock_arbiters.random.chance(0.6) {
            return;
        }
        let commands = self.commands_at(state);
        let at = self.agents[agent].board_now(self.now);
        self.tally.fault(if connected {
            "corrected at a clock"
        } else {
            "corrected at a clock without its hub"
        });
        self.say(|| format!("an arbiter corrects at agent {agent}: {commands:?}"));
        let request = CorrectionRequest {
            arbiter: NAME.to_owned(),
            key: Box::new(SigningKey::from_bytes(&KEY)),
            commands,
        };
        self.tell_agent(agent, Input::Corrected { at, request });
    }

    fn commands_at(&mut self, state: BoardState) -> Vec<Command> {
        let random = &mut self.clock_arbiters.random;
        let side = if random.chance(0.5) {
            Side::White
        } else {
            Side::Black
        };
        let to = Duration::from_micros(random.span(2.0, 90.0) / 1_000);
        let mut edits = vec![Command::Set { side, to }];
        if random.chance(0.3) {
            let to = u32::try_from(random.below(60)).unwrap_or(0);
            edits.push(Command::Moves { side, to });
        }
        let running = matches!(state, BoardState::Running { .. });
        if random.chance(0.6) && running {
            edits.insert(0, Command::Pause);
            edits.push(Command::Resume(None));
        } else if !running {
            edits.push(Command::Resume(None));
        }
        edits
    }
}

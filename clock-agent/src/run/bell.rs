//! A clock's sound: one bell at a flag fall or a completed move, if the event enables it. Decides when to ring, but makes no sound itself.

use timing::{BoardClock, BySide, FlagView, Side};

use crate::face_state::{FaceState, FaceView, Sound};

#[derive(Debug, Default)]
pub(super) struct Bell {
    moves: Option<Moves>,
    /// True if a press has completed a move since the last call of [`Self::rings`].
    move_completed: bool,
    /// Number of flags that have fallen or been called.
    flags: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Moves {
    running: Option<Side>,
    completed: BySide<u32>,
}

impl Moves {
    fn of(clock: &BoardClock) -> Self {
        Self {
            running: clock.running(),
            completed: BySide::from_fn(|side| clock.side(side, clock.now()).moves),
        }
    }

    /// Returns true if the change since `old` is a press. Unlike a press, an arbiter's correction of a move count leaves the same clock running.
    fn are_one_press_after(&self, old: &Self) -> bool {
        old.running.is_some_and(|mover| {
            self.running == Some(mover.other()) && self.completed[mover] == old.completed[mover] + 1
        })
    }
}

impl Bell {
    /// Takes a new state of the clock. Must be called with every state, because there may be several between two calls of [`Self::rings`].
    pub(super) fn on_state(&mut self, state: &FaceState) {
        let new = state.clock.as_ref().map(Moves::of);
        let old = std::mem::replace(&mut self.moves, new);
        if let (Some(old), Some(new)) = (old, new) {
            self.move_completed |= new.are_one_press_after(&old);
        }
    }

    /// Returns true if the bell must ring for a change since the last call. The bell stays silent when a clock has just been switched on, and when an
    /// arbiter corrects the moves.
    pub(super) fn rings(&mut self, sound: Sound, view: Option<&FaceView>) -> bool {
        let new = view.map(|view| {
            let sides = Side::BOTH.into_iter();
            sides
                .filter(|side| view.sides[*side].flag != FlagView::None)
                .count()
        });
        let old = std::mem::replace(&mut self.flags, new);
        let flag = old.zip(new).is_some_and(|(old, new)| new > old);
        let move_completed = std::mem::take(&mut self.move_completed);
        match sound {
            Sound::Never => false,
            Sound::Flag => flag,
            Sound::All => flag || move_completed,
        }
    }
}

#[cfg(test)]
mod tests {
    use timing::{BoardClock, Button, Command, Fact, Instant, Setup, StartRule};

    use super::*;
    use crate::core::{AgentCore, CoreConfig, Recovered, signer::Signer};

    /// Returns, for each of start, press, wrong press, flag fall and the time after it, whether the bell rings.
    fn heard(sound: Sound) -> Vec<bool> {
        let at = Instant::from_micros;
        let mut clock = BoardClock::new(setup());
        let mut bell = Bell::default();
        let mut look = |clock: &BoardClock, now| {
            let face = face(clock);
            bell.on_state(&face);
            bell.rings(sound, face.at(at(now)).as_ref())
        };
        assert!(!look(&clock, 0), "switched on");
        let _ = clock.on_command(at(0), &Command::Start(None)).unwrap();
        let start = look(&clock, 0);
        let _ = clock.on_fact(at(1_000_000), Fact::Pressed(Button::Left));
        let press = look(&clock, 1_000_000);
        let _ = clock.on_fact(at(2_000_000), Fact::Pressed(Button::Left));
        let wrong = look(&clock, 2_000_000);
        let flag = look(&clock, 20_000_000);
        let after = look(&clock, 21_000_000);
        vec![start, press, wrong, flag, after]
    }

    fn face(clock: &BoardClock) -> FaceState {
        let agent = proto::ids::AgentId([1; 32]);
        let config = CoreConfig {
            signer: Signer::Hash(agent),
            firmware: String::new(),
            boot: Vec::new(),
            base_us: 0,
            token: 1,
        };
        let recovered = Recovered::fresh("test", &agent);
        let mut face = AgentCore::new(config, recovered, Instant::from_micros(0)).face();
        face.clock = Some(clock.clone());
        face
    }

    fn setup() -> Setup {
        Setup {
            control: "10s".parse().unwrap(),
            start: StartRule::Arbiter,
            white: Button::Left,
        }
    }

    fn started() -> BoardClock {
        let mut clock = BoardClock::new(setup());
        let start = Command::Start(None);
        let _ = clock.on_command(Instant::from_micros(0), &start).unwrap();
        clock
    }

    #[test]
    fn the_bell_rings_as_the_event_asks() {
        assert_eq!(heard(Sound::Never), [false; 5]);
        assert_eq!(heard(Sound::Flag), [false, false, false, true, false]);
        assert_eq!(heard(Sound::All), [false, true, false, true, false]);
    }

    #[test]
    fn two_presses_between_two_looks_ring_the_bell() {
        let at = Instant::from_micros;
        let mut clock = started();
        let mut bell = Bell::default();
        bell.on_state(&face(&clock));
        assert!(!bell.rings(Sound::All, face(&clock).at(at(0)).as_ref()));
        for (button, now) in [(Button::Left, 1_000_000), (Button::Right, 1_100_000)] {
            let _ = clock.on_fact(at(now), Fact::Pressed(button));
            bell.on_state(&face(&clock));
        }
        assert!(bell.rings(Sound::All, face(&clock).at(at(1_200_000)).as_ref()));
    }

    #[test]
    fn a_correction_of_the_move_count_is_silent() {
        let at = Instant::from_micros;
        let mut clock = started();
        let mut bell = Bell::default();
        bell.on_state(&face(&clock));
        assert!(!bell.rings(Sound::All, face(&clock).at(at(0)).as_ref()));
        let correction = "moves white 1".parse().unwrap();
        let _ = clock.on_command(at(1_000_000), &correction).unwrap();
        bell.on_state(&face(&clock));
        assert!(!bell.rings(Sound::All, face(&clock).at(at(1_000_000)).as_ref()));
    }
}

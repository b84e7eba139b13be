//! A clock's sound: one bell at a flag fall or a completed move, if the event enables it. Decides when to ring, but makes no sound itself.

use timing::{FlagView, Side};

use crate::face_state::{FaceView, Sound};

/// Decides when the bell rings. Keeps the last state of the clock to detect changes.
#[derive(Debug, Default)]
pub(super) struct Bell {
    last: Option<ClockSnapshot>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ClockSnapshot {
    moves: u32,
    flags: usize,
}

impl Bell {
    /// Returns true if the bell must ring for a change since the last call. The bell stays silent when a clock has just been switched on, and when an
    /// arbiter corrects it.
    pub(super) fn rings(&mut self, sound: Sound, view: Option<&FaceView>) -> bool {
        let new = view.map(|view| ClockSnapshot {
            moves: view.sides.white.moves + view.sides.black.moves,
            flags: Side::BOTH
                .into_iter()
                .filter(|side| view.sides[*side].flag != FlagView::None)
                .count(),
        });
        let old = std::mem::replace(&mut self.last, new);
        let (Some(old), Some(new)) = (old, new) else {
            return false;
        };
        let flag = new.flags > old.flags;
        match sound {
            Sound::Never => false,
            Sound::Flag => flag,
            Sound::All => flag || new.moves == old.moves + 1,
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
        let agent = proto::ids::AgentId([1; 32]);
        let config = CoreConfig {
            signer: Signer::Hash(agent),
            firmware: String::new(),
            boot: Vec::new(),
            base_us: 0,
            token: 1,
        };
        let mut face = AgentCore::new(config, Recovered::fresh("test", &agent), at(0)).face();
        let mut clock = BoardClock::new(Setup {
            control: "10s".parse().unwrap(),
            start: StartRule::Arbiter,
            white: Button::Left,
        });
        let mut bell = Bell::default();
        let mut look = |clock: &BoardClock, now| {
            face.clock = Some(clock.clone());
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

    #[test]
    fn the_bell_rings_as_the_event_asks() {
        assert_eq!(heard(Sound::Never), [false; 5]);
        assert_eq!(heard(Sound::Flag), [false, false, false, true, false]);
        assert_eq!(heard(Sound::All), [false, true, false, true, false]);
    }
}

//! The truth about one board of a match: an engine that gets every press at its true instant, without a network.

use hall::view::Flag;
use timing::{Board, BoardClock, Command, Fact, Instant, Side};

use crate::Ns;

#[derive(Debug)]
pub(super) struct Truth {
    pub(super) clock: BoardClock,
    /// The number of the game. Presses planned in an earlier game are dropped.
    pub(super) game: u64,
    /// True if a press was so close to a deadline or to the opponent's press that either order is valid. Also true if a clock lost power. The game is
    /// then not compared.
    pub(super) near: bool,
    pub(super) pressed: [Ns; 2],
    pub(super) stage: Stage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    Waiting,
    Playing,
    /// Play is over, but some presses may not have reached the hub yet.
    Ending {
        since: Ns,
    },
    Asked,
}

pub(super) fn index(side: Side) -> usize {
    match side {
        Side::White => 0,
        Side::Black => 1,
    }
}

impl Truth {
    pub(super) fn new(clock: BoardClock) -> Self {
        Self {
            clock,
            game: 0,
            near: false,
            pressed: [0; 2],
            stage: Stage::Waiting,
        }
    }

    pub(super) fn mover(&self) -> Option<Side> {
        self.clock.state().running()
    }

    pub(super) fn press(&mut self, side: Side, hub_us: i64, now: Ns) {
        /// The distance within which two instants count as close: wider than any proven interval, except after an outage.
        const NEAR: Ns = 100_000_000;
        let at = Instant::<Board>::from_micros(hub_us);
        if let Some(deadline) = self.clock.next_deadline() {
            let off = (deadline.as_micros() - hub_us).abs().saturating_mul(1_000);
            self.near |= off < NEAR;
        }
        self.near |= now - self.pressed[index(side.other())] < NEAR;
        self.pressed[index(side)] = now;
        let button = match side {
            Side::White => self.clock.white_button(),
            Side::Black => self.clock.white_button().other(),
        };
        // The outcome does not matter here; the state afterwards is compared.
        let _ = self.clock.on_fact(at, Fact::Pressed(button));
    }

    pub(super) fn pass(&mut self, hub_us: i64) {
        let _ = self.clock.pass_time(Instant::from_micros(hub_us));
    }

    pub(super) fn command(&mut self, hub_us: i64, command: &Command) -> Result<(), String> {
        self.clock
            .on_command(Instant::from_micros(hub_us), command)
            .map(|_| ())
            .map_err(|rejection| rejection.to_string())
    }

    pub(super) fn fallen(&self, side: Side) -> bool {
        self.clock.side(side, self.clock.now()).flag != timing::FlagView::None
    }
}

pub(super) fn is_settled(flag: Flag) -> bool {
    match flag {
        Flag::Fallen | Flag::Called => true,
        Flag::None | Flag::Expected => false,
    }
}

//! One board of a match as it truly is: an engine that sees every press at its true instant, without a network. Owns the comparison
//! with what the hub has.

use hall::view::Flag;
use timing::{Board, BoardClock, Command, Fact, Instant, Side};

use crate::sim::Ns;

/// The truth about a board.
#[derive(Debug)]
pub(super) struct Truth {
    pub(super) clock: BoardClock,
    /// Grows from game to game: a finger of an older one does not move.
    pub(super) game: u64,
    /// A press came so near a deadline, or another press, that either order may be found: the game is not compared.
    pub(super) near: bool,
    /// When each side pressed last, true time.
    pub(super) pressed: [Ns; 2],
    pub(super) stage: Stage,
}

/// How far a game has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// To be prepared and started.
    Waiting,
    Playing,
    /// No more presses are made; the hub has still to learn of some.
    Ending {
        since: Ns,
    },
    /// The hub has been asked to end it.
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

    /// The side on move.
    pub(super) fn mover(&self) -> Option<Side> {
        self.clock.state().running()
    }

    /// A press of the side's own button, at a hub instant.
    pub(super) fn press(&mut self, side: Side, hub_us: i64, now: Ns) {
        /// More than any interval is wide that is not from an outage.
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
        // Only the state after it is of interest.
        let _ = self.clock.on_fact(at, Fact::Pressed(button));
    }

    /// Time passes.
    pub(super) fn pass(&mut self, hub_us: i64) {
        // As above.
        let _ = self.clock.pass_time(Instant::from_micros(hub_us));
    }

    /// An arbiter's command takes effect.
    pub(super) fn command(&mut self, hub_us: i64, command: &Command) -> Result<(), String> {
        self.clock
            .on_command(Instant::from_micros(hub_us), command)
            .map(|_| ())
            .map_err(|rejection| rejection.to_string())
    }

    /// Whether the side's flag has truly fallen.
    pub(super) fn fallen(&self, side: Side) -> bool {
        self.clock.side(side, self.clock.now()).flag != timing::FlagView::None
    }
}

/// Whether the hub says that a flag is down for certain.
pub(super) fn is_settled(flag: Flag) -> bool {
    match flag {
        Flag::Fallen | Flag::Called => true,
        Flag::None | Flag::Expected => false,
    }
}

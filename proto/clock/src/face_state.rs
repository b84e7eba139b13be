//! The content of a face as plain data. Owns no rules: the engine evaluates times at the requested instant. Never reads a system clock and knows
//! nothing about drawing.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use timing::{
    Board, BoardClock, BoardState, Button, BySide, Duration, GameResult, Instant, Side, SideView,
};

/// The complete input of a face. It stays valid while only time passes: until the next change, a face can draw [`FaceState::at`] as often as it
/// likes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaceState {
    /// The hub's name for the board; empty without a board.
    pub board: String,
    /// The hub's text for the round; may be empty.
    pub round: String,
    /// The players' names; empty if unknown.
    pub names: BySide<String>,
    /// The side for which a drawn game counts as a win (armageddon), if any.
    pub draw_odds: Option<Side>,
    /// The phase of the day, in a game of Time Chess.
    pub day: Option<DayPhase>,
    /// Scheduled start of the game, if known.
    pub starts_at: Option<Instant<Board>>,
    /// The occasions on which this clock makes a sound.
    pub sound: Sound,
    /// The side whose clock is elsewhere (a match between two halls); `None` if this clock serves both sides.
    pub elsewhere: Option<RemoteSide>,
    /// The board's clock; `None` without a board.
    pub clock: Option<BoardClock>,
    /// Number of events that are in neither the journal nor the hub's log.
    pub unsaved: usize,
    /// Number of events that are not in the hub's log.
    pub unacknowledged: usize,
    /// The state of the link to the hub, with the instant of its loss.
    pub hub: HubLink,
    /// Battery charge in percent, 0 to 100; `None` without a battery or if unknown.
    pub battery_percent: Option<u8>,
    /// The state of the journal, in which events are stored until the hub acknowledges them.
    pub journal: JournalHealth,
    /// Messages for the players or the arbiter, most urgent first.
    pub messages: Vec<Message>,
    /// Instant until which the face identifies the clock, for example by flashing; `None` if never requested.
    pub identify_until: Option<Instant<Board>>,
}

/// The phase of the day in a game of Time Chess.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DayPhase {
    /// Black moves; both players see every piece.
    Dawn,
    /// White moves; Black sees only Black's pieces.
    Midday,
    /// Black moves blind, seeing only Black's pieces.
    Evening,
    /// White moves; both players see every piece.
    Dusk,
    /// Black moves; White sees only White's pieces.
    Midnight,
    /// White moves blind, seeing only White's pieces.
    Morning,
}

impl DayPhase {
    /// Returns the player who sees only their own pieces; `None` if both players see every piece.
    pub const fn blind(self) -> Option<Side> {
        match self {
            Self::Dawn | Self::Dusk => None,
            Self::Midday | Self::Evening => Some(Side::Black),
            Self::Midnight | Self::Morning => Some(Side::White),
        }
    }
}

/// The side of a board whose clock is elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RemoteSide {
    /// The side whose clock is elsewhere.
    pub side: Side,
    /// True while this clock is connected and the hub has a signal from the side's clock. Otherwise the display assumes no press on that side.
    pub known: bool,
}

/// The occasions on which a clock makes a sound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sound {
    /// No sounds: the default for a tournament hall.
    #[default]
    Never,
    /// A sound at a flag fall.
    Flag,
    /// A sound at a flag fall and at each press that completes a move.
    All,
}

/// The state of the link to the hub.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HubLink {
    /// The hub has welcomed this agent.
    Connected,
    /// The hub has not welcomed this agent on a current link. The game goes on.
    Away {
        /// Instant at which the link was lost, or at which this program started.
        since: Instant<Board>,
    },
}

/// The state of the journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JournalHealth {
    /// Entries can be written.
    Writing,
    /// Entries cannot be written (disk full, card broken). The game goes on, and presses still go to the hub.
    Failed,
}

/// A line of text on the face.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The source of the message, which determines its urgency.
    pub kind: MessageKind,
    /// The text: one line of any length.
    pub text: String,
}

/// The source of a message. The variants are in order of urgency, most urgent first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MessageKind {
    /// The clock needs an arbiter.
    Trouble,
    /// A message from the hub, for example from an arbiter, or about a clock test.
    Hub,
    /// Information about the link: searching, not enrolled, refused.
    Link,
}

/// A face at one instant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaceView {
    /// White's button, on whose side of the face White's time is drawn.
    pub white_button: Button,
    /// Both sides' times and flags.
    pub sides: BySide<SideView>,
    /// State of the board at this instant, including a flag that has just fallen.
    pub state: BoardState,
    /// The side whose clock is running.
    pub running: Option<Side>,
    /// The side whose flag fell first.
    pub first_flag: Option<Side>,
    /// The result, once there is one.
    pub result: Option<GameResult>,
    /// The time control in its shortest notation, shown before the start.
    pub control: String,
    /// The side whose clock is elsewhere and whose state is unknown.
    pub unknown: Option<Side>,
}

impl FaceState {
    /// Returns the face at `now`, or `None` while there is no clock to show.
    ///
    /// Settles time in a copy, so that a flag shows as fallen at its deadline, except while the running clock is elsewhere.
    pub fn at(&self, now: Instant<Board>) -> Option<FaceView> {
        let clock = self.clock.as_ref()?;
        let settled;
        let away = self.elsewhere.map(|elsewhere| elsewhere.side);
        // Only the hub can confirm a flag fall on a remote clock.
        let ours = away.is_none() || clock.running() != away;
        let due = clock.next_deadline().filter(|_| ours);
        let clock = if due.is_some_and(|deadline| deadline <= now) {
            let mut copy = clock.clone();
            // The core handles the effects; the face needs only the state.
            let _ = copy.pass_time(now);
            settled = copy;
            &settled
        } else {
            clock
        };
        let state = clock.state();
        Some(FaceView {
            white_button: clock.white_button(),
            sides: BySide::from_fn(|side| clock.side(side, now)),
            running: state.running(),
            state,
            first_flag: clock.first_flag(),
            result: clock.result(),
            control: clock.time_control().to_string(),
            unknown: self
                .elsewhere
                .filter(|elsewhere| !elsewhere.known)
                .map(|elsewhere| elsewhere.side),
        })
    }

    /// Returns how long the hub has been away at `now`; `None` while the hub is connected.
    pub fn away_for(&self, now: Instant<Board>) -> Option<Duration> {
        match self.hub {
            HubLink::Connected => None,
            HubLink::Away { since } => Some((now - since).or_zero()),
        }
    }

    /// Returns true if the face identifies the clock at `now`, for example by flashing.
    pub fn identifying(&self, now: Instant<Board>) -> bool {
        self.identify_until.is_some_and(|until| now < until)
    }
}

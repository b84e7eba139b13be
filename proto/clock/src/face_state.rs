//! What a face shows, as plain data. Owns no rules: times come from the engine, evaluated at the instant that is asked for.
//! Never reads a clock, never knows how it is drawn.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use timing::{
    Board, BoardClock, BoardState, Button, BySide, Duration, GameResult, Instant, Side, SideView,
};

/// Everything a face needs. The core makes a new one whenever something changed that does not follow from time alone;
/// between changes a face draws [`FaceState::at`] as often as it likes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaceState {
    /// The board this clock serves, as the hub names it; empty when none does.
    pub board: String,
    /// The round, as the hub words it; may be empty.
    pub round: String,
    /// The players; empty when unknown.
    pub names: BySide<String>,
    /// The side for which a drawn game counts as won (armageddon).
    pub draw_odds: Option<Side>,
    /// When the hub will start the game, if that is known.
    pub starts_at: Option<Instant<Board>>,
    /// When this clock makes a sound.
    pub sound: Sound,
    /// The side whose clock is elsewhere (a match between two halls); `None` where both are here.
    pub elsewhere: Option<Elsewhere>,
    /// The clock itself; `None` until the hub gives this agent a board.
    pub clock: Option<BoardClock>,
    /// Events that lie neither in the journal nor in the hub's log yet.
    pub unsaved: usize,
    /// Events that are not in the hub's log yet.
    pub unacknowledged: usize,
    /// The link to the hub.
    pub hub: HubLink,
    /// 0 to 100; `None` on mains power, or when unknown.
    pub battery_percent: Option<u8>,
    /// Whether presses can be written to the journal.
    pub journal: JournalHealth,
    /// What has to be read by players or arbiter: a text of the hub, or a trouble of this clock. Most urgent first.
    pub messages: Vec<Message>,
    /// While this instant lies ahead, the face makes itself known ("which clock is this?").
    pub identify_until: Option<Instant<Board>>,
}

/// The side of a board whose clock is elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Elsewhere {
    /// Which.
    pub side: Side,
    /// What is shown of it is as the hub knows it; else it is what it would be if nobody had pressed there.
    pub known: bool,
}

/// When a clock makes a sound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sound {
    /// Never: what a tournament hall wants.
    #[default]
    Never,
    /// When a flag falls.
    Flag,
    /// When a flag falls, and at each press that completes a move.
    All,
}

/// The link to the hub.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HubLink {
    /// Frames go back and forth.
    Connected,
    /// No link since then; the game goes on.
    Away {
        /// When the link was lost, or when this program started.
        since: Instant<Board>,
    },
}

/// Whether presses can be written to the journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JournalHealth {
    /// They can.
    Writing,
    /// They cannot (disk full, card broken); the game goes on, presses still go to the hub.
    Failed,
}

/// A line for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Who says so.
    pub kind: MessageKind,
    /// The words; one line, any length.
    pub text: String,
}

/// Who says so, and how urgent it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MessageKind {
    /// The clock needs an arbiter.
    Trouble,
    /// The hub shows a text on this board.
    Hub,
    /// Something to know: not enrolled, the hub refuses this clock, looking for it.
    Link,
}

/// A face at one instant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaceView {
    /// Which button is White's: that side is drawn there.
    pub white_button: Button,
    /// Both sides' time, allotment, moves, period, byo-yomi, delay, points, bank and flag.
    pub sides: BySide<SideView>,
    /// What the board is doing at this instant; a flag that has just fallen is already taken into account.
    pub state: BoardState,
    /// Whose clock runs.
    pub running: Option<Side>,
    /// Whose flag fell first.
    pub first_flag: Option<Side>,
    /// The result, once there is one.
    pub result: Option<GameResult>,
    /// The time control in its shortest notation: shown before the start.
    pub control: String,
    /// The side whose clock is elsewhere and is not known just now.
    pub unknown: Option<Side>,
}

impl FaceState {
    /// The face at `now`, `None` while there is no clock to show.
    ///
    /// Time is settled in a copy, so that a flag shows as fallen the moment it falls.
    pub fn at(&self, now: Instant<Board>) -> Option<FaceView> {
        let clock = self.clock.as_ref()?;
        let settled;
        let away = self.elsewhere.map(|elsewhere| elsewhere.side);
        // Nobody here can say that a flag has fallen elsewhere.
        let ours = away.is_none() || clock.running() != away;
        let due = clock.next_deadline().filter(|_| ours);
        let clock = if due.is_some_and(|deadline| deadline <= now) {
            let mut copy = clock.clone();
            // Effects are the core's business; the picture needs the state alone.
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

    /// How long the hub has been away at `now`; `None` while it is there.
    pub fn away_for(&self, now: Instant<Board>) -> Option<Duration> {
        match self.hub {
            HubLink::Connected => None,
            HubLink::Away { since } => Some((now - since).or_zero()),
        }
    }

    /// Whether the face makes itself known at `now`.
    pub fn identifying(&self, now: Instant<Board>) -> bool {
        self.identify_until.is_some_and(|until| now < until)
    }
}

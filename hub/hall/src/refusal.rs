//! The hall's refusals. Defines their numbers and most of their English texts: programs translate a refusal by its
//! number, and all other readers see the text. Must never decide whether something is refused.

mod detail;
mod law;

use proto::ids::{AgentId, CommandId, EventSeq};
use proto::refusal::{self as wire, ChangeKind, RefusalCode};
use timing::{Hub, Instant, Rejection, Side};

use super::board_id::{BadBoardId, BoardId};
use super::changes::Missed;
use super::held::HeldRefusal;
use super::ruling::RulingRefusal;
use super::told;
use super::words::capital;
use crate::to_proto;

/// A refusal for an answer or the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal(Box<wire::Refusal>);

impl Refusal {
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// Returns the number of the refusal; unspecified if there is only a text.
    pub fn code(&self) -> RefusalCode {
        self.0.code()
    }

    pub fn to_wire(&self) -> wire::Refusal {
        (*self.0).clone()
    }

    /// Converts the refusal for a record that stores the text separately.
    pub fn without_text(&self) -> wire::Refusal {
        wire::Refusal {
            text: String::new(),
            ..self.to_wire()
        }
    }

    /// Restores a refusal from a record. A record from before refusals had numbers has only a text.
    pub fn from_record(text: String, rest: Option<wire::Refusal>) -> Self {
        Self(Box::new(wire::Refusal {
            text,
            ..rest.unwrap_or_default()
        }))
    }

    /// Returns a refusal with this code and English text, for callers outside the hall.
    pub fn with_code(code: RefusalCode, text: String) -> Self {
        Self(Box::new(wire::Refusal {
            code: code.into(),
            text,
            ..wire::Refusal::default()
        }))
    }

    pub fn from_laws(refusal: laws::Refusal) -> Self {
        Why::from(RulingRefusal::from(refusal)).into()
    }

    pub fn with_details(mut self, say: impl FnOnce(&mut wire::Refusal)) -> Self {
        say(&mut self.0);
        self
    }

    pub(crate) fn cut(mut self, most: usize) -> Self {
        let end = self.0.text.floor_char_boundary(most);
        self.0.text.truncate(end);
        self
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.text())
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum Why {
    #[error(transparent)]
    Rule(#[from] Rejection),
    #[error("the board has changed since you looked: {}", .missed.text)]
    BoardChanged {
        missed: Box<Missed>,
        /// The side and move number of the newest press, if presses and no decision made the request stale.
        press: Option<(Side, u32)>,
    },
    #[error("board {0} already exists")]
    BoardExists(BoardId),
    #[error("there is no board {0}: `flagfall ctl list` lists the boards")]
    NoBoard(BoardId),
    #[error("there is no board {0:?}: `flagfall ctl list` lists the boards")]
    NoBoardCalled(String),
    #[error(transparent)]
    BadBoard(#[from] BadBoardId),
    #[error("no clock serves board {0}: assign one first")]
    NoClock(BoardId),
    #[error("board {0} does not have a clock for each side: assign both first")]
    NoClockEach(BoardId),
    #[error("the clock of this board failed ({0}): prepare the board again")]
    ClockFailed(String),
    #[error("the board's clock is out of order: {0}")]
    OutOfOrder(String),
    #[error("the clock of board {0} has no signal")]
    ClockSilent(BoardId),
    #[error("the clock of board {0} is not connected")]
    ClockNotConnected(BoardId),
    #[error("clock {} was revoked", .0.short())]
    ClockRevoked(AgentId),
    #[error("clock {} was revoked and cannot be enrolled again", .0.short())]
    ClockNotEnrolled(AgentId),
    #[error("clock {} serves board {board}, where a game is in progress", .clock.short())]
    ClockElsewhere { clock: AgentId, board: BoardId },
    #[error(
        "clock {} serves {} on this board: take it off first, or assign it without a side",
        .clock.short(),
        capital(*.side)
    )]
    ClockOtherSide { clock: AgentId, side: Side },
    #[error("no clock's key begins with {0}")]
    ClockUnknown(String),
    #[error("several clocks' keys begin with {0}: give more of the key")]
    ClockAmbiguous(String),
    #[error("a game is in progress on the board: enter its result first")]
    BoardInPlay,
    #[error("a game is in progress on board {0}: test its clock before the round")]
    ZeroTestInPlay(BoardId),
    #[error("the firmware of board {board}'s clock has no clock test ({firmware}): update it")]
    ZeroTestUnknown { board: BoardId, firmware: String },
    #[error("a clock test of board {0} is in progress")]
    ZeroTestUnderWay(BoardId),
    #[error("the game on board {board} has no event {}", .event.0)]
    NoSuchPress { board: BoardId, event: EventSeq },
    #[error(
        "the board's clock is connected and has 3 s to carry out the command itself: wait, then try again"
    )]
    ClockCarriesItOut,
    #[error(
        "the command was sent to the board's clock and may have been carried out: force it, or wait for the clock"
    )]
    LeftForClock,
    #[error(
        "the command makes the clock show the event's result: correct that result, or remove it"
    )]
    ShowsResult,
    #[error("the board's clock skipped this command")]
    PassedOver,
    #[error("the hub had taken the board over before its clock carried this out")]
    TakenOver,
    #[error("the board's clock was replaced before it carried this out")]
    ClockReplaced,
    #[error("the board's clocks were replaced before this took effect")]
    ClocksReplaced,
    #[error("the board was changed to two clocks before its own clock carried this out")]
    GivenTwoClocks,
    #[error("the board's clock was moved to a different board before it carried this out")]
    ClockMoved,
    #[error("there is no command {0}")]
    CommandUnknown(CommandId),
    #[error("no command {0} is pending")]
    CommandNotWaiting(CommandId),
    #[error("only the chief arbiter may do this")]
    ChiefOnly,
    #[error("only the chief arbiter may change the floor plan")]
    FloorChiefOnly,
    #[error("viewers may not change anything")]
    Viewer,
    #[error("this needs the role {needed}; {name} has the role {role}")]
    RoleNeeded {
        needed: &'static str,
        /// True if only a chief arbiter may make the request.
        chief: bool,
        name: String,
        role: &'static str,
    },
    #[error(
        "this is outside your sector, boards {sector}: ask the chief arbiter, or the arbiter of that board"
    )]
    OutsideSector { sector: String },
    #[error(transparent)]
    Held(#[from] HeldRefusal),
    /// A rule of the event. If there were several changes, `of` is the refused one.
    #[error("{}{refusal}", .of.as_ref().map(|of| format!("{}: ", of.words)).unwrap_or_default())]
    Event {
        of: Option<RefusedChange>,
        refusal: tournament::Refusal,
    },
    #[error("the event has changed since you looked: {}", .0.text)]
    EventChanged(Box<Missed>),
    #[error("the hub has no event yet")]
    NoEvent,
    #[error("there is no event yet: first set its name and its number of rounds")]
    EventNotBegun,
    #[error(
        "no import can be undone{}: an import can be undone until the next round starts",
        .0.map(|version| format!(" that created version {version}")).unwrap_or_default()
    )]
    NothingToUndo(Option<u64>),
    #[error(
        "{pairings} {} would be removed, which was not confirmed: check the file, and confirm with `--remove-pairings {pairings}`",
        if *.pairings == 1 { "pairing" } else { "pairings" }
    )]
    RemovesPairings { pairings: u32 },
    #[error("the import cannot be undone: {what} depends on it. Undo that first")]
    UndoBlocked { what: String },
    #[error("the current event is called “{0}”: type exactly that name to set it aside")]
    EventNameDiffers(String),
    #[error(
        "the game on board {board} of round {round} is in progress: set the event aside after the round"
    )]
    EventInPlay {
        round: tournament::RoundNo,
        board: tournament::BoardNo,
    },
    #[error("the hub has no event {0}: `flagfall event list` lists its events")]
    EventUnknown(u32),
    #[error("the floor plan was changed by {by} since you looked: check it again")]
    FloorChanged {
        by: String,
        at: Option<Instant<Hub>>,
    },
    #[error("{text}")]
    NoControl { written: String, text: String },
    #[error(
        "{what} contains the invisible character U+{:04X}: remove it",
        u32::from(*.found)
    )]
    HiddenCharacter { what: String, found: char },
    #[error(transparent)]
    Ruling(#[from] RulingRefusal),
    /// A reason with a text but no number, for example a malformed request, or one that does not fit in the log.
    #[error("{0}")]
    TextOnly(String),
}

/// The refused change of a request that had several changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedChange {
    pub words: String,
    /// The round and board of the change, if it concerns one board.
    pub board: Option<(tournament::RoundNo, tournament::BoardNo)>,
}

impl Why {
    /// Returns the number for a reason. The match is exhaustive, so that a new reason does not compile without a
    /// number.
    fn code(&self) -> RefusalCode {
        match self {
            Why::Rule(rejection) => code_of_rule(*rejection),
            Why::BoardChanged { .. } => RefusalCode::BoardChanged,
            Why::BoardExists(_) => RefusalCode::BoardExists,
            Why::NoBoard(_) | Why::NoBoardCalled(_) | Why::BadBoard(_) => RefusalCode::NoBoard,
            Why::NoClock(_) => RefusalCode::NoClock,
            Why::NoClockEach(_) => RefusalCode::NoClockEach,
            Why::ClockFailed(_) | Why::OutOfOrder(_) => RefusalCode::ClockFailed,
            Why::ClockSilent(_) | Why::ClockNotConnected(_) => RefusalCode::ClockSilent,
            Why::ClockRevoked(_) | Why::ClockNotEnrolled(_) => RefusalCode::ClockRevoked,
            Why::ClockElsewhere { .. } => RefusalCode::ClockElsewhere,
            Why::ClockOtherSide { .. } => RefusalCode::ClockOtherSide,
            Why::ClockUnknown(_) => RefusalCode::ClockUnknown,
            Why::ClockAmbiguous(_) => RefusalCode::ClockAmbiguous,
            Why::BoardInPlay => RefusalCode::BoardInPlay,
            Why::ZeroTestInPlay(_) => RefusalCode::ZeroTestInPlay,
            Why::ZeroTestUnknown { .. } => RefusalCode::ZeroTestUnknown,
            Why::ZeroTestUnderWay(_) => RefusalCode::ZeroTestUnderWay,
            Why::NoSuchPress { .. } => RefusalCode::NoSuchPress,
            Why::ClockCarriesItOut => RefusalCode::ClockCarriesItOut,
            Why::LeftForClock => RefusalCode::LeftForClock,
            Why::ShowsResult => RefusalCode::ShowsResult,
            Why::PassedOver => RefusalCode::PassedOver,
            Why::TakenOver => RefusalCode::TakenOver,
            Why::ClockReplaced | Why::ClocksReplaced => RefusalCode::ClockReplaced,
            Why::GivenTwoClocks => RefusalCode::GivenTwoClocks,
            Why::ClockMoved => RefusalCode::ClockMoved,
            Why::CommandUnknown(_) | Why::CommandNotWaiting(_) => RefusalCode::CommandUnknown,
            Why::ChiefOnly | Why::FloorChiefOnly => RefusalCode::ChiefOnly,
            Why::RoleNeeded { chief: true, .. } => RefusalCode::ChiefOnly,
            Why::Viewer | Why::RoleNeeded { chief: false, .. } => RefusalCode::ArbiterOnly,
            Why::OutsideSector { .. } => RefusalCode::OutsideSector,
            Why::Held(why) => why.code(),
            Why::Event { refusal, .. } => code_of_event(refusal),
            Why::EventChanged(_) => RefusalCode::EventChanged,
            Why::NoEvent | Why::EventNotBegun => RefusalCode::NoEvent,
            Why::FloorChanged { .. } => RefusalCode::FloorChanged,
            Why::NothingToUndo(_) => RefusalCode::NothingToUndo,
            Why::RemovesPairings { .. } => RefusalCode::RemovesPairings,
            Why::UndoBlocked { .. } => RefusalCode::UndoBlocked,
            Why::EventNameDiffers(_) => RefusalCode::EventNameDiffers,
            Why::EventInPlay { .. } => RefusalCode::EventInPlay,
            Why::EventUnknown(_) => RefusalCode::EventUnknown,
            Why::NoControl { .. } => RefusalCode::ControlUnreadable,
            Why::HiddenCharacter { .. } => RefusalCode::HiddenCharacter,
            Why::Ruling(why) => law::code(why),
            Why::TextOnly(_) => RefusalCode::Unspecified,
        }
    }

    /// Returns the data that a translation needs in addition to the number.
    fn about(&self) -> wire::Refusal {
        let mut about = wire::Refusal::default();
        match self {
            Why::BoardChanged { missed, press } => {
                about_missed(missed, &mut about);
                about_press(*press, &mut about);
            }
            Why::BoardExists(board)
            | Why::NoBoard(board)
            | Why::NoClock(board)
            | Why::NoClockEach(board)
            | Why::ClockSilent(board)
            | Why::ClockNotConnected(board)
            | Why::ZeroTestInPlay(board)
            | Why::ZeroTestUnknown { board, .. }
            | Why::ZeroTestUnderWay(board)
            | Why::NoSuchPress { board, .. } => about.board = board.to_string(),
            Why::ClockRevoked(clock) | Why::ClockNotEnrolled(clock) => about.clock = clock.short(),
            Why::ClockElsewhere { clock, board } => {
                (about.clock, about.board) = (clock.short(), board.to_string());
            }
            Why::ClockOtherSide { clock, side } => {
                about.clock = clock.short();
                about.set_side(to_proto::side(*side));
            }
            Why::ClockUnknown(key) | Why::ClockAmbiguous(key) => about.clock.clone_from(key),
            Why::Event { of, refusal } => about_event(of.as_ref(), refusal, &mut about),
            Why::NoBoardCalled(called) | Why::BadBoard(BadBoardId(called)) => {
                about.board.clone_from(called);
            }
            Why::NoControl { written, .. } => about.name.clone_from(written),
            Why::EventChanged(missed) => about_missed(missed, &mut about),
            Why::FloorChanged { by, at } => about_floor(by, *at, &mut about),
            Why::EventNameDiffers(name)
            | Why::UndoBlocked { what: name }
            | Why::OutsideSector { sector: name } => about.name.clone_from(name),
            Why::HiddenCharacter { found, .. } => {
                about.name = format!("U+{:04X}", u32::from(*found));
            }
            Why::EventInPlay { round, board } => about_board(*round, *board, &mut about),
            Why::Held(why) => about.name = why.name(),
            Why::RemovesPairings { pairings } => about.number = *pairings,
            Why::EventUnknown(number) => about.number = *number,
            Why::Ruling(why) => law::about(why, &mut about),
            Why::Rule(_)
            | Why::ClockFailed(_)
            | Why::OutOfOrder(_)
            | Why::BoardInPlay
            | Why::ClockCarriesItOut
            | Why::LeftForClock
            | Why::ShowsResult
            | Why::PassedOver
            | Why::TakenOver
            | Why::ClockReplaced
            | Why::ClocksReplaced
            | Why::GivenTwoClocks
            | Why::ClockMoved
            | Why::CommandUnknown(_)
            | Why::CommandNotWaiting(_)
            | Why::ChiefOnly
            | Why::FloorChiefOnly
            | Why::Viewer
            | Why::RoleNeeded { .. }
            | Why::NoEvent
            | Why::EventNotBegun
            | Why::NothingToUndo(_)
            | Why::TextOnly(_) => (),
        }
        about
    }
}

impl From<Why> for Refusal {
    fn from(why: Why) -> Self {
        Self(Box::new(wire::Refusal {
            code: why.code().into(),
            text: why.to_string(),
            ..why.about()
        }))
    }
}

impl From<HeldRefusal> for Refusal {
    fn from(why: HeldRefusal) -> Self {
        Why::Held(why).into()
    }
}

impl From<Rejection> for Refusal {
    fn from(rejection: Rejection) -> Self {
        Why::Rule(rejection).into()
    }
}

impl From<tournament::Refusal> for Refusal {
    fn from(refusal: tournament::Refusal) -> Self {
        Why::Event { of: None, refusal }.into()
    }
}

fn code_of_rule(rejection: Rejection) -> RefusalCode {
    match rejection {
        Rejection::Late => RefusalCode::Late,
        Rejection::GameOver => RefusalCode::GameOver,
        Rejection::AlreadyStarted => RefusalCode::AlreadyStarted,
        Rejection::NotStarted => RefusalCode::NotStarted,
        Rejection::GameInProgress => RefusalCode::GameInProgress,
        Rejection::NotRunning => RefusalCode::NotRunning,
        Rejection::Running => RefusalCode::Running,
        Rejection::NoTimeLeft => RefusalCode::NoTimeLeft,
        Rejection::TripleBlock => RefusalCode::TripleBlock,
        Rejection::NoBank => RefusalCode::NoBank,
        Rejection::NotOnMove => RefusalCode::NotOnMove,
        Rejection::FlagDown => RefusalCode::FlagDown,
        Rejection::NothingToRefill => RefusalCode::NothingToRefill,
        Rejection::NoDoubleFlag => RefusalCode::NoDoubleFlag,
        Rejection::NoDrawRight => RefusalCode::NoDrawRight,
        Rejection::FlagUp => RefusalCode::FlagUp,
        Rejection::AlreadyCalled => RefusalCode::AlreadyCalled,
        Rejection::NoResult => RefusalCode::NoResult,
    }
}

fn code_of_event(refusal: &tournament::Refusal) -> RefusalCode {
    use tournament::Refusal as Event;
    match refusal {
        Event::ChiefOnly => RefusalCode::ChiefOnly,
        Event::ArbiterOnly => RefusalCode::ArbiterOnly,
        Event::NoPlayer(_) => RefusalCode::NoPlayer,
        Event::NoTeam(_) => RefusalCode::NoTeam,
        Event::NoRound(_) => RefusalCode::NoRound,
        Event::NoBoard(..) => RefusalCode::NoRoundBoard,
        Event::NoMatch(..) => RefusalCode::NoMatch,
        Event::NoSector(_) => RefusalCode::NoSector,
        Event::Invalid(_) => RefusalCode::EventInvalid,
        Event::Conflict(_) => RefusalCode::EventConflict,
        Event::Confirmed(_) => RefusalCode::RoundConfirmed,
        Event::NumbersFixed(_) => RefusalCode::NumbersFixed,
        Event::ReasonMissing => RefusalCode::ReasonMissing,
        Event::Impossible(_) => RefusalCode::ResultImpossible,
    }
}

fn about_event(
    of: Option<&RefusedChange>,
    refusal: &tournament::Refusal,
    about: &mut wire::Refusal,
) {
    use tournament::Refusal as Event;
    if let Some((round, board)) = of.and_then(|of| of.board) {
        about_board(round, board, about);
    }
    match refusal {
        Event::NoPlayer(player) => about.number = player.0.into(),
        Event::NoTeam(team) => about.number = team.0.into(),
        Event::NoRound(round) | Event::Confirmed(round) | Event::NumbersFixed(round) => {
            about.round = round.0.into();
        }
        Event::NoBoard(round, board) => {
            about.round = round.0.into();
            about.board = board.to_string();
        }
        Event::NoMatch(round, number) => {
            about.round = round.0.into();
            about.number = number.0.into();
        }
        Event::NoSector(name) => about.name.clone_from(name),
        Event::Invalid(why) => about.detail = Some(detail::invalid(why)),
        Event::Conflict(why) => about.detail = Some(detail::conflict(why)),
        Event::Impossible(why) => about.detail = Some(detail::impossible(why)),
        Event::ChiefOnly | Event::ArbiterOnly | Event::ReasonMissing => (),
    }
}

fn about_missed(missed: &Missed, about: &mut wire::Refusal) {
    about.changes.clone_from(&missed.changes);
    about.more_changes = missed.more;
}

fn about_press(press: Option<(Side, u32)>, about: &mut wire::Refusal) {
    if let Some((side, moves)) = press {
        about.set_side(to_proto::side(side));
        about.r#move = moves;
    }
}

fn about_floor(by: &str, at: Option<Instant<Hub>>, about: &mut wire::Refusal) {
    by.clone_into(&mut about.name);
    let text = format!("the floor plan was changed by {by}");
    about.changes = vec![told::told(at, by, ChangeKind::FloorPlan, text)];
}

fn about_board(round: tournament::RoundNo, board: tournament::BoardNo, about: &mut wire::Refusal) {
    about.round = round.0.into();
    about.board = board.to_string();
}

#[cfg(test)]
mod tests {
    use super::*;
    use tournament::{BoardNo, RoundNo};

    #[test]
    fn a_refusal_has_a_number_a_text_and_the_data_for_a_translation() {
        let at = Instant::from_micros(5);
        let change = told::by_itself(at, ChangeKind::Press, "Black pressed (move 31)");
        let refusal = Refusal::from(Why::BoardChanged {
            missed: Box::new(Missed {
                text: "Black pressed (move 31)".to_owned(),
                changes: vec![change.clone()],
                more: false,
            }),
            press: Some((Side::Black, 31)),
        });
        assert_eq!(refusal.code(), RefusalCode::BoardChanged);
        assert_eq!(
            refusal.text(),
            "the board has changed since you looked: Black pressed (move 31)"
        );
        let wire = refusal.to_wire();
        assert_eq!((wire.side(), wire.r#move), (proto::Side::Black, 31));
        assert_eq!(wire.changes, [change]);
        let back = Refusal::from_record(refusal.text().to_owned(), Some(refusal.without_text()));
        assert_eq!(back, refusal);
        let old = Refusal::from_record("FIDE 6.8".to_owned(), None);
        assert_eq!(old.code(), RefusalCode::Unspecified);
    }

    #[test]
    fn the_text_names_the_refused_change_among_several() {
        let refusal = tournament::Refusal::ReasonMissing;
        let of = Some(RefusedChange {
            words: "the result of board 3".to_owned(),
            board: Some((RoundNo(2), BoardNo(3))),
        });
        let refusal = Refusal::from(Why::Event { of, refusal });
        assert_eq!(
            refusal.to_string(),
            "the result of board 3: give a reason for changing the result"
        );
        assert_eq!(refusal.code(), RefusalCode::ReasonMissing);
        let wire = refusal.to_wire();
        assert_eq!((wire.round, wire.board.as_str()), (2, "3"));
    }

    #[test]
    fn an_impossible_board_name_matches_no_board() {
        let bad = "7 ".parse::<BoardId>().unwrap_err();
        let refusal = Refusal::from(Why::BadBoard(bad));
        assert_eq!(refusal.code(), RefusalCode::NoBoard);
        assert_eq!(refusal.to_wire().board, "7 ");
    }

    #[test]
    fn text_is_truncated_between_characters() {
        let refusal = Refusal::from(Why::TextOnly("Zürich".to_owned()));
        assert_eq!(refusal.cut(2).text(), "Z");
    }
}

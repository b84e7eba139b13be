//! The face as plain lines that report its changes, for logs, pipes and screen readers.
//!
//! Owns the choice of changes that get a line, such as presses, flags and messages, but never the ticking of a clock. Must never print.

use timing::{Allotment, Board, BoardState, BySide, FlagView, Instant, Side};

use super::control_words::control_words;
use super::words;
use crate::face_state::{DayPhase, FaceState, FaceView, HubLink, JournalHealth, Message};

/// The face as lines of text. Keeps the last reported state to detect changes.
#[derive(Clone, Debug, Default)]
pub struct PlainFace {
    said: Option<Box<PlainState>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct PlainState {
    place: String,
    names: BySide<String>,
    game: Option<Game>,
    away: bool,
    journal: JournalHealth,
    low_battery: bool,
    messages: Vec<Message>,
    identifying: bool,
    draw_odds: Option<Side>,
    day: Option<DayPhase>,
    starts_at: Option<Instant<Board>>,
}

/// The parts of a [`FaceView`] that do not change with each tick of a clock.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Game {
    state: BoardState,
    control: String,
    result: Option<timing::GameResult>,
    moves: BySide<u32>,
    phases: BySide<(Allotment, u32, Option<u32>)>,
    flags: BySide<FlagView>,
}

impl PlainFace {
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the next instant at which there may be a line without a press or other event.
    pub fn next_check(&self, state: &FaceState) -> Option<Instant<Board>> {
        state.clock.as_ref().and_then(|clock| clock.next_deadline())
    }

    /// Returns lines for the changes since the last call; the first call reports the whole state.
    pub fn changes(&mut self, state: &FaceState, now: Instant<Board>) -> Vec<String> {
        self.changes_of(state, state.at(now).as_ref(), now)
    }

    /// Like [`Self::changes`], but for a view that the caller has already evaluated.
    pub fn changes_of(
        &mut self,
        state: &FaceState,
        view: Option<&FaceView>,
        now: Instant<Board>,
    ) -> Vec<String> {
        let new = PlainState {
            place: words::place(state).swap_remove(0),
            names: state.names.clone(),
            game: view.map(Game::of),
            away: matches!(state.hub, HubLink::Away { .. }),
            journal: state.journal,
            low_battery: state
                .battery_percent
                .is_some_and(|percent| percent < words::LOW_BATTERY_PERCENT),
            messages: state.messages.clone(),
            identifying: state.identifying(now),
            draw_odds: state.draw_odds,
            day: state.day,
            starts_at: state.starts_at,
        };
        let old = self.said.replace(Box::new(new.clone())).map(|old| *old);
        if old.as_ref() == Some(&new) {
            return Vec::new();
        }
        let mut lines = Vec::new();
        let changed = |same: fn(&PlainState, &PlainState) -> bool| {
            old.as_ref().is_none_or(|old| !same(old, &new))
        };
        if changed(|a, b| a.place == b.place && a.names == b.names) {
            lines.extend(table(state, view));
        }
        if new.identifying && changed(|a, b| a.identifying == b.identifying) {
            lines.push("This clock.".into());
        }
        if let Some(view) = view {
            game_lines(
                state,
                view,
                old.as_ref().and_then(|old| old.game.as_ref()),
                &mut lines,
            );
        }
        let ready = view.is_some_and(|view| view.state == BoardState::Ready);
        if ready && changed(|a, b| a.starts_at == b.starts_at && a.draw_odds == b.draw_odds) {
            lines.extend(words::before_start(state, now));
        }
        if view.is_some_and(|view| view.state.on_move().is_some()) && changed(|a, b| a.day == b.day)
        {
            lines.extend(words::day(state).map(|day| format!("{day}.")));
        }
        if new.journal == JournalHealth::Failed && changed(|a, b| a.journal == b.journal) {
            lines.push(format!("{}.", words::JOURNAL_FAILED));
        }
        match (new.away, old.as_ref().map(|old| old.away)) {
            (true, Some(false) | None) => lines.push("Hub away. The clock goes on.".into()),
            (false, Some(true)) => lines.push("Hub back.".into()),
            (true, Some(true)) | (false, Some(false) | None) => (),
        }
        if let (true, Some(percent)) = (new.low_battery, state.battery_percent)
            && changed(|a, b| a.low_battery == b.low_battery)
        {
            lines.push(format!("Battery {percent} %."));
        }
        let known = old.map(|old| old.messages).unwrap_or_default();
        for message in words::messages(state).filter(|message| !known.contains(message)) {
            lines.push(format!("{}{}", words::speaker(message.kind), message.text));
        }
        lines
    }
}

impl Game {
    fn of(view: &FaceView) -> Self {
        let each = |side| &view.sides[side];
        Self {
            state: view.state,
            control: view.control.clone(),
            result: view.result,
            moves: BySide::from_fn(|side| each(side).moves),
            phases: BySide::from_fn(|side| {
                let side = each(side);
                (side.allotment, side.period, side.byo_left)
            }),
            flags: BySide::from_fn(|side| each(side).flag),
        }
    }
}

/// Returns the line with the board, the round and the players; `None` if there is no board, round or clock.
fn table(state: &FaceState, view: Option<&FaceView>) -> Option<String> {
    let place = words::place(state).swap_remove(0).replace("   ", ", ");
    let button = |side: Side| {
        let white = view.map(|view| view.white_button)?;
        Some(if side == Side::White {
            white
        } else {
            white.other()
        })
    };
    let player = |side: Side| {
        let name = &state.names[side];
        let colour = side_word(side);
        let name = if name.is_empty() {
            colour.to_owned()
        } else {
            format!("{colour} {name}")
        };
        match button(side) {
            Some(button) => format!("{name} on the {button}"),
            None => name,
        }
    };
    let players = format!("{}, {}.", player(Side::White), player(Side::Black));
    match place.as_str() {
        "" => view.map(|_| players),
        place => Some(format!("{place}. {players}")),
    }
}

/// Appends lines for the changes in the game, then a line for its state.
fn game_lines(state: &FaceState, view: &FaceView, old: Option<&Game>, lines: &mut Vec<String>) {
    let new = Game::of(view);
    if old == Some(&new) {
        return;
    }
    for side in Side::BOTH {
        let word = side_word(side);
        let before = old.map(|old| old.phases[side]);
        if old.is_none_or(|old| old.flags[side] != new.flags[side]) {
            match new.flags[side] {
                FlagView::None => (),
                FlagView::Fallen => lines.push(format!("{word}'s flag has fallen.")),
                FlagView::Called => lines.push(format!("{word}'s flag is called.")),
            }
        }
        if before.is_some_and(|before| before != new.phases[side]) {
            let [phase, _] = words::phase(&view.sides[side], false);
            if !phase.is_empty() {
                lines.push(format!("{word}: {}.", phase.replace("   ", ", ")));
            }
        }
    }
    let clocks = format!(
        "White {}, Black {}.",
        clock(view, Side::White),
        clock(view, Side::Black)
    );
    let stands = match view.state {
        BoardState::Ready => format!("Ready: {}.", control_words(&view.control)),
        BoardState::Running { mover } => format!("{}'s clock runs.", side_word(mover)),
        BoardState::Paused { next, .. } => format!("Paused by the arbiter; {next} runs next."),
        BoardState::Stopped { next, .. } => {
            format!("Stopped by the players: stop again to call an arbiter; {next} runs next.")
        }
        BoardState::Flagged { .. } => "Both clocks are stopped.".into(),
        BoardState::Over => {
            let result = match words::result_with_odds(state, view) {
                none if none.is_empty() => "no result".into(),
                result => result.replace("   ", ", "),
            };
            format!("The game is over: {result}.")
        }
    };
    lines.push(format!("{stands} {clocks}"));
}

/// Formats a side's time and moves, such as `1:29:58 after 12 moves`.
fn clock(view: &FaceView, side: Side) -> String {
    let shown = &view.sides[side];
    format!(
        "{} after {}",
        words::digits(shown).whole(),
        words::moves(shown)
    )
}

fn side_word(side: Side) -> &'static str {
    match side {
        Side::White => "White",
        Side::Black => "Black",
    }
}

//! The wording of the face, shared by the terminal face and the plain face.
//!
//! A face never tells a player to press, never assigns blame for a lost signal, and never gives the reasons for a ruling (FIDE 12.6). Must never know
//! where a text appears.

use timing::{
    Allotment, Board, BoardState, Duration, FlagView, GameResult, Instant, Side, SideView,
};

use super::clock_text::{ClockText, clock_text, overtime_text};
use super::control_words::control_words;
use crate::face_state::{DayPhase, FaceState, FaceView, Message, MessageKind};

/// Charge in percent below which the face warns of a low battery.
pub(crate) const LOW_BATTERY_PERCENT: u8 = 15;

pub(crate) fn digits(side: &SideView) -> ClockText {
    match side.allotment {
        Allotment::Overtime if !side.time.is_positive() => overtime_text(side.time),
        Allotment::Overtime
        | Allotment::Main
        | Allotment::Byo
        | Allotment::Canadian
        | Allotment::Extra
        | Allotment::Grace
        | Allotment::Flagged => clock_text(side.time),
    }
}

pub(crate) fn moves(side: &SideView) -> String {
    match side.moves {
        1 => "1 move".into(),
        n => format!("{n} moves"),
    }
}

/// Returns the text for the side's kind of time, bank and delay, in a long and a short form. Both may be empty, as in the main time of the first
/// period without a bank or a delay.
pub(crate) fn phase(side: &SideView, on_move: bool) -> [String; 2] {
    let mut long = Vec::new();
    let mut short = Vec::new();
    let mut say = |a: String, b: String| {
        long.push(a);
        short.push(b);
    };
    match side.allotment {
        Allotment::Main | Allotment::Flagged => {
            if side.period > 1 {
                say(
                    format!("period {}", side.period),
                    format!("p{}", side.period),
                );
            }
        }
        Allotment::Byo => {
            let left = side.byo_left.unwrap_or_default();
            say(format!("byo-yomi {left} left"), format!("{left}x"));
        }
        Allotment::Canadian => {
            let left = side.stones.unwrap_or_default();
            say(format!("{left} stones left"), format!("{left} st"));
        }
        Allotment::Extra => say("extra time".into(), "extra".into()),
        Allotment::Grace => say("grace time".into(), "grace".into()),
        Allotment::Overtime => {
            let points = side.points.unwrap_or_default();
            say(
                format!("overtime, {points} points"),
                format!("{points} pts"),
            );
        }
    }
    if let Some(bank) = side.bank {
        say(
            format!("bank {}", span(bank)),
            format!("bank {}", span(bank)),
        );
    }
    if let Some(left) = side.delay_left.filter(|left| on_move && left.is_positive()) {
        let seconds = whole_seconds(left);
        say(format!("delay {seconds}"), format!("d{seconds}"));
    }
    [long.join("   "), short.join(" ")]
}

/// Returns the flag text if this side's flag fell first and is shown as fallen or called; otherwise `None`.
pub(crate) fn flag(view: &FaceView, side: Side) -> Option<&'static str> {
    if view.first_flag != Some(side) {
        return None;
    }
    match view.sides[side].flag {
        // Play continues after this flag (extra time, grace time, overtime); `phase` describes the kind of time instead.
        FlagView::None => None,
        FlagView::Fallen => Some("FLAG"),
        FlagView::Called => Some("FLAG CALLED"),
    }
}

/// Returns variants of the text under a clock, in order of preference; none if there is nothing to show. Each variant is a pair: the clock's sign,
/// and the moves with the kind of time. Either may be empty.
pub(crate) fn under_clock(view: &FaceView, side: Side, arrow: &str) -> Vec<(String, String)> {
    let shown = &view.sides[side];
    let on_move = view.state.on_move() == Some(side);
    let runs_next = on_move && view.running.is_none();
    let flag = flag(view, side);
    let (sign, brief_sign) = match (flag, runs_next) {
        (Some(flag), true) => (
            format!("{arrow} {flag}, runs next"),
            format!("{arrow} FLAG"),
        ),
        (Some(flag), false) => (format!("{arrow} {flag}"), format!("{arrow} FLAG")),
        // This side's clock is a different device, whose state is unknown, so the drawn time is an estimate.
        (None, _) if view.unknown == Some(side) => ("not known".into(), "?".into()),
        (None, true) => (format!("{arrow} runs next"), arrow.to_owned()),
        (None, false) => (String::new(), String::new()),
    };
    if view.state == BoardState::Ready && shown.moves == 0 && sign.is_empty() {
        return Vec::new();
    }
    let moves = moves(shown);
    let count = shown.moves.to_string();
    let [long, short] = phase(shown, on_move);
    let joined = |moves: &str, phase: &str, between: &str| match phase {
        "" => moves.to_owned(),
        phase => format!("{moves}{between}{phase}"),
    };
    vec![
        (sign.clone(), joined(&moves, &long, "   ")),
        (sign.clone(), joined(&moves, &long, "  ")),
        (sign, joined(&moves, &short, "  ")),
        (brief_sign.clone(), joined(&moves, &long, "  ")),
        (brief_sign.clone(), joined(&moves, &short, "  ")),
        (brief_sign.clone(), joined(&count, &short, " ")),
        (brief_sign.clone(), short),
        (brief_sign, String::new()),
    ]
}

/// The message in the area below the clocks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FaceMessage {
    /// The first line, such as a headline in capitals; may be empty.
    pub(crate) headline: String,
    /// The other lines, one string per paragraph.
    pub(crate) text: Vec<String>,
    /// True for a single unobtrusive line, for example while a clock is running.
    pub(crate) quiet: bool,
}

/// Returns the information for players before the start, one string per line.
pub(crate) fn before_start(state: &FaceState, now: Instant<Board>) -> Vec<String> {
    let starts = state.starts_at.filter(|&at| at > now).map(|at| {
        let left = Duration::from_secs(whole_seconds(at - now));
        format!("The game starts in {}.", since(left))
    });
    starts.into_iter().chain(draw_odds(state)).collect()
}

pub(crate) fn draw_odds(state: &FaceState) -> Option<String> {
    let side = side_name(state.draw_odds?);
    Some(format!("A draw counts as a win for {side}."))
}

/// Returns the phase of the day and the blind player, if any; `None` if the game is not Time Chess.
pub(crate) fn day(state: &FaceState) -> Option<String> {
    let day = state.day?;
    let name = match day {
        DayPhase::Dawn => "Dawn",
        DayPhase::Midday => "Midday",
        DayPhase::Evening => "Evening",
        DayPhase::Dusk => "Dusk",
        DayPhase::Midnight => "Midnight",
        DayPhase::Morning => "Morning",
    };
    Some(match day.blind() {
        Some(side) => format!("{name}: {} is blind", side_name(side)),
        None => format!("{name}: both players see"),
    })
}

pub(crate) fn face_message(
    state: &FaceState,
    view: Option<&FaceView>,
    now: Instant<Board>,
) -> FaceMessage {
    let messages = || messages(state).map(|message| message.text.clone());
    let loud = |headline: String, text: Vec<String>| FaceMessage {
        headline,
        text,
        quiet: false,
    };
    let Some(view) = view else {
        return match messages().next() {
            Some(first) => loud(first, messages().skip(1).collect()),
            None => loud("This clock has no board yet.".into(), Vec::new()),
        };
    };
    match view.state {
        BoardState::Running { .. } => FaceMessage {
            headline: messages().chain(day(state)).next().unwrap_or_default(),
            text: Vec::new(),
            quiet: true,
        },
        BoardState::Ready => {
            let ready = format!("Ready. {}", control_words(&view.control));
            let text: Vec<_> = messages().chain(before_start(state, now)).collect();
            FaceMessage {
                quiet: text.is_empty(),
                ..loud(ready, text)
            }
        }
        BoardState::Paused { .. } => loud(
            "PAUSED BY THE ARBITER".into(),
            messages().chain(day(state)).collect(),
        ),
        BoardState::Stopped { .. } => {
            let again = "Stop again to call an arbiter.".to_owned();
            let text = messages().chain([again]).take(1).collect();
            loud("STOPPED BY THE PLAYERS".into(), text)
        }
        BoardState::Flagged { .. } => loud(String::new(), messages().collect()),
        BoardState::Over => {
            let result = result_with_odds(state, view);
            loud(
                format!("The game is over.   {result}"),
                messages().collect(),
            )
        }
    }
}

/// Returns the result; empty while there is none. A draw in a game with draw odds is shown as a draw, followed by the side that has the odds.
pub(crate) fn result_with_odds(state: &FaceState, view: &FaceView) -> String {
    let written = view.result.map(result).unwrap_or_default();
    match (view.result, state.draw_odds) {
        (Some(GameResult::Draw), Some(side)) => {
            format!("{written}   {} has draw odds", side_name(side))
        }
        (_, Some(_) | None) => written.to_owned(),
    }
}

fn side_name(side: Side) -> &'static str {
    match side {
        Side::White => "White",
        Side::Black => "Black",
    }
}

pub(crate) fn result(result: GameResult) -> &'static str {
    match result {
        GameResult::WhiteWins => "1–0",
        GameResult::BlackWins => "0–1",
        GameResult::Draw => "½–½",
        GameResult::BothLose => "0–0",
        GameResult::WhiteWinsByForfeit => "1–0 by forfeit",
        GameResult::BlackWinsByForfeit => "0–1 by forfeit",
        GameResult::BothForfeit => "0–0 by forfeit",
        GameResult::DrawForWhite => "½–0",
        GameResult::DrawForBlack => "0–½",
    }
}

/// Returns the board and the round as text, longest variant first.
pub(crate) fn place(state: &FaceState) -> Vec<String> {
    let board = match state.board.as_str() {
        "" => String::new(),
        board => format!("Board {board}"),
    };
    let round = match state.round.as_str() {
        "" => String::new(),
        round if round.bytes().all(|b| b.is_ascii_digit()) => format!("Round {round}"),
        round => round.to_owned(),
    };
    let both = match (board.as_str(), round.as_str()) {
        ("", _) | (_, "") => format!("{board}{round}"),
        (board, round) => format!("{board}   {round}"),
    };
    vec![both, board, state.board.clone()]
}

/// Returns the text for the top corner (unsaved events, the hub, the battery), longest variant first.
pub(crate) fn corner(
    state: &FaceState,
    playing: bool,
    unsaved: bool,
    now: Instant<Board>,
) -> Vec<String> {
    let unsaved = unsaved.then(|| format!("unsaved {}", state.unsaved));
    let away = state.away_for(now).map(since);
    let hub = match &away {
        None => ["hub ✓".to_owned(), "hub ✓".to_owned(), String::new()],
        Some(time) => [
            format!(
                "hub away {time}{}",
                if playing { ", game goes on" } else { "" }
            ),
            format!("hub away {time}"),
            "hub away".to_owned(),
        ],
    };
    let battery = state.battery_percent.map(|percent| match percent {
        ..LOW_BATTERY_PERCENT => (
            format!("BATTERY {percent} %"),
            format!("BATTERY {percent} %"),
        ),
        LOW_BATTERY_PERCENT.. => (format!("battery {percent} %"), String::new()),
    });
    let line = |hub: &String, battery: Option<String>| {
        [unsaved.clone(), Some(hub.clone()), battery]
            .into_iter()
            .flatten()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join("   ")
    };
    let (long, short) = battery.unzip();
    vec![
        line(&hub[0], long.clone()),
        line(&hub[1], long),
        line(&hub[1], short.clone()),
        line(&hub[2], short),
    ]
}

/// Returns the messages except a failure of the journal, which both faces show separately.
pub(crate) fn messages(state: &FaceState) -> impl Iterator<Item = &Message> {
    state
        .messages
        .iter()
        .filter(|message| message.text != JOURNAL_FAILED)
}

/// The message that fills the whole top line after a failure of the journal.
pub(crate) const JOURNAL_FAILED: &str = "Cannot write: call the arbiter";

/// Returns the prefix of a message on the plain face, where the message's position does not show its kind.
pub(crate) fn speaker(kind: MessageKind) -> &'static str {
    match kind {
        MessageKind::Trouble => "Trouble: ",
        MessageKind::Hub => "Message: ",
        MessageKind::Link => "Link: ",
    }
}

/// Formats a time in whole seconds: `2:10` or `1:02:10`.
pub(crate) fn since(gone: Duration) -> String {
    let seconds = gone.or_zero().as_micros() / 1_000_000;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

/// Returns whole seconds, rounded up.
pub(crate) fn whole_seconds(time: Duration) -> i64 {
    time.as_micros().saturating_add(999_999) / 1_000_000
}

/// Formats a long time in its two largest units that are not zero: `3 d 4 h`, `20 min`.
fn span(time: Duration) -> String {
    let seconds = whole_seconds(time.or_zero());
    let units = [(86_400, "d"), (3_600, "h"), (60, "min"), (1, "s")];
    let mut rest = seconds;
    let mut parts = Vec::new();
    for (size, name) in units {
        let count = rest / size;
        rest %= size;
        if count > 0 && parts.len() < 2 {
            parts.push(format!("{count} {name}"));
        }
    }
    if parts.is_empty() {
        "0 s".into()
    } else {
        parts.join(" ")
    }
}

//! Formats a table of a clock's display under a time control: at the start and at the first new periods, each followed by the changes while a player
//! thinks without moving.

use timing::{
    Allotment, Board, BoardClock, BoardState, Button, Fact, FlagView, Instant, Setup, Side,
    SideView, StartRule, TimeControl,
};

use super::keyboard::clock_text;
use crate::cli::output::Table;

const MAX_ROWS_WITHOUT_MOVE: usize = 12;
const MAX_MOVES_PER_PERIOD: u32 = 2_000;
const MAX_PERIODS: usize = 6;

/// A line of the table: the occasion, White's time, Black's time, and, for one side, the kind of time and the period.
type Line = [String; 5];

pub(super) fn table(control: &TimeControl) -> String {
    let mut lines = Vec::new();
    let odds = control.side(Side::White) != control.side(Side::Black);
    let start = Instant::from_micros(0);
    let mut clock = started(control);
    lines.push(line("at the start".to_owned(), &clock, start, Side::White));
    wait(&mut lines, clock.clone(), start, odds);
    for _ in 0..MAX_PERIODS {
        let Some(moves) = play_to_next_period(&mut clock, start) else {
            break;
        };
        let when = format!("after {moves} moves each, no time used");
        lines.push(line(when, &clock, start, Side::White));
        wait(&mut lines, clock.clone(), start, odds);
    }
    Table::of(&lines)
        .left("WHEN", |[when, ..]| when.clone())
        .right("WHITE", |[_, white, ..]| white.clone())
        .right("BLACK", |[_, _, black, ..]| black.clone())
        .left("TYPE", |[.., time_description, _]| time_description.clone())
        .right("PERIOD", |[.., period]| period.clone())
        .to_string()
}

fn started(control: &TimeControl) -> BoardClock {
    let mut clock = BoardClock::new(Setup {
        control: control.clone(),
        start: StartRule::Arbiter,
        white: Button::Left,
    });
    // Cannot fail: a new board is ready to start.
    let _ = clock.on_command(Instant::from_micros(0), &timing::Command::Start(None));
    clock
}

/// Plays moves that use no time until White's next period begins, or a repeating period starts again. Returns the number of White's moves
/// so far, or `None` if neither happens.
fn play_to_next_period(clock: &mut BoardClock, now: Instant<Board>) -> Option<u32> {
    let period = clock.side(Side::White, now).period;
    let before = allotted(clock, now);
    for _ in 0..MAX_MOVES_PER_PERIOD {
        if !matches!(clock.state(), BoardState::Running { .. }) {
            return None;
        }
        let had = clock.side(Side::White, now).time;
        let _ = clock.on_fact(now, Fact::Pressed(Button::Left));
        let _ = clock.on_fact(now, Fact::Pressed(Button::Right));
        let white = clock.side(Side::White, now);
        let jumped = white.time - had > before;
        if white.period != period || jumped {
            return Some(white.moves);
        }
    }
    None
}

/// Returns the time that White gains by one move. A larger gain on a later move shows that a repeating period, which keeps its number, has
/// started again.
fn allotted(clock: &BoardClock, now: Instant<Board>) -> timing::Duration {
    let first = clock.side(Side::White, now).time;
    let mut tried = clock.clone();
    let _ = tried.on_fact(now, Fact::Pressed(Button::Left));
    let _ = tried.on_fact(now, Fact::Pressed(Button::Right));
    let earned = tried.side(Side::White, now).time - first;
    earned.max(timing::Duration::from_micros(0))
}

/// Adds lines that show White thinking without making a move. If `odds` is true, because the sides have different controls, adds such lines for
/// Black, too.
fn wait(lines: &mut Vec<Line>, mut clock: BoardClock, since: Instant<Board>, odds: bool) {
    wait_for(lines, clock.clone(), since, Side::White);
    if odds {
        let _ = clock.on_fact(since, Fact::Pressed(Button::Left));
        wait_for(lines, clock, since, Side::Black);
    }
}

fn wait_for(lines: &mut Vec<Line>, mut clock: BoardClock, since: Instant<Board>, side: Side) {
    for at in 0..=MAX_ROWS_WITHOUT_MOVE {
        let Some(deadline) = clock.next_deadline() else {
            if at == 0 {
                lines.push(only(format!("  {} has no limit", name(side))));
            }
            return;
        };
        if at == MAX_ROWS_WITHOUT_MOVE {
            lines.push(only("  …".to_owned()));
            return;
        }
        let before = clock.side(side, clock.now());
        let _ = clock.pass_time(deadline);
        let after = clock.side(side, deadline);
        let when = format!(
            "  {} thinks {}: {}",
            name(side),
            clock_text(deadline - since),
            change(&before, &after)
        );
        lines.push(line(when, &clock, deadline, side));
        if after.flag != FlagView::None {
            return;
        }
    }
}

fn change(before: &SideView, after: &SideView) -> &'static str {
    if after.flag != FlagView::None && before.flag == FlagView::None {
        return "flag";
    }
    if after.period != before.period {
        return "next period";
    }
    if after.allotment == before.allotment {
        return match after.allotment {
            Allotment::Byo => "a byo-yomi period is used up",
            Allotment::Overtime => "penalty points",
            Allotment::Main
            | Allotment::Canadian
            | Allotment::Extra
            | Allotment::Grace
            | Allotment::Flagged => "the clock runs on",
        };
    }
    match after.allotment {
        Allotment::Main => "main time",
        Allotment::Byo => "byo-yomi begins",
        Allotment::Canadian => "a Canadian block begins",
        Allotment::Extra => "extra time begins",
        Allotment::Grace => "grace time begins",
        Allotment::Overtime => "overtime begins",
        Allotment::Flagged => "flag",
    }
}

fn name(side: Side) -> &'static str {
    match side {
        Side::White => "White",
        Side::Black => "Black",
    }
}

fn only(when: String) -> Line {
    let mut line = Line::default();
    line[0] = when;
    line
}

fn line(when: String, clock: &BoardClock, now: Instant<Board>, side: Side) -> Line {
    let view = clock.side(side, now);
    [
        when,
        clock_text(clock.side(Side::White, now).time),
        clock_text(clock.side(Side::Black, now).time),
        time_description(&view),
        view.period.to_string(),
    ]
}

pub(super) fn time_description(view: &SideView) -> String {
    let mut words = view.allotment.as_str().to_owned();
    if let Some(periods) = view.byo_left {
        words += &format!(", byo-yomi periods left: {periods}");
    }
    if let Some(stones) = view.stones {
        words += &format!(", moves to make: {stones}");
    }
    if let Some(bank) = view.bank {
        words += &format!(", bank: {}", clock_text(bank));
    }
    if let Some(points) = view.points.filter(|points| *points != 0) {
        words += &format!(", points: {points}");
    }
    if let Some(delay) = view.delay_left {
        words += &format!(", delay {delay}");
    }
    words
}

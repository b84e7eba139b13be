//! Playback of a game on the terminal: takes over the terminal, draws, reads keys, and restores the terminal at the end, even after a
//! panic.

use std::io::{self, IsTerminal};
use std::time::Duration;

use crossterm::event::{self, Event, KeyEventKind};
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Borders, Paragraph};
use ratatui::{DefaultTerminal, Frame};

use super::super::hall_time::HallTime;
use super::super::output::{Result, failed};
use super::playback::Playback;
use super::table::{game_of, millis, move_of, used_of, words};
use crate::time_source::TimeSource;
use hall::replay::{Moment, MomentDetail, Timeline};

/// Interval between frames while the game plays, and so the longest wait for a key.
const FRAME: Duration = Duration::from_millis(40);
const IDLE: Duration = Duration::from_millis(500);
const KEYS: &str =
    "arrows step  pages 10  17w move  f flag  a action  space play  + - speed  q quit";

/// Plays a game until the user quits. Fails if standard input or output is not a terminal, or if the terminal cannot be used.
pub(super) fn play(timeline: Timeline, time: &HallTime) -> Result<()> {
    if !(io::stdout().is_terminal() && io::stdin().is_terminal()) {
        return Err(failed!(
            "--play needs a terminal: leave out --play to print the game as a table"
        ));
    }
    let mut terminal = ratatui::init();
    let played = run(&mut terminal, Playback::new(timeline), time);
    ratatui::restore();
    played.map_err(|error| failed!("cannot use the terminal: {error}"))
}

fn run(terminal: &mut DefaultTerminal, mut playback: Playback, time: &HallTime) -> io::Result<()> {
    let clock = TimeSource::resume(None).0;
    let mut last = clock.hub_now();
    loop {
        terminal.draw(|frame| draw(frame, &playback, time))?;
        let wait = if playback.playing { FRAME } else { IDLE };
        let key = match event::poll(wait)? {
            true => event::read()?,
            false => Event::FocusGained,
        };
        let now = clock.hub_now();
        playback.advance((now - last).as_micros());
        last = now;
        if let Event::Key(key) = key
            && key.kind != KeyEventKind::Release
            && playback.on_key(key.code).is_break()
        {
            return Ok(());
        }
    }
}

fn draw(frame: &mut Frame<'_>, playback: &Playback, time: &HallTime) {
    let [head, clocks, bar, list, foot] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Length(3),
        Constraint::Length(2),
        Constraint::Min(3),
        Constraint::Length(1),
    ])
    .areas(frame.area());
    let game = game_of(&playback.timeline);
    let heading = format!("{game}, {}", playback.timeline.control);
    frame.render_widget(Line::from(heading), head);
    draw_clocks(frame, playback, clocks);
    frame.render_widget(Paragraph::new(progress(playback, time, bar.width)), bar);
    frame.render_widget(Paragraph::new(rows(playback, time, list.height)), list);
    let said = match (playback.typed.as_str(), playback.notice.as_str()) {
        ("", "") => KEYS.to_owned(),
        ("", notice) => notice.to_owned(),
        (typed, _) => format!("move {typed}_  then w or b"),
    };
    frame.render_widget(Line::from(said), foot);
}

fn draw_clocks(frame: &mut Frame<'_>, playback: &Playback, area: Rect) {
    let halves = Layout::horizontal([Constraint::Fill(1), Constraint::Fill(1)]).areas::<2>(area);
    let timeline = &playback.timeline;
    let names = [("White", &timeline.white), ("Black", &timeline.black)];
    let clocks = playback.clocks_us();
    for (side, area) in halves.into_iter().enumerate() {
        let (colour, name) = names[side];
        let bold = Style::new().add_modifier(Modifier::BOLD);
        let shown = clocks.map_or_else(|| "-".to_owned(), |clocks| millis(clocks[side]));
        let mut spans = vec![Span::styled(shown, bold)];
        if let Some(after) = after_press(playback.standing_at(), side) {
            spans.push(Span::raw(format!("  after press {}", millis(after))));
        }
        let title = format!(" {colour} {name} ");
        let block = Block::new().borders(Borders::ALL).title(title);
        frame.render_widget(Paragraph::new(Line::from(spans)).block(block), area);
    }
}

/// Returns the time that side `of` (0 is White) has after the press shown; `None` if the moment is not a press by that side.
fn after_press(moment: Option<&Moment>, of: usize) -> Option<i64> {
    let moment = moment?;
    let MomentDetail::Move { side, .. } = moment.what else {
        return None;
    };
    let after = [moment.clocks.white.us, moment.clocks.black.us];
    let place = usize::from(side == hall::view::Side::Black);
    (place == of).then_some(after[of])
}

fn progress(playback: &Playback, time: &HallTime, width: u16) -> Vec<Line<'static>> {
    let state = if playback.playing {
        "playing"
    } else {
        "stopped"
    };
    let at = time.to_the_millisecond(playback.at_us);
    let width = usize::from(width.max(2)) - 1;
    let done = usize::try_from(playback.passed_permille()).unwrap_or(0) * width / 1_000;
    let bar: String = (0..=width)
        .map(|place| if place == done { '#' } else { '-' })
        .collect();
    vec![
        Line::from(format!("{at}  {state} {}x", playback.speed())),
        Line::from(bar),
    ]
}

/// Returns one line for each moment that fits on the screen, with the current moment in the middle if possible.
fn rows(playback: &Playback, time: &HallTime, height: u16) -> Vec<Line<'static>> {
    let height = usize::from(height);
    let moments = &playback.timeline.moments;
    let current = playback.current();
    let first = current.unwrap_or(0).saturating_sub(height / 2);
    let first = first.min(moments.len().saturating_sub(height));
    let shown = moments.iter().enumerate().skip(first).take(height);
    let row = |(place, moment): (usize, &Moment)| {
        let here = current == Some(place);
        let text = format!(
            "{} {:>6} {} {:>5} {:>12} {:>12} {:>12}  {}",
            if here { '>' } else { ' ' },
            moment.record,
            time.to_the_millisecond(moment.at_us),
            move_of(moment),
            used_of(moment),
            millis(moment.clocks.white.us),
            millis(moment.clocks.black.us),
            words(moment)
        );
        let style = match here {
            true => Style::new().add_modifier(Modifier::REVERSED),
            false => Style::new(),
        };
        Line::styled(text, style)
    };
    shown.map(row).collect()
}

//! Playback of a replayed game: the instant shown, and the effect of each key. Must never draw, or read the keyboard or a clock.

use std::ops::ControlFlow;

use crossterm::event::KeyCode;

use hall::replay::{Moment, MomentDetail, MoveName, Timeline};
use hall::view::Side;

/// The playback speeds, as multiples of real time.
pub(super) const SPEEDS: [i64; 7] = [1, 2, 5, 10, 20, 50, 100];
/// Number of moments that Page Up and Page Down skip.
const PAGE: usize = 10;
/// Maximum number of typed digits before the `w` or `b` of a move such as `17w`.
const MAX_TYPED: usize = 6;

#[derive(Debug)]
pub(super) struct Playback {
    pub(super) timeline: Timeline,
    /// The hub instant shown, in microseconds.
    pub(super) at_us: i64,
    /// Index of the moment shown; `None` between moments and while the game plays.
    moment: Option<usize>,
    pub(super) playing: bool,
    /// Index into [`SPEEDS`].
    speed: usize,
    pub(super) typed: String,
    /// The reason why the last key had no effect, if there is one to show; empty otherwise.
    pub(super) notice: String,
}

impl Playback {
    pub(super) fn new(timeline: Timeline) -> Self {
        let moment = (!timeline.moments.is_empty()).then_some(0);
        Self {
            at_us: timeline.start_us(),
            timeline,
            moment,
            playing: false,
            speed: 0,
            typed: String::new(),
            notice: String::new(),
        }
    }

    pub(super) fn speed(&self) -> i64 {
        SPEEDS[self.speed]
    }

    pub(super) fn standing_at(&self) -> Option<&Moment> {
        self.timeline.moments.get(self.moment?)
    }

    /// Returns the index of the moment shown, or of the newest moment at or before the instant shown.
    pub(super) fn current(&self) -> Option<usize> {
        let moments = &self.timeline.moments;
        self.moment.or_else(|| {
            moments
                .iter()
                .rposition(|moment| moment.at_us <= self.at_us)
        })
    }

    /// Returns both clocks in microseconds, White's first. At a press, the mover's clock shows the time as the button went down, before any
    /// increment.
    pub(super) fn clocks_us(&self) -> Option<[i64; 2]> {
        let Some(moment) = self.standing_at() else {
            let standing = self.timeline.at(self.at_us)?;
            return Some([standing.clocks.white.us, standing.clocks.black.us]);
        };
        let [mut white, mut black] = [moment.clocks.white.us, moment.clocks.black.us];
        if let MomentDetail::Move {
            side, pressed_us, ..
        } = moment.what
        {
            match side {
                Side::White => white = pressed_us,
                Side::Black => black = pressed_us,
            }
        }
        Some([white, black])
    }

    pub(super) fn passed_permille(&self) -> i64 {
        let whole = (self.end_us() - self.timeline.start_us()).max(1);
        let passed = (self.at_us - self.timeline.start_us()).clamp(0, whole);
        passed.saturating_mul(1_000) / whole
    }

    fn end_us(&self) -> i64 {
        let last = self.timeline.moments.iter().map(|moment| moment.at_us);
        last.max().unwrap_or(0).max(self.timeline.end_us())
    }

    pub(super) fn advance(&mut self, elapsed_us: i64) {
        if !self.playing {
            return;
        }
        self.moment = None;
        let by = elapsed_us.saturating_mul(self.speed());
        self.at_us = self.at_us.saturating_add(by).min(self.end_us());
        self.playing = self.at_us < self.end_us();
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the terminal has many more keys"
    )]
    pub(super) fn on_key(&mut self, key: KeyCode) -> ControlFlow<()> {
        self.notice.clear();
        match key {
            KeyCode::Char('q') | KeyCode::Esc if self.typed.is_empty() => {
                return ControlFlow::Break(());
            }
            KeyCode::Esc => self.typed.clear(),
            KeyCode::Left => self.step(-1),
            KeyCode::Right => self.step(1),
            KeyCode::PageUp => (0..PAGE).for_each(|_| self.step(-1)),
            KeyCode::PageDown => (0..PAGE).for_each(|_| self.step(1)),
            KeyCode::Home => self.go(0),
            KeyCode::End => self.go(self.timeline.moments.len().saturating_sub(1)),
            KeyCode::Char(' ') => self.toggle(),
            KeyCode::Char('+') => self.speed = (self.speed + 1).min(SPEEDS.len() - 1),
            KeyCode::Char('-') => self.speed = self.speed.saturating_sub(1),
            KeyCode::Char('f') => {
                self.seek("flag", |what| matches!(what, MomentDetail::Flag { .. }))
            }
            KeyCode::Char('a') => {
                self.seek("action", |what| matches!(what, MomentDetail::Action { .. }))
            }
            KeyCode::Backspace => {
                self.typed.pop();
            }
            KeyCode::Char(typed @ '0'..='9') if self.typed.len() < MAX_TYPED => {
                self.typed.push(typed);
            }
            KeyCode::Char(side @ ('w' | 'b')) if !self.typed.is_empty() => self.jump(side),
            KeyCode::Char(_) | KeyCode::Enter => {
                "this key does nothing".clone_into(&mut self.notice);
            }
            _ => (),
        }
        ControlFlow::Continue(())
    }

    fn go(&mut self, place: usize) {
        let Some(moment) = self.timeline.moments.get(place) else {
            return;
        };
        (self.playing, self.at_us, self.moment) = (false, moment.at_us, Some(place));
    }

    fn step(&mut self, by: isize) {
        let Some(current) = self.current() else {
            return;
        };
        // Between moments, `current` is the previous moment, so a step back goes to it.
        let next = match (self.moment, by) {
            (None, ..0) => Some(current),
            (_, _) => current.checked_add_signed(by),
        };
        if let Some(next) = next {
            self.go(next);
        }
    }

    fn toggle(&mut self) {
        self.playing = !self.playing;
        if self.playing && self.at_us >= self.end_us() {
            self.at_us = self.timeline.start_us();
        }
    }

    /// Goes to the next moment of a kind, wrapping around to the first.
    fn seek(&mut self, name: &str, wanted: impl Fn(&MomentDetail) -> bool) {
        let moments = self.timeline.moments.iter().enumerate();
        let places: Vec<usize> = moments
            .filter(|(_, moment)| wanted(&moment.what))
            .map(|(place, _)| place)
            .collect();
        let after = self.current();
        let next = places.iter().find(|place| Some(**place) > after);
        match next.or(places.first()) {
            Some(place) => self.go(*place),
            None => self.notice = format!("the game has no {name}"),
        }
    }

    fn jump(&mut self, side: char) {
        let text = format!("{}{side}", std::mem::take(&mut self.typed));
        let place = text.parse().ok().and_then(|name: MoveName| {
            let moments = &self.timeline.moments;
            moments.iter().rposition(|moment| {
                matches!(moment.what, MomentDetail::Move { side, number, .. }
                    if number == name.number && hall_side(side) == name.side)
            })
        });
        match place {
            Some(place) => self.go(place),
            None => self.notice = format!("the game has no move {text}"),
        }
    }
}

fn hall_side(side: Side) -> timing::Side {
    match side {
        Side::White => timing::Side::White,
        Side::Black => timing::Side::Black,
    }
}

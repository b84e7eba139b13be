//! Spoken time, for players who cannot see the clock (FIDE D.2.6.1): the words and their timing.
//!
//! Owns the words and the instants. Announces only times that the clock shows: no move numbers, no side to move, no reminder to press (FIDE
//! 12.6). Must never produce sound itself or read a system clock.

use timing::{Allotment, Board, BySide, Duration, Instant, Side, SideView};

use crate::face_state::{FaceState, FaceView};

/// Remaining times, each announced when a side's time falls to it.
const ROUND_TIMES: [Duration; 4] = [
    Duration::from_secs(300),
    Duration::from_secs(60),
    Duration::from_secs(30),
    Duration::from_secs(10),
];

/// Times of at least this length are announced without seconds, which would take too long to speak.
const MINUTES_ONLY: Duration = Duration::from_secs(600);

/// The sides whose times are announced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Listener {
    /// White only.
    White,
    /// Black only.
    Black,
    /// Both sides.
    Both,
}

impl Listener {
    fn hears(self, side: Side) -> bool {
        match self {
            Self::White => side == Side::White,
            Self::Black => side == Side::Black,
            Self::Both => true,
        }
    }
}

/// A source of announcements. Keeps the clock's last state to detect changes.
#[derive(Clone, Debug)]
pub struct Announcer {
    listener: Listener,
    last: Option<ClockSnapshot>,
}

#[derive(Clone, Debug)]
struct ClockSnapshot {
    running: Option<Side>,
    moves: BySide<u32>,
    times: BySide<Duration>,
}

impl Announcer {
    pub fn new(listener: Listener) -> Self {
        Self {
            listener,
            last: None,
        }
    }

    /// Returns the announcement that has become due since the last call, if any: a side's time after the opponent's press, or after it has fallen to
    /// 5 minutes, 1 minute, 30 or 10 seconds.
    pub fn due(&mut self, view: Option<&FaceView>) -> Option<String> {
        let seen = view.map(|view| ClockSnapshot {
            running: view.running,
            moves: BySide::from_fn(|side| view.sides[side].moves),
            times: BySide::from_fn(|side| view.sides[side].time),
        });
        let (old, view) = (std::mem::replace(&mut self.last, seen)?, view?);
        let side = view.running.filter(|side| self.listener.hears(*side))?;
        let opponent = side.other();
        let shown = &view.sides[side];
        let after_press = old.running == Some(opponent)
            && view.sides[opponent].moves == old.moves[opponent].saturating_add(1);
        let round = old.running == Some(side)
            && ROUND_TIMES
                .into_iter()
                .any(|time| old.times[side] > time && shown.time <= time);
        (after_press || round).then(|| phrase(side, shown))
    }

    /// Returns the announcement of both times, spoken on request.
    pub fn both_times(view: Option<&FaceView>) -> String {
        match view {
            Some(view) => Side::BOTH
                .map(|side| phrase(side, &view.sides[side]))
                .join(" "),
            None => "No board.".to_owned(),
        }
    }

    /// Returns the next instant at which the running time reaches an announced time or changes its rate; `None` if there is no such instant.
    pub fn next_check(state: &FaceState, now: Instant<Board>) -> Option<Instant<Board>> {
        let clock = state.clock.as_ref()?;
        let mover = clock.state().running()?;
        let left = clock.side(mover, now).time;
        let round = ROUND_TIMES
            .into_iter()
            .filter(|time| left > *time)
            .map(|time| now + (left - time));
        let bends = clock.plan(now).segments;
        let bends = bends.iter().map(|segment| segment.from);
        round.chain(bends).filter(|at| *at > now).min()
    }
}

/// Returns a sentence such as `White, 4 minutes 12 seconds.`
fn phrase(side: Side, shown: &SideView) -> String {
    let name = match side {
        Side::White => "White",
        Side::Black => "Black",
    };
    let time = match shown.allotment {
        Allotment::Overtime if (-shown.time).is_positive() => {
            format!("overtime, {}", time_in_words(-shown.time))
        }
        Allotment::Byo => match shown.byo_left {
            Some(1) => format!("{}, last period", time_in_words(shown.time)),
            Some(left) => format!("{}, {left} periods", time_in_words(shown.time)),
            None => time_in_words(shown.time),
        },
        Allotment::Extra => format!("extra time, {}", time_in_words(shown.time)),
        Allotment::Grace => format!("grace, {}", time_in_words(shown.time)),
        Allotment::Main | Allotment::Canadian | Allotment::Overtime | Allotment::Flagged => {
            time_in_words(shown.time)
        }
    };
    format!("{name}, {time}.")
}

/// Formats a time in words: below ten minutes, to the second, rounded up like the digits; from ten minutes, to the minute, rounded down.
fn time_in_words(time: Duration) -> String {
    if !time.is_positive() {
        return "no time left".to_owned();
    }
    let seconds = time.as_micros().saturating_add(999_999) / 1_000_000;
    let seconds = match time >= MINUTES_ONLY {
        true => time.as_micros() / 60_000_000 * 60,
        false => seconds,
    };
    let units = [
        (seconds / 86_400, "day"),
        (seconds / 3_600 % 24, "hour"),
        (seconds / 60 % 60, "minute"),
        (seconds % 60, "second"),
    ];
    units
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, unit)| match count {
            1 => format!("1 {unit}"),
            count => format!("{count} {unit}s"),
        })
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use timing::{BoardClock, Button, Command, Fact, FlagView, Setup, StartRule};

    use super::*;
    use crate::face_state::{HubLink, JournalHealth};

    fn at(seconds: i64) -> Instant<Board> {
        Instant::from_micros(seconds * 1_000_000)
    }

    fn face(control: &str) -> FaceState {
        let mut clock = BoardClock::new(Setup {
            control: control.parse().unwrap(),
            start: StartRule::Arbiter,
            white: Button::Left,
        });
        let _ = clock.on_command(at(0), &Command::Start(None)).unwrap();
        FaceState {
            board: String::new(),
            round: String::new(),
            names: BySide {
                white: String::new(),
                black: String::new(),
            },
            draw_odds: None,
            day: None,
            starts_at: None,
            sound: Default::default(),
            elsewhere: None,
            clock: Some(clock),
            unsaved: 0,
            unacknowledged: 0,
            hub: HubLink::Connected,
            battery_percent: None,
            journal: JournalHealth::Writing,
            messages: Vec::new(),
            identify_until: None,
        }
    }

    /// Returns all announcements in a game with these presses (in seconds, left button first). The announcer is called at every press and at every
    /// instant that it requests.
    fn said(control: &str, listener: Listener, presses: &[i64], until: i64) -> Vec<String> {
        let mut state = face(control);
        let mut speech = Announcer::new(listener);
        let mut said = Vec::new();
        let mut now = at(0);
        let mut presses = presses.iter().copied().map(at).peekable();
        let mut button = Button::Left;
        while now <= at(until) {
            said.extend(speech.due(state.at(now).as_ref()));
            if presses.next_if_eq(&now).is_some() {
                let clock = state.clock.as_mut().unwrap();
                let _ = clock.on_fact(now, Fact::Pressed(button));
                button = button.other();
                said.extend(speech.due(state.at(now).as_ref()));
            }
            let look = Announcer::next_check(&state, now);
            let next = look.into_iter().chain(presses.peek().copied()).min();
            let Some(next) = next else { break };
            assert!(next > now, "the next check lies ahead");
            now = next;
        }
        said
    }

    #[test]
    fn a_time_is_announced_after_the_opponents_press_and_at_round_times() {
        assert_eq!(
            said("6m", Listener::White, &[10, 20], 400),
            [
                "White, 5 minutes 50 seconds.",
                "White, 5 minutes.",
                "White, 1 minute.",
                "White, 30 seconds.",
                "White, 10 seconds.",
            ]
        );
        assert_eq!(
            said("6m", Listener::Black, &[10, 20], 400),
            ["Black, 6 minutes."]
        );
        assert_eq!(
            said("6m", Listener::Both, &[10, 20], 25),
            ["Black, 6 minutes.", "White, 5 minutes 50 seconds."]
        );
    }

    #[test]
    fn delays_and_byo_yomi_are_followed() {
        assert_eq!(
            said("12s delay 5s", Listener::White, &[], 60),
            ["White, 10 seconds."]
        );
        assert_eq!(
            said("1s byo 2x31s", Listener::White, &[], 70),
            [
                "White, 30 seconds, 2 periods.",
                "White, 10 seconds, 2 periods.",
                "White, 30 seconds, last period.",
                "White, 10 seconds, last period.",
            ]
        );
    }

    #[test]
    fn corrections_pauses_and_wrong_presses_are_silent() {
        let mut state = face("6m");
        let mut speech = Announcer::new(Listener::Both);
        assert_eq!(speech.due(state.at(at(1)).as_ref()), None);
        let clock = state.clock.as_mut().unwrap();
        let _ = clock.on_fact(at(2), Fact::Pressed(Button::Right));
        let _ = clock
            .on_command(at(3), &"pause".parse::<Command>().unwrap())
            .unwrap();
        assert_eq!(speech.due(state.at(at(4)).as_ref()), None);
        let clock = state.clock.as_mut().unwrap();
        let _ = clock
            .on_command(at(5), &"set white 20s".parse::<Command>().unwrap())
            .unwrap();
        let _ = clock
            .on_command(at(6), &"resume".parse::<Command>().unwrap())
            .unwrap();
        assert_eq!(speech.due(state.at(at(6)).as_ref()), None);
        assert_eq!(speech.due(None), None);
    }

    #[test]
    fn a_request_announces_both_times() {
        let state = face("90m vs 1h");
        assert_eq!(
            Announcer::both_times(state.at(at(1)).as_ref()),
            "White, 1 hour 29 minutes. Black, 1 hour."
        );
        assert_eq!(Announcer::both_times(None), "No board.");
    }

    #[test]
    fn announcements_contain_only_times() {
        let side = |allotment, seconds| SideView {
            time: Duration::from_secs(seconds),
            allotment,
            moves: 31,
            period: 2,
            byo_left: Some(3),
            stones: Some(12),
            bank: None,
            points: Some(-10),
            delay_left: None,
            flag: FlagView::Fallen,
        };
        for (allotment, seconds, text) in [
            (Allotment::Main, 61, "White, 1 minute 1 second."),
            (Allotment::Main, 599, "White, 9 minutes 59 seconds."),
            (Allotment::Main, 100_000, "White, 1 day 3 hours 46 minutes."),
            (Allotment::Canadian, 30, "White, 30 seconds."),
            (Allotment::Byo, 30, "White, 30 seconds, 3 periods."),
            (Allotment::Extra, 30, "White, extra time, 30 seconds."),
            (Allotment::Grace, 5, "White, grace, 5 seconds."),
            (Allotment::Overtime, -41, "White, overtime, 41 seconds."),
            (Allotment::Flagged, 0, "White, no time left."),
        ] {
            assert_eq!(phrase(Side::White, &side(allotment, seconds)), text);
        }
        // Below ten minutes, the announcement is rounded up like the digits.
        assert_eq!(time_in_words(Duration::from_millis(59_100)), "1 minute");
    }
}

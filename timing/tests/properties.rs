//! Properties of random games under random time controls.
//!
//! `TIMING_CASES` sets the number of games for each property; the default of 1,000 takes a few seconds.

#[path = "properties/arbitrary_input.rs"]
mod arbitrary_input;
#[path = "properties/generate.rs"]
mod generate;

use generate::{Game, Input, START};
use proptest::prelude::*;
use timing::{
    Allotment, Board, BoardClock, BoardState, Bonus, Button, ClockStep, Command, Duration, Fact,
    Flow, Instant, Length, Period, Plan, Rejection, Reserve, Setup, Side, Snapshot, StartRule,
    TimeControl,
};

fn cases() -> ProptestConfig {
    let cases = std::env::var("TIMING_CASES")
        .ok()
        .and_then(|cases| cases.parse().ok())
        .unwrap_or(1_000);
    ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

fn board(control: &TimeControl) -> BoardClock {
    BoardClock::new(Setup {
        control: control.clone(),
        start: StartRule::Arbiter,
        white: Button::Left,
    })
}

fn apply(clock: &mut BoardClock, now: Instant<Board>, input: &Input) -> Option<Rejection> {
    match input {
        Input::Fact(fact) => {
            let _ = clock.on_fact(now, *fact);
            None
        }
        Input::TimePassed => {
            let _ = clock.pass_time(now);
            None
        }
        Input::Command(command) => {
            let _ = clock.pass_time(now);
            clock.on_command(now, command).err()
        }
    }
}

fn step(now: Instant<Board>, input: &Input) -> ClockStep {
    match input {
        Input::Fact(fact) => ClockStep::fact(now, *fact),
        Input::TimePassed => ClockStep::TimePassed(now),
        Input::Command(command) => ClockStep::command(now, command.clone()),
    }
}

fn play(clock: &mut BoardClock, start: Instant<Board>, game: &Game) -> Instant<Board> {
    let mut now = start;
    for (gap, input) in game {
        now = now + *gap;
        apply(clock, now, input);
    }
    now
}

/// Returns displayed values that change only at a press, a command or a deadline.
fn shown(clock: &BoardClock, now: Instant<Board>) -> impl PartialEq + std::fmt::Debug + use<> {
    let side = |side| {
        let view = clock.side(side, now);
        (
            view.allotment,
            view.period,
            view.byo_left,
            view.stones,
            view.points,
            view.moves,
        )
    };
    (side(Side::White), side(Side::Black))
}

/// Returns White's and Black's display at `at` according to the plan; `None` if the plan does not reach that far.
fn drawn(plan: &Plan, at: Instant<Board>) -> Option<[(Duration, Allotment); 2]> {
    let index = plan
        .segments
        .iter()
        .rposition(|segment| segment.from <= at)?;
    if index + 1 == Plan::<Board>::MAX_SEGMENTS && at > plan.segments[index].from {
        return None;
    }
    let segment = &plan.segments[index];
    let line = |time: Duration, rate: i8| {
        Duration::from_micros(time.as_micros() + i64::from(rate) * (at - segment.from).as_micros())
    };
    Some([
        (line(segment.white, segment.white_rate), segment.white_phase),
        (line(segment.black, segment.black_rate), segment.black_phase),
    ])
}

fn period_of(control: &TimeControl, side: Side, period: u32) -> Period {
    control.side(side).periods()[period as usize - 1]
}

fn repeats(control: &TimeControl, side: Side) -> bool {
    let last = control.side(side).periods().last();
    last.is_some_and(|last| matches!(last.length, Length::Moves(_)))
}

proptest! {
    #![proptest_config(cases())]

    /// In an hourglass, the other clock gains the time that the running clock uses.
    #[test]
    fn only_one_clock_runs(control in generate::control(), game in generate::game()) {
        let mut clock = board(&control);
        let mut now = START;
        for (gap, input) in &game {
            now = now + *gap;
            apply(&mut clock, now, input);
            for segment in clock.plan(now).segments {
                let (white, black) = (segment.white_rate, segment.black_rate);
                prop_assert!(white == 0 || black == 0 || white + black == 0, "{segment:?}");
                let moves = match clock.state() {
                    BoardState::Running { .. } => true,
                    BoardState::Ready | BoardState::Paused { .. } | BoardState::Stopped { .. }
                    | BoardState::Flagged { .. } | BoardState::Over => false,
                };
                prop_assert!(moves || (white, black) == (0, 0), "{:?} {segment:?}", clock.state());
            }
        }
    }

    /// The outcome is the same if extra deadlines are reported, or if a span of time passes in several parts.
    #[test]
    fn extra_deadlines_change_nothing(
        control in generate::control(), game in generate::game(), splits in prop::collection::vec(0..1_000_i64, 1..6),
    ) {
        let (mut plain, mut split) = (board(&control), board(&control));
        let mut now = START;
        for (gap, input) in &game {
            let mut marks: Vec<_> =
                splits.iter().map(|mille| Duration::from_micros((i128::from(gap.as_micros()) * i128::from(*mille) / 1_000) as i64)).collect();
            marks.sort();
            for mark in marks {
                let _ = split.pass_time(now + mark);
            }
            now = now + *gap;
            for _ in 0..8 {
                match split.next_deadline() {
                    Some(deadline) if deadline <= now => drop(split.pass_time(deadline)),
                    Some(_) | None => break,
                }
            }
            apply(&mut plain, now, input);
            apply(&mut split, now, input);
            prop_assert_eq!(&plain, &split);
        }
    }

    #[test]
    fn a_restored_game_continues_like_the_original(control in generate::control(), game in generate::game(), after in any::<prop::sample::Index>()) {
        let (before, rest) = game.split_at(after.index(game.len()));
        let mut live = board(&control);
        let now = play(&mut live, START, &before.to_vec());
        let bytes = live.snapshot().to_bytes();
        prop_assert!(bytes.len() <= 1024);
        let snapshot = Snapshot::from_bytes(&bytes);
        prop_assert!(snapshot.is_ok(), "{:?} of {:?}", snapshot, live);
        let mut restored = BoardClock::from_snapshot(&snapshot.unwrap()).unwrap();
        prop_assert_eq!(&restored, &live);
        play(&mut live, now, &rest.to_vec());
        play(&mut restored, now, &rest.to_vec());
        prop_assert_eq!(&restored, &live);
        prop_assert_eq!(Snapshot::from_bytes(&live.snapshot().to_bytes()), Ok(live.snapshot()));
    }

    #[test]
    fn replay_equals_live(control in generate::control(), game in generate::game()) {
        let (mut live, mut replay) = (board(&control), board(&control));
        prop_assert_eq!(play(&mut live, START, &game), play(&mut replay, START, &game));
        prop_assert_eq!(live, replay);
    }

    /// The opponent's move begins with its whole simple or Bronstein delay, even after an interrupted move.
    #[test]
    fn a_press_begins_the_opponents_move(control in generate::control(), game in generate::game()) {
        let mut clock = board(&control);
        let mut now = START;
        for (gap, input) in &game {
            now = now + *gap;
            let before = [Side::White, Side::Black].map(|side| clock.side(side, now).moves);
            apply(&mut clock, now, input);
            let after = [Side::White, Side::Black].map(|side| clock.side(side, now).moves);
            let pressed = matches!(input, Input::Fact(Fact::Pressed(_))) && before != after;
            let BoardState::Running { mover } = clock.state() else { continue };
            let side = clock.side(mover, now);
            if !pressed || side.allotment != Allotment::Main {
                continue;
            }
            let control = clock.time_control();
            match period_of(control, mover, side.period).bonus {
                Bonus::Delay(delay) => prop_assert_eq!(side.delay_left, Some(delay.0)),
                Bonus::Bronstein(_) => {
                    let mut at_once = clock.clone();
                    let _ = at_once.on_fact(now, Fact::Pressed(clock.button_of(mover)));
                    let next = at_once.side(mover, now);
                    if next.period == side.period && !repeats(control, mover) {
                        prop_assert_eq!(next.time, side.time);
                    }
                }
                Bonus::None | Bonus::Increment(_) | Bonus::MoveTime(_) | Bonus::TripleBlock(_) => (),
            }
        }
    }

    /// The display, except for the times, changes at the next deadline and not before.
    #[test]
    fn deadlines_are_exact(control in generate::control(), game in generate::game()) {
        // Overtime against an hourglass is an exception: the hourglass gives time to the side in overtime, which takes back penalty points without a
        // deadline.
        let gives = |side| control.side(side).periods().iter().any(|period| period.flow == Flow::Hourglass);
        let scored = |side| matches!(control.side(side).reserve(), Reserve::Overtime(_));
        prop_assume!(!Side::BOTH.into_iter().any(|side| scored(side) && gives(side.other())));
        let mut clock = board(&control);
        let now = play(&mut clock, START, &game);
        if let Some(deadline) = clock.next_deadline().filter(|deadline| *deadline < Instant::MAX) {
            prop_assert!(deadline > now, "{deadline:?} at {now:?}");
            let before = deadline - Duration::MICROSECOND;
            prop_assert_eq!(shown(&clock, now), shown(&clock, before));
            let result = clock.result();
            let (was, is) = (shown(&clock, before), shown(&clock, deadline));
            let _ = clock.pass_time(deadline);
            prop_assert!(was != is || result != clock.result());
        }
    }

    #[test]
    fn plans_match_the_clock(control in generate::control(), game in generate::game(), later in generate::duration()) {
        let mut clock = board(&control);
        let now = play(&mut clock, START, &game);
        let plan = clock.plan(now);
        prop_assert!((1..=Plan::<Board>::MAX_SEGMENTS).contains(&plan.segments.len()));
        prop_assert_eq!(plan.segments[0].from, now);
        let bends: Vec<_> = plan.segments.iter().map(|segment| segment.from).collect();
        prop_assert!(bends.is_sorted_by(|a, b| a < b));
        let moments = bends.into_iter().flat_map(|bend| [bend, bend - Duration::MICROSECOND, bend + Duration::from_millis(7)]);
        for at in moments.chain([now + later]).filter(|at| *at >= now) {
            if let Some(drawn) = drawn(&plan, at) {
                let said = [Side::White, Side::Black].map(|side| {
                    let view = clock.side(side, at);
                    (view.time, view.allotment)
                });
                prop_assert_eq!(drawn, said, "at {:?} of {:?}", at, plan);
            }
        }
    }

    /// `check` predicts every refusal.
    #[test]
    fn refusals_change_nothing(control in generate::control(), game in generate::game(), command in generate::command(), gap in generate::duration()) {
        let mut clock = board(&control);
        let now = play(&mut clock, START, &game) + gap;
        let before = clock.clone();
        let predicted = clock.check(now, &command);
        match clock.on_command(now, &command) {
            Ok(effects) => {
                prop_assert_eq!(predicted, Ok(()));
                prop_assert!(!effects.is_empty());
            }
            Err(rejection) => {
                prop_assert_eq!(predicted, Err(rejection));
                prop_assert_eq!(clock, before);
            }
        }
    }

    /// Holds even if commands are refused, or if one clock had already settled the time before a step.
    #[test]
    fn the_same_steps_lead_to_the_same_clock(
        control in generate::control(), game in generate::game(), ahead in prop::collection::vec(any::<bool>(), 1..8),
        refused in generate::command(), to in 0..1_000_000_000_i64,
    ) {
        let (mut hub, mut agent) = (board(&control), board(&control));
        let mut now = START;
        for ((gap, input), settles) in game.iter().zip(ahead.iter().cycle()) {
            now = now + *gap;
            if *settles {
                let _ = hub.pass_time(now);
            }
            let step = step(now, input);
            let outcome = hub.apply(&step);
            let applied = agent.apply(&step);
            prop_assert_eq!(outcome.map(drop), applied.map(drop));
            prop_assert_eq!(&hub, &agent);
            prop_assert_eq!(hub.now(), now);
        }
        let later = now + Duration::from_secs(7);
        if hub.apply(&ClockStep::command(later, refused)).is_err() {
            let _ = agent.pass_time(later);
            prop_assert_eq!(&hub, &agent);
        }
        let moved = Instant::from_micros(to);
        let snapshot = hub.snapshot().moved_to(moved);
        prop_assert!(hub.apply(&ClockStep::Moved(moved)).is_ok_and(|effects| effects.is_empty()));
        prop_assert_eq!(hub.snapshot(), snapshot);
    }

    /// A late press is one stamped before the settled instant.
    #[test]
    fn late_presses_change_nothing(control in generate::control(), game in generate::game()) {
        let mut clock = board(&control);
        let now = play(&mut clock, START, &game);
        let before = clock.clone();
        let effects = clock.on_fact(now - Duration::MICROSECOND, Fact::Pressed(Button::Left));
        prop_assert_eq!(effects.into_iter().count(), 1);
        prop_assert_eq!(&clock, &before);
        prop_assert_eq!(clock.on_command(now - Duration::MICROSECOND, &Command::Pause), Err(Rejection::Late));
        prop_assert_eq!(clock, before);
    }

    /// In sudden death, all time granted is either in hand or used. In an hourglass, all of it is in hand.
    #[test]
    fn time_is_conserved(main in generate::duration(), gaps in generate::quiet_game(), hourglass in any::<bool>()) {
        let notation = if hourglass { format!("{main} hourglass") } else { main.to_string() };
        let mut clock = board(&notation.parse().unwrap());
        let _ = clock.on_command(START, &Command::Start(None)).unwrap();
        let (mut now, mut button) = (START, Button::Left);
        for gap in gaps {
            now = now + gap;
            let _ = clock.on_fact(now, Fact::Pressed(button));
            button = button.other();
            let [white, black] = [Side::White, Side::Black].map(|side| clock.side(side, now).time);
            let granted = main + main;
            if hourglass {
                prop_assert_eq!(white + black, granted);
            } else if let BoardState::Running { .. } = clock.state() {
                prop_assert_eq!(white + black + (now - START), granted);
            }
        }
    }

    /// The printed notation is at most as long as the original.
    #[test]
    fn printed_notation_parses_to_the_same_control(notation in generate::notation()) {
        let control: TimeControl = notation.parse().unwrap();
        let printed = control.to_string();
        prop_assert!(printed.len() <= notation.len(), "{printed} for {notation}");
        prop_assert_eq!(printed.parse::<TimeControl>(), Ok(control));
    }

    #[test]
    fn durations_print_in_the_shortest_form(numbers in prop::array::uniform5(prop_oneof![Just(0_u32), 1..130_u32]), decimals in 0..1_000_u32) {
        let mut spelled = String::new();
        for (number, unit) in numbers.iter().zip(["d", "h", "m", "s", "ms"]).filter(|(number, _)| **number > 0) {
            spelled += &format!("{number}{unit}");
        }
        let fraction = format!(".{decimals:03}").trim_end_matches('0').to_string();
        if fraction.len() > 1 && !spelled.is_empty() {
            let unit = spelled.len() - if spelled.ends_with("ms") { 2 } else { 1 };
            spelled.insert_str(unit, &fraction);
        }
        let Ok(span) = spelled.parse::<Duration>() else { return Ok(()) };
        let printed = span.to_string();
        prop_assert!(printed.len() <= spelled.len(), "{printed} for {spelled}");
        prop_assert_eq!(printed.parse::<Duration>(), Ok(span));
    }

    #[test]
    fn printed_commands_parse_to_the_same_command(command in generate::command(), control in generate::control(), game in generate::game()) {
        prop_assert_eq!(command.to_string().parse::<Command>(), Ok(command));
        let mut clock = board(&control);
        play(&mut clock, START, &game);
        for command in [
            Command::Restore(Box::new(clock.snapshot())),
            Command::Prepare(Setup { control, start: StartRule::BlackPress, white: Button::Right }),
        ] {
            prop_assert_eq!(command.to_string().parse::<Command>(), Ok(command));
        }
    }
}

//! Generators of time controls and games: every timing method, almost every command, and events that tend to coincide.

use proptest::collection::vec;
use proptest::prelude::*;
use timing::{
    Board, Button, Command, Duration, Ending, Fact, GameResult, Instant, Side, TimeControl,
};

/// Generates a duration longer than zero. Most are whole seconds, so that deadlines and presses coincide; some are a microsecond or many years.
pub(crate) fn duration() -> BoxedStrategy<Duration> {
    prop_oneof![
        8 => (1..60_i64).prop_map(Duration::from_secs),
        2 => (1..5_000_000_i64).prop_map(Duration::from_micros),
        1 => (1..600_i64).prop_map(Duration::from_mins),
        1 => (1..=36_525_i64).prop_map(Duration::from_days),
        1 => Just(Duration::MICROSECOND),
    ]
    .boxed()
}

/// Generates a period that ends after a few moves, so that games reach its end.
fn earlier_period() -> BoxedStrategy<String> {
    let bonus = prop_oneof![
        Just(String::new()),
        duration().prop_map(|by| format!("+{by}")),
        duration().prop_map(|delay| format!(" delay {delay}")),
        duration().prop_map(|delay| format!(" bronstein {delay}")),
    ];
    (1..4_u32, duration(), bonus)
        .prop_map(|(moves, main, bonus)| format!("{moves}/{main}{bonus}"))
        .boxed()
}

fn last() -> BoxedStrategy<String> {
    let increment =
        || prop_oneof![2 => Just(String::new()), 1 => duration().prop_map(|by| format!("+{by}"))];
    let repeated = (any::<bool>(), earlier_period())
        .prop_map(|(star, period)| if star { format!("*{period}") } else { period });
    let capped = (duration(), duration(), duration())
        .prop_map(|(main, by, more)| format!("{main}+{by} cap {}", main + by + more))
        .prop_filter("at most 36525 d", |text| {
            text.parse::<TimeControl>().is_ok()
        });
    let reserve = prop_oneof![
        Just(String::new()),
        (1..4_u32, duration()).prop_map(|(periods, each)| format!(" byo {periods}x{each}")),
        (1..4_u32, duration()).prop_map(|(stones, block)| format!(" canadian {stones}/{block}")),
        (
            duration(),
            2..8_i64,
            prop_oneof![Just("hybrid"), Just("linear"), Just("truncated")]
        )
            .prop_filter("at most 36525 d", |(min, _, _)| *min
                < Duration::from_days(4_000))
            .prop_map(|(min, times, bonus)| {
                format!(
                    " extra {} min {min} {bonus}",
                    Duration::from_micros(min.as_micros() * times)
                )
            }),
        duration().prop_map(|grace| format!(" grace {grace}")),
        (1..20_u32, duration()).prop_map(|(points, every)| format!(" overtime {points}/{every}")),
    ];
    let main =
        prop_oneof![9 => duration().prop_map(|main| main.to_string()), 1 => Just("0s".to_string())];
    let with_reserve = (main, increment(), reserve)
        .prop_map(|(main, increment, reserve)| format!("{main}{increment}{reserve}"))
        .prop_filter("only byo-yomi and Canadian begin at once", |text| {
            text.parse::<TimeControl>().is_ok()
        });
    prop_oneof![2 => earlier_period(), 1 => repeated, 1 => capped, 6 => with_reserve].boxed()
}

/// Generates the control of one side. The length of `by_zero` is the number of periods before the last; true stands for a period that ends at zero.
fn side(by_zero: Vec<bool>) -> BoxedStrategy<String> {
    let count = by_zero.len();
    (vec(earlier_period(), count), last())
        .prop_map(move |(periods, last)| {
            let mut text = String::new();
            for (period, by_zero) in periods.iter().zip(&by_zero) {
                let (_, after_count) = period.split_once('/').expect("these periods have a count");
                text += &if *by_zero {
                    format!("zero/{after_count} : ")
                } else {
                    format!("{period} : ")
                };
            }
            text + &last
        })
        .boxed()
}

fn alone() -> BoxedStrategy<String> {
    const DURATIONS: [u32; 17] = [
        302, 350, 400, 450, 500, 550, 600, 650, 700, 750, 800, 850, 900, 950, 1000, 1050, 1100,
    ];
    prop_oneof![
        Just("up".to_string()),
        duration().prop_map(|each| format!("move {each}")),
        (duration(), any::<bool>())
            .prop_map(|(main, plus)| format!("{main}{} hourglass", if plus { "+1s" } else { "" })),
        (proptest::sample::select(&DURATIONS[..]), any::<bool>())
            .prop_map(|(days, gt)| format!("triple {days}{}", if gt { " gt" } else { "" })),
    ]
    .boxed()
}

pub(crate) fn notation() -> BoxedStrategy<String> {
    let any_side = |by_zero: Vec<bool>| prop_oneof![4 => side(by_zero), 1 => alone()];
    let same = vec(any::<bool>(), 0..3).prop_flat_map(any_side).boxed();
    let odds = vec(any::<bool>(), 0..3)
        .prop_flat_map(|by_zero| (side(by_zero.clone()), side(by_zero)))
        .prop_map(|(white, black)| format!("{white} vs {black}"));
    let mixed = (prop_oneof![alone(), side(Vec::new())], alone())
        .prop_map(|(white, black)| format!("{white} vs {black}"));
    (prop_oneof![6 => same, 2 => odds, 1 => mixed], any::<bool>())
        .prop_map(|(sides, runs_on)| {
            if runs_on {
                format!("{sides} runs on")
            } else {
                sides
            }
        })
        .boxed()
}

pub(crate) fn control() -> BoxedStrategy<TimeControl> {
    notation()
        .prop_map(|text| {
            text.parse()
                .unwrap_or_else(|error| panic!("{text}: {error}"))
        })
        .boxed()
}

#[derive(Clone, Debug)]
pub(crate) enum Input {
    Fact(Fact),
    TimePassed,
    Command(Command),
}

/// The events of a game, each with the time that passes before it.
pub(crate) type Game = Vec<(Duration, Input)>;

pub(crate) fn any_side() -> BoxedStrategy<Side> {
    prop_oneof![Just(Side::White), Just(Side::Black)].boxed()
}

fn gap() -> BoxedStrategy<Duration> {
    prop_oneof![
        2 => Just(Duration::ZERO),
        10 => (0..20_i64).prop_map(Duration::from_secs),
        3 => (0..3_000_000_i64).prop_map(Duration::from_micros),
        1 => duration(),
    ]
    .boxed()
}

fn edit() -> BoxedStrategy<Command> {
    let signed = (duration(), any::<bool>()).prop_map(|(by, takes)| if takes { -by } else { by });
    prop_oneof![
        3 => (any_side(), duration()).prop_map(|(side, to)| Command::Set { side, to }),
        3 => (any_side(), signed).prop_map(|(side, by)| Command::Add { side, by }),
        2 => (any_side(), 0..9_u32).prop_map(|(side, to)| Command::Moves { side, to }),
        1 => (any_side(), proptest::option::of(duration())).prop_map(|(side, amount)| Command::Refill { side, amount }),
    ].boxed()
}

/// Generates an arbiter's command that usually leaves the game in progress.
pub(crate) fn arbiter() -> BoxedStrategy<Command> {
    prop_oneof![
        2 => Just(Command::Pause),
        2 => proptest::option::of(any_side()).prop_map(Command::Resume),
        1 => proptest::option::of(any_side()).prop_map(Command::Start),
        4 => edit(),
        1 => any_side().prop_map(Command::CallFlag),
        1 => any_side().prop_map(Command::ClaimDraw),
        1 => (any_side(), edit()).prop_map(|(side, edit)| {
            Command::Sequence(vec![Command::Pause, edit, Command::Resume(Some(side))])
        }),
    ]
    .boxed()
}

/// Generates a command that ends the game, or changes its result, buttons or time control.
fn rare() -> BoxedStrategy<Command> {
    let results = || proptest::option::of(proptest::sample::select(&GameResult::ALL[..]));
    prop_oneof![
        2 => any_side().prop_map(|side| Command::End(Ending::Mate(side))),
        1 => any_side().prop_map(|side| Command::End(Ending::Resign(side))),
        1 => Just(Command::End(Ending::Draw)),
        2 => results().prop_map(|result| Command::End(Ending::Result(result))),
        1 => Just(Command::Swap),
        1 => Just(Command::WhiteIs(Button::Left)),
        1 => control().prop_map(Command::ChangeControl),
    ]
    .boxed()
}

pub(crate) fn command() -> BoxedStrategy<Command> {
    prop_oneof![4 => arbiter(), 1 => rare()].boxed()
}

pub(crate) fn game() -> BoxedStrategy<Game> {
    let input = prop_oneof![
        24 => prop_oneof![Just(Button::Left), Just(Button::Right)].prop_map(|button| Input::Fact(Fact::Pressed(button))),
        6 => Just(Input::TimePassed),
        1 => Just(Input::Fact(Fact::Stopped)),
        8 => arbiter().prop_map(Input::Command),
    ];
    let input = prop_oneof![60 => input, 1 => rare().prop_map(Input::Command)];
    let one = (gap(), input).prop_map(|one| vec![one]);
    vec(prop_oneof![12 => one, 1 => corrected_move()], 1..40)
        .prop_map(|game| {
            let start = (Duration::ZERO, Input::Command(Command::Start(None)));
            [start]
                .into_iter()
                .chain(game.into_iter().flatten())
                .collect()
        })
        .boxed()
}

/// Generates the correction of a move: an arbiter pauses and resumes with one side's clock, and that side presses. If that side also made the
/// previous move, this is a corrected illegal move.
fn corrected_move() -> BoxedStrategy<Game> {
    (any_side(), gap(), gap(), gap())
        .prop_map(|(side, ran, stood, thought)| {
            let button = match side {
                Side::White => Button::Left,
                Side::Black => Button::Right,
            };
            vec![
                (ran, Input::Command(Command::Pause)),
                (stood, Input::Command(Command::Resume(Some(side)))),
                (thought, Input::Fact(Fact::Pressed(button))),
            ]
        })
        .boxed()
}

/// Generates the time used for each move of a game without an arbiter's commands. The sides alternate, White first.
pub(crate) fn quiet_game() -> BoxedStrategy<Vec<Duration>> {
    vec(gap(), 1..30).boxed()
}

pub(crate) const START: Instant<Board> = Instant::from_micros(1_000);

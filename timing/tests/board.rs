//! Tests of a board's clock: buttons, starts, stops, flags, results, preparing and restoring a board, changes of the time control, refusals, older
//! rules, and sequences of commands.

use timing::{
    Allotment, BoardClock, BoardState, Button, ClockStep, Command, Duration, Effect, Effects,
    Ending, Fact, FlagView, GameResult, Ignored, Instant, Rejection, RulesVersion, Setup, Side,
    Snapshot, StartRule,
};

fn at(seconds: i64) -> Instant<timing::Board> {
    Instant::from_micros(seconds * 1_000_000)
}

fn board(control: &str, start: StartRule) -> BoardClock {
    BoardClock::new(Setup {
        control: control.parse().expect(control),
        start,
        white: Button::Left,
    })
}

#[track_caller]
fn ask(clock: &mut BoardClock, seconds: i64, command: &str) -> Result<Vec<Effect>, Rejection> {
    let command: Command = command.parse().expect(command);
    let foretold = clock.check(at(seconds), &command);
    let answer = clock.on_command(at(seconds), &command);
    assert_eq!(foretold.err(), answer.as_ref().err().copied());
    answer.map(|effects| effects.into_iter().collect())
}

fn list(effects: Effects) -> Vec<Effect> {
    effects.into_iter().collect()
}

fn press(clock: &mut BoardClock, seconds: i64, button: Button) -> Vec<Effect> {
    list(clock.on_fact(at(seconds), Fact::Pressed(button)))
}

fn time(clock: &BoardClock, side: Side, seconds: i64) -> i64 {
    clock.side(side, at(seconds)).time.as_micros() / 1_000_000
}

#[test]
fn blacks_press_starts_whites_clock_under_that_rule() {
    let mut clock = board("5m", StartRule::BlackPress);
    let ignored = Effect::PressIgnored {
        button: Button::Left,
        side: Side::White,
        why: Ignored::NotStarted,
    };
    assert_eq!(press(&mut clock, 1, Button::Left), [ignored]);
    assert_eq!(
        press(&mut clock, 2, Button::Right),
        [Effect::Started { side: Side::White }]
    );
    assert_eq!(clock.state(), BoardState::Running { mover: Side::White });

    let mut clock = board("5m", StartRule::Arbiter);
    assert!(matches!(
        press(&mut clock, 2, Button::Right)[..],
        [Effect::PressIgnored { .. }]
    ));
    assert_eq!(clock.state(), BoardState::Ready);
}

#[test]
fn buttons_are_swapped_during_a_game() {
    let mut clock = board("5m", StartRule::Arbiter);
    assert_eq!(
        ask(&mut clock, 0, "start"),
        Ok(vec![Effect::Started { side: Side::White }])
    );
    assert_eq!(
        ask(&mut clock, 1, "swap"),
        Ok(vec![Effect::ButtonsChanged {
            white: Button::Right
        }])
    );
    assert_eq!(clock.side_of(Button::Left), Side::Black);
    assert_eq!(clock.button_of(Side::Black), Button::Left);
    assert_eq!(clock.button_of(Side::White), Button::Right);
    assert_eq!(
        press(&mut clock, 2, Button::Right),
        [Effect::MoveCompleted {
            side: Side::White,
            moves: 1
        }]
    );
    assert_eq!(
        ask(&mut clock, 3, "button left"),
        Ok(vec![Effect::ButtonsChanged {
            white: Button::Left
        }])
    );
    assert_eq!(
        press(&mut clock, 4, Button::Right),
        [Effect::MoveCompleted {
            side: Side::Black,
            moves: 1
        }]
    );
}

#[test]
fn the_players_stop_and_wait_for_the_arbiter() {
    let mut clock = board("5m", StartRule::Arbiter);
    assert_eq!(list(clock.on_fact(at(0), Fact::Stopped)), []);
    ask(&mut clock, 0, "start").expect("starts");
    assert_eq!(
        list(clock.on_fact(at(10), Fact::Stopped)),
        [Effect::Stopped]
    );
    assert_eq!(
        clock.state(),
        BoardState::Stopped {
            next: Side::White,
            since: at(10)
        }
    );
    let stopped = Effect::PressIgnored {
        button: Button::Left,
        side: Side::White,
        why: Ignored::ClocksStopped,
    };
    assert_eq!(press(&mut clock, 20, Button::Left), [stopped]);
    assert_eq!(ask(&mut clock, 30, "pause"), Err(Rejection::NotRunning));
    assert_eq!(
        ask(&mut clock, 30, "resume"),
        Ok(vec![Effect::Resumed { side: Side::White }])
    );
    assert_eq!(time(&clock, Side::White, 31), 289);
}

#[test]
fn a_flag_falls_is_called_once_and_is_not_a_result() {
    let mut clock = board("10s runs on", StartRule::Arbiter);
    ask(&mut clock, 0, "start").expect("starts");
    assert_eq!(ask(&mut clock, 5, "flag white"), Err(Rejection::FlagUp));
    assert_eq!(
        list(clock.pass_time(at(12))),
        [Effect::FlagFell {
            side: Side::White,
            at: at(10)
        }]
    );
    assert_eq!(clock.side(Side::White, at(12)).flag, FlagView::Fallen);
    assert_eq!(
        ask(&mut clock, 13, "flag white"),
        Ok(vec![Effect::FlagCalled { side: Side::White }])
    );
    assert_eq!(
        ask(&mut clock, 14, "flag white"),
        Err(Rejection::AlreadyCalled)
    );
    assert_eq!(clock.side(Side::White, at(14)).flag, FlagView::Called);
    assert_eq!(clock.result(), None);
    // An edit lifts the flag, which can then fall again.
    ask(&mut clock, 15, "add white 5s").expect("an edit");
    assert_eq!(clock.side(Side::White, at(15)).flag, FlagView::None);
    assert_eq!(clock.side(Side::White, at(20)).flag, FlagView::Fallen);
    assert_eq!(
        ask(&mut clock, 21, "end result 0-1"),
        Ok(vec![
            Effect::FlagFell {
                side: Side::White,
                at: at(20)
            },
            Effect::Ended {
                result: Some(GameResult::BlackWins)
            },
        ])
    );
    assert_eq!(ask(&mut clock, 22, "flag white"), Err(Rejection::GameOver));
}

#[test]
fn only_the_arbiter_corrects_or_removes_a_result() {
    let mut clock = board("5m", StartRule::Arbiter);
    assert_eq!(ask(&mut clock, 0, "end result *"), Err(Rejection::NoResult));
    ask(&mut clock, 0, "start").expect("starts");
    ask(&mut clock, 10, "end draw").expect("ends");
    assert_eq!(
        (clock.state(), clock.result()),
        (BoardState::Over, Some(GameResult::Draw))
    );
    assert_eq!(
        ask(&mut clock, 11, "end mate white"),
        Err(Rejection::GameOver)
    );
    assert_eq!(
        ask(&mut clock, 11, "add white 1m"),
        Err(Rejection::GameOver)
    );
    ask(&mut clock, 12, "end result 1-0f").expect("a correction");
    assert_eq!(clock.result(), Some(GameResult::WhiteWinsByForfeit));
    assert_eq!(
        ask(&mut clock, 20, "end result *"),
        Ok(vec![Effect::Ended { result: None }])
    );
    assert_eq!(
        clock.state(),
        BoardState::Paused {
            next: Side::White,
            since: at(20)
        }
    );
    assert_eq!(time(&clock, Side::White, 20), 290);
    // Without its result, a game that never started is ready again.
    let mut clock = board("5m", StartRule::Arbiter);
    ask(&mut clock, 0, "end result 0-0f").expect("neither player appeared");
    ask(&mut clock, 1, "end result *").expect("both appeared after all");
    assert_eq!(clock.state(), BoardState::Ready);
}

#[test]
fn a_board_is_prepared_when_no_game_is_in_progress() {
    let mut clock = board("5m", StartRule::Arbiter);
    assert_eq!(
        ask(&mut clock, 0, "prepare right black-press 3m+2s"),
        Ok(vec![Effect::Prepared])
    );
    assert_eq!(
        (clock.white_button(), clock.start_rule()),
        (Button::Right, StartRule::BlackPress)
    );
    assert_eq!(time(&clock, Side::White, 0), 182);
    press(&mut clock, 1, Button::Left);
    assert_eq!(
        ask(&mut clock, 2, "prepare left arbiter 5m"),
        Err(Rejection::GameInProgress)
    );
    ask(&mut clock, 3, "end draw").expect("ends");
    ask(&mut clock, 4, "prepare left arbiter 5m").expect("the next game");
    assert_eq!((clock.state(), clock.result()), (BoardState::Ready, None));
}

#[test]
fn a_board_is_restored_to_the_moment_before_a_press() {
    let mut clock = board("5m+3s", StartRule::Arbiter);
    ask(&mut clock, 0, "start").expect("starts");
    press(&mut clock, 10, Button::Left);
    let before = clock.snapshot();
    press(&mut clock, 30, Button::Right);
    ask(&mut clock, 31, "swap").expect("the clock was turned round");
    let restore = Command::Restore(Box::new(
        Snapshot::from_bytes(&before.to_bytes()).expect("own bytes"),
    ));
    assert_eq!(
        ask(&mut clock, 40, &restore.to_string()),
        Ok(vec![Effect::Restored])
    );
    assert_eq!(
        clock.state(),
        BoardState::Paused {
            next: Side::Black,
            since: at(40)
        }
    );
    assert_eq!(
        (time(&clock, Side::White, 99), time(&clock, Side::Black, 99)),
        (296, 303)
    );
    assert_eq!(clock.white_button(), Button::Right);
}

#[test]
fn the_control_changes_during_a_game() {
    let mut clock = board("40/90m+30s : 30m+30s", StartRule::Arbiter);
    ask(&mut clock, 0, "start").expect("starts");
    press(&mut clock, 100, Button::Left);
    ask(&mut clock, 100, "moves white 45").expect("an edit");
    assert_eq!(
        ask(&mut clock, 200, "control 40/2h : 20/1h"),
        Ok(vec![Effect::ControlChanged])
    );
    let white = clock.side(Side::White, at(200));
    // White keeps the time in hand and the move count. After 45 moves, White is in the second period of the new control.
    assert_eq!(
        (white.time, white.moves, white.period),
        (Duration::from_secs(5_430 - 100 + 30), 45, 2)
    );
    assert_eq!(clock.side(Side::Black, at(200)).period, 1);
    // Before the start, a new control sets the clocks as for a new game.
    let mut clock = board("5m", StartRule::Arbiter);
    ask(&mut clock, 0, "control 3m+2s").expect("a new setting");
    assert_eq!(time(&clock, Side::White, 0), 182);
}

#[test]
fn a_late_press_is_reported_and_a_late_command_refused() {
    let mut clock = board("5m", StartRule::Arbiter);
    ask(&mut clock, 0, "start").expect("starts");
    press(&mut clock, 10, Button::Left);
    let late = Effect::PressIgnored {
        button: Button::Right,
        side: Side::Black,
        why: Ignored::Late,
    };
    assert_eq!(press(&mut clock, 9, Button::Right), [late]);
    for command in [
        "pause",
        "swap",
        "control 5m",
        "prepare left arbiter 5m",
        "flag white",
    ] {
        assert_eq!(
            ask(&mut clock, 9, command),
            Err(Rejection::Late),
            "{command}"
        );
    }
}

#[test]
fn rejections_name_the_rule() {
    let mut clock = board("10m", StartRule::Arbiter);
    assert_eq!(ask(&mut clock, 0, "resume"), Err(Rejection::NotStarted));
    ask(&mut clock, 0, "start").expect("starts");
    assert_eq!(ask(&mut clock, 1, "start"), Err(Rejection::AlreadyStarted));
    assert_eq!(ask(&mut clock, 1, "refill white"), Err(Rejection::NoBank));
    assert_eq!(
        ask(&mut clock, 1, "claim draw white"),
        Err(Rejection::NoDoubleFlag)
    );
    let running = ask(&mut clock, 1, "resume").expect_err("it runs");
    assert_eq!(running.to_string(), "the clock is running: pause it first");
    let no_time = ask(&mut clock, 1, "add white -10m").expect_err("nothing would be left");
    assert!(no_time.to_string().contains("FIDE 6.10.2"), "{no_time}");
}

#[test]
fn periods_and_allotments_are_reported_at_their_instants() {
    let mut clock = board("zero/10s : 10s byo 2x5s", StartRule::Arbiter);
    ask(&mut clock, 0, "start").expect("starts");
    let entered = |side, period, seconds| Effect::PeriodEntered {
        side,
        period,
        at: at(seconds),
    };
    let byo = |seconds| Effect::AllotmentEntered {
        side: Side::White,
        allotment: Allotment::Byo,
        at: at(seconds),
    };
    assert_eq!(
        list(clock.pass_time(at(60))),
        [
            entered(Side::White, 2, 10),
            entered(Side::Black, 2, 10),
            byo(20),
            byo(25),
            Effect::FlagFell {
                side: Side::White,
                at: at(30)
            },
        ]
    );
    let down = Effect::PressIgnored {
        button: Button::Left,
        side: Side::White,
        why: Ignored::FlagDown,
    };
    assert_eq!(press(&mut clock, 61, Button::Left), [down]);
    let ending = Command::End(Ending::Resign(Side::White));
    drop(clock.on_command(at(62), &ending).expect("ends"));
    assert_eq!(clock.result(), Some(GameResult::BlackWins));
}

/// Checks Black's time after a move of 8 s that follows an interrupted move of 4 s, under this version of the rules.
#[track_caller]
fn check_interrupted_move(rules: RulesVersion, control: &str, expected: i64) {
    let mut clock = board(control, StartRule::Arbiter);
    let press = |clock: &mut BoardClock, seconds: i64, button| {
        let press = ClockStep::Fact {
            at: at(seconds),
            fact: Fact::Pressed(button),
            rules,
        };
        assert!(clock.apply(&press).is_ok());
    };
    assert!(ask(&mut clock, 0, "start").is_ok());
    press(&mut clock, 10, Button::Left);
    assert!(ask(&mut clock, 14, "pause").is_ok());
    assert!(ask(&mut clock, 60, "resume white").is_ok());
    press(&mut clock, 68, Button::Left);
    press(&mut clock, 76, Button::Right);
    assert_eq!(time(&clock, Side::Black, 76), expected, "{rules:?}");
}

#[test]
fn older_rules_still_give_the_same_clocks() {
    assert_eq!(RulesVersion::LATEST, RulesVersion::Two);
    // Black has used 4 of the 5 seconds of delay in the interrupted move. Of the next 8 seconds, 1 is free under version 1, and 5 under version 2.
    check_interrupted_move(RulesVersion::One, "5m delay 5s", 293);
    check_interrupted_move(RulesVersion::Two, "5m delay 5s", 297);
    // 310 − 4 − 8 seconds, and Bronstein gives back up to 10 seconds of the time used: 12 under version 1, 8 under version 2.
    check_interrupted_move(RulesVersion::One, "5m bronstein 10s", 308);
    check_interrupted_move(RulesVersion::Two, "5m bronstein 10s", 306);
    for version in [RulesVersion::One, RulesVersion::Two] {
        check_interrupted_move(version, "5m+3s", 294);
        assert_eq!(RulesVersion::from_number(version.number()), Some(version));
    }
    assert_eq!(RulesVersion::from_number(0), None);
    assert_eq!(RulesVersion::from_number(3), None);
}

#[test]
fn a_sequence_takes_effect_as_a_whole_or_not_at_all() {
    let mut clock = board("5m", StartRule::Arbiter);
    assert!(ask(&mut clock, 0, "start").is_ok());
    let _ = press(&mut clock, 10, Button::Left);
    // The second command is refused, so the pause does not take effect either.
    let refused = ask(&mut clock, 12, "pause; flag white; resume white");
    assert_eq!(refused, Err(Rejection::FlagUp));
    assert_eq!(clock.running(), Some(Side::Black));
    let effects = ask(
        &mut clock,
        14,
        "pause; add black 2m; moves white 0; resume white",
    );
    let edited = |side| Effect::Edited { side };
    assert_eq!(
        effects,
        Ok(vec![
            Effect::Paused,
            edited(Side::Black),
            edited(Side::White),
            Effect::Resumed { side: Side::White },
        ])
    );
    assert_eq!(time(&clock, Side::Black, 14), 300 - 4 + 120);
    assert_eq!(clock.running(), Some(Side::White));
    assert_eq!(clock.side(Side::White, at(14)).moves, 0);
}

#[test]
fn a_faulty_part_of_a_sequence_is_named_by_its_column() {
    for (text, column) in [
        ("pause; resum", 8),
        ("pause; ", 8),
        ("pause; prepare left arbiter 5m", 7),
        ("pause;; resume", 7),
        ("add white 2m; add black x", 25),
    ] {
        let error = text.parse::<Command>().expect_err(text);
        assert_eq!(error.column, column, "{text}: {error}");
    }
}

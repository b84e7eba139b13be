//! Tests of the dialog, key by key.

use ed25519_dalek::SigningKey;
use expect_test::{Expect, expect};
use proto::pin::public;
use proto::wire::{Arbiter, Arbiters};
use timing::{Board, BoardClock, Button, Command, Instant, Setup, StartRule};

use super::*;

fn derived(pin: &str) -> SigningKey {
    // A fast substitute for the real key derivation, which takes a second.
    SigningKey::from_bytes(&[pin.len() as u8; 32])
}

struct Table {
    dialog: Dialog,
    pins: Pins,
    clock: BoardClock,
    now: Instant<Board>,
    told: String,
}

impl Table {
    fn new() -> Self {
        let mut clock = BoardClock::new(Setup {
            control: "1h30m+30s".parse().unwrap(),
            start: StartRule::Arbiter,
            white: Button::Left,
        });
        let _ = clock.on_command(Instant::from_micros(0), &Command::Start(None));
        Self {
            dialog: Dialog::default(),
            pins: Pins::new(Arbiters {
                salt: vec![1; 16],
                arbiters: vec![Arbiter {
                    name: "Ada".to_owned(),
                    key: public(&derived("471108")).to_vec(),
                }],
            }),
            clock,
            now: Instant::from_micros(0),
            told: String::new(),
        }
    }

    /// Types keys: digits; `c` open, `t` tab, `u` up, `p` pause, `<` erase, `!` enter, `x` close, `.` one second.
    fn keys(&mut self, keys: &str) {
        for key in keys.chars() {
            let key = match key {
                '.' => {
                    self.now = self.now + Duration::from_secs(1);
                    self.dialog.on_time(self.now);
                    continue;
                }
                'c' => Key::Open,
                't' => Key::Next,
                'u' => Key::Previous,
                'p' => Key::Pause,
                '<' => Key::Erase,
                '!' => Key::Enter,
                'x' => Key::Leave,
                digit => Key::Digit(digit),
            };
            let context = DialogContext {
                now: self.now,
                pins: &self.pins,
                clock: Some(&self.clock),
            };
            let mut request = self.dialog.on_key(key, context);
            while let Some(what) = request.take() {
                match what {
                    DialogRequest::DeriveKey { pin, .. } => {
                        request = self
                            .dialog
                            .on_key_derived(Ok(Box::new(derived(&pin))), context);
                    }
                    DialogRequest::PinAttempted { correct } => {
                        self.told += &format!("tried: {correct}\n");
                        if !correct {
                            self.pins.attempted(false, self.now);
                        }
                        break;
                    }
                    DialogRequest::Correct(correcting) => {
                        for command in &correcting.commands {
                            self.told += &format!("{command}\n");
                            let _ = self.clock.on_command(self.now, command).unwrap();
                        }
                        break;
                    }
                }
            }
        }
    }

    #[track_caller]
    fn shows(&mut self, expected: Expect) {
        let context = DialogContext {
            now: self.now,
            pins: &self.pins,
            clock: Some(&self.clock),
        };
        let view = self.dialog.view(context);
        let shown = view.map_or("nothing".to_owned(), |view| {
            format!("{}\n{}", view.headline, view.lines.join("\n"))
        });
        expected.assert_eq(&format!("{}{shown}\n", std::mem::take(&mut self.told)));
    }
}

#[test]
fn times_and_moves_are_corrected_within_a_few_keys() {
    let mut table = Table::new();
    table.keys("c4711");
    table.shows(expect![[r#"
        Arbiter's PIN: ****____
        Enter: continue   Esc: cancel
    "#]]);
    table.keys("08!");
    table.shows(expect![[r#"
        tried: true
        CORRECTION by Ada
        [White 1:30:30]  Black 1:30:30   White 0 moves   Black 0 moves
        Tab: next   p: pause, resume   Enter: apply   Esc: close
    "#]]);
    // Times can be corrected whether the clock is running or stopped.
    table.keys("530!");
    table.shows(expect![[r#"
        set white 330s
        CORRECTION by Ada
        [White 5:30]  Black 1:30:30   White 0 moves   Black 0 moves
        Tab: next   p: pause, resume   Enter: apply   Esc: close
        Done
    "#]]);
    table.keys("p!");
    table.shows(expect![[r#"
        pause
        CORRECTION by Ada
        [White 5:30]  Black 1:30:30   White 0 moves   Black 0 moves
        Tab: next   p: pause, resume   Enter: apply   Esc: close
    "#]]);
    table.keys("t12345t9<8");
    table.shows(expect![[r#"
        CORRECTION by Ada
         White 5:30   Black 1:23:45*  [White 8 moves*]  Black 0 moves
        Tab: next   p: pause, resume   Enter: apply   Esc: close
    "#]]);
    table.keys("!p");
    table.shows(expect![[r#"
        set black 5025s
        moves white 8
        resume
        CORRECTION by Ada
         White 5:30   Black 1:23:45  [White 8 moves]  Black 0 moves
        Tab: next   p: pause, resume   Enter: apply   Esc: close
        Done
    "#]]);
    table.keys("x");
    table.shows(expect![[r#"
        nothing
    "#]]);
}

#[test]
fn invalid_times_and_rejections_are_shown() {
    let mut table = Table::new();
    table.keys("c471108!p75!");
    table.shows(expect![[r#"
        tried: true
        pause
        CORRECTION by Ada
        [White 0:00:75*]  Black 1:30:30   White 0 moves   Black 0 moves
        Tab: next   p: pause, resume   Enter: apply   Esc: close
        Minutes and seconds must be at most 59
    "#]]);
    table.keys("<<0!");
    table.shows(expect![[r#"
        CORRECTION by Ada
        [White 0:00:00*]  Black 1:30:30   White 0 moves   Black 0 moves
        Tab: next   p: pause, resume   Enter: apply   Esc: close
        an edit must leave time on the clock (FIDE 6.10.2: enter the correct times)
    "#]]);
}

#[test]
fn three_wrong_pins_cause_a_delay() {
    let mut table = Table::new();
    table.keys("c123!");
    table.shows(expect![[r#"
        Arbiter's PIN: ***_____
        Enter: continue   Esc: cancel
        a PIN has 4 to 8 digits
    "#]]);
    table.keys("4!12345!12345!");
    table.shows(expect![[r#"
        tried: false
        tried: false
        tried: false
        Arbiter's PIN: ________
        Enter: continue   Esc: cancel
        Wrong PIN
    "#]]);
    table.keys("471108!");
    table.shows(expect![[r#"
        Arbiter's PIN: ________
        Enter: continue   Esc: cancel
        Too many wrong PINs: wait 0:30
    "#]]);
    table.keys(&".".repeat(30));
    table.keys("471108!");
    table.shows(expect![[r#"
        tried: true
        CORRECTION by Ada
        [White 1:30:00]  Black 1:30:30   White 0 moves   Black 0 moves
        Tab: next   p: pause, resume   Enter: apply   Esc: close
    "#]]);
}

#[test]
fn an_idle_dialog_closes() {
    let mut table = Table::new();
    table.keys("c471108!");
    table.keys(&".".repeat(59));
    assert!(table.dialog.is_open());
    table.keys(".");
    assert!(!table.dialog.is_open());
    // While the dialog is closed, keys other than `c` have no effect.
    table.keys("530!p");
    table.shows(expect![[r#"
        tried: true
        nothing
    "#]]);
}

#[test]
fn corrections_are_off_without_an_arbiter_pin() {
    let mut table = Table::new();
    table.pins = Pins::default();
    table.keys("c471108!");
    table.shows(expect![[r#"
        Arbiter's PIN: ________
        Enter: continue   Esc: cancel
        Corrections are off: the hub has no arbiter's PIN
    "#]]);
}

#[test]
fn a_late_key_counts_as_a_try_without_opening_the_dialog() {
    let mut table = Table::new();
    let context = DialogContext {
        now: table.now,
        pins: &table.pins,
        clock: None,
    };
    let request = table
        .dialog
        .on_key_derived(Ok(Box::new(derived("471108"))), context);
    assert!(matches!(
        request,
        Some(DialogRequest::PinAttempted { correct: true })
    ));
    assert!(!table.dialog.is_open());
}

/// Closing and reopening the dialog must not let anyone try several PINs at the same time, all before the delay begins.
#[test]
fn pins_are_checked_one_at_a_time() {
    let mut table = Table::new();
    let mut keys = |keys: &[Key]| {
        let context = DialogContext {
            now: table.now,
            pins: &table.pins,
            clock: Some(&table.clock),
        };
        let requests = keys
            .iter()
            .filter_map(|key| table.dialog.on_key(*key, context));
        requests.count()
    };
    let attempt = [&[Key::Open][..], &[Key::Digit('7'); 4], &[Key::Enter]].concat();
    assert_eq!(keys(&attempt), 1);
    assert_eq!(keys(&[Key::Leave]), 0);
    assert_eq!(keys(&attempt), 0, "the first PIN is still being checked");
    table.shows(expect![[r#"
        Arbiter's PIN: checking…
        Esc: cancel
    "#]]);
}

#[test]
fn a_key_that_is_ready_during_the_delay_is_ignored() {
    let mut table = Table::new();
    for key in [&[Key::Open][..], &[Key::Digit('7'); 4], &[Key::Enter]].concat() {
        let context = DialogContext {
            now: table.now,
            pins: &table.pins,
            clock: Some(&table.clock),
        };
        let _ = table.dialog.on_key(key, context);
    }
    for _ in 0..3 {
        table.pins.attempted(false, table.now);
    }
    let context = DialogContext {
        now: table.now,
        pins: &table.pins,
        clock: Some(&table.clock),
    };
    let request = table
        .dialog
        .on_key_derived(Ok(Box::new(derived("471108"))), context);
    assert!(request.is_none(), "{request:?}");
    table.shows(expect![[r#"
        Arbiter's PIN: ________
        Enter: continue   Esc: cancel
        Too many wrong PINs: wait 0:30
    "#]]);
}

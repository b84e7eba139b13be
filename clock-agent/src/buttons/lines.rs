//! Lines on standard input as buttons, for programs that simulate presses: `flagfall conformance`, robots, tests.
//!
//! ```text
//! press left
//! press right at 1234567     # with this stamp, in microseconds of board time
//! stop
//! correct 4711 set white 4m  # an arbiter's correction with this PIN
//! ```
//!
//! Owns this format. A press without a stamp is stamped when its line arrives. A press with a stamp in the future waits until then, and keeps exactly
//! that stamp. A press whose line arrives too late for its stamp gets the earliest stamp that is still possible. Must never know the rules.

use std::io::BufRead as _;
use std::sync::{Arc, Mutex, PoisonError};

use timing::{Board, Button, Command, Fact, Instant};
use tokio::sync::Notify;

use super::{BoardTime, ButtonEvent, ButtonInputs, ButtonsError, Input};

#[derive(Clone, Debug, PartialEq, Eq)]
enum Line {
    /// A press or a stop, with its stamp; `None` means that it is stamped on arrival.
    Fact(Fact, Option<Instant<Board>>),
    Correct {
        pin: String,
        command: Command,
    },
}

/// Parses a line; `None` for an empty line or a comment. The error states the expected syntax.
fn parse(line: &str) -> Result<Option<Line>, &'static str> {
    let line = line.split('#').next().unwrap_or_default().trim();
    let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
    let parsed = match verb {
        "" => return Ok(None),
        "press" => {
            let mut words = rest.split_whitespace();
            let button = words.next().and_then(Button::from_word);
            let button = button.ok_or("press left or press right")?;
            let at = match (words.next(), words.next()) {
                (None, _) => None,
                (Some("at"), Some(at)) => {
                    let at = at.parse().map_err(|_| "at and microseconds")?;
                    Some(Instant::from_micros(at))
                }
                (Some(_), _) => return Err("at and microseconds"),
            };
            Line::Fact(Fact::Pressed(button), at)
        }
        "stop" => Line::Fact(Fact::Stopped, None),
        "correct" => {
            let (pin, command) = rest.split_once(' ').ok_or("correct PIN COMMAND")?;
            let command = command.parse().map_err(|_| "correct PIN COMMAND")?;
            Line::Correct {
                pin: pin.to_owned(),
                command,
            }
        }
        _ => return Err("press, stop or correct"),
    };
    Ok(Some(parsed))
}

#[derive(Debug)]
pub(crate) struct LineSource {
    shared: Arc<Shared>,
    time: SharedTime,
}

struct SharedTime(Arc<dyn BoardTime>);

impl std::fmt::Debug for SharedTime {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SharedTime")
    }
}

#[derive(Debug, Default)]
struct Shared {
    /// Inputs are stamped and queued under this lock, so the queue is complete while the lock is free.
    queue: Mutex<Queue>,
    arrived: Notify,
}

#[derive(Debug, Default)]
struct Queue {
    ready: Vec<Input>,
    /// Presses whose stamps are still in the future.
    later: Vec<ButtonEvent>,
    /// Instant up to which presses have been reported as complete. New stamps must not be earlier than this.
    complete_to: Option<Instant<Board>>,
}

impl Queue {
    /// Queues a press or a stop whose line arrives at `now`, with the stamp `at` if one was given.
    fn push(&mut self, fact: Fact, at: Option<Instant<Board>>, now: Instant<Board>) {
        let at = at.unwrap_or(now);
        let at = self.complete_to.map_or(at, |complete| complete.max(at));
        let event = ButtonEvent { fact, at };
        if at > now {
            self.later.push(event);
        } else {
            self.ready.push(Input::Button(event));
        }
    }

    fn drain(&mut self, now: Instant<Board>) -> ButtonInputs {
        let mut inputs = std::mem::take(&mut self.ready);
        let (due, later): (Vec<_>, Vec<_>) =
            self.later.drain(..).partition(|event| event.at <= now);
        self.later = later;
        inputs.extend(due.into_iter().map(Input::Button));
        inputs.sort_by_key(|input| match input {
            Input::Button(event) => event.at,
            Input::Quit(_)
            | Input::Arbiter(_)
            | Input::Correct { .. }
            | Input::TellTime
            | Input::Resized
            | Input::Lost(_) => now,
        });
        self.complete_to = Some(now);
        ButtonInputs {
            inputs,
            complete_to: now,
        }
    }
}

impl LineSource {
    pub(crate) fn open(time: Arc<dyn BoardTime>) -> Result<Self, ButtonsError> {
        let shared = Arc::new(Shared::default());
        let (for_thread, clock) = (Arc::clone(&shared), Arc::clone(&time));
        // The thread ends when its input ends, or with the process.
        std::thread::Builder::new()
            .name("lines".into())
            .spawn(move || read(&*clock, &for_thread))
            .map_err(ButtonsError::Thread)?;
        Ok(Self {
            shared,
            time: SharedTime(time),
        })
    }

    pub(crate) async fn wait(&self) {
        let next = lock(&self.shared.queue)
            .later
            .iter()
            .map(|event| event.at)
            .min();
        let due = async {
            match next {
                Some(at) => {
                    let left = (at - self.time.0.now()).or_zero().as_micros();
                    tokio::time::sleep(std::time::Duration::from_micros(left.unsigned_abs())).await;
                }
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = self.shared.arrived.notified() => {}
            () = due => {}
        }
    }

    pub(crate) fn drain(&mut self, now: Instant<Board>) -> ButtonInputs {
        lock(&self.shared.queue).drain(now)
    }
}

fn read(time: &dyn BoardTime, shared: &Shared) {
    for line in std::io::stdin().lock().lines() {
        let parsed = match line {
            Ok(line) => parse(&line).map_err(|expected| (line, expected)),
            Err(error) => {
                let why = format!("lost standard input: {error}");
                lock(&shared.queue).ready.push(Input::Lost(why));
                return shared.arrived.notify_one();
            }
        };
        match parsed {
            Ok(None) => continue,
            Err((line, expected)) => tracing::error!(line, expected, "line not understood"),
            Ok(Some(Line::Correct { pin, command })) => {
                let input = Input::Correct { pin, command };
                lock(&shared.queue).ready.push(input);
            }
            Ok(Some(Line::Fact(fact, at))) => {
                let mut queue = lock(&shared.queue);
                queue.push(fact, at, time.now());
            }
        }
        shared.arrived.notify_one();
    }
}

/// Locks the queue, ignoring poisoning: the queue is consistent after every step.
fn lock(queue: &Mutex<Queue>) -> std::sync::MutexGuard<'_, Queue> {
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_presses_stops_and_corrections() {
        let press = |button, at: Option<i64>| {
            Ok(Some(Line::Fact(
                Fact::Pressed(button),
                at.map(Instant::from_micros),
            )))
        };
        assert_eq!(parse("press left"), press(Button::Left, None));
        assert_eq!(
            parse(" press right at 1234567 # soon"),
            press(Button::Right, Some(1_234_567))
        );
        assert_eq!(parse("stop"), Ok(Some(Line::Fact(Fact::Stopped, None))));
        assert_eq!(
            parse("correct 4711 set white 4m"),
            Ok(Some(Line::Correct {
                pin: "4711".to_owned(),
                command: "set white 4m".parse().unwrap(),
            }))
        );
        assert_eq!(parse("# nothing"), Ok(None));
    }

    #[test]
    fn a_late_line_is_not_stamped_before_completed_time() {
        let at = Instant::from_micros;
        let pressed = |stamps: &[i64]| {
            let press = |stamp: &i64| Input::Button(ButtonEvent::press(Button::Left, at(*stamp)));
            stamps.iter().map(press).collect::<Vec<_>>()
        };
        let press = Fact::Pressed(Button::Left);
        let mut queue = Queue::default();
        queue.push(press, Some(at(5)), at(10));
        assert_eq!(queue.drain(at(20)).inputs, pressed(&[5]));
        queue.push(press, Some(at(15)), at(30));
        queue.push(press, Some(at(25)), at(30));
        queue.push(press, Some(at(60)), at(30));
        assert_eq!(queue.drain(at(40)).inputs, pressed(&[20, 25]));
        assert_eq!(queue.drain(at(60)).inputs, pressed(&[60]));
    }

    #[test]
    fn other_lines_are_refused() {
        for line in [
            "press",
            "press middle",
            "press left soon",
            "press left at noon",
            "correct 4711",
            "correct 4711 juggle",
            "restart",
        ] {
            assert!(parse(line).is_err(), "{line}");
        }
    }
}

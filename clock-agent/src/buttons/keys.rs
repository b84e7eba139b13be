//! The terminal's keys: the buttons, and the keys for the correction dialog, for hearing the times and for quitting.
//!
//! Owns the key assignment and the quit confirmation. A dedicated thread reads and stamps each key, so that load on the program does not delay a
//! stamp. Must never draw.

mod terminal;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration as StdDuration;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use timing::{Board, Button, Duration, Fact, Instant};
use tokio::sync::Notify;

use terminal::Terminal;

use crate::correcting::Key;

use super::{BoardTime, ButtonEvent, ButtonInputs, ButtonsError, Input, QuitStep};

/// Maximum time between two identical keys at which the second counts as key repeat, not as a press.
const REPEAT: Duration = Duration::from_millis(100);
const CONFIRM_TIMEOUT: Duration = Duration::from_secs(10);
/// Interval at which the reading thread checks whether to end. Stamps do not depend on the interval.
const CHECK_NANOS: i64 = 100_000_000;
/// Maximum wait for the thread when the source is dropped. A thread stuck in a terminal driver ends with the process.
const JOIN_TIMEOUT: StdDuration = StdDuration::from_secs(1);

/// The key assignment. In every assignment, the arrow keys ← and → also serve as the left and right buttons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyMap {
    pub left: char,
    pub right: char,
    /// The stop key, which has the effect of holding both buttons: both clocks stop.
    pub stop: char,
}

impl Default for KeyMap {
    /// Returns `f` and `j`, which have raised bars that can be felt, and `s`, which is away from both.
    fn default() -> Self {
        Self {
            left: 'f',
            right: 'j',
            stop: 's',
        }
    }
}

impl KeyMap {
    /// Creates an assignment in lower case; `None` if two keys are equal, or if one is a control character, `q` or `y` (the keys for quitting).
    pub fn new(left: char, right: char, stop: char) -> Option<Self> {
        let [left, right, stop] = [left, right, stop].map(|key| key.to_ascii_lowercase());
        let free = |key: char| !matches!(key, 'q' | 'y') && !key.is_control();
        let differ = left != right && right != stop && stop != left;
        (differ && [left, right, stop].into_iter().all(free)).then_some(Self { left, right, stop })
    }

    fn fact(self, code: KeyCode) -> Option<Fact> {
        // Ignore case, so that caps lock has no effect.
        let is = |key: char| code.as_char().is_some_and(|c| c.eq_ignore_ascii_case(&key));
        if code == KeyCode::Left || is(self.left) {
            Some(Fact::Pressed(Button::Left))
        } else if code == KeyCode::Right || is(self.right) {
            Some(Fact::Pressed(Button::Right))
        } else {
            is(self.stop).then_some(Fact::Stopped)
        }
    }
}

/// An interpreter of keys that does not read the terminal, so that tests need none.
#[derive(Clone, Debug)]
pub struct KeyReader {
    map: KeyMap,
    last: Option<(KeyCode, Instant<Board>)>,
    asked: Option<Instant<Board>>,
}

impl KeyReader {
    pub fn new(map: KeyMap) -> Self {
        Self {
            map,
            last: None,
            asked: None,
        }
    }

    pub fn on_key(&mut self, key: KeyEvent, at: Instant<Board>) -> Vec<Input> {
        let mut inputs = self.on_time(at);
        let arbiters = arbiters_key(key);
        let held = match key.kind {
            // Editing keys count at any speed: a PIN may contain the same digit twice in a row.
            KeyEventKind::Press if arbiters.is_some_and(may_repeat) => false,
            KeyEventKind::Press => self.is_repeat(key.code, at),
            KeyEventKind::Repeat | KeyEventKind::Release => true,
        };
        if key.kind == KeyEventKind::Release {
            self.last = None;
        }
        if held {
            return inputs;
        }
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let leave = match control {
            true => matches!(key.code, KeyCode::Char('c' | 'C')),
            false => matches!(key.code, KeyCode::Char('q' | 'Q')),
        };
        let yes = matches!(key.code, KeyCode::Char('y' | 'Y')) && !control;
        let step = match self.asked {
            None if leave => Some(QuitStep::Asked),
            Some(_) if yes => Some(QuitStep::Confirmed),
            // A second request to quit does not cancel the confirmation.
            Some(_) if leave => None,
            Some(_) => Some(QuitStep::Withdrawn),
            None => None,
        };
        match step {
            Some(QuitStep::Asked) => self.asked = Some(at),
            Some(QuitStep::Withdrawn | QuitStep::Confirmed) => self.asked = None,
            None => (),
        }
        // Buttons work even while the quit confirmation is on the screen.
        if let Some(fact) = self.map.fact(key.code).filter(|_| !control) {
            inputs.push(Input::Button(ButtonEvent { fact, at }));
        } else if matches!(key.code, KeyCode::Char('t' | 'T')) && !control {
            inputs.push(Input::TellTime);
        } else if let Some(key) = arbiters {
            inputs.push(Input::Arbiter(key));
        }
        inputs.extend(step.map(Input::Quit));
        inputs
    }

    /// Closes the quit confirmation if its time limit has passed.
    pub fn on_time(&mut self, now: Instant<Board>) -> Vec<Input> {
        match self.asked {
            Some(asked) if now - asked >= CONFIRM_TIMEOUT => {
                self.asked = None;
                vec![Input::Quit(QuitStep::Withdrawn)]
            }
            Some(_) | None => Vec::new(),
        }
    }

    fn is_repeat(&mut self, code: KeyCode, at: Instant<Board>) -> bool {
        let repeat = self
            .last
            .is_some_and(|(last, when)| last == code && at - when <= REPEAT);
        self.last = Some((code, at));
        repeat
    }
}

fn arbiters_key(key: KeyEvent) -> Option<Key> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return None;
    }
    if let Some(letter) = key.code.as_char() {
        return match letter {
            '0'..='9' => Some(Key::Digit(letter)),
            'c' | 'C' => Some(Key::Open),
            'p' | 'P' => Some(Key::Pause),
            _ => None,
        };
    }
    let known = [
        (KeyCode::F(2), Key::Open),
        (KeyCode::F(4), Key::Pause),
        (KeyCode::Enter, Key::Enter),
        (KeyCode::Esc, Key::Leave),
        (KeyCode::Tab, Key::Next),
        (KeyCode::Down, Key::Next),
        (KeyCode::BackTab, Key::Previous),
        (KeyCode::Up, Key::Previous),
        (KeyCode::Backspace, Key::Erase),
        (KeyCode::Delete, Key::Erase),
    ];
    let found = known.into_iter().find(|(code, _)| *code == key.code);
    found.map(|(_, key)| key)
}

fn may_repeat(key: Key) -> bool {
    match key {
        Key::Digit(_) | Key::Erase | Key::Next | Key::Previous => true,
        Key::Open | Key::Pause | Key::Enter | Key::Leave => false,
    }
}

#[derive(Debug)]
pub(crate) struct KeySource {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
    /// A channel that disconnects when the thread ends. The mutex only makes the source `Sync`.
    ended: Mutex<Receiver<()>>,
}

#[derive(Debug, Default)]
struct Shared {
    /// Inputs are stamped and queued under this lock, so the queue is complete while the lock is free.
    queue: Mutex<Vec<Input>>,
    arrived: Notify,
    ended: AtomicBool,
}

impl KeySource {
    pub(crate) fn open(map: KeyMap, time: Arc<dyn BoardTime>) -> Result<Self, ButtonsError> {
        let shared = Arc::new(Shared::default());
        let for_thread = Arc::clone(&shared);
        let (lives, ended) = channel();
        let thread = std::thread::Builder::new()
            .name("keys".into())
            .spawn(move || {
                read_keys(map, &*time, &for_thread);
                drop(lives);
            })
            .map_err(ButtonsError::Thread)?;
        Ok(Self {
            shared,
            thread: Some(thread),
            ended: Mutex::new(ended),
        })
    }

    pub(crate) async fn wait(&self) {
        self.shared.arrived.notified().await;
    }

    pub(crate) fn drain(&mut self, now: Instant<Board>) -> ButtonInputs {
        ButtonInputs {
            inputs: std::mem::take(&mut *lock(&self.shared.queue)),
            complete_to: now,
        }
    }
}

impl Drop for KeySource {
    fn drop(&mut self) {
        self.shared.ended.store(true, Ordering::Relaxed);
        let ended = self.ended.get_mut().unwrap_or_else(PoisonError::into_inner);
        let ended = ended.recv_timeout(JOIN_TIMEOUT) == Err(RecvTimeoutError::Disconnected);
        if let Some(thread) = self.thread.take().filter(|_| ended) {
            // If the thread panicked, the panic message has already been printed.
            let _ = thread.join();
        }
    }
}

fn read_keys(map: KeyMap, time: &dyn BoardTime, shared: &Shared) {
    let mut reader = KeyReader::new(map);
    let terminal = Terminal::open();
    while !shared.ended.load(Ordering::Relaxed) {
        let read = match &terminal {
            Ok(terminal) => terminal.next(CHECK_NANOS),
            Err(error) => Err(std::io::Error::new(error.kind(), error.to_string())),
        };
        let mut queue = lock(&shared.queue);
        let now = time.now();
        let inputs = match read {
            Ok(Some(Event::Key(key))) => reader.on_key(key, now),
            Ok(Some(Event::Resize(..))) => vec![Input::Resized],
            Ok(
                Some(Event::FocusGained | Event::FocusLost | Event::Mouse(_) | Event::Paste(_))
                | None,
            ) => reader.on_time(now),
            Err(error) => {
                queue.push(Input::Lost(format!("lost the terminal: {error}")));
                shared.arrived.notify_one();
                return;
            }
        };
        if !inputs.is_empty() {
            queue.extend(inputs);
            shared.arrived.notify_one();
        }
    }
}

/// Locks the queue, ignoring poisoning: the queue is consistent after every step.
fn lock(queue: &Mutex<Vec<Input>>) -> std::sync::MutexGuard<'_, Vec<Input>> {
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}

//! Two contacts on the lines of a GPIO chip.
//!
//! Owns the lines: pulled up, closed contacts pull them low, the kernel stamps each edge in CLOCK_MONOTONIC the moment
//! it interrupts. Must never decide what an edge means ([`TwoButtons`] does), so that all that is left here is the
//! kernel's interface.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration as StdDuration;

use gpiocdev::Request;
use gpiocdev::line::{Bias, EdgeDetection, EdgeEvent, EdgeKind, Value, Values};
use timing::{Board, Button, Duration, Instant};
use tokio::sync::Notify;

use super::{BoardTime, ButtonEvent, ButtonsError, Drained, Input};
use super::{Edge, TwoButtons};

/// An edge is stamped in the interrupt and can be read a little later, when the kernel's thread for it has run.
/// An edge stamped longer ago than this and not yet readable would mean a kernel that did not run for so long.
const KERNEL_DELAY: Duration = Duration::from_millis(5);
/// How often the reading thread looks whether it is still wanted. Nothing is stamped later for it.
const LOOK: StdDuration = StdDuration::from_millis(100);
/// Edges the kernel keeps for us; a bouncing contact makes tens of them in a few milliseconds.
const KERNEL_BUFFER: u32 = 512;

/// Why two lines cannot be buttons.
#[derive(Debug, thiserror::Error)]
#[error("cannot use lines {left} and {right} of {} as buttons: {error}", chip.display())]
pub struct GpioError {
    chip: PathBuf,
    left: u32,
    right: u32,
    error: gpiocdev::Error,
}

/// The lines, and the thread that waits for them.
#[derive(Debug)]
pub(crate) struct GpioSource {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    request: Request,
    time: Arc<dyn BoardTime>,
    /// Edges are read from the kernel and understood under this lock, by the thread or by who drains.
    state: Mutex<State>,
    arrived: Notify,
    ended: AtomicBool,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.request)
    }
}

struct State {
    lines: Lines,
    queue: Vec<Input>,
    lost: bool,
}

/// What the kernel's edges mean: pure.
struct Lines {
    /// Line of the left button; the other line is the right one's.
    left: u32,
    buttons: TwoButtons,
    /// The kernel numbers edges; a gap means that its buffer was full.
    next_number: Option<u32>,
    /// Latest stamp so far: the edges of two lines may be told in the wrong order by microseconds.
    latest: Instant<Board>,
}

impl Lines {
    fn new(left: u32, held: &[Button], now: Instant<Board>) -> Self {
        Self {
            left,
            buttons: TwoButtons::found(held, now),
            next_number: None,
            latest: Instant::MIN,
        }
    }

    /// Takes an edge that the kernel stamped at `at` in board time.
    fn on_event(&mut self, event: &EdgeEvent, at: Instant<Board>) -> Vec<ButtonEvent> {
        if self.next_number.is_some_and(|next| next != event.seqno) {
            tracing::warn!(
                seqno = event.seqno,
                "edges of the buttons were lost: a contact is chattering"
            );
        }
        self.next_number = Some(event.seqno.wrapping_add(1));
        self.latest = self.latest.max(at);
        let button = if event.offset == self.left {
            Button::Left
        } else {
            Button::Right
        };
        // Active is low: the kernel's rising is the contact's closing.
        let edge = match event.kind {
            EdgeKind::Rising => Edge::Down,
            EdgeKind::Falling => Edge::Up,
        };
        self.buttons.on_edge(button, edge, self.latest)
    }
}

impl GpioSource {
    pub(crate) fn open(
        chip: &Path,
        left: u32,
        right: u32,
        time: Arc<dyn BoardTime>,
    ) -> Result<Self, ButtonsError> {
        let path = if chip.is_absolute() {
            chip.to_owned()
        } else {
            Path::new("/dev").join(chip)
        };
        let request = request(&path, left, right).map_err(|error| GpioError {
            chip: path,
            left,
            right,
            error,
        });
        let (request, held) = request?;
        let state = State {
            lines: Lines::new(left, &held, time.now()),
            queue: Vec::new(),
            lost: false,
        };
        let shared = Arc::new(Shared {
            request,
            time,
            state: Mutex::new(state),
            arrived: Notify::new(),
            ended: AtomicBool::new(false),
        });
        let for_thread = Arc::clone(&shared);
        let thread = std::thread::Builder::new()
            .name("buttons".into())
            .spawn(move || for_thread.watch())
            .map_err(ButtonsError::Thread)?;
        Ok(Self {
            shared,
            thread: Some(thread),
        })
    }

    pub(crate) async fn wait(&self) {
        self.shared.arrived.notified().await;
    }

    pub(crate) fn drain(&mut self, now: Instant<Board>) -> Drained {
        let complete_to = now - KERNEL_DELAY;
        let mut state = self.shared.read(complete_to);
        Drained {
            inputs: std::mem::take(&mut state.queue),
            complete_to,
        }
    }
}

impl Drop for GpioSource {
    fn drop(&mut self) {
        self.shared.ended.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // It ends within LOOK; a panic in it has been printed already.
            let _ = thread.join();
        }
    }
}

impl Shared {
    /// The thread: wakes whoever drains as soon as there is something to drain.
    fn watch(&self) {
        while !self.ended.load(Ordering::Relaxed) {
            let until_stop = self.lock().lines.buttons.next_deadline().map(|at| {
                let left = (at + KERNEL_DELAY - self.time.now()).or_zero();
                StdDuration::from_micros(left.as_micros().unsigned_abs())
            });
            let waited = self
                .request
                .wait_edge_event(until_stop.unwrap_or(LOOK).min(LOOK));
            let state = match waited {
                Ok(_) => self.read(self.time.now() - KERNEL_DELAY),
                Err(error) => {
                    let mut state = self.lock();
                    state.lose(&error);
                    state
                }
            };
            if !state.queue.is_empty() {
                self.arrived.notify_one();
            }
            if state.lost {
                return;
            }
        }
    }

    /// Understands every edge that can be read, and that there is none left which was stamped before `complete_to`.
    fn read(&self, complete_to: Instant<Board>) -> MutexGuard<'_, State> {
        let mut state = self.lock();
        while !state.lost {
            match self.request.has_edge_event() {
                Ok(false) => break,
                Ok(true) => match self.request.read_edge_event() {
                    Ok(event) => {
                        let at = self.time.at_monotonic(event.timestamp_ns);
                        let events = state.lines.on_event(&event, at);
                        state.queue.extend(events.into_iter().map(Input::Button));
                    }
                    Err(error) => state.lose(&error),
                },
                Err(error) => state.lose(&error),
            }
        }
        let events = state.lines.buttons.on_time(complete_to);
        state.queue.extend(events.into_iter().map(Input::Button));
        state
    }

    /// The state is whole whatever happened to who held it last.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn lose(&mut self, error: &gpiocdev::Error) {
        if !std::mem::replace(&mut self.lost, true) {
            self.queue
                .push(Input::Lost(format!("the button lines are gone: {error}")));
        }
    }
}

/// Asks the kernel for the lines; also which contacts are closed already.
fn request(path: &Path, left: u32, right: u32) -> gpiocdev::Result<(Request, Vec<Button>)> {
    // Edges are stamped in CLOCK_MONOTONIC unless another clock is asked for. No debouncing by the kernel: it would
    // stamp the end of the bouncing instead of its beginning.
    let request = Request::builder()
        .on_chip(path)
        .with_consumer("clock-agent")
        .with_kernel_event_buffer_size(KERNEL_BUFFER)
        .with_lines(&[left, right])
        .as_input()
        .as_active_low()
        .with_bias(Bias::PullUp)
        .with_edge_detection(EdgeDetection::BothEdges)
        .request()?;
    let mut values = Values::default();
    request.values(&mut values)?;
    let held = [(left, Button::Left), (right, Button::Right)]
        .into_iter()
        .filter(|(line, _)| values.get(*line) == Some(Value::Active))
        .map(|(_, button)| button)
        .collect();
    Ok((request, held))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use gpiocdev::line::{EdgeEvent, EdgeKind};
    use timing::Instant;

    use super::Lines;

    /// Edges as the kernel tells them: line, `v` for a contact that closes, microseconds.
    fn told(events: &[(u32, char, i64)]) -> String {
        let mut lines = Lines::new(17, &[], Instant::from_micros(0));
        let mut told = String::new();
        for (seqno, &(offset, edge, us)) in (1..).zip(events) {
            let event = EdgeEvent {
                timestamp_ns: us.unsigned_abs() * 1_000,
                kind: if edge == 'v' {
                    EdgeKind::Rising
                } else {
                    EdgeKind::Falling
                },
                offset,
                seqno,
                line_seqno: 0,
            };
            for event in lines.on_event(&event, Instant::from_micros(us)) {
                told.push_str(&format!("{:?} {:?}\n", event.fact, event.at));
            }
        }
        told
    }

    #[test]
    fn the_kernels_stamp_is_the_press() {
        let recorded = [
            (17, 'v', 1_000_123),
            (17, '^', 1_000_400),
            (17, 'v', 1_000_611),
            (17, '^', 1_070_000),
            (27, 'v', 1_500_001),
            (27, '^', 1_560_000),
        ];
        expect![[r#"
            Pressed(Left) board@1000123us
            Pressed(Right) board@1500001us
        "#]]
        .assert_eq(&told(&recorded));
    }

    #[test]
    fn stamps_never_run_back_when_two_lines_are_told_in_the_wrong_order() {
        let recorded = [(27, 'v', 2_000_004), (17, 'v', 2_000_001)];
        expect![[r#"
            Pressed(Right) board@2000004us
            Pressed(Left) board@2000004us
        "#]]
        .assert_eq(&told(&recorded));
    }
}

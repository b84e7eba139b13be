//! Two contacts on the lines of a GPIO chip.
//!
//! Owns the lines. Each is pulled up; a closed contact pulls it low. The kernel stamps each edge in CLOCK_MONOTONIC at the interrupt. Must never
//! interpret an edge: [`TwoButtons`] does that.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration as StdDuration;

use gpiocdev::Request;
use gpiocdev::line::{Bias, EdgeDetection, EdgeEvent, EdgeKind, Value, Values};
use timing::{Board, Button, Duration, Instant};
use tokio::sync::Notify;

use super::{BoardTime, ButtonEvent, ButtonInputs, ButtonsError, Input};
use super::{Edge, TwoButtons};

/// Maximum delay from the interrupt that stamps an edge until the edge can be read. It is exceeded only if the kernel itself is stalled.
const KERNEL_DELAY: Duration = Duration::from_millis(5);
/// Interval at which the reading thread checks whether to end. Stamps do not depend on the interval.
const CHECK_INTERVAL: StdDuration = StdDuration::from_millis(100);
/// Number of edges that the kernel buffers; a bouncing contact produces dozens in a few milliseconds.
const KERNEL_BUFFER: u32 = 512;

#[derive(Debug, thiserror::Error)]
#[error("cannot use lines {left} and {right} of {} as buttons: {error}", chip.display())]
pub struct GpioError {
    chip: PathBuf,
    left: u32,
    right: u32,
    error: gpiocdev::Error,
}

#[derive(Debug)]
pub(crate) struct GpioSource {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    request: Request,
    time: Arc<dyn BoardTime>,
    /// Locked while the thread or a caller of `drain` reads and interprets edges.
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

/// An interpreter of the kernel's edges. Never accesses the chip, so that tests need no hardware.
struct Lines {
    /// Offset of the left button's line on the chip; the other line belongs to the right button.
    left: u32,
    buttons: TwoButtons,
    /// Expected sequence number of the next edge; a gap means that the kernel's buffer overflowed.
    next_number: Option<u32>,
    /// Latest stamp so far. A later edge gets at least this stamp, because edges on the two lines may arrive out of order by microseconds.
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

    fn on_event(&mut self, event: &EdgeEvent, at: Instant<Board>) -> Vec<ButtonEvent> {
        if self.next_number.is_some_and(|next| next != event.seqno) {
            tracing::warn!(
                seqno = event.seqno,
                "button edges were lost: a contact is chattering"
            );
        }
        self.next_number = Some(event.seqno.wrapping_add(1));
        self.latest = self.latest.max(at);
        let button = if event.offset == self.left {
            Button::Left
        } else {
            Button::Right
        };
        // The lines are active-low, so the kernel's rising edge is a closing contact.
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

    pub(crate) fn drain(&mut self, now: Instant<Board>) -> ButtonInputs {
        let complete_to = now - KERNEL_DELAY;
        let mut state = self.shared.read(complete_to);
        ButtonInputs {
            inputs: std::mem::take(&mut state.queue),
            complete_to,
        }
    }
}

impl Drop for GpioSource {
    fn drop(&mut self) {
        self.shared.ended.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // The thread ends within CHECK_INTERVAL. If it panicked, the panic message has already been printed.
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn watch(&self) {
        while !self.ended.load(Ordering::Relaxed) {
            let until_stop = self.lock().lines.buttons.next_deadline().map(|at| {
                let left = (at + KERNEL_DELAY - self.time.now()).or_zero();
                StdDuration::from_micros(left.as_micros().unsigned_abs())
            });
            let waited = self
                .request
                .wait_edge_event(until_stop.unwrap_or(CHECK_INTERVAL).min(CHECK_INTERVAL));
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

    /// Reads and interprets all available edges, then tells the interpreter that presses are complete up to `complete_to`.
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

    /// Locks the state, ignoring poisoning: the state is consistent after every step.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn lose(&mut self, error: &gpiocdev::Error) {
        if !std::mem::replace(&mut self.lost, true) {
            self.queue
                .push(Input::Lost(format!("lost the button lines: {error}")));
        }
    }
}

/// Requests the lines from the kernel. Also returns the buttons whose contacts are already closed.
fn request(path: &Path, left: u32, right: u32) -> gpiocdev::Result<(Request, Vec<Button>)> {
    // By default, the kernel stamps edges in CLOCK_MONOTONIC. The kernel must not debounce, because it would then stamp the end of the bouncing.
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

    /// Interprets edges, each given as its line, its direction (`v` if the contact closes, otherwise `^`), and its stamp in microseconds.
    fn interpret(events: &[(u32, char, i64)]) -> String {
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
        .assert_eq(&interpret(&recorded));
    }

    #[test]
    fn stamps_never_decrease_across_two_lines() {
        let recorded = [(27, 'v', 2_000_004), (17, 'v', 2_000_001)];
        expect![[r#"
            Pressed(Right) board@2000004us
            Pressed(Left) board@2000004us
        "#]]
        .assert_eq(&interpret(&recorded));
    }
}

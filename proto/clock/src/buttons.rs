//! Debouncing of two contacts, and detection of the stop hold.
//!
//! Decides which edges are presses and when a hold becomes a stop. Pure: edges and instants go in, events come out. Must never delay a press: the
//! first edge is the press, whatever follows.
//!
//! | edges | meaning |
//! | --- | --- |
//! | a contact closes after being open for [`BOUNCE`] | a press at that instant |
//! | a contact opens and closes again within [`BOUNCE`] | bounce: ignored, the button counts as held throughout |
//! | both buttons are held together for [`HOLD`] | a stop, at the instant when the hold is complete |
//! | both buttons stay held | nothing further until one is released |
//!
//! The two presses that begin a hold count as presses. When they are made, it is unknown whether a hold will follow, and waiting a second would
//! cost every player time. If the player whose clock is not running presses first, the hold completes one move, otherwise two. After a stop, an
//! arbiter can restore the board to before these presses if the game continues.

use alloc::vec::Vec;

use timing::{Board, Button, Duration, Fact, Instant};

/// A stamped press or stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ButtonEvent {
    /// A press, or a stop: both buttons held for [`HOLD`], or the stop key.
    pub fact: Fact,
    /// Instant of a press's first edge, a hold's completion or the stop key's press.
    pub at: Instant<Board>,
}

impl ButtonEvent {
    /// Returns a press of `button` at `at`.
    pub const fn press(button: Button, at: Instant<Board>) -> Self {
        let fact = Fact::Pressed(button);
        Self { fact, at }
    }

    /// Returns a stop by the players at `at`.
    pub const fn stop(at: Instant<Board>) -> Self {
        let fact = Fact::Stopped;
        Self { fact, at }
    }
}

/// Minimum time for which a contact must be open to count as released.
pub const BOUNCE: Duration = Duration::from_millis(20);
/// Time for which both buttons must be held for a stop.
pub const HOLD: Duration = Duration::from_secs(1);

/// A change of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// The contact closed.
    Down,
    /// The contact opened.
    Up,
}

/// A clock's two buttons: debounces them, and turns their edges into presses and stops.
#[derive(Clone, Debug, Default)]
pub struct TwoButtons {
    left: Contact,
    right: Contact,
    stop: StopReport,
}

#[derive(Clone, Copy, Debug, Default)]
enum Contact {
    #[default]
    Open,
    Closed {
        since: Instant<Board>,
    },
    /// Held since `since`, opened at `opened`: either bouncing or being released.
    Opening {
        since: Instant<Board>,
        opened: Instant<Board>,
    },
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum StopReport {
    #[default]
    Pending,
    Sent,
}

impl TwoButtons {
    /// Creates the state at the start of the program. Buttons already `held` do not count as presses.
    pub fn found(held: &[Button], now: Instant<Board>) -> Self {
        let mut buttons = Self::default();
        for &button in held {
            *buttons.contact(button) = Contact::Closed { since: now };
        }
        buttons
    }

    /// Handles one change of a contact. The caller passes changes in the order of their stamps.
    pub fn on_edge(&mut self, button: Button, edge: Edge, at: Instant<Board>) -> Vec<ButtonEvent> {
        let mut events = self.on_time(at);
        let contact = self.contact(button);
        let (after, pressed) = match (*contact, edge) {
            (Contact::Open, Edge::Down) => (Contact::Closed { since: at }, true),
            (Contact::Open, Edge::Up) => (Contact::Open, false),
            // The contact closed again long after it first closed, so the edge of its opening was lost.
            (Contact::Closed { since }, Edge::Down) if at - since >= BOUNCE => {
                (Contact::Closed { since: at }, true)
            }
            (Contact::Closed { since } | Contact::Opening { since, .. }, Edge::Down) => {
                (Contact::Closed { since }, false)
            }
            (Contact::Closed { since }, Edge::Up) => {
                (Contact::Opening { since, opened: at }, false)
            }
            (opening @ Contact::Opening { .. }, Edge::Up) => (opening, false),
        };
        *contact = after;
        if pressed {
            events.push(ButtonEvent::press(button, at));
        }
        events
    }

    /// Handles the passing of time up to `now`. Every change of a contact up to `now` must already have been handled.
    pub fn on_time(&mut self, now: Instant<Board>) -> Vec<ButtonEvent> {
        let complete = self.complete_at().filter(|&at| at <= now);
        for contact in [&mut self.left, &mut self.right] {
            if let Contact::Opening { opened, .. } = *contact
                && now - opened >= BOUNCE
            {
                *contact = Contact::Open;
            }
        }
        let mut events = Vec::new();
        if let Some(at) = complete {
            self.stop = StopReport::Sent;
            events.push(ButtonEvent::stop(at));
        }
        if self.held_since().is_none() {
            self.stop = StopReport::Pending;
        }
        events
    }

    /// Returns the instant at which [`TwoButtons::on_time`] must be called if no contact changes before then; `None` if no call is needed.
    pub fn next_deadline(&self) -> Option<Instant<Board>> {
        self.complete_at()
    }

    fn contact(&mut self, button: Button) -> &mut Contact {
        match button {
            Button::Left => &mut self.left,
            Button::Right => &mut self.right,
        }
    }

    fn held_since(&self) -> Option<Instant<Board>> {
        Some(self.left.held_since()?.max(self.right.held_since()?))
    }

    fn complete_at(&self) -> Option<Instant<Board>> {
        let at = self.held_since()? + HOLD;
        // A button released before the hold is complete prevents the stop. A contact that has been open for less than BOUNCE may still close again.
        let let_go = [self.left, self.right]
            .iter()
            .any(|contact| match *contact {
                Contact::Opening { opened, .. } => opened + BOUNCE <= at,
                Contact::Open | Contact::Closed { .. } => false,
            });
        (self.stop == StopReport::Pending && !let_go).then_some(at)
    }
}

impl Contact {
    fn held_since(self) -> Option<Instant<Board>> {
        match self {
            Self::Open => None,
            Self::Closed { since } | Self::Opening { since, .. } => Some(since),
        }
    }
}

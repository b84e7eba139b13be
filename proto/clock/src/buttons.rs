//! Two contacts as they really are: they bounce, and they can be held.
//!
//! Owns which edges are presses and when a hold has become a stop. Pure: edges and instants in, events out. Must
//! never delay a press: the first edge is the press, whatever comes after it.
//!
//! | what happens | what it is |
//! | --- | --- |
//! | a contact closes that had been open for [`BOUNCE`] | a press, at that instant |
//! | it opens and closes again within [`BOUNCE`] | bouncing: nothing, it counts as held all along |
//! | both are held together for [`HOLD`] | a stop, at the instant the hold is complete |
//! | they are held on | nothing more, until one has been let go |
//!
//! The two presses that begin a hold are presses: when they come nobody can know what they will become, and a press
//! that had to wait for a second to be one would cost every player time. If the player whose clock stands closes the
//! contact first, one move is completed by them, else two; the arbiter, whom the stop calls anyway, restores the board
//! to before that press if the game goes on.

use alloc::vec::Vec;

use timing::{Board, Button, Duration, Fact, Instant};

/// A press or a stop, stamped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ButtonEvent {
    /// The press, or the stop: both buttons held for [`HOLD`], or the stop key.
    pub fact: Fact,
    /// The first edge of a press; of a stop, the instant at which the hold was complete.
    pub at: Instant<Board>,
}

impl ButtonEvent {
    /// A press of `button` at `at`.
    pub const fn press(button: Button, at: Instant<Board>) -> Self {
        let fact = Fact::Pressed(button);
        Self { fact, at }
    }

    /// A stop by the players at `at`.
    pub const fn stop(at: Instant<Board>) -> Self {
        let fact = Fact::Stopped;
        Self { fact, at }
    }
}

/// A contact that opens for less than this has not been let go.
pub const BOUNCE: Duration = Duration::from_millis(20);
/// Both buttons held for this long are a stop.
pub const HOLD: Duration = Duration::from_secs(1);

/// A change of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// It closed.
    Down,
    /// It opened.
    Up,
}

/// The two buttons of a clock.
#[derive(Clone, Debug, Default)]
pub struct TwoButtons {
    left: Contact,
    right: Contact,
    stop: Stop,
}

/// One contact.
#[derive(Clone, Copy, Debug, Default)]
enum Contact {
    /// Let go.
    #[default]
    Open,
    /// Held since then.
    Closed { since: Instant<Board> },
    /// Held since then, opened at `opened`: either bouncing or being let go.
    Opening {
        since: Instant<Board>,
        opened: Instant<Board>,
    },
}

/// What has become of both being held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stop {
    #[default]
    NotYet,
    Told,
}

impl TwoButtons {
    /// Two buttons of which those that are `held` were held down before anyone looked: that is no press.
    pub fn found(held: &[Button], now: Instant<Board>) -> Self {
        let mut buttons = Self::default();
        for &button in held {
            *buttons.contact(button) = Contact::Closed { since: now };
        }
        buttons
    }

    /// Takes one change of one contact. Changes come in the order of their stamps.
    pub fn on_edge(&mut self, button: Button, edge: Edge, at: Instant<Board>) -> Vec<ButtonEvent> {
        let mut events = self.on_time(at);
        let contact = self.contact(button);
        let (after, pressed) = match (*contact, edge) {
            (Contact::Open, Edge::Down) => (Contact::Closed { since: at }, true),
            (Contact::Open, Edge::Up) => (Contact::Open, false),
            // A second closing long after the first: the opening between them was lost on the way.
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

    /// Takes the passing of time: every change up to `now` has been told.
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
            self.stop = Stop::Told;
            events.push(ButtonEvent::stop(at));
        }
        if self.held_since().is_none() {
            self.stop = Stop::NotYet;
        }
        events
    }

    /// When [`TwoButtons::on_time`] has something to tell, if no contact changes before.
    pub fn next_deadline(&self) -> Option<Instant<Board>> {
        self.complete_at()
    }

    fn contact(&mut self, button: Button) -> &mut Contact {
        match button {
            Button::Left => &mut self.left,
            Button::Right => &mut self.right,
        }
    }

    /// Since when both are held.
    fn held_since(&self) -> Option<Instant<Board>> {
        Some(self.left.held_since()?.max(self.right.held_since()?))
    }

    /// When this hold becomes a stop, unless a contact is being let go before that.
    fn complete_at(&self) -> Option<Instant<Board>> {
        let at = self.held_since()? + HOLD;
        // Let go for good before the second was full: an opening of less than BOUNCE may still close again.
        let let_go = [self.left, self.right]
            .iter()
            .any(|contact| match *contact {
                Contact::Opening { opened, .. } => opened + BOUNCE <= at,
                Contact::Open | Contact::Closed { .. } => false,
            });
        (self.stop == Stop::NotYet && !let_go).then_some(at)
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

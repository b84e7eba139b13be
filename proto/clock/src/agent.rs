//! The agent as a state machine: inputs from the board and the link go in, frames and journal entries come out. Owns the board's clock, the chain,
//! and the queue of unacknowledged events. Never reads a system clock, accesses a file or socket, or draws a random number: the hall
//! simulator runs it in virtual time.
//!
//! Board time is an argument of every step and never runs backwards. [`AgentCore::next_wake`] returns the next instant at which work is due.

mod chain;
mod correction;
pub mod entry;
mod events;
mod facts;
mod hub_frames;
mod kept;
mod pulse;
mod recover;
mod seat;
mod shared;
pub mod signer;
#[cfg(test)]
mod tests;
mod vocabulary;
mod zero_test;

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use crate::tracing;
use proto::Side as WireSide;
use proto::ids::{AgentId, EventSeq};
use proto::wire::{Event, ForeignJournal, Sound as WireSound};
use timing::{Board, BoardClock, Duration, Instant, Side};

use crate::face_state::{
    FaceState, HubLink, JournalHealth, Message, MessageKind, RemoteSide, Sound,
};
use chain::{Chain, RESERVE};
use entry::{Batch, Entry, Kind, State, Timeline, WriteMode};
use events::Waiting;
use kept::Keeping;
use pulse::Pulse;
use seat::Seat;
use signer::Signer;

pub use chain::{Bounds, IN_FLIGHT, MAX_UNACKNOWLEDGED};
pub use correction::{CorrectionRequest, Pins};
pub use recover::{RecoverError, Recovered, recover};
pub use seat::ClockDigest;
pub use vocabulary::{Close, CoreConfig, Input, Output, Retry, event_of};

#[derive(Clone, Debug, PartialEq)]
enum Link {
    Away {
        since: Instant<Board>,
    },
    Greeting {
        away_since: Instant<Board>,
    },
    /// The welcome has been received; events up to `sent` have been sent.
    Connected {
        sent: u64,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Journal {
    Writing {
        synced: u64,
    },
    /// A write failed; the next write must replace the whole journal.
    Failed {
        synced: u64,
        since: Instant<Board>,
    },
    /// The whole journal has been handed over for writing, and later entries are appended to it; the outcome is not yet known.
    Rewriting {
        synced: u64,
        since: Instant<Board>,
    },
}

impl Journal {
    fn synced(self) -> u64 {
        let (Self::Writing { synced }
        | Self::Failed { synced, .. }
        | Self::Rewriting { synced, .. }) = self;
        synced
    }

    fn works(self) -> bool {
        matches!(self, Self::Writing { .. })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Corrections {
    /// At this clock and at the hub.
    AtClock,
    AtHub,
}

/// The state machine of one agent.
#[derive(Debug)]
pub struct AgentCore {
    signer: Signer,
    firmware: String,
    boot: Vec<u8>,
    base_us: i64,
    now: Instant<Board>,
    /// Every press stamped before this instant has been passed to `step`. `None` stands for the current instant.
    quiet_before: Option<Instant<Board>>,
    /// The last jump of board time: its instant and length. Inputs stamped before the jump but handled after it are shifted by that length.
    jumped: Option<(Instant<Board>, Duration)>,
    chain: Chain,
    bounds: Bounds,
    seat: Seat,
    link: Link,
    journal: Journal,
    pulse: Pulse,
    waiting: VecDeque<Waiting>,
    pins: Pins,
    corrections: Corrections,
    renews: bool,
    keeping: Keeping,
    /// The newest two time probes and the instants at which they arrived, newest first.
    probes: [(u64, Instant<Board>); 2],
    token: u64,
    /// Token of the last run that wrote the journal; 0 if none is known.
    follows: u64,
    links: u32,
    /// True if the hello of this link reported a reboot.
    reported_reboot: bool,
    /// True while the agent waits for an order to adopt the hub's board.
    diverged: bool,
    foreign: Option<ForeignJournal>,
    /// True if the journal was damaged and this has not yet been reported to a hub.
    journal_damaged: bool,
    battery_percent: Option<u8>,
    temperature_mc: Option<i32>,
    board_moves: Option<Vec<String>>,
    hub_takes_moves: bool,
    identify_until: Option<Instant<Board>>,
    zero_test_until: Option<Instant<Board>>,
    shown: Option<String>,
    /// Instant at which the last frame from the hub arrived.
    heard: Instant<Board>,
    link_note: Option<String>,
    /// Instant at which the hub first refused a link, since its last welcome, because this clock was already connected.
    duplicate_since: Option<Instant<Board>>,
    buttons_failed: Option<String>,
    full: bool,
}

impl AgentCore {
    /// Creates an agent at `now` with the state recovered from its journal.
    pub fn new(config: CoreConfig, recovered: Recovered, now: Instant<Board>) -> Self {
        let Recovered {
            chain,
            seat,
            pins,
            timeline: _,
            token: follows,
            foreign,
            damaged,
            kept,
        } = recovered;
        Self {
            signer: config.signer,
            firmware: config.firmware,
            boot: config.boot,
            base_us: config.base_us,
            token: config.token,
            follows,
            links: 0,
            reported_reboot: false,
            now,
            quiet_before: None,
            jumped: None,
            journal: Journal::Writing { synced: chain.seq },
            pulse: Pulse::new(now),
            link: Link::Away { since: now },
            full: false,
            bounds: Bounds::default(),
            chain,
            seat,
            waiting: VecDeque::new(),
            pins,
            corrections: Corrections::AtClock,
            renews: false,
            keeping: Keeping::with(kept.map(Box::new)),
            probes: [(0, Instant::MIN); 2],
            diverged: false,
            foreign,
            journal_damaged: damaged,
            battery_percent: None,
            temperature_mc: None,
            board_moves: None,
            hub_takes_moves: false,
            identify_until: None,
            zero_test_until: None,
            shown: None,
            heard: now,
            link_note: None,
            duplicate_since: None,
            buttons_failed: None,
        }
    }

    /// Sets the limits, clamped to the supported ranges. Besides the 64 places that presses cannot take, there is always room for at least one press.
    #[must_use]
    pub fn with_bounds(mut self, bounds: Bounds) -> Self {
        self.bounds = Bounds {
            max_events: bounds.max_events.clamp(RESERVE + 1, MAX_UNACKNOWLEDGED),
            in_flight: bounds.in_flight.clamp(1, IN_FLIGHT),
        };
        self
    }

    /// Disables corrections at this clock, so that the hub sends no arbiters' keys.
    #[must_use]
    pub fn without_corrections(mut self) -> Self {
        self.corrections = Corrections::AtHub;
        self
    }

    /// Enables certificate renewal. The caller must store the certificates that the hub sends during a session.
    #[must_use]
    pub fn with_renewals(mut self) -> Self {
        self.renews = true;
        self
    }

    /// Enables checkpoints: this clock keeps the newest checkpoint of the hub's log and demands that the log continues it.
    #[must_use]
    pub fn with_checkpoints(mut self) -> Self {
        self.keeping.enabled = true;
        self
    }

    /// Sets the instant before which the buttons have delivered every press to [`Self::step`]. Watermarks and flag falls never go past this instant;
    /// orders and corrections wait for it briefly. Before the first call, and once the buttons have failed, the current instant is used.
    pub fn set_quiet_before(&mut self, before: Instant<Board>) {
        self.quiet_before = Some(before);
    }

    /// Handles one input at `now`. If `now` is earlier than in a previous step, the latest instant so far is used.
    pub fn step(&mut self, now: Instant<Board>, input: Input) -> Vec<Output> {
        self.now = self.now.max(now);
        let mut out = Vec::new();
        match input {
            Input::Button(event) => self.on_button(event, &mut out),
            Input::LinkUp => self.on_link_up(&mut out),
            Input::Frame(frame) => self.on_frame(frame, &mut out),
            Input::LinkDown => self.on_link_down(&mut out),
            Input::JournalSynced { seq } => self.on_journal_synced(seq, &mut out),
            Input::JournalFailed => self.on_journal_failed(&mut out),
            Input::Slept { gap } => self.on_slept(gap, &mut out),
            Input::Machine {
                battery_percent,
                temperature_mc,
            } => self.on_machine(battery_percent, temperature_mc, &mut out),
            Input::BoardMoves(moves) => self.on_board_moves(moves),
            Input::PinAttempted { correct } => self.on_pin_attempt(correct, &mut out),
            Input::Corrected { at, request } => self.on_correction(at, request),
            Input::LinkNote(note) => {
                changed(&mut self.link_note, note, &mut out);
            }
            Input::ButtonsFailed(why) => {
                changed(&mut self.buttons_failed, Some(why), &mut out);
                self.quiet_before = None;
            }
            Input::Wake => {}
        }
        self.beat(&mut out);
        out
    }

    /// Switches to a different journal because the hub has a different log. The board's state stays until the hub changes it, unless the new journal
    /// contains a board. The old journal is reported as foreign if its hub has not acknowledged all its events.
    pub fn change_log(&mut self, recovered: Recovered) -> Vec<Output> {
        let old = ForeignJournal {
            log_origin: self.chain.origin.clone(),
            unacknowledged: self.chain.seq - self.chain.acked,
        };
        self.chain = recovered.chain;
        self.journal_damaged = recovered.damaged;
        self.seat.orders_taken = recovered.seat.orders_taken;
        self.pins = recovered.pins;
        self.keeping.change(recovered.kept.map(Box::new));
        if recovered.seat.clock.is_some() {
            self.seat = recovered.seat;
        }
        self.foreign = (old.unacknowledged > 0)
            .then_some(old)
            .or(recovered.foreign);
        self.journal = Journal::Writing {
            synced: self.chain.seq,
        };
        self.waiting.clear();
        self.diverged = false;
        self.full = false;
        let mut out = vec![Output::Persist(self.whole_journal()), Output::FaceChanged];
        let ahead = self.chain.last_at;
        if ahead > self.now {
            // The new journal ends after the current board time, and stamps in a chain never decrease.
            self.rebase(ahead - self.now, Duration::ZERO, None, &mut out);
        }
        out
    }

    /// Returns the agent's id, which is its public key.
    pub fn agent(&self) -> AgentId {
        self.signer.agent()
    }

    /// Returns the sequence number of the newest event; 0 before the first.
    pub fn seq(&self) -> EventSeq {
        EventSeq(self.chain.seq)
    }

    /// Returns the sequence number of the newest event that the hub has acknowledged; 0 before the first.
    pub fn acknowledged(&self) -> EventSeq {
        EventSeq(self.chain.acked)
    }

    /// Returns the chain hash of the newest event; the genesis hash before the first.
    pub fn head(&self) -> [u8; 32] {
        self.chain.head
    }

    /// Returns event `seq` of the chain; `None` if there is no such event or the hub has acknowledged it.
    pub fn unacknowledged_event(&self, seq: EventSeq) -> Option<&Event> {
        self.chain.unacknowledged(seq.0).map(|entry| &entry.event)
    }

    /// Returns true if the hub has welcomed this agent on the current link.
    pub fn connected(&self) -> bool {
        matches!(self.link, Link::Connected { .. })
    }

    /// Returns the board's clock, if the hub has assigned a board to this agent.
    pub fn clock(&self) -> Option<&BoardClock> {
        self.seat.clock.as_ref()
    }

    /// Returns the board's name; empty if the agent has no board.
    pub fn board(&self) -> &str {
        &self.seat.labels.board
    }

    /// Returns the state to show on the face.
    pub fn face(&self) -> FaceState {
        let labels = &self.seat.labels;
        FaceState {
            board: labels.board.clone(),
            round: labels.round.clone(),
            names: timing::BySide {
                white: labels.white.clone(),
                black: labels.black.clone(),
            },
            draw_odds: shared::side(labels.draw_odds()),
            day: shared::day(labels.day()),
            starts_at: labels.starts_at_us.map(Instant::from_micros),
            sound: match labels.sound() {
                WireSound::Unspecified => Sound::Never,
                WireSound::Flag => Sound::Flag,
                WireSound::All => Sound::All,
            },
            elsewhere: self.elsewhere(),
            clock: self.seat.clock.clone(),
            unsaved: usize::try_from(self.unsaved()).unwrap_or(usize::MAX),
            unacknowledged: self.chain.queue.len(),
            hub: match self.link {
                Link::Connected { .. } => HubLink::Connected,
                Link::Away { since } | Link::Greeting { away_since: since } => {
                    HubLink::Away { since }
                }
            },
            battery_percent: self.battery_percent,
            journal: match self.journal {
                Journal::Writing { .. } => JournalHealth::Writing,
                Journal::Failed { .. } | Journal::Rewriting { .. } => JournalHealth::Failed,
            },
            messages: self.messages(),
            identify_until: self.identify_until,
        }
    }

    /// Returns the agent's current state as a batch that replaces the stored journal.
    pub fn whole_journal(&self) -> Batch {
        let mut entries: Vec<Entry> = vec![
            Kind::Opened(entry::Opened {
                log_origin: self.chain.origin.clone(),
                agent: self.agent().0.to_vec(),
            })
            .into(),
            Kind::Timeline(self.timeline()).into(),
            Kind::Token(self.token).into(),
            Kind::State(self.state()).into(),
        ];
        let kept = self.chain.kept.iter();
        entries.extend(kept.map(|entry| Kind::Event(entry.event.clone()).into()));
        if !self.chain.kept.is_empty() {
            entries.push(Kind::Acked(self.chain.acked).into());
        }
        let unacknowledged = self.chain.queue.iter();
        entries.extend(unacknowledged.map(|entry| Kind::Event(entry.event.clone()).into()));
        Batch {
            entries,
            mode: WriteMode::Replace,
            seq: self.chain.seq,
        }
    }

    fn state(&self) -> State {
        State {
            seq: self.chain.seq,
            head: self.chain.head.to_vec(),
            at_us: self.chain.last_at.as_micros(),
            boot: self.chain.last_boot.clone(),
            acked: self.chain.kept_after.0,
            acked_head: self.chain.kept_after.1.to_vec(),
            orders_taken: self.seat.orders_taken,
            side: match &self.seat.ours {
                None => WireSide::Unspecified,
                Some(ours) => match ours.side {
                    Side::White => WireSide::White,
                    Side::Black => WireSide::Black,
                },
            }
            .into(),
            snapshot: self
                .seat
                .clock
                .as_ref()
                .map(|clock| clock.to_bytes())
                .unwrap_or_default(),
            labels: Some(self.seat.labels.clone()),
            corrected_us: self.seat.corrected_us,
            arbiters: Some(self.pins.arbiters.clone()),
            pins: Some(self.pins.attempts.clone()),
        }
    }

    fn elsewhere(&self) -> Option<RemoteSide> {
        self.seat.ours.as_ref().map(|ours| RemoteSide {
            side: ours.side.other(),
            known: ours.other_heard && self.connected(),
        })
    }

    fn timeline(&self) -> Timeline {
        Timeline {
            boot: self.boot.clone(),
            base_us: self.base_us,
            at_us: self.now.as_micros(),
        }
    }

    fn messages(&self) -> Vec<Message> {
        let trouble = |text: &str| Message {
            kind: MessageKind::Trouble,
            text: text.to_owned(),
        };
        let mut messages = Vec::new();
        if !self.journal.works() {
            messages.push(trouble("Cannot write: call the arbiter"));
        }
        if self.full {
            messages.push(trouble("Memory full, clocks stopped: call the arbiter"));
        }
        if let Some(why) = &self.buttons_failed {
            messages.push(trouble(&format!("Buttons: {why}")));
        }
        messages.extend(self.keeping.text.as_deref().map(trouble));
        let say = |kind, text: &Option<String>| text.clone().map(|text| Message { kind, text });
        messages.extend(self.zero_test_message());
        messages.extend(say(MessageKind::Hub, &self.shown));
        messages.extend(say(MessageKind::Link, &self.link_note));
        messages
    }

    fn unsaved(&self) -> u64 {
        self.chain.seq
            - self
                .chain
                .acked
                .max(self.journal.synced())
                .min(self.chain.seq)
    }

    fn on_journal_synced(&mut self, seq: u64, out: &mut Vec<Output>) {
        let was = self.unsaved();
        let synced = self.journal.synced().max(seq.min(self.chain.seq));
        if let Journal::Failed { since, .. } = self.journal
            && seq < self.chain.seq
        {
            // A rewrite was in progress when a different write failed, so events chained since the rewrite began may be missing from the journal.
            self.journal = Journal::Failed { synced, since };
            return;
        }
        let recovered = !self.journal.works();
        self.journal = Journal::Writing { synced };
        if recovered {
            tracing::info!("the journal is writable again");
            self.pulse.health_changed();
        }
        if recovered || (was > 0 && self.unsaved() == 0) {
            out.push(Output::FaceChanged);
        }
    }

    fn on_journal_failed(&mut self, out: &mut Vec<Output>) {
        if self.journal.works() {
            tracing::error!(
                "cannot write the journal: the game goes on, and memory and the hub keep the presses"
            );
            self.pulse.health_changed();
            out.push(Output::FaceChanged);
        }
        self.journal = Journal::Failed {
            synced: self.journal.synced(),
            since: self.now,
        };
    }

    fn on_board_moves(&mut self, moves: Vec<String>) {
        if self.board_moves.as_ref() != Some(&moves) {
            self.board_moves = Some(moves);
            self.pulse.moves_changed();
        }
    }

    fn on_machine(&mut self, battery: Option<u8>, temperature: Option<i32>, out: &mut Vec<Output>) {
        self.temperature_mc = temperature;
        if self.battery_percent != battery {
            self.battery_percent = battery;
            self.pulse.health_changed();
            out.push(Output::FaceChanged);
        }
    }
}

fn changed<T: PartialEq>(value: &mut T, new: T, out: &mut Vec<Output>) {
    if *value != new {
        *value = new;
        out.push(Output::FaceChanged);
    }
}

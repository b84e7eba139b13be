//! The core and everything around it except the link: passes inputs to the core and carries out its outputs.

use std::sync::Arc;

use proto::wire::{Goodbye, GoodbyeReason};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::{AgentObserver, ButtonSource, Logs, Query, SHUTTING_DOWN};
use crate::core::{AgentCore, Close, Input, Output, Retry};
use crate::journal::{Journal, JournalEvent};
use crate::links::quic::QuicLink;
use crate::links::{Link, LinkEnd};
use crate::time_source::TimeSource;

/// A reason to wake the agent, other than its link.
pub(super) enum Wakeup {
    Buttons,
    Journal(JournalEvent),
    Input(Input),
    Query(Query),
    Wake,
}

pub(super) struct RunningClock<H, W> {
    pub(super) core: AgentCore,
    pub(super) journal: Journal,
    pub(super) logs: Logs,
    pub(super) time: Arc<TimeSource>,
    pub(super) buttons: H,
    pub(super) observer: W,
    pub(super) queries: mpsc::Receiver<Query>,
    pub(super) inputs: mpsc::Receiver<Input>,
    pub(super) stop: CancellationToken,
    pub(super) close: Option<Close>,
}

impl<H: ButtonSource, W: AgentObserver> RunningClock<H, W> {
    /// Rewrites the journal, which compacts it and repairs a torn end, and reports the initial state.
    pub(super) fn begin(&mut self) {
        self.journal.write(self.core.whole_journal());
        self.shown();
    }

    /// Writes a compacted journal.
    pub(super) async fn end(mut self) -> AgentCore {
        self.journal.write(self.core.whole_journal());
        self.journal.flush().await;
        self.core
    }

    /// Returns the next wake-up, or `None` when the session is stopped. Cancel-safe.
    pub(super) async fn next(&mut self) -> Option<Wakeup> {
        let now = self.time.now();
        let wake = self.core.next_wake().map(|at| (at - now).or_zero());
        let sleep = async {
            match wake {
                Some(wait) => {
                    let wait = wait.as_micros().unsigned_abs();
                    tokio::time::sleep(std::time::Duration::from_micros(wait)).await;
                }
                None => std::future::pending().await,
            }
        };
        let wakeup = tokio::select! {
            biased;
            () = self.stop.cancelled() => return None,
            () = self.buttons.wait() => Wakeup::Buttons,
            event = self.journal.next() => Wakeup::Journal(event),
            () = sleep => Wakeup::Wake,
            Some(query) = self.queries.recv() => Wakeup::Query(query),
            Some(input) = self.inputs.recv() => Wakeup::Input(input),
        };
        Some(wakeup)
    }

    pub(super) fn handle<L: Link>(
        &mut self,
        wakeup: Wakeup,
        link: Option<&mut L>,
    ) -> Result<(), LinkEnd> {
        match wakeup {
            Wakeup::Buttons | Wakeup::Wake => self.input(Input::Wake, link),
            Wakeup::Journal(event) => self.input(journal_input(event), link),
            Wakeup::Input(input) => self.input(input, link),
            Wakeup::Query(query) => {
                let outcome = self.input(Input::Wake, link);
                query(&self.core, self.time.now());
                outcome
            }
        }
    }

    /// Handles the waiting inputs from the buttons and from arbiters, then `input`. All of them take effect even if the link fails in the meantime.
    pub(super) fn input<L: Link>(
        &mut self,
        input: Input,
        mut link: Option<&mut L>,
    ) -> Result<(), LinkEnd> {
        let mut outcome = Ok(());
        let mut step = |clock: &mut Self, input: Input| {
            let carried = clock.step(input, link.as_deref_mut());
            if outcome.is_ok() {
                outcome = carried;
            }
        };
        if let Some(gap) = self.time.slept() {
            step(self, Input::Slept { gap });
        }
        let drained = self.buttons.drain(self.time.now());
        for event in drained.events {
            step(self, Input::Button(event));
        }
        self.core.set_quiet_before(drained.complete_to);
        for input in drained.arbiter {
            step(self, input);
        }
        if let Some(why) = drained.lost {
            step(self, Input::ButtonsFailed(why));
        }
        step(self, input);
        while let Some(event) = self.journal.reported() {
            step(self, journal_input(event));
        }
        outcome
    }

    pub(super) fn note(&mut self, text: Option<String>) {
        // Without a link, this cannot fail.
        let _ = self.step::<QuicLink>(Input::LinkNote(text), None);
    }

    /// Says goodbye on a link that is about to be closed cleanly.
    pub(super) fn part<L: Link>(&mut self, link: &mut L) {
        let goodbye = Goodbye {
            reason: GoodbyeReason::Unspecified.into(),
            text: SHUTTING_DOWN.to_owned(),
        };
        // A link that has ended needs no goodbye.
        let _ = link.send(&goodbye.into());
    }

    fn step<L: Link>(&mut self, input: Input, link: Option<&mut L>) -> Result<(), LinkEnd> {
        let outputs = self.core.step(self.time.now(), input);
        self.carry_out(outputs, link)
    }

    /// Carries out every output, even if the link fails during one of them.
    fn carry_out<L: Link>(
        &mut self,
        outputs: Vec<Output>,
        mut link: Option<&mut L>,
    ) -> Result<(), LinkEnd> {
        let mut outcome = Ok(());
        let mut seen = false;
        for output in outputs {
            match (output, link.as_deref_mut()) {
                (Output::Send(frame), Some(link)) => outcome = outcome.and(link.send(&frame)),
                (Output::Datagram(frame), Some(link)) => {
                    outcome = outcome.and(link.datagram(&frame));
                }
                (Output::Send(_) | Output::Datagram(_), None) => {}
                (Output::Persist(batch), _) => self.journal.write(batch),
                (Output::Chained { seq, at }, _) => self.observer.chained(&self.core, seq, at),
                (Output::Acknowledged { seq }, _) => {
                    self.observer.acknowledged(seq, self.time.now());
                }
                (Output::FaceChanged, _) => seen = true,
                (Output::Jump(jump), _) => self.time.jump(jump),
                (Output::KeepCheckpoint(kept), _) => self.logs.keep(&kept),
                (Output::Contradiction { kept, sent }, _) => self.logs.contradicted(&kept, &sent),
                (Output::OtherLog { origin }, _) => self.change_log(&origin),
                (Output::Close(close), _) => {
                    // If changing the log has failed, a close is already set, and its retry policy must be kept.
                    self.close.get_or_insert(close);
                }
            }
        }
        if seen {
            self.shown();
        }
        outcome
    }

    fn shown(&mut self) {
        let now = self.time.now();
        self.buttons.core_changed(&self.core, now);
        self.observer.changed(&self.core, now);
    }

    fn change_log(&mut self, origin: &str) {
        match self.logs.change(origin, &self.core.agent()) {
            Ok((recovered, journal)) => {
                self.journal = journal;
                let outputs = self.core.change_log(recovered);
                // Without a link, this cannot fail.
                let _ = self.carry_out::<QuicLink>(outputs, None);
                self.observer.other_log(origin);
            }
            Err(error) => {
                tracing::error!(%error, "cannot open a journal for the hub's log");
                self.close = Some(Close {
                    code: GoodbyeReason::Unspecified,
                    reason: format!("no journal for the hub's log: {error}"),
                    retry: Retry::AfterLongDelay,
                });
            }
        }
    }
}

fn journal_input(event: JournalEvent) -> Input {
    match event {
        JournalEvent::Synced { seq } => Input::JournalSynced { seq },
        JournalEvent::Failed(why) => {
            tracing::error!(why, "journal");
            Input::JournalFailed
        }
    }
}

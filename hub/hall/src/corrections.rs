//! Corrections that an arbiter makes at a board's own clock with a PIN. Covers the arbiters who may do so, and the
//! messages to clocks and to other arbiters. Defines the vocabulary and the texts; the fold applies a correction
//! (`fold/correction.rs`).

use proto::ids::AgentId;
use proto::pin::PinKey;
use timing::{Command, Hub, Instant};

use super::effect::{HubEffect, Notice, Step};
use super::entry::{Entry, Logged};
use super::input::BoardId;
use super::note_kind::NoteKind;
use super::refusal::Refusal;
use super::{Hall, note};
use crate::to_proto;

/// First minor version of the frame protocol with the list of arbiters.
const KNOWN_SINCE: u32 = 1;

/// Number of wrong PINs at one clock that raises a note; each doubling raises another.
const WRONG_PINS: u32 = 3;

/// An arbiter who may correct boards at their clocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arbiter {
    /// The name in notes and in the log.
    pub name: String,
    /// Public half of the key that is derived from the PIN.
    pub key: PinKey,
}

/// The arbiters who may correct boards at their clocks in this run of the hub.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arbiters {
    /// The salt with which clocks derive a key from a PIN. Never logged.
    pub salt: Vec<u8>,
    /// The complete list of these arbiters.
    pub who: Vec<Arbiter>,
}

/// A correction as the clock's event states it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Correction {
    /// The command that corrects the clock.
    pub command: Command,
    /// The command as text, as it was signed.
    pub text: String,
    /// The arbiter's name according to the clock; the proof decides.
    pub arbiter: String,
    /// Board time of the correction, in microseconds.
    pub made_us: i64,
    /// The proof, made with the key of the arbiter's PIN.
    pub proof: Vec<u8>,
    /// The clock had no link to the hub.
    pub hub_away: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Corrected {
    Done,
    /// The rules refuse it, at the clock and at the hub.
    Refused(Refusal),
    /// The proof that an arbiter of this event made it is invalid. The correction is not applied, and the clock takes
    /// the hub's board.
    Unproved(&'static str),
    /// The hub had taken over the board meanwhile: the correction is kept for review.
    Late,
}

impl Correction {
    pub(crate) fn words(&self) -> String {
        format!("“{}” by {}, at the clock", self.text, self.arbiter)
    }
}

impl Hall {
    /// Sets the arbiters who may correct boards at their clocks. Call it before the first input of a run.
    pub fn set_arbiters(&mut self, arbiters: Arbiters) {
        self.live.arbiters = arbiters;
    }

    /// Logs the arbiters who may correct boards, if the log does not have the same list.
    pub(crate) fn log_arbiters(&mut self, now: Instant<Hub>, step: &mut Step) {
        let who = &self.live.arbiters.who;
        if *who != self.fold.arbiters {
            let entry = Entry::Arbiters(who.clone());
            // The entry changes no board, so it always fits.
            let _ = self.log(now, None, entry, step);
        }
    }

    /// Sends the list of arbiters to a clock that has just been welcomed.
    pub(crate) fn send_arbiters(&self, agent: AgentId, step: &mut Step) {
        let Some(session) = self.live.sessions.get(&agent) else {
            return;
        };
        if let Some(open) = session.link.filter(|_| session.minor >= KNOWN_SINCE) {
            step.effects.push(HubEffect::ToAgent {
                link: open.link,
                frame: to_proto::arbiters(&self.live.arbiters),
            });
        }
    }

    /// Notifies the arbiters of a correction that was folded.
    pub(crate) fn on_corrected(
        &mut self,
        now: Instant<Hub>,
        board: Option<&BoardId>,
        logged: &Logged,
        correction: &Correction,
        what: &Corrected,
        step: &mut Step,
    ) {
        let Entry::AgentEvent { agent, .. } = &logged.entry else {
            return;
        };
        let agent = *agent;
        let waiting = board
            .and_then(|board| self.fold.boards.get(board))
            .map_or(0, |board| board.pending.len());
        let text = said(agent, correction, what, waiting);
        let notice = Notice {
            kind: NoteKind::CorrectedAtClock,
            text,
            board: board.cloned(),
            agent: Some(agent),
        };
        self.note(now, step, notice);
    }

    pub(crate) fn look_at_pins(
        &mut self,
        now: Instant<Hub>,
        agent: AgentId,
        before: u32,
        wrong: u32,
        step: &mut Step,
    ) {
        let rank = |wrong: u32| (wrong / WRONG_PINS).checked_ilog2();
        if wrong > before && rank(wrong) > rank(before) {
            let board = self.board_of(agent);
            self.note(now, step, note::wrong_pins(board.as_ref(), agent, wrong));
        }
    }
}

fn said(agent: AgentId, correction: &Correction, what: &Corrected, waiting: usize) -> String {
    let Correction {
        text,
        arbiter,
        hub_away,
        ..
    } = correction;
    let when = if *hub_away {
        ", while the hub was away"
    } else {
        ""
    };
    let clock = agent.short();
    match what {
        Corrected::Done if waiting > 0 => format!(
            "corrected at the clock by {arbiter}{when}: {text}; {waiting} of the hub's own commands still wait for this \
             clock: withdraw what is not wanted any more"
        ),
        Corrected::Done => format!("corrected at the clock by {arbiter}{when}: {text}"),
        Corrected::Refused(rule) => {
            format!(
                "a correction at the clock by {arbiter}{when} was refused, there as here: {text}: {rule}"
            )
        }
        Corrected::Unproved(why) => format!(
            "clock {clock} brought a correction in the name of {arbiter}{when} that is not believed ({why}): {text}; it is \
             kept, not applied, and the clock takes the hub's board; please review"
        ),
        Corrected::Late => format!(
            "a correction at the clock by {arbiter}{when} ({text}; clock {clock}) came for a board whose time the hub had \
             taken over: it is kept, not applied; please review"
        ),
    }
}

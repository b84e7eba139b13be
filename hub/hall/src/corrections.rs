//! Corrections that an arbiter makes at a board's own clock, by a PIN: who may, how a clock is told, what the others read of it.
//! Owns the vocabulary and the words; what a correction does to a board is the fold's (`fold/correction.rs`).

use proto::ids::AgentId;
use proto::pin::PinKey;
use timing::{Command, Hub, Instant};

use super::effect::{HubEffect, Notice, Step};
use super::entry::{Entry, Logged};
use super::input::BoardId;
use super::refusal::Refusal;
use super::{Hall, note};
use crate::to_proto;

/// A clock of this minor version of the frame protocol, or a newer one, knows what to do with arbiters.
const KNOWN_SINCE: u32 = 1;

/// Wrong PINs at one clock that are worth a note; again each time there are twice as many.
const WRONG_PINS: u32 = 3;

/// An arbiter who may correct boards at their clocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arbiter {
    /// As notes and log have it.
    pub name: String,
    /// Public half of the key that is made from the PIN.
    pub key: PinKey,
}

/// Who may correct boards at their clocks in this run of the hub.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arbiters {
    /// What clocks need beside a PIN to make its key. Never logged.
    pub salt: Vec<u8>,
    /// They, and nobody else.
    pub who: Vec<Arbiter>,
}

/// A correction as the clock's event states it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Correction {
    /// What was corrected.
    pub command: Command,
    /// Text form of it, as it was signed.
    pub text: String,
    /// Who, by what the clock says; the proof decides.
    pub arbiter: String,
    /// Board time when it was made, microseconds.
    pub made_us: i64,
    /// By the key of the arbiter's PIN.
    pub proof: Vec<u8>,
    /// The clock had no link to the hub.
    pub hub_away: bool,
}

/// What became of a correction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Corrected {
    /// It took effect at its place.
    Done,
    /// The rules of the clock refuse it, there as here.
    Refused(Refusal),
    /// Whoever made it did not prove to be an arbiter of this event: not applied, the clock takes the hub's board.
    Unproved(&'static str),
    /// The board had been taken over meanwhile: kept for review.
    Late,
}

impl Correction {
    /// In words, for people.
    pub(crate) fn words(&self) -> String {
        format!("“{}” by {}, at the clock", self.text, self.arbiter)
    }
}

impl Hall {
    /// Sets who may correct boards at their clocks: before the first input of a run.
    pub fn set_arbiters(&mut self, arbiters: Arbiters) {
        self.live.arbiters = arbiters;
    }

    /// Writes down who may correct from here on, if that is not what the log says already.
    pub(crate) fn log_arbiters(&mut self, now: Instant<Hub>, step: &mut Step) {
        let who = &self.live.arbiters.who;
        if *who != self.fold.arbiters {
            let entry = Entry::Arbiters(who.clone());
            // It changes no board, so it always fits.
            let _ = self.log(now, None, entry, step);
        }
    }

    /// Tells a clock that has just been welcomed who may correct at it.
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

    /// A correction has been folded: arbiters are told, all of them.
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
            kind: "corrected_at_clock",
            text,
            board: board.cloned(),
            agent: Some(agent),
        };
        self.note(now, step, notice);
    }

    /// Somebody tries PINs at a clock.
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

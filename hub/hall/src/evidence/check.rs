//! Checks a clock's statements as they arrive, and records contradictions.

use proto::ids::AgentId;
use rand_xoshiro::rand_core::RngCore as _;
use timing::{Hub, Instant};

use super::{Against, Equivocation, PromiseCheck};
use crate::agent_frame::{SignedEvent, SignedPromise};
use crate::effect::OpenStep;
use crate::entry::Entry;
use crate::{Hall, note};

/// Maximum number of contradictions recorded for one agent in a run.
const MAX_RECORDED: u32 = 1_000;

/// One in this many signed promises, on average, is checked on arrival. Every promise is checked before it serves as
/// proof.
const CHECK_ONE_IN: u64 = 64;

impl Hall {
    /// Replaces the Ed25519 check of promises, for simulations.
    pub fn check_promises_by(&mut self, check: PromiseCheck) {
        self.live.check = check;
    }

    /// Stores a promise as a bound on future events. Checks its signature only at random, and adds a note if it is
    /// invalid.
    pub(crate) fn keep_promise(
        &mut self,
        agent: AgentId,
        word: SignedPromise,
        received: Instant<Hub>,
        step: &mut OpenStep,
    ) {
        let look = self.live.nonces.next_u64().is_multiple_of(CHECK_ONE_IN);
        let forged = look && !word.signature.is_empty() && !(self.live.check)(&agent, &word);
        let applied = self.fold.agents.get(&agent).map(|known| known.seq);
        if let Some(session) = self.live.sessions.get_mut(&agent) {
            session
                .floor
                .promised(word, received, applied.unwrap_or_default());
        }
        if forged {
            self.note(step, note::forged_promise(agent));
        }
    }

    /// Adds a note if an applied event breaks a promise of its clock. Records the proof if the promise has a valid
    /// signature.
    pub(crate) fn record_broken_promise(
        &mut self,
        agent: AgentId,
        event: &SignedEvent,
        step: &mut OpenStep,
    ) {
        let session = self.live.sessions.get(&agent);
        let Some(word) = session
            .and_then(|session| session.floor.broken_by(event.at))
            .cloned()
        else {
            return;
        };
        let by_us = (word.at - event.at).as_micros();
        self.note(step, note::broken_promise(agent, event.seq.0, by_us));
        if !word.signature.is_empty() && (self.live.check)(&agent, &word) {
            self.record_equivocation(agent, event, Against::Promise(word), step);
        }
    }

    pub(crate) fn record_equivocation(
        &mut self,
        agent: AgentId,
        event: &SignedEvent,
        against: Against,
        step: &mut OpenStep,
    ) {
        let Some(session) = self.live.sessions.get_mut(&agent) else {
            return;
        };
        if session.floor.recorded >= MAX_RECORDED {
            return;
        }
        session.floor.recorded += 1;
        let entry = Entry::Equivocation(Box::new(Equivocation {
            agent,
            event: (event.body.clone(), event.signature.clone()),
            against,
        }));
        let board = self.board_of(agent);
        // The fold rejects the entry only for an unknown agent, and the session's agent is known.
        let _ = self.log(board, entry, step);
    }
}

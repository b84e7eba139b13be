//! Processes the frames of agents after their hello. Applies each chained event exactly once.

use proto::ids::{AgentId, EventSeq};
use proto::wire::{Ack, GoodbyeReason};
use timing::{Board as BoardTime, Duration, Hub, Instant};

use super::agent_frame::{AgentFrame, EventFact, Health, LinkId, SignedEvent, SignedPromise};

use super::effect::OpenStep;
use super::entry::Entry;
use super::session::{Contradiction, Promise};
use super::{Hall, note};

impl Hall {
    pub(crate) fn on_frame(
        &mut self,
        link: LinkId,
        received: Instant<Hub>,
        frame: AgentFrame,
        step: &mut OpenStep,
    ) {
        let Some(agent) = self.live.links.get(&link).copied() else {
            // The link was closed while the frame was in transit.
            return;
        };
        self.heard(agent, received);
        match frame {
            AgentFrame::Event(event) => self.on_event(agent, link, event, received, step),
            AgentFrame::Watermark { at, seq } => {
                let signature = Vec::new();
                let word = SignedPromise { at, seq, signature };
                self.on_watermark(agent, word, received, step);
            }
            AgentFrame::Promise(word) => self.on_watermark(agent, word, received, step),
            AgentFrame::TimeReply {
                nonce,
                received: board_received,
                sent,
            } => {
                let reply = (nonce, board_received, sent);
                self.on_time_reply(agent, reply, received, step);
            }
            AgentFrame::Health(health) => self.on_health(agent, health, step),
            AgentFrame::Diverged { seq } => self.on_diverged(agent, seq, step),
            AgentFrame::BoardMoves(moves) => self.on_board_moves(agent, moves, step),
            AgentFrame::LogContradiction(told) => {
                self.note(step, note::log_rewritten(agent, &told));
            }
            AgentFrame::BadSignature => self.note(step, note::bad_signature(agent)),
            AgentFrame::Goodbye { reason, .. } => {
                if reason == GoodbyeReason::BadChain {
                    self.on_log_refused(agent, step);
                }
                self.on_gone(link);
            }
        }
    }

    /// Adds a note if a clock refuses the hub's log because the log has lost acknowledged events that the clock no
    /// longer stores, unless the loss has been confirmed.
    fn on_log_refused(&mut self, agent: AgentId, step: &mut OpenStep) {
        let Some(known) = self.fold.agents.get(&agent) else {
            return;
        };
        let session = self.live.sessions.get(&agent);
        let greeted = session.and_then(|session| session.greeted.as_ref());
        let reached = greeted.map_or(0, |greeted| greeted.next.0.saturating_sub(1));
        let acked = known.seq.0;
        if reached > acked && known.loss_confirmed != Some(known.seq) {
            self.note(step, note::log_set_back(agent, reached, acked));
        }
    }

    /// Logs the next event in a chain, unless it must wait for the clock's offset. Acknowledges an event that the session
    /// remembers. Any other event closes the link.
    fn on_event(
        &mut self,
        agent: AgentId,
        link: LinkId,
        event: Box<SignedEvent>,
        received: Instant<Hub>,
        step: &mut OpenStep,
    ) {
        let (seq, fact, at) = (event.seq, event.fact, event.at);
        if self.wait_for_offset(agent, &event, received) {
            return;
        }
        let Some(known) = self.fold.agents.get(&agent) else {
            return;
        };
        if !known.expects(&event) {
            let acked = known.seq;
            self.on_out_of_order_event(agent, link, &event, acked, step);
            return;
        }
        self.check_stamp(agent, &event, received, step);
        let board = self.board_of(agent);
        let judged = self.judge_stamp(agent, &event, received);
        let counts_at = judged.accepted.at.unwrap_or(at);
        self.check_delay(agent, (&event, counts_at), received, step);
        let entry = Entry::AgentEvent {
            agent,
            placed: self.placed(agent, &event, received),
            accepted: judged.accepted,
            event: event.clone(),
        };
        let record = step.step.records.len();
        if let Err(error) = self.log(board, entry, step) {
            // The event was checked above, so this can only be an internal error.
            self.close_link(link, GoodbyeReason::BadChain, error.to_string(), step);
            return;
        }
        self.remember_taken(step.now, agent, &event, received);
        let board_digest = step
            .step
            // The event's record may be followed by notes about it.
            .records
            .get(record)
            .and_then(|record| record.after.as_ref())
            .filter(|_| self.fold.kept_by(agent).is_some())
            .map(|after| after.digest.clone())
            .unwrap_or_default();
        self.acknowledge(link, seq, board_digest, step);
        self.note_jump(agent, fact, step);
        self.record_broken_promise(agent, &event, step);
        self.note_contradiction(agent, &event, judged, step);
        if let Some(session) = self.live.sessions.get_mut(&agent) {
            session.floor.event_applied(seq, at);
        }
        if let EventFact::ZeroTested(nonce) = fact {
            self.on_zero_tested(agent, (nonce, seq, at), received, step);
        }
        self.use_waiting_mark(agent, step);
        self.advance_pair_of(agent, step);
    }

    /// Updates the session after an event was applied. A jump begins a new timeline for the agent.
    fn remember_taken(
        &mut self,
        now: Instant<Hub>,
        agent: AgentId,
        event: &SignedEvent,
        received: Instant<Hub>,
    ) {
        if let Some(session) = self.live.sessions.get_mut(&agent) {
            session.remember(event);
            if let EventFact::Rebase {
                jump_us,
                uncharged,
                uncertainty_us,
            } = event.fact
            {
                let jump = Duration::from_micros(jump_us).or_zero();
                session.greeted = session.after_jump(event.seq, jump, received);
                session.floor.jumped(uncharged);
                session.forget_timeline();
                session.jump_told();
                session.promised = None;
                session.mark = None;
                self.sum_jumped(agent, uncertainty_us);
                self.begin_probes(now, agent);
            }
        }
    }

    fn on_out_of_order_event(
        &mut self,
        agent: AgentId,
        link: LinkId,
        event: &SignedEvent,
        acked: EventSeq,
        step: &mut OpenStep,
    ) {
        let (seq, hash) = (event.seq, event.hash);
        let session = self.live.sessions.get(&agent);
        if session.is_some_and(|session| session.remembers(seq, &hash)) {
            self.acknowledge(link, acked, Vec::new(), step);
            return;
        }
        let what = if seq > acked.next() {
            format!("event {} followed event {}", seq.0, acked.0)
        } else if seq == acked.next() {
            format!("event {} names a different previous event", seq.0)
        } else {
            format!("event {} arrived again after event {}", seq.0, acked.0)
        };
        self.note(step, note::bad_chain(agent, &what));
        let session = self.live.sessions.get(&agent);
        let session = session.filter(|session| !session.foreign);
        if let Some(other) = session.and_then(|session| session.recent_events.against(event)) {
            self.record_equivocation(agent, event, other, step);
        }
        self.close_link(link, GoodbyeReason::BadChain, what, step);
    }

    fn acknowledge(
        &mut self,
        link: LinkId,
        seq: EventSeq,
        board_digest: Vec<u8>,
        step: &mut OpenStep,
    ) {
        let seq = seq.0;
        step.send(link, Ack { seq, board_digest });
    }

    /// Adds a note if an event's stamp precedes the agent's earlier ones or lies after the event's arrival. The event
    /// is accepted nevertheless.
    fn check_stamp(
        &mut self,
        agent: AgentId,
        event: &SignedEvent,
        received: Instant<Hub>,
        step: &mut OpenStep,
    ) {
        let before = self.fold.agents.get(&agent).and_then(|known| known.at);
        let session = self.live.sessions.get(&agent);
        let earliest = session
            .and_then(|session| session.estimate.to_hub(event.at))
            .map(|mapped| mapped.lo);
        if let Some(before) = before.filter(|before| event.at < *before) {
            let by_us = (before - event.at).as_micros();
            self.note(step, note::decreasing(agent, event.seq.0, by_us));
        }
        if let EventFact::Rebase { .. } = event.fact {
            return;
        }
        if let Some(earliest) = earliest
            && earliest > received
        {
            let by_us = (earliest - received).as_micros();
            self.note(step, note::from_the_future(agent, event.seq.0, by_us));
        }
    }

    fn applied(&self, agent: AgentId) -> EventSeq {
        let known = self.fold.agents.get(&agent);
        known.map(|known| known.seq).unwrap_or_default()
    }

    /// Processes a watermark. Its promise takes effect once every event that it covers has been applied.
    fn on_watermark(
        &mut self,
        agent: AgentId,
        word: SignedPromise,
        received: Instant<Hub>,
        step: &mut OpenStep,
    ) {
        let (at, seq) = (word.at, word.seq);
        self.count_watermark(agent, &word, received, step);
        let applied = self.applied(agent);
        let Some(session) = self.live.sessions.get_mut(&agent) else {
            return;
        };
        let earliest = session.estimate.to_hub(at).map(|mapped| mapped.lo);
        if let Some(early) = earliest
            .map(|earliest| earliest - received)
            .filter(|early| early.is_positive())
        {
            // A promise about the future is impossible, and using it could cause a flag fall too early.
            let by_us = early.as_micros();
            session
                .contradiction
                .get_or_insert((step.now, Contradiction::Promise { by_us }));
            return;
        }
        self.keep_promise(agent, word, received, step);
        let Some(session) = self.live.sessions.get_mut(&agent) else {
            return;
        };
        // Datagrams can arrive out of order: an older promise does not replace a newer one.
        if session.promised.is_none_or(|promise| promise.at < at) {
            session.promised = Some(Promise {
                at,
                seq,
                heard: received,
            });
        }
        if seq > applied {
            if session.mark.is_none_or(|(waiting, _)| waiting < at) {
                session.mark = Some((at, seq));
            }
            return;
        }
        self.settle_up_to(agent, at, step);
    }

    fn use_waiting_mark(&mut self, agent: AgentId, step: &mut OpenStep) {
        let applied = self.applied(agent);
        let Some(session) = self.live.sessions.get_mut(&agent) else {
            return;
        };
        if let Some((at, seq)) = session.mark
            && seq <= applied
        {
            session.mark = None;
            self.settle_up_to(agent, at, step);
        }
    }

    /// Logs that the board's own time has passed `at`, if this changes anything. On a board whose time one clock keeps,
    /// this record or a later event of that clock confirms a flag fall. Also adds a note if the clock has ignored an
    /// order up to that time.
    fn settle_up_to(&mut self, agent: AgentId, at: Instant<BoardTime>, step: &mut OpenStep) {
        self.check_orders(agent, at, step);
        if self.pass_up_to(agent, at, step) {
            return;
        }
        let Some(board) = self.fold.kept_by(agent) else {
            return;
        };
        let deadline = board.clock().next_deadline();
        if board.fault.is_none() && deadline.is_some_and(|deadline| deadline <= at) {
            let id = board.id.clone();
            // The fold always accepts the passing of time.
            let _ = self.log(Some(id), Entry::Settled { at }, step);
        }
    }

    /// Adds a note if `fact` is a forward jump of board time or an outage of unknown length.
    fn note_jump(&mut self, agent: AgentId, fact: EventFact, step: &mut OpenStep) {
        let EventFact::Rebase {
            jump_us,
            uncertainty_us,
            uncharged,
        } = fact
        else {
            return;
        };
        if uncharged {
            self.note(step, note::restarted_alone(agent));
        } else if jump_us > 0 {
            self.note(step, note::rebased(agent, jump_us, uncertainty_us));
        }
    }

    fn on_health(&mut self, agent: AgentId, health: Health, step: &mut OpenStep) {
        let Some(session) = self.live.sessions.get_mut(&agent) else {
            return;
        };
        let before = session.health.replace(health);
        let tried = before.map_or(0, |before| before.wrong_pins);
        self.check_pins(agent, tried, health.wrong_pins, step);
        self.check_agent(agent, step);
        if !health.journal_ok && before.is_none_or(|before| before.journal_ok) {
            self.note(step, note::journal_failed(agent));
        }
    }

    /// Orders an agent that keeps a board's time to adopt the hub's state, because the two have computed different
    /// states.
    fn on_diverged(&mut self, agent: AgentId, seq: EventSeq, step: &mut OpenStep) {
        if self.fold.kept_by(agent).is_none() {
            // The agent serves no board, serves only a side, or has already been ordered to adopt the hub's state.
            return;
        }
        self.note(step, note::diverged(agent, seq.0));
        self.readopt(agent, "its clock computed different times", step);
    }
}

//! Handles an agent's hello: refuses the link, or answers with the state of the agent's chain and the time that the
//! agent missed.

use proto::MAJOR;
use proto::chain::ChainHash;
use proto::ids::{AgentId, EventSeq};
use proto::wire::{GoodbyeReason, Welcome};
use timing::{Duration, Hub, Instant};

use super::agent_frame::{Hello, LinkId, Process};
use super::board::Board;
use super::effect::{HubEffect, OpenStep};
use super::session::{HelloTime, SILENCE};
use super::{Hall, note};

impl Hall {
    /// Answers an agent's hello with a welcome, or closes the link with a reason. Unless its journal belongs to a
    /// different log, a welcomed agent also gets its orders, labels and arbiters.
    pub(crate) fn on_connected(
        &mut self,
        agent: AgentId,
        link: LinkId,
        opened: Instant<Hub>,
        hello: &Hello,
        step: &mut OpenStep,
    ) {
        let now = step.now;
        if let Err((reason, text)) = self.admit(agent, hello, step) {
            step.effect(HubEffect::CloseLink { link, reason, text });
            return;
        }
        let reached = hello.next_seq.0.saturating_sub(1);
        let (acked_seq, acked_head) = match self.fold.agents.get(&agent) {
            Some(known) => (known.seq, known.head),
            None => return,
        };
        let ours =
            hello.log_origin.is_empty() || self.fold.origin.as_deref() == Some(&*hello.log_origin);
        let lost = ours && reached < acked_seq.0;
        // A journal that a crash cut short also looks forked if the agent has since recorded as many events as it lost.
        let forked =
            ours && acked_seq.0 > 0 && reached == acked_seq.0 && hello.head != Some(acked_head);
        let (rebase_us, rebase_uncertainty_us) = self
            .rebase(now, agent, opened, hello, lost || forked)
            .unwrap_or((0, 0));
        self.open_session(now, agent, link, opened, hello);
        if let Some(session) = self.live.sessions.get_mut(&agent) {
            session.greeted = Some(HelloTime {
                shown: hello.now,
                opened,
                next: hello.next_seq,
                jump: Duration::from_micros(rebase_us).or_zero(),
            });
        }
        let rebase = (rebase_us, rebase_uncertainty_us);
        let welcome = self.welcome(agent, acked_seq, acked_head, rebase);
        step.send(link, welcome);
        if !ours {
            // Nothing more to do here: the agent closes this link, and reconnects with a journal of this log if it can.
            self.note(step, note::other_log(agent, &hello.log_origin));
            return;
        }
        if let Some((origin, count)) = &hello.foreign {
            self.note(step, note::foreign_journal(agent, origin, *count));
        }
        if hello.journal_damaged {
            self.note(step, note::journal_damaged(agent, reached));
        }
        if lost {
            self.note(step, note::journal_lost(agent, reached, acked_seq.0));
            self.readopt(agent, "the clock's journal was lost or set back", step);
        }
        if forked {
            self.note(step, note::fork(agent, reached));
            self.readopt(agent, "the clock's journal differs from the log", step);
        }
        self.send_orders(agent, step);
        self.send_labels(agent, step);
        self.send_arbiters(agent, step);
        self.touch_board_of(agent);
    }

    /// Returns the welcome for an agent: the state of its chain in the log, and the time that its timeline missed.
    fn welcome(
        &self,
        agent: AgentId,
        acked_seq: EventSeq,
        acked_head: ChainHash,
        (rebase_us, rebase_uncertainty_us): (i64, i64),
    ) -> Welcome {
        let known = self.fold.agents.get(&agent);
        // Once the log has a newer event of this agent, the chief arbiter's confirmation of a loss no longer applies.
        let loss_confirmed = known.is_some_and(|known| known.loss_confirmed == Some(known.seq));
        Welcome {
            major: MAJOR,
            minor: proto::MINOR,
            log_origin: self.fold.origin.clone().unwrap_or_default(),
            acked_seq: acked_seq.0,
            acked_head: if acked_seq.0 == 0 {
                Vec::new()
            } else {
                acked_head.to_vec()
            },
            epoch: self.fold.epoch,
            rebase_us,
            rebase_uncertainty_us,
            // The code that owns the links fills in the key.
            exchange_key: Vec::new(),
            loss_confirmed,
            takes_moves: true,
        }
    }

    fn admit(
        &mut self,
        agent: AgentId,
        hello: &Hello,
        step: &mut OpenStep,
    ) -> Result<(), (GoodbyeReason, String)> {
        if hello.major != MAJOR {
            self.note(step, note::version(agent, hello.major, hello.minor));
            return Err((
                GoodbyeReason::Version,
                format!(
                    "this hub speaks version {MAJOR}.{} of the frame protocol, the clock {}.{}: update the older one",
                    proto::MINOR,
                    hello.major,
                    hello.minor
                ),
            ));
        }
        let Some(known) = self.fold.agents.get(&agent) else {
            let text = format!(
                "clock {} is not enrolled in this event: enrol it with a new code",
                agent.short()
            );
            return Err((GoodbyeReason::NotEnrolled, text));
        };
        if known.revoked {
            let text = format!("clock {} was revoked by the chief arbiter", agent.short());
            return Err((GoodbyeReason::Revoked, text));
        }
        self.one_link_only(agent, hello, step)
    }

    /// Refuses a second live link for one identity. An open link that has gone quiet, or whose session the hello
    /// continues, is replaced instead.
    fn one_link_only(
        &mut self,
        agent: AgentId,
        hello: &Hello,
        step: &mut OpenStep,
    ) -> Result<(), (GoodbyeReason, String)> {
        let continues_session = self.continues_session(agent, hello);
        let Some(session) = self.live.sessions.get_mut(&agent) else {
            return Ok(());
        };
        let Some(open) = session.link else {
            return Ok(());
        };
        let quiet = session
            .last_heard
            .is_none_or(|heard| step.now - heard >= SILENCE);
        if quiet || continues_session {
            session.link = None;
            self.live.links.remove(&open.link);
            step.effect(HubEffect::CloseLink {
                link: open.link,
                reason: GoodbyeReason::AlreadyConnected,
                text: "a newer link of this clock took over".to_owned(),
            });
            return Ok(());
        }
        self.note(step, note::second_link(agent));
        Err((
            GoodbyeReason::AlreadyConnected,
            "a clock with this identity is connected already: identities cannot be shared"
                .to_owned(),
        ))
    }

    /// Returns true if the hello comes from the run of the agent's program that has the open link, or from the next run
    /// with its journal.
    ///
    /// The proof is the token that the open link's program drew at random when it started and wrote into its journal.
    /// In addition, the chain must reach at least as far as the log. A memory card that was copied earlier has a
    /// different token. A copy with the newest token takes over the link; when the original clock then reconnects, it
    /// is refused, and a note reports it.
    fn continues_session(&self, agent: AgentId, hello: &Hello) -> bool {
        let open = self.live.sessions.get(&agent);
        let (Some(open), Some(new), Some(known)) = (
            open.and_then(|session| session.process),
            hello.process,
            self.fold.agents.get(&agent),
        ) else {
            return false;
        };
        let reached = hello.next_seq.0.saturating_sub(1);
        let same_chain = reached > known.seq.0
            || (reached == known.seq.0 && (reached == 0 || hello.head == Some(known.head)));
        continues(&new, &open) && same_chain
    }

    /// Returns the jump that an agent's timeline must make, and its error bound; `None` if no time of the agent is
    /// known.
    ///
    /// The jump always keeps the timeline from going back before anything that the hub has heard. If the machine
    /// restarted with its journal while the board's clock ran, the jump also covers the outage. It is then the proven
    /// hub time since the agent was last heard, less the board time since then. A running clock is thus charged no more
    /// time than has really passed.
    fn rebase(
        &self,
        now: Instant<Hub>,
        agent: AgentId,
        opened: Instant<Hub>,
        hello: &Hello,
        lost: bool,
    ) -> Option<(i64, i64)> {
        let known = self.fold.agents.get(&agent)?;
        let session = self.live.sessions.get(&agent);
        let promised = session.and_then(|session| session.promised);
        let logged = known.at.zip(known.heard);
        let (at, heard, this_run) = match (promised, logged) {
            (Some(promise), Some((at, _))) if promise.at < at => (at, known.heard?, true),
            (Some(promise), _) => (promise.at, promise.heard, true),
            (None, Some((at, heard))) => (at, heard, heard >= self.live.started),
            (None, None) => return None,
        };
        let board_passed = hello.now - at;
        let back = (-board_passed).or_zero();
        let runs = self.fold.kept_by(agent).is_some_and(Board::runs);
        let charged = hello.rebooted && !lost && runs;
        if !charged {
            return Some((back.as_micros(), 0));
        }
        let doubt = if this_run {
            Duration::ZERO
        } else {
            self.live.bound
        };
        let hub_passed = opened - heard - doubt;
        let missed = (hub_passed - board_passed).or_zero();
        let jump = if missed > back { missed } else { back };
        Some((
            jump.as_micros(),
            (now - opened + doubt + doubt).or_zero().as_micros(),
        ))
    }
}

/// Returns true if `new` is a newer link of the same program run as `open`, or the next run with the same journal.
fn continues(new: &Process, open: &Process) -> bool {
    let same = new.token == open.token && new.links > open.links;
    new.token != 0 && open.token != 0 && (same || new.follows == open.token)
}

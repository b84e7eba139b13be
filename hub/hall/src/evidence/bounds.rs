//! Bounds on an event's stamp, from the clock's promises and from facts that the hub knows independently of the clock.
//! Defines the instant in board time at which an event counts. Must not move an event of an honest clock, unless a
//! power cut set its time back.

use proto::ids::AgentId;
use timing::{Board as BoardTime, Duration, Hub, Instant};

use crate::agent::Agent;
use crate::agent_frame::{EventFact, SignedEvent};
use crate::board::{Board, Keeper};
use crate::effect::OpenStep;
use crate::entry::AcceptedTime;
use crate::session::Session;
use crate::{Hall, note};

/// Maximum age of a press when the clock handles it. In that time the clock may already have answered a probe.
const BUTTON_DELAY: Duration = Duration::from_millis(100);

/// Maximum age of an order or a correction when the clock handles it. Its stamp is the instant of arrival, and button
/// presses are handled first.
const ORDER_DELAY: Duration = Duration::from_millis(350);

/// Tolerance when a hub instant is converted to board time, because a crystal may be slightly out of bounds.
const MAPPING_TOLERANCE: Duration = Duration::from_millis(5);

/// An unproven part of a jump raises no note if it is shorter than this.
const MAX_UNNOTED_JUMP: Duration = Duration::from_millis(5);

/// The instant in board time at which an event counts, and the contradiction in its stamp, if there is one.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Judged {
    pub(crate) accepted: AcceptedTime,
    contradicts: Option<Contradicted>,
}

impl Judged {
    fn at(at: Instant<BoardTime>, event: &SignedEvent, contradicts: Option<Contradicted>) -> Self {
        let accepted = AcceptedTime {
            at: (at != event.at).then_some(at),
            charged_to: None,
        };
        Self {
            accepted,
            contradicts,
        }
    }
}

/// A fact known to the hub that contradicts an event's stamp, or the stated length of a jump.
#[derive(Clone, Copy, Debug)]
enum Contradicted {
    /// The event echoes a probe that the hub sent at least this long after the event's stamp.
    Probe(Duration),
    /// The hub issued the order with this number at least this long after the event's stamp.
    Order(u64, Duration),
    /// The hub never issued the order with this number.
    UnknownOrder(u64),
    /// A jump: its reported duration, and the part of it that the hub can prove.
    Jump {
        reported: Duration,
        proven: Duration,
    },
}

impl Hall {
    /// Judges an event's stamp: finds the instant in board time at which the event counts, and any contradiction.
    /// Limits the stamp of an event that can change the clock of a board with one clock. The lower limits are the
    /// clock's promise, the echoed probe (less the possible delay) and the confirmed order; the upper limit is the
    /// arrival. Other events keep their stamps. An honest clock never reaches these limits, unless a power cut set its
    /// time back.
    pub(crate) fn judge_stamp(
        &self,
        agent: AgentId,
        event: &SignedEvent,
        received: Instant<Hub>,
    ) -> Judged {
        let (Some(known), Some(session)) =
            (self.fold.agents.get(&agent), self.live.sessions.get(&agent))
        else {
            return Judged::default();
        };
        if let EventFact::Players(_) = event.fact
            && self.fold.side_of(agent).is_some()
        {
            // Where each side has its own clock, the hub itself places the event on its timeline.
            let (_, contradicts) = self.lower_bound((known, session), event, None);
            return Judged::at(event.at, event, contradicts);
        }
        let served = self.fold.served_by(agent);
        let Some(board) = served.filter(|board| changes_clock(agent, board, event.fact)) else {
            return Judged::default();
        };
        match event.fact {
            EventFact::ZeroTested(_) => Judged::default(),
            EventFact::Rebase { jump_us, .. } => {
                let jump = Duration::from_micros(jump_us).or_zero();
                self.judge_jump((known, session), board, event, jump, received)
            }
            EventFact::Players(_) | EventFact::Correction | EventFact::OrderTaken(_) => {
                self.judge_fact((known, session), board, event, received)
            }
        }
    }

    fn judge_fact(
        &self,
        (known, session): (&Agent, &Session),
        board: &Board,
        event: &SignedEvent,
        received: Instant<Hub>,
    ) -> Judged {
        let adopts = matches!(board.keeper, Keeper::Hub { .. });
        // The settled time is on the hub's own timeline and does not bind the clock that takes over.
        let settled = if adopts {
            Instant::MIN
        } else {
            board.clock().now()
        };
        let number = match event.fact {
            EventFact::OrderTaken(number) => Some(number),
            EventFact::Players(_)
            | EventFact::Rebase { .. }
            | EventFact::ZeroTested(_)
            | EventFact::Correction => None,
        };
        let (bound, contradicts) = self.lower_bound((known, session), event, number);
        if event.at < settled && number.is_none() && !session.floor.set_back {
            // The engine ignores the event, and a note asks the arbiter to review it.
            return Judged::at(event.at, event, contradicts);
        }
        // The promise of a clock whose time was set back may be ahead of its current time. A player must not be charged
        // for time that has not passed, and no time has passed for a clock that takes over.
        let promised = match session.floor.at {
            Some(promised) if !(adopts && session.floor.set_back) => promised,
            Some(_) | None => settled,
        };
        let at = event
            .at
            .max(promised)
            .max(bound)
            .min(session.latest(received))
            .max(settled);
        Judged::at(at, event, contradicts)
    }

    /// Returns the earliest possible board time of an event, regardless of promises, and the contradiction in its
    /// stamp.
    fn lower_bound(
        &self,
        (known, session): (&Agent, &Session),
        event: &SignedEvent,
        number: Option<u64>,
    ) -> (Instant<BoardTime>, Option<Contradicted>) {
        let delay = match event.fact {
            EventFact::Players(_) => BUTTON_DELAY,
            EventFact::OrderTaken(_)
            | EventFact::Correction
            | EventFact::Rebase { .. }
            | EventFact::ZeroTested(_) => ORDER_DELAY,
        };
        let echo = session
            .time_of_echo(event)
            .map_or(Instant::MIN, |echo| echo - delay);
        let order = number.and_then(|number| self.issued_at((known, session), event, number));
        let issued = order.unwrap_or(Instant::MIN);
        let contradicts = match number {
            Some(number) if number >= known.next_order => Some(Contradicted::UnknownOrder(number)),
            Some(number) if event.at < issued && echo <= issued => {
                Some(Contradicted::Order(number, issued - event.at))
            }
            Some(_) | None if event.at < echo => Some(Contradicted::Probe(echo - event.at)),
            Some(_) | None => None,
        };
        (echo.max(issued), contradicts)
    }

    /// Returns the earliest board time at which an order can have been carried out.
    fn issued_at(
        &self,
        (known, session): (&Agent, &Session),
        event: &SignedEvent,
        number: u64,
    ) -> Option<Instant<BoardTime>> {
        let mut orders = known.orders.iter();
        let order = orders.find(|order| order.number == number)?;
        if order.issued == Instant::MIN {
            return None;
        }
        let issued = if order.issued < self.live.started {
            order.issued - self.live.bound
        } else {
            order.issued
        };
        let proven = session.board_time_from(event, issued);
        let logged = || known.board_time_from(issued).filter(|_| !session.lost_jump);
        let at = proven.or_else(logged)?;
        Some(at - MAPPING_TOLERANCE)
    }

    /// Judges a jump of board time. A jump that the hub's welcome specified is charged in full. Any other jump is
    /// charged only up to the time that the hub can prove, unless the unproven part is shorter than
    /// [`MAX_UNNOTED_JUMP`].
    fn judge_jump(
        &self,
        (known, session): (&Agent, &Session),
        board: &Board,
        event: &SignedEvent,
        jump: Duration,
        received: Instant<Hub>,
    ) -> Judged {
        let settled = board.clock().now();
        if event.at < settled && !session.floor.set_back {
            return Judged::default();
        }
        // Bounds from before a jump no longer apply after it.
        let after = session.after_jump(event.seq, jump, received);
        let most = after.map_or(Instant::MAX, |after| after.latest(received));
        let at = event.at.min(most).max(settled);
        let judged = Judged::at(at, event, None);
        if !jump.is_positive() || session.was_given(jump) {
            return judged;
        }
        let before = (at - jump).min(session.latest(received));
        let proven = session.board_time_up_to(event, received).or_else(|| {
            let at = known.board_time_at_least(received)?;
            Some(match known.heard {
                Some(heard) if heard < self.live.started => at - self.live.bound,
                Some(_) | None => at,
            })
        });
        let to = proven.map_or(before, |proven| proven.max(before));
        let to = to.max(settled);
        if at - to < MAX_UNNOTED_JUMP {
            return judged;
        }
        let charged_to = Some(to);
        Judged {
            accepted: AcceptedTime {
                charged_to,
                ..judged.accepted
            },
            contradicts: Some(Contradicted::Jump {
                reported: jump,
                proven: (to - (at - jump)).or_zero(),
            }),
        }
    }

    /// Adds a note if an event's stamp contradicts a probe, an order, or the part of a jump that the hub can prove.
    pub(crate) fn note_contradiction(
        &mut self,
        agent: AgentId,
        event: &SignedEvent,
        judged: Judged,
        step: &mut OpenStep,
    ) {
        let seq = event.seq.0;
        let notice = match judged.contradicts {
            None => return,
            Some(Contradicted::Probe(by)) => note::before_probe(agent, seq, by),
            Some(Contradicted::Order(number, by)) => note::before_order(agent, seq, number, by),
            Some(Contradicted::UnknownOrder(number)) => note::unknown_order(agent, seq, number),
            Some(Contradicted::Jump { reported, proven }) => {
                note::unproven_jump(agent, seq, reported, proven)
            }
        };
        self.note(step, notice);
    }
}

/// Returns true if a fact from this agent can change the board's clock, because the agent keeps its time or takes it
/// over.
fn changes_clock(agent: AgentId, board: &Board, fact: EventFact) -> bool {
    match (board.keeper, fact) {
        (Keeper::Agent(keeper), _) => keeper == agent,
        (Keeper::Hub { adoption }, EventFact::OrderTaken(number)) => {
            board.agent == Some(agent) && adoption == Some(number)
        }
        (Keeper::Hub { .. }, _) => false,
    }
}

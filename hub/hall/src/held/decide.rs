//! Holds commands, and carries out the decisions about them. Also logs uses of the recovery code, and API calls that
//! were made with a key file.

use proto::ids::CommandId;
use proto::log::ChiefRecovered;

use super::size::EventSize;
use super::{
    DecideHeld, DecisionOutcome, HeldCommand, HeldRefusal, HoldRevocation, LogCall,
    MAX_HELD_COMMANDS, MAX_HELD_PER_SENDER,
};
use crate::Hall;
use crate::board_id::BoardId;
use crate::command::Verdict;
use crate::command_record::{CommandKind, CommandRecord};
use crate::effect::{HubEffect, OpenStep};
use crate::entry::{Entry, EventEntry, HeldDecision, HeldEntry, HeldPart};
use crate::fold::held::{Held, HeldSubject};
use crate::outcome::{Denied, Outcome};
use crate::refusal::{Refusal, Why};
use crate::request::{Action, Actor, Request, RequestDigest, Role, is_same_person};
use crate::tournament::TournamentRequest;

impl Hall {
    pub fn set_second_arbiter_limits(&mut self, limits: super::SecondArbiterLimits) {
        self.live.second = limits;
    }

    /// Returns the held commands, oldest first.
    pub fn held(&self) -> Vec<HeldCommand> {
        let waiting = self.fold.held.waiting.iter();
        waiting.map(|held| held.command.clone()).collect()
    }

    /// Returns the refusal that answers a repeated request whose command is held.
    ///
    /// # Errors
    /// Returns [`Denied::Invalid`] if the id belongs to a different request.
    pub(crate) fn held_already(
        &self,
        id: &CommandId,
        digest: RequestDigest,
    ) -> Result<Option<Refusal>, Denied> {
        match self.fold.held.get(id) {
            Some(held) if held.digest != digest => Err(Denied::Invalid(format!(
                "the id {id} belongs to a different request: make a new id for each request"
            ))),
            Some(_) => Ok(Some(HeldRefusal::SecondNeeded.into())),
            None => Ok(None),
        }
    }

    /// Holds a command for a board, and returns the refusal that answers the request.
    pub(crate) fn hold_command(
        &mut self,
        request: Request,
        board: Option<BoardId>,
        kind: CommandKind,
        step: &mut OpenStep,
    ) -> Result<Refusal, Denied> {
        let chief = request.actor.role == Role::Chief;
        let record = request.into_record(kind, None);
        let sender = record.actor.clone();
        let part = HeldPart::Command(record.into());
        self.hold(&sender, board, vec![HeldEntry { chief, part }], step)
    }

    /// Holds changes to the event, and returns the refusal that answers the request.
    pub(crate) fn hold_event(
        &mut self,
        request: &TournamentRequest,
        entries: Vec<EventEntry>,
        size: &EventSize,
        step: &mut OpenStep,
    ) -> Result<Refusal, Denied> {
        let (seen, newest) = (request.seen, self.fold.event.version);
        // A confirmation must not remove pairings that the sender has not seen.
        let (replaces, removes, seen) = match size {
            EventSize::Replaces => (self.fold.event.number.0, 0, seen),
            EventSize::Removes(games) => (0, *games, Some(seen.unwrap_or(newest).min(newest))),
        };
        let held = entries.into_iter().map(|entry| HeldEntry {
            // Only chief arbiters remove pairings or replace the event.
            chief: true,
            part: HeldPart::Event {
                entry: Box::new(entry),
                seen,
                replaces,
                removes,
            },
        });
        self.hold(&request.actor.name, None, held.collect(), step)
    }

    pub(crate) fn on_hold_revocation(
        &mut self,
        request: HoldRevocation,
        step: &mut OpenStep,
    ) -> Result<Refusal, Denied> {
        let mut waiting = self.fold.held.waiting.iter();
        let same = waiting.any(|held| match &held.what {
            HeldSubject::Revocation(other) => other.device == request.device,
            HeldSubject::Command(_) | HeldSubject::Event { .. } => false,
        });
        if same {
            return Ok(HeldRefusal::SecondNeeded.into());
        }
        let sender = request.actor.name.clone();
        let entry = HeldEntry {
            chief: true,
            part: HeldPart::Revocation(request),
        };
        self.hold(&sender, None, vec![entry], step)
    }

    fn hold(
        &mut self,
        sender: &str,
        board: Option<BoardId>,
        entries: Vec<HeldEntry>,
        step: &mut OpenStep,
    ) -> Result<Refusal, Denied> {
        let waiting = &self.fold.held.waiting;
        let of_sender = waiting
            .iter()
            .filter(|held| is_same_person(&held.command.actor.name, sender));
        if waiting.len() >= MAX_HELD_COMMANDS || of_sender.count() >= MAX_HELD_PER_SENDER {
            return Ok(HeldRefusal::TooMany.into());
        }
        for entry in entries {
            self.log(board.clone(), Entry::Held(Box::new(entry)), step)?;
        }
        Ok(HeldRefusal::SecondNeeded.into())
    }

    pub(crate) fn on_decide_held(
        &mut self,
        decision: &DecideHeld,
        step: &mut OpenStep,
    ) -> Result<DecisionOutcome, Denied> {
        let DecideHeld { id, actor, confirm } = decision;
        if !decides(actor.role) {
            return Err(Denied::Forbidden(Why::Viewer.into()));
        }
        let held = self.fold.held.get(id).cloned();
        let held = held.ok_or_else(|| Denied::NotFound(HeldRefusal::NotHeld(*id).into()))?;
        if !held.may_decide(actor, *confirm) {
            let by = actor.name.clone();
            return Err(Denied::Forbidden(HeldRefusal::IsSender { by }.into()));
        }
        let entry = Entry::HeldDecided(HeldDecision {
            id: *id,
            actor: actor.name.clone(),
            confirmed: *confirm,
        });
        self.log(held.command.board.clone(), entry, step)?;
        if !confirm {
            return Ok(DecisionOutcome::default());
        }
        self.carry_out_held(held, step)
    }

    fn carry_out_held(
        &mut self,
        held: Held,
        step: &mut OpenStep,
    ) -> Result<DecisionOutcome, Denied> {
        let id = held.command.id;
        match held.what {
            HeldSubject::Command(record) => {
                let HeldCommand { actor, board, .. } = held.command;
                if let Some(request) = again(&record, actor, board) {
                    self.carry_out_command(request, step)?;
                }
            }
            HeldSubject::Event {
                mut request,
                replaces,
            } => {
                let event = &self.fold.event;
                if let Some(present) = event.tournament.as_ref()
                    && event.number == replaces
                {
                    request.purpose.sets_aside(&present.event().name);
                }
                self.carry_tournament_request(*request, false, step)?;
            }
            HeldSubject::Revocation(revocation) => {
                return Ok(DecisionOutcome {
                    revocation: Some(revocation),
                    ..DecisionOutcome::default()
                });
            }
        }
        let outcome = self.fold.answers.get(&id).map(|kept| kept.outcome.clone());
        Ok(match outcome {
            Some(Outcome::Refused(why)) => DecisionOutcome {
                refusal: Some(why),
                ..DecisionOutcome::default()
            },
            Some(Outcome::Pending) => DecisionOutcome {
                pending: true,
                ..DecisionOutcome::default()
            },
            Some(Outcome::Done | Outcome::Withdrawn) | None => DecisionOutcome::default(),
        })
    }

    fn carry_out_command(&mut self, request: Request, step: &mut OpenStep) -> Result<(), Denied> {
        let verdict = self.judge(&request, step).or_else(|denied| {
            // The command is no longer held, so its sender needs an outcome even after a denial, for example because
            // the board was removed.
            let why = denied.into_refusal()?;
            Ok::<_, Denied>(Verdict::Refuse(request.board.clone(), why))
        })?;
        match verdict {
            Verdict::Accept(board, kind) => self.accept(request, board, kind, step),
            Verdict::Refuse(board, why) => {
                self.accept(request, board, CommandKind::Refused(why), step)
            }
            Verdict::Now(_) | Verdict::About(_) => Ok(()),
        }
    }

    /// Logs the use of the recovery code, and declines the held commands of chief arbiters, because the code revokes
    /// their devices.
    pub(crate) fn on_recover(
        &mut self,
        recovery: ChiefRecovered,
        step: &mut OpenStep,
    ) -> Result<(), Denied> {
        let chiefs = self.fold.held.waiting.iter().map(|held| &held.command);
        let chiefs = chiefs.filter(|command| command.actor.role == Role::Chief);
        let declined: Vec<_> = chiefs
            .map(|command| {
                let decision = HeldDecision {
                    id: command.id,
                    actor: "recovery code".to_owned(),
                    confirmed: false,
                };
                (command.board.clone(), Entry::HeldDecided(decision))
            })
            .collect();
        let recovered = (None, Entry::ChiefRecovered(recovery));
        for (board, entry) in [recovered].into_iter().chain(declined) {
            self.log(board, entry, step)
                .map_err(|error| Denied::Unavailable(error.to_string()))?;
        }
        Ok(())
    }

    pub(crate) fn on_log_call(&mut self, call: LogCall, step: &mut OpenStep) -> Result<(), Denied> {
        Ok(self.log(None, Entry::Called(call.0), step)?)
    }

    pub(crate) fn publish_held(&self, step: &mut OpenStep) {
        step.effect(HubEffect::Held(self.held()));
    }
}

/// Returns the request of a held command for a board; `None` if the record is neither a ruling nor a clock command.
fn again(record: &CommandRecord, actor: Actor, board: Option<BoardId>) -> Option<Request> {
    let action = if let CommandKind::Ruling(ruling) = &record.kind {
        Action::Rule(Box::new(ruling.request.clone()))
    } else {
        Action::Board(record.clock_command()?.clone())
    };
    Some(Request {
        id: record.id,
        actor,
        board,
        seen_seq: record.seen_seq,
        reason: record.reason.clone(),
        offence: record.offence,
        action,
        digest: record.digest,
    })
}

fn decides(role: Role) -> bool {
    match role {
        Role::Floor | Role::Chief | Role::Hub => true,
        Role::Viewer => false,
    }
}

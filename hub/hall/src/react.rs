//! The consequences of a new record beyond the fold: answers, orders, notes, views.

use proto::ids::{AgentId, CommandId, EventSeq};
use proto::wire::GoodbyeReason;
use timing::{Command, Duration, Effect, Effects, Fact, Hub, Ignored, Instant, Side};

use super::agent_frame::EventFact;
use super::board::{Board, Keeper};
use super::board_id::BoardId;
use super::command_record::CommandKind;
use super::effect::{Count, HubEffect, OpenStep};
use super::entry::{Entry, Logged};
use super::fold::{Applied, FoldOutcome};
use super::hall::Handover;
use super::{Hall, note};

impl Hall {
    pub(crate) fn react(&mut self, logged: &Logged, applied: Applied, step: &mut OpenStep) {
        for board in &applied.boards {
            self.touch(board);
        }
        if let Entry::AgentRevoked { agent, .. } = &logged.entry {
            self.shut_out(*agent, step);
        }
        let followed: Vec<BoardId> = applied.followed().cloned().collect();
        for outcome in applied.outcomes {
            match outcome {
                FoldOutcome::Answered(id) => self.on_answered(&id, step),
                FoldOutcome::Ordered(agent) => self.send_orders(agent, step),
                FoldOutcome::Engine(board, effects) => {
                    self.on_effects(&board, logged, &effects, step);
                    let followed = followed.contains(&board);
                    self.report_effects(&board, &effects, followed, logged, step);
                }
                FoldOutcome::Faulted(board, what) => {
                    self.note(step, note::faulted(&board, &what));
                }
                FoldOutcome::Late(board, fact, seq) => {
                    self.on_late(board.as_ref(), logged, fact, seq, step);
                }
                FoldOutcome::Adopted { board, charged } => {
                    self.on_adopted(&board, charged, logged, step);
                    self.on_followed(&board, false, step);
                }
                FoldOutcome::Corrected(board, correction, what) => {
                    self.on_corrected(board.as_ref(), logged, &correction, &what, step);
                }
                FoldOutcome::WithdrawnButCarriedOut(board, text) => {
                    self.note(step, note::withdrawn_yet_taken(&board, &text));
                }
                FoldOutcome::Followed(board) => self.on_followed(&board, true, step),
                FoldOutcome::TournamentChanged(changes) => {
                    self.publish_tournament(step);
                    self.on_tournament_changed(&changes, logged, step);
                }
                FoldOutcome::TournamentReplaced(lifted) => {
                    self.publish_tournament(step);
                    self.on_tournament_replaced(&lifted, logged, step);
                }
                FoldOutcome::ZeroTest(board, command) => {
                    self.begin_zero_test(&board, command, step);
                }
                FoldOutcome::FloorArranged => self.publish_floor(step),
                FoldOutcome::HeldChanged => self.publish_held(step),
                FoldOutcome::FactIgnored => step.effect(HubEffect::Count(Count::PressIgnored)),
                FoldOutcome::Straddled(board, text) => {
                    self.note(step, note::straddle(&board, text));
                }
                FoldOutcome::Removed(board) => self.on_removed(&board, step),
                FoldOutcome::Named(board) => self.send_labels_of(&board, step),
            }
        }
    }

    fn shut_out(&mut self, agent: AgentId, step: &mut OpenStep) {
        if let Some(link) = self.link_of(agent) {
            let text = "this clock was revoked by the chief arbiter".to_owned();
            self.close_link(link, GoodbyeReason::Revoked, text, step);
        }
    }

    /// Handles the engine's effects: updates counts, sums and the day of Time Chess. Adds notes about late presses and
    /// about presses without a move.
    fn on_effects(
        &mut self,
        board: &BoardId,
        logged: &Logged,
        effects: &Effects,
        step: &mut OpenStep,
    ) {
        let now = step.now;
        self.keep_tally(board, logged, effects);
        self.sum_up(board, effects, step);
        for effect in effects.iter() {
            if let Effect::FlagFell { .. } = effect {
                step.effect(HubEffect::Count(Count::Flag));
            } else if let Effect::MoveCompleted { side, .. } = effect {
                self.note_stray_press(board, *side, step);
                self.tell_day(board, step);
            } else if let Effect::Restored = effect {
                self.tell_day(board, step);
            }
        }
        let Entry::AgentEvent {
            agent,
            event,
            placed,
            accepted: _,
        } = &logged.entry
        else {
            return;
        };
        for effect in effects.iter() {
            if let Effect::MoveCompleted { .. } = effect {
                let session = self.live.sessions.get(agent);
                let mapped = session.and_then(|session| session.estimate.to_hub(event.at));
                let est = placed.map(|placed| placed.est);
                let est = est.or(mapped.map(|mapped| mapped.est));
                let at = est.map_or(now, |est| est.min(now));
                step.effect(HubEffect::Count(Count::Press { at }));
            } else if let Effect::PressIgnored { .. } = effect {
                step.effect(HubEffect::Count(Count::PressIgnored));
            }
        }
        let is_late = |effect: &Effect| matches!(effect, Effect::PressIgnored { why, .. } if *why == Ignored::Late);
        if effects.iter().any(is_late) {
            self.note(step, note::too_late(board, *agent, event.seq.0));
        }
    }

    fn note_stray_press(&mut self, board: &BoardId, side: Side, step: &mut OpenStep) {
        let game = self.fold.boards.get(board);
        let stray = game.and_then(|board| board.time_chess.as_ref()?.stray());
        if stray == Some(side) {
            self.note(step, note::press_without_move(board, side));
        }
    }

    fn tell_day(&mut self, board: &BoardId, step: &mut OpenStep) {
        let known = self.fold.boards.get(board);
        if known.is_some_and(|known| known.time_chess.is_some()) {
            self.send_labels_of(board, step);
        }
    }

    fn send_labels_of(&mut self, board: &BoardId, step: &mut OpenStep) {
        let board = self.fold.boards.get(board).into_iter();
        let agents: Vec<AgentId> = board.flat_map(Board::agents).collect();
        for agent in agents {
            self.send_labels(agent, step);
        }
    }

    fn on_late(
        &mut self,
        board: Option<&BoardId>,
        logged: &Logged,
        fact: EventFact,
        seq: EventSeq,
        step: &mut OpenStep,
    ) {
        let Entry::AgentEvent { agent, .. } = &logged.entry else {
            return;
        };
        let what = match fact {
            EventFact::Players(Fact::Pressed(button)) => format!("a press of the {button} button"),
            EventFact::Players(Fact::Stopped) => "a stop by the players".to_owned(),
            EventFact::OrderTaken(_)
            | EventFact::Rebase { .. }
            | EventFact::ZeroTested(_)
            | EventFact::Correction => {
                return;
            }
        };
        self.note(step, note::late(board, *agent, &what, seq.0));
    }

    /// Follows up after an agent has taken over a board. The time that passed on a running clock is charged once it is
    /// known. That time belongs to no move, so a new sum check begins, even if the same clock takes its board over
    /// again.
    fn on_adopted(
        &mut self,
        board: &BoardId,
        charged: Option<Instant<Hub>>,
        logged: &Logged,
        step: &mut OpenStep,
    ) {
        let Entry::AgentEvent {
            agent,
            event,
            accepted,
            ..
        } = &logged.entry
        else {
            return;
        };
        self.live.sums.remove(board);
        self.send_labels(*agent, step);
        if let Some(charged) = charged {
            let handover = Handover {
                agent: *agent,
                charged,
                taken: accepted.at.unwrap_or(event.at),
            };
            self.live.handovers.insert(board.clone(), handover);
            self.charge_handover(*agent, step);
        }
    }

    /// Charges the side to move for the time proven to have passed between the hub's last charge and the agent's takeover.
    pub(crate) fn charge_handover(&mut self, agent: AgentId, step: &mut OpenStep) {
        /// Minimum time to charge; a press itself takes about as long.
        const NOTICEABLE: Duration = Duration::from_millis(10);
        let Some(board_id) = self.board_of(agent) else {
            return;
        };
        let Some(handover) = self.live.handovers.get(&board_id).copied() else {
            return;
        };
        let session = self.live.sessions.get(&agent);
        let lower = session.and_then(|session| session.estimate.to_hub(handover.taken));
        let Some(lower) = lower.filter(|_| handover.agent == agent) else {
            return;
        };
        self.live.handovers.remove(&board_id);
        let elapsed = (lower.lo - handover.charged).or_zero();
        let Some(board) = self.fold.boards.get(&board_id) else {
            return;
        };
        let Some(side) = board.clock().state().running() else {
            return;
        };
        if elapsed < NOTICEABLE || board.keeper != Keeper::Agent(agent) {
            return;
        }
        self.charge(&board_id, side, elapsed, step);
    }

    fn charge(&mut self, board_id: &BoardId, side: Side, elapsed: Duration, step: &mut OpenStep) {
        let command = Command::Add { side, by: -elapsed };
        let clock = self.fold.boards.get(board_id).map(Board::clock);
        if let Some(Err(refusal)) = clock.map(|clock| clock.check(clock.now(), &command)) {
            let why = refusal.to_string();
            let notice = note::handover_not_charged(board_id, elapsed.as_micros(), &why);
            self.note(step, notice);
            return;
        }
        // Cannot fail: the board exists and has a clock.
        let reason = "at least this much time passed while the board changed clocks";
        let _ = self.hub_command(board_id, reason, CommandKind::Board(command), step);
    }

    fn on_removed(&mut self, board: &BoardId, step: &mut OpenStep) {
        self.live.touched.remove(board);
        self.live.published.remove(board);
        self.live.watch.games.remove(board);
        self.live.flags.remove(board);
        self.plan_default_time(step.now, board);
        self.live.handovers.remove(board);
        self.live.sums.remove(board);
        self.live.accounts.remove(board);
        step.effect(HubEffect::BoardRemoved {
            board: board.clone(),
        });
    }

    fn on_answered(&mut self, id: &CommandId, step: &mut OpenStep) {
        if self.live.zero_tests.is_under_way(id) {
            // Another clock of the board has not finished the test yet.
            return;
        }
        self.answer_waiting(id, step);
    }
}

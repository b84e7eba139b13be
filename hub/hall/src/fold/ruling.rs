//! Rulings, moves and rule sets in the fold.

use std::sync::Arc;

use proto::log::MovesEntered;
use proto::refusal::ChangeKind;
use tournament::{Event, Tournament};

use super::{Applied, Fold, FoldOutcome, RecordConflict};
use crate::board::Board;
use crate::board_id::BoardId;
use crate::changes::Change;
use crate::command_record::CommandRecord;
use crate::outcome::Outcome;
use crate::refusal::Why;
use crate::ruling::{Ruling, RulingRefusal};
use crate::told;

impl Board {
    /// Judges an accepted ruling again and enters it in the proceedings.
    fn enter_ruling(
        &mut self,
        record: &CommandRecord,
        ruling: &Ruling,
    ) -> Result<(), RulingRefusal> {
        let offences = self.offences.for_laws();
        let before = self.rulings.proceedings(self.clock(), offences.clone())?;
        let (after, _) = self
            .rulings
            .judge(self.clock(), offences, ruling.at, &ruling.request)?;
        let Self { rulings, play, .. } = self;
        rulings.enter(record.id, before, after);
        rulings.follow_rules(play.clock.time_control());
        Ok(())
    }
}

impl Fold {
    pub(super) fn ruling(
        &mut self,
        id: &BoardId,
        record: &Arc<CommandRecord>,
        ruling: &Ruling,
        applied: &mut Applied,
    ) -> Result<Outcome, RecordConflict> {
        let board = self.board_mut(id)?;
        match board.enter_ruling(record, ruling) {
            Ok(()) => (),
            // In a replay of one game, which may be hypothetical, the ruling keeps its effect on the clock even if
            // refused.
            Err(_) if board.tap.is_some() => (),
            Err(why) => return Err(RecordConflict::Refused(Why::from(why).into())),
        }
        if let Some(command) = &ruling.command {
            return self.board_command(id, record, command, applied);
        }
        let text = format!("{} by {}", ruling.request, record.actor);
        let ruled = told::told(Some(applied.hub), &record.actor, ChangeKind::Ruled, text);
        board.changes.decide(ruled);
        applied.show(id);
        Ok(Outcome::Done)
    }

    pub(super) fn moves(
        &mut self,
        id: &BoardId,
        entered: &MovesEntered,
        applied: &mut Applied,
    ) -> Result<(), RecordConflict> {
        let board = self.board_mut(id)?;
        let clock = board.play.clock.clone();
        board
            .rulings
            .enter_moves(&clock, entered)
            .map_err(|why| RecordConflict::Refused(Why::from(why).into()))?;
        board.changes.push(Change::Label);
        applied.show(id);
        Ok(())
    }

    pub(super) fn follow_rules(&mut self, id: &BoardId, applied: &mut Applied) {
        let Some(board) = self.boards.get_mut(id) else {
            return;
        };
        let event = self.event.tournament.as_deref();
        if follow(board, event.map(Tournament::event)) {
            applied.show(id);
            applied.add(FoldOutcome::Named(id.clone()));
        }
    }

    pub(super) fn follow_all_rules(&mut self, applied: &mut Applied) {
        let boards: Vec<BoardId> = self.boards.keys().cloned().collect();
        for id in &boards {
            self.follow_rules(id, applied);
        }
    }

    /// Replaces the event with one that has only this data and no rounds. Gives every board the rule set that the event
    /// prescribes for its round. `None` removes the event.
    pub(crate) fn follow_event_rules(&mut self, event: Option<&Event>) {
        for board in self.boards.values_mut() {
            follow(board, event);
        }
        let event = event.map(|event| Arc::new(Tournament::new(event.clone())));
        self.event.tournament = event;
    }

    pub(super) fn choose_rules(
        &mut self,
        id: &BoardId,
        rules: &'static laws::RuleSet,
        actor: &str,
        applied: &mut Applied,
    ) -> Result<(), RecordConflict> {
        let board = self.board_mut(id)?;
        let Board { rulings, play, .. } = board;
        rulings.choose(rules, play.clock.time_control());
        board.settle_variant();
        let text = format!("{} chosen by {actor}", rules.title);
        let chosen = told::told(Some(applied.hub), actor, ChangeKind::RulesChosen, text);
        board.changes.decide(chosen);
        applied.show(id);
        applied.add(FoldOutcome::Named(id.clone()));
        Ok(())
    }
}

/// Gives a board the rule set of its round in the event. Returns true if that changes the board's rules.
fn follow(board: &mut Board, event: Option<&Event>) -> bool {
    let key = event.map_or("", |event| event.rules_in(board.seat.round));
    let Board { rulings, play, .. } = board;
    let is_new = rulings.follow(laws::RuleSet::find(key), play.clock.time_control());
    if is_new {
        board.settle_variant();
    }
    is_new
}

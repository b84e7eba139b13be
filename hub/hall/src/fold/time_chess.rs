//! Time Chess in the fold: the players' actions, the rule for the press, and the start and end of a board's Time Chess
//! game.

use laws::GameKind;
use proto::refusal::ChangeKind;
use timing::{ClockStep, Effect, Fact, Instant, Side};

use super::{Applied, Fold, RecordConflict};
use crate::board::Board;
use crate::board_id::BoardId;
use crate::changes::Change;
use crate::command_record::{CommandKind, CommandRecord};
use crate::play::GameStep;
use crate::refusal::Why;
use crate::ruling::RulingRefusal;
use crate::time_chess::{PlayerAct, PressRule, TimeChess};
use crate::told;

impl Board {
    pub(crate) fn has_time_chess_rules(&self) -> bool {
        let rules = self.rulings.rules(self.clock().time_control());
        rules.is_ok_and(|rules| rules.game == GameKind::TimeChess)
    }

    /// Adds or removes the Time Chess game of a prepared board, according to the board's rules. Does not change a board
    /// whose game has begun.
    pub(crate) fn settle_variant(&mut self) {
        if self.clock().state() != timing::BoardState::Ready {
            return;
        }
        match (self.has_time_chess_rules(), &self.time_chess) {
            (true, None) => self.time_chess = Some(Box::new(TimeChess::default())),
            (false, Some(_)) => self.time_chess = None,
            (true, Some(_)) | (false, None) => (),
        }
    }

    pub(crate) fn follow_time_chess(&mut self, effect: &Effect) {
        let Self {
            time_chess, play, ..
        } = self;
        let Some(game) = time_chess else {
            return;
        };
        if let Effect::MoveCompleted { side, moves } = effect {
            game.on_press(*side, *moves);
        } else if let Effect::Ended { result: None } = effect {
            game.on_reopened();
        } else if let Effect::Restored = effect {
            game.on_restored(&play.clock);
        }
    }

    /// Returns true if the hub itself is the board's clock: the players press on their pages, or by their moves.
    pub(crate) fn is_hub_clock(&self) -> bool {
        self.time_chess.is_some()
            && self.press_rule != PressRule::Clock
            && self.agents().next().is_none()
    }
}

impl Fold {
    pub(super) fn time_chess_command(
        &mut self,
        id: &BoardId,
        record: &CommandRecord,
        applied: &mut Applied,
    ) -> Result<(), RecordConflict> {
        if let CommandKind::Player(side, act) = record.kind {
            return self.player_act(id, record, side, act, applied);
        }
        if let CommandKind::PressRule(rule) = record.kind {
            return self.choose_press(id, rule, &record.actor, applied);
        }
        Ok(())
    }

    fn player_act(
        &mut self,
        id: &BoardId,
        record: &CommandRecord,
        side: Side,
        act: PlayerAct,
        applied: &mut Applied,
    ) -> Result<(), RecordConflict> {
        let board = self.board_mut(id)?;
        let Some(game) = &mut board.time_chess else {
            return Err(RecordConflict::NoTimeChess(id.clone()));
        };
        game.act(side, act).map_err(RecordConflict::Player)?;
        let is_over = game.outcome().is_some();
        board.changes.push(Change::Label);
        applied.show(id);
        let by_move = matches!(act, PlayerAct::Move(_)) && board.press_rule == PressRule::Move;
        if (by_move || act == PlayerAct::Press) && !is_over && board.is_hub_clock() {
            let at = Instant::from_micros(applied.hub.as_micros()).max(board.clock().now());
            let button = board.clock().button_of(side);
            let step = GameStep {
                event: None,
                command: Some(record.id),
                hub: applied.hub,
                step: ClockStep::Fact {
                    at,
                    fact: Fact::Pressed(button),
                    rules: applied.rules,
                },
            };
            let stepped = board.step(step, None);
            // Facts are never refused.
            let _ = applied.stepped(id, stepped);
        }
        Ok(())
    }

    fn choose_press(
        &mut self,
        id: &BoardId,
        rule: PressRule,
        actor: &str,
        applied: &mut Applied,
    ) -> Result<(), RecordConflict> {
        let board = self.board_mut(id)?;
        if rule != PressRule::Clock && board.agents().next().is_some() {
            let why = RulingRefusal::ServedByClock(id.clone());
            return Err(RecordConflict::Refused(Why::from(why).into()));
        }
        board.press_rule = rule;
        let text = format!("a turn ends with the {rule}, chosen by {actor}");
        let chosen = told::told(Some(applied.hub), actor, ChangeKind::RulesChosen, text);
        board.changes.decide(chosen);
        applied.show(id);
        Ok(())
    }
}

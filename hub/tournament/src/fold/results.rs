//! The progress of each board and its result, forfeited matches, and the confirmation of rounds.

use std::sync::Arc;

use super::Tournament;
use crate::{
    Actor, Board, BoardNo, BoardPhase, Change, Conflict, Correction, GameResult, InvalidResult,
    MatchNo, ProposalReason, Refusal, RoundNo, RoundPhase, Scope, Side,
};

impl Tournament {
    pub(super) fn preset(&mut self, round: RoundNo, board: BoardNo) -> Result<(), Refusal> {
        let at = self.open_board(round, board)?;
        if at.phase > BoardPhase::Preset {
            return Err(Conflict::AlreadyBegun(board).into());
        }
        at.advance_to(BoardPhase::Preset);
        Ok(())
    }

    /// Sets each preset board back to the paired phase, unless `is_set` returns true for the board.
    pub fn unset_clocks(&mut self, is_set: impl Fn(RoundNo, BoardNo, &Board) -> bool) {
        for (round, paired) in &mut self.rounds {
            for (no, board) in &mut Arc::make_mut(paired).boards {
                if board.reached == BoardPhase::Preset && !is_set(*round, *no, board) {
                    board.reached = BoardPhase::Paired;
                    if board.phase == BoardPhase::Preset {
                        board.phase = BoardPhase::Paired;
                    }
                }
            }
        }
    }

    pub(super) fn start(&mut self, round: RoundNo, scope: &Scope) -> Result<(), Refusal> {
        let (from, to) = match scope {
            Scope::All => (BoardNo(0), BoardNo(u16::MAX)),
            Scope::Board(board) => (*board, *board),
            Scope::Sector(name) => {
                let sector = self.event.sectors.get(name);
                let sector = sector.ok_or_else(|| Refusal::NoSector(name.clone()))?;
                (sector.from, sector.to)
            }
        };
        if let Scope::Board(board) = scope {
            self.open_board(round, *board)?;
        }
        if from > to {
            return Ok(());
        }
        for (_, board) in self.open_round(round)?.boards.range_mut(from..=to) {
            // Starting several boards skips the finished ones. Starting a single board does not: its clock may have
            // started although it already has a result.
            if board.phase < BoardPhase::Finished || matches!(scope, Scope::Board(_)) {
                board.advance_to(BoardPhase::Started);
            }
        }
        Ok(())
    }

    pub(super) fn first_press(&mut self, round: RoundNo, board: BoardNo) -> Result<(), Refusal> {
        let at = self.open_board(round, board)?;
        at.advance_to(BoardPhase::Running);
        Ok(())
    }

    pub(super) fn propose(
        &mut self,
        round: RoundNo,
        board: BoardNo,
        result: GameResult,
        why: ProposalReason,
    ) -> Result<(), Refusal> {
        self.check_result(round, board, result)?;
        if result.awards_extra_points() {
            return Err(InvalidResult::WinWithoutLoss.into());
        }
        let at = self.open_board(round, board)?;
        if at.result.is_some_and(GameResult::is_final) {
            return Err(Conflict::HasResult(board).into());
        }
        at.proposed = Some((result, why));
        Ok(())
    }

    pub(super) fn enter_result(
        &mut self,
        actor: &Actor,
        round: RoundNo,
        board: BoardNo,
        result: Option<GameResult>,
        reason: String,
    ) -> Result<(), Refusal> {
        if let Some(result) = result {
            self.check_result(round, board, result)?;
            if result.awards_extra_points() && reason.trim().is_empty() {
                return Err(InvalidResult::WinWithoutLoss.into());
            }
        }
        let at = self.open_board(round, board)?;
        let before = at.result;
        if before == result {
            return Ok(());
        }
        // Finishing an adjourned game needs no reason; any other change to a result does.
        let needs_reason = before.is_some_and(GameResult::is_final) || result.is_none();
        if needs_reason && reason.trim().is_empty() {
            return Err(Refusal::ReasonMissing);
        }
        if before.is_some() {
            at.corrections.push(Correction {
                from: before,
                to: result,
                by: actor.clone(),
                reason,
                imported: false,
            });
        }
        at.result = result;
        at.proposed = None;
        at.phase = match result {
            Some(GameResult::Played { .. } | GameResult::Forfeit { .. }) => BoardPhase::Finished,
            Some(GameResult::Adjourned) | None => at.reached,
        };
        Ok(())
    }

    /// Applies one change of an imported file. A changed result is recorded as imported, not as an arbiter's correction.
    ///
    /// # Errors
    /// Returns the reason for the refusal; the event is then unchanged.
    pub fn apply_imported(&mut self, actor: &Actor, change: Change) -> Result<(), Refusal> {
        let Change::Enter(round, board, ..) = change else {
            return self.apply(actor, change);
        };
        let paired = self.rounds.get(&round);
        let at = paired.and_then(|paired| paired.boards.get(&board));
        let before = at.map_or(0, |at| at.corrections.len());
        self.apply(actor, change)?;
        let corrections = &mut self.open_board(round, board)?.corrections;
        for correction in corrections.iter_mut().skip(before) {
            correction.imported = true;
        }
        Ok(())
    }

    /// Checks that the event's game allows the result, and that a side without a player can only lose by forfeit.
    fn check_result(
        &self,
        round: RoundNo,
        board: BoardNo,
        result: GameResult,
    ) -> Result<(), Refusal> {
        if let Some(fault) = result.fault(self.event.game) {
            return Err(fault.into());
        }
        let paired = self.rounds.get(&round).ok_or(Refusal::NoRound(round))?;
        let at = paired.boards.get(&board);
        let at = at.ok_or(Refusal::NoBoard(round, board))?;
        let mut sides = Side::BOTH.into_iter();
        let Some(empty) = sides.find(|side| at.player(*side).is_none()) else {
            return Ok(());
        };
        match result {
            GameResult::Forfeit { winner } if winner != Some(empty) => Ok(()),
            GameResult::Forfeit { .. } | GameResult::Played { .. } | GameResult::Adjourned => {
                Err(InvalidResult::SideEmpty(board, empty).into())
            }
        }
    }

    pub(super) fn forfeit_match(
        &mut self,
        round: RoundNo,
        no: MatchNo,
        forfeit: Option<Option<Side>>,
    ) -> Result<(), Refusal> {
        let paired = self.open_round(round)?.matches.get_mut(&no);
        paired.ok_or(Refusal::NoMatch(round, no))?.forfeit = forfeit;
        Ok(())
    }

    pub(super) fn confirm(&mut self, actor: &Actor, round: RoundNo) -> Result<(), Refusal> {
        let paired = self.open_round(round)?;
        if paired.phase() != RoundPhase::Finished {
            let mut boards = paired.boards.iter();
            let open = boards.find(|(_, board)| board.phase != BoardPhase::Finished);
            let open = open.map(|(no, _)| *no);
            return Err(Conflict::RoundOpen { round, open }.into());
        }
        paired.confirmed = Some(actor.clone());
        Ok(())
    }

    pub(super) fn reopen(&mut self, round: RoundNo, reason: &str) -> Result<(), Refusal> {
        let paired = self.rounds.get_mut(&round).ok_or(Refusal::NoRound(round))?;
        let paired = Arc::make_mut(paired);
        if paired.confirmed.is_none() {
            return Err(Conflict::NotConfirmed(round).into());
        }
        if reason.trim().is_empty() {
            return Err(Refusal::ReasonMissing);
        }
        paired.confirmed = None;
        Ok(())
    }
}

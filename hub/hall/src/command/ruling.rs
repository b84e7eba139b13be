//! Judges requests under the Laws (claims, decisions and reports), entered moves, and changes of the rule set. The fold
//! applies what is accepted.

use laws::effect_of;
use timing::{Hub, Instant};

use super::{Verdict, clock_for};
use crate::Hall;
use crate::board::Board;
use crate::board_id::BoardId;
use crate::changes::DependsOn;
use crate::command_record::CommandKind;
use crate::effect::OpenStep;

use crate::outcome::Denied;
use crate::refusal::{Refusal, Why};
use crate::request::Request;
use crate::roster::stale;
use crate::ruling::{MAX_ENTERED, Ruling, RulingRefusal};
use crate::rulings::BoardProceedings;

impl Hall {
    /// Returns the rule set, the moves and the claims of a board's game; `None` if there is no such board or no rule
    /// set for it.
    pub fn proceedings(&self, board: &str, now: Instant<Hub>) -> Option<BoardProceedings> {
        let board = self.fold.boards.get(board)?;
        let clock = board.clock();
        let offences = board.offences.for_laws();
        Some(BoardProceedings {
            seq: board.changes.seq,
            clock: clock.clone(),
            now: self.instant_on_board(board, now),
            proceedings: board.rulings.proceedings(clock, offences).ok()?,
            score: board.rulings.score().cloned().unwrap_or_default(),
            absence: self.absence_on(board, now),
        })
    }

    pub(super) fn judge_ruling(
        &self,
        now: Instant<Hub>,
        request: &Request,
        asked: &laws::Request,
    ) -> Result<Verdict, Denied> {
        let board = self.named(request)?;
        let judged = self.ruling(now, board, request.seen_seq, asked);
        Ok(Verdict::of(
            board,
            judged.map(|ruling| CommandKind::Ruling(Box::new(ruling))),
        ))
    }

    fn ruling(
        &self,
        now: Instant<Hub>,
        board: &Board,
        seen_seq: u64,
        asked: &laws::Request,
    ) -> Result<Ruling, Refusal> {
        if let Some(fault) = &board.fault {
            return Err(Why::ClockFailed(fault.clone()).into());
        }
        if let Some(why) = stale(board, seen_seq, DependsOn::Everything) {
            return Err(why.into());
        }
        // While a command waits for a clock, the Laws cannot judge the clock's current state.
        if !board.pending.is_empty() {
            return Err(Why::from(RulingRefusal::CommandWaits).into());
        }
        let at = self.instant_on_board(board, now);
        let offences = board.offences.for_laws();
        let admitted = board
            .rulings
            .admit(board.clock(), offences.clone(), at, asked);
        admitted.map_err(Why::from)?;
        self.check_absence(now, board, asked)?;
        let judged = board.rulings.judge(board.clock(), offences, at, asked);
        let (_, steps) = judged.map_err(Why::from)?;
        let command = effect_of(&steps);
        if let Some(command) = &command {
            clock_for(board, command)?;
        }
        Ok(Ruling {
            request: asked.clone(),
            at,
            command,
        })
    }

    /// Refuses a report of absent players if the hub knows that the default time has not yet passed.
    fn check_absence(
        &self,
        now: Instant<Hub>,
        board: &Board,
        asked: &laws::Request,
    ) -> Result<(), Refusal> {
        let early = matches!(asked, laws::Request::Absent { .. })
            && self
                .absence_on(board, now)
                .is_some_and(|(elapsed, default)| elapsed <= default);
        match early {
            true => Err(Refusal::from_laws(laws::Refusal::NotYetLate)),
            false => Ok(()),
        }
    }

    pub(super) fn judge_moves(
        &self,
        request: &Request,
        after: u32,
        moves: &[String],
    ) -> Result<Verdict, Denied> {
        let board = self.named(request)?;
        let judged = if moves.len() > MAX_ENTERED {
            Err(RulingRefusal::TooManyMoves)
        } else {
            board.rulings.read_moves(board.clock(), after, moves)
        };
        Ok(Verdict::of(
            board,
            judged
                .map(CommandKind::Moves)
                .map_err(|why| Why::from(why).into()),
        ))
    }

    pub(super) fn judge_rules(
        &self,
        request: &Request,
        rules: &'static laws::RuleSet,
    ) -> Result<Verdict, Denied> {
        let board = self.named(request)?;
        // An open claim prevents the change: a different rule set may not have this claim, which could then never be decided.
        let open = board.rulings.open_claim();
        let judged = match (stale(board, request.seen_seq, DependsOn::Decisions), open) {
            (Some(why), _) => Err(why.into()),
            (None, Some(open)) => Err(Refusal::from_laws(laws::Refusal::ClaimOpen {
                kind: open.kind,
                by: open.by,
            })),
            (None, None) if board.would_lose_game(rules) => Err(Why::BoardInPlay.into()),
            (None, None) => Ok(CommandKind::Rules(rules)),
        };
        Ok(Verdict::of(board, judged))
    }

    /// Ends the game if the moves written down end it: mate, stalemate, a dead position, or a draw that needs no claim.
    pub(super) fn end_by_moves(&mut self, id: &BoardId, step: &mut OpenStep) {
        let Some(board) = self.fold.boards.get(id) else {
            return;
        };
        // While a claim is open, only its decision or an arbiter may end the game.
        if board.rulings.open_claim().is_some() {
            return;
        }
        let at = self.instant_on_board(board, step.now);
        let Some(end) = board.rulings.end_on_board(board.clock(), at) else {
            return;
        };
        let request = laws::Request::EndedOnBoard(end);
        let offences = board.offences.for_laws();
        if let Ok((_, steps)) = board.rulings.judge(board.clock(), offences, at, &request) {
            let ruling = Ruling {
                request,
                at,
                command: effect_of(&steps),
            };
            // Cannot fail: the board exists, and its clock accepts the result.
            let kind = CommandKind::Ruling(Box::new(ruling));
            let _ = self.hub_command(id, end.article(), kind, step);
        }
    }
}

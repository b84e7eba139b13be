//! The requests of players of Time Chess, and the clock of a board that the hub itself keeps for them. Judges an action
//! and logs it before it has any effect; the fold carries it out. An answer must not reveal anything that the player
//! may not see.

use std::sync::Arc;

use laws::{GameKind, RuleSet};
use timing::{BoardState, Command, Hub, Instant, Side};

use super::Hall;
use super::board::Board;
use super::board_id::BoardId;
use super::changes::DependsOn;
use super::command::Verdict;
use super::command_record::{CommandKind, CommandRecord};
use super::effect::OpenStep;
use super::entry::Entry;
use super::outcome::Denied;
use super::refusal::Why;
use super::request::Request;
use super::roster::stale;
use super::ruling::RulingRefusal;
use super::time_chess::{PlayerRefusal, PlayerRequest, PressRule};

impl Hall {
    pub(crate) fn on_player_request(
        &mut self,
        request: PlayerRequest,
        step: &mut OpenStep,
    ) -> Result<Result<(), PlayerRefusal>, Denied> {
        let repeated = self.fold.answers.repeated(&request.id, request.digest)?;
        if repeated.is_some() {
            return Ok(Ok(()));
        }
        self.settle_hub_clock(&request.board, step);
        if let Err(why) = self.judge_player(&request) {
            return Ok(Err(why));
        }
        let kind = CommandKind::Player(request.side, request.act);
        let record = CommandRecord {
            id: request.id,
            digest: request.digest,
            ..self.own_command(&request.board, &request.player, "", kind)
        };
        let entry = Entry::Command(Arc::new(record));
        self.log(Some(request.board.clone()), entry, step)?;
        self.end_time_chess(&request.board, step);
        Ok(Ok(()))
    }

    fn judge_player(&self, request: &PlayerRequest) -> Result<(), PlayerRefusal> {
        let board = self.fold.boards.get(&request.board);
        let game = board.and_then(|board| Some((board, board.time_chess.as_ref()?)));
        let Some((board, game)) = game.filter(|(board, _)| board.fault.is_none()) else {
            return Err(PlayerRefusal::NoGame);
        };
        game.judge(board.clock(), board.press_rule, request.side, request.act)
    }

    /// Ends a game on its board's clock after its moves or its players have ended it.
    fn end_time_chess(&mut self, id: &BoardId, step: &mut OpenStep) {
        let ending = self.fold.boards.get(id).and_then(|board| {
            let ending = board.time_chess.as_ref()?.ending()?;
            (board.clock().state() != BoardState::Over).then_some(ending)
        });
        let Some(ending) = ending else {
            return;
        };
        let kind = CommandKind::Board(Command::End(ending));
        // Cannot fail: the board exists, and its clock accepts the end of a game in progress.
        let _ = self.hub_command(id, "the game of Time Chess is over", kind, step);
    }

    /// Logs changes caused only by the passing of time, such as a flag fall, on a board that the hub itself times. All
    /// presses on such a board come through the hub, so no earlier press can still arrive.
    pub(crate) fn settle_hub_clock(&mut self, id: &BoardId, step: &mut OpenStep) {
        let at = Instant::from_micros(step.now.as_micros());
        let due = self.fold.boards.get(id).is_some_and(|board| {
            let deadline = board.clock().next_deadline();
            board.is_hub_clock()
                && board.fault.is_none()
                && deadline.is_some_and(|deadline| deadline <= at)
        });
        if due {
            // The fold always accepts the passing of time.
            let _ = self.log(Some(id.clone()), Entry::Settled { at }, step);
        }
    }

    /// Stops the clocks that the hub was keeping when it went down, because no player could press in the meantime.
    /// Gives back the time since `last`.
    pub(crate) fn stop_hub_clocks(&mut self, last: Option<Instant<Hub>>, step: &mut OpenStep) {
        let stopped = self.fold.boards.values().filter_map(|board| {
            let mover = board.clock().state().running()?;
            (board.is_hub_clock() && board.fault.is_none())
                .then(|| (board.id.clone(), pause_of(board, mover, step.now, last)))
        });
        let stopped: Vec<(BoardId, Command)> = stopped.collect();
        for (id, command) in stopped {
            let kind = CommandKind::Board(command);
            let reason = "the hub, which is this board's clock, was down";
            // Cannot fail: a running clock can be paused.
            let _ = self.hub_command(&id, reason, kind, step);
        }
    }

    pub(crate) fn judge_press_rule(
        &self,
        request: &Request,
        rule: PressRule,
    ) -> Result<Verdict, Denied> {
        let board = self.named(request)?;
        let id = &board.id;
        let refused = if let Some(why) = stale(board, request.seen_seq, DependsOn::Decisions) {
            Some(why)
        } else if !board.has_time_chess_rules() {
            Some(RulingRefusal::NotTimeChess(id.clone()).into())
        } else if rule != PressRule::Clock && board.agents().next().is_some() {
            Some(RulingRefusal::ServedByClock(id.clone()).into())
        } else if board.runs() {
            Some(Why::BoardInPlay)
        } else {
            None
        };
        let judged = refused.map_or(Ok(CommandKind::PressRule(rule)), |why| Err(why.into()));
        Ok(Verdict::of(board, judged))
    }
}

impl Board {
    /// Returns true if a game is in progress and these rules would change it from or to Time Chess.
    pub(crate) fn would_lose_game(&self, rules: &RuleSet) -> bool {
        self.in_play() && (rules.game == GameKind::TimeChess) != self.time_chess.is_some()
    }
}

/// Returns the command that stops a clock with its times at the last record before the hub went down.
fn pause_of(board: &Board, mover: Side, now: Instant<Hub>, last: Option<Instant<Hub>>) -> Command {
    let clock = board.clock();
    let time_at = |at: Instant<Hub>| {
        let at = board.short_of_flag(Instant::from_micros(at.as_micros()));
        clock.side(mover, at).time
    };
    let by = time_at(last.unwrap_or(now)) - time_at(now);
    let mut parts = vec![Command::Pause];
    if by.is_positive() {
        parts.push(Command::Add { side: mover, by });
    }
    Command::of_parts(parts).unwrap_or(Command::Pause)
}

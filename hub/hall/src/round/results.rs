//! Keeps the result of a game on its board's clock equal to the result in the event. The event holds an arbiter's
//! decision, and the clock follows it. A result that only a clock reports becomes a proposal.

use timing::{BoardState, Command, Ending, GameResult as OnClock};

use super::{finished, forfeited, game_at, number};
use crate::board::Board;
use crate::board_id::BoardId;
use crate::command_record::{CommandKind, PendingCommand};
use crate::effect::OpenStep;
use crate::refusal::Refusal;
use crate::request::{Request, Role};
use crate::round::requests::Order;
use crate::{Hall, note};
use proto::ids::CommandId;
use tournament::{self, Actor, BoardNo, Change, GameResult, Outcome, ProposalReason, RoundNo};

impl Hall {
    /// Makes a board's clock show the event's result, or pauses it for an adjourned game or a forfeited match. If
    /// `lift` is true, also removes a result from the clock that the event does not have.
    pub(super) fn agree(
        &mut self,
        id: &BoardId,
        actor: &str,
        reason: &str,
        lift: bool,
        step: &mut OpenStep,
    ) {
        let Some(board) = self.fold.boards.get(id) else {
            return;
        };
        let Some((round, _, game)) = self.game_of(board) else {
            return;
        };
        if self.live.deciding.as_ref() == Some(id) {
            return;
        }
        // A pending command will decide the result once the clock has answered it.
        if board.fault.is_some() || board.is_being_ended() {
            return;
        }
        // A command given now would take effect after the next game is set, and would end that game.
        if board.is_leaving() {
            return;
        }
        let has = board.clock().result();
        let running = matches!(board.clock().state(), BoardState::Running { .. });
        let event = self.fold.event.tournament.as_deref();
        let forfeited = forfeited(event, round, game);
        let command = match game.result.map(on_clock) {
            Some(Some(wanted)) if has == Some(wanted) => return,
            Some(Some(wanted)) => Command::End(Ending::Result(Some(wanted))),
            // An adjourned game: the clocks are paused and keep their times.
            Some(None) if running => Command::Pause,
            // No game is played in a forfeited match, so its clocks are only stopped.
            None if running && forfeited.is_some() => Command::Pause,
            Some(None) if has.is_some() => Command::End(Ending::Result(None)),
            None if lift && has.is_some() && game.proposed.is_none() => {
                Command::End(Ending::Result(None))
            }
            Some(None) | None => return,
        };
        let reason = match reason {
            "" if forfeited.is_some() => format!("a match of round {round} is forfeited"),
            "" => format!("the result of round {round}"),
            reason => reason.to_owned(),
        };
        let order = Order {
            board: id,
            round,
            actor,
            reason: &reason,
            draw_odds: None,
        };
        if let Err(why) = self.give(order, command, step) {
            self.note(step, note::result_not_shown(id, &why.to_string()));
        }
    }

    /// Proposes to the event the result that a board's clock reports. An arbiter decides.
    pub(super) fn propose(
        &mut self,
        id: &BoardId,
        result: GameResult,
        why: ProposalReason,
        step: &mut OpenStep,
    ) {
        let board = self.fold.boards.get(id);
        let Some((round, no, game)) = board.and_then(|board| self.game_of(board)) else {
            return;
        };
        let known = game.result.is_some_and(GameResult::is_final)
            || game.proposed.as_ref().map(|(proposed, _)| *proposed) == Some(result);
        // In games scored by a count, the clock's result is not proposed.
        let event = self.fold.event.tournament.as_ref();
        let counted = event.is_some_and(|event| result.fault(event.event().game).is_some());
        if !known && !counted {
            let change = Change::Propose(round, no, result, why);
            self.tell_event(id, "as its clock reports", change, step);
        }
    }

    /// Returns the changes to the event that follow from a command at a board; none if the event already has them.
    fn decides(&self, request: &Request, id: &BoardId, command: &Command) -> Vec<Change> {
        let Some(board) = self.fold.boards.get(id) else {
            return Vec::new();
        };
        let Some((round, no, game)) = self.next_game(board) else {
            return Vec::new();
        };
        let Some(decided) = result_by(board, command) else {
            return Vec::new();
        };
        let reason = request.reason.clone();
        let change = match decided {
            Some(result) if game.result.and_then(on_clock) == Some(result) => return Vec::new(),
            Some(result) => Change::Enter(round, no, of_clock(result), reason),
            None if game.result.is_none() => return Vec::new(),
            None => Change::RemoveResult(round, no, reason),
        };
        vec![change]
    }

    /// Enters a command's decision in the event, before the command itself. Returns the command's kind, and the round
    /// of the game whose result the command decides.
    ///
    /// # Errors
    /// Returns the event's refusal, which also becomes the command's refusal. In that case nothing changes.
    pub(crate) fn decide(
        &mut self,
        request: &Request,
        id: Option<&BoardId>,
        kind: CommandKind,
        step: &mut OpenStep,
    ) -> Result<(CommandKind, Option<RoundNo>), Refusal> {
        let (Some(id), Some(command)) = (id, kind.clock_command()) else {
            return Ok((kind, None));
        };
        let board = self.fold.boards.get(id);
        let game = board.and_then(|board| self.next_game(board));
        let Some((round, _, _)) = game.filter(|_| decides_result(command)) else {
            return Ok((kind, None));
        };
        let changes = self.decides(request, id, command);
        if !changes.is_empty() {
            self.live.deciding = Some(id.clone());
            let actor = actor_of(request);
            let done = self.change_tournament(&actor, &request.reason, &changes, step);
            self.live.deciding = None;
            done?;
        }
        Ok((kind, Some(round)))
    }

    /// Returns the event's game that a board will have once its clock has answered all pending commands.
    fn next_game(&self, board: &Board) -> Option<(RoundNo, BoardNo, &tournament::Board)> {
        let event = self.fold.event.tournament.as_deref();
        let mut round = board.seat.any_round();
        for pending in &board.pending {
            if pending.record.prepares().is_some() {
                let kept = round.filter(|round| {
                    game_at(event, *round, &board.id).is_some_and(|game| !finished(game))
                });
                round = board.seat.round_of(&pending.record.id).or(kept);
            }
        }
        let round = round?;
        Some((round, number(&board.id)?, game_at(event, round, &board.id)?))
    }

    /// Returns true if a pending command brings a clock into line with a result that was entered in the event or
    /// removed.
    pub(crate) fn follows_result(&self, id: &BoardId, command: &CommandId) -> bool {
        self.fold.boards.get(id).is_some_and(|board| {
            board.seat.round_of(command).is_some() && board.pending(command).is_some_and(decides)
        })
    }
}

impl Board {
    pub(super) fn is_being_ended(&self) -> bool {
        let mut pending = self.pending.iter();
        pending.any(decides)
    }
}

/// Returns true if a pending command may set or remove the result of the board's game.
fn decides(pending: &PendingCommand) -> bool {
    let command = pending.record.clock_command();
    command.is_some_and(decides_result)
}

fn actor_of(request: &Request) -> Actor {
    let name = &request.actor.name;
    match request.actor.role {
        Role::Chief => Actor::chief(name),
        Role::Floor | Role::Viewer => Actor::floor(name),
        Role::Hub => Actor::program(name),
    }
}

fn decides_result(command: &Command) -> bool {
    match command {
        Command::End(_) | Command::ClaimDraw(_) | Command::Restore(_) => true,
        Command::Sequence(parts) => parts.iter().any(decides_result),
        Command::Prepare(_)
        | Command::Start(_)
        | Command::Pause
        | Command::Resume(_)
        | Command::Set { .. }
        | Command::Add { .. }
        | Command::Moves { .. }
        | Command::Refill { .. }
        | Command::CallFlag(_)
        | Command::WhiteIs(_)
        | Command::Swap
        | Command::ChangeControl(_) => false,
    }
}

/// Returns the result of a board's game after a command; `None` if the command does not concern results or is refused.
fn result_by(board: &Board, command: &Command) -> Option<Option<OnClock>> {
    if !decides_result(command) {
        return None;
    }
    let mut clock = board.clock().clone();
    let now = clock.now();
    // The commands that the clock would refuse have already been refused.
    let accepted = clock.on_command(now, command);
    accepted.is_ok().then(|| clock.result())
}

/// Converts the event's result for a clock; `None` for an adjourned game.
fn on_clock(result: GameResult) -> Option<OnClock> {
    use timing::Side;
    Some(match result {
        GameResult::Adjourned => return None,
        GameResult::Played { white, black, .. } => match (white, black) {
            (Outcome::Win, _) => OnClock::WhiteWins,
            (_, Outcome::Win) => OnClock::BlackWins,
            (Outcome::Loss, Outcome::Loss) => OnClock::BothLose,
            (Outcome::Draw, Outcome::Draw) => OnClock::Draw,
            (Outcome::Draw, Outcome::Loss) => OnClock::DrawForWhite,
            (Outcome::Loss, Outcome::Draw) => OnClock::DrawForBlack,
        },
        GameResult::Forfeit { winner } => match winner {
            Some(Side::White) => OnClock::WhiteWinsByForfeit,
            Some(Side::Black) => OnClock::BlackWinsByForfeit,
            None => OnClock::BothForfeit,
        },
    })
}

pub(super) fn of_clock(result: OnClock) -> GameResult {
    use timing::Side;
    match result {
        OnClock::WhiteWins => GameResult::played(Outcome::Win),
        OnClock::BlackWins => GameResult::played(Outcome::Loss),
        OnClock::Draw => GameResult::played(Outcome::Draw),
        OnClock::BothLose => uneven(Outcome::Loss, Outcome::Loss),
        OnClock::DrawForWhite => uneven(Outcome::Draw, Outcome::Loss),
        OnClock::DrawForBlack => uneven(Outcome::Loss, Outcome::Draw),
        OnClock::WhiteWinsByForfeit => GameResult::forfeit(Side::White),
        OnClock::BlackWinsByForfeit => GameResult::forfeit(Side::Black),
        OnClock::BothForfeit => GameResult::DOUBLE_FORFEIT,
    }
}

/// Returns the result of a rated game for which an arbiter decided each side's points (FIDE 12.9).
const fn uneven(white: Outcome, black: Outcome) -> GameResult {
    GameResult::Played {
        white,
        black,
        rated: true,
        tally: None,
    }
}

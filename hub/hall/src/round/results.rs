//! One result for a game, whether it is entered at its board or in the event: an arbiter's decision is the event's, and the clock
//! follows it. What only a clock says is proposed.

use timing::{BoardState, Command, Ending, GameResult as OnClock, Hub, Instant};

use super::{Order, finished, forfeited, game_at, number};
use crate::board::Board;
use crate::command_record::{CommandKind, PendingCommand};
use crate::effect::Step;
use crate::input::{BoardId, Request, Role};
use crate::refusal::Refusal;
use crate::{Hall, note};
use proto::ids::CommandId;
use tournament::{self, Actor, BoardNo, Change, GameResult, Outcome, RoundNo};

impl Hall {
    /// Has a board's clock show what the event has. `lift`: a result that the event does not have is lifted.
    pub(super) fn agree(
        &mut self,
        now: Instant<Hub>,
        id: &BoardId,
        actor: &str,
        reason: &str,
        lift: bool,
        step: &mut Step,
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
        // The newest of the commands on their way decides, when its clock has answered it.
        if board.fault.is_some() || board.is_being_ended() {
            return;
        }
        // A command given now would come after the next game is set, and end that one.
        if board.is_leaving() {
            return;
        }
        let has = board.clock().result();
        let running = matches!(board.clock().state(), BoardState::Running { .. });
        let event = self.fold.event.tournament().map(|event| &**event);
        let forfeited = forfeited(event, round, game);
        let command = match game.result.map(on_clock) {
            Some(Some(wanted)) if has == Some(wanted) => return,
            Some(Some(wanted)) => Command::End(Ending::Result(Some(wanted))),
            // Adjourned: the clocks stand as they are.
            Some(None) if running => Command::Pause,
            // Nothing is played in a match that is forfeited as a whole: what its boards' clocks have stands.
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
        };
        if let Err(why) = self.give(now, order, command, step) {
            self.note(now, step, note::result_not_shown(id, &why.to_string()));
        }
    }

    /// Tells the event what came of a board's game if it was for the clock to say; an arbiter decides.
    pub(super) fn propose(
        &mut self,
        now: Instant<Hub>,
        id: &BoardId,
        result: GameResult,
        why: &str,
        step: &mut Step,
    ) {
        let board = self.fold.boards.get(id);
        let Some((round, no, game)) = board.and_then(|board| self.game_of(board)) else {
            return;
        };
        let known = game.result.is_some_and(GameResult::is_final)
            || game.proposed.as_ref().map(|(proposed, _)| *proposed) == Some(result);
        // A game whose result is a count is decided by its count.
        let counted = self
            .fold
            .event
            .tournament()
            .is_some_and(|event| result.fault(event.event().game).is_some());
        if !known && !counted {
            let change = Change::Propose(round, no, result, why.to_owned());
            self.tell_event(now, id, "as its clock has it", change, step);
        }
    }

    /// What a command at a board decides in the event; nothing where the event has it already.
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
            None => Change::TakeBack(round, no, reason),
        };
        vec![change]
    }

    /// Enters in the event what an accepted command decides there, before the command itself; says for which round's game it is.
    ///
    /// # Errors
    /// Why the event refuses it: the command is refused in the same words, and nothing has been changed.
    pub(crate) fn decide(
        &mut self,
        now: Instant<Hub>,
        request: &Request,
        id: Option<&BoardId>,
        kind: CommandKind,
        step: &mut Step,
    ) -> Result<(CommandKind, Option<RoundNo>), Refusal> {
        let (Some(id), CommandKind::Board(command)) = (id, &kind) else {
            return Ok((kind, None));
        };
        let game = self
            .fold
            .boards
            .get(id)
            .and_then(|board| self.next_game(board));
        let Some((round, _, _)) = game.filter(|_| decides_result(command)) else {
            return Ok((kind, None));
        };
        let changes = self.decides(request, id, command);
        if !changes.is_empty() {
            self.live.deciding = Some(id.clone());
            let actor = actor_of(request);
            let done = self.change_tournament(now, &actor, &request.reason, &changes, step);
            self.live.deciding = None;
            done?;
        }
        Ok((kind, Some(round)))
    }

    /// The game of the event that a board has once its clock has answered what it was asked: a command comes after those.
    fn next_game(&self, board: &Board) -> Option<(RoundNo, BoardNo, &tournament::Board)> {
        let event = self.fold.event.tournament().map(|event| &**event);
        let mut round = board.seat.round.or(board.seat.anew);
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

    /// Whether a command on its way has a clock show a result that an arbiter has entered.
    pub(crate) fn follows_result(&self, id: &BoardId, command: &CommandId) -> bool {
        self.fold.boards.get(id).is_some_and(|board| {
            board.seat.round_of(command).is_some() && board.pending(command).is_some_and(decides)
        })
    }
}

impl Board {
    /// Whether a command that decides the result waits for its clock.
    pub(super) fn is_being_ended(&self) -> bool {
        let mut pending = self.pending.iter();
        pending.any(decides)
    }
}

/// Whether a pending command gives its game a result, or lifts it.
fn decides(pending: &PendingCommand) -> bool {
    let command = pending.record.clock_command();
    command.is_some_and(decides_result)
}

/// Who asks at a board, as the event knows him.
fn actor_of(request: &Request) -> Actor {
    let name = &request.actor.name;
    match request.actor.role {
        Role::Chief => Actor::chief(name),
        Role::Floor | Role::Viewer => Actor::floor(name),
        Role::Hub => Actor::program(name),
    }
}

/// Whether a command gives a game its result, or lifts it.
fn decides_result(command: &Command) -> bool {
    match command {
        Command::End(_) | Command::ClaimDraw(_) | Command::Restore(_) => true,
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

/// The result a board's game would have after a command; `None` if the command is not about results.
fn result_by(board: &Board, command: &Command) -> Option<Option<OnClock>> {
    if !decides_result(command) {
        return None;
    }
    let mut clock = board.clock().clone();
    let now = clock.now();
    // What the clock refuses has been refused before.
    let accepted = clock.on_command(now, command);
    accepted.is_ok().then(|| clock.result())
}

/// A result of the event as a clock shows it; `None` for an adjourned game.
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

/// A clock's result as the event has it.
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

/// A rated game in which the sides' points are an arbiter's decision (FIDE 12.9).
const fn uneven(white: Outcome, black: Outcome) -> GameResult {
    GameResult::Played {
        white,
        black,
        rated: true,
        tally: None,
    }
}

//! What arbiters ask for: who may, whether it is repeated, whether its sender saw the board as it is, whether the rules allow it.
//! Owns the answers to requests; what an accepted command does is the fold's.

use proto::ids::{AgentId, CommandId};
use proto::wire::{Identify, Show};
use timing::{Command, Duration, Hub, Instant, Setup};

use super::Hall;
use super::board::{Board, Keeper};
use super::changes::{Rests, rests};
use super::effect::{Answer, Denied, HubEffect, Outcome, Step};
use super::entry::{CommandEntry, Entry, What};
use super::fold::command::{Route, route};
use super::input::{Action, BoardId, Enrolment, ReplyId, Request, Role};
use super::wakes::Due;

/// How long a request waits for a board's clock before it is answered “pending”.
const PATIENCE: Duration = Duration::from_millis(1_500);
/// Identify and show are remembered for repetitions this many at a time.
const UNLOGGED: usize = 1_000;

/// How a request ends.
enum Verdict {
    /// It is answered now, and nothing is logged.
    Now(Outcome),
    /// It becomes a record.
    Accept(Option<BoardId>, What),
    /// It becomes a record of its refusal.
    Refuse(Option<BoardId>, String),
    /// Its entry has been logged; the command it is about has its answer.
    About(CommandId),
}

impl Hall {
    pub(crate) fn on_request(
        &mut self,
        now: Instant<Hub>,
        request: Request,
        reply: ReplyId,
        step: &mut Step,
    ) {
        let id = request.id;
        if let Some(kept) = self.fold.answers.get(&id) {
            let pending = kept.outcome == Outcome::Pending;
            self.await_or_answer(now, id, pending, reply, step);
            return;
        }
        match self.judge(now, &request, step) {
            Err(denied) => step.effects.push(HubEffect::Reply {
                reply,
                answer: Err(denied),
            }),
            Ok(Verdict::Now(outcome)) => {
                let board = request.board.and_then(|board| self.detail(&board, now));
                step.effects.push(HubEffect::Reply {
                    reply,
                    answer: Ok(Answer { id, outcome, board }),
                });
            }
            Ok(Verdict::About(command)) => {
                let mut answer = self.answer(&command, now);
                answer.id = id;
                if answer.outcome == Outcome::Withdrawn {
                    answer.outcome = Outcome::Done;
                }
                step.effects.push(HubEffect::Reply {
                    reply,
                    answer: Ok(answer),
                });
            }
            Ok(Verdict::Accept(board, what)) => {
                self.accept(now, request, board, what, reply, step);
            }
            Ok(Verdict::Refuse(board, why)) => {
                self.accept(now, request, board, What::Refused(why), reply, step);
            }
        }
    }

    fn accept(
        &mut self,
        now: Instant<Hub>,
        request: Request,
        board: Option<BoardId>,
        what: What,
        reply: ReplyId,
        step: &mut Step,
    ) {
        let id = request.id;
        let entry = CommandEntry {
            id,
            actor: request.actor.name,
            reason: request.reason,
            seen_seq: request.seen_seq,
            what,
        };
        self.live.waiting.entry(id).or_default().push(reply);
        if let Err(error) = self.log(now, board, Entry::Command(Box::new(entry)), step) {
            self.live.waiting.remove(&id);
            step.effects.push(HubEffect::Reply {
                reply,
                answer: Err(Denied::Invalid(error.to_string())),
            });
            return;
        }
        let pending = self
            .fold
            .answers
            .get(&id)
            .is_some_and(|kept| kept.outcome == Outcome::Pending);
        if pending {
            self.live.waiting.remove(&id);
            self.await_or_answer(now, id, true, reply, step);
        }
    }

    /// Answers, or waits for a clock that is there to answer soon.
    fn await_or_answer(
        &mut self,
        now: Instant<Hub>,
        id: CommandId,
        pending: bool,
        reply: ReplyId,
        step: &mut Step,
    ) {
        if pending && self.clock_is_there(&id) {
            self.live.waiting.entry(id).or_default().push(reply);
            self.live.wakes.add(now + PATIENCE, Due::Answer(id));
            return;
        }
        let answer = self.answer(&id, now);
        step.effects.push(HubEffect::Reply {
            reply,
            answer: Ok(answer),
        });
    }

    fn clock_is_there(&self, id: &CommandId) -> bool {
        self.fold
            .pending_board(id)
            .ok()
            .and_then(|board| self.fold.boards.get(&board))
            .is_some_and(|board| self.is_online(board))
    }

    /// Whether the clock that serves a board is heard.
    pub(crate) fn is_online(&self, board: &Board) -> bool {
        board
            .agent
            .and_then(|agent| self.live.sessions.get(&agent))
            .is_some_and(|session| session.online)
    }

    /// Whoever still waits for a command is told that it is pending.
    pub(crate) fn on_answer_due(&mut self, id: &CommandId, now: Instant<Hub>, step: &mut Step) {
        let Some(waiting) = self.live.waiting.remove(id) else {
            return;
        };
        let answer = self.answer(id, now);
        for reply in waiting {
            step.effects.push(HubEffect::Reply {
                reply,
                answer: Ok(answer.clone()),
            });
        }
    }

    /// What became of a command that is known.
    pub(crate) fn answer(&self, id: &CommandId, now: Instant<Hub>) -> Answer {
        let kept = self.fold.answers.get(id);
        Answer {
            id: *id,
            outcome: kept.map_or(Outcome::Pending, |kept| kept.outcome.clone()),
            board: kept
                .and_then(|kept| kept.board.as_ref())
                .and_then(|board| self.detail(board, now)),
        }
    }

    fn judge(
        &mut self,
        now: Instant<Hub>,
        request: &Request,
        step: &mut Step,
    ) -> Result<Verdict, Denied> {
        permitted(request.actor.role, &request.action)?;
        match &request.action {
            Action::Board(command) => self.judge_command(request, command.clone()),
            Action::Prepare {
                control,
                start,
                white,
            } => {
                let board = self.named(request)?;
                let setup = Setup {
                    control: control.clone(),
                    start: *start,
                    white: white.unwrap_or(board.clock().white_button()),
                };
                self.judge_command(request, Command::Prepare(setup))
            }
            Action::RestoreBefore(event) => {
                let board = self.named(request)?;
                match board.before(*event) {
                    Some(snapshot) => {
                        self.judge_command(request, Command::Restore(Box::new(snapshot)))
                    }
                    None => Err(Denied::NotFound(format!(
                        "the game on board {} has no event {}",
                        board.id, event.0
                    ))),
                }
            }
            Action::AddBoard(setup) => {
                let id = request.board.clone().ok_or_else(no_board)?;
                if self.fold.boards.contains_key(&id) {
                    let why = format!("there is a board {id} already");
                    return Ok(Verdict::Refuse(Some(id), why));
                }
                Ok(Verdict::Accept(Some(id), What::AddBoard(setup.clone())))
            }
            Action::RemoveBoard => self.judge_removal(request),
            Action::Assign(agent) => self.judge_assignment(request, agent),
            Action::Names {
                white,
                black,
                round,
            } => {
                let id = self.named(request)?.id.clone();
                let what = What::Names {
                    white: white.clone(),
                    black: black.clone(),
                    round: round.clone(),
                };
                Ok(Verdict::Accept(Some(id), what))
            }
            Action::Identify => self.tell_clock(request, Identify {}.into(), step),
            Action::Show(text) => {
                let text = text.clone();
                self.tell_clock(request, Show { text }.into(), step)
            }
            Action::Force(command) => self.force(now, request, command, step),
            Action::Withdraw(command) => self.withdraw(now, request, command, step),
            Action::RevokeAgent(agent) => self.revoke(now, request, agent, step),
        }
    }

    /// The board a request names.
    fn named(&self, request: &Request) -> Result<&Board, Denied> {
        let id = request.board.as_ref().ok_or_else(no_board)?;
        self.fold
            .boards
            .get(id)
            .ok_or_else(|| Denied::NotFound(format!("there is no board {id}")))
    }

    fn judge_command(&self, request: &Request, command: Command) -> Result<Verdict, Denied> {
        let board = self.named(request)?;
        let id = Some(board.id.clone());
        if let Some(fault) = &board.fault {
            if matches!(command, Command::Prepare(_)) {
                return Ok(Verdict::Accept(id, What::Board(command)));
            }
            let why = format!("the clock of this board failed ({fault}): prepare it anew");
            return Ok(Verdict::Refuse(id, why));
        }
        if let Some(changed) = board.changes.since(request.seen_seq, rests(&command)) {
            let why = format!("the board has changed since you looked: {changed}");
            return Ok(Verdict::Refuse(id, why));
        }
        if route(board, &command) == Route::NoAgent {
            let why = format!("no clock serves board {}: assign one first", board.id);
            return Ok(Verdict::Refuse(id, why));
        }
        match board.clock().check(board.clock().now(), &command) {
            Ok(()) => Ok(Verdict::Accept(id, What::Board(command))),
            Err(rejection) => Ok(Verdict::Refuse(id, rejection.to_string())),
        }
    }

    fn judge_removal(&self, request: &Request) -> Result<Verdict, Denied> {
        let board = self.named(request)?;
        let id = Some(board.id.clone());
        if board.in_play() {
            let why = "a game is being played on it: enter its result first".to_owned();
            return Ok(Verdict::Refuse(id, why));
        }
        Ok(match stale(board, request) {
            Some(why) => Verdict::Refuse(id, why),
            None => Verdict::Accept(id, What::RemoveBoard),
        })
    }

    fn judge_assignment(&self, request: &Request, key: &str) -> Result<Verdict, Denied> {
        let board = self.named(request)?;
        let id = Some(board.id.clone());
        let agent = if key.is_empty() {
            None
        } else {
            Some(self.agent_named(key)?)
        };
        if let Some(agent) = agent
            && let Some(known) = self.fold.agents.get(&agent)
        {
            if known.revoked {
                let why = format!("clock {} was shut out", agent.short());
                return Ok(Verdict::Refuse(id, why));
            }
            let busy = known
                .board
                .as_ref()
                .filter(|other| **other != board.id)
                .and_then(|other| self.fold.boards.get(other))
                .filter(|other| other.in_play());
            if let Some(other) = busy {
                let why = format!(
                    "clock {} serves board {}, where a game is being played",
                    agent.short(),
                    other.id
                );
                return Ok(Verdict::Refuse(id, why));
            }
        }
        Ok(Verdict::Accept(id, What::Assign(agent)))
    }

    /// The agent whose key begins with `key`.
    fn agent_named(&self, key: &str) -> Result<AgentId, Denied> {
        let key = key.to_ascii_lowercase();
        let mut matching = self
            .fold
            .agents
            .keys()
            .filter(|agent| agent.to_string().starts_with(&key));
        match (matching.next(), matching.next()) {
            (Some(agent), None) => Ok(*agent),
            (None, _) => Err(Denied::NotFound(format!(
                "no clock's key begins with {key}"
            ))),
            (Some(_), Some(_)) => Err(Denied::Invalid(format!(
                "several clocks' keys begin with {key}: write more of it"
            ))),
        }
    }

    /// Sends something that changes nothing to the board's clock.
    fn tell_clock(
        &mut self,
        request: &Request,
        frame: proto::wire::HubFrame,
        step: &mut Step,
    ) -> Result<Verdict, Denied> {
        let board = self.named(request)?;
        let link = board
            .agent
            .and_then(|agent| self.live.sessions.get(&agent))
            .filter(|session| session.online)
            .and_then(|session| session.link);
        let Some(open) = link else {
            let why = format!("the clock of board {} is not connected", board.id);
            return Err(Denied::Unavailable(why));
        };
        if self.live.unlogged.len() >= UNLOGGED {
            self.live.unlogged.clear();
        }
        if self.live.unlogged.insert(request.id) {
            step.effects.push(HubEffect::ToAgent {
                link: open.link,
                frame,
            });
        }
        Ok(Verdict::Now(Outcome::Done))
    }

    /// Has a waiting command take effect without its clock.
    fn force(
        &mut self,
        now: Instant<Hub>,
        request: &Request,
        command: &CommandId,
        step: &mut Step,
    ) -> Result<Verdict, Denied> {
        let Some(kept) = self.fold.answers.get(command) else {
            return Err(unknown(command));
        };
        if kept.outcome != Outcome::Pending {
            return Ok(Verdict::About(*command));
        }
        let (Ok(id), Some(board)) = (
            self.fold.pending_board(command),
            kept.board.as_ref().and_then(|id| self.fold.boards.get(id)),
        ) else {
            return Err(unknown(command));
        };
        if self.is_online(board) {
            let why = "the board's clock is connected and will carry it out itself".to_owned();
            return Ok(Verdict::Now(Outcome::Refused(why)));
        }
        let at = self.forced_instant(board, now);
        let asked = board.pending.iter().find(|pending| pending.id == *command);
        if let Some(rejection) =
            asked.and_then(|pending| board.clock().check(at, &pending.command).err())
        {
            return Ok(Verdict::Now(Outcome::Refused(rejection.to_string())));
        }
        let entry = Entry::Forced {
            id: *command,
            actor: request.actor.name.clone(),
            at,
        };
        self.log(now, Some(id), entry, step)
            .map_err(|error| Denied::Invalid(error.to_string()))?;
        Ok(Verdict::About(*command))
    }

    /// The board's time now, as well as the hub can tell, but never where only the clock itself could say that a flag has fallen.
    fn forced_instant(&self, board: &Board, now: Instant<Hub>) -> Instant<timing::Board> {
        let estimate = match board.keeper {
            Keeper::Hub { .. } => Some(Instant::from_micros(now.as_micros())),
            Keeper::Agent(agent) => self
                .live
                .sessions
                .get(&agent)
                .and_then(|session| session.to_board(now))
                .or_else(|| self.fold.agents.get(&agent)?.board_time_at_least(now)),
        };
        board.short_of_flag(estimate.unwrap_or(board.clock().now()))
    }

    fn withdraw(
        &mut self,
        now: Instant<Hub>,
        request: &Request,
        command: &CommandId,
        step: &mut Step,
    ) -> Result<Verdict, Denied> {
        let Some(kept) = self.fold.answers.get(command) else {
            return Err(unknown(command));
        };
        if kept.outcome != Outcome::Pending {
            return Ok(Verdict::About(*command));
        }
        let id = self.fold.pending_board(command).map_err(Denied::NotFound)?;
        if self.was_delivered(&id, command) {
            let why = "it has left for the board's clock and may have been carried out: force it, or wait for the clock"
                .to_owned();
            return Ok(Verdict::Now(Outcome::Refused(why)));
        }
        let entry = Entry::Withdrawn {
            id: *command,
            actor: request.actor.name.clone(),
        };
        self.log(now, Some(id), entry, step)
            .map_err(|error| Denied::Invalid(error.to_string()))?;
        Ok(Verdict::About(*command))
    }

    /// Whether a command's order has been put on a link in this run.
    fn was_delivered(&self, board: &BoardId, command: &CommandId) -> bool {
        let agent = self.fold.boards.get(board).and_then(|board| board.agent);
        let Some(agent) = agent else { return false };
        let delivered = self
            .live
            .sessions
            .get(&agent)
            .map_or(0, |session| session.delivered);
        self.fold
            .agents
            .get(&agent)
            .and_then(|known| known.order_of(command))
            .is_some_and(|number| number <= delivered)
    }

    fn revoke(
        &mut self,
        now: Instant<Hub>,
        request: &Request,
        key: &str,
        step: &mut Step,
    ) -> Result<Verdict, Denied> {
        let agent = self.agent_named(key)?;
        if self
            .fold
            .agents
            .get(&agent)
            .is_some_and(|known| known.revoked)
        {
            return Ok(Verdict::Now(Outcome::Done));
        }
        let entry = Entry::AgentRevoked {
            agent,
            actor: request.actor.name.clone(),
            reason: request.reason.clone(),
        };
        self.log(now, None, entry, step)
            .map_err(|error| Denied::Invalid(error.to_string()))?;
        Ok(Verdict::Now(Outcome::Done))
    }

    /// Enrols an agent that proved its code.
    pub(crate) fn on_enrolment(
        &mut self,
        now: Instant<Hub>,
        enrolment: Enrolment,
        reply: ReplyId,
        step: &mut Step,
    ) {
        let result = self.enrol(now, enrolment, step);
        step.effects.push(HubEffect::Enrolled { reply, result });
    }

    fn enrol(
        &mut self,
        now: Instant<Hub>,
        enrolment: Enrolment,
        step: &mut Step,
    ) -> Result<(), Denied> {
        let known = self.fold.agents.get(&enrolment.agent);
        if known.is_some_and(|known| known.revoked) {
            let why = format!("clock {} was shut out for good", enrolment.agent.short());
            return Err(Denied::Forbidden(why));
        }
        if let Some(id) = &enrolment.board {
            let board = self
                .fold
                .boards
                .get(id)
                .ok_or_else(|| Denied::NotFound(format!("there is no board {id}")))?;
            if board.agent.is_some_and(|agent| agent != enrolment.agent) && board.in_play() {
                let why = format!("board {id} has a clock, and a game is being played on it");
                return Err(Denied::Unavailable(why));
            }
        }
        let id = enrolment.board.clone();
        self.log(now, id, Entry::AgentEnrolled(Box::new(enrolment)), step)
            .map_err(|error| Denied::Invalid(error.to_string()))
    }
}

/// What a role may ask for: viewers nothing; floor arbiters what concerns a game; the chief arbiter, and the hub itself, everything.
fn permitted(role: Role, action: &Action) -> Result<(), Denied> {
    let of_the_floor = match action {
        Action::Board(_)
        | Action::Prepare { .. }
        | Action::RestoreBefore(_)
        | Action::Names { .. }
        | Action::Identify
        | Action::Show(_)
        | Action::Withdraw(_) => true,
        Action::AddBoard(_)
        | Action::RemoveBoard
        | Action::Assign(_)
        | Action::Force(_)
        | Action::RevokeAgent(_) => false,
    };
    match role {
        Role::Chief | Role::Hub => Ok(()),
        Role::Floor if of_the_floor => Ok(()),
        Role::Floor => Err(Denied::Forbidden(
            "only the chief arbiter may do this".to_owned(),
        )),
        Role::Viewer => Err(Denied::Forbidden("a viewer may look, not act".to_owned())),
    }
}

fn stale(board: &Board, request: &Request) -> Option<String> {
    let changed = board.changes.since(request.seen_seq, Rests::OnDecisions)?;
    Some(format!("the board has changed since you looked: {changed}"))
}

fn no_board() -> Denied {
    Denied::Invalid("the request names no board".to_owned())
}

fn unknown(command: &CommandId) -> Denied {
    Denied::NotFound(format!("no command {command} is known"))
}

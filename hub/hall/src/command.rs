//! Arbiters' requests. A repetition gets the stored answer. For any other request, checks the sender's role, the state
//! of the board that the sender saw, and the rules. The fold applies the accepted commands.

mod ruling;

use proto::ids::{CommandId, EventSeq};
use proto::log::{Names, RequestSigned};
use proto::wire::{Identify, Show};
use timing::{Command, Duration, Hub, Instant, Setup};

use super::Hall;
use super::ask::{Answer, ReplyId};
use super::board::Board;
use super::board_id::BoardId;
use super::changes::{DependsOn, depends_on};
use super::command_record::CommandKind;
use super::effect::OpenStep;
use super::entry::Entry;
use super::fold::command::{Route, route};
use super::outcome::{Denied, Outcome};
use super::refusal::{Refusal, Why};
use super::request::{Action, Request, Role};
use super::roster::stale;
use super::wakes::WakeReason;

/// Maximum time for which a request waits for a board's clock before it is answered “pending”.
pub(crate) const ANSWER_TIMEOUT: Duration = Duration::from_millis(1_500);
/// Maximum number of identify and show requests remembered to detect repetitions.
const MAX_UNLOGGED: usize = 1_000;

pub(crate) enum Verdict {
    /// An immediate answer without a record.
    Now(Outcome),
    Accept(Option<BoardId>, CommandKind),
    Refuse(Option<BoardId>, Refusal),
    /// No further record, because the request has been logged already. The answer is the outcome of the command
    /// with this id.
    About(CommandId),
}

impl Verdict {
    /// Returns a refusal without a record.
    pub(crate) fn refused(why: impl Into<Refusal>) -> Self {
        Self::Now(Outcome::Refused(why.into()))
    }

    pub(crate) fn of(board: &Board, judged: Result<CommandKind, Refusal>) -> Self {
        let id = Some(board.id.clone());
        match judged {
            Ok(kind) => Self::Accept(id, kind),
            Err(why) => Self::Refuse(id, why),
        }
    }
}

impl Hall {
    /// Judges a request, and carries out, holds or refuses it. Returns `None` if the answer must wait for a clock.
    pub(crate) fn on_request(
        &mut self,
        request: Request,
        limited: bool,
        reply: ReplyId,
        step: &mut OpenStep,
    ) -> Result<Option<Answer>, Denied> {
        let now = step.now;
        let id = request.id;
        let repeated = self.fold.answers.repeated(&id, request.digest)?;
        if repeated.is_some() {
            return Ok(self.answer_or_wait(now, id, reply));
        }
        if let Some(waits) = self.held_already(&id, request.digest)? {
            return Ok(Some(self.refused(now, id, request.board, waits)));
        }
        match self.judge(&request, step)? {
            Verdict::Now(outcome) => Ok(Some(self.answer_with(now, id, request.board, outcome))),
            Verdict::About(command) => {
                let mut answer = self.answer(&command, now);
                answer.id = id;
                if answer.outcome == Outcome::Withdrawn {
                    answer.outcome = Outcome::Done;
                }
                Ok(Some(answer))
            }
            Verdict::Accept(board, kind)
                if limited && self.is_above_time(board.as_ref(), &kind) =>
            {
                let shown = board.clone();
                let waits = self.hold_command(request, board, kind, step)?;
                Ok(Some(self.refused(now, id, shown, waits)))
            }
            Verdict::Accept(board, kind) => {
                self.accept(request, board, kind, step)?;
                Ok(self.answer_or_wait(now, id, reply))
            }
            Verdict::Refuse(board, why) => {
                self.accept(request, board, CommandKind::Refused(why), step)?;
                Ok(self.answer_or_wait(now, id, reply))
            }
        }
    }

    pub(crate) fn refused(
        &self,
        now: Instant<Hub>,
        id: CommandId,
        board: Option<BoardId>,
        why: Refusal,
    ) -> Answer {
        self.answer_with(now, id, board, Outcome::Refused(why))
    }

    fn answer_with(
        &self,
        now: Instant<Hub>,
        id: CommandId,
        board: Option<BoardId>,
        outcome: Outcome,
    ) -> Answer {
        Answer {
            id,
            outcome,
            board: board.and_then(|board| self.detail(&board, now)),
            certificates: Vec::new(),
        }
    }

    /// Logs the signature that proves the sender of the next request. This record concerns no board, so the fold always
    /// accepts it.
    pub(crate) fn on_signed(&mut self, request: Box<RequestSigned>, step: &mut OpenStep) {
        if let Err(error) = self.log(None, Entry::Signed(request), step) {
            tracing::error!(%error, "the proof of a request was not logged");
        }
    }

    pub(crate) fn accept(
        &mut self,
        request: Request,
        board: Option<BoardId>,
        kind: CommandKind,
        step: &mut OpenStep,
    ) -> Result<(), Denied> {
        if let (CommandKind::Assign(None), Some(board)) = (&kind, &board) {
            self.keep_pause(&request, board, step);
        }
        let (kind, round) = match self.decide(&request, board.as_ref(), kind, step) {
            Ok(decided) => decided,
            Err(why) => (CommandKind::Refused(why), None),
        };
        let record = request.into_record(kind, round);
        let moved = match (&record.kind, &board) {
            (CommandKind::Moves(_), Some(board)) => Some(board.clone()),
            _ => None,
        };
        self.log_command(board, record, step)?;
        if let Some(board) = moved {
            self.end_by_moves(&board, step);
        }
        Ok(())
    }

    /// Answers a logged command, unless it is a clock test in progress, or a connected clock may answer soon.
    fn answer_or_wait(
        &mut self,
        now: Instant<Hub>,
        id: CommandId,
        reply: ReplyId,
    ) -> Option<Answer> {
        let tested = self.live.zero_tests.is_under_way(&id);
        if !tested && !self.waits_for_present_clock(&id) {
            return Some(self.answer(&id, now));
        }
        self.live.waiting.entry(id).or_default().push(reply);
        if !tested {
            self.live
                .wakes
                .add(now + ANSWER_TIMEOUT, WakeReason::Answer(id));
        }
        None
    }

    fn waits_for_present_clock(&self, id: &CommandId) -> bool {
        let id = self.fold.pending_board(id).ok();
        let board = id.and_then(|id| self.fold.boards.get(&id));
        board.is_some_and(|board| self.is_online(board))
    }

    pub(crate) fn is_online(&self, board: &Board) -> bool {
        let mut heard = board.agents().map(|agent| {
            let session = self.live.sessions.get(&agent);
            session.is_some_and(|session| session.online)
        });
        match &board.pair {
            Some(pair) => pair.agents().count() == 2 && heard.all(|online| online),
            None => heard.any(|online| online),
        }
    }

    /// Answers all callers that wait for a command. The answer may be that the command is still pending.
    pub(crate) fn answer_waiting(&mut self, id: &CommandId, step: &mut OpenStep) {
        let Some(waiting) = self.live.waiting.remove(id) else {
            return;
        };
        let answer = self.answer(id, step.now);
        for reply in waiting {
            step.reply_to_command(reply, Ok(answer.clone()));
        }
    }

    pub(crate) fn answer(&self, id: &CommandId, now: Instant<Hub>) -> Answer {
        let kept = self.fold.answers.get(id);
        let board = kept.and_then(|kept| kept.board.as_ref());
        let certificates = board.map(|board| self.live.zero_tests.certificates(board, id));
        Answer {
            id: *id,
            outcome: kept.map_or(Outcome::Pending, |kept| kept.outcome.clone()),
            board: board.and_then(|board| self.detail(board, now)),
            certificates: certificates.unwrap_or_default(),
        }
    }

    pub(crate) fn judge(
        &mut self,
        request: &Request,
        step: &mut OpenStep,
    ) -> Result<Verdict, Denied> {
        permitted(request.actor.role, &request.action)?;
        match &request.action {
            Action::Board(command) => {
                let board = self.named(request)?;
                let judged = self.judge_command(board, request.seen_seq, command.clone());
                Ok(Verdict::of(board, judged))
            }
            Action::Prepare {
                control,
                start,
                white,
                draw_odds: _,
            } => {
                let board = self.named(request)?;
                let setup = Setup {
                    control: control.clone(),
                    start: board.start_rule_for(*start),
                    white: white.unwrap_or(board.clock().white_button()),
                };
                let prepare = Command::Prepare(setup);
                let judged = self.judge_command(board, request.seen_seq, prepare);
                Ok(Verdict::of(board, judged))
            }
            Action::RestoreBefore(event) => self.judge_restore(request, *event),
            Action::AddBoard(setup, _) => self.judge_new_board(request, setup),
            Action::RemoveBoard => self.judge_removal(request),
            Action::Assign(agent) => self.judge_assignment(request, None, agent),
            Action::AssignSide(side, agent) => self.judge_assignment(request, Some(*side), agent),
            Action::Names {
                white,
                black,
                round,
            } => {
                let names = Names {
                    white: white.clone(),
                    black: black.clone(),
                    round: round.clone(),
                };
                let kind = CommandKind::Names(names);
                Ok(Verdict::of(self.named(request)?, Ok(kind)))
            }
            Action::DrawOdds(side) => {
                let board = self.named(request)?;
                let stale = stale(board, request.seen_seq, DependsOn::Decisions);
                let kind = CommandKind::DrawOdds(*side);
                Ok(Verdict::of(
                    board,
                    stale.map_or(Ok(kind), |why| Err(why.into())),
                ))
            }
            Action::Rule(asked) => self.judge_ruling(step.now, request, asked),
            Action::Moves { after, moves } => self.judge_moves(request, *after, moves),
            Action::Rules(rules) => self.judge_rules(request, rules),
            Action::PressRule(rule) => self.judge_press_rule(request, *rule),
            Action::ZeroTest => self.judge_zero_test(request),
            Action::Identify => self.tell_clock(request, Identify {}.into(), step),
            Action::Show(text) => {
                let text = text.clone();
                self.tell_clock(request, Show { text }.into(), step)
            }
            Action::Force(command) => self.force(request, command, step),
            Action::Withdraw(command) => self.withdraw(request, command, step),
            Action::RevokeAgent(agent) => self.revoke(request, agent, step),
        }
    }

    fn judge_restore(&self, request: &Request, before: EventSeq) -> Result<Verdict, Denied> {
        let board = self.named(request)?;
        let Some(snapshot) = board.before(before) else {
            let (board, event) = (board.id.clone(), before);
            return Err(Denied::NotFound(Why::NoSuchPress { board, event }.into()));
        };
        let restore = Command::Restore(Box::new(snapshot));
        let judged = self.judge_command(board, request.seen_seq, restore);
        Ok(Verdict::of(board, judged))
    }

    fn judge_new_board(&self, request: &Request, setup: &Setup) -> Result<Verdict, Denied> {
        let id = request.board.clone().ok_or_else(no_board)?;
        if self.fold.boards.contains_key(&id) {
            let why = Why::BoardExists(id.clone()).into();
            return Ok(Verdict::Refuse(Some(id), why));
        }
        let kind = CommandKind::AddBoard(setup.clone());
        Ok(Verdict::Accept(Some(id), kind))
    }

    pub(crate) fn named(&self, request: &Request) -> Result<&Board, Denied> {
        self.board_called(request.board.as_ref().ok_or_else(no_board)?)
    }

    pub(crate) fn board_called(&self, id: &BoardId) -> Result<&Board, Denied> {
        let board = self.fold.boards.get(id);
        board.ok_or_else(|| Denied::NotFound(Why::NoBoard(id.clone()).into()))
    }

    pub(crate) fn judge_command(
        &self,
        board: &Board,
        seen_seq: u64,
        command: Command,
    ) -> Result<CommandKind, Refusal> {
        let command = board.start_by_rules(command);
        if let Some(fault) = &board.fault {
            if matches!(command, Command::Prepare(_)) {
                return Ok(CommandKind::Board(command));
            }
            return Err(Why::ClockFailed(fault.clone()).into());
        }
        if let Some(why) = stale(board, seen_seq, depends_on(&command)) {
            return Err(why.into());
        }
        if matches!(command, Command::Start(_) | Command::Resume(_)) {
            let may_start = board.rulings.may_start(board.clock());
            may_start.map_err(Refusal::from_laws)?;
        }
        clock_for(board, &command)?;
        board.clock().check(board.clock().now(), &command)?;
        Ok(CommandKind::Board(command))
    }

    /// Sends the board's connected clocks a frame that changes no state, unless the request is a known repetition.
    fn tell_clock(
        &mut self,
        request: &Request,
        frame: proto::wire::HubFrame,
        step: &mut OpenStep,
    ) -> Result<Verdict, Denied> {
        let board = self.named(request)?;
        let open = |agent| {
            let session = self.live.sessions.get(&agent);
            session.filter(|session| session.online)?.link
        };
        let links: Vec<_> = board.agents().filter_map(open).collect();
        if links.is_empty() {
            let why = Why::ClockNotConnected(board.id.clone());
            return Err(Denied::NotConnected(why.into()));
        }
        if self.live.unlogged.len() >= MAX_UNLOGGED {
            self.live.unlogged.clear();
        }
        if self.live.unlogged.insert(request.id) {
            for open in links {
                step.send(open.link, frame.clone());
            }
        }
        Ok(Verdict::Now(Outcome::Done))
    }
}

/// Refuses a command that would start a clock if the board does not have all the clocks that it needs.
fn clock_for(board: &Board, command: &Command) -> Result<(), Refusal> {
    if route(board, command) != Route::NoAgent {
        return Ok(());
    }
    Err(match &board.pair {
        Some(_) => Why::NoClockEach(board.id.clone()),
        None => Why::NoClock(board.id.clone()),
    }
    .into())
}

/// Checks that a role allows an action. Viewers may request nothing, and floor arbiters only some actions
/// ([`Action::is_allowed_for_floor_arbiters`]). The chief arbiter and the hub may request everything.
fn permitted(role: Role, action: &Action) -> Result<(), Denied> {
    match role {
        Role::Chief | Role::Hub => Ok(()),
        Role::Floor if action.is_allowed_for_floor_arbiters() => Ok(()),
        Role::Floor => Err(Denied::Forbidden(Why::ChiefOnly.into())),
        Role::Viewer => Err(Denied::Forbidden(Why::Viewer.into())),
    }
}

fn no_board() -> Denied {
    Denied::Invalid("the request names no board".to_owned())
}

pub(crate) fn unknown(command: &CommandId) -> Denied {
    Denied::NotFound(Why::CommandUnknown(*command).into())
}

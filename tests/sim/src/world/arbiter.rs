//! The arbiters: they see what the hub publishes, prepare and start games, enter results, and intervene. Some send a request twice or act on an
//! outdated view. Owns their behaviour, and the checks of the answers: an answered command is in the log, and a repeated one gets the same final
//! answer.

use std::sync::Arc;

use hall::view::{BoardState, Flag};
use hall::{
    Action, Actor, Answer, BoardDetail, BoardId, Denied, Enrolment, Input, Outcome, Reply, ReplyId,
    Request, RequestDigest, Role,
};
use proto::ids::CommandId;
use timing::{Command, Duration, Ending, Setup, Side};

use super::{Event, World};
use crate::random::seconds;

pub(super) struct Desk {
    pub(super) id: BoardId,
    pub(super) setup: Setup,
    seen: Option<Arc<BoardDetail>>,
    /// Sequence numbers of earlier views, for requests based on an outdated view.
    old: [u64; 3],
    busy: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Asked {
    board: usize,
    request: Request,
    sent: u32,
    /// The first final answer.
    pub(super) settled: Option<Outcome>,
    /// True if the request has been answered or the arbiter has given up.
    over: bool,
}

impl Desk {
    pub(super) fn new(board: usize, setup: Setup) -> Self {
        Self {
            // A number is always a valid board name.
            id: (board + 1)
                .to_string()
                .parse()
                .unwrap_or_else(|error| panic!("{error}")),
            setup,
            seen: None,
            old: [0; 3],
            busy: false,
        }
    }
}

impl World {
    pub(super) fn add_board(&mut self, board: usize) {
        let request = self.request(
            board,
            Action::AddBoard(self.desks[board].setup.clone(), None),
        );
        self.tell_hub(Input::asked(request, ReplyId(u64::MAX)));
        self.count_game(board);
    }

    fn count_game(&mut self, board: usize) {
        self.tally.games += 1;
        let mut agents = self.agents.iter();
        if let Some(machine) = agents.find(|machine| machine.home == Some(board)) {
            *self
                .tally
                .linked
                .entry((machine.kind, machine.slow_buttons()))
                .or_default() += 1;
        }
    }

    pub(super) fn enrol(&mut self, agent: usize) {
        let machine = &self.agents[agent];
        let board = machine.home.map(|board| self.desks[board].id.clone());
        let enrolment = Enrolment {
            side: None,
            admitted_by: String::new(),
            agent: machine.id,
            exchange_key: vec![7; 32],
            name: format!("clock {agent}"),
            certificate_serial: vec![1; 8],
            certificate: Vec::new(),
            board,
        };
        self.tell_hub(Input::asked(enrolment, ReplyId(u64::MAX)));
    }

    fn request(&mut self, board: usize, action: Action) -> Request {
        let desk = &self.desks[board];
        let seen_seq = if self.people.chance(self.mix.stale) {
            self.people.pick(&desk.old)
        } else {
            desk.seen.as_ref().map_or(0, |seen| seen.view.seq)
        };
        let role = if self.people.chance(0.05) {
            Role::Floor
        } else {
            Role::Chief
        };
        let role = if matches!(action, Action::AddBoard(..)) {
            Role::Chief
        } else {
            role
        };
        Request {
            digest: RequestDigest::OWN,
            id: CommandId(self.people.bytes()),
            actor: Actor {
                name: "arbiter".to_owned(),
                role,
            },
            board: Some(desk.id.clone()),
            seen_seq,
            offence: None,
            reason: "seen".to_owned(),
            action,
        }
    }

    pub(super) fn show_arbiter(&mut self, detail: Arc<BoardDetail>) {
        let index = detail
            .view
            .board
            .parse::<usize>()
            .map_or(0, |number| number - 1);
        let Some(desk) = self.desks.get_mut(index) else {
            return;
        };
        desk.old.rotate_left(1);
        desk.old[2] = desk.seen.as_ref().map_or(0, |seen| seen.view.seq);
        desk.seen = Some(detail);
    }

    pub(super) fn on_look(&mut self, board: usize) {
        if !self.playing {
            return;
        }
        if !self.desks[board].busy
            && let Some(seen) = self.desks[board].seen.clone()
            && let Some(action) = self.decide(board, &seen)
        {
            self.ask(board, action);
        }
        let wait = self.people.span(0.5, 4.0);
        self.plan(wait, Event::Look { board });
    }

    fn decide(&mut self, board: usize, seen: &BoardDetail) -> Option<Action> {
        let often = self.mix.interventions / 60.0 * 2.2 / self.desks.len() as f64;
        if let Some(pending) = seen.pending.first() {
            let id = pending.record.id;
            return match self.people.below(6) {
                0 => Some(Action::Force(id)),
                1 => Some(Action::Withdraw(id)),
                _ => None,
            };
        }
        if self.people.chance(often) {
            return self.intervene(board, seen);
        }
        let act = |text: &str| text.parse().ok().map(Action::Board);
        match seen.view.state {
            BoardState::Ready if self.people.chance(0.6) => act("start"),
            BoardState::Flagged => {
                let side = |flag, side| (flag == Flag::Fallen).then_some(side);
                let fallen = side(seen.view.white.flag, Side::White)
                    .or(side(seen.view.black.flag, Side::Black));
                match fallen {
                    Some(side) if self.people.chance(0.7) => {
                        Some(Action::Board(Command::CallFlag(side)))
                    }
                    _ => act(self.people.pick(&[
                        "end result 0-1",
                        "end result 1-0",
                        "end result 1/2-1/2",
                    ])),
                }
            }
            BoardState::Stopped => act(self.people.pick(&[
                "end mate white",
                "end resign black",
                "end draw",
                "end result 1-0",
                "resume",
            ])),
            // Sometimes the arbiter resumes the clock of the player who is not to move. The next press then begins the opponent's move again.
            BoardState::Paused if self.people.chance(0.4) => {
                act(self
                    .people
                    .pick(&["resume", "resume white", "resume black"]))
            }
            BoardState::Over if self.people.chance(0.7) => Some(self.next_game(board)),
            BoardState::Ready | BoardState::Running | BoardState::Paused | BoardState::Over => None,
        }
    }

    fn next_game(&mut self, board: usize) -> Action {
        let control = self.people.pick(&self.mix.controls.clone());
        let mut setup = self.desks[board].setup.clone();
        if let Ok(control) = control.parse() {
            setup.control = control;
        }
        Action::Board(Command::Prepare(setup))
    }

    fn intervene(&mut self, board: usize, seen: &BoardDetail) -> Option<Action> {
        let side = self.people.pick(&[Side::White, Side::Black]);
        let time = Duration::from_millis(self.people.span(0.5, 90.0) / 1_000_000);
        self.tally.fault("arbiter steps in");
        let command = match self.people.below(16) {
            0..=2 => Command::Pause,
            3 => Command::Resume(None),
            4 => Command::Resume(Some(side)),
            5 => Command::Set { side, to: time },
            6 => Command::Add { side, by: time },
            7 => Command::Add { side, by: -time },
            8 => Command::Moves {
                side,
                to: self.people.below(60) as u32,
            },
            9 => Command::Swap,
            10 => Command::End(Ending::Draw),
            11 => {
                let line = seen.presses.get(self.people.below(seen.presses.len()))?;
                return Some(Action::RestoreBefore(line.event_seq));
            }
            12 => {
                let control = self.people.pick(&self.mix.controls.clone());
                Command::ChangeControl(control.parse().ok()?)
            }
            13 => {
                let spare = self.people.below(self.agents.len());
                return Some(Action::Assign(self.agents[spare].id.to_string()))
                    .filter(|_| self.agents[spare].liar.is_none());
            }
            14 => return Some(Action::Show("Please wait".to_owned())),
            _ => {
                return Some(Action::Names {
                    white: "Ada".to_owned(),
                    black: "Ben".to_owned(),
                    round: board.to_string(),
                });
            }
        };
        Some(Action::Board(command))
    }

    fn ask(&mut self, board: usize, action: Action) {
        let request = self.request(board, action);
        self.desks[board].busy = true;
        self.asked.push(Asked {
            board,
            request,
            sent: 0,
            settled: None,
            over: false,
        });
        let asked = self.asked.len() - 1;
        self.send_request(asked);
        if self.people.chance(self.mix.repeats) {
            self.tally.fault("request repeated");
            let wait = self.people.span(0.001, 2.5);
            self.plan(wait, Event::Request { asked });
        }
    }

    fn send_request(&mut self, asked: usize) {
        self.asked[asked].sent += 1;
        let way = self.people.span(0.000_3, 0.03);
        self.plan(way, Event::Request { asked });
        self.plan(seconds(3.0), Event::Impatient { asked });
    }

    pub(super) fn on_request(&mut self, asked: usize) {
        if self.hub.hall.is_none() {
            return;
        }
        let request = self.asked[asked].request.clone();
        self.tell_hub(Input::asked(request, ReplyId(asked as u64)));
    }

    pub(super) fn on_impatient(&mut self, asked: usize) {
        let question = &mut self.asked[asked];
        if question.over {
            return;
        }
        if question.sent >= 4 || !self.playing {
            question.over = true;
            self.desks[question.board].busy = false;
            return;
        }
        self.send_request(asked);
    }

    pub(super) fn answer_to(&mut self, reply: ReplyId, answer: Result<Reply, Denied>) {
        let asked = reply.0 as usize;
        if reply.0 == u64::MAX {
            return match answer {
                Ok(Reply::Enrol(())) => {}
                Ok(Reply::Command(answer)) if answer.outcome == Outcome::Done => {}
                other => self.fail(format!("a board or a clock was not added: {other:?}")),
            };
        }
        match &answer {
            Ok(Reply::Command(answer)) => self.check_answer(asked, answer),
            Ok(other) => {
                return self.fail(format!("the hub answered a different request: {other:?}"));
            }
            Err(_) => *self.tally.commands.entry("denied").or_default() += 1,
        }
        let way = self.people.span(0.000_3, 0.03);
        self.plan(way, Event::Answer { asked });
    }

    fn check_answer(&mut self, asked: usize, answer: &Answer) {
        let question = &mut self.asked[asked];
        let word = match &answer.outcome {
            Outcome::Done => "done",
            Outcome::Pending => "pending",
            Outcome::Refused(_) => "refused",
            Outcome::Withdrawn => "withdrawn",
        };
        *self.tally.commands.entry(word).or_default() += 1;
        let logged = match question.request.action {
            // These requests are not logged as commands with this id.
            Action::Identify | Action::Show(_) | Action::Force(_) | Action::Withdraw(_) => return,
            Action::Board(_)
            | Action::Prepare { .. }
            | Action::RestoreBefore(_)
            | Action::AddBoard(..)
            | Action::RemoveBoard
            | Action::Assign(_)
            | Action::AssignSide(..)
            | Action::Names { .. }
            | Action::DrawOdds(_)
            | Action::Rule(_)
            | Action::Moves { .. }
            | Action::Rules(_)
            | Action::PressRule(_)
            | Action::ZeroTest => self.hub.commands.contains(&answer.id),
            Action::RevokeAgent(_) => true,
        };
        let prepared = matches!(question.request.action, Action::Board(Command::Prepare(_)));
        if answer.outcome == Outcome::Pending {
            if !logged {
                let what = format!("command {asked} is pending but not in the log");
                self.fail(what);
            }
            return;
        }
        match &question.settled {
            None => {
                question.settled = Some(answer.outcome.clone());
                if prepared && answer.outcome == Outcome::Done {
                    let board = question.board;
                    self.count_game(board);
                }
            }
            Some(first) if *first != answer.outcome => {
                let what = format!(
                    "command {asked} was answered {first:?}, and then {:?}",
                    answer.outcome
                );
                return self.fail(what);
            }
            Some(_) => {}
        }
        if !logged {
            self.fail(format!(
                "command {asked} was answered {:?} but is not in the log",
                answer.outcome
            ));
        }
    }

    pub(super) fn on_answer(&mut self, asked: usize) {
        let question = &mut self.asked[asked];
        question.over = true;
        self.desks[question.board].busy = false;
    }
}

//! A hall whose clocks obey every order immediately, in virtual time, for tests that need a long log or thousands of halls.
//!
//! Owns the clocks and their chains. Gives the hall's records to the caller and has no other output.

use std::collections::VecDeque;

use anyhow::{Context as _, anyhow};
use hall::view::EventView;
use hall::{
    Action, AgentFrame, BoardId, Enrolment, Hall, HallRequest, Hello, HubEffect, Immediate, Input,
    LinkId, OriginText, Outcome, PresetWith, Purpose, Reply, ReplyId, Request, RequestDigest,
    RoundRequest, RoundWork, StartUp, Step, TournamentRequest,
};
use prost::Message as _;
use proto::chain::{chain_hash, genesis};
use proto::ids::{AgentId, CommandId, EventSeq};
use proto::wire::{self, EventBody, event_body::Fact, hub_frame};
use timing::{Board, Button, Command, Hub, Instant, Setup, StartRule};
use tournament::{Actor, Change, RoundNo, Scope};

const ORIGIN: &str = "flagfall.example/prompt";
/// Hub time at the start, when the board time of every clock is 5,000 s.
pub const START: Instant<Hub> = Instant::from_micros(1_000_000_000_000);

pub struct PromptHall<K> {
    pub hall: Hall,
    pub now: Instant<Hub>,
    keep: K,
    /// The clocks, indexed by link number.
    clocks: Vec<PromptClock>,
    next_request: u64,
}

struct PromptClock {
    seq: u64,
    head: [u8; 32],
    orders_taken: u64,
}

impl<K: FnMut(Vec<Vec<u8>>) -> anyhow::Result<()>> PromptHall<K> {
    pub fn start(keep: K) -> anyhow::Result<Self> {
        let mut hall = Self {
            hall: Hall::new(),
            now: START,
            keep,
            clocks: Vec::new(),
            next_request: 1,
        };
        hall.input(Input::StartUp(Box::new(start_up())))?;
        Ok(hall)
    }

    pub fn into_keeper(self) -> K {
        self.keep
    }

    pub fn add_board(&mut self, number: u16, control: &str) -> anyhow::Result<()> {
        let board = board_id(number)?;
        let setup = Setup {
            control: control.parse().map_err(|error| anyhow!("{error}"))?,
            start: StartRule::Arbiter,
            white: Button::Left,
        };
        self.act(&board, Action::AddBoard(setup, None))?;
        self.connect(number, board)
    }

    fn connect(&mut self, number: u16, board: BoardId) -> anyhow::Result<()> {
        let mut agent = AgentId([0; 32]);
        agent.0[..2].copy_from_slice(&number.to_be_bytes());
        let enrolment = Enrolment {
            agent,
            exchange_key: agent.0.to_vec(),
            name: format!("clock {number}"),
            certificate_serial: number.to_be_bytes().to_vec(),
            certificate: Vec::new(),
            board: Some(board),
            side: None,
            admitted_by: String::new(),
        };
        self.ask(HallRequest::Enrol(Box::new(enrolment)))?;
        let link = LinkId(self.clocks.len() as u64);
        self.clocks.push(PromptClock {
            seq: 0,
            head: genesis(ORIGIN, &agent),
            orders_taken: 0,
        });
        let hello = Hello {
            major: proto::MAJOR,
            minor: 0,
            firmware: "bench".parse()?,
            log_origin: OriginText::default(),
            next_seq: EventSeq(1),
            head: None,
            boot: vec![1; 16],
            now: board_time(self.now),
            orders_taken: 0,
            rebooted: false,
            foreign: None,
            journal_damaged: false,
            process: None,
            no_corrections: false,
        };
        self.input(Input::AgentConnected {
            agent,
            link,
            opened: self.now,
            hello: Box::new(hello),
        })?;
        Ok(())
    }

    /// Presses a button of the clock on board `number`. Boards must have been added in order from 1.
    pub fn press(&mut self, number: u16, button: wire::Button) -> anyhow::Result<()> {
        let press = wire::Press {
            button: button.into(),
        };
        self.event(usize::from(number - 1), Fact::Press(press))
    }

    pub fn command(&mut self, number: u16, command: &str) -> anyhow::Result<()> {
        let command: Command = command.parse().map_err(|error| anyhow!("{error}"))?;
        self.act(&board_id(number)?, Action::Board(command))
    }

    pub fn set_clocks(&mut self, round: RoundNo, control: &str) -> anyhow::Result<()> {
        let preset = PresetWith {
            control: None,
            again: false,
            draw_odds: None,
            fallback: control.parse().map_err(|error| anyhow!("{error}"))?,
            start: StartRule::Arbiter,
            after_flag: None,
        };
        for work in [RoundWork::Preset(Box::new(preset)), RoundWork::Start] {
            let request = RoundRequest {
                actor: Actor::chief("Chief"),
                round,
                scope: Scope::All,
                reason: String::new(),
                dry_run: false,
                work,
            };
            self.ask(HallRequest::Round(Box::new(request)))?;
        }
        Ok(())
    }

    pub fn act(&mut self, board: &BoardId, action: Action) -> anyhow::Result<()> {
        let detail = self.hall.detail(board, self.now);
        let request = Request {
            digest: RequestDigest::OWN,
            id: self.command_id(),
            actor: hall::Actor {
                name: "Chief".to_owned(),
                role: hall::Role::Chief,
            },
            board: Some(board.clone()),
            seen_seq: detail.map_or(0, |detail| detail.view.seq),
            offence: None,
            reason: String::new(),
            action,
        };
        self.ask(HallRequest::Command(Box::new(request)))
    }

    pub fn change(&mut self, changes: Vec<Change>) -> anyhow::Result<()> {
        let request = TournamentRequest {
            digest: RequestDigest::OWN,
            id: self.command_id(),
            actor: Actor::chief("Chief"),
            seen: None,
            reason: String::new(),
            changes,
            purpose: Purpose::Amend,
        };
        self.ask(HallRequest::Tournament(Box::new(request)))
    }

    fn command_id(&mut self) -> CommandId {
        self.next_request += 1;
        let mut id = CommandId([0; 16]);
        id.0[..8].copy_from_slice(&self.next_request.to_be_bytes());
        id
    }

    /// Makes a request and requires the hall to grant it.
    pub fn ask(&mut self, request: HallRequest) -> anyhow::Result<()> {
        self.next_request += 1;
        let reply = ReplyId(self.next_request);
        let answer = self
            .input(Input::Asked { request, reply })?
            .context("the request was not answered")?;
        let outcome = match answer.map_err(|denied| anyhow!("{denied:?}"))? {
            Reply::Command(answer) => answer.outcome,
            Reply::Tournament(answer) => answer.outcome,
            Reply::Round(_)
            | Reply::Floor(_)
            | Reply::Player(_)
            | Reply::Enrol(_)
            | Reply::Outcome(_)
            | Reply::Agents(_)
            | Reply::Presses(_)
            | Reply::Proceedings(_)
            | Reply::HoldRevocation(_)
            | Reply::DecideHeld(_)
            | Reply::LogCall(_)
            | Reply::Recover(_)
            | Reply::NotesSeen(_) => Outcome::Done,
        };
        anyhow::ensure!(outcome == Outcome::Done, "{outcome:?}");
        Ok(())
    }

    fn event(&mut self, clock: usize, fact: Fact) -> anyhow::Result<()> {
        let frame = self.clocks[clock].event(self.now, fact)?;
        self.input(Input::AgentFrame {
            link: LinkId(clock as u64),
            received: self.now,
            frame,
        })?;
        Ok(())
    }

    /// Gives the hall an input, lets the clocks react, passes every record to `keep`, and returns the hall's last reply.
    fn input(&mut self, input: Input) -> anyhow::Result<Option<Result<Reply, hall::Denied>>> {
        let mut inputs = VecDeque::from([input]);
        let mut answered = None;
        while let Some(input) = inputs.pop_front() {
            let Step {
                records,
                effects,
                immediate,
            } = self.hall.on_input(self.now, input);
            if !records.is_empty() {
                (self.keep)(records.iter().map(prost::Message::encode_to_vec).collect())?;
            }
            for effect in immediate {
                if let Immediate::Probe { link, probe } = effect {
                    let at = board_time(self.now);
                    inputs.push_back(Input::AgentFrame {
                        link,
                        received: self.now,
                        frame: AgentFrame::TimeReply {
                            nonce: probe.nonce,
                            received: at,
                            sent: at,
                        },
                    });
                }
            }
            for effect in effects {
                if let HubEffect::Reply { answer, .. } = effect {
                    answered = Some(answer);
                } else if let HubEffect::ToAgent { link, frame } = effect
                    && let Some(hub_frame::Frame::Order(order)) = frame.frame
                {
                    inputs.extend(self.take_order(link, order.number)?);
                }
            }
        }
        Ok(answered)
    }

    fn take_order(&mut self, link: LinkId, order: u64) -> anyhow::Result<Option<Input>> {
        let clock = &mut self.clocks[usize::try_from(link.0)?];
        if order <= clock.orders_taken {
            return Ok(None);
        }
        clock.orders_taken = order;
        let frame = clock.event(self.now, Fact::OrderTaken(wire::OrderTaken { order }))?;
        Ok(Some(Input::AgentFrame {
            link,
            received: self.now,
            frame,
        }))
    }
}

fn start_up() -> StartUp {
    StartUp {
        origin: ORIGIN.to_owned(),
        event: EventView::default(),
        boot: vec![1; 16],
        wall_us: START.as_micros(),
        timeline: "first start".to_owned(),
        bound_us: 0,
        authority_der: Vec::new(),
        voucher_der: Vec::new(),
        nonce_seed: 1,
        scheduled: None,
    }
}

impl PromptClock {
    fn event(&mut self, now: Instant<Hub>, fact: Fact) -> anyhow::Result<AgentFrame> {
        self.seq += 1;
        let body = EventBody {
            seq: self.seq,
            prev_hash: self.head.to_vec(),
            at_us: board_time(now).as_micros(),
            fact: Some(fact),
            ..EventBody::default()
        }
        .encode_to_vec();
        self.head = chain_hash(&body);
        let event = hall::from_proto::signed_event(body, vec![0; 64])
            .map_err(|error| anyhow!("{error}"))?;
        Ok(AgentFrame::Event(Box::new(event)))
    }
}

fn board_time(now: Instant<Hub>) -> Instant<Board> {
    Instant::from_micros((now - START).as_micros() + 5_000_000_000)
}

pub fn board_id(number: u16) -> anyhow::Result<BoardId> {
    number
        .to_string()
        .parse()
        .map_err(|error| anyhow!("{error}"))
}

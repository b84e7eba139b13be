//! A hub's start: the time to verify, refold and index the log of a whole event; and the replay of a game from that log.
//!
//! `cargo bench -p tests --bench refold` plays an event of nine rounds on 200 boards into a real log on the disk, opens
//! it as a hub does, and prints the processor time of both threads with their limit. Then it replays the first, a middle
//! and the last game to an instant, as a running hub does, and prints the slowest. Fails if a limit is exceeded. `--
//! --presses 550` makes a million records, `-- --boards 1000 --presses 1100` ten million. Other programs on the machine
//! add mostly to the elapsed time.
#![expect(clippy::print_stdout, reason = "a command line program")]

use std::collections::VecDeque;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, anyhow, bail};
use clap::Parser;
use durable_log::{CommitHandle, Log, Options, Submission};
use hall::replay::RecordIndex;
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
use tests::stopwatch::{self, Stopwatch};
use timing::{Board, Button, Command, Duration, Hub, Instant, Setup, StartRule};
use tournament::{
    Actor, BoardNo, Change, Event, GameResult, Outcome as Score, Pairing, Pairings, Player,
    PlayerNo, RoundNo, Scope,
};

const ORIGIN: &str = "flagfall.example/refold";
const CONTROL: &str = "90m+30s";
/// The hub's first instant; every clock's time is this far behind the hub's.
const START: Instant<Hub> = Instant::from_micros(1_000_000_000_000);
const LIMIT_US_PER_MILLION: i64 = 3_000_000;
/// The limit for a log of any length.
const LEAST_LIMIT_US: i64 = 2_000_000;
const REPLAY_LIMIT_US: i64 = 1_000_000;

/// A hub's start on the log of a whole event.
#[derive(Parser)]
struct Arguments {
    /// The number of boards.
    #[arg(long, default_value_t = 200)]
    boards: u16,
    /// The number of rounds.
    #[arg(long, default_value_t = 9)]
    rounds: u16,
    /// The number of presses in a game.
    #[arg(long, default_value_t = 100)]
    presses: u32,
    /// Passed by cargo.
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> anyhow::Result<ExitCode> {
    let arguments = Arguments::parse();
    let dir = tempfile::tempdir_in(tests::tidy::root().join("target"))?;
    let played = play(&arguments, dir.path())?;
    let (watch, fold_us, all_us) = (
        Stopwatch::start(),
        stopwatch::cpu_us(),
        stopwatch::process_cpu_us(),
    );
    let options = Options {
        verify: false,
        ..Options::default()
    };
    let log = Log::open_with(dir.path(), options)?;
    let (hall, index) = hub::replay::fold_indexed(&log)?;
    let fold_us = stopwatch::cpu_us() - fold_us;
    let read_us = stopwatch::process_cpu_us() - all_us - fold_us;
    if hall.records() != played {
        bail!("{played} records were played, {} folded", hall.records());
    }
    let records = i64::try_from(played)?;
    let limit_us = LEAST_LIMIT_US.max(records * LIMIT_US_PER_MILLION / 1_000_000);
    let held = fold_us.max(read_us) <= limit_us;
    println!(
        "{} rounds on {} boards, {records} records: folded in {} s; {} s elapsed with the other programs of the machine",
        arguments.rounds,
        arguments.boards,
        seconds(fold_us.max(read_us)),
        seconds(watch.elapsed_us())
    );
    println!(
        "processor time: {} s of the fold, {} s of reading and verifying ahead of it; each at most {} s: {}",
        seconds(fold_us),
        seconds(read_us),
        seconds(limit_us),
        if held { "ok" } else { "MISSED" }
    );
    let replayed = replay(&arguments, &log, &index)?;
    Ok(if held && replayed {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Replays games of the first, a middle and the last round, each to the instant of its middle press. Prints the slowest, and
/// returns whether it is within the limit.
fn replay(arguments: &Arguments, log: &Log, index: &RecordIndex) -> anyhow::Result<bool> {
    let (mut slowest_us, mut most) = (0, 0);
    for (board, round) in [
        (1, 1),
        (arguments.boards / 2 + 1, arguments.rounds / 2 + 1),
        (arguments.boards, arguments.rounds),
    ] {
        let watch = Stopwatch::start();
        let board = board_id(board)?;
        let place = index.find(&board, 0, round.into())?;
        let records = hub::replay::records_at(&log.reader(), &index.needed(&board, place))?;
        let timeline = hall::replay::game(&records, &board, place.game)?;
        let middle = timeline.moments.get(timeline.moments.len() / 2);
        let at_us = middle.context("a game without moments")?.at_us;
        let standing = timeline.at(at_us).context("an instant before the game")?;
        std::hint::black_box(standing);
        slowest_us = watch.elapsed_us().max(slowest_us);
        most = records.len().max(most);
    }
    let held = slowest_us <= REPLAY_LIMIT_US;
    println!(
        "replay of a game to an instant: at most {} s elapsed, from at most {most} records; limit {} s: {}",
        seconds(slowest_us),
        seconds(REPLAY_LIMIT_US),
        if held { "ok" } else { "MISSED" }
    );
    Ok(held)
}

fn seconds(us: i64) -> String {
    format!("{:.2}", us as f64 / 1e6)
}

/// Plays the event, with its records in a log in `dir`, and returns their number.
fn play(arguments: &Arguments, dir: &Path) -> anyhow::Result<u64> {
    let log = Log::open(dir)?;
    let commit = log.into_commit(|_| (), |error| println!("{error}"))?;
    let mut play = Play {
        hall: Hall::new(),
        now: START,
        commit,
        clocks: Vec::new(),
        next_request: 1,
    };
    play.input(Input::StartUp(Box::new(start_up())))?;
    play.furnish(arguments)?;
    for round in 1..=arguments.rounds {
        play.round(arguments, RoundNo(round))?;
    }
    let (records, _) = play.commit.close()?;
    Ok(records)
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

struct Play {
    hall: Hall,
    now: Instant<Hub>,
    commit: CommitHandle<()>,
    /// By link number, from 0 on.
    clocks: Vec<BenchClock>,
    next_request: u64,
}

/// A clock that does all it is asked at once.
struct BenchClock {
    seq: u64,
    head: [u8; 32],
    orders_taken: u64,
}

impl Play {
    /// Makes the event, its players, and boards with connected clocks.
    fn furnish(&mut self, arguments: &Arguments) -> anyhow::Result<()> {
        let mut event = Event::new("Large Open", arguments.rounds);
        event.time_control_code = "5400+30".to_owned();
        let mut changes = vec![Change::SetEvent(Box::new(event))];
        changes.extend((1..=arguments.boards * 2).map(|no| {
            let player = Player::new(PlayerNo(no), &format!("Player, {no}"));
            Change::EnterPlayer(Box::new(player))
        }));
        self.change(changes)?;
        for number in 1..=arguments.boards {
            let board = board_id(number)?;
            let setup = Setup {
                control: CONTROL.parse().map_err(|error| anyhow!("{error}"))?,
                start: StartRule::Arbiter,
                white: Button::Left,
            };
            self.act(&board, Action::AddBoard(setup, None))?;
            self.connect(number, board)?;
        }
        Ok(())
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
        self.clocks.push(BenchClock {
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

    /// Plays a round from its pairings to its confirmation.
    fn round(&mut self, arguments: &Arguments, round: RoundNo) -> anyhow::Result<()> {
        let boards = arguments.boards;
        let opponent = |seat: u16| boards + 1 + (seat - 1 + round.0) % boards;
        let pairings = Pairings {
            boards: (1..=boards)
                .map(|no| Pairing::new(BoardNo(no), PlayerNo(no), PlayerNo(opponent(no))))
                .collect(),
            ..Pairings::default()
        };
        self.change(vec![Change::PairRound(round, Box::new(pairings))])?;
        for work in [
            RoundWork::Preset(Box::new(PresetWith {
                control: None,
                again: false,
                fallback: CONTROL.parse().map_err(|error| anyhow!("{error}"))?,
                start: StartRule::Arbiter,
                after_flag: None,
            })),
            RoundWork::Start,
        ] {
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
        let between_presses = Duration::from_micros(1_000_000 / i64::from(boards));
        for press in 0..arguments.presses {
            for board in 1..=boards {
                self.now = self.now + between_presses;
                self.press(board, press)?;
            }
        }
        let results = (1..=boards).map(|board| {
            let score = [Score::Win, Score::Draw, Score::Loss][usize::from((board + round.0) % 3)];
            let result = GameResult::played(score);
            Change::Enter(round, BoardNo(board), result, String::new())
        });
        for result in results {
            self.now = self.now + Duration::from_micros(100_000);
            self.change(vec![result])?;
        }
        self.change(vec![Change::Confirm(round)])
    }

    /// Presses the button of the side on move. On each tenth board, an arbiter interrupts the game once.
    fn press(&mut self, board: u16, press: u32) -> anyhow::Result<()> {
        if press == 40 && board.is_multiple_of(10) {
            let id = board_id(board)?;
            for command in ["pause", "add white 2m", "resume white"] {
                let command: Command = command.parse().map_err(|error| anyhow!("{error}"))?;
                self.act(&id, Action::Board(command))?;
            }
        }
        let button = match press % 2 {
            0 => wire::Button::Left,
            _ => wire::Button::Right,
        };
        let press = wire::Press {
            button: button.into(),
        };
        self.event(usize::from(board - 1), Fact::Press(press))
    }

    fn act(&mut self, board: &BoardId, action: Action) -> anyhow::Result<()> {
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

    fn change(&mut self, changes: Vec<Change>) -> anyhow::Result<()> {
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

    /// Makes a request, which must be granted.
    fn ask(&mut self, request: HallRequest) -> anyhow::Result<()> {
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

    /// Adds an event to a clock's chain and sends it.
    fn event(&mut self, clock: usize, fact: Fact) -> anyhow::Result<()> {
        let frame = self.clocks[clock].event(self.now, fact)?;
        self.input(Input::AgentFrame {
            link: LinkId(clock as u64),
            received: self.now,
            frame,
        })?;
        Ok(())
    }

    /// Gives the hall an input, lets the clocks react, logs every record, and returns the last answer.
    fn input(&mut self, input: Input) -> anyhow::Result<Option<Result<Reply, hall::Denied>>> {
        let mut inputs = VecDeque::from([input]);
        let mut answered = None;
        while let Some(input) = inputs.pop_front() {
            let Step {
                records,
                effects,
                immediate,
            } = self.hall.on_input(self.now, input);
            self.submit(records.iter().map(prost::Message::encode_to_vec).collect())?;
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

    /// Queues records, as soon as the disk has caught up.
    fn submit(&self, records: Vec<Vec<u8>>) -> anyhow::Result<()> {
        if records.is_empty() {
            return Ok(());
        }
        while self.commit.backlog() > durable_log::QUEUE / 2 {
            std::thread::yield_now();
        }
        self.commit
            .submit(Submission {
                records,
                effects: (),
            })
            .map_err(|refused| anyhow!("{refused}"))
    }
}

impl BenchClock {
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

fn board_id(number: u16) -> anyhow::Result<BoardId> {
    number
        .to_string()
        .parse()
        .map_err(|error| anyhow!("{error}"))
}

//! The hub's event loop with a real log on a real disk: output leaves the hub only after its record is durable, and the log contains everything
//! that was sent.
#![expect(
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm,
    reason = "a test ends at the first surprise, and looks for one kind of thing"
)]

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use durable_log::{Log, Options};
use hall::view::EventView;
use hall::{
    Action, Actor, AgentFrame, AskOutcome, AskPresses, Denied, Enrolment, FirmwareText, Hello,
    NoteKind, OriginText, Outcome, Request, RequestDigest, Role, StartUp,
};
use hub::event_loop::{self, Ended, EventLoopHandle, LinkSession, Parts, ToLink};
use hub::live::{LiveHall, RING};
use hub::replay;
use hub::time_source::TimeSource;
use prost::Message;
use proto::chain::{chain_hash, genesis};
use proto::ids::{AgentId, CommandId, EventSeq};
use proto::wire::{self, EventBody, GoodbyeReason, event_body, hub_frame};
use timing::Instant;
use tokio::task::JoinHandle;

const ORIGIN: &str = "flagfall.example/shell";
const AGENT: AgentId = AgentId([7; 32]);

struct Running {
    handle: EventLoopHandle,
    task: JoinHandle<Ended>,
    live: Arc<LiveHall>,
    time: TimeSource,
}

fn open(dir: &Path) -> Log {
    let options = Options {
        ballast_bytes: 0,
        ..Options::default()
    };
    Log::open_with(dir, options).unwrap()
}

fn run(log: Log) -> Running {
    let hall = replay::fold(&log).unwrap();
    let (time, _) = TimeSource::resume(None);
    let clock = time.clone();
    let live = Arc::new(LiveHall::new(1, RING, move || clock.hub_now().as_micros()));
    let start = StartUp {
        origin: ORIGIN.to_owned(),
        event: EventView::default(),
        boot: vec![1; 16],
        wall_us: 0,
        timeline: "test".to_owned(),
        bound_us: 0,
        authority_der: Vec::new(),
        voucher_der: Vec::new(),
        nonce_seed: 1,
        scheduled: None,
    };
    let parts = Parts {
        hall,
        log,
        time: time.clone(),
        live: live.clone(),
        start,
    };
    let (handle, task) = event_loop::start(parts).unwrap();
    Running {
        handle,
        task,
        live,
        time,
    }
}

fn request(number: u8, action: Action, seen_seq: u64) -> Request {
    Request {
        digest: RequestDigest::OWN,
        id: CommandId([number; 16]),
        actor: Actor {
            name: "chief".to_owned(),
            role: Role::Chief,
        },
        board: Some("1".parse().unwrap()),
        seen_seq,
        reason: String::new(),
        offence: None,
        action,
    }
}

async fn set_up(running: &Running) {
    let timing::Command::Prepare(setup) = "prepare left arbiter 3m+2s".parse().unwrap() else {
        panic!("a setup")
    };
    let answer = running
        .handle
        .ask(request(1, Action::AddBoard(setup, None), 0))
        .await
        .unwrap();
    assert_eq!(answer.outcome, Outcome::Done);
    let enrolment = Enrolment {
        side: None,
        admitted_by: String::new(),
        agent: AGENT,
        exchange_key: Vec::new(),
        name: "clock".to_owned(),
        certificate_serial: vec![1],
        certificate: Vec::new(),
        board: Some("1".parse().unwrap()),
    };
    running.handle.ask(enrolment).await.unwrap();
}

struct ShellClock {
    seq: u64,
    head: [u8; 32],
    taken: u64,
    now: i64,
    session: Option<LinkSession>,
}

impl ShellClock {
    fn new() -> Self {
        Self {
            seq: 0,
            head: genesis(ORIGIN, &AGENT),
            taken: 0,
            now: 1_000_000,
            session: None,
        }
    }

    async fn connect(&mut self, running: &Running) -> wire::Welcome {
        let hello = Hello {
            major: proto::MAJOR,
            minor: 0,
            firmware: "shell test".parse().unwrap(),
            log_origin: if self.seq == 0 {
                OriginText::default()
            } else {
                ORIGIN.parse().unwrap()
            },
            next_seq: EventSeq(self.seq + 1),
            head: (self.seq > 0).then_some(self.head),
            boot: vec![1],
            now: Instant::from_micros(self.now),
            orders_taken: self.taken,
            rebooted: false,
            foreign: None,
            journal_damaged: false,
            process: None,
            no_corrections: false,
        };
        let opened = running.time.hub_now();
        let session = running.handle.connect(AGENT, opened, hello).await.unwrap();
        self.session = Some(session);
        loop {
            if let ToLink::Frame(frame) = self.next().await.expect("a welcome")
                && let Some(hub_frame::Frame::Welcome(welcome)) = frame.frame
            {
                return welcome;
            }
        }
    }

    async fn next(&mut self) -> Option<ToLink> {
        self.session.as_mut()?.frames.recv().await
    }

    async fn event(&mut self, running: &Running, fact: event_body::Fact) {
        self.seq += 1;
        self.now += 1_000_000;
        let body = EventBody {
            seq: self.seq,
            prev_hash: self.head.to_vec(),
            at_us: self.now,
            fact: Some(fact),
            ..EventBody::default()
        }
        .encode_to_vec();
        self.head = chain_hash(&body);
        let event = hall::from_proto::signed_event(body, vec![0; 64]).unwrap();
        let frame = AgentFrame::Event(Box::new(event));
        let link = self.session.as_ref().unwrap().id;
        let received = running.time.hub_now();
        running.handle.frame(link, received, frame).await.unwrap();
    }

    async fn press(&mut self, running: &Running) {
        let button = if self.seq.is_multiple_of(2) {
            wire::Button::Left
        } else {
            wire::Button::Right
        };
        let press = wire::Press {
            button: button.into(),
        };
        self.event(running, event_body::Fact::Press(press)).await;
    }

    async fn acknowledged(&mut self, running: &Running) -> wire::Ack {
        loop {
            match self.next().await.expect("an acknowledgement") {
                ToLink::Frame(frame) => match frame.frame.unwrap() {
                    hub_frame::Frame::Ack(ack) if ack.seq == self.seq => return ack,
                    hub_frame::Frame::Order(order) if order.number > self.taken => {
                        self.taken = order.number;
                        let taken = wire::OrderTaken {
                            order: order.number,
                        };
                        self.event(running, event_body::Fact::OrderTaken(taken))
                            .await;
                    }
                    _ => (),
                },
                ToLink::Close { reason, text } => panic!("{reason:?}: {text}"),
            }
        }
    }
}

#[tokio::test]
async fn acknowledged_events_survive_a_restart() {
    let dir = tempfile::tempdir().unwrap();
    let running = run(open(dir.path()));
    set_up(&running).await;
    let mut clock = ShellClock::new();
    clock.connect(&running).await;
    clock.acknowledged(&running).await;
    let seen = running.handle.live().board("1").unwrap().view.seq;
    let start = request(2, Action::Board("start".parse().unwrap()), seen);
    let asked = running.handle.clone();
    let answer = tokio::spawn(async move { asked.ask(start).await });
    loop {
        clock.acknowledged_order(&running).await;
        if clock.taken == 2 {
            break;
        }
    }
    let answer = answer.await.unwrap().unwrap();
    assert_eq!(answer.outcome, Outcome::Done);
    for _ in 0..20 {
        clock.press(&running).await;
        clock.acknowledged(&running).await;
    }
    let shown = running.live.public().board("1").unwrap();
    assert_eq!(shown.white.moves + shown.black.moves, 20);
    assert_eq!(
        running
            .handle
            .ask(AskPresses("1".to_owned()))
            .await
            .unwrap()
            .len(),
        20
    );
    assert_eq!(running.handle.live().counts(), (1, 1));
    let detail = running.handle.live().board("1").unwrap();
    assert_eq!(detail.presses.len(), 12);

    running.handle.shut_down().await;
    assert_eq!(clock.goodbye(|_| ()).await, GoodbyeReason::ShuttingDown);
    let Ok(Ended::Durable(len, _)) = running.task.await else {
        panic!("everything is durable")
    };

    let log = open(dir.path());
    assert_eq!(log.len(), len);
    let again = run(log);
    let welcome = clock.connect(&again).await;
    assert_eq!(welcome.acked_seq, clock.seq);
    assert_eq!(welcome.acked_head, clock.head);
    assert_eq!(welcome.epoch, 2);
    let outcome = again
        .handle
        .ask(AskOutcome(CommandId([2; 16])))
        .await
        .unwrap();
    assert_eq!(outcome.unwrap().outcome, Outcome::Done);
    again.handle.shut_down().await;
}

impl ShellClock {
    /// Waits until the hub closes the link, and returns the reason. Calls `check` on each frame before that.
    async fn goodbye(&mut self, check: impl Fn(Option<hub_frame::Frame>)) -> GoodbyeReason {
        loop {
            match self.next().await {
                Some(ToLink::Frame(frame)) => check(frame.frame),
                Some(ToLink::Close { reason, .. }) => return reason,
                None => panic!("a link ends with a goodbye"),
            }
        }
    }

    async fn acknowledged_order(&mut self, running: &Running) {
        let taken = self.taken;
        while self.taken == taken {
            if let ToLink::Frame(frame) = self.next().await.expect("an order")
                && let Some(hub_frame::Frame::Order(order)) = frame.frame
                && order.number > self.taken
            {
                self.taken = order.number;
                let fact = event_body::Fact::OrderTaken(wire::OrderTaken {
                    order: order.number,
                });
                self.event(running, fact).await;
            }
        }
        self.acknowledged(running).await;
    }
}

/// Opens a log whose disk counts as full once the returned flag is set.
fn log_that_may_fail(dir: &Path) -> (Log, Arc<AtomicBool>) {
    let fails = Arc::new(AtomicBool::new(false));
    let failing = fails.clone();
    let options = Options {
        ballast_bytes: 0,
        sync: Box::new(move |file| {
            if failing.load(Ordering::SeqCst) {
                return Err(std::io::ErrorKind::StorageFull.into());
            }
            file.sync_data()
        }),
        ..Options::default()
    };
    (Log::open_with(dir, options).unwrap(), fails)
}

#[tokio::test]
async fn a_failing_log_stops_every_acknowledgement() {
    let dir = tempfile::tempdir().unwrap();
    let (log, fails) = log_that_may_fail(dir.path());
    let running = run(log);
    set_up(&running).await;
    let mut clock = ShellClock::new();
    clock.connect(&running).await;
    clock.acknowledged_order(&running).await;
    assert_eq!(running.handle.health(), Ok(()));
    let published = running.live.public().newest();
    let shown = running.live.boards();
    assert!(!running.live.public().event().recording_stopped);

    fails.store(true, Ordering::SeqCst);
    clock.press(&running).await;
    let reason = clock
        .goodbye(|frame| assert!(!matches!(frame, Some(hub_frame::Frame::Ack(_)))))
        .await;
    assert_eq!(reason, GoodbyeReason::LogStopped);
    assert_eq!(running.live.boards(), shown, "no board is published");
    assert_eq!(
        running.live.public().newest(),
        published + 1,
        "the one change says that the recording has stopped"
    );
    assert!(running.live.public().event().recording_stopped);
    let notes = running.live.hub_notes();
    let [note] = notes.as_slice() else {
        panic!("{notes:?}");
    };
    assert_eq!(note.kind, NoteKind::LogStopped);
    let trouble = running.handle.health().unwrap_err();
    assert!(trouble.contains("disk is full"), "{trouble}");
    let action = Action::Board("set white 1m".parse().unwrap());
    let denied = running.handle.ask(request(9, action, 0)).await;
    assert!(matches!(denied, Err(Denied::Unavailable(why)) if why.contains("disk is full")));
    // The hall has applied a press that the log does not have, so from now on the hub refuses requests.
    let presses = running.handle.ask(AskPresses("1".to_owned())).await;
    assert!(matches!(presses, Err(Denied::Unavailable(why)) if why.contains("disk is full")));
    let hello = Hello {
        major: proto::MAJOR,
        minor: 0,
        firmware: FirmwareText::default(),
        log_origin: OriginText::default(),
        next_seq: EventSeq(1),
        head: None,
        boot: Vec::new(),
        now: Instant::from_micros(0),
        orders_taken: 0,
        rebooted: false,
        foreign: None,
        journal_damaged: false,
        process: None,
        no_corrections: false,
    };
    let opened = running.time.hub_now();
    let mut late = running.handle.connect(AGENT, opened, hello).await.unwrap();
    assert!(matches!(
        late.frames.recv().await,
        Some(ToLink::Close {
            reason: GoodbyeReason::LogStopped,
            ..
        })
    ));
    running.handle.shut_down().await;
    assert!(matches!(running.task.await, Ok(Ended::LogFailed(_))));
}

#[tokio::test]
async fn the_outcome_of_a_request_that_the_log_failed_to_record_is_unknown() {
    let dir = tempfile::tempdir().unwrap();
    let (log, fails) = log_that_may_fail(dir.path());
    let running = run(log);
    set_up(&running).await;
    let seen = running.handle.live().board("1").unwrap().view.seq;
    fails.store(true, Ordering::SeqCst);
    let names = || Action::Board("set white 1m".parse().unwrap());
    let unknown = running.handle.ask(request(9, names(), seen)).await;
    assert!(
        matches!(&unknown, Err(Denied::OutcomeUnknown(why)) if why.contains("not known") && why.contains("disk is full")),
        "{unknown:?}"
    );
    let refused = running.handle.ask(request(10, names(), seen)).await;
    assert!(
        matches!(refused, Err(Denied::Unavailable(_))),
        "{refused:?}"
    );
    running.handle.shut_down().await;
    assert!(matches!(running.task.await, Ok(Ended::LogFailed(_))));
}

#[tokio::test]
async fn a_command_for_a_silent_clock_stays_pending() {
    let dir = tempfile::tempdir().unwrap();
    let running = run(open(dir.path()));
    set_up(&running).await;
    let seen = running.handle.live().board("1").unwrap().view.seq;
    let action = Action::Board("start".parse().unwrap());
    let answer = running.handle.ask(request(3, action, seen)).await;
    assert_eq!(answer.unwrap().outcome, Outcome::Pending);
    let detail = running.handle.live().board("1").unwrap();
    assert_eq!(detail.pending.len(), 1);
    running.handle.shut_down().await;
}

#[tokio::test]
async fn invalid_requests_are_denied_and_not_logged() {
    let dir = tempfile::tempdir().unwrap();
    let running = run(open(dir.path()));
    let action = Action::Board("start".parse().unwrap());
    let denied = running.handle.ask(request(3, action, 0)).await;
    assert!(matches!(denied, Err(Denied::NotFound(_))));
    running.handle.shut_down().await;
    let Ok(Ended::Durable(len, _)) = running.task.await else {
        panic!("everything is durable")
    };
    assert_eq!(len, 2, "that the log was opened and the hub started");
}

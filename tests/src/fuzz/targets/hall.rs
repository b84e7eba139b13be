//! Messages on their way into the hall: frames from clocks, arbiters' requests, changes to the event, log records.

use ::hall::view::EventView;
use ::hall::{
    Action, Actor, Enrolment, Hall, Input, ReplyId, Request, RequestDigest, Role, StartUp,
    from_proto, to_proto,
};
use prost::Message as _;
use proto::grpc::command_request::Command;
use proto::grpc::{self, CommandRequest};
use proto::ids::{AgentId, CommandId};
use proto::log::Record;
use proto::{event, wire};
use timing::{Button, Instant, Setup, Side, StartRule};
use tournament::{
    BoardNo, Bye, Change, Event, GameResult, Outcome, Pairing, Pairings, Player, PlayerNo, RoundNo,
};

use super::super::Fingerprint;
use super::{joined, pieces};

/// Decodes a clock's frame as the hub does, except that signatures are not checked.
pub(super) fn agent_frames(input: &[u8]) -> Fingerprint {
    let seen = Fingerprint::new();
    let frame = match wire::AgentFrame::decode(input) {
        Ok(frame) => frame,
        Err(error) => return seen.error(&error),
    };
    let seen = match frame.frame.clone() {
        Some(wire::agent_frame::Frame::Hello(hello)) => {
            seen.result(&from_proto::hello(hello), |hello| [hello.boot.len()])
        }
        Some(wire::agent_frame::Frame::Event(event)) => {
            let event = from_proto::signed_event(event.body, event.signature);
            seen.result(&event, |event| [event.boot.len()])
        }
        Some(_) | None => seen,
    };
    seen.result(&from_proto::agent_frame(frame), |_| [1])
}

fn chief() -> Actor {
    Actor {
        name: "chief".to_owned(),
        role: Role::Chief,
    }
}

/// Decodes the input as an arbiter's request and as a floor plan, and converts both. Converting the same request twice must give the same result.
pub(super) fn requests(input: &[u8]) -> Fingerprint {
    let seen = Fingerprint::new();
    let seen = match CommandRequest::decode(input) {
        Ok(request) => {
            let converted = hub::api::requests::request(request.clone(), chief());
            if let Ok(first) = &converted {
                let again = hub::api::requests::request(request, chief());
                assert_eq!(again.as_ref().ok(), Some(first));
            }
            let sizes = |request: &Request| {
                // Only the first two words of the debug output count: they name the kind of action, and the rest are values.
                let kind = format!("{:?}", request.action);
                let kind = kind.split(|c: char| !c.is_ascii_alphabetic());
                [
                    request.reason.len(),
                    kind.take(2).map(str::len).sum::<usize>(),
                ]
            };
            seen.result(&converted, sizes)
        }
        Err(error) => seen.error(&error),
    };
    match grpc::SetFloorRequest::decode(input) {
        Ok(floor) => {
            let places = floor.places.into_iter();
            let places = places.map(|place| (place.board, place.x, place.y));
            let places = from_proto::floor::places(places);
            seen.result(&places, |places| [places.len()])
        }
        Err(error) => seen.error(&error),
    }
}

pub(super) fn request_seeds() -> Vec<Vec<u8>> {
    let add = grpc::AddBoard {
        control: "90m+30s".to_owned(),
        start: "black-press".to_owned(),
        ..grpc::AddBoard::default()
    };
    let prepare = grpc::Prepare {
        control: "3m+2s".to_owned(),
        start: "arbiter".to_owned(),
        ..grpc::Prepare::default()
    };
    let names = grpc::Names {
        white: "Alpha, Anna".to_owned(),
        black: "Bravo, Bea".to_owned(),
        round: "3".to_owned(),
    };
    let set = grpc::SetTime {
        side: proto::Side::White.into(),
        to_us: 61_000_000,
    };
    let end = grpc::EndGame {
        ending: "1-0 checkmate".to_owned(),
    };
    let force = grpc::Force {
        command_id: vec![4; 16],
    };
    let commands = [
        Command::AddBoard(add),
        Command::Prepare(prepare),
        Command::Names(names),
        Command::SetTime(set),
        Command::EndGame(end),
        Command::Force(force),
        Command::Pause(grpc::Pause {}),
        Command::Resume(grpc::Resume::default()),
        Command::Restore(grpc::Restore {
            before_event_seq: 4,
        }),
        Command::Show(grpc::Show {
            text: "Round 3".to_owned(),
        }),
    ];
    let offence = event::Offence {
        kind: event::OffenceKind::IllegalMove.into(),
        side: proto::Side::White.into(),
        withdrawn: false,
    };
    let requests = commands.into_iter().map(|command| CommandRequest {
        id: vec![1; 16],
        board: "12".to_owned(),
        seen_seq: 7,
        reason: "7.5.5".to_owned(),
        offence: Some(offence),
        command: Some(command),
    });
    requests.map(|request| request.encode_to_vec()).collect()
}

/// Decodes a change to the event and applies it. A decoded change must survive being encoded and decoded again.
pub(super) fn changes(input: &[u8]) -> Fingerprint {
    let seen = Fingerprint::new();
    let change = match event::Change::decode(input) {
        Ok(change) => change,
        Err(error) => return seen.error(&error),
    };
    let decoded = from_proto::tournament::change(change);
    if let Ok(change) = &decoded {
        let again = from_proto::tournament::change(to_proto::tournament::change(change));
        assert_eq!(again.as_ref().ok(), Some(change));
    }
    let seen = seen.result(&decoded, |_| [1]);
    let Ok(change) = decoded else { return seen };
    let mut tournament = paired_event();
    let applied = tournament.apply(&tournament::Actor::chief("Doe"), change);
    seen.result(&applied, |_| [tournament.players().len()])
}

fn changes_of_an_event() -> Vec<Change> {
    let mut changes: Vec<Change> = (1..=6)
        .map(|no| {
            let player = Player::new(PlayerNo(no), &format!("Player {no}"));
            Change::EnterPlayer(Box::new(player))
        })
        .collect();
    changes.push(Change::GrantBye(PlayerNo(5), RoundNo(1), Some(Bye::Half)));
    let pairings = Pairings {
        boards: vec![
            Pairing::new(BoardNo(1), PlayerNo(1), PlayerNo(2)),
            Pairing::new(BoardNo(2), PlayerNo(3), PlayerNo(4)),
        ],
        byes: vec![
            (PlayerNo(5), Bye::Half),
            (PlayerNo(6), Bye::PairingAllocated),
        ],
        ..Pairings::default()
    };
    changes.push(Change::PairRound(RoundNo(1), Box::new(pairings)));
    let won = GameResult::played(Outcome::Win);
    changes.push(Change::Enter(RoundNo(1), BoardNo(1), won, String::new()));
    changes.push(Change::Withdraw(PlayerNo(6), RoundNo(1)));
    changes
}

fn paired_event() -> tournament::Tournament {
    let mut event = Event::new("Open", 3);
    event.initial_colour = Some(Side::White);
    let mut tournament = tournament::Tournament::new(event);
    for change in changes_of_an_event() {
        let applied = tournament.apply(&tournament::Actor::chief("Doe"), change);
        applied.expect("the changes of the seeds fit each other");
    }
    tournament
}

pub(super) fn change_seeds() -> Vec<Vec<u8>> {
    let mut changes = changes_of_an_event();
    changes.push(Change::SetEvent(Box::new(Event::new("Open", 5))));
    changes.push(Change::Unpair(RoundNo(1)));
    changes.push(Change::Confirm(RoundNo(1)));
    changes.push(Change::RemovePlayer(PlayerNo(6)));
    let encoded = changes.iter().map(to_proto::tournament::change);
    encoded.map(|change| change.encode_to_vec()).collect()
}

/// Folds the pieces of the input as log records. Dropping the hall after a failed fold must not panic.
pub(super) fn log_records(input: &[u8]) -> Fingerprint {
    let mut hall = Hall::new();
    let mut seen = Fingerprint::new();
    for piece in pieces(input) {
        let record = match Record::decode(piece) {
            Ok(record) => record,
            Err(error) => return seen.error(&error),
        };
        let applied = hall.apply(record);
        seen = seen.result(&applied, |()| [hall.board_count()]);
        if applied.is_err() {
            break;
        }
    }
    seen
}

pub(super) fn log_seeds() -> Vec<Vec<u8>> {
    let mut hall = Hall::new();
    let mut records = Vec::new();
    for (number, input) in (1..).zip(inputs()) {
        let step = hall.on_input(Instant::from_micros(1_000_000_000 + number), input);
        records.extend(step.records.iter().map(Record::encode_to_vec));
    }
    let whole = joined(&records);
    let half = joined(&records[..records.len() / 2]);
    vec![whole, half]
}

fn inputs() -> Vec<Input> {
    let start = Input::StartUp(Box::new(StartUp {
        origin: "flagfall.example/1".to_owned(),
        authority_der: Vec::new(),
        voucher_der: Vec::new(),
        event: EventView::default(),
        boot: vec![1; 16],
        wall_us: 1_800_000_000_000_000,
        timeline: "same boot".to_owned(),
        bound_us: 0,
        nonce_seed: 5,
        scheduled: None,
    }));
    let asked = |number: u8, board: &str, action| {
        let request = Request {
            digest: RequestDigest::OWN,
            id: CommandId([number; 16]),
            actor: chief(),
            board: board.parse().ok(),
            seen_seq: 0,
            reason: String::new(),
            offence: None,
            action,
        };
        Input::asked(request, ReplyId(number.into()))
    };
    let setup = |control: &str| Setup {
        control: control.parse().expect("the seeds' controls are valid"),
        start: StartRule::Arbiter,
        white: Button::Left,
    };
    let names = Action::Names {
        white: "Alpha, Anna".to_owned(),
        black: "Bravo, Bea".to_owned(),
        round: "1".to_owned(),
    };
    let enrolment = Enrolment {
        agent: AgentId([1; 32]),
        exchange_key: vec![2; 32],
        name: "clock 1".to_owned(),
        certificate_serial: vec![3; 8],
        certificate: Vec::new(),
        board: "1".parse().ok(),
        side: None,
        admitted_by: String::new(),
    };
    vec![
        start,
        asked(
            1,
            "1",
            Action::AddBoard(setup("40/1h30m+30s : 30m+30s"), None),
        ),
        asked(2, "2", Action::AddBoard(setup("3m+2s"), Some(Side::Black))),
        asked(3, "1", names),
        Input::asked(enrolment, ReplyId(4)),
        asked(5, "2", Action::DrawOdds(Some(Side::White))),
        asked(6, "2", Action::RemoveBoard),
    ]
}

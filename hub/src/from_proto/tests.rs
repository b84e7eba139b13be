//! What is taken from clients, agents and the log, and what is said to those who send something else.

use std::sync::Arc;

use proptest::prelude::*;
use proto::grpc::command_request::Command as Wanted;
use proto::ids::AgentId;
use proto::log;
use timing::Rejection;

use super::records::setup;
use super::*;
use crate::hall::entry::{Entry, EventEntry, EventWhat, FloorEntry, Imported, LinkChange, Logged};
use crate::hall::{BoardId, Enrolment, EventNo, Refusal, RequestDigest, Role, SignedRequest, Spot};
use crate::hall::{CommandKind, CommandRecord};
use crate::to_proto;
use crate::tournament::{Actor as Changer, Change, Refusal as EventRefusal, RoundNo};

fn chief() -> Actor {
    Actor {
        name: "chief".to_owned(),
        role: Role::Chief,
    }
}

fn asking(command: Wanted) -> grpc::CommandRequest {
    grpc::CommandRequest {
        id: vec![1; 16],
        board: "12".to_owned(),
        seen_seq: 7,
        reason: "because".to_owned(),
        offence: None,
        command: Some(command),
    }
}

#[track_caller]
fn refused(wanted: grpc::CommandRequest, expected: &str) {
    let error = request(wanted, chief()).unwrap_err().to_string();
    assert!(error.contains(expected), "{error}");
}

#[test]
fn a_request_is_taken_whole() {
    let set = Wanted::SetTime(grpc::SetTime {
        side: proto::Side::Black.into(),
        to_us: 90_000_000,
    });
    let taken = request(asking(set), chief()).unwrap();
    assert_eq!(taken.board.unwrap().as_str(), "12");
    assert_eq!((taken.seen_seq, taken.reason.as_str()), (7, "because"));
    assert_eq!(
        taken.action,
        Action::Board("set black 90s".parse().unwrap())
    );
}

#[test]
fn what_is_missing_or_malformed_is_named() {
    let pause = || asking(Wanted::Pause(grpc::Pause {}));
    let mut wanted = pause();
    wanted.id = vec![1, 2, 3];
    refused(wanted, "the command's id: expected 16 bytes, got 3");
    let mut wanted = pause();
    wanted.command = None;
    refused(wanted, "names no command");
    let mut wanted = pause();
    wanted.board = " 12".to_owned();
    refused(wanted, "names no board");
    let mut wanted = pause();
    wanted.reason = "x".repeat(301);
    refused(wanted, "the reason has 301 bytes, at most 300 are taken");
    let mut wanted = pause();
    wanted.reason = "two\nlines".to_owned();
    refused(
        wanted,
        "the reason has the invisible character U+000A in it",
    );
    let set = grpc::SetTime { side: 0, to_us: 1 };
    refused(asking(Wanted::SetTime(set)), "which side: white or black");
    let button = grpc::WhiteButton { white: 0 };
    refused(asking(Wanted::WhiteButton(button)), "which button");
    let change = grpc::ChangeControl {
        control: "90".to_owned(),
        ..grpc::ChangeControl::default()
    };
    refused(asking(Wanted::ChangeControl(change)), "column 1");
    let end = grpc::EndGame {
        ending: "result 2-0".to_owned(),
    };
    refused(asking(Wanted::EndGame(end)), "end result 2-0");
    let prepare = grpc::Prepare {
        control: "5m".to_owned(),
        start: "whenever".to_owned(),
        ..grpc::Prepare::default()
    };
    refused(
        asking(Wanted::Prepare(prepare)),
        "neither arbiter nor black-press",
    );
    let force = grpc::Force {
        command_id: vec![1],
    };
    refused(asking(Wanted::Force(force)), "the pending command's id");
}

#[test]
fn labels_and_texts_at_their_bounds_fit_their_frames() {
    let name = "é".repeat(MAX_NAME / 2);
    let board: BoardId = "😀".repeat(32).parse().unwrap();
    let frame: wire::HubFrame = wire::Labels {
        board: board.to_string(),
        round: name.clone(),
        white: name.clone(),
        black: name,
        draw_odds: proto::Side::Black.into(),
        starts_at_us: Some(i64::MIN),
        sound: wire::Sound::All.into(),
    }
    .into();
    assert!(proto::frame::encode(&frame).is_ok());
    let text = "x".repeat(MAX_TEXT);
    let frame: wire::HubFrame = wire::Show { text }.into();
    assert!(proto::frame::encode(&frame).is_ok());
}

#[test]
fn a_second_hello_and_events_of_no_kind_are_no_frames() {
    let hello = wire::Hello::default();
    assert!(agent_frame(hello.into()).is_err());
    assert!(agent_frame(wire::AgentFrame { frame: None }).is_err());
    let body = wire::EventBody {
        seq: 1,
        prev_hash: vec![0; 32],
        ..wire::EventBody::default()
    };
    let error = signed_event(body.encode_to_vec(), Vec::new()).unwrap_err();
    assert!(error.to_string().contains("does not know"), "{error}");
    let press = wire::Press { button: 0 };
    let body = wire::EventBody {
        fact: Some(event_body::Fact::Press(press)),
        ..body
    };
    assert!(signed_event(body.encode_to_vec(), Vec::new()).is_err());
    let long = wire::Hello {
        boot: vec![0; 65],
        ..wire::Hello::default()
    };
    assert!(super::hello(long).is_err());
}

fn entries() -> Vec<Entry> {
    let (id, agent) = (CommandId([3; 16]), AgentId([9; 32]));
    let body = wire::EventBody {
        seq: 5,
        prev_hash: vec![8; 32],
        at_us: -17,
        fact: Some(event_body::Fact::OrderTaken(wire::OrderTaken { order: 2 })),
        ..wire::EventBody::default()
    };
    let event = signed_event(body.encode_to_vec(), vec![1; 64]).unwrap();
    let mut entries = vec![
        Entry::Opened {
            origin: "flagfall.example/1".to_owned(),
            event_name: "Open".to_owned(),
            wall_us: 5,
        },
        Entry::HubStarted {
            epoch: 3,
            boot: vec![1],
            wall_us: 6,
            timeline: "same boot".to_owned(),
            bound_us: 0,
        },
        Entry::AgentEnrolled(Box::new(Enrolment {
            side: Some(Side::Black),
            admitted_by: "chief".to_owned(),
            agent,
            exchange_key: vec![2; 32],
            name: "clock".to_owned(),
            certificate_serial: vec![7],
            board: Some("12".parse().unwrap()),
        })),
        Entry::AgentRevoked {
            agent,
            actor: "chief".to_owned(),
            reason: "stolen".to_owned(),
        },
        Entry::AgentEvent {
            agent,
            event: Box::new(event),
            placed: None,
            counts_at: Some(Instant::from_micros(77)),
        },
        Entry::Settled {
            at: Instant::from_micros(-3),
        },
        Entry::Forced {
            id,
            actor: "chief".to_owned(),
            at: Instant::from_micros(9),
        },
        Entry::Withdrawn {
            id,
            actor: "chief".to_owned(),
        },
        Entry::Note {
            kind: "rebase".to_owned(),
            text: "jumped".to_owned(),
            agent: Some(agent),
        },
    ];
    entries.extend(commands(id, agent));
    entries.extend(parts(id));
    entries.push(signed_by_a_device());
    entries.push(arranged());
    entries.extend(observed(agent));
    entries
}

fn observed(agent: AgentId) -> [Entry; 2] {
    let expected = Entry::FlagExpected {
        side: Side::Black,
        at: Instant::from_micros(4),
    };
    let lost = Entry::LinkChanged(LinkChange {
        agent,
        online: false,
        heard: Some(Instant::from_micros(8)),
    });
    [expected, lost]
}

fn arranged() -> Entry {
    let spot = Spot { x: 3, y: 32_767 };
    Entry::Floor(Box::new(FloorEntry {
        actor: "Ann".to_owned(),
        whole: true,
        part: 2,
        parts: 3,
        places: [("A7".parse().unwrap(), spot)].into(),
    }))
}

fn signed_by_a_device() -> Entry {
    Entry::Signed(Box::new(SignedRequest {
        actor: "Ann".to_owned(),
        device: "d-0123456789abcdef".to_owned(),
        public_key: vec![4; 65],
        session: "0f".repeat(16),
        path: "/flagfall.api.v1.Arbiter/Send".to_owned(),
        request: vec![1, 2],
        digest: vec![3; 32],
        signature: vec![5; 64],
    }))
}

fn parts(id: CommandId) -> impl Iterator<Item = Entry> {
    let kinds = [
        EventWhat::Changes(vec![
            Change::Confirm(RoundNo(3)),
            Change::Unpair(RoundNo(4)),
        ]),
        EventWhat::Piece {
            bytes: vec![1, 2, 3],
            ends: true,
        },
        EventWhat::Undone(u64::MAX),
        EventWhat::SwitchedTo(EventNo(7)),
        EventWhat::Refused(EventRefusal::Confirmed(RoundNo(3)).into()),
    ];
    kinds.into_iter().map(move |what| {
        Entry::Event(Box::new(EventEntry {
            id,
            actor: Changer::floor("Ann"),
            reason: "because".to_owned(),
            part: 2,
            parts: 3,
            digest: RequestDigest(u64::MAX - 7),
            imported: Some(Imported {
                file: "open.trf".to_owned(),
                opens: true,
            }),
            what,
        }))
    })
}

fn commands(id: CommandId, agent: AgentId) -> impl Iterator<Item = Entry> {
    let setup = setup("right black-press 3m+2s").unwrap();
    let kinds = [
        CommandKind::Board("add white -20s".parse().unwrap()),
        CommandKind::AddBoard(setup),
        CommandKind::RemoveBoard,
        CommandKind::Assign(None),
        CommandKind::Assign(Some(agent)),
        CommandKind::Names {
            white: "A".to_owned(),
            black: "B".to_owned(),
            round: "3".to_owned(),
        },
        CommandKind::DrawOdds(Some(Side::White)),
        CommandKind::Refused(Rejection::FlagUp.into()),
        CommandKind::Refused(Refusal::kept("as an older hub said it".to_owned(), None)),
    ];
    kinds.into_iter().map(move |kind| {
        Entry::Command(Arc::new(CommandRecord {
            id,
            actor: "chief".to_owned(),
            reason: "so".to_owned(),
            offence: Some(Offence {
                kind: OffenceKind::IllegalMove,
                side: Side::Black,
                revoked: true,
            }),
            seen_seq: 4,
            kind,
            draw_odds: Some(Side::Black),
            round: Some(RoundNo(3)),
            digest: RequestDigest(5),
        }))
    })
}

#[test]
fn every_entry_comes_back_from_its_record() {
    for entry in entries() {
        let logged = Logged {
            rules: timing::RulesVersion::LATEST,
            hub: Instant::from_micros(12),
            board: Some("12".parse().unwrap()),
            entry,
            after: Some(log::After {
                white_us: 1,
                black_us: -2,
                digest: vec![4; 8],
            }),
        };
        let bytes = to_proto::record(&logged).encode_to_vec();
        let record = log::Record::decode(bytes.as_slice()).unwrap();
        assert_eq!(super::logged(record), Ok(logged));
    }
}

proptest! {
    #[test]
    fn arbitrary_bytes_give_a_value_or_a_sentence(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        if let Ok(frame) = wire::AgentFrame::decode(bytes.as_slice()) {
            let _ = agent_frame(frame);
        }
        if let Ok(record) = log::Record::decode(bytes.as_slice()) {
            let _ = logged(record);
        }
        if let Ok(wanted) = grpc::CommandRequest::decode(bytes.as_slice()) {
            let _ = request(wanted, chief());
        }
        let _ = signed_event(bytes, Vec::new());
    }
}

/// Controls of the direction of writing, other invisible characters, and controls that a terminal obeys.
const HIDDEN: [char; 17] = [
    '\u{202a}', '\u{202b}', '\u{202c}', '\u{202d}', '\u{202e}', '\u{2066}', '\u{2067}', '\u{2068}',
    '\u{2069}', '\u{200e}', '\u{200f}', '\u{61c}', '\u{200b}', '\u{feff}', '\u{2028}', '\n',
    '\u{1b}',
];

#[test]
fn no_text_of_a_request_has_a_hidden_character() {
    for char in HIDDEN {
        let text = format!("Ada{char} 1:00");
        let code = format!(
            "has the invisible character U+{:04X} in it",
            u32::from(char)
        );
        let mut reason = asking(Wanted::Pause(grpc::Pause {}));
        reason.reason = text.clone();
        refused(reason, &format!("the reason {code}"));
        let names = |white: &str, black: &str, round: &str| {
            asking(Wanted::Names(grpc::Names {
                white: white.to_owned(),
                black: black.to_owned(),
                round: round.to_owned(),
            }))
        };
        refused(names(&text, "", ""), &format!("White's name {code}"));
        refused(names("", &text, ""), &format!("Black's name {code}"));
        refused(names("", "", &text), &format!("the round {code}"));
        let show = grpc::Show { text: text.clone() };
        refused(asking(Wanted::Show(show)), &format!("the text {code}"));
        let mut board = asking(Wanted::AddBoard(grpc::AddBoard {
            control: "5m".to_owned(),
            ..grpc::AddBoard::default()
        }));
        board.board = text.clone();
        refused(board, "board");
        assert_eq!(
            super::reason(text),
            Err(BadInput::Hidden {
                what: "the reason".to_owned(),
                found: char
            })
        );
    }
    // A name that is written from right to left is a name.
    let mut named = asking(Wanted::Pause(grpc::Pause {}));
    named.reason = "محمد, נועה".to_owned();
    assert!(request(named, chief()).is_ok());
}

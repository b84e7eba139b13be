//! Tests the decoding of agents' frames and of log records, the errors for malformed ones, and the maximum lengths of
//! texts.

use std::sync::Arc;

use proptest::prelude::*;
use proto::ids::AgentId;
use proto::log::{self, Imported, Names};
use timing::Rejection;

use super::records::{logged, setup};
use super::*;
use crate::entry::{
    AcceptedTime, Entry, EventEntry, EventEntryKind, FloorEntry, LinkChange, Logged, LoggedNote,
    SeenNote,
};
use crate::to_proto;
use crate::{BoardId, ChiefRecovery, Enrolment, EventNo, Refusal, RequestDigest, Spot};
use crate::{CommandKind, CommandRecord};
use ::tournament::{Actor as Changer, Change, Refusal as EventRefusal, RoundNo};

#[test]
fn labels_and_texts_of_maximum_length_fit_their_frames() {
    let name = "é".repeat(MAX_NAME / 2);
    let board: BoardId = "😀".repeat(32).parse().unwrap();
    let frame: wire::HubFrame = wire::Labels {
        board: board.to_string(),
        round: name.clone(),
        white: name.clone(),
        black: name,
        draw_odds: proto::Side::Black.into(),
        starts_at_us: Some(i64::MIN),
        day: 0,
        sound: wire::Sound::All.into(),
    }
    .into();
    assert!(proto::frame::encode(&frame).is_ok());
    let text = "x".repeat(MAX_TEXT);
    let frame: wire::HubFrame = wire::Show { text }.into();
    assert!(proto::frame::encode(&frame).is_ok());
}

#[test]
fn a_second_hello_and_events_without_a_kind_are_rejected() {
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

#[test]
fn a_hello_with_unprintable_text_is_rejected() {
    let foreign = |origin: &str| wire::ForeignJournal {
        log_origin: origin.to_owned(),
        unacknowledged: 3,
    };
    let sound = wire::Hello {
        firmware: "é".repeat(60),
        log_origin: "flagfall.example/hall".to_owned(),
        foreign: Some(foreign("flagfall.example/other")),
        ..wire::Hello::default()
    };
    let read = super::hello(sound.clone()).unwrap();
    assert_eq!(read.firmware.as_str(), "é".repeat(40), "cut to its bound");
    let other = read
        .foreign
        .map(|(origin, count)| (origin.into_string(), count));
    assert_eq!(other, Some(("flagfall.example/other".to_owned(), 3)));
    let wrong = [
        wire::Hello {
            firmware: "v1\nERROR".to_owned(),
            ..sound.clone()
        },
        wire::Hello {
            log_origin: "a\u{200e}b".to_owned(),
            ..sound.clone()
        },
        wire::Hello {
            foreign: Some(foreign(&"x".repeat(301))),
            ..sound
        },
    ];
    let said = wrong.map(|hello| super::hello(hello).unwrap_err().to_string());
    assert_eq!(
        said,
        [
            "the firmware has the invisible character U+000A in place 3",
            "the journal's origin has the invisible character U+200E in place 2",
            "the origin of the other journal has 301 bytes, more than 300",
        ]
    );
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
        Entry::Opened(log::Opened {
            origin: "flagfall.example/1".to_owned(),
            event_name: "Open".to_owned(),
            wall_us: 5,
        }),
        Entry::HubStarted(log::HubStarted {
            epoch: 3,
            boot: vec![1],
            wall_us: 6,
            timeline: "same boot".to_owned(),
            bound_us: 0,
            authority_der: vec![2],
            voucher_der: vec![3],
        }),
        Entry::AgentEnrolled(Box::new(Enrolment {
            side: Some(Side::Black),
            admitted_by: "chief".to_owned(),
            agent,
            exchange_key: vec![2; 32],
            name: "clock".to_owned(),
            certificate_serial: vec![7],
            certificate: vec![8],
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
            accepted: AcceptedTime {
                at: Some(Instant::from_micros(77)),
                charged_to: Some(Instant::from_micros(55)),
            },
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
    ];
    entries.extend(notes(agent));
    entries.extend(commands(id, agent));
    entries.extend(parts(id));
    entries.extend([signed_by_a_device(), recovered(), arranged()]);
    entries.extend(observed(agent));
    entries
}

fn notes(agent: AgentId) -> [Entry; 3] {
    let note = |count, figures| {
        Entry::Note(Box::new(LoggedNote {
            kind: "rebase".to_owned(),
            text: "jumped".to_owned(),
            agent: Some(agent),
            count,
            figures,
        }))
    };
    let figures = log::NoteFigures {
        event: 7,
        off_by_us: Some(-3),
        ..log::NoteFigures::default()
    };
    let seen = SeenNote {
        kind: "rebase".to_owned(),
        agent: None,
        count: 8,
        actor: "Ann".to_owned(),
        reason: "replaced".to_owned(),
    };
    [
        note(0, log::NoteFigures::default()),
        note(8, figures),
        Entry::NoteSeen(seen),
    ]
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

fn recovered() -> Entry {
    Entry::ChiefRecovered(ChiefRecovery {
        address: "192.0.2.7".to_owned(),
        revoked: vec!["d-0123456789abcdef".to_owned()],
    })
}

fn signed_by_a_device() -> Entry {
    Entry::Signed(Box::new(log::RequestSigned {
        actor: "Ann".to_owned(),
        device: "d-0123456789abcdef".to_owned(),
        public_key: vec![4; 65],
        session: "0f".repeat(16),
        path: "/flagfall.api.v1.Arbiter/Send".to_owned(),
        request: vec![1, 2],
        request_digest: vec![3; 32],
        signature: vec![5; 64],
    }))
}

fn parts(id: CommandId) -> impl Iterator<Item = Entry> {
    let kinds = [
        EventEntryKind::Changes(vec![
            Change::Confirm(RoundNo(3)),
            Change::Unpair(RoundNo(4)),
        ]),
        EventEntryKind::Piece {
            bytes: vec![1, 2, 3],
            ends: true,
        },
        EventEntryKind::Undone(u64::MAX),
        EventEntryKind::SwitchedTo(EventNo(7)),
        EventEntryKind::Refused(EventRefusal::Confirmed(RoundNo(3)).into()),
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
        CommandKind::Names(Names {
            white: "A".to_owned(),
            black: "B".to_owned(),
            round: "3".to_owned(),
        }),
        CommandKind::DrawOdds(Some(Side::White)),
        CommandKind::Refused(Rejection::FlagUp.into()),
        CommandKind::Refused(Refusal::from_record(
            "as an older hub said it".to_owned(),
            None,
        )),
    ];
    kinds.into_iter().map(move |kind| {
        Entry::Command(Arc::new(CommandRecord {
            id,
            actor: "chief".to_owned(),
            reason: "so".to_owned(),
            offence: Some(Offence {
                kind: OffenceKind::IllegalMove,
                side: Side::Black,
                withdrawn: true,
            }),
            seen_seq: 4,
            kind,
            draw_odds: Some(Side::Black),
            round: Some(RoundNo(3)),
            digest: RequestDigest(5),
            asked: "add white 2m".to_owned(),
        }))
    })
}

#[test]
fn every_entry_round_trips_through_its_record() {
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
        let bytes = to_proto::records::record(&logged).encode_to_vec();
        let record = log::Record::decode(bytes.as_slice()).unwrap();
        assert_eq!(super::records::logged(record), Ok(logged));
    }
}

proptest! {
    #[test]
    fn arbitrary_bytes_give_a_value_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        if let Ok(frame) = wire::AgentFrame::decode(bytes.as_slice()) {
            let _ = agent_frame(frame);
        }
        if let Ok(record) = log::Record::decode(bytes.as_slice()) {
            let _ = logged(record);
        }
        let _ = signed_event(bytes, Vec::new());
    }
}

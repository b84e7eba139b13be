//! Tests of concealed names.

use alloc::vec;
use alloc::vec::Vec;

use prost::Message;

use super::*;
use crate::event::{Change, Event, Player, change};
use crate::log::{CommandReceived, EventChanged, Names, Record, command_received, record};

const SECRET: [u8; 32] = [7; 32];

fn named() -> Vec<u8> {
    let names = Names {
        white: "Anand, Viswanathan".into(),
        black: "Kramnik, Vladimir".into(),
        round: "3".into(),
    };
    let record = Record {
        rules: 2,
        hub_us: 5,
        board: "12".into(),
        input: Some(record::Input::Command(Box::new(CommandReceived {
            id: vec![9; 16],
            actor: "Ada".into(),
            reason: "as paired".into(),
            what: Some(command_received::What::Names(names)),
            ..CommandReceived::default()
        }))),
        ..Record::default()
    };
    record.encode_to_vec()
}

fn event() -> Vec<u8> {
    let event = Event {
        name: "Open".into(),
        chief_arbiter: "Ada".into(),
        deputies: vec!["Bea".into(), "Cyr".into()],
        ..Event::default()
    };
    let player = Player {
        no: 1,
        name: "Anand, Viswanathan".into(),
        rating: Some(2786),
        fide_id: Some(5_000_017),
        birth: "1969/12/11".into(),
        ..Player::default()
    };
    let changes = [
        change::What::SetEvent(event),
        change::What::EnterPlayer(player),
    ];
    let record = Record {
        rules: 2,
        input: Some(record::Input::EventChanged(EventChanged {
            id: vec![9; 16],
            changes: changes.map(|what| Change { what: Some(what) }).to_vec(),
            ..EventChanged::default()
        })),
        ..Record::default()
    };
    record.encode_to_vec()
}

#[test]
fn concealed_records_contain_no_name_and_open_to_the_same_bytes() {
    for (record, places) in [(named(), 4), (event(), 6)] {
        let (content, openings) = conceal(&record, 41, &SECRET).unwrap();
        assert_eq!(openings.len(), places);
        for name in ["Anand", "Kramnik", "Ada", "Bea", "1969", "as paired"] {
            let found = content.windows(name.len()).any(|at| at == name.as_bytes());
            assert!(!found, "{name}");
        }
        assert_eq!(open(&content, &openings).unwrap(), record);
        Record::decode(content.as_slice()).unwrap();
    }
}

#[test]
fn a_concealed_number_is_not_a_field_of_the_record() {
    let (content, _) = conceal(&event(), 0, &SECRET).unwrap();
    let record = Record::decode(content.as_slice()).unwrap();
    let Some(record::Input::EventChanged(changed)) = record.input else {
        panic!("another record: {record:?}");
    };
    let Some(change::What::EnterPlayer(player)) = &changed.changes[1].what else {
        panic!("another change: {changed:?}");
    };
    assert_eq!((player.fide_id, player.rating), (None, Some(2786)));
}

#[test]
fn each_name_opens_alone_and_only_with_its_own_salt_and_value() {
    let (content, openings) = conceal(&named(), 41, &SECRET).unwrap();
    let white = openings
        .iter()
        .find(|opening| opening.value.starts_with(b"Anand"));
    let white = white.unwrap().clone();
    let opened = open(&content, core::slice::from_ref(&white)).unwrap();
    assert!(opened.windows(5).any(|at| at == b"Anand"));
    assert!(!opened.windows(7).any(|at| at == b"Kramnik"));

    let altered = |change: fn(&mut Opening)| {
        let mut opening = white.clone();
        change(&mut opening);
        open(&content, &[opening])
    };
    assert_eq!(altered(|of| of.value[0] = b'B'), Err(NameError::Mismatch));
    assert_eq!(altered(|of| of.salt[0] ^= 1), Err(NameError::Mismatch));
    assert_eq!(altered(|of| of.salt.clear()), Err(NameError::Mismatch));
    assert_eq!(altered(|of| of.place += 1), Err(NameError::Mismatch));
    assert_eq!(altered(|of| of.place = 9), Err(NameError::Place));
    let twice = [white.clone(), white.clone()];
    assert_eq!(open(&content, &twice), Err(NameError::Place));
}

#[test]
fn the_same_name_has_a_different_commitment_at_each_place() {
    let (one, _) = conceal(&named(), 41, &SECRET).unwrap();
    let (again, _) = conceal(&named(), 41, &SECRET).unwrap();
    let (two, _) = conceal(&named(), 42, &SECRET).unwrap();
    let (other, _) = conceal(&named(), 41, &[8; 32]).unwrap();
    assert_eq!(one, again);
    assert!(one != two && one != other);
}

#[test]
fn a_mask_can_be_shown() {
    let (content, openings) = conceal(&event(), 0, &SECRET).unwrap();
    let opened = open(&content, &openings[..2]).unwrap();
    let shown = masked(&opened, "concealed").unwrap();
    let record = Record::decode(shown.as_slice()).unwrap();
    let Some(record::Input::EventChanged(changed)) = record.input else {
        panic!("another record: {record:?}");
    };
    let Some(change::What::SetEvent(event)) = &changed.changes[0].what else {
        panic!("another change: {changed:?}");
    };
    assert_eq!(event.chief_arbiter, "Ada");
    assert!(event.deputies[1].starts_with("concealed "), "{event:?}");
}

#[test]
fn texts_that_affect_games_under_the_first_rules_stay() {
    let mut record = Record::decode(named().as_slice()).unwrap();
    record.rules = 1;
    let (content, openings) = conceal(&record.encode_to_vec(), 0, &SECRET).unwrap();
    assert_eq!(openings.len(), 3);
    assert!(content.windows(9).any(|at| at == b"as paired"));
}

#[test]
fn bytes_that_are_not_a_record_are_refused() {
    for bytes in [&[0xff_u8][..], &[0x0a, 5, 1], &[0x0b], &[0x09, 1], &[0x08]] {
        assert_eq!(places(bytes), Err(NameError::Malformed), "{bytes:?}");
    }
    // The length is encoded in more bytes than necessary, so opening would not reproduce this record.
    let padded = [&[0x08, 2, 0x72, 0x83, 0x00, 0x12, 0x01, b'A'][..]].concat();
    assert_eq!(conceal(&padded, 0, &SECRET), Err(NameError::Malformed));
}

//! The complete enrolment trace in `proto/ble.md`, reproduced with fixed keys and a fixed code.

use std::fmt::Write as _;

use ed25519_dalek::SigningKey;

use super::*;
use crate::chain::sign_enrolment;
use crate::frame::{decode, encode};
use crate::ids::hex;
use crate::wire::{EnrolAnswer, EnrolRequest, enrol_answer};

/// Size of a value at an MTU of 185, in bytes.
const ROOM: usize = 185 - ATT_HEADER;
const CODE: &str = "4711-0815-2290-6204";

fn pass(text: &mut String, who: &str, from: &mut Channel, to: &mut Channel) -> Option<Received> {
    let mut came = None;
    while let Some(value) = from.next_value(ROOM) {
        writeln!(text, "{who} {}", hex(&value)).unwrap();
        match to.receive(&value).unwrap() {
            Received::Nothing => {}
            other @ (Received::SessionRequest { .. }
            | Received::Opened { .. }
            | Received::Frame(_)) => came = Some(other),
        }
    }
    came
}

fn request(binding: [u8; 16]) -> EnrolRequest {
    let key = SigningKey::from_bytes(&[0x33; 32]);
    let exchange_key = public(&CLOCK);
    EnrolRequest {
        major: 1,
        minor: 0,
        token: binding.to_vec(),
        signing_key: agent().0.to_vec(),
        exchange_key: exchange_key.to_vec(),
        name: "clock 17cb79fb".to_owned(),
        signature: sign_enrolment(&binding, &exchange_key, &key),
        ..EnrolRequest::default()
    }
}

#[test]
fn the_page_has_the_enrolment_trace() {
    let code: PairingCode = CODE.parse().unwrap();
    let mut clock = Channel::enrolment(own(&CLOCK, 0x44), &code).unwrap();
    let mut hub = Channel::hub(own(&HUB, 0x55), Some(code.clone()));
    let mut text = String::new();
    assert_eq!(pass(&mut text, "clock", &mut clock, &mut hub), None);
    let opened = pass(&mut text, "hub  ", &mut hub, &mut clock);
    let Some(Received::Opened { binding, peer }) = opened else {
        panic!("{opened:?}");
    };
    assert_eq!(peer, public(&HUB));
    let asked = request(binding);
    let plain = encode(&asked).unwrap();
    // The third message also opens the link at the hub.
    let opened = pass(&mut text, "clock", &mut clock, &mut hub);
    let peer = public(&CLOCK);
    assert_eq!(opened, Some(Received::Opened { binding, peer }));
    clock.send(&plain).unwrap();
    let came = pass(&mut text, "clock", &mut clock, &mut hub);
    let Some(Received::Frame(bytes)) = came else {
        panic!("{came:?}");
    };
    assert_eq!(decode::<EnrolRequest>(&bytes), Ok(asked));
    let answer = EnrolAnswer {
        answer: Some(enrol_answer::Answer::Refused("full".to_owned())),
    };
    hub.send(&encode(&answer).unwrap()).unwrap();
    let came = pass(&mut text, "hub  ", &mut hub, &mut clock);
    assert_eq!(came, Some(Received::Frame(encode(&answer).unwrap())));

    let page = include_str!("../../../ble.md");
    for (what, wanted) in [
        ("the pre-shared key", hex(&code.key())),
        ("the token", hex(&binding)),
        ("the request", hex(&plain)),
        ("the answer", hex(&encode(&answer).unwrap())),
        ("the enrolment", text),
    ] {
        assert!(page.contains(&wanted), "{what} should read:\n{wanted}");
    }
}

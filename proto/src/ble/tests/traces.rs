//! The advertisement and the session traces in `proto/ble.md`, reproduced from the keys on that page.

use std::fmt::Write as _;

use super::*;
use crate::frame::encode;
use crate::ids::hex;
use crate::wire::{AgentFrame, HubFrame, TimeProbe, TimeReply};

fn line(text: &mut String, who: &str, value: &[u8]) {
    let bytes = hex(value);
    writeln!(text, "{who} {bytes}").unwrap();
}

/// Returns the trace of a session at an MTU of 185: the handshake, the hub's probe and the clock's reply.
fn trace() -> String {
    let room = 185 - ATT_HEADER;
    let (mut clock, mut hub) = before_session();
    let mut text = String::new();
    let mut pass = |from: &mut Channel, to: &mut Channel, who: &str| {
        while let Some(value) = from.next_value(room) {
            line(&mut text, who, &value);
            to.receive(&value).unwrap();
        }
    };
    pass(&mut clock, &mut hub, "clock");
    hub.answer().unwrap();
    pass(&mut hub, &mut clock, "hub  ");
    let probe: HubFrame = TimeProbe {
        nonce: 0x0102_0304_0506_0708,
        hub_us: 1_000_000,
    }
    .into();
    hub.send(&encode(&probe).unwrap()).unwrap();
    pass(&mut hub, &mut clock, "hub  ");
    let reply: AgentFrame = TimeReply {
        nonce: 0x0102_0304_0506_0708,
        received_us: 500_000,
        sent_us: 500_250,
    }
    .into();
    clock.send(&encode(&reply).unwrap()).unwrap();
    pass(&mut clock, &mut hub, "clock");
    text
}

fn smallest() -> String {
    let (mut clock, _) = before_session();
    let mut text = String::new();
    while let Some(value) = clock.next_value(MIN_VALUE) {
        line(&mut text, "clock", &value);
    }
    text
}

#[test]
fn the_page_has_the_session_traces() {
    let page = include_str!("../../../ble.md");
    let agent = agent();
    let advertised = Advertisement::new(&agent, true, Some(87)).to_bytes();
    for (what, wanted) in [
        ("the clock's public key", hex(&public(&CLOCK))),
        ("the hub's public key", hex(&public(&HUB))),
        ("the clock's name", hex(&agent.0)),
        ("the advertisement", hex(&advertised)),
        ("the session", trace()),
        ("the smallest MTU", smallest()),
    ] {
        assert!(page.contains(&wanted), "{what} should read:\n{wanted}");
    }
}

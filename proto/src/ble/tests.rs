//! Tests with both ends in one process: every MTU, a lossy radio, hostile peers, and the traces in `proto/ble.md`.

mod air;
mod enrolment_trace;
mod hostile;
mod traces;

use ed25519_dalek::SigningKey;

use super::*;
use crate::ids::AgentId;

/// Returns the public half of an X25519 secret.
fn public(secret: &[u8; 32]) -> [u8; 32] {
    use snow::resolvers::CryptoResolver;
    let mut dh = snow::resolvers::DefaultResolver
        .resolve_dh(&snow::params::DHChoice::Curve25519)
        .unwrap();
    dh.set(secret);
    dh.pubkey().try_into().unwrap()
}

const CLOCK: [u8; 32] = [0x11; 32];
const HUB: [u8; 32] = [0x22; 32];

fn agent() -> AgentId {
    AgentId(
        SigningKey::from_bytes(&[0x33; 32])
            .verifying_key()
            .to_bytes(),
    )
}

fn own(secret: &[u8; 32], random: u8) -> LocalKeys<'_> {
    LocalKeys {
        secret,
        random: [random; 32],
    }
}

fn before_session() -> (Channel, Channel) {
    let clock = Channel::session(own(&CLOCK, 0x44), &agent(), &public(&HUB)).unwrap();
    (clock, Channel::hub(own(&HUB, 0x55), None))
}

fn open_session(room: usize) -> (Channel, Channel) {
    let (mut clock, mut hub) = before_session();
    let mut knock = None;
    while let Some(value) = clock.next_value(room) {
        match hub.receive(&value).unwrap() {
            Received::Nothing => {}
            other @ (Received::SessionRequest { .. }
            | Received::Opened { .. }
            | Received::Frame(_)) => knock = Some(other),
        }
    }
    let exchange_key = public(&CLOCK);
    let agent = agent();
    assert_eq!(
        knock,
        Some(Received::SessionRequest {
            agent,
            exchange_key
        })
    );
    hub.answer().unwrap();
    let mut opened = false;
    while let Some(value) = hub.next_value(room) {
        opened |= matches!(clock.receive(&value).unwrap(), Received::Opened { .. });
    }
    assert!(opened && clock.is_open() && hub.is_open());
    (clock, hub)
}

#[test]
fn advertisements_round_trip() {
    let agent = agent();
    for (enrolled, battery) in [(true, Some(87)), (false, None), (true, Some(0))] {
        let said = Advertisement::new(&agent, enrolled, battery);
        assert_eq!(Advertisement::try_from(&said.to_bytes()[..]), Ok(said));
        assert!(said.may_belong_to(&agent));
        assert!(!said.may_belong_to(&AgentId([0; 32])));
    }
    for wrong in [
        &[][..],
        &[0x10, 50, 1, 2, 3],
        &[0x20, 50, 1, 2, 3, 4],
        &[0x10, 101, 1, 2, 3, 4],
    ] {
        assert_eq!(Advertisement::try_from(wrong), Err(BadAdvertisement));
    }
}

#[test]
fn pairing_codes_print_and_parse() {
    let code = PairingCode::from_random([0xff; 8]);
    assert_eq!(code.to_string(), "6744-0737-0955-1615");
    for text in [
        "6744-0737-0955-1615",
        "6744073709551615",
        " 6744 0737 0955 1615\n",
    ] {
        assert_eq!(text.parse(), Ok(code.clone()), "{text}");
    }
    for wrong in [
        "",
        "6744-0737-0955-161",
        "6744-0737-0955-16155",
        "6744-0737-0955-161x",
    ] {
        assert_eq!(wrong.parse::<PairingCode>(), Err(BadCode), "{wrong}");
    }
    assert!(!std::format!("{code:?}").contains('6'));
    let least = PairingCode::from_random([0; 8]);
    assert_ne!(least.key(), code.key());
}

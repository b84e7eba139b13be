//! Hostile peers: forged, replayed and malformed messages deliver no frame.

use super::*;

fn carry(from: &mut Channel, to: &mut Channel) -> Result<Received, ChannelError> {
    let mut came = Received::Nothing;
    while let Some(value) = from.next_value(MAX_VALUE) {
        match to.receive(&value)? {
            Received::Nothing => {}
            other @ (Received::SessionRequest { .. }
            | Received::Opened { .. }
            | Received::Frame(_)) => came = other,
        }
    }
    Ok(came)
}

fn forged() -> ChannelError {
    NoiseError::Forged.into()
}

#[test]
fn a_hub_with_another_key_learns_nothing() {
    let mut clock = Channel::session(own(&CLOCK, 1), &agent(), &public(&HUB)).unwrap();
    let mut other = Channel::hub(own(&[0x77; 32], 2), None);
    assert_eq!(carry(&mut clock, &mut other), Err(forged()));
    assert_eq!(other.answer(), Err(ChannelError::Closed));
    assert_eq!(clock.send(b"press"), Err(ChannelError::Closed));
}

#[test]
fn a_replayed_answer_is_refused() {
    let (mut clock, mut hub) = before_session();
    carry(&mut clock, &mut hub).unwrap();
    // An impostor replies to the clock's first message with a reply recorded in an earlier handshake.
    let (mut before, mut then) = before_session();
    carry(&mut before, &mut then).unwrap();
    then.answer().unwrap();
    let replayed = then.next_value(MAX_VALUE).unwrap();
    let mut later = Channel::session(own(&CLOCK, 9), &agent(), &public(&HUB)).unwrap();
    while later.next_value(MAX_VALUE).is_some() {}
    assert_eq!(later.receive(&replayed), Err(forged()));
    assert!(!later.is_open());
}

#[test]
fn a_replayed_session_delivers_no_frame() {
    let (mut clock, mut hub) = before_session();
    let mut recorded = Vec::new();
    while let Some(value) = clock.next_value(MAX_VALUE) {
        hub.receive(&value).unwrap();
        recorded.push(value);
    }
    hub.answer().unwrap();
    carry(&mut hub, &mut clock).unwrap();
    clock.send(b"press").unwrap();
    while let Some(value) = clock.next_value(MAX_VALUE) {
        hub.receive(&value).unwrap();
        recorded.push(value);
    }
    // The same values are sent to a hub with different random bytes: it must not accept a frame.
    let mut again = Channel::hub(own(&HUB, 0x66), None);
    let mut frames = 0;
    for value in &recorded {
        match again.receive(value) {
            Ok(Received::SessionRequest { .. }) => again.answer().unwrap(),
            Ok(Received::Frame(_)) => frames += 1,
            Ok(Received::Nothing | Received::Opened { .. }) | Err(_) => {}
        }
        while again.next_value(MAX_VALUE).is_some() {}
    }
    assert_eq!(frames, 0);
}

#[test]
fn a_duplicate_frame_is_refused_even_with_a_forged_header() {
    let (mut clock, mut hub) = open_session(MAX_VALUE);
    clock.send(b"press").unwrap();
    let mut value = clock.next_value(MAX_VALUE).unwrap();
    assert_eq!(hub.receive(&value), Ok(Received::Frame(b"press".to_vec())));
    let number = value[0] & 0x3f;
    value[0] = (value[0] & 0xc0) | ((number + 1) & 0x3f);
    assert_eq!(hub.receive(&value), Err(forged()));
    assert_eq!(hub.receive(&value), Err(ChannelError::Closed));
}

#[test]
fn every_flipped_bit_of_a_sealed_frame_is_detected() {
    let (mut clock, _) = open_session(MAX_VALUE);
    clock.send(b"press").unwrap();
    let value = clock.next_value(MAX_VALUE).unwrap();
    for bit in 8 * (HEADER + 2)..8 * value.len() {
        let mut bent = value.clone();
        bent[bit / 8] ^= 1 << (bit % 8);
        let (_, mut hub) = open_session(MAX_VALUE);
        assert_eq!(hub.receive(&bent), Err(forged()), "bit {bit}");
    }
}

#[test]
fn invalid_values_are_refused_before_buffering() {
    let (_, mut hub) = before_session();
    assert_eq!(
        hub.receive(&[0x80, 0, 0xff, 0xff, 1]),
        Err(PipeError::Length(0xffff).into())
    );
    for wrong in [
        (&[][..], PipeError::Size(0)),
        (&[0x80], PipeError::Size(1)),
        (&[0xc0; 513], PipeError::Size(513)),
        (&[0xc0, 0x40, 0, 1, 1], PipeError::Header),
        (&[0x01, 0x80], PipeError::Header),
        (&[0x00, 0x80, 1], PipeError::Header),
        (&[0xc0, 0x01, 0, 1, 1], PipeError::Acknowledgement),
        (
            &[0xc1, 0, 0, 1, 1],
            PipeError::Sequence {
                expected: 0,
                got: 1,
            },
        ),
        (&[0xc0, 0], PipeError::Size(2)),
        (&[0x80, 0, 0], PipeError::Beginning),
        (&[0x40, 0, 1], PipeError::Beginning),
        (&[0x80, 0, 0, 0, 1], PipeError::Length(0)),
        (&[0x80, 0, 0, 1, 1], PipeError::End),
        (&[0xc0, 0, 0, 2, 1], PipeError::End),
        (&[0xc0, 0, 0, 1, 1, 2], PipeError::End),
    ] {
        let mut pipe = Pipe::default();
        assert_eq!(pipe.receive(wrong.0), Err(wrong.1), "{:02x?}", wrong.0);
    }
    let mut pipe = Pipe::default();
    assert_eq!(pipe.receive(&[0x80, 0, 0, 9, 1]), Ok(None));
    assert_eq!(pipe.receive(&[0x81, 0, 0, 9, 1]), Err(PipeError::Beginning));
    let mut flooded = Pipe::default();
    assert_eq!(flooded.receive(&[0x80, 0, 0, 99, 1]), Ok(None));
    for number in 1..WINDOW {
        assert_eq!(flooded.receive(&[number, 0, 1]), Ok(None));
    }
    assert_eq!(flooded.receive(&[WINDOW, 0, 1]), Err(PipeError::Window));
}

#[test]
fn an_enrolment_requires_the_displayed_code() {
    let code = PairingCode::from_random([3; 8]);
    let other = PairingCode::from_random([4; 8]);
    let enrol = |typed: &PairingCode| {
        let mut clock = Channel::enrolment(own(&CLOCK, 1), &code).unwrap();
        let mut hub = Channel::hub(own(&HUB, 2), Some(typed.clone()));
        carry(&mut clock, &mut hub)?;
        let at_clock = carry(&mut hub, &mut clock)?;
        let at_hub = carry(&mut clock, &mut hub)?;
        Ok((at_clock, at_hub))
    };
    let (at_clock, at_hub) = enrol(&code).unwrap();
    let (
        Received::Opened { binding, peer },
        Received::Opened {
            binding: same,
            peer: clock,
        },
    ) = (at_clock, at_hub)
    else {
        panic!("not open");
    };
    assert_eq!((binding, peer, clock), (same, public(&HUB), public(&CLOCK)));
    assert_eq!(enrol(&other), Err(forged()));
}

#[test]
fn an_unexpected_handshake_is_refused() {
    let code = PairingCode::from_random([3; 8]);
    let mut clock = Channel::enrolment(own(&CLOCK, 1), &code).unwrap();
    let mut hub = Channel::hub(own(&HUB, 2), None);
    assert_eq!(carry(&mut clock, &mut hub), Err(ChannelError::Purpose));
    let (mut clock, _) = before_session();
    let mut hub = Channel::hub(own(&HUB, 2), Some(code));
    assert_eq!(carry(&mut clock, &mut hub), Err(ChannelError::Purpose));
    let mut hub = Channel::hub(own(&HUB, 2), None);
    assert_eq!(
        hub.receive(&[0xc0, 0, 0, 2, 9, 1]),
        Err(ChannelError::Version(9))
    );
    let (_, mut hub) = before_session();
    assert_eq!(
        hub.receive(&[0xc0, 0, 0, 2, 1, 3]),
        Err(ChannelError::Purpose)
    );
}

//! Values on the radio at every MTU, and with loss and damage: a frame that was not sent must never arrive.

use proptest::prelude::*;

use super::*;

fn settle(clock: &mut Channel, hub: &mut Channel, room: usize) -> Vec<Vec<u8>> {
    let mut frames = Vec::new();
    loop {
        let mut quiet = true;
        while let Some(value) = clock.next_value(room) {
            quiet = false;
            assert!(value.len() <= room);
            if let Received::Frame(frame) = hub.receive(&value).unwrap() {
                frames.push(frame);
            }
        }
        while let Some(value) = hub.next_value(room) {
            quiet = false;
            assert_eq!(clock.receive(&value), Ok(Received::Nothing));
        }
        if quiet {
            return frames;
        }
    }
}

#[test]
fn frames_of_every_length_pass_at_every_mtu() {
    for mtu in 23..=517 {
        let room = mtu - ATT_HEADER;
        let (mut clock, mut hub) = open_session(room);
        let lengths = [1, room - 20, room - 19, room, 2 * room + 1, 4096];
        let sent: Vec<Vec<u8>> = lengths
            .into_iter()
            .enumerate()
            .map(|(at, length)| vec![at as u8; length])
            .collect();
        for frame in &sent {
            clock.send(frame).unwrap();
        }
        assert_eq!(settle(&mut clock, &mut hub, room), sent, "MTU {mtu}");
        assert!(clock.is_idle());
    }
}

#[test]
fn the_window_limits_values_until_an_acknowledgement() {
    let (mut clock, mut hub) = open_session(MIN_VALUE);
    clock.send(&[7; 4096]).unwrap();
    let values: Vec<_> = std::iter::from_fn(|| clock.next_value(MIN_VALUE)).collect();
    assert!(values.len() <= usize::from(WINDOW));
    assert!(values.len() > usize::from(WINDOW) / 2);
    for value in values {
        assert_eq!(hub.receive(&value), Ok(Received::Nothing));
    }
    let acknowledgement = hub.next_value(MIN_VALUE).unwrap();
    assert_eq!(acknowledgement.len(), HEADER);
    assert_eq!(hub.next_value(MIN_VALUE), None);
    assert_eq!(clock.receive(&acknowledgement), Ok(Received::Nothing));
    assert!(clock.next_value(MIN_VALUE).is_some());
}

#[test]
fn a_peer_that_never_acknowledges_fills_the_queue() {
    let (mut clock, _) = open_session(MIN_VALUE);
    let mut frames = 0;
    let end = loop {
        match clock.send(&[1; 512]) {
            Ok(()) => frames += 1,
            Err(end) => break end,
        }
    };
    assert_eq!(end, ChannelError::Pipe(PipeError::Full));
    assert!((60..=64).contains(&frames), "{frames}");
}

#[derive(Clone, Debug)]
enum Fate {
    Arrives,
    Lost,
    Duplicated,
    Delayed,
    Flipped(usize, u8),
    Truncated(usize),
    Extended(u8),
}

fn fate() -> impl Strategy<Value = Fate> {
    prop_oneof![
        40 => Just(Fate::Arrives),
        1 => Just(Fate::Lost),
        1 => Just(Fate::Duplicated),
        1 => Just(Fate::Delayed),
        1 => (0..600_usize, 1..=255_u8).prop_map(|(at, bits)| Fate::Flipped(at, bits)),
        1 => (0..600_usize).prop_map(Fate::Truncated),
        1 => any::<u8>().prop_map(Fate::Extended),
    ]
}

fn through(values: Vec<Vec<u8>>, fates: &[Fate]) -> Vec<Vec<u8>> {
    let mut arrived = Vec::new();
    let mut late = None;
    for (mut value, fate) in values.into_iter().zip(fates.iter().cycle()) {
        match fate {
            Fate::Arrives => arrived.push(value),
            Fate::Lost => {}
            Fate::Duplicated => arrived.extend([value.clone(), value]),
            Fate::Delayed => {
                arrived.extend(late.replace(value));
                continue;
            }
            Fate::Flipped(at, bits) => {
                let at = at % value.len();
                value[at] ^= bits;
                arrived.push(value);
            }
            Fate::Truncated(to) => {
                value.truncate(to % value.len());
                arrived.push(value);
            }
            Fate::Extended(byte) => {
                value.push(*byte);
                arrived.push(value);
            }
        }
        arrived.extend(late.take());
    }
    arrived.extend(late);
    arrived
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_damaged_link_delivers_only_sent_frames(
        room in MIN_VALUE..=MAX_VALUE,
        lengths in prop::collection::vec(1..400_usize, 1..12),
        fates in prop::collection::vec(fate(), 1..60),
    ) {
        let (mut clock, mut hub) = open_session(room);
        let sent: Vec<Vec<u8>> = lengths.iter().enumerate()
            .map(|(at, &length)| vec![at as u8; length]).collect();
        let mut came = Vec::new();
        let mut waiting = sent.iter();
        let mut ended = false;
        loop {
            let mut values = Vec::new();
            if let Some(frame) = waiting.next() {
                clock.send(frame).unwrap();
            }
            while let Some(value) = clock.next_value(room) {
                values.push(value);
            }
            if values.is_empty() {
                break;
            }
            let arrived = through(values.clone(), &fates);
            for value in &arrived {
                match hub.receive(value) {
                    Ok(Received::Frame(frame)) => came.push(frame),
                    Ok(Received::Nothing) => {}
                    Ok(other) => prop_assert!(false, "{other:?}"),
                    Err(_) => ended = true,
                }
            }
            // If more values arrived than were sent, one was duplicated, and every duplicate ends the link.
            prop_assert!(ended || arrived.len() <= values.len());
            while let Some(value) = hub.next_value(room) {
                if clock.receive(&value).is_err() {
                    ended = true;
                }
            }
            if ended {
                break;
            }
        }
        prop_assert!(came.len() <= sent.len());
        prop_assert_eq!(&came[..], &sent[..came.len()]);
    }

    #[test]
    fn arbitrary_values_give_no_frame_and_no_panic(
        values in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..600), 1..40),
        open in any::<bool>(),
    ) {
        let (mut clock, mut hub) = if open { open_session(100) } else { before_session() };
        for value in &values {
            for end in [&mut clock, &mut hub] {
                if let Ok(came) = end.receive(value) {
                    prop_assert_eq!(came, Received::Nothing);
                }
            }
        }
    }
}

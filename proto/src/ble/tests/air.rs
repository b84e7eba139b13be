//! What the air does to values, and that no frame comes out of it that was not sent.

use proptest::prelude::*;

use super::*;

/// Carries values both ways until both ends are quiet; the frames that came to the hub.
fn settle(clock: &mut Channel, hub: &mut Channel, room: usize) -> Vec<Vec<u8>> {
    let mut frames = Vec::new();
    loop {
        let mut quiet = true;
        while let Some(value) = clock.next_value(room) {
            quiet = false;
            assert!(value.len() <= room);
            if let Came::Frame(frame) = hub.take(&value).unwrap() {
                frames.push(frame);
            }
        }
        while let Some(value) = hub.next_value(room) {
            quiet = false;
            assert_eq!(clock.take(&value), Ok(Came::Nothing));
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
        let (mut clock, mut hub) = friends(room);
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
fn no_more_than_a_window_is_on_the_way_and_an_acknowledgement_opens_it() {
    let (mut clock, mut hub) = friends(MIN_VALUE);
    clock.send(&[7; 4096]).unwrap();
    let values: Vec<_> = std::iter::from_fn(|| clock.next_value(MIN_VALUE)).collect();
    // The handshake's last values wait for their acknowledgement, too.
    assert!(values.len() <= usize::from(WINDOW));
    assert!(values.len() > usize::from(WINDOW) / 2);
    for value in values {
        assert_eq!(hub.take(&value), Ok(Came::Nothing));
    }
    let acknowledgement = hub.next_value(MIN_VALUE).unwrap();
    assert_eq!(acknowledgement.len(), HEADER);
    assert_eq!(hub.next_value(MIN_VALUE), None);
    assert_eq!(clock.take(&acknowledgement), Ok(Came::Nothing));
    assert!(clock.next_value(MIN_VALUE).is_some());
}

#[test]
fn a_peer_that_takes_nothing_is_noticed() {
    let (mut clock, _) = friends(MIN_VALUE);
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

/// What happens to one value on its way.
#[derive(Clone, Debug)]
enum Fate {
    Arrives,
    Lost,
    Twice,
    Late,
    Bent(usize, u8),
    Short(usize),
    Grown(u8),
}

fn fate() -> impl Strategy<Value = Fate> {
    prop_oneof![
        40 => Just(Fate::Arrives),
        1 => Just(Fate::Lost),
        1 => Just(Fate::Twice),
        1 => Just(Fate::Late),
        1 => (0..600_usize, 1..=255_u8).prop_map(|(at, bits)| Fate::Bent(at, bits)),
        1 => (0..600_usize).prop_map(Fate::Short),
        1 => any::<u8>().prop_map(Fate::Grown),
    ]
}

/// What arrives of `values`, in the order in which it does.
fn through(values: Vec<Vec<u8>>, fates: &[Fate]) -> Vec<Vec<u8>> {
    let mut arrived = Vec::new();
    let mut late = None;
    for (mut value, fate) in values.into_iter().zip(fates.iter().cycle()) {
        match fate {
            Fate::Arrives => arrived.push(value),
            Fate::Lost => {}
            Fate::Twice => arrived.extend([value.clone(), value]),
            Fate::Late => {
                arrived.extend(late.replace(value));
                continue;
            }
            Fate::Bent(at, bits) => {
                let at = at % value.len();
                value[at] ^= bits;
                arrived.push(value);
            }
            Fate::Short(to) => {
                value.truncate(to % value.len());
                arrived.push(value);
            }
            Fate::Grown(byte) => {
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

    /// Loss, doubling, another order, damage: the frames that come are the first of those sent, as they were sent, and
    /// the first value that is not the one that was to come ends the link.
    #[test]
    fn whatever_the_air_does_no_frame_comes_that_was_not_sent(
        room in MIN_VALUE..=MAX_VALUE,
        lengths in prop::collection::vec(1..400_usize, 1..12),
        fates in prop::collection::vec(fate(), 1..60),
    ) {
        let (mut clock, mut hub) = friends(room);
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
                match hub.take(value) {
                    Ok(Came::Frame(frame)) => came.push(frame),
                    Ok(Came::Nothing) => {}
                    Ok(other) => prop_assert!(false, "{other:?}"),
                    Err(_) => ended = true,
                }
            }
            // One more than were sent is a copy, and every copy of a value ends the link.
            prop_assert!(ended || arrived.len() <= values.len());
            while let Some(value) = hub.next_value(room) {
                if clock.take(&value).is_err() {
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
    fn arbitrary_values_bring_no_frame_and_no_panic(
        values in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..600), 1..40),
        open in any::<bool>(),
    ) {
        let (mut clock, mut hub) = if open { friends(100) } else { strangers() };
        for value in &values {
            for end in [&mut clock, &mut hub] {
                if let Ok(came) = end.take(value) {
                    prop_assert_eq!(came, Came::Nothing);
                }
            }
        }
    }
}

//! Tests of turns, back-off, and places in the queue in the presence of fake addresses.

use proto::ids::AgentId;

use super::*;

fn at_ms(ms: i64) -> Instant<Hub> {
    Instant::from_micros(ms * 1_000)
}

fn heard(address: &str, number: u8, enrolled: bool) -> DetectedClock {
    DetectedClock {
        address: address.to_owned(),
        advertisement: Advertisement::new(&AgentId([number; 32]), enrolled, None),
        rssi: Some(-60),
    }
}

fn clock(address: &str, number: u8) -> DetectedClock {
    heard(address, number, true)
}

fn sessions(numbers: impl IntoIterator<Item = u8>) -> WantedClocks {
    WantedClocks {
        tags: numbers.into_iter().map(|number| [number; 4]).collect(),
        ..WantedClocks::default()
    }
}

fn pairing(number: u64) -> WantedClocks {
    WantedClocks {
        pairing: Some(number),
        ..WantedClocks::default()
    }
}

fn pairing_and_sessions(number: u64, numbers: impl IntoIterator<Item = u8>) -> WantedClocks {
    WantedClocks {
        pairing: Some(number),
        ..sessions(numbers)
    }
}

fn strangers(count: u32) -> Vec<DetectedClock> {
    let made_up = |number: u32| heard(&format!("00:{number:06}"), 200, false);
    (0..count).map(made_up).collect()
}

#[test]
fn a_radio_respects_its_capacity_and_takes_turns() {
    let mut roster = Roster::default();
    let wanted = sessions(0..9);
    for number in 0..9 {
        let clock = clock(&number.to_string(), number);
        roster.look(at_ms(0), &[clock], &wanted);
    }
    let mut connected = Vec::new();
    while let Some((address, _)) = roster.next(at_ms(1), 7, &wanted) {
        connected.push(address);
    }
    assert_eq!((connected.len(), roster.busy()), (7, 7));
    roster.ended(&connected[0], at_ms(10_000), STEADY);
    let next = roster.next(at_ms(10_000), 7, &wanted).map(|next| next.0);
    assert_eq!(
        next.as_deref(),
        Some("7"),
        "the one that has waited longest"
    );
}

/// Returns the time from `now` until the radio connects to the clock, in milliseconds.
fn wait(roster: &mut Roster, now: i64) -> i64 {
    let mut later = now;
    loop {
        roster.look(at_ms(later), &[clock("a", 1)], &sessions([1]));
        if roster.next(at_ms(later), 1, &sessions([1])).is_some() {
            return later - now;
        }
        later += 50;
    }
}

#[test]
fn failures_back_off_and_a_steady_link_resets_the_wait() {
    let mut roster = Roster::default();
    let mut now = 0;
    let mut waits = Vec::new();
    assert_eq!(wait(&mut roster, now), 0);
    // The duration of a failure must not matter: a clock that accepts and stays silent occupies the radio for fifteen seconds each time.
    for (takes, held) in [
        (0, 0),
        (15_000, 0),
        (15_000, 0),
        (29_000, 29_000),
        (0, 0),
        (15_000, 0),
        (0, 0),
    ] {
        now += takes;
        roster.ended("a", at_ms(now), Duration::from_millis(held));
        let waited = wait(&mut roster, now);
        waits.push(waited);
        now += waited;
    }
    assert_eq!(waits, [250, 500, 1_000, 2_000, 4_000, 8_000, 8_000]);
    now += 30_000;
    roster.ended("a", at_ms(now), STEADY);
    assert_eq!(wait(&mut roster, now), 250);
}

#[test]
fn a_code_is_tried_at_most_twice_with_each_clock() {
    let mut roster = Roster::default();
    let unenrolled = [heard("a", 1, false)];
    for time in [0, 20_000] {
        roster.look(at_ms(time), &unenrolled, &pairing(1));
        assert_eq!(
            roster.next(at_ms(time), 7, &pairing(1)),
            Some(("a".to_owned(), Some(1)))
        );
        roster.ended("a", at_ms(time), Duration::ZERO);
    }
    roster.look(at_ms(40_000), &unenrolled, &pairing(1));
    assert_eq!(roster.next(at_ms(40_000), 7, &pairing(1)), None);
    assert!(roster.next(at_ms(40_000), 7, &pairing(2)).is_some());
}

#[test]
fn absent_and_fake_clocks_are_forgotten() {
    let mut roster = Roster::default();
    roster.look(at_ms(0), &strangers(1_000), &pairing(1));
    assert_eq!(roster.clocks.len(), MAX_CLOCKS);
    assert_eq!(roster.next(at_ms(31_000), 7, &pairing(1)), None);
    roster.look(at_ms(31_000), &[clock("real", 2)], &sessions([2]));
    assert_eq!(roster.clocks.len(), 1);
    assert!(roster.next(at_ms(31_000), 7, &sessions([2])).is_some());
}

#[test]
fn fake_addresses_get_no_place_without_an_enrolment() {
    let mut roster = Roster::default();
    let mut air = strangers(1_000);
    // Devices may also claim to be enrolled, but this hub does not know them.
    air.extend((0..1_000).map(|number| clock(&format!("01:{number}"), 201)));
    roster.look(at_ms(0), &air, &sessions([1]));
    assert_eq!(roster.clocks.len(), 0);
}

#[test]
fn fake_addresses_keep_no_enrolled_clock_out() {
    let mut roster = Roster::default();
    let wanted = pairing_and_sessions(1, 1..=9);
    let mut air = strangers(1_000);
    roster.look(at_ms(0), &air, &wanted);
    assert_eq!(roster.clocks.len(), MAX_CLOCKS, "the first to come");
    air.extend((1..=9).map(|number| clock(&format!("clock {number}"), number)));
    roster.look(at_ms(500), &air, &wanted);
    assert_eq!(roster.clocks.len(), MAX_CLOCKS);
    let mut connected = Vec::new();
    while let Some((address, _)) = roster.next(at_ms(500), 7, &wanted) {
        connected.push(address);
    }
    let real: Vec<_> = (1..=7).map(|number| format!("clock {number}")).collect();
    assert_eq!(connected, real, "before all that have waited for longer");
    // Strangers that appear later do not evict the enrolled clocks either.
    air = strangers(3_000);
    roster.look(at_ms(1_000), &air, &wanted);
    let kept = |address: &String| address.starts_with("clock");
    assert_eq!(roster.clocks.keys().filter(|&name| kept(name)).count(), 9);
}

#[test]
fn among_fake_clocks_an_untried_one_replaces_a_tried_one() {
    let mut roster = Roster::default();
    let wanted = pairing(1);
    let mut air = strangers(256);
    roster.look(at_ms(0), &air, &wanted);
    let (tried, _) = roster.next(at_ms(0), 7, &wanted).unwrap();
    air.push(heard("to be enrolled", 3, false));
    roster.look(at_ms(500), &air, &wanted);
    assert!(!roster.clocks.contains_key("to be enrolled"), "all wait");
    roster.ended(&tried, at_ms(600), Duration::ZERO);
    roster.look(at_ms(1_000), &air, &wanted);
    assert!(roster.clocks.contains_key("to be enrolled"));
    assert!(!roster.clocks.contains_key(&tried));
}

fn copy_of_1(number: u32) -> DetectedClock {
    let battery = u8::try_from(number % 101).ok();
    DetectedClock {
        advertisement: Advertisement::new(&AgentId([1; 32]), true, battery),
        ..clock(&format!("copy {number:05}"), 1)
    }
}

#[test]
fn a_failed_clock_gets_its_turn_despite_copies_of_its_tag() {
    let mut roster = Roster::default();
    let wanted = sessions([1]);
    // After a long session, an attacker keeps the clock's only connection busy during the hub's next two attempts.
    let mut now = 0;
    for held in [STEADY, Duration::ZERO, Duration::ZERO] {
        roster.look(at_ms(now), &[clock("real", 1)], &wanted);
        let next = roster.next(at_ms(now), 7, &wanted).map(|next| next.0);
        assert_eq!(next.as_deref(), Some("real"));
        roster.ended("real", at_ms(now), held);
        now += 1_000;
    }
    let mut tried = Vec::new();
    for round in 0..20_u32 {
        let now = at_ms(now + 500 * i64::from(round));
        let mut air: Vec<_> = (50 * round..50 * (round + 1)).map(copy_of_1).collect();
        air.push(clock("real", 1));
        roster.look(now, &air, &wanted);
        let (address, _) = roster.next(now, 7, &wanted).unwrap();
        roster.ended(&address, now, Duration::ZERO);
        tried.push(address);
    }
    let turns = tried.iter().filter(|&address| address == "real").count();
    assert!(turns >= 3, "{tried:?}");
}

#[test]
fn a_changed_identity_gets_no_second_place() {
    let mut roster = Roster::default();
    let strangers: Vec<_> = (0..200)
        .map(|n| heard(&format!("copy {n:05}"), 9, false))
        .collect();
    roster.look(at_ms(0), &strangers, &pairing_and_sessions(1, [1]));
    assert_eq!(roster.clocks.len(), 200);
    let copies: Vec<_> = (0..200).map(copy_of_1).collect();
    roster.look(at_ms(500), &copies, &pairing_and_sessions(1, [1]));
    assert_eq!(roster.clocks.len(), MAX_ADDRESSES);
}

#[test]
fn copies_of_a_tag_take_few_places_and_never_a_steady_clocks_place() {
    let mut roster = Roster::default();
    let wanted = sessions([1, 2]);
    let copies = |from: u32| (from..from + 500).map(copy_of_1);
    let real = || clock("real", 1);
    roster.look(at_ms(0), &[real()], &wanted);
    assert!(roster.next(at_ms(0), 7, &wanted).is_some());
    roster.ended("real", at_ms(60_000), STEADY);
    for round in 0..40_u32 {
        let now = at_ms(60_500 + 500 * i64::from(round));
        let mut air: Vec<_> = copies(500 * round).collect();
        air.extend([real(), clock("another", 2)]);
        roster.look(now, &air, &wanted);
        assert!(roster.clocks.len() <= MAX_ADDRESSES + 1);
        assert!(roster.clocks.contains_key("real"));
        let Some((address, _)) = roster.next(now, 7, &wanted) else {
            continue;
        };
        roster.ended(&address, now, Duration::ZERO);
    }
}

#[test]
fn an_enrolled_clock_that_fails_and_an_enrolment_take_turns() {
    let mut roster = Roster::default();
    let wanted = pairing_and_sessions(1, [1]);
    let mut air = strangers(4);
    air.push(clock("dead", 1));
    let mut order = Vec::new();
    for round in 0..6 {
        let now = at_ms(20_000 * round);
        roster.look(now, &air, &wanted);
        let (address, code) = roster.next(now, 7, &wanted).unwrap();
        order.push(code.is_some());
        roster.ended(&address, now, Duration::ZERO);
    }
    assert_eq!(order, [false, false, true, false, true, false]);
}

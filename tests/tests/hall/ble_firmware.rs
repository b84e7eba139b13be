//! A clock's firmware in the simulator, over Bluetooth LE: whole games with the hub's real core, compared with the same presses over QUIC.

use sim::{ble_bars, ble_figures, play_ble};

#[test]
fn the_firmware_plays_whole_games_without_a_lost_or_doubled_press() {
    let games = play_ble(1, 3);
    for bar in ble_bars(&games) {
        assert!(bar.ok, "{}: {:#?}", bar.name, games.failures);
    }
    // Every kind of fault must have occurred: a fault that never occurs tests nothing.
    assert!(games.presses > 800 && games.cuts >= 10, "{games:?}");
    assert_eq!((games.power_cuts, games.wrong_codes), (12, 3), "{games:?}");
    assert!(games.events_lost > 100 && games.apart <= 1, "{games:?}");
}

#[test]
fn a_seed_does_the_same_twice() {
    assert_eq!(
        format!("{:?}", play_ble(1, 1)),
        format!("{:?}", play_ble(1, 1))
    );
}

#[test]
fn every_connection_interval_meets_the_planned_precision() {
    let bars = ble_figures();
    assert_eq!(bars.len(), 3 * 6);
    for bar in bars {
        assert!(bar.ok, "{}: {} (limit {})", bar.name, bar.value, bar.limit);
    }
}

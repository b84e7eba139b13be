//! The one-way delay of a frame on links as found in real halls. The models' figures are fitted to measured links.

use super::Ns;
use super::random::{Random, seconds};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LinkKind {
    Lan,
    WifiQuiet,
    WifiBusy,
    BleFast,
    Ble,
    BleSlow,
}

impl LinkKind {
    pub const ALL: [Self; 6] = [
        Self::Lan,
        Self::WifiQuiet,
        Self::WifiBusy,
        Self::BleFast,
        Self::Ble,
        Self::BleSlow,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Lan => "LAN",
            Self::WifiQuiet => "quiet Wi-Fi",
            Self::WifiBusy => "busy Wi-Fi",
            Self::BleFast => "BLE 7.5 ms",
            Self::Ble => "BLE 15 ms",
            Self::BleSlow => "BLE 48.75 ms",
        }
    }

    /// Returns the typical one-way delay of a frame, in microseconds.
    pub(super) fn usual_us(self) -> i64 {
        match self {
            Self::Lan => 200,
            Self::WifiQuiet => 2_000,
            Self::WifiBusy => 9_000,
            Self::BleFast => 4_500,
            Self::Ble => 8_500,
            Self::BleSlow => 26_000,
        }
    }

    pub(super) fn delay(self, random: &mut Random) -> Ns {
        let rarely = random.unit();
        let delay = match self {
            Self::Lan => {
                let burst = if rarely < 0.02 {
                    random.between(0.0, 0.003)
                } else {
                    0.0
                };
                0.000_12 + random.exponential(0.000_08) + burst
            }
            Self::WifiQuiet => {
                let burst = if rarely < 0.08 {
                    random.between(0.005, 0.12)
                } else {
                    0.0
                };
                0.000_8 + random.log_normal(0.001, 0.8) + burst
            }
            Self::WifiBusy => {
                let burst = if rarely < 0.2 {
                    random.between(0.01, 0.3)
                } else {
                    0.0
                };
                0.001 + random.log_normal(0.006, 1.0) + burst
            }
            Self::BleFast => ble(0.007_5, random),
            Self::Ble => ble(0.015, random),
            Self::BleSlow => ble(0.048_75, random),
        };
        seconds(delay)
    }
}

fn ble(interval: f64, random: &mut Random) -> f64 {
    let mut delay = random.between(0.0, interval) + 0.000_7;
    while random.unit() < 0.05 {
        delay += interval;
    }
    delay
}

//! Crystals: how a machine's clock counts while true time passes, with a constant error and a slow wave as the hall warms and cools. True time
//! belongs to the simulation; machines never read it.

use super::random::Random;
use super::{Ns, SECOND};

#[derive(Clone, Debug)]
pub(super) struct Crystal {
    pub(super) ppm: f64,
    wave_ppm: f64,
    /// Angular frequency of the temperature wave, radians per second.
    turn: f64,
    phase: f64,
}

impl Crystal {
    /// Draws the constant error of a machine's crystal, in parts per million. On average, one crystal in ten has nearly the largest error that the
    /// proven interval allows; the flag is true for these.
    pub(super) fn any_error(random: &mut Random) -> (f64, bool) {
        let extreme = random.chance(0.1);
        let usual = random.between(-40.0, 40.0);
        match extreme {
            true => (97.0_f64.copysign(usual), extreme),
            false => (usual, extreme),
        }
    }

    pub(super) fn new(ppm: f64, wave_ppm: f64, random: &mut Random) -> Self {
        Self {
            ppm,
            wave_ppm,
            turn: std::f64::consts::TAU / random.between(600.0, 3_600.0),
            phase: random.between(0.0, std::f64::consts::TAU),
        }
    }

    pub(super) fn counted(&self, at: Ns) -> Ns {
        let seconds = at as f64 / SECOND as f64;
        let wave = (self.phase.cos() - (seconds * self.turn + self.phase).cos()) / self.turn;
        at + ((self.ppm * seconds + self.wave_ppm * wave) * 1_000.0).floor() as Ns
    }

    pub(super) fn micros(&self, at: Ns) -> i64 {
        self.counted(at).div_euclid(1_000)
    }

    /// Returns the instant at which the count was `micros` lower than at `now`.
    pub(super) fn before(&self, now: Ns, micros: i64) -> Ns {
        self.when(self.micros(now) - micros)
    }

    /// Returns the instant at which the count reaches `micros`.
    pub(super) fn when(&self, micros: i64) -> Ns {
        let wanted = micros.saturating_mul(1_000);
        let mut at = wanted;
        for _ in 0..3 {
            at += wanted - self.counted(at);
        }
        while self.counted(at) < wanted {
            at += 1;
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_increase_and_can_be_inverted() {
        let mut random = Random::new(1, 1);
        for ppm in [-100.0, -3.5, 0.0, 40.0, 100.0] {
            let crystal = Crystal::new(ppm, 2.5, &mut random);
            let mut last = -1;
            for step in 0..20_000_i64 {
                let at = step * 37_000_001;
                let micros = crystal.micros(at);
                assert!(micros > last);
                last = micros;
                let found = crystal.when(micros + 1);
                assert!(crystal.micros(found) == micros + 1 && found > at);
            }
            let error = crystal.counted(3_600 * SECOND) - 3_600 * SECOND;
            let bound = (ppm.abs() + 2.6) * 3_600.0 * 1_000.0;
            assert!((error as f64).abs() <= bound, "{error} {bound}");
        }
    }
}

//! The configured sizes above which a command waits for a second arbiter.

use timing::Duration;

use crate::config::Config;
use hall::SecondSizes;

/// Returns the sizes; 0 in the configuration means that no size needs a second arbiter.
pub(super) fn sizes(config: &Config) -> SecondSizes {
    SecondSizes {
        time: Some(config.second_arbiter_time).filter(|time| *time > Duration::ZERO),
        pairings: Some(config.second_arbiter_pairings).filter(|games| *games > 0),
        event: config.second_arbiter_event,
    }
}

//! Waits until a condition holds. A test names the condition and never waits for a fixed time.

use std::time::Duration;

use crate::stopwatch::Stopwatch;

const SHORTEST_PAUSE: Duration = Duration::from_millis(5);
const LONGEST_PAUSE: Duration = Duration::from_millis(200);

/// Polls until `holds` returns a value, for at most `limit`. Polls every few milliseconds at first and then less often, because each check may
/// start a program.
pub fn until<T>(
    limit: Duration,
    what: &str,
    mut holds: impl FnMut() -> Option<T>,
) -> Result<T, String> {
    let watch = Stopwatch::start();
    loop {
        if let Some(value) = holds() {
            return Ok(value);
        }
        if watch.elapsed() > limit {
            return Err(format!("waited {limit:?} for {what}"));
        }
        // Parks the thread, so that others can run. An early wake-up only polls again.
        std::thread::park_timeout((watch.elapsed() / 20).clamp(SHORTEST_PAUSE, LONGEST_PAUSE));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wait_ends_when_the_condition_holds_or_time_is_up() {
        let mut looks = 0;
        let third = until(Duration::from_secs(10), "the third look", || {
            looks += 1;
            (looks == 3).then_some(looks)
        });
        assert_eq!(third, Ok(3));
        let never = until::<()>(Duration::from_millis(1), "what never comes", || None);
        assert_eq!(never, Err("waited 1ms for what never comes".to_owned()));
    }
}

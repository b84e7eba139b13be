//! Waiting for something to become true. There is no waiting for a while: a test names what it waits for.

use std::time::Duration;

use crate::stopwatch::Stopwatch;

/// Looks every few milliseconds until `holds` is some, at most for `limit`.
///
/// # Errors
/// That it did not come, with its name.
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
        // Others run meanwhile; a wake-up before the time is only one more look.
        std::thread::park_timeout(Duration::from_millis(5));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_ends_when_it_holds_and_when_it_never_does() {
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

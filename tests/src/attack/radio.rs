//! The end of an attack over Bluetooth LE: the victim must disconnect, and must not answer more than permitted.

use std::future::ready;
use std::time::Duration;

use anyhow::Context as _;
use futures::{Stream, StreamExt as _};
use tokio::time::timeout;

/// Returns the number of values other than bare acknowledgements that the victim sends before it disconnects, which ends the stream.
///
/// # Errors
/// Returns an error if the victim does not disconnect within `patience`.
pub async fn answers_until_disconnect(
    values: impl Stream<Item = Vec<u8>>,
    patience: Duration,
) -> anyhow::Result<usize> {
    let answers = values.filter(|value| ready(says_something(value))).count();
    timeout(patience, answers)
        .await
        .context("the victim does not disconnect")
}

/// Returns true if a value is more than a bare acknowledgement, which any peer may get.
fn says_something(value: &[u8]) -> bool {
    value.get(1).is_none_or(|tail| tail & 0x80 == 0)
}

#[cfg(test)]
mod tests {
    use futures::stream;

    use super::*;

    const MESSAGE: [u8; 3] = [0xc0, 0, 7];
    const ACKNOWLEDGEMENT: [u8; 2] = [0, 0x81];

    #[tokio::test]
    async fn a_victim_that_disconnects_is_judged_by_its_answers() {
        let values = [MESSAGE.to_vec(), ACKNOWLEDGEMENT.to_vec()];
        let answers = answers_until_disconnect(stream::iter(values), Duration::from_secs(60));
        assert_eq!(answers.await.expect("disconnected"), 1);
    }

    #[tokio::test]
    async fn a_victim_that_falls_silent_without_disconnecting_fails() {
        let values = stream::iter([ACKNOWLEDGEMENT.to_vec()]).chain(stream::pending());
        let answers = answers_until_disconnect(values, Duration::from_millis(10)).await;
        assert!(answers.is_err(), "{answers:?}");
    }
}

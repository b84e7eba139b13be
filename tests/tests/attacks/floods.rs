//! Every flood, briefly: honest boards stay online, and the hub answers commands and revocations, releases its memory and stops promptly.
//!
//! The limits are generous, because other tests run on the same machine. The program `floods` checks the exact figures.

use tests::attack::{Extent, FLOODS, Flood, Hall, measure_under};

/// Maximum 99th percentile of the presses' latency during a flood, in microseconds.
const PRESS_US: i64 = 3_000_000;
/// Maximum time until the hub has answered a command or a revocation, in microseconds.
const ANSWER_US: i64 = 3_000_000;
/// Maximum time from SIGTERM to the exit of the hub, in microseconds.
const STOP_US: i64 = 5_000_000;

async fn withstands(floods: &[Flood]) {
    let extent = Extent {
        presses: 30,
        commands: 3,
    };
    let mut hall = Hall::open(super::BOARDS, &[]).await.unwrap();
    let mut failed = Vec::new();
    for flood in floods {
        match measure_under(&mut hall, flood, extent).await {
            Ok(seen) => {
                let slow = seen.p99_us > PRESS_US
                    || seen.command_us > ANSWER_US
                    || seen.revoke_us > ANSWER_US
                    || seen.stop_us > STOP_US;
                if slow {
                    failed.push(format!("{}: {seen:?}", flood.name));
                }
            }
            Err(error) => {
                failed.push(format!("{}: {error:#}", flood.name));
                // The flood may have damaged this hall, so continue with a new one.
                hall = Hall::open(super::BOARDS, &[]).await.unwrap();
            }
        }
    }
    if let Err(difference) = hall.close().await {
        failed.push(format!("at the end: {difference:#}"));
    }
    assert!(failed.is_empty(), "\n{}", failed.join("\n"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn floods_of_the_clocks_port_harm_no_board() {
    withstands(&FLOODS[..7]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn floods_of_the_web_ports_harm_no_board() {
    withstands(&FLOODS[7..]).await;
}

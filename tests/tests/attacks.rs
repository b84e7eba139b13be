//! Every attack by name, against real processes: a hub, honest clocks that press continuously, and an attacker with sockets, files and stolen keys.
//!
//! Each group of attacks has a table with the name, the attacker's means and the required outcome of each. After each attack, the test checks the
//! hall: all honest boards are online, presses are acknowledged in time, and the hub has released the memory that the attack took. At the
//! end, the log must hold each press exactly once. The program `floods` runs the floods for longer and prints the measurements.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

#[path = "attacks/arbiters.rs"]
mod arbiters;
#[path = "attacks/clocks.rs"]
mod clocks;
#[path = "attacks/desk.rs"]
mod desk;
#[path = "attacks/files.rs"]
mod files;
#[path = "attacks/floods.rs"]
mod floods;
#[path = "attacks/pages.rs"]
mod pages;
#[path = "attacks/sessions.rs"]
mod sessions;

use std::collections::BTreeSet;
use std::time::Duration;

use futures::future::LocalBoxFuture;
use tests::attack::{Attack, FLOODS, Hall};

/// A function that carries out an attack on a hall. It returns an error if the attack succeeded.
type Run = for<'a> fn(&'a mut Hall) -> LocalBoxFuture<'a, anyhow::Result<()>>;

/// Builds the table of a group. Each row is: name, attacker's means, required outcome => function.
macro_rules! attacks {
    ($($name:literal, $holds:literal, $must:literal => $run:path;)*) => {
        &[$(Attack { name: $name, holds: $holds, must: $must, run: |hall| Box::pin($run(hall)) },)*]
    };
}
use attacks;

const BOARDS: usize = 5;
const PATIENCE: Duration = Duration::from_secs(90);

async fn carried_out(group: &[Attack<Run>], settings: &[&str]) {
    let mut hall = Hall::open(BOARDS, settings).await.unwrap();
    let mut failed = Vec::new();
    for attack in group {
        let run = tokio::time::timeout(PATIENCE, (attack.run)(&mut hall)).await;
        let Attack { name, must, .. } = attack;
        match run {
            Ok(Ok(())) => (),
            Ok(Err(error)) => failed.push(format!("{name} (must be: {must}): {error:#}")),
            Err(_) => failed.push(format!("{name} (must be: {must}): does not end")),
        }
        if let Err(damage) = hall.check_unharmed().await {
            failed.push(format!("after {name}: {damage:#}"));
        }
    }
    if let Err(difference) = hall.close().await {
        failed.push(format!("at the end: {difference:#}"));
    }
    assert!(failed.is_empty(), "\n{}", failed.join("\n"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_clocks_port_holds() {
    carried_out(clocks::CLOCKS, &[]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_enrolment_desk_holds() {
    carried_out(desk::DESK, &[]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_credential_exceeds_its_role() {
    carried_out(arbiters::ARBITERS, &[]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sessions_and_requests_of_arbiters_hold() {
    carried_out(sessions::SESSIONS, &[]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_public_pages_hold() {
    carried_out(pages::PAGES, &[]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hostile_files_change_nothing() {
    let folder = files::folder();
    let settings = files::settings(&folder);
    let settings: Vec<&str> = settings.iter().map(String::as_str).collect();
    carried_out(files::FILES, &settings).await;
}

#[test]
fn each_attack_has_a_unique_name() {
    const MIN_ATTACKS: usize = 60;
    let groups = [
        clocks::CLOCKS,
        desk::DESK,
        arbiters::ARBITERS,
        sessions::SESSIONS,
        pages::PAGES,
        files::FILES,
    ];
    let mut names: Vec<&str> = groups.iter().flat_map(|group| names(group)).collect();
    names.extend(FLOODS.iter().map(|flood| flood.name));
    let different: BTreeSet<&str> = names.iter().copied().collect();
    assert_eq!(different.len(), names.len(), "a name occurs twice");
    assert!(names.len() >= MIN_ATTACKS, "only {} attacks", names.len());
}

fn names(group: &[Attack<Run>]) -> Vec<&'static str> {
    for attack in group {
        assert!(!attack.holds.is_empty() && !attack.must.is_empty());
    }
    group.iter().map(|attack| attack.name).collect()
}

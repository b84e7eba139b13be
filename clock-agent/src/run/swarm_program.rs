//! `clock-agent swarm`: loads or enrols identities, runs the swarm, and prints counters until the end.

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::time::Duration;

use proto::enrolment::{CodeError, EnrolmentCode};
use tokio_util::sync::CancellationToken;

use super::{RunError, logging, signals, system};
use crate::cli;
use crate::identity::Identity;
use crate::swarm::{Counts, Journals, Players, Swarm, SwarmConfig, enrol_with};

const REPORT_EVERY: Duration = Duration::from_secs(5);
/// Maximum time for delivering the last presses at the end.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(10);

#[derive(Debug, thiserror::Error)]
#[error("the file has too few codes: each clock needs its own")]
pub struct NoCode;

pub fn swarm(args: &cli::Swarm, log: &str) -> Result<(), RunError> {
    let _summaries = logging::to_stderr(log)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(system("the runtime"))?;
    runtime.block_on(run(args))
}

async fn run(args: &cli::Swarm) -> Result<(), RunError> {
    let stop = CancellationToken::new();
    signals::stop_at_signal(&stop).map_err(system("signals"))?;
    let identities = identities(args).await?;
    let Some(first) = identities.first() else {
        return Err(RunError::NoAgents);
    };
    let hub = match &args.hub {
        Some(hub) => hub.to_string(),
        None => first.enrolment.hub.clone(),
    };
    let journals = match &args.dir {
        Some(dir) if args.journals => Journals::Files(dir.join("journals")),
        Some(_) | None => Journals::Memory,
    };
    let swarm = Swarm::start(SwarmConfig {
        hub,
        identities,
        players: Players::Pace(args.pace),
        seed: args.seed,
        journals,
        record: false,
        endpoints: 1,
    })
    .await?;
    let end = async {
        match args.lasts {
            Some(lasts) => tokio::time::sleep(lasts).await,
            None => std::future::pending().await,
        }
    };
    tokio::select! {
        () = end => {}
        () = stop.cancelled() => {}
        () = report(&swarm, args.json) => {}
    }
    // This times out if the hub is away.
    let drained = tokio::time::timeout(DRAIN_TIMEOUT, swarm.drain())
        .await
        .is_ok();
    let counts = swarm.counts();
    swarm.stop().await;
    print(counts, args.json);
    if !drained {
        tracing::warn!(
            unacknowledged = counts.unacknowledged,
            "the hub is missing presses from this swarm"
        );
    }
    Ok(())
}

async fn report(swarm: &Swarm, json: bool) {
    loop {
        tokio::time::sleep(REPORT_EVERY).await;
        print(swarm.counts(), json);
    }
}

fn print(counts: Counts, json: bool) {
    let Counts {
        agents,
        connected,
        events,
        acknowledged,
        unacknowledged,
    } = counts;
    let line = if json {
        format!(
            r#"{{"agents":{agents},"connected":{connected},"events":{events},"acknowledged":{acknowledged},"unacknowledged":{unacknowledged}}}"#
        )
    } else {
        format!(
            "{connected} of {agents} clocks connected, {events} events, {unacknowledged} not acknowledged yet"
        )
    };
    if json || !io::stdout().is_terminal() {
        logging::say(&line);
    } else {
        // Overwrite the previous line. Ignore a terminal that is gone.
        let _ = write!(io::stdout(), "\r\x1b[K{line}").and_then(|()| io::stdout().flush());
    }
}

/// Returns the stored identities. With a file of codes, also enrols the remaining clocks.
async fn identities(args: &cli::Swarm) -> Result<Vec<Identity>, RunError> {
    let mut identities = Vec::new();
    if let Some(dir) = &args.dir {
        for number in 1..=args.boards {
            match Identity::load(&place(dir, number))? {
                Some(identity) => identities.push(identity),
                None => break,
            }
        }
    }
    let missing = match &args.codes {
        Some(_) => args.boards - identities.len(),
        None => 0,
    };
    if missing == 0 {
        return Ok(identities);
    }
    let codes = match &args.codes {
        Some(path) => read_codes(path)?,
        None => Vec::new(),
    };
    let enrolled = enrol_with(missing, |agent| {
        let code = codes.get(agent).cloned().ok_or(NoCode);
        async move { code }
    })
    .await?;
    for identity in enrolled {
        identities.push(identity);
        if let (Some(dir), Some(identity)) = (&args.dir, identities.last()) {
            identity.save(&place(dir, identities.len()))?;
        }
    }
    Ok(identities)
}

fn place(dir: &Path, number: usize) -> std::path::PathBuf {
    dir.join(format!("{number:05}"))
}

/// Reads the code in each line, ignoring text around it (a board, quotes, JSON) and empty lines.
fn read_codes(path: &Path) -> Result<Vec<EnrolmentCode>, RunError> {
    let text = std::fs::read_to_string(path).map_err(system("the file of codes"))?;
    codes(&text).map_err(|(line, error)| RunError::Codes {
        path: path.to_owned(),
        line,
        error,
    })
}

fn codes(text: &str) -> Result<Vec<EnrolmentCode>, (usize, CodeError)> {
    let lines = text.lines().zip(1..);
    lines
        .filter(|(line, _)| !line.trim().is_empty())
        .map(|(line, number)| {
            let begins = line.find("flagfall://").unwrap_or(0);
            let ends = |c: char| c.is_whitespace() || matches!(c, '"' | '\'');
            let code = line[begins..].split(ends).next().unwrap_or_default();
            code.parse().map_err(|error| (number, error))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_found_inside_other_text() {
        let code = format!(
            "flagfall://hub:7464#{}.{}",
            "01".repeat(16),
            "02".repeat(16)
        );
        let text = format!("{code}\n\n7 '{code}'\n{{\"uri\":\"{code}\",\"board\":\"1\"}}\n");
        assert_eq!(codes(&text).unwrap().len(), 3);
        let (line, _) = codes(&format!("{code}\nhub:7464\n")).unwrap_err();
        assert_eq!(line, 2);
    }
}

//! Kills a hub with SIGKILL at random moments under load, even during start-up, and checks the log that it leaves.
//!
//! `cargo run --profile bench -p tests --bin kill-hub -- --rounds 500` kills the hub 500 times. No acknowledged press may be missing or count
//! twice, and the agents must continue while the hub is down. At the end, the hub's and the agent's clock of each board must be equal to the
//! microsecond.
#![expect(clippy::print_stdout, reason = "a command line program")]

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use clap::Parser;
use clock_agent::identity::Identity;
use clock_agent::swarm::{Journals, Pace, Players, Swarm, SwarmConfig};
use proto::grpc::command_request::Command;
use proto::grpc::{BoardPhase, EndGame, Outcome, Pause, Prepare, Resume};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tests::rig::{Addresses, Arbiter, Evidence, HubProcess, program, same_clock};
use tests::stopwatch::Stopwatch;

/// Kills a hub with SIGKILL at random moments and checks the log that it leaves.
#[derive(Parser)]
struct Arguments {
    /// The number of kills.
    #[arg(long, default_value_t = 20)]
    rounds: u32,
    /// The number of boards in play.
    #[arg(long, default_value_t = 120)]
    boards: usize,
    /// The seed for the moments of the kills; a random one is chosen and printed if omitted.
    #[arg(long)]
    seed: Option<u64>,
}

const READY_WITHIN: Duration = Duration::from_secs(20);
const CONTROL: &str = "3m+2s";

struct Rounds {
    program: PathBuf,
    dir: tempfile::TempDir,
    addresses: Addresses,
    agents: Vec<Identity>,
    swarm: Swarm,
    rng: ChaCha8Rng,
    /// Each event whose acknowledgement has reached its clock, by the agent's key and the sequence number.
    told: BTreeSet<(Vec<u8>, u64)>,
    /// The id of each command that the hub reported to the arbiter as done.
    done: BTreeSet<Vec<u8>>,
    start_up: Duration,
    killed_while_starting: u32,
    pressed_without_hub: u64,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let seed = arguments.seed.unwrap_or_else(rand::random);
    println!(
        "SEED={seed}: {} kills, {} boards",
        arguments.rounds, arguments.boards
    );
    let watch = Stopwatch::start();
    let (mut rounds, mut hub) = Rounds::furnish(&arguments, seed).await?;
    for round in 1..=arguments.rounds {
        rounds
            .kill(&mut hub, round)
            .await
            .with_context(|| format!("SEED={seed}, round {round}"))?;
        hub = rounds
            .start()
            .with_context(|| format!("SEED={seed}, after round {round}"))?;
    }
    rounds
        .finish(hub)
        .await
        .with_context(|| format!("SEED={seed}, at the end"))?;
    println!("{} s", watch.elapsed().as_secs());
    Ok(())
}

impl Rounds {
    async fn furnish(arguments: &Arguments, seed: u64) -> anyhow::Result<(Self, HubProcess)> {
        let program = program("flagfall").map_err(anyhow::Error::msg)?;
        let dir = tempfile::tempdir()?;
        let mut hub = HubProcess::start(&program, dir.path(), None, &[])?;
        let start_up = Stopwatch::start();
        let addresses = hub.ready(READY_WITHIN).map_err(anyhow::Error::msg)?;
        let start_up = start_up.elapsed();
        let mut arbiter = Arbiter::connect(addresses.listen, dir.path()).await?;
        let agents = arbiter.furnish(arguments.boards, CONTROL).await?;
        let config = SwarmConfig {
            hub: addresses.listen.to_string(),
            identities: agents.clone(),
            players: Players::Pace(Pace::Blitz),
            seed,
            journals: Journals::Memory,
            record: true,
            endpoints: 4,
        };
        let swarm = Swarm::start(config).await?;
        tokio::time::timeout(READY_WITHIN, swarm.connected())
            .await
            .context("the clocks did not connect")?;
        let rounds = Self {
            program,
            dir,
            addresses,
            agents,
            swarm,
            rng: ChaCha8Rng::seed_from_u64(seed),
            told: BTreeSet::new(),
            done: BTreeSet::new(),
            start_up,
            killed_while_starting: 0,
            pressed_without_hub: 0,
        };
        Ok((rounds, hub))
    }

    fn start(&self) -> anyhow::Result<HubProcess> {
        Ok(HubProcess::start(
            &self.program,
            self.dir.path(),
            Some(self.addresses),
            &[],
        )?)
    }

    /// Lets the hub run for a random time, kills it, and checks the log against the acknowledgements.
    async fn kill(&mut self, hub: &mut HubProcess, round: u32) -> anyhow::Result<()> {
        let starting = round > 1 && self.rng.random_range(0..2) == 0;
        let life = if starting {
            // About half of these moments are within the longest measured start-up time, and the others are shortly after it.
            Duration::from_micros(
                self.rng
                    .random_range(0..2 * self.start_up.as_micros().max(1) as u64),
            )
        } else {
            let watch = Stopwatch::start();
            hub.ready(READY_WITHIN).map_err(anyhow::Error::msg)?;
            self.start_up = self.start_up.max(watch.elapsed());
            self.arbitrate().await?;
            self.some_acknowledged().await?;
            Duration::from_micros(self.rng.random_range(0..1_500_000))
        };
        if let Some(status) = tokio::task::block_in_place(|| hub.ended_within(life)) {
            bail!("the hub ended by itself: {status}\n{}", hub.said());
        }
        tokio::task::block_in_place(|| hub.kill()).context("SIGKILL did not end the hub")?;
        let starting = hub.ready(Duration::ZERO).is_err();
        self.killed_while_starting += u32::from(starting);
        let pressed = self.swarm.counts().events;
        self.collect();
        let evidence = self.look().context(format!(
            "after {life:?} of life; the hub said: {}",
            tail(&hub.said())
        ))?;
        println!(
            "round {round}: killed {} after {} ms; {} records, {} acknowledged",
            if starting {
                "while starting"
            } else {
                "under load"
            },
            life.as_millis(),
            evidence.records,
            self.told.len()
        );
        if round.is_multiple_of(4) {
            self.some_pressed(pressed).await?;
        }
        self.pressed_without_hub += self.swarm.counts().events - pressed;
        Ok(())
    }

    /// Checks that no acknowledged event or command is missing from the log, and that none is in it twice.
    fn look(&self) -> anyhow::Result<Evidence> {
        let evidence = Evidence::of(self.dir.path())?;
        let lost: Vec<String> = self
            .told
            .iter()
            .filter(|event| !evidence.events.contains_key(event))
            .map(|(agent, seq)| format!("event {seq} of clock {}", hex::encode(&agent[..4])))
            .collect();
        ensure!(
            lost.is_empty(),
            "acknowledged, and not in the log: {}",
            lost.join(", ")
        );
        let lost: Vec<String> = self
            .done
            .iter()
            .filter(|id| !evidence.commands.contains_key(*id))
            .map(hex::encode)
            .collect();
        ensure!(
            lost.is_empty(),
            "commands reported as done, and not in the log: {}",
            lost.join(", ")
        );
        let doubled = evidence.doubled();
        ensure!(doubled.is_empty(), "{}", doubled.join(", "));
        Ok(evidence)
    }

    fn collect(&mut self) {
        for sample in self.swarm.take_samples() {
            let agent = self.agents[sample.agent].keys.agent_id();
            self.told.insert((agent.0.to_vec(), sample.seq));
        }
    }

    /// Acts as an arbiter, so that the log also has recent commands when the hub is killed. Ends stopped and flagged games, prepares new ones,
    /// resumes paused ones, and pauses some boards.
    async fn arbitrate(&mut self) -> anyhow::Result<()> {
        let mut arbiter = Arbiter::connect(self.addresses.listen, self.dir.path()).await?;
        for board in arbiter.hall().await?.boards {
            let name = &board.board;
            match board.phase() {
                BoardPhase::Stopped | BoardPhase::Flagged => {
                    let ending = "result 1/2-1/2".to_owned();
                    self.command(&mut arbiter, name, Command::EndGame(EndGame { ending }))
                        .await?;
                    self.command(&mut arbiter, name, Command::Prepare(new_game()))
                        .await?;
                }
                BoardPhase::Over => {
                    self.command(&mut arbiter, name, Command::Prepare(new_game()))
                        .await?
                }
                BoardPhase::Paused => {
                    self.command(&mut arbiter, name, Command::Resume(Resume::default()))
                        .await?
                }
                BoardPhase::Running if self.rng.random_range(0..20) == 0 => {
                    self.command(&mut arbiter, name, Command::Pause(Pause {}))
                        .await?;
                }
                BoardPhase::Running | BoardPhase::Ready | BoardPhase::Unspecified => (),
            }
        }
        Ok(())
    }

    async fn command(
        &mut self,
        arbiter: &mut Arbiter,
        board: &str,
        command: Command,
    ) -> anyhow::Result<()> {
        let id: [u8; 16] = self.rng.random();
        let seen = arbiter.board(board).await?.seq;
        let reply = match arbiter.send_as(&id, board, seen, command).await {
            // The board's state changed before the command arrived, so the hub refuses the outdated view. The arbiter retries after the next restart.
            Err(status) if status.code() == tonic::Code::FailedPrecondition => return Ok(()),
            reply => reply?,
        };
        if reply.outcome() == Outcome::Done {
            self.done.insert(id.to_vec());
        }
        Ok(())
    }

    async fn some_acknowledged(&mut self) -> anyhow::Result<()> {
        let before = self.swarm.counts().acknowledged;
        self.until("an acknowledgement", |swarm| {
            swarm.counts().acknowledged > before
        })
        .await
    }

    async fn some_pressed(&mut self, before: u64) -> anyhow::Result<()> {
        let wanted = before + 10;
        self.until("ten presses without a hub", |swarm| {
            swarm.counts().events >= wanted
        })
        .await
    }

    async fn until(&self, what: &str, holds: impl Fn(&Swarm) -> bool) -> anyhow::Result<()> {
        let mut look = tokio::time::interval(Duration::from_millis(2));
        let watch = Stopwatch::start();
        while !holds(&self.swarm) {
            ensure!(
                watch.elapsed() < Duration::from_secs(60),
                "waited a minute for {what}: {:?}",
                self.swarm.counts()
            );
            look.tick().await;
        }
        Ok(())
    }

    /// Waits until every event is acknowledged, and checks that every clock is the same at the hub and at its agent.
    async fn finish(mut self, mut hub: HubProcess) -> anyhow::Result<()> {
        hub.ready(READY_WITHIN).map_err(anyhow::Error::msg)?;
        tokio::time::timeout(Duration::from_secs(120), self.swarm.drain())
            .await
            .with_context(|| {
                format!("not everything was acknowledged: {:?}", self.swarm.counts())
            })?;
        self.collect();
        let counts = self.swarm.counts();
        let evidence_dir = self.dir.path().to_owned();
        let told = std::mem::take(&mut self.told);
        let reports = self.swarm.stop().await;
        tokio::task::block_in_place(|| hub.stop()).context("SIGTERM did not end the hub")?;
        let evidence = Evidence::of(&evidence_dir)?;
        for report in &reports {
            let hubs = evidence
                .hall
                .clock_bytes(&report.board)
                .with_context(|| format!("no board {}", report.board))?;
            let agents = report
                .clock
                .as_ref()
                .with_context(|| format!("clock {} serves no board", report.agent))?;
            same_clock(&hubs, agents)
                .map_err(|what| anyhow::anyhow!("board {}: {what}", report.board))?;
            let in_log = evidence
                .events
                .keys()
                .filter(|(agent, _)| *agent == report.agent.0)
                .count() as u64;
            ensure!(
                in_log == report.seq,
                "board {}: {in_log} events in the log, {} at the clock",
                report.board,
                report.seq
            );
        }
        ensure!(
            evidence.doubled().is_empty(),
            "{}",
            evidence.doubled().join(", ")
        );
        ensure!(
            told.len() as u64 <= counts.acknowledged,
            "more told than acknowledged"
        );
        ensure!(
            !told.is_empty() && counts.events > 0,
            "nothing was pressed: this proves nothing"
        );
        println!(
            "{} events of clocks, {} of them while there was no hub; {} events in the log, each once; {} boards equal to the microsecond",
            counts.events,
            self.pressed_without_hub,
            evidence.events.len(),
            reports.len()
        );
        println!(
            "{} kills while starting; {} commands reported as done, none lost",
            self.killed_while_starting,
            self.done.len()
        );
        Ok(())
    }
}

fn new_game() -> Prepare {
    Prepare {
        control: CONTROL.to_owned(),
        start: "black-press".to_owned(),
        ..Prepare::default()
    }
}

fn tail(said: &str) -> String {
    let lines: Vec<&str> = said.lines().rev().take(8).collect();
    lines.into_iter().rev().collect::<Vec<_>>().join("\n")
}

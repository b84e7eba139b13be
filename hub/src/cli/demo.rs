//! `flagfall demo`: runs a hub with simulated players. Certificates, QUIC, signatures and log are real.

mod director;
mod event;
mod players;
mod time_chess;

use std::path::{Path, PathBuf};
use std::time::Duration;

use clock_agent::swarm::{Journals, Pace, Players, Swarm, SwarmConfig, enrol_with};
use proto::enrolment::fingerprint_text;
use sha2::{Digest, Sha256};

use self::time_chess::RandomPlayers;
use super::Settings;
use super::output::{Failure, Result, failed, init_service_messages, print, say};
use super::serve::{Signals, raise_descriptors, runtime};
use crate::config::Config;
use crate::identity::{Arbiter, Role};
use crate::server::{Addresses, HubServer};
use director::Director;

/// For more boards, use `clock-agent swarm`.
const MAX_BOARDS: u16 = 2_000;
const PAGE_ADDRESS: &str = "127.0.0.1:8080";

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall demo
  flagfall demo --boards 40 --for 10m --http 0.0.0.0:8080
  flagfall demo --boards 1 --variant time-chess")]
pub(super) struct Args {
    /// The number of boards
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u16).range(1..=i64::from(MAX_BOARDS)))]
    boards: u16,
    /// Stop after this time, such as 60s or 1h30m [default: on Ctrl-C]
    #[arg(long = "for", value_name = "TIME")]
    duration: Option<timing::Duration>,
    /// Address and port of the live page [default: 127.0.0.1:8080, or a free port if that is taken]
    #[arg(long)]
    http: Option<String>,
    /// A new directory for the log and the keys [default: one in the temporary directory]
    #[arg(long, visible_alias = "data", value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// The seed of the players' actions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The game; in Time Chess the players also make random moves
    #[arg(long, value_enum, default_value_t = Variant::Clocks)]
    variant: Variant,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Variant {
    /// Clocks only: no moves are written down
    Clocks,
    /// Time Chess: chess in six phases of the day
    TimeChess,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let dir = directory(args)?;
    let config = config(args, &dir)?;
    let _summaries = init_service_messages(&config.log_level);
    raise_descriptors();
    runtime()?.block_on(show(args, config, &dir))
}

/// Returns the demonstration's directory. Refuses a directory that is not empty, which could hold an event's log.
fn directory(args: &Args) -> Result<PathBuf> {
    let dir = args.data_dir.clone().unwrap_or_else(|| {
        std::env::temp_dir().join(format!("flagfall-demo-{}", std::process::id()))
    });
    let occupied = std::fs::read_dir(&dir).is_ok_and(|mut entries| entries.next().is_some());
    if occupied {
        return Err(failed!(
            "{} is not empty: name a new directory with --data-dir",
            dir.display()
        ));
    }
    Ok(dir)
}

fn config(args: &Args, dir: &Path) -> Result<Config> {
    Settings::default()
        .or("data_dir", dir.to_string_lossy())
        .or("listen", "127.0.0.1:0")
        .or("http", args.http.as_deref().unwrap_or(PAGE_ADDRESS))
        .or("metrics", "off")
        .or("mdns", "false")
        .or("public_name", "localhost")
        .or("event_name", event::NAME)
        .or("log_level", "warn")
        .load_without_environment()
}

async fn show(args: &Args, mut config: Config, dir: &Path) -> Result<()> {
    let mut signals = Signals::listen()?;
    let server = match HubServer::start(&config).await {
        Err(crate::server::StartError::Web(_)) if args.http.is_none() => {
            config.http.set_port(0);
            HubServer::start(&config).await
        }
        started => started,
    }
    .map_err(Failure::failed)?;
    let boards = args.boards;
    let (players, random) = match args.variant {
        Variant::Clocks => (Players::Pace(Pace::Blitz), None),
        Variant::TimeChess => {
            let random = RandomPlayers::new(server.hub().clone(), boards, args.seed);
            (Players::Manual(random.handles.clone()), Some(random))
        }
    };
    let mut director = Director::new(server.hub().clone(), boards, args.seed, random);
    director.set_up().await.map_err(Failure::failed)?;
    let swarm = swarm(&server, boards.into(), players, args.seed).await?;
    say!(
        "{boards} boards play at http://{}/",
        server.addresses().http
    )?;
    for_arbiters(&server, dir)?;
    match args.duration {
        None => print("Ctrl-C ends the demonstration.")?,
        Some(duration) => say!("The demonstration ends after {duration}, or on Ctrl-C.")?,
    }

    tokio::select! {
        () = director.direct() => (),
        () = ended(args.duration, &mut signals) => (),
    }

    swarm.stop().await;
    let listen = server.addresses().listen;
    let ended = server.stop().await.map_err(Failure::failed)?;
    ended.result().map_err(Failure::failed)?;
    farewell(dir, listen)
}

fn for_arbiters(server: &HubServer, dir: &Path) -> Result<()> {
    let arbiter = Arbiter::new(Role::Chief, "Chief arbiter");
    let code = server.sessions().code(arbiter, "demo");
    let code = code.map_err(Failure::failed)?;
    let Addresses { http, .. } = server.addresses();
    say!("The arbiters' app (this address enrols one browser, within ten minutes):
  {}
  The browser warns until it trusts the hub; http://{http}/authority explains what to install. The fingerprint (SHA-256) is
  {}
  More codes:
  flagfall enrol --arbiter NAME --role chief --data-dir {}
The event, now in round 2: http://{http}/event",
        code.browser_address(),
        fingerprint_text(&Sha256::digest(&server.trust().status().root)),
        dir.display())
}

async fn swarm(server: &HubServer, boards: usize, players: Players, seed: u64) -> Result<Swarm> {
    let desk = server.desk();
    let identities = enrol_with(boards, |agent| async move {
        desk.code(&(agent + 1).to_string())
    })
    .await
    .map_err(Failure::failed)?;
    Swarm::start(SwarmConfig {
        hub: server.addresses().listen.to_string(),
        identities,
        players,
        seed,
        journals: Journals::Memory,
        record: false,
        endpoints: 1,
    })
    .await
    .map_err(Failure::failed)
}

async fn ended(duration: Option<timing::Duration>, signals: &mut Signals) {
    let wanted = async {
        match duration.and_then(|duration| u64::try_from(duration.as_micros()).ok()) {
            Some(us) => tokio::time::sleep(Duration::from_micros(us)).await,
            None => std::future::pending().await,
        }
    };
    tokio::select! {
        () = wanted => (),
        () = signals.any() => (),
    }
}

fn farewell(dir: &Path, listen: std::net::SocketAddr) -> Result<()> {
    let dir = dir.display();
    say!(
        "
The log of every press is in {dir}. To look at it:
  flagfall replay {dir} --board 1        every record of board 1, with the clocks after each
  flagfall serve --data-dir {dir} --listen {listen}
                                         the same hall again, from its log
To remove it: rm -r {dir}"
    )
}

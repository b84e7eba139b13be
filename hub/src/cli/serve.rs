//! `flagfall serve`: a hub until it is told to stop.

use tokio::signal::unix::{Signal, SignalKind, signal};

use super::Settings;
use super::output::{Failure, init_messages, print};
use crate::config::Config;
use crate::server::{HubServer, trust_lines};

/// Runs a hub.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall serve
  flagfall serve --data-dir /srv/flagfall --event-name \"Open 2027\" --control \"90m+30s\"
  FLAGFALL_HTTP=127.0.0.1:8080 flagfall serve --config /etc/flagfall.toml

The first start makes the hub's certificate authority and chief.pem, the chief arbiter's key file, in the data directory.
`flagfall enrol` lets a clock in, `flagfall ctl` acts on boards.")]
pub(super) struct Args {
    #[command(flatten)]
    settings: Settings,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let config = args.settings.load()?;
    init_messages(&config.log_level);
    for warning in &config.warnings {
        tracing::warn!("{warning}");
    }
    raise_descriptors();
    runtime()?.block_on(serve(&config))
}

async fn serve(config: &Config) -> Result<(), Failure> {
    // Asked to stop while it starts, the hub starts and then stops in order.
    let mut signals = Signals::listen()?;
    let mut server = HubServer::start(config).await.map_err(Failure::failed)?;
    announce(config, &server)?;
    tokio::select! {
        () = signals.any() => (),
        () = server.ended() => tracing::error!("the hub has ended by itself"),
    }
    tracing::info!("stopping: clocks are told and go on by themselves, the log is closed");
    let ended = server.stop().await.map_err(Failure::failed)?;
    ended.result().map_err(Failure::failed)
}

/// What a person who starts a hub wants to see, and a script to read.
fn announce(config: &Config, server: &HubServer) -> Result<(), Failure> {
    let addresses = server.addresses();
    print(format_args!("clocks    {} (QUIC)", addresses.listen))?;
    print(format_args!("arbiters  {} (gRPC)", addresses.listen))?;
    print(format_args!("app       {}", server.sessions().address()))?;
    print(format_args!("page      http://{}/", addresses.http))?;
    let pages = match addresses.http.ip().is_unspecified() {
        true => server.sessions().public_address(addresses.http.port()),
        false => format!("http://{}/", addresses.http),
    };
    print(format_args!("trust     {pages}authority"))?;
    for (key, text) in trust_lines(&server.trust().status()) {
        print(format_args!("{key:9} {text}"))?;
    }
    if let Some(metrics) = addresses.metrics {
        print(format_args!("metrics   http://{metrics}/metrics"))?;
    }
    print(format_args!("data      {}", config.data_dir.display()))?;
    print(format_args!(
        "key       {}",
        server.identity().chief_file().display()
    ))
}

/// Ctrl-C and SIGTERM.
pub(super) struct Signals {
    interrupt: Signal,
    terminate: Signal,
}

impl Signals {
    /// From now on they do not end the process by themselves.
    pub(super) fn listen() -> Result<Self, Failure> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt()).map_err(Failure::failed)?,
            terminate: signal(SignalKind::terminate()).map_err(Failure::failed)?,
        })
    }

    /// Waits for either.
    pub(super) async fn any(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => (),
            _ = self.terminate.recv() => (),
        }
    }
}

pub(super) fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::Failed(format!("cannot start: {error}")))
}

/// Takes all the file descriptors that the system allows: every spectator holds one.
pub(super) fn raise_descriptors() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current != maximum {
        let all = Rlimit {
            current: maximum,
            maximum,
        };
        // Without it fewer spectators fit; the web server counts what it has.
        let _ = setrlimit(Resource::Nofile, all);
    }
}

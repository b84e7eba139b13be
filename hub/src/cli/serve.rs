//! `flagfall serve`: a hub until it is told to stop.

use super::Settings;
use super::output::{Failure, init_messages, print};
use crate::config::Config;
use crate::server::HubServer;

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
    let mut server = HubServer::start(config).await.map_err(Failure::failed)?;
    announce(config, &server)?;
    stopped(&mut server).await?;
    tracing::info!("stopping: clocks are told and go on by themselves, the log is closed");
    let ended = server.stop().await.map_err(Failure::failed)?;
    ended.result().map_err(Failure::failed)
}

/// What a person who starts a hub wants to see, and a script to read.
fn announce(config: &Config, server: &HubServer) -> Result<(), Failure> {
    let addresses = server.addresses();
    print(format_args!("clocks    {} (QUIC)", addresses.listen))?;
    print(format_args!("arbiters  {} (gRPC)", addresses.listen))?;
    print(format_args!("page      http://{}/", addresses.http))?;
    if let Some(metrics) = addresses.metrics {
        print(format_args!("metrics   http://{metrics}/metrics"))?;
    }
    print(format_args!("data      {}", config.data_dir.display()))?;
    print(format_args!(
        "key       {}",
        server.identity().chief_file().display()
    ))
}

/// Waits for Ctrl-C or SIGTERM.
async fn stopped(server: &mut HubServer) -> Result<(), Failure> {
    let signal = |kind| tokio::signal::unix::signal(kind).map_err(Failure::failed);
    let mut terminate = signal(tokio::signal::unix::SignalKind::terminate())?;
    let mut interrupt = signal(tokio::signal::unix::SignalKind::interrupt())?;
    tokio::select! {
        _ = terminate.recv() => (),
        _ = interrupt.recv() => (),
        () = server.ended() => tracing::error!("the hub has ended by itself"),
    }
    Ok(())
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

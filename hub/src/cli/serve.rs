//! `flagfall serve`: runs a hub until it is stopped.

use tokio::signal::unix::{Signal, SignalKind, signal};

use super::Settings;
use super::enrol::picture;
use super::output::{
    Failure, Result, after_change, changed, failed, init_service_messages, paint, print, say,
    to_a_person,
};
use crate::config::Config;
use crate::server::{HubServer, trust_lines};
use crate::time_source::TimeSource;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall serve
  flagfall serve --data-dir /srv/flagfall --event-name \"Open 2027\" --control \"90m+30s\"
  FLAGFALL_HTTP=127.0.0.1:8080 flagfall serve --config /etc/flagfall.toml

The first start makes the hub's certificate authority and chief.pem, the chief arbiter's key file, in the data directory.
Until a chief arbiter's device is enrolled, serve shows an address and its QR code on its terminal: open it on the chief arbiter's
tablet or laptop, from which the hall is set up. Without a terminal (systemd), make such a code with a command on the hub's machine:
flagfall enrol --arbiter NAME --role chief --data-dir DIR
`flagfall enrol` enrols clocks, `flagfall ctl` acts on boards; with the same --data-dir they find the hub.")]
pub(super) struct Args {
    #[command(flatten)]
    settings: Settings,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let config = args.settings.load()?;
    let _summaries = init_service_messages(&config.log_level);
    for warning in &config.warnings {
        tracing::warn!("{warning}");
    }
    raise_descriptors();
    let runtime = runtime()?;
    let ended = runtime.block_on(serve(&config));
    // The log is closed, so do not wait for computations that are still running.
    runtime.shutdown_background();
    ended
}

async fn serve(config: &Config) -> Result<()> {
    // Listen first: after a signal during startup, the hub completes its startup and then stops cleanly.
    let mut signals = Signals::listen()?;
    let mut server = HubServer::start(config).await.map_err(Failure::failed)?;
    // A failed write, for example to a full disk, must not stop the hub.
    after_change(announce(config, &server));
    show_recovery(config, &server)?;
    let chief_enrolled = server.sessions().chief_enrolled().clone();
    if show_first_chief(config, &server)? {
        tokio::select! {
            () = signals.any() => return stop(server).await,
            () = server.ended() => (),
            () = chief_enrolled.cancelled() => {
                // A closed terminal must not stop the hub.
                let _ = say_chief_enrolled(config);
            }
        }
    }
    tokio::select! {
        () = signals.any() => (),
        () = server.ended() => tracing::error!("the hub has stopped unexpectedly"),
    }
    stop(server).await
}

async fn stop(server: HubServer) -> Result<()> {
    tracing::info!("stopping: clocks are notified and keep running, and the log is closed");
    let ended = server.stop().await.map_err(Failure::failed)?;
    ended.result().map_err(Failure::failed)
}

fn announce(config: &Config, server: &HubServer) -> Result<()> {
    let addresses = server.addresses();
    say!("clocks    {} (QUIC)", addresses.listen)?;
    say!("arbiters  {} (gRPC)", addresses.listen)?;
    say!("app       {}", server.sessions().address())?;
    say!("page      http://{}/", addresses.http)?;
    let pages = match addresses.http.ip().is_unspecified() {
        true => server.sessions().public_address(addresses.http.port()),
        false => format!("http://{}/", addresses.http),
    };
    say!("trust     {pages}authority")?;
    for (key, text) in trust_lines(&server.trust().status()) {
        say!("{key:9} {text}")?;
    }
    if let Some(metrics) = addresses.metrics {
        say!("metrics   http://{metrics}/metrics")?;
    }
    say!("data      {}", config.data_dir.display())?;
    say!("key       {}", server.identity().chief_file().display())
}

/// If no chief arbiter is enrolled and standard output is a terminal, shows the first chief arbiter's code and returns true. The code is a
/// secret: it must never go to a log, or to a file or pipe behind standard output.
fn show_first_chief(config: &Config, server: &HubServer) -> Result<bool> {
    if server.sessions().chief_enrolled().is_cancelled() {
        after_change(say_chief_enrolled(config));
        return Ok(false);
    }
    if !to_a_person() {
        after_change(say!(
            "chief     not enrolled: {} makes a code",
            enrol_chief(config)
        ));
        return Ok(false);
    }
    let code = server.sessions().first_chief_code();
    let Some(code) = code.map_err(Failure::failed)? else {
        after_change(say_chief_enrolled(config));
        return Ok(false);
    };
    let address = code.browser_address();
    say!(
        "
Open this on the chief arbiter's tablet or laptop:

  {address}
"
    )?;
    paint(&picture(&address)?)?;
    if !server.trust().status().is_already_trusted(&code.0.host) {
        print(
            "The browser warns until it trusts this hub: the trust address above shows what to install. Compare the certificate's sha-256 with the one above.",
        )?;
    }
    print(
        "This code enrols one device, once. It is valid until it is used or this hub stops. Show it only to the chief arbiter.",
    )?;
    Ok(true)
}

/// Shows the first recovery code on a terminal, once. The code is a secret: it must never go to a log, or to a file or pipe behind standard
/// output.
fn show_recovery(config: &Config, server: &HubServer) -> Result<()> {
    let recovery = server.identity().recovery();
    if recovery.exists().map_err(Failure::failed)? {
        return Ok(());
    }
    if !to_a_person() {
        return changed(say!(
            "recovery  none: flagfall recovery --data-dir {} prints a code",
            config.data_dir.display()
        ));
    }
    let now_us = TimeSource::resume(None).0.wall_now().unix_us();
    let code = recovery.replace(now_us).map_err(Failure::failed)?;
    say!("recovery  {code}")?;
    print(
        "This recovery code is shown once. Write it down and lock it away: it enrols a new device if every device of the chief arbiter is lost.",
    )
}

fn say_chief_enrolled(config: &Config) -> Result<()> {
    say!(
        "chief     enrolled: {} makes a code for one more device",
        enrol_chief(config)
    )
}

fn enrol_chief(config: &Config) -> String {
    format!(
        "flagfall enrol --arbiter NAME --role chief --data-dir {}",
        config.data_dir.display()
    )
}

pub(super) struct Signals {
    interrupt: Signal,
    terminate: Signal,
}

impl Signals {
    /// Starts listening for SIGINT and SIGTERM, which from then on no longer end the process.
    pub(super) fn listen() -> Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt()).map_err(Failure::failed)?,
            terminate: signal(SignalKind::terminate()).map_err(Failure::failed)?,
        })
    }

    pub(super) async fn any(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => (),
            _ = self.terminate.recv() => (),
        }
    }
}

pub(super) fn runtime() -> Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| failed!("cannot start: {error}"))
}

/// Raises the soft limit on file descriptors to the hard limit, because every spectator needs a descriptor.
pub(super) fn raise_descriptors() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current != maximum {
        let all = Rlimit {
            current: maximum,
            maximum,
        };
        // Ignore a failure: the web server reads the actual limit and admits fewer spectators.
        let _ = setrlimit(Resource::Nofile, all);
    }
}

//! `flagfall gateway`: connects clocks near this machine to a hub elsewhere, over this machine's radios, until it is stopped.

use std::path::PathBuf;

use proto::enrolment::EnrolmentCode;

use super::client::with_port;
use super::output::{Failure, Result, init_service_messages, say};
use super::serve::{Signals, runtime};
use crate::gateway::{self, Badge, Options};
use crate::links::BleSettings;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall enrol --gateway \"far corner\"          at the hub: print a code
  flagfall gateway --code 'CODE'                 on the machine in the corner, the first time
  flagfall gateway --ble hci0,hci1               later

This machine's radios find clocks that are enrolled with the hub, and clocks that show sixteen digits for `flagfall enrol --ble`.
The traffic between a clock and the hub is encrypted end to end: a gateway can neither read nor change it.
At the hub, `flagfall ctl devices` lists gateways and `flagfall ctl revoke g-…` revokes one.")]
pub(super) struct Args {
    /// Enrol with this code first, unless this gateway has already used it
    #[arg(
        long,
        value_name = "CODE",
        env = "FLAGFALL_GATEWAY_CODE",
        hide_env_values = true
    )]
    code: Option<EnrolmentCode>,
    /// The hub's address [default: the address in the code, or the last one used]
    #[arg(long, value_name = "HOST[:PORT]", env = "FLAGFALL_GATEWAY_HUB")]
    hub: Option<String>,
    /// Directory for keys and enrolment data [default: /var/lib/flagfall-gateway as root, else
    /// ~/.local/share/flagfall-gateway]
    #[arg(long, value_name = "DIR", env = "FLAGFALL_GATEWAY_STATE")]
    state: Option<PathBuf>,
    /// The Bluetooth adapters, for example hci0,hci1 [default: all]
    #[arg(
        long,
        value_name = "ADAPTERS",
        env = "FLAGFALL_GATEWAY_BLE",
        value_delimiter = ','
    )]
    ble: Vec<String>,
    /// Maximum number of clocks per adapter
    #[arg(long, value_name = "N", env = "FLAGFALL_GATEWAY_CLOCKS_PER_ADAPTER", default_value_t = 7, value_parser = clap::value_parser!(u8).range(1..=64))]
    clocks_per_adapter: u8,
    /// The log level on standard error: error, warn, info, debug or trace, or a filter such as "info,hub::gateway=debug"
    #[arg(
        long,
        value_name = "FILTER",
        env = "FLAGFALL_GATEWAY_LOG",
        default_value = "info"
    )]
    log: String,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let _summaries = init_service_messages(&args.log);
    runtime()?.block_on(serve(args))
}

async fn serve(args: &Args) -> Result<()> {
    let mut signals = Signals::listen()?;
    let options = Options {
        state: args.state.clone(),
        code: args.code.clone(),
        hub: args.hub.as_deref().map(with_port).transpose()?,
        radios: BleSettings {
            adapters: args.ble.clone(),
            clocks_per_adapter: usize::from(args.clocks_per_adapter),
        },
    };
    let started = |badge: &Badge, dir: &std::path::Path| {
        // Ignore failed writes: the gateway keeps running even if standard output is closed.
        let _ = say!("gateway   {} ({})", badge.name, badge.id());
        let _ = say!("hub       {}", badge.hub);
        let _ = say!("state     {}", dir.display());
    };
    let running = gateway::run(options, started, signals.any());
    running.await.map_err(Failure::failed)
}

//! `flagfall edge`: serves a hub's public pages from a separate machine, until the program is stopped.

use std::net::SocketAddr;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::output::{Failure, Result, init_service_messages, say, usage};
use super::serve::{Signals, raise_descriptors, runtime};
use crate::web::{self, edge};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall edge --from http://192.0.2.7:8080
  flagfall edge --from https://live.example.org --http 0.0.0.0:80

The edge serves the same pages, data and feed to many spectators and asks the hub for each address at most once a second. If it cannot
reach the hub, it goes on showing its copy for ten minutes. Several edges can follow one hub, or one another.")]
pub(super) struct Args {
    /// The address of the hub's public pages, or of an edge
    #[arg(long, value_name = "URL", env = "FLAGFALL_EDGE_FROM")]
    from: String,
    /// The address to serve on
    #[arg(
        long,
        value_name = "ADDRESS:PORT",
        env = "FLAGFALL_EDGE_HTTP",
        default_value = "0.0.0.0:8080"
    )]
    http: SocketAddr,
    /// The maximum number of spectators who follow the feed
    #[arg(long, env = "FLAGFALL_EDGE_WATCHERS", default_value_t = 16_384)]
    watchers: usize,
    /// The log level on standard error
    #[arg(
        long,
        value_name = "FILTER",
        env = "FLAGFALL_EDGE_LOG",
        default_value = "info"
    )]
    log: String,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let _summaries = init_service_messages(&args.log);
    raise_descriptors();
    runtime()?.block_on(serve(args))
}

async fn serve(args: &Args) -> Result<()> {
    let edge =
        edge::Edge::new(&args.from, args.watchers).map_err(|error| usage!("--from: {error}"))?;
    let listener = web::bind(args.http, "--http")
        .await
        .map_err(Failure::failed)?;
    let address = listener.local_addr().map_err(Failure::failed)?;
    let over = CancellationToken::new();
    let (relay, until) = (Arc::clone(edge.relay()), over.clone());
    std::thread::Builder::new()
        .name("relay".to_owned())
        .spawn(move || edge::follow(&relay, &until))
        .map_err(Failure::failed)?;
    say!("page  http://{address}/  from {}", args.from)?;
    let mut signals = Signals::listen()?;
    web::serve_alone(listener, edge.router(over.clone()), signals.any()).await;
    over.cancel();
    Ok(())
}

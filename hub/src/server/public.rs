//! The public pages' access to the rest of the hub: moves, standings, certificates and health. Owns nothing, and never shows a secret.

use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use tokio_util::sync::CancellationToken;

use super::StartError;
use super::start::event_view;
use crate::broadcast::{self, Broadcast};
use crate::config::Config;
use crate::event_loop::EventLoopHandle;
use crate::games::Games;
use crate::identity::{BrowserTrust, Identity};
use crate::sessions::Sessions;
use crate::time_source::TimeSource;
use crate::web;
use hall::view::PressLine;
use hall::{AskPresses, AskProceedings};
use tournament::Tournament;

#[derive(Clone)]
pub(super) struct Public {
    hub: EventLoopHandle,
    identity: Arc<Identity>,
    trust: Arc<BrowserTrust>,
    /// Address of the arbiters' app.
    app: String,
    /// The host shown to spectators whose request does not name one of the hub's hosts.
    host: String,
    port: u16,
}

impl Public {
    pub(super) fn new(
        hub: &EventLoopHandle,
        identity: &Arc<Identity>,
        trust: &Arc<BrowserTrust>,
        sessions: &Sessions,
        port: u16,
    ) -> Self {
        Self {
            hub: hub.clone(),
            identity: identity.clone(),
            trust: trust.clone(),
            app: sessions.address(),
            host: sessions.host().to_owned(),
            port,
        }
    }
}

/// Starts the broadcast of the hall with the settings stored in the data directory.
pub(super) fn broadcast(
    config: &Config,
    public: Public,
    games: Games,
    log_origin: &str,
    time: &TimeSource,
    ending: &CancellationToken,
) -> Result<Arc<Broadcast>, StartError> {
    let parts = broadcast::Parts {
        dir: config.data_dir.clone(),
        live: public.hub.live().clone(),
        games,
        log_origin: log_origin.to_owned(),
        time: time.clone(),
        event: event_view(config),
        watchers: config.watchers as usize,
        source: Arc::new(public),
    };
    Ok(Broadcast::start(parts, ending)?)
}

impl web::BoardDetails for Public {
    fn presses<'a>(&'a self, board: &'a str) -> BoxFuture<'a, Vec<PressLine>> {
        // If the hub is shutting down, no moves are shown.
        let asked = self.hub.ask(AskPresses(board.to_owned()));
        asked.map(Result::unwrap_or_default).boxed()
    }

    fn score<'a>(&'a self, board: &'a str) -> BoxFuture<'a, Vec<String>> {
        let asked = self.hub.ask(AskProceedings(board.to_owned()));
        let moves = asked.map(|found| found.ok().flatten().map(|found| found.moves()));
        moves.map(Option::unwrap_or_default).boxed()
    }

    fn hosts(&self) -> web::Hosts {
        let status = self.trust.status();
        let external = status.external.into_iter().flat_map(|(names, _)| names);
        let names = status.names.into_iter().chain(status.uncovered);
        web::Hosts::new(&self.host, names.chain(external).collect(), self.port)
    }

    fn tournament(&self) -> Option<(u64, Arc<Tournament>)> {
        let now = self.hub.live().public().tournament()?;
        Some((now.version, now.tournament))
    }

    fn authority(&self) -> Option<web::Authority> {
        Some(web::Authority {
            trust: self.trust.status(),
            hall: self.identity.authority_der().clone(),
            app: self.app.clone(),
        })
    }

    fn health(&self) -> Result<(), String> {
        self.hub.health()
    }
}

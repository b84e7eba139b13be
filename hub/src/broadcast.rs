//! The broadcast: what spectators see of the hall, and when. Without a delay they read the live hall; with one, a [`Stage`] that lags
//! behind the log.
//!
//! Owns the settings and the change from one hall to another. Spectators of the old hall are cut off at a change, so that nothing that a
//! page has learnt of the present is mixed with the past.

mod folder;
mod games;
mod lichess;
mod outputs;
mod settings;
mod stage;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::thread;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use futures::future::BoxFuture;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt as _;

use crate::games::Games;
use crate::live::{LiveHall, RING};
use crate::lock::lock;
use crate::replay::ReplayError;
use crate::time_source::TimeSource;
use crate::web::{self, BoardDetails, WantedGames};
use games::{PublicGames, Shown};
use hall::view::{EventView, PressLine};
use outputs::Outputs;
use tournament::Tournament;

pub use lichess::MOST_GAMES;
pub use outputs::{OutputError, OutputFault, OutputState, OutputStates};
pub use settings::{Folder, LONGEST_DELAY_S, Lichess, MOST_DELAYS, Settings, SettingsError};
pub use stage::{Records, Stage};

/// Interval at which the delayed hall looks for due records: a delayed press is that much later, a tenth of what a clock shows.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// The parts of the broadcast.
pub struct Parts {
    /// The data directory.
    pub dir: PathBuf,
    /// The present hall.
    pub live: Arc<LiveHall>,
    /// The log, with the index of its games.
    pub games: Games,
    /// The origin of the log.
    pub log_origin: String,
    /// The hub's clock.
    pub time: TimeSource,
    /// The event as the configuration has it, before its records.
    pub event: EventView,
    /// The greatest number of spectators who follow the feed.
    pub watchers: usize,
    /// Data of the public pages beyond the feed.
    pub source: Arc<dyn BoardDetails>,
}

/// The broadcast of a running hub.
pub struct Broadcast {
    parts: Parts,
    current: Mutex<Current>,
    /// The pages of the hall that is shown.
    pages: RwLock<Router>,
    games: Arc<Mutex<PublicGames>>,
    shown: Arc<Mutex<Option<Shown>>>,
    /// The data of the pages of the live hall.
    source: Arc<Live>,
    ending: CancellationToken,
}

struct Current {
    settings: Settings,
    /// Ends the hall that is shown.
    over: CancellationToken,
    outputs: Outputs,
    /// The reason why the delayed hall has stopped.
    failed: Option<String>,
}

impl Broadcast {
    /// Starts the broadcast with the settings of the data directory. It ends with `ending`. With a damaged file, spectators see nothing until
    /// the broadcast is set again: it may have held a delay.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn start(parts: Parts, ending: &CancellationToken) -> Result<Arc<Self>, SettingsError> {
        let (settings, damage) = match Settings::read(&parts.dir) {
            Ok(settings) => (settings, None),
            Err(error @ SettingsError::Damaged { .. }) => {
                tracing::error!("{error}");
                (Settings::default(), Some(error.to_string()))
            }
            Err(error) => return Err(error),
        };
        let is_damaged = damage.is_some();
        let games = PublicGames::new(parts.games.clone(), parts.log_origin.clone());
        let games = Arc::new(Mutex::new(games));
        let shown = Arc::default();
        let source = Arc::new(Live {
            games: games.clone(),
            shown: Arc::clone(&shown),
            beside: parts.source.clone(),
        });
        let broadcast = Arc::new(Self {
            source,
            current: Mutex::new(Current {
                settings: settings.clone(),
                over: CancellationToken::new(),
                outputs: Outputs::new(games.clone(), Arc::clone(&shown), parts.time.clone()),
                failed: damage,
            }),
            pages: RwLock::new(web::not_yet()),
            games,
            shown,
            ending: ending.clone(),
            parts,
        });
        if !is_damaged {
            broadcast.show(settings);
        }
        Ok(broadcast)
    }

    /// Returns the settings.
    pub fn settings(&self) -> Settings {
        lock(&self.current).settings.clone()
    }

    /// Returns the states of the outputs.
    pub fn outputs(&self) -> OutputStates {
        lock(&self.current).outputs.states()
    }

    /// Returns the reason why nothing is broadcast, if the delayed hall has failed.
    pub fn failed(&self) -> Option<String> {
        lock(&self.current).failed.clone()
    }

    /// Changes the settings, durable on return.
    ///
    /// # Errors
    /// See [`SettingsError`]; the broadcast then stays as it is.
    pub fn set(self: &Arc<Self>, settings: Settings) -> Result<(), SettingsError> {
        settings.check()?;
        settings.write(&self.parts.dir)?;
        self.show(settings);
        Ok(())
    }

    /// Returns the pages of whichever hall is shown at the time of each request.
    pub fn router(self: &Arc<Self>) -> Router {
        let broadcast = self.clone();
        Router::new().fallback(move |request: Request| {
            let pages = broadcast.pages();
            // A router never fails.
            async move { pages.oneshot(request).await }
        })
    }

    fn pages(&self) -> Router {
        let pages = self.pages.read().unwrap_or_else(PoisonError::into_inner);
        pages.clone()
    }

    fn set_pages(&self, pages: Router) {
        *self.pages.write().unwrap_or_else(PoisonError::into_inner) = pages;
    }

    /// Shows the hall of these settings instead of the previous one.
    fn show(self: &Arc<Self>, settings: Settings) {
        let over = self.ending.child_token();
        let is_live = settings.is_live();
        let outputs = Outputs::new(
            self.games.clone(),
            self.shown.clone(),
            self.parts.time.clone(),
        );
        {
            let mut current = lock(&self.current);
            current.over.cancel();
            *current = Current {
                settings: settings.clone(),
                over: over.clone(),
                outputs: outputs.clone(),
                failed: None,
            };
            if is_live {
                let (live, site) = (self.parts.live.clone(), settings.site.as_deref());
                let shown = Shown { live, stage: None };
                self.set_hall(&shown, self.source.clone(), site, &over);
            } else {
                self.set_no_hall();
            }
        }
        outputs.start(&settings, &over);
        if is_live {
            return;
        }
        let (broadcast, until) = (self.clone(), over);
        let started = thread::Builder::new()
            .name("broadcast".to_owned())
            .spawn(move || {
                if let Err(error) = broadcast.lag(settings, &until) {
                    broadcast.fail(&until, error.to_string());
                }
            });
        if let Err(error) = started {
            let over = lock(&self.current).over.clone();
            self.fail(&over, format!("no thread: {error}"));
        }
    }

    fn set_hall(
        &self,
        shown: &Shown,
        source: Arc<dyn BoardDetails>,
        site: Option<&str>,
        over: &CancellationToken,
    ) {
        let hall = shown.live.public();
        let pages = web::router_for(hall, source, self.parts.watchers, site, over.clone());
        self.set_pages(pages);
        *lock(&self.shown) = Some(shown.clone());
    }

    fn set_no_hall(&self) {
        self.set_pages(web::not_yet());
        *lock(&self.shown) = None;
    }

    fn fail(&self, over: &CancellationToken, why: String) {
        tracing::error!("the delayed broadcast has stopped: {why}");
        let mut current = lock(&self.current);
        // A hall that was replaced meanwhile is of no interest.
        if !over.is_cancelled() {
            current.failed = Some(why);
            over.cancel();
            self.set_no_hall();
        }
    }

    /// Follows the log with the delays of these settings until `over`. The pages appear once the past is folded.
    fn lag(&self, settings: Settings, over: &CancellationToken) -> Result<(), ReplayError> {
        let live = self.delayed_hall(&settings);
        let site = settings.site.clone();
        let stage = Stage::new(settings, live.clone(), &self.parts.event);
        let stage = Arc::new(Mutex::new(stage));
        let mut is_shown = false;
        while !over.is_cancelled() {
            let now = self.parts.time.hub_now();
            let newest = self.parts.live.tournament();
            // Otherwise the first spectator to ask for games would wait for the present to be indexed, and so learn how much of it there is.
            // A damaged record is reported by the stage.
            let Games { log, places } = &self.parts.games;
            let _ = places.complete_here(log);
            let more = lock(&stage).advance(log, now, newest.as_ref())?;
            if more {
                continue;
            }
            if !is_shown {
                is_shown = true;
                let source = Delayed::of(stage.clone(), self.source.clone());
                let shown = Shown {
                    live: live.clone(),
                    stage: Some(stage.clone()),
                };
                let _current = lock(&self.current);
                if !over.is_cancelled() {
                    self.set_hall(&shown, Arc::new(source), site.as_deref(), over);
                }
            }
            thread::sleep(LOOK_EVERY);
        }
        Ok(())
    }

    /// Returns an empty hall whose time is the hub's less the delay of the event.
    fn delayed_hall(&self, settings: &Settings) -> Arc<LiveHall> {
        let time = self.parts.time.clone();
        let delay_us = i64::from(settings.delay_s) * 1_000_000;
        let hub_us = move || time.hub_now().as_micros() - delay_us;
        // A page that watched the hall before the change must not mistake its numbers for these.
        let epoch = self.parts.time.hub_now().as_micros().unsigned_abs();
        Arc::new(LiveHall::new(epoch, RING, hub_us))
    }
}

/// The data of the pages of the live hall.
struct Live {
    games: Arc<Mutex<PublicGames>>,
    shown: Arc<Mutex<Option<Shown>>>,
    beside: Arc<dyn BoardDetails>,
}

impl BoardDetails for Live {
    fn beside(&self) -> Option<&dyn BoardDetails> {
        Some(&*self.beside)
    }

    fn games<'a>(&'a self, wanted: WantedGames) -> BoxFuture<'a, Result<Option<String>, String>> {
        let (games, shown) = (self.games.clone(), lock(&self.shown).clone());
        let written = tokio::task::spawn_blocking(move || {
            let mut games = lock(&games);
            let Some(shown) = shown else {
                return Ok(None);
            };
            let refreshed = games.refresh(&shown);
            refreshed.map_err(|damage| damage.message().to_owned())?;
            Ok(games.text(wanted))
        });
        Box::pin(async move { written.await.map_err(|error| error.to_string())? })
    }
}

/// The data of the pages of a delayed hall.
pub struct Delayed {
    live: Arc<LiveHall>,
    stage: Arc<Mutex<Stage>>,
    beside: Arc<dyn BoardDetails>,
}

impl Delayed {
    /// Returns the data of the boards and games that `stage` shows; the rest comes from `beside`.
    pub fn of(stage: Arc<Mutex<Stage>>, beside: Arc<dyn BoardDetails>) -> Self {
        let live = lock(&stage).live().clone();
        Self {
            live,
            stage,
            beside,
        }
    }
}

impl BoardDetails for Delayed {
    fn presses<'a>(&'a self, board: &'a str) -> BoxFuture<'a, Vec<PressLine>> {
        let presses = lock(&self.stage).presses(board);
        Box::pin(std::future::ready(presses))
    }

    fn score<'a>(&'a self, board: &'a str) -> BoxFuture<'a, Vec<String>> {
        let score = lock(&self.stage).score(board);
        Box::pin(std::future::ready(score))
    }

    fn beside(&self) -> Option<&dyn BoardDetails> {
        Some(&*self.beside)
    }

    fn tournament(&self) -> Option<(u64, Arc<Tournament>)> {
        let now = self.live.public().tournament()?;
        Some((now.version, now.tournament))
    }
}

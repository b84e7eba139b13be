//! The broadcast: what spectators see of the hall, and when. Without a delay they read the live hall. With a delay they read a [`Stage`], which
//! lags behind the log.
//!
//! Owns the settings and the switch from one hall to another. A switch disconnects the spectators, so that no page mixes live data with delayed data.

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

pub use lichess::MAX_GAMES;
pub use outputs::{OutputError, OutputFault, OutputState, OutputStates};
pub use settings::{Folder, Lichess, MAX_DELAY_S, MAX_DELAYS, Settings, SettingsError};
pub use stage::{Records, Stage};

/// Interval at which the delayed hall checks for due records.
const LOOK_EVERY: Duration = Duration::from_millis(50);

pub struct Parts {
    /// The hub's data directory, which holds the settings.
    pub dir: PathBuf,
    /// The hall as arbiters see it, without a delay.
    pub live: Arc<LiveHall>,
    pub games: Games,
    pub log_origin: String,
    pub time: TimeSource,
    /// The event as configured, before any record is applied.
    pub event: EventView,
    /// The maximum number of spectators who follow the feed.
    pub watchers: usize,
    /// The source of the public pages' data that is not in the feed.
    pub source: Arc<dyn BoardDetails>,
}

pub struct Broadcast {
    parts: Parts,
    current: Mutex<Current>,
    pages: RwLock<Router>,
    games: Arc<Mutex<PublicGames>>,
    shown: Arc<Mutex<Option<Shown>>>,
    source: Arc<Live>,
    ending: CancellationToken,
}

struct Current {
    settings: Settings,
    /// Cancelled to end the hall currently shown.
    over: CancellationToken,
    outputs: Outputs,
    failed: Option<String>,
}

impl Broadcast {
    /// Starts the broadcast with the settings in the data directory, until `ending` is cancelled. If the settings file is damaged,
    /// spectators see nothing until an arbiter sets the broadcast again, because the file may have contained a delay.
    ///
    /// # Errors
    /// Returns an error if the settings file cannot be read.
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
            turn: Arc::default(),
            shown: Arc::clone(&shown),
            fallback: parts.source.clone(),
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

    pub fn settings(&self) -> Settings {
        lock(&self.current).settings.clone()
    }

    pub fn outputs(&self) -> OutputStates {
        lock(&self.current).outputs.states()
    }

    /// Returns the reason why nothing is broadcast, if the settings file is damaged or the delayed hall has failed.
    pub fn failed(&self) -> Option<String> {
        lock(&self.current).failed.clone()
    }

    /// Changes the settings, which are durable on return.
    ///
    /// # Errors
    /// Returns a [`SettingsError`] if the settings are invalid or cannot be written. The broadcast is then unchanged.
    pub fn set(self: &Arc<Self>, settings: Settings) -> Result<(), SettingsError> {
        settings.check()?;
        settings.write(&self.parts.dir)?;
        self.show(settings);
        Ok(())
    }

    /// Returns a router that passes each request to the pages of the hall shown at that moment.
    pub fn router(self: &Arc<Self>) -> Router {
        let broadcast = self.clone();
        Router::new().fallback(move |request: Request| {
            let pages = broadcast.pages();
            // A router's error type is infallible.
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
                if let Err(error) = broadcast.follow_delayed(settings, &until) {
                    broadcast.fail(&until, error.to_string());
                }
            });
        if let Err(error) = started {
            let over = lock(&self.current).over.clone();
            self.fail(&over, format!("cannot start a thread: {error}"));
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
        // A hall that has since been replaced must not report its failure.
        if !over.is_cancelled() {
            current.failed = Some(why);
            over.cancel();
            self.set_no_hall();
        }
    }

    /// Follows the log with the delays in `settings` until `over` is cancelled. The pages appear once the existing records are folded.
    fn follow_delayed(
        &self,
        settings: Settings,
        over: &CancellationToken,
    ) -> Result<(), ReplayError> {
        let live = self.delayed_hall(&settings);
        let site = settings.site.clone();
        let stage = Stage::new(settings, live.clone(), &self.parts.event);
        let stage = Arc::new(Mutex::new(stage));
        let mut is_shown = false;
        while !over.is_cancelled() {
            let now = self.parts.time.hub_now();
            let newest = self.parts.live.tournament();
            // Index newer records now. Otherwise the first spectator to request games would have to wait for this, and the wait would reveal the
            // number of those records. The stage reports a damaged record.
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

    /// Returns an empty hall whose time is the hub's minus the event's delay.
    fn delayed_hall(&self, settings: &Settings) -> Arc<LiveHall> {
        let time = self.parts.time.clone();
        let delay_us = i64::from(settings.delay_s) * 1_000_000;
        let hub_us = move || time.hub_now().as_micros() - delay_us;
        // The new epoch distinguishes this hall's sequence numbers from those of the previous hall, which a page may have watched.
        let epoch = self.parts.time.hub_now().as_micros().unsigned_abs();
        Arc::new(LiveHall::new(epoch, RING, hub_us))
    }
}

/// The data source for the live hall's pages, and for the games in PGN of a delayed hall.
struct Live {
    games: Arc<Mutex<PublicGames>>,
    /// Held by the request that reads `games`. Other requests wait without a thread, because the public pages have only a few threads.
    turn: Arc<tokio::sync::Mutex<()>>,
    shown: Arc<Mutex<Option<Shown>>>,
    fallback: Arc<dyn BoardDetails>,
}

impl BoardDetails for Live {
    fn fallback(&self) -> Option<&dyn BoardDetails> {
        Some(&*self.fallback)
    }

    fn games<'a>(&'a self, wanted: WantedGames) -> BoxFuture<'a, Result<Option<String>, String>> {
        let (games, shown) = (self.games.clone(), self.shown.clone());
        let turn = self.turn.clone();
        Box::pin(async move {
            let turn = turn.lock_owned().await;
            let written = tokio::task::spawn_blocking(move || {
                // Hold the turn to the end, even if the spectator has gone.
                let _turn = turn;
                let mut games = lock(&games);
                // Read now: a delay may have begun while this request waited.
                let Some(shown) = lock(&shown).clone() else {
                    return Ok(None);
                };
                let refreshed = games.refresh(&shown);
                refreshed.map_err(|damage| damage.message().to_owned())?;
                Ok(games.text(wanted))
            });
            written.await.map_err(|error| error.to_string())?
        })
    }
}

/// The data source for a delayed hall's pages.
pub struct Delayed {
    live: Arc<LiveHall>,
    stage: Arc<Mutex<Stage>>,
    fallback: Arc<dyn BoardDetails>,
}

impl Delayed {
    /// Creates the data source for the boards' moves and the event that `stage` shows. `fallback` supplies all other data.
    pub fn of(stage: Arc<Mutex<Stage>>, fallback: Arc<dyn BoardDetails>) -> Self {
        let live = lock(&stage).live().clone();
        Self {
            live,
            stage,
            fallback,
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

    fn fallback(&self) -> Option<&dyn BoardDetails> {
        Some(&*self.fallback)
    }

    fn tournament(&self) -> Option<(u64, Arc<Tournament>)> {
        let now = self.live.public().tournament()?;
        Some((now.version, now.tournament))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::WantedGames;
    use durable_log::Log;
    use hall::replay::RecordIndex;
    use tournament::RoundNo;

    struct NoDetails;

    impl BoardDetails for NoDetails {}

    #[test]
    fn requests_for_games_leave_threads_to_the_other_pages() {
        const THREADS: usize = 2;
        let dir = tempfile::tempdir().unwrap();
        let log = Log::open(dir.path()).unwrap();
        let games = Games::new(log.reader(), RecordIndex::default());
        let games = Arc::new(Mutex::new(PublicGames::new(games, "test".to_owned())));
        let live = Live {
            games: games.clone(),
            turn: Arc::default(),
            shown: Arc::default(),
            fallback: Arc::new(NoDetails),
        };
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .worker_threads(1)
            .max_blocking_threads(THREADS)
            .build()
            .unwrap();
        let wanted = WantedGames {
            round: RoundNo(1),
            places: (1, 100),
            lichess: false,
        };
        // Simulate an output that writes many games and therefore locks them for long.
        let writing = lock(&games);
        let mut requests = runtime.block_on(async {
            let mut requests: Vec<_> = (0..THREADS).map(|_| live.games(wanted)).collect();
            for request in &mut requests {
                assert!(futures::poll!(request).is_pending());
            }
            let other = tokio::task::spawn_blocking(|| ());
            let other = tokio::time::timeout(Duration::from_secs(10), other).await;
            other.expect("no thread is left for other pages").unwrap();
            requests
        });
        drop(writing);
        for request in &mut requests {
            assert_eq!(runtime.block_on(request), Ok(None));
        }
    }
}

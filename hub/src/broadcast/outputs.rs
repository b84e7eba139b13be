//! The outputs for games: a folder and a Lichess broadcast. Arbiters see the state of each. The outputs run on their own threads, so that they
//! never delay the hall.

use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use tournament::{BoardNo, RoundNo};

pub use proto::grpc::OutputFault;

use super::Settings;
use super::folder::Folder;
use super::games::{PublicGames, Shown};
use super::lichess::{Answer, Client, Queue};
use crate::lock::lock;
use crate::time_source::TimeSource;

/// Interval at which the outputs check for changed games. Moves within one interval are sent together.
const EVERY: Duration = Duration::from_secs(1);
/// Interval at which a waiting thread checks whether it must stop, and an idle one whether games are queued.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// The reason why an output could not write or send games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputError {
    /// The kind of fault, for a message in the user's language.
    pub fault: OutputFault,
    /// A sentence in English with the detail.
    pub text: String,
}

impl OutputError {
    pub(super) fn new(fault: OutputFault, text: String) -> Self {
        Self { fault, text }
    }
}

/// The progress of an output, and its faults.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutputState {
    /// Number of times that a game was written or sent.
    pub games: u64,
    pub waiting: usize,
    /// The time of the last success, in microseconds since 1970.
    pub last_success_us: Option<i64>,
    pub error: Option<OutputError>,
    /// Games that Lichess has refused, and the reason for each.
    pub refused: Vec<(RoundNo, BoardNo, String)>,
}

impl OutputState {
    /// Records a failure, and logs it unless it repeats the previous one.
    fn fail(&mut self, error: OutputError) {
        if self.error.as_ref() != Some(&error) {
            tracing::warn!("{}", error.text);
        }
        self.error = Some(error);
    }
}

/// The states of all outputs; `None` for an output that is not configured.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutputStates {
    pub folder: Option<OutputState>,
    pub lichess: Option<OutputState>,
}

/// The state that the output threads share. The threads run until their token is cancelled.
#[derive(Clone)]
pub(super) struct Outputs {
    games: Arc<Mutex<PublicGames>>,
    shown: Arc<Mutex<Option<Shown>>>,
    time: TimeSource,
    states: Arc<Mutex<OutputStates>>,
    queue: Arc<Mutex<Queue>>,
}

impl Outputs {
    pub(super) fn new(
        games: Arc<Mutex<PublicGames>>,
        shown: Arc<Mutex<Option<Shown>>>,
        time: TimeSource,
    ) -> Self {
        Self {
            games,
            shown,
            time,
            states: Arc::default(),
            queue: Arc::default(),
        }
    }

    pub(super) fn states(&self) -> OutputStates {
        let mut states = lock(&self.states).clone();
        if let Some(lichess) = &mut states.lichess {
            lichess.waiting += lock(&self.queue).len();
        }
        states
    }

    pub(super) fn start(self, settings: &Settings, over: &CancellationToken) {
        if settings.folder.is_none() && settings.lichess.is_none() {
            return;
        }
        let folder = settings.folder.as_ref();
        let folder = folder.map(|folder| Folder::new(folder.path.clone(), folder.lichess));
        let lichess = &settings.lichess;
        *lock(&self.states) = OutputStates {
            folder: folder.as_ref().map(|_| OutputState::default()),
            lichess: lichess.as_ref().map(|_| OutputState::default()),
        };
        if let Some(target) = lichess.clone() {
            let (outputs, over) = (self.clone(), over.clone());
            spawn("lichess", move || outputs.push(Client::new(target), &over));
        }
        let (outputs, over) = (self, over.clone());
        let client = lichess.clone().map(Client::new);
        spawn("games", move || outputs.follow(folder, client, &over));
    }

    fn follow(
        &self,
        mut folder: Option<Folder>,
        lichess: Option<Client>,
        over: &CancellationToken,
    ) {
        let mut begins = true;
        while !over.is_cancelled() {
            let shown = lock(&self.shown).clone();
            if let Some(shown) = shown {
                let mut games = lock(&self.games);
                match games.refresh(&shown) {
                    Ok(mut changed) => {
                        if std::mem::take(&mut begins) {
                            changed = games.places().collect();
                        }
                        self.write(folder.as_mut(), &games, &changed);
                        self.enqueue(lichess.as_ref(), &games, &changed);
                    }
                    Err(damage) => self.fail(damage.message()),
                }
            }
            self.wait(EVERY, over);
        }
    }

    fn fail(&self, why: &str) {
        let mut states = lock(&self.states);
        let OutputStates { folder, lichess } = &mut *states;
        for state in [folder, lichess].into_iter().flatten() {
            state.error = Some(OutputError::new(OutputFault::Log, why.to_owned()));
        }
    }

    fn write(
        &self,
        folder: Option<&mut Folder>,
        games: &PublicGames,
        changed: &[(RoundNo, BoardNo)],
    ) {
        let Some(folder) = folder else {
            return;
        };
        let written = folder.update(games, changed);
        let now_us = self.time.wall_now().unix_us();
        let mut states = lock(&self.states);
        let Some(state) = &mut states.folder else {
            return;
        };
        state.waiting = folder.waiting();
        match written {
            Ok(0) => state.error = None,
            Ok(count) => {
                state.games += count as u64;
                state.last_success_us = Some(now_us);
                state.error = None;
            }
            Err((path, error)) => {
                let text = format!("cannot write {}: {error}", path.display());
                state.fail(OutputError::new(OutputFault::Folder, text));
            }
        }
    }

    fn enqueue(
        &self,
        lichess: Option<&Client>,
        games: &PublicGames,
        changed: &[(RoundNo, BoardNo)],
    ) {
        let Some(lichess) = lichess else {
            return;
        };
        let mut without = 0;
        for place in changed {
            let (round, no) = *place;
            let before = games.of_round(round).filter(|(other, _)| *other < no);
            let Some(text) = games.get(*place).filter(|text| !text.lichess.is_empty()) else {
                continue;
            };
            match lichess.round_of(round, before.count()) {
                Some(id) => lock(&self.queue).add(id, *place, text.lichess.clone()),
                None => without += 1,
            }
        }
        if without > 0 {
            tracing::debug!(without, "games skipped: their rounds have no Lichess round");
        }
    }

    fn push(&self, mut client: Client, over: &CancellationToken) {
        while !over.is_cancelled() {
            let batch = lock(&self.queue).take();
            let Some(batch) = batch else {
                self.wait(LOOK_EVERY, over);
                continue;
            };
            let on_the_way = batch.len();
            self.with_lichess(|state| state.waiting = on_the_way);
            let answer = client.push(&batch);
            let now_us = self.time.wall_now().unix_us();
            match answer {
                Answer::Taken(refused) => self.with_lichess(|state| {
                    state.waiting = 0;
                    state.games += (on_the_way - refused.len()) as u64;
                    state.last_success_us = Some(now_us);
                    state.error = None;
                    let sent = batch.places();
                    let known = &mut state.refused;
                    known.retain(|(round, no, _)| !sent.contains(&(*round, *no)));
                    known.extend(
                        refused
                            .into_iter()
                            .map(|((round, no), why)| (round, no, why)),
                    );
                }),
                Answer::Later(wait, why) => {
                    lock(&self.queue).put_back(batch);
                    self.with_lichess(|state| {
                        state.waiting = 0;
                        state.fail(why);
                    });
                    self.wait(wait.unwrap_or_else(|| client.back_off()), over);
                }
            }
        }
    }

    fn with_lichess(&self, change: impl FnOnce(&mut OutputState)) {
        if let Some(state) = &mut lock(&self.states).lichess {
            change(state);
        }
    }

    fn wait(&self, wait: Duration, over: &CancellationToken) {
        let until = self.time.hub_now() + timing::Duration::from_micros(wait.as_micros() as i64);
        while !over.is_cancelled() && self.time.hub_now() < until {
            thread::sleep(LOOK_EVERY.min(wait));
        }
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) {
    let started = thread::Builder::new().name(name.to_owned()).spawn(work);
    if let Err(error) = started {
        tracing::error!(%error, "an output of the broadcast could not be started");
    }
}

//! A hub inside the test's process, on free ports and with its own directory.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use clock_agent::swarm::{Journals, Players, Swarm, SwarmConfig, enrol_with};
use hall::{Action, Actor, Answer, BoardDetail, Outcome, Request, RequestDigest, Role};
use hub::config::Config;
use hub::server::HubServer;
use proto::ids::CommandId;
use tempfile::TempDir;

use crate::program::flagfall;

pub(crate) struct TestHub {
    pub(crate) server: HubServer,
    pub(crate) dir: TempDir,
}

pub(crate) fn config(dir: &std::path::Path) -> Config {
    let dir = dir.to_str().unwrap();
    let flags = [
        ("data_dir", dir),
        ("listen", "127.0.0.1:0"),
        ("http", "127.0.0.1:0"),
        ("metrics", "off"),
        ("mdns", "false"),
        ("public_name", "localhost"),
    ];
    Config::load(None, std::iter::empty(), &flags).unwrap()
}

impl TestHub {
    pub(crate) async fn start() -> Self {
        messages();
        let dir = tempfile::tempdir().unwrap();
        let server = HubServer::start(&config(dir.path())).await.unwrap();
        Self { server, dir }
    }

    pub(crate) async fn restart(self) -> Self {
        self.restart_after(|_| ()).await
    }

    /// Restarts like [`TestHub::restart`], but lets `change` modify the data directory while the hub is stopped.
    pub(crate) async fn restart_after(self, change: impl FnOnce(&std::path::Path)) -> Self {
        let Self { server, dir } = self;
        server.stop().await.unwrap();
        change(dir.path());
        let server = HubServer::start(&config(dir.path())).await.unwrap();
        Self { server, dir }
    }

    /// Requests an action with the role of the hub itself; returns the answer.
    pub(crate) async fn act(&self, board: &str, action: Action) -> Answer {
        let seen_seq = self.find(board).map_or(0, |seen| seen.view.seq);
        let request = Request {
            digest: RequestDigest::OWN,
            id: CommandId(hub::identity::random().unwrap()),
            actor: Actor {
                name: "test".to_owned(),
                role: Role::Hub,
            },
            board: Some(board.parse().unwrap()),
            seen_seq,
            offence: None,
            reason: String::new(),
            action,
        };
        self.server.hub().ask(request).await.unwrap()
    }

    pub(crate) async fn add_board(&self, board: &str, control: &str) {
        let setup = timing::Setup {
            control: control.parse().unwrap(),
            start: timing::StartRule::Arbiter,
            white: timing::Button::Left,
        };
        let answer = self.act(board, Action::AddBoard(setup, None)).await;
        assert_eq!(answer.outcome, Outcome::Done);
    }

    pub(crate) fn find(&self, board: &str) -> Option<Arc<BoardDetail>> {
        self.server.hub().live().board(board)
    }

    pub(crate) fn board(&self, board: &str) -> Arc<BoardDetail> {
        self.find(board).unwrap()
    }
}

/// Returns the log messages of all hubs in this process, collected since the first call.
pub(crate) fn messages() -> Arc<Mutex<Vec<u8>>> {
    static MESSAGES: OnceLock<Arc<Mutex<Vec<u8>>>> = OnceLock::new();
    MESSAGES
        .get_or_init(|| {
            let messages = Arc::new(Mutex::new(Vec::new()));
            let writer = messages.clone();
            tracing_subscriber::fmt()
                .with_ansi(false)
                .with_max_level(tracing::Level::INFO)
                .with_writer(move || Writer(writer.clone()))
                .init();
            messages
        })
        .clone()
}

struct Writer(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let mut messages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        messages.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Waits until a hub in this process has logged a line that contains all of `parts`.
pub(crate) async fn logged(parts: &[&str]) {
    let look = async {
        loop {
            let text = {
                let all = messages();
                let all = all.lock().unwrap_or_else(PoisonError::into_inner);
                String::from_utf8_lossy(&all).into_owned()
            };
            let fits = |line: &str| parts.iter().all(|part| line.contains(part));
            if text.lines().any(fits) {
                return;
            }
            look_later().await;
        }
    };
    within(look, &format!("a logged line with {parts:?}")).await;
}

/// Pauses between two checks of a condition, so that other threads can run.
pub(crate) async fn look_later() {
    let mut look = tokio::time::interval(std::time::Duration::from_millis(5));
    look.tick().await;
    look.tick().await;
}

/// Waits for `future`. Panics with the description `what` after 20 seconds.
pub(crate) async fn within<T>(future: impl Future<Output = T>, what: &str) -> T {
    tokio::time::timeout(std::time::Duration::from_secs(20), future)
        .await
        .unwrap_or_else(|_| panic!("waited in vain for {what}"))
}

pub(crate) async fn still_clocks(hub: &TestHub, boards: &[&str]) -> (Swarm, Vec<String>) {
    clocks(hub, boards, Players::Still).await
}

/// Starts a real clock for each name in `boards`, with these players. An empty name means no board. Returns the clocks and their keys.
pub(crate) async fn clocks(
    hub: &TestHub,
    boards: &[&str],
    players: Players,
) -> (Swarm, Vec<String>) {
    let desk = hub.server.desk();
    let identities = enrol_with(boards.len(), |agent| {
        let code = desk.code(boards[agent]);
        async move { code }
    })
    .await
    .unwrap();
    let keys = identities
        .iter()
        .map(|identity| identity.keys.agent_id().to_string())
        .collect();
    let swarm = Swarm::start(SwarmConfig {
        hub: hub.server.addresses().listen.to_string(),
        identities,
        players,
        seed: 7,
        journals: Journals::Memory,
        record: false,
        endpoints: 1,
    })
    .await
    .unwrap();
    within(swarm.connected(), "the clocks").await;
    (swarm, keys)
}

pub(crate) async fn ctl(hub: &TestHub, arguments: &[&str]) -> std::process::Output {
    program(hub, "ctl", arguments).await
}

pub(crate) async fn program(
    hub: &TestHub,
    command: &'static str,
    arguments: &[&str],
) -> std::process::Output {
    let listen = hub.server.addresses().listen.to_string();
    let dir = hub.dir.path().to_str().unwrap().to_owned();
    let arguments: Vec<String> = arguments.iter().map(|word| (*word).to_owned()).collect();
    let run = tokio::task::spawn_blocking(move || {
        let mut all = vec![command, "--hub", &listen, "--data-dir", &dir];
        all.extend(arguments.iter().map(String::as_str));
        flagfall(&all)
    });
    run.await.unwrap()
}

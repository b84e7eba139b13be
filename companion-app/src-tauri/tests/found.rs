//! Tests that the app learns a hub's new address from the hub's announcement, and recognises the hub by its authority. Uses real hubs and
//! real multicast DNS.
//!
//! The hub program is `FLAGFALL_BIN`, or else the build in the surrounding workspace.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

#[path = "client/page.rs"]
mod page;

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use companion_app::device::{Device, DeviceFile};
use companion_app::discovery;
use companion_app::error::ShellError;
use companion_app::keys::SystemStore;
use companion_app::shell::Shell;

/// Time limit for starting a hub and for finding it.
const SOON: Duration = Duration::from_secs(60);
const RETRY_INTERVAL: Duration = Duration::from_millis(200);

struct NoStore;

impl SystemStore for NoStore {
    fn set(&self, _name: &str, _secret: &[u8]) -> Result<(), String> {
        Err("none".to_owned())
    }
    fn get(&self, _name: &str) -> Result<Vec<u8>, String> {
        Err("none".to_owned())
    }
    fn delete(&self, _name: &str) -> Result<(), String> {
        Err("none".to_owned())
    }
}

/// A hub on this machine that listens on every interface and announces itself; killed when dropped.
struct Hub {
    child: Child,
    port: u16,
}

impl Drop for Hub {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Hub {
    async fn start(data: &Path, port: u16) -> Self {
        let listen = format!("0.0.0.0:{port}");
        let child = Command::new(program())
            .args(["serve", "--listen", &listen, "--http", "127.0.0.1:0"])
            .args([
                "--metrics",
                "off",
                "--mdns",
                "true",
                "--event-name",
                "Harbour Cup",
            ])
            .arg("--data-dir")
            .arg(data)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let hub = Self { child, port };
        let started = async {
            let mut tries = tokio::time::interval(RETRY_INTERVAL);
            while hub.code(data).is_none() {
                tries.tick().await;
            }
        };
        let started = tokio::time::timeout(SOON, started).await;
        started.expect("the hub starts");
        hub
    }

    /// Returns an enrolment code for an arbiter's device, created with `flagfall enrol`; `None` if the command failed.
    fn code(&self, data: &Path) -> Option<String> {
        let output = Command::new(program())
            .args(["enrol", "--hub", &format!("127.0.0.1:{}", self.port)])
            .args(["--arbiter", "J. Doe", "--role", "chief", "--data-dir"])
            .arg(data)
            .output()
            .unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        let (_, secret) = said.split_once("flagfall://")?.1.split_once('#')?;
        let secret = secret.get(..65)?;
        Some(format!("flagfall://127.0.0.1:{}#{secret}", self.port))
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_moved_hub_is_found_by_its_authority_and_a_foreign_one_is_refused() {
    let (folder, data, foreign) = (dir(), dir(), dir());
    let file = DeviceFile::new(folder.path());
    let hub = Hub::start(data.path(), free_port()).await;
    let first = hub.port;
    let code = hub.code(data.path()).unwrap().parse().unwrap();
    let shell = shell(folder.path());
    page::enrol(&shell, &code).await.unwrap();
    assert_eq!(known(&file).hub.port, first);

    // A foreign hub with the same name takes over the first hub's address, and also announces itself.
    drop(hub);
    let _foreign = Hub::start(foreign.path(), first).await;
    let refused = page::identity(&shell).await.unwrap_err();
    assert!(matches!(refused, ShellError::OtherHub { .. }), "{refused}");
    assert_eq!(known(&file).hub.port, first);

    let hub = Hub::start(data.path(), free_port()).await;
    let session = async {
        let mut tries = tokio::time::interval(RETRY_INTERVAL);
        while page::renew(&shell).await.is_err() {
            tries.tick().await;
        }
    };
    let session = tokio::time::timeout(SOON, session).await;
    session.expect("the hub is found");
    let found = known(&file);
    assert_eq!(found.hub.port, hub.port);
    assert_ne!(found.hub.port, first);

    // After a restart, the app uses the stored address: this shell has no search.
    let next = Shell::with_store(folder.path().to_owned(), Arc::new(NoStore));
    assert_eq!(page::renew(&next).await.unwrap().head.status, 200);
}

fn shell(folder: &Path) -> Shell {
    Shell::with_store(folder.to_owned(), Arc::new(NoStore))
        .with_search(Arc::new(discovery::hubs_of))
}

fn known(file: &DeviceFile) -> Device {
    file.read().unwrap().unwrap()
}

fn dir() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("0.0.0.0:0").unwrap();
    listener.local_addr().unwrap().port()
}

fn program() -> PathBuf {
    let named = std::env::var_os("FLAGFALL_BIN").map(PathBuf::from);
    let built = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/debug/flagfall");
    let program = named.unwrap_or(built);
    assert!(
        program.exists(),
        "{} is missing: cargo build -p hub, or set FLAGFALL_BIN",
        program.display()
    );
    program
}

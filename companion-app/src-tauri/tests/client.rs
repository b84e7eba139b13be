//! Tests the shell against a simulated hub with real TLS: trust, the session's cookie, signed calls, stored keys, and a hub whose address changes.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

#[path = "client/page.rs"]
mod page;
#[path = "client/stored.rs"]
mod stored;
#[path = "client/support.rs"]
mod support;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use companion_app::error::ShellError;
use companion_app::hub_client::{Address, Call, FullResponse};
use companion_app::keys::SystemStore;
use companion_app::shell::Shell;
use proto::enrolment::EnrolmentCode;
use support::{Authority, SimulatedHub};
use tempfile::TempDir;

const SEND: &str = "/flagfall.api.v1.Arbiter/Send";
const GET_HALL: &str = "/flagfall.api.v1.Arbiter/GetHall";

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

fn shell(folder: &Path) -> Shell {
    Shell::with_store(folder.to_owned(), Arc::new(NoStore))
}

async fn enrolled(hub: &SimulatedHub) -> (TempDir, Shell) {
    let folder = tempfile::tempdir().unwrap();
    let shell = shell(folder.path());
    page::enrol(&shell, &hub.code()).await.unwrap();
    assert_eq!(hub.state(|state| state.name.clone()), "Tablet 3");
    (folder, shell)
}

async fn signed(shell: &Shell, path: &str, message: &[u8]) -> Result<FullResponse, ShellError> {
    let session = page::field(&page::identity(shell).await?, "session");
    let head = format!("flagfall-command-v1\n{path}\n{session}\n");
    let text = [head.as_bytes(), message].concat();
    let key = shell.stored_keys().await?.enrolled.unwrap();
    let signature = shell.sign(&key.device, &text).await?;
    shell.unary(&call(path, message, Some(&signature))).await
}

fn call(path: &str, message: &[u8], signature: Option<&str>) -> Call {
    let length = u32::try_from(message.len()).unwrap().to_be_bytes();
    let frame = [&[0], &length[..], message].concat();
    Call::new(path, frame, None, signature).unwrap()
}

#[track_caller]
fn done(answer: &FullResponse) {
    assert_eq!(answer.head.status, 200);
    assert_eq!(answer.head.headers.get("grpc-status"), None);
    assert!(answer.body.ends_with(b"grpc-status: 0\r\n"), "{answer:?}");
}

fn keys(folder: &Path) -> Vec<String> {
    let Ok(found) = std::fs::read_dir(folder.join("keys")) else {
        return Vec::new();
    };
    found
        .map(|one| one.unwrap().file_name().into_string().unwrap())
        .collect()
}

#[tokio::test]
async fn a_device_enrols_and_commands_are_signed() {
    let hub = SimulatedHub::start().await;
    let (_folder, shell) = enrolled(&hub).await;
    done(&signed(&shell, SEND, b"pause").await.unwrap());
    done(&shell.unary(&call(GET_HALL, b"", None)).await.unwrap());
    let calls = hub.state(|state| state.calls.clone());
    let pause = (SEND.to_owned(), b"pause".to_vec());
    assert_eq!(calls, [pause, (GET_HALL.to_owned(), Vec::new())]);
    // The session from the enrolment continues.
    assert_eq!(hub.state(|state| state.sessions), 1);
}

#[tokio::test]
async fn the_key_is_a_private_file() {
    use std::os::unix::fs::PermissionsExt;
    let hub = SimulatedHub::start().await;
    let (folder, _shell) = enrolled(&hub).await;
    let [key] = keys(folder.path()).try_into().unwrap();
    for name in [format!("keys/{key}"), "device.json".to_owned()] {
        let mode = std::fs::metadata(folder.path().join(&name))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
    let known = std::fs::read_to_string(folder.path().join("device.json")).unwrap();
    assert!(!known.contains("token"), "{known}");
}

#[tokio::test]
async fn the_next_start_needs_no_code() {
    let hub = SimulatedHub::start().await;
    let (folder, first) = enrolled(&hub).await;
    drop(first);
    let second = shell(folder.path());
    // The cookie was lost when the first run ended.
    assert_eq!(page::identity(&second).await.unwrap().head.status, 401);
    assert_eq!(page::renew(&second).await.unwrap().head.status, 200);
    done(&signed(&second, SEND, b"resume").await.unwrap());
    assert_eq!(hub.state(|state| state.sessions), 2);
}

/// Attempts to enrol with `code`. Expects [`ShellError::OtherHub`], and that `hub` receives no request.
async fn expect_other_hub(code: EnrolmentCode, hub: &SimulatedHub) {
    let folder = tempfile::tempdir().unwrap();
    let refused = page::enrol(&shell(folder.path()), &code).await.unwrap_err();
    assert!(matches!(refused, ShellError::OtherHub { .. }), "{refused}");
    assert_eq!(
        hub.state(|state| state.requests),
        0,
        "the token must not reach a stranger"
    );
}

#[tokio::test]
async fn another_authority_is_refused() {
    let hub = SimulatedHub::start().await;
    let mut code = hub.code();
    code.authority = [9; 16];
    expect_other_hub(code, &hub).await;
}

#[tokio::test]
async fn an_authority_certificate_without_its_key_is_refused() {
    let (right, wrong) = (Authority::new(), Authority::new());
    let hub = SimulatedHub::lying(&wrong, &right).await;
    expect_other_hub(hub.code(), &hub).await;
}

#[tokio::test]
async fn a_certificate_of_the_authority_for_another_name_is_refused() {
    let hub = SimulatedHub::with(&Authority::new(), "clock.flagfall").await;
    expect_other_hub(hub.code(), &hub).await;
}

#[tokio::test]
async fn an_unreachable_hub_is_reported_and_comes_back() {
    let hub = SimulatedHub::start().await;
    let (_folder, shell) = enrolled(&hub).await;
    let code = hub.code();
    drop(hub);
    let away = loop {
        // The old connection may still deliver a response.
        if let Err(away) = shell.unary(&call(GET_HALL, b"", None)).await {
            break away;
        }
    };
    assert!(
        matches!(&away, ShellError::Unreachable { hub, .. } if *hub == format!("{}:{}", code.host, code.port))
    );
    let still = page::identity(&shell).await.unwrap_err();
    assert!(matches!(still, ShellError::Unreachable { .. }), "{still}");
}

#[tokio::test]
async fn a_silent_hub_counts_as_unreachable_and_blocks_no_other() {
    let (silent, hub) = (SimulatedHub::start().await, SimulatedHub::start().await);
    silent.state(|state| state.silent = true);
    let folder = tempfile::tempdir().unwrap();
    let shell = shell(folder.path());
    // The time limit makes the test fail instead of hanging.
    let (silent, hub) = (silent.code(), hub.code());
    let attempt = page::enrol(&shell, &silent);
    let attempt = tokio::time::timeout(Duration::from_secs(60), attempt);
    let (attempt, enrolled) = tokio::join!(attempt, page::enrol(&shell, &hub));
    let away = attempt.unwrap().unwrap_err();
    assert!(matches!(away, ShellError::Unreachable { .. }), "{away}");
    enrolled.unwrap();
}

#[tokio::test]
async fn a_code_entered_meanwhile_does_not_block_an_enrolment() {
    let (first, second) = (SimulatedHub::start().await, SimulatedHub::start().await);
    let folder = tempfile::tempdir().unwrap();
    let shell = shell(folder.path());
    let key = shell.key_of(&first.code()).await.unwrap().key;
    page::ask_to_enrol(&shell, &first.code(), &key.public_key)
        .await
        .unwrap();
    shell
        .session(&page::get("/session/challenge"), Some(&second.code()))
        .await
        .unwrap();
    shell.enrol(&key.device).await.unwrap();
    let enrolled = shell.hub_address().await.unwrap();
    assert_eq!(enrolled, Address::from(&first.code()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_found_hub_is_accepted_only_with_its_authority() {
    let authority = Authority::new();
    let first = SimulatedHub::with(&authority, "hub.flagfall").await;
    let folder = tempfile::tempdir().unwrap();
    let stranger = SimulatedHub::start().await;
    let found = Arc::new(std::sync::Mutex::new(vec![Address::from(stranger.address)]));
    let announced = Arc::clone(&found);
    let sought = first.authority;
    let shell = shell(folder.path()).with_search(Arc::new(move |authority| {
        assert_eq!(authority, sought);
        announced.lock().unwrap().clone()
    }));
    page::enrol(&shell, &first.code()).await.unwrap();
    let at_first = shell.hub_address().await.unwrap();
    let devices = first.state(|state| state.devices.clone());
    drop(first);

    // A hub that announces the authority but does not have its key receives no request.
    let away = page::identity(&shell).await.unwrap_err();
    assert!(matches!(away, ShellError::Unreachable { .. }), "{away}");
    assert_eq!(stranger.state(|state| state.requests), 0);
    assert_eq!(shell.hub_address().await.unwrap(), at_first);

    let moved = SimulatedHub::with(&authority, "hub.flagfall").await;
    moved.state(|state| state.devices = devices);
    found.lock().unwrap().push(Address::from(moved.address));
    assert_eq!(page::renew(&shell).await.unwrap().head.status, 200);
    assert_eq!(
        shell.hub_address().await.unwrap(),
        Address::from(moved.address)
    );
}

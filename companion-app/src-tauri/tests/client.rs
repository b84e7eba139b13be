//! The client against a hub with real TLS: trust, enrolment, renewed sessions, revoked devices.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

#[path = "client/lost.rs"]
mod lost;
#[path = "client/support.rs"]
mod support;

use std::path::Path;
use std::sync::Arc;

use companion_app::error::ShellError;
use companion_app::hub_client::{Address, Call, Whole};
use companion_app::keys::SystemStore;
use companion_app::shell::Shell;
use proto::enrolment::EnrolmentCode;
use support::{Authority, DETAILS, Fate, SimulatedHub};
use tempfile::TempDir;

const SEND: &str = "/flagfall.api.v1.Arbiter/Send";
const GET_HALL: &str = "/flagfall.api.v1.Arbiter/GetHall";

/// A machine without a key store: the key goes to a file.
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
    let member = shell
        .enrol(&hub.code().to_string(), "Tablet 3")
        .await
        .unwrap();
    assert_eq!(
        (member.name.as_str(), member.role.as_str()),
        ("J. Doe", "chief")
    );
    assert_eq!(hub.heard(|heard| heard.name.clone()), "Tablet 3");
    (folder, shell)
}

fn call(path: &str, message: &[u8]) -> Call {
    let length = u32::try_from(message.len()).unwrap().to_be_bytes();
    Call::new(path, [&[0], &length[..], message].concat(), None).unwrap()
}

#[track_caller]
fn done(answer: &Whole) {
    assert_eq!(answer.head.status, 200);
    assert_eq!(answer.head.headers.get("grpc-status"), None);
    assert!(answer.body.ends_with(b"grpc-status: 0\r\n"), "{answer:?}");
}

/// Returns the names of the key files.
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
    done(&shell.unary(&call(SEND, b"pause")).await.unwrap());
    // The same again, as after a lost answer: without a new signature the hub would refuse it.
    done(&shell.unary(&call(SEND, b"pause")).await.unwrap());
    done(&shell.unary(&call(GET_HALL, b"")).await.unwrap());
    let calls = hub.heard(|heard| heard.calls.clone());
    let pause = (SEND.to_owned(), b"pause".to_vec());
    assert_eq!(
        calls,
        [pause.clone(), pause, (GET_HALL.to_owned(), Vec::new())]
    );
    let session = shell.session().await.unwrap();
    assert!(
        session.body.starts_with(b"{\"device\":\"d-1\""),
        "{session:?}"
    );
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
    done(&second.unary(&call(SEND, b"resume")).await.unwrap());
    assert_eq!(hub.heard(|heard| heard.sessions), 2);
}

#[tokio::test]
async fn an_expired_session_is_renewed_once_for_many_calls() {
    let hub = SimulatedHub::start().await;
    let (_folder, shell) = enrolled(&hub).await;
    hub.forget_sessions();
    let call = call(SEND, b"pause");
    let (one, two) = tokio::join!(shell.unary(&call), shell.unary(&call));
    done(&one.unwrap());
    done(&two.unwrap());
    assert_eq!(hub.heard(|heard| heard.sessions), 2);
    hub.forget_sessions();
    assert_eq!(shell.session().await.unwrap().head.status, 200);
    assert_eq!(hub.heard(|heard| heard.sessions), 3);
}

#[tokio::test]
async fn a_lost_challenge_costs_no_key() {
    let hub = SimulatedHub::start().await;
    let (folder, shell) = enrolled(&hub).await;
    hub.forget_sessions();
    hub.heard(|heard| heard.lose_challenge = true);
    done(&shell.unary(&call(SEND, b"pause")).await.unwrap());
    assert_eq!(keys(folder.path()).len(), 1);
}

#[tokio::test]
async fn a_revoked_device_forgets_its_key() {
    let hub = SimulatedHub::start().await;
    let (folder, shell) = enrolled(&hub).await;
    hub.revoke();
    for _ in 0..2 {
        let refused = shell.unary(&call(SEND, b"pause")).await.unwrap_err();
        assert!(
            matches!(refused, ShellError::NotEnrolled(why) if why.text == "this device is not known here" && why.details.as_deref() == Some(DETAILS))
        );
    }
    assert_eq!(keys(folder.path()), Vec::<String>::new());
    assert!(!folder.path().join("device.json").exists());
    assert_eq!(hub.heard(|heard| heard.calls.clone()), []);
}

#[tokio::test]
async fn a_code_works_once_and_its_refusal_leaves_nothing() {
    let hub = SimulatedHub::start().await;
    let (_folder, _shell) = enrolled(&hub).await;
    let folder = tempfile::tempdir().unwrap();
    let late = shell(folder.path());
    let refused = late
        .enrol(&hub.code().to_string(), "Tablet 4")
        .await
        .unwrap_err();
    assert_eq!(refused.to_string(), "this code is not valid");
    assert_eq!(keys(folder.path()), Vec::<String>::new());
    let denied = late.session().await.unwrap_err();
    assert!(matches!(denied, ShellError::NotEnrolled(_)), "{denied}");
}

#[tokio::test]
async fn a_lost_answer_costs_no_code() {
    let hub = SimulatedHub::start().await;
    hub.heard(|heard| heard.fate = Fate::Lost);
    let (_folder, shell) = enrolled(&hub).await;
    done(&shell.unary(&call(SEND, b"pause")).await.unwrap());
}

#[tokio::test]
async fn enrolling_again_replaces_the_key() {
    let first = SimulatedHub::start().await;
    let (folder, shell) = enrolled(&first).await;
    let before = keys(folder.path());
    let second = SimulatedHub::start().await;
    shell
        .enrol(&second.code().to_string(), "Tablet 3")
        .await
        .unwrap();
    done(&shell.unary(&call(SEND, b"pause")).await.unwrap());
    assert_eq!(second.heard(|heard| heard.calls.len()), 1);
    let after = keys(folder.path());
    assert_eq!(after.len(), 1);
    assert_ne!(after, before);
}

/// Enrols with `code` and expects the error for another hub.
async fn is_another_hub(code: EnrolmentCode, hub: &SimulatedHub) {
    let folder = tempfile::tempdir().unwrap();
    let refused = shell(folder.path())
        .enrol(&code.to_string(), "Tablet 3")
        .await
        .unwrap_err();
    assert!(matches!(refused, ShellError::OtherHub { .. }), "{refused}");
    assert_eq!(
        hub.heard(|heard| heard.sessions),
        0,
        "the token must not reach a stranger"
    );
    assert_eq!(keys(folder.path()), Vec::<String>::new());
}

#[tokio::test]
async fn another_authority_is_refused() {
    let hub = SimulatedHub::start().await;
    let mut code = hub.code();
    code.authority = [9; 16];
    is_another_hub(code, &hub).await;
}

#[tokio::test]
async fn an_authority_certificate_without_its_key_is_refused() {
    let (right, wrong) = (Authority::new(), Authority::new());
    let hub = SimulatedHub::lying(&wrong, &right).await;
    is_another_hub(hub.code(), &hub).await;
}

#[tokio::test]
async fn a_certificate_of_the_authority_for_another_name_is_refused() {
    let hub = SimulatedHub::with(&Authority::new(), "clock.flagfall").await;
    is_another_hub(hub.code(), &hub).await;
}

#[tokio::test]
async fn an_unreachable_hub_is_reported_and_comes_back() {
    let hub = SimulatedHub::start().await;
    let (_folder, shell) = enrolled(&hub).await;
    let code = hub.code();
    drop(hub);
    let away = loop {
        // The old connection may still deliver an answer.
        if let Err(away) = shell.unary(&call(GET_HALL, b"")).await {
            break away;
        }
    };
    assert!(
        matches!(&away, ShellError::Unreachable { hub, .. } if *hub == format!("{}:{}", code.host, code.port))
    );
    // It is still enrolled.
    let still = shell.session().await.unwrap_err();
    assert!(matches!(still, ShellError::Unreachable { .. }), "{still}");
}

#[tokio::test]
async fn an_invalid_code_is_refused_with_its_column() {
    let folder = tempfile::tempdir().unwrap();
    let refused = shell(folder.path())
        .enrol("flagfall://hub", "")
        .await
        .unwrap_err();
    assert!(refused.to_string().starts_with("column 15"), "{refused}");
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
    shell
        .enrol(&first.code().to_string(), "Tablet 3")
        .await
        .unwrap();
    let at_first = shell.hub_address().await.unwrap();
    let devices = first.heard(|heard| heard.devices.clone());
    drop(first);

    // A hub that announces the authority without its key receives nothing.
    let away = shell.session().await.unwrap_err();
    assert!(matches!(away, ShellError::Unreachable { .. }), "{away}");
    assert_eq!(stranger.heard(|heard| heard.requests), 0);
    assert_eq!(shell.hub_address().await.unwrap(), at_first);

    let moved = SimulatedHub::with(&authority, "hub.flagfall").await;
    moved.heard(|heard| heard.devices = devices);
    found.lock().unwrap().push(Address::from(moved.address));
    assert_eq!(shell.session().await.unwrap().head.status, 200);
    assert_eq!(
        shell.hub_address().await.unwrap(),
        Address::from(moved.address)
    );
}

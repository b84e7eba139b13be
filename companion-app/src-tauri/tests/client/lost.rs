//! Enrolments whose answers are lost, unreadable or late: the key is kept until its hub has answered, and does not affect other
//! enrolments.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use companion_app::error::ShellError;
use companion_app::keys::SystemStore;
use companion_app::shell::Shell;
use proto::enrolment::EnrolmentCode;
use tempfile::TempDir;
use tokio::sync::oneshot;

use super::support::{Fate, Held, SimulatedHub};
use super::{SEND, call, done, enrolled, keys, shell};

async fn enrol(shell: &Shell, code: &EnrolmentCode) -> Result<(), ShellError> {
    let enrolled = shell.enrol(&code.to_string(), "Tablet 3").await;
    enrolled.map(|member| assert_eq!(member.name, "J. Doe"))
}

/// Enrols with `code`, which has this `fate`, and then makes the hub unreachable.
async fn enrol_without_answer(shell: &Shell, hub: &SimulatedHub, code: &EnrolmentCode, fate: Fate) {
    hub.heard(|heard| (heard.fate, heard.mute) = (fate, true));
    let why = enrol(shell, code).await.unwrap_err();
    let meant = match fate {
        Fate::Lost | Fate::Unheard | Fate::Silent => matches!(why, ShellError::Unreachable { .. }),
        Fate::Failing | Fate::TooMany => matches!(why, ShellError::Refused(_)),
        Fate::Garbled => matches!(why, ShellError::Answer(_)),
        Fate::Told => matches!(why, ShellError::CodeRefused(_)),
    };
    assert!(meant, "{fate:?}: {why}");
    hub.heard(|heard| heard.mute = false);
}

/// Creates a device whose enrolment has this fate.
async fn asked(hub: &SimulatedHub, fate: Fate) -> (TempDir, Shell) {
    let folder = tempfile::tempdir().unwrap();
    let shell = shell(folder.path());
    enrol_without_answer(&shell, hub, &hub.code(), fate).await;
    (folder, shell)
}

/// Checks that the device has exactly one key, which the hub knows.
async fn is_enrolled_with(folder: &Path, shell: &Shell, hub: &SimulatedHub) {
    done(&shell.unary(&call(SEND, b"pause")).await.unwrap());
    let next = super::shell(folder);
    done(&next.unary(&call(SEND, b"resume")).await.unwrap());
    let [key] = keys(folder).try_into().unwrap();
    let device = key.strip_suffix(".pk8").unwrap();
    assert!(hub.heard(|heard| heard.devices.contains_key(device)));
    assert_eq!(records(folder), 0);
}

/// Returns the number of enrolments without an answer.
fn records(folder: &Path) -> usize {
    std::fs::read_dir(folder.join("asked")).map_or(0, Iterator::count)
}

/// Checks that the device is not enrolled.
async fn is_not_enrolled(shell: &Shell) {
    let denied = shell.session().await.unwrap_err();
    assert!(
        matches!(&denied, ShellError::NotEnrolled(why) if why.text.contains("is not enrolled")),
        "{denied}"
    );
}

#[tokio::test]
async fn a_code_without_an_answer_can_be_entered_again_with_the_same_key() {
    for fate in [Fate::Lost, Fate::Failing, Fate::Garbled, Fate::Unheard] {
        let hub = SimulatedHub::start().await;
        let (folder, shell) = asked(&hub, fate).await;
        let kept = keys(folder.path());
        assert_eq!(kept.len(), 1, "{fate:?}");
        enrol(&shell, &hub.code()).await.unwrap();
        assert_eq!(keys(folder.path()), kept, "{fate:?}");
        is_enrolled_with(folder.path(), &shell, &hub).await;
        assert_eq!(hub.heard(|heard| heard.devices.len()), 1, "{fate:?}");
    }
}

#[tokio::test]
async fn the_first_screen_does_not_wait_and_the_next_start_knows_the_key() {
    let hub = SimulatedHub::start().await;
    let (folder, first) = asked(&hub, Fate::Lost).await;
    is_not_enrolled(&first).await;
    drop(first);
    let next = shell(folder.path());
    let before = hub.heard(|heard| heard.requests);
    is_not_enrolled(&next).await;
    assert_eq!(hub.heard(|heard| heard.requests), before);
    enrol(&next, &hub.code()).await.unwrap();
    is_enrolled_with(folder.path(), &next, &hub).await;
}

#[tokio::test]
async fn files_in_the_folder_block_nothing() {
    let hub = SimulatedHub::start().await;
    let (folder, shell) = asked(&hub, Fate::Unheard).await;
    for record in std::fs::read_dir(folder.path().join("asked")).unwrap() {
        std::fs::write(record.unwrap().path(), "{").unwrap();
    }
    std::fs::write(folder.path().join("asked/not a record"), "{}").unwrap();
    std::fs::create_dir(folder.path().join("asked/a folder")).unwrap();
    is_not_enrolled(&shell).await;
    enrol(&shell, &hub.code()).await.unwrap();
    done(&shell.unary(&call(SEND, b"pause")).await.unwrap());
}

#[tokio::test]
async fn two_lost_codes_keep_both_keys() {
    let hub = SimulatedHub::start().await;
    let (folder, shell) = asked(&hub, Fate::Lost).await;
    let other = hub.another_code([8; 16]);
    enrol_without_answer(&shell, &hub, &other, Fate::Unheard).await;
    enrol_without_answer(&shell, &hub, &other, Fate::Lost).await;
    assert_eq!((records(folder.path()), keys(folder.path()).len()), (2, 2));
    // The same attempt twice, and nothing arrives.
    enrol_without_answer(&shell, &hub, &hub.code(), Fate::Unheard).await;
    enrol(&shell, &hub.code()).await.unwrap();
    is_enrolled_with(folder.path(), &shell, &hub).await;
}

#[tokio::test]
async fn a_key_is_removed_only_after_both_code_and_key_were_refused() {
    let hub = SimulatedHub::start().await;
    let (folder, shell) = asked(&hub, Fate::Lost).await;
    hub.heard(|heard| heard.fate = Fate::TooMany);
    // The key is known, whatever the hub says about the address.
    enrol(&shell, &hub.code()).await.unwrap();
    is_enrolled_with(folder.path(), &shell, &hub).await;

    let hub = SimulatedHub::start().await;
    let (folder, shell) = asked(&hub, Fate::Unheard).await;
    for fate in [Fate::TooMany, Fate::Unheard] {
        hub.heard(|heard| heard.fate = fate);
        enrol(&shell, &hub.code()).await.unwrap_err();
        assert_eq!(keys(folder.path()).len(), 1, "{fate:?}");
    }
    hub.use_up(&hub.code());
    let refused = enrol(&shell, &hub.code()).await.unwrap_err();
    assert_eq!(refused.to_string(), "this code is not valid");
    assert_eq!(keys(folder.path()), Vec::<String>::new());
    assert_eq!(records(folder.path()), 0);
    is_not_enrolled(&shell).await;
}

#[tokio::test]
async fn a_refused_code_is_no_answer_while_the_key_has_none() {
    let hub = SimulatedHub::start().await;
    let (folder, shell) = asked(&hub, Fate::Lost).await;
    hub.heard(|heard| heard.mute = true);
    let away = enrol(&shell, &hub.code()).await.unwrap_err();
    assert!(matches!(away, ShellError::Unreachable { .. }), "{away}");
    hub.heard(|heard| heard.mute = false);
    enrol(&shell, &hub.code()).await.unwrap();
    is_enrolled_with(folder.path(), &shell, &hub).await;
}

#[tokio::test]
async fn a_key_is_sent_to_one_hub_only() {
    let (hub, other) = (SimulatedHub::start().await, SimulatedHub::start().await);
    let (folder, shell) = asked(&hub, Fate::Lost).await;
    // The same token for another hub; then the first hub's code at the other's address.
    enrol_without_answer(&shell, &other, &other.code(), Fate::Lost).await;
    let mut wrong = hub.code();
    wrong.port = other.address.port();
    let stranger = enrol(&shell, &wrong).await.unwrap_err();
    assert!(
        matches!(stranger, ShellError::OtherHub { .. }),
        "{stranger}"
    );
    let known = |hub: &SimulatedHub| hub.heard(|heard| heard.devices.clone());
    assert_eq!((known(&hub).len(), known(&other).len()), (1, 1));
    assert_ne!(known(&hub), known(&other));
    enrol(&shell, &hub.code()).await.unwrap();
    done(&shell.unary(&call(SEND, b"pause")).await.unwrap());
    // A key that the other hub may have is kept until this device is enrolled there.
    assert_eq!((records(folder.path()), keys(folder.path()).len()), (1, 2));
    enrol(&shell, &other.code()).await.unwrap();
    is_enrolled_with(folder.path(), &shell, &other).await;
}

#[tokio::test]
async fn enrolling_again_keeps_the_old_identity_until_confirmed() {
    let first = SimulatedHub::start().await;
    let (folder, shell) = enrolled(&first).await;
    let second = SimulatedHub::start().await;
    enrol_without_answer(&shell, &second, &second.code(), Fate::Lost).await;
    done(&shell.unary(&call(SEND, b"pause")).await.unwrap());
    assert_eq!(first.heard(|heard| heard.calls.len()), 1);
    enrol(&shell, &second.code()).await.unwrap();
    is_enrolled_with(folder.path(), &shell, &second).await;
}

#[tokio::test]
async fn a_code_stays_valid_if_the_record_cannot_be_written() {
    let hub = SimulatedHub::start().await;
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("device.json")).unwrap();
    let shell = shell(folder.path());
    let full = enrol(&shell, &hub.code()).await.unwrap_err();
    assert!(matches!(full, ShellError::Storage(_)), "{full}");
    std::fs::remove_dir(folder.path().join("device.json")).unwrap();
    enrol(&shell, &hub.code()).await.unwrap();
    is_enrolled_with(folder.path(), &shell, &hub).await;
}

#[tokio::test]
async fn a_silent_hub_does_not_block_the_next_code() {
    let (silent, hub) = (SimulatedHub::start().await, SimulatedHub::start().await);
    // Fails the test in place of hanging.
    let asked = tokio::time::timeout(Duration::from_secs(60), asked(&silent, Fate::Silent));
    let (folder, shell) = asked.await.unwrap();
    enrol(&shell, &hub.code()).await.unwrap();
    done(&shell.unary(&call(SEND, b"pause")).await.unwrap());
    assert_eq!(records(folder.path()), 1);
}

#[tokio::test]
async fn a_start_during_enrolment_finds_the_new_hub() {
    let hub = SimulatedHub::start().await;
    let folder = tempfile::tempdir().unwrap();
    let shell = shell(folder.path());
    let code = hub.code();
    let (looked, enrolled) = tokio::join!(shell.session(), enrol(&shell, &code));
    // Not enrolled yet, or with the new hub already.
    if let Err(why) = looked {
        assert!(matches!(why, ShellError::NotEnrolled(_)), "{why}");
    }
    enrolled.unwrap();
    is_enrolled_with(folder.path(), &shell, &hub).await;
}

#[tokio::test]
async fn a_late_refusal_of_the_old_hub_does_not_affect_the_new_one() {
    let (first, second) = (SimulatedHub::start().await, SimulatedHub::start().await);
    let (folder, shell) = enrolled(&first).await;
    first.revoke();
    let (there, is_there) = oneshot::channel();
    let (discard, go) = oneshot::channel();
    first.heard(|heard| heard.hold = Some(Held { there, go }));
    let pause = call(SEND, b"pause");
    let code = second.code();
    let (late, ()) = tokio::join!(shell.unary(&pause), async {
        is_there.await.unwrap();
        enrol(&shell, &code).await.unwrap();
        discard.send(()).unwrap();
    });
    assert!(matches!(late.unwrap_err(), ShellError::NotEnrolled(_)));
    is_enrolled_with(folder.path(), &shell, &second).await;
}

/// A key store whose first deletion blocks.
#[derive(Default)]
struct SlowToForget {
    kept: Mutex<BTreeMap<String, Vec<u8>>>,
    held: Mutex<Option<(oneshot::Sender<()>, Receiver<()>)>>,
}

impl SystemStore for SlowToForget {
    fn set(&self, name: &str, secret: &[u8]) -> Result<(), String> {
        let mut kept = self.kept.lock().unwrap();
        kept.insert(name.to_owned(), secret.to_owned());
        Ok(())
    }

    fn get(&self, name: &str) -> Result<Vec<u8>, String> {
        let kept = self.kept.lock().unwrap();
        kept.get(name).cloned().ok_or_else(|| "none".to_owned())
    }

    fn delete(&self, name: &str) -> Result<(), String> {
        let held = self.held.lock().unwrap().take();
        if let Some((there, go)) = held {
            there.send(()).unwrap();
            // If the test waits for the enrolment to end, it cannot release this, so it continues by itself.
            let _ = go.recv_timeout(Duration::from_millis(500));
        }
        self.kept.lock().unwrap().remove(name);
        Ok(())
    }
}

#[tokio::test]
async fn forgetting_the_old_hub_does_not_forget_the_new_one() {
    let (first, second) = (SimulatedHub::start().await, SimulatedHub::start().await);
    let folder = tempfile::tempdir().unwrap();
    let store = Arc::new(SlowToForget::default());
    let shell = Shell::with_store(folder.path().to_owned(), store.clone());
    enrol(&shell, &first.code()).await.unwrap();
    first.revoke();
    let (there, is_there) = oneshot::channel();
    let (discard, go) = std::sync::mpsc::channel();
    *store.held.lock().unwrap() = Some((there, go));
    let pause = call(SEND, b"pause");
    let code = second.code();
    let (no, ()) = tokio::join!(shell.unary(&pause), async {
        is_there.await.unwrap();
        enrol(&shell, &code).await.unwrap();
        let _ = discard.send(());
    });
    assert!(matches!(no.unwrap_err(), ShellError::NotEnrolled(_)));
    done(&shell.unary(&pause).await.unwrap());
    let next = Shell::with_store(folder.path().to_owned(), store.clone());
    done(&next.unary(&pause).await.unwrap());
    assert_eq!(store.kept.lock().unwrap().len(), 1);
}

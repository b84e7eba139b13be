//! Tests which keys and enrolments the shell stores on disk and removes, and what it signs with a key. The page's use of these commands is tested
//! in `companion-app/src/lib/enrol/session.test.ts`.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use companion_app::error::ShellError;
use companion_app::keys::{DeviceKey, SystemStore};
use companion_app::shell::{Shell, StoredKeys};
use proto::ids::hex;
use serde_json::json;
use tokio::sync::oneshot;

use super::support::SimulatedHub;
use super::{SEND, done, enrolled, keys, page, shell, signed};

/// Checks that the device has exactly one key and no record of an unconfirmed key, and that the hub knows the key.
async fn assert_enrolled_with(folder: &Path, hub: &SimulatedHub) {
    let next = shell(folder);
    page::renew(&next).await.unwrap();
    done(&signed(&next, SEND, b"resume").await.unwrap());
    let [key] = keys(folder).try_into().unwrap();
    let device = key.strip_suffix(".pk8").unwrap();
    assert!(hub.state(|state| state.devices.contains_key(device)));
    assert_eq!(records(folder), 0);
}

fn records(folder: &Path) -> usize {
    std::fs::read_dir(folder.join("asked")).map_or(0, Iterator::count)
}

fn is_request(error: &ShellError) -> bool {
    matches!(error, ShellError::Request(_))
}

#[tokio::test]
async fn each_code_has_one_key_until_it_is_forgotten() {
    let (hub, other) = (SimulatedHub::start().await, SimulatedHub::start().await);
    let folder = tempfile::tempdir().unwrap();
    let first = shell(folder.path());
    let one = first.key_of(&hub.code()).await.unwrap();
    assert!(!one.sent);
    let two = first.key_of(&hub.another_code([8; 16])).await.unwrap();
    // This code has the same token, but belongs to a different hub.
    let three = first.key_of(&other.code()).await.unwrap();
    assert!(one.key != two.key && two.key != three.key && one.key != three.key);
    drop(first);
    let next = shell(folder.path());
    let again = next.key_of(&hub.code()).await.unwrap();
    assert_eq!((&again.key, again.sent), (&one.key, true));
    next.forget(&one.key.device).await.unwrap();
    next.forget(&one.key.device).await.unwrap();
    assert_eq!((records(folder.path()), keys(folder.path()).len()), (2, 2));
    let new = next.key_of(&hub.code()).await.unwrap();
    assert!(!new.sent && new.key != one.key);
    assert_eq!(next.stored_keys().await.unwrap(), StoredKeys::default());
}

#[tokio::test]
async fn files_in_the_folder_block_nothing() {
    let hub = SimulatedHub::start().await;
    let folder = tempfile::tempdir().unwrap();
    let shell = shell(folder.path());
    shell.key_of(&hub.code()).await.unwrap();
    for record in std::fs::read_dir(folder.path().join("asked")).unwrap() {
        std::fs::write(record.unwrap().path(), "{").unwrap();
    }
    std::fs::write(folder.path().join("asked/not a record"), "{}").unwrap();
    std::fs::create_dir(folder.path().join("asked/a folder")).unwrap();
    let denied = page::identity(&shell).await.unwrap_err();
    assert!(matches!(denied, ShellError::NotEnrolled(_)), "{denied}");
    page::enrol(&shell, &hub.code()).await.unwrap();
    done(&signed(&shell, SEND, b"pause").await.unwrap());
}

#[tokio::test]
async fn an_enrolment_removes_the_other_keys_of_its_hub() {
    let (hub, other) = (SimulatedHub::start().await, SimulatedHub::start().await);
    let folder = tempfile::tempdir().unwrap();
    let shell = shell(folder.path());
    page::enrol(&shell, &other.code()).await.unwrap();
    let waiting = shell.key_of(&other.another_code([8; 16])).await.unwrap();
    shell.key_of(&hub.another_code([9; 16])).await.unwrap();
    let stored = shell.stored_keys().await.unwrap();
    assert_eq!(stored.pending, std::slice::from_ref(&waiting.key));
    page::enrol(&shell, &hub.code()).await.unwrap();
    // `other` may have accepted the key of its second code, so that key stays.
    let new = shell.stored_keys().await.unwrap().enrolled.unwrap();
    let mut left = keys(folder.path());
    left.sort();
    let mut expected = [new, waiting.key].map(|key| format!("{}.pk8", key.device));
    expected.sort();
    assert_eq!(left, expected);
    assert_eq!(records(folder.path()), 1);
    page::enrol(&shell, &other.another_code([8; 16]))
        .await
        .unwrap();
    assert_enrolled_with(folder.path(), &other).await;
}

#[tokio::test]
async fn a_key_confirmed_later_is_enrolled_at_the_known_address() {
    let hub = SimulatedHub::start().await;
    let (folder, first) = enrolled(&hub).await;
    let code = hub.another_code([8; 16]);
    let key = first.key_of(&code).await.unwrap().key;
    page::ask_to_enrol(&first, &code, &key.public_key)
        .await
        .unwrap();
    drop(first);
    let next = shell(folder.path());
    let pending = next.stored_keys().await.unwrap().pending;
    assert_eq!(pending, std::slice::from_ref(&key));
    next.enrol(&key.device).await.unwrap();
    assert_eq!(next.stored_keys().await.unwrap().enrolled, Some(key));
    assert_enrolled_with(folder.path(), &hub).await;
}

#[tokio::test]
async fn an_enrolment_that_cannot_be_written_leaves_key_and_record() {
    let hub = SimulatedHub::start().await;
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("device.json")).unwrap();
    let full = shell(folder.path());
    let error = page::enrol(&full, &hub.code()).await.unwrap_err();
    assert!(matches!(error, ShellError::Storage(_)), "{error}");
    assert_eq!((records(folder.path()), keys(folder.path()).len()), (1, 1));
    std::fs::remove_dir(folder.path().join("device.json")).unwrap();
    let key = full.key_of(&hub.code()).await.unwrap();
    assert!(key.sent);
    full.enrol(&key.key.device).await.unwrap();
    assert_enrolled_with(folder.path(), &hub).await;
}

#[tokio::test]
async fn only_recorded_keys_sign_and_enrol() {
    let hub = SimulatedHub::start().await;
    let (folder, shell) = enrolled(&hub).await;
    let message = b"flagfall-command-v1\n/path\ns1\n";
    for device in ["", "d-0", "../device", "../keys/d-0"] {
        assert!(is_request(&shell.sign(device, message).await.unwrap_err()));
        assert!(is_request(&shell.enrol(device).await.unwrap_err()));
        shell.forget(device).await.unwrap();
    }
    let own = shell.stored_keys().await.unwrap().enrolled.unwrap();
    assert!(is_request(&shell.enrol(&own.device).await.unwrap_err()));
    shell.sign(&own.device, message).await.unwrap();
    for other in [&b"any other text"[..], b"flagfall-session-v1\n00ff"] {
        assert!(is_request(
            &shell.sign(&own.device, other).await.unwrap_err()
        ));
    }
    // A hub that was never asked cannot have confirmed a key.
    let stranger = SimulatedHub::start().await;
    let key = shell.key_of(&stranger.code()).await.unwrap().key;
    assert!(is_request(&shell.enrol(&key.device).await.unwrap_err()));
    // Nor does this key sign commands for this device's hub.
    assert!(is_request(
        &shell.sign(&key.device, message).await.unwrap_err()
    ));
    shell.forget(&key.device).await.unwrap();
    assert_enrolled_with(folder.path(), &hub).await;
}

#[tokio::test]
async fn a_key_proved_through_the_known_hub_keeps_its_session() {
    let hub = SimulatedHub::start().await;
    let (folder, shell) = enrolled(&hub).await;
    let code = hub.another_code([8; 16]);
    let key = shell.key_of(&code).await.unwrap().key;
    // A second run of the app uses up the code; the first run has entered the code but received no response.
    let other = super::shell(folder.path());
    let answer = page::ask_to_enrol(&other, &code, &key.public_key).await;
    assert_eq!(answer.unwrap().head.status, 200);
    let ask = page::get("/session/challenge");
    shell.session(&ask, Some(&code)).await.unwrap();
    let given = shell.session(&ask, None).await.unwrap();
    let challenge = page::field(&given, "challenge");
    let proof = serde_json::json!({ "device": key.device, "challenge": challenge });
    let proof = page::post("/session/renew", &proof);
    let answer = shell.session(&proof, None).await.unwrap();
    assert_eq!(answer.head.status, 200);
    shell.enrol(&key.device).await.unwrap();
    done(&signed(&shell, SEND, b"pause").await.unwrap());
}

#[tokio::test]
async fn a_challenge_is_signed_once_and_for_the_hub_that_gave_it() {
    let (hub, other) = (SimulatedHub::start().await, SimulatedHub::start().await);
    let (_folder, shell) = enrolled(&hub).await;
    let own = shell.stored_keys().await.unwrap().enrolled.unwrap();
    let code = other.code();
    let of_other = shell.key_of(&code).await.unwrap().key;
    let ask = page::get("/session/challenge");
    let prove = |device: &str, challenge: &str| {
        page::post(
            "/session/renew",
            &serde_json::json!({ "device": device, "challenge": challenge }),
        )
    };
    let given = shell.session(&ask, None).await.unwrap();
    let own_proof = prove(&own.device, &page::field(&given, "challenge"));
    let given = shell.session(&ask, Some(&code)).await.unwrap();
    let challenge = page::field(&given, "challenge");
    for (proof, to) in [
        (prove(&own.device, "invented"), None),
        // The device's own key and a challenge from its own hub, sent to the hub that issued `code`.
        (own_proof.clone(), Some(&code)),
        (prove(&own.device, &challenge), Some(&code)),
        (prove(&of_other.device, "invented"), Some(&code)),
    ] {
        assert!(is_request(&shell.session(&proof, to).await.unwrap_err()));
    }
    let answer = shell.session(&own_proof, None).await.unwrap();
    assert_eq!(answer.head.status, 200);
    let again = shell.session(&own_proof, None).await;
    assert!(is_request(&again.unwrap_err()));
}

#[tokio::test]
async fn a_code_is_used_up_only_for_its_own_key() {
    let (hub, other) = (SimulatedHub::start().await, SimulatedHub::start().await);
    let (_folder, shell) = enrolled(&hub).await;
    let own = shell.stored_keys().await.unwrap().enrolled.unwrap();
    let code = other.code();
    let key = shell.key_of(&code).await.unwrap().key;
    let stolen = page::ask_to_enrol(&shell, &code, &own.public_key).await;
    assert!(is_request(&stolen.unwrap_err()));
    let answer = page::ask_to_enrol(&shell, &code, &key.public_key).await;
    assert_eq!(answer.unwrap().head.status, 200);
}

#[tokio::test]
async fn a_forgotten_device_leaves_nothing() {
    let hub = SimulatedHub::start().await;
    let (folder, first) = enrolled(&hub).await;
    let own = first.stored_keys().await.unwrap().enrolled.unwrap();
    first.forget(&own.device).await.unwrap();
    for shell in [first, shell(folder.path())] {
        assert_eq!(shell.stored_keys().await.unwrap(), StoredKeys::default());
        let denied = page::identity(&shell).await.unwrap_err();
        assert!(matches!(denied, ShellError::NotEnrolled(_)), "{denied}");
    }
    assert_eq!(keys(folder.path()), Vec::<String>::new());
    assert!(!folder.path().join("device.json").exists());
}

#[tokio::test]
async fn a_device_stored_by_the_first_version_is_enrolled() {
    let hub = SimulatedHub::start().await;
    let folder = tempfile::tempdir().unwrap();
    let mut names = Vec::new();
    std::fs::create_dir(folder.path().join("keys")).unwrap();
    std::fs::create_dir(folder.path().join("asked")).unwrap();
    for _ in 0..2 {
        let new = DeviceKey::generate().unwrap();
        let device = new.key.device();
        std::fs::write(folder.path().join(format!("keys/{device}.pk8")), new.pkcs8).unwrap();
        hub.state(|state| state.devices.insert(device.clone(), new.key.spki()));
        names.push(device);
    }
    let authority = hex(&hub.authority);
    let address = hub.address;
    let device = json!({
        "hub": { "host": address.ip().to_string(), "port": address.port() },
        "authority": authority,
        "device": names[0],
        "key": "file",
    });
    std::fs::write(folder.path().join("device.json"), device.to_string()).unwrap();
    let record = json!({ "device": names[1], "key": "file" }).to_string();
    let name = format!("asked/{authority}-{}.json", "ab".repeat(16));
    std::fs::write(folder.path().join(name), record).unwrap();
    let shell = shell(folder.path());
    page::renew(&shell).await.unwrap();
    done(&signed(&shell, SEND, b"pause").await.unwrap());
    let [pending] = shell
        .stored_keys()
        .await
        .unwrap()
        .pending
        .try_into()
        .unwrap();
    assert_eq!(pending.device, names[1]);
    shell.enrol(&pending.device).await.unwrap();
    assert_enrolled_with(folder.path(), &hub).await;
}

/// A key store that can be locked, and whose next deletion blocks if `held` is set. Counts the attempts to read it.
#[derive(Default)]
struct SlowStore {
    kept: Mutex<BTreeMap<String, Vec<u8>>>,
    held: Mutex<Option<(oneshot::Sender<()>, Receiver<()>)>>,
    locked: Mutex<bool>,
    reads: Mutex<u32>,
}

impl SystemStore for SlowStore {
    fn set(&self, name: &str, secret: &[u8]) -> Result<(), String> {
        let mut kept = self.kept.lock().unwrap();
        kept.insert(name.to_owned(), secret.to_owned());
        Ok(())
    }

    fn get(&self, name: &str) -> Result<Vec<u8>, String> {
        *self.reads.lock().unwrap() += 1;
        if *self.locked.lock().unwrap() {
            return Err("locked".to_owned());
        }
        let kept = self.kept.lock().unwrap();
        kept.get(name).cloned().ok_or_else(|| "none".to_owned())
    }

    fn delete(&self, name: &str) -> Result<(), String> {
        let held = self.held.lock().unwrap().take();
        if let Some((there, go)) = held {
            there.send(()).unwrap();
            // The test releases this deletion only after an enrolment. If the enrolment waits for the deletion, the deletion ends after a timeout.
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
    let store = Arc::new(SlowStore::default());
    let shell = Shell::with_store(folder.path().to_owned(), store.clone());
    let old = page::enrol(&shell, &first.code()).await.unwrap();
    let (there, is_there) = oneshot::channel();
    let (discard, go) = std::sync::mpsc::channel();
    *store.held.lock().unwrap() = Some((there, go));
    let code = second.code();
    let (forgotten, ()) = tokio::join!(shell.forget(&old), async {
        is_there.await.unwrap();
        page::enrol(&shell, &code).await.unwrap();
        let _ = discard.send(());
    });
    forgotten.unwrap();
    done(&signed(&shell, SEND, b"pause").await.unwrap());
    // A late response from the first hub makes the page forget that hub's key.
    shell.forget(&old).await.unwrap();
    let next = Shell::with_store(folder.path().to_owned(), store.clone());
    page::renew(&next).await.unwrap();
    done(&signed(&next, SEND, b"pause").await.unwrap());
    assert_eq!(store.kept.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn a_locked_key_store_is_tried_once_and_costs_no_key() {
    let hub = SimulatedHub::start().await;
    let folder = tempfile::tempdir().unwrap();
    let store = Arc::new(SlowStore::default());
    let first = Shell::with_store(folder.path().to_owned(), store.clone());
    let device = page::enrol(&first, &hub.code()).await.unwrap();
    *store.locked.lock().unwrap() = true;
    *store.reads.lock().unwrap() = 0;
    let next = Shell::with_store(folder.path().to_owned(), store.clone());
    for _ in 0..2 {
        let locked = next.stored_keys().await.unwrap_err();
        assert!(locked.to_string().ends_with("locked"), "{locked}");
        let locked = next
            .sign(&device, b"flagfall-command-v1\n/path\ns1\n")
            .await;
        assert!(matches!(locked, Err(ShellError::Storage(_))));
    }
    assert_eq!(*store.reads.lock().unwrap(), 1);
    *store.locked.lock().unwrap() = false;
    let unlocked = Shell::with_store(folder.path().to_owned(), store.clone());
    assert_eq!(page::renew(&unlocked).await.unwrap().head.status, 200);
}

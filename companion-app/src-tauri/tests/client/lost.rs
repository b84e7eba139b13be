//! Enrolments whose answers are lost, cannot be read, or come too late: the key is kept until its hub has said what became of it, and
//! what is kept stands in nobody's way.

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

use super::support::{Fate, Held, PretendedHub};
use super::{SEND, call, done, enrolled, keys, shell};

async fn enrol(shell: &Shell, code: &EnrolmentCode) -> Result<(), ShellError> {
    let enrolled = shell.enrol(&code.to_string(), "Tablet 3").await;
    enrolled.map(|member| assert_eq!(member.name, "J. Doe"))
}

/// Enrols with `code`; the enrolment has this `fate`, and then the hub is away.
async fn enrol_in_vain(shell: &Shell, hub: &PretendedHub, code: &EnrolmentCode, fate: Fate) {
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

/// A device whose enrolment had this fate.
async fn asked(hub: &PretendedHub, fate: Fate) -> (TempDir, Shell) {
    let folder = tempfile::tempdir().unwrap();
    let shell = shell(folder.path());
    enrol_in_vain(&shell, hub, &hub.code(), fate).await;
    (folder, shell)
}

/// The device has one key, which the hub knows, and nothing else is left behind.
async fn is_at_home(folder: &Path, shell: &Shell, hub: &PretendedHub) {
    done(&shell.unary(&call(SEND, b"pause")).await.unwrap());
    let next = super::shell(folder);
    done(&next.unary(&call(SEND, b"resume")).await.unwrap());
    let [key] = keys(folder).try_into().unwrap();
    let device = key.strip_suffix(".pk8").unwrap();
    assert!(hub.heard(|heard| heard.devices.contains_key(device)));
    assert_eq!(records(folder), 0);
}

/// How many enrolments are without an answer.
fn records(folder: &Path) -> usize {
    std::fs::read_dir(folder.join("asked")).map_or(0, Iterator::count)
}

/// What the first screen is for.
async fn is_nobody(shell: &Shell) {
    let denied = shell.session().await.unwrap_err();
    assert!(
        matches!(&denied, ShellError::NotEnrolled(why) if why.text.contains("is not enrolled")),
        "{denied}"
    );
}

#[tokio::test]
async fn a_code_whose_answer_was_lost_is_entered_again_and_gets_the_same_key() {
    for fate in [Fate::Lost, Fate::Failing, Fate::Garbled, Fate::Unheard] {
        let hub = PretendedHub::start().await;
        let (folder, shell) = asked(&hub, fate).await;
        let kept = keys(folder.path());
        assert_eq!(kept.len(), 1, "{fate:?}");
        enrol(&shell, &hub.code()).await.unwrap();
        assert_eq!(keys(folder.path()), kept, "{fate:?}");
        is_at_home(folder.path(), &shell, &hub).await;
        assert_eq!(hub.heard(|heard| heard.devices.len()), 1, "{fate:?}");
    }
}

#[tokio::test]
async fn the_first_screen_waits_for_no_answer_and_the_next_start_knows_the_key() {
    let hub = PretendedHub::start().await;
    let (folder, first) = asked(&hub, Fate::Lost).await;
    is_nobody(&first).await;
    drop(first);
    let next = shell(folder.path());
    let before = hub.heard(|heard| heard.requests);
    is_nobody(&next).await;
    assert_eq!(hub.heard(|heard| heard.requests), before);
    enrol(&next, &hub.code()).await.unwrap();
    is_at_home(folder.path(), &next, &hub).await;
}

#[tokio::test]
async fn what_lies_about_in_the_folder_stops_nobody() {
    let hub = PretendedHub::start().await;
    let (folder, shell) = asked(&hub, Fate::Unheard).await;
    for record in std::fs::read_dir(folder.path().join("asked")).unwrap() {
        std::fs::write(record.unwrap().path(), "{").unwrap();
    }
    std::fs::write(folder.path().join("asked/of nobody"), "{}").unwrap();
    std::fs::create_dir(folder.path().join("asked/a folder")).unwrap();
    is_nobody(&shell).await;
    enrol(&shell, &hub.code()).await.unwrap();
    done(&shell.unary(&call(SEND, b"pause")).await.unwrap());
}

#[tokio::test]
async fn another_lost_code_costs_the_key_of_neither() {
    let hub = PretendedHub::start().await;
    let (folder, shell) = asked(&hub, Fate::Lost).await;
    let other = hub.another_code([8; 16]);
    enrol_in_vain(&shell, &hub, &other, Fate::Unheard).await;
    enrol_in_vain(&shell, &hub, &other, Fate::Lost).await;
    assert_eq!((records(folder.path()), keys(folder.path()).len()), (2, 2));
    // Twice the same, with nothing in between that arrives.
    enrol_in_vain(&shell, &hub, &hub.code(), Fate::Unheard).await;
    enrol(&shell, &hub.code()).await.unwrap();
    is_at_home(folder.path(), &shell, &hub).await;
}

#[tokio::test]
async fn only_a_no_to_the_code_and_to_the_key_lets_go_of_it() {
    let hub = PretendedHub::start().await;
    let (folder, shell) = asked(&hub, Fate::Lost).await;
    hub.heard(|heard| heard.fate = Fate::TooMany);
    // The key is known all the same, whatever the hub says of the address.
    enrol(&shell, &hub.code()).await.unwrap();
    is_at_home(folder.path(), &shell, &hub).await;

    let hub = PretendedHub::start().await;
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
    is_nobody(&shell).await;
}

#[tokio::test]
async fn a_code_that_is_not_good_any_more_is_no_answer_as_long_as_the_key_has_none() {
    let hub = PretendedHub::start().await;
    let (folder, shell) = asked(&hub, Fate::Lost).await;
    hub.heard(|heard| heard.mute = true);
    let away = enrol(&shell, &hub.code()).await.unwrap_err();
    assert!(matches!(away, ShellError::Unreachable { .. }), "{away}");
    hub.heard(|heard| heard.mute = false);
    enrol(&shell, &hub.code()).await.unwrap();
    is_at_home(folder.path(), &shell, &hub).await;
}

#[tokio::test]
async fn a_key_that_one_hub_was_asked_for_is_no_other_hubs() {
    let (hub, other) = (PretendedHub::start().await, PretendedHub::start().await);
    let (folder, shell) = asked(&hub, Fate::Lost).await;
    // The same code but for the hub; then the first hub's code at the other's address.
    enrol_in_vain(&shell, &other, &other.code(), Fate::Lost).await;
    let mut wrong = hub.code();
    wrong.port = other.address.port();
    let stranger = enrol(&shell, &wrong).await.unwrap_err();
    assert!(
        matches!(stranger, ShellError::OtherHub { .. }),
        "{stranger}"
    );
    let known = |hub: &PretendedHub| hub.heard(|heard| heard.devices.clone());
    assert_eq!((known(&hub).len(), known(&other).len()), (1, 1));
    assert_ne!(known(&hub), known(&other));
    enrol(&shell, &hub.code()).await.unwrap();
    done(&shell.unary(&call(SEND, b"pause")).await.unwrap());
    // What the other hub may have is kept until that hub is entered.
    assert_eq!((records(folder.path()), keys(folder.path()).len()), (1, 2));
    enrol(&shell, &other.code()).await.unwrap();
    is_at_home(folder.path(), &shell, &other).await;
}

#[tokio::test]
async fn a_device_that_enrols_again_is_who_it_was_until_it_hears_otherwise() {
    let first = PretendedHub::start().await;
    let (folder, shell) = enrolled(&first).await;
    let second = PretendedHub::start().await;
    enrol_in_vain(&shell, &second, &second.code(), Fate::Lost).await;
    done(&shell.unary(&call(SEND, b"pause")).await.unwrap());
    assert_eq!(first.heard(|heard| heard.calls.len()), 1);
    enrol(&shell, &second.code()).await.unwrap();
    is_at_home(folder.path(), &shell, &second).await;
}

#[tokio::test]
async fn a_hub_that_cannot_be_written_down_keeps_the_code_good() {
    let hub = PretendedHub::start().await;
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("device.json")).unwrap();
    let shell = shell(folder.path());
    let full = enrol(&shell, &hub.code()).await.unwrap_err();
    assert!(matches!(full, ShellError::Storage(_)), "{full}");
    std::fs::remove_dir(folder.path().join("device.json")).unwrap();
    enrol(&shell, &hub.code()).await.unwrap();
    is_at_home(folder.path(), &shell, &hub).await;
}

#[tokio::test]
async fn a_hub_that_says_nothing_does_not_hold_up_the_next_code() {
    let (silent, hub) = (PretendedHub::start().await, PretendedHub::start().await);
    // Without a limit it would be for ever.
    let asked = tokio::time::timeout(Duration::from_secs(60), asked(&silent, Fate::Silent));
    let (folder, shell) = asked.await.unwrap();
    enrol(&shell, &hub.code()).await.unwrap();
    done(&shell.unary(&call(SEND, b"pause")).await.unwrap());
    assert_eq!(records(folder.path()), 1);
}

#[tokio::test]
async fn a_start_that_looks_for_its_hub_meanwhile_finds_the_new_one() {
    let hub = PretendedHub::start().await;
    let folder = tempfile::tempdir().unwrap();
    let shell = shell(folder.path());
    let code = hub.code();
    let (looked, enrolled) = tokio::join!(shell.session(), enrol(&shell, &code));
    // Nobody yet, or the new one already.
    if let Err(why) = looked {
        assert!(matches!(why, ShellError::NotEnrolled(_)), "{why}");
    }
    enrolled.unwrap();
    is_at_home(folder.path(), &shell, &hub).await;
}

#[tokio::test]
async fn a_late_no_of_the_hub_before_is_not_the_new_ones() {
    let (first, second) = (PretendedHub::start().await, PretendedHub::start().await);
    let (folder, shell) = enrolled(&first).await;
    first.shut_out();
    let (there, is_there) = oneshot::channel();
    let (let_go, go) = oneshot::channel();
    first.heard(|heard| heard.hold = Some(Held { there, go }));
    let pause = call(SEND, b"pause");
    let code = second.code();
    let (late, ()) = tokio::join!(shell.unary(&pause), async {
        is_there.await.unwrap();
        enrol(&shell, &code).await.unwrap();
        let_go.send(()).unwrap();
    });
    assert!(matches!(late.unwrap_err(), ShellError::NotEnrolled(_)));
    is_at_home(folder.path(), &shell, &second).await;
}

/// A system's store whose first deletion takes its time.
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
            // Whoever waits for this one to end cannot let it through: then it goes on by itself.
            let _ = go.recv_timeout(Duration::from_millis(500));
        }
        self.kept.lock().unwrap().remove(name);
        Ok(())
    }
}

#[tokio::test]
async fn forgetting_the_hub_before_does_not_forget_the_new_one() {
    let (first, second) = (PretendedHub::start().await, PretendedHub::start().await);
    let folder = tempfile::tempdir().unwrap();
    let store = Arc::new(SlowToForget::default());
    let shell = Shell::with_store(folder.path().to_owned(), store.clone());
    enrol(&shell, &first.code()).await.unwrap();
    first.shut_out();
    let (there, is_there) = oneshot::channel();
    let (let_go, go) = std::sync::mpsc::channel();
    *store.held.lock().unwrap() = Some((there, go));
    let pause = call(SEND, b"pause");
    let code = second.code();
    let (no, ()) = tokio::join!(shell.unary(&pause), async {
        is_there.await.unwrap();
        enrol(&shell, &code).await.unwrap();
        let _ = let_go.send(());
    });
    assert!(matches!(no.unwrap_err(), ShellError::NotEnrolled(_)));
    done(&shell.unary(&pause).await.unwrap());
    let next = Shell::with_store(folder.path().to_owned(), store.clone());
    done(&next.unary(&pause).await.unwrap());
    assert_eq!(store.kept.lock().unwrap().len(), 1);
}

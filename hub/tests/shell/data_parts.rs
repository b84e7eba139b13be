//! A data directory that has lost a file or folder, or mixes files from two hubs. The hub refuses it with advice that works, repairs it, or starts
//! without the lost lists and says so.

use std::fs;
use std::path::Path;

use proto::enrolment::EnrolmentCode;

use crate::agent::{Identity, Session, dial, enrol, hello, new_key};
use crate::program::{Serving, expect, flagfall};

/// A stopped hub with three boards and one clock in its log, and a copy of its data directory.
struct Stopped {
    dir: tempfile::TempDir,
    backup: tempfile::TempDir,
    clock: Identity,
}

async fn enrolled(hub: &Serving, dir: &Path, key: ed25519_dalek::SigningKey) -> Identity {
    let data = dir.to_str().unwrap();
    let (code, _) = expect(
        &flagfall(&["enrol", "--hub", &hub.listen, "--data-dir", data]),
        0,
    );
    let code: EnrolmentCode = code.trim().parse().unwrap();
    let enrolled = enrol(hub.listen.parse().unwrap(), &code, &key).await;
    let enrolled = enrolled.unwrap();
    Identity { key, enrolled }
}

impl Stopped {
    async fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let hub = Serving::start(dir.path());
        expect(&hub.ctl(dir.path(), &["add", "1-3", "5m"]), 0);
        let clock = enrolled(&hub, dir.path(), new_key()).await;
        assert_eq!(hub.stop(), Some(0));
        let backup = tempfile::tempdir().unwrap();
        copy(dir.path(), backup.path());
        Self { dir, backup, clock }
    }

    /// Starts the hub, which must fail; returns its last line on standard error.
    #[track_caller]
    fn refused(&self) -> String {
        let path = self.dir.path().to_str().unwrap();
        let arguments = ["serve", "--data-dir", path, "--listen", "127.0.0.1:0"];
        let quiet = [
            "--http",
            "127.0.0.1:0",
            "--metrics",
            "off",
            "--mdns",
            "false",
        ];
        let (_, err) = expect(&flagfall(&[&arguments[..], &quiet].concat()), 1);
        err.lines().last().unwrap_or_default().to_owned()
    }

    fn put_back(&self, name: &str) {
        let (from, to) = (self.backup.path().join(name), self.dir.path().join(name));
        match from.is_dir() {
            true => copy(&from, &to),
            false => drop(fs::copy(from, to).unwrap()),
        }
    }

    /// Starts the hub, and checks that it has the whole event and admits the clock.
    async fn serves(&self) -> Serving {
        let hub = Serving::start(self.dir.path());
        self.has_the_event(&hub);
        self.admits(&hub, &self.clock).await;
        hub
    }

    #[track_caller]
    fn has_the_event(&self, hub: &Serving) {
        let (out, _) = expect(&hub.ctl(self.dir.path(), &["list", "--json"]), 0);
        assert_eq!(out.lines().count(), 3, "{out}");
    }

    async fn admits(&self, hub: &Serving, clock: &Identity) {
        let mut session = Session::unwelcomed(hub.listen.parse().unwrap(), clock).await;
        session.send(hello()).await;
        session.welcome().await;
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &target),
            false => drop(fs::copy(entry.path(), target).unwrap()),
        }
    }
}

#[track_caller]
fn says(line: &str, parts: &[&str]) {
    for part in parts {
        assert!(line.contains(part), "{part} is missing in: {line}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_missing_part_is_named_and_its_copy_brings_the_hub_back() {
    let hub = Stopped::new().await;
    let file = |name: &str| hub.dir.path().join(name);

    fs::remove_file(file("authority.pem")).unwrap();
    says(
        &hub.refused(),
        &[
            "the authority is missing",
            "authority.pem",
            "backup",
            "--lost",
        ],
    );
    assert!(
        !file("authority.pem").exists(),
        "no other authority is made"
    );
    hub.put_back("authority.pem");
    assert_eq!(hub.serves().await.stop(), Some(0));

    fs::remove_dir_all(file("sled")).unwrap();
    // The archive has every record that `head` counts.
    assert_eq!(hub.serves().await.stop(), Some(0));
    fs::remove_dir_all(file("sled")).unwrap();
    fs::rename(file("archive"), file("archive-away")).unwrap();
    says(
        &hub.refused(),
        &["the log is missing", "sled", "head", "backup"],
    );
    fs::rename(file("archive-away"), file("archive")).unwrap();
    fs::remove_file(file("head")).unwrap();
    says(
        &hub.refused(),
        &["the log is missing", "sled", "head", "backup"],
    );
    assert!(!file("sled").exists(), "no empty log is made");
    for part in ["sled", "head"] {
        hub.put_back(part);
    }
    fs::remove_dir_all(file("archive")).unwrap();
    hub.put_back("archive");
    assert_eq!(hub.serves().await.stop(), Some(0));

    fs::remove_file(file("log-key.hex")).unwrap();
    says(&hub.refused(), &["log-key.hex", "backup", "archive"]);
    assert!(!file("log-key.hex").exists(), "no other key is made");
    hub.put_back("log-key.hex");
    assert_eq!(hub.serves().await.stop(), Some(0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_head_is_refused_until_the_log_is_accepted() {
    let hub = Stopped::new().await;
    let path = hub.dir.path().to_str().unwrap();
    for content in [None, Some("scribble")] {
        match content {
            None => fs::remove_file(hub.dir.path().join("head")).unwrap(),
            Some(text) => fs::write(hub.dir.path().join("head"), text).unwrap(),
        }
        let said = hub.refused();
        says(
            &said,
            &["head", "backup", "flagfall accept-log --data-dir", path],
        );
        let (out, _) = expect(&flagfall(&["accept-log", "--data-dir", path]), 0);
        says(&out, &["records", "Start the hub"]);
        assert_eq!(hub.serves().await.stop(), Some(0));
    }
    let empty = tempfile::tempdir().unwrap();
    let nowhere = flagfall(&["accept-log", "--data-dir", empty.path().to_str().unwrap()]);
    expect(&nowhere, 1);
    assert_eq!(fs::read_dir(empty.path()).unwrap().count(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_hubs_log_is_refused_and_a_complete_backup_works() {
    let hub = Stopped::new().await;
    let other = Stopped::new().await;
    let path = hub.dir.path().to_str().unwrap();
    for name in ["sled", "head"] {
        let to = hub.dir.path().join(name);
        match to.is_dir() {
            true => fs::remove_dir_all(&to).unwrap(),
            false => fs::remove_file(&to).unwrap(),
        }
        match name {
            "sled" => copy(&other.dir.path().join(name), &to),
            _ => drop(fs::copy(other.dir.path().join(name), to).unwrap()),
        }
    }
    says(
        &hub.refused(),
        &[
            "belongs to another hub",
            "authority.pem",
            "same backup",
            path,
        ],
    );
    let authority = other.dir.path().join("authority.pem");
    fs::copy(authority, hub.dir.path().join("authority.pem")).unwrap();
    fs::remove_file(hub.dir.path().join("chief.pem")).unwrap();
    let serving = Serving::start(hub.dir.path());
    hub.has_the_event(&serving);
    hub.admits(&serving, &other.clock).await;
    assert_eq!(serving.stop(), Some(0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_authority_keeps_the_event_of_a_lost_one() {
    let hub = Stopped::new().await;
    let path = hub.dir.path().to_str().unwrap();
    let lost = ["roll-authority", "--lost", "--data-dir", path];
    let (_, err) = expect(&flagfall(&lost), 1);
    says(&err, &["the authority is not lost"]);
    fs::remove_file(hub.dir.path().join("authority.pem")).unwrap();
    hub.refused();
    let (out, _) = expect(&flagfall(&lost), 0);
    says(&out, &["current", "enrol every clock"]);
    // At the first start the log does not name the new authority yet; at the second start it does.
    for _ in 0..2 {
        let serving = Serving::start(hub.dir.path());
        hub.has_the_event(&serving);
        let listen = serving.listen.parse().unwrap();
        let former = dial(listen, proto::quic::ALPN_SESSION, Some(&hub.clock)).await;
        let refused = match former {
            Ok(connection) => connection.closed().await.to_string(),
            Err(error) => error.to_string(),
        };
        assert!(!refused.is_empty());
        let clock = enrolled(&serving, hub.dir.path(), hub.clock.key.clone()).await;
        hub.admits(&serving, &clock).await;
        assert_eq!(serving.stop(), Some(0));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_damaged_key_file_is_named() {
    let hub = Stopped::new().await;
    for (name, advice) in [
        ("authority.pem", "restore it from a copy"),
        ("pin-salt.hex", "move it away"),
        ("browser-authority.pem", "move it away"),
    ] {
        let path = hub.dir.path().join(name);
        let mut bytes = fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        match name {
            // Any hexadecimal digits are a valid salt, so the file is cut short instead.
            "pin-salt.hex" => bytes.truncate(middle),
            _ => bytes[middle] ^= 4,
        }
        fs::write(&path, &bytes).unwrap();
        says(&hub.refused(), &[name, "is damaged", advice]);
        if advice == "move it away" {
            fs::remove_file(&path).unwrap();
        } else {
            hub.put_back(name);
        }
        assert_eq!(hub.serves().await.stop(), Some(0));
    }
    let key = hub.dir.path().join("chief.pem");
    let mut text = fs::read_to_string(&key).unwrap();
    let flipped = text.find("PRIVATE KEY-----\n").unwrap() + 80;
    let other = if text.as_bytes()[flipped] == b'A' {
        "B"
    } else {
        "A"
    };
    text.replace_range(flipped..=flipped, other);
    fs::write(&key, text).unwrap();
    let serving = Serving::start(hub.dir.path());
    let (_, err) = expect(&serving.ctl(hub.dir.path(), &["list"]), 1);
    says(
        &err,
        &["chief.pem", "is not an arbiter's key file", "moved away"],
    );
    assert_eq!(serving.stop(), Some(0));
    fs::remove_file(&key).unwrap();
    assert_eq!(hub.serves().await.stop(), Some(0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_damaged_log_is_repaired_from_its_archive_and_arbiters_are_told() {
    let hub = Stopped::new().await;
    let db = hub.dir.path().join("sled/db");
    let bytes = vec![0; fs::read(&db).unwrap().len()];
    fs::write(&db, bytes).unwrap();
    let serving = hub.serves().await;
    let (_, err) = expect(&serving.ctl(hub.dir.path(), &["list"]), 0);
    says(
        &err,
        &["records of the log were damaged", "0–", "set-aside"],
    );
    let (log, _) = expect(&serving.ctl(hub.dir.path(), &["log"]), 0);
    says(&log, &["records of the log were damaged"]);
    assert_eq!(serving.stop(), Some(0));
    let serving = hub.serves().await;
    let (_, err) = expect(&serving.ctl(hub.dir.path(), &["list"]), 0);
    assert_eq!(err, "", "the repair is over");
    assert_eq!(serving.stop(), Some(0));
    // The log is set back together with its own head, but the archive still has the later records.
    fs::remove_dir_all(hub.dir.path().join("sled")).unwrap();
    hub.put_back("sled");
    hub.put_back("head");
    let serving = hub.serves().await;
    let (_, err) = expect(&serving.ctl(hub.dir.path(), &["list"]), 0);
    says(&err, &["the log was set back to"]);
    assert_eq!(serving.stop(), Some(0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lost_lists_are_reported_and_admit_no_one() {
    let hub = Stopped::new().await;
    let told = |running: &Serving| expect(&running.ctl(hub.dir.path(), &["list"]), 0).1;
    let whole = hub.serves().await;
    assert!(!told(&whole).contains("the hub started without"));
    assert_eq!(whole.stop(), Some(0));

    fs::remove_file(hub.dir.path().join("devices.json")).unwrap();
    fs::remove_file(hub.dir.path().join("gateways.json")).unwrap();
    fs::remove_dir_all(hub.dir.path().join("key-files")).unwrap();
    let poorer = hub.serves().await;
    says(
        &told(&poorer),
        &["the hub started without devices.json and gateways.json and key-files"],
    );
    // This key file may have been revoked in the list that was lost, so the hub refuses it.
    let (_, former) = expect(&poorer.ctl(hub.backup.path(), &["list"]), 1);
    says(&former, &["no record of this key file"]);
    assert_eq!(poorer.stop(), Some(0));

    hub.put_back("devices.json");
    hub.put_back("gateways.json");
    hub.put_back("key-files");
    hub.put_back("chief.pem");
    let mended = hub.serves().await;
    assert!(!told(&mended).contains("the hub started without"));
    assert_eq!(mended.stop(), Some(0));
}

//! A disk that fills up: the hub warns arbiters before the disk is full, and every screen tells them once recording has stopped.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use tests::rig::{Addresses, Cli, HubProcess, SmallDisk, page_json, program, until};

const READY_WITHIN: Duration = Duration::from_secs(20);
/// Much longer than the hub's interval of two seconds between checks.
const SEEN_WITHIN: Duration = Duration::from_secs(30);
/// Free space, in MiB, below which the hub warns. Below a quarter of it, the warning becomes urgent.
const LOW_MIB: &str = "40";

struct Hall {
    hub: HubProcess,
    at: Addresses,
    cli: Cli,
    disk: SmallDisk,
    _mount: tempfile::TempDir,
}

fn hall() -> Hall {
    let mount = tempfile::tempdir().unwrap();
    let disk = SmallDisk::mount(mount.path(), "96m").unwrap();
    let flagfall = program("flagfall").unwrap();
    let mut command = disk.enter();
    command.arg(&flagfall);
    let data = disk.inside().join("data");
    let set = ["--note-low-space", LOW_MIB];
    let mut hub = HubProcess::serve(&mut command, &data, None, &set).unwrap();
    let at = hub.ready(READY_WITHIN).unwrap();
    let cli = Cli::new(&flagfall, at.listen, &disk.path().join("data"));
    cli.done(&["ctl", "add", "1", "5m+3s"]).unwrap();
    Hall {
        hub,
        at,
        cli,
        disk,
        _mount: mount,
    }
}

impl Hall {
    fn warned(&self, what: &[&str]) -> String {
        self.cli.run(what).unwrap().err
    }

    fn until_warned(&self, text: &str) {
        let warned = || {
            let said = self.warned(&["ctl", "list"]);
            let fits = if text.is_empty() {
                said.is_empty()
            } else {
                said.contains(text)
            };
            fits.then_some(())
        };
        until(SEEN_WITHIN, &format!("the warning {text:?}"), warned).unwrap();
    }
}

fn fill_below(path: &Path, mib: u64) {
    let mut file = File::options()
        .create(true)
        .append(true)
        .open(path)
        .unwrap();
    let free = || {
        let stat = rustix::fs::statvfs(path).unwrap();
        stat.f_bavail * stat.f_frsize
    };
    while free() >= mib << 20 {
        file.write_all(&[1; 1 << 20]).unwrap();
    }
}

#[test]
fn low_space_is_noted_in_time_and_until_there_is_space_again() {
    let hall = hall();
    hall.until_warned("");
    let video = hall.disk.path().join("video");
    fill_below(&video, 39);
    hall.until_warned("less than 40 MiB");
    fill_below(&video, 9);
    hall.until_warned("free some space now");
    let said = hall.warned(&["ctl", "list"]);
    assert!(!said.contains("less than"), "one level at a time: {said}");
    std::fs::remove_file(&video).unwrap();
    hall.until_warned("");
    let log = hall.cli.done(&["ctl", "log"]).unwrap();
    let place = |text: &str| log.find(text).unwrap_or_else(|| panic!("{text}: {log}"));
    assert!(place("less than 40 MiB") < place("free some space now"));
    assert!(place("free some space now") < place("enough again"));
}

#[test]
fn every_screen_and_the_exit_code_say_that_recording_has_stopped() {
    let mut hall = hall();
    let boards = page_json(hall.at.http, "/live/boards.json").unwrap();
    assert_eq!(boards["event"].get("recording_stopped"), None);
    hall.disk.fill().unwrap();
    // Space that the log's files have already allocated lasts a little longer, so each record is as long as possible.
    let (names, reason) = ("W".repeat(60), "W".repeat(300));
    let rename = ["ctl", "names", "1", &names, &names, "--reason", &reason];
    let refused = || {
        (0..20).find_map(|_| {
            let said = hall.cli.run(&rename).unwrap();
            said.err.contains("nothing is recorded").then_some(said)
        })
    };
    let said = until(Duration::from_secs(120), "a failure of the log", refused).unwrap();
    assert_eq!(said.code, Some(1));
    for what in [
        &["ctl", "list"][..],
        &["ctl", "show", "1"],
        &["ctl", "agents"],
        &["ctl", "list", "--json"],
    ] {
        let said = hall.warned(what);
        assert!(said.contains("nothing is recorded"), "{what:?}: {said}");
    }
    let boards = page_json(hall.at.http, "/live/boards.json").unwrap();
    assert_eq!(boards["event"]["recording_stopped"], true);
    let ended = hall.hub.stop().unwrap();
    assert_eq!(ended.code(), Some(1), "{}", hall.hub.said());
}

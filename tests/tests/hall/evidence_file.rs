//! From a hub to an appeals committee's laptop: evidence files are exported from a real hub's log, then imported, replayed and verified, with names
//! shown, concealed and forgotten. Runs the real programs.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use clock_agent::swarm::{Journals, Pace, Players, Swarm, SwarmConfig};
use tests::rig::{Arbiter, Cli, HubProcess, program};

const PATIENCE: Duration = Duration::from_secs(60);
const WHITE: &str = "Okonkwo, Adaeze";
const BLACK: &str = "Lindqvist, Bo";

struct Laptop(tempfile::TempDir);

impl Laptop {
    fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.file(name).to_str().unwrap().to_owned()
    }

    fn verified(&self, file: &str, key: &str, kept: &[&str]) -> (Option<i32>, String) {
        let mut command = Command::new(program("flagfall-verify").unwrap());
        command
            .arg(self.file(file))
            .args(["--language", "en", "--key", key]);
        for kept in kept {
            command.arg("--kept").arg(self.file(kept));
        }
        let output = command.output().unwrap();
        let said = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(said).unwrap())
    }

    #[track_caller]
    fn sound(&self, file: &str, key: &str, kept: &[&str]) -> String {
        let (code, report) = self.verified(file, key, kept);
        assert_eq!(code, Some(0), "{report}");
        report
    }
}

fn flagfall(arguments: &[&str]) -> Output {
    let mut command = Command::new(program("flagfall").unwrap());
    command.args(arguments).output().unwrap()
}

#[track_caller]
fn done(arguments: &[&str]) -> String {
    let output = flagfall(arguments);
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {err}");
    String::from_utf8(output.stdout).unwrap()
}

fn key_of(said: &str) -> String {
    let key = said.lines().find_map(|line| line.strip_prefix("key "));
    key.unwrap().to_owned()
}

fn checkpoint_of(file: &Path) -> String {
    let bytes = std::fs::read(file).unwrap();
    let (_, mut parts) = verify::PartReader::open(bytes.as_slice()).unwrap();
    while let Some(part) = parts.next_part().unwrap() {
        if let proto::evidence::part::Part::End(end) = part {
            return end.checkpoint;
        }
    }
    panic!("the file has no end");
}

async fn play(hub: &str, arbiter: &mut Arbiter) {
    let clocks = arbiter.furnish(3, "3m+2s").await.unwrap();
    let swarm = Swarm::start(SwarmConfig {
        hub: hub.to_owned(),
        identities: clocks,
        players: Players::Endless(Pace::Bullet),
        seed: 4,
        journals: Journals::Memory,
        record: false,
        endpoints: 1,
    })
    .await
    .unwrap();
    let played = async {
        let mut look = tokio::time::interval(Duration::from_millis(5));
        while swarm.counts().acknowledged < 40 {
            look.tick().await;
        }
    };
    tokio::time::timeout(PATIENCE, played).await.unwrap();
    swarm.stop().await;
}

struct HandedOver {
    key: String,
    /// The replay of board 2's game, from the hub's data directory.
    by_hub: String,
}

fn replayed(source: &str) -> String {
    done(&["replay", source, "--board", "2", "--time-zone", "UTC"])
}

/// Plays some games and saves to the laptop: a checkpoint from before the games, a game from the running hub, and the proof of a record. Then saves
/// the whole event from the stopped hub, and deletes the hub's directory.
async fn hall(laptop: &Laptop) -> HandedOver {
    let dir = tempfile::tempdir().unwrap();
    let file = |name: &str| laptop.text(name);
    let flagfall_program = program("flagfall").unwrap();
    let mut hub = HubProcess::start(&flagfall_program, dir.path(), None, &[]).unwrap();
    let at = hub.ready(PATIENCE).unwrap();
    let mut arbiter = Arbiter::connect(at.listen, dir.path()).await.unwrap();
    let cli = Cli::new(&flagfall_program, at.listen, dir.path());
    let done_by_hub = |arguments: &[&str]| cli.done(arguments).unwrap();
    done_by_hub(&["ctl", "checkpoint", "--file", &file("kept.txt")]);
    play(&at.listen.to_string(), &mut arbiter).await;
    done_by_hub(&["ctl", "names", "2", WHITE, BLACK]);

    let key = key_of(&done_by_hub(&[
        "export",
        "--board",
        "2",
        "-o",
        &file("game.evidence"),
    ]));
    let shown = &cli.json(&["ctl", "checkpoint"]).unwrap()[0];
    assert_eq!(
        shown["key"],
        key.as_str(),
        "one key for checkpoints and files"
    );
    let last = (shown["records"].as_u64().unwrap() - 1).to_string();
    done_by_hub(&["ctl", "proof", &last, "-o", &file("proof.txt")]);
    let none = cli
        .run(&["export", "--board", "77", "-o", &file("none")])
        .unwrap();
    assert_eq!(none.code, Some(1), "{none:?}");
    assert!(!laptop.file("none").exists() && !laptop.file("none.part").exists());
    hub.stop().unwrap();

    let data = dir.path().to_str().unwrap();
    let said = done(&["export", data, "-o", &file("event.evidence")]);
    assert_eq!(key_of(&said), key);
    let signed = std::fs::read_to_string(dir.path().join("archive/checkpoint")).unwrap();
    assert_eq!(checkpoint_of(&laptop.file("event.evidence")), signed);
    let by_hub = replayed(data);
    assert!(by_hub.contains(WHITE), "{by_hub}");
    HandedOver { key, by_hub }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dispute_is_settled_on_a_laptop_without_the_hub() {
    let laptop = Laptop(tempfile::tempdir().unwrap());
    let HandedOver { key, by_hub } = hall(&laptop).await;
    laptop.sound(
        "event.evidence",
        &key,
        &["kept.txt", "game.evidence", "proof.txt"],
    );
    let game = laptop.sound("game.evidence", &key, &[]);
    let certified = game
        .lines()
        .find(|line| line.contains("Clocks' certificates"));
    assert!(
        certified.is_some_and(|line| !line.ends_with(" 0")),
        "{game}"
    );
    // A file with a saved checkpoint begins with the key, so it can take the place of the key.
    laptop.sound("game.evidence", &laptop.text("kept.txt"), &[]);
    let kept = imported(&laptop, "game.evidence", &key).unwrap();
    assert_eq!(replayed(&kept), by_hub);
    names_are_concealed(&laptop, &key, &by_hub);
    names_are_forgotten(&laptop, &key, &kept);

    // A single changed bit is enough for a refusal.
    let mut bytes = std::fs::read(laptop.file("event.evidence")).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(laptop.file("altered.evidence"), bytes).unwrap();
    let (code, report) = laptop.verified("altered.evidence", &key, &[]);
    assert_eq!(code, Some(1), "{report}");
    assert_eq!(imported(&laptop, "altered.evidence", &key), None);
}

/// Imports a file into the archive. Returns its path there, or `None` if the import refuses the file.
fn imported(laptop: &Laptop, name: &str, key: &str) -> Option<String> {
    let (file, archive) = (laptop.text(name), laptop.text("archive"));
    let output = flagfall(&["import", &file, "--key", key, "--into", &archive]);
    let kept = laptop.text(&format!("archive/{name}"));
    let path = Path::new(&kept);
    if output.status.code() == Some(1) {
        assert!(!path.exists(), "a file that is not sound was kept");
        return None;
    }
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(path.metadata().unwrap().permissions().readonly());
    Some(kept)
}

fn names_are_concealed(laptop: &Laptop, key: &str, by_hub: &str) {
    let event = laptop.text("event.evidence");
    for (option, name) in [
        ("--redact-names", "public.evidence"),
        ("--redact-names=everyone", "bare.evidence"),
    ] {
        done(&["export", &event, option, "-o", &laptop.text(name)]);
        laptop.sound(name, key, &["kept.txt", "event.evidence"]);
        let signed = [name, "event.evidence"].map(|name| checkpoint_of(&laptop.file(name)));
        assert_eq!(signed[0], signed[1]);
        let bytes = std::fs::read(laptop.file(name)).unwrap();
        for word in ["Okonkwo", "Lindqvist"] {
            let mut windows = bytes.windows(word.len());
            assert!(
                !windows.any(|window| window == word.as_bytes()),
                "{name} shows {word}"
            );
        }
        let concealed = replayed(&laptop.text(name));
        assert!(concealed.contains("concealed"), "{concealed}");
        let moves = |text: &str| text.lines().skip(2).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(moves(&concealed), moves(by_hub));
    }
}

fn names_are_forgotten(laptop: &Laptop, key: &str, kept: &str) {
    let archive = laptop.text("archive");
    let forget = |option: &[&str]| {
        let all = [&["forget-names", &archive, "--older-than"][..], option].concat();
        done(&all)
    };
    assert!(forget(&["30"]).contains("in 0 files are concealed"));
    assert!(forget(&["0", "--dry-run"]).contains("in 1 file would be concealed"));
    assert!(replayed(kept).contains(WHITE));
    assert!(forget(&["0"]).contains("in 1 file are concealed"));
    assert!(!replayed(kept).contains("Okonkwo"));
    assert!(Path::new(kept).metadata().unwrap().permissions().readonly());
    laptop.sound("archive/game.evidence", key, &["game.evidence"]);
}

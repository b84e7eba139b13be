//! Follows the organiser's page step by step against a real hub with clocks at the boards. The page's tables become files, and its commands are run
//! unchanged.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use std::fmt::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use tests::rig::{Addresses, Cli, HubProcess, program, until};

const PATIENCE: Duration = Duration::from_secs(120);
const PAGE: &str = include_str!("../../../docs/organiser.md");
const FIDE_LIST: &[u8] = include_bytes!("../../samples/players_list.zip");
/// A script that replays the recorded output of bbpPairings for the page's event. `BBP_PAIRINGS=PATH` uses the program at this path instead.
const PAIRING_PROGRAM: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../hub/tests/rigs/organiser-bbp.sh"
);
const BOARDS: usize = 4;

/// A fenced block of the page: the text after the opening fence, and its lines.
struct Block<'p> {
    info: &'p str,
    lines: Vec<&'p str>,
}

fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut inside = false;
    for line in page.lines() {
        match (line.strip_prefix("```"), inside) {
            (Some(info), false) => {
                blocks.push(Block {
                    info,
                    lines: Vec::new(),
                });
                inside = true;
            }
            (Some(_), true) => inside = false,
            (None, true) => blocks.last_mut().unwrap().lines.push(line),
            (None, false) => (),
        }
    }
    blocks
}

/// A shell that finds `flagfall` by its name, as on the hub's machine.
struct Desk<'d> {
    dir: &'d Path,
    cli: Cli,
}

impl<'d> Desk<'d> {
    fn new(dir: &'d Path, flagfall: &Path, at: Addresses) -> Self {
        let script = format!(
            "#!/bin/sh\nfirst=$1\nshift\nexec '{}' \"$first\" --hub {} --data-dir '{}' \"$@\"\n",
            flagfall.display(),
            at.listen,
            dir.join("hub").display()
        );
        let bin = dir.join("bin");
        std::fs::create_dir(&bin).unwrap();
        std::fs::write(bin.join("flagfall"), script).unwrap();
        let runs = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(bin.join("flagfall"), runs).unwrap();
        Self {
            dir,
            cli: Cli::new(flagfall, at.listen, &dir.join("hub")),
        }
    }

    fn run(&self, line: &str) -> Output {
        let path = std::env::var("PATH").unwrap_or_default();
        Command::new("sh")
            .args(["-c", line])
            .current_dir(self.dir)
            .env("PATH", format!("{}:{path}", self.dir.join("bin").display()))
            .stdin(Stdio::null())
            .output()
            .unwrap()
    }

    /// Runs a line of the page, which must succeed. Clocks take a moment to carry out orders, so a command that needs them is repeated.
    #[track_caller]
    fn walk(&self, line: &str) {
        let waits = ["event preset ", "event start "];
        if waits.iter().any(|words| line.contains(words)) {
            until(PATIENCE, line, || {
                self.run(line).status.success().then_some(())
            })
            .unwrap();
            return;
        }
        let output = self.run(line);
        let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert!(
            output.status.success(),
            "{line}: {}\n{}{}",
            output.status,
            said(&output.stdout),
            said(&output.stderr)
        );
    }

    fn seat_players(&self) -> HubProcess {
        let boards = format!("1-{BOARDS}");
        self.cli
            .done(&["ctl", "add", &boards, "90m+30s runs on"])
            .unwrap();
        let mut codes = String::new();
        for board in 1..=BOARDS {
            let code = self.cli.done(&["enrol", "--board", &board.to_string()]);
            codes.write_str(&code.unwrap()).unwrap();
        }
        let file = self.dir.join("codes.txt");
        std::fs::write(&file, codes).unwrap();
        let mut command = Command::new(program("clock-agent").unwrap());
        command
            .args(["swarm", "--pace", "blitz", "--boards"])
            .arg(BOARDS.to_string())
            .arg("--codes")
            .arg(&file)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        HubProcess::spawn(&mut command).unwrap()
    }
}

#[test]
fn the_page_leads_from_a_list_of_names_to_the_rating_report() {
    let dir = tempfile::tempdir().unwrap();
    let flagfall = program("flagfall").unwrap();
    let pairs = std::env::var("BBP_PAIRINGS").unwrap_or(PAIRING_PROGRAM.to_owned());
    let settings = ["--pairing-program", pairs.as_str()];
    let mut hub = HubProcess::start(&flagfall, &dir.path().join("hub"), None, &settings).unwrap();
    let at = hub.ready(PATIENCE).unwrap();
    let desk = Desk::new(dir.path(), &flagfall, at);
    std::fs::write(dir.path().join("players_list.zip"), FIDE_LIST).unwrap();
    let players = desk.seat_players();

    let mut walked = 0;
    for block in blocks(PAGE) {
        if let Some((_, file)) = block.info.split_once(' ') {
            let text: String = block.lines.iter().map(|line| format!("{line}\n")).collect();
            std::fs::write(dir.path().join(file), text).unwrap();
        } else if block.info == "sh" {
            for line in block.lines {
                desk.walk(line);
                walked += 1;
            }
        }
    }
    drop(players);
    assert!(walked >= 40, "{walked} lines of the page were walked");

    let report = std::fs::read_to_string(dir.path().join("report.txt")).unwrap();
    for record in [
        "012 Harbour Cup\r\n",
        "042 2026/11/20\r\n",
        "102 IA Doe, Jane (1500001)\r\n",
        "112 FA Roe, Max (1500002)\r\n",
        "2830 NOR   990000001 1990/00/00  2.5    1",
        "1750 NOR   990000015 2005/00/00  1.0    8",
    ] {
        assert!(report.contains(record), "{record:?} is not in\n{report}");
    }
    let events = desk.cli.json(&["event", "status"]).unwrap();
    let states = events[0]["paired"].as_array().unwrap();
    assert_eq!(states.len(), 3);
    assert!(states.iter().all(|round| round["state"] == "confirmed"));
}

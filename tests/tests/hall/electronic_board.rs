//! A DGT board on a clock's serial port, with the real programs. The board's messages become moves in the hub's score, while presses still come from
//! the clock's buttons. The port is one end of a pseudoterminal.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::pty::OpenptFlags;
use tests::rig::{Cli, HubProcess, program, until};

const PATIENCE: Duration = Duration::from_secs(30);
/// The starting position from a8 to h1, as the board's codes for pieces.
const START: [u8; 64] = [
    8, 9, 10, 12, 11, 10, 9, 8, //
    7, 7, 7, 7, 7, 7, 7, 7, //
    0, 0, 0, 0, 0, 0, 0, 0, //
    0, 0, 0, 0, 0, 0, 0, 0, //
    0, 0, 0, 0, 0, 0, 0, 0, //
    0, 0, 0, 0, 0, 0, 0, 0, //
    1, 1, 1, 1, 1, 1, 1, 1, //
    2, 3, 4, 6, 5, 4, 3, 2,
];

struct Board {
    cable: File,
    squares: [u8; 64],
}

impl Board {
    /// Returns the board, and the path of the serial port that the clock opens.
    fn plugged_in() -> (Self, PathBuf) {
        let cable = rustix::pty::openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        rustix::pty::grantpt(&cable).unwrap();
        rustix::pty::unlockpt(&cable).unwrap();
        let port = rustix::pty::ptsname(&cable, Vec::new()).unwrap();
        let board = Self {
            cable: cable.into(),
            squares: START,
        };
        (board, port.into_string().unwrap().into())
    }

    /// Waits for the clock's two requests (for updates and for the position) and answers with the position.
    fn answer(&mut self) {
        let mut asked = [0; 2];
        self.cable.read_exact(&mut asked).unwrap();
        assert_eq!(asked, [0x44, 0x42]);
        let mut dump = vec![0x86, 0, 67];
        dump.extend(self.squares);
        self.cable.write_all(&dump).unwrap();
    }

    fn slide(&mut self, from: usize, to: usize) {
        let piece = std::mem::take(&mut self.squares[from]);
        self.squares[to] = piece;
        for (square, code) in [(from, 0), (to, piece)] {
            let square = u8::try_from(square).unwrap();
            self.cable.write_all(&[0x8e, 0, 5, square, code]).unwrap();
        }
    }
}

struct Clock(Child);

impl Drop for Clock {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn pieces_on_a_board_become_moves_in_the_score() {
    let dir = tempfile::tempdir().unwrap();
    let flagfall = program("flagfall").unwrap();
    let mut hub = HubProcess::start(&flagfall, dir.path(), None, &[]).unwrap();
    let at = hub.ready(PATIENCE).unwrap();
    let cli = Cli::new(&flagfall, at.listen, dir.path());
    cli.done(&["ctl", "add", "1", "5m+3s"]).unwrap();
    let made = cli.json(&["enrol", "--board", "1"]).unwrap();
    let (mut board, port) = Board::plugged_in();
    let state = tempfile::tempdir().unwrap();
    let clock = Command::new(program("clock-agent").unwrap())
        .args(["run", "--buttons", "lines", "--face", "plain"])
        .args(["--code", made[0]["uri"].as_str().unwrap()])
        .arg("--state")
        .arg(state.path())
        .arg("--dgt-board")
        .arg(&port)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut clock = Clock(clock);
    board.answer();
    let score = || {
        let shown = cli.json(&["ctl", "score", "1"]).unwrap();
        let moves = shown[0]["moves"].as_array().unwrap().iter();
        let moves: Vec<&str> = moves.filter_map(serde_json::Value::as_str).collect();
        moves.join(" ")
    };
    let shows =
        |wanted: &str| until(PATIENCE, wanted, || (score() == wanted).then_some(())).unwrap();
    until(PATIENCE, "the clock's link", || {
        let shown = cli.json(&["ctl", "show", "1"]).unwrap();
        (shown[0]["online"] == true).then_some(())
    })
    .unwrap();
    cli.done(&["ctl", "start", "1"]).unwrap();
    // e2–e4: squares are numbered from a8.
    board.slide(52, 36);
    shows("e4");
    clock
        .0
        .stdin
        .as_mut()
        .unwrap()
        .write_all(b"press left\n")
        .unwrap();
    until(PATIENCE, "White's press", || {
        let shown = cli.json(&["ctl", "show", "1"]).unwrap();
        (shown[0]["white"]["moves"] == 1).then_some(())
    })
    .unwrap();
    board.slide(12, 28);
    shows("e4 e5");
    let log = cli.done(&["ctl", "log", "1"]).unwrap();
    assert!(log.contains("electronic board"), "{log}");
}

//! A real clock in a real terminal: keys pressed in tmux move the board at the hub and on the page in Chromium, and the face
//! on the terminal shows what the players have to see.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::Value;
use tests::rig::{Addresses, HubProcess, program};
use tests::stopwatch::Stopwatch;

/// Whatever is waited for has to come by then; nothing here takes a tenth of it.
const PATIENCE: Duration = Duration::from_secs(30);
/// Between two looks at what does not tell by itself that it has changed.
const LOOK: Duration = Duration::from_millis(20);

#[test]
fn keys_in_a_terminal_move_the_board_on_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let hub = Hub::start(folder.path());
    hub.flagfall(&["ctl", "add", "7", "5m+3s"]);
    hub.flagfall(&[
        "ctl",
        "names",
        "7",
        "Okonkwo, Ada",
        "Lindqvist, Per",
        "--round",
        "5",
    ]);
    let terminal = Terminal::start(folder.path(), &hub.code("7"));

    let ready = terminal.until("the board before the game", |face| {
        face.contains("Ready. 5 min + 3 s per move") && face.contains("hub ✓")
    });
    assert!(ready[0].starts_with(" Board 7   Round 5"), "{}", ready[0]);
    assert_eq!(
        ready[2].trim(),
        format!("○ Okonkwo, Ada{:48}Lindqvist, Per ●", "")
    );
    assert_eq!(ready.reversed(), [false, false]);

    let page = Page::open(hub.http, "7");
    page.until("the board before the game", |seen| {
        seen["running"] == "none" && seen["white"] == "5:03"
    });

    hub.flagfall(&["ctl", "start", "7"]);
    terminal.until("White's half reversed", |face| {
        face.reversed() == [true, false]
    });
    page.until("White's clock running", |seen| seen["running"] == "white");
    // The page draws the seconds by itself.
    page.until("White's clock counting down", |seen| {
        seen["white"] == "5:01"
    });

    terminal.press("f");
    let moved = terminal.until("Black's half reversed", |face| {
        face.reversed() == [false, true]
    });
    assert!(moved[18].starts_with(" 1 move "), "{}", moved[18]);
    let seen = page.until("Black's clock running", |seen| seen["running"] == "black");
    assert_eq!(seen["black"], "5:03");
    let white = seen["white"].as_str().unwrap();
    // Two to three seconds were used, three were added.
    assert!(["5:03", "5:04"].contains(&white), "{white}");
    let board = hub.board("7");
    assert_eq!(
        (&board["white"]["moves"], &board["running"]),
        (&1.into(), &"black".into())
    );
    // Face and page show the same digits for the clock that stands.
    assert_eq!(
        terminal
            .until("White's time", |face| face.digits().is_some())
            .digits()
            .unwrap(),
        white
    );

    // Out of turn: a fact, and nothing changes.
    terminal.press("f");
    terminal.press("j");
    terminal.until("White's half reversed again", |face| {
        face.reversed() == [true, false]
    });
    page.until("White's clock running again", |seen| {
        seen["running"] == "white"
    });
    let board = hub.board("7");
    assert_eq!(
        (&board["white"]["moves"], &board["black"]["moves"]),
        (&1.into(), &1.into())
    );

    hub.flagfall(&["ctl", "pause", "7", "--reason", "a claim"]);
    let paused = terminal.until("the pause", |face| face.contains("PAUSED BY THE ARBITER"));
    assert!(paused[18].starts_with(" ► runs next "), "{}", paused[18]);
    assert_eq!(paused.reversed(), [false, false]);
    page.until("the pause", |seen| seen["running"] == "none");
    hub.flagfall(&["ctl", "resume", "7"]);
    page.until("White's clock running after the pause", |seen| {
        seen["running"] == "white"
    });

    terminal.press("s");
    terminal.until("the players' stop", |face| {
        face.contains("STOPPED BY THE PLAYERS")
    });
    page.until("both clocks standing", |seen| seen["running"] == "none");
    assert_eq!(hub.board("7")["state"], "stopped");
    hub.flagfall(&["ctl", "result", "7", "1/2-1/2"]);
    terminal.until("the result", |face| face.contains("½–½"));

    terminal.press("q");
    terminal.until("the question", |face| face.contains("Leave this clock?"));
    terminal.press("x");
    terminal.until("the question gone", |face| {
        !face.contains("Leave this clock?")
    });
    terminal.press("q");
    terminal.until("the question again", |face| {
        face.contains("Leave this clock?")
    });
    terminal.press("y");
    terminal.until("the terminal as it was", |face| {
        face.contains("left with 0")
    });
    page.close();
}

#[test]
fn the_game_goes_on_at_the_clock_while_the_hub_is_away() {
    let folder = tempfile::tempdir().unwrap();
    let mut hub = Hub::start(folder.path());
    hub.flagfall(&["ctl", "add", "1", "10m"]);
    let terminal = Terminal::start(folder.path(), &hub.code("1"));
    terminal.until("the board before the game", |face| {
        face.contains("Ready. 10 min")
    });
    hub.flagfall(&["ctl", "start", "1"]);
    terminal.until("White's half reversed", |face| {
        face.reversed() == [true, false]
    });

    hub.kill();
    terminal.until("the hub's absence", |face| {
        face.contains("hub away") && face.contains("game goes on")
    });
    for (key, reversed, moves) in [
        ("f", [false, true], " 1 move "),
        ("j", [true, false], " 1 move "),
        ("f", [false, true], " 2 moves "),
    ] {
        terminal.press(key);
        let face = terminal.until("the move at the clock", |face| face.reversed() == reversed);
        assert!(face[18].starts_with(moves), "{}", face[18]);
    }

    hub.restart();
    terminal.until("the hub back", |face| face.contains("hub ✓"));
    let board = until("the moves of meanwhile at the hub", || {
        Some(hub.board("1")).filter(|board| board["white"]["moves"] == 2)
    });
    assert_eq!(
        (&board["black"]["moves"], &board["running"]),
        (&1.into(), &"black".into())
    );
}

/// `flagfall serve`, and `flagfall` as an arbiter uses it.
struct Hub {
    process: HubProcess,
    program: PathBuf,
    data_dir: PathBuf,
    addresses: Addresses,
    http: SocketAddr,
}

impl Hub {
    fn start(folder: &Path) -> Self {
        let program = program("flagfall").unwrap();
        let data_dir = folder.join("hub");
        let mut process = HubProcess::start(&program, &data_dir, None, &[]).unwrap();
        let addresses = process.ready(PATIENCE).unwrap();
        let http = addresses.http;
        Self {
            process,
            program,
            data_dir,
            addresses,
            http,
        }
    }

    fn kill(&mut self) {
        self.process.kill();
    }

    /// The same hub again, at the same addresses.
    fn restart(&mut self) {
        self.process =
            HubProcess::start(&self.program, &self.data_dir, Some(self.addresses), &[]).unwrap();
        self.process.ready(PATIENCE).unwrap();
    }

    /// Runs a command that has to succeed, and gives what it printed.
    #[track_caller]
    fn flagfall(&self, arguments: &[&str]) -> String {
        let mut command = Command::new(&self.program);
        command
            .args(arguments)
            .args(["--hub", &self.addresses.listen.to_string(), "--data-dir"]);
        let output = command.arg(&self.data_dir).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success(),
            "flagfall {arguments:?}: {said}\nthe hub: {}",
            self.process.said()
        );
        String::from_utf8(output.stdout).unwrap()
    }

    fn code(&self, board: &str) -> String {
        self.flagfall(&["enrol", "--board", board])
            .lines()
            .next()
            .unwrap()
            .to_owned()
    }

    /// A board of `/live/boards.json`.
    fn board(&self, board: &str) -> Value {
        let mut socket = TcpStream::connect(self.http).unwrap();
        socket
            .write_all(b"GET /live/boards.json HTTP/1.0\r\nHost: hall\r\n\r\n")
            .unwrap();
        let mut answer = String::new();
        socket.read_to_string(&mut answer).unwrap();
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        let hall: Value = serde_json::from_str(body).unwrap();
        let boards = hall["boards"].as_array().unwrap();
        boards
            .iter()
            .find(|view| view["board"] == board)
            .unwrap()
            .clone()
    }
}

/// `clock-agent run` in tmux, 80 × 24.
struct Terminal {
    socket: String,
}

impl Terminal {
    fn start(folder: &Path, code: &str) -> Self {
        let agent = program("clock-agent").unwrap();
        let terminal = Self {
            socket: folder.join("tmux").display().to_string(),
        };
        let run = format!(
            "{} run --code '{code}' --state '{}'; echo left with $?; exec cat",
            agent.display(),
            folder.join("clock").display()
        );
        let session = ["new-session", "-d", "-x", "80", "-y", "24", &run];
        terminal.tmux(&session);
        terminal
    }

    fn press(&self, key: &str) {
        self.tmux(&["send-keys", key]);
    }

    fn face(&self) -> Face {
        let text = self.tmux(&["capture-pane", "-p"]);
        let mut rows: Vec<_> = text.lines().map(str::to_owned).collect();
        rows.resize(24, String::new());
        Face(rows)
    }

    /// Waits for a face.
    #[track_caller]
    fn until(&self, what: &str, wanted: impl Fn(&Face) -> bool) -> Face {
        let mut last = None;
        let started = Stopwatch::start();
        loop {
            let face = self.face();
            if wanted(&face) {
                return face;
            }
            let text = face.0.join("\n");
            assert!(
                started.elapsed() < PATIENCE,
                "waited for {what}; the face is\n{text}\nand was {last:?}"
            );
            last = Some(face.reversed());
            std::thread::sleep(LOOK);
        }
    }

    #[track_caller]
    fn tmux(&self, arguments: &[&str]) -> String {
        let mut tmux = Command::new("tmux");
        tmux.args(["-u", "-f", "/dev/null", "-S", &self.socket])
            .args(arguments);
        tmux.env("LC_ALL", "C.UTF-8").env_remove("TMUX");
        let output = tmux.output().expect("tmux has to be installed");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "tmux {arguments:?}: {said}");
        String::from_utf8(output.stdout).unwrap()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // The server of this socket and the programs in it; nothing else runs there.
        let _ = Command::new("tmux")
            .args(["-S", &self.socket, "kill-server"])
            .output();
    }
}

/// What stands on the terminal, row by row.
struct Face(Vec<String>);

impl std::ops::Index<usize> for Face {
    type Output = String;
    fn index(&self, row: usize) -> &String {
        &self.0[row]
    }
}

impl Face {
    fn contains(&self, text: &str) -> bool {
        self.0.iter().any(|row| row.contains(text))
    }

    /// Whether the left and the right half are reversed: the first row of the field is lit from end to end.
    fn reversed(&self) -> [bool; 2] {
        let row: Vec<_> = self.0[4]
            .chars()
            .chain(std::iter::repeat(' '))
            .take(80)
            .collect();
        [1..39, 41..79].map(|half| row[half].iter().all(|&c| c == '█'))
    }

    /// The digits of the left clock if it stands, read as a player does: by their segments.
    fn digits(&self) -> Option<String> {
        let lit = |x: usize, y: usize| self.0[5 + y].chars().nth(x) == Some('█');
        let digit = |x: usize| {
            let segments = [(3, 0), (6, 2), (6, 7), (3, 10), (0, 7), (0, 2), (3, 5)];
            let shape = segments.map(|(dx, y)| lit(x + dx, y));
            let known: [(&str, [u8; 7]); 10] = [
                ("0", [1, 1, 1, 1, 1, 1, 0]),
                ("1", [0, 1, 1, 0, 0, 0, 0]),
                ("2", [1, 1, 0, 1, 1, 0, 1]),
                ("3", [1, 1, 1, 1, 0, 0, 1]),
                ("4", [0, 1, 1, 0, 0, 1, 1]),
                ("5", [1, 0, 1, 1, 0, 1, 1]),
                ("6", [1, 0, 1, 1, 1, 1, 1]),
                ("7", [1, 1, 1, 0, 0, 0, 0]),
                ("8", [1; 7]),
                ("9", [1, 1, 1, 1, 0, 1, 1]),
            ];
            known
                .iter()
                .find(|(_, lit)| lit.map(|lit| lit == 1) == shape)
                .map(|(digit, _)| *digit)
        };
        // m:ss in the middle of 38 columns.
        Some(format!("{}:{}{}", digit(7)?, digit(18)?, digit(26)?))
    }
}

/// The live page in Chromium.
struct Page {
    process: Child,
    input: ChildStdin,
    seen: Receiver<Value>,
}

impl Page {
    fn open(http: SocketAddr, board: &str) -> Self {
        let folder = tests::tidy::root().join("tests/page");
        if !folder.join("node_modules/playwright-core").exists() {
            let installed = Command::new("npm")
                .args(["ci", "--no-audit", "--no-fund"])
                .current_dir(&folder)
                .status();
            assert!(
                installed.is_ok_and(|status| status.success()),
                "npm ci in tests/page"
            );
        }
        let mut process = Command::new("node")
            .args(["watch-board.mjs", &format!("http://{http}/"), board])
            .current_dir(&folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("node has to be installed");
        let input = process.stdin.take().unwrap();
        let output = process.stdout.take().unwrap();
        let (tell, seen) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if tell.send(serde_json::from_str(&line).unwrap()).is_err() {
                    return;
                }
            }
        });
        Self {
            process,
            input,
            seen,
        }
    }

    /// Waits until the page shows this; everything it shows on the way is looked at once, in order.
    #[track_caller]
    fn until(&self, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let started = Stopwatch::start();
        let mut last = Value::Null;
        while let Ok(seen) = self
            .seen
            .recv_timeout(PATIENCE.saturating_sub(started.elapsed()))
        {
            assert!(seen.get("error").is_none(), "the page: {seen}");
            if wanted(&seen) {
                return seen;
            }
            last = seen;
        }
        panic!("waited for {what}; the page shows {last}");
    }

    /// Ends the browser.
    fn close(mut self) {
        drop(self.input);
        assert!(self.process.wait().unwrap().success());
    }
}

/// Waits for what does not tell by itself that it is there.
#[track_caller]
fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let started = Stopwatch::start();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(started.elapsed() < PATIENCE, "waited for {what}");
        std::thread::sleep(LOOK);
    }
}

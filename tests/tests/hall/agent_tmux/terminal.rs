//! `clock-agent run` in tmux, in a terminal of 80 × 24 characters: sends keys and reads the face.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use tests::rig::program;
use tests::stopwatch::Stopwatch;

use super::PATIENCE;

/// Interval at which the screen is checked even without a notification: tmux reports most of the program's output, but not all.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

pub(crate) struct Terminal {
    socket: PathBuf,
    /// A second client of the same tmux server, which the server notifies when the program writes something.
    listener: Child,
    written: Receiver<()>,
}

impl Terminal {
    pub(crate) fn start(folder: &Path, code: &str) -> Self {
        let socket = folder.join("tmux");
        let run = command(folder, &format!("--code '{code}'"));
        // The terminal must still show the program's last output after the program has ended.
        let keep = [
            "start-server",
            ";",
            "set",
            "-g",
            "remain-on-exit",
            "on",
            ";",
        ];
        let begin = ["new-session", "-d", "-x", "80", "-y", "24", &run];
        tmux(&socket, &[&keep[..], &begin[..]].concat());
        let (listener, written) = listen(&socket);
        Self {
            socket,
            listener,
            written,
        }
    }

    pub(crate) fn kill_and_restart(&self, folder: &Path) {
        let pid = self.about("#{pane_pid}").parse().unwrap();
        kill_process(Pid::from_raw(pid).unwrap(), Signal::KILL).unwrap();
        self.ended();
        tmux(&self.socket, &["respawn-pane", &command(folder, "")]);
    }

    /// Waits for the program to end. Returns its exit code, or the number of the signal that ended it.
    #[track_caller]
    pub(crate) fn ended(&self) -> String {
        let started = Stopwatch::start();
        loop {
            // A busy tmux may notice the end only when another child process ends. It may miss the end of that one as well, so do not wait for it.
            tmux(&self.socket, &["run-shell", "-b", "true"]);
            let code = self.about("#{pane_dead_status}#{pane_dead_signal}");
            if !code.is_empty() {
                return code;
            }
            let face = self.face().0.join("\n");
            assert!(
                started.elapsed() < PATIENCE,
                "waited for the program's end; the face is\n{face}"
            );
        }
    }

    fn about(&self, format: &str) -> String {
        let told = tmux(&self.socket, &["list-panes", "-F", format]);
        told.trim().to_owned()
    }

    pub(crate) fn press(&self, key: &str) {
        tmux(&self.socket, &["send-keys", key]);
    }

    #[track_caller]
    pub(crate) fn until(&self, what: &str, wanted: impl Fn(&Face) -> bool) -> Face {
        let started = Stopwatch::start();
        loop {
            while self.written.try_recv().is_ok() {}
            let face = self.face();
            if wanted(&face) {
                return face;
            }
            let text = face.0.join("\n");
            assert!(
                started.elapsed() < PATIENCE,
                "waited for {what}; the face is\n{text}"
            );
            let _ = self.written.recv_timeout(LOOK_AGAIN);
        }
    }

    fn face(&self) -> Face {
        let text = tmux(&self.socket, &["capture-pane", "-p"]);
        let mut rows: Vec<_> = text.lines().map(str::to_owned).collect();
        rows.resize(24, String::new());
        Face(rows)
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // Ends only the tmux server at this socket, and its programs. Ignore errors: the server may already have ended.
        let socket = self.socket.as_os_str();
        let mut kill = Command::new("tmux");
        let _ = kill.arg("-S").arg(socket).arg("kill-server").output();
        let _ = self.listener.wait();
    }
}

fn command(folder: &Path, more: &str) -> String {
    format!(
        "exec '{}' run {more} --state '{}'",
        program("clock-agent").unwrap().display(),
        folder.join("clock").display()
    )
}

#[track_caller]
fn tmux(socket: &Path, arguments: &[&str]) -> String {
    let output = client(socket).args(arguments).output();
    let output = output.expect("tmux has to be installed");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "tmux {arguments:?}: {said}");
    String::from_utf8(output.stdout).unwrap()
}

fn client(socket: &Path) -> Command {
    let mut tmux = Command::new("tmux");
    tmux.args(["-u", "-f", "/dev/null", "-S"]).arg(socket);
    tmux.env("LC_ALL", "C.UTF-8").env_remove("TMUX");
    tmux
}

/// Attaches a client in control mode, which prints a line when the program writes something.
fn listen(socket: &Path) -> (Child, Receiver<()>) {
    let mut listener = client(socket)
        .args(["-C", "attach-session", "-f", "read-only,ignore-size"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(listener.stdout.take().unwrap());
    let (tell, written) = channel();
    std::thread::spawn(move || {
        for line in lines.split(b'\n').map_while(Result::ok) {
            if line.starts_with(b"%output") && tell.send(()).is_err() {
                return;
            }
        }
    });
    (listener, written)
}

pub(crate) struct Face(Vec<String>);

impl std::ops::Index<usize> for Face {
    type Output = String;
    fn index(&self, row: usize) -> &String {
        &self.0[row]
    }
}

impl Face {
    pub(crate) fn contains(&self, text: &str) -> bool {
        self.0.iter().any(|row| row.contains(text))
    }

    /// Returns a value for White's half and one for Black's: true if the half is in reverse video, which fills its first row from end to end.
    pub(crate) fn reversed(&self) -> [bool; 2] {
        let blanks = std::iter::repeat(' ');
        let row: Vec<_> = self.0[4].chars().chain(blanks).take(80).collect();
        [1..39, 41..79].map(|half| row[half].iter().all(|&c| c == '█'))
    }

    /// Returns the time on the left clock as `m:ss`, read from its segments. The clock must be stopped.
    pub(crate) fn left_digits(&self) -> Option<String> {
        // The columns for a time with a single digit for the minutes, centred in the half's 38 columns.
        Some(format!(
            "{}:{}{}",
            self.digit(7)?,
            self.digit(18)?,
            self.digit(26)?
        ))
    }

    fn digit(&self, left: usize) -> Option<char> {
        // Order of the segments: top, upper right, lower right, bottom, lower left, upper left, middle.
        let segments = [(3, 0), (6, 2), (6, 7), (3, 10), (0, 7), (0, 2), (3, 5)];
        let lit = segments.map(|(x, y)| self.0[5 + y].chars().nth(left + x) == Some('█'));
        let shape: String = lit.map(|lit| if lit { '#' } else { '.' }).iter().collect();
        let known = [
            "######.", ".##....", "##.##.#", "####..#", ".##..##", "#.##.##", "#.#####", "###....",
            "#######", "####.##",
        ];
        let digit = known.iter().position(|known| *known == shape)?;
        char::from_digit(u32::try_from(digit).ok()?, 10)
    }
}

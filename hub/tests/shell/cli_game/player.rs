//! The replay player in a real terminal: keys are sent through tmux, and the screen shows the position in the game.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Hall, play_with_two_minutes};
use crate::program::{command, expect, flagfall, text};

/// Maximum number of screen captures in one wait; each takes a few milliseconds.
const PATIENCE: usize = 5_000;

struct Terminal {
    socket: PathBuf,
}

impl Terminal {
    fn start(folder: &Path, arguments: &[&str]) -> Self {
        let terminal = Self {
            socket: folder.join("tmux"),
        };
        let program = command(arguments);
        let words = std::iter::once(program.get_program()).chain(program.get_args());
        let words: Vec<String> = words
            .map(|word| format!("'{}'", word.to_str().unwrap()))
            .collect();
        let run = format!("TZ=UTC {}", words.join(" "));
        let begin = ["new-session", "-d", "-x", "130", "-y", "24", &run];
        terminal.tmux(&begin).unwrap();
        terminal
    }

    /// Returns the output of a tmux command; `None` if the command failed, for example because the program has ended.
    fn tmux(&self, arguments: &[&str]) -> Option<String> {
        let mut tmux = Command::new("tmux");
        tmux.args(["-f", "/dev/null", "-S"]).arg(&self.socket);
        let output = tmux.args(arguments).output().unwrap();
        output.status.success().then(|| text(&output.stdout))
    }

    fn keys(&self, keys: &[&str]) {
        self.tmux(&[&["send-keys"], keys].concat()).unwrap();
    }

    #[track_caller]
    fn until(&self, wanted: impl Fn(&str) -> bool) -> String {
        let mut screen = String::new();
        for _ in 0..PATIENCE {
            screen = self.tmux(&["capture-pane", "-p"]).unwrap_or_default();
            if wanted(&screen) {
                return screen;
            }
        }
        panic!("the screen is\n{screen}");
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // The command fails if the tmux server has already ended with its last session.
        let _ = self.tmux(&["kill-server"]);
    }
}

fn here(screen: &str) -> &str {
    let row = screen.lines().find(|line| line.starts_with('>'));
    row.unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_is_replayed_in_the_terminal() {
    let mut hall = Hall::open().await;
    play_with_two_minutes(&mut hall).await;
    assert_eq!(hall.hub.stop(), Some(0));
    let dir = hall.dir.path().to_str().unwrap();
    let arguments = ["replay", dir, "--board", "1", "--play"];
    // Without a terminal, the command says what to do instead.
    let (_, said) = expect(&flagfall(&arguments), 1);
    assert!(said.contains("--play needs a terminal"), "{said}");

    let folder = tempfile::tempdir().unwrap();
    let terminal = Terminal::start(folder.path(), &arguments);
    terminal.until(|screen| here(screen).contains("set: 5m") && screen.contains("stopped 1x"));
    terminal.keys(&["2", "b"]);
    let screen = terminal.until(|screen| here(screen).contains(" 2b "));
    assert!(screen.contains("0:06:58.000  after press"), "{screen}");
    terminal.keys(&["Left"]);
    terminal.until(|screen| here(screen).contains(" 2w "));
    terminal.keys(&["Home", "a", "a"]);
    terminal.until(|screen| here(screen).contains("add black 2m by chief (FIDE 7.5.5)"));
    terminal.keys(&["f"]);
    terminal.until(|screen| screen.contains("the game has no flag"));
    terminal.keys(&["9", "w"]);
    terminal.until(|screen| screen.contains("the game has no move 9w"));
    terminal.keys(&["Home", "+", "+", "+", "+", "+", "+", "Space"]);
    let ended = |screen: &str| screen.contains("stopped 100x") && here(screen).contains(" 2b ");
    terminal.until(ended);
    terminal.keys(&["q"]);
    terminal.until(|screen| screen.is_empty());
}

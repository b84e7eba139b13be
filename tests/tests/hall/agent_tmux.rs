//! A real clock in a real terminal: keys sent to tmux change the clock's board, and the hub and the page in Chromium follow. The face in the terminal
//! shows what the players see.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

mod hub;
mod page;
mod terminal;

use std::time::Duration;

use hub::Hub;
use page::Page;
use terminal::Terminal;

const PATIENCE: Duration = Duration::from_secs(60);

const WHITE: [bool; 2] = [true, false];
const BLACK: [bool; 2] = [false, true];
const NOBODY: [bool; 2] = [false, false];

#[test]
fn keys_in_a_terminal_move_the_board_on_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let hub = Hub::start(folder.path());
    hub.flagfall(&["ctl", "add", "7", "5m+3s"]);
    let names = ["Okonkwo, Ada", "Lindqvist, Per", "--round", "5"];
    hub.flagfall(&[&["ctl", "names", "7"], &names[..]].concat());
    let terminal = Terminal::start(folder.path(), &hub.code("7"));
    let face = terminal.until("the board before the game", |face| {
        face.contains("Ready. 5 min + 3 s per move") && face.contains("hub ✓")
    });
    assert!(face[0].starts_with(" Board 7   Round 5"), "{}", face[0]);
    let names = format!("○ Okonkwo, Ada{:48}Lindqvist, Per ●", "");
    assert_eq!(face[2].trim(), names);
    assert_eq!(face.reversed(), NOBODY);

    let page = Page::open(hub.http(), "7");
    page.until("the board before the game", |seen| {
        seen["running"] == "none" && seen["white"] == "5:03"
    });
    two_moves(&hub, &terminal, &page);
    pause_and_stop(&hub, &terminal, &page);
    leave(&terminal);
    page.close();
}

fn two_moves(hub: &Hub, terminal: &Terminal, page: &Page) {
    hub.flagfall(&["ctl", "start", "7"]);
    terminal.until("White's half reversed", |face| face.reversed() == WHITE);
    page.until("White's clock running", |seen| seen["running"] == "white");
    // The hub sends no update for each second: the page counts down by itself.
    page.until("White's clock counting down", |seen| {
        seen["white"] == "5:01"
    });

    terminal.press("f");
    let face = terminal.until("Black's half reversed", |face| {
        face.reversed() == BLACK && face[18].starts_with(" 1 move ")
    });
    let seen = page.until("Black's clock running", |seen| seen["running"] == "black");
    // White's clock is stopped, so the face and the page must show the same digits.
    assert_eq!(face.left_digits().as_deref(), seen["white"].as_str());
    hub.until("7", |board| {
        board["running"] == "black" && board["white"]["moves"] == 1
    });

    // White presses out of turn. The press is recorded but has no effect.
    terminal.press("f");
    terminal.press("j");
    terminal.until("White's half reversed again", |face| {
        face.reversed() == WHITE
    });
    page.until("White's clock running again", |seen| {
        seen["running"] == "white"
    });
    hub.until("7", |board| {
        board["white"]["moves"] == 1 && board["black"]["moves"] == 1
    });
}

fn pause_and_stop(hub: &Hub, terminal: &Terminal, page: &Page) {
    hub.flagfall(&["ctl", "pause", "7", "--reason", "a claim"]);
    let face = terminal.until("the pause", |face| {
        face.contains("PAUSED BY THE ARBITER") && face[18].starts_with(" ► runs next ")
    });
    assert_eq!(face.reversed(), NOBODY);
    // Only arbiters may see the reason.
    assert!(!face.contains("a claim"));
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
    hub.until("7", |board| board["state"] == "stopped");
    hub.flagfall(&["ctl", "result", "7", "1/2-1/2"]);
    terminal.until("the result", |face| face.contains("½–½"));
}

fn leave(terminal: &Terminal) {
    const QUESTION: &str = "Leave this clock?";
    terminal.press("q");
    terminal.until("the question", |face| face.contains(QUESTION));
    terminal.press("x");
    terminal.until("the question gone", |face| !face.contains(QUESTION));
    terminal.press("q");
    terminal.until("the question again", |face| face.contains(QUESTION));
    terminal.press("y");
    assert_eq!(terminal.ended(), "0");
}

#[test]
fn the_game_goes_on_at_the_clock_while_the_hub_is_away() {
    let folder = tempfile::tempdir().unwrap();
    let mut hub = Hub::start(folder.path());
    let terminal = started(&hub, folder.path());
    hub.kill();
    terminal.until("the hub's absence", |face| {
        face.contains("hub away") && face.contains("game goes on")
    });
    let moves = [
        ("f", BLACK, " 1 move "),
        ("j", WHITE, " 1 move "),
        ("f", BLACK, " 2 moves "),
    ];
    for (key, reversed, moves) in moves {
        terminal.press(key);
        terminal.until("the move at the clock", |face| {
            face.reversed() == reversed && face[18].starts_with(moves)
        });
    }
    hub.restart();
    terminal.until("the hub back", |face| face.contains("hub ✓"));
    let board = hub.until("1", |board| board["white"]["moves"] == 2);
    assert_eq!(board["black"]["moves"], 1);
    assert_eq!(board["running"], "black");
}

#[test]
fn an_arbiter_corrects_at_the_clock_while_the_hub_is_away() {
    let folder = tempfile::tempdir().unwrap();
    let pins = ["--arbiter-pins", "Ada Okonkwo 471108, Per Lind 2290"];
    let mut hub = Hub::start_with(folder.path(), &pins);
    let terminal = started(&hub, folder.path());
    hub.kill();
    terminal.until("the hub's absence", |face| face.contains("hub away"));
    // A player tries to guess the PIN. Meanwhile the clock keeps running, and its buttons still work.
    terminal.press("c");
    terminal.until("the question", |face| face.contains("Arbiter's PIN: ____"));
    terminal.press("111111");
    terminal.press("Enter");
    terminal.until("the refusal", |face| face.contains("Wrong PIN"));
    terminal.press("f");
    terminal.until("Black's half reversed", |face| face.reversed() == BLACK);
    terminal.press("471108");
    terminal.press("Enter");
    terminal.until("the sheet", |face| {
        face.contains("CORRECTION by Ada Okonkwo")
    });
    terminal.press("p");
    terminal.until("the pause", |face| face.reversed() == NOBODY);
    for key in ["430", "Tab", "Tab", "12", "Enter"] {
        terminal.press(key);
    }
    let face = terminal.until("White's new time and moves", |face| {
        face.left_digits().as_deref() == Some("4:30") && face[18].contains("12 moves")
    });
    assert_eq!(face.reversed(), NOBODY);
    terminal.press("p");
    terminal.until("Black's clock running again", |face| {
        face.reversed() == BLACK
    });
    terminal.press("Escape");
    terminal.until("the sheet gone", |face| !face.contains("CORRECTION"));
    terminal.press("j");
    terminal.until("White's half reversed", |face| face.reversed() == WHITE);
    hub.restart();
    terminal.until("the hub back", |face| face.contains("hub ✓"));
    // White's clock was already running when the hub was killed. The move counts show that the presses made since then have arrived.
    let board = hub.until("1", |board| {
        board["white"]["moves"] == 12 && board["running"] == "white"
    });
    assert_eq!(board["black"]["moves"], 1);
    let white = board["plan"][0]["white_us"].as_i64().unwrap();
    assert!((269_000_000..=270_000_000).contains(&white), "{white}");
    hub.flagfall(&["ctl", "pause", "1"]);
    let face = terminal.until("the hub's own pause", |face| {
        face.contains("PAUSED BY THE ARBITER") && face.reversed() == NOBODY
    });
    let board = hub.until("1", |board| board["running"] == "none");
    let white = board["plan"][0]["white_us"].as_i64().unwrap();
    let shown = (white + 999_999) / 1_000_000;
    let shown = format!("{}:{:02}", shown / 60, shown % 60);
    assert_eq!(face.left_digits(), Some(shown));

    let lines = hub.flagfall(&["ctl", "log", "1"]);
    let replayed = hub.replayed();
    for line in [
        "“pause” by Ada Okonkwo, at the clock",
        "“set white 270s” by Ada Okonkwo, at the clock",
        "corrected at the clock by Ada Okonkwo, without a connection to the hub: moves white 12",
    ] {
        assert!(lines.contains(line), "{lines}");
        assert!(replayed.contains(line), "{replayed}");
    }
    assert!(!replayed.contains("471108"));
}

#[test]
fn a_killed_clock_continues_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let hub = Hub::start(folder.path());
    let terminal = started(&hub, folder.path());
    terminal.press("f");
    terminal.until("Black's half reversed", |face| face.reversed() == BLACK);
    let before = hub.until("1", |board| board["running"] == "black");

    terminal.kill_and_restart(folder.path());
    terminal.until("the clock again", |face| {
        face.reversed() == BLACK && face.contains("hub ✓") && face[18].starts_with(" 1 move ")
    });
    terminal.press("j");
    terminal.until("White's half reversed", |face| face.reversed() == WHITE);
    let after = hub.until("1", |board| board["running"] == "white");
    assert_eq!(after["black"]["moves"], 1);
    // White's clock was stopped throughout. Black's kept running while the clock's program was down.
    assert_eq!(after["plan"][0]["white_us"], before["plan"][0]["white_us"]);
    let black = |board: &serde_json::Value| board["plan"][0]["black_us"].as_i64().unwrap();
    let used = black(&before) - black(&after);
    let between = after["plan"][0]["from_us"].as_i64().unwrap()
        - before["plan"][0]["from_us"].as_i64().unwrap();
    // `between` includes two estimates by the hub, whereas `used` depends only on the clock's crystal.
    assert!((used - between).abs() < 50_000, "{used} of {between} us");
}

fn started(hub: &Hub, folder: &std::path::Path) -> Terminal {
    hub.flagfall(&["ctl", "add", "1", "10m"]);
    let terminal = Terminal::start(folder, &hub.code("1"));
    terminal.until("the board before the game", |face| {
        face.contains("Ready. 10 min") && face.contains("hub ✓")
    });
    hub.flagfall(&["ctl", "start", "1"]);
    terminal.until("White's half reversed", |face| face.reversed() == WHITE);
    terminal
}

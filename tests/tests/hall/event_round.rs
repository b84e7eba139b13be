//! One round of an event with the real programs. A report with round 1 paired is imported, clocks play the games, an arbiter enters the results, and
//! the standings are shown live. Then the next round arrives in the pairing program's folder, and the report is exported.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]
#![expect(
    clippy::print_stdout,
    reason = "how long results take is told beside the limit"
)]

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use proto::event::BoardState;
use proto::grpc::{TournamentUpdate, WatchTournamentRequest};
use serde_json::Value;
use tests::rig::{Addresses, Arbiter, Cli, HubProcess, page_json, program, until};
use tests::stopwatch::Stopwatch;
use timing::Side;
use tournament::formats::draft::import_file;
use tournament::{GameResult, Outcome, PlayerNo, RoundNo};

const PATIENCE: Duration = Duration::from_secs(120);
const BOARDS: usize = 4;
const ROUND_1: [(u16, u16); BOARDS] = [(1, 5), (6, 2), (3, 7), (8, 4)];
const ROUND_2: [(u16, u16); BOARDS] = [(2, 1), (4, 3), (5, 8), (7, 6)];

/// Returns a report of eight players in which these rounds are paired but have no results.
fn report(rounds: &[[(u16, u16); BOARDS]]) -> String {
    let mut text = String::from(
        "012 Harbour Rapid\r\n022 Bergen\r\n042 2026/11/20\r\n062 8\r\n142 5\r\n152 W\r\n192 FIDE_DUTCH_2025\r\n\
         202 BH/C1,BH,SB\r\n222 180+2\r\nXYZ a line of another program\r\n",
    );
    for no in 1..=8 {
        let name = format!(
            "Player, {}",
            char::from(b'A' - 1 + u8::try_from(no).unwrap())
        );
        let rating = 2400 - 50 * no;
        let mut line = format!("001 {no:>4}      {name:<33} {rating:>4}");
        line = format!("{line:<80} 0.0 {no:>4}");
        for round in rounds {
            let (opponent, colour) = round
                .iter()
                .find_map(|(white, black)| match no {
                    no if no == *white => Some((black, 'w')),
                    no if no == *black => Some((white, 'b')),
                    _ => None,
                })
                .unwrap();
            line += &format!("  {opponent:>4} {colour}  ");
        }
        text += &format!("{line}\r\n");
    }
    text
}

/// Simulated players at simulated clocks, in a separate process that is ended when this value is dropped.
struct Players(HubProcess);

impl Players {
    fn at_boards(cli: &Cli, dir: &Path) -> Self {
        let mut codes = String::new();
        for board in 1..=BOARDS {
            let board = board.to_string();
            codes += &cli.done(&["enrol", "--board", &board]).unwrap();
        }
        let file = dir.join("codes.txt");
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
        Self(HubProcess::spawn(&mut command).unwrap())
    }
}

#[track_caller]
fn all_boards(cli: &Cli, players: &Players, what: &str, is_so: impl Fn(&Value) -> bool) {
    let look = || {
        let boards = cli.json(&["ctl", "list"]).ok()?;
        (boards.len() == BOARDS && boards.iter().all(&is_so)).then_some(())
    };
    until(PATIENCE, what, look)
        .unwrap_or_else(|what| panic!("{what}; the clocks said: {}", players.0.said()));
}

fn status(cli: &Cli) -> Value {
    cli.json(&["event", "status"]).unwrap().remove(0)
}

/// Maximum time from the hub's reply to the arbiter until watchers have the result.
const SEEN_WITHIN: Duration = Duration::from_secs(1);

async fn heard(updates: &mut tonic::Streaming<TournamentUpdate>, board: u32) {
    let has_result = |state: &BoardState| {
        let no = state.pairing.as_ref().map(|pairing| pairing.board);
        no == Some(board) && state.result.is_some()
    };
    let come = async {
        loop {
            let update = updates.message().await.unwrap().unwrap();
            let mut rounds = update.rounds.iter();
            if rounds.any(|round| round.round == 1 && round.boards.iter().any(has_result)) {
                return;
            }
        }
    };
    let come = tokio::time::timeout(PATIENCE, come).await;
    come.unwrap_or_else(|_| panic!("no watcher heard of the result on board {board}"));
}

fn on_page(at: Addresses, board: u32) -> Option<()> {
    let page = page_json(at.http, "/live/event/rounds/1.json").ok()?;
    let boards = page["boards"].as_array()?;
    let line = boards.iter().find(|line| line["board"] == board)?;
    (!line["result"].is_null()).then_some(())
}

/// Enters a result. Measures how long after the hub's reply to the arbiter a watcher and the page have the result.
async fn enter(
    cli: &Cli,
    at: Addresses,
    updates: &mut tonic::Streaming<TournamentUpdate>,
    (board, result): (u32, &str),
) {
    let watch = Stopwatch::start();
    let page = tokio::task::spawn_blocking(move || {
        until(PATIENCE, "the result on the page", || on_page(at, board)).unwrap();
        watch.elapsed_us()
    });
    let (cli, words) = (cli.clone(), [board.to_string(), result.to_owned()]);
    let command = tokio::task::spawn_blocking(move || {
        cli.done(&["event", "result", &words[0], &words[1]])
            .unwrap();
        watch.elapsed_us()
    });
    let heard = async {
        heard(updates, board).await;
        watch.elapsed_us()
    };
    let (told, page, heard) = tokio::join!(command, page, heard);
    let (told, page) = (told.unwrap(), page.unwrap());
    let after = |seen: i64| Duration::from_micros((seen - told).max(0).unsigned_abs());
    println!(
        "board {board}: {result} stands after {told} us; a watcher had it after {heard} us, the page after {page} us"
    );
    assert!(
        after(heard) <= SEEN_WITHIN,
        "board {board}: heard {:?} late",
        after(heard)
    );
    assert!(
        after(page) <= SEEN_WITHIN,
        "board {board}: shown {:?} late",
        after(page)
    );
}

/// Makes Black's flag fall on board 1 and calls it as the arbiter. The clock then proposes a result, but does not enter it.
fn flag_is_called(cli: &Cli) {
    let done = |arguments: &[&str]| (cli.run(arguments).ok()?.code == Some(0)).then_some(());
    // A press may arrive between reading the board and sending the command. The hub then refuses the command, so repeat it.
    let no_time = || done(&["ctl", "set", "1", "black", "1ms"]);
    until(PATIENCE, "Black to have no time left", no_time).unwrap();
    let called = || done(&["ctl", "flag", "1", "black"]);
    until(PATIENCE, "Black's flag to be called", called).unwrap();
    let proposed = || {
        let boards = cli.json(&["event", "round", "show", "1"]).ok()?;
        (boards[0]["proposed"] == "1-0").then(|| boards[0].clone())
    };
    let board = until(PATIENCE, "what the clock proposes", proposed).unwrap();
    assert!(
        board["why"]
            .as_str()
            .unwrap()
            .starts_with("Black's flag has fallen"),
        "{board}"
    );
    assert!(board["result"].is_null(), "{board}");
    assert_eq!(status(cli)["paired"][0]["proposed"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_round_from_the_pairing_program_to_the_report() {
    let (dir, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let flagfall = program("flagfall").unwrap();
    let watched = folder.path().to_str().unwrap();
    let settings = ["--watch-folder", watched, "--watch-every", "50ms"];
    let mut hub = HubProcess::start(&flagfall, dir.path(), None, &settings).unwrap();
    let at = hub.ready(PATIENCE).unwrap();
    let cli = Cli::new(&flagfall, at.listen, dir.path());

    let file = dir.path().join("harbour.trf");
    std::fs::write(&file, report(&[ROUND_1])).unwrap();
    cli.done(&["event", "open", file.to_str().unwrap()])
        .unwrap();
    assert_eq!(status(&cli)["paired"][0]["boards"], BOARDS);
    let players = set_and_start(&cli, dir.path());
    let arbiter = Arbiter::connect(at.listen, dir.path()).await.unwrap();
    results(&cli, at, &arbiter).await;
    all_boards(
        &cli,
        &players,
        "the clocks of decided games to stand",
        |board| board["running"] == "none",
    );
    next_round(&cli, folder.path());

    // The exported report is complete, and it is the same after the hub has been killed and restarted.
    let out = cli.done(&["event", "export"]).unwrap();
    check_report(&out);
    drop(players);
    hub.kill().unwrap();
    let mut hub = HubProcess::start(&flagfall, dir.path(), Some(at), &settings).unwrap();
    hub.ready(PATIENCE).unwrap();
    assert_eq!(cli.done(&["event", "export"]).unwrap(), out);
    assert_eq!(hub.stop().and_then(|ended| ended.code()), Some(0));
}

#[track_caller]
fn set_and_start(cli: &Cli, dir: &Path) -> Players {
    let said = cli.run(&["event", "preset", "1", "--json"]).unwrap();
    assert_eq!(
        said.code,
        Some(1),
        "boards without clocks are listed: {said:?}"
    );
    let missing = said.out.matches(r#""state":"no clock""#).count();
    assert_eq!(missing, BOARDS, "{said:?}");
    let players = Players::at_boards(cli, dir);
    let set = || (cli.run(&["event", "preset", "1"]).ok()?.code == Some(0)).then_some(());
    until(PATIENCE, "every clock to be set", set)
        .unwrap_or_else(|what| panic!("{what}; the clocks said: {}", players.0.said()));
    all_boards(cli, &players, "control and names at all boards", |board| {
        board["online"] == true && board["control"] == "3m+2s" && board["white"]["name"] != ""
    });
    assert_eq!(status(cli)["paired"][0]["state"], "clocks set");
    cli.done(&["event", "start", "1"]).unwrap();
    all_boards(cli, &players, "moves at all boards", |board| {
        board["white"]["moves"].as_u64() > Some(0) && board["black"]["moves"].as_u64() > Some(0)
    });
    players
}

async fn results(cli: &Cli, at: Addresses, arbiter: &Arbiter) {
    let answer = arbiter
        .event()
        .watch_tournament(WatchTournamentRequest {})
        .await;
    let mut updates = answer.unwrap().into_inner();
    let said = cli.run(&["event", "round", "confirm", "1"]).unwrap();
    assert_eq!(said.code, Some(1), "{said:?}");
    flag_is_called(cli);
    for board in [(1, "1-0"), (2, "1/2"), (3, "0-1")] {
        enter(cli, at, &mut updates, board).await;
    }
    let live = cli.json(&["event", "standings"]).unwrap();
    assert_eq!(
        (&live[0]["number"], &live[0]["points"]),
        (&1.into(), &"1.0".into())
    );
    assert_eq!(live[0]["provisional"], true);
    enter(cli, at, &mut updates, (4, "-:+")).await;
    let reason = ["--reason", "the slip was read the wrong way round"];
    cli.done(&[&["event", "result", "3", "1-0"][..], &reason].concat())
        .unwrap();
    cli.done(&["event", "round", "confirm", "1"]).unwrap();
    assert_eq!(status(cli)["paired"][0]["state"], "confirmed");
    same_standings(cli, at);
}

fn next_round(cli: &Cli, folder: &Path) {
    let written = folder.join("harbour.new");
    std::fs::write(&written, report(&[ROUND_1, ROUND_2])).unwrap();
    std::fs::rename(written, folder.join("harbour.trf")).unwrap();
    let news = || Some(status(cli)["news"].as_array()?.first()?.clone());
    let news = until(PATIENCE, "news of the folder", news).unwrap();
    assert_eq!(news["file"], "harbour.trf");
    cli.done(&["event", "import", "--watched", "--yes"])
        .unwrap();
    assert_eq!(status(cli)["paired"][1]["boards"], BOARDS);
    assert_eq!(status(cli)["paired"][0]["state"], "confirmed");
}

fn same_standings(cli: &Cli, at: Addresses) {
    let told = cli.json(&["event", "standings"]).unwrap();
    let told: Vec<&Value> = told.iter().map(|row| &row["number"]).collect();
    let look = || {
        let page = page_json(at.http, "/live/event/standings.json").ok()?;
        let rows = page["rows"].as_array()?;
        let shown: Vec<&Value> = rows.iter().map(|row| &row["no"]).collect();
        (shown == told).then_some(())
    };
    until(PATIENCE, "the same standings on the page", look).unwrap();
}

fn check_report(text: &str) {
    assert!(text.contains("XYZ a line of another program"), "{text}");
    let draft = import_file(text.as_bytes())
        .unwrap_or_else(|faults| panic!("{faults}\n{text}"))
        .draft;
    let results = |round: u16| -> Vec<_> {
        let boards = draft.rounds[&RoundNo(round)].boards.values();
        boards
            .map(|seats| (seats.white.unwrap().0, seats.black.unwrap().0, seats.result))
            .collect()
    };
    let came = [
        GameResult::played(Outcome::Win),
        GameResult::played(Outcome::Draw),
        GameResult::played(Outcome::Win),
        GameResult::forfeit(Side::Black),
    ];
    let expected: Vec<_> = ROUND_1
        .into_iter()
        .zip(came)
        .map(|((white, black), result)| (white, black, Some(result)))
        .collect();
    assert_eq!(results(1), expected);
    let mut next: Vec<_> = results(2)
        .iter()
        .map(|(white, black, _)| (*white, *black))
        .collect();
    next.sort_unstable();
    assert_eq!(next, ROUND_2);
    assert_eq!(draft.players[&PlayerNo(8)].rating, Some(2000));
}

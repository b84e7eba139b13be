//! Benchmarks of the hub's start, which verifies, refolds and indexes the log of a whole event, and of replaying a game from that log.
//!
//! `cargo bench -p tests --bench refold` plays an event of nine rounds on 200 boards into a real log on the disk. It opens the log as a hub does, in
//! five processes. It prints the processor time of each of the two threads in the fastest start, with the limit. Then it replays one game each of the
//! first, a middle and the last round up to its middle moment, as a running hub does. It prints the slowest time and fails if a limit is exceeded.
//!
//! `-- --presses 550` makes about a million records, and `-- --boards 1000 --presses 1100` about ten million. Other programs on the machine mostly
//! affect the elapsed time, which is not judged for the start.
#![expect(clippy::print_stdout, reason = "a command line program")]

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context as _, anyhow, bail};
use clap::Parser;
use durable_log::{CommitHandle, Log, Options, Submission};
use hall::replay::RecordIndex;
use proto::wire;
use tests::prompt_hall::{PromptHall, board_id};
use tests::stopwatch::{self, Stopwatch};
use timing::Duration;
use tournament::{
    BoardNo, Change, Event, GameResult, Outcome as Score, Pairing, Pairings, Player, PlayerNo,
    RoundNo,
};

#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

const CONTROL: &str = "90m+30s";
const LIMIT_US_PER_MILLION: i64 = 3_000_000;
const MIN_LIMIT_US: i64 = 2_000_000;
const REPLAY_LIMIT_US: i64 = 1_000_000;
/// The fastest start counts, because other work on the machine only adds time.
const RUNS: usize = 5;

/// Measures the hub's start on the log of a whole event.
#[derive(Parser)]
struct Arguments {
    /// The number of boards.
    #[arg(long, default_value_t = 200)]
    boards: u16,
    /// The number of rounds.
    #[arg(long, default_value_t = 9)]
    rounds: u16,
    /// The number of presses in a game.
    #[arg(long, default_value_t = 100)]
    presses: u32,
    /// Measure a single start on the log in this directory.
    #[arg(long, hide = true)]
    start: Option<PathBuf>,
    /// Ignored: cargo passes this flag to every benchmark.
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> anyhow::Result<ExitCode> {
    let arguments = Arguments::parse();
    if let Some(dir) = &arguments.start {
        let start = Start::here(dir)?;
        println!(
            "{} {} {} {}",
            start.records, start.fold_us, start.read_us, start.elapsed_us
        );
        return Ok(ExitCode::SUCCESS);
    }
    let dir = tempfile::tempdir_in(tests::tidy::root().join("target"))?;
    let played = play(&arguments, dir.path())?;
    // Each start runs in a separate process, so that none reuses memory that an earlier one has allocated.
    let mut starts = Vec::new();
    for _ in 0..RUNS {
        let start = Start::in_a_process(dir.path())?;
        println!(
            "start: {} s of the fold, {} s of reading ahead of it, {} s elapsed",
            seconds(start.fold_us),
            seconds(start.read_us),
            seconds(start.elapsed_us)
        );
        if start.records != played {
            bail!("{played} records were played, {} folded", start.records);
        }
        starts.push(start);
    }
    let least = starts
        .iter()
        .min_by_key(|start| start.fold_us.max(start.read_us));
    let &Start {
        fold_us,
        read_us,
        elapsed_us,
        ..
    } = least.context("no start was measured")?;
    let records = i64::try_from(played)?;
    let limit_us = MIN_LIMIT_US.max(records * LIMIT_US_PER_MILLION / 1_000_000);
    let held = fold_us.max(read_us) <= limit_us;
    println!(
        "{} rounds on {} boards, {records} records: folded in {} s, the fastest of {RUNS} starts; {} s elapsed, affected by other programs on the machine",
        arguments.rounds,
        arguments.boards,
        seconds(fold_us.max(read_us)),
        seconds(elapsed_us)
    );
    println!(
        "processor time: {} s of the fold, {} s of reading and verifying ahead of it; each at most {} s: {}",
        seconds(fold_us),
        seconds(read_us),
        seconds(limit_us),
        if held { "ok" } else { "MISSED" }
    );
    let log = opened(dir.path())?;
    let (_, index) = hub::replay::fold_indexed(&log)?;
    let replayed = replay(&arguments, &log, &index)?;
    Ok(if held && replayed {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

struct Start {
    records: u64,
    fold_us: i64,
    read_us: i64,
    elapsed_us: i64,
}

impl Start {
    fn here(dir: &Path) -> anyhow::Result<Self> {
        let (watch, fold_us, all_us) = (
            Stopwatch::start(),
            stopwatch::cpu_us(),
            stopwatch::process_cpu_us(),
        );
        let (hall, _) = hub::replay::fold_indexed(&opened(dir)?)?;
        let fold_us = stopwatch::cpu_us() - fold_us;
        Ok(Self {
            records: hall.records(),
            fold_us,
            read_us: stopwatch::process_cpu_us() - all_us - fold_us,
            elapsed_us: watch.elapsed_us(),
        })
    }

    /// Opens and folds the log in a separate process, and parses the figures that it prints.
    fn in_a_process(dir: &Path) -> anyhow::Result<Self> {
        let program = std::env::current_exe()?;
        let output = Command::new(program).arg("--start").arg(dir).output()?;
        let said = String::from_utf8(output.stdout)?;
        let figures: Vec<i64> = said
            .split_whitespace()
            .map(str::parse)
            .collect::<Result<_, _>>()?;
        let [records, fold_us, read_us, elapsed_us] = figures[..] else {
            bail!(
                "a start failed: {}",
                String::from_utf8_lossy(&output.stderr)
            );
        };
        Ok(Self {
            records: records.try_into()?,
            fold_us,
            read_us,
            elapsed_us,
        })
    }
}

fn opened(dir: &Path) -> anyhow::Result<Log> {
    let options = Options {
        verify: false,
        ..Options::default()
    };
    Ok(Log::open_with(dir, options)?)
}

/// Replays three games up to their middle moments. Prints the slowest time, and returns true if it is within the limit.
fn replay(arguments: &Arguments, log: &Log, index: &RecordIndex) -> anyhow::Result<bool> {
    let (mut slowest_us, mut most) = (0, 0);
    for (board, round) in [
        (1, 1),
        (arguments.boards / 2 + 1, arguments.rounds / 2 + 1),
        (arguments.boards, arguments.rounds),
    ] {
        let watch = Stopwatch::start();
        let board = board_id(board)?;
        let place = index.find(&board, 0, round.into())?;
        let records = hub::replay::records_at(&log.reader(), &index.needed(&board, place))?;
        let timeline = hall::replay::game(&records, &board, place.game)?;
        let middle = timeline.moments.get(timeline.moments.len() / 2);
        let at_us = middle.context("a game without moments")?.at_us;
        let standing = timeline.at(at_us).context("an instant before the game")?;
        std::hint::black_box(standing);
        slowest_us = watch.elapsed_us().max(slowest_us);
        most = records.len().max(most);
    }
    let held = slowest_us <= REPLAY_LIMIT_US;
    println!(
        "replay of a game to an instant: at most {} s elapsed, from at most {most} records; limit {} s: {}",
        seconds(slowest_us),
        seconds(REPLAY_LIMIT_US),
        if held { "ok" } else { "MISSED" }
    );
    Ok(held)
}

fn seconds(us: i64) -> String {
    format!("{:.2}", us as f64 / 1e6)
}

fn play(arguments: &Arguments, dir: &Path) -> anyhow::Result<u64> {
    let log = Log::open(dir)?;
    let commit = log.into_commit(|_| (), |error| println!("{error}"))?;
    let mut hall = PromptHall::start(|records| submit(&commit, records))?;
    let mut event = Event::new("Large Open", arguments.rounds);
    event.time_control_code = "5400+30".to_owned();
    let mut changes = vec![Change::SetEvent(Box::new(event))];
    changes.extend((1..=arguments.boards * 2).map(|no| {
        let player = Player::new(PlayerNo(no), &format!("Player, {no}"));
        Change::EnterPlayer(Box::new(player))
    }));
    hall.change(changes)?;
    for number in 1..=arguments.boards {
        hall.add_board(number, CONTROL)?;
    }
    for round in 1..=arguments.rounds {
        play_round(&mut hall, arguments, RoundNo(round))?;
    }
    drop(hall);
    let (records, _) = commit.close()?;
    Ok(records)
}

fn submit(commit: &CommitHandle<()>, records: Vec<Vec<u8>>) -> anyhow::Result<()> {
    while commit.backlog() > durable_log::QUEUE_CAPACITY / 2 {
        std::thread::yield_now();
    }
    let submission = Submission {
        records,
        effects: (),
    };
    commit
        .submit(submission)
        .map_err(|refused| anyhow!("{refused}"))
}

fn play_round<K: FnMut(Vec<Vec<u8>>) -> anyhow::Result<()>>(
    hall: &mut PromptHall<K>,
    arguments: &Arguments,
    round: RoundNo,
) -> anyhow::Result<()> {
    let boards = arguments.boards;
    let opponent = |seat: u16| boards + 1 + (seat - 1 + round.0) % boards;
    let pairings = Pairings {
        boards: (1..=boards)
            .map(|no| Pairing::new(BoardNo(no), PlayerNo(no), PlayerNo(opponent(no))))
            .collect(),
        ..Pairings::default()
    };
    hall.change(vec![Change::PairRound(round, Box::new(pairings))])?;
    hall.set_clocks(round, CONTROL)?;
    let between_presses = Duration::from_micros(1_000_000 / i64::from(boards));
    for press in 0..arguments.presses {
        for board in 1..=boards {
            hall.now = hall.now + between_presses;
            if press == 40 && board.is_multiple_of(10) {
                for command in ["pause", "add white 2m", "resume white"] {
                    hall.command(board, command)?;
                }
            }
            let button = match press % 2 {
                0 => wire::Button::Left,
                _ => wire::Button::Right,
            };
            hall.press(board, button)?;
        }
    }
    for board in 1..=boards {
        let score = [Score::Win, Score::Draw, Score::Loss][usize::from((board + round.0) % 3)];
        let result = GameResult::played(score);
        hall.now = hall.now + Duration::from_micros(100_000);
        let enter = Change::Enter(round, BoardNo(board), result, String::new());
        hall.change(vec![enter])?;
    }
    hall.change(vec![Change::Confirm(round)])
}

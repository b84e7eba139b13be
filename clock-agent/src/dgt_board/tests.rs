//! Tests of the board's bytes and the moves derived from them.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use rustix::pty::OpenptFlags;
use timing::Instant;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::{BoardReader, Outage, Tracker, connect, serve};
use crate::time_source::TimeSource;

/// The squares of the starting position from a8 to h1, as a board sends them.
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

struct Bench {
    reader: BoardReader,
    tracker: Tracker,
    squares: [u8; 64],
    turned: bool,
    now_ms: i64,
}

impl Bench {
    fn new() -> Self {
        Self::lying(false)
    }

    fn lying(turned: bool) -> Self {
        let mut bench = Self {
            reader: BoardReader::default(),
            tracker: Tracker::new(),
            squares: START,
            turned,
            now_ms: 0,
        };
        bench.dump();
        bench
    }

    fn send(&mut self, bytes: &[u8]) {
        for byte in bytes {
            if let Some(pieces) = self.reader.push(*byte) {
                self.tracker
                    .on_pieces(pieces, Instant::from_micros(self.now_ms * 1_000));
            }
        }
    }

    fn dump(&mut self) {
        let mut squares = self.squares;
        if self.turned {
            squares.reverse();
        }
        let mut message = vec![0x86, 0, 67];
        message.extend(squares);
        self.send(&message);
    }

    fn put(&mut self, square: &str, code: u8) {
        let index = index_of(square);
        self.squares[index] = code;
        let sent = if self.turned { 63 - index } else { index };
        self.send(&[0x8e, 0, 5, u8::try_from(sent).unwrap(), code]);
    }

    fn lift(&mut self, square: &str) -> u8 {
        let code = self.squares[index_of(square)];
        self.put(square, 0);
        code
    }

    fn slide(&mut self, from: &str, to: &str) {
        let code = self.lift(from);
        self.put(to, code);
    }

    /// Advances the simulated time. Returns the moves if they have changed.
    fn wait(&mut self, ms: i64) -> Option<String> {
        self.now_ms += ms;
        let moves = self
            .tracker
            .settled(Instant::from_micros(self.now_ms * 1_000));
        moves.map(|moves| moves.join(" "))
    }
}

fn index_of(square: &str) -> usize {
    let [file, rank] = square.as_bytes() else {
        panic!("{square}")
    };
    usize::from(b'8' - rank) * 8 + usize::from(file - b'a')
}

#[test]
fn a_move_counts_once_its_pieces_lie_still() {
    for turned in [false, true] {
        let mut bench = Bench::lying(turned);
        bench.slide("e2", "e4");
        assert_eq!(bench.wait(400), None);
        assert_eq!(bench.wait(100).as_deref(), Some("e2e4"));
        assert_eq!(bench.wait(5_000), None);
        bench.slide("g8", "f6");
        assert_eq!(bench.wait(500).as_deref(), Some("e2e4 g8f6"));
    }
}

#[test]
fn a_piece_on_its_way_leaves_no_move_behind() {
    let mut bench = Bench::new();
    bench.slide("e2", "e3");
    assert_eq!(bench.wait(100), None);
    bench.slide("e3", "e4");
    assert_eq!(bench.wait(450), None);
    assert_eq!(bench.wait(50).as_deref(), Some("e2e4"));
    let piece = bench.lift("d7");
    assert_eq!(bench.wait(2_000), None);
    bench.put("d7", piece);
    assert_eq!(bench.wait(2_000), None);
}

#[test]
fn castling_capture_en_passant_and_promotion_are_found() {
    let mut bench = Bench::new();
    for (from, to) in [("e2", "e4"), ("a7", "a6"), ("e4", "e5"), ("d7", "d5")] {
        bench.slide(from, to);
        bench.wait(600);
    }
    // En passant: the captured pawn is taken off last.
    bench.slide("e5", "d6");
    assert_eq!(bench.wait(2_000), None);
    bench.lift("d5");
    let moves = bench.wait(600).unwrap();
    assert!(moves.ends_with("d7d5 e5d6"), "{moves}");
    for (from, to) in [
        ("b7", "b5"),
        ("g1", "f3"),
        ("b8", "c6"),
        ("f1", "e2"),
        ("h7", "h6"),
    ] {
        bench.slide(from, to);
        bench.wait(600);
    }
    // The rook moves first, which looks like a complete move until the king follows.
    bench.slide("h1", "f1");
    assert!(bench.wait(600).unwrap().ends_with("h7h6 h1f1"));
    bench.slide("e1", "g1");
    assert!(bench.wait(600).unwrap().ends_with("h7h6 e1g1"));
    bench.slide("a6", "a5");
    bench.wait(600);
    bench.slide("d6", "c7");
    assert!(bench.wait(600).unwrap().ends_with("a6a5 d6c7"));
    bench.slide("a5", "a4");
    bench.wait(600);
    bench.lift("c7");
    bench.put("d8", 3);
    assert!(bench.wait(600).unwrap().ends_with("a5a4 c7d8n"));
}

#[test]
fn two_quick_moves_are_told_apart_and_moves_are_taken_back() {
    let mut bench = Bench::new();
    bench.slide("e2", "e4");
    bench.slide("e7", "e5");
    assert_eq!(bench.wait(500).as_deref(), Some("e2e4 e7e5"));
    bench.slide("e5", "e7");
    assert_eq!(bench.wait(500).as_deref(), Some("e2e4"));
    // Back to the starting position, for the next game.
    bench.slide("e4", "e2");
    assert_eq!(bench.wait(500).as_deref(), Some(""));
    bench.slide("d2", "d4");
    assert_eq!(bench.wait(500).as_deref(), Some("d2d4"));
}

#[test]
fn noise_and_other_messages_are_passed_over() {
    let mut bench = Bench::new();
    // In order: a DGT clock's message, a truncated one, too long a length, no header, an unknown square, too short a length.
    bench.send(&[0x8d, 0, 10, 1, 2, 3, 4, 5, 6, 7]);
    bench.send(&[0x86, 0, 67, 1, 2, 3]);
    bench.send(&[0x86, 0x7f, 0x7f, 0, 0]);
    bench.send(&[1, 2, 3]);
    bench.send(&[0x8e, 0, 5, 64, 1]);
    bench.send(&[0x8e, 0, 2, 1, 1]);
    assert_eq!(bench.wait(2_000), None);
    bench.slide("b1", "c3");
    assert_eq!(bench.wait(500).as_deref(), Some("b1c3"));
    // Once it is plugged in again, the board reports all its pieces.
    bench.squares[index_of("g8")] = 0;
    bench.squares[index_of("f6")] = 9;
    bench.dump();
    assert_eq!(bench.wait(500).as_deref(), Some("b1c3 g8f6"));
}

#[test]
fn an_unplugged_board_ends_the_connection() {
    let cable = rustix::pty::openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    rustix::pty::grantpt(&cable).unwrap();
    rustix::pty::unlockpt(&cable).unwrap();
    let port = rustix::pty::ptsname(&cable, Vec::new()).unwrap();
    let board = connect(&PathBuf::from(port.into_string().unwrap())).unwrap();
    let time = Arc::new(TimeSource::resume(None, 0, b"boot"));
    let (inputs, _given) = mpsc::channel(1);
    let stop = CancellationToken::new();
    let (sender, ended) = std::sync::mpsc::channel();
    let stopped = stop.clone();
    std::thread::spawn(move || {
        let end = serve(&board, &mut Tracker::new(), &time, &inputs, &stopped);
        let _ = sender.send(end);
    });
    drop(cable);
    let end = ended.recv_timeout(Duration::from_secs(20));
    stop.cancel();
    assert!(matches!(end, Ok(Err(_))), "{end:?}");
}

#[test]
fn only_the_first_failure_of_an_outage_is_logged() {
    let mut outage = Outage::default();
    let attempts: Vec<bool> = (0..4).map(|_| outage.begins()).collect();
    assert_eq!(attempts, [true, false, false, false]);
    outage.ended();
    assert!(outage.begins());
}

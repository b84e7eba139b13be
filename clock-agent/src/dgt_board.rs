//! A DGT board on a serial port. The agent derives the game's moves from the pieces on the board and sends them to the hub.
//!
//! Owns the port and its thread. Must never know the clock: a move on the board changes no time.

mod tracker;
mod wire;

pub use tracker::Tracker;
pub use wire::{BoardReader, Change, Pieces};

use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rustix::fs::{Mode, OFlags};
use rustix::termios::{OptionalActions, SpecialCodeIndex};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::core::Input;
use crate::time_source::TimeSource;

/// Command to the board to report each change of a square.
const UPDATE_BOARD: u8 = 0x44;
/// Command to the board to report all its squares.
const SEND_BOARD: u8 = 0x42;
const BAUD: u32 = 9_600;
/// Maximum wait for bytes, in tenths of a second. A settled move is noticed at most this much later.
const READ_TIMEOUT: u8 = 1;
const RETRY_DELAY: Duration = Duration::from_secs(2);

/// Starts a thread that follows the board on `port` until `stop` is cancelled. If the board is unplugged, the thread retries until the board is
/// connected again.
///
/// # Errors
/// Returns an error if the system cannot start a thread.
pub fn follow(
    port: PathBuf,
    time: Arc<TimeSource>,
    inputs: mpsc::Sender<Input>,
    stop: CancellationToken,
) -> io::Result<()> {
    let followed = move || {
        let mut tracker = Tracker::new();
        let mut outage = Outage::default();
        while !stop.is_cancelled() {
            let ended = connect(&port).and_then(|board| {
                outage.ended();
                serve(&board, &mut tracker, &time, &inputs, &stop)
            });
            if let Err(error) = ended
                && outage.begins()
            {
                tracing::warn!(port = %port.display(), "no connection to the DGT board, retrying: {error}");
            }
            std::thread::park_timeout(RETRY_DELAY);
        }
    };
    std::thread::Builder::new()
        .name("dgt-board".to_owned())
        .spawn(followed)?;
    Ok(())
}

/// An outage of the board, of which only the first failed attempt is logged.
#[derive(Debug, Default)]
struct Outage {
    logged: bool,
}

impl Outage {
    /// Returns true for the first failure since the last connection.
    fn begins(&mut self) -> bool {
        !std::mem::replace(&mut self.logged, true)
    }

    fn ended(&mut self) {
        self.logged = false;
    }
}

fn connect(port: &Path) -> io::Result<OwnedFd> {
    let board = open(port)?;
    rustix::io::write(&board, &[UPDATE_BOARD, SEND_BOARD])?;
    tracing::info!(port = %port.display(), "following the DGT board");
    Ok(board)
}

fn serve(
    board: &OwnedFd,
    tracker: &mut Tracker,
    time: &TimeSource,
    inputs: &mpsc::Sender<Input>,
    stop: &CancellationToken,
) -> io::Result<()> {
    let mut reader = BoardReader::default();
    let mut bytes = [0; 256];
    while !stop.is_cancelled() {
        let got = rustix::io::read(board, &mut bytes)?;
        if got == 0 {
            // Either no byte arrived in time, or the board is unplugged. In the latter case, every read returns immediately, and only
            // other calls fail.
            rustix::termios::tcgetattr(board)?;
        }
        for byte in &bytes[..got] {
            if let Some(pieces) = reader.push(*byte) {
                tracker.on_pieces(pieces, time.now());
            }
        }
        if let Some(moves) = tracker.settled(time.now())
            && inputs.blocking_send(Input::BoardMoves(moves)).is_err()
        {
            return Ok(());
        }
    }
    Ok(())
}

/// Opens a serial port in raw mode at 9600 baud.
fn open(port: &Path) -> io::Result<OwnedFd> {
    let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
    let board = rustix::fs::open(port, flags, Mode::empty())?;
    let mut line = rustix::termios::tcgetattr(&board)?;
    line.make_raw();
    line.set_speed(BAUD)?;
    line.special_codes[SpecialCodeIndex::VMIN] = 0;
    line.special_codes[SpecialCodeIndex::VTIME] = READ_TIMEOUT;
    rustix::termios::tcsetattr(&board, OptionalActions::Now, &line)?;
    Ok(board)
}

#[cfg(test)]
mod tests;

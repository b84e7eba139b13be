//! A spectator who follows `/live/events` over plain HTTP and records when each byte arrives.
//!
//! Owns one connection and a thread that reads it. Parses only at the end, so that reading never falls behind.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::thread::JoinHandle;

use serde::Deserialize;

use crate::stopwatch::raw_us;

pub struct Watcher {
    socket: TcpStream,
    reader: JoinHandle<Vec<(i64, Vec<u8>)>>,
}

#[derive(Debug)]
pub struct Seen {
    /// Arrival time of the change's last byte on CLOCK_MONOTONIC_RAW, in microseconds.
    pub at_us: i64,
    pub board: String,
    /// Moves that White and Black have completed, added together.
    pub moves: u32,
}

#[derive(Deserialize)]
struct Change {
    board: Option<ChangedBoard>,
}

#[derive(Deserialize)]
struct ChangedBoard {
    board: String,
    white: Side,
    black: Side,
}

#[derive(Deserialize)]
struct Side {
    moves: u32,
}

impl Watcher {
    pub fn start(http: SocketAddr) -> std::io::Result<Self> {
        let mut socket = TcpStream::connect(http)?;
        socket.write_all(
            b"GET /live/events HTTP/1.0\r\nHost: hall\r\nAccept: text/event-stream\r\n\r\n",
        )?;
        let mut from = socket.try_clone()?;
        let reader = std::thread::spawn(move || {
            let (mut chunks, mut buffer) = (Vec::new(), vec![0; 1 << 16]);
            while let Ok(length @ 1..) = from.read(&mut buffer) {
                chunks.push((raw_us(), buffer[..length].to_vec()));
            }
            chunks
        });
        Ok(Self { socket, reader })
    }

    /// Disconnects and returns the changes to boards in order of arrival.
    ///
    /// # Errors
    /// Returns an error if the socket fails, the reading thread panicked, or no change was received.
    pub fn stop(self) -> anyhow::Result<Vec<Seen>> {
        self.socket.shutdown(Shutdown::Both)?;
        let chunks = self
            .reader
            .join()
            .map_err(|_| anyhow::anyhow!("the spectator's thread panicked"))?;
        let (mut seen, mut line) = (Vec::new(), Vec::new());
        for (at_us, chunk) in chunks {
            for byte in chunk {
                if byte != b'\n' {
                    line.push(byte);
                    continue;
                }
                if let Some(data) = line.strip_prefix(b"data: ")
                    && let Ok(Change {
                        board: Some(changed),
                    }) = serde_json::from_slice(data)
                {
                    let moves = changed.white.moves + changed.black.moves;
                    seen.push(Seen {
                        at_us,
                        board: changed.board,
                        moves,
                    });
                }
                line.clear();
            }
        }
        anyhow::ensure!(!seen.is_empty(), "the live page showed nothing");
        Ok(seen)
    }
}

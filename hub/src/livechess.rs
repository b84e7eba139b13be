//! DGT boards through LiveChess, DGT's program on the machine to which the boards are connected.
//!
//! Owns the messages of LiveChess's local WebSocket, and decides how the moves on a board change a game's score. Must know nothing of a hub:
//! `cli::livechess` connects the two.

mod follower;
mod message;

pub use follower::Follower;
pub use message::{Message, NoMessage, ask_for_boards, subscribe};

/// URL of LiveChess's WebSocket, for a program on the same machine.
pub const ADDRESS: &str = "ws://127.0.0.1:1982/api/v1.0";

//! The English words for commands, sides and states in records and lists.

use timing::{BoardState, Command, Side};

/// Formats a command for a refusal or a list, without the contents of a restored snapshot.
pub(crate) fn display_text(command: &Command) -> String {
    if let Command::Restore(_) = command {
        return "restore".to_owned();
    }
    command.to_string()
}

pub(crate) fn state_word(state: BoardState) -> &'static str {
    match state {
        BoardState::Ready => "ready",
        BoardState::Running { .. } => "running",
        BoardState::Paused { .. } => "paused",
        BoardState::Stopped { .. } => "stopped",
        BoardState::Flagged { .. } => "flagged",
        BoardState::Over => "over",
    }
}

pub(crate) fn capital(side: Side) -> &'static str {
    match side {
        Side::White => "White",
        Side::Black => "Black",
    }
}

pub(crate) fn draw_odds(side: Option<Side>, actor: &str) -> String {
    match side {
        Some(side) => format!("draw odds given to {} by {actor}", capital(side)),
        None => format!("draw odds removed by {actor}"),
    }
}

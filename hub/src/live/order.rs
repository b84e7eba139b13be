//! The order of boards: by number first, then by name, so that board 10 follows board 9.

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct BoardOrder {
    /// `u64::MAX` for names that do not begin with a number below 2^64.
    number: u64,
    name: Box<str>,
}

impl BoardOrder {
    pub(crate) fn of(board: &str) -> Self {
        let digits = board
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(board.len());
        Self {
            number: board[..digits].parse().unwrap_or(u64::MAX),
            name: board.into(),
        }
    }
}

//! The moves of a game with the clocks after them: `1. e4 {[%clk 1:30:12] [%emt 0:00:18]}` (supplement of 2001 to the
//! PGN standard).

use std::collections::BTreeMap;
use std::fmt::Write as _;

use derive_more::Display;
use timing::{Duration, Side, TimeControl};

use super::games::PgnTarget;
use crate::formats::wording::joined;

/// The known moves and clocks of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Played {
    /// The moves in SAN, White's first.
    pub san: Vec<String>,
    /// The moves of a game that does not follow the rules of chess; `None` for chess.
    pub variant: Option<Variant>,
    /// The clocks after the presses, by move number and side.
    pub presses: BTreeMap<(u32, Side), Press>,
    /// The time control with which the game began.
    pub control: Option<TimeControl>,
    /// The termination of the game; `None` if it is unknown.
    pub termination: Option<Termination>,
}

/// The moves of a game that does not follow the rules of chess, with the name of its rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant {
    /// The name of the rules, for the tag `Variant`.
    pub name: &'static str,
    /// The moves with their comments.
    pub movetext: String,
}

/// The clock of a side after its press.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Press {
    /// Time left, including any time added for the move.
    pub left: Duration,
    /// Time used for the move.
    pub used: Duration,
}

/// The termination of a game (PGN 9.8.1).
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
#[expect(missing_docs, reason = "the text of a variant is the standard's word")]
pub enum Termination {
    #[display("normal")]
    Normal,
    #[display("time forfeit")]
    TimeForfeit,
    #[display("rules infraction")]
    RulesInfraction,
    #[display("unterminated")]
    Unterminated,
}

impl Played {
    pub(super) fn has_moves(&self) -> bool {
        self.variant.is_some() || !self.san.is_empty()
    }
}

impl Press {
    /// Returns the content of a comment with the clock after the move and the time used for it.
    pub fn comment(&self, target: PgnTarget) -> String {
        let (left, used) = (clock(self.left, target), clock(self.used, target));
        format!("[%clk {left}] [%emt {used}]")
    }
}

/// Writes the moves, each followed by a space. Without moves, writes the clocks as a comment for people. Writes neither
/// that comment nor a variant's moves for Lichess, which shows no clock without a move and knows few variants.
pub(super) fn movetext(played: &Played, target: PgnTarget) -> String {
    let mut text = String::new();
    match (&played.variant, target) {
        (Some(variant), PgnTarget::Standard) => return format!("{} ", variant.movetext),
        (None, PgnTarget::Standard) if played.san.is_empty() => return clocks_alone(played),
        (Some(_), PgnTarget::Lichess) => return text,
        (None, PgnTarget::Standard | PgnTarget::Lichess) => (),
    }
    let mut parted = true;
    for (index, san) in played.san.iter().enumerate() {
        let number = u32::try_from(index / 2 + 1).unwrap_or(u32::MAX);
        let side = Side::BOTH[index % 2];
        // Writing into a `String` cannot fail.
        let _ = match (side, parted) {
            (Side::White, _) => write!(text, "{number}. "),
            // A comment separates the two moves.
            (Side::Black, true) => write!(text, "{number}... "),
            (Side::Black, false) => Ok(()),
        };
        let _ = write!(text, "{san} ");
        let press = played.presses.get(&(number, side));
        parted = press.is_some();
        if let Some(press) = press {
            let _ = write!(text, "{{{}}} ", press.comment(target));
        }
    }
    text
}

fn clocks_alone(played: &Played) -> String {
    if played.presses.is_empty() {
        return String::new();
    }
    let presses = played.presses.iter().map(|((number, side), press)| {
        let dots = match side {
            Side::White => ".",
            Side::Black => "...",
        };
        format!("{number}{dots} {}", clock(press.left, PgnTarget::Standard))
    });
    let presses = joined(presses, ", ");
    format!("{{Clocks after the presses; the moves are not known: {presses}}} ")
}

/// Formats a time, rounded down: `1:30:12`, for Lichess `1:30:12.4`. A negative time is written as zero.
fn clock(time: Duration, target: PgnTarget) -> String {
    let tenths = time.as_micros().max(0) / 100_000;
    let seconds = tenths / 10;
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    let whole = format!("{hours}:{minutes:02}:{:02}", seconds % 60);
    match target {
        PgnTarget::Standard => whole,
        PgnTarget::Lichess => format!("{whole}.{}", tenths % 10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(san: &[&str], presses: &[(u32, Side, i64, i64)]) -> Played {
        let press = |&(number, side, left, used)| {
            let press = Press {
                left: Duration::from_millis(left),
                used: Duration::from_millis(used),
            };
            ((number, side), press)
        };
        Played {
            san: san.iter().map(|san| (*san).to_owned()).collect(),
            presses: presses.iter().map(press).collect(),
            ..Played::default()
        }
    }

    #[test]
    fn a_move_is_followed_by_its_clock() {
        let game = played(
            &["e4", "e5", "Nf3", "Nc6"],
            &[
                (1, Side::White, 5_412_640, 17_360),
                (1, Side::Black, 5_410_000, 20_000),
                (2, Side::White, -5, 5_441_000),
            ],
        );
        assert_eq!(
            movetext(&game, PgnTarget::Standard),
            "1. e4 {[%clk 1:30:12] [%emt 0:00:17]} 1... e5 {[%clk 1:30:10] [%emt 0:00:20]} \
             2. Nf3 {[%clk 0:00:00] [%emt 1:30:41]} 2... Nc6 "
        );
        assert!(
            movetext(&game, PgnTarget::Lichess)
                .starts_with("1. e4 {[%clk 1:30:12.6] [%emt 0:00:17.3]}")
        );
        assert_eq!(
            movetext(&played(&["e4", "e5"], &[]), PgnTarget::Standard),
            "1. e4 e5 "
        );
    }

    #[test]
    fn clocks_without_moves_are_a_comment_that_lichess_never_gets() {
        let game = played(
            &[],
            &[
                (1, Side::White, 5_412_640, 17_360),
                (1, Side::Black, 5_400_000, 0),
            ],
        );
        assert_eq!(
            movetext(&game, PgnTarget::Standard),
            "{Clocks after the presses; the moves are not known: 1. 1:30:12, 1... 1:30:00} "
        );
        assert_eq!(movetext(&game, PgnTarget::Lichess), "");
    }

    #[test]
    fn a_variant_has_its_own_moves_that_lichess_never_gets() {
        let mut game = played(&[], &[(1, Side::Black, 5_400_000, 0)]);
        game.variant = Some(Variant {
            name: "Time Chess",
            movetext: "1... e5 {[%clk 1:30:00] [%emt 0:00:00]}".to_owned(),
        });
        assert_eq!(
            movetext(&game, PgnTarget::Standard),
            "1... e5 {[%clk 1:30:00] [%emt 0:00:00]} "
        );
        assert_eq!(movetext(&game, PgnTarget::Lichess), "");
    }
}

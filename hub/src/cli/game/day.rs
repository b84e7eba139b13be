//! Shows the board of a game of Time Chess as one viewer saw it: every change, or the diagram at an instant.

use hall::replay::{DayMoment, Timeline};

use crate::cli::hall_time::HallTime;
use crate::cli::output::{Result, failed, say};

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(in crate::cli) enum Sees {
    /// White's view
    White,
    /// Black's view
    Black,
    /// The pieces that both players saw
    Spectators,
    /// The whole board
    All,
}

impl Sees {
    fn pieces(self, moment: &DayMoment) -> &str {
        match self {
            Self::White => &moment.pieces.white,
            Self::Black => &moment.pieces.black,
            Self::Spectators => &moment.pieces.spectators,
            Self::All => &moment.pieces.all,
        }
    }
}

pub(super) fn show(
    timeline: &Timeline,
    sees: Sees,
    at_us: Option<i64>,
    time: &HallTime,
) -> Result<()> {
    if timeline.days.is_empty() {
        return Err(failed!(
            "this is not a game of Time Chess: leave out --sees"
        ));
    }
    let Some(at_us) = at_us else {
        for moment in &timeline.days {
            let turn = match (sees, moment.turn.as_str()) {
                (Sees::All, turn) => turn,
                (Sees::White | Sees::Black | Sees::Spectators, _) => "",
            };
            let waits = if moment.moved { "moved" } else { "" };
            say!(
                "{}  {:<8}  {waits:<5}  {:<40}  {turn}",
                time.time_of_day(moment.at_us),
                moment.phase,
                sees.pieces(moment),
            )?;
        }
        return Ok(());
    };
    let moment = timeline.days.iter().rfind(|moment| moment.at_us <= at_us);
    let moment = moment.ok_or_else(|| failed!("the game had not begun at that time"))?;
    say!("{}", moment.phase)?;
    for line in diagram(sees.pieces(moment)) {
        say!("{line}")?;
    }
    Ok(())
}

/// Draws the first field of a FEN as a diagram with White at the bottom.
fn diagram(pieces: &str) -> Vec<String> {
    let ranks = pieces.split('/').zip((1..=8).rev());
    let mut lines: Vec<String> = ranks
        .map(|(rank, number)| {
            let squares = rank.chars().flat_map(|piece| match piece.to_digit(10) {
                Some(free) => vec!['.'; usize::try_from(free).unwrap_or(0)],
                None => vec![piece],
            });
            let squares: Vec<String> = squares.map(String::from).collect();
            format!("{number}  {}", squares.join(" "))
        })
        .collect();
    lines.push("   a b c d e f g h".to_owned());
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diagram_has_eight_ranks_and_the_files() {
        let lines = diagram("rnbqkbnr/pppp1ppp/8/4p3/8/8/8/8");
        assert_eq!(lines[0], "8  r n b q k b n r");
        assert_eq!(lines[1], "7  p p p p . p p p");
        assert_eq!(lines[8], "   a b c d e f g h");
    }
}

//! `flagfall event result` and `forfeit-match`: enter results of games, and forfeits of matches. Owns the words `none` and
//! `adjourned`, and the form of a result with both scores, such as `402:377`. `tournament` reads all other results and decides which are valid.

use super::super::output::{Result, usage};
use super::hub::{Hub, board};
use tournament::formats::table::result_text::{self, Cell};
use tournament::{BoardNo, Change, Game, GameResult, MatchNo, RoundNo, Side, Tally};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall event result 7 1-0
  flagfall event result 7 1/2 --round 3
  flagfall event result 7 +:-                           Black did not come
  flagfall event result 7 -:-                           neither player came
  flagfall event result 7 \"0-1 unrated\" --reason \"entered the wrong way round\"
  flagfall event result 7 402:377                       the players' scores, in Scrabble or Othello
  flagfall event result 7 adjourned
  flagfall event result 7 none --reason \"they play on\"   remove the result")]
pub(super) struct Args {
    /// The board's number in its round
    board: u16,
    /// The result: 1-0, 0-1, 1/2 (also 0.5-0.5, =), +:-, -:+, -:-, adjourned, none, or both scores (402:377)
    #[arg(allow_hyphen_values = true)]
    result: String,
    /// The round [default: the first round with a missing result, else the last paired round]
    #[arg(long, value_name = "ROUND")]
    round: Option<u16>,
    /// Reason for the result, kept in the log; required to replace a result
    #[arg(long, default_value = "")]
    reason: String,
}

pub(super) async fn enter(hub: &mut Hub, args: &Args) -> Result<()> {
    let now = hub.now().await?;
    let (round, paired) = now.round(args.round)?;
    let at = board(round, paired, args.board)?;
    let no = BoardNo(args.board);
    let reason = args.reason.clone();
    let (change, said) = match result(&args.result, now.tournament.event().game)? {
        Some(result) => (Change::Enter(round, no, result, reason), result.label()),
        None => (
            Change::RemoveResult(round, no, reason),
            "no result".to_owned(),
        ),
    };
    let before = match at.result.map(GameResult::label) {
        Some(before) if before == said => ", as before".to_owned(),
        Some(before) => format!(" (was {before})"),
        None => String::new(),
    };
    let words = format!(
        "round {round}, board {no}, {}: {said}{before}",
        now.seats(at)
    );
    hub.apply(&now, &args.reason, &[change], &words).await
}

/// Parses a result as an arbiter types it; `None` for the word `none`.
fn result(text: &str, game: Game) -> Result<Option<GameResult>> {
    match text.trim().to_lowercase().as_str() {
        "none" => return Ok(None),
        "adjourned" | "adj" | "adj." => return Ok(Some(GameResult::Adjourned)),
        _ => (),
    }
    let counts = match game {
        Game::Chess => None,
        Game::Scrabble | Game::Othello => tally(text),
    };
    if let Some(tally) = counts {
        return Ok(Some(GameResult::counted(tally)));
    }
    match result_text::read(text) {
        Some(Cell::Game(result)) => Ok(Some(result)),
        Some(Cell::Open) | None => Err(usage!(
            "{text:?} is not a result: write 1-0, 0-1, 1/2, +:-, -:+, -:-, adjourned, none{}",
            match game {
                Game::Chess => "",
                Game::Scrabble | Game::Othello => ", or both scores, such as 402:377",
            }
        )),
    }
}

fn tally(text: &str) -> Option<Tally> {
    let (white, black) = text.split_once([':', '-'])?;
    Some(Tally {
        white: white.trim().parse().ok()?,
        black: black.trim().parse().ok()?,
    })
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall event forfeit-match 3 white --round 2    match 3: the team with White on board 1 wins by forfeit
  flagfall event forfeit-match 3 none               remove the forfeit")]
pub(super) struct ForfeitArgs {
    /// The match's number in its round
    number: u16,
    /// The team that wins the match by forfeit
    #[arg(value_enum)]
    winner: Winner,
    /// The round [default: the first round with a missing result, else the last paired round]
    #[arg(long, value_name = "ROUND")]
    round: Option<u16>,
    /// Reason for the forfeit, kept in the log
    #[arg(long, default_value = "")]
    reason: String,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Winner {
    /// The team that has White on the first board
    White,
    /// The team that has Black on the first board
    Black,
    /// Neither team: both forfeit
    Neither,
    /// No forfeit: the match was or will be played
    None,
}

pub(super) async fn forfeit(hub: &mut Hub, args: &ForfeitArgs) -> Result<()> {
    let now = hub.now().await?;
    let (round, _): (RoundNo, _) = now.round(args.round)?;
    let (forfeit, said) = match args.winner {
        Winner::White => (Some(Some(Side::White)), "the first team wins by forfeit"),
        Winner::Black => (Some(Some(Side::Black)), "the second team wins by forfeit"),
        Winner::Neither => (Some(None), "both teams forfeit"),
        Winner::None => (None, "not forfeited"),
    };
    let change = Change::ForfeitMatch(round, MatchNo(args.number), forfeit);
    let words = format!("round {round}, match {}: {said}", args.number);
    hub.apply(&now, &args.reason, &[change], &words).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::output::Failure;
    use tournament::Outcome;

    #[test]
    fn results_are_read_as_arbiters_type_them() {
        let read = |text| result(text, Game::Chess).unwrap();
        assert_eq!(read("1-0"), Some(GameResult::played(Outcome::Win)));
        assert_eq!(read("½-½"), Some(GameResult::played(Outcome::Draw)));
        assert_eq!(read("1/2"), Some(GameResult::played(Outcome::Draw)));
        assert_eq!(read("-:+"), Some(GameResult::forfeit(Side::Black)));
        assert_eq!(read("--"), Some(GameResult::DOUBLE_FORFEIT));
        assert_eq!(read("Adjourned"), Some(GameResult::Adjourned));
        assert_eq!(read("none"), None);
        for wrong in ["", "*", "2-1", "402:377", "win"] {
            assert!(
                matches!(result(wrong, Game::Chess), Err(Failure::Usage(_))),
                "{wrong}"
            );
        }
        let scrabble = result("402:377", Game::Scrabble).unwrap();
        let tally = Tally {
            white: 402,
            black: 377,
        };
        assert_eq!(scrabble, Some(GameResult::counted(tally)));
        assert_eq!(
            result("+:-", Game::Othello).unwrap(),
            Some(GameResult::forfeit(Side::White))
        );
    }
}

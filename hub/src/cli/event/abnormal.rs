//! `flagfall event points`: bonuses, penalties and different points for a result (TRF record 299). Owns the command line.

use super::super::output::{Failure, Result, failed, print};
use super::hub::{Hub, Now};
use super::pairing_rules::{named, participant};
use tournament::fold::{MAX_PLAYER_NO, MAX_ROUNDS};
use tournament::{AbnormalPoints, Change, Contest, Points, ResultKind, RoundNo};

#[derive(Debug, clap::Args)]
#[command(
    group = clap::ArgGroup::new("amount").args(["bonus", "penalty", "worth"]),
    after_help = "Examples:
  flagfall event points 7 --penalty 1 --round 3       take one point from player 7 in round 3
  flagfall event points 7 --penalty 0.5 --round 3     take half a point instead
  flagfall event points 7 9 --bonus 0.5 --round 3     give players 7 and 9 half a point each
  flagfall event points --worth +=0.5                 count a forfeit win as half a point, in every round and for everyone
  flagfall event points 7 --round 3 --remove          remove the penalty
  flagfall event points                               list them

The standings and the pairing program count these points, and the report lists them under record type 299. In a team event the numbers are team
numbers, and the points are match points.")]
pub(super) struct Args {
    /// The players' numbers, or the teams' numbers in a team event [default: everyone]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=i64::from(MAX_PLAYER_NO)))]
    numbers: Vec<u16>,
    /// Add these points
    #[arg(long, value_name = "POINTS", value_parser = positive, requires = "numbers", requires = "round")]
    bonus: Option<Points>,
    /// Deduct these points
    #[arg(long, value_name = "POINTS", value_parser = positive, requires = "numbers", requires = "round")]
    penalty: Option<Points>,
    /// Set the points of a result, such as W=3: W, D or L of a game, + or - of a forfeit, F, H or Z of a bye
    #[arg(long, value_name = "RESULT=POINTS", value_parser = worth, allow_hyphen_values = true)]
    worth: Option<(ResultKind, Points)>,
    /// The round [default: every round]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=i64::from(MAX_ROUNDS)))]
    round: Option<u16>,
    /// In a team event: change game points instead of match points
    #[arg(long, requires = "amount")]
    game_points: bool,
    /// Remove the entry for exactly these participants and this round (or for every round)
    #[arg(long, conflicts_with = "amount")]
    remove: bool,
    /// Reason for the change, kept in the log
    #[arg(long, default_value = "")]
    reason: String,
}

fn positive(text: &str) -> Result<Points, String> {
    let points = Points::parse(text).filter(|points| *points > Points::ZERO);
    points.ok_or_else(|| "write positive points such as 1 or 0.5".to_owned())
}

fn worth(text: &str) -> Result<(ResultKind, Points), String> {
    let (kind, points) = text
        .split_once('=')
        .ok_or("write RESULT=POINTS, such as W=3")?;
    let kind = kind_of(kind).ok_or("the result is one of W, D, L, +, -, F, H and Z")?;
    let points = Points::parse(points).ok_or("write points such as 1 or 0.5")?;
    Ok((kind, points))
}

fn kind_of(letter: &str) -> Option<ResultKind> {
    Some(match letter {
        "W" => ResultKind::Win,
        "D" => ResultKind::Draw,
        "L" => ResultKind::Loss,
        "+" => ResultKind::ForfeitWin,
        "-" => ResultKind::ForfeitLoss,
        "F" => ResultKind::FullBye,
        "H" => ResultKind::HalfBye,
        "Z" => ResultKind::ZeroBye,
        _ => return None,
    })
}

pub(super) async fn run(hub: &mut Hub, args: &Args) -> Result<()> {
    let now = hub.now().await?;
    let mut event = now.tournament.event().clone();
    let mut numbers = args.numbers.clone();
    numbers.sort_unstable();
    numbers.dedup();
    for no in &numbers {
        participant(&now, *no)?;
    }
    let round = args.round.map(RoundNo);
    let given = if let Some(given) = asked(args, event.contest, round, &numbers) {
        given
    } else if args.remove {
        let before = event.abnormal_points.len();
        let same = |given: &AbnormalPoints| given.round == round && given.participants == numbers;
        event.abnormal_points.retain(|given| !same(given));
        if event.abnormal_points.len() == before {
            let listed = "`flagfall event points` lists the entries";
            return Err(failed!(
                "no entry is for exactly these participants and this round: {listed}"
            ));
        }
        let words = format!("{}{}: as scored", of(&now, &numbers), in_round(round));
        let change = Change::SetEvent(Box::new(event));
        return hub.apply(&now, &args.reason, &[change], &words).await;
    } else if numbers.is_empty() && round.is_none() {
        return list(&now);
    } else {
        let words = "no points given: add --bonus, --penalty, --worth or --remove";
        return Err(Failure::Usage(words.to_owned()));
    };
    let words = describe(&now, &given);
    let before = event.abnormal_points.clone();
    event
        .abnormal_points
        .retain(|known| !is_replaced_by(known, &given));
    event.abnormal_points.push(given);
    if event.abnormal_points == before {
        return Err(failed!("nothing changes: {words}"));
    }
    let change = Change::SetEvent(Box::new(event));
    hub.apply(&now, &args.reason, &[change], &words).await
}

fn is_replaced_by(known: &AbnormalPoints, given: &AbnormalPoints) -> bool {
    known.replaces == given.replaces
        && known.round == given.round
        && known.participants == given.participants
        && known.match_points.is_some() == given.match_points.is_some()
        && known.points.is_some() == given.points.is_some()
}

fn asked(
    args: &Args,
    contest: Contest,
    round: Option<RoundNo>,
    numbers: &[u16],
) -> Option<AbnormalPoints> {
    let bonus = args.bonus.map(|points| (None, points));
    let penalty = args.penalty.map(|points| (None, -points));
    let worth = args.worth.map(|(kind, points)| (Some(kind), points));
    let (replaces, amount) = bonus.or(penalty).or(worth)?;
    let matches = matches!(contest, Contest::Teams { .. }) && !args.game_points;
    let (match_points, points) = match matches {
        true => (Some(amount), None),
        false => (None, Some(amount)),
    };
    Some(AbnormalPoints {
        replaces,
        match_points,
        points,
        round,
        participants: numbers.to_vec(),
    })
}

fn list(now: &Now) -> Result<()> {
    let all = &now.tournament.event().abnormal_points;
    if all.is_empty() {
        return print(
            "there are no bonuses and no penalties, and every result has the event's points",
        );
    }
    all.iter().try_for_each(|given| print(describe(now, given)))
}

pub(super) fn describe(now: &Now, given: &AbnormalPoints) -> String {
    let unit = match now.tournament.event().contest {
        Contest::Individual => "points",
        Contest::Teams { .. } => "game points",
    };
    let parts = [(given.match_points, "match points"), (given.points, unit)];
    let amounts = parts.iter().filter_map(|(points, unit)| {
        let points = (*points)?;
        Some(match given.replaces {
            Some(_) => format!("{points} {unit}"),
            None if points < Points::ZERO => format!("penalty of {} {unit}", -points),
            None => format!("bonus of {points} {unit}"),
        })
    });
    let amounts = amounts.collect::<Vec<_>>().join(", ");
    let result = given.replaces.map_or("", words_of);
    let who = of(now, &given.participants);
    format!("{who}{}: {result}{amounts}", in_round(given.round))
}

const fn words_of(kind: ResultKind) -> &'static str {
    match kind {
        ResultKind::Win => "a win is ",
        ResultKind::Draw => "a draw is ",
        ResultKind::Loss => "a loss is ",
        ResultKind::ForfeitWin => "a forfeit win is ",
        ResultKind::ForfeitLoss => "a forfeit loss is ",
        ResultKind::FullBye => "a full-point bye is ",
        ResultKind::HalfBye => "a half-point bye is ",
        ResultKind::ZeroBye => "a zero-point bye is ",
    }
}

fn of(now: &Now, numbers: &[u16]) -> String {
    if numbers.is_empty() {
        return "everyone".to_owned();
    }
    named(now, numbers)
}

fn in_round(round: Option<RoundNo>) -> String {
    round.map_or_else(
        || " in every round".to_owned(),
        |no| format!(" in round {no}"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_and_points_are_read() {
        let half = Points::HALF;
        assert_eq!(worth("+=0.5"), Ok((ResultKind::ForfeitWin, half)));
        assert_eq!(worth("W=3"), Ok((ResultKind::Win, Points::whole(3))));
        for wrong in ["W", "U=1", "WW=1", "=1", "W=x"] {
            assert!(worth(wrong).is_err(), "{wrong}");
        }
        assert_eq!(positive("0.5"), Ok(half));
        for wrong in ["0", "-1", "x"] {
            assert!(positive(wrong).is_err(), "{wrong}");
        }
    }
}

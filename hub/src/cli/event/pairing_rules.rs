//! `flagfall event forbid` and `accelerate`: rules for pairing. Owns the command line.

use super::super::output::{Failure, Result, failed, print, tell};
use super::hub::{Hub, Now};
use tournament::fold::{MAX_PLAYER_NO, MAX_ROUNDS};
use tournament::{Change, Contest, Event, Forbidden, PlayerNo, RoundNo, Scoring, System, TeamNo};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall event forbid 3 9                  never pair players 3 and 9
  flagfall event forbid 3 9 12               never pair any two of these three
  flagfall event forbid 3 9 --rounds 1-5     not pair them in the first five rounds
  flagfall event forbid 3 9 --lift           allow players 3 and 9 to meet again
  flagfall event forbid                      list the forbidden pairs

In a team event the numbers are team numbers. The hub passes the forbidden pairs to the pairing program. If a forbidden pair is seated by
hand or by a file, the hub accepts it with a remark.")]
pub(super) struct ForbidArgs {
    /// The players' numbers, or the teams' numbers in a team event
    #[arg(value_parser = clap::value_parser!(u16).range(1..=i64::from(MAX_PLAYER_NO)))]
    numbers: Vec<u16>,
    /// Forbid the pairs only in these rounds [default: all rounds]
    #[arg(long, value_name = "FROM-TO", value_parser = rounds)]
    rounds: Option<(RoundNo, RoundNo)>,
    /// Permit these pairs again
    #[arg(long, conflicts_with = "rounds", requires = "numbers")]
    lift: bool,
    /// Reason for the change, kept in the log
    #[arg(long, default_value = "")]
    reason: String,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall event accelerate baku     use the Baku acceleration (FIDE C.04.5.1); announce it before the event
  flagfall event accelerate none")]
pub(super) struct AccelerateArgs {
    /// The method of acceleration
    #[arg(value_enum)]
    how: Acceleration,
    /// Reason for the change, kept in the log
    #[arg(long, default_value = "")]
    reason: String,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Acceleration {
    /// Give the first half of the players fictitious points in the first half of the rounds
    Baku,
    /// No acceleration
    None,
}

fn rounds(text: &str) -> Result<(RoundNo, RoundNo), String> {
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    let number = |text: &str| {
        let no = text.trim().parse().ok();
        no.filter(|no| (1..=MAX_ROUNDS).contains(no)).map(RoundNo)
    };
    match (number(from), number(to)) {
        (Some(from), Some(to)) if from <= to => Ok((from, to)),
        _ => Err("write rounds as FROM-TO, such as 1-5".to_owned()),
    }
}

pub(super) async fn forbid(hub: &mut Hub, args: &ForbidArgs) -> Result<()> {
    let now = hub.now().await?;
    let mut numbers = args.numbers.clone();
    numbers.sort_unstable();
    numbers.dedup();
    if numbers.is_empty() {
        return list(&now);
    }
    if numbers.len() < 2 {
        let words = "give at least two numbers, as in `flagfall event forbid 3 9`";
        return Err(Failure::Usage(words.to_owned()));
    }
    for no in &numbers {
        participant(&now, *no)?;
    }
    let mut event = now.tournament.event().clone();
    let names = named(&now, &numbers);
    let words = if args.lift {
        let before = event.forbidden.clone();
        event.forbidden = lifted(&before, &numbers);
        if event.forbidden == before {
            let words = format!("{names}: no pair of these is forbidden");
            return Err(Failure::Failed(words));
        }
        format!("{names}: may meet again")
    } else {
        let same = |rule: &Forbidden| rule.participants == numbers;
        event.forbidden.retain(|rule| !same(rule));
        event.forbidden.push(Forbidden {
            rounds: args.rounds.unwrap_or(Forbidden::ALL_ROUNDS),
            participants: numbers,
        });
        event
            .forbidden
            .last()
            .map_or(String::new(), |rule| describe(&now, rule))
    };
    let change = Change::SetEvent(Box::new(event));
    hub.apply(&now, &args.reason, &[change], &words).await
}

/// Returns `rules` with every pair among `numbers` permitted again. A rule that also names other participants is split into its remaining
/// pairs.
fn lifted(rules: &[Forbidden], numbers: &[u16]) -> Vec<Forbidden> {
    let mut kept = Vec::new();
    for rule in rules {
        let is_lifted = |no: &u16| numbers.contains(no);
        if rule.participants.iter().filter(|no| is_lifted(no)).count() < 2 {
            kept.push(rule.clone());
            continue;
        }
        let mut rest = rule.participants.as_slice();
        while let Some((one, others)) = rest.split_first() {
            let apart = others
                .iter()
                .filter(|other| !(is_lifted(one) && is_lifted(other)));
            kept.extend(apart.map(|other| Forbidden {
                rounds: rule.rounds,
                participants: vec![*one, *other],
            }));
            rest = others;
        }
    }
    kept
}

fn list(now: &Now) -> Result<()> {
    let rules = &now.tournament.event().forbidden;
    if rules.is_empty() {
        return print("no pair is forbidden");
    }
    rules.iter().try_for_each(|rule| print(describe(now, rule)))
}

pub(super) fn describe(now: &Now, rule: &Forbidden) -> String {
    let rounds = match rule.rounds {
        Forbidden::ALL_ROUNDS => String::new(),
        (from, to) => format!(" in rounds {from} to {to}"),
    };
    format!("{}: must not meet{rounds}", named(now, &rule.participants))
}

pub(super) fn named(now: &Now, numbers: &[u16]) -> String {
    let names = numbers
        .iter()
        .map(|no| match now.tournament.event().contest {
            Contest::Individual => format!("{no} {}", now.name(PlayerNo(*no))),
            Contest::Teams { .. } => {
                let team = now.tournament.teams().get(&TeamNo(*no));
                format!("{no} {}", team.map_or("", |team| team.name.as_str()))
            }
        });
    names.collect::<Vec<_>>().join(", ")
}

pub(super) fn participant(now: &Now, no: u16) -> Result<()> {
    match now.tournament.event().contest {
        Contest::Individual => now.player(no).map(|_| ()),
        Contest::Teams { .. } if now.tournament.teams().contains_key(&TeamNo(no)) => Ok(()),
        Contest::Teams { .. } => Err(failed!(
            "there is no team {no}: `flagfall event teams` lists the teams"
        )),
    }
}

pub(super) async fn accelerate(hub: &mut Hub, args: &AccelerateArgs) -> Result<()> {
    let now = hub.now().await?;
    let mut event = now.tournament.event().clone();
    let words = match args.how {
        Acceleration::Baku => {
            may_be_accelerated(&event).map_err(Failure::Failed)?;
            event.set_baku(true);
            "the first rounds are accelerated by the Baku method"
        }
        Acceleration::None => {
            event.set_baku(false);
            "no acceleration"
        }
    };
    if event == *now.tournament.event() {
        return Err(failed!("nothing changes: {words}"));
    }
    if now.tournament.last_round().is_some() {
        tell!(
            "please check: an acceleration must be announced before the first round (FIDE C.04.2)"
        );
    }
    let change = Change::SetEvent(Box::new(event));
    hub.apply(&now, &args.reason, &[change], words).await
}

/// Checks that the Baku method applies (FIDE C.04.5.1): an individual Swiss with one point for a win and half a point for a draw.
fn may_be_accelerated(event: &Event) -> Result<(), String> {
    if event.system != System::Swiss || event.contest != Contest::Individual {
        return Err("the Baku acceleration is only for an individual Swiss".to_owned());
    }
    if event.scoring != Scoring::STANDARD {
        let words = "the Baku acceleration needs one point for a win and half a point for a draw";
        return Err(words.to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(participants: &[u16]) -> Forbidden {
        Forbidden {
            rounds: Forbidden::ALL_ROUNDS,
            participants: participants.to_vec(),
        }
    }

    #[test]
    fn lifting_a_pair_keeps_the_other_pairs_of_its_rule() {
        let rules = [rule(&[3, 9, 12]), rule(&[1, 2])];
        let kept = lifted(&rules, &[3, 9]);
        assert_eq!(kept, [rule(&[3, 12]), rule(&[9, 12]), rule(&[1, 2])]);
        assert_eq!(lifted(&rules, &[3, 9, 12]), [rule(&[1, 2])]);
    }

    #[test]
    fn rounds_are_a_range() {
        assert_eq!(rounds("1-5"), Ok((RoundNo(1), RoundNo(5))));
        assert_eq!(rounds("3"), Ok((RoundNo(3), RoundNo(3))));
        for wrong in ["", "5-1", "0-2", "a-b", "1-201"] {
            assert!(rounds(wrong).is_err(), "{wrong}");
        }
    }
}

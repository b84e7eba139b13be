//! `flagfall event round`: shows, confirms, reopens, unpairs or reseats one round. Owns the messages.

use serde_json::json;
use timing::Side;

use super::super::output::{Result, Table, print, say};
use super::hub::{Hub, Now};
use super::seats;
use crate::api::messages::text;
use tournament::formats::table::result_text;
use tournament::round::BoardPhase;
use tournament::{Change, Match, MatchNo, PlayerNo, Round, RoundNo, RoundPhase, TeamNo};

#[derive(Debug, clap::Subcommand)]
#[command(after_help = "Examples:
  flagfall event round show                list the boards of the current round
  flagfall event round confirm 1
  flagfall event round reopen 1 --reason \"the arbiter of board 3 misheard\"
  flagfall event round unpair 2            withdraw the pairings before any game has begun
  flagfall event round reseat 2 7 14 3     round 2, board 7: seat player 14 as White, player 3 as Black
  flagfall event round reseat 2 21 40 12   seat a late arrival against the player with the bye, at a new board
  flagfall event round reseat 2 7 14 3 9 5 12   reseat boards 7 and 9 together
  flagfall event round swap 2 14 5         exchange players 14 and 5
  flagfall event round swap 2 14 5 --restart  even if their games have begun: set these aside and set the clocks again")]
pub(super) enum Command {
    /// List the boards of a round with their state and results
    Show {
        /// The round's number [default: the first round with a missing result, else the last paired round]
        round: Option<u16>,
    },
    /// Confirm every result of a finished round
    Confirm {
        /// The round's number [default: the first finished round that is not confirmed]
        round: Option<u16>,
    },
    /// Reopen a confirmed round
    Reopen {
        /// The round's number
        round: u16,
        /// Reason for reopening the round, kept in the log
        #[arg(long)]
        reason: String,
    },
    /// Withdraw the pairings of a round before any game starts
    Unpair {
        /// The round's number
        round: u16,
        /// Reason for withdrawing the pairings, kept in the log
        #[arg(long, default_value = "")]
        reason: String,
    },
    /// Change the players at boards, or add a board
    Reseat(seats::ReseatArgs),
    /// Exchange two players; either may have a bye instead of a board
    Swap(seats::SwapArgs),
}

pub(super) async fn run(hub: &mut Hub, command: Command) -> Result<()> {
    let now = hub.now().await?;
    match command {
        Command::Show { round } => show(hub, &now, round),
        Command::Confirm { round } => {
            let waits = now.unconfirmed().next().map(|no| no.0);
            let (no, _) = now.round(round.or(waits))?;
            let words = format!("round {no}: confirmed");
            hub.apply(&now, "", &[Change::Confirm(no)], &words).await
        }
        Command::Reopen { round, reason } => {
            let change = Change::Reopen(RoundNo(round), reason.clone());
            let words = format!("round {round}: open again");
            hub.apply(&now, &reason, &[change], &words).await
        }
        Command::Unpair { round, reason } => {
            let change = Change::Unpair(RoundNo(round));
            let words = format!("round {round}: no longer paired");
            hub.apply(&now, &reason, &[change], &words).await
        }
        Command::Reseat(args) => seats::reseat(hub, &now, &args).await,
        Command::Swap(args) => seats::swap(hub, &now, &args).await,
    }
}

fn show(hub: &Hub, now: &Now, round: Option<u16>) -> Result<()> {
    let (no, round) = now.round(round)?;
    if hub.json {
        for (board, at) in &round.boards {
            let proposed = at.proposed.as_ref();
            print(json!({
                "round": no.0, "board": board.0,
                "white": at.white.map(|no| no.0), "black": at.black.map(|no| no.0),
                "players": now.seats(at), "state": board_state(at.phase),
                "result": at.result.map(|_| result_text::write(at.result)),
                "proposed": proposed.map(|(result, _)| result_text::write(Some(*result))),
                "why": proposed.map(|(_, why)| why.to_string()),
            }))?;
        }
        for (no, paired) in &round.matches {
            if let Some(winner) = paired.forfeit {
                print(json!({
                    "match": no.0, "white": paired.white.0, "black": paired.black.0, "forfeited": true,
                    "winner": winner.map(|side| team_of(paired, side).0),
                }))?;
            }
        }
        let others = without_a_game(now, no, round);
        return match others.is_empty() {
            true => Ok(()),
            false => print(json!({"round": no.0, "without_a_game": others})),
        };
    }
    say!("round {no}: {}\n", state(round.phase()))?;
    print(boards(now, round))?;
    for line in forfeited(now, round) {
        say!("\n{line}")?;
    }
    match without_a_game(now, no, round).as_slice() {
        [] => Ok(()),
        others => say!("\nwithout a game: {}", others.join("; ")),
    }
}

fn forfeited(now: &Now, round: &Round) -> Vec<String> {
    let name = |no: TeamNo| {
        let team = now.tournament.teams().get(&no);
        team.map_or_else(|| format!("team {no}"), |team| team.name.clone())
    };
    let line = |(no, paired): (&MatchNo, &Match)| {
        let what = match paired.forfeit? {
            Some(side) => format!("forfeited, {} wins", name(team_of(paired, side))),
            None => "forfeited by both".to_owned(),
        };
        let (white, black) = (name(paired.white), name(paired.black));
        Some(format!("match {no}, {white} – {black}: {what}"))
    };
    round.matches.iter().filter_map(line).collect()
}

fn team_of(paired: &Match, side: Side) -> TeamNo {
    match side {
        Side::White => paired.white,
        Side::Black => paired.black,
    }
}

/// Returns the players without a board, each with the reason. In a team event, returns only those with a bye in the round's pairing.
fn without_a_game(now: &Now, no: RoundNo, round: &Round) -> Vec<String> {
    let teams = !now.tournament.teams().is_empty();
    let others = now.tournament.players().values().filter_map(|player| {
        let bye = now.tournament.bye_of(player.no, no)?;
        let why = if round.byes.contains_key(&player.no) {
            bye.words()
        } else if teams {
            return None;
        } else if player.bye_in(no).is_some() {
            bye.words()
        } else {
            "no opponent and no bye"
        };
        Some(format!("{} ({why})", player.name))
    });
    others.collect()
}

fn boards(now: &Now, round: &Round) -> String {
    let name = |player: Option<PlayerNo>| player.map_or(String::new(), |no| now.name(no));
    let boards: Vec<_> = round.boards.iter().collect();
    Table::of(&boards)
        .right("BOARD", |(no, _)| no.to_string())
        .right("NO", |(_, at)| text(at.white))
        .left("WHITE", |(_, at)| name(at.white))
        .right("NO", |(_, at)| text(at.black))
        .left("BLACK", |(_, at)| name(at.black))
        .left("STATE", |(_, at)| board_state(at.phase).to_owned())
        .left("RESULT", |(_, at)| match (at.result, &at.proposed) {
            (Some(result), _) => result.label(),
            (None, Some((result, why))) => format!("{} proposed: {why}", result.label()),
            (None, None) => String::new(),
        })
        .to_string()
}

fn board_state(phase: BoardPhase) -> &'static str {
    match phase {
        BoardPhase::Paired => "paired",
        BoardPhase::Preset => "clock set",
        BoardPhase::Started => "started",
        BoardPhase::Running => "running",
        BoardPhase::Finished => "finished",
    }
}

pub(super) fn state(phase: RoundPhase) -> &'static str {
    match phase {
        RoundPhase::Paired => "paired",
        RoundPhase::Preset => "clocks set",
        RoundPhase::Started => "started",
        RoundPhase::Running => "running",
        RoundPhase::Finished => "finished",
        RoundPhase::Confirmed => "confirmed",
    }
}

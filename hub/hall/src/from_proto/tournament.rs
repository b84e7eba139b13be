//! Decodes messages of the log and the services into the event's types. Each function returns either a complete value
//! or the reason why there is none; the event decides whether a change is allowed.

mod entries;
mod state;

use proto::event as wire;

use super::{BadInput, bad};
use crate::same_variants::SameVariants;
use tournament::{
    Actor, ActorKind, BoardNo, Bye, Change, Date, GameResult, Match, MatchNo, Outcome, Pairing,
    Pairings, PlayerNo, ProposalReason, Renumbering, Reseating, RoundNo, Scope, Side, Tally,
    TeamNo,
};

pub use entries::{event, player, team};
pub use state::tournament;

/// Decodes one change.
///
/// # Errors
/// Returns an error that describes the invalid part of the change.
pub fn change(change: wire::Change) -> Result<Change, BadInput> {
    use wire::change::What;
    let what = change
        .what
        .ok_or_else(|| bad("a change of a kind this version does not know"))?;
    Ok(match what {
        What::SetEvent(event) => Change::SetEvent(Box::new(self::event(event)?)),
        What::EnterPlayer(player) => Change::EnterPlayer(Box::new(self::player(player)?)),
        What::RemovePlayer(player) => Change::RemovePlayer(player_no(player)?),
        What::Withdraw(left) => {
            Change::Withdraw(player_no(left.player)?, round_no(left.last_round)?)
        }
        What::ReturnPlayer(player) => Change::ReturnPlayer(player_no(player)?),
        What::GrantBye(granted) => Change::GrantBye(
            player_no(granted.player)?,
            round_no(granted.round)?,
            Bye::decoded(granted.bye()),
        ),
        What::EnterTeam(team) => Change::EnterTeam(Box::new(self::team(team)?)),
        What::Renumber(numbers) => Change::Renumber(Box::new(renumbering(numbers)?)),
        What::RemoveTeam(team) => Change::RemoveTeam(TeamNo(number(team, "a team")?)),
        What::PairRound(paired) => {
            Change::PairRound(round_no(paired.round)?, Box::new(pairings(paired)?))
        }
        What::Unpair(round) => Change::Unpair(round_no(round)?),
        What::Reseat(seats) => reseat(&seats)?,
        What::RemoveBoards(removed) => remove_boards(removed)?,
        What::Preset(at) => Change::Preset(round_no(at.round)?, board_no(at.board)?),
        What::Start(start) => Change::Start(
            round_no(start.round)?,
            match start.scope {
                None => Scope::All,
                Some(wire::start::Scope::Board(board)) => Scope::Board(board_no(board)?),
                Some(wire::start::Scope::Sector(name)) => Scope::Sector(name),
            },
        ),
        What::FirstPress(at) => Change::FirstPress(round_no(at.round)?, board_no(at.board)?),
        What::Propose(said) => {
            let kind = said.proposal_reason();
            let (round, board, result, why) = board_result(said)?;
            Change::Propose(round, board, result, proposal_reason(kind, why))
        }
        What::Enter(said) => {
            let (round, board, result, reason) = board_result(said)?;
            Change::Enter(round, board, result, reason)
        }
        What::TakeBack(back) => {
            Change::RemoveResult(round_no(back.round)?, board_no(back.board)?, back.reason)
        }
        What::ForfeitMatch(lost) => Change::ForfeitMatch(
            round_no(lost.round)?,
            MatchNo(number(lost.r#match, "a match")?),
            forfeit(lost.forfeit)?,
        ),
        What::StateStandings(said) => {
            let stated = said.standings.map(state::stated).transpose()?;
            Change::StateStandings(stated.map(Box::new))
        }
        What::Confirm(round) => Change::Confirm(round_no(round)?),
        What::Reopen(open) => Change::Reopen(round_no(open.round)?, open.reason),
    })
}

/// Decodes the reason for a proposed result. In older logs the reason has no kind and is only a text.
fn proposal_reason(kind: wire::ProposalReason, text: String) -> ProposalReason {
    match kind {
        wire::ProposalReason::Unspecified => ProposalReason::Text(text),
        wire::ProposalReason::WhiteFlagCalled => ProposalReason::FlagCalled(Side::White),
        wire::ProposalReason::BlackFlagCalled => ProposalReason::FlagCalled(Side::Black),
        wire::ProposalReason::Rules => ProposalReason::Rules,
        wire::ProposalReason::Clock => ProposalReason::Clock,
    }
}

fn renumbering(numbers: wire::Renumber) -> Result<Renumbering, BadInput> {
    let order = numbers.order.into_iter().map(player_no);
    Ok(Renumbering {
        order: order.collect::<Result<_, BadInput>>()?,
        kept_lines: numbers.kept_lines,
    })
}

fn reseat(seats: &wire::Reseat) -> Result<Change, BadInput> {
    if seats.pairings.is_empty() {
        return Err(bad("no pairing"));
    }
    let boards = seats.pairings.iter().map(pairing);
    let seating = Reseating {
        boards: boards.collect::<Result<_, BadInput>>()?,
        restart: seats.restart,
    };
    Ok(Change::Reseat(round_no(seats.round)?, seating))
}

fn remove_boards(removed: wire::RemoveBoards) -> Result<Change, BadInput> {
    if removed.boards.is_empty() {
        return Err(bad("no board"));
    }
    let boards = removed.boards.into_iter().map(board_no);
    let boards = boards.collect::<Result<_, BadInput>>()?;
    Ok(Change::RemoveBoards(round_no(removed.round)?, boards))
}

/// Decodes the actor of a change.
///
/// # Errors
/// Returns an error if the kind of actor is unknown or unspecified.
pub fn actor(actor: wire::Actor) -> Result<Actor, BadInput> {
    let kind = ActorKind::decoded(known(actor.kind, "an actor")?);
    Ok(Actor {
        kind: kind.ok_or_else(|| bad("an actor without a kind"))?,
        name: actor.name,
    })
}

/// Decodes the result of a game.
///
/// # Errors
/// Returns an error if the result has no kind, an outcome is missing, or a side is unknown.
pub fn result(result: wire::Result) -> Result<GameResult, BadInput> {
    use wire::result::Kind;
    Ok(
        match result.kind.ok_or_else(|| bad("a result without a kind"))? {
            Kind::Played(played) => GameResult::Played {
                white: outcome(played.white())?,
                black: outcome(played.black())?,
                rated: !played.unrated,
                tally: played.tally.map(|tally| Tally {
                    white: tally.white,
                    black: tally.black,
                }),
            },
            Kind::Forfeit(forfeit) => GameResult::Forfeit {
                winner: side(forfeit.winner)?,
            },
            Kind::Adjourned(wire::Adjourned {}) => GameResult::Adjourned,
        },
    )
}

fn outcome(outcome: wire::Outcome) -> Result<Outcome, BadInput> {
    Outcome::decoded(outcome).ok_or_else(|| bad("the game was played, but an outcome is missing"))
}

fn side(side: i32) -> Result<Option<Side>, BadInput> {
    Ok(super::side(known(side, "a side")?))
}

fn bye(bye: wire::Bye) -> Result<Bye, BadInput> {
    Bye::decoded(bye).ok_or_else(|| bad("a bye without a kind"))
}

fn forfeit(forfeit: Option<wire::Forfeit>) -> Result<Option<Option<Side>>, BadInput> {
    forfeit.map(|lost| side(lost.winner)).transpose()
}

fn date(text: &str) -> Result<Option<Date>, BadInput> {
    if text.is_empty() {
        return Ok(None);
    }
    Date::parse(text)
        .map(Some)
        .ok_or_else(|| bad(format!("{text:?} is not a date in the form 2026/11/20")))
}

fn board_result(
    said: wire::BoardResult,
) -> Result<(RoundNo, BoardNo, GameResult, String), BadInput> {
    let result = result(said.result.ok_or_else(|| bad("no result"))?)?;
    let (round, board) = (round_no(said.round)?, board_no(said.board)?);
    Ok((round, board, result, said.reason))
}

fn pairing(pairing: &wire::Pairing) -> Result<Pairing, BadInput> {
    let seat = |player: u32| match player {
        0 => Ok(None),
        player => player_no(player).map(Some),
    };
    let paired = optional(pairing.r#match, "a match")?;
    let place = number(pairing.place, "a place in a match")?;
    Ok(Pairing {
        board: board_no(pairing.board)?,
        white: seat(pairing.white)?,
        black: seat(pairing.black)?,
        of_match: paired.map(|paired| (MatchNo(paired), place)),
    })
}

fn pairings(paired: wire::PairRound) -> Result<Pairings, BadInput> {
    let boards = paired.boards.iter().map(pairing);
    Ok(Pairings {
        boards: boards.collect::<Result<_, _>>()?,
        byes: player_byes(&paired.byes)?,
        matches: matches(&paired.matches)?,
        team_byes: team_byes(&paired.team_byes)?,
    })
}

fn player_byes<C: FromIterator<(PlayerNo, Bye)>>(byes: &[wire::PlayerBye]) -> Result<C, BadInput> {
    let byes = byes.iter();
    byes.map(|given| Ok((player_no(given.player)?, bye(given.bye())?)))
        .collect()
}

fn team_byes<C: FromIterator<(TeamNo, Bye)>>(byes: &[wire::TeamBye]) -> Result<C, BadInput> {
    let byes = byes.iter();
    byes.map(|given| Ok((TeamNo(number(given.team, "a team")?), bye(given.bye())?)))
        .collect()
}

fn matches<C: FromIterator<(MatchNo, Match)>>(matches: &[wire::Match]) -> Result<C, BadInput> {
    let one = |paired: &wire::Match| {
        let teams = Match {
            white: TeamNo(number(paired.white, "a team")?),
            black: TeamNo(number(paired.black, "a team")?),
            forfeit: forfeit(paired.forfeit)?,
        };
        Ok((MatchNo(number(paired.no, "a match")?), teams))
    };
    matches.iter().map(one).collect()
}

fn player_no(no: u32) -> Result<PlayerNo, BadInput> {
    number(no, "a player").map(PlayerNo)
}

fn round_no(no: u32) -> Result<RoundNo, BadInput> {
    number(no, "a round").map(RoundNo)
}

fn board_no(no: u32) -> Result<BoardNo, BadInput> {
    number(no, "a board").map(BoardNo)
}

fn number(no: u32, what: &str) -> Result<u16, BadInput> {
    u16::try_from(no).map_err(|_| {
        bad(format!(
            "{no} cannot be the number of {what}: such numbers have 16 bits"
        ))
    })
}

fn optional(no: Option<u32>, what: &str) -> Result<Option<u16>, BadInput> {
    no.map(|no| number(no, what)).transpose()
}

/// Decodes an enum value. An unknown value from a newer program is an error and does not become the first variant.
fn known<E: TryFrom<i32>>(value: i32, what: &str) -> Result<E, BadInput> {
    E::try_from(value).map_err(|_| bad(format!("{what} of a kind this version does not know")))
}

#[cfg(test)]
mod tests;

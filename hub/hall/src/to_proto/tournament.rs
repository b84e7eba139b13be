//! Encodes the event's types as messages, for the log and the services. The services decide what a viewer may see.

mod entries;
mod state;

use proto::{event as wire, log};

use crate::entry::{EventEntry, EventEntryKind};
use crate::same_variants::SameVariants;
use crate::to_proto::side;
use tournament::{
    Actor, Bye, Change, Date, GameResult, Match, MatchNo, Pairing, Pairings, PlayerNo,
    ProposalReason, RoundNo, Scope, Side, TeamNo,
};

pub use entries::{event, player, team};
pub use state::{round, tournament};

pub(crate) fn event_changed(entry: &EventEntry) -> log::EventChanged {
    let mut changed = log::EventChanged {
        id: entry.id.0.to_vec(),
        actor: Some(actor(&entry.actor)),
        reason: entry.reason.clone(),
        part: entry.part,
        parts: entry.parts,
        digest: entry.digest.0,
        imported: entry.imported.clone(),
        ..log::EventChanged::default()
    };
    match &entry.what {
        EventEntryKind::Changes(changes) => changed.changes = changes.iter().map(change).collect(),
        EventEntryKind::Piece { bytes, ends } => {
            changed.piece.clone_from(bytes);
            changed.piece_ends = *ends;
        }
        EventEntryKind::Undone(version) => changed.undone = *version,
        EventEntryKind::SwitchedTo(number) => changed.switched_to = number.0,
        EventEntryKind::Refused(why) => {
            changed.refused = why.text().to_owned();
            changed.refusal = Some(why.without_text());
        }
    }
    changed
}

pub fn change(change: &Change) -> wire::Change {
    use wire::change::What;
    let what = match change {
        Change::SetEvent(event) => What::SetEvent(self::event(event)),
        Change::EnterPlayer(player) => What::EnterPlayer(self::player(player)),
        Change::RemovePlayer(player) => What::RemovePlayer(player.0.into()),
        Change::Withdraw(player, last) => What::Withdraw(wire::Withdraw {
            player: player.0.into(),
            last_round: last.0.into(),
        }),
        Change::ReturnPlayer(player) => What::ReturnPlayer(player.0.into()),
        Change::GrantBye(player, round, bye) => What::GrantBye(wire::GrantBye {
            player: player.0.into(),
            round: round.0.into(),
            bye: self::bye(*bye).into(),
        }),
        Change::EnterTeam(team) => What::EnterTeam(self::team(team)),
        Change::Renumber(renumbering) => What::Renumber(wire::Renumber {
            order: renumbering.order.iter().map(|no| no.0.into()).collect(),
            kept_lines: renumbering.kept_lines.clone(),
        }),
        Change::RemoveTeam(team) => What::RemoveTeam(team.0.into()),
        Change::PairRound(round, pairings) => What::PairRound(pair_round(*round, pairings)),
        Change::Unpair(round) => What::Unpair(round.0.into()),
        Change::Reseat(round, seats) => What::Reseat(wire::Reseat {
            round: round.0.into(),
            pairings: seats.boards.iter().map(self::pairing).collect(),
            restart: seats.restart,
        }),
        Change::RemoveBoards(round, boards) => What::RemoveBoards(wire::RemoveBoards {
            round: round.0.into(),
            boards: boards.iter().map(|board| board.0.into()).collect(),
        }),
        Change::Preset(round, board) => What::Preset(board_of(round.0, board.0)),
        Change::Start(round, scope) => What::Start(wire::Start {
            round: round.0.into(),
            scope: match scope {
                Scope::All => None,
                Scope::Board(board) => Some(wire::start::Scope::Board(board.0.into())),
                Scope::Sector(name) => Some(wire::start::Scope::Sector(name.clone())),
            },
        }),
        Change::FirstPress(round, board) => What::FirstPress(board_of(round.0, board.0)),
        Change::Propose(round, board, result, why) => {
            What::Propose(proposal((round.0, board.0), *result, why))
        }
        Change::Enter(round, board, result, reason) => {
            What::Enter(board_result((round.0, board.0), *result, reason))
        }
        Change::RemoveResult(round, board, reason) => What::TakeBack(wire::TakeBack {
            round: round.0.into(),
            board: board.0.into(),
            reason: reason.clone(),
        }),
        Change::ForfeitMatch(round, paired, forfeit) => What::ForfeitMatch(wire::ForfeitMatch {
            round: round.0.into(),
            r#match: paired.0.into(),
            forfeit: self::forfeit(*forfeit),
        }),
        Change::StateStandings(said) => What::StateStandings(wire::StateStandings {
            standings: said.as_deref().map(state::stated),
        }),
        Change::Confirm(round) => What::Confirm(round.0.into()),
        Change::Reopen(round, reason) => What::Reopen(wire::Reopen {
            round: round.0.into(),
            reason: reason.clone(),
        }),
    };
    wire::Change { what: Some(what) }
}

fn proposal(at: (u16, u16), result: GameResult, why: &ProposalReason) -> wire::BoardResult {
    wire::BoardResult {
        proposal_reason: proposal_reason(why).into(),
        ..board_result(at, result, &why.to_string())
    }
}

pub(crate) fn proposal_reason(reason: &ProposalReason) -> wire::ProposalReason {
    match reason {
        ProposalReason::FlagCalled(Side::White) => wire::ProposalReason::WhiteFlagCalled,
        ProposalReason::FlagCalled(Side::Black) => wire::ProposalReason::BlackFlagCalled,
        ProposalReason::Rules => wire::ProposalReason::Rules,
        ProposalReason::Clock => wire::ProposalReason::Clock,
        ProposalReason::Text(_) => wire::ProposalReason::Unspecified,
    }
}

pub fn actor(actor: &Actor) -> wire::Actor {
    wire::Actor {
        kind: actor.kind.encoded().into(),
        name: actor.name.clone(),
    }
}

pub fn result(result: GameResult) -> wire::Result {
    use wire::result::Kind;
    let kind = match result {
        GameResult::Played {
            white,
            black,
            rated,
            tally,
        } => Kind::Played(wire::Played {
            white: white.encoded().into(),
            black: black.encoded().into(),
            unrated: !rated,
            tally: tally.map(|tally| wire::Tally {
                white: tally.white,
                black: tally.black,
            }),
        }),
        GameResult::Forfeit { winner } => Kind::Forfeit(wire::Forfeit {
            winner: side(winner).into(),
        }),
        GameResult::Adjourned => Kind::Adjourned(wire::Adjourned {}),
    };
    wire::Result { kind: Some(kind) }
}

/// Encodes a bye; `None` becomes the value for no bye.
pub fn bye(bye: Option<Bye>) -> wire::Bye {
    bye.map(Bye::encoded).unwrap_or_default()
}

fn date(day: Option<Date>) -> String {
    day.map(|day| day.to_string()).unwrap_or_default()
}

fn forfeit(forfeit: Option<Option<Side>>) -> Option<wire::Forfeit> {
    forfeit.map(|winner| wire::Forfeit {
        winner: side(winner).into(),
    })
}

fn board_of(round: u16, board: u16) -> wire::BoardRef {
    wire::BoardRef {
        round: round.into(),
        board: board.into(),
    }
}

fn board_result((round, board): (u16, u16), result: GameResult, reason: &str) -> wire::BoardResult {
    wire::BoardResult {
        round: round.into(),
        board: board.into(),
        result: Some(self::result(result)),
        reason: reason.to_owned(),
        proposal_reason: wire::ProposalReason::Unspecified.into(),
    }
}

fn pairing(pairing: &Pairing) -> wire::Pairing {
    let number = |player: Option<PlayerNo>| player.map_or(0, |player| player.0.into());
    wire::Pairing {
        board: pairing.board.0.into(),
        white: number(pairing.white),
        black: number(pairing.black),
        r#match: pairing.of_match.map(|(paired, _)| paired.0.into()),
        place: pairing.of_match.map_or(0, |(_, place)| place.into()),
    }
}

fn pair_round(round: RoundNo, pairings: &Pairings) -> wire::PairRound {
    wire::PairRound {
        round: round.0.into(),
        boards: pairings.boards.iter().map(pairing).collect(),
        byes: player_byes(pairings.byes.iter().copied()),
        matches: matches(pairings.matches.iter().copied()),
        team_byes: team_byes(pairings.team_byes.iter().copied()),
    }
}

fn player_byes(byes: impl Iterator<Item = (PlayerNo, Bye)>) -> Vec<wire::PlayerBye> {
    byes.map(|(player, bye)| wire::PlayerBye {
        player: player.0.into(),
        bye: self::bye(Some(bye)).into(),
    })
    .collect()
}

fn team_byes(byes: impl Iterator<Item = (TeamNo, Bye)>) -> Vec<wire::TeamBye> {
    byes.map(|(team, bye)| wire::TeamBye {
        team: team.0.into(),
        bye: self::bye(Some(bye)).into(),
    })
    .collect()
}

fn matches(matches: impl Iterator<Item = (MatchNo, Match)>) -> Vec<wire::Match> {
    matches
        .map(|(no, paired)| wire::Match {
            no: no.0.into(),
            white: paired.white.0.into(),
            black: paired.black.0.into(),
            forfeit: forfeit(paired.forfeit),
        })
        .collect()
}

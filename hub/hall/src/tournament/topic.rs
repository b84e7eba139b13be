//! The parts of the event that a change affects, the parts on which its decision depends, and the change's description.
//! Defines when the changes of two arbiters conflict; never examines an event.

use std::fmt;

use proto::refusal::ChangeKind;

use crate::refusal::RefusedChange;
use tournament::{
    BoardNo, Change, MatchNo, Pairing, PlayerNo, Renumbering, Reseating, RoundNo, Scope, TeamNo,
};

/// The smallest part of an event for which conflicting changes are detected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Topic {
    /// The whole event: a different event replaced it, or an import was undone.
    Whole,
    Event,
    /// A player's data, withdrawal or byes.
    Player(PlayerNo),
    Team(TeamNo),
    /// The pairings of a round, or its confirmation.
    Round(RoundNo),
    /// The players or the result of a board.
    Board(RoundNo, BoardNo),
    /// The forfeit of a match.
    Match(RoundNo, MatchNo),
}

impl fmt::Display for Topic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole => f.write_str("the event as a whole"),
            Self::Event => f.write_str("the event's own data"),
            Self::Player(no) => write!(f, "player {no}"),
            Self::Team(no) => write!(f, "team {no}"),
            Self::Round(no) => write!(f, "round {no}"),
            Self::Board(round, no) => write!(f, "board {no} of round {round}"),
            Self::Match(round, no) => write!(f, "match {no} of round {round}"),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum DependsOn {
    Topics(Vec<Topic>),
    /// The round and everything in it.
    Round(RoundNo),
    /// All topics: a pairing and new pairing numbers depend on all previous changes.
    All,
}

impl DependsOn {
    pub(crate) fn has(&self, topic: Topic) -> bool {
        match self {
            Self::Topics(topics) => topic == Topic::Whole || topics.contains(&topic),
            Self::Round(round) => match topic {
                Topic::Whole => true,
                Topic::Round(of) | Topic::Board(of, _) | Topic::Match(of, _) => of == *round,
                Topic::Event | Topic::Player(_) | Topic::Team(_) => false,
            },
            Self::All => true,
        }
    }
}

/// Returns the topics that a change affects; none for a board's progress or a proposed result.
pub(crate) fn touched(change: &Change) -> Vec<Topic> {
    let topic = match change {
        Change::SetEvent(_) | Change::StateStandings(_) => Topic::Event,
        Change::EnterPlayer(player) => Topic::Player(player.no),
        Change::RemovePlayer(player)
        | Change::Withdraw(player, _)
        | Change::ReturnPlayer(player)
        | Change::GrantBye(player, _, _) => Topic::Player(*player),
        Change::Renumber(renumbering) => return renumbered(renumbering),
        Change::EnterTeam(team) => Topic::Team(team.no),
        Change::RemoveTeam(team) => Topic::Team(*team),
        Change::PairRound(round, _)
        | Change::Unpair(round)
        | Change::Confirm(round)
        | Change::Reopen(round, _) => Topic::Round(*round),
        Change::Reseat(round, seats) => return boards(*round, seats).collect(),
        Change::RemoveBoards(round, boards) => {
            let boards = boards.iter().map(|no| Topic::Board(*round, *no));
            return std::iter::once(Topic::Round(*round))
                .chain(boards)
                .collect();
        }
        Change::Enter(round, board, _, _) | Change::RemoveResult(round, board, _) => {
            Topic::Board(*round, *board)
        }
        Change::ForfeitMatch(round, paired, _) => Topic::Match(*round, *paired),
        Change::Preset(..) | Change::Start(..) | Change::FirstPress(..) | Change::Propose(..) => {
            return Vec::new();
        }
    };
    vec![topic]
}

/// Returns the topics that a change affects, each with the kind of change that a refusal reports for it.
pub(crate) fn kinds(change: &Change) -> impl Iterator<Item = (Topic, ChangeKind)> + '_ {
    let topics = touched(change).into_iter();
    topics.map(move |topic| (topic, kind(change, topic)))
}

fn kind(change: &Change, topic: Topic) -> ChangeKind {
    match topic {
        Topic::Whole => ChangeKind::EventReplaced,
        Topic::Event => ChangeKind::EventData,
        Topic::Player(_) => ChangeKind::Player,
        Topic::Team(_) => ChangeKind::Team,
        Topic::Match(..) => ChangeKind::MatchForfeit,
        Topic::Round(_) if matches!(change, Change::Confirm(_)) => ChangeKind::RoundConfirmed,
        Topic::Round(_) if matches!(change, Change::Reopen(..)) => ChangeKind::RoundReopened,
        Topic::Round(_) => ChangeKind::Pairing,
        Topic::Board(..) if matches!(change, Change::Enter(..)) => ChangeKind::GameResult,
        Topic::Board(..) if matches!(change, Change::RemoveResult(..)) => {
            ChangeKind::GameResultRemoved
        }
        Topic::Board(..) if matches!(change, Change::RemoveBoards(..)) => ChangeKind::BoardRemoved,
        Topic::Board(..) => ChangeKind::Seats,
    }
}

/// Returns the topics that a renumbering affects: the players under their old and new numbers, and the event's rules,
/// which refer to players.
fn renumbered(renumbering: &Renumbering) -> Vec<Topic> {
    let before = renumbering.order.iter().map(|no| Topic::Player(*no));
    let after = (1..).map(|no| Topic::Player(PlayerNo(no)));
    let after = after.take(renumbering.order.len());
    std::iter::once(Topic::Event)
        .chain(before)
        .chain(after)
        .collect()
}

fn players(pairings: &[Pairing]) -> impl Iterator<Item = Topic> + '_ {
    let pairings = pairings.iter();
    let players = pairings.flat_map(|pairing| pairing.white.into_iter().chain(pairing.black));
    players.map(Topic::Player)
}

fn boards(round: RoundNo, seats: &Reseating) -> impl Iterator<Item = Topic> + '_ {
    let boards = seats.boards.iter();
    boards.map(move |pairing| Topic::Board(round, pairing.board))
}

pub(crate) fn depends_on(change: &Change) -> DependsOn {
    match change {
        Change::SetEvent(_) | Change::StateStandings(_) => DependsOn::Topics(vec![Topic::Event]),
        Change::EnterPlayer(player) => DependsOn::Topics(vec![Topic::Player(player.no)]),
        Change::RemovePlayer(player)
        | Change::Withdraw(player, _)
        | Change::ReturnPlayer(player) => DependsOn::Topics(vec![Topic::Player(*player)]),
        Change::GrantBye(player, round, _) => {
            DependsOn::Topics(vec![Topic::Player(*player), Topic::Round(*round)])
        }
        Change::EnterTeam(team) => {
            let members = team.players.iter().map(|no| Topic::Player(*no));
            DependsOn::Topics(
                std::iter::once(Topic::Team(team.no))
                    .chain(members)
                    .collect(),
            )
        }
        Change::RemoveTeam(team) => DependsOn::Topics(vec![Topic::Team(*team)]),
        Change::PairRound(..) | Change::Renumber(_) => DependsOn::All,
        Change::Unpair(round)
        | Change::RemoveBoards(round, _)
        | Change::Confirm(round)
        | Change::Reopen(round, _) => DependsOn::Round(*round),
        Change::Start(round, _) => DependsOn::Topics(vec![Topic::Round(*round)]),
        Change::Reseat(round, seats) => {
            let round_itself = std::iter::once(Topic::Round(*round));
            let seated = boards(*round, seats).chain(players(&seats.boards));
            DependsOn::Topics(round_itself.chain(seated).collect())
        }
        Change::Preset(round, board)
        | Change::FirstPress(round, board)
        | Change::Propose(round, board, _, _)
        | Change::Enter(round, board, _, _)
        | Change::RemoveResult(round, board, _) => at_board(*round, *board),
        Change::ForfeitMatch(round, paired, _) => {
            DependsOn::Topics(vec![Topic::Round(*round), Topic::Match(*round, *paired)])
        }
    }
}

fn at_board(round: RoundNo, board: BoardNo) -> DependsOn {
    DependsOn::Topics(vec![Topic::Round(round), Topic::Board(round, board)])
}

/// Returns the description that identifies a refused change within its request.
pub(crate) fn refused(change: &Change) -> RefusedChange {
    let board = touched(change).into_iter().find_map(|topic| match topic {
        Topic::Board(round, board) => Some((round, board)),
        Topic::Whole
        | Topic::Event
        | Topic::Player(_)
        | Topic::Team(_)
        | Topic::Round(_)
        | Topic::Match(..) => None,
    });
    RefusedChange {
        words: words(change),
        board,
    }
}

/// Describes a change in a few words, for the log and for refusals.
pub fn words(change: &Change) -> String {
    let because = |reason: &str| match reason {
        "" => String::new(),
        reason => format!(" ({reason})"),
    };
    match change {
        Change::SetEvent(event) => {
            let rounds = if event.rounds == 1 { "round" } else { "rounds" };
            format!("the event is “{}”, {} {rounds}", event.name, event.rounds)
        }
        Change::EnterPlayer(player) => format!("player {}: {}", player.no, player.name),
        Change::RemovePlayer(player) => format!("player {player} removed"),
        Change::Withdraw(player, last) => format!("player {player} withdrawn after round {last}"),
        Change::ReturnPlayer(player) => format!("player {player} plays again"),
        Change::GrantBye(player, round, bye) => {
            let bye = bye.map_or("no bye".to_owned(), |bye| format!("a {}", bye.words()));
            format!("player {player} has {bye} in round {round}")
        }
        Change::Renumber(_) => "other pairing numbers".to_owned(),
        Change::EnterTeam(team) => format!("team {}: {}", team.no, team.name),
        Change::RemoveTeam(team) => format!("team {team} removed"),
        Change::PairRound(round, pairings) => {
            let count = pairings.boards.len();
            let boards = if count == 1 { "board" } else { "boards" };
            format!("round {round} paired, {count} {boards}")
        }
        Change::Unpair(round) => format!("round {round} withdrawn"),
        Change::Reseat(round, seats) => {
            let boards = listed(seats.boards.iter().map(|pairing| pairing.board));
            let again = if seats.restart { ", set again" } else { "" };
            format!("round {round}, {boards}: new players{again}")
        }
        Change::RemoveBoards(round, boards) => {
            let boards = listed(boards.iter().copied());
            format!("round {round}, {boards} removed")
        }
        Change::Preset(round, board) => format!("round {round}, board {board}: clock set"),
        Change::Start(round, Scope::All) => format!("round {round} started"),
        Change::Start(round, Scope::Sector(sector)) => {
            format!("round {round}, sector {sector} started")
        }
        Change::Start(round, Scope::Board(no)) => format!("round {round}, board {no} started"),
        Change::FirstPress(round, board) => format!("round {round}, board {board}: first press"),
        Change::Propose(round, board, result, why) => format!(
            "round {round}, board {board}: {} proposed{}",
            result.label(),
            because(&why.to_string())
        ),
        Change::Enter(round, board, result, reason) => format!(
            "round {round}, board {board}: {}{}",
            result.label(),
            because(reason)
        ),
        Change::RemoveResult(round, board, reason) => format!(
            "round {round}, board {board}: result taken back{}",
            because(reason)
        ),
        Change::ForfeitMatch(round, paired, Some(_)) => {
            format!("round {round}, match {paired} forfeited")
        }
        Change::ForfeitMatch(round, paired, None) => {
            format!("round {round}, match {paired} not forfeited")
        }
        Change::StateStandings(Some(stated)) => format!("places as stated in {}", stated.file),
        Change::StateStandings(None) => "places computed".to_owned(),
        Change::Confirm(round) => format!("round {round} confirmed"),
        Change::Reopen(round, reason) => format!("round {round} opened again{}", because(reason)),
    }
}

fn listed(boards: impl Iterator<Item = BoardNo>) -> String {
    let boards: Vec<String> = boards.map(|no| no.to_string()).collect();
    let word = if boards.len() == 1 { "board" } else { "boards" };
    format!("{word} {}", boards.join(", "))
}

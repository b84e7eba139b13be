//! The reasons for refusing a change that contradicts the event's limits, its state or its game. Owns their data and
//! English text; other programs word the data themselves. Must never decide what is refused.

use crate::{BoardNo, MatchNo, PlayerNo, Points, RoundNo, Side, TeamNo};

/// A number, name or value that no event can have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum Invalid {
    #[error("an event has 1 to {most} rounds, not {given}")]
    Rounds { most: u16, given: u16 },
    #[error("a match has 1 to {most} boards, not {given}")]
    MatchBoards { most: u16, given: u16 },
    #[error("a round robin has 1 to {most} cycles, not {given}")]
    Cycles { most: u16, given: u16 },
    #[error("a result is worth at most {most} points, not {given}")]
    ResultPoints { most: Points, given: Points },
    #[error("rounds {0} to {1} are not a range: put the earlier round first")]
    RoundRange(RoundNo, RoundNo),
    #[error("a participant's number is from 1 to {most}, not {given}")]
    ParticipantNo { most: u16, given: u16 },
    #[error("participants {0} to {1} are not a range: put the lower number first")]
    ParticipantRange(u16, u16),
    #[error("a forbidden pair names at least two participants")]
    LoneForbidden,
    #[error("an event has at most {0} forbidden pairs, accelerations and abnormal points")]
    TooManyRules(u16),
    #[error("abnormal points are from -99.9 to 999.9 with one decimal, not {0}")]
    AbnormalPoints(Points),
    #[error("a player has a number from 1 to {most} and a name")]
    Player { most: u16 },
    #[error("a title is at most three letters, as in WGM, not {0:?}")]
    Title(String),
    #[error("a rating is at most {most}, not {given}")]
    Rating { most: u16, given: u16 },
    #[error("a FIDE ID has at most 11 digits, not {0}")]
    FideId(u64),
    #[error("rounds count from 1")]
    RoundZero,
    #[error("a team has a number from 1 to {most} and a name")]
    Team { most: u16 },
    #[error("a place is from 1 to {most}, not {given}")]
    Place { most: u16, given: u16 },
    #[error("{0} points are more than an event can give")]
    StatedPoints(Points),
    #[error("the event has rounds 1 to {rounds}, not {given}")]
    Round { rounds: u16, given: RoundNo },
    #[error("a federation is at most three letters, as in NOR, not {0:?}")]
    Federation(String),
    #[error("a name has no line breaks, tabs or other control characters: {0:?}")]
    ControlCharacter(String),
    #[error("boards count from 1")]
    BoardZero,
    #[error("a player cannot play against themselves")]
    SamePlayer,
    #[error("a board needs at least one player")]
    EmptyBoard,
    #[error("board {0} belongs to no match")]
    BoardWithoutMatch(BoardNo),
    #[error("board {0} has only one player")]
    LonePlayer(BoardNo),
    #[error("board {0} is named twice")]
    BoardTwice(BoardNo),
    #[error("player {0} is named twice in the new order")]
    OrderTwice(PlayerNo),
    #[error("player {0} is missing from the new order")]
    OrderMissing(PlayerNo),
    #[error("the numbers of a round robin are drawn by lot: name every player in the order drawn")]
    OrderNotDrawn,
    #[error("the table has rounds 1 to {last}, not {given}")]
    TableRound { last: u16, given: RoundNo },
}

/// A contradiction between a change and the event.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum Conflict {
    #[error("round {0} is already paired: the event needs at least {0} rounds")]
    RoundPaired(RoundNo),
    #[error("player {0} has a bye in round {1}: remove the bye first")]
    ByeAfterEnd(PlayerNo, RoundNo),
    #[error("a round is paired: the event cannot change between players and teams any more")]
    ContestFixed,
    #[error("player {0} has been paired: withdraw the player instead")]
    PlayerPaired(PlayerNo),
    #[error("player {0} is paired in round {1}: remove the board from the round first")]
    PlayerInRound(PlayerNo, RoundNo),
    #[error("player {0} is already in a team")]
    PlayerInTeam(PlayerNo),
    #[error("team {0} is paired in round {1} and cannot be removed")]
    TeamPaired(TeamNo, RoundNo),
    #[error("the event is not a round robin: pair this round another way")]
    NotRoundRobin,
    #[error(
        "{} and {} have met in round {round}, and the table pairs them again: the paired rounds do not follow the table, so pair this round \
         another way",
        .names[0],
        .names[1]
    )]
    TableRepeats { names: [String; 2], round: RoundNo },
    #[error("board {0} has already begun")]
    AlreadyBegun(BoardNo),
    #[error("board {0} already has a result")]
    HasResult(BoardNo),
    #[error(
        "round {round} is not finished{}",
        .open.map(|board| format!(": board {board} has no result")).unwrap_or_default()
    )]
    RoundOpen {
        round: RoundNo,
        /// The first board without a result.
        open: Option<BoardNo>,
    },
    #[error("round {0} is not confirmed")]
    NotConfirmed(RoundNo),
    #[error("round {0} cannot be paired before the round that precedes it")]
    RoundSkipped(RoundNo),
    #[error("round {0} has two boards {1}")]
    BoardTwice(RoundNo, BoardNo),
    #[error("team {0} is in round {1} twice")]
    TeamTwice(TeamNo, RoundNo),
    #[error("round {0} has two matches {1}")]
    MatchTwice(RoundNo, MatchNo),
    #[error("player {0} is in round {1} twice")]
    PlayerTwice(PlayerNo, RoundNo),
    #[error(
        "player {player} is in {}, but board {board} plays {} against {}",
        .team.as_deref().unwrap_or("no team"),
        .teams[0],
        .teams[1]
    )]
    OtherTeam {
        player: PlayerNo,
        team: Option<String>,
        board: BoardNo,
        /// The teams of the match, White's first.
        teams: [String; 2],
    },
    #[error(
        "players {} and {} are both in {team}, but board {board} plays {} against {}",
        .players[0],
        .players[1],
        .teams[0],
        .teams[1]
    )]
    SameTeam {
        players: [PlayerNo; 2],
        team: String,
        board: BoardNo,
        /// The teams of the match, White's first.
        teams: [String; 2],
    },
    #[error("round {0} has begun")]
    RoundBegun(RoundNo),
    #[error("a round after {0} is paired")]
    LaterRoundPaired(RoundNo),
    #[error("board {0} has begun: its game stays in the round")]
    GameStays(BoardNo),
    #[error("board {0} has a result: remove it first")]
    ResultStands(BoardNo),
    #[error(
        "board {0} has begun: to seat others there, confirm that its game is set aside and its clock set again"
    )]
    GameBegun(BoardNo),
    #[error("round {0} would have no board left: withdraw the round instead")]
    NoBoardLeft(RoundNo),
    #[error("sectors {0} and {1} share boards and have different controls")]
    SectorControls(String, String),
}

/// A result that the rules of the event's game do not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum Impossible {
    #[error("a chess result has no count")]
    CountInChess,
    #[error(
        "if one side won, the other side lost; an arbiter who adds points as a penalty gives a reason (FIDE 12.9.6)"
    )]
    WinWithoutLoss,
    #[error("a Scrabble result needs the points of both sides")]
    NoPoints,
    #[error("an Othello result needs the discs of both sides")]
    NoDiscs,
    #[error("the discs of both sides must add up to 64")]
    DiscSum,
    #[error("the side with the higher count wins")]
    HigherCountWins,
    #[error("board {0} has no player as {1}: only a forfeit can be entered")]
    SideEmpty(BoardNo, Side),
}

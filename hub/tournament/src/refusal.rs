//! The reasons for refusing a change that contradicts the event's limits, its state or its game. Owns their data and
//! English text; other programs build their own text from the data. Must never decide what is refused.

use crate::{BoardNo, MatchNo, PlayerNo, Points, RoundNo, Side, TeamNo};

/// Data in a change that is out of range, malformed, incomplete or inconsistent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum Invalid {
    #[error("an event can have 1 to {most} rounds, not {given}")]
    Rounds { most: u16, given: u16 },
    #[error("a match can have 1 to {most} boards, not {given}")]
    MatchBoards { most: u16, given: u16 },
    #[error("a round robin can have 1 to {most} cycles, not {given}")]
    Cycles { most: u16, given: u16 },
    #[error("a result cannot be worth more than {most} points: {given} is too high")]
    ResultPoints { most: Points, given: Points },
    #[error("“{0} to {1}” is not a valid range of rounds: put the earlier round first")]
    RoundRange(RoundNo, RoundNo),
    #[error("a participant's number must be from 1 to {most}, not {given}")]
    ParticipantNo { most: u16, given: u16 },
    #[error("“{0} to {1}” is not a valid range of participants: put the lower number first")]
    ParticipantRange(u16, u16),
    #[error("a forbidden pairing needs at least two participants")]
    LoneForbidden,
    #[error("an event has at most {0} forbidden pairings, accelerations and abnormal points")]
    TooManyRules(u16),
    #[error(
        "abnormal points must be from -9.9 to 99.9 with one decimal, or a whole number from -99 to 999, not {0}"
    )]
    AbnormalPoints(Points),
    #[error("a player needs a name and a number from 1 to {most}")]
    Player { most: u16 },
    #[error("a title has at most three letters, such as WGM, not {0:?}")]
    Title(String),
    #[error("a rating cannot be above {most}: {given} is too high")]
    Rating { most: u16, given: u16 },
    #[error("a FIDE ID has at most 11 digits, not {0}")]
    FideId(u64),
    #[error("rounds are numbered from 1")]
    RoundZero,
    #[error("a team needs a name and a number from 1 to {most}")]
    Team { most: u16 },
    #[error("a place must be from 1 to {most}, not {given}")]
    Place { most: u16, given: u16 },
    #[error("no event awards {0} points")]
    StatedPoints(Points),
    #[error("there is no round {given}: the event has rounds 1 to {rounds}")]
    Round { rounds: u16, given: RoundNo },
    #[error("a federation's code has at most three letters, such as NOR, not {0:?}")]
    Federation(String),
    #[error("a name cannot contain line breaks, tabs or other control characters: {0:?}")]
    ControlCharacter(String),
    #[error("boards are numbered from 1")]
    BoardZero,
    #[error("White and Black are the same player")]
    SamePlayer,
    #[error("a board needs at least one player")]
    EmptyBoard,
    #[error("board {0} does not belong to a match")]
    BoardWithoutMatch(BoardNo),
    #[error("board {0} has only one player")]
    LonePlayer(BoardNo),
    #[error("board {0} is named twice")]
    BoardTwice(BoardNo),
    #[error("player {0} is named twice in the new order")]
    OrderTwice(PlayerNo),
    #[error("player {0} is missing from the new order")]
    OrderMissing(PlayerNo),
    #[error(
        "the pairing numbers of a round robin are drawn by lot: list every player in the order drawn"
    )]
    OrderNotDrawn,
    #[error("there is no round {given}: the Berger table has rounds 1 to {last}")]
    TableRound { last: u16, given: RoundNo },
}

/// A contradiction between a change and the event.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum Conflict {
    #[error("round {0} is paired: the number of rounds must be at least {0}")]
    RoundPaired(RoundNo),
    #[error("player {0} has a bye in round {1}: remove the bye first")]
    ByeAfterEnd(PlayerNo, RoundNo),
    #[error("a round is paired: the event can no longer switch between individual and team play")]
    ContestFixed,
    #[error("player {0} has been paired: withdraw the player instead")]
    PlayerPaired(PlayerNo),
    #[error("player {0} is paired in round {1}: remove the board from the round first")]
    PlayerInRound(PlayerNo, RoundNo),
    #[error("player {0} is already in a team")]
    PlayerInTeam(PlayerNo),
    #[error("team {0} is paired in round {1} and cannot be removed")]
    TeamPaired(TeamNo, RoundNo),
    #[error("the event is not a round robin: pair this round in a different way")]
    NotRoundRobin,
    #[error(
        "{} and {} already met in round {round}, and the table pairs them again: the paired rounds do not follow the table, so pair this \
         round in a different way",
        .names[0],
        .names[1]
    )]
    TableRepeats { names: [String; 2], round: RoundNo },
    #[error("the game on board {0} has already begun")]
    AlreadyBegun(BoardNo),
    #[error("board {0} already has a result")]
    HasResult(BoardNo),
    #[error(
        "round {round} is not finished{}",
        .open.map(|board| format!(": board {board} has no result")).unwrap_or_default()
    )]
    RoundOpen {
        round: RoundNo,
        /// The first board without a final result.
        open: Option<BoardNo>,
    },
    #[error("round {0} is not confirmed")]
    NotConfirmed(RoundNo),
    #[error("round {0} cannot be paired before the previous round")]
    RoundSkipped(RoundNo),
    #[error("board {1} occurs twice in round {0}")]
    BoardTwice(RoundNo, BoardNo),
    #[error("team {0} occurs twice in round {1}")]
    TeamTwice(TeamNo, RoundNo),
    #[error("match {1} occurs twice in round {0}")]
    MatchTwice(RoundNo, MatchNo),
    #[error("player {0} occurs twice in round {1}")]
    PlayerTwice(PlayerNo, RoundNo),
    #[error(
        "on board {board}, {} plays {}, but player {player} is {}",
        .teams[0],
        .teams[1],
        .team.as_ref().map_or_else(|| "not in a team".to_owned(), |team| format!("in {team}"))
    )]
    OtherTeam {
        player: PlayerNo,
        team: Option<String>,
        board: BoardNo,
        /// The teams of the match, White's first.
        teams: [String; 2],
    },
    #[error(
        "on board {board}, {} plays {}, but players {} and {} are both in {team}",
        .teams[0],
        .teams[1],
        .players[0],
        .players[1]
    )]
    SameTeam {
        players: [PlayerNo; 2],
        team: String,
        board: BoardNo,
        teams: [String; 2],
    },
    #[error("round {0} has begun")]
    RoundBegun(RoundNo),
    #[error("a round later than round {0} is already paired")]
    LaterRoundPaired(RoundNo),
    #[error("the game on board {0} has begun and stays in the round")]
    GameStays(BoardNo),
    #[error("board {0} has a result: remove it first")]
    ResultStands(BoardNo),
    #[error(
        "the game on board {0} has begun: to seat different players, confirm that this game is set aside and the clock is set again"
    )]
    GameBegun(BoardNo),
    #[error("round {0} would have no board left: remove the round's pairings instead")]
    NoBoardLeft(RoundNo),
    #[error("the sectors {0} and {1} share boards and have different time controls")]
    SectorControls(String, String),
}

/// The reason why a board cannot have a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum InvalidResult {
    #[error("only Scrabble and Othello results include each side's points or discs")]
    CountInChess,
    #[error(
        "if one side won, the other side lost: to add points as a penalty, give a reason (FIDE 12.9.6)"
    )]
    WinWithoutLoss,
    #[error("a Scrabble result needs the points of both sides")]
    NoPoints,
    #[error("an Othello result needs the discs of both sides")]
    NoDiscs,
    #[error("the discs of both sides must add up to 64")]
    DiscSum,
    #[error("the side with more points or discs wins")]
    HigherCountWins,
    #[error("board {0} has no player for {1}: only a forfeit can be entered")]
    SideEmpty(BoardNo, Side),
}

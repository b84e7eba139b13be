//! The contents of a tournament report, as types. Owns the choice of data that a report can hold; must never read or
//! write a line.

use std::collections::BTreeMap;

use super::value::{Date, Letter};
use crate::{AbnormalPoints, Acceleration, Bye, Forbidden, Outcome, Points, Sex, Side};

/// A whole report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The tournament section.
    pub header: Header,
    /// The players, in the order of the file.
    pub players: Vec<Player>,
    /// National federations' records of players (NRS).
    pub national: Vec<National>,
    /// The teams of record 310.
    pub teams: Vec<Team>,
    /// The teams of record 013, which have only a name and players. They are numbered in the order of the file.
    pub old_teams: Vec<Team>,
    /// Records 240 to 330: byes, pairing rules, abnormal points and matches.
    pub rules: Rules,
    /// The extensions of pairing programs.
    pub extensions: Extensions,
    /// Lines that are kept unchanged, and the order of the records.
    pub kept: Kept,
}

/// The tournament section, records `??2`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// Record 012: the name of the event.
    pub name: Option<String>,
    /// Record 022: the city.
    pub city: Option<String>,
    /// Record 032: the federation.
    pub federation: Option<String>,
    /// Record 042: the first day.
    pub start: Option<Date>,
    /// Record 052: the last day.
    pub end: Option<Date>,
    /// Record 062: the number of players. A file with fewer players is refused as truncated.
    pub players: Option<u32>,
    /// Record 072: the number of rated players.
    pub rated: Option<u32>,
    /// Record 082: the number of teams.
    pub teams: Option<u32>,
    /// Record 092: the type of the event, as free text.
    pub kind: Option<String>,
    /// Record 102: the chief arbiter.
    pub chief_arbiter: Option<String>,
    /// Records 112: the deputy arbiters, one per record.
    pub deputies: Vec<String>,
    /// Record 122: the time control, as free text.
    pub times: Option<String>,
    /// Record 132: the date of each round; `None` for a round without a date.
    pub round_dates: Vec<Option<Date>>,
    /// Record 142: the number of rounds.
    pub rounds: Option<u16>,
    /// Record 152: the colour of the first player in round 1.
    pub initial_colour: Option<Side>,
    /// Record 162: the points for each code, in the order of the file.
    pub points: Vec<(PointCode, Points)>,
    /// Record 172: the federation, empty if the file names none, and the ranking method.
    pub ranking: Option<(String, String)>,
    /// Record 182: the pairing program.
    pub program: Option<String>,
    /// Record 192: the encoded type of the event.
    pub coded_kind: Option<String>,
    /// Record 202: the tie-breaks, without the score that ranks before them.
    pub tie_breaks: Vec<String>,
    /// Record 212: the criteria of the standings, including the points.
    pub standings: Vec<String>,
    /// Record 222: the encoded time control, which `control::read` parses.
    pub time_control: Option<String>,
    /// Record 352: the colours of a team, in board order.
    pub team_colours: Vec<Side>,
    /// Record 362: the match points for each outcome, in the order of the file.
    pub match_points: Vec<(Outcome, Points)>,
}

text_enum! {
    /// The outcomes to which record 162 assigns points.
    PointCode {
        /// A win, by play or by forfeit, or a full-point bye.
        Win = "W",
        /// A draw or a half-point bye.
        Draw = "D",
        /// A loss by play.
        Loss = "L",
        /// An absence, by bye or by forfeit.
        Absence = "A",
        /// A pairing-allocated bye.
        PairingBye = "P",
        /// An unknown result.
        Unknown = "X",
    }
}

/// A player, record 001.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Player {
    /// Pairing number, from 1.
    pub number: u16,
    /// Sex, written `m` or `w`.
    pub sex: Option<Sex>,
    /// Title in capitals (`GM`), or empty.
    pub title: String,
    /// Name, as `Lastname, Firstname`.
    pub name: String,
    /// FIDE rating; files write 0 or nothing for an unrated player.
    pub rating: Option<u16>,
    /// Code of the federation, or empty.
    pub federation: String,
    /// FIDE ID, or empty.
    pub fide_id: String,
    /// Date of birth.
    pub birth: Option<Date>,
    /// Points that the file states.
    pub points: Option<Points>,
    /// Rank that the file states.
    pub rank: Option<u16>,
    /// One cell for each round, from round 1.
    pub cells: Vec<Cell>,
    /// Line of the file, from 1; 0 if the player does not come from a file. Ignored when players are compared.
    pub line: LineNo,
}

impl Player {
    /// Returns the cell of the round with this index, from 0. Extends the line if necessary.
    pub(in crate::formats) fn cell_mut(&mut self, index: usize) -> &mut Cell {
        let length = self.cells.len().max(index + 1);
        self.cells.resize(length, Cell::default());
        &mut self.cells[index]
    }
}

/// A line number of the file. All values compare as equal, so that comparisons of records ignore the line.
#[derive(Clone, Copy, Debug, Default)]
pub struct LineNo(pub usize);

impl PartialEq for LineNo {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for LineNo {}

/// A player's cell for one round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// Pairing number of the scheduled opponent.
    pub opponent: Option<u16>,
    /// The scheduled colour.
    pub colour: Option<Side>,
    /// The result; `None` with an opponent means that the game has no result yet.
    pub letter: Option<Letter>,
}

/// A national federation's record of a player.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct National {
    /// Code of the federation that issued the rating.
    pub federation: String,
    /// National title, rating, number and region. A blank field has the same value as in the player's record 001.
    pub player: Player,
}

/// A team, record 310 or 013.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Team {
    /// Pairing number, from 1.
    pub number: u16,
    /// Name; a file has room for 32 characters.
    pub name: String,
    /// Short name, or empty.
    pub nickname: String,
    /// Strength, usually the mean rating.
    pub strength: Option<Points>,
    /// Match points that the file states.
    pub match_points: Option<Points>,
    /// Game points that the file states.
    pub game_points: Option<Points>,
    /// Rank that the file states.
    pub rank: Option<u16>,
    /// The players' pairing numbers, in board order.
    pub players: Vec<u16>,
}

/// Records 240 to 330.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// Records 240: requested byes.
    pub byes: Vec<Byes>,
    /// Records 250: fictitious points.
    pub accelerations: Vec<Acceleration>,
    /// Records 260: participants who must not meet.
    pub prohibited: Vec<Forbidden>,
    /// Records 299: abnormal points.
    pub abnormal: Vec<AbnormalPoints>,
    /// Records 300: board orders of teams.
    pub orders: Vec<BoardOrder>,
    /// Record 320: pairing-allocated byes of teams.
    pub team_byes: Option<TeamByes>,
    /// Records 330: forfeited matches.
    pub forfeited: Vec<ForfeitedMatch>,
}

impl Rules {
    /// Returns the teams with a pairing-allocated bye, each with the index of its round, from 0.
    pub(in crate::formats) fn teams_with_byes(&self) -> impl Iterator<Item = (usize, u16)> {
        let byes = self.team_byes.iter();
        let teams = byes.flat_map(|byes| byes.teams.iter().enumerate());
        teams.filter_map(|(index, team)| Some((index, (*team)?)))
    }
}

/// Requested byes, record 240.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Byes {
    /// The kind of bye; never a pairing-allocated one.
    pub kind: Bye,
    /// Round, from 1.
    pub round: u16,
    /// Numbers of the players, or of the teams in a team event.
    pub who: Vec<u16>,
    /// Line of the file, from 1; 0 if the record does not come from a file. Ignored when records are compared.
    pub line: LineNo,
}

/// A team's board order in one round, record 300.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardOrder {
    /// Round, from 1.
    pub round: u16,
    /// The team whose board order the record states.
    pub team: u16,
    /// The opposing team.
    pub opponent: u16,
    /// The players, in board order; `None` for an empty board.
    pub players: Vec<Option<u16>>,
}

/// Pairing-allocated byes of teams, record 320.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamByes {
    /// Match points for each of these byes.
    pub match_points: Option<Points>,
    /// Game points for each of these byes.
    pub game_points: Option<Points>,
    /// The team with the bye in each round, from round 1; `None` if no team has it.
    pub teams: Vec<Option<u16>>,
    /// Line of the file, from 1; 0 if the record does not come from a file. Ignored when records are compared.
    pub line: LineNo,
}

impl TeamByes {
    pub(in crate::formats) fn set(&mut self, index: usize, team: Option<u16>) {
        let length = self.teams.len().max(index + 1);
        self.teams.resize(length, None);
        self.teams[index] = team;
    }
}

/// A forfeited match, record 330.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForfeitedMatch {
    /// The winner; `None` if both teams lose.
    pub winner: Option<Side>,
    /// Round, from 1.
    pub round: u16,
    /// The team with White.
    pub white: u16,
    /// The team with Black.
    pub black: u16,
}

/// The records of JaVaFo and bbpPairings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extensions {
    /// XXR: the number of rounds.
    pub rounds: Option<u16>,
    /// XXC `white1` or `black1`: the colour of the first player in round 1.
    pub initial_colour: Option<Side>,
    /// XXC `rank`: pairing uses ranks instead of pairing numbers.
    pub by_rank: bool,
    /// XXZ: absent players, in the order of the file.
    pub absent: Vec<u16>,
    /// XXA: players with their fictitious points for each round.
    pub accelerations: Vec<(u16, Vec<Option<Points>>)>,
    /// XXP: players who must not meet.
    pub prohibited: Vec<Vec<u16>>,
    /// XXS: points by code, in the order of the file.
    pub points: Vec<(String, Points)>,
    /// BBW, BBD, BBL, BBZ, BBF, BBU: points by the third letter of the tag.
    pub bbp_points: BTreeMap<char, Points>,
}

/// The parts of a report that carry no data for an event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// Unknown lines, unreadable records, comments and empty lines.
    pub lines: Vec<KeptLine>,
    /// The tags of the known records, by first occurrence.
    pub order: Vec<String>,
}

impl Kept {
    pub(in crate::formats) fn has(&self, tag: &str) -> bool {
        self.order.iter().any(|known| known == tag)
    }
}

/// A line that is kept unchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptLine {
    /// Tag of the preceding record; empty at the start of the file.
    pub after: String,
    /// Number of the preceding record among those with the same tag, from 1; 0 at the start of the file.
    pub nth: u32,
    /// The line, without its line ending.
    pub text: String,
}

impl Report {
    /// Returns the stated number of rounds, or the number in the players' lines if that is greater. Returns `None` if
    /// the file does not state a number.
    pub fn rounds(&self) -> Option<u16> {
        let announced = self.header.rounds.or(self.extensions.rounds)?;
        let reported = u16::try_from(self.rounds_reported()).unwrap_or(u16::MAX);
        Some(announced.max(reported))
    }

    /// Returns the number of rounds in the longest line of a player.
    pub fn rounds_reported(&self) -> usize {
        let cells = self.players.iter().map(|player| player.cells.len());
        cells.max().unwrap_or(0)
    }

    /// Returns the number of teams; 0 if the report has none.
    pub fn team_count(&self) -> usize {
        self.teams.len().max(self.old_teams.len())
    }

    /// Returns the teams of records 310, or those of records 013 if the file has no records 310.
    pub fn event_teams(&self) -> &[Team] {
        match self.teams.as_slice() {
            [] => &self.old_teams,
            teams => teams,
        }
    }

    /// Returns the player with this pairing number.
    pub fn player(&self, number: u16) -> Option<&Player> {
        self.players.iter().find(|player| player.number == number)
    }
}

pub(in crate::formats) fn old_teams(teams: &[Team]) -> Vec<Team> {
    let numbered = (1..).zip(teams).map(|(number, team)| Team {
        number,
        name: team.name.clone(),
        players: team.players.clone(),
        ..Team::default()
    });
    numbered.collect()
}

impl Cell {
    /// Returns true if the cell has no opponent, colour or letter.
    pub fn is_blank(&self) -> bool {
        *self == Self::default()
    }
}

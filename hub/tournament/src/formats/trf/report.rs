//! A tournament report as its records say it, whatever program wrote it: the vocabulary of the format, in types. Owns what a
//! report can hold; never reads or writes a line.

use std::collections::BTreeMap;

use super::value::{Colour, Date, Letter, Tenths};

/// A whole report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The tournament section.
    pub header: Header,
    /// The players, in the order of the file.
    pub players: Vec<Player>,
    /// What national federations know about players (NRS records).
    pub national: Vec<National>,
    /// The teams of record 310.
    pub teams: Vec<Team>,
    /// The teams of record 013, in the order of the file.
    pub old_teams: Vec<OldTeam>,
    /// What the rounds need beyond the players' lines.
    pub rules: Rules,
    /// The extensions of pairing programs.
    pub extensions: Extensions,
    /// Lines that are kept as they are, and the order of the records.
    pub kept: Kept,
}

/// The tournament section, records `??2`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// 012.
    pub name: Option<String>,
    /// 022.
    pub city: Option<String>,
    /// 032.
    pub federation: Option<String>,
    /// 042.
    pub start: Option<Date>,
    /// 052.
    pub end: Option<Date>,
    /// 062; when a file says it, it is the number of its players.
    pub players: Option<u32>,
    /// 072.
    pub rated: Option<u32>,
    /// 082.
    pub teams: Option<u32>,
    /// 092, free text.
    pub kind: Option<String>,
    /// 102.
    pub chief_arbiter: Option<String>,
    /// 112, one for each record.
    pub deputies: Vec<String>,
    /// 122, free text.
    pub times: Option<String>,
    /// 132; `None` for a round without a date.
    pub round_dates: Vec<Option<Date>>,
    /// 142.
    pub rounds: Option<u32>,
    /// 152.
    pub initial_colour: Option<Colour>,
    /// 162, in the order of the file.
    pub points: Vec<(PointCode, Tenths)>,
    /// 172: federation, empty if the file names none, and method.
    pub ranking: Option<(String, String)>,
    /// 182.
    pub program: Option<String>,
    /// 192.
    pub coded_kind: Option<String>,
    /// 202.
    pub tie_breaks: Vec<String>,
    /// 212.
    pub standings: Vec<String>,
    /// 222; a text that `control::read` reads.
    pub time_control: Option<String>,
    /// 352.
    pub team_colours: Vec<Colour>,
    /// 362, in the order of the file.
    pub match_points: Vec<(MatchCode, Tenths)>,
}

/// What record 162 gives points for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PointCode {
    /// `W`: a win, by play or by forfeit, or a full-point bye.
    Win,
    /// `D`: a draw or a half-point bye.
    Draw,
    /// `L`: a loss by play.
    Loss,
    /// `A`: an absence, by bye or by forfeit.
    Absence,
    /// `P`: the bye given by the pairing.
    PairingBye,
    /// `X`: a result that is not known yet.
    Unknown,
}

/// What record 362 gives match points for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MatchCode {
    /// `TW`: a won match.
    Win,
    /// `TD`: a drawn match.
    Draw,
    /// `TL`: a lost match.
    Loss,
}

/// A player, record 001.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Player {
    /// Starting-rank number, from 1.
    pub number: u32,
    /// `m` or `w`.
    pub sex: Option<Sex>,
    /// Title in capitals (`GM`); empty for none.
    pub title: String,
    /// `Lastname, Firstname`.
    pub name: String,
    /// FIDE rating; files write 0 as well as nothing for a player without one.
    pub rating: Option<u32>,
    /// Code of the federation, or empty.
    pub federation: String,
    /// FIDE number, or empty.
    pub fide_id: String,
    /// Date of birth.
    pub birth: Option<Date>,
    /// Points, as the file says.
    pub points: Option<Tenths>,
    /// Rank, as the file says.
    pub rank: Option<u32>,
    /// A cell for each round that the line has.
    pub cells: Vec<Cell>,
    /// Line of the file, from 1; 0 if there is none. Two players who differ in nothing else are equal.
    pub line: Place,
}

/// Where something stood in the file it was read from; of no account when things are compared.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place(pub usize);

impl PartialEq for Place {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Place {}

/// The sex a report knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sex {
    /// `m`.
    Man,
    /// `w`.
    Woman,
}

/// A player's round: nobody and nothing for a cell that is blank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// Starting-rank number of the opponent who was scheduled.
    pub opponent: Option<u32>,
    /// The colour that was scheduled.
    pub colour: Option<Colour>,
    /// The result; `None` with an opponent is a game without a result yet.
    pub letter: Option<Letter>,
}

/// A record of a national federation about a player; blank fields are as in the player's own record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct National {
    /// Code of the federation whose rating it is.
    pub federation: String,
    /// Starting-rank number of the player.
    pub number: u32,
    /// Sex, if it differs.
    pub sex: Option<Sex>,
    /// National title.
    pub title: String,
    /// Name, if it differs.
    pub name: String,
    /// National rating.
    pub rating: Option<u32>,
    /// Region, county or federation the player comes from.
    pub origin: String,
    /// National number.
    pub id: String,
    /// Date of birth, if it differs.
    pub birth: Option<Date>,
}

/// A team, record 310.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Team {
    /// Pairing number, from 1.
    pub number: u32,
    /// Name.
    pub name: String,
    /// Short name, or empty.
    pub nickname: String,
    /// Strength, usually the mean rating.
    pub strength: Option<Tenths>,
    /// Match points, as the file says.
    pub match_points: Option<Tenths>,
    /// Game points, as the file says.
    pub game_points: Option<Tenths>,
    /// Rank, as the file says.
    pub rank: Option<u32>,
    /// Starting-rank numbers of its players, first board first.
    pub players: Vec<u32>,
}

/// A team, record 013.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OldTeam {
    /// Name.
    pub name: String,
    /// Starting-rank numbers of its players, first board first.
    pub players: Vec<u32>,
}

/// Records 240 to 330.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// 240.
    pub byes: Vec<Byes>,
    /// 250.
    pub accelerations: Vec<Acceleration>,
    /// 260.
    pub prohibited: Vec<Prohibited>,
    /// 299.
    pub abnormal: Vec<Abnormal>,
    /// 300.
    pub orders: Vec<BoardOrder>,
    /// 320.
    pub team_byes: Option<TeamByes>,
    /// 330.
    pub forfeited: Vec<ForfeitedMatch>,
}

/// Byes that were asked for, record 240.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Byes {
    /// [`Letter::FullBye`], [`Letter::HalfBye`] or [`Letter::ZeroBye`].
    pub kind: Letter,
    /// Round, from 1.
    pub round: u32,
    /// Players, or teams in a team event.
    pub who: Vec<u32>,
}

/// Fictitious points, record 250.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Acceleration {
    /// Fictitious match points, of teams.
    pub match_points: Option<Tenths>,
    /// Fictitious points.
    pub points: Option<Tenths>,
    /// First and last round.
    pub rounds: (u32, u32),
    /// First and last player or team.
    pub who: (u32, u32),
}

/// Who is not to meet, record 260.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prohibited {
    /// First and last round.
    pub rounds: (u32, u32),
    /// Players or teams, none of whom may meet another.
    pub who: Vec<u32>,
}

/// Points that were given otherwise than the results say, record 299.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Abnormal {
    /// The result they are for; `None` for a penalty or a bonus.
    pub kind: Option<Letter>,
    /// Match points, of teams.
    pub match_points: Option<Tenths>,
    /// Points.
    pub points: Option<Tenths>,
    /// Round; `None` for all.
    pub round: Option<u32>,
    /// Players or teams; none for everybody.
    pub who: Vec<u32>,
}

/// The boards of a team in a round, record 300.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardOrder {
    /// Round, from 1.
    pub round: u32,
    /// The team.
    pub team: u32,
    /// The team it met.
    pub opponent: u32,
    /// Players, first board first; `None` for an empty board.
    pub players: Vec<Option<u32>>,
}

/// The byes given to teams by the pairing, record 320.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamByes {
    /// Match points of such a bye.
    pub match_points: Option<Tenths>,
    /// Game points of such a bye.
    pub game_points: Option<Tenths>,
    /// The team of each round.
    pub teams: Vec<Option<u32>>,
}

/// A match that was not played, record 330.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForfeitedMatch {
    /// The winner; `None` if both teams lose.
    pub winner: Option<Colour>,
    /// Round, from 1.
    pub round: u32,
    /// The team with White.
    pub white: u32,
    /// The team with Black.
    pub black: u32,
}

/// The records of JaVaFo and bbpPairings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extensions {
    /// XXR.
    pub rounds: Option<u32>,
    /// XXC `white1` or `black1`.
    pub initial_colour: Option<Colour>,
    /// XXC `rank`: the pairing goes by rank, not by starting rank.
    pub by_rank: bool,
    /// XXZ, in the order of the file.
    pub absent: Vec<u32>,
    /// XXA: player, and fictitious points of each round.
    pub accelerations: Vec<(u32, Vec<Option<Tenths>>)>,
    /// XXP.
    pub prohibited: Vec<Vec<u32>>,
    /// XXS, in the order of the file.
    pub points: Vec<(String, Tenths)>,
    /// BBW, BBD, BBL, BBZ, BBF, BBU: the points of each third letter.
    pub bbp_points: BTreeMap<char, Tenths>,
}

/// What a report holds beside its meaning.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// Lines this program does not know, comments and empty lines, in the order of the file.
    pub lines: Vec<KeptLine>,
    /// The tags of the records that are known, in the order in which each came first.
    pub order: Vec<String>,
}

/// A line that is kept as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptLine {
    /// Tag of the record it came after; empty at the start of the file.
    pub after: String,
    /// Which record of that tag, from 1; 0 at the start of the file.
    pub nth: u32,
    /// The line, without its end.
    pub text: String,
}

impl Report {
    /// The number of rounds of the event, if the file announces it: at least those that its players' lines have.
    pub fn rounds(&self) -> Option<u32> {
        let said = self.header.rounds.or(self.extensions.rounds)?;
        let reported = u32::try_from(self.rounds_reported()).unwrap_or(u32::MAX);
        Some(said.max(reported))
    }

    /// The number of rounds about which a player's line says anything.
    pub fn rounds_reported(&self) -> usize {
        let cells = self.players.iter().map(|player| player.cells.len());
        cells.max().unwrap_or(0)
    }

    /// The player with a number.
    pub fn player(&self, number: u32) -> Option<&Player> {
        self.players.iter().find(|player| player.number == number)
    }
}

impl Cell {
    /// Whether nothing is said about the round.
    pub fn is_blank(&self) -> bool {
        *self == Self::default()
    }
}

impl PointCode {
    /// Every code.
    pub const ALL: [Self; 6] = [
        Self::Win,
        Self::Draw,
        Self::Loss,
        Self::Absence,
        Self::PairingBye,
        Self::Unknown,
    ];

    /// As a file has it.
    pub fn letters(self) -> &'static str {
        match self {
            Self::Win => "W",
            Self::Draw => "D",
            Self::Loss => "L",
            Self::Absence => "A",
            Self::PairingBye => "P",
            Self::Unknown => "X",
        }
    }
}

impl MatchCode {
    /// Every code.
    pub const ALL: [Self; 3] = [Self::Win, Self::Draw, Self::Loss];

    /// As a file has it.
    pub fn letters(self) -> &'static str {
        match self {
            Self::Win => "TW",
            Self::Draw => "TD",
            Self::Loss => "TL",
        }
    }
}

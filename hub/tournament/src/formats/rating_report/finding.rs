//! The findings of the check of a rating report: each problem and its remedy. Owns their English text; the app has its
//! own text for each kind of problem.

use crate::{BoardNo, Date, PlayerNo, RoundNo};

/// A reason for a rating officer to refuse or query the report.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum Problem {
    #[error("the event is not chess: FIDE rates only chess")]
    NotChess,
    #[error("the event has no city")]
    NoCity,
    /// Record 032 is missing, or contains this text instead of a federation's code.
    #[error("the event has no three-letter federation code{}", found(.0))]
    NoFederation(String),
    #[error("the event has no start date")]
    NoStart,
    #[error("the event has no end date")]
    NoEnd,
    #[error("the event ends before it starts")]
    EndBeforeStart,
    #[error("the event has no chief arbiter")]
    NoChiefArbiter,
    #[error("the chief arbiter {0:?} has no FIDE ID")]
    NoArbiterId(String),
    #[error("the deputy {0:?} has no FIDE ID")]
    NoDeputyId(String),
    #[error("the event has no time control")]
    NoTimeControl,
    /// The time control cannot be parsed, or is given only as free text.
    #[error("the time control {0:?} cannot be read, so its rate of play was not checked")]
    UnreadableTimeControl(String),
    #[error("{}", too_fast(*.players, *.rating, *.minutes))]
    TooFast {
        /// Number of players with at least this `rating`; 0 if `rating` is 0.
        players: u16,
        /// Minimum rating of a player whose games need `minutes`; 0 if every game needs them.
        rating: u16,
        /// Minimum minutes for sixty moves.
        minutes: u16,
    },
    #[error("the first period has {0} moves: FIDE B.02 1.2 requires at least 30")]
    FewMoves(u32),
    #[error("the sectors have different rates of play, which are rated and reported separately")]
    SeveralRates,
    #[error("{1} rounds at standard time control on {0}: more than two a day")]
    ManyRoundsADay(Date, u16),
    #[error("round {0} has no date")]
    NoRoundDate(RoundNo),
    #[error("round {0} is dated {1}, which is outside the dates of the event")]
    RoundDateOutside(RoundNo, Date),
    #[error("round {0} is dated {1}, before the previous round")]
    RoundDateOrder(RoundNo, Date),
    #[error("round {0} is not paired")]
    RoundNotPaired(RoundNo),
    #[error("round {0}, board {1} has no final result")]
    NoResult(RoundNo, BoardNo),
    #[error("round {0} is not confirmed")]
    RoundNotConfirmed(RoundNo),
    #[error("the event has no players")]
    NoPlayers,
    /// Columns 58 to 68 are empty.
    #[error("player {0}, {1}, has no FIDE ID")]
    NoFideId(PlayerNo, String),
    #[error("players {0} and {2} have the same FIDE ID ({1})")]
    SameFideId(PlayerNo, String, PlayerNo),
    /// Column 10 is empty.
    #[error("the sex of player {0}, {1}, is missing")]
    NoSex(PlayerNo, String),
    /// Columns 70 to 79 are empty.
    #[error("player {0}, {1}, has no date of birth")]
    NoBirth(PlayerNo, String),
    #[error("player {0} has the date of birth {1:?}, which is not a date")]
    BadBirth(PlayerNo, String),
    /// Columns 54 to 56 are empty.
    #[error("player {0}, {1}, has no federation")]
    NoPlayerFederation(PlayerNo, String),
    /// Columns 11 to 13 contain a title that FIDE does not award.
    #[error("player {0} has the title {1:?}, which is not a FIDE title")]
    UnknownTitle(PlayerNo, String),
    /// The name does not fit into columns 15 to 47.
    #[error(
        "the name of player {0}, {1}, will be shortened: the report has room for 33 characters"
    )]
    LongName(PlayerNo, String),
    #[error("the name of player {0}, {1}, is not written \"Last, First\"")]
    NameOrder(PlayerNo, String),
}

fn found(text: &str) -> String {
    match text.trim() {
        "" => String::new(),
        text => format!(" (found {text:?})"),
    }
}

fn too_fast(players: u16, rating: u16, minutes: u16) -> String {
    match rating {
        0 => format!(
            "a player has less than {minutes} minutes for 60 moves: FIDE does not rate faster games"
        ),
        rating if players == 1 => format!(
            "one player is rated {rating} or more: that player's games need {minutes} minutes for 60 moves to be rated (FIDE B.02 1.1)"
        ),
        rating => format!(
            "{players} players are rated {rating} or more: their games need {minutes} minutes for 60 moves to be rated (FIDE B.02 1.1)"
        ),
    }
}

/// A problem in a rating report, and whether it prevents the report's acceptance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The problem. Its `Display` text is a description in English.
    pub problem: Problem,
    /// True if the problem only needs checking; false if the report would be refused.
    pub remark: bool,
}

impl Finding {
    /// Creates a finding for which the report would be refused.
    #[must_use]
    pub fn missing(problem: Problem) -> Self {
        Self {
            problem,
            remark: false,
        }
    }

    /// Creates a finding that only needs checking; the report is accepted.
    #[must_use]
    pub fn remark(problem: Problem) -> Self {
        Self {
            problem,
            remark: true,
        }
    }

    /// Returns the remedy for the problem: a command line, or an instruction in English.
    #[must_use]
    pub fn remedy(&self) -> String {
        let set = |what: &str| format!("flagfall event set {what}");
        let enter = |no: &PlayerNo, what: &str| format!("flagfall event enter --no {no} {what}");
        match &self.problem {
            Problem::NotChess => "submit no FIDE report for this event".to_owned(),
            Problem::NoCity => set("--city CITY"),
            Problem::NoFederation(_) => set("--federation CODE"),
            Problem::NoStart => set("--starts DAY"),
            Problem::NoEnd => set("--ends DAY"),
            Problem::EndBeforeStart => set("--starts DAY --ends DAY"),
            Problem::NoChiefArbiter | Problem::NoArbiterId(_) => {
                set("--chief-arbiter \"IA Last, First (FIDE-ID)\"")
            }
            Problem::NoDeputyId(_) => {
                set("--deputy \"IA Last, First (FIDE-ID)\", once for each deputy")
            }
            Problem::NoTimeControl => set("--time-control-code 5400+30"),
            Problem::UnreadableTimeControl(_) => set(
                "--time-control-code CODE, such as 5400+30 for 90 minutes and 30 seconds a move",
            ),
            Problem::TooFast { .. } | Problem::FewMoves(_) => {
                "check whether these games can be rated before you submit them".to_owned()
            }
            Problem::SeveralRates => "submit one report for each rate of play".to_owned(),
            Problem::ManyRoundsADay(..) => {
                "check the dates: FIDE B.02 allows at most 12 hours of play a day".to_owned()
            }
            Problem::NoRoundDate(round)
            | Problem::RoundDateOutside(round, _)
            | Problem::RoundDateOrder(round, _) => set(&format!("--round-date {round}=DAY")),
            Problem::RoundNotPaired(_) => {
                "play the round, or correct the number of rounds: flagfall event set --rounds NUMBER"
                    .to_owned()
            }
            Problem::NoResult(round, board) => {
                format!("flagfall event result {board} RESULT --round {round}")
            }
            Problem::RoundNotConfirmed(round) => format!("flagfall event round confirm {round}"),
            Problem::NoPlayers => "flagfall event enter --list FILE".to_owned(),
            Problem::NoFideId(no, _) | Problem::SameFideId(_, _, no) => {
                enter(no, "--fide-id NUMBER")
            }
            Problem::NoSex(no, _) => enter(no, "--sex m|w"),
            Problem::NoBirth(no, _) | Problem::BadBirth(no, _) => enter(no, "--birth YEAR"),
            Problem::NoPlayerFederation(no, _) => enter(no, "--federation CODE"),
            Problem::UnknownTitle(no, _) => enter(no, "--title GM|IM|WGM|FM|WIM|CM|WFM|WCM|none"),
            Problem::LongName(no, _) | Problem::NameOrder(no, _) => {
                format!("flagfall event enter \"Last, First\" --no {no} --by-hand")
            }
        }
    }
}

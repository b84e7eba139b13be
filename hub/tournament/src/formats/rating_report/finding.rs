//! A finding in words: what is missing, and the command that enters it. Owns the English; the app words findings by their kind.

use crate::{BoardNo, Date, PlayerNo, RoundNo};

/// Something that the rating report lacks, or that a rating officer may ask about.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The event is of another game.
    #[error("the event is not chess: FIDE rates chess alone")]
    NotChess,
    /// Record 022.
    #[error("the event has no city")]
    NoCity,
    /// Record 032: missing, or this text.
    #[error("the event has no federation of three letters{}", found(.0))]
    NoFederation(String),
    /// Record 042.
    #[error("the event has no first day")]
    NoStart,
    /// Record 052.
    #[error("the event has no last day")]
    NoEnd,
    /// The last day is before the first.
    #[error("the event ends before it starts")]
    EndBeforeStart,
    /// Record 102.
    #[error("the event has no chief arbiter")]
    NoChiefArbiter,
    /// Without a number in parentheses.
    #[error("the chief arbiter {0:?} has no FIDE number")]
    NoArbiterId(String),
    /// A deputy without a number.
    #[error("the deputy {0:?} has no FIDE number")]
    NoDeputyId(String),
    /// Records 122 and 222.
    #[error("the event has no time control")]
    NoTimeControl,
    /// A code that is no control, or none but words.
    #[error("the time control {0:?} cannot be read, so its rate of play was not checked")]
    UnreadableTimeControl(String),
    /// The control is too fast for players of such a rating.
    #[error("{}", too_fast(*.players, *.rating, *.minutes))]
    TooFast {
        /// Players whose games it concerns.
        players: u16,
        /// The rating from which more time is needed; 0: every game.
        rating: u16,
        /// Minutes for sixty moves that are needed.
        minutes: u16,
    },
    /// A first period of few moves.
    #[error("the first period has {0} moves: FIDE B.02 1.2 asks for at least 30")]
    FewMoves(u32),
    /// Sectors with controls of other rates.
    #[error("sectors play at different rates of play, which are rated and reported separately")]
    SeveralRates,
    /// Many rounds on one day at standard time control.
    #[error("{1} rounds at standard time control on {0}: more than two a day")]
    ManyRoundsADay(Date, u16),
    /// Record 132.
    #[error("round {0} has no date")]
    NoRoundDate(RoundNo),
    /// Not between the first and the last day.
    #[error("round {0} is dated {1}, outside the days of the event")]
    RoundDateOutside(RoundNo, Date),
    /// Before the previous round.
    #[error("round {0} is dated {1}, before the previous round")]
    RoundDateOrder(RoundNo, Date),
    /// A round to come.
    #[error("round {0} is not paired")]
    RoundNotPaired(RoundNo),
    /// A game without a final result.
    #[error("round {0}, board {1} has no final result")]
    NoResult(RoundNo, BoardNo),
    /// The chief arbiter has not confirmed it.
    #[error("round {0} is not confirmed")]
    RoundNotConfirmed(RoundNo),
    /// An empty event.
    #[error("the event has no players")]
    NoPlayers,
    /// Columns 58 to 68.
    #[error("player {0}, {1}, has no FIDE number")]
    NoFideId(PlayerNo, String),
    /// Two players with one number.
    #[error("players {0} and {2} have the same FIDE number ({1})")]
    SameFideId(PlayerNo, String, PlayerNo),
    /// Column 10.
    #[error("player {0}, {1}, has no sex")]
    NoSex(PlayerNo, String),
    /// Columns 70 to 79.
    #[error("player {0}, {1}, has no date of birth")]
    NoBirth(PlayerNo, String),
    /// A text that is none.
    #[error("player {0} has the date of birth {1:?}, which is no date")]
    BadBirth(PlayerNo, String),
    /// Columns 54 to 56.
    #[error("player {0}, {1}, has no federation")]
    NoPlayerFederation(PlayerNo, String),
    /// Columns 11 to 13.
    #[error("player {0} has the title {1:?}, which is none of FIDE's")]
    UnknownTitle(PlayerNo, String),
    /// Columns 15 to 47.
    #[error("the name of player {0}, {1}, is longer than the report's 33 characters and is cut")]
    LongName(PlayerNo, String),
    /// No comma.
    #[error("the name of player {0}, {1}, is not written \"Last, First\"")]
    NameOrder(PlayerNo, String),
}

fn found(text: &str) -> String {
    match text.trim() {
        "" => String::new(),
        text => format!(", but {text:?}"),
    }
}

fn too_fast(players: u16, rating: u16, minutes: u16) -> String {
    match rating {
        0 => format!(
            "a player has less than {minutes} minutes for 60 moves: FIDE rates no faster games"
        ),
        rating => format!(
            "{players} players are rated {rating} or more: their games need {minutes} minutes for 60 moves to be rated (FIDE B.02 1.1)"
        ),
    }
}

/// A problem, and whether the report is refused for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What it is.
    pub problem: Problem,
    /// The report is accepted with it; somebody should look at it.
    pub remark: bool,
}

impl Finding {
    /// The report is refused.
    #[must_use]
    pub fn missing(problem: Problem) -> Self {
        Self {
            problem,
            remark: false,
        }
    }

    /// The report is accepted.
    #[must_use]
    pub fn remark(problem: Problem) -> Self {
        Self {
            problem,
            remark: true,
        }
    }

    /// What to do: a command, or a sentence.
    #[must_use]
    pub fn remedy(&self) -> String {
        let set = |what: &str| format!("flagfall event set {what}");
        let enter = |no: &PlayerNo, what: &str| format!("flagfall event enter --no {no} {what}");
        match &self.problem {
            Problem::NotChess => "no FIDE report is submitted for it".to_owned(),
            Problem::NoCity => set("--city CITY"),
            Problem::NoFederation(_) => set("--federation CODE"),
            Problem::NoStart => set("--starts DAY"),
            Problem::NoEnd => set("--ends DAY"),
            Problem::EndBeforeStart => set("--starts DAY --ends DAY"),
            Problem::NoChiefArbiter | Problem::NoArbiterId(_) => {
                set("--chief-arbiter \"IA Last, First (FIDE-NUMBER)\"")
            }
            Problem::NoDeputyId(_) => {
                set("--deputy \"IA Last, First (FIDE-NUMBER)\", once for each deputy")
            }
            Problem::NoTimeControl => set("--time-control-code 5400+30"),
            Problem::UnreadableTimeControl(_) => {
                set("--time-control-code, as in 5400+30 for 90 minutes and 30 seconds a move")
            }
            Problem::TooFast { .. } | Problem::FewMoves(_) => {
                "check whether these games can be rated before you submit them".to_owned()
            }
            Problem::SeveralRates => "submit one report for each rate of play".to_owned(),
            Problem::ManyRoundsADay(..) => {
                "check the dates; FIDE B.02 allows at most 12 hours of play a day".to_owned()
            }
            Problem::NoRoundDate(round)
            | Problem::RoundDateOutside(round, _)
            | Problem::RoundDateOrder(round, _) => set(&format!("--round-date {round}=DAY")),
            Problem::RoundNotPaired(_) => {
                "play it, or say how many rounds there are: flagfall event set --rounds NUMBER"
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

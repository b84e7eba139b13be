//! The names of tie-breaks and their modifiers (C.07, TRF 202 and 212).
//!
//! Owns the notation `CODE[:score][/modifier…]`. Must never compute a tie-break.

use std::fmt;

use crate::Points;

text_enum! {
    /// The score on which a tie-break in a team event is based (C.07 5.3, 13).
    Measure {
        /// Match points.
        Match = "MP",
        /// Game points.
        Game = "GP",
    }
}

impl Measure {
    /// Returns the other score.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Match => Self::Game,
            Self::Game => Self::Match,
        }
    }
}

/// The numbers of least and most significant values that are left out of a sum (C.07 14).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cut {
    /// The number of least significant values to cut.
    pub low: u16,
    /// The number of most significant values to cut.
    pub high: u16,
}

text_enum! {
    /// A tie-break, by its code in C.07; `SPREAD` and `TALLY` are Flagfall's own codes.
    Code {
        /// Points: the primary score.
        Pts = "PTS",
        /// Match points.
        Mpts = "MPTS",
        /// Game points.
        Gpts = "GPTS",
        /// The secondary score: match points or game points.
        MpVsGp = "MPVGP",
        /// 6: direct encounter.
        De = "DE",
        /// 13.3: extended direct encounter, primary score then secondary.
        Ede = "EDE",
        /// 13.3: extended direct encounter, then the board count in the matches between the tied teams.
        Edec = "EDEC",
        /// 13.3: extended direct encounter, then the top boards in the matches between the tied teams.
        Edet = "EDET",
        /// 13.3: extended direct encounter, then bottom board elimination in the matches between the tied teams.
        Edeb = "EDEB",
        /// 13.3: extended direct encounter, then board count and top boards in the matches between the tied teams.
        Edebt = "EDEBT",
        /// 13.3: extended direct encounter, then board count and bottom board elimination in the matches between the tied teams.
        Edebb = "EDEBB",
        /// 7.1: number of wins.
        Win = "WIN",
        /// 7.2: games won over the board.
        Won = "WON",
        /// 7.3: games played with Black.
        Bpg = "BPG",
        /// 7.4: games won with Black.
        Bwg = "BWG",
        /// 7.5: progressive scores.
        Ps = "PS",
        /// 7.6: rounds that the participant elected to play.
        Rep = "REP",
        /// 7.7: standard points.
        Std = "STD",
        /// 7.8: tournament pairing number.
        Tpn = "TPN",
        /// 10.6: rating.
        Rtng = "RTNG",
        /// 8.1: Buchholz.
        Bh = "BH",
        /// 8.2: average of opponents' Buchholz.
        Aob = "AOB",
        /// 8.3: fore Buchholz.
        Fb = "FB",
        /// 9.1: Sonneborn-Berger.
        Sb = "SB",
        /// 9.2: Koya.
        Ks = "KS",
        /// 10.1: average rating of opponents.
        Aro = "ARO",
        /// 10.2: tournament performance rating.
        Tpr = "TPR",
        /// 10.3: perfect tournament performance.
        Ptp = "PTP",
        /// 10.4: average performance rating of opponents.
        Apro = "APRO",
        /// 10.5: average perfect performance of opponents.
        Appo = "APPO",
        /// 13: extended Sonneborn-Berger, the opponents' primary score times the secondary score against them.
        Esb = "ESB",
        /// 13: opponents' match points times match points against them.
        Emmsb = "EMMSB",
        /// 13: opponents' match points times game points against them.
        Emgsb = "EMGSB",
        /// 13: opponents' game points times match points against them.
        Egmsb = "EGMSB",
        /// 13: opponents' game points times game points against them.
        Eggsb = "EGGSB",
        /// 12: board count, where lower is better.
        Bc = "BC",
        /// 12: top board results.
        Tbr = "TBR",
        /// 12: bottom board elimination.
        Bbe = "BBE",
        /// 13: score and schedule strength combination.
        Sssc = "SSSC",
        /// Sum of the spreads in Scrabble or of the disc differences in Othello.
        Spread = "SPREAD",
        /// Sum of the participant's own counts: discs in Othello, points in Scrabble.
        Tally = "TALLY",
    }
}

impl Code {
    /// Parses a code. Also accepts former names: `GE` for REP, `SNO` for TPN, and `EDGE` for EDE.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "GE" => Some(Self::Rep),
            "SNO" => Some(Self::Tpn),
            "EDGE" => Some(Self::Ede),
            other => Self::from_word(other),
        }
    }
}

/// One entry in the event's list of tie-breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TieBreak {
    /// The tie-break's code.
    pub code: Code,
    /// The score to use in a team event; `None` for the event's primary score.
    pub measure: Option<Measure>,
    /// The numbers of values that are left out of the sum.
    pub cut: Cut,
    /// `P`: true if unplayed rounds against a scheduled opponent count as played against that opponent.
    pub forfeits_as_played: bool,
    /// `F`: true if the scores of fore Buchholz are used.
    pub fore: bool,
    /// `R`: true if the usual order is reversed, so that TPN is descending.
    pub reversed: bool,
    /// `L40`, `L1`, `L+1`, `L-0.5`: the limit of the Koya system.
    pub koya: KoyaLimit,
    /// `U1400`: the rating to assume for unrated players.
    pub unrated_as: Option<u16>,
    /// `K3`: the divisor of Buchholz in SSSC; `None` for the default.
    pub divisor: Option<u16>,
}

/// The lowest score at which an opponent counts in the Koya system (C.07 9.2 and 14).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KoyaLimit {
    /// Percentage of the maximum possible score.
    pub percent: u16,
    /// Points added to the limit that the percentage gives; negative to lower it.
    pub shift: Points,
}

impl KoyaLimit {
    /// Half of the maximum.
    pub const HALF: Self = Self {
        percent: 50,
        shift: Points::ZERO,
    };
}

impl TieBreak {
    /// Builds a tie-break without modifiers.
    #[must_use]
    pub const fn new(code: Code) -> Self {
        Self {
            code,
            measure: None,
            cut: Cut { low: 0, high: 0 },
            forfeits_as_played: false,
            fore: false,
            reversed: false,
            koya: KoyaLimit::HALF,
            unrated_as: None,
            divisor: None,
        }
    }

    /// Parses a tie-break such as `BH`, `BH/C1`, `BH-C1`, `SB/M1`, `BH:GP/C1`, `KS/L+1`, `DE/P` or `ARO/U1400`.
    ///
    /// # Errors
    /// Returns an error message about the part that cannot be parsed.
    pub fn parse(text: &str) -> Result<Self, String> {
        let upper = text.trim().to_ascii_uppercase();
        let mut parts = upper.split(['/', '!', '#']);
        let name = parts.next().unwrap_or_default();
        // The regulations and Lichess print `BH-C1` for TRF's `BH/C1`.
        let (name, dashed) = split(name, '-');
        let (name, measure) = split(name, ':');
        let (name, _) = split(name, '@');
        let code = Code::parse(name).ok_or_else(|| {
            format!("no tie-break has the code {name:?}: use a code of C.07, such as BH or SB")
        })?;
        let mut tie_break = Self::new(code);
        if let Some(measure) = measure {
            let unknown = || format!("the score of a tie-break is MP or GP, not {measure:?}");
            tie_break.measure = Some(Measure::from_word(measure).ok_or_else(unknown)?);
        }
        for modifier in dashed.into_iter().chain(parts) {
            tie_break.modify(modifier)?;
        }
        Ok(tie_break)
    }

    fn modify(&mut self, modifier: &str) -> Result<(), String> {
        let unknown = || {
            format!("the modifier {modifier:?} is not known: use C1, M1, P, F, R, L50, U1400 or K3")
        };
        let (letter, rest) = modifier.split_at_checked(1).ok_or_else(unknown)?;
        let number = || rest.parse::<u16>().map_err(|_| unknown());
        match letter {
            "C" => (self.cut.low, self.cut.high) = (number()?, 0),
            "M" => (self.cut.low, self.cut.high) = (number()?, number()?),
            "P" => self.forfeits_as_played = true,
            "F" => self.fore = true,
            "R" => self.reversed = true,
            "U" => self.unrated_as = Some(number()?),
            "K" => self.divisor = Some(number()?),
            "L" => self.koya = Self::limit(rest).ok_or_else(unknown)?,
            _ => return Err(unknown()),
        }
        Ok(())
    }

    /// Parses a limit such as `40`, `1`, `+1` or `-0.5`. A shift without a decimal point counts in half points (C.07
    /// 14.5).
    fn limit(text: &str) -> Option<KoyaLimit> {
        let (percent, shift) = match text.strip_prefix(['+', '-']) {
            Some(digits) => {
                let points = Points::parse(digits)?;
                let points = match digits.contains('.') {
                    true => points,
                    false => Points::from_hundredths(points.hundredths() / 2),
                };
                let sign = if text.starts_with('-') { -1 } else { 1 };
                (50, points.times(sign))
            }
            None => match text.parse().ok()? {
                // FIDE's own list of codes writes `L1` for half a point more, so 1 to 9 are half points, not per cent.
                half_points @ 1..10 => (50, Points::HALF.times(i64::from(half_points))),
                percent @ (0 | 10..=100) => (percent, Points::ZERO),
                101_u16.. => return None,
            },
        };
        Some(KoyaLimit { percent, shift })
    }

    fn limit_text(&self) -> String {
        let KoyaLimit { percent, shift } = self.koya;
        if shift != Points::ZERO {
            let sign = if shift > Points::ZERO { "+" } else { "" };
            format!("/L{sign}{shift}")
        } else if percent != 50 {
            format!("/L{percent}")
        } else {
            String::new()
        }
    }
}

impl fmt::Display for TieBreak {
    /// Formats the tie-break as TRF does: `BH:GP/C1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = self.code.as_str().to_owned();
        if let Some(measure) = self.measure {
            text.push(':');
            text.push_str(measure.as_str());
        }
        match (self.cut.low, self.cut.high) {
            (0, 0) => (),
            (low, 0) => text.push_str(&format!("/C{low}")),
            (low, _) => text.push_str(&format!("/M{low}")),
        }
        text.push_str(&self.limit_text());
        for (set, letter) in [
            (self.forfeits_as_played, "/P"),
            (self.fore, "/F"),
            (self.reversed, "/R"),
        ] {
            if set {
                text.push_str(letter);
            }
        }
        for (number, letter) in [(self.unrated_as, "/U"), (self.divisor, "/K")] {
            if let Some(number) = number {
                text.push_str(&format!("{letter}{number}"));
            }
        }
        f.pad(&text)
    }
}

fn split(text: &str, mark: char) -> (&str, Option<&str>) {
    match text.split_once(mark) {
        Some((before, after)) => (before, Some(after)),
        None => (text, None),
    }
}

/// Returns true if a list begins with the primary score. The secondary score of a team (MPvGP) only breaks ties.
#[must_use]
pub fn begins_with_score(list: &[TieBreak]) -> bool {
    let named = |first: &TieBreak| matches!(first.code, Code::Pts | Code::Mpts | Code::Gpts);
    list.first().is_some_and(named)
}

/// Returns the primary score of a team event: the score at the start of its list. Returns match points if the list does
/// not begin with a score, or begins with PTS without a measure.
#[must_use]
pub fn primary(list: &[TieBreak]) -> Measure {
    match list.first() {
        Some(first) if first.code == Code::Gpts => Measure::Game,
        Some(first) if first.code == Code::Pts => first.measure.unwrap_or(Measure::Match),
        Some(_) | None => Measure::Match,
    }
}

//! Rule sets: the articles under which a game is played, as data. Each file in `rules/` is one rule set.
//!
//! Owns the format of these files. The procedures decide what the articles mean in a game.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;
use timing::{Duration, GameResult, Side};

use crate::Refusal;

mod load;

pub use load::RuleSetError;

/// The rule set of a game, round or event.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the name of a field names the rule")]
pub struct RuleSet {
    /// The file name without its extension, such as `fide-blitz`.
    #[serde(skip)]
    pub key: String,
    /// The name shown to arbiters, in English.
    pub title: String,
    /// The names in other languages, by language code such as `de`, where they differ.
    #[serde(default)]
    pub titles: BTreeMap<String, String>,
    /// The text whose articles are cited.
    pub source: String,
    /// True if the cited text has its own numbers for articles that are also in the FIDE Laws.
    #[serde(default)]
    pub own_numbers: bool,
    pub game: GameKind,
    pub flag: FlagRule,
    pub illegal_move: Option<IllegalMoveRule>,
    #[serde(default)]
    pub claim: BTreeMap<ClaimKind, ClaimRule>,
    /// Draws that need no claim.
    #[serde(default)]
    pub automatic: BTreeMap<AutomaticDraw, Switch>,
    pub results: ResultsRule,
    pub default_time: Option<Cited>,
    pub draw_offer: Option<Switch>,
    /// Further rules that procedures apply, by the name of the procedure.
    #[serde(default)]
    pub procedure: BTreeMap<ProcedureKind, Switch>,
}

/// A game that is played with a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GameKind {
    /// Chess.
    Chess,
    /// Othello.
    Othello,
    /// Go.
    Go,
    /// Scrabble.
    Scrabble,
    /// Time Chess, in six phases of the day. The players move on their own devices.
    TimeChess,
}

/// A rule that consists of an article only.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Cited {
    /// The article that states the rule.
    pub article: String,
}

/// A rule that applies or is switched off.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Switch {
    /// The article that states the rule.
    pub article: String,
    /// The reason why the rule does not apply here; `None` if it does.
    pub off: Option<String>,
}

impl Switch {
    pub(crate) fn article_if_on(&self) -> Result<&str, Refusal> {
        Refusal::if_off(&self.article, self.off.as_deref())?;
        Ok(&self.article)
    }
}

/// A person or device that can call a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FlagCaller {
    /// The arbiter, who observes the flag fall.
    Arbiter,
    /// The opponent, who claims the flag fall.
    Opponent,
    /// The clock itself; no call is needed.
    Clock,
}

impl FlagCaller {
    /// Returns the keyword used in scripts and files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Arbiter => "arbiter",
            Self::Opponent => "opponent",
            Self::Clock => "clock",
        }
    }
}

/// The result of a loss on time or by illegal moves, if the opponent cannot checkmate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CannotMate {
    /// A draw.
    Draw,
    /// A loss nevertheless.
    Loss,
}

/// The rule about flag falls: the permitted callers and the outcome.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FlagRule {
    /// The callers whom the rule permits to call a flag.
    pub called_by: Vec<FlagCaller>,
    /// The article about calling a flag.
    pub article: String,
    /// The article about the result after a flag fall.
    pub outcome_article: String,
    /// The result if the opponent cannot checkmate by any series of legal moves.
    pub cannot_mate: CannotMate,
    /// The article about two fallen flags, if there is one.
    pub both_down_article: Option<String>,
}

/// The rule about illegal moves (FIDE 7.5).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct IllegalMoveRule {
    /// The article about the penalty.
    pub article: String,
    /// Extra time that the opponent receives for an illegal move.
    #[serde(deserialize_with = "load::duration")]
    pub opponent_gains: Duration,
    /// The article about the opponent's extra time.
    pub time_article: String,
    /// The player's illegal move that loses the game, counted from 1; `u32::MAX` if none does.
    pub loses_at: u32,
    /// The result of a loss by illegal moves if the opponent cannot checkmate.
    pub cannot_mate: CannotMate,
    /// The article under which an illegal move stands once the opponent has made the next move; `None` if it never
    /// stands.
    pub stands_after_next_move: Option<String>,
}

/// One kind of claim under a rule set.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ClaimRule {
    /// The article about the claim.
    pub article: String,
    /// The reason, with its article, why this claim does not exist under the rule set; `None` if it does.
    pub off: Option<String>,
    /// Extra time for the opponent after an incorrect claim.
    #[serde(default, deserialize_with = "load::optional_duration")]
    pub wrong_opponent_gains: Option<Duration>,
    /// Maximum time that may be taken from the claimant after an incorrect claim.
    #[serde(default, deserialize_with = "load::optional_duration")]
    pub wrong_claimant_loses: Option<Duration>,
    /// The article about an incorrect claim.
    pub wrong_article: Option<String>,
    /// Limit on the claimant's time in hand: at most this under US Chess 14H, less than this under the Guidelines.
    #[serde(default, deserialize_with = "load::optional_duration")]
    pub at_most: Option<Duration>,
    /// Extra time for the opponent when the claim is granted or postponed.
    #[serde(default, deserialize_with = "load::optional_duration")]
    pub opponent_gains: Option<Duration>,
    /// The increment or delay that a granted claim introduces.
    #[serde(default, deserialize_with = "load::optional_duration")]
    pub fits: Option<Duration>,
    /// The era of the fifty-move rule, as a key of the table of eras.
    pub era: Option<String>,
}

/// A kind of claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClaimKind {
    /// The same position for the third time (FIDE 9.2).
    Threefold,
    /// Fifty moves without a pawn move or a capture (FIDE 9.3).
    FiftyMoves,
    /// Insufficient losing chances, old text (US Chess 14H).
    LosingChancesOld,
    /// Insufficient losing chances, new text (US Chess 14H).
    LosingChancesNew,
    /// A request for an increment for both players (Guidelines III.4).
    Increment,
    /// The opponent cannot win by normal means (Guidelines III.5).
    NormalMeans,
    /// The opponent cannot win by normal means, in a game without an arbiter (Guidelines III.6).
    NormalMeansNoArbiter,
    /// The draw under the double flag.
    DoubleFlagDraw,
    /// A claim to the tournament director in correspondence play.
    Director,
}

impl ClaimKind {
    /// Every kind of claim, in the order in which a panel lists them.
    pub const ALL: [Self; 9] = [
        Self::Threefold,
        Self::FiftyMoves,
        Self::LosingChancesOld,
        Self::LosingChancesNew,
        Self::Increment,
        Self::NormalMeans,
        Self::NormalMeansNoArbiter,
        Self::DoubleFlagDraw,
        Self::Director,
    ];

    pub(crate) const fn is_losing_chances(self) -> bool {
        matches!(self, Self::LosingChancesOld | Self::LosingChancesNew)
    }

    /// Returns the keyword used in scripts and files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Threefold => "threefold",
            Self::FiftyMoves => "fifty-moves",
            Self::LosingChancesOld => "losing-chances-old",
            Self::LosingChancesNew => "losing-chances-new",
            Self::Increment => "increment",
            Self::NormalMeans => "normal-means",
            Self::NormalMeansNoArbiter => "normal-means-no-arbiter",
            Self::DoubleFlagDraw => "double-flag-draw",
            Self::Director => "director",
        }
    }

    /// Parses a kind of claim from its keyword.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

/// A draw that needs no claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AutomaticDraw {
    /// The same position for the fifth time (FIDE 9.6.1).
    Fivefold,
    /// 75 moves without a pawn move or a capture (FIDE 9.6.2).
    SeventyFiveMoves,
}

/// A procedure that a rule set may enable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProcedureKind {
    /// A wrong clock setting is corrected.
    WrongSetting,
    /// The game was begun with reversed colours.
    ReversedColours,
    /// Both players have stopped keeping score.
    Scorekeeping,
    /// The game is adjourned with a sealed move.
    Adjournment,
    /// A decision is appealed.
    Appeal,
    /// A team captain refills a substituted player's clock.
    CaptainsRescue,
    /// The result of a game in which a side used its grace time is capped.
    GraceResult,
    /// Points are lost for overtime.
    OvertimePoints,
}

/// The results that may be entered.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ResultsRule {
    /// The article about the permitted results.
    pub article: String,
    /// The permitted results, such as `1-0`.
    #[serde(deserialize_with = "load::results")]
    pub permitted: Vec<GameResult>,
    /// The side for which a drawn game counts as won (armageddon).
    #[serde(default, deserialize_with = "load::side")]
    pub draw_odds: Option<Side>,
}

impl RuleSet {
    /// Returns every rule set, ordered by key.
    pub fn all() -> &'static [Self] {
        match &*ALL {
            Ok(all) => all,
            // Unreachable, because a test parses the built-in files.
            Err(_) => &[],
        }
    }

    /// Returns the rule set with this key.
    pub fn find(key: &str) -> Option<&'static Self> {
        Self::all().iter().find(|rules| rules.key == key)
    }

    /// Parses rule sets from files, each given as a key and its text. A file may extend another one.
    ///
    /// # Errors
    /// Returns the first file that is not a rule set, and the reason.
    pub fn parse(files: &[(&str, &str)]) -> Result<Vec<Self>, RuleSetError> {
        load::parse(files)
    }

    /// Returns the rule for a kind of claim if that kind exists under this rule set.
    pub fn claim_rule(&self, kind: ClaimKind) -> Option<&ClaimRule> {
        self.claim.get(&kind).filter(|rule| rule.off.is_none())
    }

    /// Returns true if this draw needs no claim under the rule set.
    pub fn is_automatic(&self, draw: AutomaticDraw) -> bool {
        self.automatic
            .get(&draw)
            .is_some_and(|switch| switch.off.is_none())
    }

    /// Returns an article as it is cited, such as `FIDE 7.5.5` or `US Chess 11D`.
    pub fn quoted(&self, article: &str) -> String {
        let of_fide = article.starts_with(|first: char| first.is_ascii_digit())
            || article.get(1..2) == Some(".");
        match self.source.starts_with("US Chess") {
            true => format!("US Chess {article}"),
            false if of_fide => format!("FIDE {article}"),
            false => article.to_owned(),
        }
    }

    /// Returns true if this result may be entered.
    pub fn permits(&self, result: GameResult) -> bool {
        self.results.permitted.contains(&result)
    }

    /// Returns the result that is entered for a drawn game: a draw, or a win for the side with draw odds.
    pub fn drawn_game(&self) -> GameResult {
        self.results
            .draw_odds
            .map_or(GameResult::Draw, GameResult::win)
    }

    /// Returns true if `caller` may call a flag.
    pub fn may_call(&self, caller: FlagCaller) -> bool {
        self.flag.called_by.contains(&caller)
    }
}

static ALL: LazyLock<Result<Vec<RuleSet>, RuleSetError>> = LazyLock::new(|| load::parse(FILES));

const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/rule_files.rs"));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_has_each_language_or_is_a_name_in_all() {
        for rules in RuleSet::all() {
            let languages: Vec<&str> = rules.titles.keys().map(String::as_str).collect();
            assert!(
                languages.is_empty() || languages == ["de", "es", "fr"],
                "{}: {languages:?}",
                rules.key
            );
        }
        for language in ["de", "es", "fr"] {
            let title =
                |rules: &'static RuleSet| rules.titles.get(language).unwrap_or(&rules.title);
            let mut titles: Vec<_> = RuleSet::all().iter().map(title).collect();
            titles.sort_unstable();
            assert!(
                titles.windows(2).all(|pair| pair[0] != pair[1]),
                "{language}"
            );
        }
    }

    #[test]
    fn every_file_is_a_rule_set() {
        if let Err(error) = &*ALL {
            panic!("{error}");
        }
        assert_eq!(RuleSet::all().len(), FILES.len());
        assert!(FILES.len() >= 16, "{}", FILES.len());
        for rules in RuleSet::all() {
            assert!(!rules.results.permitted.is_empty(), "{}", rules.key);
            assert!(!rules.flag.called_by.is_empty(), "{}", rules.key);
            assert!(rules.permits(rules.drawn_game()) || rules.game != GameKind::Chess);
        }
    }

    #[test]
    fn an_article_is_quoted_with_its_source() {
        let quoted = |key: &str, article: &str| RuleSet::find(key).unwrap().quoted(article);
        assert_eq!(quoted("fide-blitz", "B.2"), "FIDE B.2");
        assert_eq!(quoted("casual", "7.5.5"), "FIDE 7.5.5");
        assert_eq!(quoted("uscf-14h-old", "11D"), "US Chess 11D");
        assert_eq!(quoted("double-flag", "double flag"), "double flag");
    }
}

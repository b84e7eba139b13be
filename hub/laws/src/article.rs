//! The articles that Flagfall applies, in its own words, for `flagfall rule TOPIC`.
//!
//! Owns these sentences. [`figures_of`] adds the figures that the rule sets define.

use timing::Duration;

use crate::rule_set::RuleSet;

/// An article of the Laws, or of another text that a rule set cites.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Article {
    /// The article's number, such as `7.5.5`, `III.4` or `14H2a`, or its name, such as `double flag`.
    pub number: &'static str,
    /// The rule, in Flagfall's words.
    pub text: &'static str,
}

macro_rules! articles {
    ($($number:literal: $text:literal,)+) => {
        /// The articles that `flagfall rule` lists, grouped by source text.
        pub const ARTICLES: &[Article] = &[$(Article { number: $number, text: $text },)+];
    };
}

articles! {
    "5.1.1": "Checkmate ends the game immediately, if the move was legal.",
    "5.2.1": "Stalemate ends the game immediately as a draw.",
    "5.2.2": "A position is dead if neither player can checkmate by any series of legal moves; the game is drawn. Flagfall decides this by material and, where few positions can still arise, by a search.",
    "5.2.3": "A draw offer that is accepted ends the game.",
    "6.2.1": "A press completes the move: it stops the player's clock and starts the opponent's.",
    "6.7": "A player who arrives after the default time loses the game. If both players are absent, both lose.",
    "6.8": "A flag has fallen when the arbiter observes it or a player claims it. An expired clock is shown as expired before the flag is called.",
    "6.9": "A player whose flag has fallen loses, unless the game had already ended on the board. The game is drawn if the opponent cannot checkmate by any series of legal moves.",
    "6.10.2": "A wrong setting is corrected when it is found: the arbiter stops the clocks and, by best judgement, enters the correct times and move counters.",
    "6.11.3": "After the clocks have been stopped, the arbiter decides when the game is restarted.",
    "7.3": "If the colours were reversed and fewer than ten moves have been made by both players, a new game is played; otherwise the game continues.",
    "7.5.1": "A completed illegal move is taken back, and the offender's clock runs until a legal move is completed. The press is not counted as a move.",
    "7.5.2": "A pawn on the last rank that was not replaced becomes a queen; the press counts, and it is the opponent's turn.",
    "7.5.3": "A press without a move counts as an illegal move.",
    "7.5.4": "A move with two hands counts as an illegal move.",
    "7.5.5": "The first illegal move by a player gives the opponent extra time. A second one loses the game, or draws it if the opponent cannot checkmate by any series of legal moves.",
    "8.4": "A player with less than five minutes and an increment of less than 30 s need not record moves.",
    "8.5.1": "If neither player keeps score, the arbiter stops the clocks as soon as a flag has fallen, and the scoresheets are updated.",
    "9.1.2.1": "A draw offer cannot be withdrawn. It stands until the opponent accepts it, rejects it, or completes a move.",
    "9.1.2.3": "A claim under 9.2 or 9.3 is also an offer of a draw.",
    "9.2": "The player having the move may claim a draw if the same position has appeared for the third time, or will do so after a move that the player writes down.",
    "9.2.3": "Positions are the same if the same player is to move, the same men are on the same squares, and the same moves are possible: castling rights count, and an en passant capture counts only if it was legal.",
    "9.3": "The player having the move may claim a draw after fifty moves by each player without a pawn move or a capture. A move that the player writes down may complete the fifty.",
    "9.4": "A player who touches a piece loses the right to claim on that move.",
    "9.5.2": "A claim cannot be withdrawn. If it is correct, the game is drawn.",
    "9.5.3": "If the claim is incorrect, the opponent receives extra time and the game continues. The player must make the move that was written down.",
    "9.6.1": "The game is drawn when a position appears for the fifth time.",
    "9.6.2": "The game is drawn after 75 moves by each player without a pawn move or a capture. If the last move is checkmate, checkmate takes precedence.",
    "11.10": "An appeal reopens a decided game: its result is suspended until the appeal is decided, and the clocks keep their times.",
    "12.9": "The penalties available to the arbiter include more time for the opponent, less time for the offender, and the results that may be entered.",
    "A.3": "In rapid chess the penalties of Articles 7 and 9 are one minute.",
    "A.5.1.1": "After ten moves by each player, the clock setting is changed only if the schedule would otherwise suffer.",
    "A.5.2": "An illegal move can be penalised only until the opponent has completed the next move.",
    "A.5.5": "An arbiter who observes a flag fall calls it; the opponent may claim it.",
    "B.2": "In blitz the penalties of Articles 7 and 9 are one minute.",
    "I": "Adjournment: the player to move seals a move, the times are recorded, and the opponent's clock starts when the sealed move has been played.",
    "III.2": "Guidelines III apply only where announced beforehand, in standard and rapid games without an increment, never in blitz.",
    "III.3.1": "If both flags are down and it is unknown which fell first, the game continues, or is drawn in the last period.",
    "III.4": "A player having the move and less than two minutes may ask for an increment of five seconds for both players. The request is a draw offer. If it is granted, the opponent receives two minutes.",
    "III.5": "If no increment is introduced, the player may claim that the opponent cannot win by normal means. The arbiter declares a draw, postpones the decision, or rejects the claim and gives the opponent two minutes.",
    "III.6": "Without an arbiter the claim ends play, and the final position is written down.",
    "13C1": "US Chess: only the players call a flag.",
    "14B3": "US Chess: a draw offered before moving. The opponent may ask for a move first; if that move is mate or stalemate, the game ends.",
    "14H": "US Chess, insufficient losing chances: a player to move may claim in sudden death with two minutes or less, the flag still up, and no delay or increment in use.",
    "14H2": "The claim is a draw offer; under the new text it is put to the opponent first.",
    "14H2a": "A delay clock is introduced: the claimant has half the time, to the nearest second with ties up and at least one second; the opponent's time is unchanged. 14H is then no longer available.",
    "14H2b": "Without a delay clock, the director denies the claim with an invitation to claim again, or watches and reserves judgement. Under the new text, a clear claim is also decided here.",
    "14H2c": "Old text: a clearly correct claim is a draw.",
    "14H2d": "Old text: a clearly incorrect claim is denied, and up to one minute may be taken from the claimant; at least one second remains.",
    "14H4": "A player whose flag is down may not claim.",
    "14H5": "No claim while a delay or an increment is properly set.",
    "14H6": "The director need not hear the claim where the variation is not in use.",
    "double flag": "Main time, then extra time in which a player can only draw. The opponent with main time left may claim the draw at any time; if both main times are used up, the game is drawn.",
    "Triple Block (c)": "Clocks stop only for a move or a claim to the director.",
    "Triple Block (7)": "A clock at zero loses, even with days in the bank.",
    "Triple Block (h)": "A captain may refill a clock only together with a substitution, with time left, before the end date; the clocks keep running.",
    "IV.6": "Othello: a player whose flag has fallen once has two more minutes, and the best result is then 31–33. A second flag fall is recorded as 0–64.",
    "overtime": "Scrabble: 10 points are lost for every minute of overtime or part of one.",
}

/// Returns the articles under a topic: an article such as `7.5.5`, a whole section such as `7`, `A`, `III` or `14H`,
/// or a name such as `double flag`. Case is ignored, and so is a prefix such as `Guidelines`, `Article` or `art.`.
pub fn articles_on(topic: &str) -> Vec<&'static Article> {
    let topic = topic.trim().to_lowercase();
    let topic = ["guidelines ", "guideline ", "article ", "art. "]
        .into_iter()
        .find_map(|prefix| topic.strip_prefix(prefix))
        .unwrap_or(&topic)
        .trim();
    if topic.is_empty() {
        return Vec::new();
    }
    ARTICLES
        .iter()
        .filter(|article| is_under(&article.number.to_lowercase(), topic))
        .collect()
}

fn is_under(number: &str, topic: &str) -> bool {
    let Some(rest) = number.strip_prefix(topic) else {
        return false;
    };
    let ends_in_digit = topic.ends_with(|last: char| last.is_ascii_digit());
    match rest.chars().next() {
        None | Some('.' | ' ') => true,
        // 14H2a is under 14H2 and 14H, but 14 is not under 1, nor III under I.
        Some(next) if next.is_ascii_digit() => !ends_in_digit,
        Some(_) => ends_in_digit,
    }
}

/// Returns the figures that the rule sets define for an article: one line for each rule set that defines any.
pub fn figures_of(article: &Article) -> Vec<String> {
    let cites = |text: &str| {
        let text = text.strip_prefix("Guidelines ").unwrap_or(text);
        text == article.number
    };
    let mut found = Vec::new();
    for rules in RuleSet::all() {
        let mut facts = Vec::new();
        if let Some(illegal) = &rules.illegal_move {
            if cites(&illegal.time_article) {
                facts.push(format!(
                    "illegal move: +{} for the opponent",
                    illegal.opponent_gains
                ));
            }
            if cites(&illegal.article) && illegal.loses_at < u32::MAX {
                facts.push(format!("illegal move number {} loses", illegal.loses_at));
            }
        }
        for (kind, rule) in &rules.claim {
            let kind = kind.as_str();
            match &rule.off {
                Some(why) if cites(&rule.article) => facts.push(format!("{kind}: off, {why}")),
                Some(_) => (),
                None => {
                    let named =
                        cites(&rule.article) || rule.wrong_article.as_deref().is_some_and(cites);
                    let mut add = |what: &str, span: Option<Duration>| {
                        if let (true, Some(span)) = (named, span) {
                            facts.push(format!("{kind}: {what} {span}"));
                        }
                    };
                    add("time in hand at most", rule.at_most);
                    add(
                        "incorrect, the opponent receives",
                        rule.wrong_opponent_gains,
                    );
                    add(
                        "incorrect, the claimant loses up to",
                        rule.wrong_claimant_loses,
                    );
                    add("the opponent receives", rule.opponent_gains);
                }
            }
        }
        if !facts.is_empty() {
            found.push(format!("{}: {}", rules.title, facts.join("; ")));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(topic: &str, expected: &[&str]) {
        let found: Vec<&str> = articles_on(topic)
            .iter()
            .map(|article| article.number)
            .collect();
        assert_eq!(found, expected, "{topic}");
    }

    #[test]
    fn a_topic_names_its_articles() {
        check("7", &["7.3", "7.5.1", "7.5.2", "7.5.3", "7.5.4", "7.5.5"]);
        check("7.5.5", &["7.5.5"]);
        check("9.6", &["9.6.1", "9.6.2"]);
        check("art. 7.3", &["7.3"]);
        check("guidelines III.4", &["III.4"]);
        check("i", &["I"]);
        check("a", &["A.3", "A.5.1.1", "A.5.2", "A.5.5"]);
        check("14h2", &["14H2", "14H2a", "14H2b", "14H2c", "14H2d"]);
        check("Double Flag", &["double flag"]);
        check(
            "triple block",
            &["Triple Block (c)", "Triple Block (7)", "Triple Block (h)"],
        );
        check("1", &[]);
        check("", &[]);
        check("99", &[]);
    }

    #[test]
    fn numbers_come_from_the_rule_sets() {
        let lines = |topic| -> String {
            articles_on(topic)
                .into_iter()
                .flat_map(figures_of)
                .collect::<Vec<_>>()
                .join("\n")
        };
        assert!(lines("B.2").contains("FIDE, blitz chess: illegal move: +1m for the opponent"));
        assert!(lines("7.5.5").contains(
            "FIDE, standard chess: illegal move: +2m for the opponent; illegal move number 2 loses"
        ));
        assert!(lines("14H2d").contains("the claimant loses up to 1m"));
    }
}

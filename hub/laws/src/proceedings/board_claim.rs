//! Claims about the moves (FIDE 9.2 to 9.5): threefold repetition and the fifty-move rule.

use std::fmt;

use timing::{Command, Duration, Side};

use super::claims::wrong_decision;
use super::{Actor, Decision, OpenClaim, Proceedings, Refusal, Situation, Steps, name, step};
use crate::fifty::era_row;
use crate::rule_set::{ClaimKind, ClaimRule};
use crate::{PlayedMove, Scoresheet};
use shakmaty::Position;

/// The evidence for or against a claim, taken from the moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// Number of appearances of the claimed position, counting the one after a move that is written but not played.
    Occurrences(u32),
    /// The half-moves without a pawn move or a capture, and the number that the rule requires.
    QuietPlies {
        /// Number of half-moves without a pawn move or a capture.
        plies: u32,
        /// Number of half-moves that the rule requires.
        needed: u32,
    },
}

impl Finding {
    /// Returns true if the claim is correct.
    pub const fn is_correct(self) -> bool {
        match self {
            Self::Occurrences(times) => times >= 3,
            Self::QuietPlies { plies, needed } => plies >= needed,
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Occurrences(times) => write!(f, "the position appears {times} times"),
            Self::QuietPlies { plies, needed } => write!(
                f,
                "{plies} of {needed} half-moves without a pawn move or a capture"
            ),
        }
    }
}

impl Proceedings {
    pub(super) fn find(
        &self,
        at: Situation<'_>,
        kind: ClaimKind,
        written: Option<&str>,
    ) -> Result<(Option<String>, Option<Finding>), Refusal> {
        let Some(score) = at.score else {
            return Ok((written.map(str::to_owned), None));
        };
        let next = written
            .map(|text| score.read_without_playing(text))
            .transpose();
        let next = next.map_err(Refusal::WrittenMove)?;
        let finding = self.finding(score, kind, next.as_ref());
        Ok((next.map(|next| next.san), finding))
    }

    /// Returns the evidence of the moves about a claim. Returns `None` for a claim that is not about the board, or if
    /// the era of the fifty-move rule is unknown.
    pub(crate) fn finding(
        &self,
        score: &Scoresheet,
        kind: ClaimKind,
        written: Option<&PlayedMove>,
    ) -> Option<Finding> {
        match kind {
            ClaimKind::Threefold => Some(Finding::Occurrences(match written {
                Some(next) => score.occurrences_of(&next.after) + 1,
                None => score.occurrences(),
            })),
            ClaimKind::FiftyMoves => {
                let position = written.map_or(score.position(), |next| &next.after);
                let rule = self.rules.claim_rule(kind);
                let era = rule.and_then(|rule| rule.era.as_deref());
                let era = era.unwrap_or("1992");
                let row = era_row(era, position.board(), self.extension_agreed)?;
                Some(Finding::QuietPlies {
                    plies: position.halfmoves(),
                    needed: 2 * row.moves,
                })
            }
            ClaimKind::LosingChancesOld
            | ClaimKind::LosingChancesNew
            | ClaimKind::Increment
            | ClaimKind::NormalMeans
            | ClaimKind::NormalMeansNoArbiter
            | ClaimKind::DoubleFlagDraw
            | ClaimKind::Director => None,
        }
    }

    pub(super) fn decide_board_claim(
        &mut self,
        at: Situation<'_>,
        open: &OpenClaim,
        decision: &Decision,
    ) -> Result<Steps, Refusal> {
        let rule = self.rule_of(open.kind)?;
        // The moves may have been written down since the claim.
        let found = self.find(at, open.kind, open.written.as_deref());
        let (written, now) = found.unwrap_or_default();
        let finding = now.or(open.finding);
        let correct = match (decision, finding) {
            (Decision::AsFound, Some(finding)) => finding.is_correct(),
            (Decision::AsFound, None) => return Err(Refusal::MovesUnknown),
            (Decision::Correct, _) => true,
            (Decision::Incorrect { penalty }, _) if *penalty == Duration::ZERO => false,
            _ => return Err(wrong_decision(&rule.article, "")),
        };
        let found = finding.map_or_else(
            || "as the arbiter judges".to_owned(),
            |finding| finding.to_string(),
        );
        if correct {
            let text = format!("the claim is correct ({found}): drawn");
            let article = self.numbered("9.5.2", &rule.article);
            return Ok(vec![step(Actor::Arbiter, article, text, [self.drawn()])]);
        }
        // If the game's moves are unknown, the written move may be impossible, so the player is not bound to it.
        let must = written.filter(|_| at.score.is_some());
        Ok(self.incorrect_claim(rule, open.by, must.as_deref(), &found))
    }

    /// Returns the steps after an incorrect claim (FIDE 9.5.3).
    fn incorrect_claim(
        &mut self,
        rule: &ClaimRule,
        by: Side,
        written: Option<&str>,
        found: &str,
    ) -> Steps {
        let article = rule.wrong_article.as_deref().unwrap_or(&rule.article);
        let opponent = by.other();
        let mut text = format!("the claim is incorrect ({found})");
        if let Some(gains) = rule.wrong_opponent_gains {
            text += &format!("; {} receives {gains}", name(opponent));
        }
        let gains = rule.wrong_opponent_gains;
        let gains = gains.map(|by| Command::Add { side: opponent, by });
        let mut steps = vec![step(Actor::Arbiter, article, text, gains)];
        let bound = self.numbered("9.5.3", article);
        let goes_on = match self.draw_offer() {
            Some(_) => "the game continues; the claim remains an offer of a draw",
            None => "the game continues",
        };
        if let Some(san) = written {
            self.must_play = Some((by, san.to_owned()));
            let text = format!("{} must play {san}", name(by));
            steps.push(step(Actor::Rules, bound, text, []));
        }
        let resume = Command::Resume(Some(by));
        steps.push(step(Actor::Arbiter, bound, goes_on, [resume]));
        steps
    }

    /// Records the players' agreement to extend the fifty-move rule in certain endgames. Possible only before the
    /// clocks have been started.
    pub(super) fn agree_extension(&mut self, at: Situation<'_>) -> Result<Steps, Refusal> {
        let rule = self.rule_of(ClaimKind::FiftyMoves)?;
        if at.clock.state() != timing::BoardState::Ready {
            return Err(Refusal::AlreadyStarted);
        }
        self.extension_agreed = true;
        let text = "the players agree to the extension of the fifty-move rule";
        Ok(vec![step(Actor::Arbiter, &rule.article, text, [])])
    }
}

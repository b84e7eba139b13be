//! Illegal moves and offences treated like them (FIDE 7.5, A.3, A.5.2, B.2).

use timing::{Command, Side};

use super::{Actor, Proceedings, Refusal, Situation, Steps, name, step};

/// A kind of offence that counts as an illegal move (FIDE 7.5.1 to 7.5.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OffenceKind {
    /// An illegal move was completed (FIDE 7.5.1).
    IllegalMove,
    /// A pawn on the last rank was not replaced (FIDE 7.5.2).
    PawnNotReplaced,
    /// The clock was pressed without a move (FIDE 7.5.3).
    PressWithoutMove,
    /// A move was made with two hands (FIDE 7.5.4).
    TwoHands,
}

impl OffenceKind {
    /// Every kind of offence, in the order of the articles.
    pub const ALL: [Self; 4] = [
        Self::IllegalMove,
        Self::PawnNotReplaced,
        Self::PressWithoutMove,
        Self::TwoHands,
    ];

    /// Returns the article of the FIDE Laws about this kind of offence.
    pub const fn article(self) -> &'static str {
        match self {
            Self::IllegalMove => "7.5.1",
            Self::PawnNotReplaced => "7.5.2",
            Self::PressWithoutMove => "7.5.3",
            Self::TwoHands => "7.5.4",
        }
    }

    /// Returns the keyword in the text form of a request.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::IllegalMove => "illegal",
            Self::PawnNotReplaced => "unreplaced",
            Self::PressWithoutMove => "no-move",
            Self::TwoHands => "two-hands",
        }
    }

    const fn words(self) -> &'static str {
        match self {
            Self::IllegalMove => "has completed an illegal move",
            Self::PawnNotReplaced => {
                "has not replaced a pawn on the last rank; it becomes a queen of the same colour"
            }
            Self::PressWithoutMove => "has pressed the clock without making a move",
            Self::TwoHands => "has used two hands for a single move",
        }
    }
}

/// An offence as recorded in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offence {
    /// The offender.
    pub by: Side,
    /// The kind of offence.
    pub kind: OffenceKind,
}

impl Proceedings {
    /// Returns the offences so far, in order.
    pub fn offences(&self) -> &[Offence] {
        &self.offences
    }

    /// Returns the number of illegal moves that a side has completed. Each offence under FIDE 7.5.1 to 7.5.4 counts as
    /// one illegal move (FIDE 7.5.5).
    pub fn illegal_moves(&self, side: Side) -> u32 {
        let count = self.offences.iter().filter(|o| o.by == side).count();
        u32::try_from(count).unwrap_or(u32::MAX)
    }

    pub(super) fn article_of_offence(&self, kind: OffenceKind) -> &'static str {
        let rule = self.rules.illegal_move.as_ref();
        self.numbered(kind.article(), rule.map_or("", |rule| &rule.article))
    }

    pub(super) fn illegal_move(
        &mut self,
        at: Situation<'_>,
        by: Side,
        kind: OffenceKind,
    ) -> Result<Steps, Refusal> {
        let Some(rule) = &self.rules.illegal_move else {
            return Err(self.not_in_rules());
        };
        at.in_progress()?;
        let pressed = at.side_on_move() == Some(by.other());
        if let (false, Some(article)) = (pressed, &rule.stands_after_next_move) {
            return Err(Refusal::IllegalMoveStands {
                article: article.clone(),
            });
        }
        self.offences.push(Offence { by, kind });
        let count = self.illegal_moves(by);
        self.replacing[by] = count;
        let text = format!("{} {} (number {count})", name(by), kind.words());
        let article = self.article_of_offence(kind);
        let mut steps = vec![step(Actor::Arbiter, article, text, at.pause())];
        if count >= rule.loses_at {
            let (end, words) = self.loss(at, by, rule.cannot_mate);
            let text = format!("the game is {words}");
            steps.push(step(Actor::Rules, &rule.article, text, [end]));
            return Ok(steps);
        }
        let text = format!("{} receives {}", name(by.other()), rule.opponent_gains);
        let gains = Command::Add {
            side: by.other(),
            by: rule.opponent_gains,
        };
        steps.push(step(Actor::Arbiter, &rule.time_article, text, [gains]));
        steps.push(self.replay_move(at, by, kind, pressed));
        Ok(steps)
    }

    /// Returns the step that continues the game: the offender's clock runs until a legal move is completed. If a pawn
    /// was not replaced, it becomes a queen instead, and it is the opponent's turn to move.
    fn replay_move(
        &self,
        at: Situation<'_>,
        by: Side,
        kind: OffenceKind,
        pressed: bool,
    ) -> super::ProcedureStep {
        if kind == OffenceKind::PawnNotReplaced {
            let on_move = Command::Resume(None);
            let article = self.article_of_offence(kind);
            return step(Actor::Arbiter, article, "the game continues", [on_move]);
        }
        let moves = at.clock.side(by, at.now).moves;
        let back = moves.checked_sub(1).filter(|_| pressed);
        let back = back.map(|to| Command::Moves { side: by, to });
        let commands = back.into_iter().chain([Command::Resume(Some(by))]);
        let text = format!("{} makes a legal move in its place", name(by));
        let article = self.article_of_offence(OffenceKind::IllegalMove);
        step(Actor::Arbiter, article, text, commands)
    }
}

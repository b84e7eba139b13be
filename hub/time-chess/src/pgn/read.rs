//! Reads a game from PGN.
//!
//! Owns the checks: every turn is replayed under the rules. Must never accept a file whose result or moves contradict
//! the rules.

use std::io::Cursor;
use std::ops::ControlFlow;
use std::str::FromStr;

use pgn_reader::{KnownOutcome, Nag, RawComment, RawTag, Reader, SanPlus, Visitor};
use shakmaty::Color;
use shakmaty::san::{San, SanError};

use super::{ATTEMPT, Annotated, BadComment, DERIVED, Note, VARIANT};
use crate::{Attempt, BadAttempt, FenError, Game, Outcome, Position, Reason, Refusal};

/// Maximum length of a comment that the reader delivers in one piece, in bytes.
const MAX_COMMENT: usize = 64 * 1024;

/// The reason why a PGN is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum PgnError {
    #[error("the PGN cannot be read: {0}")]
    Unreadable(String),
    #[error("the text has no game")]
    Empty,
    #[error("the text has more than one game: give one at a time")]
    Several,
    #[error("{0} is not UTF-8: convert the file")]
    NotUtf8(String),
    #[error("the tag Variant is `{0}`, not `{VARIANT}`")]
    Variant(String),
    #[error("the tag FEN: {0}")]
    Fen(#[from] FenError),
    #[error("{0}")]
    Text(#[from] BadComment),
    #[error("turn {turn} ({phase}), {san}: {problem}")]
    Turn {
        /// The turn's number, from 1.
        turn: usize,
        phase: crate::Phase,
        san: String,
        problem: TurnProblem,
    },
    #[error("the tag PlyCount is `{stated}`, but {read} turns can be read: the file is damaged")]
    PlyCount { stated: String, read: usize },
    #[error("the result is {stated}, but {actual}")]
    Result {
        stated: String,
        /// The fact that contradicts the result, as a clause of the error message.
        actual: String,
    },
}

/// The reason why a turn in the file is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum TurnProblem {
    #[error("no piece can make this move here")]
    NoMove,
    #[error("more than one piece can make this move: add its file or rank")]
    Ambiguous,
    #[error("a forfeited turn needs its attempt: {{[%attempt a2a4]}}")]
    NoAttempt,
    #[error("{0}")]
    Attempt(#[from] BadAttempt),
    #[error("{0}")]
    Refused(#[from] Refusal),
    #[error("the attempt {attempt} leads to {gives}")]
    Differs { attempt: Attempt, gives: String },
    #[error("`[%attempt` has no closing `]`")]
    OpenAttempt,
}

impl FromStr for Annotated {
    type Err = PgnError;

    fn from_str(text: &str) -> Result<Self, PgnError> {
        let unreadable = |error: std::io::Error| PgnError::Unreadable(error.to_string());
        let mut reader = Reader::build(Cursor::new(text.as_bytes()))
            .set_supported_comment_length(MAX_COMMENT)
            .set_supported_tag_line_length(16 * 1024)
            .finish();
        let raw = reader
            .read_game(&mut Collector)
            .map_err(unreadable)?
            .ok_or(PgnError::Empty)??;
        if reader.has_more().map_err(unreadable)? {
            return Err(PgnError::Several);
        }
        raw.replay()
    }
}

#[derive(Default)]
struct RawGame {
    tags: Vec<(String, String)>,
    preface: String,
    turns: Vec<(SanPlus, Note)>,
    /// The beginning of a comment that exceeds the reader's buffer.
    partial: Vec<u8>,
    result: Option<pgn_reader::Outcome>,
}

struct Collector;

type Flow<T = ()> = ControlFlow<Result<RawGame, PgnError>, T>;

impl Visitor for Collector {
    type Tags = RawGame;
    type Movetext = RawGame;
    type Output = Result<RawGame, PgnError>;

    fn begin_tags(&mut self) -> Flow<RawGame> {
        ControlFlow::Continue(RawGame::default())
    }

    fn tag(&mut self, game: &mut RawGame, name: &[u8], value: RawTag<'_>) -> Flow {
        let name = String::from_utf8_lossy(name).into_owned();
        match std::str::from_utf8(value.as_bytes()) {
            Ok(value) => game.tags.push((name, unescaped(value))),
            Err(_) => return ControlFlow::Break(Err(PgnError::NotUtf8(format!("tag {name}")))),
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, game: RawGame) -> Flow<RawGame> {
        ControlFlow::Continue(game)
    }

    fn san(&mut self, game: &mut RawGame, san: SanPlus) -> Flow {
        game.turns.push((san, Note::default()));
        ControlFlow::Continue(())
    }

    fn nag(&mut self, game: &mut RawGame, Nag(glyph): Nag) -> Flow {
        if let Some((_, note)) = game.turns.last_mut() {
            note.glyphs.push(glyph);
        }
        ControlFlow::Continue(())
    }

    fn partial_comment(&mut self, game: &mut RawGame, comment: RawComment<'_>) -> Flow {
        game.partial.extend_from_slice(comment.as_bytes());
        ControlFlow::Continue(())
    }

    fn comment(&mut self, game: &mut RawGame, comment: RawComment<'_>) -> Flow {
        let mut bytes = std::mem::take(&mut game.partial);
        bytes.extend_from_slice(comment.as_bytes());
        let Ok(text) = String::from_utf8(bytes) else {
            return ControlFlow::Break(Err(PgnError::NotUtf8("a comment".to_owned())));
        };
        let place = match game.turns.last_mut() {
            Some((_, note)) => &mut note.comment,
            None => &mut game.preface,
        };
        if !place.is_empty() {
            place.push(' ');
        }
        place.push_str(&text);
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, game: &mut RawGame, outcome: pgn_reader::Outcome) -> Flow {
        game.result = Some(outcome);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, game: RawGame) -> Result<RawGame, PgnError> {
        Ok(game)
    }
}

impl RawGame {
    fn tag(&self, name: &str) -> Option<&str> {
        let mut named = self.tags.iter().filter(|(known, _)| known == name);
        named.next().map(|(_, value)| value.as_str())
    }

    fn replay(self) -> Result<Annotated, PgnError> {
        let variant = self.tag("Variant").unwrap_or_default();
        if variant != VARIANT {
            return Err(PgnError::Variant(variant.to_owned()));
        }
        let start = match self.tag("FEN") {
            Some(fen) => fen.parse()?,
            None => Position::default(),
        };
        let mut game = Game::new(start);
        let mut notes = Vec::new();
        for (index, (san, note)) in self.turns.iter().enumerate() {
            let phase = game.phase();
            let fault = |problem| PgnError::Turn {
                turn: index + 1,
                phase,
                san: san.to_string(),
                problem,
            };
            let (attempt, comment) = read_attempt(&note.comment).map_err(fault)?;
            let attempt = attempt_for(game.position(), san.san, attempt).map_err(fault)?;
            let played = game.turn(attempt);
            played.map_err(|refusal| fault(refusal.into()))?;
            notes.push(Note {
                glyphs: note.glyphs.clone(),
                comment: comment.to_owned(),
            });
        }
        if let Some(stated) = self.tag("PlyCount")
            && stated.parse() != Ok(notes.len())
        {
            return Err(PgnError::PlyCount {
                stated: stated.to_owned(),
                read: notes.len(),
            });
        }
        self.conclude(&mut game)?;
        let mut annotated = Annotated::new(game);
        for (name, value) in &self.tags {
            if !DERIVED.contains(&name.as_str()) {
                annotated.set_tag(name, value)?;
            }
        }
        annotated.set_preface(&self.preface)?;
        for (index, note) in notes.into_iter().enumerate() {
            annotated.set_note(index, note)?;
        }
        Ok(annotated)
    }

    /// Applies the file's result, which must agree with the rules and with the tag `Result`, if that is present.
    fn conclude(&self, game: &mut Game) -> Result<(), PgnError> {
        let known = self.result.and_then(pgn_reader::Outcome::known);
        let stated = known.map(KnownOutcome::winner);
        let text = result_text(stated);
        if let Some(tag) = self.tag("Result")
            && tag != text
        {
            return Err(PgnError::Result {
                stated: text.to_owned(),
                actual: format!("the tag Result is {tag}"),
            });
        }
        if let Some(outcome) = game.outcome() {
            return match stated == Some(outcome.winner) {
                true => Ok(()),
                false => Err(PgnError::Result {
                    stated: text.to_owned(),
                    actual: format!("the rules give {outcome}"),
                }),
            };
        }
        let Some(winner) = stated else {
            return Ok(());
        };
        let words = self.tag("Termination").and_then(Reason::from_words);
        let reason = words.unwrap_or(Reason::Unstated);
        game.conclude(Outcome { winner, reason })
            .map_err(|refusal| PgnError::Result {
                stated: format!("{text} {}", reason.words()),
                actual: refusal.to_string(),
            })
    }
}

fn result_text(stated: Option<Option<Color>>) -> &'static str {
    let reason = Reason::Unstated;
    stated.map_or("*", |winner| Outcome { winner, reason }.result())
}

/// Returns a tag's value without its escapes. The PGN library's own decoding is wrong for two adjacent escapes.
fn unescaped(value: &str) -> String {
    let mut letters = value.chars().peekable();
    let mut text = String::new();
    while let Some(letter) = letters.next() {
        let escaped = letters.next_if(|next| letter == '\\' && matches!(next, '\\' | '"'));
        text.push(escaped.unwrap_or(letter));
    }
    text
}

fn read_attempt(comment: &str) -> Result<(Option<Attempt>, &str), TurnProblem> {
    let Some(rest) = comment.strip_prefix(ATTEMPT) else {
        return Ok((None, comment));
    };
    let (attempt, rest) = rest.split_once(']').ok_or(TurnProblem::OpenAttempt)?;
    let rest = rest.strip_prefix(' ').unwrap_or(rest);
    Ok((Some(attempt.parse()?), rest))
}

/// Returns the stated attempt, whose result must have this notation. Without a stated attempt, returns the attempt
/// for the only move that matches the notation.
fn attempt_for(
    position: &Position,
    san: San,
    attempt: Option<Attempt>,
) -> Result<Attempt, TurnProblem> {
    let Some(attempt) = attempt else {
        if san == San::Null {
            return Err(TurnProblem::NoAttempt);
        }
        return match position.attempt_of_san(san) {
            Ok(attempt) => attempt.ok_or(TurnProblem::NoMove),
            Err(SanError::IllegalSan) => Err(TurnProblem::NoMove),
            Err(SanError::AmbiguousSan) => Err(TurnProblem::Ambiguous),
        };
    };
    let turn = position.resolve(attempt)?;
    let gives = position.san(turn.result);
    if gives.san != san {
        return Err(TurnProblem::Differs {
            attempt,
            gives: gives.to_string(),
        });
    }
    Ok(attempt)
}

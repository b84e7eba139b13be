//! PGN for Time Chess: `[Variant "Time Chess"]`, with attempts in comments.
//!
//! Owns reading and writing. A turn is written as it happened, in SAN, or as `--` if it was forfeited. The comment `[%attempt d8d3]` follows if the
//! turn was forfeited or the attempt was a different move. The reader replays every turn and refuses a file that contradicts the rules.

mod read;

use std::fmt;

use shakmaty::Color;

use crate::{Game, Position, Turn, TurnResult};

pub use read::{PgnError, TurnProblem};

/// The value of the `Variant` tag.
pub const VARIANT: &str = "Time Chess";
const ATTEMPT: &str = "[%attempt ";
const LINE: usize = 80;

/// Tags that are derived from the game, so that they cannot contradict it.
pub(crate) const DERIVED: [&str; 6] = [
    "Variant",
    "SetUp",
    "FEN",
    "Result",
    "Termination",
    "PlyCount",
];

/// A game with its tags and its annotations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotated {
    /// The game to which the tags and annotations belong.
    pub game: Game,
    tags: Vec<(String, String)>,
    preface: String,
    notes: Vec<Note>,
}

/// The glyphs and the comment on one turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Note {
    /// Numeric annotation glyphs, for example 1 for `$1`.
    pub glyphs: Vec<u8>,
    /// The comment; empty if there is none.
    pub comment: String,
}

/// The reason why a tag, a comment or a note cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum BadComment {
    #[error("a comment cannot contain `}}`: remove it")]
    Brace,
    #[error("a comment cannot begin with `[%attempt`: the game itself writes attempts")]
    Attempt,
    #[error("the game has {turns} turns: there is none at index {index}")]
    NoSuchTurn {
        /// The requested index, from 0.
        index: usize,
        turns: usize,
    },
    #[error("`{0}` is not a tag name: use at most 255 letters, digits and `_`")]
    TagName(String),
    #[error("the game itself writes the tag {0}")]
    DerivedTag(String),
    #[error("the value of the tag {0} has a line break, or more than 4000 bytes")]
    TagValue(String),
}

impl Annotated {
    /// Creates an annotated game that has no tags or comments yet.
    pub fn new(game: Game) -> Self {
        let notes = vec![Note::default(); game.turns().len()];
        Self {
            game,
            tags: Vec::new(),
            preface: String::new(),
            notes,
        }
    }

    /// Returns the tags in order, except those that are derived from the game.
    pub fn tags(&self) -> &[(String, String)] {
        &self.tags
    }

    /// Returns the comment before the first turn; empty if there is none.
    pub fn preface(&self) -> &str {
        &self.preface
    }

    /// Returns the notes, in the order of the turns.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Sets a tag and replaces an existing one with the same name.
    ///
    /// # Errors
    /// Refuses names and values outside the limits that [`BadComment`] states, and tags that are derived from the game.
    pub fn set_tag(&mut self, name: &str, value: &str) -> Result<(), BadComment> {
        let letters = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if name.is_empty() || name.len() > 255 || !name.chars().all(letters) {
            return Err(BadComment::TagName(name.to_owned()));
        }
        if DERIVED.contains(&name) {
            return Err(BadComment::DerivedTag(name.to_owned()));
        }
        if value.len() > 4000 || value.contains(['\n', '\r']) {
            return Err(BadComment::TagValue(name.to_owned()));
        }
        match self.tags.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => value.clone_into(known),
            None => self.tags.push((name.to_owned(), value.to_owned())),
        }
        Ok(())
    }

    /// Sets the comment before the first turn.
    ///
    /// # Errors
    /// Refuses a comment that contains `}` or begins with `[%attempt`.
    pub fn set_preface(&mut self, comment: &str) -> Result<(), BadComment> {
        check_comment(comment)?;
        comment.clone_into(&mut self.preface);
        Ok(())
    }

    /// Sets the note of a turn, counted from 0.
    ///
    /// # Errors
    /// Refuses a comment that contains `}` or begins with `[%attempt`, and a turn that does not exist.
    pub fn set_note(&mut self, index: usize, note: Note) -> Result<(), BadComment> {
        check_comment(&note.comment)?;
        let turns = self.game.turns().len();
        self.notes.resize(turns, Note::default());
        match self.notes.get_mut(index) {
            Some(place) => *place = note,
            None => return Err(BadComment::NoSuchTurn { index, turns }),
        }
        Ok(())
    }
}

fn check_comment(comment: &str) -> Result<(), BadComment> {
    if comment.contains('}') {
        return Err(BadComment::Brace);
    }
    if comment.starts_with(ATTEMPT) {
        return Err(BadComment::Attempt);
    }
    Ok(())
}

impl fmt::Display for Annotated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let result = self.game.outcome().map_or("*", |outcome| outcome.result());
        let tag = |f: &mut fmt::Formatter<'_>, name: &str, value: &str| {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(f, "[{name} \"{value}\"]")
        };
        for (name, value) in &self.tags {
            tag(f, name, value)?;
        }
        tag(f, "Result", result)?;
        tag(f, "Variant", VARIANT)?;
        if *self.game.start() != Position::default() {
            tag(f, "SetUp", "1")?;
            tag(f, "FEN", &self.game.start().to_string())?;
        }
        tag(f, "PlyCount", &self.game.turns().len().to_string())?;
        if let Some(outcome) = self.game.outcome() {
            tag(f, "Termination", outcome.reason.words())?;
        }
        writeln!(f)?;
        let mut column = 0;
        for token in self.movetext().iter().map(String::as_str).chain([result]) {
            let length = token.chars().count();
            if column > 0 && column + 1 + length > LINE {
                writeln!(f)?;
                column = 0;
            }
            if column > 0 {
                write!(f, " ")?;
                column += 1;
            }
            write!(f, "{token}")?;
            column += length;
        }
        writeln!(f)
    }
}

impl Annotated {
    /// Returns the tokens of the movetext in order: move numbers, moves, glyphs and comments.
    pub fn movetext(&self) -> Vec<String> {
        let mut tokens = Vec::new();
        if !self.preface.is_empty() {
            tokens.push(format!("{{{}}}", self.preface));
        }
        let mut position = self.game.start().clone();
        let mut needs_number = true;
        for (index, turn) in self.game.turns().iter().enumerate() {
            match position.mover() {
                Color::White => tokens.push(format!("{}.", position.fullmoves())),
                Color::Black if needs_number => tokens.push(format!("{}...", position.fullmoves())),
                Color::Black => (),
            }
            tokens.push(position.san(turn.result).to_string());
            let note = self.notes.get(index);
            let glyphs = note.map_or(&[][..], |note| &note.glyphs);
            tokens.extend(glyphs.iter().map(|glyph| format!("${glyph}")));
            let comment = comment_of(turn, note.map_or("", |note| &note.comment));
            needs_number = !comment.is_empty();
            if needs_number {
                tokens.push(format!("{{{comment}}}"));
            }
            position = position.after(turn.result);
        }
        tokens
    }
}

fn comment_of(turn: &Turn, comment: &str) -> String {
    let is_told = turn.is_interrupted() || matches!(turn.result, TurnResult::Forfeited(_));
    match (is_told, comment.is_empty()) {
        (false, _) => comment.to_owned(),
        (true, true) => format!("{ATTEMPT}{}]", turn.attempt),
        (true, false) => format!("{ATTEMPT}{}] {comment}", turn.attempt),
    }
}

//! Remarks on the reading of a file's text: its encoding, columns, records and fields.

use std::fmt;

use super::Position;
use crate::formats::fault::{Fault, quoted};
use crate::formats::trf::value::Date;
use crate::{Bye, RoundNo};

/// The treatment of a field that has an unexpected text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldTreatment {
    /// Read as this date.
    ReadAsDate(Date),
    /// Left out: not a date.
    NoDate,
    /// Left out: a comment.
    Comment,
    /// Left out: not the code of a federation.
    NoFederation,
    /// Left out: not a FIDE ID.
    NoFideId,
    /// Read as a missing result.
    ReadAsNoResult,
    /// A colour that is left out, since there is no opponent.
    ColourWithoutOpponent,
    /// A result without an opponent, read as this bye.
    ReadAsBye(Bye),
    /// Not in the columns of a date: the dates of the line are taken in order, beginning with this round's.
    DatesInOrder(RoundNo),
}

impl fmt::Display for FieldTreatment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ReadAsDate(date) => write!(f, "is read as {date}"),
            Self::NoDate => f.write_str("is not a date such as 2026/11/20 and is left out"),
            Self::Comment => f.write_str("is treated as a comment and left out"),
            Self::NoFederation => f.write_str("is not a federation code and is left out"),
            Self::NoFideId => f.write_str("is not a FIDE ID and is left out"),
            Self::ReadAsNoResult => f.write_str("is read as no result yet"),
            Self::ColourWithoutOpponent => f.write_str("is left out because there is no opponent"),
            Self::ReadAsBye(bye) => {
                let bye = match bye {
                    Bye::Full => "a full-point bye, F",
                    Bye::Half => "a half-point bye, H",
                    Bye::Zero => "a zero-point bye, Z",
                    Bye::PairingAllocated => "a pairing-allocated bye, U",
                };
                write!(f, "without an opponent is read as {bye}")
            }
            Self::DatesInOrder(round) => write!(
                f,
                "is not in the columns of a date: the dates on this line are taken in order, from round {round} onwards"
            ),
        }
    }
}

/// A remark on the reading of a file's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadingRemark {
    /// The encoding is guessed: a DOS code page.
    DosCodePage,
    /// An invisible character is left out.
    HiddenCharacter {
        /// The line.
        line: usize,
        /// The character.
        character: char,
    },
    /// Invisible characters are left out of so many further lines.
    MoreHiddenCharacters(usize),
    /// The file counts columns in bytes, and was read so.
    ColumnsInBytes,
    /// A column of a table with an unknown heading was not read.
    UnknownColumn(String),
    /// A record that may occur once is repeated word for word.
    RepeatedRecord {
        /// The line of the repetition.
        line: usize,
        /// The record's tag.
        tag: String,
    },
    /// An unreadable record in one of this program's comments is left out.
    CommentLeftOut(Fault),
    /// An unreadable record on which nothing depends is left out.
    RecordLeftOut {
        /// The record's tag.
        tag: String,
        /// The unreadable place.
        fault: Fault,
    },
    /// An unreadable record is kept unchanged for the export.
    RecordKept {
        /// The record's tag.
        tag: String,
        /// The unreadable place.
        fault: Fault,
    },
    /// A line without a tag is kept unchanged for the export.
    NotARecord {
        /// The line.
        line: usize,
        /// Its text.
        text: String,
    },
    /// The comments about teams contradict newer records 013 and are left out.
    OutdatedTeams {
        /// The first of these comments.
        line: usize,
    },
    /// A field with an unexpected text.
    Field {
        /// The place of the field.
        at: Position,
        /// The text.
        text: String,
        /// The treatment of the text.
        treatment: FieldTreatment,
    },
}

impl fmt::Display for ReadingRemark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DosCodePage => f.write_str(
                "the file is read in DOS code page 850 (437): check names with accents, or save it as UTF-8",
            ),
            Self::HiddenCharacter { line, character } => write!(
                f,
                "line {line}: the invisible character U+{:04X} is left out",
                u32::from(*character)
            ),
            Self::MoreHiddenCharacters(lines) => {
                write!(f, "invisible characters are left out of {lines} more lines")
            }
            Self::ColumnsInBytes => f.write_str(
                "the file counts columns in bytes of UTF-8, not in characters, and was read so",
            ),
            Self::UnknownColumn(heading) => write!(f, "the column `{heading}` was not read"),
            Self::RepeatedRecord { line, tag } => write!(
                f,
                "line {line}, column 1: record {tag} is repeated; it counts once"
            ),
            Self::CommentLeftOut(fault) => {
                write!(f, "the record in a comment is left out: {fault}")
            }
            Self::RecordLeftOut { tag, fault } => write!(f, "record {tag} is left out: {fault}"),
            Self::RecordKept { tag, fault } => {
                write!(f, "record {tag} is kept unread as it is: {fault}")
            }
            Self::NotARecord { line, text } => write!(
                f,
                "line {line}, column 1: {} is not a record; it is kept unread as it is",
                quoted(text)
            ),
            Self::OutdatedTeams { line } => write!(
                f,
                "line {line}, column 1: the comments about teams are left out: records 013 have other teams"
            ),
            Self::Field {
                at,
                text,
                treatment,
            } => write!(f, "{at}: {} {treatment}", quoted(text)),
        }
    }
}

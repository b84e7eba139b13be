//! Remarks on the reading of a file's text: its encoding, columns, records and fields.

use derive_more::Display;

use super::entrant::Position;
use crate::formats::fault::{Fault, quoted};
use crate::formats::trf::value::{Date, Letter};
use crate::{Bye, RoundNo};

/// The treatment of a field with unexpected text.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum FieldTreatment {
    #[display("is read as {_0}")]
    ReadAsDate(Date),
    #[display("is not a date in the form 2026/11/20 and is left out")]
    NoDate,
    #[display("is treated as a comment and left out")]
    Comment,
    #[display("is not a federation code and is left out")]
    NoFederation,
    #[display("is not a FIDE ID and is left out")]
    NoFideId,
    #[display("was read as “no result yet”")]
    ReadAsNoResult,
    #[display("is left out because there is no opponent")]
    ColourWithoutOpponent,
    #[display("without an opponent counts as a {}, {}", _0.words(), Letter::Bye(*_0).letter())]
    ReadAsBye(Bye),
    #[display(
        "is not in a date column: the dates on this line are assigned in order, starting with round {_0}"
    )]
    DatesInOrder(RoundNo),
}

/// A remark on the reading of a file's text.
#[derive(Clone, Debug, Display, PartialEq, Eq)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum ReadingRemark {
    #[display(
        "the file was read as DOS text (code page 850): check names with accents, or save it as UTF-8"
    )]
    DosCodePage,
    #[display("line {line}: the invisible character U+{:04X} is left out", u32::from(*character))]
    HiddenCharacter { line: usize, character: char },
    #[display("invisible characters are left out of {_0} more lines")]
    MoreHiddenCharacters(usize),
    #[display(
        "the file counts columns in bytes of UTF-8, not in characters, and was read that way"
    )]
    ColumnsInBytes,
    #[display("the column `{_0}` was not read")]
    UnknownColumn(String),
    #[display("line {line}, column 1: record {tag} is repeated and counts only once")]
    RepeatedRecord { line: usize, tag: String },
    #[display("a record in a comment cannot be read and is left out: {_0}")]
    CommentLeftOut(Fault),
    #[display("record {tag} cannot be read and is left out: {fault}")]
    RecordLeftOut { tag: String, fault: Fault },
    #[display("record {tag} cannot be read; exports keep it unchanged: {fault}")]
    RecordKept { tag: String, fault: Fault },
    #[display(
        "line {line}, column 1: {} is not a record; exports keep the line unchanged",
        quoted(text)
    )]
    NotARecord { line: usize, text: String },
    #[display(
        "line {line}, column 1: the team comments are left out because the 013 records list different teams"
    )]
    OutdatedTeams {
        /// The line of the first comment that contains a team record.
        line: usize,
    },
    #[display("{at}: {} {treatment}", quoted(text))]
    Field {
        at: Position,
        text: String,
        treatment: FieldTreatment,
    },
}

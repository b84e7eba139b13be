//! Remarks on the reading of a file's text: its encoding, columns, records and fields.

use derive_more::Display;

use super::entrant::Position;
use crate::formats::fault::{Fault, quoted};
use crate::formats::trf::value::{Date, Letter};
use crate::{Bye, RoundNo};

/// The treatment of a field that has an unexpected text.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum FieldTreatment {
    #[display("is read as {_0}")]
    ReadAsDate(Date),
    #[display("is not a date such as 2026/11/20 and is left out")]
    NoDate,
    #[display("is treated as a comment and left out")]
    Comment,
    #[display("is not a federation code and is left out")]
    NoFederation,
    #[display("is not a FIDE ID and is left out")]
    NoFideId,
    #[display("is read as no result yet")]
    ReadAsNoResult,
    #[display("is left out because there is no opponent")]
    ColourWithoutOpponent,
    #[display("without an opponent is read as a {}, {}", _0.words(), Letter::Bye(*_0).letter())]
    ReadAsBye(Bye),
    #[display(
        "is not in the columns of a date: the dates on this line are taken in order, from round {_0} onwards"
    )]
    DatesInOrder(RoundNo),
}

/// A remark on the reading of a file's text.
#[derive(Clone, Debug, Display, PartialEq, Eq)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum ReadingRemark {
    #[display(
        "the file is read in DOS code page 850 (437): check names with accents, or save it as UTF-8"
    )]
    DosCodePage,
    #[display("line {line}: the invisible character U+{:04X} is left out", u32::from(*character))]
    HiddenCharacter { line: usize, character: char },
    #[display("invisible characters are left out of {_0} more lines")]
    MoreHiddenCharacters(usize),
    #[display("the file counts columns in bytes of UTF-8, not in characters, and was read so")]
    ColumnsInBytes,
    #[display("the column `{_0}` was not read")]
    UnknownColumn(String),
    #[display("line {line}, column 1: record {tag} is repeated; it counts once")]
    RepeatedRecord { line: usize, tag: String },
    #[display("the record in a comment is left out: {_0}")]
    CommentLeftOut(Fault),
    #[display("record {tag} is left out: {fault}")]
    RecordLeftOut { tag: String, fault: Fault },
    #[display("record {tag} is kept unread as it is: {fault}")]
    RecordKept { tag: String, fault: Fault },
    #[display(
        "line {line}, column 1: {} is not a record; it is kept unread as it is",
        quoted(text)
    )]
    NotARecord { line: usize, text: String },
    #[display(
        "line {line}, column 1: the comments about teams are left out: records 013 have other teams"
    )]
    OutdatedTeams {
        /// The first of these comments.
        line: usize,
    },
    #[display("{at}: {} {treatment}", quoted(text))]
    Field {
        at: Position,
        text: String,
        treatment: FieldTreatment,
    },
}

//! Walks through an encoded message, replaces the values of the fields in the table, and copies all other fields.

use alloc::vec::Vec;

use super::table::{RECORD, Row, Rule};
use super::{NameClass, NameError, is_commitment};

/// Offset added to the number of a numeric field when its value is concealed. Readers skip the resulting unknown field.
const SHIFT: u32 = 10_000;
const MAX_DEPTH: u32 = 16;

pub(super) struct Found<'a> {
    /// Number of the value's place within the record, from 0.
    pub(super) place: u32,
    pub(super) class: NameClass,
    /// The name, the digits of a number, or a commitment.
    pub(super) value: &'a [u8],
}

/// A callback that returns a value's replacement, or `None` to keep the value.
type Replace<'a> = &'a mut dyn FnMut(Found<'_>) -> Result<Option<Vec<u8>>, NameError>;

pub(super) fn walk(record: &[u8], replace: Replace<'_>) -> Result<Vec<u8>, NameError> {
    let mut walker = Walker {
        place: 0,
        keeps_texts: rules_of(record)? < 2,
        replace,
    };
    walker.message(record, RECORD, MAX_DEPTH)
}

/// Returns the record's rules version, which is its first field; 0 if the field is absent.
fn rules_of(record: &[u8]) -> Result<u64, NameError> {
    let mut rest = record;
    match rest.first() {
        Some(0x08) => {
            rest = &rest[1..];
            varint(&mut rest)
        }
        Some(_) | None => Ok(0),
    }
}

struct Walker<'a> {
    place: u32,
    /// True for records before rules version 2. Their texts are not concealed, because the text of a reason can affect the game.
    keeps_texts: bool,
    replace: Replace<'a>,
}

impl Walker<'_> {
    fn message(&mut self, bytes: &[u8], rows: &[Row], depth: u32) -> Result<Vec<u8>, NameError> {
        let depth = depth.checked_sub(1).ok_or(NameError::Malformed)?;
        let mut out = Vec::with_capacity(bytes.len() + 64);
        let mut rest = bytes;
        while !rest.is_empty() {
            let start = rest;
            let tag = varint(&mut rest)?;
            let (number, wire) = ((tag >> 3) as u32, tag & 7);
            match wire {
                0 => {
                    let value = varint(&mut rest)?;
                    let field = &start[..start.len() - rest.len()];
                    self.number(number, value, field, rows, &mut out)?;
                }
                2 => {
                    let len = usize::try_from(varint(&mut rest)?);
                    let len = len.map_err(|_| NameError::Malformed)?;
                    let (value, left) = rest.split_at_checked(len).ok_or(NameError::Malformed)?;
                    rest = left;
                    self.bytes(number, value, rows, depth, &mut out)?;
                }
                1 | 5 => {
                    let len = if wire == 1 { 8 } else { 4 };
                    rest = rest.get(len..).ok_or(NameError::Malformed)?;
                    out.extend_from_slice(&start[..start.len() - rest.len()]);
                }
                _ => return Err(NameError::Malformed),
            }
        }
        Ok(out)
    }

    fn number(
        &mut self,
        number: u32,
        value: u64,
        field: &[u8],
        rows: &[Row],
        out: &mut Vec<u8>,
    ) -> Result<(), NameError> {
        let Some((_, Rule::Number(class))) = row(rows, number) else {
            out.extend_from_slice(field);
            return Ok(());
        };
        let digits = alloc::string::ToString::to_string(&value);
        match self.decide(*class, digits.as_bytes())? {
            Some(text) => put(out, number + SHIFT, &text),
            None => out.extend_from_slice(field),
        }
        Ok(())
    }

    fn bytes(
        &mut self,
        number: u32,
        value: &[u8],
        rows: &[Row],
        depth: u32,
        out: &mut Vec<u8>,
    ) -> Result<(), NameError> {
        match row(rows, number) {
            Some((_, Rule::Inside(rows))) => {
                let inside = self.message(value, rows, depth)?;
                put(out, number, &inside);
            }
            Some((_, Rule::Name(class))) if !value.is_empty() => {
                let replaced = self.decide(*class, value)?;
                put(out, number, replaced.as_deref().unwrap_or(value));
            }
            Some(_) | None => match number.checked_sub(SHIFT).and_then(|of| row(rows, of)) {
                Some((of, Rule::Number(class))) => {
                    let replaced = self.decide(*class, value)?;
                    self.put_number(out, *of, value, replaced.as_deref())?;
                }
                Some(_) | None => put(out, number, value),
            },
        }
        Ok(())
    }

    /// Writes an opened number as the original field, keeps a commitment in its place, or leaves out a mask.
    fn put_number(
        &self,
        out: &mut Vec<u8>,
        of: u32,
        value: &[u8],
        replaced: Option<&[u8]>,
    ) -> Result<(), NameError> {
        let Some(text) = replaced.filter(|text| !is_commitment(text)) else {
            put(out, of + SHIFT, replaced.unwrap_or(value));
            return Ok(());
        };
        let digits = core::str::from_utf8(text).ok();
        // A mask is not a number, so the field is left out of the displayed record.
        if let Some(number) = digits.and_then(|digits| digits.parse().ok()) {
            put_varint(out, u64::from(of) << 3);
            put_varint(out, number);
        }
        Ok(())
    }

    fn decide(&mut self, class: NameClass, value: &[u8]) -> Result<Option<Vec<u8>>, NameError> {
        if self.keeps_texts && class == NameClass::Text {
            return Ok(None);
        }
        let place = self.place;
        self.place += 1;
        (self.replace)(Found {
            place,
            class,
            value,
        })
    }
}

fn row(rows: &[Row], number: u32) -> Option<&Row> {
    rows.iter().find(|(of, _)| *of == number)
}

fn put(out: &mut Vec<u8>, number: u32, value: &[u8]) {
    put_varint(out, u64::from(number) << 3 | 2);
    put_varint(out, value.len() as u64);
    out.extend_from_slice(value);
}

fn put_varint(out: &mut Vec<u8>, value: u64) {
    prost::encoding::encode_varint(value, out);
}

fn varint(rest: &mut &[u8]) -> Result<u64, NameError> {
    prost::encoding::decode_varint(rest).map_err(|_| NameError::Malformed)
}

//! Mutations that a forger who knows the format could make to an export. Some need the hub's own key: they stand for a hub that forges its own log.

use std::io::Cursor;

use ed25519_dalek::SigningKey;
use prost::Message as _;
use proto::chain;
use proto::checkpoint::Checkpoint;
use proto::evidence::{self, MAGIC, Part, Writer, part};
use proto::ids::AgentId;
use proto::log::{Record, record::Input};
use proto::merkle::{Frontier, Hash, leaf_hash};
use proto::wire::EventBody;
use verify::PartReader;

use super::{Draw, signer};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mutation {
    /// Flips a bit after the header.
    Flip,
    /// Flips a bit of a record, and adjusts the record's mark.
    Edit,
    Delete,
    Insert,
    Swap,
    Truncate,
    /// Leaves out the end of the log, but keeps its checkpoint.
    CutTail,
    /// Signs, with the hub's own key, a log in which a key other than the clock's has signed a changed event.
    SignEvent,
    /// Flips a bit of a record, and signs the result with a different hub's key.
    SignCheckpoint,
    /// Signs, with the hub's own key, a log in which a clock's event has a different stamp but its old signature.
    ForgeEvent,
    /// Signs, with the hub's own key, a log in which a record states a different time for White.
    ForgeClocks,
    /// Signs, with the hub's own key, a second log that does not continue the kept checkpoint.
    Fork,
    /// Replaces a name in its opening.
    Name,
    /// Signs, with the hub's own key, a log in which a clock has a certificate from a different authority.
    ForgeCertificate,
    /// Signs, with the hub's own key, a checkpoint whose two trees are built over different records.
    TwoTrees,
}

impl Mutation {
    pub(crate) const ALL: [Self; 15] = [
        Self::Flip,
        Self::Edit,
        Self::Delete,
        Self::Insert,
        Self::Swap,
        Self::Truncate,
        Self::CutTail,
        Self::SignEvent,
        Self::SignCheckpoint,
        Self::ForgeEvent,
        Self::ForgeClocks,
        Self::Fork,
        Self::Name,
        Self::ForgeCertificate,
        Self::TwoTrees,
    ];
}

pub(crate) fn parts(file: &[u8]) -> Vec<part::Part> {
    let (header, mut reader) = PartReader::open(Cursor::new(file)).unwrap();
    let mut parts = vec![part::Part::Header(header)];
    while let Some(part) = reader.next_part().unwrap() {
        parts.push(part);
    }
    parts
}

pub(crate) fn file(parts: &[part::Part]) -> Vec<u8> {
    let mut file = MAGIC.to_vec();
    for part in parts {
        let part = Part {
            part: Some(part.clone()),
        };
        file.extend_from_slice(&part.encode_length_delimited_to_vec());
    }
    file
}

pub(crate) fn mutated(original: &[u8], mutation: Mutation, draw: &mut Draw) -> Option<Vec<u8>> {
    let mut all = parts(original);
    let records: Vec<usize> = (0..all.len())
        .filter(|at| matches!(all[*at], part::Part::Record(_)))
        .collect();
    let one = records[draw.below(records.len())];
    match mutation {
        Mutation::Flip => return Some(flipped(original, draw)),
        Mutation::Truncate => return Some(original[..draw.below(original.len())].to_vec()),
        Mutation::Edit => {
            edit(&mut all[one], draw);
            recompute_marks(&mut all);
        }
        Mutation::Delete => {
            all.remove(one);
            recompute_marks(&mut all);
        }
        Mutation::Insert => {
            let other = all[records[draw.below(records.len())]].clone();
            all.insert(one, other);
            recompute_marks(&mut all);
        }
        Mutation::Swap => {
            let two = records[draw.below(records.len())];
            if all[one] == all[two] {
                return None;
            }
            all.swap(one, two);
            recompute_marks(&mut all);
        }
        Mutation::CutTail => {
            let last = all.pop()?;
            all.truncate(one);
            all.push(last);
        }
        Mutation::SignEvent => {
            change_event(&mut all, draw, Some(&SigningKey::from_bytes(&[77; 32])))?;
            return Some(signed(&all, 1));
        }
        Mutation::SignCheckpoint => {
            edit(&mut all[one], draw);
            return Some(signed(&all, 2));
        }
        Mutation::ForgeEvent => {
            change_event(&mut all, draw, None)?;
            return Some(signed(&all, 1));
        }
        Mutation::ForgeClocks => {
            change_clocks(&mut all, draw)?;
            return Some(signed(&all, 1));
        }
        Mutation::Fork => return forked(all, &records, draw),
        Mutation::Name => {
            let part::Part::Record(record) = &mut all[one] else {
                return None;
            };
            record.openings.first_mut()?.value = b"Nemo".to_vec();
        }
        Mutation::ForgeCertificate => {
            change_certificate(&mut all, draw)?;
            return Some(signed(&all, 1));
        }
        Mutation::TwoTrees => {
            let signed = signed(&all, 1);
            let root = Checkpoint::open_unverified(&checkpoint(&signed)).ok()?.root;
            return Some(with_root(&all, 1, root.map(|byte| !byte)));
        }
    }
    Some(file(&all))
}

/// Leaves out a signed request and signs the rest. No other record reveals that the request is missing.
fn forked(mut all: Vec<part::Part>, records: &[usize], draw: &mut Draw) -> Option<Vec<u8>> {
    let quiet = records.iter().copied().filter(|at| is_quiet(&all[*at]));
    let quiet: Vec<usize> = quiet.collect();
    all.remove(*quiet.get(draw.below(quiet.len()))?);
    Some(signed(&all, 1))
}

fn flipped(original: &[u8], draw: &mut Draw) -> Vec<u8> {
    let mut file = original.to_vec();
    let start = header_end(original);
    let at = start + draw.below(file.len() - start);
    file[at] ^= 1 << draw.below(8);
    file
}

/// Returns the position after the header. The header is only a claim, so bit flips leave it unchanged.
fn header_end(original: &[u8]) -> usize {
    file(&parts(original)[..1]).len()
}

fn edit(part: &mut part::Part, draw: &mut Draw) {
    if let part::Part::Record(record) = part {
        let at = draw.below(record.content.len());
        record.content[at] ^= 1 << draw.below(8);
    }
}

fn recompute_marks(parts: &mut [part::Part]) {
    let mut index = 0;
    for part in parts {
        match part {
            part::Part::Record(record) => {
                record.mark = evidence::mark(&leaf_hash(&record.content), index);
                index += 1;
            }
            part::Part::Gap(gap) => index += 1 << gap.level,
            part::Part::Header(_) | part::Part::End(_) => (),
        }
    }
}

/// Rebuilds the tree over the parts, and signs its checkpoint with the key of hub `by`.
fn signed(parts: &[part::Part], by: u8) -> Vec<u8> {
    with_root(parts, by, root_of(parts))
}

/// Returns the root of the tree over the unconcealed records, or the checkpoint's root if records are missing.
fn root_of(parts: &[part::Part]) -> Hash {
    let mut tree = Frontier::default();
    for part in parts {
        match part {
            part::Part::Record(record) => {
                let opened = proto::names::open(&record.content, &record.openings);
                let opened = opened.unwrap_or_else(|_| record.content.clone());
                tree.push(leaf_hash(&opened));
            }
            part::Part::Gap(_) => {
                let signed = Checkpoint::open_unverified(&checkpoint_of(parts));
                return signed.unwrap().root;
            }
            part::Part::Header(_) | part::Part::End(_) => (),
        }
    }
    tree.root()
}

fn with_root(parts: &[part::Part], by: u8, root: Hash) -> Vec<u8> {
    let part::Part::Header(header) = &parts[0] else {
        return Vec::new();
    };
    let mut writer = Writer::new(header.clone());
    for part in parts {
        match part {
            part::Part::Record(record) => {
                writer.record(record.content.clone(), record.openings.clone());
            }
            part::Part::Gap(gap) => writer.gap(gap.clone()).unwrap_or(()),
            part::Part::Header(_) | part::Part::End(_) => (),
        }
    }
    writer.sign(&signer(by), root, None, Vec::new());
    writer.take()
}

fn change_record(
    parts: &mut [part::Part],
    draw: &mut Draw,
    fits: impl Fn(&Record) -> bool,
    change: impl Fn(&mut Record),
) -> Option<()> {
    let fitting: Vec<(usize, Record)> = parts
        .iter()
        .enumerate()
        .filter_map(|(at, part)| Some((at, record_of(part)?)))
        .filter(|(_, record)| fits(record))
        .collect();
    let (at, mut record) = fitting.get(draw.below(fitting.len()))?.clone();
    change(&mut record);
    if let part::Part::Record(part) = &mut parts[at] {
        part.content = record.encode_to_vec();
    }
    Some(())
}

fn record_of(part: &part::Part) -> Option<Record> {
    match part {
        part::Part::Record(record) => Record::decode(record.content.as_slice()).ok(),
        part::Part::Header(_) | part::Part::Gap(_) | part::Part::End(_) => None,
    }
}

fn is_quiet(part: &part::Part) -> bool {
    let input = record_of(part).and_then(|record| record.input);
    matches!(input, Some(Input::RequestSigned(_)))
}

fn change_event(parts: &mut [part::Part], draw: &mut Draw, key: Option<&SigningKey>) -> Option<()> {
    let is_event = |record: &Record| matches!(record.input, Some(Input::AgentEvent(_)));
    change_record(parts, draw, is_event, |record| {
        if let Some(Input::AgentEvent(event)) = &mut record.input {
            let mut body = EventBody::decode(event.body.as_slice()).unwrap();
            body.at_us += 1;
            match key {
                Some(key) => {
                    let signed = chain::sign(&body, key);
                    (event.body, event.signature) = (signed.body, signed.signature);
                }
                None => event.body = body.encode_to_vec(),
            }
        }
    })
}

fn change_certificate(parts: &mut [part::Part], draw: &mut Draw) -> Option<()> {
    let is_enrolled = |record: &Record| matches!(record.input, Some(Input::AgentEnrolled(_)));
    change_record(parts, draw, is_enrolled, |record| {
        if let Some(Input::AgentEnrolled(clock)) = &mut record.input {
            let agent = AgentId::try_from(clock.agent.as_slice()).unwrap();
            (clock.certificate_serial, clock.certificate_der) =
                super::authority::certificate(2, &agent);
        }
    })
}

fn change_clocks(parts: &mut [part::Part], draw: &mut Draw) -> Option<()> {
    let has_clocks = |record: &Record| record.after.is_some();
    change_record(parts, draw, has_clocks, |record| {
        if let Some(after) = &mut record.after {
            after.white_us += 1;
        }
    })
}

pub(crate) fn checkpoint(file: &[u8]) -> String {
    checkpoint_of(&parts(file))
}

fn checkpoint_of(parts: &[part::Part]) -> String {
    match parts.last() {
        Some(part::Part::End(end)) => end.checkpoint.clone(),
        other => panic!("no end: {other:?}"),
    }
}

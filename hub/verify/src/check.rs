//! Checks an evidence file from beginning to end, and stops at the first fault. Owns the comparisons of records with
//! the checkpoint and with kept checkpoints.

use std::io::BufRead;

use prost::Message;
use proto::checkpoint::{Checkpoint, EntryProof};
use proto::evidence::{self, End, Gap, Opening, Record as RecordPart, part};
use proto::log::{Changed, Record, record::Input};
use proto::merkle::{self, Frontier, Hash};
use proto::names;
use proto::note::Verifier;

use crate::certificates::Authorities;
use crate::fault::{Fault, FaultKind};
use crate::findings::Findings;
use crate::key::HubKey;
use crate::part_reader::{CannotCheck, PartError, PartReader};
use crate::signatures::{ClockSignatures, check_contradiction, check_request};
use hall::FoldError;
use hall::replay::ClockCheck;

const UNCONCEALED: &str =
    "the kept checkpoint has no root over concealed records: it cannot be compared with a file";

/// An earlier checkpoint with a valid signature, which the log must continue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptCheckpoint(Checkpoint);

/// Reads an earlier checkpoint, which `key` must have signed. The source is a signed note (with or without its key
/// before it), the proof of a record, or an evidence file.
///
/// # Errors
/// Returns a message in English if `bytes` hold no such checkpoint, or the signature is not valid.
pub fn kept_checkpoint(bytes: &[u8], key: &HubKey) -> Result<KeptCheckpoint, String> {
    let note = match PartReader::open(bytes) {
        Ok((_, parts)) => checkpoint_of(parts)?,
        Err(_) => std::str::from_utf8(bytes)
            .map(note_in)
            .map_err(|_| "this is neither a checkpoint nor an evidence file".to_owned())?,
    };
    let opened = Checkpoint::open(&note, key.verifier()).map_err(|error| error.to_string())?;
    Ok(KeptCheckpoint(opened))
}

/// Extracts the signed note from a proof or from a kept checkpoint, in which the key may precede the note.
fn note_in(text: &str) -> String {
    if let Ok(proof) = EntryProof::parse(text) {
        return proof.checkpoint;
    }
    match text.split_once("\n\n") {
        Some((key, note)) if key.parse::<Verifier>().is_ok() => note.to_owned(),
        Some(_) | None => text.to_owned(),
    }
}

fn checkpoint_of(mut parts: PartReader<&[u8]>) -> Result<String, String> {
    loop {
        match parts.next_part().map_err(|error| error.to_string())? {
            Some(part::Part::End(end)) => return Ok(end.checkpoint),
            Some(_) => (),
            None => return Err("the file is incomplete: it ends before its checkpoint".to_owned()),
        }
    }
}

/// Facts about the hub that do not come from the file.
#[derive(Clone, Debug)]
pub struct Known {
    /// The hub's public key.
    pub key: HubKey,
    /// Fingerprint of the hall's first authority, as announced. `None` accepts the first authority that the file states.
    pub authority: Option<[u8; 16]>,
    /// Checkpoints that the log must continue.
    pub kept: Vec<KeptCheckpoint>,
}

impl From<HubKey> for Known {
    fn from(key: HubKey) -> Self {
        Self {
            key,
            authority: None,
            kept: Vec::new(),
        }
    }
}

/// Checks a file against the facts that are `known` about the hub.
///
/// # Errors
/// Returns an error if the start of the file cannot be read or is not that of an evidence file of this version. Also
/// returns an error if a file without a fault cannot be compared with a kept checkpoint. A fault in the file is not an
/// error: it is part of the findings.
pub fn check(source: impl BufRead, known: &Known) -> Result<Findings, CannotCheck> {
    let (header, parts) = PartReader::open(source)?;
    let kept = known.kept.iter();
    let mut check = Check {
        key: &known.key,
        kept: kept.map(|kept| (kept.0.clone(), None)).collect(),
        tree: Frontier::default(),
        raw: Some(Frontier::default()),
        authorities: Authorities::announced(known.authority),
        clocks: ClockCheck::new(),
        signatures: ClockSignatures::default(),
        uncompared: None,
        event_name: None,
        findings: Findings {
            header,
            ..Findings::default()
        },
    };
    let found = check.run(parts);
    if let (Ok(()), Some(uncompared)) = (&found, check.uncompared.take()) {
        return Err(uncompared);
    }
    // Signatures are checked in batches, so an invalid one in an earlier record may not have been found yet.
    let earlier = check.signatures.flush();
    let faults = [earlier.err(), found.err()].into_iter().flatten();
    check.findings.fault = faults.min_by_key(|fault| fault.index.unwrap_or(u64::MAX));
    check.findings.boards = check.clocks.boards();
    check.findings.clocks = check.clocks.clocks();
    check.findings.authorities = check.authorities.stated().to_vec();
    Ok(check.findings)
}

struct Check<'a> {
    key: &'a HubKey,
    /// Each kept checkpoint, with the root of the file's tree at the checkpoint's size. The root is `None` until the file
    /// reaches that size, and stays `None` if a gap skips it.
    kept: Vec<(Checkpoint, Option<Hash>)>,
    tree: Frontier,
    /// The tree over the unconcealed records. `None` once the file has left out a record or concealed a name.
    raw: Option<Frontier>,
    authorities: Authorities,
    clocks: ClockCheck,
    signatures: ClockSignatures,
    /// The error to return if the file has no fault but cannot be compared with a kept checkpoint.
    uncompared: Option<CannotCheck>,
    event_name: Option<String>,
    findings: Findings,
}

impl Check<'_> {
    fn run<R: BufRead>(&mut self, mut parts: PartReader<R>) -> Result<(), Fault> {
        let at_end = loop {
            self.keep_root();
            match self.next(&mut parts)? {
                Some(part::Part::Record(record)) => self.record(record)?,
                Some(part::Part::Gap(gap)) => self.gap(&gap)?,
                Some(part::Part::End(end)) => break end,
                Some(part::Part::Header(_)) => return Err(self.form("a second header")),
                None => return Err(self.form("the file ends before its checkpoint")),
            }
        };
        if self.next(&mut parts)?.is_some() {
            return Err(self.form("the file continues after its checkpoint"));
        }
        self.signatures.flush()?;
        self.end(&at_end)
    }

    fn next<R: BufRead>(&self, parts: &mut PartReader<R>) -> Result<Option<part::Part>, Fault> {
        parts.next_part().map_err(|error| match error {
            PartError::UnknownKind | PartError::UnknownContent | PartError::Malformed(_) => {
                Fault::at(self.tree.len(), FaultKind::Unreadable, error)
            }
            PartError::Io(_) | PartError::Truncated | PartError::TooLong(_) => self.form(error),
        })
    }

    fn form(&self, what: impl std::fmt::Display) -> Fault {
        Fault::at(self.tree.len(), FaultKind::Form, what)
    }

    fn keep_root(&mut self) {
        let len = self.tree.len();
        for (kept, root) in &mut self.kept {
            if kept.size == len {
                *root = Some(self.tree.root());
            }
        }
    }

    fn record(&mut self, part: RecordPart) -> Result<(), Fault> {
        let index = self.tree.len();
        let leaf = merkle::leaf_hash(&part.content);
        if evidence::mark(&leaf, index) != part.mark {
            let what = "this is not the record that was exported here";
            return Err(Fault::at(index, FaultKind::Altered, what));
        }
        let opened = self.opened(index, &part.content, &part.openings)?;
        self.tree.push(leaf);
        let record = Record::decode(opened.as_slice())
            .map_err(|error| Fault::at(index, FaultKind::Unreadable, error))?;
        self.content(index, &record)?;
        self.clocks(index, record)?;
        self.findings.records += 1;
        Ok(())
    }

    fn opened(
        &mut self,
        index: u64,
        content: &[u8],
        openings: &[Opening],
    ) -> Result<Vec<u8>, Fault> {
        let bad = |error| Fault::at(index, FaultKind::Name, error);
        let opened = names::open(content, openings).map_err(bad)?;
        let places = names::places(&opened).map_err(bad)?;
        let values = places.iter().map(|(_, value)| value);
        let concealed = values.filter(|value| names::is_commitment(value));
        self.findings.concealed_names += concealed.count() as u64;
        match &mut self.raw {
            Some(raw) if places.len() == openings.len() => raw.push(merkle::leaf_hash(&opened)),
            Some(_) | None => self.raw = None,
        }
        self.findings.open_names += openings.len() as u64;
        Ok(opened)
    }

    fn content(&mut self, index: u64, record: &Record) -> Result<(), Fault> {
        let span = self.findings.span_us.get_or_insert((record.hub_us, 0));
        span.1 = record.hub_us;
        match &record.input {
            Some(Input::AgentEvent(event)) => {
                self.signatures.add(index, event)?;
                self.findings.events += 1;
            }
            Some(Input::RequestSigned(signed)) => match check_request(index, signed)? {
                true => self.findings.signed_requests += 1,
                false => self.findings.unread_requests += 1,
            },
            Some(Input::HubStarted(run)) => self.authorities.started(index, run)?,
            Some(Input::AgentEnrolled(clock)) => {
                self.findings.certified += u64::from(self.authorities.enrolled(index, clock)?);
            }
            Some(Input::Opened(opened)) => self.event_name = Some(opened.event_name.clone()),
            Some(Input::Equivocation(said)) => {
                check_contradiction(index, said)?;
                self.findings.contradictions += 1;
            }
            Some(_) => (),
            None => {
                let what = "a record of an unknown kind";
                return Err(Fault::at(index, FaultKind::Unreadable, what));
            }
        }
        Ok(())
    }

    fn clocks(&mut self, index: u64, mut record: Record) -> Result<(), Fault> {
        let stated = record.changed.take();
        let computed = self.clocks.apply(index, record).map_err(fold_fault)?;
        self.findings.moves += computed.moves.len() as u64;
        self.findings.flags += computed.flags.len() as u64;
        // The logs of older hubs do not state what a record changed.
        if stated.is_some_and(|stated| !is_same_effect(&stated, &computed)) {
            let what =
                "the moves, flags or values that the record states do not follow from the records";
            return Err(Fault::at(index, FaultKind::Clocks, what));
        }
        Ok(())
    }

    fn gap(&mut self, gap: &Gap) -> Result<(), Fault> {
        let level =
            u8::try_from(gap.level).map_err(|_| self.form("a gap of an impossible size"))?;
        let hash: Result<Hash, _> = gap.hash.as_slice().try_into();
        let hash = hash.map_err(|_| self.form("a gap whose hash does not have 32 bytes"))?;
        let before = self.tree.len();
        self.raw = None;
        self.tree
            .push_subtree(level, hash)
            .map_err(|error| Fault::at(before, FaultKind::Form, error))?;
        self.findings.omitted += self.tree.len() - before;
        Ok(())
    }

    fn end(&mut self, end: &End) -> Result<(), Fault> {
        let checkpoint = Checkpoint::open(&end.checkpoint, self.key.verifier())
            .map_err(|error| Fault::whole(FaultKind::Checkpoint, error))?;
        let (size, root) = (self.tree.len(), self.tree.root());
        if (size, Some(root)) != (checkpoint.size, checkpoint.concealed) {
            let what = format!(
                "the file covers {size} records, the checkpoint {}; their roots are {}",
                checkpoint.size,
                match checkpoint.concealed {
                    Some(signed) if signed == root => "equal",
                    Some(_) | None => "different",
                }
            );
            return Err(Fault::whole(FaultKind::Tree, what));
        }
        let raw = self.raw.as_ref();
        if raw.is_some_and(|raw| raw.root() != checkpoint.root) {
            let what = "the checkpoint's two trees are over different records";
            return Err(Fault::whole(FaultKind::Tree, what));
        }
        self.check_origin(&checkpoint)?;
        self.check_description()?;
        self.check_continuations(end, &checkpoint)?;
        self.findings.checkpoint = Some(checkpoint);
        Ok(())
    }

    fn check_origin(&self, checkpoint: &Checkpoint) -> Result<(), Fault> {
        let header = &self.findings.header;
        let log = self.clocks.log_origin();
        let named = log == Some(&checkpoint.origin) && log == Some(&header.log_origin);
        let what = "the records belong to a different log from the one that the checkpoint names";
        match named {
            true => Ok(()),
            false => Err(Fault::whole(FaultKind::Checkpoint, what)),
        }
    }

    /// Compares the header, which is not signed, with the records.
    fn check_description(&self) -> Result<(), Fault> {
        let header = &self.findings.header;
        let wrong = |what: String| Err(Fault::whole(FaultKind::Form, what));
        if header.games.is_empty() && self.findings.omitted > 0 {
            return wrong(format!(
                "the file says that it is the whole event, but leaves out {} records",
                self.findings.omitted
            ));
        }
        let named = self.event_name.as_ref();
        if !header.event_name.is_empty() && named.is_some_and(|name| *name != header.event_name) {
            return wrong(
                "the event that the file's description names is not the event of its log"
                    .to_owned(),
            );
        }
        Ok(())
    }

    fn check_continuations(&mut self, end: &End, newest: &Checkpoint) -> Result<(), Fault> {
        let mut proved = Vec::new();
        for continuation in &end.continuations {
            let older = Checkpoint::open(&continuation.checkpoint, self.key.verifier())
                .map_err(|error| Fault::whole(FaultKind::Checkpoint, error))?;
            let hashes = continuation.hashes.iter();
            let hashes: Option<Vec<Hash>> =
                hashes.map(|hash| hash.as_slice().try_into().ok()).collect();
            let forked = |what: String| Fault::whole(FaultKind::Fork, what);
            let hashes =
                hashes.ok_or_else(|| forked("a proof with a malformed hash".to_owned()))?;
            let roots = older.concealed.zip(newest.concealed);
            let (old, new) = roots.ok_or_else(|| forked(UNCONCEALED.to_owned()))?;
            merkle::verify_consistency(older.size, &old, newest.size, &new, &hashes)
                .map_err(|error| forked(format!("from record {} on: {error}", older.size)))?;
            proved.push(older);
        }
        self.findings.continued = proved.len() as u64;
        for (kept, root) in &self.kept {
            if kept.origin != newest.origin {
                let what = "the kept checkpoint belongs to a different log";
                return Err(Fault::whole(FaultKind::Fork, what));
            }
            if kept.concealed.is_none() {
                return Err(Fault::whole(FaultKind::Fork, UNCONCEALED));
            }
            if kept.size == newest.size && kept.root != newest.root {
                let what = "the hub signed two checkpoints of the same size with different records";
                return Err(Fault::whole(FaultKind::Fork, what));
            }
            if root.is_some() && *root == kept.concealed {
                self.findings.continued += 1;
            } else if root.is_some() {
                let size = kept.size;
                let what = format!("the first {size} records are not those of the kept checkpoint");
                return Err(Fault::whole(FaultKind::Fork, what));
            } else if !proved.contains(kept) {
                self.uncompared.get_or_insert(CannotCheck::Uncompared {
                    kept: kept.size,
                    len: newest.size,
                    gap: kept.size < newest.size,
                });
            }
        }
        Ok(())
    }
}

fn fold_fault(error: FoldError) -> Fault {
    let (index, kind) = match &error {
        FoldError::Unreadable { index, .. } => (*index, FaultKind::Unreadable),
        FoldError::Impossible { index, .. } => (*index, FaultKind::Chain),
        FoldError::Differs { index, .. } => (*index, FaultKind::Clocks),
    };
    Fault::at(index, kind, error)
}

/// Returns true if the stated and the computed effect of a record agree. The wording of a refusal is ignored, because it
/// may differ between versions of the program.
fn is_same_effect(stated: &Changed, computed: &Changed) -> bool {
    let silent = |changed: &Changed| Changed {
        refused: String::new(),
        refusal: None,
        ..changed.clone()
    };
    stated.refused.is_empty() == computed.refused.is_empty() && silent(stated) == silent(computed)
}

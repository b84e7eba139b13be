//! The bundles of changes since the oldest import that can be undone, and the event from which they continue. Decides
//! what is stored and for how long; `undo` decides whether an undo is compatible with the later changes.

mod rebase;
mod undo;

use std::collections::BTreeSet;
use std::sync::Arc;

use prost::Message;

use crate::event_no::EventNo;
use crate::to_proto;
use tournament::{Actor, BoardPhase, Change, Refusal, Round, RoundNo, Tournament};

pub(crate) use undo::Undone;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UndoableImport<'a> {
    /// The version that the import created.
    pub version: u64,
    pub file: &'a str,
    pub by: &'a str,
    /// True if the import started the event.
    pub opened: bool,
    /// The imported changes; empty for an import that started the event.
    pub changes: &'a [Change],
}

const MAX_BUNDLES: usize = 4_096;
const MAX_BYTES: usize = 8 * 1024 * 1024;

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Journal {
    /// The import that started the event, while it can be undone.
    pub(crate) opened: Option<Opened>,
    /// The event before the oldest bundle; `None` if the journal is empty.
    pub(crate) base: Option<Arc<Tournament>>,
    pub(crate) bundles: Vec<Arc<Bundle>>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Opened {
    pub(crate) import: Import,
    pub(crate) version: u64,
    pub(crate) by: String,
    /// The event that was set aside when the import started the current one.
    pub(crate) instead_of: Option<EventNo>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bundle {
    pub(crate) version: u64,
    pub(crate) actor: Actor,
    /// The import, if the bundle is an import that can be undone.
    pub(crate) import: Option<Import>,
    pub(crate) changes: Vec<Change>,
    /// True for every import, even if it can no longer be undone.
    imported: bool,
    bytes: usize,
}

impl Bundle {
    pub(crate) fn new(
        version: u64,
        actor: &Actor,
        import: Option<Import>,
        changes: Vec<Change>,
    ) -> Self {
        let encoded = changes.iter().map(to_proto::tournament::change);
        Self {
            version,
            actor: actor.clone(),
            imported: import.is_some(),
            import,
            bytes: encoded.map(|change| change.encoded_len()).sum(),
            changes,
        }
    }

    fn apply(&self, event: &mut Tournament, change: Change) -> Result<(), Refusal> {
        match self.imported {
            true => event.apply_imported(&self.actor, change),
            false => event.apply(&self.actor, change),
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Import {
    pub(crate) file: String,
    /// Rounds in which, right after the import, a game had begun or had a result. Once a game of another round begins,
    /// the import can no longer be undone.
    pub(crate) begun: BTreeSet<RoundNo>,
}

impl Import {
    /// Creates the import of a file. `after` is the event that includes the import.
    pub(crate) fn new(file: &str, after: &Tournament) -> Self {
        let rounds = after.rounds().iter();
        Self {
            file: file.to_owned(),
            begun: rounds
                .filter(|(_, round)| has_begun(round))
                .map(|(no, _)| *no)
                .collect(),
        }
    }

    fn ends_with(&self, started: &BTreeSet<RoundNo>) -> bool {
        started.iter().any(|round| !self.begun.contains(round))
    }
}

impl Journal {
    pub(crate) fn of(opened: Opened, event: Arc<Tournament>) -> Self {
        Self {
            opened: Some(opened),
            base: Some(event),
            bundles: Vec::new(),
        }
    }

    pub(crate) fn imports(&self) -> impl Iterator<Item = UndoableImport<'_>> {
        let opened = self.opened.iter().map(|opened| UndoableImport {
            version: opened.version,
            file: &opened.import.file,
            by: &opened.by,
            opened: true,
            changes: &[],
        });
        let bundles = self.bundles.iter().filter_map(|bundle| {
            let import = bundle.import.as_ref()?;
            Some(UndoableImport {
                version: bundle.version,
                file: &import.file,
                by: &bundle.actor.name,
                opened: false,
                changes: &bundle.changes,
            })
        });
        opened.chain(bundles)
    }

    /// Stores a bundle that was applied to the event `before`, if an undo may need it.
    pub(crate) fn add(&mut self, before: &Arc<Tournament>, bundle: Bundle) {
        let started: BTreeSet<RoundNo> = bundle.changes.iter().filter_map(starts).collect();
        if self.is_empty() && bundle.import.is_none() {
            return;
        }
        if self.is_empty() {
            self.base = Some(before.clone());
        }
        let played: BTreeSet<RoundNo> = bundle.changes.iter().filter_map(decides).collect();
        self.bundles.push(Arc::new(bundle));
        if !started.is_empty() {
            self.close(|_, import| import.ends_with(&started));
        }
        // A hall without clocks starts no game. Therefore, once a round that was paired after an import has a result,
        // that import can no longer be undone.
        let paired = self.bundles.iter().filter(|bundle| {
            let mut rounds = bundle.changes.iter().filter_map(pairs);
            rounds.any(|round| played.contains(&round))
        });
        if let Some(paired) = paired.map(|bundle| bundle.version).max() {
            self.close(|version, _| version < paired);
        }
        while self.is_too_large() && !self.is_empty() {
            self.close_oldest();
        }
    }

    fn is_empty(&self) -> bool {
        self.opened.is_none() && self.bundles.is_empty()
    }

    fn is_too_large(&self) -> bool {
        let bytes: usize = self.bundles.iter().map(|bundle| bundle.bytes).sum();
        self.bundles.len() > MAX_BUNDLES || bytes > MAX_BYTES
    }

    fn close_oldest(&mut self) {
        let oldest = self.imports().next().map(|import| import.version);
        self.close(|version, _| Some(version) == oldest);
    }

    fn close(&mut self, ends: impl Fn(u64, &Import) -> bool) {
        let opened = self.opened.take();
        self.opened = opened.filter(|opened| !ends(opened.version, &opened.import));
        for bundle in &mut self.bundles {
            let import = bundle.import.as_ref();
            if import.is_some_and(|import| ends(bundle.version, import)) {
                Arc::make_mut(bundle).import = None;
            }
        }
        self.trim();
    }

    /// Drops the bundles before the oldest import that can be undone, because no undo needs them.
    fn trim(&mut self) {
        if self.opened.is_some() {
            return;
        }
        let first = self
            .bundles
            .iter()
            .position(|bundle| bundle.import.is_some());
        let Some(first) = first else {
            *self = Self::default();
            return;
        };
        if first == 0 {
            return;
        }
        let Some(base) = &mut self.base else {
            return;
        };
        let event = Arc::make_mut(base);
        for bundle in self.bundles.drain(..first) {
            for change in &bundle.changes {
                // Cannot fail: the change was applied to the same event before.
                let _ = bundle.apply(event, change.clone());
            }
        }
    }
}

fn pairs(change: &Change) -> Option<RoundNo> {
    let Change::PairRound(round, _) = change else {
        return None;
    };
    Some(*round)
}

fn decides(change: &Change) -> Option<RoundNo> {
    let Change::Enter(round, ..) = change else {
        return None;
    };
    Some(*round)
}

fn starts(change: &Change) -> Option<RoundNo> {
    let (Change::Start(round, _) | Change::FirstPress(round, _)) = change else {
        return None;
    };
    Some(*round)
}

fn has_begun(round: &Round) -> bool {
    let mut boards = round.boards.values();
    boards.any(|board| board.reached > BoardPhase::Preset || board.result.is_some())
}

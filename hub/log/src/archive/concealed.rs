//! A copy's second tree, over the same records with their names concealed. The proofs in evidence files lead to its
//! root. Owns the file that caches the tree's edge. The cached edge is used only if it leads to the root in the signed
//! checkpoint.

use std::fs;
use std::path::Path;

use proto::merkle::{Frontier, Hash};

use super::Conceal;
use super::error::ArchiveError;
use crate::reader::LogReader;

const FILE: &str = "concealed-edge";

/// The edge of the tree; `None` without a [`Conceal`] function, and after a record that could not be concealed.
#[derive(Clone)]
pub(super) struct Concealed(Option<Frontier>);

impl Concealed {
    /// Returns the tree of the first `size` records: from the file in `dir` if it leads to `root`, otherwise from the log.
    pub(super) fn open(
        dir: &Path,
        size: u64,
        root: Option<Hash>,
        conceal: Option<&Conceal>,
        log: &LogReader,
    ) -> Result<Concealed, ArchiveError> {
        let Some(conceal) = conceal else {
            return Ok(Concealed(None));
        };
        let stored = root.and_then(|root| {
            let peaks = read(dir)?;
            let edge = Frontier::from_peaks(size, peaks)?;
            (edge.root() == root).then_some(edge)
        });
        if stored.is_some() {
            return Ok(Concealed(stored));
        }
        let mut tree = Concealed(Some(Frontier::default()));
        for record in log.read(0) {
            let (index, payload) = record?;
            if index == size {
                break;
            }
            tree.push(Some(conceal), index, &payload);
        }
        Ok(tree)
    }

    pub(super) fn push(&mut self, conceal: Option<&Conceal>, index: u64, payload: &[u8]) {
        let leaf = conceal.and_then(|conceal| conceal(index, payload));
        match (&mut self.0, leaf) {
            (Some(tree), Some(leaf)) => tree.push(leaf),
            (tree, None) => *tree = None,
            (None, Some(_)) => (),
        }
    }

    pub(super) fn root(&self) -> Option<Hash> {
        self.0.as_ref().map(Frontier::root)
    }

    /// Writes the edge without syncing it. If the file is lost, [`open`](Self::open) recomputes the edge.
    pub(super) fn write(&self, dir: &Path) {
        if let Some(tree) = &self.0 {
            let _ = fs::write(dir.join(FILE), tree.peaks().concat());
        }
    }
}

fn read(dir: &Path) -> Option<Vec<Hash>> {
    let bytes = fs::read(dir.join(FILE)).ok()?;
    let (peaks, rest) = bytes.as_chunks::<32>();
    rest.is_empty().then(|| peaks.to_vec())
}

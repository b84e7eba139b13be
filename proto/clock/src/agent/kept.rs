//! The newest checkpoint of the hub's log, kept by this clock. Owns the demand that the log continues this checkpoint. If the log does not,
//! the face and a report to the hub say so; the game goes on.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use proto::checkpoint::{KeptCheckpoint, LogBreak};
use proto::wire::{LogCheckpoint, LogContradiction, TreeHead};
use timing::{Board, Duration, Instant};

use super::{AgentCore, Output, changed};
use crate::tracing;

/// Time after a welcome within which the hub must prove that its log continues the kept checkpoint.
const PROOF_WITHIN: Duration = Duration::from_secs(60);

#[derive(Debug, Default)]
pub(super) struct Keeping {
    pub(super) enabled: bool,
    newest: Option<Box<KeptCheckpoint>>,
    /// Deadline for the hub's proof on this link; `None` if no proof is expected or the deadline has passed.
    due: Option<Instant<Board>>,
    /// The face's message about a contradiction, shown until the next game or a different board.
    pub(super) text: Option<String>,
    /// The report of a contradiction, resent on each new link because the hub may not have received it.
    report: Option<LogContradiction>,
}

impl Keeping {
    pub(super) fn with(newest: Option<Box<KeptCheckpoint>>) -> Self {
        Self {
            newest,
            ..Self::default()
        }
    }

    /// Returns the kept checkpoint's size and root for the hello; the default before the first checkpoint, `None` if checkpoints are disabled.
    pub(super) fn head(&self) -> Option<TreeHead> {
        self.enabled.then(|| match &self.newest {
            Some(kept) => head(kept),
            None => TreeHead::default(),
        })
    }

    pub(super) fn change(&mut self, newest: Option<Box<KeptCheckpoint>>) {
        *self = Self {
            enabled: self.enabled,
            ..Self::with(newest)
        };
    }
}

impl AgentCore {
    /// Resends the last report of a contradiction, if any, on a new link, and sets the deadline for the hub's proof.
    pub(super) fn begin_keeping(&mut self, out: &mut Vec<Output>) {
        let keeping = &mut self.keeping;
        let expects = keeping.enabled && keeping.newest.is_some();
        keeping.due = expects.then(|| self.now + PROOF_WITHIN);
        out.extend(
            keeping
                .report
                .clone()
                .map(|report| Output::Send(report.into())),
        );
    }

    pub(super) fn beat_keeping(&mut self, out: &mut Vec<Output>) {
        if !self.connected() || self.keeping.due.is_none_or(|due| self.now < due) {
            return;
        }
        self.keeping.due = None;
        let text = "The hub has not proved that its log continues this clock's checkpoint";
        tracing::warn!("{text}");
        changed(&mut self.link_note, Some(text.to_owned()), out);
    }

    pub(super) fn on_log_checkpoint(&mut self, sent: &LogCheckpoint, out: &mut Vec<Output>) {
        if !self.keeping.enabled {
            return;
        }
        let newer = match KeptCheckpoint::open(&sent.note, &sent.key) {
            Ok(newer) if newer.checkpoint.origin == self.chain.origin => Box::new(newer),
            Ok(_) => return tracing::error!("the hub sent a checkpoint of a different log"),
            Err(_error) => return tracing::error!(%_error, "the hub sent an invalid checkpoint"),
        };
        if let Some(kept) = self.keeping.newest.take() {
            if sent.old_size != kept.checkpoint.size {
                // The proof does not start from the kept checkpoint, so it belongs to an earlier hello.
                self.keeping.newest = Some(kept);
                return;
            }
            self.keeping.report = None;
            if let Err(broken) = kept.verify_continued_by(&newer, &sent.proof) {
                self.on_log_broken(&kept, &newer, broken, out);
            } else if newer.checkpoint.size == kept.checkpoint.size {
                self.keeping.due = None;
                self.keeping.newest = Some(kept);
                return;
            }
        }
        self.keeping.due = None;
        out.push(Output::KeepCheckpoint(newer.clone()));
        // Even after a contradiction, the hub's next checkpoint is compared with the newer one. Both contradictory checkpoints are kept as evidence.
        self.keeping.newest = Some(newer);
    }

    fn on_log_broken(
        &mut self,
        kept: &KeptCheckpoint,
        newer: &KeptCheckpoint,
        broken: LogBreak,
        out: &mut Vec<Output>,
    ) {
        let (old, new) = (kept.checkpoint.size, newer.checkpoint.size);
        tracing::error!(
            kept = kept.note,
            sent = newer.note,
            "the hub's log does not continue the checkpoint of this clock"
        );
        let text = format!(
            "The hub's log ({new} records) does not continue the checkpoint of this clock ({old} records), {broken}: call the arbiter"
        );
        changed(&mut self.keeping.text, Some(text), out);
        let report = LogContradiction {
            kept: Some(head(kept)),
            note: kept.note.clone(),
            sent: Some(head(newer)),
        };
        self.keeping.report = Some(report.clone());
        out.push(Output::Contradiction {
            kept: Box::new(kept.clone()),
            sent: Box::new(newer.clone()),
        });
        out.push(Output::Send(report.into()));
    }
}

fn head(kept: &KeptCheckpoint) -> TreeHead {
    TreeHead {
        size: kept.checkpoint.size,
        root: kept.checkpoint.root.to_vec(),
    }
}

//! Evidence files and saved checkpoints, which an appeals committee may receive from anyone.

use std::io::Cursor;

use ed25519_dalek::SigningKey;
use proto::evidence::{Game, Header, Writer};
use proto::merkle::{Frontier, leaf_hash};
use proto::note::Signer;
use verify::report::{self, Language};
use verify::{HubKey, Known, check, kept_checkpoint};

use super::{hall, pieces};
use crate::fuzz::Fingerprint;

const ORIGIN: &str = "flagfall.example/1";

fn signer() -> Signer {
    Signer::new(ORIGIN, SigningKey::from_bytes(&[6; 32])).expect("a valid name")
}

pub(super) fn evidence(input: &[u8]) -> Fingerprint {
    let key = HubKey::from(signer().verifier().clone());
    let kept = kept_checkpoint(input, &key);
    let seen = Fingerprint::new().result(&kept, |_| [1]);
    let known = Known {
        kept: kept.into_iter().collect(),
        ..key.clone().into()
    };
    let findings = check(Cursor::new(input), &known);
    let Ok(findings) = findings else {
        return seen.result(&findings, |_| [0]);
    };
    let page = report::html(&findings, &key, Language::default());
    assert!(page.contains("</html>"), "a whole report");
    let seen = seen
        .size(findings.records as usize)
        .size(findings.omitted as usize);
    match &findings.fault {
        Some(fault) => seen.error(&fault.kind.word()),
        None => {
            let signed = findings
                .checkpoint
                .as_ref()
                .expect("a sound file ends with one");
            assert_eq!(findings.records + findings.omitted, signed.size);
            seen.size(findings.concealed_names as usize)
        }
    }
}

/// Returns three evidence files of a small hall (complete, without names, and without every third record) and the hall's checkpoint.
pub(super) fn evidence_seeds() -> Vec<Vec<u8>> {
    let log = hall::log_seeds().swap_remove(0);
    let records = pieces(&log);
    let mut tree = Frontier::default();
    records
        .iter()
        .for_each(|record| tree.push(leaf_hash(record)));
    let file = |named: bool, whole: bool| {
        let mut writer = Writer::new(Header {
            log_origin: ORIGIN.to_owned(),
            games: if whole {
                Vec::new()
            } else {
                vec![Game::default()]
            },
            records: records.len() as u64,
            ..Header::default()
        });
        for (at, record) in (0..).zip(&records) {
            let (content, openings) =
                proto::names::conceal(record, at, &[9; 32]).expect("a record of the hall");
            match whole || at % 3 != 2 {
                true => writer.record(content, if named { openings } else { Vec::new() }),
                false => writer.omit(leaf_hash(&content)),
            }
        }
        let note = writer.sign(&signer(), tree.root(), None, Vec::new());
        (writer.take(), note)
    };
    let (whole, note) = file(true, true);
    let kept = format!("{}\n\n{note}", signer().verifier());
    vec![
        whole,
        file(false, true).0,
        file(true, false).0,
        kept.into_bytes(),
    ]
}

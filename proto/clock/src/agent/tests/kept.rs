//! Checkpoints of the hub's log: keeping them, demanding a proof, and reporting a log that does not continue the kept checkpoint.

use ed25519_dalek::SigningKey;
use proto::checkpoint::{Checkpoint, KeptCheckpoint};
use proto::merkle::{Hash, leaf_hash, node_hash};
use proto::note::Signer;
use proto::wire::{LogCheckpoint, LogContradiction, TreeHead, agent_frame};

use super::bench::Bench;
use super::hub::ORIGIN;
use crate::face_state::MessageKind;

const SECOND: i64 = 1_000_000;

fn bench() -> Bench {
    let mut bench = Bench::new();
    bench.core = bench.core.with_checkpoints();
    bench
}

fn checkpoint(size: u64, root: Hash, old_size: u64, proof: &[Hash]) -> LogCheckpoint {
    let signer = Signer::new(ORIGIN, SigningKey::from_bytes(&[3; 32])).unwrap();
    let checkpoint = Checkpoint {
        origin: ORIGIN.to_owned(),
        size,
        root,
        concealed: None,
    };
    LogCheckpoint {
        note: checkpoint.sign(&signer),
        key: signer.verifier().to_string(),
        old_size,
        proof: proof.iter().map(|hash| hash.to_vec()).collect(),
    }
}

fn leaves() -> [Hash; 3] {
    [b"a", b"b", b"c"].map(|leaf| leaf_hash(leaf))
}

fn reports(bench: &mut Bench) -> Vec<LogContradiction> {
    let frames = bench.take_frames().into_iter();
    let reports = frames.filter_map(|frame| match frame.frame {
        Some(agent_frame::Frame::LogContradiction(report)) => Some(report),
        _ => None,
    });
    reports.collect()
}

fn trouble(bench: &Bench) -> Vec<String> {
    let messages = bench.core.face().messages.into_iter();
    let trouble = messages.filter(|message| message.kind == MessageKind::Trouble);
    trouble.map(|message| message.text).collect()
}

#[test]
fn a_clock_keeps_the_newest_checkpoint_and_names_it_in_its_hello() {
    let [a, b, c] = leaves();
    let mut bench = bench();
    assert_eq!(bench.connect().kept, Some(TreeHead::default()));
    bench.hear(checkpoint(1, a, 0, &[]));
    let root = node_hash(&a, &b);
    bench.hear(checkpoint(2, root, 1, &[b]));
    let kept = bench.kept.clone().unwrap();
    assert_eq!(kept.checkpoint.size, 2);
    // A proof for an older checkpoint is ignored, and so is a note with an invalid signature.
    bench.hear(checkpoint(2, c, 1, &[b]));
    let mut forged = checkpoint(3, c, 2, &[]);
    forged.note = forged.note.replace("\n3\n", "\n4\n");
    bench.hear(forged);
    assert_eq!(bench.kept, Some(kept));
    bench.disconnect();
    let head = bench.connect().kept.unwrap();
    assert_eq!((head.size, head.root), (2, root.to_vec()));
    assert!(reports(&mut bench).is_empty() && trouble(&bench).is_empty());
}

#[test]
fn a_hub_that_rewrote_its_log_is_reported() {
    let [a, b, c] = leaves();
    for (size, root, proof) in [(2, node_hash(&c, &b), vec![b]), (1, c, vec![])] {
        let mut bench = bench();
        bench.connect();
        bench.hear(checkpoint(1, a, 0, &[]));
        bench.take_frames();
        bench.hear(checkpoint(size, root, 1, &proof));
        let [report] = &reports(&mut bench)[..] else {
            panic!("one report");
        };
        let (kept, sent) = (report.kept.clone().unwrap(), report.sent.clone().unwrap());
        assert_eq!((kept.size, kept.root), (1, a.to_vec()));
        assert_eq!((sent.size, sent.root), (size, root.to_vec()));
        let note = Checkpoint::open_unverified(&report.note).unwrap();
        assert_eq!((note.size, note.root), (1, a));
        assert_eq!(bench.contradictions, [(1, size)]);
        assert_eq!(trouble(&bench).len(), 1);
        assert!(bench.core.connected(), "the game goes on");
        bench.disconnect();
        bench.connect();
        assert_eq!(reports(&mut bench).len(), 1);
        // Later checkpoints are compared with the hub's new checkpoint.
        bench.hear(checkpoint(size, root, size, &[]));
        bench.disconnect();
        bench.connect();
        assert!(reports(&mut bench).is_empty());
        let adopt = bench.hub.adopt("5m");
        bench.hear(adopt);
        assert_eq!(trouble(&bench).len(), 1);
        let prepare = bench.hub.command("prepare left arbiter 5m");
        bench.hear(prepare);
        assert!(trouble(&bench).is_empty(), "until the next game");
    }
}

#[test]
fn a_shorter_log_is_reported_too() {
    let [a, b, _] = leaves();
    let mut bench = bench();
    bench.connect();
    bench.hear(checkpoint(2, node_hash(&a, &b), 0, &[]));
    bench.hear(checkpoint(1, a, 2, &[]));
    assert_eq!(bench.contradictions, [(2, 1)]);
    assert_eq!(bench.kept.unwrap().checkpoint.size, 1);
}

#[test]
fn a_hub_that_proves_nothing_is_reported_after_a_minute() {
    let [a, _, _] = leaves();
    let mut bench = bench();
    bench.connect();
    bench.pass(120 * SECOND);
    assert!(bench.core.face().messages.is_empty(), "it keeps none yet");
    bench.hear(checkpoint(1, a, 0, &[]));
    bench.disconnect();
    bench.connect();
    bench.pass(59 * SECOND);
    assert!(bench.core.face().messages.is_empty());
    bench.pass(2 * SECOND);
    assert_eq!(bench.core.face().messages[0].kind, MessageKind::Link);
    bench.disconnect();
    bench.connect();
    bench.hear(checkpoint(1, a, 1, &[]));
    bench.pass(61 * SECOND);
    assert!(bench.core.face().messages.is_empty());
}

#[test]
fn a_clock_without_checkpoints_ignores_them() {
    let [a, _, _] = leaves();
    let mut bench = Bench::new();
    assert_eq!(bench.connect().kept, None);
    bench.hear(checkpoint(1, a, 0, &[]));
    assert_eq!(bench.kept, None::<KeptCheckpoint>);
}

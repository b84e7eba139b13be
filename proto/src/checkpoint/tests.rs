//! Tests of checkpoints and proof files.

use alloc::vec;

use ed25519_dalek::SigningKey;

use super::*;
use crate::merkle::Subtree;

const VECTORS: &str = include_str!("../../tests/vectors/tlog.txt");
const NAME: &str = "flagfall.example/hall";

#[test]
fn a_checkpoint_matches_another_implementation() {
    let line = |kind: &str| {
        let line = VECTORS.lines().find_map(|line| line.strip_prefix(kind));
        line.unwrap().replace("\\n", "\n")
    };
    let signer = signer(NAME);
    assert_eq!(signer.verifier().to_string(), line("vkey "));
    let note = line("checkpoint ");
    let checkpoint = Checkpoint::open(&note, signer.verifier()).unwrap();
    assert_eq!(
        (checkpoint.origin.as_str(), checkpoint.size),
        (NAME, 70_000)
    );
    assert_eq!(checkpoint.sign(&signer), note);
    assert_eq!(Checkpoint::open_unverified(&note), Ok(checkpoint));
}

#[test]
fn malformed_checkpoints_are_refused() {
    let root = "25Wlw4AqrnlkUtIrNNU+dJybwG++mtIplU2A2Oqj7hY=";
    let open = |text: &str| {
        let signer = signer(NAME);
        Checkpoint::open(&signer.sign(text), signer.verifier()).map(|found| found.size)
    };
    assert_eq!(open(&format!("{NAME}\n0\n{root}\n")), Ok(0));
    assert_eq!(open(&format!("{NAME}\n7\n{root}\nextension\n")), Ok(7));
    for text in [
        format!("{NAME}\n7\n"),
        format!("{NAME}\n07\n{root}\n"),
        format!("{NAME}\n+7\n{root}\n"),
        format!("{NAME}\n18446744073709551616\n{root}\n"),
        format!("{NAME}\n7\n{}\n", &root[..40]),
        format!("{NAME}\n7\n{root}\n\nextension\n"),
        format!("\n7\n{root}\n"),
    ] {
        assert_eq!(open(&text), Err(CheckpointError::Form), "{text:?}");
    }
    let other = format!("{NAME}/2\n7\n{root}\n");
    assert_eq!(open(&other), Err(CheckpointError::Origin));
}

#[test]
fn a_proof_file_round_trips_and_proves_one_entry() {
    let (left, right) = (merkle::leaf_hash(b"left"), merkle::leaf_hash(b"right"));
    let signer = signer(NAME);
    let checkpoint = Checkpoint {
        origin: NAME.to_string(),
        size: 2,
        root: merkle::node_hash(&left, &right),
        concealed: None,
    };
    for extra in [None, Some(b"the record's meaning".to_vec())] {
        let proof = EntryProof {
            extra,
            index: 1,
            hashes: vec![left],
            checkpoint: checkpoint.sign(&signer),
        };
        let text = proof.to_text();
        assert_eq!(EntryProof::parse(&text), Ok(proof.clone()));
        let found = proof.verify(b"right", signer.verifier());
        assert_eq!(found, Ok(checkpoint.clone()));
        let found = proof.verify(b"left", signer.verifier());
        assert_eq!(found, Err(CheckpointError::Proof(ProofError::Root)));
    }
}

#[test]
fn malformed_proof_files_are_refused() {
    let hash = "25Wlw4AqrnlkUtIrNNU+dJybwG++mtIplU2A2Oqj7hY=";
    let header = PROOF_HEADER;
    assert!(EntryProof::parse(&format!("{header}\nindex 0\n\ncheckpoint")).is_ok());
    for text in [
        String::new(),
        format!("{header}\nindex 0\n"),
        format!("{header}2\nindex 0\n\n"),
        format!("{header}\nindex 00\n\n"),
        format!("{header}\nindex -1\n\n"),
        format!("{header}\nextra !\nindex 0\n\n"),
        format!("{header}\nindex 0\nextra YQ==\n\n"),
        format!("{header}\nindex 0\n{}\n\n", &hash[4..]),
        format!("{header}\nindex 0\n{}\n", format!("{hash}\n").repeat(66)),
    ] {
        let found = EntryProof::parse(&text);
        assert_eq!(found, Err(CheckpointError::ProofForm), "{text:?}");
    }
}

#[test]
fn only_a_continuation_of_the_same_log_is_accepted() {
    let leaves = [merkle::leaf_hash(b"left"), merkle::leaf_hash(b"right")];
    let checkpoint = |origin: &str, size, root| Checkpoint {
        origin: origin.to_string(),
        size,
        root,
        concealed: None,
    };
    let (old, root) = (
        checkpoint(NAME, 1, leaves[0]),
        merkle::node_hash(&leaves[0], &leaves[1]),
    );
    let Ok(proof) = merkle::consistency_proof(1, 2, |Subtree { index, .. }| {
        Ok::<_, core::convert::Infallible>(leaves[index as usize])
    });
    let continued = |newer: &Checkpoint| old.verify_continued_by(newer, &proof);
    assert_eq!(continued(&checkpoint(NAME, 2, root)), Ok(()));
    let rewritten = checkpoint(NAME, 2, merkle::node_hash(&leaves[1], &leaves[1]));
    assert_eq!(
        continued(&rewritten),
        Err(CheckpointError::Proof(ProofError::Root))
    );
    let other = checkpoint("flagfall.example/other", 2, root);
    assert_eq!(continued(&other), Err(CheckpointError::Origin));
}

fn signer(name: &str) -> Signer {
    Signer::new(name, SigningKey::from_bytes(&[7; 32])).unwrap()
}

//! Tests of tree hashes and proofs.

use alloc::string::String;
use alloc::vec::Vec;
use alloc::{format, vec};
use core::convert::Infallible;

use proptest::prelude::*;

use super::*;

const VECTORS: &str = include_str!("../../tests/vectors/tlog.txt");

// Leaf contents, and the roots of the trees of the first 0 to 8 leaves, in hexadecimal. Implementations of RFC 6962 publish them.
const LEAVES: [&str; 8] = [
    "",
    "00",
    "10",
    "2021",
    "3031",
    "40414243",
    "5051525354555657",
    "606162636465666768696a6b6c6d6e6f",
];
const ROOTS: [&str; 9] = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];

#[test]
fn published_roots_match() {
    let mut frontier = Frontier::default();
    assert_eq!(frontier.root(), bytes(ROOTS[0]).as_slice());
    for (leaf, root) in LEAVES.iter().zip(&ROOTS[1..]) {
        frontier.push(leaf_hash(&bytes(leaf)));
        assert_eq!(
            frontier.root(),
            bytes(root).as_slice(),
            "{}",
            frontier.len()
        );
    }
}

#[test]
fn roots_and_proofs_match_another_implementation() {
    let leaves = leaves(300);
    let mut checked = [0; 3];
    for line in VECTORS.lines() {
        let mut words = line.split(' ');
        let kind = words.next().unwrap();
        if !["root", "inclusion", "consistency"].contains(&kind) {
            continue;
        }
        let mut number = || words.next().unwrap().parse::<u64>().unwrap();
        let (which, found) = match kind {
            "root" => (0, vec![root_of(&leaves, number())]),
            "inclusion" => (1, inclusion(&leaves, number(), number())),
            _ => (2, consistency(&leaves, number(), number())),
        };
        let expected: Vec<Hash> = words.map(|word| bytes(word).try_into().unwrap()).collect();
        assert_eq!(found, expected, "{line}");
        checked[which] += 1;
    }
    assert_eq!(checked, [28, 76, 53]);
}

#[test]
fn every_proof_of_a_small_tree_verifies_and_no_other_place_does() {
    let leaves = leaves(40);
    for size in 1..=40 {
        let root = root_of(&leaves, size);
        for index in 0..size {
            let leaf = leaves[index as usize];
            let proof = inclusion(&leaves, index, size);
            assert_eq!(verify_inclusion(&leaf, index, size, &root, &proof), Ok(()));
            for other in (0..size + 1).filter(|other| *other != index) {
                let found = verify_inclusion(&leaf, other, size, &root, &proof);
                assert!(found.is_err(), "{index} as {other} of {size}");
            }
        }
        for old in 0..=size {
            let before = root_of(&leaves, old);
            let proof = consistency(&leaves, old, size);
            let found = verify_consistency(old, &before, size, &root, &proof);
            assert_eq!(found, Ok(()), "{old} {size}");
            let longer = verify_consistency(size + 1, &before, size, &root, &proof);
            assert_eq!(longer, Err(ProofError::OutOfRange));
        }
    }
}

proptest! {
    #[test]
    fn an_altered_proof_is_refused(size in 2_u64..600, index: u64, old: u64, bit in 0_usize..256, which: usize) {
        let leaves = leaves(size);
        let (index, old) = (index % size, 1 + old % (size - 1));
        let root = root_of(&leaves, size);
        let leaf = leaves[index as usize];
        let mut proof = inclusion(&leaves, index, size);
        alter(&mut proof, which, bit);
        prop_assert!(verify_inclusion(&leaf, index, size, &root, &proof).is_err());
        let before = root_of(&leaves, old);
        let mut proof = consistency(&leaves, old, size);
        alter(&mut proof, which, bit);
        prop_assert!(verify_consistency(old, &before, size, &root, &proof).is_err());
    }

    #[test]
    fn a_rewritten_log_has_no_consistency_proof(size in 2_u64..300, old: u64, changed: u64) {
        let leaves = leaves(size);
        let old = 1 + old % size;
        let before = root_of(&leaves, old);
        let mut rewritten = leaves.clone();
        rewritten[(changed % old) as usize] = leaf_hash(b"another record");
        let proof = consistency(&rewritten, old, size);
        let root = root_of(&rewritten, size);
        prop_assert!(verify_consistency(old, &before, size, &root, &proof).is_err());
    }

    #[test]
    fn no_input_panics(a: u64, b: u64, proof in proptest::collection::vec(any::<[u8; 32]>(), 0..70)) {
        let hash = [1; 32];
        prop_assert!(verify_inclusion(&hash, a, b, &hash, &proof).is_err() || b == 1);
        prop_assert!(verify_consistency(a, &hash, b, &hash, &proof).is_err() || a == b);
    }
}

fn alter(proof: &mut Vec<Hash>, which: usize, bit: usize) {
    let len = proof.len();
    match which % 3 {
        0 if len > 0 => proof[which % len][bit / 8] ^= 1 << (bit % 8),
        1 if len > 0 => {
            proof.remove(which % len);
        }
        _ => proof.insert(which % (len + 1), [bit as u8; 32]),
    }
}

fn leaves(count: u64) -> Vec<Hash> {
    let entry = |index| leaf_hash(format!("record {index}").as_bytes());
    (0..count).map(entry).collect()
}

fn subtree(leaves: &[Hash], Subtree { level, index }: Subtree) -> Result<Hash, Infallible> {
    let size = 1 << level;
    let first = index as usize * size;
    let mut hashes = leaves[first..first + size].to_vec();
    while hashes.len() > 1 {
        hashes = hashes
            .chunks(2)
            .map(|two| node_hash(&two[0], &two[1]))
            .collect();
    }
    Ok(hashes[0])
}

fn root_of(leaves: &[Hash], size: u64) -> Hash {
    let Ok(root) = root(size, |at| subtree(leaves, at));
    root
}

fn inclusion(leaves: &[Hash], index: u64, size: u64) -> Vec<Hash> {
    let Ok(proof) = inclusion_proof(index, size, |at| subtree(leaves, at));
    proof
}

fn consistency(leaves: &[Hash], old: u64, new: u64) -> Vec<Hash> {
    let Ok(proof) = consistency_proof(old, new, |at| subtree(leaves, at));
    proof
}

fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<char> = hex.chars().collect();
    let byte = |two: &[char]| u8::from_str_radix(&two.iter().collect::<String>(), 16).unwrap();
    digits.chunks(2).map(byte).collect()
}

#[test]
fn a_tree_with_gaps_has_the_root_of_all_its_leaves() {
    let leaves: Vec<Hash> = (0..300_u16).map(|n| leaf_hash(&n.to_be_bytes())).collect();
    for (from, to) in [
        (0, 1),
        (1, 300),
        (7, 9),
        (64, 128),
        (3, 256),
        (0, 300),
        (255, 257),
    ] {
        let (mut whole, mut gapped) = (Frontier::default(), Frontier::default());
        let mut gap = RangeCover::starting_at(from as u64);
        for (at, leaf) in leaves.iter().enumerate() {
            whole.push(*leaf);
            if (from..to).contains(&at) {
                gap.push(*leaf);
            } else {
                gapped.push(*leaf);
            }
            if at + 1 == to {
                for (subtree, hash) in gap.clone().into_subtrees() {
                    assert_eq!(gapped.len(), subtree.index << subtree.level);
                    gapped.push_subtree(subtree.level, hash).unwrap();
                }
            }
        }
        assert_eq!(gapped, whole, "{from}..{to}");
    }
}

#[test]
fn a_subtree_begins_only_where_the_tree_has_one() {
    let mut frontier = Frontier::default();
    frontier.push([1; 32]);
    let before = frontier.clone();
    for level in [1, 2, 63, 64, 255] {
        let refused = frontier.push_subtree(level, [2; 32]);
        assert_eq!(refused, Err(ProofError::OutOfRange), "level {level}");
    }
    assert_eq!(frontier, before);
    frontier.push_subtree(0, [2; 32]).unwrap();
    frontier.push_subtree(1, [3; 32]).unwrap();
    assert_eq!(frontier.len(), 4);
}

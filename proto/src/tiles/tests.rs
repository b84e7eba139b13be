//! Tests of tiles and entry bundles.

use std::collections::BTreeMap;
use std::format;
use std::string::String;
use std::vec::Vec;

use proptest::prelude::*;
use sha2::{Digest, Sha256};

use super::*;

const VECTORS: &str = include_str!("../../tests/vectors/tlog.txt");
const SIZE: u64 = 70_000;

#[test]
fn tiles_match_another_implementation() {
    let (edge, mut tiles) = log(SIZE);
    tiles.extend(edge.partial());
    let files: BTreeMap<String, Vec<u8>> = tiles
        .into_iter()
        .map(|(tile, bytes)| (tile.path(), bytes))
        .collect();
    let mut checked = 0;
    for line in VECTORS.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["tile", _, path, hash] => {
                assert_eq!(
                    format!("{:x}", Sha256::digest(&files[path])),
                    hash,
                    "{path}"
                );
            }
            ["tiles", _, count] => assert_eq!(files.len(), count.parse::<usize>().unwrap()),
            ["tiled-root", _, root] => assert_eq!(hex(&edge.root()), root),
            ["path", kind, index, width, path] => {
                let kind = match kind {
                    "entries" => TileKind::Entries,
                    level => TileKind::Hashes {
                        level: level.parse().unwrap(),
                    },
                };
                let (index, width) = (index.parse().unwrap(), width.parse().unwrap());
                let tile = Tile { kind, index, width };
                assert_eq!(tile.path(), path);
                assert_eq!(Tile::from_path(path), Some(tile));
            }
            _ => continue,
        }
        checked += 1;
    }
    assert_eq!(checked, 42);
}

#[test]
fn other_spellings_of_a_path_are_refused() {
    for path in [
        "",
        "tile/0",
        "tile/0/",
        "tile/00/000",
        "tile/64/000",
        "tile/0/0",
        "tile/0/x000/001",
        "tile/0/x1/000",
        "tile/0/001/000",
        "tile/0/000.p/0",
        "tile/0/000.p/256",
        "tile/0/000.p/01",
        "tile/0/+00",
        "/tile/0/000",
        "tile/entries/../000",
        "tile/0/x999/x999/x999/x999/x999/x999/x999/999",
    ] {
        assert_eq!(Tile::from_path(path), None, "{path}");
    }
}

#[test]
fn proofs_from_tiles_verify() {
    let (edge, mut tiles) = log(SIZE);
    tiles.extend(edge.partial());
    let hash = |at| subtree_hash(at, SIZE, |tile| Ok::<_, TileError>(tiles[&tile].as_slice()));
    assert_eq!(merkle::root(SIZE, hash), Ok(edge.root()));
    for index in [0, 255, 256, 65_535, 65_536, SIZE - 1] {
        let proof = merkle::inclusion_proof(index, SIZE, hash).unwrap();
        let leaf = merkle::leaf_hash(&entry(index));
        let verified = merkle::verify_inclusion(&leaf, index, SIZE, &edge.root(), &proof);
        assert_eq!(verified, Ok(()), "{index}");
        let bundle = bundle_of(index, SIZE).unwrap();
        let found = entries(&tiles[&bundle]).nth(index as usize % 256);
        assert_eq!(found, Some(Ok(&entry(index)[..])));
    }
    for old in [1, 256, 300, 65_536, 65_537] {
        let proof = merkle::consistency_proof(old, SIZE, hash).unwrap();
        let (before, root) = (log(old).0.root(), edge.root());
        let verified = merkle::verify_consistency(old, &before, SIZE, &root, &proof);
        assert_eq!(verified, Ok(()), "{old}");
    }
    let outside = Subtree {
        level: 9,
        index: SIZE,
    };
    assert_eq!(hash(outside), Err(TileError::OutOfRange));
}

proptest! {
    #[test]
    fn an_edge_continues_from_its_tiles(size in 0_u64..2000, more in 0_u64..600) {
        let (edge, _) = log(size);
        let kept: BTreeMap<Tile, Vec<u8>> = edge.partial().collect();
        let mut read = Edge::read(size, |tile| Ok::<_, TileError>(kept[&tile].clone())).unwrap();
        let mut frontier = Frontier::default();
        for index in 0..size + more {
            frontier.push(merkle::leaf_hash(&entry(index)));
        }
        for index in size..size + more {
            read.push(&entry(index), |_, _| {}).unwrap();
        }
        prop_assert_eq!(read.root(), frontier.root());
        prop_assert_eq!(read.len(), frontier.len());
    }

    #[test]
    fn bundles_round_trip(written in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..40), 0..20)) {
        let mut bundle = Vec::new();
        for entry in &written {
            push_entry(&mut bundle, entry).unwrap();
        }
        let found: Vec<Vec<u8>> = entries(&bundle).map(|entry| entry.unwrap().to_vec()).collect();
        prop_assert_eq!(&found, &written);
        if let Some(cut) = bundle.len().checked_sub(1) {
            prop_assert_ne!(entries(&bundle[..cut]).collect::<Result<Vec<_>, _>>().ok().map(|found| found.len()), Some(written.len()));
        }
    }

    #[test]
    fn no_path_panics(path in "[tile/x0-9.p]{0,40}") {
        if let Some(tile) = Tile::from_path(&path) {
            prop_assert_eq!(tile.path(), path);
        }
    }
}

fn entry(index: u64) -> Vec<u8> {
    format!("record {index}").into_bytes()
}

fn log(size: u64) -> (Edge, BTreeMap<Tile, Vec<u8>>) {
    let (mut edge, mut tiles) = (Edge::default(), BTreeMap::new());
    for index in 0..size {
        edge.push(&entry(index), |tile, bytes| {
            assert_eq!(tiles.insert(tile, bytes), None, "{tile:?} written twice");
        })
        .unwrap();
    }
    (edge, tiles)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

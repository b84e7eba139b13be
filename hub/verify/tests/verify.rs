//! Verifies exports of simulated halls: unchanged exports pass, and mutations of complete exports are detected.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

#[path = "rig/hall.rs"]
mod rig;

use std::io::Cursor;

use prost::Message as _;
use proto::enrolment::fingerprint;
use proto::evidence::{Header, part};
use proto::log::{HubStarted, Record, record::Input};
use rig::mutate::{Mutation, checkpoint, file, mutated, parts};
use rig::{Draw, Size, authority, export, key, played, signer};
use verify::{CannotCheck, FaultKind, Findings, KeptCheckpoint, Known, check, kept_checkpoint};

fn checked(file: &[u8]) -> Findings {
    check(Cursor::new(file), &key(1).into()).unwrap()
}

fn continuing(kept: KeptCheckpoint) -> Known {
    Known {
        kept: vec![kept],
        ..key(1).into()
    }
}

fn kept(file: &[u8]) -> KeptCheckpoint {
    kept_checkpoint(checkpoint(file).as_bytes(), &key(1)).unwrap()
}

#[test]
fn exports_of_simulated_halls_are_sound() {
    let mut all = (0, 0, 0);
    for seed in 0..12 {
        let size = Size::drawn(&mut Draw::new(seed));
        let records = played(seed, size);
        let findings = checked(&export(&records, &signer(1), |_| true));
        assert_eq!(findings.fault, None, "SEED={seed}");
        assert_eq!(findings.records, records.len() as u64);
        assert!(findings.boards == usize::from(size.boards) && findings.clocks > 0);
        assert_eq!(findings.certified, findings.clocks as u64);
        all.0 += findings.moves;
        all.1 += findings.signed_requests;
        all.2 += findings.open_names;
    }
    assert!(all.0 > 50 && all.1 > 10 && all.2 > 50, "{all:?}");
}

#[test]
fn about_half_of_the_actions_in_a_simulated_hall_are_signed() {
    for boards in 1..=4 {
        let size = Size {
            boards,
            presses: 200,
        };
        let records = played(1, size);
        let signed = checked(&export(&records, &signer(1), |_| true)).signed_requests;
        let commands = records.iter().filter(|record| {
            let record = Record::decode(record.as_slice()).unwrap();
            matches!(record.input, Some(Input::Command(_)))
        });
        let commands = commands.count() as u64;
        let half = commands / 3..=commands * 2 / 3;
        assert!(
            half.contains(&signed),
            "{boards} boards: {signed} of {commands}"
        );
    }
}

#[test]
fn mutations_of_an_export_are_found() {
    let mut tried = 0;
    for seed in 0..4 {
        let mut draw = Draw::new(seed);
        let size = Size::drawn(&mut draw);
        let original = export(&played(seed, size), &signer(1), |_| true);
        let before = continuing(kept(&original));
        for round in 0..8 {
            for mutation in Mutation::ALL {
                let Some(file) = mutated(&original, mutation, &mut draw) else {
                    continue;
                };
                let findings = check(Cursor::new(&file), &before);
                let found = !findings.is_ok_and(|findings| findings.is_sound());
                assert!(found, "SEED={seed} round {round}: {mutation:?}");
                tried += 1;
            }
        }
    }
    assert!(tried > 300, "{tried}");
}

#[test]
fn a_fault_is_named_with_its_record_and_its_kind() {
    let original = export(
        &played(
            3,
            Size {
                boards: 2,
                presses: 30,
            },
        ),
        &signer(1),
        |_| true,
    );
    let mut altered = parts(&original);
    let part::Part::Record(record) = &mut altered[21] else {
        panic!("part 21 is no record");
    };
    record.content[3] ^= 1;
    let fault = checked(&file(&altered)).fault.unwrap();
    assert_eq!((fault.index, fault.kind), (Some(20), FaultKind::Altered));

    let kinds = [
        (Mutation::ForgeClocks, FaultKind::Clocks),
        (Mutation::SignEvent, FaultKind::Chain),
        (Mutation::ForgeEvent, FaultKind::ClockSignature),
        (Mutation::Name, FaultKind::Name),
        (Mutation::ForgeCertificate, FaultKind::Certificate),
    ];
    for (mutation, kind) in kinds {
        let mut draw = Draw::new(5);
        let file = (0..50)
            .find_map(|_| mutated(&original, mutation, &mut draw))
            .unwrap();
        let fault = checked(&file).fault.unwrap();
        let signature = fault.kind == FaultKind::ClockSignature;
        assert!(fault.kind == kind || signature, "{mutation:?}: {fault}");
        assert!(fault.index.is_some(), "{fault}");
    }
}

#[test]
fn content_of_an_unknown_field_is_not_passed_over() {
    let size = Size {
        boards: 1,
        presses: 9,
    };
    let original = export(&played(1, size), &signer(1), |_| true);
    let with_names = |part: &part::Part| matches!(part, part::Part::Record(record) if !record.openings.is_empty());
    let all = parts(&original);
    let named = all.iter().position(with_names).unwrap();
    let before = file(&all[..named]).len();
    let part::Part::Record(record) = &all[named] else {
        panic!("no record");
    };
    // Change the opening's field number from 2 to 6. A careless reader would take the name to be concealed.
    let opening = record.openings[0].encode_to_vec();
    let mut changed = original.clone();
    let at = changed[before..]
        .windows(opening.len())
        .position(|window| window == opening)
        .unwrap();
    let tag = before + at - 2;
    assert_eq!(changed[tag], 2 << 3 | 2);
    changed[tag] = 6 << 3 | 2;
    let fault = checked(&changed).fault.unwrap();
    assert_eq!(fault.kind, FaultKind::Unreadable);
}

#[test]
fn both_trees_of_a_checkpoint_are_over_the_same_records() {
    let size = Size {
        boards: 1,
        presses: 9,
    };
    let records = played(1, size);
    let original = export(&records, &signer(1), |_| true);
    let file = mutated(&original, Mutation::TwoTrees, &mut Draw::new(1)).unwrap();
    assert_eq!(checked(&file).fault.unwrap().kind, FaultKind::Tree);
    // Without some of the records, the check cannot compute the root over unconcealed records, and so misses the mutation.
    let one = export(&records, &signer(1), |at| at + 1 < records.len());
    let file = mutated(&one, Mutation::TwoTrees, &mut Draw::new(1)).unwrap();
    assert_eq!(checked(&file).fault, None);
}

/// Returns a voucher: a certificate from authority `former` for the key of authority `next`.
fn voucher(former: u8, next: u8) -> Vec<u8> {
    let issuer = rcgen::Issuer::new(authority::params(&[1]), authority::key(former));
    let voucher = authority::params(&[3]).signed_by(&authority::key(next), &issuer);
    voucher.unwrap().der().to_vec()
}

#[test]
fn a_new_authority_needs_the_word_of_the_former_one() {
    // Create each certificate only once: signing it again would change its fingerprint.
    let authorities = [authority::der(1), authority::der(2)];
    let [first, second] = [0, 1].map(|at| Some(fingerprint(&authorities[at])));
    let found = |voucher_der: Vec<u8>, announced: Option<[u8; 16]>| {
        let start = |at: usize, voucher_der| HubStarted {
            authority_der: authorities[at].clone(),
            voucher_der,
            ..HubStarted::default()
        };
        // The check of authorities does not depend on other records, so records of hub starts are enough.
        let starts = [start(0, Vec::new()), start(1, voucher_der)];
        let records = starts.map(|start| {
            let record = Record {
                input: Some(Input::HubStarted(start)),
                ..Record::default()
            };
            record.encode_to_vec()
        });
        let known = Known {
            authority: announced,
            ..key(1).into()
        };
        let file = export(&records, &signer(1), |_| true);
        check(Cursor::new(file), &known).unwrap()
    };
    let fault = |voucher_der, announced| {
        let fault = found(voucher_der, announced).fault.unwrap();
        (fault.kind == FaultKind::Certificate).then_some(fault.index)
    };
    for announced in [None, first] {
        assert_eq!(fault(voucher(3, 2), announced), Some(Some(1)));
        assert_eq!(fault(voucher(1, 2), announced), None);
    }
    assert_eq!(fault(voucher(1, 2), second), Some(Some(0)));
    // An authority whose key was lost cannot vouch for the next one. The findings report this, and the check rejects the second authority if
    // the first one's fingerprint is given.
    let lost = found(Vec::new(), None);
    assert_ne!(lost.fault.unwrap().kind, FaultKind::Certificate);
    let unvouched: Vec<_> = lost
        .authorities
        .iter()
        .map(|one| one.unvouched_at)
        .collect();
    assert_eq!(unvouched, [None, Some(1)]);
    assert_eq!(fault(Vec::new(), first), Some(Some(1)));
}

#[test]
fn another_key_and_another_file_are_told_apart() {
    let original = export(
        &played(
            1,
            Size {
                boards: 1,
                presses: 9,
            },
        ),
        &signer(1),
        |_| true,
    );
    let findings = check(Cursor::new(&original), &key(2).into()).unwrap();
    assert_eq!(findings.fault.unwrap().kind, FaultKind::Checkpoint);
    let refused = |bytes: &[u8]| check(Cursor::new(bytes), &key(1).into()).unwrap_err();
    assert!(matches!(refused(b"PGN"), CannotCheck::NotEvidence));
    assert!(matches!(
        refused(b"flagfall-evidence v2\n"),
        CannotCheck::Version
    ));
    assert!(matches!(
        refused(b"flagfall-evidence v1\n"),
        CannotCheck::NoHeader
    ));
}

#[test]
fn the_records_of_one_board_are_sound_by_themselves() {
    let records = played(
        4,
        Size {
            boards: 3,
            presses: 60,
        },
    );
    let board = |record: &[u8]| {
        let record = Record::decode(record).unwrap();
        let clock = matches!(record.input, Some(Input::AgentEvent(_)));
        (record.board.is_empty() && !clock) || record.board == "2"
    };
    let file = export(&records, &signer(1), |at| board(&records[at]));
    let findings = checked(&file);
    assert_eq!(findings.fault, None);
    assert!(findings.omitted > 20 && findings.moves > 5, "{findings:?}");
    assert_eq!(findings.records + findings.omitted, records.len() as u64);
}

#[test]
fn a_later_export_continues_an_earlier_one() {
    let records = played(
        6,
        Size {
            boards: 2,
            presses: 40,
        },
    );
    let early = export(&records[..records.len() / 2], &signer(1), |_| true);
    let late = export(&records, &signer(1), |_| true);
    let findings = check(Cursor::new(&late), &continuing(kept(&early))).unwrap();
    assert_eq!((findings.continued, findings.fault), (1, None));
    // The shorter file can neither confirm nor refute the later checkpoint, so the check reports no fault.
    let uncompared = check(Cursor::new(&early), &continuing(kept(&late)));
    assert!(matches!(
        uncompared,
        Err(CannotCheck::Uncompared { gap: false, .. })
    ));
}

#[test]
fn a_file_that_leaves_records_out_says_so_and_names_its_own_event() {
    let size = Size {
        boards: 2,
        presses: 20,
    };
    let records = played(9, size);
    let original = export(&records, &signer(1), |at| at < 5);
    let lied = |change: fn(&mut Header)| {
        let mut all = parts(&original);
        for one in &mut all {
            if let part::Part::Header(header) = one {
                change(header);
            }
        }
        checked(&file(&all)).fault.map(|fault| fault.kind)
    };
    assert_eq!(lied(|_| ()), None);
    assert_eq!(lied(|header| header.games.clear()), Some(FaultKind::Form));
    let renamed = lied(|header| header.event_name = "World Championship".to_owned());
    assert_eq!(renamed, Some(FaultKind::Form));
}

//! Tests of signed notes.

use std::string::String;

use super::*;

// The example from the C2SP specification of signed notes.
const KEY: &str = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k";
const NOTE: &str = "This is an example message.\n\n— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n";

#[test]
fn the_example_of_the_specification_opens() {
    let verifier: Verifier = KEY.parse().unwrap();
    assert_eq!(verifier.name(), "example.com/foo");
    assert_eq!(verifier.to_string(), KEY);
    assert_eq!(verifier.open(NOTE), Ok("This is an example message.\n"));
}

#[test]
fn a_signed_note_opens_and_an_altered_one_does_not() {
    let signer = Signer::new("flagfall.example/hall", SigningKey::from_bytes(&[7; 32])).unwrap();
    let note = signer.sign("one\n\ntwo\n");
    assert_eq!(signer.verifier().open(&note), Ok("one\n\ntwo\n"));
    for at in 0..note.len() {
        let mut bytes = note.clone().into_bytes();
        bytes[at] ^= 1;
        let Ok(altered) = String::from_utf8(bytes) else {
            continue;
        };
        assert!(signer.verifier().open(&altered).is_err(), "byte {at}");
    }
}

#[test]
fn signatures_by_other_keys_are_ignored() {
    let key = |seed| SigningKey::from_bytes(&[seed; 32]);
    let (ours, other) = (
        Signer::new("a", key(1)).unwrap(),
        Signer::new("a", key(2)).unwrap(),
    );
    let note = ours.sign("text\n");
    let second = other.sign("text\n");
    let line = split(&second).unwrap().1;
    let both = format!("{note}{line}");
    assert_eq!(ours.verifier().open(&both), Ok("text\n"));
    assert_eq!(other.verifier().open(&both), Ok("text\n"));
    assert_eq!(other.verifier().open(&note), Err(NoteError::Unsigned));
    let renamed = Signer::new("b", key(1)).unwrap();
    assert_eq!(renamed.verifier().open(&note), Err(NoteError::Unsigned));
}

#[test]
fn malformed_notes_are_refused() {
    let verifier: Verifier = KEY.parse().unwrap();
    for note in [
        "",
        "\n",
        "text\n",
        "text\n\n",
        "text\n\nno mark\n",
        "text\n\n— example.com/foo\n",
        "text\n\n— example.com/foo Uw==\n",
        "text\n\n— example.com/foo !!!!\n",
        "a\tb\n\n— example.com/foo Uw2QOkn8\n",
        NOTE.trim_end(),
    ] {
        assert_eq!(verifier.open(note), Err(NoteError::Form), "{note:?}");
    }
    let cut = "text\n\n— example.com/foo Uw2QOkn8\n";
    assert_eq!(verifier.open(cut), Err(NoteError::Signature));
}

#[test]
fn malformed_keys_are_refused() {
    for key in [
        "",
        "name",
        "name+530d903a",
        "example.com/foo+530d903b+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
        "example.com/foo+530D903A+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
        "example.com/foo+530d903a+Aeky",
        "+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
        "a b+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
    ] {
        assert!(key.parse::<Verifier>().is_err(), "{key:?}");
    }
    let key = SigningKey::from_bytes(&[7; 32]);
    assert_eq!(Signer::new("a+b", key).err(), Some(KeyError::Name));
}

fn key(byte: u8) -> SigningKey {
    SigningKey::from_bytes(&[byte; 32])
}

/// Returns a note that is signed by key `by` and carries `changes`, each from a former key to the next.
fn changed(by: u8, changes: &[(u8, u8)]) -> String {
    let lines: String = changes
        .iter()
        .map(|(former, next)| Successor::sign(&key(*former), &key(*next).verifying_key()))
        .map(|change| change.to_string() + "\n")
        .collect();
    let text = String::from("hall\n") + &lines;
    Signer::new("hall", key(by)).unwrap().sign(&text)
}

#[test]
fn a_successor_signs_in_place_of_the_trusted_key() {
    let verifier = |byte: u8| Signer::new("hall", key(byte)).unwrap().verifier().clone();
    let twice = changed(3, &[(1, 2), (2, 3)]);
    for known in 1..=3 {
        assert!(verifier(known).open(&twice).is_ok(), "key {known}");
    }
    let refused = [
        ("a stranger's key", verifier(4), twice.clone()),
        ("the other way", verifier(3), changed(1, &[(1, 3)])),
        ("named by a stranger", verifier(1), changed(3, &[(2, 3)])),
        ("out of order", verifier(1), changed(3, &[(2, 3), (1, 2)])),
        ("signed by another", verifier(1), changed(4, &[(1, 2)])),
    ];
    for (what, verifier, note) in refused {
        assert!(verifier.open(&note).is_err(), "{what}");
    }
    // The forged statement names key 1 as the former key, but key 2 has signed it.
    let own = Successor::sign(&key(1), &key(3).verifying_key()).to_string();
    let foreign = Successor::sign(&key(2), &key(3).verifying_key()).to_string();
    let signature = foreign.rsplit(' ').next().unwrap();
    let forged = own.rsplit_once(' ').unwrap().0.to_string() + " " + signature;
    assert_eq!(forged.parse::<Successor>(), Err(BadSuccessor));
    let note = Signer::new("hall", key(3)).unwrap();
    let note = note.sign(&(String::from("hall\n") + &forged + "\n"));
    assert_eq!(verifier(1).open(&note), Err(NoteError::Signature));
    // A verifier with the signer's own key needs no statement.
    assert!(verifier(3).open(&note).is_ok());
}

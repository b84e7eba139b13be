//! Tests of signed notes.

use std::string::String;

use super::*;

/// The example of the specification.
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
fn a_signed_note_opens_and_no_altered_one_does() {
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
fn other_signatures_are_passed_over() {
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

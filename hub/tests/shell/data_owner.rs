//! The authority and the log in a data directory belong together, and the hub notices a changed authority.

use hub::identity::{
    Authority, DataDirectoryError, Identity, LogIdentity, check_authority, check_log_exists,
    replace_lost_authority, roll_authority,
};

fn log(authority: Option<[u8; 16]>) -> LogIdentity<'static> {
    LogIdentity {
        records: 7,
        origin: Some("flagfall/one/log"),
        authority,
    }
}

#[test]
fn an_authority_and_its_log_belong_together() {
    let dir = tempfile::tempdir().unwrap();
    let missing = check_authority(dir.path(), log(None));
    assert!(matches!(
        missing,
        Err(DataDirectoryError::AuthorityMissing { records: 7, .. })
    ));
    let first = Identity::open(dir.path())
        .unwrap()
        .authority()
        .fingerprint();
    assert!(matches!(
        check_log_exists(dir.path()),
        Err(DataDirectoryError::LogMissing { .. })
    ));
    check_authority(dir.path(), log(Some(first))).unwrap();
    check_authority(dir.path(), log(None)).unwrap();
    let other = check_authority(dir.path(), log(Some([1; 16])));
    assert!(matches!(
        other,
        Err(DataDirectoryError::OtherAuthority { log: [1, ..], .. })
    ));
    // The log names the former authority until the hub has started with the new one, so both are accepted.
    let rolled = roll_authority(dir.path(), 0, 30).unwrap();
    check_authority(dir.path(), log(Some(first))).unwrap();
    check_authority(dir.path(), log(Some(rolled.current))).unwrap();
}

#[test]
fn a_new_authority_adopts_only_the_log_of_the_lost_one() {
    let dir = tempfile::tempdir().unwrap();
    let first = Identity::open(dir.path())
        .unwrap()
        .authority()
        .fingerprint();
    let kept = replace_lost_authority(dir.path(), log(Some(first)), 0);
    assert!(matches!(kept, Err(DataDirectoryError::NotLost { .. })));
    let lost = log(Some([1; 16]));
    let current = replace_lost_authority(dir.path(), lost, 0).unwrap();
    let aside = std::fs::read_to_string(dir.path().join("set-aside/1/authority.pem")).unwrap();
    assert_eq!(Authority::from_pem(&aside).unwrap().fingerprint(), first);
    check_authority(dir.path(), lost).unwrap();
    let another = LogIdentity {
        origin: Some("flagfall/two/log"),
        ..lost
    };
    assert!(check_authority(dir.path(), another).is_err());
    assert!(check_authority(dir.path(), log(Some([2; 16]))).is_err());
    // Once the log names the new authority, the former one is no longer accepted.
    check_authority(dir.path(), log(Some(current))).unwrap();
    assert!(check_authority(dir.path(), lost).is_err());
}

#[test]
fn a_changed_byte_is_detected_or_changes_nothing() {
    let made = Authority::generate().unwrap();
    let text = made.to_pem().into_bytes();
    let mut found = 0;
    for at in 0..text.len() {
        let mut changed = text.clone();
        changed[at] ^= 1;
        let Ok(read) = String::from_utf8(changed)
            .map_err(|_| ())
            .and_then(|text| Authority::from_pem(&text).map_err(|_| found += 1))
        else {
            continue;
        };
        // When a hub starts, it compares the fingerprint with the one in the log, so it detects this change.
        if read.fingerprint() != made.fingerprint() {
            found += 1;
            continue;
        }
        assert_eq!(read.to_pem(), made.to_pem(), "byte {at}");
    }
    assert!(found > text.len() / 2, "{found}");
}

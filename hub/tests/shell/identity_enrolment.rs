//! Codes and certificates: how often a code can be used, and the files in the data directory.

use std::os::unix::fs::PermissionsExt;

use hub::identity::{Authority, Credentials, Identity as HubIdentity, Peer, peer_of};
use proto::wire::EnrolRequest;

use crate::agent::{Identity, enrol, enrol_with, new_key, request};
use crate::hall::TestHub;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_certificate_names_the_requesting_key_and_follows_its_record() {
    let hub = TestHub::start().await;
    let identity = Identity::enrol(&hub, "").await;
    let certificate = identity.enrolled.certificate_der.clone().into();
    assert_eq!(peer_of(&certificate), Ok(Peer::Agent(identity.agent())));
    assert_eq!(
        identity.enrolled.authority_der,
        hub.server.identity().authority_der().to_vec()
    );
    let known = hub.server.hub().ask(hall::AskAgents).await.unwrap();
    assert_eq!(known.len(), 1);
    assert_eq!(known[0].name, "test clock");
    let hub = hub.restart().await;
    assert_eq!(
        hub.server.hub().ask(hall::AskAgents).await.unwrap()[0].agent,
        identity.agent()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_code_enrols_one_clock_which_may_retry() {
    let hub = TestHub::start().await;
    let address = hub.server.addresses().listen;
    let code = hub.server.desk().code("").unwrap();
    let (first, second) = (new_key(), new_key());
    enrol(address, &code, &first).await.unwrap();
    enrol(address, &code, &first).await.unwrap();
    let refused = enrol(address, &code, &second).await.unwrap_err();
    assert!(refused.contains("not valid"), "{refused}");
    assert_eq!(
        hub.server.hub().ask(hall::AskAgents).await.unwrap().len(),
        1
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_guesser_locks_no_other_clock_out() {
    let hub = TestHub::start().await;
    let address = hub.server.addresses().listen;
    let code = hub.server.desk().code("").unwrap();
    let key = new_key();
    for guess in 0..5 {
        let refused = enrol_with(address, request(&[guess; 16], &key))
            .await
            .unwrap_err();
        assert!(refused.contains("not valid"), "{refused}");
    }
    let refused = enrol_with(address, request(&[9; 16], &key)).await;
    let refused = refused.unwrap_err();
    assert!(refused.contains("many wrong"), "{refused}");
    assert!(enrol(address, &code, &key).await.is_ok());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_malformed_request_does_not_use_up_a_code() {
    let hub = TestHub::start().await;
    let address = hub.server.addresses().listen;
    let code = hub.server.desk().code("").unwrap();
    let key = new_key();
    let good = request(&code.token, &key);
    let cases = [
        (
            EnrolRequest {
                major: 2,
                ..good.clone()
            },
            "version",
        ),
        (
            EnrolRequest {
                signature: vec![0; 64],
                ..good.clone()
            },
            "signature",
        ),
        (
            EnrolRequest {
                signing_key: vec![1; 31],
                ..good.clone()
            },
            "signing key",
        ),
        (
            EnrolRequest {
                exchange_key: vec![1; 5],
                ..good.clone()
            },
            "exchange key",
        ),
        (
            EnrolRequest {
                name: "x".repeat(65),
                ..good.clone()
            },
            "name",
        ),
        (
            EnrolRequest {
                name: "board\u{202e} 12".to_owned(),
                ..good.clone()
            },
            "name",
        ),
        (
            EnrolRequest {
                token: vec![1; 4],
                ..good.clone()
            },
            "token",
        ),
    ];
    for (request, said) in cases {
        let refused = enrol_with(address, request).await.unwrap_err();
        assert!(refused.contains(said), "{refused}");
    }
    enrol_with(address, good).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_code_is_issued_for_a_missing_board() {
    let hub = TestHub::start().await;
    let error = hub.server.desk().code("99").unwrap_err();
    assert!(error.to_string().contains("99"), "{error}");
}

#[test]
fn the_first_start_creates_private_keys_and_later_starts_keep_them() {
    let dir = tempfile::tempdir().unwrap();
    let first = HubIdentity::open(dir.path()).unwrap();
    assert!(first.first_start());
    for file in ["authority.pem", "chief.pem"] {
        let mode = std::fs::metadata(dir.path().join(file))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600, "{file}");
    }
    let chief = Credentials::load(&dir.path().join("chief.pem")).unwrap();
    assert_eq!(chief.authority(), first.authority_der());
    // The authority for browsers is a separate one, which the hub creates when it starts to serve.
    assert!(!dir.path().join("authority.crt").exists());

    let again = HubIdentity::open(dir.path()).unwrap();
    assert!(!again.first_start());
    assert_eq!(again.authority_der(), first.authority_der());
    // The authority still issues certificates for clocks after it was read from its file.
    let agent = proto::ids::AgentId(new_key().verifying_key().to_bytes());
    let issued = again.authority().issue_agent(&agent).unwrap();
    assert_eq!(peer_of(&issued.certificate), Ok(Peer::Agent(agent)));
}

#[test]
fn a_damaged_authority_is_reported_and_never_replaced() {
    let dir = tempfile::tempdir().unwrap();
    HubIdentity::open(dir.path()).unwrap();
    let path = dir.path().join("authority.pem");
    let other = Authority::generate().unwrap().to_pem();
    let ours = std::fs::read_to_string(&path).unwrap();
    let certificate = ours
        .split_inclusive("-----END CERTIFICATE-----\n")
        .next()
        .unwrap();
    let key = other.split_once("-----END CERTIFICATE-----\n").unwrap().1;
    for damaged in [
        String::new(),
        certificate.to_owned(),
        format!("{certificate}{key}"),
    ] {
        std::fs::write(&path, &damaged).unwrap();
        let error = HubIdentity::open(dir.path()).unwrap_err().to_string();
        assert!(error.contains("authority.pem is damaged"), "{error}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), damaged);
    }
}

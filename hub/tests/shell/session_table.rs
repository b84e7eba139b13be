//! Every call with every role and every kind of credential over real connections: accepted or refused.

use hub::api::{API, Effect, PERMISSIONS};
use hub::identity::{Authority, Credentials, Role};
use proto::grpc::RevokeDeviceRequest;
use rcgen::{CertificateParams, DnType, Issuer, KeyPair, SanType, date_time_ymd};
use sha2::{Digest, Sha256};

use crate::arbiter::without_certificate;
use crate::browser::Browser;
use crate::hall::TestHub;
use crate::session::UNAUTHENTICATED;

const PERMISSION_DENIED: u16 = 7;
const OK: u16 = 200;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Credential {
    KeyFile,
    Signed,
    Cookie,
    WrongKey,
}

/// Returns the outcome that a call must have under the hub's table of calls: the gRPC code of a refusal, or [`OK`].
fn expected(role: Role, roles: &[Role], effect: Effect, credential: Credential) -> u16 {
    let proved = matches!(credential, Credential::KeyFile | Credential::Signed);
    if !roles.contains(&role) {
        PERMISSION_DENIED
    } else if effect != Effect::Reads && !proved {
        UNAUTHENTICATED
    } else {
        OK
    }
}

/// Maps every code except those of the two refusals to [`OK`], because a call that is permitted may still reject its empty message.
fn outcome(code: u16) -> u16 {
    match code {
        UNAUTHENTICATED | PERMISSION_DENIED => code,
        _ => OK,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_call_with_every_role_and_credential() {
    let hub = TestHub::start().await;
    hub.add_board("1", "5m").await;
    for role in Role::ALL {
        let certified = Browser::certified(&hub, role);
        let signed_in = Browser::enrolled(&hub, role, "Anna Berg").await;
        let mut stranger = Browser::new(&hub);
        stranger.who = signed_in.who.clone();
        for &(call, roles, effect) in PERMISSIONS {
            let path = &format!("{API}{call}");
            for credential in [
                Credential::KeyFile,
                Credential::Signed,
                Credential::Cookie,
                Credential::WrongKey,
            ] {
                let code = match credential {
                    Credential::KeyFile => certified.begun(path, None).await,
                    Credential::Signed => {
                        let signature = signed_in.signature(path, &[]);
                        signed_in.begun(path, Some(&signature)).await
                    }
                    Credential::Cookie => signed_in.begun(path, None).await,
                    Credential::WrongKey => {
                        let signature = stranger.signature(path, &[]);
                        signed_in.begun(path, Some(&signature)).await
                    }
                };
                let mut expected = expected(role, roles, effect, credential);
                if (role, call) == (Role::Broadcaster, "Tournament/Export") {
                    // The empty export request asks for a report, which a broadcaster must not get.
                    expected = PERMISSION_DENIED;
                }
                assert_eq!(
                    outcome(code),
                    expected,
                    "{path} {role:?} {credential:?}: {code}"
                );
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_call_is_admitted_without_a_valid_credential() {
    let hub = TestHub::start().await;
    let chief = Browser::enrolled(&hub, Role::Chief, "Chief arbiter").await;
    let none = Browser::new(&hub);
    let mut forged = Browser::enrolled(&hub, Role::Chief, "Ann").await;
    let cookie = forged.cookie.take().unwrap();
    let (name, secret) = cookie.split_once('=').unwrap();
    let first = if secret.starts_with('A') { "B" } else { "A" };
    forged.cookie = Some(format!("{name}={first}{}", &secret[1..]));
    let revoked = Browser::enrolled(&hub, Role::Floor, "Per Lind").await;
    let request = RevokeDeviceRequest {
        device: revoked.who["device"].as_str().unwrap().to_owned(),
        reason: String::new(),
    };
    assert_eq!(chief.call("Arbiter/RevokeDevice", &request).await.code, 0);
    let foreign = Authority::generate().unwrap();
    let foreign = Credentials::issue(&foreign, Role::Chief, "chief").unwrap();
    let foreign = trusting(&hub, &foreign);
    let expired = trusting(&hub, &expired(&hub));
    for &(call, _, _) in PERMISSIONS {
        let path = &format!("{API}{call}");
        for browser in [&none, &forged, &revoked] {
            let signature = browser.signature(path, &[]);
            let code = browser.begun(path, Some(&signature)).await;
            assert_eq!(code, UNAUTHENTICATED, "{path}");
        }
        for browser in [&foreign, &expired] {
            let code = browser.try_begun(path, None).await;
            // The TLS handshake itself fails.
            assert!(code.is_err(), "{path}: {code:?}");
        }
    }
    let unknown = "/flagfall.api.v1.Arbiter/Nothing";
    assert_eq!(chief.begun(unknown, None).await, 12);
}

fn trusting(hub: &TestHub, credentials: &Credentials) -> Browser {
    let theirs = hub::identity::arbiter_client_config(credentials).unwrap();
    let mut tls = without_certificate(hub.server.identity());
    tls.client_auth_cert_resolver = theirs.client_auth_cert_resolver;
    Browser::with_tls(hub, tls)
}

/// Returns a chief arbiter's key file for this hub whose certificate expired in 2020.
fn expired(hub: &TestHub) -> Credentials {
    let authority = hub.server.identity().authority();
    let pem = authority.to_pem();
    let key = &pem[pem.find("-----BEGIN PRIVATE KEY").unwrap()..];
    let key = KeyPair::from_pem(key).unwrap();
    let id = Sha256::digest(rcgen::PublicKeyData::der_bytes(&key));
    let mut issuer = CertificateParams::default();
    issuer.distinguished_name = rcgen::DistinguishedName::new();
    let name = &mut issuer.distinguished_name;
    name.push(DnType::OrganizationName, "Flagfall");
    name.push(DnType::CommonName, format!("hub {}", hex::encode(&id[..4])));
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.not_before = date_time_ymd(2000, 1, 1);
    params.not_after = date_time_ymd(2020, 1, 1);
    let uri = format!("{}chief:Ann", proto::quic::ARBITER_URI);
    params.subject_alt_names = vec![SanType::URI(uri.try_into().unwrap())];
    params.extended_key_usages = vec![rcgen::ExtendedKeyUsagePurpose::ClientAuth];
    params.use_authority_key_identifier_extension = true;
    let own = KeyPair::generate().unwrap();
    let certificate = params.signed_by(&own, &Issuer::new(issuer, key)).unwrap();
    let text = certificate.pem() + &own.serialize_pem() + &authority.certificate_pem();
    let file = hub.dir.path().join("expired.pem");
    std::fs::write(&file, text).unwrap();
    Credentials::load(&file).unwrap()
}

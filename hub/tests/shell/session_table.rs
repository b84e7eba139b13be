//! Every call with every role and every kind of credential, over real connections: admission and refusal.

use hub::api::{API, Effect, NEEDED_ROLES};
use hub::identity::Role;

use crate::browser::Browser;
use crate::hall::TestHub;
use crate::session::UNAUTHENTICATED;

const PERMISSION_DENIED: u16 = 7;
const OK: u16 = 200;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Credential {
    Certificate,
    /// A session and its device's signature.
    Signed,
    /// A session only.
    Cookie,
    /// A session and another key's signature.
    WrongKey,
}

/// Returns the code that the hub's table demands.
fn expected(role: Role, needed: Role, effect: Effect, credential: Credential) -> u16 {
    let proved = matches!(credential, Credential::Certificate | Credential::Signed);
    if role < needed {
        PERMISSION_DENIED
    } else if effect == Effect::Changes && !proved {
        UNAUTHENTICATED
    } else {
        OK
    }
}

/// Maps every answer except the two refusals to OK: an admitted call may reject its empty message.
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
    for role in [Role::Viewer, Role::Floor, Role::Chief] {
        let certified = Browser::certified(&hub, role);
        let signed_in = Browser::enrolled(&hub, role, "Anna Berg").await;
        let mut stranger = Browser::new(&hub);
        stranger.who = signed_in.who.clone();
        for &(call, needed, effect) in NEEDED_ROLES {
            let path = &format!("{API}{call}");
            for credential in [
                Credential::Certificate,
                Credential::Signed,
                Credential::Cookie,
                Credential::WrongKey,
            ] {
                let code = match credential {
                    Credential::Certificate => certified.begun(path, None).await,
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
                let expected = expected(role, needed, effect, credential);
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
async fn nobody_calls_without_a_credential_or_with_a_cookie_that_is_none() {
    let hub = TestHub::start().await;
    let nobody = Browser::new(&hub);
    let mut forger = Browser::enrolled(&hub, Role::Chief, "Ann").await;
    let cookie = forger.cookie.take().unwrap();
    let (name, secret) = cookie.split_once('=').unwrap();
    let forged = if secret.starts_with('A') { "B" } else { "A" };
    forger.cookie = Some(format!("{name}={forged}{}", &secret[1..]));
    for &(call, _, _) in NEEDED_ROLES {
        let path = &format!("{API}{call}");
        for browser in [&nobody, &forger] {
            let signature = browser.signature(path, &[]);
            let code = browser.begun(path, Some(&signature)).await;
            assert_eq!(code, UNAUTHENTICATED, "{path}");
        }
    }
    let unknown = "/flagfall.api.v1.Arbiter/Nothing";
    let chief = Browser::enrolled(&hub, Role::Chief, "Ann").await;
    assert_eq!(chief.begun(unknown, None).await, 12);
}

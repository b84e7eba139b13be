//! The page on which a new chief arbiter enters the printed recovery code. It works in every browser, without the app and without a script.
//! Decides nothing: that is `sessions`.

use axum::Extension;
use axum::extract::{RawForm, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use percent_encoding::percent_decode;

use super::Site;
use crate::api::connection::Caller;
use crate::sessions::{Recovered, SessionError};

/// As for the other pages, but the form may be sent to this hub.
const CONTENT_SECURITY_POLICY: &str =
    "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// `GET /recover`: returns the form.
pub(super) async fn form() -> Response {
    page(StatusCode::OK, &entry(""))
}

/// `POST /recover`: exchanges the recovery code for a code for a chief arbiter's device, and for the next recovery code.
pub(super) async fn recover(
    State(site): State<Site>,
    Extension(caller): Extension<Caller>,
    RawForm(form): RawForm,
) -> Response {
    let code = code_in(&form);
    // The caller may close the page, but a recovery that has begun must end.
    let recovering = tokio::spawn(recovered(site, code, caller));
    match recovering.await {
        Ok(Ok(recovered)) => page(StatusCode::OK, &done(&recovered)),
        Ok(Err(error)) => {
            let status = match error {
                RecoverError::Session(SessionError::Token(_)) => StatusCode::FORBIDDEN,
                RecoverError::Session(_) | RecoverError::Log(_) => StatusCode::SERVICE_UNAVAILABLE,
            };
            page(status, &entry(&format!("<p><strong>{error}.</strong></p>")))
        }
        Err(error) => {
            tracing::error!(%error, "a recovery broke off");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

#[derive(Debug, thiserror::Error)]
enum RecoverError {
    #[error("{}", words(.0))]
    Session(#[from] SessionError),
    #[error("The hub cannot write its log: {0}")]
    Log(#[from] hall::Denied),
}

fn words(error: &SessionError) -> &'static str {
    match error {
        SessionError::Token(crate::identity::TokenRefusal::TooMany) => {
            "Too many attempts. Wait ten minutes"
        }
        SessionError::Token(_) => "This is not the recovery code of this hub",
        SessionError::Malformed(_)
        | SessionError::Name(_)
        | SessionError::Key(_)
        | SessionError::OtherHub
        | SessionError::NotEnrolled
        | SessionError::ShutOut(_)
        | SessionError::NoProof
        | SessionError::KeyInUse
        | SessionError::NoSuchDevice(_)
        | SessionError::Unavailable(_) => "The hub cannot do that now. The code is still valid",
    }
}

async fn recovered(site: Site, code: String, caller: Caller) -> Result<Recovered, RecoverError> {
    let Site { sessions, hub, .. } = site;
    let from = caller.address.ip();
    let checking = sessions.clone();
    // Holds a thread for the slow hash, never one of the runtime's.
    let proof = tokio::task::spawn_blocking(move || checking.check_recovery(&code, from));
    let proof = proof
        .await
        .map_err(|error| hall::Denied::Unavailable(error.to_string()))??;
    let revoked = proof.devices();
    let recovery = hall::ChiefRecovery {
        address: from.to_string(),
        revoked: revoked.iter().map(|one| one.id().to_string()).collect(),
    };
    hub.ask(recovery).await?;
    let recovered = tokio::task::spawn_blocking(move || proof.recover());
    let recovered = recovered
        .await
        .map_err(|error| hall::Denied::Unavailable(error.to_string()))?;
    Ok(recovered?)
}

/// Returns the only field of the form, as the user typed it.
fn code_in(form: &[u8]) -> String {
    let value = form.strip_prefix(b"code=").unwrap_or_default();
    let with_blanks: Vec<u8> = value
        .iter()
        .map(|byte| if *byte == b'+' { b' ' } else { *byte })
        .collect();
    percent_decode(&with_blanks)
        .decode_utf8_lossy()
        .into_owned()
}

fn entry(message: &str) -> String {
    format!(
        "<h1>Recover the chief arbiter's access</h1>{message}\
         <p>The recovery code was printed when this hub was set up. Using it revokes every device of a chief arbiter.</p>\
         <form method=\"post\"><p><label>Recovery code <input name=\"code\" size=\"32\" autocomplete=\"off\" autocapitalize=\"characters\" \
         spellcheck=\"false\" required></label></p><p><button>Recover</button></p></form>"
    )
}

fn done(Recovered { code, recovery }: &Recovered) -> String {
    let address = code.browser_address();
    format!(
        "<h1>Access recovered</h1>\
         <p>Every earlier device of a chief arbiter is revoked. Open this address within ten minutes on the new one:</p>\
         <p><a href=\"{address}\">{address}</a></p>\
         <p>Print or write down the next recovery code now. The hub shows it once:</p>\
         <p><strong><code>{recovery}</code></strong></p>"
    )
}

fn page(status: StatusCode, body: &str) -> Response {
    let headers: [(HeaderName, HeaderValue); 3] = [
        (
            header::CONTENT_SECURITY_POLICY,
            HeaderValue::from_static(CONTENT_SECURITY_POLICY),
        ),
        // Without it, browsers omit the origin of the form.
        (
            header::REFERRER_POLICY,
            HeaderValue::from_static("same-origin"),
        ),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    let html = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>Flagfall: recovery</title>{body}</html>"
    );
    (status, headers, Html(html)).into_response()
}

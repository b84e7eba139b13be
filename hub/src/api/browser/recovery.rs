//! The page on which an arbiter enters the printed recovery code to regain the chief arbiter's access. The page works in every browser, in
//! the languages of the public pages, without the app and without scripts. Leaves every decision to `sessions`.

use axum::Extension;
use axum::extract::{RawForm, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};
use percent_encoding::percent_decode;
use tokio::task::JoinError;

use super::Site;
use crate::api::connection::Caller;
use crate::identity::{CHIEF_FILE, TokenRefusal};
use crate::sessions::{Recovered, RecoveryTurn, SessionError};
use crate::web::words::Language;

/// A policy that lets the page send its form to this hub, and load nothing.
const CONTENT_SECURITY_POLICY: &str =
    "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// `GET /recover`: returns the form.
pub(super) async fn form(uri: Uri, headers: HeaderMap) -> Response {
    let language = language_of(&uri, &headers);
    page(StatusCode::OK, language, &entry(language, None))
}

/// `POST /recover`: exchanges the recovery code for two codes: one that enrols a chief arbiter's device, and the next recovery code.
pub(super) async fn recover(
    State(site): State<Site>,
    Extension(caller): Extension<Caller>,
    uri: Uri,
    headers: HeaderMap,
    RawForm(form): RawForm,
) -> Response {
    let language = language_of(&uri, &headers);
    let code = code_in(&form);
    let turn = match site.sessions.recovery_turn(caller.address.ip()).await {
        Ok(turn) => turn,
        Err(error) => return refused(language, &error.into()),
    };
    // Spawn a task, so that a recovery that has begun completes even if the caller closes the page.
    let recovering = tokio::spawn(recovered(site, turn, code, caller));
    match recovering.await {
        Ok(Ok(recovered)) => page(StatusCode::OK, language, &done(language, &recovered)),
        Ok(Err(error)) => refused(language, &error),
        Err(error) => {
            tracing::error!(%error, "a recovery was interrupted");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

fn language_of(uri: &Uri, headers: &HeaderMap) -> Language {
    Language::named_in(uri.query()).unwrap_or_else(|| Language::of(headers))
}

#[derive(Debug, thiserror::Error)]
enum RecoverError {
    #[error(transparent)]
    Session(#[from] SessionError),
    #[error("the hub cannot write its log: {0}")]
    Log(#[from] hall::Denied),
}

fn refused(language: Language, error: &RecoverError) -> Response {
    let (status, why) = match error {
        RecoverError::Session(SessionError::Token(TokenRefusal::TooMany)) => {
            (StatusCode::FORBIDDEN, "hub_page_recover_wait")
        }
        RecoverError::Session(SessionError::Token(_)) => {
            (StatusCode::FORBIDDEN, "hub_page_recover_wrong")
        }
        RecoverError::Session(_) | RecoverError::Log(_) => {
            tracing::error!(%error, "a recovery failed");
            (StatusCode::SERVICE_UNAVAILABLE, "hub_page_recover_failed")
        }
    };
    page(status, language, &entry(language, Some(why)))
}

async fn recovered(
    site: Site,
    turn: RecoveryTurn,
    code: String,
    caller: Caller,
) -> Result<Recovered, RecoverError> {
    let (key_files, identity) = (site.key_files, site.identity);
    // Do not run this on the runtime's threads, because the slow hash and the disk would block them.
    let recorded = key_files.clone();
    let proof = tokio::task::spawn_blocking(move || {
        let proof = turn.check(&code)?;
        let revoked = proof.revoked(&recorded)?;
        Ok::<_, SessionError>((proof, revoked))
    });
    let (proof, revoked) = proof.await.map_err(broken_off)??;
    let recovery = hall::ChiefRecovery {
        address: caller.address.ip().to_string(),
        revoked,
    };
    site.hub.ask(recovery).await?;
    let recovered = tokio::task::spawn_blocking(move || proof.recover(&key_files, &identity));
    Ok(recovered.await.map_err(broken_off)??)
}

fn broken_off(error: JoinError) -> hall::Denied {
    hall::Denied::Unavailable(error.to_string())
}

/// Returns the form's only field, as the user typed it.
fn code_in(form: &[u8]) -> String {
    let value = form.strip_prefix(b"code=").unwrap_or_default();
    let blank_for_plus = |byte: &u8| if *byte == b'+' { b' ' } else { *byte };
    let with_blanks: Vec<u8> = value.iter().map(blank_for_plus).collect();
    let text = percent_decode(&with_blanks).decode_utf8_lossy();
    text.into_owned()
}

fn entry(language: Language, why: Option<&'static str>) -> String {
    let say = |name| language.say_markup(name, &[]);
    let why = why.map_or_else(String::new, |why| {
        format!("<p><strong>{}</strong></p>", say(why))
    });
    format!(
        "<h1>{}</h1>{why}<p>{}</p>\
         <form method=\"post\" action=\"/recover?lang={}\"><p><label>{} <input name=\"code\" size=\"32\" autocomplete=\"off\" \
         autocapitalize=\"characters\" spellcheck=\"false\" required></label></p><p><button>{}</button></p></form><nav>{}</nav>",
        say("hub_page_recover"),
        say("hub_page_recover_text"),
        language.tag(),
        say("hub_page_recover_code"),
        say("hub_page_recover_button"),
        others(language),
    )
}

fn done(language: Language, Recovered { code, recovery }: &Recovered) -> String {
    let say = |name| language.say_markup(name, &[]);
    let address = code.browser_address();
    let file = format!("<code>{CHIEF_FILE}</code>");
    format!(
        "<h1>{}</h1><p>{}</p><p><a href=\"{address}\">{address}</a></p>\
         <p>{}</p><p><strong><code>{recovery}</code></strong></p><p>{}</p>",
        say("hub_page_recovered"),
        say("hub_page_recovered_text"),
        say("hub_page_recovered_next"),
        language.say_markup("hub_page_recovered_file", &[("file", &file)]),
    )
}

fn others(language: Language) -> String {
    let others = Language::ALL.into_iter().filter(|other| *other != language);
    let link = |other: Language| {
        let (tag, name) = (other.tag(), other.name());
        format!("<a href=\"/recover?lang={tag}\" lang=\"{tag}\" hreflang=\"{tag}\">{name}</a> ")
    };
    others.map(link).collect()
}

fn page(status: StatusCode, language: Language, body: &str) -> Response {
    let headers = [
        (header::CONTENT_LANGUAGE, language.tag()),
        (header::VARY, "accept-language"),
        (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
        // Under the usual policy, `no-referrer`, browsers would send the form's origin as `null`.
        (header::REFERRER_POLICY, "same-origin"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    let html = format!(
        "<!doctype html><html lang=\"{}\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>Flagfall: {}</title>{body}</html>",
        language.tag(),
        language.say_markup("hub_page_recover", &[]),
    );
    (status, headers, Html(html)).into_response()
}

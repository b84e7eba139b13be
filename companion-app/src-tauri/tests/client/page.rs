//! The page's side of an enrolment and of a session, without its retries.

use companion_app::error::ShellError;
use companion_app::hub_client::{FullResponse, SessionRequest};
use companion_app::shell::Shell;
use proto::enrolment::EnrolmentCode;
use proto::ids::hex;
use serde_json::{Value, json};

pub(crate) async fn enrol(shell: &Shell, code: &EnrolmentCode) -> Result<String, ShellError> {
    let key = shell.key_of(code).await?.key;
    let answer = ask_to_enrol(shell, code, &key.public_key).await?;
    assert_eq!(answer.head.status, 200, "{answer:?}");
    shell.enrol(&key.device).await?;
    Ok(key.device)
}

/// Asks for a challenge, then asks the hub to enrol a key with `code`.
pub(crate) async fn ask_to_enrol(
    shell: &Shell,
    code: &EnrolmentCode,
    public_key: &str,
) -> Result<FullResponse, ShellError> {
    let given = shell
        .session(&get("/session/challenge"), Some(code))
        .await?;
    let enrolment = json!({
        "challenge": field(&given, "challenge"),
        "authority": hex(&code.authority),
        "token": hex(&code.token),
        "name": "Tablet 3",
        "public_key": public_key,
    });
    shell
        .session(&post("/session/enrol", &enrolment), Some(code))
        .await
}

pub(crate) async fn identity(shell: &Shell) -> Result<FullResponse, ShellError> {
    shell.session(&get("/session"), None).await
}

pub(crate) async fn renew(shell: &Shell) -> Result<FullResponse, ShellError> {
    let key = shell.stored_keys().await?.enrolled.unwrap();
    let answer = shell.session(&get("/session/challenge"), None).await?;
    let challenge = field(&answer, "challenge");
    let proof = json!({ "device": key.device, "challenge": challenge });
    shell.session(&post("/session/renew", &proof), None).await
}

pub(crate) fn field(answer: &FullResponse, name: &str) -> String {
    let said: Value = serde_json::from_slice(&answer.body).unwrap();
    said[name].as_str().unwrap().to_owned()
}

pub(crate) fn get(path: &str) -> SessionRequest {
    SessionRequest::new(path, None).unwrap()
}

pub(crate) fn post(path: &str, body: &Value) -> SessionRequest {
    SessionRequest::new(path, Some(&body.to_string())).unwrap()
}

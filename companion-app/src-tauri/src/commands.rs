//! The commands that the page may call, each allowed by name in `capabilities/main.json`. Translates between the page and [`Shell`].

use hyper::StatusCode;
use proto::enrolment::EnrolmentCode;
use tauri::ipc::{Channel, InvokeBody, InvokeResponseBody, Request, Response};
use tauri::{State, Wry};

use crate::awake::Awake;
use crate::error::ShellError;
use crate::hub_client::{Call, SessionRequest};
use crate::ipc::{self, Head};
use crate::links::{Link, Links};
use crate::shell::{KeyOfCode, Shell, StoredKeys};
use crate::streams;

// Headers of an invocation. `WITHIN` carries the gRPC timeout, and `DEVICE` the name of the signing device.
const PATH: &str = "flagfall-path";
const WITHIN: &str = "flagfall-within";
const SIGNATURE: &str = "flagfall-signature";
const DEVICE: &str = "flagfall-device";

/// Returns the handler of all commands. `build.rs` repeats their names for the permissions.
pub(crate) fn handler() -> impl Fn(tauri::ipc::Invoke<Wry>) -> bool + Send + Sync + 'static {
    tauri::generate_handler![
        hub_unary,
        hub_stream,
        hub_cancel,
        hub_session,
        keys_read,
        key_create,
        key_sign,
        key_enrol,
        key_forget,
        follow_links,
        keep_awake
    ]
}

/// Makes a unary call. The invocation's body is the request frame; its headers carry the path, timeout and signature.
#[tauri::command]
async fn hub_unary(request: Request<'_>, shell: State<'_, Shell>) -> Result<Response, ShellError> {
    let path = header(&request, PATH).ok_or(ShellError::Request("no path"))?;
    let (within, signature) = (header(&request, WITHIN), header(&request, SIGNATURE));
    let call = Call::new(path, bytes(request.body())?, within, signature)?;
    match shell.unary(&call).await {
        Ok(answer) => Ok(Response::new(ipc::whole(&answer))),
        Err(error) => not_enrolled(error),
    }
}

/// Makes a streaming call: returns the response head, and sends the body through the channel.
#[tauri::command]
async fn hub_stream(
    path: String,
    frame: Vec<u8>,
    within: Option<String>,
    id: u32,
    pieces: Channel<InvokeResponseBody>,
    shell: State<'_, Shell>,
) -> Result<Response, ShellError> {
    let call = Call::new(&path, frame, within.as_deref(), None)?;
    let mut unwanted = shell.streams().begin(id);
    let answer = tokio::select! {
        answer = shell.stream(&call) => answer,
        () = unwanted.wait() => Err(ShellError::Request("the stream was cancelled")),
    };
    let answer = match answer {
        Ok(answer) => answer,
        Err(error) => {
            shell.streams().end(id);
            return not_enrolled(error);
        }
    };
    let (head, body) = answer.into_parts();
    let head = Head::new(head.status.as_u16(), &head.headers);
    // This task ends early when the stream's number leaves the list: the page cancels the stream, or a new page loads.
    tokio::spawn(streams::carry(body, unwanted, move |piece| {
        pieces.send(InvokeResponseBody::Raw(ipc::piece(piece)))
    }));
    Ok(Response::new(ipc::envelope(&head, &[])))
}

#[tauri::command]
fn hub_cancel(id: u32, shell: State<'_, Shell>) {
    shell.streams().end(id);
}

#[tauri::command]
async fn hub_session(
    path: String,
    body: Option<String>,
    code: Option<String>,
    shell: State<'_, Shell>,
) -> Result<Response, ShellError> {
    let request = SessionRequest::new(&path, body.as_deref())?;
    let code = code.map(|code| code.parse::<EnrolmentCode>()).transpose()?;
    match shell.session(&request, code.as_ref()).await {
        Ok(answer) => Ok(Response::new(ipc::whole(&answer))),
        // No request reached the hub that issued the code: report this to the page as an HTTP status.
        Err(error @ ShellError::OtherHub { .. }) if code.is_some() => {
            Ok(own_answer(StatusCode::MISDIRECTED_REQUEST, &error))
        }
        Err(error) => not_enrolled(error),
    }
}

#[tauri::command]
async fn keys_read(shell: State<'_, Shell>) -> Result<StoredKeys, ShellError> {
    shell.stored_keys().await
}

#[tauri::command]
async fn key_create(code: String, shell: State<'_, Shell>) -> Result<KeyOfCode, ShellError> {
    shell.key_of(&code.parse()?).await
}

/// Signs a command with the enrolled key. The invocation's body is the message.
#[tauri::command]
async fn key_sign(request: Request<'_>, shell: State<'_, Shell>) -> Result<String, ShellError> {
    let device = header(&request, DEVICE).ok_or(ShellError::Request("no device"))?;
    shell.sign(device, &bytes(request.body())?).await
}

#[tauri::command]
async fn key_enrol(device: String, shell: State<'_, Shell>) -> Result<(), ShellError> {
    shell.enrol(&device).await
}

#[tauri::command]
async fn key_forget(device: String, shell: State<'_, Shell>) -> Result<(), ShellError> {
    shell.forget(&device).await
}

#[tauri::command]
fn follow_links(links: Channel<Link>, queue: State<'_, Links>) {
    queue.follow(links);
}

#[tauri::command]
async fn keep_awake(on: bool, awake: State<'_, Awake>) -> Result<bool, ShellError> {
    Ok(awake.keep(on).await)
}

/// Converts "not enrolled" to an HTTP 401, because the page handles it like the hub's own 401.
fn not_enrolled(error: ShellError) -> Result<Response, ShellError> {
    if let ShellError::NotEnrolled(_) = &error {
        return Ok(own_answer(StatusCode::UNAUTHORIZED, &error));
    }
    Err(error)
}

fn own_answer(status: StatusCode, error: &ShellError) -> Response {
    let text = error.to_string();
    Response::new(ipc::envelope(&Head::own(status), text.as_bytes()))
}

fn header<'r>(request: &'r Request<'_>, name: &str) -> Option<&'r str> {
    request.headers().get(name)?.to_str().ok()
}

/// Returns the invocation's body as bytes; on Android they arrive as a list of numbers.
fn bytes(body: &InvokeBody) -> Result<Vec<u8>, ShellError> {
    match body {
        InvokeBody::Raw(bytes) => Ok(bytes.clone()),
        InvokeBody::Json(json) => serde_json::from_value(json.clone())
            .map_err(|_| ShellError::Request("the message is not a list of bytes")),
    }
}

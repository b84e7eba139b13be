//! The commands that the page may call, each allowed by name in `capabilities/main.json`. Translates between the page and `Shell`.

use tauri::ipc::{Channel, InvokeBody, InvokeResponseBody, Request, Response};
use tauri::{State, Wry};

use crate::awake::Awake;
use crate::error::ShellError;
use crate::hub_client::{Call, Member};
use crate::ipc::{self, Head};
use crate::links::{Link, Links};
use crate::shell::Shell;
use crate::streams;

/// The header of an invocation that names the path of the call.
const PATH: &str = "flagfall-path";
/// The header of an invocation with gRPC's time limit.
const WITHIN: &str = "flagfall-within";

/// Returns the handler of every command; `build.rs` repeats the names for the permissions.
pub(crate) fn handler() -> impl Fn(tauri::ipc::Invoke<Wry>) -> bool + Send + Sync + 'static {
    tauri::generate_handler![
        hub_unary,
        hub_stream,
        hub_cancel,
        hub_session,
        hub_enrol,
        follow_links,
        keep_awake
    ]
}

/// Makes a call with one answer. The body of the invocation is the request's frame; its headers have the rest.
#[tauri::command]
async fn hub_unary(request: Request<'_>, shell: State<'_, Shell>) -> Result<Response, ShellError> {
    let header = |name: &str| request.headers().get(name)?.to_str().ok();
    let path = header(PATH).ok_or(ShellError::Request("no path"))?;
    let call = Call::new(path, frame(request.body())?, header(WITHIN))?;
    match shell.unary(&call).await {
        Ok(answer) => Ok(Response::new(ipc::whole(&answer))),
        Err(error) => not_enrolled(error),
    }
}

/// Makes a call answered by a stream: returns the head, and sends the body through the channel.
#[tauri::command]
async fn hub_stream(
    path: String,
    frame: Vec<u8>,
    within: Option<String>,
    id: u32,
    pieces: Channel<InvokeResponseBody>,
    shell: State<'_, Shell>,
) -> Result<Response, ShellError> {
    let call = Call::new(&path, frame, within.as_deref())?;
    let mut unwanted = shell.streams().begin(id);
    let answer = tokio::select! {
        answer = shell.stream(&call) => answer,
        () = unwanted.wait() => Err(ShellError::Request("a cancelled stream")),
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
    // The page or its successor ends it, which removes its number from the list.
    tokio::spawn(streams::carry(body, unwanted, move |piece| {
        pieces.send(InvokeResponseBody::Raw(ipc::piece(piece)))
    }));
    Ok(Response::new(ipc::envelope(&head, &[])))
}

/// Ends a stream.
#[tauri::command]
fn hub_cancel(id: u32, shell: State<'_, Shell>) {
    shell.streams().end(id);
}

/// Returns the hub's answer about this device's session.
#[tauri::command]
async fn hub_session(shell: State<'_, Shell>) -> Result<Response, ShellError> {
    match shell.session().await {
        Ok(answer) => Ok(Response::new(ipc::whole(&answer))),
        Err(error) => not_enrolled(error),
    }
}

/// Enrols this device.
#[tauri::command]
async fn hub_enrol(
    code: String,
    name: String,
    shell: State<'_, Shell>,
) -> Result<Member, ShellError> {
    shell.enrol(&code, &name).await
}

/// Sends links that the system opens to this page.
#[tauri::command]
fn follow_links(links: Channel<Link>, way: State<'_, Links>) {
    way.follow(links);
}

/// Keeps the screen on, or stops doing so. Returns true if this system allows that.
#[tauri::command]
async fn keep_awake(on: bool, awake: State<'_, Awake>) -> Result<bool, ShellError> {
    Ok(awake.keep(on).await)
}

/// Converts "not enrolled" to an answer, because the page handles it as one.
fn not_enrolled(error: ShellError) -> Result<Response, ShellError> {
    if let ShellError::NotEnrolled(why) = &error {
        let answer = ipc::envelope(&Head::not_enrolled(why), why.text.as_bytes());
        return Ok(Response::new(answer));
    }
    Err(error)
}

/// Returns the bytes of a body; on Android they arrive as a list of numbers.
fn frame(body: &InvokeBody) -> Result<Vec<u8>, ShellError> {
    match body {
        InvokeBody::Raw(bytes) => Ok(bytes.clone()),
        InvokeBody::Json(json) => serde_json::from_value(json.clone())
            .map_err(|_| ShellError::Request("a message that is no bytes")),
    }
}

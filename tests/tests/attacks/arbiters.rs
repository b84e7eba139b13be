//! Calls of the arbiters' services with wrong credentials: none, foreign, expired, self-signed, stolen, guessed, revoked, or of too low a role. Also
//! calls that do not exist, and calls with GET.

use anyhow::{Context as _, ensure};
use hub::identity::Role;
use proto::grpc::{
    DecideHeldRequest, HeldDecision, ListDevicesRequest, ListHeldRequest, RevokeDeviceRequest,
};
use tests::attack::{
    Attack, Badge, Browser, Hall, Holder, badge, expired_arbiter, foreign_authority, head, tls,
};

use super::{Run, attacks};

pub(crate) const ARBITERS: &[Attack<Run>] = attacks![
    "every call without a certificate", "the address", "denied" => without_certificate;
    "every call with a clock's certificate", "a stolen clock", "denied" => as_clock;
    "every call as a chief of another hub", "another hub's authority", "denied" => foreign_chief;
    "every call with an expired key file", "an old key file", "denied" => expired_chief;
    "every call with a self-signed certificate", "the chief's name", "denied" => self_signed_chief;
    "every call with a viewer's key file", "a viewer's key file", "only a viewer's calls" => viewer_badge;
    "every call with a floor arbiter's key file", "a floor arbiter's key file", "none of the chief's" => floor_badge;
    "every call in a viewer's session", "a viewer's tablet", "only a viewer's calls" => viewer_session;
    "every call in a floor arbiter's session", "a floor arbiter's tablet", "none of the chief's" => floor_session;
    "every call with a broadcaster's key file", "a broadcaster's key file", "only its calls" => broadcaster_badge;
    "every call in a broadcaster's session", "a broadcaster's tablet", "only its calls" => broadcaster_session;
    "every call with an auditor's key file", "an auditor's key file", "only calls that read" => auditor_badge;
    "every call in an auditor's session", "an auditor's tablet", "only calls that read" => auditor_session;
    "every change in a stolen session", "the chief's cookie without the key", "denied" => stolen_cookie;
    "every call with a guessed cookie", "the address", "denied" => guessed_cookie;
    "every call of a revoked device", "a revoked tablet", "denied" => revoked_session;
    "calls that do not exist", "the chief's key file", "denied" => unknown_calls;
    "calls with GET", "a viewer's tablet", "denied" => calls_with_get;
];

type Done = anyhow::Result<()>;

pub(super) const PERMISSION_DENIED: u16 = 7;
pub(super) const UNAUTHENTICATED: u16 = 16;

const VIEWERS: [&str; 9] = [
    "Arbiter/GetHall",
    "Arbiter/Watch",
    "Arbiter/GetPresses",
    "Arbiter/GetFloor",
    "Arbiter/WatchFloor",
    "Tournament/GetTournament",
    "Tournament/GetStandings",
    "Tournament/GetCrossTable",
    "Tournament/WatchTournament",
];
/// Calls that a floor arbiter may make but a viewer may not; [`floors`] adds one more.
const FLOORS: [&str; 25] = [
    "Arbiter/GetProceedings",
    "Arbiter/ListHeld",
    "Arbiter/WatchHeld",
    "Arbiter/DecideHeld",
    "Arbiter/ListCommands",
    "Arbiter/Send",
    "Arbiter/GetCommand",
    "Arbiter/ListAgents",
    "Arbiter/GetBroadcast",
    "Arbiter/ReadLog",
    "Arbiter/Acknowledge",
    "Arbiter/AcknowledgeNotes",
    "Tournament/Apply",
    "Tournament/ListEvents",
    "Archive/ListGames",
    "Archive/GetGame",
    "Archive/ReadGame",
    "Archive/GetCheckpoint",
    "Archive/GetProof",
    "Tournament/Export",
    "Tournament/ListNews",
    "Tournament/PresetRound",
    "Tournament/StartRound",
    "Tournament/CheckRatingReport",
    "Tournament/SearchFideList",
];

/// Calls that a broadcaster may make. `Export` is not in the list: an empty export request asks for a report, which a broadcaster may not have.
const BROADCASTERS: [&str; 7] = [
    "Arbiter/GetHall",
    "Arbiter/Watch",
    "Arbiter/GetPresses",
    "Tournament/GetTournament",
    "Tournament/GetStandings",
    "Tournament/GetCrossTable",
    "Tournament/WatchTournament",
];

enum Credential<'a> {
    Badge(Option<&'a Badge>),
    /// A session's cookie, and the device's key to sign each call.
    Signed(&'a Browser),
    /// A session's cookie without the device's key, and the text to send as the signature.
    Cookie(&'a str, &'a str),
}

fn calls() -> Vec<String> {
    let schemas = [
        ("Arbiter", include_str!("../../../proto/api/arbiter.proto")),
        ("Archive", include_str!("../../../proto/api/archive.proto")),
        (
            "Tournament",
            include_str!("../../../proto/api/tournament.proto"),
        ),
    ];
    let mut calls = Vec::new();
    for (service, schema) in schemas {
        let lines = schema.lines().filter_map(|line| {
            let call = line.trim().strip_prefix("rpc ")?;
            call.split('(').next()
        });
        calls.extend(lines.map(|call| format!("{service}/{call}")));
    }
    calls
}

/// Makes a call with an empty message and reads only the response headers. Returns the gRPC status code, or else the HTTP status (0 in place of 200).
/// Returns `UNAUTHENTICATED` if the hub refuses the connection.
async fn begun(hall: &Hall, credential: &Credential<'_>, call: &str) -> anyhow::Result<u16> {
    let path = format!("/flagfall.api.v1.{call}");
    let port = hall.at.listen.port();
    let mut lines = format!(
        "POST {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\norigin: https://127.0.0.1:{port}\r\n\
         content-type: application/grpc-web+proto\r\nx-grpc-web: 1\r\ncontent-length: 5\r\n"
    );
    let stream = match credential {
        Credential::Badge(badge) => match tls(hall.at.listen, *badge).await {
            Ok(stream) => stream,
            Err(_) => return Ok(UNAUTHENTICATED),
        },
        Credential::Signed(browser) => {
            let signature = browser.signature(&path, &[])?;
            lines += &format!("cookie: {}\r\n", browser.cookie);
            lines += &format!("flagfall-signature: {signature}\r\n");
            tls(hall.at.listen, None).await?
        }
        Credential::Cookie(cookie, signature) => {
            lines += &format!("cookie: {cookie}\r\nflagfall-signature: {signature}\r\n");
            tls(hall.at.listen, None).await?
        }
    };
    let bytes = [lines.as_bytes(), b"\r\n", &[0; 5]].concat();
    let answer = head(stream, &bytes).await?;
    if answer.status == 0 {
        // In TLS 1.3, the client's handshake ends before the hub checks the client's certificate. Closing the connection without a response is a
        // refusal.
        return Ok(UNAUTHENTICATED);
    }
    let code = answer.header("grpc-status");
    Ok(match code {
        Some(code) => code.parse()?,
        None if answer.status == 200 => 0,
        None => answer.status,
    })
}

/// Makes every call with this credential. The hub must deny exactly those that are not in `may`.
async fn walk(hall: &Hall, credential: Credential<'_>, may: &[&str]) -> Done {
    let mut wrong = Vec::new();
    for call in calls() {
        let code = begun(hall, &credential, &call).await?;
        let denied = matches!(code, PERMISSION_DENIED | UNAUTHENTICATED);
        if denied == may.contains(&call.as_str()) {
            wrong.push(format!("{call}: {code}"));
        }
    }
    ensure!(wrong.is_empty(), "{wrong:?}");
    Ok(())
}

async fn without_certificate(hall: &mut Hall) -> Done {
    walk(hall, Credential::Badge(None), &[]).await
}

async fn as_clock(hall: &mut Hall) -> Done {
    let clock = badge(&hall.stolen_clock().await?)?;
    walk(hall, Credential::Badge(Some(&clock)), &[]).await
}

async fn foreign_chief(hall: &mut Hall) -> Done {
    let (_, chief) = foreign_authority()?;
    walk(hall, Credential::Badge(Some(&chief)), &[]).await
}

async fn expired_chief(hall: &mut Hall) -> Done {
    let chief = expired_arbiter(&hall.authority_pem()?)?;
    walk(hall, Credential::Badge(Some(&chief)), &[]).await
}

async fn self_signed_chief(hall: &mut Hall) -> Done {
    let chief = Holder::Chief.self_signed()?;
    walk(hall, Credential::Badge(Some(&chief)), &[]).await
}

async fn viewer_badge(hall: &mut Hall) -> Done {
    let viewer = hall.arbiter_badge(Role::Viewer, "Eve")?;
    walk(hall, Credential::Badge(Some(&viewer)), &VIEWERS).await
}

fn floors() -> Vec<&'static str> {
    let all = VIEWERS.iter().chain(&FLOORS).copied();
    all.chain(["Tournament/GetFideListStatus"]).collect()
}

async fn floor_badge(hall: &mut Hall) -> Done {
    let floor = hall.arbiter_badge(Role::Floor, "Eve")?;
    walk(hall, Credential::Badge(Some(&floor)), &floors()).await
}

async fn viewer_session(hall: &mut Hall) -> Done {
    let viewer = hall.browser(Role::Viewer, "Eve").await?;
    walk(hall, Credential::Signed(&viewer), &VIEWERS).await
}

async fn floor_session(hall: &mut Hall) -> Done {
    let floor = hall.browser(Role::Floor, "Eve").await?;
    walk(hall, Credential::Signed(&floor), &floors()).await
}

async fn broadcaster_badge(hall: &mut Hall) -> Done {
    let stream = hall.arbiter_badge(Role::Broadcaster, "Stream")?;
    walk(hall, Credential::Badge(Some(&stream)), &BROADCASTERS).await
}

async fn broadcaster_session(hall: &mut Hall) -> Done {
    let stream = hall.browser(Role::Broadcaster, "Stream").await?;
    walk(hall, Credential::Signed(&stream), &BROADCASTERS).await
}

/// Returns the calls that an auditor may make: all read-only calls, except the one that shows valid codes and those that propose changes.
fn auditors() -> Vec<&'static str> {
    const CHIEFS: [&str; 3] = [
        "Arbiter/WatchEnrolment",
        "Tournament/ProposePairings",
        "Tournament/ProposeNumbers",
    ];
    let all = VIEWERS.iter().chain(&READS).copied();
    all.filter(|call| !CHIEFS.contains(call)).collect()
}

async fn auditor_badge(hall: &mut Hall) -> Done {
    let auditor = hall.arbiter_badge(Role::Auditor, "Rita")?;
    walk(hall, Credential::Badge(Some(&auditor)), &auditors()).await
}

async fn auditor_session(hall: &mut Hall) -> Done {
    let auditor = hall.browser(Role::Auditor, "Rita").await?;
    walk(hall, Credential::Signed(&auditor), &auditors()).await
}

/// Makes each changing call with the cookie but without the device's key: the hub must deny it. Reading needs no signature.
async fn stolen_cookie(hall: &mut Hall) -> Done {
    let chief = hall.browser(Role::Chief, "Anna Berg").await?;
    for call in calls() {
        let changes = !VIEWERS.contains(&call.as_str()) && !READS.contains(&call.as_str());
        if changes {
            let code = begun(hall, &Credential::Cookie(&chief.cookie, "AAAA"), &call).await?;
            ensure!(code == UNAUTHENTICATED, "{call}: {code}");
        }
    }
    Ok(())
}

const READS: [&str; 24] = [
    "Arbiter/GetProceedings",
    "Arbiter/ListHeld",
    "Arbiter/WatchHeld",
    "Arbiter/ListCommands",
    "Arbiter/GetCommand",
    "Arbiter/ListAgents",
    "Arbiter/ReadLog",
    "Arbiter/ListDevices",
    "Arbiter/GetBroadcast",
    "Arbiter/WatchEnrolment",
    "Archive/ListGames",
    "Archive/GetGame",
    "Archive/ReadGame",
    "Archive/GetCheckpoint",
    "Archive/GetProof",
    "Archive/Export",
    "Tournament/ListEvents",
    "Tournament/Export",
    "Tournament/ListNews",
    "Tournament/ProposePairings",
    "Tournament/ProposeNumbers",
    "Tournament/CheckRatingReport",
    "Tournament/SearchFideList",
    "Tournament/GetFideListStatus",
];

async fn guessed_cookie(hall: &mut Hall) -> Done {
    let known = hall.browser(Role::Viewer, "Eve").await?;
    let (name, _) = known.cookie.split_once('=').context("a cookie")?;
    for guess in ["", "x", &"A".repeat(43), &"A".repeat(8_000)] {
        let cookie = format!("{name}={guess}");
        let code = begun(hall, &Credential::Cookie(&cookie, ""), "Arbiter/GetHall").await?;
        ensure!(code == UNAUTHENTICATED, "{guess:?}: {code}");
    }
    let cookie = format!("{name}=guessed");
    walk(hall, Credential::Cookie(&cookie, "AAAA"), &[]).await
}

async fn revoke(hall: &mut Hall, name: &str) -> Done {
    let client = hall.arbiter.client();
    let devices = client.list_devices(ListDevicesRequest {}).await?;
    let devices = devices.into_inner().devices;
    let device = devices.iter().find(|device| device.name == name);
    let request = RevokeDeviceRequest {
        device: device.context("no such device")?.device.clone(),
        reason: "stolen".to_owned(),
    };
    match client.revoke_device(request).await {
        Ok(_) => return Ok(()),
        Err(waits) if waits.code() == tonic::Code::FailedPrecondition => (),
        Err(status) => return Err(status.into()),
    }
    // With other arbiters enrolled, the revocation waits for one of them to confirm it.
    let held = client.list_held(ListHeldRequest {}).await?.into_inner();
    let held = held.commands.into_iter().find(|held| held.name == name);
    let second = hall.browser(Role::Floor, "Second Arbiter").await?;
    let decision = DecideHeldRequest {
        id: held.context("the revocation does not wait")?.id,
        decision: HeldDecision::Confirm.into(),
    };
    let path = "/flagfall.api.v1.Arbiter/DecideHeld";
    let confirmed = second.call(path, &decision).await?;
    ensure!(confirmed.code == 0, "{}", confirmed.said);
    Ok(())
}

async fn revoked_session(hall: &mut Hall) -> Done {
    let stolen = hall.browser(Role::Chief, "Stolen Tablet").await?;
    revoke(hall, "Stolen Tablet").await?;
    walk(hall, Credential::Signed(&stolen), &[]).await
}

async fn unknown_calls(hall: &mut Hall) -> Done {
    let chief = hall.arbiter_badge(Role::Chief, "Ann")?;
    for call in [
        "Arbiter/",
        "Arbiter/DropLog",
        "Arbiter/GetHall/",
        "arbiter/GetHall",
        "Arbiter/../Arbiter/GetHall",
        "Tournament/GetHall",
    ] {
        let code = begun(hall, &Credential::Badge(Some(&chief)), call).await?;
        ensure!(code != 0 && code != 200, "{call}: {code}");
    }
    Ok(())
}

async fn calls_with_get(hall: &mut Hall) -> Done {
    let viewer = hall.browser(Role::Viewer, "Eve").await?;
    for call in ["Arbiter/GetHall", "Arbiter/Send", "Tournament/Apply"] {
        let path = format!("/flagfall.api.v1.{call}");
        let answer = viewer.ask("GET", &path, &[], &[]).await?;
        let status = answer.header("grpc-status");
        ensure!(
            answer.status != 200 || status.is_some_and(|code| code != "0"),
            "{}",
            answer.head
        );
    }
    Ok(())
}

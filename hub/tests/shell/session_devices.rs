//! The chief arbiter's management of devices: codes for colleagues, the list, and revocation.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hub::identity::Role;
use hub::sessions::ArbiterCode;
use prost::Message as _;
use proto::grpc::{
    ArbiterCode as WireCode, CreateArbiterCodeRequest, Device, GetHallRequest, ListDevicesReply,
    ListDevicesRequest, RevokeDeviceRequest, WatchRequest,
};
use proto::refusal::{Refusal, RefusalCode};
use serde_json::Value;
use tokio::io::AsyncReadExt;

use crate::browser::Browser;
use crate::hall::{TestHub, ctl, within};
use crate::program::{expect, flagfall};
use crate::session::UNAUTHENTICATED;

async fn revoke(chief: &Browser, device: &str) -> crate::browser::Called {
    let request = RevokeDeviceRequest {
        device: device.to_owned(),
        reason: "lost in the hall".to_owned(),
    };
    chief.call("Arbiter/RevokeDevice", &request).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_revoked_device_loses_access_immediately_and_permanently() {
    let hub = TestHub::start().await;
    let chief = Browser::enrolled(&hub, Role::Chief, "Anna Berg").await;
    let mut lost = Browser::enrolled(&hub, Role::Floor, "Per Lind").await;
    let mut stream = lost.stream("Arbiter/Watch", &WatchRequest::default()).await;
    let mut begin = [0; 12];
    within(stream.read_exact(&mut begin), "the stream")
        .await
        .unwrap();
    assert_eq!(&begin, b"HTTP/1.1 200");

    let device = lost.who["device"].as_str().unwrap();
    let answer = revoke(&chief, device).await;
    assert_eq!(answer.code, 0, "{}", answer.said);
    let revoked = Device::decode(&answer.message[..]).unwrap();
    assert_eq!(
        (revoked.name.as_str(), revoked.revoked_by.as_str()),
        ("Per Lind", "Anna Berg")
    );
    let mut rest = Vec::new();
    // Errors are ignored: the connection may end without a TLS close.
    let _ = within(stream.read_to_end(&mut rest), "the end of the stream").await;
    let rest = String::from_utf8_lossy(&rest).to_lowercase();
    assert!(
        rest.contains("grpc-status:16") || rest.contains("grpc-status: 16"),
        "{rest}"
    );

    assert_eq!(lost.get("/session").await.status, 401);
    let looked = lost.call("Arbiter/GetHall", &GetHallRequest {}).await;
    assert_eq!(looked.code, UNAUTHENTICATED);
    assert_told_why(&lost.renew().await, &revoked);
    assert_eq!(chief.get("/session").await.status, 200);
    let hub = hub.restart().await;
    lost.moves_to(&hub);
    assert_told_why(&lost.renew().await, &revoked);
}

/// Checks that the refusal gives the author and reason of the revocation as text, and its author, reason and time as separate fields.
#[track_caller]
fn assert_told_why(answer: &crate::browser::Answer, revoked: &Device) {
    assert_eq!(answer.status, 401);
    assert_eq!(answer.header("flagfall-refusal"), Some("210"));
    let details = answer.header("flagfall-refusal-bin").unwrap();
    let why = Refusal::decode(&STANDARD.decode(details).unwrap()[..]).unwrap();
    assert_eq!(why.code(), RefusalCode::DeviceRevoked);
    assert_eq!(
        (why.name.as_str(), why.reason.as_str(), why.at_us),
        ("Anna Berg", "lost in the hall", revoked.revoked_us)
    );
    let text = answer.text();
    assert!(
        text.contains("Anna Berg") && text.contains("lost in the hall"),
        "{text}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_the_holder_of_the_key_is_told_why_a_device_is_shut_out() {
    let hub = TestHub::start().await;
    let chief = Browser::enrolled(&hub, Role::Chief, "Anna Berg").await;
    let lost = Browser::enrolled(&hub, Role::Floor, "Per Lind").await;
    let other = Browser::enrolled(&hub, Role::Floor, "Eva Holm").await;
    let device = lost.who["device"].as_str().unwrap();
    assert_eq!(revoke(&chief, device).await.code, 0);
    let challenge = lost.get("/session/challenge").await.json();
    let challenge = challenge["challenge"].as_str().unwrap();
    // A forged renewal names the revoked device, but is signed with a different device's key.
    let mut forged = other.renewal(challenge);
    forged["device"] = lost.who["device"].clone();
    let stranger = lost.post("/session/renew", &forged).await;
    assert_eq!(stranger.status, 401);
    assert_eq!(stranger.header("flagfall-refusal"), Some("0"));
    let text = stranger.text();
    assert!(!text.contains("Anna Berg"), "{text}");
    // An invalid proof does not use up the challenge; a valid one does.
    let proof = lost.renewal(challenge);
    let told = lost.post("/session/renew", &proof).await;
    assert_eq!(told.header("flagfall-refusal"), Some("210"));
    let again = lost.post("/session/renew", &proof).await;
    assert_eq!(again.header("flagfall-refusal"), Some("0"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reason_must_be_printable_and_short() {
    let hub = TestHub::start().await;
    let chief = Browser::enrolled(&hub, Role::Chief, "Anna Berg").await;
    let other = Browser::enrolled(&hub, Role::Floor, "Per Lind").await;
    for reason in ["a\u{7}", &"x".repeat(301)] {
        let request = RevokeDeviceRequest {
            device: other.who["device"].as_str().unwrap().to_owned(),
            reason: reason.to_owned(),
        };
        let refused = chief.call("Arbiter/RevokeDevice", &request).await;
        assert_eq!(refused.code, 3, "{reason:?}: {}", refused.said);
    }
    assert_eq!(other.get("/session").await.status, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_chief_makes_codes_and_sees_the_devices() {
    let hub = TestHub::start().await;
    let chief = Browser::enrolled(&hub, Role::Chief, "Anna Berg").await;
    for (name, role) in [
        ("Per Lind", "admiral"),
        ("", "floor"),
        ("a\u{7}", "floor"),
        ("Per\u{202e} Lind", "floor"),
        ("Per Lind\u{200f}", "floor"),
        ("Per\u{2067} Lind", "floor"),
    ] {
        let request = CreateArbiterCodeRequest {
            name: name.to_owned(),
            role: role.to_owned(),
            ..CreateArbiterCodeRequest::default()
        };
        let refused = chief.call("Arbiter/CreateArbiterCode", &request).await;
        assert_eq!(refused.code, 3, "{name:?} {role}: {}", refused.said);
    }
    let request = CreateArbiterCodeRequest {
        name: "Per Lind".to_owned(),
        role: "floor".to_owned(),
        ..CreateArbiterCodeRequest::default()
    };
    let made = chief.call("Arbiter/CreateArbiterCode", &request).await;
    assert_eq!(made.code, 0, "{}", made.said);
    let made = WireCode::decode(&made.message[..]).unwrap();
    assert!(
        made.browser_address.starts_with("https://"),
        "{}",
        made.browser_address
    );
    assert_eq!(
        made.uri.split_once('#').unwrap().1,
        made.browser_address.split_once('#').unwrap().1
    );
    let code = ArbiterCode(made.uri.parse().unwrap());
    assert_eq!(code.browser_address(), made.browser_address);
    let mut colleague = Browser::new(&hub);
    assert_eq!(colleague.enrol(&code).await.status, 200);
    assert_eq!(colleague.who["name"], "Per Lind");

    let listed = chief
        .call("Arbiter/ListDevices", &ListDevicesRequest {})
        .await;
    let listed = ListDevicesReply::decode(&listed.message[..])
        .unwrap()
        .devices;
    let names: Vec<_> = listed.iter().map(|device| device.name.as_str()).collect();
    assert_eq!(names, ["Anna Berg", "Per Lind", "chief"]);
    assert_eq!(listed[2].label, "key file");
    assert_eq!(listed[1].enrolled_by, "Anna Berg");
    assert_eq!(listed[1].label, "a tablet");
    assert!(listed[1].signed_in && listed[1].revoked_us.is_none());
    for (device, code) in [("d-ffffffffffffffff", 5), ("", 5), ("d-", 3)] {
        assert_eq!(revoke(&chief, device).await.code, code, "{device:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_command_line_lets_an_arbiter_in_and_out() {
    let hub = TestHub::start().await;
    let listen = hub.server.addresses().listen.to_string();
    let dir = hub.dir.path().to_str().unwrap().to_owned();
    let enrol = tokio::task::spawn_blocking(move || {
        let hub = ["enrol", "--hub", &listen, "--data-dir", &dir];
        let who = ["--arbiter", "Anna Berg", "--role", "floor", "--json"];
        flagfall(&[&hub[..], &who].concat())
    });
    let (out, _) = expect(&enrol.await.unwrap(), 0);
    let made: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (&made["name"], &made["role"]),
        (&"Anna Berg".into(), &"floor".into())
    );
    let code = ArbiterCode(made["uri"].as_str().unwrap().parse().unwrap());
    assert_eq!(made["browser_address"], code.browser_address());
    let mut browser = Browser::new(&hub);
    assert_eq!(browser.enrol(&code).await.status, 200);
    let device = browser.who["device"].as_str().unwrap().to_owned();

    let (out, _) = expect(&ctl(&hub, &["devices"]).await, 0);
    assert!(
        out.contains(&device) && out.contains("Anna Berg") && out.contains("signed in"),
        "{out}"
    );
    let (out, _) = expect(&ctl(&hub, &["revoke", &device[..6]]).await, 0);
    assert!(out.contains("is revoked"), "{out}");
    assert_eq!(browser.get("/session").await.status, 401);
    let (out, _) = expect(&ctl(&hub, &["devices", "--json"]).await, 0);
    let listed: Vec<Value> = out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let of_browser = listed.iter().find(|one| one["device"] == device.as_str());
    assert_eq!(of_browser.unwrap()["revoked_by"], "chief");
    // The command line read this list with the chief arbiter's key file, so the list shows the file as signed in.
    let key_file = listed.iter().find(|one| one["role"] == "chief").unwrap();
    assert_eq!(
        (&key_file["label"], &key_file["signed_in"]),
        (&"key file".into(), &true.into())
    );
    expect(&flagfall(&["enrol", "--arbiter", "Anna Berg"]), 2);
}

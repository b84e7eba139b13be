//! Attempts to bypass the second arbiter: with a second device of the same person, from a different sector, and after the sender's access has
//! ended.

use hub::identity::{Arbiter, Credentials, Role, Sector};
use prost::Message;
use proto::grpc::command_request::Command;
use proto::grpc::{
    CommandRequest, DecideHeldRequest, HeldCommand, HeldDecision, HeldEffect, ListCommandsReply,
    ListCommandsRequest, ListDevicesReply, ListDevicesRequest, ListHeldRequest,
    RevokeDeviceRequest, SetTime,
};

use crate::arbiter::command;
use crate::browser::{Browser, Called};
use crate::hall::TestHub;

const OK: u16 = 0;
const INVALID_ARGUMENT: u16 = 3;
const NOT_FOUND: u16 = 5;
const PERMISSION_DENIED: u16 = 7;
const FAILED_PRECONDITION: u16 = 9;

/// Returns a command that shortens White's time so much that a second arbiter must confirm it.
fn great(hub: &TestHub, board: &str) -> CommandRequest {
    let set = Command::SetTime(SetTime {
        side: proto::Side::White.into(),
        to_us: 60_000_000,
    });
    command(board, hub.board(board).view.seq, set)
}

fn is_unchanged(hub: &TestHub, board: &str) -> bool {
    hub.board(board).view.white.us == 90 * 60_000_000
}

async fn send(hub: &TestHub, sender: &Browser, board: &str) -> (CommandRequest, Called) {
    let request = great(hub, board);
    let sent = sender.call("Arbiter/Send", &request).await;
    (request, sent)
}

#[track_caller]
fn assert_held((request, sent): (CommandRequest, Called)) -> Vec<u8> {
    assert_eq!(sent.code, FAILED_PRECONDITION, "{}", sent.said);
    assert!(sent.said.contains("second arbiter"), "{}", sent.said);
    request.id
}

async fn held(browser: &Browser) -> Vec<HeldCommand> {
    let listed = browser.call("Arbiter/ListHeld", &ListHeldRequest {}).await;
    let listed = proto::grpc::HeldCommands::decode(&listed.message[..]).unwrap();
    listed.commands
}

async fn decide(browser: &Browser, id: &[u8], decision: HeldDecision) -> Called {
    let request = DecideHeldRequest {
        id: id.to_vec(),
        decision: decision.into(),
    };
    browser.call("Arbiter/DecideHeld", &request).await
}

async fn revoke(browser: &Browser, device: &str) -> Called {
    let request = RevokeDeviceRequest {
        device: device.to_owned(),
        reason: "stolen".to_owned(),
    };
    browser.call("Arbiter/RevokeDevice", &request).await
}

fn device(browser: &Browser) -> String {
    browser.who["device"].as_str().unwrap().to_owned()
}

async fn floor_of(hub: &TestHub, name: &str, sector: &str) -> Browser {
    let sector: Sector = sector.parse().unwrap();
    let arbiter = Arbiter::new(Role::Floor, name).in_sector(sector).unwrap();
    let code = hub.server.sessions().code(arbiter, "test").unwrap();
    let mut browser = Browser::new(hub);
    assert_eq!(browser.enrol(&code).await.status, 200);
    browser
}

/// Returns a browser with a recorded key file that expires in 2098, and the key file's id.
fn with_key_file(hub: &TestHub, role: Role, name: &str) -> (Browser, String) {
    let arbiter = Arbiter::new(role, name);
    let end = Some(jiff::civil::date(2098, 1, 1));
    let authority = hub.server.identity().authority();
    let made = Credentials::issue_until(authority, &arbiter, end).unwrap();
    let (certificate, dir) = (made.certificate(), hub.dir.path());
    let recorded = hub::identity::record_key_file(dir, certificate, &arbiter, 1, "test").unwrap();
    (
        Browser::with_key_file(hub, &made),
        recorded.id.as_str().to_owned(),
    )
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_device_of_the_sender_is_no_second_arbiter() {
    let hub = TestHub::start().await;
    hub.add_board("1", "90m").await;
    hub.add_board("2", "90m").await;
    let tablet = Browser::enrolled(&hub, Role::Chief, "Anna Berg").await;
    let phone = Browser::enrolled(&hub, Role::Chief, "anna  BERG").await;
    let (laptop, _) = with_key_file(&hub, Role::Chief, "Anna Berg");
    // Two devices and a key file of one person count as one arbiter.
    let (_, alone) = send(&hub, &tablet, "2").await;
    assert_eq!(alone.code, OK, "{}", alone.said);
    let per = Browser::enrolled(&hub, Role::Floor, "Per Lind").await;
    let id = assert_held(send(&hub, &tablet, "1").await);
    for own in [&tablet, &phone, &laptop] {
        let denied = decide(own, &id, HeldDecision::Confirm).await;
        assert_eq!(denied.code, PERMISSION_DENIED, "{}", denied.said);
    }
    assert!(is_unchanged(&hub, "1"));
    let confirmed = decide(&per, &id, HeldDecision::Confirm).await;
    assert_eq!(confirmed.code, OK, "{}", confirmed.said);
    assert!(!is_unchanged(&hub, "1"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_arbiter_decides_about_boards_of_the_sector_only() {
    let hub = TestHub::start().await;
    for board in ["1", "3", "4"] {
        hub.add_board(board, "90m").await;
    }
    let anna = Browser::enrolled(&hub, Role::Chief, "Anna Berg").await;
    let per = floor_of(&hub, "Per Lind", "1-2").await;
    // The only other arbiter has a different sector and could not confirm the command, so it is carried out immediately.
    let (_, alone) = send(&hub, &anna, "4").await;
    assert_eq!(alone.code, OK, "{}", alone.said);
    let inside = assert_held(send(&hub, &anna, "1").await);
    let eva = Browser::enrolled(&hub, Role::Chief, "Eva Holm").await;
    let outside = assert_held(send(&hub, &anna, "3").await);
    let other = Browser::enrolled(&hub, Role::Chief, "Ivo Lang").await;
    let revoked = revoke(&anna, &device(&eva)).await;
    assert_eq!(revoked.code, FAILED_PRECONDITION, "{}", revoked.said);
    let newest = held(&other).await.pop().unwrap();
    assert_eq!(newest.effect(), HeldEffect::Device);
    let of_hall = newest.id;
    for id in [&outside, &of_hall] {
        for decision in [HeldDecision::Confirm, HeldDecision::Decline] {
            let denied = decide(&per, id, decision).await;
            assert_eq!(denied.code, PERMISSION_DENIED, "{}", denied.said);
            assert!(denied.said.contains("1-2"), "{}", denied.said);
        }
    }
    assert_eq!(held(&anna).await.len(), 3);
    let confirmed = decide(&per, &inside, HeldDecision::Confirm).await;
    assert_eq!(confirmed.code, OK, "{}", confirmed.said);
    assert!(!is_unchanged(&hub, "1"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_commands_of_a_revoked_sender_end() {
    let hub = TestHub::start().await;
    hub.add_board("1", "90m").await;
    hub.add_board("2", "90m").await;
    let anna = Browser::enrolled(&hub, Role::Chief, "Anna Berg").await;
    let per = Browser::enrolled(&hub, Role::Floor, "Per Lind").await;
    let stolen = Browser::enrolled(&hub, Role::Floor, "Kai Roth").await;
    // Kai Roth has two more ways to sign in: a second device and a key file.
    let phone = Browser::enrolled(&hub, Role::Floor, "Kai Roth").await;
    let (laptop, key_file) = with_key_file(&hub, Role::Floor, "Kai Roth");
    let first = assert_held(send(&hub, &stolen, "1").await);
    assert_eq!(revoke(&anna, &device(&stolen)).await.code, OK);
    assert!(held(&per).await.is_empty());
    let late = decide(&per, &first, HeldDecision::Confirm).await;
    assert_eq!(late.code, NOT_FOUND, "{}", late.said);
    let second = assert_held(send(&hub, &laptop, "1").await);
    let kept = assert_held(send(&hub, &anna, "2").await);
    assert_eq!(revoke(&anna, &key_file).await.code, OK);
    let late = decide(&per, &second, HeldDecision::Confirm).await;
    assert_eq!(late.code, NOT_FOUND, "{}", late.said);
    assert!(is_unchanged(&hub, "1"));
    // Commands from others stay held, and the same person may send new ones.
    let confirmed = decide(&phone, &kept, HeldDecision::Confirm).await;
    assert_eq!(confirmed.code, OK, "{}", confirmed.said);
    assert_held(send(&hub, &phone, "1").await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_command_is_not_confirmed_after_its_key_file_has_expired() {
    let hub = TestHub::start().await;
    hub.add_board("1", "90m").await;
    let mut anna = Browser::enrolled(&hub, Role::Chief, "Anna Berg").await;
    let per = Browser::enrolled(&hub, Role::Floor, "Per Lind").await;
    let (laptop, key_file) = with_key_file(&hub, Role::Floor, "Kai Roth");
    let id = assert_held(send(&hub, &laptop, "1").await);
    drop((laptop, per));
    let hub = hub
        .restart_after(|dir| {
            let path = dir.join("key-files").join(format!("{key_file}.json"));
            let record = std::fs::read_to_string(&path).unwrap();
            let mut record: serde_json::Value = serde_json::from_str(&record).unwrap();
            record["expires_us"] = 1_000_000.into();
            std::fs::write(&path, record.to_string()).unwrap();
        })
        .await;
    anna.moves_to(&hub);
    anna.renew().await;
    let late = decide(&anna, &id, HeldDecision::Confirm).await;
    assert_eq!(late.code, FAILED_PRECONDITION, "{}", late.said);
    assert!(late.said.contains("kai roth"), "{}", late.said);
    assert!(is_unchanged(&hub, "1"));
    let declined = decide(&anna, &id, HeldDecision::Decline).await;
    assert_eq!(declined.code, OK, "{}", declined.said);
    assert!(held(&anna).await.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_chief_arbiters_key_file_is_revoked_by_two() {
    let hub = TestHub::start().await;
    let anna = Browser::enrolled(&hub, Role::Chief, "Anna Berg").await;
    let per = Browser::enrolled(&hub, Role::Floor, "Per Lind").await;
    let (laptop, key_file) = with_key_file(&hub, Role::Chief, "Eva Holm");
    let forged = RevokeDeviceRequest {
        device: key_file.clone(),
        reason: "lost\nchief: all is well".to_owned(),
    };
    let refused = anna.call("Arbiter/RevokeDevice", &forged).await;
    assert_eq!(refused.code, INVALID_ARGUMENT, "{}", refused.said);
    assert!(held(&per).await.is_empty());
    let asked = revoke(&anna, &key_file).await;
    assert_eq!(asked.code, FAILED_PRECONDITION, "{}", asked.said);
    let id = held(&per).await[0].id.clone();
    let own = decide(&laptop, &id, HeldDecision::Decline).await;
    assert_eq!(own.code, PERMISSION_DENIED, "{}", own.said);
    let confirmed = decide(&per, &id, HeldDecision::Confirm).await;
    assert_eq!(confirmed.code, OK, "{}", confirmed.said);
    let listed = anna
        .call("Arbiter/ListDevices", &ListDevicesRequest {})
        .await;
    let listed = ListDevicesReply::decode(&listed.message[..]).unwrap();
    let mut listed = listed.devices.into_iter();
    let revoked = listed.find(|device| device.device == key_file).unwrap();
    assert_eq!(revoked.revoked_by, "Anna Berg and Per Lind");
    let all = ListCommandsRequest::default();
    let all = anna.call("Arbiter/ListCommands", &all).await;
    let all = ListCommandsReply::decode(&all.message[..]).unwrap();
    let said: Vec<_> = all.commands.iter().map(|one| one.text.as_str()).collect();
    assert!(said[0].contains("confirmed by Per Lind"), "{said:?}");
    assert!(said[1].contains("of Eva Holm by Anna Berg"), "{said:?}");
}

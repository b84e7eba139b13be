//! Sectors, confirmation by a second arbiter, a broadcaster's exports, and the audit view, over real connections.

use hub::identity::{Arbiter, Role};
use prost::Message;
use proto::grpc::command_request::Command;
use proto::grpc::{
    AcknowledgeRequest, AddTime, CallKind, CommandRequest, CreateEnrolmentCodeRequest,
    DecideHeldReply, DecideHeldRequest, ExportFormat, ExportRequest, GetCommandRequest,
    HeldCommands, HeldDecision, HeldEffect, ListCommandsReply, ListCommandsRequest,
    ListHeldRequest, Names, PresetRoundRequest, RevokeDeviceRequest, RoundScope, SetTime,
};

use crate::arbiter::{arbiter, command};
use crate::browser::{Browser, Called};
use crate::hall::TestHub;

const OK: u16 = 0;
const INVALID_ARGUMENT: u16 = 3;
const NOT_FOUND: u16 = 5;
const PERMISSION_DENIED: u16 = 7;
const FAILED_PRECONDITION: u16 = 9;

fn set_white(hub: &TestHub, board: &str, minutes: i64) -> CommandRequest {
    let set = Command::SetTime(SetTime {
        side: proto::Side::White.into(),
        to_us: minutes * 60_000_000,
    });
    command(board, hub.board(board).view.seq, set)
}

async fn held(browser: &Browser) -> HeldCommands {
    let listed = browser.call("Arbiter/ListHeld", &ListHeldRequest {}).await;
    assert_eq!(listed.code, OK, "{}", listed.said);
    HeldCommands::decode(&listed.message[..]).unwrap()
}

async fn decide(browser: &Browser, id: &[u8], decision: HeldDecision) -> Called {
    let request = DecideHeldRequest {
        id: id.to_vec(),
        decision: decision.into(),
    };
    browser.call("Arbiter/DecideHeld", &request).await
}

fn white(hub: &TestHub, board: &str) -> i64 {
    hub.board(board).view.white.us
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_large_correction_waits_for_a_second_arbiter() {
    let hub = TestHub::start().await;
    hub.add_board("1", "90m").await;
    let chief = Browser::enrolled(&hub, Role::Chief, "Anna Berg").await;
    // With only one arbiter, no second arbiter could confirm the command, so it is carried out.
    let alone = chief.call("Arbiter/Send", &set_white(&hub, "1", 10)).await;
    assert_eq!(
        (alone.code, white(&hub, "1")),
        (OK, 600_000_000),
        "{}",
        alone.said
    );
    let floor = Browser::enrolled(&hub, Role::Floor, "Per Lind").await;
    let small = chief.call("Arbiter/Send", &set_white(&hub, "1", 40)).await;
    assert_eq!(small.code, OK, "{}", small.said);

    let great = set_white(&hub, "1", 80);
    let waits = chief.call("Arbiter/Send", &great).await;
    assert_eq!(waits.code, FAILED_PRECONDITION);
    assert!(waits.said.contains("second arbiter"), "{}", waits.said);
    assert_eq!(white(&hub, "1"), 2_400_000_000);
    let outcome = GetCommandRequest {
        id: great.id.clone(),
    };
    let outcome = chief.call("Arbiter/GetCommand", &outcome).await;
    assert_eq!(outcome.code, OK, "{}", outcome.said);
    let listed = held(&floor).await.commands;
    assert_eq!(listed.len(), 1);
    let one = &listed[0];
    assert_eq!((one.effect(), one.board.as_str()), (HeldEffect::Time, "1"));
    assert_eq!((one.actor.as_str(), &one.id), ("Anna Berg", &great.id));
    let own = decide(&chief, &one.id, HeldDecision::Confirm).await;
    assert_eq!(own.code, PERMISSION_DENIED, "{}", own.said);
    let neither = decide(&floor, &one.id, HeldDecision::Unspecified).await;
    assert_eq!(neither.code, INVALID_ARGUMENT);

    let hub = hub.restart().await;
    let (mut chief, mut floor) = (chief, floor);
    for browser in [&mut chief, &mut floor] {
        browser.moves_to(&hub);
        browser.renew().await;
    }
    let confirmed = decide(&floor, &great.id, HeldDecision::Confirm).await;
    assert_eq!(confirmed.code, OK, "{}", confirmed.said);
    let reply = DecideHeldReply::decode(&confirmed.message[..]).unwrap();
    assert_eq!(reply, DecideHeldReply::default());
    assert_eq!(white(&hub, "1"), 4_800_000_000);
    assert!(held(&chief).await.commands.is_empty());
    let again = decide(&floor, &great.id, HeldDecision::Confirm).await;
    assert_eq!(again.code, NOT_FOUND, "{}", again.said);

    let declined = set_white(&hub, "1", 1);
    assert_eq!(
        chief.call("Arbiter/Send", &declined).await.code,
        FAILED_PRECONDITION
    );
    let no = decide(&floor, &declined.id, HeldDecision::Decline).await;
    assert_eq!(no.code, OK, "{}", no.said);
    let repeated = chief.call("Arbiter/Send", &declined).await;
    assert!(repeated.said.contains("declined this"), "{}", repeated.said);
    assert_eq!(white(&hub, "1"), 4_800_000_000);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn revoking_a_chief_arbiters_device_takes_two_arbiters() {
    let hub = TestHub::start().await;
    let chief = Browser::enrolled(&hub, Role::Chief, "Anna Berg").await;
    let floor = Browser::enrolled(&hub, Role::Floor, "Per Lind").await;
    let lost = Browser::enrolled(&hub, Role::Chief, "Eva Holm").await;
    let revoke = |browser: &Browser| RevokeDeviceRequest {
        device: browser.who["device"].as_str().unwrap().to_owned(),
        reason: "stolen".to_owned(),
    };
    let waits = chief.call("Arbiter/RevokeDevice", &revoke(&lost)).await;
    assert_eq!(waits.code, FAILED_PRECONDITION, "{}", waits.said);
    assert_eq!(lost.get("/session").await.status, 200);
    let listed = held(&floor).await.commands;
    assert_eq!(
        (listed[0].effect(), listed[0].name.as_str()),
        (HeldEffect::Device, "Eva Holm")
    );
    let stopped = decide(&lost, &listed[0].id, HeldDecision::Decline).await;
    assert_eq!(stopped.code, PERMISSION_DENIED, "the thief cannot decline");
    let confirmed = decide(&floor, &listed[0].id, HeldDecision::Confirm).await;
    assert_eq!(confirmed.code, OK, "{}", confirmed.said);
    assert_eq!(lost.get("/session").await.status, 401);
    // The access of a floor arbiter's device ends immediately.
    let answer = chief.call("Arbiter/RevokeDevice", &revoke(&floor)).await;
    assert_eq!(answer.code, OK, "{}", answer.said);
    assert_eq!(floor.get("/session").await.status, 401);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_floor_arbiter_acts_only_in_the_sector() {
    let hub = TestHub::start().await;
    for board in ["1", "2", "3"] {
        hub.add_board(board, "5m").await;
    }
    let arbiter = Arbiter::new(Role::Floor, "Per Lind");
    let arbiter = arbiter.in_sector("1-2".parse().unwrap()).unwrap();
    let code = hub.server.sessions().code(arbiter, "test").unwrap();
    let mut floor = Browser::new(&hub);
    assert_eq!(floor.enrol(&code).await.status, 200);
    assert_eq!(floor.who["boards"], "1-2");
    for (board, expected) in [
        ("1", OK),
        ("2", OK),
        ("3", PERMISSION_DENIED),
        ("", PERMISSION_DENIED),
    ] {
        let names = Command::Names(Names {
            white: "A".to_owned(),
            ..Names::default()
        });
        let sent = floor.call("Arbiter/Send", &command(board, 0, names)).await;
        assert_eq!(sent.code, expected, "{board:?}: {}", sent.said);
    }
    let acknowledge = AcknowledgeRequest {
        board: "3".to_owned(),
        kind: CallKind::Stopped.into(),
        going: true,
    };
    let denied = floor.call("Arbiter/Acknowledge", &acknowledge).await;
    assert_eq!(denied.code, PERMISSION_DENIED);
    assert!(denied.said.contains("1-2"), "{}", denied.said);
    let whole = PresetRoundRequest {
        scope: Some(RoundScope {
            round: 1,
            which: None,
        }),
        ..PresetRoundRequest::default()
    };
    let denied = floor.call("Tournament/PresetRound", &whole).await;
    assert_eq!(denied.code, PERMISSION_DENIED, "{}", denied.said);
    let hub = hub.restart().await;
    floor.moves_to(&hub);
    floor.renew().await;
    assert_eq!(floor.who["boards"], "1-2");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_broadcaster_exports_only_published_data() {
    let hub = TestHub::start().await;
    let stream = Browser::enrolled(&hub, Role::Broadcaster, "Stream").await;
    for (format, expected) in [
        (ExportFormat::Pgn, NOT_FOUND),
        (ExportFormat::StandingsCsv, NOT_FOUND),
        (ExportFormat::Trf26, PERMISSION_DENIED),
        (ExportFormat::Unspecified, PERMISSION_DENIED),
    ] {
        let request = ExportRequest {
            format: format.into(),
            ..ExportRequest::default()
        };
        // Without an event, a permitted export finds nothing to export.
        let answer = stream.call("Tournament/Export", &request).await;
        assert_eq!(answer.code, expected, "{format:?}: {}", answer.said);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_auditor_lists_every_command_by_actor() {
    let hub = TestHub::start().await;
    hub.add_board("1", "5m").await;
    let chief = Browser::enrolled(&hub, Role::Chief, "Anna Berg").await;
    let add = Command::AddTime(AddTime {
        side: proto::Side::Black.into(),
        by_us: 60_000_000,
    });
    let request = command("1", hub.board("1").view.seq, add);
    assert_eq!(chief.call("Arbiter/Send", &request).await.code, OK);
    let code = CreateEnrolmentCodeRequest::default();
    assert_eq!(
        chief.call("Arbiter/CreateEnrolmentCode", &code).await.code,
        OK
    );
    let mut key_file = arbiter(&hub, Role::Chief).await;
    key_file.create_enrolment_code(code).await.unwrap();

    let auditor = Browser::enrolled(&hub, Role::Auditor, "Rita").await;
    let list = async |actor: &str, board: &str| {
        let request = ListCommandsRequest {
            actor: actor.to_owned(),
            board: board.to_owned(),
            ..ListCommandsRequest::default()
        };
        let answer = auditor.call("Arbiter/ListCommands", &request).await;
        assert_eq!(answer.code, OK, "{}", answer.said);
        ListCommandsReply::decode(&answer.message[..]).unwrap()
    };
    let all = list("", "").await;
    assert_eq!(all.next_before, 0);
    let by_anna = list("anna", "").await.commands;
    let texts: Vec<_> = by_anna
        .iter()
        .map(|command| command.text.as_str())
        .collect();
    assert_eq!(texts.len(), 2, "{texts:?}");
    assert!(texts[0].contains("CreateEnrolmentCode"), "{texts:?}");
    assert!(texts[1].contains("add black"), "{texts:?}");
    let device = chief.who["device"].as_str().unwrap();
    assert!(
        by_anna.iter().all(|command| command.device == device),
        "{by_anna:?}"
    );
    assert_eq!(by_anna[1].board, "1");
    let of_board = list("berg", "1").await.commands;
    assert_eq!(of_board.len(), 1);
    // The call with a key file is recorded under its arbiter, without a device.
    let key_file = all
        .commands
        .iter()
        .find(|command| command.text.contains("key file"));
    let key_file = key_file.unwrap();
    assert_eq!(
        (key_file.actor.as_str(), key_file.device.as_str()),
        ("Ann", "")
    );
}

//! Calls made by a signed-in device: their signatures, their records in the log, and the updates that other devices receive.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hall::Action;
use hub::identity::Role;
use prost::Message as _;
use proto::grpc::command_request::Command;
use proto::grpc::watch_update::Update;
use proto::grpc::{
    AcknowledgeRequest, AddBoard, Board, CallKind, CommandReply, GetHallRequest, GetPressesRequest,
    Hall, Presses, ReadLogRequest, WatchRequest,
};
use proto::log::Record;
use proto::log::record::Input;
use proto::wire::Button;
use ring::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};

use crate::agent::{Identity, Session};
use crate::arbiter::{arbiter, command};
use crate::browser::Browser;
use crate::hall::{TestHub, still_clocks, within};
use crate::session::UNAUTHENTICATED;

const SEND: &str = "/flagfall.api.v1.Arbiter/Send";
const FAILED_PRECONDITION: u16 = 9;

/// The order of the P-256 group.
const ORDER: &str = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551";

/// Returns the other valid signature over the same bytes: (r, n − s).
fn other_form(signature: &str) -> String {
    let mut bytes = STANDARD.decode(signature).unwrap();
    let order = hex::decode(ORDER).unwrap();
    let mut borrow = 0;
    for at in (0..32).rev() {
        let s = i16::from(bytes[32 + at]) + borrow;
        let digit = i16::from(order[at]) - s;
        borrow = i16::from(digit < 0);
        bytes[32 + at] = u8::try_from(digit.rem_euclid(256)).unwrap();
    }
    STANDARD.encode(bytes)
}

fn add_board(board: &str) -> Vec<u8> {
    let add = Command::AddBoard(AddBoard {
        control: "5m".to_owned(),
        ..AddBoard::default()
    });
    command(board, 0, add).encode_to_vec()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_signature_is_good_for_one_request_of_one_session_once() {
    let hub = TestHub::start().await;
    let mut browser = Browser::enrolled(&hub, Role::Chief, "Anna Berg").await;
    let request = add_board("1");
    let signature = browser.signature(SEND, &request);
    let earlier = browser.signature(SEND, &add_board("9"));
    let other_path = browser.signature("/flagfall.api.v1.Tournament/Apply", &request);
    let other_request = browser.signature(SEND, &add_board("2"));
    for (what, wrong) in [
        ("of another call", other_path.as_str()),
        ("of another request", &other_request),
        ("that is none", "AAAA"),
        ("that is no base64", "!"),
    ] {
        let headers = [("flagfall-signature", wrong)];
        let called = browser.call_with(SEND, &request, &headers).await;
        assert_eq!(called.code, UNAUTHENTICATED, "{what}: {}", called.said);
    }
    assert!(hub.find("1").is_none());

    let headers = [("flagfall-signature", signature.as_str())];
    let called = browser.call_with(SEND, &request, &headers).await;
    assert_eq!(called.code, 0, "{}", called.said);
    let reply = CommandReply::decode(&called.message[..]).unwrap();
    assert_eq!(reply.board.unwrap().board, "1");
    // The hub accepts neither the same signature again nor its other valid form.
    for replayed in [signature.clone(), other_form(&signature)] {
        let headers = [("flagfall-signature", replayed.as_str())];
        let called = browser.call_with(SEND, &request, &headers).await;
        assert_eq!(called.code, UNAUTHENTICATED);
        assert!(called.said.contains("sent before"), "{}", called.said);
    }
    // A signature that was not sent becomes invalid together with its session.
    assert_eq!(browser.renew().await.status, 200);
    let headers = [("flagfall-signature", earlier.as_str())];
    let called = browser.call_with(SEND, &add_board("9"), &headers).await;
    assert_eq!(called.code, UNAUTHENTICATED, "{}", called.said);
    assert!(hub.find("9").is_none());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_log_proves_who_asked_for_what() {
    let hub = TestHub::start().await;
    let browser = Browser::enrolled(&hub, Role::Chief, "Anna Berg").await;
    let request = add_board("1");
    let signature = browser.signature(SEND, &request);
    let headers = [("flagfall-signature", signature.as_str())];
    assert_eq!(browser.call_with(SEND, &request, &headers).await.code, 0);

    let mut chief = arbiter(&hub, Role::Chief).await;
    let lines = chief.read_log(ReadLogRequest::default()).await.unwrap();
    let mut lines = lines.into_inner();
    let mut records = Vec::new();
    while let Some(line) = within(lines.message(), "the log").await.unwrap() {
        let record = Record::decode(&line.record[..]).unwrap();
        records.push((line.text, record.input.unwrap()));
    }
    let place = records
        .iter()
        .position(|(_, input)| matches!(input, Input::RequestSigned(_)));
    let (text, Input::RequestSigned(signed)) = &records[place.unwrap()] else {
        panic!("no proof was kept");
    };
    assert!(
        text.contains("Anna Berg") && text.contains("Send"),
        "{text}"
    );
    assert_eq!(signed.request, request);
    assert_eq!(signed.device, browser.who["device"].as_str().unwrap());
    let mut bytes =
        format!("flagfall-command-v1\n{}\n{}\n", signed.path, signed.session).into_bytes();
    bytes.extend_from_slice(&signed.request);
    UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, &signed.public_key)
        .verify(&bytes, &signed.signature)
        .unwrap();
    let Input::Command(carried) = &records[place.unwrap() + 1].1 else {
        panic!("the command does not follow its proof");
    };
    assert_eq!(carried.actor, "Anna Berg");
    let hub = hub.restart().await;
    assert!(hub.find("1").is_some());
}

async fn next_board(updates: &mut tonic::Streaming<proto::grpc::WatchUpdate>) -> Board {
    loop {
        let update = within(updates.message(), "a board").await.unwrap().unwrap();
        match update.update.unwrap() {
            Update::Board(board) => return board,
            Update::Snapshot(_) | Update::Removed(_) => (),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_arbiters_see_who_is_on_the_way_until_the_call_is_over() {
    let hub = TestHub::start().await;
    hub.add_board("1", "5m").await;
    let (mut floor, mut viewer) = (
        arbiter(&hub, Role::Floor).await,
        arbiter(&hub, Role::Viewer).await,
    );
    let mut told = floor
        .watch(WatchRequest::default())
        .await
        .unwrap()
        .into_inner();
    let mut shown = viewer
        .watch(WatchRequest::default())
        .await
        .unwrap()
        .into_inner();
    for updates in [&mut told, &mut shown] {
        let first = within(updates.message(), "the hall")
            .await
            .unwrap()
            .unwrap();
        assert!(matches!(first.update, Some(Update::Snapshot(_))));
    }
    let browser = Browser::enrolled(&hub, Role::Floor, "Anna Berg").await;
    let request = |kind: CallKind, going| AcknowledgeRequest {
        board: "1".to_owned(),
        kind: kind.into(),
        going,
    };
    let flag = browser
        .call("Arbiter/Acknowledge", &request(CallKind::Flag, true))
        .await;
    assert_eq!(flag.code, FAILED_PRECONDITION, "{}", flag.said);
    let none = browser
        .call("Arbiter/Acknowledge", &request(CallKind::Unspecified, true))
        .await;
    assert_eq!(none.code, 3, "{}", none.said);
    let public = hub.server.live().public();
    let newest = public.newest();
    for going in [false, true] {
        let silent = browser
            .call("Arbiter/Acknowledge", &request(CallKind::Silent, going))
            .await;
        assert_eq!(silent.code, 0, "{}", silent.said);
        let board = next_board(&mut told).await;
        let [said] = &board.acknowledged[..] else {
            panic!("{:?}", board.acknowledged);
        };
        assert_eq!((said.actor.as_str(), said.going), ("Anna Berg", going));
        assert_eq!(said.kind(), CallKind::Silent);
    }
    assert_eq!(public.newest(), newest, "spectators hear nothing of it");
    let (swarm, _) = still_clocks(&hub, &["1"]).await;
    let first = next_board(&mut shown).await;
    assert!(!first.agent.is_empty(), "viewers heard of it: {first:?}");
    assert!(first.acknowledged.is_empty());
    while !next_board(&mut told).await.acknowledged.is_empty() {}
    let hall = browser.call("Arbiter/GetHall", &GetHallRequest {}).await;
    let hall = Hall::decode(&hall.message[..]).unwrap();
    assert!(hall.boards[0].acknowledged.is_empty());
    swarm.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_presses_of_a_game_can_be_read() {
    let hub = TestHub::start().await;
    hub.add_board("7", "5m+3s").await;
    let viewer = Browser::enrolled(&hub, Role::Floor, "screen").await;
    let request = |board: &str| GetPressesRequest {
        board: board.to_owned(),
    };
    let nothing = viewer.call("Arbiter/GetPresses", &request("8")).await;
    assert_eq!(nothing.code, 5, "{}", nothing.said);
    let none = viewer.call("Arbiter/GetPresses", &request("7")).await;
    assert!(
        Presses::decode(&none.message[..])
            .unwrap()
            .presses
            .is_empty()
    );

    let identity = Identity::enrol(&hub, "7").await;
    let mut session = Session::open(&hub, &identity).await;
    session.take_order().await;
    let start = hub.act("7", Action::Board(timing::Command::Start(None)));
    let (_, _) = tokio::join!(start, session.take_order());
    let mut pressed = Vec::new();
    for _ in 0..10 {
        for button in [Button::Left, Button::Right] {
            pressed.push(session.press(button).await);
        }
    }
    session.acknowledged(pressed[19]).await;
    let all = viewer.call("Arbiter/GetPresses", &request("7")).await;
    let all = Presses::decode(&all.message[..]).unwrap();
    let places: Vec<_> = all.presses.iter().map(|press| press.event_seq).collect();
    assert_eq!(places, pressed);
    assert!(all.presses.iter().all(|press| press.used_us == 1_000_000));
    // The hall's state holds only the newest 12 presses of each board.
    let hall = viewer.call("Arbiter/GetHall", &GetHallRequest {}).await;
    let hall = Hall::decode(&hall.message[..]).unwrap();
    assert_eq!(hall.boards[0].presses, all.presses[8..]);
    assert!(all.seq <= hall.boards[0].seq);
}

//! Players' devices in Time Chess: a code for one side of one board, the calls that such a device may make, and the data that it gets.

use hub::api::{API, PERMISSIONS};
use hub::identity::{Arbiter, PlayerSeat, Role};
use prost::Message;
use proto::event::{PlayerActKind, PressRule};
use proto::grpc::{
    ActRefusal, ActReply, ActRequest, ChoosePress, ChooseRules, CommandRequest,
    CreateArbiterCodeRequest, Start, command_request::Command,
};
use time_chess::Annotated;
use timing::Side;

use crate::browser::Browser;
use crate::hall::{TestHub, program};
use crate::session::UNAUTHENTICATED;

const PERMISSION_DENIED: u16 = 7;

async fn player(hub: &TestHub, side: Side) -> Browser {
    let seat = PlayerSeat {
        board: "1".to_owned(),
        side,
    };
    let arbiter = Arbiter::player("Bo Li", seat);
    let code = hub.server.sessions().code(arbiter, "chief").unwrap();
    let mut browser = Browser::new(hub);
    let answer = browser.enrol(&code).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    browser
}

/// Returns a hub with one board, on which making a move also presses the clock, and the chief arbiter's browser. Black's clock is running.
async fn hall() -> (TestHub, Browser) {
    let hub = TestHub::start().await;
    hub.add_board("1", "5m").await;
    let chief = Browser::enrolled(&hub, Role::Chief, "Anna Berg").await;
    let rules = "time-chess".to_owned();
    let rule = PressRule::Move.into();
    for (id, command) in (101..).zip([
        Command::ChooseRules(ChooseRules { rules }),
        Command::ChoosePress(ChoosePress { rule }),
        Command::Start(Start::default()),
    ]) {
        send(&hub, &chief, id, command).await;
    }
    (hub, chief)
}

async fn send(hub: &TestHub, chief: &Browser, id: u8, command: Command) {
    let live = hub.server.hub().live();
    let request = CommandRequest {
        id: vec![id; 16],
        board: "1".to_owned(),
        seen_seq: live.board("1").unwrap().view.seq,
        command: Some(command),
        ..CommandRequest::default()
    };
    let answer = chief.call("Arbiter/Send", &request).await;
    assert_eq!(answer.code, 0, "{}", answer.said);
}

/// Sends a move with this id. Each move needs a new id, because the hub refuses a different request with a used id.
async fn act(player: &Browser, id: u8, text: &str) -> ActRefusal {
    let request = ActRequest {
        id: vec![id; 16],
        kind: PlayerActKind::Move.into(),
        r#move: text.to_owned(),
    };
    let answer = player.call("Player/Act", &request).await;
    assert_eq!(answer.code, 0, "{}", answer.said);
    ActReply::decode(&answer.message[..]).unwrap().refusal()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_players_device_plays_its_side_and_makes_no_other_call() {
    let (hub, _chief) = hall().await;
    let (white, black) = (
        player(&hub, Side::White).await,
        player(&hub, Side::Black).await,
    );
    assert_eq!(black.who["role"], "player");
    assert_eq!(black.who["seat"]["side"], "black");
    assert_eq!(act(&white, 201, "e2e4").await, ActRefusal::NotRunning);
    assert_eq!(act(&black, 202, "e7e4").await, ActRefusal::NotPossible);
    assert_eq!(act(&black, 203, "e7e5").await, ActRefusal::Unspecified);
    assert_eq!(act(&white, 204, "e2e4").await, ActRefusal::Unspecified);
    // Black does not see the pawn on e4, so the hub must not reveal it by refusing this move.
    assert_eq!(act(&black, 205, "e5e4").await, ActRefusal::Unspecified);
    for &(call, roles, _) in PERMISSIONS {
        let path = &format!("{API}{call}");
        let signature = black.signature(path, &[]);
        let code = black.begun(path, Some(&signature)).await;
        let allowed = roles.contains(&Role::Player);
        assert_eq!(code == PERMISSION_DENIED, !allowed, "{call}: {code}");
    }
    let path = format!("{API}Player/Act");
    assert_eq!(white.begun(&path, None).await, UNAUTHENTICATED);
}

async fn event(hub: &TestHub, arguments: &[&str]) -> String {
    let done = program(hub, "event", arguments).await;
    assert!(done.status.success(), "{arguments:?}: {done:?}");
    String::from_utf8(done.stdout).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_is_exported_as_pgn_once_it_is_over() {
    let hub = TestHub::start().await;
    hub.add_board("1", "5m").await;
    let new = [
        "new",
        "Club",
        "--system",
        "round-robin",
        "--rules",
        "time-chess",
    ];
    event(&hub, &new).await;
    for name in ["Alpha, Anna", "Bravo, Ben"] {
        event(&hub, &["enter", name, "--by-hand", "--yes"]).await;
    }
    event(&hub, &["pair", "--yes"]).await;
    let chief = Browser::enrolled(&hub, Role::Chief, "Anna Berg").await;
    let rule = PressRule::Move.into();
    send(
        &hub,
        &chief,
        101,
        Command::ChoosePress(ChoosePress { rule }),
    )
    .await;
    event(&hub, &["preset", "1", "--control", "5m"]).await;
    event(&hub, &["start", "1"]).await;
    let (white, black) = (
        player(&hub, Side::White).await,
        player(&hub, Side::Black).await,
    );
    assert_eq!(act(&black, 203, "e7e5").await, ActRefusal::Unspecified);
    assert_eq!(act(&white, 204, "e2e4").await, ActRefusal::Unspecified);
    let pgn = ["export", "--as", "pgn"];
    let open = event(&hub, &pgn).await;
    // Leave out the tags: one of them is an id of random digits.
    let movetext = open.split_once("\n\n").unwrap().1;
    assert!(!movetext.contains("e5"), "{open}");
    event(&hub, &["result", "1", "1-0"]).await;
    let over: Annotated = event(&hub, &pgn).await.parse().unwrap();
    let turns = over.game.turns().iter();
    let tried: Vec<String> = turns.map(|turn| turn.attempt.to_string()).collect();
    assert_eq!(tried, ["e7e5", "e2e4"]);
    assert!(over.notes()[0].comment.starts_with("[%clk 0:0"), "{over}");
    let lichess = event(&hub, &["export", "--as", "pgn", "--lichess"]).await;
    assert!(!lichess.contains("Variant"), "{lichess}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_device_replaces_the_former_one() {
    let (hub, chief) = hall().await;
    let former = player(&hub, Side::Black).await;
    let request = CreateArbiterCodeRequest {
        name: "Bo Li".to_owned(),
        role: "player".to_owned(),
        boards: "1".to_owned(),
        side: proto::Side::Black.into(),
    };
    let sideless = CreateArbiterCodeRequest {
        side: proto::Side::Unspecified.into(),
        ..request.clone()
    };
    let refused = chief.call("Arbiter/CreateArbiterCode", &sideless).await;
    assert_eq!(refused.code, 3, "{}", refused.said);
    let made = chief.call("Arbiter/CreateArbiterCode", &request).await;
    assert_eq!(made.code, 0, "{}", made.said);
    let newer = player(&hub, Side::Black).await;
    let path = format!("{API}Player/Act");
    let signature = former.signature(&path, &[]);
    assert_eq!(former.begun(&path, Some(&signature)).await, UNAUTHENTICATED);
    assert_eq!(act(&newer, 201, "e7e5").await, ActRefusal::Unspecified);
}

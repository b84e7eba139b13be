//! A real hub whose private fields contain markers. Spectators and viewers must learn neither a secret nor that it exists.

use std::collections::BTreeSet;

use hub::identity::Role;
use proto::grpc::command_request::Command;
use proto::grpc::tournament_client::TournamentClient;
use proto::grpc::watch_update::Update;
use proto::grpc::{
    CommandRequest, ExportFormat, ExportRequest, GetCrossTableRequest, GetFloorRequest,
    GetHallRequest, GetPressesRequest, GetStandingsRequest, GetTournamentRequest, Names, Outcome,
    SetFloorRequest, Start, WatchRequest, WatchTournamentRequest,
};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tonic::transport::Channel;
use tournament::{
    BoardNo, Change, Forbidden, GameResult, PlayerNo, ProposalReason, RoundNo, Sex, Tournament,
};

use crate::api_event::{asked, file, open_round};
use crate::arbiter::{Client, arbiter, command, event};
use crate::hall::{TestHub, look_later, still_clocks, within};

const SECRET: &str = "SECRET";
/// A secret date of birth, which cannot contain the marker.
const BORN: &str = "1931/07/19";

/// Returns a hub with an event and two clients. Board 1 has lost its clock.
async fn hall() -> (TestHub, TournamentClient<Channel>, Client) {
    let hub = TestHub::start().await;
    hub.add_board("1", "5m").await;
    hub.add_board("2", "5m").await;
    let (swarm, _) = still_clocks(&hub, &["1"]).await;
    swarm.stop().await;
    let offline = async {
        while hub.board("1").view.online {
            look_later().await;
        }
    };
    within(offline, "the clock's silence").await;
    let mut chief = event(&hub, Role::Chief, "SECRET chief").await;
    let import = file(&open_round(), "SECRET file.trf");
    chief.import(import).await.unwrap();
    let arbiter = arbiter(&hub, Role::Chief).await;
    (hub, chief, arbiter)
}

/// Enters secrets into private fields, without changing anything that is published.
async fn keep_secrets(
    known: &Tournament,
    chief: &mut TournamentClient<Channel>,
    arbiter: &mut Client,
) {
    let mut player = known.players()[&PlayerNo(1)].clone();
    player.birth = BORN.to_owned();
    player.club = "SECRET club".to_owned();
    player.sex = Some(Sex::Female);
    player.kept_lines = vec!["XYZ    1 SECRET line".to_owned()];
    let mut event = known.event().clone();
    event.kept_lines = vec!["XYZ SECRET line".to_owned()];
    event.forbidden = vec![Forbidden {
        rounds: Forbidden::ALL_ROUNDS,
        participants: vec![1, 2],
    }];
    let drawn = GameResult::played(tournament::Outcome::Draw);
    let why = ProposalReason::Text("SECRET proposal".to_owned());
    let mut secrets = asked(
        None,
        &[
            Change::EnterPlayer(Box::new(player)),
            Change::SetEvent(Box::new(event)),
            Change::Propose(RoundNo(3), BoardNo(1), drawn, why),
        ],
    );
    secrets.reason = "SECRET change".to_owned();
    chief.apply(secrets).await.unwrap();
    let start = CommandRequest {
        reason: "SECRET command".to_owned(),
        ..command("1", 0, Command::Start(Start::default()))
    };
    let seen_seq = seen(arbiter, "1").await;
    let answer = arbiter.send(CommandRequest { seen_seq, ..start });
    assert_eq!(answer.await.unwrap().get_ref().outcome(), Outcome::Pending);
}

async fn seen(arbiter: &mut Client, board: &str) -> u64 {
    let hall = arbiter.get_hall(GetHallRequest {}).await.unwrap();
    let mut boards = hall.get_ref().boards.iter();
    boards.find(|found| found.board == board).unwrap().seq
}

async fn name_white(arbiter: &mut Client, board: &str, white: &str) {
    let names = Command::Names(Names {
        white: white.to_owned(),
        ..Names::default()
    });
    arbiter.send(command(board, 0, names)).await.unwrap();
}

#[track_caller]
fn assert_public(what: &str, said: &str) {
    for secret in [SECRET, BORN] {
        assert!(!said.contains(secret), "{what} shows {secret}: {said}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_public_address_shows_a_secret() {
    let (hub, mut chief, mut arbiter) = hall().await;
    let known = hub.server.hub().live().tournament().unwrap().tournament;
    keep_secrets(&known, &mut chief, &mut arbiter).await;
    let drawn = GameResult::played(tournament::Outcome::Draw);
    let reason = "SECRET correction".to_owned();
    let corrected = Change::Enter(RoundNo(1), BoardNo(1), drawn, reason);
    chief.apply(asked(None, &[corrected])).await.unwrap();

    let mut shown = BTreeSet::new();
    for path in addresses() {
        let answer = read(&hub, &path).await;
        if answer.starts_with("HTTP/1.1 200") {
            shown.insert(path.clone());
        }
        assert_public(&path, &answer);
    }
    for path in [
        "/live/boards.json",
        "/live/boards/1.json",
        "/live/changes.json",
        "/live/event.json",
        "/live/event/players/1.json",
        "/live/event/rounds/1.json",
        "/live/event/why/1.json",
        "/live/event/rounds/1/games.pgn",
        "/plain",
    ] {
        assert!(shown.contains(path), "{path} among {shown:?}");
    }
    let card = read(&hub, "/live/event/players/1.json").await;
    assert!(card.contains("\"fide_id\":"), "{card}");
    assert!(!card.contains("sex") && !card.contains("club"), "{card}");
}

/// Returns addresses for the routes of the public pages, except those of assets and of full blocks of changes.
fn addresses() -> BTreeSet<String> {
    let sources = [
        include_str!("../../src/web.rs"),
        include_str!("../../src/web/event.rs"),
    ];
    let mut found = BTreeSet::new();
    for source in sources {
        for route in source.split(".route(").skip(1) {
            let route = route.split('"').nth(1).unwrap();
            let values: &[&str] = match route {
                // Skipped: assets hold no event data, and a full block repeats data that the newest changes contained.
                route if route.starts_with("/assets/") || route.contains("{epoch}") => continue,
                "/live/boards/{file}" | "/live/event/players/{file}" => &["1.json", "2.json"],
                "/live/event/rounds/{file}" => &["1.json", "3.json"],
                "/live/event/rounds/{round}/games.pgn" => &["1", "3"],
                "/live/event/why/{file}" | "/live/event/teams/{file}" => &["1.json"],
                route if route.ends_with("/{no}") || route.contains("{board}") => &["1", "2"],
                "/event/print/{what}" => &["pairings", "names", "cards", "slips", "standings"],
                route if !route.contains('{') => &[""],
                route => panic!("this test knows no value for {route}"),
            };
            for value in values {
                let (before, rest) = route.split_once('{').unwrap_or((route, "}"));
                let (_, after) = rest.split_once('}').unwrap();
                found.insert(format!("{before}{value}{after}"));
            }
        }
    }
    assert!(found.len() > 30, "{found:?}");
    found
}

/// Returns the response to a request for `path`, or the beginning of the response if it is a stream.
async fn read(hub: &TestHub, path: &str) -> String {
    let mut stream = open(hub, path).await;
    let mut answer = Vec::new();
    if path == "/live/events" {
        return heard_until(&mut stream, "event: hub").await;
    }
    let read = stream.read_to_end(&mut answer);
    within(read, path).await.unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

async fn open(hub: &TestHub, path: &str) -> TcpStream {
    let address = hub.server.addresses().http;
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    stream
}

async fn heard_until(stream: &mut TcpStream, wanted: &str) -> String {
    let mut heard = Vec::new();
    let reading = async {
        loop {
            let text = String::from_utf8_lossy(&heard).into_owned();
            // A blank line after the wanted text shows that the whole event has arrived.
            if text
                .split_once(wanted)
                .is_some_and(|(_, rest)| rest.contains("\n\n"))
            {
                return text;
            }
            assert_ne!(stream.read_buf(&mut heard).await.unwrap(), 0, "{text}");
        }
    };
    within(reading, wanted).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn neither_spectators_nor_viewers_learn_that_there_is_a_secret() {
    let (hub, mut chief, mut arbiter) = hall().await;
    let known = hub.server.hub().live().tournament().unwrap().tournament;
    let mut spectator = open(&hub, "/live/events").await;
    let begun = heard_until(&mut spectator, "event: hub").await;
    let mut viewer = crate::arbiter::arbiter(&hub, Role::Viewer).await;
    let boards = viewer.watch(WatchRequest::default()).await.unwrap();
    let mut boards = boards.into_inner();
    let first = within(boards.message(), "a snapshot").await;
    let first = first.unwrap().unwrap();
    let mut screen = event(&hub, Role::Viewer, "screen").await;
    let events = screen.watch_tournament(WatchTournamentRequest {}).await;
    let mut events = events.unwrap().into_inner();
    let version = events.message().await.unwrap().unwrap().version;

    keep_secrets(&known, &mut chief, &mut arbiter).await;
    name_white(&mut arbiter, "2", "Last").await;
    let heard = heard_until(&mut spectator, "Last").await;
    assert_eq!(heard.matches("event: ").count(), 1, "{heard}");
    let place = |text: &str| {
        let (_, id) = text.split_once("id: ").unwrap();
        let (_, seq) = id.lines().next().unwrap().split_once('-').unwrap();
        seq.trim().parse::<u64>().unwrap()
    };
    assert_eq!(place(&heard), place(&begun) + 1);

    let next = within(boards.message(), "the names").await;
    let next = next.unwrap().unwrap();
    assert_eq!(next.seq, first.seq + 1);
    let Some(Update::Board(board)) = next.update else {
        panic!("{next:?}")
    };
    assert_eq!((board.board.as_str(), board.pending.len()), ("2", 0));

    let won = GameResult::played(tournament::Outcome::Win);
    let entered = Change::Enter(RoundNo(3), BoardNo(1), won, String::new());
    chief.apply(asked(None, &[entered])).await.unwrap();
    let update = within(events.message(), "the result").await;
    assert_eq!(update.unwrap().unwrap().version, version + 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_call_of_a_viewer_shows_a_secret() {
    let (hub, mut chief, mut arbiter) = hall().await;
    let known = hub.server.hub().live().tournament().unwrap().tournament;
    keep_secrets(&known, &mut chief, &mut arbiter).await;
    let place = proto::grpc::BoardPlace {
        board: "1".to_owned(),
        x: 3,
        y: 3,
    };
    let plan = SetFloorRequest {
        places: vec![place],
        ..SetFloorRequest::default()
    };
    arbiter.set_floor(plan).await.unwrap();
    let mut viewer = crate::arbiter::arbiter(&hub, Role::Viewer).await;
    let mut screen = event(&hub, Role::Viewer, "screen").await;
    let presses = GetPressesRequest {
        board: "1".to_owned(),
    };
    let hall = viewer.get_hall(GetHallRequest {}).await.unwrap();
    let board = &hall.get_ref().boards[0];
    assert_eq!((board.pending.len(), board.notes.len()), (0, 0));
    let floor = viewer.get_floor(GetFloorRequest {}).await.unwrap();
    assert_eq!(floor.get_ref().actor, "");
    let events = screen.watch_tournament(WatchTournamentRequest {}).await;
    let first = events.unwrap().into_inner().message().await.unwrap();
    let standings = GetStandingsRequest {
        explain: 1,
        ..GetStandingsRequest::default()
    };
    let table = screen
        .get_cross_table(GetCrossTableRequest::default())
        .await;
    let event = screen.get_tournament(GetTournamentRequest {}).await;
    for said in [
        format!("{hall:?}"),
        format!("{floor:?}"),
        format!("{:?}", viewer.get_presses(presses).await.unwrap()),
        format!("{first:?}"),
        format!("{:?}", screen.get_standings(standings).await.unwrap()),
        format!("{:?}", table.unwrap()),
        format!("{:?}", event.unwrap()),
    ] {
        assert_public("a call", &said);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_export_of_a_broadcaster_shows_a_secret() {
    let (hub, mut chief, mut arbiter) = hall().await;
    let known = hub.server.hub().live().tournament().unwrap().tournament;
    keep_secrets(&known, &mut chief, &mut arbiter).await;
    let mut stream = event(&hub, Role::Broadcaster, "stream").await;
    let published = stream.get_tournament(GetTournamentRequest {}).await;
    let published = published.unwrap().into_inner().version;
    for format in [
        ExportFormat::Pgn,
        ExportFormat::PairingsCsv,
        ExportFormat::StandingsCsv,
    ] {
        let request = ExportRequest {
            format: format.into(),
            ..ExportRequest::default()
        };
        let export = stream.export(request.clone()).await.unwrap().into_inner();
        // The arbiters' version number would reveal how often they changed the event.
        assert_eq!(export.version, published, "{format:?}");
        let text = String::from_utf8(export.content).unwrap();
        assert!(!text.is_empty(), "{format:?}");
        assert_public("an export", &text);
        let other = stream.export(ExportRequest {
            event: 7,
            ..request
        });
        let code = other.await.unwrap_err().code();
        assert_eq!(code, tonic::Code::NotFound, "{format:?}");
    }
}

//! The event over gRPC: a file import, results and live standings, on real sockets.

use std::time::Duration;

use hall::{from_proto, to_proto};
use hub::identity::Role;
use proto::event as wire;
use proto::grpc::import_request::Source;
use proto::grpc::tournament_client::TournamentClient;
use proto::grpc::{
    ApplyRequest, DifferenceKind, GetTournamentRequest, ImportRequest, TournamentUpdate,
    WatchTournamentRequest,
};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tonic::transport::Channel;
use tonic::{Code, Status, Streaming};
use tournament::formats::draft::{export, import_file};
use tournament::formats::trf::Edition;
use tournament::{BoardNo, GameResult, Outcome, ProposalReason};
use tournament::{Change, RoundNo};

use crate::arbiter::event;
use crate::hall::{TestHub, within};

pub(crate) const SAMPLE: &[u8] = include_bytes!("../../../tests/samples/harbour-cup.trf");
/// Time limit for watchers to see a result.
const SOON: Duration = Duration::from_secs(1);

pub(crate) fn file(content: &[u8], name: &str) -> ImportRequest {
    ImportRequest {
        id: hub::identity::random::<16>().unwrap().to_vec(),
        seen_version: None,
        file_name: name.to_owned(),
        format: 0,
        dry_run: false,
        source: Some(Source::Content(content.to_vec())),
        ..ImportRequest::default()
    }
}

pub(crate) fn asked(seen_version: Option<u64>, changes: &[Change]) -> ApplyRequest {
    ApplyRequest {
        id: hub::identity::random::<16>().unwrap().to_vec(),
        seen_version,
        reason: String::new(),
        changes: changes.iter().map(to_proto::tournament::change).collect(),
        set_aside: None,
    }
}

pub(crate) fn open_round() -> Vec<u8> {
    let mut draft = import_file(SAMPLE).unwrap().draft;
    for seats in draft
        .rounds
        .get_mut(&RoundNo(3))
        .unwrap()
        .boards
        .values_mut()
    {
        seats.result = None;
    }
    let mut tournament = tournament::Tournament::new(draft.event.clone());
    for change in draft.changes("sample") {
        let chief = tournament::Actor::chief("test");
        tournament.apply(&chief, change).unwrap();
    }
    export(&tournament, Edition::Trf26).text.into_bytes()
}

fn won(round: u16, board: u16, reason: &str) -> Change {
    let result = GameResult::played(Outcome::Win);
    Change::Enter(RoundNo(round), BoardNo(board), result, reason.to_owned())
}

async fn told(updates: &mut Streaming<TournamentUpdate>) -> TournamentUpdate {
    let update = tokio::time::timeout(SOON, updates.message()).await;
    update.expect("an update within a second").unwrap().unwrap()
}

async fn watch(client: &mut TournamentClient<Channel>) -> Streaming<TournamentUpdate> {
    let watch = client.watch_tournament(WatchTournamentRequest {}).await;
    watch.unwrap().into_inner()
}

async fn get(
    client: &mut TournamentClient<Channel>,
) -> Result<(u64, tournament::Tournament), Status> {
    let reply = client.get_tournament(GetTournamentRequest {}).await?;
    let reply = reply.into_inner();
    let tournament = from_proto::tournament::tournament(reply.tournament.unwrap()).unwrap();
    Ok((reply.version, tournament))
}

async fn page(hub: &TestHub, path: &str) -> String {
    let mut stream = TcpStream::connect(hub.server.addresses().http)
        .await
        .unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    answer
}

/// Opens the event's part of the public feed, and waits for its first message.
async fn listen(hub: &TestHub) -> BufReader<TcpStream> {
    let mut stream = TcpStream::connect(hub.server.addresses().http)
        .await
        .unwrap();
    let request = "GET /live/events?only=event HTTP/1.1\r\nHost: localhost\r\n\r\n";
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut heard = BufReader::new(stream);
    until(&mut heard, "event: hub").await;
    heard
}

async fn until(heard: &mut BufReader<TcpStream>, wanted: &str) {
    let look = async {
        let mut line = String::new();
        while !line.contains(wanted) {
            line.clear();
            assert_ne!(heard.read_line(&mut line).await.unwrap(), 0, "{wanted}");
        }
    };
    within(look, wanted).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_is_shown_then_taken_and_a_result_reaches_all_who_watch() {
    let hub = TestHub::start().await;
    let mut chief = event(&hub, Role::Chief, "Chief").await;
    let mut floor = event(&hub, Role::Floor, "Ann").await;
    let mut screen = event(&hub, Role::Viewer, "screen").await;
    let mut updates = watch(&mut screen).await;
    assert_eq!(told(&mut updates).await, TournamentUpdate::default());
    assert_eq!(get(&mut screen).await.unwrap_err().code(), Code::NotFound);

    let mut import = file(&open_round(), "harbour-cup.trf");
    import.dry_run = true;
    let shown = chief.import(import.clone()).await.unwrap().into_inner();
    assert_eq!((shown.version, shown.refusal.as_str()), (0, ""));
    assert_eq!(shown.items[0].kind(), DifferenceKind::Event);
    assert_eq!(
        shown.items[0].words,
        "New event: Harbour Cup 2026, 4 rounds"
    );
    assert_eq!(get(&mut screen).await.unwrap_err().code(), Code::NotFound);

    // Importing the same file for real applies it once.
    import.dry_run = false;
    let taken = chief.import(import.clone()).await.unwrap().into_inner();
    assert_eq!((taken.version, &taken.items), (1, &shown.items));
    let first = told(&mut updates).await;
    assert_eq!(first.rounds.len(), 3);
    assert!(first.entries_changed);
    let again = chief.import(import).await.unwrap().into_inner();
    assert_eq!(again.version, 1);

    // Watchers and the pages learn of a result within a second.
    let mut heard = listen(&hub).await;
    let request = asked(Some(1), &[won(3, 1, "")]);
    let applied = floor.apply(request.clone()).await.unwrap().into_inner();
    assert_eq!(applied.version, 2);
    let update = told(&mut updates).await;
    let next = first.version + 1;
    assert_eq!((update.version, update.entries_changed), (next, false));
    let rounds: Vec<u32> = update.rounds.iter().map(|round| round.round).collect();
    assert_eq!(rounds, [3]);
    let entered = tokio::time::timeout(SOON, until(&mut heard, "event: tournament")).await;
    entered.expect("the pages know within a second");
    let leader = &update.standings.unwrap().rows[0];
    assert_eq!((leader.name.as_str(), leader.score), ("Alpha, Anna", 250));
    let body = page(&hub, "/live/event/standings.json").await;
    assert!(
        body.contains("Alpha, Anna") && body.contains("2.5"),
        "{body}"
    );

    assert_eq!(floor.apply(request).await.unwrap().into_inner().version, 2);
    let (version, tournament) = get(&mut chief).await.unwrap();
    assert_eq!(version, 2);

    let hub = hub.restart().await;
    let mut chief = event(&hub, Role::Chief, "Chief").await;
    assert_eq!(get(&mut chief).await.unwrap(), (2, tournament));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_event_refuses_is_said_and_changes_nothing() {
    let hub = TestHub::start().await;
    let mut chief = event(&hub, Role::Chief, "Chief").await;
    let mut floor = event(&hub, Role::Floor, "Ann").await;
    let early = floor
        .apply(asked(None, &[won(3, 1, "")]))
        .await
        .unwrap_err();
    assert_eq!(early.code(), Code::FailedPrecondition);
    assert!(early.message().contains("no event yet"), "{early}");
    chief.import(file(&open_round(), "a.trf")).await.unwrap();
    let (version, before) = get(&mut chief).await.unwrap();

    let refused = |status: Status, code: Code, words: &str| {
        assert_eq!(status.code(), code, "{status}");
        assert!(status.message().contains(words), "{status}");
    };
    let drawn = GameResult::played(Outcome::Draw);
    let unexplained = Change::Enter(RoundNo(1), BoardNo(1), drawn, String::new());
    let both = asked(Some(1), &[won(3, 1, ""), unexplained]);
    let status = floor.apply(both).await.unwrap_err();
    refused(
        status,
        Code::FailedPrecondition,
        "board 1: ½-½: give a reason for changing the result",
    );
    let confirm = asked(Some(1), &[Change::Confirm(RoundNo(1))]);
    let status = floor.apply(confirm).await.unwrap_err();
    refused(
        status,
        Code::PermissionDenied,
        "this needs the role chief; Ann has the role floor",
    );
    let mut unknown = asked(None, &[]);
    unknown.changes = vec![wire::Change { what: None }];
    let status = floor.apply(unknown).await.unwrap_err();
    refused(status, Code::InvalidArgument, "this version does not know");
    let mut nameless = asked(None, &[won(3, 1, "")]);
    nameless.id.clear();
    let status = floor.apply(nameless).await.unwrap_err();
    refused(status, Code::InvalidArgument, "id");
    assert_eq!(get(&mut chief).await.unwrap(), (version, before));

    let done = floor.apply(asked(Some(1), &[won(3, 1, "")])).await;
    assert_eq!(done.unwrap().into_inner().version, 2);
    let mut bea = event(&hub, Role::Floor, "Bea").await;
    let late = bea.apply(asked(Some(1), &[won(3, 1, "seen")])).await;
    let words = "board 1 of round 3 has 1-0 now, by Ann";
    refused(late.unwrap_err(), Code::FailedPrecondition, words);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn viewers_see_what_the_pages_show() {
    let hub = TestHub::start().await;
    let mut chief = event(&hub, Role::Chief, "Chief").await;
    let mut screen = event(&hub, Role::Viewer, "screen").await;
    chief.import(file(&open_round(), "a.trf")).await.unwrap();
    let drawn = GameResult::played(Outcome::Draw);
    let proposal = Change::Propose(
        RoundNo(3),
        BoardNo(1),
        drawn,
        ProposalReason::Text("agreed".to_owned()),
    );
    let corrected = Change::Enter(RoundNo(1), BoardNo(1), drawn, "misread".to_owned());
    chief
        .apply(asked(None, &[proposal, corrected]))
        .await
        .unwrap();

    let (_, all) = get(&mut chief).await.unwrap();
    let (_, shown) = get(&mut screen).await.unwrap();
    let board = |event: &tournament::Tournament, round: u16| {
        event.rounds()[&RoundNo(round)].boards[&BoardNo(1)].clone()
    };
    assert!(board(&all, 3).proposed.is_some() && board(&shown, 3).proposed.is_none());
    assert_eq!(board(&all, 1).corrections.len(), 1);
    assert!(board(&shown, 1).corrections.is_empty());
    assert_eq!(board(&shown, 1).result, Some(drawn));
    let births = |event: &tournament::Tournament| {
        event
            .players()
            .values()
            .filter(|player| !player.birth.is_empty())
            .count()
    };
    assert_eq!((births(&all), births(&shown)), (5, 0));
    let first = told(&mut watch(&mut screen).await).await;
    let proposed = |board: &wire::BoardState| board.proposed.is_some();
    assert!(
        !first
            .rounds
            .iter()
            .flat_map(|round| &round.boards)
            .any(proposed)
    );
    assert_eq!(shown.standings(None), all.standings(None));
}

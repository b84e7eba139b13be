//! Commands over gRPC: carried out once, refused with a reason, pending for a silent clock, and visible to watchers and in the log.

use hub::identity::Role;
use prost::Message;
use proto::Side;
use proto::grpc::command_request::Command;
use proto::grpc::watch_update::Update;
use proto::grpc::{
    AddTime, Board, BoardPhase, GetCommandRequest, GetHallRequest, LogLine, Names, Outcome, Pause,
    ReadLogRequest, SetTime, Start, WatchRequest,
};
use proto::refusal::{ChangeKind, Refusal, RefusalCode};
use tonic::{Code, Status};

use crate::agent::{Identity, Session};
use crate::arbiter::{Client, arbiter, command};
use crate::hall::{TestHub, within};

async fn board(client: &mut Client, name: &str) -> Board {
    let hall = client
        .get_hall(GetHallRequest {})
        .await
        .unwrap()
        .into_inner();
    let mut boards = hall.boards.into_iter();
    boards.find(|board| board.board == name).unwrap()
}

/// The fields of `google.rpc.Status` that carry the code of a refusal.
#[derive(Clone, PartialEq, Message)]
struct Detailed {
    #[prost(message, repeated, tag = "3")]
    details: Vec<Detail>,
}

/// `google.protobuf.Any`, which wraps one detail of a refusal.
#[derive(Clone, PartialEq, Message)]
struct Detail {
    #[prost(string, tag = "1")]
    type_url: String,
    #[prost(bytes = "vec", tag = "2")]
    value: Vec<u8>,
}

/// Returns the code from which a client translates a refusal.
pub(crate) fn number(refused: &Status) -> RefusalCode {
    details(refused).code()
}

fn details(refused: &Status) -> Refusal {
    let detailed = Detailed::decode(refused.details()).unwrap();
    let [detail] = detailed.details.as_slice() else {
        panic!("{refused}");
    };
    assert!(detail.type_url.ends_with("/flagfall.refusal.v1.Refusal"));
    Refusal::decode(detail.value.as_slice()).unwrap()
}

fn names(white: &str) -> Command {
    Command::Names(Names {
        white: white.to_owned(),
        ..Names::default()
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_repeated_command_has_one_effect_and_the_same_answer() {
    let hub = TestHub::start().await;
    hub.add_board("1", "5m").await;
    let mut client = arbiter(&hub, Role::Chief).await;
    let seen = board(&mut client, "1").await.seq;
    let add = Command::AddTime(AddTime {
        side: Side::White.into(),
        by_us: 60_000_000,
    });
    let request = command("1", seen, add);
    let first = client.send(request.clone()).await.unwrap().into_inner();
    let again = client.send(request.clone()).await.unwrap().into_inner();
    assert_eq!(first.outcome(), Outcome::Done);
    assert_eq!((&again.id, again.outcome()), (&first.id, first.outcome()));
    let time = |board: &Board| board.white.as_ref().unwrap().time_us;
    assert_eq!(time(&board(&mut client, "1").await), 360_000_000);
    let id = request.id.clone();
    let known = client
        .get_command(GetCommandRequest { id })
        .await
        .unwrap()
        .into_inner();
    assert_eq!(known.outcome(), Outcome::Done);
    let mut other = request;
    other.command = Some(Command::Pause(Pause {}));
    let refused = client.send(other).await.unwrap_err();
    assert_eq!(refused.code(), Code::InvalidArgument);
    let why = "belongs to a different request: make a new id for each request";
    assert!(refused.message().contains(why), "{refused}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stale_command_is_refused_with_what_changed_and_its_repetition_alike() {
    let hub = TestHub::start().await;
    hub.add_board("1", "5m").await;
    let mut client = arbiter(&hub, Role::Floor).await;
    let seen = board(&mut client, "1").await.seq;
    let set = |to_us| {
        Command::SetTime(SetTime {
            side: Side::White.into(),
            to_us,
        })
    };
    client
        .send(command("1", seen, set(100_000_000)))
        .await
        .unwrap();
    let stale = command("1", seen, set(200_000_000));
    let refused = client.send(stale.clone()).await.unwrap_err();
    assert_eq!(refused.code(), Code::FailedPrecondition);
    assert!(
        refused.message().contains("Ann"),
        "says who changed it: {refused}"
    );
    let again = client.send(stale).await.unwrap_err();
    assert_eq!(
        (again.code(), again.message(), again.details()),
        (refused.code(), refused.message(), refused.details())
    );
    assert_eq!(number(&refused), RefusalCode::BoardChanged);
    let why = details(&refused);
    let [change] = &why.changes[..] else {
        panic!("{:?}", why.changes);
    };
    assert_eq!(
        (change.kind(), change.actor.as_str()),
        (ChangeKind::TimeSet, "Ann")
    );
    assert_eq!(
        (change.board.as_str(), change.amount_us),
        ("1", 100_000_000)
    );
    assert!(change.at_us.is_some());
    let white = board(&mut client, "1").await.white.unwrap();
    assert_eq!(white.time_us, 100_000_000);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_command_against_the_rules_is_refused_with_the_rule() {
    let hub = TestHub::start().await;
    hub.add_board("1", "5m").await;
    let identity = Identity::enrol(&hub, "1").await;
    let mut session = Session::open(&hub, &identity).await;
    session.take_order().await;
    session.acknowledged(1).await;
    let mut client = arbiter(&hub, Role::Floor).await;
    let seen = board(&mut client, "1").await.seq;
    let refused = client
        .send(command("1", seen, Command::Pause(Pause {})))
        .await
        .unwrap_err();
    assert_eq!(refused.code(), Code::FailedPrecondition);
    assert_eq!(number(&refused), RefusalCode::NotRunning);
    let missing = client
        .send(command("99", 0, Command::Pause(Pause {})))
        .await
        .unwrap_err();
    assert_eq!(missing.code(), Code::NotFound);
    assert_eq!(number(&missing), RefusalCode::NoBoard);
    let mut malformed = command("1", seen, Command::Pause(Pause {}));
    malformed.id.truncate(3);
    let malformed = client.send(malformed).await.unwrap_err();
    assert_eq!(malformed.code(), Code::InvalidArgument);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_command_for_a_silent_clock_is_pending_after_a_moment() {
    let hub = TestHub::start().await;
    hub.add_board("1", "5m").await;
    let identity = Identity::enrol(&hub, "1").await;
    let mut session = Session::open(&hub, &identity).await;
    session.take_order().await;
    session.acknowledged(1).await;
    let mut client = arbiter(&hub, Role::Floor).await;
    let seen = board(&mut client, "1").await.seq;
    let start = command("1", seen, Command::Start(Start::default()));
    let id = start.id.clone();
    // The clock is connected but does not answer.
    let reply = within(client.send(start), "a reply")
        .await
        .unwrap()
        .into_inner();
    assert_eq!(reply.outcome(), Outcome::Pending);
    assert_eq!(board(&mut client, "1").await.pending.len(), 1);
    let order = session.take_order().await;
    session.acknowledged(2).await;
    let known = client
        .get_command(GetCommandRequest { id })
        .await
        .unwrap()
        .into_inner();
    assert_eq!(known.outcome(), Outcome::Done, "{order:?}");
    assert_eq!(board(&mut client, "1").await.phase(), BoardPhase::Running);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_watcher_gets_a_snapshot_then_changes_and_resumes() {
    let hub = TestHub::start().await;
    hub.add_board("1", "5m").await;
    let mut viewer = arbiter(&hub, Role::Viewer).await;
    let mut chief = arbiter(&hub, Role::Chief).await;
    let mut updates = viewer
        .watch(WatchRequest::default())
        .await
        .unwrap()
        .into_inner();
    let first = within(updates.message(), "a snapshot")
        .await
        .unwrap()
        .unwrap();
    let Some(Update::Snapshot(hall)) = &first.update else {
        panic!("{first:?}");
    };
    assert_eq!(hall.boards.len(), 1);
    chief.send(command("1", 0, names("Ann"))).await.unwrap();
    let named = |update: &Option<Update>| match update {
        Some(Update::Board(board)) => board.white.as_ref().unwrap().name.clone(),
        other => panic!("{other:?}"),
    };
    let change = within(updates.message(), "a change")
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        (change.seq, named(&change.update).as_str()),
        (first.seq + 1, "Ann")
    );

    chief.send(command("1", 0, names("Bea"))).await.unwrap();
    let resumed = WatchRequest {
        after_epoch: change.epoch,
        after_seq: change.seq,
        ..WatchRequest::default()
    };
    let mut updates = viewer.watch(resumed).await.unwrap().into_inner();
    let missed = within(updates.message(), "what was missed")
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        (missed.seq, named(&missed.update).as_str()),
        (change.seq + 1, "Bea")
    );

    let other_run = WatchRequest {
        after_epoch: change.epoch + 1,
        after_seq: change.seq,
        ..WatchRequest::default()
    };
    let mut updates = viewer.watch(other_run).await.unwrap().into_inner();
    let again = within(updates.message(), "a snapshot")
        .await
        .unwrap()
        .unwrap();
    assert!(matches!(again.update, Some(Update::Snapshot(_))));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_log_reads_as_lines_of_one_board() {
    let hub = TestHub::start().await;
    hub.add_board("1", "5m").await;
    hub.add_board("2", "5m").await;
    let mut client = arbiter(&hub, Role::Floor).await;
    client.send(command("2", 0, names("Ann"))).await.unwrap();
    let lines = log_of(&mut client, "2", 0).await;
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[1].text.contains("Ann"), "{lines:?}");
    client.send(command("1", 0, names("Eve"))).await.unwrap();
    client.send(command("2", 0, names("Bea"))).await.unwrap();
    let new = log_of(&mut client, "2", lines[1].index + 1).await;
    assert_eq!(new.len(), 1, "{new:?}");
    assert!(new[0].text.contains("Bea"), "{new:?}");
    assert_eq!(log_of(&mut client, "2", 0).await.len(), 3);
    assert_eq!(log_of(&mut client, "1", 0).await.len(), 2);
    assert_eq!(log_of(&mut client, "9", 0).await.len(), 0);
    // Without a board in the request, the log contains all records, including those that belong to no board.
    let all = read_log(&mut client, "", 0).await;
    let indices: Vec<u64> = all.iter().map(|line| line.index).collect();
    assert_eq!(indices, (0..all.len() as u64).collect::<Vec<_>>());
}

async fn log_of(client: &mut Client, board: &str, from_index: u64) -> Vec<LogLine> {
    let lines = read_log(client, board, from_index).await;
    assert!(lines.iter().all(|line| line.board == board), "{lines:?}");
    lines
}

pub(crate) async fn read_log(client: &mut Client, board: &str, from_index: u64) -> Vec<LogLine> {
    let request = ReadLogRequest {
        board: board.to_owned(),
        from_index,
        ..ReadLogRequest::default()
    };
    let mut read = client.read_log(request).await.unwrap().into_inner();
    let mut lines = Vec::new();
    while let Some(line) = read.message().await.unwrap() {
        lines.push(line);
    }
    lines
}

//! Imports over gRPC: a file from a different event, pairings that would be removed, an undone import, and events that are set aside.

use hub::identity::Role;
use proto::grpc::tournament_client::TournamentClient;
use proto::grpc::{
    ExportRequest, GetTournamentRequest, ImportRequest, ListEventsRequest, SwitchEventRequest,
    TournamentReply, UndoImportRequest, WatchTournamentRequest,
};
use proto::refusal::RefusalCode;
use tonic::Code;
use tonic::transport::Channel;
use tournament::{BoardNo, Change, GameResult, Outcome, RoundNo};

use crate::api_commands::number;
use crate::api_event::{SAMPLE, asked, file, open_round};
use crate::arbiter::event;
use crate::hall::TestHub;

fn winter() -> String {
    let text = String::from_utf8(open_round()).unwrap();
    let text = text.replace("Harbour Cup 2026", "Winter Open");
    let other = text
        .replace("Alpha, Anna ", "Smith, Jo   ")
        .replace("1500011", "4500456");
    assert_ne!(other, text);
    other
}

fn random() -> Vec<u8> {
    hub::identity::random::<16>().unwrap().to_vec()
}

async fn now(client: &mut TournamentClient<Channel>) -> TournamentReply {
    let reply = client.get_tournament(GetTournamentRequest {}).await;
    reply.unwrap().into_inner()
}

fn dry(request: &ImportRequest) -> ImportRequest {
    ImportRequest {
        dry_run: true,
        ..request.clone()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_events_file_is_refused_with_what_differs() {
    let hub = TestHub::start().await;
    let mut chief = event(&hub, Role::Chief, "Chief").await;
    chief.import(file(SAMPLE, "harbour.trf")).await.unwrap();
    let other = file(winter().as_bytes(), "winter.trf");
    let shown = chief.import(dry(&other)).await.unwrap().into_inner();
    assert_eq!(
        (shown.items.len(), shown.why.unwrap().code()),
        (0, RefusalCode::ForeignFile)
    );
    let foreign = shown.foreign.unwrap();
    let names = (foreign.event_here.as_str(), foreign.event_in_file.as_str());
    assert_eq!(names, ("Harbour Cup 2026", "Winter Open"));
    let [first] = foreign.players.as_slice() else {
        panic!("{foreign:?}");
    };
    assert_eq!(
        (first.number, first.here.as_str(), first.in_file.as_str()),
        (1, "Alpha, Anna (FIDE 1500011)", "Smith, Jo (FIDE 4500456)")
    );
    let refused = chief.import(other.clone()).await.unwrap_err();
    assert_eq!(
        (refused.code(), number(&refused)),
        (Code::FailedPrecondition, RefusalCode::ForeignFile)
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_opens_another_event_and_the_current_one_is_kept() {
    let hub = TestHub::start().await;
    let mut chief = event(&hub, Role::Chief, "Chief").await;
    chief.import(file(SAMPLE, "harbour.trf")).await.unwrap();
    let other = file(winter().as_bytes(), "winter.trf");
    let mut opened = ImportRequest {
        id: random(),
        set_aside: Some("Harbour Cup".to_owned()),
        ..other
    };
    let refused = chief.import(opened.clone()).await.unwrap_err();
    assert_eq!(number(&refused), RefusalCode::EventNameDiffers);
    opened.set_aside = Some("Harbour Cup 2026".to_owned());
    opened.id = random();
    let would = chief.import(dry(&opened)).await.unwrap().into_inner();
    assert_eq!(
        (would.refusal.as_str(), would.counts.unwrap().players),
        ("", 5)
    );
    let mut floor = event(&hub, Role::Floor, "Ann").await;
    let status = floor.import(opened.clone()).await.unwrap_err();
    assert_eq!(status.code(), Code::PermissionDenied);
    chief.import(opened).await.unwrap();

    let events = floor
        .list_events(ListEventsRequest {})
        .await
        .unwrap()
        .into_inner()
        .events;
    let events: Vec<_> = events
        .iter()
        .map(|kept| (kept.number, kept.name.as_str(), kept.current))
        .collect();
    assert_eq!(
        events,
        [(1, "Harbour Cup 2026", false), (2, "Winter Open", true)]
    );
    let kept = ExportRequest {
        event: 1,
        ..ExportRequest::default()
    };
    let kept = chief.export(kept).await.unwrap().into_inner();
    assert!(kept.content.starts_with(b"012 Harbour Cup 2026"));
    let missing = ExportRequest {
        event: 9,
        ..ExportRequest::default()
    };
    assert_eq!(
        chief.export(missing).await.unwrap_err().code(),
        Code::NotFound
    );
    let back = SwitchEventRequest {
        id: random(),
        number: 1,
        set_aside: "Winter Open".to_owned(),
    };
    let status = floor.switch_event(back.clone()).await.unwrap_err();
    assert_eq!(status.code(), Code::PermissionDenied);
    chief.switch_event(back).await.unwrap();
    let now = now(&mut chief).await;
    assert_eq!(
        (
            now.number,
            now.tournament.unwrap().event.unwrap().name.as_str()
        ),
        (1, "Harbour Cup 2026")
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pairings_go_only_with_their_exact_number() {
    let hub = TestHub::start().await;
    let mut chief = event(&hub, Role::Chief, "Chief").await;
    chief.import(file(&open_round(), "a.trf")).await.unwrap();
    // The table moves player 3 from board 2 to board 1.
    let mut table = file(b"Round,Board,White,Black\n3,1,1,3\n", "board1.csv");
    let shown = chief.import(dry(&table)).await.unwrap().into_inner();
    let counts = shown.counts.unwrap();
    // Both old pairings of these players are removed: player 1 against player 4, and player 5 against player 3.
    assert_eq!((counts.games, counts.removed_pairings), (1, 2));
    for wrong in [0, 1] {
        (table.id, table.remove_pairings) = (random(), wrong);
        let refused = chief.import(table.clone()).await.unwrap_err();
        assert_eq!(number(&refused), RefusalCode::RemovesPairings);
    }
    (table.id, table.remove_pairings) = (random(), 2);
    let done = chief.import(table.clone()).await.unwrap().into_inner();
    let again = chief.import(table).await.unwrap().into_inner();
    assert_eq!(done.version, again.version);
    let now = now(&mut chief).await;
    assert_eq!(now.tournament.unwrap().rounds[2].boards.len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_import_is_undone_and_watchers_are_told() {
    let hub = TestHub::start().await;
    let mut chief = event(&hub, Role::Chief, "Chief").await;
    let none = chief
        .undo_import(UndoImportRequest {
            dry_run: true,
            ..UndoImportRequest::default()
        })
        .await;
    assert_eq!(none.unwrap_err().code(), Code::NotFound);
    chief.import(file(&open_round(), "a.trf")).await.unwrap();
    let before = now(&mut chief).await;
    chief.import(file(SAMPLE, "results.trf")).await.unwrap();
    let mut watch = chief
        .watch_tournament(WatchTournamentRequest {})
        .await
        .unwrap()
        .into_inner();
    let first = watch.message().await.unwrap().unwrap();
    let files: Vec<&str> = first
        .imports
        .iter()
        .map(|import| import.file.as_str())
        .collect();
    assert_eq!(files, ["a.trf", "results.trf"]);
    assert_eq!(first.imports[1].counts.unwrap().results, 2);
    let mut viewer = event(&hub, Role::Viewer, "TV").await;
    let seen = now(&mut viewer).await;
    assert_eq!(seen.imports, []);

    let undo = UndoImportRequest {
        id: random(),
        version: 0,
        dry_run: true,
    };
    let shown = chief.undo_import(undo.clone()).await.unwrap().into_inner();
    assert_eq!(
        shown.words,
        ["round 3, board 1: 1-0", "round 3, board 2: 1-0"]
    );
    assert_eq!((shown.version, shown.refusal.as_str()), (2, ""));
    let real = UndoImportRequest {
        dry_run: false,
        ..undo.clone()
    };
    let done = chief.undo_import(real.clone()).await.unwrap().into_inner();
    assert_eq!(
        (done.version, done.import.unwrap().file.as_str()),
        (3, "results.trf")
    );
    assert_eq!(
        chief.undo_import(real).await.unwrap().into_inner().version,
        3
    );
    let heard = watch.message().await.unwrap().unwrap();
    assert_eq!(
        (heard.version, heard.rounds.len(), heard.imports.len()),
        (3, 1, 1)
    );
    let after = now(&mut chief).await;
    assert_eq!(after.tournament, before.tournament);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_undo_first_names_what_depends_on_the_import() {
    let hub = TestHub::start().await;
    let mut chief = event(&hub, Role::Chief, "Chief").await;
    chief.import(file(&open_round(), "a.trf")).await.unwrap();
    let undo = UndoImportRequest {
        dry_run: true,
        ..UndoImportRequest::default()
    };
    let won = GameResult::played(Outcome::Win);
    let enter = Change::Enter(RoundNo(3), BoardNo(1), won, String::new());
    chief.apply(asked(None, &[enter])).await.unwrap();
    let shown = chief.undo_import(undo).await.unwrap().into_inner();
    assert_eq!(shown.why.unwrap().code(), RefusalCode::UndoBlocked);
    assert!(
        shown.refusal.contains("“round 3, board 1: 1-0”, by Chief"),
        "{}",
        shown.refusal
    );
}

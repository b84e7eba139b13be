//! The event's imports, exports and tables, over gRPC.

use hub::identity::Role;
use proto::grpc::{
    DifferenceKind, ExportFormat, ExportRequest, GetCrossTableRequest, GetStandingsRequest,
    GetTournamentRequest, ImportRequest, ProposePairingsRequest, RemarkKind,
};
use proto::refusal::RefusalCode;
use tonic::Code;
use tournament::formats::draft::import_file;
use tournament::{BoardNo, Change, GameResult, Outcome, Player, PlayerNo, RoundNo};

use crate::api_commands::number;
use crate::api_event::{SAMPLE, asked, file, open_round};
use crate::arbiter::event;
use crate::hall::{TestHub, program};

fn wanted(format: ExportFormat) -> ExportRequest {
    ExportRequest {
        format: format.into(),
        ..ExportRequest::default()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_cannot_be_read_is_named_by_line_and_nothing_of_it_is_taken() {
    let hub = TestHub::start().await;
    let mut chief = event(&hub, Role::Chief, "Chief").await;
    let text = String::from_utf8(SAMPLE.to_vec()).unwrap();
    let broken = text.replace("3 w 1     2 b =", "3 w 1     9 b =");
    assert_ne!(text, broken);
    let refused = chief.import(file(broken.as_bytes(), "broken.trf")).await;
    let status = refused.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    assert!(status.message().contains("line 19"), "{status}");
    let table = b"Board,White,Black\n1,1,2\n";
    let status = chief.import(file(table, "round.csv")).await.unwrap_err();
    assert_eq!(status.code(), Code::FailedPrecondition);
    let nothing = ImportRequest {
        source: None,
        ..file(b"", "empty.trf")
    };
    let status = chief.import(nothing).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    let asked = chief.get_tournament(GetTournamentRequest {}).await;
    assert_eq!(asked.unwrap_err().code(), Code::NotFound);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_with_later_results_says_only_these_and_an_old_picture_is_refused() {
    let hub = TestHub::start().await;
    let mut chief = event(&hub, Role::Chief, "Chief").await;
    chief.import(file(&open_round(), "a.trf")).await.unwrap();
    let mut later = file(SAMPLE, "later.trf");
    later.dry_run = true;
    let shown = chief.import(later.clone()).await.unwrap().into_inner();
    let kinds: Vec<DifferenceKind> = shown.items.iter().map(|item| item.kind()).collect();
    assert_eq!(
        kinds,
        [DifferenceKind::NewResult, DifferenceKind::NewResult]
    );
    assert_eq!((shown.version, shown.refusal.as_str()), (1, ""));

    // Between the dry run and the import, a different result is entered on one of the boards.
    let drawn = GameResult::played(Outcome::Draw);
    let other = Change::Enter(RoundNo(3), BoardNo(1), drawn, String::new());
    chief.apply(asked(None, &[other])).await.unwrap();
    (later.dry_run, later.seen_version) = (false, Some(shown.version));
    let status = chief.import(later.clone()).await.unwrap_err();
    assert_eq!(status.code(), Code::FailedPrecondition);
    assert!(
        status.message().contains("has changed since you looked"),
        "{status}"
    );

    // With the current version, the import is accepted and replaces that result.
    later.id = hub::identity::random::<16>().unwrap().to_vec();
    later.seen_version = Some(2);
    let taken = chief.import(later).await.unwrap().into_inner();
    assert_eq!(taken.version, 3);
    let nothing = chief
        .import(file(SAMPLE, "later.trf"))
        .await
        .unwrap()
        .into_inner();
    assert_eq!((nothing.version, nothing.items.len()), (3, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dry_run_says_why_a_file_would_be_refused() {
    let hub = TestHub::start().await;
    let mut chief = event(&hub, Role::Chief, "Chief").await;
    chief.import(file(SAMPLE, "a.trf")).await.unwrap();
    chief
        .apply(asked(None, &[Change::Confirm(RoundNo(1))]))
        .await
        .unwrap();
    let mut draft = import_file(SAMPLE).unwrap().draft;
    let round = draft.rounds.get_mut(&RoundNo(1)).unwrap();
    round.boards.get_mut(&BoardNo(1)).unwrap().result = Some(GameResult::played(Outcome::Draw));
    let (report, _) = tournament::formats::draft::report(&draft, &Default::default());
    let text =
        tournament::formats::trf::write(&report, tournament::formats::trf::Edition::Trf26).text;
    let mut other = file(text.as_bytes(), "other.trf");
    other.dry_run = true;
    let shown = chief.import(other).await.unwrap().into_inner();
    assert!(shown.refusal.contains("round 1 is confirmed"), "{shown:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_round_is_imported_from_a_table() {
    let hub = TestHub::start().await;
    let mut chief = event(&hub, Role::Chief, "Chief").await;
    chief.import(file(SAMPLE, "a.trf")).await.unwrap();
    let table = file(b"Round,Board,White,Black\n4,1,2,1\n4,2,3,4\n", "round4.csv");
    let taken = chief.import(table).await.unwrap().into_inner();
    assert_eq!(taken.items[0].kind(), DifferenceKind::NewRound);
    let reply = chief.get_tournament(GetTournamentRequest {}).await.unwrap();
    let rounds = reply.into_inner().tournament.unwrap().rounds;
    assert_eq!(rounds[3].boards.len(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_redirected_export_equals_the_hubs_and_can_be_imported() {
    let hub = TestHub::start().await;
    let mut chief = event(&hub, Role::Chief, "Chief").await;
    chief.import(file(SAMPLE, "a.trf")).await.unwrap();
    for (form, words, name) in [
        (ExportFormat::Trf26, &["export"][..], "copy.trf"),
        (
            ExportFormat::PairingsCsv,
            &["export", "--as", "pairings"],
            "copy.csv",
        ),
    ] {
        let sent = chief.export(wanted(form)).await.unwrap().into_inner();
        let written = program(&hub, "event", words).await;
        assert!(written.status.success(), "{name}: {written:?}");
        assert_eq!(written.stdout, sent.content, "{name}");
        let path = hub.dir.path().join(name);
        std::fs::write(&path, &written.stdout).unwrap();
        let import = ["import", path.to_str().unwrap()];
        let again = program(&hub, "event", &import).await;
        let said = String::from_utf8(again.stdout).unwrap();
        assert_eq!(said, format!("{name} has nothing new\n"));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_event_is_exported_in_every_format() {
    let hub = TestHub::start().await;
    let mut chief = event(&hub, Role::Chief, "Chief").await;
    let missing = chief.export(wanted(ExportFormat::Trf26)).await.unwrap_err();
    assert_eq!(missing.code(), Code::NotFound);
    chief.import(file(SAMPLE, "a.trf")).await.unwrap();
    let report = chief
        .export(wanted(ExportFormat::Trf26))
        .await
        .unwrap()
        .into_inner();
    assert_eq!(report.file_name, "harbour-cup-2026.trf");
    let (out, back) = (import_file(&report.content), import_file(SAMPLE));
    assert_eq!(out.unwrap().draft, back.unwrap().draft);
    let older = chief
        .export(wanted(ExportFormat::Trf16))
        .await
        .unwrap()
        .into_inner();
    assert!(older.content.starts_with(b"012 Harbour Cup 2026\r\n"));
    let mut pairings = wanted(ExportFormat::PairingsCsv);
    pairings.rounds = vec![2];
    let table = chief.export(pairings.clone()).await.unwrap().into_inner();
    let text = String::from_utf8(table.content).unwrap();
    assert!(text.contains("2,1,") && !text.contains("\n1,1,"), "{text}");
    pairings.rounds = vec![9];
    let status = chief.export(pairings).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    let mut standings = wanted(ExportFormat::StandingsCsv);
    standings.after = 1;
    let table = chief.export(standings).await.unwrap().into_inner();
    assert_eq!(table.file_name, "harbour-cup-2026-standings.csv");
    assert!(
        String::from_utf8(table.content)
            .unwrap()
            .contains("Alpha, Anna")
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn games_are_exported_as_pgn_with_a_list_of_omissions() {
    let hub = TestHub::start().await;
    let mut chief = event(&hub, Role::Chief, "Chief").await;
    chief.import(file(SAMPLE, "a.trf")).await.unwrap();
    let mut pgn = wanted(ExportFormat::Pgn);
    pgn.rounds = vec![1];
    let games = chief.export(pgn).await.unwrap().into_inner();
    assert_eq!(games.file_name, "harbour-cup-2026.pgn");
    let text = String::from_utf8(games.content).unwrap();
    assert!(text.contains("[White \"Alpha, Anna\"]"), "{text}");
    assert!(!text.contains("[Round \"2."), "{text}");
    assert!(
        games.lost[0].starts_with("moves that were not entered"),
        "{:?}",
        games.lost
    );
    assert_eq!(games.typed_lost[0].kind(), RemarkKind::LostMoves);
    assert_eq!(games.typed_lost.len(), games.lost.len());
    let written = program(&hub, "event", &["export", "--as", "pgn", "--round", "1"]).await;
    assert!(written.status.success(), "{written:?}");
    assert_eq!(String::from_utf8(written.stdout).unwrap(), text);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_round_that_cannot_be_paired_has_a_refusal_code() {
    let hub = TestHub::start().await;
    let mut chief = event(&hub, Role::Chief, "Chief").await;
    chief.import(file(&open_round(), "a.trf")).await.unwrap();
    let request = ProposePairingsRequest::default();
    let status = chief.propose_pairings(request).await.unwrap_err();
    assert_eq!(status.code(), Code::FailedPrecondition);
    assert_eq!(number(&status), RefusalCode::RoundOpen, "{status}");
    // Enter the missing results, so that only the program is missing.
    chief.import(file(SAMPLE, "later.trf")).await.unwrap();
    let status = chief.propose_pairings(request).await.unwrap_err();
    assert_eq!(number(&status), RefusalCode::NoPairingProgram, "{status}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn standings_explain_themselves() {
    let hub = TestHub::start().await;
    let mut chief = event(&hub, Role::Chief, "Chief").await;
    chief.import(file(SAMPLE, "a.trf")).await.unwrap();
    let plain = GetStandingsRequest::default();
    let standings = chief
        .get_standings(plain.clone())
        .await
        .unwrap()
        .into_inner();
    assert_eq!(standings.tie_breaks, ["BH/C1", "BH", "SB", "DE"]);
    let first = &standings.rows[0];
    assert_eq!(
        (first.rank, first.name.as_str(), first.score),
        (1, "Alpha, Anna", 250)
    );
    assert_eq!((standings.after, standings.provisional), (3, false));

    let why = GetStandingsRequest {
        tie_breaks: vec!["BH".to_owned()],
        explain: 1,
        ..plain
    };
    let explained = chief.get_standings(why).await.unwrap().into_inner();
    assert_eq!(explained.tie_breaks, ["BH"]);
    let [buchholz] = explained.explanations.as_slice() else {
        panic!("one tie-break, one explanation");
    };
    let value = buchholz.value.clone().unwrap();
    let terms: i64 = buchholz
        .terms
        .iter()
        .filter(|term| !term.cut)
        .map(|term| term.amount)
        .sum();
    assert_eq!(terms * value.denominator, value.numerator * 10_000);
    assert!(
        buchholz.words[0].contains("Alpha, Anna"),
        "{:?}",
        buchholz.words
    );
    assert_eq!(
        explained.rows[0].values[0].text,
        standings.rows[0].values[1].text
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn standings_exist_after_any_round_and_the_cross_table_is_complete() {
    let hub = TestHub::start().await;
    let mut chief = event(&hub, Role::Chief, "Chief").await;
    chief.import(file(SAMPLE, "a.trf")).await.unwrap();
    let plain = GetStandingsRequest::default();
    for (request, code) in [
        (
            GetStandingsRequest {
                after: 9,
                ..plain.clone()
            },
            Code::InvalidArgument,
        ),
        (
            GetStandingsRequest {
                explain: 99,
                ..plain.clone()
            },
            Code::NotFound,
        ),
        (
            GetStandingsRequest {
                tie_breaks: vec!["XYZ".to_owned()],
                ..plain.clone()
            },
            Code::InvalidArgument,
        ),
    ] {
        let status = chief.get_standings(request).await.unwrap_err();
        assert_eq!(status.code(), code, "{status}");
    }
    let early = GetStandingsRequest { after: 1, ..plain };
    assert_eq!(
        chief.get_standings(early).await.unwrap().into_inner().after,
        1
    );
    let cross = chief.get_cross_table(GetCrossTableRequest::default()).await;
    let lines = cross.unwrap().into_inner().lines;
    assert_eq!(lines.len(), 5);
    assert_eq!(lines[0].cells.len(), 4);
    let numbers: Vec<u32> = lines.iter().map(|line| line.line).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5]);
    assert_eq!(
        (lines[0].cells[0].opponent, lines[0].cells[0].points),
        (3, 100)
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_large_request_is_accepted_and_one_above_the_limit_refused() {
    let hub = TestHub::start().await;
    let mut chief = event(&hub, Role::Chief, "Chief").await;
    chief.import(file(SAMPLE, "a.trf")).await.unwrap();
    let player = |no: u16, rest: usize| {
        let name = format!("{no} {}", "x".repeat(rest));
        Change::EnterPlayer(Box::new(Player::new(PlayerNo(no), &name)))
    };
    let many: Vec<Change> = (10..1_010).map(|no| player(no, 200)).collect();
    chief.apply(asked(None, &many)).await.unwrap();
    let too_many: Vec<Change> = (0..10_001).map(|_| player(10, 1)).collect();
    let status = chief.apply(asked(None, &too_many)).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    let huge = file(&vec![b' '; 4 * 1024 * 1024 + 1], "huge.trf");
    let status = chief.import(huge).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
}

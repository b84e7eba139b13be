//! Enrolling many clocks: printed sheets of codes, and a single code for all clocks, which an arbiter admits. The clocks are real agents.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

use clock_agent::enrol::{EnrolError, enrol};
use clock_agent::identity::{Enrolment, Keys};
use hub::identity::Role;
use prost::Message as _;
use proto::Side;
use proto::enrolment::EnrolmentCode;
use proto::grpc::{
    Admission, AdmitClocksRequest, ClockAdmission, CloseEnrolmentRequest,
    CreateEnrolmentSheetRequest, EnrolmentState, EnrolmentWindow, OpenEnrolmentRequest,
    ReadLogRequest, RefuseClockRequest, WatchEnrolmentRequest, WithdrawEnrolmentSheetRequest,
};
use proto::log::Record;
use proto::log::record::Input;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tonic::{Code, Status, Streaming};

use crate::agent;
use crate::arbiter::{Client, arbiter};
use crate::hall::{TestHub, program, within};
use crate::program::{command, expect};

/// A real clock that is enrolling, and the number on its display.
struct TestClock {
    key: String,
    number: mpsc::UnboundedReceiver<String>,
    enrolled: JoinHandle<Result<Enrolment, EnrolError>>,
}

impl TestClock {
    fn start(uri: &str, name: &str) -> Self {
        let code: EnrolmentCode = uri.parse().unwrap();
        let keys = Keys::generate().unwrap();
        let key = keys.agent_id().to_string();
        let (show, number) = mpsc::unbounded_channel();
        let name = name.to_owned();
        let enrolled = tokio::spawn(async move {
            let show = |number: &str| show.send(number.to_owned()).unwrap();
            enrol(&keys, &code, &name, show).await
        });
        Self {
            key,
            number,
            enrolled,
        }
    }

    async fn number(&mut self) -> String {
        let shown = within(self.number.recv(), "a number on the display").await;
        shown.unwrap()
    }

    async fn end(self) -> Result<Enrolment, EnrolError> {
        within(self.enrolled, "the end of the enrolment")
            .await
            .unwrap()
    }
}

async fn opened(client: &mut Client, clocks: u32, boards: &[&str]) -> EnrolmentWindow {
    let request = OpenEnrolmentRequest {
        clocks,
        boards: boards.iter().map(ToString::to_string).collect(),
        ..OpenEnrolmentRequest::default()
    };
    let state = client.open_enrolment(request).await.unwrap();
    state.into_inner().window.unwrap()
}

async fn watched(client: &mut Client) -> Streaming<EnrolmentState> {
    let states = client.watch_enrolment(WatchEnrolmentRequest {}).await;
    states.unwrap().into_inner()
}

/// Waits until at least this many clocks have asked to be admitted; returns the enrolment window that lists them.
async fn came(states: &mut Streaming<EnrolmentState>, count: usize) -> EnrolmentWindow {
    let look = async {
        loop {
            let state = states.message().await.unwrap().unwrap();
            if let Some(window) = state.window.filter(|one| one.came.len() >= count) {
                return window;
            }
        }
    };
    within(look, "clocks in the list").await
}

async fn admit(
    client: &mut Client,
    window: &EnrolmentWindow,
    keys: &[&str],
) -> Result<EnrolmentWindow, Status> {
    let clocks = keys.iter().map(|key| Admission {
        key: (*key).to_owned(),
        board: String::new(),
    });
    let request = AdmitClocksRequest {
        window: window.window,
        clocks: clocks.collect(),
    };
    let state = client.admit_clocks(request).await?;
    Ok(state.into_inner().window.unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clocks_with_one_code_are_the_halls_only_once_an_arbiter_admits_them() {
    let hub = TestHub::start().await;
    for board in ["1", "2", "3"] {
        hub.add_board(board, "5m").await;
    }
    let mut client = arbiter(&hub, Role::Chief).await;
    let window = opened(&mut client, 3, &["1", "2", "3"]).await;
    assert_eq!((window.clocks, window.actor.as_str()), (3, "Ann"));
    let mut states = watched(&mut client).await;
    let mut clocks = Vec::new();
    for n in 1..=3 {
        let mut clock = TestClock::start(&window.uri, &format!("clock {n}"));
        let number = clock.number().await;
        let list = came(&mut states, n).await.came;
        let last = list.last().unwrap();
        // When the number appears on the display, the list already shows it.
        assert_eq!((&last.number, &last.key), (&number, &clock.key));
        assert_eq!(last.name, format!("clock {n}"));
        assert!(
            last.firmware.starts_with("clock-agent "),
            "{}",
            last.firmware
        );
        assert_eq!(
            (last.address.as_str(), last.board.clone()),
            ("127.0.0.1", n.to_string())
        );
        clocks.push(clock);
    }
    assert_eq!(
        hub.server.hub().ask(hall::AskAgents).await.unwrap(),
        [],
        "none was admitted"
    );

    let keys: Vec<&str> = clocks.iter().map(|clock| clock.key.as_str()).collect();
    let admitted = admit(&mut client, &window, &keys).await.unwrap();
    let done = |one: &proto::grpc::EnrollingClock| one.admission() == ClockAdmission::Admitted;
    assert!(admitted.came.iter().all(done), "{admitted:?}");
    for (clock, board) in clocks.into_iter().zip(["1", "2", "3"]) {
        let key = clock.key.clone();
        assert_eq!(clock.end().await.unwrap().board, board);
        let served = hub.board(board).agent.map(|agent| agent.to_string());
        assert_eq!(served, Some(key));
    }
    let request = ReadLogRequest::default();
    let mut lines = client.read_log(request).await.unwrap().into_inner();
    let mut by = Vec::new();
    while let Some(line) = lines.message().await.unwrap() {
        if let Some(Input::AgentEnrolled(one)) = Record::decode(&line.record[..]).unwrap().input {
            assert!(line.text.contains("admitted by Ann"), "{}", line.text);
            by.push(one.admitted_by);
        }
    }
    assert_eq!(by, ["Ann"; 3]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stranger_with_a_leaked_code_is_not_admitted_with_the_others() {
    let hub = TestHub::start().await;
    let mut client = arbiter(&hub, Role::Chief).await;
    let window = opened(&mut client, 2, &[]).await;
    let mut states = watched(&mut client).await;
    let mut clocks = Vec::new();
    for n in 0..3 {
        let mut clock = TestClock::start(&window.uri, &format!("clock {n}"));
        clock.number().await;
        clocks.push(clock);
    }
    came(&mut states, 3).await;
    let keys: Vec<String> = clocks.iter().map(|clock| clock.key.clone()).collect();
    let refused = admit(&mut client, &window, &[&keys[0], &keys[1]])
        .await
        .unwrap_err();
    assert_eq!(refused.code(), Code::FailedPrecondition);
    assert!(
        refused
            .message()
            .contains("3 clocks connected instead of 2"),
        "{refused}"
    );
    assert_eq!(hub.server.hub().ask(hall::AskAgents).await.unwrap(), []);

    let request = RefuseClockRequest {
        window: window.window,
        key: keys[2].clone(),
    };
    client.refuse_clock(request).await.unwrap();
    let stranger = clocks.pop().unwrap().end().await.unwrap_err();
    assert!(
        stranger.to_string().contains("arbiter refused"),
        "{stranger}"
    );
    admit(&mut client, &window, &[&keys[0], &keys[1]])
        .await
        .unwrap();
    for clock in clocks {
        clock.end().await.unwrap();
    }
    let known = hub.server.hub().ask(hall::AskAgents).await.unwrap();
    assert!(known.iter().all(|one| one.agent.to_string() != keys[2]));
    assert_eq!(known.len(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_closed_window_turns_waiting_clocks_away_and_counts_no_wrong_guess() {
    let hub = TestHub::start().await;
    let mut client = arbiter(&hub, Role::Chief).await;
    let window = opened(&mut client, 2, &[]).await;
    let again = client.open_enrolment(OpenEnrolmentRequest {
        clocks: 1,
        ..OpenEnrolmentRequest::default()
    });
    let refused = again.await.unwrap_err();
    assert!(
        refused.message().contains("Ann has enrolment open"),
        "{refused}"
    );
    let mut clock = TestClock::start(&window.uri, "clock");
    clock.number().await;
    // `agent::enrol` behaves like firmware that predates codes for many clocks.
    let code: EnrolmentCode = window.uri.parse().unwrap();
    let address = hub.server.addresses().listen;
    let old = agent::enrol(address, &code, &agent::new_key()).await;
    assert!(old.unwrap_err().contains("cannot wait"));
    let close = CloseEnrolmentRequest {
        window: window.window,
    };
    client.close_enrolment(close).await.unwrap();
    let key = clock.key.clone();
    let ended = clock.end().await.unwrap_err();
    assert!(ended.to_string().contains("has ended"), "{ended}");
    let late = admit(&mut client, &window, &[&key]).await.unwrap_err();
    assert!(late.message().contains("has ended"), "{late}");
    for _ in 0..6 {
        let told = agent::enrol(address, &code, &agent::new_key()).await;
        assert!(told.unwrap_err().contains("has ended"));
    }
    // The hub does not count this refusal as a wrong code from the clock's address.
    agent::Identity::enrol(&hub, "").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_floor_arbiter_enrols_no_clock() {
    let hub = TestHub::start().await;
    hub.add_board("1", "5m").await;
    let mut chief = arbiter(&hub, Role::Chief).await;
    let window = opened(&mut chief, 1, &[]).await;
    let mut clock = TestClock::start(&window.uri, "clock");
    clock.number().await;
    let mut floor = arbiter(&hub, Role::Floor).await;
    let refusals = [
        admit(&mut floor, &window, &[&clock.key]).await.map(drop),
        floor
            .create_enrolment_sheet(CreateEnrolmentSheetRequest::default())
            .await
            .map(drop),
        floor
            .withdraw_enrolment_sheet(WithdrawEnrolmentSheetRequest::default())
            .await
            .map(drop),
        floor
            .open_enrolment(OpenEnrolmentRequest::default())
            .await
            .map(drop),
        floor
            .refuse_clock(RefuseClockRequest::default())
            .await
            .map(drop),
        floor
            .close_enrolment(CloseEnrolmentRequest::default())
            .await
            .map(drop),
        // Only the chief arbiter may read the code, because it is a secret.
        floor
            .watch_enrolment(WatchEnrolmentRequest {})
            .await
            .map(drop),
    ];
    for refusal in refusals {
        assert_eq!(refusal.unwrap_err().code(), Code::PermissionDenied);
    }
    assert_eq!(hub.server.hub().ask(hall::AskAgents).await.unwrap(), []);
    clock.enrolled.abort();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sheet_has_a_code_for_each_board_without_a_clock_and_is_withdrawn_as_a_whole() {
    let hub = TestHub::start().await;
    for board in ["10", "9", "2"] {
        hub.add_board(board, "5m").await;
    }
    agent::Identity::enrol(&hub, "9").await;
    let mut client = arbiter(&hub, Role::Chief).await;
    let request = CreateEnrolmentSheetRequest::default();
    let sheet = client.create_enrolment_sheet(request).await.unwrap();
    let sheet = sheet.into_inner();
    let boards: Vec<&str> = sheet.codes.iter().map(|code| code.board.as_str()).collect();
    assert_eq!(boards, ["2", "10"]);
    assert_eq!(sheet.valid_for_us, 12 * 3_600_000_000);

    let clock = TestClock::start(&sheet.codes[1].uri, "clock");
    assert_eq!(clock.end().await.unwrap().board, "10");
    let second = TestClock::start(&sheet.codes[1].uri, "another");
    let used = second.end().await.unwrap_err();
    assert!(used.to_string().contains("not valid"), "{used}");
    let mut states = watched(&mut client).await;
    let state = states.message().await.unwrap().unwrap();
    assert_eq!(state.sheets.len(), 1);
    assert_eq!(
        (state.sheets[0].codes, &state.sheets[0].unused[..]),
        (2, &["2".to_owned()][..])
    );

    let withdraw = WithdrawEnrolmentSheetRequest { sheet: sheet.sheet };
    let reply = client.withdraw_enrolment_sheet(withdraw).await.unwrap();
    assert_eq!(reply.into_inner().withdrawn, 1);
    let state = within(states.message(), "the list without the sheet").await;
    assert_eq!(state.unwrap().unwrap().sheets, []);
    let late = TestClock::start(&sheet.codes[0].uri, "late").end().await;
    assert!(late.unwrap_err().to_string().contains("withdrawn"));
    let again = client.withdraw_enrolment_sheet(withdraw).await.unwrap_err();
    assert_eq!(again.code(), Code::FailedPrecondition);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sheet_for_two_clocks_a_board_binds_each_code_to_a_side() {
    let hub = TestHub::start().await;
    hub.add_board("1", "5m").await;
    let mut client = arbiter(&hub, Role::Chief).await;
    let request = CreateEnrolmentSheetRequest {
        boards: vec!["1".to_owned()],
        each_side: true,
        valid_for_us: 600_000_000,
    };
    let sheet = client.create_enrolment_sheet(request).await.unwrap();
    let codes = sheet.into_inner().codes;
    let sides: Vec<Side> = codes.iter().map(proto::grpc::SheetCode::side).collect();
    assert_eq!(sides, [Side::White, Side::Black]);
    let black = TestClock::start(&codes[1].uri, "black's");
    let key = black.key.clone();
    black.end().await.unwrap();
    let clocks = hub.board("1").clocks.unwrap();
    assert_eq!(clocks.white.agent, None);
    assert_eq!(clocks.black.agent.map(|agent| agent.to_string()), Some(key));
    let hub = hub.restart().await;
    assert!(hub.board("1").clocks.unwrap().black.agent.is_some());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_command_line_admits_all_and_prints_and_withdraws_sheets() {
    let hub = TestHub::start().await;
    for board in ["1", "2"] {
        hub.add_board(board, "5m").await;
    }
    let address = hub.server.addresses().listen.to_string();
    let dir = hub.dir.path().to_str().unwrap().to_owned();
    let of_hub = ["enrol", "--hub", &address, "--data-dir", &dir];
    let words = ["--clocks", "2", "--boards", "1-2", "--admit-all"];
    let words = [&of_hub[..], &words].concat();
    let mut child = command(&words).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let (uri, mut lines) = tokio::task::spawn_blocking(move || (lines.next(), lines))
        .await
        .unwrap();
    let uri = uri.unwrap().unwrap();
    let clocks = [TestClock::start(&uri, "a"), TestClock::start(&uri, "b")];
    for clock in clocks {
        clock.end().await.unwrap();
    }
    let printed = tokio::task::spawn_blocking(move || {
        let text: Vec<String> = lines.by_ref().map(Result::unwrap).collect();
        (child.wait().unwrap().code(), text.join("\n"))
    });
    let (code, printed) = within(printed, "the end of the program").await.unwrap();
    assert_eq!(code, Some(0), "{printed}");
    assert_eq!(printed.matches("admitted, board").count(), 2, "{printed}");
    assert!(hub.board("1").agent.is_some() && hub.board("2").agent.is_some());

    let none = program(&hub, "enrol", &["--sheet"]).await;
    let (_, said) = expect(&none, 1);
    assert!(said.contains("every board has a clock"), "{said}");
    let sheet = program(&hub, "enrol", &["--sheet", "--boards", "1-2"]).await;
    let (out, said) = expect(&sheet, 0);
    let boards: Vec<&str> = out.lines().map(|line| &line[..12]).collect();
    assert_eq!(boards, ["1 flagfall:/", "2 flagfall:/"]);
    let number = said
        .split_once("--withdraw ")
        .unwrap()
        .1
        .split('`')
        .next()
        .unwrap();
    let withdrawn = program(&hub, "enrol", &["--withdraw", number]).await;
    let (out, _) = expect(&withdrawn, 0);
    assert!(out.starts_with("2 unused codes"), "{out}");
}

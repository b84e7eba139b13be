//! The rules of a window, in virtual time.

use super::*;

const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);
const TOKEN: [u8; 16] = [7; 16];

fn at(secs: i64) -> Instant<Hub> {
    Instant::from_micros(secs * 1_000_000)
}

fn agent(n: u8) -> AgentId {
    AgentId([n; 32])
}

fn opened(clocks: usize, boards: &[&str]) -> Windows {
    let mut windows = Windows::default();
    let order = WindowOrder {
        expected: clocks,
        open_for: OPEN_FOR,
        boards: boards.iter().map(ToString::to_string).collect(),
        actor: "Ann".to_owned(),
    };
    assert_eq!(windows.open(at(0), TOKEN, order), Ok(1));
    windows
}

fn come(windows: &mut Windows, secs: i64, n: u8) -> Option<Result<Reply, WindowRefusal>> {
    let request = EnrolRequest {
        token: TOKEN.to_vec(),
        can_wait: true,
        ..EnrolRequest::default()
    };
    // The random number is the same for every clock, but the assigned numbers differ.
    windows.arrive(at(secs), &newcomer(n), &request, HERE, 3711)
}

fn newcomer(n: u8) -> Newcomer {
    Newcomer {
        agent: agent(n),
        exchange_key: Vec::new(),
        name: format!("clock {n}").parse().unwrap(),
        firmware: "test".parse().unwrap(),
        renews: false,
    }
}

fn wait(number: &str, new: bool) -> Option<Result<Reply, WindowRefusal>> {
    let number = number.to_owned();
    Some(Ok(Reply::Wait { number, new }))
}

fn admission(n: u8, board: &str) -> Admission {
    Admission {
        agent: agent(n),
        board: board.to_owned(),
    }
}

fn certify(windows: &mut Windows, chosen: &[(Newcomer, String)]) {
    for (newcomer, board) in chosen {
        let enrolled = Enrolled {
            board: board.clone(),
            ..Enrolled::default()
        };
        windows.certified(1, newcomer.agent, Ok(enrolled));
    }
}

fn list(windows: &mut Windows) -> Vec<(String, Arrival, String)> {
    let view = windows.view(at(1)).unwrap();
    let clocks = view.clocks.into_iter();
    clocks
        .map(|clock| (clock.number, clock.arrival, clock.board))
        .collect()
}

#[test]
fn clocks_wait_with_distinct_numbers_until_they_are_admitted() {
    let mut windows = opened(2, &["7", "8"]);
    assert_eq!(come(&mut windows, 1, 1), wait("4711", true));
    assert_eq!(come(&mut windows, 1, 2), wait("4712", true));
    assert_eq!(come(&mut windows, 3, 1), wait("4711", false));
    let both = [admission(2, ""), admission(1, "")];
    let chosen = windows.admit(at(4), 1, &both).unwrap();
    // Boards follow the order of arrival, whatever the order of the request.
    let boards: Vec<_> = chosen
        .iter()
        .map(|(clock, board)| (clock.agent, &**board))
        .collect();
    assert_eq!(boards, [(agent(1), "7"), (agent(2), "8")]);
    assert_eq!(
        come(&mut windows, 4, 1),
        wait("4711", false),
        "not in the log yet"
    );
    certify(&mut windows, &chosen);
    let Some(Ok(Reply::Enrolled(enrolled))) = come(&mut windows, 5, 1) else {
        panic!("it was admitted");
    };
    assert_eq!(enrolled.board, "7");
}

#[test]
fn named_boards_are_not_assigned_twice() {
    let mut windows = opened(3, &["1", "2", "3"]);
    for n in 1..=3 {
        come(&mut windows, 1, n);
    }
    let all = [admission(1, ""), admission(2, "1"), admission(3, "")];
    let chosen = windows.admit(at(2), 1, &all).unwrap();
    let boards: Vec<_> = chosen.iter().map(|(_, board)| &**board).collect();
    assert_eq!(boards, ["2", "1", "3"]);
}

#[test]
fn all_are_admitted_together_only_if_no_more_came_than_expected() {
    let mut windows = opened(2, &[]);
    for n in 1..=3 {
        come(&mut windows, 1, n);
    }
    let two = [admission(1, ""), admission(2, "")];
    let more = WindowRefusal::MoreThanAsked { came: 3, wanted: 2 };
    assert_eq!(windows.admit(at(2), 1, &two), Err(more));
    // A stranger's clock does no harm once the arbiter has compared the numbers and refused it.
    windows.refuse(at(2), 1, agent(3)).unwrap();
    assert_eq!(come(&mut windows, 3, 3), Some(Err(WindowRefusal::Refused)));
    assert_eq!(windows.admit(at(3), 1, &two).unwrap().len(), 2);
}

#[test]
fn an_admission_that_names_a_clock_that_is_not_waiting_admits_none() {
    let mut windows = opened(5, &["1"]);
    come(&mut windows, 1, 1);
    let unknown = [admission(1, ""), admission(9, "")];
    let refused = windows.admit(at(2), 1, &unknown);
    assert_eq!(refused, Err(WindowRefusal::NotWaiting(agent(9))));
    let waiting = ("4711".to_owned(), Arrival::Waiting, "1".to_owned());
    assert_eq!(list(&mut windows), [waiting]);
    let chosen = windows.admit(at(2), 1, &[admission(1, "")]).unwrap();
    let again = windows.admit(at(2), 1, &[admission(1, "")]);
    assert_eq!(again, Err(WindowRefusal::NotWaiting(agent(1))));
    // The hall refuses the clock, which then keeps waiting. Its board is free again.
    windows.certified(1, chosen[0].0.agent, Err("shut out".to_owned()));
    let clock = windows.view(at(2)).unwrap().clocks.remove(0);
    assert_eq!(
        (clock.arrival, clock.problem),
        (Arrival::Waiting, "shut out".to_owned())
    );
    assert_eq!(clock.board, "1");
}

#[test]
fn after_the_end_only_admitted_clocks_are_answered() {
    let mut windows = opened(3, &[]);
    come(&mut windows, 1, 1);
    come(&mut windows, 1, 2);
    let chosen = windows.admit(at(2), 1, &[admission(1, "")]).unwrap();
    certify(&mut windows, &chosen);
    assert_eq!(
        windows.view(at(899)).unwrap().remaining,
        Duration::from_secs(1)
    );
    assert_eq!(come(&mut windows, 900, 2), Some(Err(WindowRefusal::Ended)));
    assert_eq!(come(&mut windows, 900, 3), Some(Err(WindowRefusal::Ended)));
    assert!(matches!(
        come(&mut windows, 900, 1),
        Some(Ok(Reply::Enrolled(_)))
    ));
    let late = windows.admit(at(900), 1, &[admission(2, "")]);
    assert_eq!(late, Err(WindowRefusal::Ended));
    assert_eq!(windows.view(at(900)).unwrap().remaining, Duration::ZERO);
    assert_eq!(
        come(&mut windows, 1500, 2),
        None,
        "the code is no window's any more"
    );
}

#[test]
fn one_window_is_open_at_a_time_and_within_limits() {
    let mut windows = opened(3, &[]);
    let order = |clocks, secs| WindowOrder {
        expected: clocks,
        open_for: Duration::from_secs(secs),
        boards: Vec::new(),
        actor: "Ben".to_owned(),
    };
    let open = Err(WindowRefusal::AlreadyOpen("Ann".to_owned()));
    assert_eq!(windows.open(at(1), [8; 16], order(1, 60)), open);
    windows.close(at(1), 1).unwrap();
    assert_eq!(come(&mut windows, 1, 1), Some(Err(WindowRefusal::Ended)));
    for (clocks, secs) in [(0, 60), (501, 60), (1, 59), (1, 3601)] {
        let refused = windows.open(at(1), [8; 16], order(clocks, secs));
        assert_eq!(refused, Err(WindowRefusal::Limits), "{clocks} {secs}");
    }
    assert_eq!(windows.open(at(1), [8; 16], order(500, 3600)), Ok(2));
    assert_eq!(windows.view(at(1)).unwrap().id, 2);
}

#[test]
fn a_leaked_code_does_not_fill_the_memory_and_old_firmware_is_told_why() {
    let mut windows = opened(2, &[]);
    for n in 0..22 {
        assert!(matches!(come(&mut windows, 1, n), Some(Ok(_))), "{n}");
    }
    assert_eq!(
        come(&mut windows, 1, 22),
        Some(Err(WindowRefusal::ListFull))
    );
    let numbers: std::collections::BTreeSet<_> =
        list(&mut windows).into_iter().map(|one| one.0).collect();
    assert_eq!(numbers.len(), 22);
    let mut windows = opened(2, &[]);
    let old = EnrolRequest {
        token: TOKEN.to_vec(),
        ..EnrolRequest::default()
    };
    let answer = windows.arrive(at(1), &newcomer(1), &old, HERE, 0);
    assert_eq!(answer, Some(Err(WindowRefusal::CannotWait)));
    assert!(list(&mut windows).is_empty());
}

//! The feed: numbering, resuming, slow subscribers, and the bytes that watchers get.

use super::*;
use hall::view::{BoardState, Flag, PlanSegment, Running, SideView};

fn side(us: i64) -> SideView {
    SideView {
        name: "Østergård, Maja".into(),
        us,
        phase: "main",
        moves: 3,
        period: 1,
        flag: Flag::None,
        byo_left: None,
        stones: None,
        bank_us: None,
        points: None,
        delay_us: None,
    }
}

fn board(name: &str) -> BoardView {
    BoardView {
        board: name.into(),
        white: side(60_000_000),
        black: side(50_000_000),
        running: Running::White,
        next: None,
        paused: false,
        online: true,
        no_clock: false,
        clocks: None,
        state: BoardState::Running,
        since_us: None,
        silent_since_us: None,
        first_flag: None,
        result: None,
        draw_odds: None,
        control: "5m+3s".into(),
        plan: vec![
            segment(1_000_000, 60_000_000, -1),
            segment(61_000_000, 0, 0),
        ],
        seq: 9,
        last: None,
        note: None,
    }
}

fn segment(from_us: i64, white_us: i64, white_rate: i8) -> PlanSegment {
    PlanSegment {
        from_us,
        white_us,
        black_us: 50_000_000,
        white_rate,
        black_rate: 0,
        white_phase: "main",
        black_phase: "main",
    }
}

fn feed(capacity: usize) -> Arc<LiveFeed> {
    Arc::new(LiveFeed::new(77, capacity, || 5_000_000))
}

fn seqs_now(subscription: &mut Subscription) -> Vec<String> {
    let mut seen = Vec::new();
    while let Some(Some(message)) = futures::FutureExt::now_or_never(subscription.next()) {
        seen.push(match message {
            Message::Delta(delta) => delta.seq.to_string(),
            Message::Resync { seq } => format!("resync {seq}"),
        });
    }
    seen
}

#[test]
fn every_change_is_numbered_and_encoded_once_as_event_and_json() {
    let feed = feed(8);
    feed.publish(5_000_000, vec![board("17")], None);
    let mut subscription = feed.subscribe(Some((77, 0)));
    let Some(Some(Message::Delta(delta))) = futures::FutureExt::now_or_never(subscription.next())
    else {
        panic!("a change was published");
    };
    let json: serde_json::Value = serde_json::from_slice(&delta.json).unwrap();
    assert_eq!(json["epoch"], 77);
    assert_eq!(json["seq"], 1);
    assert_eq!(json["hub_us"], 5_000_000);
    assert_eq!(json["board"]["board"], "17");
    assert_eq!(
        json["board"]["white"]["us"], 56_000_000,
        "time in hand is given at hub_us, from the plan"
    );
    let frame = std::str::from_utf8(&delta.frame).unwrap();
    assert!(frame.starts_with("id: 77-1\nevent: board\ndata: {"));
    assert!(frame.ends_with("}\n\n"));
    assert_eq!(frame.lines().count(), 4, "one data line and the blank one");
}

#[test]
fn a_watcher_that_comes_back_in_time_gets_exactly_what_it_missed() {
    let feed = feed(8);
    for n in 1..=5 {
        feed.publish(n, vec![board("1")], None);
    }
    assert_eq!(
        seqs_now(&mut feed.subscribe(Some((77, 2)))),
        ["3", "4", "5"]
    );
    assert_eq!(seqs_now(&mut feed.subscribe(Some((77, 5)))), [""; 0]);
    assert_eq!(seqs_now(&mut feed.subscribe(None)), [""; 0]);
}

#[test]
fn a_watcher_from_another_epoch_or_from_too_long_ago_is_told_to_resynchronise() {
    let feed = feed(4);
    for n in 1..=10 {
        feed.publish(n, vec![board("1")], None);
    }
    assert_eq!(seqs_now(&mut feed.subscribe(Some((76, 9)))), ["resync 10"]);
    assert_eq!(seqs_now(&mut feed.subscribe(Some((77, 5)))), ["resync 10"]);
    assert_eq!(
        seqs_now(&mut feed.subscribe(Some((77, 6)))),
        ["7", "8", "9", "10"]
    );
    assert_eq!(
        seqs_now(&mut feed.subscribe(Some((77, 11)))),
        ["resync 10"],
        "a number that was never given out is not waited for"
    );
}

#[test]
fn a_slow_watcher_resynchronises_and_then_follows_again() {
    let feed = feed(4);
    let mut slow = feed.subscribe(None);
    for n in 1..=9 {
        feed.publish(n, vec![board("1")], None);
    }
    assert_eq!(seqs_now(&mut slow), ["resync 9"]);
    feed.publish(10, vec![board("1")], None);
    assert_eq!(seqs_now(&mut slow), ["10"]);
    assert_eq!(slow.position(), 10);
}

#[tokio::test]
async fn a_waiting_watcher_wakes_for_a_change() {
    let feed = feed(4);
    let mut watcher = feed.subscribe(None);
    let publish = async { feed.publish(1, vec![board("2")], None) };
    let (message, ()) = tokio::join!(watcher.next(), publish);
    assert!(matches!(message, Some(Message::Delta(delta)) if delta.seq == 1));
}

#[test]
fn boards_stand_in_the_order_of_their_numbers_and_leave_when_withdrawn() {
    let feed = feed(8);
    for name in ["10", "2", "B", "1", "2a"] {
        feed.publish(1, vec![board(name)], None);
    }
    let names = |feed: &LiveFeed| -> Vec<String> {
        feed.snapshot()
            .boards
            .iter()
            .map(|b| b.board.clone())
            .collect()
    };
    assert_eq!(names(&feed), ["1", "2", "2a", "10", "B"]);
    feed.withdraw(2, &["2a".into(), "absent".into()]);
    assert_eq!(names(&feed), ["1", "2", "10", "B"]);
    assert_eq!(feed.newest(), 6, "an absent board is no change");
}

#[test]
fn a_snapshot_names_its_place_and_gives_times_at_its_own_instant() {
    let feed = feed(8);
    let event = EventView {
        name: "Harbour Cup 2026".into(),
        round: Some(5),
        ..EventView::default()
    };
    feed.publish(1_000_000, vec![board("1")], Some(event));
    let json: serde_json::Value = serde_json::from_slice(&feed.snapshot().to_json()).unwrap();
    assert_eq!(json["epoch"], 77);
    assert_eq!(json["seq"], 2);
    assert_eq!(json["hub_us"], 5_000_000);
    assert_eq!(json["event"]["round"], 5);
    assert_eq!(json["boards"][0]["white"]["us"], 56_000_000);
    assert_eq!(json["boards"][0]["black"]["us"], 50_000_000);
    assert!(
        json["boards"][0].get("result").is_none(),
        "absent, not null"
    );
}

#[test]
fn an_epoch_stays_exact_in_a_browser() {
    let feed = LiveFeed::new(u64::MAX, 1, || 0);
    assert_eq!(feed.epoch(), (1 << 53) - 1);
}

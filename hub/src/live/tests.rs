//! Tests of the published hall: its feeds, resuming, slow readers, and the bytes for spectators.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Wake, Waker};

use super::update::FEW_READERS;
use super::*;
use hall::BoardNote;
use hall::view::{BoardState, Flag, PlanSegment, Running, SideView};
use tournament::{
    Actor, BoardNo, Change as EventChange, GameResult, Outcome, PlayerNo, ProposalReason, RoundNo,
    Tournament,
};

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

fn board(name: &str, seq: u64) -> BoardView {
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
        seq,
        last: None,
        written: None,
        time_chess: None,
        note: None,
        later_us: None,
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

fn hall(capacity: usize) -> Arc<LiveHall> {
    Arc::new(LiveHall::new(77, capacity, || 5_000_000))
}

fn publish(hall: &LiveHall, view: BoardView) {
    let detail = Arc::new(BoardDetail::public(view));
    drop(hall.update(|update| update.board(detail)));
}

fn waiting<T: Clone>(subscription: &mut Subscription<T>) -> Vec<Message<T>> {
    let next = || futures::FutureExt::now_or_never(subscription.next()).flatten();
    std::iter::from_fn(next).collect()
}

fn seqs_now<T: Clone>(subscription: &mut Subscription<T>) -> Vec<String> {
    let text = |message| match message {
        Message::Change { seq, .. } => seq.to_string(),
        Message::Resync { seq } => format!("resync {seq}"),
    };
    waiting(subscription).into_iter().map(text).collect()
}

#[test]
fn a_change_is_numbered_and_encoded_once() {
    let hall = hall(8);
    publish(&hall, board("17", 9));
    let mut subscription = hall.public().subscribe(Some((77, 0)));
    let [Message::Change { seq: 1, change }] = &waiting(&mut subscription)[..] else {
        panic!("a change was published");
    };
    let frame = change.frame();
    assert_eq!(frame.as_ptr(), change.frame().as_ptr(), "shared");
    let frame = std::str::from_utf8(&frame).unwrap();
    let json = frame
        .strip_prefix("id: 77-1\nevent: board\ndata: ")
        .unwrap();
    let json: serde_json::Value = serde_json::from_str(json.strip_suffix("\n\n").unwrap()).unwrap();
    assert_eq!(json["epoch"], 77);
    assert_eq!(json["seq"], 1);
    assert_eq!(json["hub_us"], 5_000_000);
    assert_eq!(json["board"]["board"], "17");
    assert_eq!(
        json["board"]["white"]["us"], 56_000_000,
        "time in hand is given at hub_us, from the plan"
    );
    assert_eq!(frame.lines().count(), 4, "one data line and the blank one");
}

#[test]
fn a_reader_that_comes_back_in_time_gets_exactly_what_it_missed() {
    let hall = hall(8);
    for n in 1..=5 {
        publish(&hall, board("1", n));
    }
    let public = hall.public();
    assert_eq!(
        seqs_now(&mut public.subscribe(Some((77, 2)))),
        ["3", "4", "5"]
    );
    assert_eq!(seqs_now(&mut public.subscribe(Some((77, 5)))), [""; 0]);
    assert_eq!(seqs_now(&mut public.subscribe(None)), [""; 0]);
    let mut arbiters = hall.subscribe(Some((77, 3)));
    assert_eq!(seqs_now(&mut arbiters), ["4", "5"]);
}

#[derive(Default)]
struct Woken(AtomicUsize);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

#[tokio::test]
async fn a_reader_of_one_board_is_woken_for_that_board_and_for_the_event_alone() {
    let hall = hall(8);
    let woken = Arc::new(Woken::default());
    let waker = Waker::from(woken.clone());
    let mut context = Context::from_waker(&waker);
    let mut reader = hall.public().subscribe_to(Some("1"), None);
    let mut number = async |publish: &dyn Fn()| {
        let before = woken.0.load(Ordering::Relaxed);
        let mut next = Box::pin(reader.next());
        assert!(next.as_mut().poll(&mut context).is_pending());
        publish();
        let times = woken.0.load(Ordering::Relaxed) - before;
        drop(next);
        let read = waiting(&mut reader).len();
        (times, read)
    };
    assert_eq!(number(&|| publish(&hall, board("2", 1))).await, (0, 0));
    assert_eq!(number(&|| publish(&hall, board("1", 2))).await, (1, 1));
    let event = || drop(hall.update(|update| update.event(EventView::default())));
    let renamed = || {
        let name = "Harbour Cup".to_owned();
        let event = EventView {
            name,
            ..EventView::default()
        };
        drop(hall.update(|update| update.event(event)));
    };
    event();
    assert_eq!(number(&renamed).await.0, 1);
}

#[tokio::test]
async fn a_reader_of_one_board_gets_its_changes_and_the_events_and_keeps_its_place() {
    let hall = hall(6);
    let mut reader = hall.public().subscribe_to(Some("1"), None);
    for no in ["1", "2", "1", "2"] {
        publish(&hall, board(no, 1));
    }
    let name = "Harbour Cup".to_owned();
    let event = EventView {
        name,
        ..EventView::default()
    };
    drop(hall.update(|update| update.event(event)));
    let seqs = seqs_now(&mut reader);
    assert_eq!(seqs, ["1", "3"], "an unchanged board is not told again");
    // Changes to other boards advance the position at which the reader may resume.
    publish(&hall, board("2", 2));
    assert_eq!(seqs_now(&mut reader), [""; 0]);
    assert_eq!(reader.position(), 4);
    for n in 3..=9 {
        publish(&hall, board("2", n));
    }
    publish(&hall, board("1", 2));
    assert_eq!(
        seqs_now(&mut reader),
        ["resync 12"],
        "more than the ring holds"
    );
    let mut back = hall.public().subscribe_to(Some("1"), Some((77, 9)));
    assert_eq!(seqs_now(&mut back), ["12"]);
}

#[test]
fn a_reader_from_another_epoch_or_from_too_long_ago_is_told_to_resynchronise() {
    let hall = hall(4);
    for n in 1..=10 {
        publish(&hall, board("1", n));
    }
    let now = |after| seqs_now(&mut hall.public().subscribe(Some(after)));
    assert_eq!(now((76, 9)), ["resync 10"]);
    assert_eq!(now((77, 5)), ["resync 10"]);
    assert_eq!(now((77, 6)), ["7", "8", "9", "10"]);
    assert_eq!(
        now((77, 11)),
        ["resync 10"],
        "a number that was never given out is not waited for"
    );
}

#[test]
fn a_slow_reader_resynchronises_and_then_follows_again() {
    let hall = hall(4);
    let mut slow = hall.public().subscribe(None);
    for n in 1..=9 {
        publish(&hall, board("1", n));
    }
    assert_eq!(seqs_now(&mut slow), ["resync 9"]);
    publish(&hall, board("1", 10));
    assert_eq!(seqs_now(&mut slow), ["10"]);
    assert_eq!(slow.position(), 10);
}

#[tokio::test]
async fn a_waiting_reader_wakes_with_the_announcement() {
    let hall = hall(4);
    let mut subscription = hall.public().subscribe(None);
    let reader = tokio::spawn(async move { subscription.next().await });
    // Let the new task run: tasks of this test share one thread.
    tokio::task::yield_now().await;
    let detail = Arc::new(BoardDetail::public(board("2", 1)));
    let news = hall.update(|update| update.board(detail));
    assert!(hall.board("2").is_some(), "written before anyone is woken");
    tokio::task::yield_now().await;
    assert!(!reader.is_finished());
    drop(news);
    let message = reader.await.unwrap();
    assert!(matches!(message, Some(Message::Change { seq: 1, .. })));
}

#[tokio::test]
async fn a_task_wakes_many_spectators_once_for_all_changes_and_the_publisher_wakes_a_few() {
    let hall = hall(8);
    let woken = Arc::new(Woken::default());
    let waker = Waker::from(woken.clone());
    let times = || woken.0.load(Ordering::Relaxed);
    let mut reader = hall.public().subscribe(None);
    let others = [(); FEW_READERS].map(|()| hall.public().subscribe(None));
    let waking = hall.clone();
    let task = tokio::spawn(async move { waking.keep_waking_spectators().await });
    // Let the new task run: tasks of this test share one thread.
    tokio::task::yield_now().await;
    {
        let mut next = Box::pin(reader.next());
        let mut context = Context::from_waker(&waker);
        assert!(next.as_mut().poll(&mut context).is_pending());
        publish(&hall, board("1", 1));
        publish(&hall, board("2", 1));
        assert_eq!(times(), 0, "the publisher woke a spectator");
        tokio::task::yield_now().await;
        assert_eq!(times(), 1);
    }
    assert_eq!(seqs_now(&mut reader), ["1", "2"]);
    drop(others);
    {
        let mut next = Box::pin(reader.next());
        let mut context = Context::from_waker(&waker);
        assert!(next.as_mut().poll(&mut context).is_pending());
        publish(&hall, board("3", 1));
        assert_eq!(times(), 2, "the publisher wakes a few readers itself");
    }
    task.abort();
}

#[test]
fn changes_are_gathered_longer_for_more_readers_and_not_for_few() {
    let us = |readers| super::gathered(readers).map(|time| time.as_micros());
    assert_eq!(
        [0, 1, 199, 200, 2_000, 20_000].map(us),
        [None, None, None, Some(1_000), Some(10_000), Some(10_000)]
    );
    let hall = hall(8);
    let all = hall.public().subscribe(None);
    let of_boards = ["1", "1", "2"].map(|board| hall.public().subscribe_to(Some(board), None));
    assert_eq!(hall.public.readers(), 4);
    drop((all, of_boards));
    assert_eq!(hall.public.readers(), 0);
}

#[test]
fn boards_stand_in_the_order_of_their_numbers_and_leave_when_gone() {
    let hall = hall(8);
    for name in ["10", "2", "B", "1", "2a"] {
        publish(&hall, board(name, 1));
    }
    let names = || -> Vec<String> {
        let boards = hall.public().snapshot().boards;
        boards.iter().map(|board| board.board.clone()).collect()
    };
    assert_eq!(names(), ["1", "2", "2a", "10", "B"]);
    drop(hall.update(|update| {
        update.gone("2a");
        update.gone("absent");
    }));
    assert_eq!(names(), ["1", "2", "10", "B"]);
    assert_eq!(
        hall.public().newest(),
        6,
        "an absent board that goes is no change"
    );
    assert_eq!(hall.counts(), (4, 4));
}

#[test]
fn the_end_of_a_game_is_announced_once() {
    let hall = hall(8);
    let mut games_over = hall.follow_games_over();
    let mut announces = |state| {
        publish(
            &hall,
            BoardView {
                state,
                ..board("1", 1)
            },
        );
        let announced = games_over.has_changed().unwrap();
        games_over.mark_unchanged();
        announced
    };
    let (running, over) = (BoardState::Running, BoardState::Over);
    let states = [over, over, running, over, over, running];
    // The first state of a board ends no game: it may have ended before this run.
    let expected = [false, false, false, true, false, false];
    assert_eq!(states.map(&mut announces), expected);
}

#[test]
fn of_several_states_in_a_batch_readers_get_the_newest() {
    let hall = hall(8);
    let mut public = hall.public().subscribe(None);
    let detail = |name, seq| Arc::new(BoardDetail::public(board(name, seq)));
    drop(hall.update(|update| {
        update.board(detail("2", 1));
        update.board(detail("1", 1));
        update.board(detail("2", 2));
        update.board(detail("3", 1));
        update.gone("3");
    }));
    assert_eq!(seqs_now(&mut public), ["1", "2"]);
    assert_eq!(hall.public().board("2").unwrap().seq, 2);
    assert!(hall.board("3").is_none());
}

#[test]
fn spectators_see_no_data_for_arbiters() {
    let hall = hall(8);
    publish(&hall, board("1", 1));
    let mut public = hall.public().subscribe(None);
    let mut arbiters = hall.subscribe(None);
    let mut viewers = hall.subscribe_for(Audience::Viewers, None);
    let note = BoardNote::new(
        hall::NoteKind::IgnoredPresses,
        "Presses that count for nothing.".into(),
    );
    // The same board a second later, after a probe that changed the clock's offset.
    let mut view = board("1", 1);
    view.white.us -= 1_000_000;
    view.plan = vec![
        segment(2_000_012, 59_000_000, -1),
        segment(61_000_012, 0, 0),
    ];
    let mut detail = BoardDetail::public(view);
    detail.notes.push(note.clone());
    drop(hall.update(|update| update.board(Arc::new(detail))));
    hall.tell_arbiters("1");
    assert_eq!(seqs_now(&mut public), [""; 0]);
    assert_eq!(seqs_now(&mut viewers), [""; 0]);
    assert_eq!(seqs_now(&mut arbiters), ["2", "3"]);
    assert_eq!(hall.board("1").unwrap().notes, [note]);
    let seen = hall.board_for(Audience::Viewers, "1").unwrap();
    assert_eq!(seen.notes, []);

    publish(&hall, board("1", 2));
    assert_eq!(seqs_now(&mut public), ["2"]);
    assert_eq!(seqs_now(&mut viewers), ["2"]);
    assert_eq!(seqs_now(&mut arbiters), ["4"]);
}

#[test]
fn small_shifts_of_a_clock_add_up_to_a_change() {
    let hall = hall(8);
    publish(&hall, board("1", 1));
    let mut public = hall.public().subscribe(None);
    let shifted = |us| {
        let mut view = board("1", 1);
        for segment in &mut view.plan {
            segment.from_us += us;
        }
        view
    };
    for us in [400, 800, 1_000] {
        publish(&hall, shifted(us));
        assert_eq!(seqs_now(&mut public), [""; 0], "{us}");
    }
    publish(&hall, shifted(1_200));
    assert_eq!(seqs_now(&mut public), ["2"]);
}

#[test]
fn an_event_that_stays_as_it_was_is_no_change() {
    let hall = hall(8);
    let event = |round| EventView {
        name: "Harbour Cup 2026".into(),
        round: Some(round),
        ..EventView::default()
    };
    for (round, newest) in [(1, 1), (1, 1), (2, 2)] {
        drop(hall.update(|update| update.event(event(round))));
        assert_eq!(hall.public().newest(), newest);
        assert_eq!(hall.snapshot_for(Audience::Arbiters).seq, newest);
    }
}

#[test]
fn a_snapshot_names_its_place_and_gives_times_at_its_own_instant() {
    let hall = hall(8);
    let event = EventView {
        name: "Harbour Cup 2026".into(),
        round: Some(5),
        ..EventView::default()
    };
    drop(hall.update(|update| update.event(event)));
    publish(&hall, board("1", 1));
    let json: serde_json::Value =
        serde_json::from_slice(&hall.public().snapshot().to_json()).unwrap();
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
    let hall = LiveHall::new(u64::MAX, 1, || 0);
    assert_eq!(hall.epoch(), (1 << 53) - 1);
}

fn paired() -> Tournament {
    let mut event = Tournament::new(tournament::Event::new("Harbour Cup", 3));
    for (no, name) in [(1, "Alpha, Anna"), (2, "Bravo, Bea")] {
        let player = tournament::Player::new(PlayerNo(no), name);
        make(&mut event, EventChange::EnterPlayer(Box::new(player)));
    }
    let pairings = tournament::Pairings {
        boards: vec![tournament::Pairing::new(
            BoardNo(1),
            PlayerNo(1),
            PlayerNo(2),
        )],
        ..tournament::Pairings::default()
    };
    make(
        &mut event,
        EventChange::PairRound(RoundNo(1), Box::new(pairings)),
    );
    event
}

fn make(event: &mut Tournament, change: EventChange) {
    event.apply(&Actor::chief("Doe"), change).unwrap();
}

#[test]
fn an_event_is_published_only_when_what_is_published_changes() {
    let (hall, mut event, mut version) = (hall(8), paired(), 0);
    let mut publish = |hall: &LiveHall, event: &Tournament| {
        version += 1;
        let now = TournamentNow::new(version, Arc::new(event.clone()));
        drop(hall.update(|update| update.tournament(Some(now))));
        (
            hall.public.newest(),
            hall.snapshot_for(Audience::Viewers).seq,
        )
    };
    assert_eq!(publish(&hall, &event), (1, 0));
    let before = hall.public().tournament().unwrap();
    let won = GameResult::played(Outcome::Win);
    let why = ProposalReason::Clock;
    make(
        &mut event,
        EventChange::Propose(RoundNo(1), BoardNo(1), won, why),
    );
    assert_eq!(publish(&hall, &event), (1, 0), "a clock's proposal");
    let mut player = event.players()[&PlayerNo(1)].clone();
    player.birth = "1990/01/01".to_owned();
    player.club = "Harbour Club".to_owned();
    player.sex = Some(tournament::Sex::Female);
    make(&mut event, EventChange::EnterPlayer(Box::new(player)));
    assert_eq!(publish(&hall, &event), (1, 0), "personal data");
    make(&mut event, EventChange::Preset(RoundNo(1), BoardNo(1)));
    assert_eq!(publish(&hall, &event), (1, 0), "a clock that is set");
    let after = hall.public().tournament().unwrap();
    assert_eq!(after.version, before.version);
    assert_eq!(after.tournament, before.tournament);

    let entered = EventChange::Enter(RoundNo(1), BoardNo(1), won, String::new());
    make(&mut event, entered);
    assert_eq!(publish(&hall, &event), (2, 0), "a result");
    let drawn = GameResult::played(Outcome::Draw);
    let corrected = EventChange::Enter(RoundNo(1), BoardNo(1), drawn, "misread".to_owned());
    make(&mut event, corrected);
    assert_eq!(publish(&hall, &event), (3, 0), "a corrected result");
    let shown = hall.public().tournament().unwrap();
    assert_eq!(shown.version, before.version + 2);
    let board = &shown.tournament.rounds()[&RoundNo(1)].boards[&BoardNo(1)];
    assert_eq!((board.result, board.corrections.len()), (Some(drawn), 0));
    let known = hall.tournament().unwrap();
    assert_eq!(known.version, 6, "arbiters count every change");
}

#[test]
fn versions_of_the_event_differ_from_those_of_another_run() {
    let version = |epoch| {
        let hall = LiveHall::new(epoch, 8, || 0);
        drop(hall.update(|update| update.tournament(None)));
        hall.read().tournament.unwrap()
    };
    assert_ne!(version(77), version(78));
    assert!(version(u64::MAX) <= EXACT && version(0) > 0);
}

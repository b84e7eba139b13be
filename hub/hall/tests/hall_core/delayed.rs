//! The hall as spectators see it: as it was one broadcast delay ago, but without mistakes that were corrected within the delay.

use std::collections::BTreeMap;
use std::sync::Arc;

use hall::view::{BoardState, BoardView, EventView, Flag, Running};
use hall::{Action, AgentFrame, DelayedHall, EventNo, HubEffect};
use proto::ids::EventSeq;
use timing::{Button, Hub, Instant};
use tournament::{BoardNo, Change, GameResult, RoundNo, Tournament};

use crate::event_rig::paired;
use crate::rig::{Rig, seconds};
use crate::round_rig::{DRAWN, LOST, WON};

const DELAY: f64 = 60.0;

struct Spectator {
    hall: DelayedHall,
    announced: usize,
    boards: BTreeMap<String, Arc<BoardView>>,
    event: Option<(EventNo, Arc<Tournament>)>,
    name: Option<String>,
}

impl Spectator {
    fn new() -> Self {
        Self {
            hall: DelayedHall::new(EventView {
                name: "Spring Open".to_owned(),
                ..EventView::default()
            }),
            announced: 0,
            boards: BTreeMap::new(),
            event: None,
            name: None,
        }
    }

    fn look(&mut self, rig: &Rig) {
        let due = rig.now - seconds(DELAY);
        for (index, record) in rig.log.iter().enumerate().skip(self.announced) {
            self.hall.announce(index as u64, record);
        }
        self.announced = rig.log.len();
        while let Some(record) = rig.log.get(self.hall.records() as usize)
            && record.hub_us <= due.as_micros()
        {
            self.hall.apply(record.clone()).unwrap();
            self.publish(due, rig);
        }
        self.publish(due, rig);
    }

    fn publish(&mut self, due: Instant<Hub>, rig: &Rig) {
        let newest = rig.hall.tournament();
        let newest = newest.as_ref().map(|now| (now.number(), &*now.tournament));
        for effect in self.hall.publish(due, newest) {
            match effect {
                HubEffect::Publish { boards } => {
                    for board in boards {
                        let view = board.published.clone();
                        self.boards.insert(view.board.clone(), view);
                    }
                }
                HubEffect::BoardRemoved { board } => drop(self.boards.remove(board.as_str())),
                HubEffect::Tournament { now } => {
                    self.event = Some((now.number(), now.tournament));
                }
                HubEffect::PublishEvent { event } => self.name = Some(event.name),
                _ => (),
            }
        }
    }

    fn moves(&self, board: &str) -> (u32, u32) {
        let view = &self.boards[board];
        (view.white.moves, view.black.moves)
    }

    fn results(&self, round: u16) -> Vec<Option<GameResult>> {
        let event = &self.event.as_ref().unwrap().1;
        let boards = event.rounds()[&RoundNo(round)].boards.values();
        boards.map(|board| board.result).collect()
    }
}

fn pass(rig: &mut Rig, spectator: &mut Spectator, span: f64) {
    let until = rig.now + seconds(span);
    while rig.now < until {
        rig.pass(0.5);
        spectator.look(rig);
    }
}

fn times(view: &BoardView, at: Instant<Hub>) -> [i64; 2] {
    let view = view.at(at.as_micros());
    [view.white.us, view.black.us]
}

#[test]
fn a_board_is_shown_as_it_was() {
    let (mut rig, mut clock) = Rig::running("5m+3s");
    let mut spectator = Spectator::new();
    let mut seen = Vec::new();
    for n in 0..40 {
        rig.pass(4.0);
        let button = [Button::Left, Button::Right][n % 2];
        clock.press(&mut rig, button);
        seen.push((rig.now, rig.view("1").published.clone()));
    }
    rig.pass(400.0);
    for (at, live) in seen {
        rig.now = at + seconds(DELAY);
        spectator.look(&rig);
        let shown = &spectator.boards["1"];
        assert_eq!((shown.running, shown.state), (live.running, live.state));
        assert_eq!(
            (shown.white.moves, shown.black.moves),
            (live.white.moves, live.black.moves)
        );
        for (shown, live) in times(shown, at).into_iter().zip(times(&live, at)) {
            assert!((shown - live).abs() < 10_000, "{shown} instead of {live}");
        }
        assert_eq!(spectator.hall.presses("1").unwrap().len() as u32, {
            live.white.moves + live.black.moves
        });
    }
    // For spectators a flag fall is expected once the time is used up, although the log does not have the clock's report yet.
    let last = spectator.boards["1"].clone();
    let due = rig.now - seconds(DELAY);
    let flag = rig.now + timing::Duration::from_micros(times(&last, due)[0]);
    for (after, expected) in [(-1.0, Flag::None), (1.0, Flag::Expected)] {
        rig.now = flag + seconds(after);
        spectator.look(&rig);
        assert_eq!(spectator.boards["1"].white.flag, expected);
    }
}

#[test]
fn a_time_that_is_corrected_within_the_delay_is_never_shown() {
    let (mut rig, mut clock) = Rig::running("5m");
    let mut spectator = Spectator::new();
    pass(&mut rig, &mut spectator, 70.0);
    clock.press(&mut rig, Button::Left);
    let pressed = rig.now;
    pass(&mut rig, &mut spectator, 10.0);
    rig.ask("1", "pause");
    clock.take_orders(&mut rig);
    pass(&mut rig, &mut spectator, 5.0);
    rig.ask("1", "set white 4m");
    clock.take_orders(&mut rig);
    let corrected = rig.now;
    // The press is withheld, because the clock showed a wrong time after it.
    while rig.now < corrected + seconds(DELAY) {
        assert_eq!(spectator.moves("1"), (0, 0), "{}", rig.now - pressed);
        assert_eq!(spectator.boards["1"].running, Running::White);
        let is_withheld = rig.now >= pressed + seconds(DELAY);
        assert_eq!(spectator.hall.presses("1").is_none(), is_withheld);
        pass(&mut rig, &mut spectator, 0.5);
    }
    pass(&mut rig, &mut spectator, 0.5);
    assert_eq!(spectator.moves("1"), (1, 0));
    assert_eq!(times(&spectator.boards["1"], corrected)[0], 240_000_000);
    assert_eq!(spectator.hall.presses("1").unwrap().len(), 1);
    // Changes after the correction are shown after the usual delay again.
    rig.ask("1", "resume");
    clock.take_orders(&mut rig);
    let resumed = rig.now;
    pass(&mut rig, &mut spectator, DELAY + 0.5);
    assert!(rig.now > resumed && spectator.boards["1"].state == BoardState::Running);
}

#[test]
fn a_move_that_is_taken_back_within_the_delay_is_never_shown() {
    let (mut rig, mut clock) = Rig::running("5m");
    let mut spectator = Spectator::new();
    for button in [Button::Left, Button::Right, Button::Left] {
        pass(&mut rig, &mut spectator, 5.0);
        clock.press(&mut rig, button);
    }
    let last = clock.seq;
    pass(&mut rig, &mut spectator, 5.0);
    rig.ask("1", "pause");
    clock.take_orders(&mut rig);
    let restore = rig.chief("1", Action::RestoreBefore(EventSeq(last)));
    rig.send(restore);
    clock.take_orders(&mut rig);
    let mut most = 0;
    for _ in 0..160 {
        pass(&mut rig, &mut spectator, 0.5);
        let shown = spectator.boards.get("1").map_or(0, |view| view.white.moves);
        most = most.max(shown);
    }
    assert_eq!((most, spectator.moves("1")), (1, (1, 1)));
}

#[test]
fn an_arbiters_pause_alone_is_no_correction() {
    let (mut rig, mut clock) = Rig::running("5m");
    let mut spectator = Spectator::new();
    pass(&mut rig, &mut spectator, 70.0);
    clock.press(&mut rig, Button::Left);
    let pressed = rig.now;
    rig.ask("1", "pause");
    clock.take_orders(&mut rig);
    while rig.now <= pressed + seconds(DELAY) {
        pass(&mut rig, &mut spectator, 0.5);
    }
    assert_eq!(spectator.moves("1"), (1, 0));
    assert!(spectator.boards["1"].paused);
}

#[test]
fn a_pause_and_the_result_after_a_flag_fall_are_no_correction() {
    let (mut rig, mut clock) = Rig::running("30s");
    let mut spectator = Spectator::new();
    pass(&mut rig, &mut spectator, 20.0);
    clock.press(&mut rig, Button::Left);
    pass(&mut rig, &mut spectator, 31.0);
    clock.watermark(&mut rig);
    assert_eq!(rig.view("1").published.state, BoardState::Flagged);
    let confirmed = rig.now;
    pass(&mut rig, &mut spectator, 2.0);
    rig.ask("1", "pause");
    clock.take_orders(&mut rig);
    pass(&mut rig, &mut spectator, 3.0);
    rig.ask("1", "end result 1-0");
    clock.take_orders(&mut rig);
    let ended = rig.now;
    while rig.now <= confirmed + seconds(DELAY) {
        pass(&mut rig, &mut spectator, 0.5);
    }
    assert!(rig.now < ended + seconds(DELAY));
    assert_eq!(spectator.boards["1"].state, BoardState::Flagged);
    assert_eq!(spectator.boards["1"].black.flag, Flag::Fallen);
    pass(&mut rig, &mut spectator, 6.0);
    assert_eq!(spectator.boards["1"].state, BoardState::Over);
}

#[test]
fn a_result_that_is_corrected_within_the_delay_is_never_shown() {
    let (mut rig, _clocks) = Rig::with_started();
    let mut spectator = Spectator::new();
    let enter = |board, result, reason: &str| {
        Change::Enter(RoundNo(1), BoardNo(board), result, reason.to_owned())
    };
    pass(&mut rig, &mut spectator, DELAY + 5.0);
    assert_eq!(spectator.results(1), [None, None, None]);
    rig.chief_changes(vec![enter(1, WON, "")]);
    let wrong = rig.now;
    pass(&mut rig, &mut spectator, 10.0);
    rig.chief_changes(vec![enter(2, DRAWN, "")]);
    pass(&mut rig, &mut spectator, 10.0);
    rig.chief_changes(vec![enter(1, LOST, "misread")]);
    let right = rig.now;
    while rig.now < right + seconds(DELAY) {
        assert_eq!(spectator.results(1)[0], None, "{}", rig.now - wrong);
        pass(&mut rig, &mut spectator, 0.5);
    }
    pass(&mut rig, &mut spectator, 0.5);
    let results = spectator.results(1);
    assert_eq!(results[0], Some(LOST));
    assert_eq!(results[1], Some(DRAWN));
    // A correction made after the delay replaces the published result.
    pass(&mut rig, &mut spectator, DELAY);
    rig.chief_changes(vec![enter(1, WON, "it was right")]);
    pass(&mut rig, &mut spectator, DELAY + 0.5);
    assert_eq!(spectator.results(1)[0], Some(WON));
}

#[test]
fn a_pairing_that_is_changed_within_the_delay_is_never_shown() {
    let mut rig = Rig::with_timed_round();
    let mut spectator = Spectator::new();
    pass(&mut rig, &mut spectator, DELAY + 1.0);
    let first = |spectator: &Spectator| {
        let event = &spectator.event.as_ref().unwrap().1;
        event
            .rounds()
            .get(&RoundNo(1))
            .map(|round| round.boards[&BoardNo(1)].black)
    };
    let before = first(&spectator);
    assert!(before.is_some());
    rig.chief_changes(vec![Change::Unpair(RoundNo(1))]);
    rig.chief_changes(vec![paired(1, &[(1, 5), (2, 4), (3, 6)])]);
    let paired_wrong = rig.now;
    pass(&mut rig, &mut spectator, 20.0);
    rig.chief_changes(vec![Change::Unpair(RoundNo(1))]);
    rig.chief_changes(vec![paired(1, &[(1, 6), (2, 4), (3, 5)])]);
    let wrong = Some(Some(tournament::PlayerNo(5)));
    while rig.now < paired_wrong + seconds(DELAY + 30.0) {
        assert_ne!(first(&spectator), wrong);
        pass(&mut rig, &mut spectator, 0.5);
    }
    assert_eq!(first(&spectator), Some(Some(tournament::PlayerNo(6))));
}

#[test]
fn an_event_without_a_tournament_has_its_configured_name() {
    let (rig, _clock) = Rig::running("5m");
    let mut spectator = Spectator::new();
    spectator.look(&rig);
    assert_eq!(spectator.name.as_deref(), Some("Spring Open"));
}

#[test]
fn moves_that_replace_others_are_not_shown_while_the_board_is_withheld() {
    let (mut rig, mut clock) = Rig::running("90m+30s");
    let mut spectator = Spectator::new();
    for button in [Button::Left, Button::Right, Button::Left] {
        pass(&mut rig, &mut spectator, 2.0);
        clock.press(&mut rig, button);
    }
    let mut show = |rig: &mut Rig, moves: &str| {
        let moves = moves.split(' ').map(str::to_owned).collect();
        clock.frame(rig, AgentFrame::BoardMoves(moves));
    };
    show(&mut rig, "e2e4 e7e5 f1c4");
    pass(&mut rig, &mut spectator, DELAY + 1.0);
    assert_eq!(spectator.hall.score("1"), ["e4", "e5", "Bc4"]);
    show(&mut rig, "e2e4 e7e5 f1b5");
    pass(&mut rig, &mut spectator, 10.0);
    show(&mut rig, "e2e4 e7e5 f1e2");
    let corrected = rig.now;
    while rig.now < corrected + seconds(DELAY) {
        assert_eq!(spectator.hall.score("1"), ["e4", "e5", "Bc4"]);
        pass(&mut rig, &mut spectator, 0.5);
    }
    pass(&mut rig, &mut spectator, 0.5);
    assert_eq!(spectator.hall.score("1"), ["e4", "e5", "Be2"]);
}

//! The face is redrawn exactly when it changes: never late, and never without need.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use crate::board;
use clock_agent::face::Face;
use clock_agent::face_state::{FaceState, HubLink};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use timing::{Board, BoardClock, Button, Command, Duration, Fact, Instant, Setup, StartRule};

const AREA: Rect = Rect::new(0, 0, 80, 24);

fn at(us: i64) -> Instant<Board> {
    Instant::from_micros(us)
}

fn started(control: &str) -> FaceState {
    let mut clock = BoardClock::new(Setup {
        control: control.parse().unwrap(),
        start: StartRule::Arbiter,
        white: Button::Left,
    });
    let _ = clock.on_command(at(0), &Command::Start(None)).unwrap();
    FaceState {
        clock: Some(clock),
        ..board::state()
    }
}

fn press(state: &mut FaceState, now: Instant<Board>, button: Button) {
    let _ = state
        .clock
        .as_mut()
        .unwrap()
        .on_fact(now, Fact::Pressed(button));
}

fn drawn(face: &Face, state: &FaceState, now: Instant<Board>) -> Buffer {
    let mut buffer = Buffer::empty(AREA);
    face.draw(&mut buffer, AREA, state, now);
    buffer
}

/// Follows the face from one redraw to the next: it must stay the same in between, and differ after each redraw that no press causes.
/// `presses` are times in microseconds, left button first. Returns the number of redraws within `span`, not counting those at presses.
fn follow(control: &str, presses: &[i64], span: Duration) -> usize {
    let mut state = started(control);
    let face = board::face();
    let mut now = at(0);
    let mut presses = presses.iter().copied().map(at).peekable();
    let mut button = Button::Left;
    let mut edges = 0;
    while now - at(0) < span {
        let edge = face.next_redraw(&state, now);
        assert!(
            edge.is_none_or(|edge| edge > now),
            "{control}: {edge:?} is not after {now:?}"
        );
        let press_at = presses.next_if(|&press| edge.is_none_or(|edge| press <= edge));
        let Some(next) = press_at.or(edge) else { break };
        let before = next + Duration::from_micros(-1);
        assert_eq!(
            drawn(&face, &state, now),
            drawn(&face, &state, before.max(now)),
            "{control}: changed between {now:?} and {next:?}"
        );
        let last = drawn(&face, &state, now);
        if press_at.is_some() {
            press(&mut state, next, button);
            button = button.other();
        } else {
            edges += 1;
            assert_ne!(
                drawn(&face, &state, next),
                last,
                "{control}: nothing new at {next:?}"
            );
        }
        now = next;
    }
    edges
}

#[test]
fn the_face_changes_every_second() {
    assert_eq!(follow("5m", &[], Duration::from_secs(60)), 60);
    assert_eq!(
        follow("90m+30s", &[2_345_678, 7_111_111], Duration::from_secs(20)),
        20
    );
}

#[test]
fn the_face_changes_at_tenths_below_ten_seconds() {
    // 12 s: two changes until 0:10, then one every tenth of a second until zero.
    assert_eq!(follow("12s", &[], Duration::from_secs(60)), 2 + 100);
}

#[test]
fn the_delay_counts_down_first() {
    assert_eq!(
        follow("1m delay 3s", &[5_500_000], Duration::from_millis(8_500)),
        5 + 3
    );
}

#[test]
fn every_method_is_redrawn_on_change() {
    for control in [
        "3s byo 3x2s",
        "3s canadian 2/3s",
        "4s bronstein 2s",
        "2/3s : 2s+1s",
        "zero/2s : 5s",
        "move 2s",
        "2s extra 4s min 1s linear",
        "2s grace 2s",
        "2s runs on",
        "15s hourglass",
        "up",
        "2s overtime 10/1m",
    ] {
        let presses = [
            700_001, 1_900_000, 2_000_000, 6_123_456, 6_123_457, 7_000_000,
        ];
        let edges = follow(control, &presses, Duration::from_secs(20));
        assert!(edges > 8, "{control}: {edges}");
    }
}

#[test]
fn hub_absence_is_redrawn_every_second() {
    let mut state = started("5m");
    let _ = state
        .clock
        .as_mut()
        .unwrap()
        .on_command(at(1_000), &Command::Pause)
        .unwrap();
    let face = board::face();
    assert_eq!(face.next_redraw(&state, at(5_000)), None);
    state.hub = HubLink::Away { since: at(4_000) };
    assert_eq!(face.next_redraw(&state, at(5_000)), Some(at(1_004_000)));
    assert_eq!(face.next_redraw(&state, at(1_004_000)), Some(at(2_004_000)));
}

#[test]
fn identification_and_unsaved_sign_change_on_time() {
    let mut state = started("5m");
    let _ = state
        .clock
        .as_mut()
        .unwrap()
        .on_command(at(1_000), &Command::Pause)
        .unwrap();
    state.identify_until = Some(at(10_000_000));
    let mut face = board::face();
    assert_eq!(face.next_redraw(&state, at(5_000)), Some(at(10_000_000)));
    state.unsaved = 1;
    face.note(&state, at(6_000));
    face.note(&state, at(9_000));
    assert_eq!(face.next_redraw(&state, at(9_000)), Some(at(506_000)));
    state.unsaved = 0;
    face.note(&state, at(10_000));
    assert_eq!(face.next_redraw(&state, at(10_000)), Some(at(10_000_000)));
}

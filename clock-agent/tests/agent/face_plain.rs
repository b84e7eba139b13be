//! The plain face, which reports changes in lines, but no ticks.

use crate::board::{NOW, message, mins, running, side, state, view};
use clock_agent::face::PlainFace;
use clock_agent::face_state::{FaceState, FaceView, HubLink, JournalHealth};
use expect_test::{Expect, expect};
use timing::{Allotment, BoardState, Duration, FlagView, GameResult, Side};

struct PlainLines {
    face: PlainFace,
    state: FaceState,
    view: Option<FaceView>,
}

impl PlainLines {
    #[track_caller]
    fn check(&mut self, expected: Expect) {
        let lines = self.face.changes_of(&self.state, self.view.as_ref(), NOW);
        expected.assert_eq(&lines.join("\n"));
        let again = self.face.changes_of(&self.state, self.view.as_ref(), NOW);
        assert_eq!(again, Vec::<String>::new(), "reported twice");
    }
}

#[test]
fn a_game_in_lines() {
    let time = Duration::from_secs(5430);
    let mut plain = PlainLines {
        face: PlainFace::new(),
        state: state(),
        view: Some(view(BoardState::Ready, side(time, 0), side(time, 0))),
    };
    plain.check(expect![[r#"
        Board 17, Round 5. White Okonkwo on the left, Black Lindqvist on the right.
        Ready: 90 min + 30 s per move. White 1:30:30 after 0 moves, Black 1:30:30 after 0 moves."#]]);
    plain.view = Some(running(Side::White, side(time, 0), side(time, 0)));
    plain.check(expect![
        "White's clock runs. White 1:30:30 after 0 moves, Black 1:30:30 after 0 moves."
    ]);
    plain.view = Some(running(Side::White, side(mins(88, 0), 0), side(time, 0)));
    let none = plain
        .face
        .changes_of(&plain.state, plain.view.as_ref(), NOW);
    assert_eq!(none, Vec::<String>::new());
    plain.view = Some(running(Side::Black, side(mins(88, 30), 1), side(time, 0)));
    plain.check(expect![
        "Black's clock runs. White 1:28:30 after 1 move, Black 1:30:30 after 0 moves."
    ]);
    let mut white = side(mins(0, 30), 41);
    white.allotment = Allotment::Byo;
    white.byo_left = Some(2);
    plain.view = Some(running(Side::White, white, side(mins(12, 0), 40)));
    plain.check(expect![[r#"
        White: byo-yomi 2 left.
        White's clock runs. White 0:30 after 41 moves, Black 12:00 after 40 moves."#]]);
    let stopped = BoardState::Stopped {
        next: Side::White,
        since: NOW,
    };
    plain.view = Some(view(stopped, white, side(mins(12, 0), 40)));
    plain.check(expect!["Stopped by the players: stop again to call an arbiter; white runs next. White 0:30 after 41 moves, Black 12:00 after 40 moves."]);
    let mut over = view(BoardState::Over, white, side(mins(12, 0), 40));
    over.result = Some(GameResult::BlackWins);
    plain.view = Some(over);
    plain.check(expect![
        "The game is over: 0–1. White 0:30 after 41 moves, Black 12:00 after 40 moves."
    ]);
}

#[test]
fn a_flag_in_lines() {
    let mut white = side(Duration::ZERO, 39);
    white.flag = FlagView::Fallen;
    let mut flagged = view(
        BoardState::Flagged { side: Side::White },
        white,
        side(mins(4, 36), 39),
    );
    flagged.first_flag = Some(Side::White);
    let mut plain = PlainLines {
        face: PlainFace::new(),
        state: state(),
        view: Some(flagged),
    };
    plain.check(expect![[r#"
        Board 17, Round 5. White Okonkwo on the left, Black Lindqvist on the right.
        White's flag has fallen.
        Both clocks are stopped. White 0:00 after 39 moves, Black 4:36 after 39 moves."#]]);
}

#[test]
fn hub_battery_journal_and_messages_in_lines() {
    let mut plain = PlainLines {
        face: PlainFace::new(),
        state: state(),
        view: None,
    };
    plain.check(expect![
        "Board 17, Round 5. White Okonkwo, Black Lindqvist."
    ]);
    plain.state.hub = HubLink::Away { since: NOW };
    plain.state.battery_percent = Some(8);
    plain.check(expect![[r#"
        Hub away. The clock goes on.
        Battery 8 %."#]]);
    plain.state.battery_percent = Some(7);
    plain.check(expect![[""]]);
    plain.state.hub = HubLink::Connected;
    plain.state.journal = JournalHealth::Failed;
    plain.state.messages = vec![
        message("Cannot write: call the arbiter"),
        message("Please wait."),
    ];
    plain.check(expect![[r#"
        Cannot write: call the arbiter.
        Hub back.
        Message: Please wait."#]]);
    plain.state.identify_until = Some(NOW + Duration::from_secs(10));
    plain.check(expect!["This clock."]);
}

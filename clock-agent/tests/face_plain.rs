//! The plain face: a line for each change, none for a tick.

#[path = "face/board.rs"]
#[allow(dead_code, reason = "shared with the other face tests")]
mod board;

use board::{NOW, message, mins, running, side, state, view};
use clock_agent::face::PlainFace;
use clock_agent::face_state::{FaceState, FaceView, HubLink, JournalHealth};
use expect_test::{Expect, expect};
use timing::{Allotment, BoardState, Duration, FlagView, GameResult, Side};

struct Spoken {
    face: PlainFace,
    state: FaceState,
    view: Option<FaceView>,
}

impl Spoken {
    #[track_caller]
    fn check(&mut self, expected: Expect) {
        let lines = self.face.changes_of(&self.state, self.view.as_ref(), NOW);
        expected.assert_eq(&lines.join("\n"));
        let again = self.face.changes_of(&self.state, self.view.as_ref(), NOW);
        assert_eq!(again, Vec::<String>::new(), "said twice");
    }
}

#[test]
fn a_game_in_lines() {
    let time = Duration::from_secs(5430);
    let mut spoken = Spoken {
        face: PlainFace::new(),
        state: state(),
        view: Some(view(BoardState::Ready, side(time, 0), side(time, 0))),
    };
    spoken.check(expect![[r#"
        Board 17, Round 5. White Okonkwo on the left, Black Lindqvist on the right.
        Ready: 90 min + 30 s per move. White 1:30:30 after 0 moves, Black 1:30:30 after 0 moves."#]]);
    spoken.view = Some(running(Side::White, side(time, 0), side(time, 0)));
    spoken.check(expect![
        "White's clock runs. White 1:30:30 after 0 moves, Black 1:30:30 after 0 moves."
    ]);
    // A tick is no news.
    spoken.view = Some(running(Side::White, side(mins(88, 0), 0), side(time, 0)));
    let none = spoken
        .face
        .changes_of(&spoken.state, spoken.view.as_ref(), NOW);
    assert_eq!(none, Vec::<String>::new());
    spoken.view = Some(running(Side::Black, side(mins(88, 30), 1), side(time, 0)));
    spoken.check(expect![
        "Black's clock runs. White 1:28:30 after 1 move, Black 1:30:30 after 0 moves."
    ]);
    let mut white = side(mins(0, 30), 41);
    white.allotment = Allotment::Byo;
    white.byo_left = Some(2);
    spoken.view = Some(running(Side::White, white, side(mins(12, 0), 40)));
    spoken.check(expect![[r#"
        White: byo-yomi 2 left.
        White's clock runs. White 0:30 after 41 moves, Black 12:00 after 40 moves."#]]);
    let stopped = BoardState::Stopped {
        next: Side::White,
        since: NOW,
    };
    spoken.view = Some(view(stopped, white, side(mins(12, 0), 40)));
    spoken.check(expect!["Stopped by the players: stop again to call an arbiter; white runs next. White 0:30 after 41 moves, Black 12:00 after 40 moves."]);
    let mut over = view(BoardState::Over, white, side(mins(12, 0), 40));
    over.result = Some(GameResult::BlackWins);
    spoken.view = Some(over);
    spoken.check(expect![
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
    let mut spoken = Spoken {
        face: PlainFace::new(),
        state: state(),
        view: Some(flagged),
    };
    spoken.check(expect![[r#"
        Board 17, Round 5. White Okonkwo on the left, Black Lindqvist on the right.
        White's flag has fallen.
        Both clocks stand. White 0:00 after 39 moves, Black 4:36 after 39 moves."#]]);
}

#[test]
fn hub_battery_journal_and_messages_in_lines() {
    let mut spoken = Spoken {
        face: PlainFace::new(),
        state: state(),
        view: None,
    };
    spoken.check(expect![
        "Board 17, Round 5. White Okonkwo, Black Lindqvist."
    ]);
    spoken.state.hub = HubLink::Away { since: NOW };
    spoken.state.battery_percent = Some(8);
    spoken.check(expect![[r#"
        Hub away. The clock goes on.
        Battery 8 %."#]]);
    spoken.state.battery_percent = Some(7);
    spoken.check(expect![[""]]);
    spoken.state.hub = HubLink::Connected;
    spoken.state.journal = JournalHealth::Failed;
    spoken.state.messages = vec![
        message("Cannot write: call the arbiter"),
        message("Please wait."),
    ];
    spoken.check(expect![[r#"
        Cannot write: call the arbiter.
        Hub back.
        Message: Please wait."#]]);
    spoken.state.identify_until = Some(NOW + Duration::from_secs(10));
    spoken.check(expect!["This clock."]);
}

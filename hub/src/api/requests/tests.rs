//! Tests of accepted requests from arbiters' programs, and of the errors for malformed ones.

use hall::Role;
use proptest::prelude::*;

use super::*;

fn asking(command: Requested) -> grpc::CommandRequest {
    grpc::CommandRequest {
        id: vec![1; 16],
        board: "12".to_owned(),
        seen_seq: 7,
        reason: "because".to_owned(),
        offence: None,
        command: Some(command),
    }
}

#[track_caller]
fn refused(wanted: grpc::CommandRequest, expected: &str) {
    let error = request(wanted, chief()).unwrap_err().to_string();
    assert!(error.contains(expected), "{error}");
}

fn chief() -> Actor {
    Actor {
        name: "chief".to_owned(),
        role: Role::Chief,
    }
}

#[test]
fn a_request_is_converted_completely() {
    let set = Requested::SetTime(grpc::SetTime {
        side: proto::Side::Black.into(),
        to_us: 90_000_000,
    });
    let taken = request(asking(set), chief()).unwrap();
    assert_eq!(taken.board.unwrap().as_str(), "12");
    assert_eq!((taken.seen_seq, taken.reason.as_str()), (7, "because"));
    assert_eq!(
        taken.action,
        Action::Board("set black 90s".parse().unwrap())
    );
}

#[test]
fn errors_name_the_missing_or_malformed_field() {
    let pause = || asking(Requested::Pause(grpc::Pause {}));
    let mut wanted = pause();
    wanted.id = vec![1, 2, 3];
    refused(wanted, "the command's id: expected 16 bytes, got 3");
    let mut wanted = pause();
    wanted.command = None;
    refused(wanted, "names no command");
    let mut wanted = pause();
    wanted.board = " 12".to_owned();
    refused(wanted, "cannot name a board");
    let mut wanted = pause();
    wanted.reason = "x".repeat(301);
    refused(wanted, "the reason has 301 bytes, at most 300 are allowed");
    let mut wanted = pause();
    wanted.reason = "two\nlines".to_owned();
    refused(
        wanted,
        "the reason has the invisible character U+000A in it",
    );
    let set = grpc::SetTime { side: 0, to_us: 1 };
    refused(
        asking(Requested::SetTime(set)),
        "which side: white or black",
    );
    let button = grpc::WhiteButton { white: 0 };
    refused(asking(Requested::WhiteButton(button)), "which button");
    let change = grpc::ChangeControl {
        control: "90".to_owned(),
        ..grpc::ChangeControl::default()
    };
    refused(asking(Requested::ChangeControl(change)), "column 1");
    let end = grpc::EndGame {
        ending: "result 2-0".to_owned(),
    };
    refused(asking(Requested::EndGame(end)), "end result 2-0");
    let prepare = grpc::Prepare {
        control: "5m".to_owned(),
        start: "whenever".to_owned(),
        ..grpc::Prepare::default()
    };
    refused(
        asking(Requested::Prepare(prepare)),
        "neither arbiter nor black-press",
    );
    let force = grpc::Force {
        command_id: vec![1],
    };
    refused(asking(Requested::Force(force)), "the pending command's id");
}

proptest! {
    #[test]
    fn arbitrary_bytes_give_a_value_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        if let Ok(wanted) = grpc::CommandRequest::decode(bytes.as_slice()) {
            let _ = request(wanted, chief());
        }
    }
}

/// Bidirectional controls, other invisible characters, and terminal control characters.
const HIDDEN: [char; 17] = [
    '\u{202a}', '\u{202b}', '\u{202c}', '\u{202d}', '\u{202e}', '\u{2066}', '\u{2067}', '\u{2068}',
    '\u{2069}', '\u{200e}', '\u{200f}', '\u{61c}', '\u{200b}', '\u{feff}', '\u{2028}', '\n',
    '\u{1b}',
];

#[test]
fn no_text_of_a_request_has_a_hidden_character() {
    for char in HIDDEN {
        let text = format!("Ada{char} 1:00");
        let code = format!(
            "has the invisible character U+{:04X} in it",
            u32::from(char)
        );
        let mut reason = asking(Requested::Pause(grpc::Pause {}));
        reason.reason = text.clone();
        refused(reason, &format!("the reason {code}"));
        let names = |white: &str, black: &str, round: &str| {
            asking(Requested::Names(grpc::Names {
                white: white.to_owned(),
                black: black.to_owned(),
                round: round.to_owned(),
            }))
        };
        refused(names(&text, "", ""), &format!("White's name {code}"));
        refused(names("", &text, ""), &format!("Black's name {code}"));
        refused(names("", "", &text), &format!("the round {code}"));
        let show = grpc::Show { text: text.clone() };
        refused(asking(Requested::Show(show)), &format!("the text {code}"));
        let mut board = asking(Requested::AddBoard(grpc::AddBoard {
            control: "5m".to_owned(),
            ..grpc::AddBoard::default()
        }));
        board.board = text.clone();
        refused(board, "board");
        assert_eq!(
            super::reason(text),
            Err(BadInput::Hidden {
                what: "the reason".to_owned(),
                found: char
            })
        );
    }
    // Text in a right-to-left script is valid.
    let mut named = asking(Requested::Pause(grpc::Pause {}));
    named.reason = "محمد, נועה".to_owned();
    assert!(request(named, chief()).is_ok());
}

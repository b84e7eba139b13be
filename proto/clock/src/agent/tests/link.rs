//! The session with the hub: hello, resending, refusals, labels and messages.

use proto::wire::{
    Ack, Goodbye, GoodbyeReason, Identify, Labels, Show, TimeProbe, Welcome, agent_frame,
};
use timing::{Button, Duration, Side};

use super::bench::{AGENT, Bench, at};
use super::hub::{Hub, ORIGIN};
use crate::agent::{Input, Recovered, Retry};
use crate::face_state::{HubLink, MessageKind, Sound};

const SECOND: i64 = 1_000_000;

#[test]
fn the_first_hello_has_an_empty_journal() {
    let mut bench = Bench::new();
    let hello = bench.connect();
    assert_eq!((hello.major, hello.next_seq), (proto::MAJOR, 1));
    assert_eq!((hello.log_origin.as_str(), hello.head.len()), ("", 0));
    assert!(!hello.rebooted);
    assert!(bench.core.connected());
}

#[test]
fn only_events_missing_from_the_hub_are_sent_again() {
    let mut bench = Bench::playing("5m");
    bench.deaf = true;
    for _ in 0..6 {
        bench.pass(SECOND);
        bench.press(Button::Left);
    }
    bench.disconnect();
    bench.pass(SECOND);
    bench.press(Button::Right);
    bench.deaf = false;
    bench.take_frames();
    let hello = bench.connect();
    assert_eq!(hello.next_seq, 10);
    assert_eq!(hello.log_origin, ORIGIN);
    let sent: Vec<u64> = bench.take_events().iter().map(|event| event.seq).collect();
    assert_eq!(sent, [3, 4, 5, 6, 7, 8, 9]);
    bench.agrees_with_hub();
    bench.disconnect();
    bench.connect();
    assert!(bench.take_events().is_empty());
}

#[test]
fn the_face_shows_hub_absence_and_unsaved_events() {
    let mut bench = Bench::playing("5m");
    bench.input(Input::JournalSynced { seq: 2 });
    assert_eq!(bench.core.face().hub, HubLink::Connected);
    bench.pass(SECOND);
    let lost = bench.now_us;
    bench.hear(TimeProbe::default());
    // The clock gives up the link only after the hub has been silent for a while.
    bench.pass(4 * SECOND);
    bench.disconnect();
    bench.pass(SECOND);
    bench.press(Button::Left);
    let face = bench.core.face();
    assert_eq!(
        face.away_for(at(bench.now_us)),
        Some(Duration::from_secs(5))
    );
    assert_eq!((face.unsaved, face.unacknowledged), (1, 1));
    bench.input(Input::JournalSynced { seq: 3 });
    assert_eq!(bench.core.face().unsaved, 0);
    bench.press(Button::Right);
    assert_eq!(bench.core.face().unsaved, 1);
    // Until the hub sends its welcome, the face does not show the hub as connected.
    bench.input(Input::LinkUp);
    assert_eq!(bench.core.face().hub, HubLink::Away { since: at(lost) });
    let welcome = bench.hub.welcome();
    bench.hear(welcome);
    let face = bench.core.face();
    assert_eq!((face.unsaved, face.unacknowledged), (0, 0));
}

#[test]
fn probes_are_answered_and_named_by_later_events() {
    let mut bench = Bench::playing("5m");
    bench.pass(SECOND);
    bench.take_frames();
    bench.hear(TimeProbe {
        nonce: 77,
        hub_us: 5,
    });
    let reply = bench
        .take_frames()
        .into_iter()
        .find_map(|frame| match frame.frame {
            Some(agent_frame::Frame::TimeReply(reply)) => Some(reply),
            _ => None,
        });
    let reply = reply.unwrap();
    assert_eq!((reply.nonce, reply.received_us), (77, bench.now_us));
    bench.press(Button::Left);
    assert_eq!(bench.take_events()[0].newest_probe, 77);
}

#[test]
fn labels_texts_and_identify_are_shown() {
    let mut bench = Bench::playing("5m");
    bench.hear(Labels {
        day: 0,
        board: "7".to_owned(),
        round: "Round 3".to_owned(),
        white: "Ågren".to_owned(),
        black: "Li".to_owned(),
        draw_odds: proto::Side::Black.into(),
        starts_at_us: Some(90_000_000),
        sound: proto::wire::Sound::Flag.into(),
    });
    bench.hear(Show {
        text: "Round starts at 15:00".to_owned(),
    });
    bench.hear(Identify {});
    let face = bench.core.face();
    assert_eq!(
        (face.round.as_str(), face.names.white.as_str()),
        ("Round 3", "Ågren")
    );
    assert_eq!(face.draw_odds, Some(Side::Black));
    assert_eq!(face.starts_at, Some(at(90_000_000)));
    assert_eq!(face.sound, Sound::Flag);
    assert_eq!(face.messages[0].kind, MessageKind::Hub);
    assert!(face.identifying(at(bench.now_us + 9 * SECOND)));
    assert!(!face.identifying(at(bench.now_us + 10 * SECOND)));
    bench.hear(Show::default());
    assert!(bench.core.face().messages.is_empty());
    let after = bench.restarted([1; 16]);
    assert_eq!(after.core.face().names.black, "Li");
}

#[test]
fn a_message_ends_with_its_game_or_board() {
    let show = || Show {
        text: "An arbiter is on the way".to_owned(),
    };
    let mut bench = Bench::playing("5m");
    bench.hear(show());
    let pause = bench.hub.command("pause");
    bench.hear(pause);
    assert_eq!(bench.core.face().messages.len(), 1);
    let next = bench.hub.command("prepare left arbiter 5m");
    bench.hear(next);
    bench.pass(SECOND);
    assert!(bench.core.face().messages.is_empty());
    bench.hear(show());
    bench.hear(Labels {
        board: "8".to_owned(),
        ..Labels::default()
    });
    assert!(bench.core.face().messages.is_empty());
}

#[test]
fn goodbyes_decide_when_to_retry() {
    for (reason, retry) in [
        (GoodbyeReason::ShuttingDown, Retry::Soon),
        (GoodbyeReason::AlreadyConnected, Retry::Soon),
        (GoodbyeReason::LogStopped, Retry::Soon),
        (GoodbyeReason::Version, Retry::AfterLongDelay),
        (GoodbyeReason::NotEnrolled, Retry::AfterLongDelay),
        (GoodbyeReason::Revoked, Retry::AfterLongDelay),
        (GoodbyeReason::BadChain, Retry::AfterLongDelay),
    ] {
        let mut bench = Bench::playing("5m");
        bench.hear(Goodbye {
            reason: reason.into(),
            text: "because".to_owned(),
        });
        assert_eq!(bench.closed.unwrap().retry, retry, "{reason:?}");
        let face = bench.core.face();
        if reason == GoodbyeReason::AlreadyConnected {
            assert_eq!(face.messages, []);
        } else {
            let message = &face.messages[0];
            assert!(message.text.ends_with("because"), "{message:?}");
        }
    }
}

#[test]
fn a_persistent_second_connection_is_shown() {
    let mut bench = Bench::new();
    for _ in 0..6 {
        bench.input(Input::LinkUp);
        bench.hear(Goodbye {
            reason: GoodbyeReason::AlreadyConnected.into(),
            text: String::new(),
        });
        bench.input(Input::LinkDown);
        bench.pass(3 * SECOND);
    }
    let face = bench.core.face();
    assert_eq!(face.messages[0].text, "This clock is connected twice");
    bench.connect();
    assert_eq!(bench.core.face().messages, []);
}

#[test]
fn another_version_gets_a_goodbye() {
    let mut bench = Bench::new();
    bench.input(Input::LinkUp);
    bench.hear(Welcome {
        major: proto::MAJOR + 1,
        log_origin: ORIGIN.to_owned(),
        ..Welcome::default()
    });
    let closed = bench.closed.as_ref().unwrap();
    assert_eq!(
        (closed.code, closed.retry),
        (GoodbyeReason::Version, Retry::AfterLongDelay)
    );
    let said = bench.take_frames().into_iter().any(|frame| {
        matches!(frame.frame, Some(agent_frame::Frame::Goodbye(bye)) if bye.reason() == GoodbyeReason::Version)
    });
    assert!(said);
}

#[test]
fn frames_out_of_place_close_the_link() {
    let mut bench = Bench::playing("5m");
    let second = bench.hub.welcome();
    bench.hear(second);
    assert!(bench.closed.take().is_some());
    let mut bench = Bench::playing("5m");
    bench.hear(Ack {
        seq: 1_000,
        board_digest: Vec::new(),
    });
    assert!(bench.closed.is_some());
}

#[test]
fn a_journal_of_another_log_is_reported_but_not_applied() {
    let mut bench = Bench::playing("5m");
    bench.disconnect();
    bench.pass(SECOND);
    bench.press(Button::Left);
    bench.hub = Hub::new(AGENT);
    bench.hub.origin = "flagfall.test/2".to_owned();
    bench.hub.head = proto::chain::genesis("flagfall.test/2", &AGENT);
    bench.connect();
    assert_eq!(bench.closed.take().unwrap().retry, Retry::Now);
    bench.disconnect();
    let fresh = Recovered::fresh("flagfall.test/2", &AGENT);
    let outputs = bench.core.change_log(fresh);
    bench.carry_out(outputs);
    let hello = bench.connect();
    let foreign = hello.foreign.unwrap();
    assert_eq!(
        (foreign.log_origin.as_str(), foreign.unacknowledged),
        (ORIGIN, 1)
    );
    assert_eq!((hello.next_seq, hello.orders_taken), (1, 0));
    assert!(bench.core.connected());
    let adopt = bench.hub.adopt("10m");
    bench.hear(adopt);
    bench.press(Button::Left);
    bench.agrees_with_hub();
}

fn divergence_reports(bench: &mut Bench) -> usize {
    let frames = bench.take_frames();
    let is = |frame: &&proto::wire::AgentFrame| {
        matches!(frame.frame, Some(agent_frame::Frame::Diverged(_)))
    };
    frames.iter().filter(is).count()
}

fn make_hub_diverge(bench: &mut Bench) {
    let wrong = "set white 1m".parse().unwrap();
    let clock = bench.hub.clock.as_mut().unwrap();
    let _ = clock.on_command(clock.now(), &wrong).unwrap();
    bench.take_frames();
}

#[test]
fn a_divergence_is_reported_once_until_adoption() {
    let mut bench = Bench::playing("5m");
    make_hub_diverge(&mut bench);
    for _ in 0..3 {
        bench.pass(SECOND);
        bench.press(Button::Right);
    }
    assert_eq!(divergence_reports(&mut bench), 1);
    let adopt = bench.hub.adopt("");
    bench.hear(adopt);
    bench.pass(SECOND);
    bench.press(Button::Left);
    assert_eq!(divergence_reports(&mut bench), 0);
    bench.agrees_with_hub();
    let white = bench
        .core
        .clock()
        .unwrap()
        .side(Side::White, at(bench.now_us));
    assert!(white.time < Duration::from_mins(1));
}

#[test]
fn a_divergence_is_reported_again_on_the_next_link() {
    let mut bench = Bench::playing("5m");
    make_hub_diverge(&mut bench);
    bench.pass(SECOND);
    bench.press(Button::Right);
    assert_eq!(divergence_reports(&mut bench), 1);
    bench.disconnect();
    bench.connect();
    assert_eq!(divergence_reports(&mut bench), 1);
    let adopt = bench.hub.adopt("");
    bench.hear(adopt);
    bench.disconnect();
    bench.connect();
    assert_eq!(divergence_reports(&mut bench), 0);
    bench.agrees_with_hub();
}

#[test]
fn an_empty_adopt_removes_the_board() {
    let mut bench = Bench::playing("5m");
    let order = proto::wire::Order {
        number: 9,
        what: Some(proto::wire::order::What::Adopt(
            proto::wire::Adopt::default(),
        )),
    };
    bench.deaf = true;
    bench.hear(order);
    assert!(bench.core.clock().is_none());
    assert_eq!(bench.core.board(), "");
    assert_eq!(bench.core.face().at(at(bench.now_us)), None);
}

#[test]
fn the_moves_of_an_electronic_board_reach_a_hub_that_takes_them() {
    fn moves(bench: &mut Bench) -> Vec<String> {
        let frames = bench.take_frames().into_iter();
        let moves = frames.filter_map(|frame| match frame.frame {
            Some(agent_frame::Frame::BoardMoves(moves)) => Some(moves.uci.join(" ")),
            _ => None,
        });
        moves.collect()
    }
    let list = |text: &str| text.split_whitespace().map(str::to_owned).collect();
    let mut bench = Bench::new();
    bench.input(Input::BoardMoves(list("e2e4")));
    bench.connect();
    bench.input(Input::BoardMoves(list("e2e4 e7e5")));
    assert!(moves(&mut bench).is_empty(), "an older hub closes the link");
    bench.disconnect();
    bench.hub.takes_moves = true;
    bench.connect();
    assert_eq!(moves(&mut bench), ["e2e4 e7e5"]);
    bench.input(Input::BoardMoves(list("e2e4 e7e5")));
    assert!(moves(&mut bench).is_empty(), "nothing has changed");
    bench.input(Input::BoardMoves(list("e2e4 c7c5")));
    assert_eq!(moves(&mut bench), ["e2e4 c7c5"]);
    // The pieces are set up for the next game: the hub must drop the moves, even on a new link.
    bench.input(Input::BoardMoves(list("")));
    assert_eq!(moves(&mut bench), [""]);
    bench.disconnect();
    bench.connect();
    assert_eq!(moves(&mut bench), [""]);
}

#[test]
fn a_clock_without_an_electronic_board_sends_no_moves() {
    let mut bench = Bench::new();
    bench.hub.takes_moves = true;
    bench.connect();
    let sent = bench
        .take_frames()
        .into_iter()
        .any(|frame| matches!(frame.frame, Some(agent_frame::Frame::BoardMoves(_))));
    assert!(!sent);
}

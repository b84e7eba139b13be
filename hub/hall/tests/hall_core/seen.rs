//! Notes about a clock's honesty: each stays on its board until an arbiter has seen it, has a count instead of being repeated, and survives a restart
//! of the hub.

use std::sync::Arc;

use hall::{AgentFrame, BoardNote, HubEffect, NoteKind, NotesSeen, SignedPromise};
use proto::ids::EventSeq;
use proto::log::record;
use proto::wire::GoodbyeReason;
use timing::Button;

use crate::history::stop;
use crate::rig::{HandClock, Rig, id, seconds};

fn on_board(rig: &Rig, board: &str) -> Vec<BoardNote> {
    let notes = rig.view(board).notes.clone();
    notes.into_iter().filter(|note| note.count > 0).collect()
}

/// Returns every counted note in the hall with its board; `None` for a clock's note that is on no board.
fn everywhere(rig: &Rig) -> Vec<(Option<String>, BoardNote)> {
    let boards: Vec<String> = rig.hall.board_ids().map(ToString::to_string).collect();
    let mut all = Vec::new();
    for board in boards {
        let notes = on_board(rig, &board).into_iter();
        all.extend(notes.map(|note| (Some(board.clone()), note)));
    }
    let of_clocks = rig.hall.agents().into_iter().flat_map(|agent| agent.alerts);
    let alone = of_clocks.filter(|note| note.count > 0);
    let alone: Vec<_> = alone.map(|note| (None, note)).collect();
    let known = |note: &BoardNote| all.iter().any(|(_, one)| one == note);
    let alone: Vec<_> = alone.into_iter().filter(|(_, note)| !known(note)).collect();
    all.extend(alone);
    all
}

fn seen(rig: &mut Rig, board: Option<&str>, note: &BoardNote, count: u64) -> Vec<HubEffect> {
    let request = NotesSeen {
        actor: "Ann".to_owned(),
        reason: "looked at the clock".to_owned(),
        board: board.map(id),
        notes: vec![(note.kind, note.agent, count)],
    };
    let (answer, effects) = rig.asked(request);
    answer.expect("an answer at once").unwrap();
    effects
}

/// Asserts that a note of this kind is shown, survives a restart, and is gone for good once acknowledged.
#[track_caller]
pub(crate) fn assert_stays_until_seen(rig: &mut Rig, kind: &str) {
    let of_kind = |rig: &Rig| -> Vec<(Option<String>, BoardNote)> {
        let all = everywhere(rig).into_iter();
        all.filter(|(_, note)| note.kind.as_str() == kind).collect()
    };
    let before = of_kind(rig);
    assert_eq!(before.len(), 1, "{kind}: {:?}", everywhere(rig));
    rig.assert_replay_equals_live();
    rig.restart();
    assert_eq!(of_kind(rig), before, "{kind}, after a restart");
    let (board, note) = &before[0];
    seen(rig, board.as_deref(), note, note.count);
    assert!(of_kind(rig).is_empty(), "{kind}, after it was seen");
    rig.restart();
    assert!(of_kind(rig).is_empty(), "{kind}, after another restart");
    rig.assert_replay_equals_live();
    let by_ann = rig.log.iter().any(|record| match &record.input {
        Some(record::Input::NoteAcknowledged(seen)) => {
            (seen.kind.as_str(), seen.actor.as_str()) == (kind, "Ann")
                && seen.reason == "looked at the clock"
        }
        _ => false,
    });
    assert!(by_ann, "the log names the arbiter");
}

/// Sends `times` presses, each stamped earlier than the previous one.
fn step_back(rig: &mut Rig, clock: &mut HandClock, times: i64) {
    let at = clock.now(rig) - seconds(1.0);
    for step in 0..times {
        let earlier = at - timing::Duration::from_millis(step);
        let frame = clock.press_frame(earlier, Button::Left);
        clock.frame(rig, frame);
    }
}

fn decreasing(rig: &Rig) -> Option<BoardNote> {
    let mut notes = on_board(rig, "1").into_iter();
    notes.find(|note| note.kind == NoteKind::DecreasingStamp)
}

fn logged(rig: &Rig, kind: &str) -> usize {
    rig.notes().iter().filter(|note| *note == kind).count()
}

#[test]
fn a_flood_of_contradictions_is_one_note_with_a_count() {
    let (mut rig, mut clock) = Rig::running("1h");
    rig.pass(5.0);
    step_back(&mut rig, &mut clock, 500);
    let first = decreasing(&rig).unwrap();
    assert_eq!(first.count, 256);
    assert_eq!(logged(&rig, "decreasing_stamp"), 9);
    rig.pass(70.0);
    let later = decreasing(&rig).unwrap();
    assert_eq!(
        (later.count, later.since),
        (499, first.since),
        "the first event had no predecessor to contradict"
    );
    assert_eq!(later.figures.event, clock.seq, "the newest figures");
    assert_eq!(logged(&rig, "decreasing_stamp"), 10);
    assert_stays_until_seen(&mut rig, "decreasing_stamp");
}

#[test]
fn a_note_counted_again_since_it_was_seen_keeps_the_rest_of_its_count() {
    let (mut rig, mut clock) = Rig::running("1h");
    rig.pass(5.0);
    step_back(&mut rig, &mut clock, 9);
    let shown = decreasing(&rig).unwrap();
    assert_eq!(shown.count, 8);
    step_back(&mut rig, &mut clock, 9);
    assert_eq!(decreasing(&rig).unwrap().count, 16);
    seen(&mut rig, Some("1"), &shown, shown.count);
    assert_eq!(decreasing(&rig).unwrap().count, 8);
    let rest = decreasing(&rig).unwrap();
    seen(&mut rig, Some("1"), &rest, rest.count);
    assert_eq!(decreasing(&rig), None);
    // An acknowledgement covers only the count that was shown: later occurrences raise the note again.
    step_back(&mut rig, &mut clock, 4);
    let again = decreasing(&rig).unwrap();
    seen(&mut rig, Some("1"), &again, again.count);
    rig.pass(6.0);
    assert_eq!(decreasing(&rig).map(|note| note.count), Some(1));
    rig.assert_replay_equals_live();
}

#[test]
fn an_acknowledgement_counts_once_and_ends_no_other_note() {
    let (mut rig, mut clock) = Rig::running("1h");
    rig.pass(5.0);
    step_back(&mut rig, &mut clock, 3);
    let note = decreasing(&rig).unwrap();
    let low = BoardNote::new(NoteKind::LowBattery, String::new());
    let records = rig.log.len();
    seen(&mut rig, Some("1"), &low, 1);
    assert_eq!(rig.log.len(), records, "there is no such note");
    seen(&mut rig, Some("1"), &note, note.count);
    let records = rig.log.len();
    seen(&mut rig, Some("1"), &note, note.count);
    assert_eq!(rig.log.len(), records, "it has ended already");
}

#[test]
fn neither_a_note_nor_its_end_is_visible_to_the_public() {
    let (mut rig, clock) = Rig::running("1h");
    let mut copy = clock.clone();
    let before = rig.view("1").view.clone();
    let published = rig.view("1").published.clone();
    // A copied clock raises a note but does not affect the game.
    copy.connect(&mut rig);
    let note = on_board(&rig, "1").remove(0);
    assert_eq!(note.kind, NoteKind::SecondLink);
    let same = |rig: &Rig| Arc::ptr_eq(&published, &rig.view("1").published);
    assert!(same(&rig), "{:?}", rig.view("1").view);
    let effects = seen(&mut rig, Some("1"), &note, note.count);
    let told = effects
        .iter()
        .any(|effect| matches!(effect, HubEffect::Publish { .. }));
    assert!(told, "arbiters see at once that it has ended");
    assert!(same(&rig), "{:?}", rig.view("1").view);
    assert_eq!(
        rig.seq("1"),
        before.seq,
        "a request on its way stays current"
    );
}

#[test]
fn a_call_and_a_pending_command_do_not_change_the_public_view() {
    let (mut rig, mut clock) = Rig::running("1h");
    rig.pass(1.0);
    stop(&mut rig, &mut clock);
    let before = rig.view("1");
    rig.pass(2.0);
    stop(&mut rig, &mut clock);
    let called = rig.view("1");
    assert!(called.arbiter_called.is_some() && called.view.seq > before.view.seq);
    assert!(Arc::ptr_eq(&called.published, &before.published));

    clock.drop_link(&mut rig);
    let silent = rig.view("1");
    assert_eq!(silent.published.seq, before.published.seq + 1);
    rig.ask("1", "resume");
    rig.pass(2.0);
    let waiting = rig.view("1");
    assert_eq!(waiting.pending.len(), 1);
    assert!(Arc::ptr_eq(&waiting.published, &silent.published));
    let id = waiting.pending[0].record.id;
    rig.request("1", hall::Action::Withdraw(id)).unwrap();
    let withdrawn = rig.view("1");
    assert_eq!(withdrawn.pending.len(), 0);
    assert!(Arc::ptr_eq(&withdrawn.published, &silent.published));
    let seen = waiting.for_viewers(waiting.published.clone());
    assert_eq!(seen, withdrawn.for_viewers(withdrawn.published.clone()));
}

#[test]
fn a_clock_without_a_board_has_its_notes_in_the_list_and_takes_them_along() {
    let mut rig = Rig::new();
    let mut clock = rig.enrol(1, None);
    clock.connect(&mut rig);
    let mut copy = clock.clone();
    copy.connect(&mut rig);
    let alert = |rig: &Rig| rig.hall.agents()[0].alerts.first().cloned();
    let note = alert(&rig).unwrap();
    assert_eq!(
        (note.kind, note.agent),
        (NoteKind::SecondLink, Some(clock.id))
    );
    rig.add_board("1", "5m");
    let agent = clock.id.to_string();
    rig.request("1", hall::Action::Assign(agent)).unwrap();
    assert_eq!(on_board(&rig, "1"), std::slice::from_ref(&note));
    seen(&mut rig, Some("1"), &note, 1);
    assert_eq!((alert(&rig), on_board(&rig, "1")), (None, Vec::new()));
    rig.assert_replay_equals_live();
}

#[test]
fn a_board_that_leaves_the_hall_leaves_its_notes_to_its_clock() {
    let (mut rig, mut clock) = Rig::running("1h");
    rig.pass(5.0);
    step_back(&mut rig, &mut clock, 3);
    let note = decreasing(&rig).unwrap();
    rig.request("1", hall::Action::RemoveBoard).unwrap();
    let alerts = rig.hall.agents()[0].alerts.clone();
    assert!(alerts.contains(&note), "{alerts:?}");
    rig.assert_replay_equals_live();
    seen(&mut rig, None, &note, note.count);
    let alerts = rig.hall.agents()[0].alerts.clone();
    assert!(!alerts.contains(&note), "{alerts:?}");
}

#[test]
fn an_event_that_its_clock_has_not_signed_is_noted() {
    let (mut rig, mut clock) = Rig::running("1h");
    clock.frame(&mut rig, AgentFrame::BadSignature);
    assert_stays_until_seen(&mut rig, "bad_signature");
}

#[test]
fn a_promise_with_a_false_signature_is_noted() {
    let (mut rig, mut clock) = Rig::running("1h");
    rig.hall.check_promises_by(|_, _| false);
    for _ in 0..500 {
        let word = SignedPromise {
            at: clock.now(&rig),
            seq: EventSeq(clock.seq),
            signature: vec![9; 64],
        };
        clock.frame(&mut rig, AgentFrame::Promise(word));
    }
    assert_stays_until_seen(&mut rig, "forged_promise");
}

#[test]
fn notes_from_logs_without_counts_do_not_return() {
    let (mut rig, mut clock) = Rig::running("1h");
    rig.pass(5.0);
    step_back(&mut rig, &mut clock, 3);
    for record in &mut rig.log {
        if let Some(record::Input::Note(note)) = &mut record.input {
            (note.count, note.figures) = (0, None);
        }
    }
    rig.restart();
    assert!(everywhere(&rig).is_empty());
    let seq = EventSeq(clock.seq);
    assert_eq!(rig.hall.agents()[0].acked_seq, seq);
}

/// Connects a clock with `more` acknowledged events that the log does not have. It refuses the log unless the hub has confirmed the loss.
fn refuse_the_log(rig: &mut Rig, clock: &mut HandClock, more: u64) {
    clock.drop_link(rig);
    let mut hello = clock.hello(rig);
    hello.next_seq = EventSeq(hello.next_seq.0 + more);
    hello.head = Some([9; 32]);
    clock.connect_with(rig, hello);
    if !clock.welcome.as_ref().unwrap().loss_confirmed {
        clock.frame(
            rig,
            AgentFrame::Goodbye {
                reason: GoodbyeReason::BadChain,
                text: "not here any more".to_owned(),
            },
        );
    }
}

#[test]
fn a_log_set_back_is_noted_on_the_board_until_the_loss_is_confirmed() {
    let (mut rig, mut clock) = Rig::running("1h");
    rig.pass(5.0);
    clock.press(&mut rig, Button::Left);
    refuse_the_log(&mut rig, &mut clock, 3);
    let [note] = on_board(&rig, "1").try_into().unwrap();
    assert_eq!(note.kind, NoteKind::LogSetBack);
    assert_eq!(note.figures.event, clock.seq);
    refuse_the_log(&mut rig, &mut clock, 3);
    assert!(!clock.welcome.as_ref().unwrap().loss_confirmed);
    assert_eq!(rig.hall.log_epoch(), None);
    assert_stays_until_seen(&mut rig, "log_set_back");
    let epoch = rig.hall.log_epoch().unwrap();
    assert_eq!(epoch.number, 2);
    let says_why = &rig.log[usize::try_from(epoch.begins).unwrap()];
    assert!(hall::begins_log_epoch(says_why), "{says_why:?}");

    refuse_the_log(&mut rig, &mut clock, 3);
    assert!(clock.welcome.as_ref().unwrap().loss_confirmed);
    assert!(on_board(&rig, "1").is_empty(), "it is not noted again");
    // The clock continues after the log's last event, so the loss no longer needs to be confirmed.
    clock.press(&mut rig, Button::Right);
    clock.drop_link(&mut rig);
    clock.connect(&mut rig);
    assert!(!clock.welcome.as_ref().unwrap().loss_confirmed);
    rig.assert_replay_equals_live();
}

#[test]
fn a_clock_that_refuses_the_log_for_another_reason_indicates_no_loss() {
    let (mut rig, mut clock) = Rig::running("1h");
    rig.pass(5.0);
    clock.press(&mut rig, Button::Left);
    refuse_the_log(&mut rig, &mut clock, 0);
    assert!(
        on_board(&rig, "1")
            .iter()
            .all(|note| note.kind != NoteKind::LogSetBack)
    );
}

#[test]
fn a_damaged_journal_of_a_clock_is_noted() {
    let (mut rig, mut clock) = Rig::running("1h");
    rig.pass(5.0);
    clock.press(&mut rig, Button::Left);
    clock.drop_link(&mut rig);
    let mut hello = clock.hello(&rig);
    hello.journal_damaged = true;
    clock.connect_with(&mut rig, hello);
    let [note] = on_board(&rig, "1").try_into().unwrap();
    assert_eq!(note.kind, NoteKind::JournalDamaged);
    assert_eq!(note.figures.event, clock.seq);
    assert_stays_until_seen(&mut rig, "journal_damaged");
}

//! Compares the rules that a replay reads with those of the live fold, after each record of an event.

use proto::ids::CommandId;
use proto::log::{Record, record};
use timing::RulesVersion;
use tournament::{Change, Player, PlayerNo};

use super::*;
use crate::entry::{Entry, EventEntry, EventEntryKind, Logged};
use crate::fold::Fold;
use crate::request::RequestDigest;
use crate::to_proto;
use crate::tournament::parts::parts;

#[derive(Default)]
struct Log {
    fold: Fold,
    rules: EventRules,
    bundles: u8,
}

impl Log {
    fn bundle(&mut self, imported: Option<bool>, changes: &[Change]) -> Vec<EventEntry> {
        self.bundles += 1;
        let id = CommandId([self.bundles; 16]);
        let chief = Actor::chief("Chief");
        let mut entries = parts(id, &chief, "", RequestDigest::OWN, changes);
        let file = "a.trf".to_owned();
        entries[0].imported = imported.map(|opens| Imported { file, opens });
        entries
    }

    #[track_caller]
    fn apply(&mut self, entries: Vec<EventEntry>) -> u64 {
        for entry in entries {
            let logged = Logged {
                rules: RulesVersion::LATEST,
                hub: Instant::MIN,
                board: None,
                entry: Entry::Event(Box::new(entry)),
                after: None,
            };
            let Record { input, .. } = to_proto::records::record(&logged);
            let Some(record::Input::EventChanged(changed)) = input else {
                panic!("{input:?}");
            };
            self.fold.apply(&logged).unwrap();
            self.rules.follow(&changed);
            let live = self.fold.event.tournament.as_deref().map(Tournament::event);
            let named = |event: &Event| (event.rules.clone(), event.round_rules.clone());
            assert_eq!(
                self.rules.current().map(named),
                live.map(named),
                "{changed:?}"
            );
        }
        self.fold.event.version
    }

    #[track_caller]
    fn changes(&mut self, changes: &[Change]) -> u64 {
        let entries = self.bundle(None, changes);
        self.apply(entries)
    }

    #[track_caller]
    fn imports(&mut self, opens: bool, changes: &[Change]) -> u64 {
        let entries = self.bundle(Some(opens), changes);
        self.apply(entries)
    }

    #[track_caller]
    fn moves(&mut self, what: EventEntryKind) {
        let mut entries = self.bundle(None, &[player(1)]);
        entries[0].what = what;
        self.apply(entries);
    }

    #[track_caller]
    fn check(&self, key: &str) {
        assert_eq!(self.rules.current().unwrap().rules, key);
    }
}

fn set(rules: &str) -> Change {
    let mut event = Event::new("Open", 9);
    event.rules = rules.to_owned();
    Change::SetEvent(Box::new(event))
}

fn player(no: u16) -> Change {
    Change::EnterPlayer(Box::new(Player::new(PlayerNo(no), "Player")))
}

#[test]
fn rules_follow_events_that_are_set_switched_and_undone() {
    let mut log = Log::default();
    log.changes(&[set("uscf")]);
    log.imports(false, &[set("fide-blitz")]);
    log.moves(EventEntryKind::Undone(2));
    log.check("uscf");
    let opened = log.imports(true, &[set("time-chess")]);
    log.moves(EventEntryKind::Undone(opened));
    log.check("uscf");
    log.imports(true, &[set("go")]);
    log.moves(EventEntryKind::SwitchedTo(EventNo(1)));
    log.check("uscf");
    let why = crate::refusal::Why::TextOnly("unknown".to_owned());
    log.moves(EventEntryKind::Refused(why.into()));
    log.changes(&[set("go"), player(2), set("uscf")]);
    log.check("uscf");
}

#[test]
fn rules_that_were_set_since_an_import_outlast_its_undo() {
    let mut log = Log::default();
    log.changes(&[set("")]);
    let imported = log.imports(false, &[set("fide-blitz"), player(1)]);
    log.changes(&[set("time-chess")]);
    log.moves(EventEntryKind::Undone(imported));
    log.check("time-chess");
}

#[test]
fn the_undone_import_is_found_by_its_version() {
    let mut log = Log::default();
    log.changes(&[set("uscf")]);
    log.changes(&[player(1)]);
    let older = log.imports(false, &[set("fide-blitz")]);
    log.changes(&[player(2)]);
    let newer = log.imports(false, &[set("time-chess")]);
    log.changes(&[player(3)]);
    log.moves(EventEntryKind::Undone(older));
    log.check("time-chess");
    log.moves(EventEntryKind::Undone(newer));
    log.check("uscf");
}

#[test]
fn rules_are_read_from_an_event_that_is_longer_than_a_record() {
    let long = |rules: &str| {
        let mut event = Event::new("Open", 9);
        event.rules = rules.to_owned();
        event.kept_lines = vec!["x".repeat(9_000)];
        [player(1), Change::SetEvent(Box::new(event)), player(2)]
    };
    let mut log = Log::default();
    log.changes(&[set("uscf")]);
    assert!(log.bundle(None, &long("go")).len() > 3);
    log.changes(&long("time-chess"));
    log.check("time-chess");
    // The hub stops before the last part is stored, and the sender repeats the request after the restart.
    let repeated = log.bundle(None, &long("go"));
    let mut stored = repeated.clone();
    stored.pop();
    log.apply(stored);
    log.fold.event.parts.clear();
    log.check("time-chess");
    log.apply(repeated);
    log.check("go");
}

//! Describes a record of the log as one line for people. Defines wording only.

use proto::log::{self, BoardValues, Changed, Record};
use timing::{Fact, Hub, Instant, Side};

use super::agent_frame::{EventFact, SignedEvent};
use super::command_record::{CommandKind, CommandRecord};
use super::corrections::Arbiter;
use super::entry::{
    AcceptedTime, Entry, EventEntry, EventEntryKind, FloorEntry, HeldDecision, HeldEntry, HeldPart,
    LinkChange, LoggedNote, SeenNote,
};
use super::offence::Offence;
use super::pair::Placed;
use super::request::Enrolment;

use super::tournament::topic;
use super::words::{capital, display_text};
use crate::from_proto;
use crate::wall_time::WallTime;

/// Describes a record in one line; also accepts records that this program cannot read.
pub fn describe(record: &Record) -> String {
    let after = record.after.as_ref().map(clocks).unwrap_or_default();
    match from_proto::records::logged(record.clone()) {
        Ok(logged) => format!("{}{after}", entry(&logged.entry)),
        Err(error) => format!("unreadable: {error}"),
    }
}

/// Describes a record in one line. If the record states its changes to the board, adds them, such as moves, flag falls,
/// and values before and after. `at` formats a hub instant as a time of day.
pub fn describe_changes(record: &Record, at: &dyn Fn(i64) -> String) -> String {
    let text = describe(record);
    let changed = record.changed.as_ref();
    let words = changed.map_or(Vec::new(), |changed| changed_words(changed, at));
    if words.is_empty() {
        return text;
    }
    format!("{text}; {}", words.join(", "))
}

fn changed_words(changed: &Changed, time: &dyn Fn(i64) -> String) -> Vec<String> {
    let mut words = Vec::new();
    if let Some(game) = changed.new_game {
        words.push(match game.round {
            0 => "a new game".to_owned(),
            round => format!("a new game, round {round}"),
        });
    }
    for made in &changed.moves {
        let (side, used) = (name(made.side()), exact_time(made.used_us));
        words.push(format!("{side} made move {} in {used}", made.r#move));
    }
    for flag in &changed.flags {
        let at = time(flag.at_us);
        words.push(format!("{}'s flag fell at {at}", name(flag.side())));
    }
    if let (Some(before), Some(after), None) = (&changed.before, &changed.after, changed.new_game) {
        let moves = [after.white, after.black].map(|side| side.unwrap_or_default().moves);
        words.push(format!("at move {}", moves[0].max(moves[1])));
        words.extend(differences(before, after));
    }
    if changed.arbiter_called {
        words.push("a player called the arbiter".to_owned());
    }
    if !changed.refused.is_empty() {
        words.push(format!("not carried out: {}", changed.refused));
    }
    words
}

fn differences(before: &BoardValues, after: &BoardValues) -> Vec<String> {
    let sides = [
        ("White", before.white, after.white),
        ("Black", before.black, after.black),
    ];
    let of_sides = sides.into_iter().flat_map(|(side, from, to)| {
        let values = side_values(from.unwrap_or_default());
        let pairs = values.into_iter().zip(side_values(to.unwrap_or_default()));
        pairs.map(move |((what, from), (_, to))| (format!("{side}{what}"), from, to))
    });
    let pairs = board_values(before).into_iter().zip(board_values(after));
    let of_board = pairs.map(|((what, from), (_, to))| (what.to_owned(), from, to));
    of_sides
        .chain(of_board)
        .filter(|(_, from, to)| from != to)
        .map(|(what, from, to)| format!("{what} {from} → {to}"))
        .collect()
}

fn side_values(side: log::SideValues) -> [(&'static str, String); 6] {
    let count = |count: Option<u32>| count.map_or("none".to_owned(), |count| count.to_string());
    [
        ("", exact_time(side.time_us)),
        ("'s moves", side.moves.to_string()),
        ("'s period", side.period.to_string()),
        ("'s byo-yomi periods", count(side.byo_left)),
        ("'s stones", count(side.stones)),
        (
            "'s bank",
            side.bank_us.map_or("none".to_owned(), exact_time),
        ),
    ]
}

fn board_values(values: &BoardValues) -> [(&'static str, String); 5] {
    let button = if values.white_is_right {
        "right"
    } else {
        "left"
    };
    let result = match values.result.as_str() {
        "" => "none",
        result => result,
    };
    [
        ("state", values.phase.clone()),
        ("to move", name(values.turn()).to_owned()),
        ("White's button", button.to_owned()),
        ("result", result.to_owned()),
        ("control", values.control.clone()),
    ]
}

fn name(side: proto::Side) -> &'static str {
    match side {
        proto::Side::Unspecified => "neither",
        proto::Side::White => "White",
        proto::Side::Black => "Black",
    }
}

fn clocks(after: &log::After) -> String {
    format!(
        " [White {}, Black {}]",
        exact_time(after.white_us),
        exact_time(after.black_us)
    )
}

/// Formats a time to the microsecond, for example `1:29:58.250000`.
pub fn exact_time(us: i64) -> String {
    let sign = if us < 0 { "-" } else { "" };
    let us = us.unsigned_abs();
    let (seconds, rest) = (us / 1_000_000, us % 1_000_000);
    format!(
        "{sign}{}:{:02}:{:02}.{rest:06}",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    )
}

fn started(run: &log::HubStarted) -> String {
    let new = match run.voucher_der.as_slice() {
        [] => String::new(),
        _ => {
            let fingerprint = proto::enrolment::fingerprint(&run.authority_der);
            let text = proto::enrolment::fingerprint_text(&fingerprint);
            format!(", with the new authority {text}, for which the former one vouches")
        }
    };
    format!("hub started, run {} ({}){new}", run.epoch, run.timeline)
}

fn entry(entry: &Entry) -> String {
    match entry {
        Entry::Opened(opened) => {
            format!("log {} opened for “{}”", opened.origin, opened.event_name)
        }
        Entry::HubStarted(run) => started(run),
        Entry::AgentEnrolled(enrolment) => enrolled(enrolment),
        Entry::AgentRevoked {
            agent,
            actor,
            reason,
        } => format!(
            "clock {} revoked by {actor}{}",
            agent.short(),
            because(reason)
        ),
        Entry::Command(command) => self::command(command),
        Entry::AgentEvent {
            agent,
            event,
            placed,
            accepted,
        } => format!(
            "event {} of clock {}: {}{}",
            event.seq.0,
            agent.short(),
            said(event),
            at(event, placed.as_ref(), *accepted)
        ),
        Entry::Passed { side, at } => {
            format!(
                "{}'s clock has reported everything before {} us",
                capital(*side),
                at.as_micros()
            )
        }
        Entry::Equivocation(equivocation) => equivocation.to_string(),
        Entry::Settled { at } => format!("no press before board time {} us", at.as_micros()),
        Entry::Forced { id, actor, .. } => format!("command {id} forced by {actor}"),
        Entry::Withdrawn { id, actor } => format!("command {id} withdrawn by {actor}"),
        Entry::Note(note) => self::note(note),
        Entry::NoteSeen(seen) => seen_by(seen),
        Entry::NoteOver { kind, .. } => format!("note ({kind}): its cause has gone"),
        Entry::Arbiters(arbiters) => correcting(arbiters),
        Entry::Event(entry) => event(entry),
        Entry::FlagExpected { side, at } => expected(*side, *at),
        Entry::LinkChanged(change) => link(change),
        Entry::Signed(signed) => format!(
            "{} signed {} with device {}",
            signed.actor,
            call_name(&signed.path),
            signed.device
        ),
        Entry::ChiefRecovered(recovery) => recovered(recovery),
        Entry::ZeroTestEnded(certificate) => certificate.to_string(),
        Entry::Floor(entry) => floor(entry),
        Entry::Called(call) => {
            format!(
                "{} by {} with a key file",
                call_name(&call.path),
                call.actor
            )
        }
        Entry::Held(entry) => held(entry),
        Entry::HeldDecided(decision) => decided(decision),
    }
}

fn recovered(recovery: &log::ChiefRecovered) -> String {
    let revoked = match recovery.revoked.as_slice() {
        [] => "none".to_owned(),
        revoked => revoked.join(", "),
    };
    let address = &recovery.address;
    format!(
        "the recovery code was used from {address}: chief arbiters' devices and key files revoked: {revoked}"
    )
}

fn enrolled(enrolment: &Enrolment) -> String {
    let how = match enrolment.admitted_by.as_str() {
        "" => "enrolled".to_owned(),
        by => format!("admitted by {by}"),
    };
    let clock = enrolment.agent.short();
    format!("clock {clock} “{}” {how}", enrolment.name)
}

fn decided(decision: &HeldDecision) -> String {
    let HeldDecision { id, actor, .. } = decision;
    match decision.confirmed {
        true => format!("command {id} confirmed by {actor} as second arbiter"),
        false => format!("command {id} declined by {actor}"),
    }
}

fn call_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn held(entry: &HeldEntry) -> String {
    let what = match &entry.part {
        HeldPart::Command(record) => command(record),
        HeldPart::Event { entry, .. } => event(entry),
        HeldPart::Revocation(revocation) => format!(
            "revoke device {} of {} by {}{}",
            revocation.device,
            revocation.name,
            revocation.actor.name,
            because(&revocation.reason)
        ),
    };
    format!("waits for a second arbiter: {what}")
}

fn note(note: &LoggedNote) -> String {
    let LoggedNote {
        kind, text, count, ..
    } = note;
    match count {
        0 | 1 => format!("note ({kind}): {text}"),
        _ => format!("note ({kind}, {count} times): {text}"),
    }
}

fn seen_by(seen: &SeenNote) -> String {
    let SeenNote {
        kind,
        count,
        actor,
        reason,
        ..
    } = seen;
    let times = match count {
        1 => String::new(),
        _ => format!(", {count} times"),
    };
    let reason = match reason.as_str() {
        "" => String::new(),
        reason => format!(": {reason}"),
    };
    format!("note ({kind}{times}) seen by {actor}{reason}")
}

fn expected(side: Side, at: Instant<Hub>) -> String {
    let at = WallTime::from_unix_us(at.as_micros());
    let side = capital(side);
    format!("{side}'s time ran out at {at}, unless its clock reports an earlier press")
}

fn link(change: &LinkChange) -> String {
    let clock = change.agent.short();
    if change.online {
        return format!("clock {clock} is connected");
    }
    let last = change
        .heard
        .map(|at| WallTime::from_unix_us(at.as_micros()));
    let last = last.map_or(String::new(), |at| format!(", last heard at {at}"));
    format!("link to clock {clock} lost{last}")
}

fn at(event: &SignedEvent, placed: Option<&Placed>, accepted: AcceptedTime) -> String {
    if let Some(placed) = placed {
        return format!(
            " at {} us, between {} and {} us",
            placed.est.as_micros(),
            placed.lo.as_micros(),
            placed.hi.as_micros()
        );
    }
    let mut text = format!(" at board time {} us", event.at.as_micros());
    if let Some(at) = accepted.at {
        text.push_str(&format!(", counts at {} us", at.as_micros()));
    }
    if let Some(to) = accepted.charged_to {
        text.push_str(&format!(", charged up to {} us", to.as_micros()));
    }
    text
}

const MAX_NAMED: usize = 4;

fn event(entry: &EventEntry) -> String {
    let what = match &entry.what {
        EventEntryKind::Changes(changes) => {
            let mut named: Vec<String> = changes.iter().take(MAX_NAMED).map(topic::words).collect();
            if changes.len() > MAX_NAMED {
                let more = changes.len() - MAX_NAMED;
                let changes = if more == 1 { "change" } else { "changes" };
                named.push(format!("and {more} more {changes}"));
            }
            named.join("; ")
        }
        EventEntryKind::Piece { bytes, .. } => format!("{} bytes of a long change", bytes.len()),
        EventEntryKind::Undone(version) => {
            format!("the import that created version {version} undone as a whole")
        }
        EventEntryKind::SwitchedTo(number) => {
            format!("event {number} brought back, the present one set aside")
        }
        EventEntryKind::Refused(why) => format!("refused: {why}: asked"),
    };
    let imported = entry.imported.as_ref();
    let what = match imported.is_some_and(|imported| imported.opens) {
        true => format!("a new event opened, the present one set aside: {what}"),
        false => what,
    };
    let part = part_of((entry.part, entry.parts));

    let reason = because(&entry.reason);
    format!("event{part}: {what} by {}{reason}", entry.actor)
}

fn floor(entry: &FloorEntry) -> String {
    let boards: Vec<&str> = entry.places.keys().map(|board| board.as_str()).collect();
    let named = boards.get(..MAX_NAMED).unwrap_or(&boards).join(", ");
    let places = match boards.len() {
        0 => "no board has a place".to_owned(),
        1 => format!("a place for board {named}"),
        many if many <= MAX_NAMED => format!("places for boards {named}"),
        many => format!("places for boards {named} and {} more", many - MAX_NAMED),
    };
    let scope = match entry.whole {
        true => "whole floor plan",
        false => "floor plan",
    };
    let part = part_of((entry.part, entry.parts));

    format!("{scope}{part}: {places} by {}", entry.actor)
}

fn correcting(arbiters: &[Arbiter]) -> String {
    if arbiters.is_empty() {
        return "no arbiter may correct boards at their clocks".to_owned();
    }
    let names: Vec<_> = arbiters.iter().map(|arbiter| &*arbiter.name).collect();
    let names = names.join(", ");
    format!("may correct boards at their clocks, by PIN: {names}")
}

fn command(command: &CommandRecord) -> String {
    let asked = match command.asked.as_str() {
        "" => String::new(),
        asked => format!(" {asked}"),
    };
    let odds = command.draw_odds;
    let odds = odds.map(|side| format!(", draw odds to {}", capital(side)));
    // In older records the reason, which is added below, already names the offence.
    let offence = command
        .offence
        .filter(|_| Offence::in_reason(&command.reason).is_none());
    let offence = offence.map(|offence| format!(", for {}", offence.words()));
    format!(
        "{}{asked}{}{} by {}{}",
        kind(&command.kind),
        odds.unwrap_or_default(),
        offence.unwrap_or_default(),
        command.actor,
        because(&command.reason)
    )
}

fn kind(kind: &CommandKind) -> String {
    match kind {
        CommandKind::Board(command) => display_text(command),
        CommandKind::Ruling(ruling) => match &ruling.command {
            Some(command) => format!("{}: {}", ruling.request, display_text(command)),
            None => ruling.request.to_string(),
        },
        CommandKind::Moves(entered) => moves(entered),
        CommandKind::Rules(rules) => format!("rule set: {}", rules.title),
        CommandKind::Player(side, act) => format!("{} {act}", capital(*side)),
        CommandKind::PressRule(rule) => format!("a turn ends with the {rule}"),
        CommandKind::AddBoard(setup) => format!("board added: {}", setup.control),
        CommandKind::RemoveBoard => "board removed".to_owned(),
        CommandKind::Assign(Some(agent)) => format!("clock {} assigned", agent.short()),
        CommandKind::AssignSide(side, Some(agent)) => {
            format!("clock {} assigned to {}", agent.short(), capital(*side))
        }
        CommandKind::AssignSide(side, None) => {
            format!("{}'s clock taken off the board", capital(*side))
        }
        CommandKind::Assign(None) => "clock taken off the board".to_owned(),
        CommandKind::Names(names) => {
            format!("names: {} – {}, {}", names.white, names.black, names.round)
        }
        CommandKind::DrawOdds(Some(side)) => format!("draw odds to {}", capital(*side)),
        CommandKind::ZeroTest => "clock test".to_owned(),
        CommandKind::DrawOdds(None) => "no draw odds".to_owned(),
        CommandKind::Refused(why) => format!("refused: {why}: asked"),
    }
}

/// Describes moves in UCI notation; shortens a long entry to its first and last move.
fn moves(entered: &log::MovesEntered) -> String {
    let after = entered.after;
    match &entered.uci[..] {
        [] => format!("moves after half-move {after} taken back"),
        moves @ ([_] | [_, _] | [_, _, _]) => {
            format!("moves after half-move {after}: {}", moves.join(" "))
        }
        [first, .., last] => format!(
            "{} moves after half-move {after}: {first} … {last}",
            entered.uci.len()
        ),
    }
}

fn said(event: &SignedEvent) -> String {
    match &event.correction {
        Some(correction) => correction.words(),
        None => fact(event.fact),
    }
}

fn fact(fact: EventFact) -> String {
    match fact {
        EventFact::Players(Fact::Pressed(button)) => format!("{button} button pressed"),
        EventFact::Players(Fact::Stopped) => "clocks stopped by the players".to_owned(),
        EventFact::OrderTaken(order) => format!("order {order} carried out"),
        EventFact::Rebase {
            uncharged: true, ..
        } => "machine restarted without a hub: nothing charged".to_owned(),
        EventFact::Rebase {
            jump_us,
            uncertainty_us,
            uncharged: false,
        } => format!("board time jumped {jump_us} us (give or take {uncertainty_us} us)"),
        EventFact::Correction => "correction at the clock".to_owned(),
        EventFact::ZeroTested(_) => "scripted press of a clock test".to_owned(),
    }
}

fn because(reason: &str) -> String {
    match reason {
        "" => String::new(),
        reason => format!(" ({reason})"),
    }
}

fn part_of((part, parts): (u32, u32)) -> String {
    match parts {
        1 => String::new(),
        parts => format!(", part {part} of {parts}"),
    }
}

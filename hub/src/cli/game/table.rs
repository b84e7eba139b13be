//! Prints a game for people: a table of its moments, the clocks at an instant or a move, or a what-if comparison.

use super::super::hall_time::HallTime;
use super::super::output::{Result, Table, print, say, unless_empty};
use hall::replay::{
    Basis, Comparison, FlagChange, Moment, MomentDetail, MoveClocks, MoveName, MoveStanding,
    Standing, Timeline,
};
use hall::view::{BoardState, Side};

/// Formats a time to the millisecond: `1:12:03.120`.
pub(super) fn millis(us: i64) -> String {
    let sign = if us < 0 { "-" } else { "" };
    let ms = us.unsigned_abs() / 1_000;
    let (seconds, ms) = (ms / 1_000, ms % 1_000);
    format!(
        "{sign}{}:{:02}:{:02}.{ms:03}",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    )
}

pub(super) fn game_of(timeline: &Timeline) -> String {
    let Timeline {
        board, round, game, ..
    } = timeline;
    match round {
        0 => format!("board {board}, game {game}"),
        round => format!("board {board}, round {round}, game {game}"),
    }
}

pub(super) fn heading(timeline: &Timeline, time: &HallTime) -> Result<()> {
    let name = |name: &str, side: &str| match name {
        "" => side.to_owned(),
        name => name.to_owned(),
    };
    say!(
        "{}: {} – {}, {}, {}\n",
        game_of(timeline),
        name(&timeline.white, "White"),
        name(&timeline.black, "Black"),
        timeline.control,
        time.in_full(timeline.start_us())
    )
}

pub(super) fn game(timeline: &Timeline, all: bool, time: &HallTime) -> Result<()> {
    heading(timeline, time)?;
    let is_shown = |moment: &&Moment| all || moment.is_of_play();
    let moments: Vec<&Moment> = timeline.moments.iter().filter(is_shown).collect();
    let table = Table::of(&moments)
        .right("RECORD", |moment| moment.record.to_string())
        .left("TIME OF DAY", |moment| {
            time.to_the_millisecond(moment.at_us)
        })
        .right("MOVE", |moment| move_of(moment))
        .right("USED", |moment| used_of(moment))
        .right("WHITE", |moment| millis(moment.clocks.white.us))
        .right("BLACK", |moment| millis(moment.clocks.black.us))
        .left("", |moment| words(moment));
    print(table)
}

pub(super) fn used_of(moment: &Moment) -> String {
    let MomentDetail::Move { used_us, .. } = moment.what else {
        return String::new();
    };
    millis(used_us)
}

pub(super) fn move_of(moment: &Moment) -> String {
    let MomentDetail::Move { side, number, .. } = moment.what else {
        return String::new();
    };
    format!("{number}{}", letter(side))
}

fn letter(side: Side) -> char {
    match side {
        Side::White => 'w',
        Side::Black => 'b',
    }
}

fn name(side: Side) -> &'static str {
    match side {
        Side::White => "White",
        Side::Black => "Black",
    }
}

pub(super) fn words(moment: &Moment) -> String {
    match &moment.what {
        MomentDetail::Set { control } => format!("set: {control}"),
        MomentDetail::Started { side } => format!("{}'s clock started", name(*side)),
        MomentDetail::Move { side, basis, .. } => {
            format!("{} pressed{}", name(*side), of_clock(basis))
        }
        MomentDetail::Ignored { side, why, basis } => {
            format!(
                "{} pressed without effect: {why}{}",
                name(*side),
                of_clock(basis)
            )
        }
        MomentDetail::Stopped => "the players stopped the clocks".to_owned(),
        MomentDetail::ArbiterCalled => "a player called the arbiter".to_owned(),
        MomentDetail::Flag { side } => format!("{}'s flag fell", name(*side)),
        MomentDetail::FlagExpected { side } => format!("{}'s flag unconfirmed", name(*side)),
        MomentDetail::Period { side, period } => format!("{}: period {period}", name(*side)),
        MomentDetail::Action {
            command,
            actor,
            reason,
            asked,
            refused,
        } => {
            let reason = reason_words(reason);
            let asked = asked.filter(|asked| *asked != moment.record);
            let asked = asked.map_or(String::new(), |asked| {
                format!(", requested in record {asked}")
            });
            let refused = refused
                .as_ref()
                .map_or(String::new(), |why| format!(", refused: {why}"));
            format!("{command} by {actor}{reason}{asked}{refused}")
        }
        MomentDetail::Asked {
            command,
            actor,
            reason,
        } => format!("requested: {command} by {actor}{}", reason_words(reason)),
        MomentDetail::Note { note, text } => format!("note {note}: {text}"),
        MomentDetail::Link { online: true } => "the clock's signal is back".to_owned(),
        MomentDetail::Link { online: false } => "no signal from the clock".to_owned(),
        MomentDetail::Other { text } => text.clone(),
    }
}

fn reason_words(reason: &str) -> String {
    unless_empty(reason, |reason| format!(" ({reason})"))
}

fn of_clock(basis: &Option<Basis>) -> String {
    basis.as_ref().map_or(String::new(), |basis| {
        let agent = basis.agent.get(..8).unwrap_or(&basis.agent);
        format!(", event {} of clock {agent}", basis.event)
    })
}

pub(super) fn at_move(
    timeline: &Timeline,
    move_name: MoveName,
    found: &MoveStanding,
    time: &HallTime,
) -> Result<()> {
    say!("as {move_name} was pressed:")?;
    clocks(&found.pressed)?;
    say!("after the press:")?;
    standing(timeline, &found.after, time)
}

fn clocks(standing: &Standing) -> Result<()> {
    let (white, black) = (&standing.clocks.white, &standing.clocks.black);
    say!(
        "  White  {}   Black  {}",
        millis(white.us),
        millis(black.us)
    )
}

pub(super) fn standing(timeline: &Timeline, standing: &Standing, time: &HallTime) -> Result<()> {
    clocks(standing)?;
    say!("  at     {}", time.in_full(standing.at_us))?;
    say!("  state  {}", state(standing))?;
    if let Some(moment) = standing.moment.and_then(|at| timeline.moments.get(at)) {
        let at = time.to_the_millisecond(moment.at_us);
        let what = format!("{} {}", move_of(moment), words(moment));
        let what = what.trim_start();
        say!("  since  record {}, {at}: {what}", moment.record)?;
    }
    for pending in &standing.pending {
        let since = time.to_the_millisecond(pending.since_us);
        say!(
            "  waits  {} by {}, since {since}, record {}",
            pending.command,
            pending.actor,
            pending.record
        )?;
    }
    for press in &standing.depends_on {
        let basis = &press.basis;
        let counted = basis.counts_at_us.map_or(String::new(), |at| {
            format!(", counted at {at} µs instead of its stamp")
        });
        let within = match basis.bounds_us {
            Some((lo, hi)) => {
                let us = hi - lo;
                format!(
                    "accurate to within {}.{:03} ms",
                    us / 1_000,
                    us.unsigned_abs() % 1_000
                )
            }
            None => "same crystal as the opponent's press: no uncertainty".to_owned(),
        };
        say!(
            "  based on {}{}, record {}: event {} of clock {}, stamp {} µs{counted}; {within}",
            press.number,
            letter(press.side),
            basis.record,
            basis.event,
            basis.agent.get(..8).unwrap_or(&basis.agent),
            basis.stamp_us
        )?;
    }
    Ok(())
}

fn state(standing: &Standing) -> String {
    let clocks = &standing.clocks;
    let turn = clocks.turn.map_or("", name);
    match clocks.state {
        BoardState::Ready => "set, not started".to_owned(),
        BoardState::Running => format!("{turn}'s clock runs"),
        BoardState::Paused => format!("paused by an arbiter, {turn} to continue"),
        BoardState::Stopped => format!("stopped by the players, {turn} to continue"),
        BoardState::Flagged => format!("{turn}'s flag is down"),
        BoardState::Over => format!("over, {}", clocks.result.as_deref().unwrap_or("no result")),
    }
}

/// Prints every move as it was and as it would have been, then the differences in flags, result and refused actions. `*` marks a difference.
pub(super) fn comparison(compared: &Comparison, time: &HallTime) -> Result<()> {
    heading(&compared.was, time)?;
    say!("what if {}\n", compared.supposed)?;
    let rows = rows(compared);
    let cell = |clocks: &Option<MoveClocks>, value: fn(&MoveClocks) -> i64| {
        clocks
            .as_ref()
            .map_or_else(|| "–".to_owned(), |clocks| millis(value(clocks)))
    };
    let table = Table::of(&rows)
        .right("MOVE", |row| row.0.to_string())
        .right("USED", |row| cell(&row.1, |clocks| clocks.used_us))
        .right("WHITE WAS", |row| cell(&row.1, |clocks| clocks.white_us))
        .right("BLACK WAS", |row| cell(&row.1, |clocks| clocks.black_us))
        .right("WHITE WOULD", |row| cell(&row.2, |clocks| clocks.white_us))
        .right("BLACK WOULD", |row| cell(&row.2, |clocks| clocks.black_us))
        .left("", |row| (if row.1 == row.2 { "" } else { "*" }).to_owned());
    print(table)?;
    for flag in &compared.flags {
        print(flag_words(flag, time))?;
    }
    let result = |timeline: &Timeline| {
        let last = timeline.moments.last();
        let result = last.and_then(|last| last.clocks.result.clone());
        result.unwrap_or_else(|| "none".to_owned())
    };
    let (was, would) = (result(&compared.was), result(&compared.would));
    if was != would {
        say!("* the result was {was} and would be {would}")?;
    }
    refused(compared)?;
    if compared.is_same() {
        say!("\nno move, flag or clock time differs")?;
    }
    Ok(())
}

type Row = (MoveName, Option<MoveClocks>, Option<MoveClocks>);

fn rows(compared: &Comparison) -> Vec<Row> {
    let last = |timeline: &Timeline, name: MoveName| {
        let found = timeline.moves().filter(|(other, _)| *other == name).last();
        found.map(|(_, clocks)| clocks)
    };
    let both = compared.was.moves().chain(compared.would.moves());
    let names: std::collections::BTreeSet<MoveName> = both.map(|(name, _)| name).collect();
    names
        .into_iter()
        .map(|name| (name, last(&compared.was, name), last(&compared.would, name)))
        .collect()
}

fn flag_words(flag: &FlagChange, time: &HallTime) -> String {
    let (side, during) = (name(flag.side), flag.during);
    let at = |us: i64| time.to_the_millisecond(us);
    match (flag.was_us, flag.would_us) {
        (None, Some(would)) => {
            format!(
                "* {side}'s flag would have fallen at {}, during move {during}",
                at(would)
            )
        }
        (Some(was), None) => format!(
            "* {side}'s flag, which fell at {} during move {during}, would not have fallen",
            at(was)
        ),
        (Some(was), Some(would)) => format!(
            "* {side}'s flag would have fallen at {}, not at {}",
            at(would),
            at(was)
        ),
        (None, None) => String::new(),
    }
}

/// Prints the actions that the clocks would refuse in the what-if game but did not refuse in the real game.
fn refused(compared: &Comparison) -> Result<()> {
    let refusals = |timeline: &Timeline| -> Vec<(u64, String)> {
        let moments = timeline.moments.iter();
        let refused = moments.filter_map(|moment| {
            let MomentDetail::Action {
                refused: Some(why),
                command,
                ..
            } = &moment.what
            else {
                return None;
            };
            Some((moment.record, format!("{command}: {why}")))
        });
        refused.collect()
    };
    let was = refusals(&compared.was);
    for (record, why) in refusals(&compared.would) {
        if !was.iter().any(|(other, _)| *other == record) {
            say!("* record {record} would have been refused: {why}")?;
        }
    }
    Ok(())
}

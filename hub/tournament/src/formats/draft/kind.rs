//! The type of an event: record 092 as text, and record 192 as a code. An event without a type is written with a type
//! derived from its system and contest, and is read back without a type. Owns both forms; must never pair.

use crate::berger::table_rounds;
use crate::formats::trf::report::Report;
use crate::tie_break::primary;
use crate::{Contest, Event, Measure, System};

pub(super) fn records(event: &Event) -> (Option<String>, Option<String>) {
    let own = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    let (text, code) = (own(&event.type_text), own(&event.type_code));
    // If the event has its own text, a derived code is needed only if that text would be read as a different system.
    let said = text.as_ref();
    let derived = said.is_none_or(|words| !describes(words, event.system));
    let kind = text.unwrap_or_else(|| words(event, code.as_deref()));
    let code = code.or_else(|| derived.then(|| self::code(event).to_owned()));
    (Some(kind), code)
}

/// Reads records 092 and 192 into an event whose system, contest and tie-breaks are known. A type that this program
/// derives itself is not stored.
pub(super) fn take(event: &mut Event, report: &Report) {
    let (kind, code) = (&report.header.kind, &report.header.coded_kind);
    let said = kind.as_deref().unwrap_or_default();
    let derived = code.is_none() || code.as_deref() == Some(self::code(event));
    if said == words(event, None) && derived {
        return;
    }
    let in_words = said
        .strip_prefix(&words(event, None))
        .and_then(|rest| rest.strip_prefix(" (")?.strip_suffix(')'));
    match (in_words, code.as_deref()) {
        (Some(own), None) => event.type_code = own.to_owned(),
        (Some(own), Some(code)) if own == code => event.type_code = own.to_owned(),
        (Some(_) | None, _) => {
            event.type_text = said.to_owned();
            let needed = derived && !said.is_empty() && !describes(said, event.system);
            event.type_code = code.clone().filter(|_| !needed).unwrap_or_default();
        }
    }
}

/// Returns the system that a report names, by its code or else by its text; `rounds` is the number of rounds in the
/// event.
pub(super) fn system(report: &Report, rounds: u16) -> System {
    let header = &report.header;
    let code = header.coded_kind.as_deref();
    let code = code.filter(|code| is_round_robin(code));
    let words = header.kind.as_deref().filter(|words| is_round_robin(words));
    let Some(said) = code.or(words) else {
        return System::Swiss;
    };
    // A code or text that names a standard round robin means one cycle, however many rounds are announced, because
    // entry may still be open.
    let by_table =
        is_own_single(said) || (said.ends_with("ROUNDROBIN") && !said.starts_with("CUSTOM"));
    let counted = [code, words].into_iter().flatten().find_map(cycles);
    let cycles = counted.or(by_table.then_some(1)).unwrap_or_else(|| {
        let all = rounds.div_ceil(rounds_per_cycle(report).max(1));
        u8::try_from(all).unwrap_or(u8::MAX)
    });
    System::RoundRobin {
        cycles: cycles.max(1),
    }
}

/// Returns true if a report describes itself as a team event, even before any team has entered.
pub(super) fn is_of_teams(report: &Report) -> bool {
    let header = &report.header;
    let coded = header.coded_kind.as_deref().unwrap_or_default();
    let words = header.kind.as_deref().unwrap_or_default();
    coded.contains("_TEAM") || words.starts_with(TEAMS)
}

const TEAMS: &str = "Team: ";
const SWISS: &str = "Swiss system";
const ROUND_ROBIN: &str = "round robin";

/// Returns record 092 for an event without its own text. It includes the event's own code, because TRF16 has no record
/// 192.
fn words(event: &Event, code: Option<&str>) -> String {
    let contest = match event.contest {
        Contest::Individual => "Individual: ",
        Contest::Teams { .. } => TEAMS,
    };
    let system = match event.system {
        System::Swiss => SWISS.to_owned(),
        System::RoundRobin { cycles: 1 } => ROUND_ROBIN.to_owned(),
        System::RoundRobin { cycles: 2 } => format!("double {ROUND_ROBIN}"),
        System::RoundRobin { cycles } => format!("{ROUND_ROBIN}, {cycles} cycles"),
    };
    let code = code.map_or(String::new(), |code| format!(" ({code})"));
    format!("{contest}{system}{code}")
}

fn code(event: &Event) -> &'static str {
    let teams = matches!(event.contest, Contest::Teams { .. });
    match (event.system, teams) {
        (System::Swiss, false) => "FIDE_DUTCH_2025",
        (System::Swiss, true) => match primary(&event.tie_breaks) {
            Measure::Match => "FIDE_TEAM_MP_GP",
            Measure::Game => "FIDE_TEAM_GP_MP",
        },
        (System::RoundRobin { cycles: 1 }, false) => "FIDE_ROUNDROBIN",
        (System::RoundRobin { cycles: 1 }, true) => "FIDE_TEAM_ROUNDROBIN",
        (System::RoundRobin { cycles: 2 }, false) => "FIDE_DOUBLEROUNDROBIN",
        (System::RoundRobin { cycles: 2 }, true) => "FIDE_TEAM_DOUBLEROUNDROBIN",
        (System::RoundRobin { .. }, false) => "CUSTOM_ROUNDROBIN",
        (System::RoundRobin { .. }, true) => "CUSTOM_TEAM_ROUNDROBIN",
    }
}

fn describes(words: &str, system: System) -> bool {
    is_round_robin(words) == matches!(system, System::RoundRobin { .. })
}

/// Returns the ASCII letters of a string in lower case, to compare names that differ only in case, spaces and hyphens.
fn letters(text: &str) -> String {
    let letters = text.chars().filter(char::is_ascii_alphabetic);
    letters.map(|char| char.to_ascii_lowercase()).collect()
}

fn is_round_robin(text: &str) -> bool {
    let text = letters(text);
    let words = "roundrobin berger scheveningen allplayall rundenturnier";
    words.split(' ').any(|word| text.contains(word))
}

/// Returns true if a string is this program's description of a single round robin.
fn is_own_single(text: &str) -> bool {
    let (_, system) = text.split_once(": ").unwrap_or_default();
    system.split(" (").next() == Some(ROUND_ROBIN)
}

fn cycles(text: &str) -> Option<u8> {
    if letters(text).contains("double") || text.ends_with("_G2") {
        return Some(2);
    }
    let (before, _) = text.split_once(" cycles")?;
    before.rsplit(' ').next()?.parse().ok()
}

fn rounds_per_cycle(report: &Report) -> u16 {
    let competitors = match report.team_count() {
        0 => report.players.len(),
        teams => teams,
    };
    table_rounds(u16::try_from(competitors).unwrap_or(u16::MAX))
}

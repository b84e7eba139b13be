//! The type of an event in records 092 and 192: every export has a type, which survives an import.

use tournament::formats::difference::difference;
use tournament::formats::draft::{Draft, export, import_file};
use tournament::formats::trf::Edition;
use tournament::{
    Actor, Change, Contest, Event, Player, PlayerNo, System, Team, TeamNo, TieBreak, Tournament,
};

fn entered(event: Event) -> Tournament {
    let teams = matches!(event.contest, Contest::Teams { .. });
    let mut tournament = Tournament::new(event);
    let mut apply = |change| tournament.apply(&Actor::chief("Doe"), change).unwrap();
    for no in 1..=6 {
        let player = Player::new(PlayerNo(no), &format!("Player, {no}"));
        apply(Change::EnterPlayer(Box::new(player)));
    }
    for no in (1..=3).filter(|_| teams) {
        let team = Team {
            no: TeamNo(no),
            name: format!("Team {no}"),
            short_name: String::new(),
            federation: String::new(),
            players: vec![PlayerNo(2 * no - 1), PlayerNo(2 * no)],
        };
        apply(Change::EnterTeam(Box::new(team)));
    }
    tournament
}

/// Writes the event in both editions, checks the records of its type, and reads it again. A TRF16 file must name the system in record 092 alone,
/// because other programs drop Flagfall's comments.
#[track_caller]
fn check(event: Event, words: &str, code: &str) {
    let before = entered(event);
    let text = export(&before, Edition::Trf26).text;
    let line = |tag: &str| {
        let found = text.lines().find(|line| line.starts_with(tag));
        found.unwrap_or_default().to_owned()
    };
    assert_eq!(
        (line("092"), line("192")),
        (format!("092 {words}"), format!("192 {code}"))
    );
    let known = Draft::of(&before);
    let again = import_file(text.as_bytes()).unwrap().draft;
    assert_eq!(again.event, known.event, "{text}");
    let older = export(&before, Edition::Trf16).text;
    let again = import_file(older.as_bytes()).unwrap().draft;
    assert_eq!(again.event.system, known.event.system, "{older}");
    assert_eq!(again.event.type_code, known.event.type_code, "{older}");
    let plain: Vec<&str> = older
        .lines()
        .filter(|line| !line.starts_with("###"))
        .collect();
    let bare = import_file(plain.join("\r\n").as_bytes()).unwrap().draft;
    assert_eq!(bare.event.system, known.event.system, "{older}");
}

fn event(system: System, contest: Contest, rounds: u16) -> Event {
    let mut event = Event::new("Cup", rounds);
    event.system = system;
    event.contest = contest;
    event
}

#[test]
fn a_system_without_a_type_is_written_in_words_and_code() {
    let cycles = |cycles| System::RoundRobin { cycles };
    let alone = Contest::Individual;
    let teams = Contest::Teams { boards: 2 };
    for (system, contest, rounds, words, code) in [
        (
            System::Swiss,
            alone,
            5,
            "Individual: Swiss system",
            "FIDE_DUTCH_2025",
        ),
        (
            cycles(1),
            alone,
            5,
            "Individual: round robin",
            "FIDE_ROUNDROBIN",
        ),
        (
            cycles(2),
            alone,
            10,
            "Individual: double round robin",
            "FIDE_DOUBLEROUNDROBIN",
        ),
        (
            cycles(4),
            alone,
            20,
            "Individual: round robin, 4 cycles",
            "CUSTOM_ROUNDROBIN",
        ),
        (
            System::Swiss,
            teams,
            5,
            "Team: Swiss system",
            "FIDE_TEAM_MP_GP",
        ),
        (
            cycles(1),
            teams,
            3,
            "Team: round robin",
            "FIDE_TEAM_ROUNDROBIN",
        ),
        (
            cycles(2),
            teams,
            6,
            "Team: double round robin",
            "FIDE_TEAM_DOUBLEROUNDROBIN",
        ),
        // Entries are still open, so nine rounds with six players do not mean a second cycle.
        (
            cycles(1),
            alone,
            9,
            "Individual: round robin",
            "FIDE_ROUNDROBIN",
        ),
    ] {
        check(event(system, contest, rounds), words, code);
    }
    let mut by_games = event(System::Swiss, teams, 5);
    by_games.tie_breaks = vec![TieBreak::parse("GPTS").unwrap()];
    check(by_games, "Team: Swiss system", "FIDE_TEAM_GP_MP");
}

#[test]
fn the_events_own_type_is_kept() {
    let mut coded = event(System::Swiss, Contest::Individual, 5);
    coded.type_code = "FIDE_DUBOV".to_owned();
    check(coded, "Individual: Swiss system (FIDE_DUBOV)", "FIDE_DUBOV");
    let mut both = event(System::RoundRobin { cycles: 1 }, Contest::Individual, 5);
    both.type_text = "Individual: Round-Robin".to_owned();
    both.type_code = "BERGER_ROUNDROBIN".to_owned();
    check(both, "Individual: Round-Robin", "BERGER_ROUNDROBIN");
}

#[test]
fn a_type_that_hides_the_system_gets_a_code() {
    let mut named = event(System::RoundRobin { cycles: 2 }, Contest::Individual, 10);
    named.type_text = "Club championship".to_owned();
    let before = entered(named);
    let text = export(&before, Edition::Trf26).text;
    assert!(text.contains("192 FIDE_DOUBLEROUNDROBIN\r\n"), "{text}");
    let again = import_file(text.as_bytes()).unwrap().draft;
    assert_eq!(again.event, Draft::of(&before).event);
    // A Swiss with a type description of its own is not exported as FIDE's Dutch system.
    let mut open = event(System::Swiss, Contest::Individual, 5);
    open.type_text = "Open".to_owned();
    let text = export(&entered(open), Edition::Trf26).text;
    assert!(!text.lines().any(|line| line.starts_with("192")), "{text}");
}

#[test]
fn a_round_robin_over_a_swiss_is_a_difference() {
    let cycles = System::RoundRobin { cycles: 1 };
    let known = Draft::of(&entered(event(System::Swiss, Contest::Individual, 5)));
    let text = export(
        &entered(event(cycles, Contest::Individual, 5)),
        Edition::Trf26,
    )
    .text;
    let file = import_file(text.as_bytes()).unwrap().draft;
    assert_eq!(
        difference(&known, &file, "a file").words(),
        "The event: different system"
    );
}

#[test]
fn codes_of_other_programs_name_the_system() {
    let of = |records: &str, rounds: u16| {
        let players: Vec<String> = (1..=4)
            .map(|no| format!("001 {no:>4}      Player {no}"))
            .collect();
        let text = format!("012 Cup\n142 {rounds}\n{records}\n{}\n", players.join("\n"));
        import_file(text.as_bytes()).unwrap().draft.event.system
    };
    let cycles = |cycles| System::RoundRobin { cycles };
    for (records, rounds, system) in [
        ("192 FIDE_DUTCH_2025_BAKU", 3, System::Swiss),
        ("092 Individual: Swiss-System", 3, System::Swiss),
        ("192 BERGER_ROUNDROBIN", 3, cycles(1)),
        ("192 BERGER_ROUNDROBIN_G2", 6, cycles(2)),
        ("192 FIDE_DOUBLEROUNDROBIN", 6, cycles(2)),
        ("192 CUSTOM_ROUNDROBIN", 9, cycles(3)),
        ("092 Individual: Round-Robin", 6, cycles(2)),
        ("092 All-play-all", 3, cycles(1)),
        ("092 Rundenturnier", 3, cycles(1)),
    ] {
        assert_eq!(of(records, rounds), system, "{records}");
    }
}

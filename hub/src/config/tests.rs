//! Settings from every source: precedence, and the messages for invalid ones.

use super::*;

fn load(text: &str, env: &[(&str, &str)], flags: &[(&str, &str)]) -> Result<Config, String> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("hub.toml");
    std::fs::write(&path, text).unwrap();
    let env = env
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    let dir = format!("{}/", dir.path().display());
    Config::load(Some(&path), env, flags).map_err(|error| error.to_string().replace(&dir, ""))
}

#[track_caller]
fn check_error(text: &str, expected: &str) {
    assert_eq!(load(text, &[], &[]).unwrap_err(), expected);
}

#[test]
fn without_sources_every_key_has_its_default() {
    let config = Config::load(None, std::iter::empty(), &[]).unwrap();
    assert_eq!(config.listen.to_string(), "0.0.0.0:7464");
    assert_eq!(config.metrics.unwrap().to_string(), "127.0.0.1:9464");
    assert_eq!(config.start, Start::Arbiter);
    assert!(config.mdns);
    assert!(!config.public_name.is_empty());
    assert!(config.data_dir.ends_with("flagfall"));
    assert_eq!(config.warnings, Vec::<String>::new());
}

#[test]
fn a_flag_overrides_a_variable_and_a_variable_the_file() {
    let text = "round = 2\nevent_name = 'Open'\nhttp = '127.0.0.1:1'\n";
    let env = [
        ("FLAGFALL_ROUND", "3"),
        ("FLAGFALL_EVENT_NAME", "Rapid"),
        ("PATH", "/bin"),
    ];
    let config = load(text, &env, &[("round", "4")]).unwrap();
    assert_eq!((config.round, config.event_name.as_str()), (4, "Rapid"));
    assert_eq!(config.http.to_string(), "127.0.0.1:1");
}

#[test]
fn the_default_file_documents_every_key_and_changes_nothing() {
    let text = Config::documented();
    for key in KEYS {
        assert!(
            text.contains(&format!("\n# {}\n", key.doc.trim())),
            "{}",
            key.name
        );
        assert!(
            text.contains(&key.variable()) && text.contains(&key.flag()),
            "{}",
            key.name
        );
        assert!(
            key.doc.trim().ends_with('.') && !key.doc.contains('\n'),
            "{}: one sentence, one line",
            key.name
        );
    }
    let default = Config::load(None, std::iter::empty(), &[]).unwrap();
    assert_eq!(load(&text, &[], &[]), Ok(default.clone()));
    // Without the #, the lines also load as the defaults. A default found on the machine has no value to show.
    let shown = |line: &&str| !line.contains("= \"…\"");
    let active: Vec<_> = text
        .lines()
        .filter_map(|line| line.strip_prefix('#'))
        .filter(|l| !l.starts_with(' '))
        .collect();
    assert_eq!(active.len(), KEYS.len());
    let active: Vec<_> = active.into_iter().filter(shown).collect();
    assert_eq!(load(&active.join("\n"), &[], &[]), Ok(default));
}

#[test]
fn an_unknown_key_names_its_place_and_the_nearest_known_key() {
    check_error(
        "round = 1\n  lisen = 'x'\n",
        "hub.toml:2:3: unknown key “lisen”; did you mean “listen”?",
    );
    check_error(
        "event = 5",
        "hub.toml:1:1: unknown key “event”; did you mean “event_name”?",
    );
    check_error(
        "zzz = 5",
        "hub.toml:1:1: unknown key “zzz”; “flagfall config” prints every key",
    );
    check_error(
        "[hub]\nround = 1",
        "hub.toml:1:2: unknown key “hub”; “flagfall config” prints every key",
    );
    let error = load("", &[], &[("lisen", "x")]).unwrap_err();
    assert_eq!(
        error,
        "flag --lisen: unknown key “lisen”; did you mean “listen”?"
    );
}

#[test]
fn an_unknown_variable_causes_a_warning() {
    let config = load(
        "",
        &[("FLAGFALL_HTPP", "x"), ("FLAGFALL_CONFIG", "hub.toml")],
        &[],
    )
    .unwrap();
    assert_eq!(
        config.warnings,
        ["environment variable FLAGFALL_HTPP is not a setting; did you mean FLAGFALL_HTTP?"]
    );
}

#[test]
fn names_have_no_hidden_characters() {
    for char in [
        "\\u202E", "\\u2066", "\\u200F", "\\u061C", "\\u200B", "\\u001B",
    ] {
        for key in ["event_name", "public_name", "arbiter_pins"] {
            let written = |between: &str| match key {
                "arbiter_pins" => format!("{key} = \"Ada{between} Byron 493817\""),
                _ => format!("{key} = \"Ada{between}Byron\""),
            };
            assert!(load(&written(char), &[], &[]).is_err(), "{key} {char}");
        }
    }
    assert!(load("event_name = 'גביע הנמל'", &[], &[]).is_ok());
}

#[test]
fn a_value_of_the_wrong_type_names_its_place_and_the_expected_type() {
    check_error(
        "round = '3'",
        "hub.toml:1:9: round must be a whole number, not the text “3”",
    );
    check_error(
        "\nround = 3.5",
        "hub.toml:2:9: round must be a whole number, not a number with a fraction",
    );
    check_error(
        "mdns = 1",
        "hub.toml:1:8: mdns must be true or false, not a number",
    );
    check_error(
        "listen = 7464",
        "hub.toml:1:10: listen must be text in quotes, not a number",
    );
    check_error(
        "start = 2027-05-01",
        "hub.toml:1:9: start must be text in quotes, not a date without quotes",
    );
    check_error(
        "listen = ['a']",
        "hub.toml:1:10: listen must be text in quotes, not a TOML array",
    );
}

#[test]
fn an_unreadable_value_names_the_expected_form() {
    check_error(
        "round = 0",
        "hub.toml:1:9: round must be a whole number from 1 to 999, not “0”",
    );
    check_error(
        "round = -1",
        "hub.toml:1:9: round must be a whole number from 1 to 999, not “-1”",
    );
    check_error(
        "round = 99999999999999999999",
        "hub.toml:1:9: round must be a whole number from 1 to 999, not “99999999999999999999”",
    );
    check_error(
        "listen = 'hall:7464'",
        "hub.toml:1:10: listen must be an IP address and a port such as “0.0.0.0:7464” or “[::]:7464”, not “hall:7464”",
    );
    check_error(
        "public_name = 'hub.local:7464'",
        "hub.toml:1:15: public_name must be a host name or an IP address, without a port, not “hub.local:7464”",
    );
    let error = load("", &[("FLAGFALL_START", "14:00")], &[]).unwrap_err();
    assert!(
        error.starts_with(
            "environment variable FLAGFALL_START: start must be “arbiter”, “black”, or a time"
        ),
        "{error}"
    );
    let error = load("", &[], &[("log-level", "hub=loud")]).unwrap_err();
    assert!(
        error.starts_with("flag --log-level: log_level must be error, warn"),
        "{error}"
    );
}

#[test]
fn event_options_are_parsed_and_errors_name_the_expected_form() {
    let config = load(
        "default_time = '30m'\nafter_flag = 'freezes'\nsound = 'flag'\ncontrol = 'fide-armageddon'",
        &[],
        &[],
    )
    .unwrap();
    assert_eq!(config.default_time, Some(timing::Duration::from_secs(1800)));
    assert_eq!(config.after_flag, Some(timing::AfterFlag::Freezes));
    assert_eq!(config.sound, hall::Sound::Flag);
    assert_eq!(config.control.control.to_string(), "5m vs 4m");
    assert_eq!(config.control.draw_odds, Some(timing::Side::Black));
    let plain = load("", &[], &[]).unwrap();
    assert_eq!((plain.default_time, plain.after_flag), (None, None));
    assert_eq!(plain.sound, hall::Sound::Off);
    assert_eq!(plain.control.draw_odds, None);
    let zero = load("default_time = '0s'\nafter_flag = 'runs on'", &[], &[]).unwrap();
    assert_eq!(zero.default_time, Some(timing::Duration::ZERO));
    assert_eq!(zero.after_flag, Some(timing::AfterFlag::RunsOn));
    for (text, expected) in [
        ("default_time = '-1m'", "“none”, or a time"),
        ("default_time = 'soon'", "“none”, or a time"),
        (
            "after_flag = 'freeze'",
            "“as the control says”, “freezes” or “runs on”",
        ),
        ("sound = 'loud'", "“off”, “flag” or “all”"),
    ] {
        let error = load(text, &[], &[]).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn a_malformed_control_names_its_column() {
    let error = load("control = '90m+'", &[], &[]).unwrap_err();
    assert!(
        error.starts_with(
            "hub.toml:1:11: control must be a time control such as “90m+30s runs on”, or"
        ),
        "{error}"
    );
    assert!(error.contains("column"), "{error}");
}

#[test]
fn broken_toml_names_its_place() {
    let error = load("round = 1\nevent_name = \"Open\n", &[], &[]).unwrap_err();
    assert!(error.starts_with("hub.toml:2:"), "{error}");
    let error = load("round = 1\nround = 2\n", &[], &[]).unwrap_err();
    assert!(error.starts_with("hub.toml:2:1: duplicate key"), "{error}");
    let missing = Config::load(
        Some(Path::new("/nowhere/hub.toml")),
        std::iter::empty(),
        &[],
    )
    .unwrap_err();
    assert!(
        missing
            .to_string()
            .starts_with("/nowhere/hub.toml: cannot read the configuration: "),
        "{missing}"
    );
}

#[test]
fn a_scheduled_start_is_a_wall_clock_time() {
    let config = load("start = '2027-05-01T14:00:00+02:00'", &[], &[]).unwrap();
    assert_eq!(config.start.to_string(), "2027-05-01T12:00:00Z");
    let config = load("metrics = 'off'\nstart = 'black'", &[], &[]).unwrap();
    assert_eq!((config.start, config.metrics), (Start::Black, None));
}

#[test]
fn the_data_directory_follows_the_machines_conventions() {
    let config = load(
        "",
        &[("HOME", "/home/anna"), ("XDG_DATA_HOME", "/data")],
        &[],
    )
    .unwrap();
    let root = rustix::process::geteuid().is_root();
    assert_eq!(
        config.data_dir,
        Path::new(if root {
            "/var/lib/flagfall"
        } else {
            "/data/flagfall"
        })
    );
}

#[test]
fn an_external_certificate_requires_its_key() {
    let config = load(
        "browser_names = 'chess.example.org, 203.0.113.7'\ncertificate = '/c.pem'\ncertificate_key = '/k.pem'",
        &[],
        &[],
    )
    .unwrap();
    assert_eq!(config.browser_names, ["chess.example.org", "203.0.113.7"]);
    assert_eq!(config.certificate.as_deref(), Some(Path::new("/c.pem")));
    assert_eq!(config.certificate_key.as_deref(), Some(Path::new("/k.pem")));
    check_error(
        "round = 1\ncertificate = '/c.pem'",
        "hub.toml:2:15: certificate needs certificate_key: set both, or neither",
    );
    let error = load("", &[("FLAGFALL_CERTIFICATE_KEY", "/k.pem")], &[]).unwrap_err();
    assert_eq!(
        error,
        "environment variable FLAGFALL_CERTIFICATE_KEY: certificate_key needs certificate: set both, or neither"
    );
    check_error(
        "browser_names = 'hub:7464'",
        "hub.toml:1:17: browser_names must be “none”, or host names and IP addresses such as “chess.example.org, 203.0.113.7”, without ports, not “hub:7464”",
    );
}

#[test]
fn the_time_zone_defaults_to_the_machines() {
    let zone =
        |env: &[(&str, &str)], text: &str| load(text, env, &[]).map(|config| config.time_zone);
    assert_eq!(
        zone(&[("TZ", ":Asia/Kolkata")], "").unwrap(),
        "Asia/Kolkata"
    );
    assert_eq!(
        zone(&[("TZ", "Asia/Kolkata")], "time_zone = 'Europe/Berlin'").unwrap(),
        "Europe/Berlin"
    );
    // A TZ that states the rules themselves names no zone, so the machine's other sources apply.
    assert_ne!(
        zone(&[("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")], "").unwrap(),
        ""
    );
    check_error(
        "time_zone = 'two hours east'",
        "hub.toml:1:13: time_zone must be the name of a time zone such as “Europe/Berlin” or “UTC”, not “two hours east”",
    );
}

#[test]
fn a_link_into_the_time_zone_database_names_a_zone() {
    let of = |target: &str| sources::zone_of_link(Path::new(target));
    assert_eq!(
        of("/usr/share/zoneinfo/Europe/Berlin").as_deref(),
        Some("Europe/Berlin")
    );
    assert_eq!(
        of("../usr/share/zoneinfo/posix/America/Argentina/Ushuaia").as_deref(),
        Some("America/Argentina/Ushuaia")
    );
    assert_eq!(of("/etc/localtime.kept"), None);
}

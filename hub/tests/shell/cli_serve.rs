//! `flagfall serve`: a clean stop, and the messages and exit codes when the hub cannot start. Also the printed configuration and the help texts.

use std::net::{TcpListener, UdpSocket};

use crate::program::{Serving, expect, flagfall};

#[test]
fn a_hub_stops_cleanly_and_starts_again() {
    let dir = tempfile::tempdir().unwrap();
    let hub = Serving::start(dir.path());
    expect(&hub.ctl(dir.path(), &["add", "1-3", "5m"]), 0);
    assert_eq!(hub.stop(), Some(0));
    let hub = Serving::start(dir.path());
    let (out, _) = expect(&hub.ctl(dir.path(), &["list", "--json"]), 0);
    assert_eq!(out.lines().count(), 3);
    assert_eq!(hub.stop(), Some(0));
}

#[test]
fn a_directory_in_use_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let _hub = Serving::start(dir.path());
    let path = dir.path().to_str().unwrap();
    let again = flagfall(&[
        "serve",
        "--data-dir",
        path,
        "--listen",
        "127.0.0.1:0",
        "--http",
        "127.0.0.1:0",
    ]);
    let (_, err) = expect(&again, 1);
    assert!(
        err.contains("in use by another hub") && err.contains(path),
        "{err}"
    );
    let replay = flagfall(&["replay", path]);
    let (_, err) = expect(&replay, 1);
    assert!(err.contains("in use by a running hub"), "{err}");
}

#[test]
fn a_port_in_use_is_named_with_its_flag_and_nothing_is_logged() {
    let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
    let udp = UdpSocket::bind("127.0.0.1:0").unwrap();
    let taken_tcp = tcp.local_addr().unwrap().to_string();
    let taken_udp = udp.local_addr().unwrap().to_string();
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().to_str().unwrap();
    let cases = [
        ("--http", taken_tcp.as_str()),
        ("--metrics", taken_tcp.as_str()),
        ("--listen", taken_tcp.as_str()),
        ("--listen", taken_udp.as_str()),
    ];
    for (flag, address) in cases {
        let mut arguments = vec!["serve", "--data-dir", path];
        for (other, free) in [
            ("--listen", "127.0.0.1:0"),
            ("--http", "127.0.0.1:0"),
            ("--metrics", "off"),
        ] {
            arguments.extend([other, if other == flag { address } else { free }]);
        }
        let (_, err) = expect(&flagfall(&arguments), 1);
        let last = err.lines().last().unwrap_or_default();
        assert!(
            last.contains(address) && last.contains(flag),
            "{flag}: {err}"
        );
    }
    let (out, _) = expect(&flagfall(&["replay", path, "--json"]), 0);
    assert!(
        out.starts_with("{\"boards\":[]") && out.contains("\"records\":0"),
        "{out}"
    );
}

#[test]
fn a_directory_of_a_newer_version_is_refused_and_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(Serving::start(dir.path()).stop(), Some(0));
    let format = dir.path().join("format");
    let written = std::fs::read_to_string(&format).unwrap();
    let newer = written.replace(|c: char| c.is_ascii_digit(), "9");
    assert_ne!(newer, written);
    std::fs::write(&format, &newer).unwrap();
    let path = dir.path().to_str().unwrap();
    let refused = flagfall(&[
        "serve",
        "--data-dir",
        path,
        "--listen",
        "127.0.0.1:0",
        "--http",
        "127.0.0.1:0",
    ]);
    let (_, err) = expect(&refused, 1);
    assert!(err.contains("format 9") && err.contains("newer"), "{err}");
    assert_eq!(std::fs::read_to_string(&format).unwrap(), newer);
}

#[test]
fn a_configuration_error_names_its_place() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("flagfall.toml");
    let path = file.to_str().unwrap();
    for (text, said) in [
        ("event_nam = \"Open\"\n", "did you mean “event_name”?"),
        ("\ncontrol = \"40/90x\"\n", ":2:11"),
        ("listen = ", ":1:"),
    ] {
        std::fs::write(&file, text).unwrap();
        let (_, err) = expect(&flagfall(&["serve", "--config", path]), 2);
        assert!(
            err.contains(said) && err.contains("flagfall.toml"),
            "{text}: {err}"
        );
    }
    let (_, err) = expect(&flagfall(&["serve", "--listen", "nowhere"]), 2);
    assert!(
        err.contains("--listen") && err.contains("0.0.0.0:7464"),
        "{err}"
    );
    let (_, err) = expect(&flagfall(&["serve", "--lisen", "127.0.0.1:0"]), 2);
    assert!(err.contains("--listen"), "{err}");
    let (_, err) = expect(&flagfall(&["serve", "--config", "/no/such/file"]), 2);
    assert!(err.contains("/no/such/file"), "{err}");
}

#[test]
fn the_printed_configuration_can_be_read() {
    let dir = tempfile::tempdir().unwrap();
    let (out, _) = expect(&flagfall(&["config"]), 0);
    let file = dir.path().join("flagfall.toml");
    std::fs::write(&file, &out).unwrap();
    let data = dir.path().join("data");
    let used = flagfall(&[
        "serve",
        "--config",
        file.to_str().unwrap(),
        "--data-dir",
        data.to_str().unwrap(),
        "--listen",
        "192.0.2.1:0",
    ]);
    // The file was read, but the hub could not start at an address that this machine does not have.
    let (_, err) = expect(&used, 1);
    assert!(err.contains("192.0.2.1") || err.contains("in use"), "{err}");
}

#[test]
fn help_has_examples_and_codes() {
    for command in [
        "serve",
        "demo",
        "ctl",
        "enrol",
        "credential",
        "replay",
        "rehearse",
        "presets",
    ] {
        let (out, _) = expect(&flagfall(&[command, "--help"]), 0);
        assert!(
            out.contains("Examples:") || out.contains("On the clock:"),
            "{command}: {out}"
        );
    }
    let (out, _) = expect(&flagfall(&["--help"]), 0);
    assert!(out.contains("Exit codes: 0 done, 1 not done"), "{out}");
    expect(&flagfall(&["--version"]), 0);
    expect(&flagfall(&[]), 2);
    expect(&flagfall(&["srve"]), 2);
}

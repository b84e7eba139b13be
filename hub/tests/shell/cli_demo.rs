//! `flagfall demo`: it plays, it ends, and its log can be read.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::Stdio;

use crate::browser::Browser;
use crate::hall::within;
use crate::program::{command, expect, flagfall};

#[test]
fn a_demonstration_plays_and_names_its_log() {
    let parent = tempfile::tempdir().unwrap();
    let dir = parent.path().join("demo");
    let dir = dir.to_str().unwrap();
    let arguments = [
        "demo",
        "--boards",
        "3",
        "--for",
        "12s",
        "--http",
        "127.0.0.1:0",
        "--data-dir",
        dir,
    ];
    let mut child = command(&arguments).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let first = lines.next().unwrap().unwrap();
    assert!(
        first.starts_with("3 boards play at http://127.0.0.1:"),
        "{first}"
    );
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(
        rest.iter()
            .any(|line| line.contains(&format!("is in {dir}"))),
        "{rest:?}"
    );

    let app = rest
        .iter()
        .find(|line| line.trim().starts_with("https://127.0.0.1:"));
    let (_, secret) = app.and_then(|app| app.split_once("/#")).unwrap();
    assert_eq!(secret.len(), 65, "{rest:?}");
    for page in ["/authority", "/event"] {
        assert!(rest.iter().any(|line| line.contains(page)), "{rest:?}");
    }

    let (out, _) = expect(&flagfall(&["replay", dir, "--json"]), 0);
    let last: serde_json::Value = serde_json::from_str(out.lines().last().unwrap()).unwrap();
    let boards = last["boards"].as_array().unwrap();
    assert_eq!(boards.len(), 3);
    let moves: i64 = boards
        .iter()
        .map(|board| board["white"]["moves"].as_i64().unwrap())
        .sum();
    assert!(moves > 0, "no player has moved: {last}");

    let (_, err) = expect(&flagfall(&["demo", "--data-dir", dir]), 1);
    assert!(err.contains("not empty"), "{err}");
}

fn fetched(address: &str, path: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n"
    )
    .unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
    (status, answer)
}

/// Returns the paths on the same host that a page links to or loads.
fn links(page: &str) -> Vec<String> {
    let attributes = ["href=\"", "src=\""].into_iter();
    let values = attributes.flat_map(|name| page.split(name).skip(1));
    let values = values.filter_map(|rest| rest.split('"').next());
    let paths = values.filter(|value| value.starts_with('/') && !value.starts_with("//"));
    paths
        .map(|path| path.split('#').next().unwrap_or(path).to_owned())
        .collect()
}

/// Splits an address with this scheme into host and path. The part after `#` is dropped, because it never reaches a server.
fn parts(address: &str, scheme: &str) -> Option<(String, String)> {
    let (host, path) = address.strip_prefix(scheme)?.split_once('/')?;
    let path = path.split('#').next().unwrap_or_default();
    Some((host.to_owned(), format!("/{path}")))
}

/// Fetches the app's page at this address, and everything that it loads, from the hub with data directory `dir`.
async fn app_leads_somewhere(dir: &Path, address: &str) {
    let (host, path) = parts(address, "https://").unwrap();
    let listen: SocketAddr = host.replace("localhost", "127.0.0.1").parse().unwrap();
    let app = Browser::at_process(dir, listen);
    let page = within(app.get(&path), "the app").await;
    assert_eq!(page.status, 200, "{address}");
    for path in links(&page.text()) {
        let found = within(app.get(&path), "the app").await;
        assert_eq!(found.status, 200, "{path}");
    }
}

/// Fetches these pages and every page that can be reached from them; returns the number of pages fetched.
fn walked(mut to_visit: Vec<(String, String)>) -> usize {
    let mut visited = BTreeSet::new();
    while let Some((host, path)) = to_visit.pop() {
        if !visited.insert(path.clone()) {
            continue;
        }
        let (status, body) = fetched(&host, &path);
        assert_eq!(status, 200, "{path}");
        to_visit.extend(links(&body).into_iter().map(|path| (host.clone(), path)));
    }
    visited.len()
}

fn rounds(dir: &str) -> serde_json::Value {
    let status = flagfall(&["event", "status", "--json", "--data-dir", dir]);
    let (out, _) = expect(&status, 0);
    serde_json::from_str::<serde_json::Value>(&out).unwrap()["paired"].take()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_address_of_a_demonstration_and_every_link_works() {
    let parent = tempfile::tempdir().unwrap();
    let dir = parent.path().join("demo");
    let path = dir.to_str().unwrap();
    let demo = "demo --boards 5 --for 60s --http 127.0.0.1:0 --data-dir";
    let arguments: Vec<_> = demo.split(' ').chain([path]).collect();
    let mut child = command(&arguments).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut said = String::new();
    while !said.contains("The demonstration ends after") {
        said += &lines.next().unwrap().unwrap();
        said.push('\n');
    }
    let words = said.split_whitespace();
    let addresses: Vec<_> = words.filter(|word| word.starts_with("http")).collect();
    assert!(addresses.len() >= 4, "{said}");
    let (apps, pages): (Vec<&str>, Vec<&str>) = addresses
        .into_iter()
        .partition(|address| address.starts_with("https://"));
    for address in apps {
        app_leads_somewhere(&dir, address).await;
    }
    let mut pages: Vec<_> = pages
        .into_iter()
        .filter_map(|address| parts(address, "http://"))
        .collect();
    // The event's pages load their content from these paths.
    let (host, _) = pages[0].clone();
    let data = [
        "event",
        "event/standings",
        "event/rounds/1",
        "event/rounds/2",
    ];
    pages.extend(data.map(|name| (host.clone(), format!("/live/{name}.json"))));
    assert!(walked(pages) > 12);

    let now = rounds(path);
    assert_eq!(now[0]["state"], "confirmed", "{now}");
    assert_eq!(now[1]["boards"], 5, "{now}");
    // The loop needs no pause, because each check runs a program. If no game ever starts, the demonstration ends first and the test fails.
    while rounds(path)[1]["running"] == 0 {
        assert!(child.try_wait().unwrap().is_none(), "no board plays");
    }
    let (out, _) = expect(&flagfall(&["event", "standings", "--data-dir", path]), 0);
    assert!(out.lines().count() > 10, "{out}");
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    assert!(lines.all(|line| line.is_ok()));
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

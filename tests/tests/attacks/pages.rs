//! Attacks on the public pages: paths, methods, headers, markup in names, and clients that write slowly or never read.

use anyhow::{Context as _, ensure};
use proto::grpc::Names;
use proto::grpc::command_request::Command;
use tests::attack::{Answer, Attack, Hall, request};
use tests::rig::page_json;
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;

use super::{Run, attacks};

pub(crate) const PAGES: &[Attack<Run>] = attacks![
    "path out of the assets", "the address", "not found" => traversal;
    "arbiters' paths on the public port", "the address", "not found" => arbiters_paths;
    "method that changes", "the address", "not allowed" => methods;
    "markup in a board's path", "the address", "shown as text" => markup_in_path;
    "markup in a player's name", "a player's entry", "data, never a page" => markup_in_name;
    "markup in the Host header", "the address", "not shown" => markup_in_host;
    "foreign Host for the QR code", "the address", "no code for a foreign site is cached for others" => foreign_host;
    "header of 64 KiB", "the address", "refused" => long_header;
    "two lengths of one body", "the address", "refused" => two_lengths;
    "length and chunks together", "the address", "refused or read as chunks" => smuggled;
    "line break in a header", "the address", "refused" => split_header;
    "address of another site", "the address", "not fetched" => as_proxy;
    "version of the past and the future", "the address", "refused or answered" => odd_versions;
    "range over the end", "the address", "answered" => odd_range;
    "place in the feed of another run", "the address", "told to read the hall again" => odd_place;
    "board that does not exist, a thousand names", "the address", "not found, nothing kept" => unknown_boards;
    "headers one byte at a time", "the address", "the page answers others" => slow_headers;
    "watchers that never read", "the address", "the page answers others" => deaf_watchers;
    "notes in public data", "the address", "none (FIDE 12.6)" => no_notes;
];

type Done = anyhow::Result<()>;

async fn ask(hall: &Hall, head: &str) -> anyhow::Result<Answer> {
    let stream = TcpStream::connect(hall.at.http).await?;
    request(stream, head.as_bytes()).await
}

async fn get(hall: &Hall, path: &str) -> anyhow::Result<Answer> {
    with_host(hall, path, "hall").await
}

async fn with_host(hall: &Hall, path: &str, host: &str) -> anyhow::Result<Answer> {
    let head = format!("GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
    ask(hall, &head).await
}

async fn unread(hall: &Hall, count: usize, head: &str) -> anyhow::Result<Vec<TcpStream>> {
    let mut held = Vec::new();
    for _ in 0..count {
        let mut stream = TcpStream::connect(hall.at.http).await?;
        stream.write_all(head.as_bytes()).await?;
        held.push(stream);
    }
    Ok(held)
}

async fn answers(hall: &Hall) -> Done {
    let answer = get(hall, "/live/boards.json").await?;
    ensure!(answer.status == 200, "{}", answer.head);
    Ok(())
}

/// Sends a malformed request. The hub must refuse it or end the connection.
async fn not_taken(hall: &Hall, head: &str) -> Done {
    let answer = ask(hall, head).await?;
    ensure!(
        answer.status == 400 || answer.status == 0,
        "{}",
        answer.head
    );
    Ok(())
}

async fn refused(hall: &Hall, path: &str) -> Done {
    let answer = get(hall, path).await?;
    ensure!(
        (400..500).contains(&answer.status),
        "{path}: {}",
        answer.head
    );
    for secret in ["PRIVATE KEY", "[package]", "root:"] {
        ensure!(!answer.text().contains(secret), "{path} shows {secret}");
    }
    Ok(())
}

async fn traversal(hall: &mut Hall) -> Done {
    for path in [
        "/../chief.pem",
        "/assets/../chief.pem",
        "/assets/..%2f..%2fchief.pem",
        "/assets/%2e%2e/chief.pem",
        "/assets/event/../../../etc/passwd",
        "/assets/....//chief.pem",
        "/assets/%00",
        "//etc/passwd",
        "/assets/\\..\\chief.pem",
        "/live/boards/../../authority.pem.json",
    ] {
        refused(hall, path).await?;
    }
    Ok(())
}

async fn arbiters_paths(hall: &mut Hall) -> Done {
    for path in [
        "/session",
        "/session/challenge",
        "/flagfall.api.v1.Arbiter/GetHall",
        "/flagfall.api.v1.Tournament/GetTournament",
        "/metrics",
        "/devices.json",
        "/chief.pem",
    ] {
        refused(hall, path).await?;
    }
    Ok(())
}

async fn methods(hall: &mut Hall) -> Done {
    for method in ["POST", "PUT", "DELETE", "PATCH", "TRACE", "CONNECT", "BREW"] {
        let head = format!(
            "{method} /live/boards.json HTTP/1.1\r\nhost: hall\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        );
        let answer = ask(hall, &head).await?;
        ensure!(answer.status >= 400, "{method}: {}", answer.head);
        ensure!(answer.status < 500, "{method}: {}", answer.head);
    }
    Ok(())
}

const SCRIPT: &str = "<script>alert(1)</script>";

async fn markup_in_path(hall: &mut Hall) -> Done {
    for path in [
        "/board/%3Cscript%3Ealert(1)%3C%2Fscript%3E",
        "/live/boards/%3Cscript%3Ealert(1)%3C%2Fscript%3E.json",
        "/event/players/%3Cscript%3Ealert(1)%3C%2Fscript%3E",
        "/event/print/%3Cscript%3Ealert(1)%3C%2Fscript%3E",
    ] {
        let answer = get(hall, path).await?;
        ensure!(answer.status >= 400, "{path}: {}", answer.head);
        let plain = answer.header("content-type") == Some("text/plain; charset=utf-8")
            && answer.header("x-content-type-options") == Some("nosniff");
        let text = answer.text();
        ensure!(plain || !text.contains(SCRIPT), "{path}: {text}");
    }
    Ok(())
}

async fn markup_in_name(hall: &mut Hall) -> Done {
    let seq = hall.arbiter.board("1").await?.seq;
    let names = Names {
        white: format!("\"'>{SCRIPT}"),
        ..Names::default()
    };
    hall.arbiter.send("1", seq, Command::Names(names)).await?;
    let json = get(hall, "/live/boards.json").await?;
    let kind = json.header("content-type").unwrap_or_default();
    ensure!(kind.starts_with("application/json"), "{kind}");
    ensure!(json.header("x-content-type-options") == Some("nosniff"));
    let page = get(hall, "/board/1").await?;
    ensure!(!page.text().contains(SCRIPT), "the page has the script");
    let policy = page.header("content-security-policy").unwrap_or_default();
    ensure!(policy.contains("script-src 'self'"), "{policy}");
    ensure!(!policy.contains("unsafe"), "{policy}");
    Ok(())
}

async fn markup_in_host(hall: &mut Hall) -> Done {
    for path in ["/", "/authority", "/authority.mobileconfig", "/event"] {
        let answer = with_host(hall, path, &format!("x\">{SCRIPT}")).await?;
        ensure!(!answer.text().contains(SCRIPT), "{path} shows the host");
        ensure!(!answer.head.contains(SCRIPT), "{path}: {}", answer.head);
    }
    Ok(())
}

async fn foreign_host(hall: &mut Hall) -> Done {
    let own = with_host(hall, "/board/1/qr.svg", "hall.example").await?;
    let foreign = with_host(hall, "/board/1/qr.svg", "evil.example").await?;
    let again = with_host(hall, "/board/1/qr.svg", "hall.example").await?;
    ensure!(own.body == again.body, "another visitor's host was kept");
    ensure!(foreign.status < 500, "{}", foreign.head);
    Ok(())
}

async fn long_header(hall: &mut Hall) -> Done {
    let head = format!(
        "GET / HTTP/1.1\r\nhost: hall\r\nx: {}\r\nconnection: close\r\n\r\n",
        "x".repeat(64 << 10)
    );
    let answer = ask(hall, &head).await?;
    ensure!(
        answer.status == 0 || (400..500).contains(&answer.status),
        "{}",
        answer.head
    );
    Ok(())
}

async fn two_lengths(hall: &mut Hall) -> Done {
    let head =
        "POST / HTTP/1.1\r\nhost: hall\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nabcdef";
    not_taken(hall, head).await
}

async fn smuggled(hall: &mut Hall) -> Done {
    let head = "POST / HTTP/1.1\r\nhost: hall\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n\
        0\r\n\r\nGET /healthz HTTP/1.1\r\nhost: hall\r\n\r\n";
    let answer = ask(hall, head).await?;
    ensure!(answer.status != 200, "{}", answer.head);
    let second = answer.text().contains("HTTP/1.1 200");
    ensure!(
        !second,
        "the smuggled request was answered: {}",
        answer.text()
    );
    Ok(())
}

async fn split_header(hall: &mut Hall) -> Done {
    for head in [
        "GET / HTTP/1.1\r\nhost: hall\r\nx: a\nb\0c\r\n\r\n",
        "GET /\0 HTTP/1.1\r\nhost: hall\r\n\r\n",
        "GET / HTTP/1.1\r\nhost : hall\r\n\r\n",
    ] {
        not_taken(hall, head).await?;
    }
    Ok(())
}

async fn as_proxy(hall: &mut Hall) -> Done {
    let head = "GET http://evil.example/secret HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n";
    let answer = ask(hall, head).await?;
    ensure!(answer.status >= 400, "{}", answer.head);
    Ok(())
}

async fn odd_versions(hall: &mut Hall) -> Done {
    for version in ["HTTP/0.9", "HTTP/1.2", "HTTP/3.0", "HTTP/1", "ICY"] {
        let answer = ask(hall, &format!("GET / {version}\r\n\r\n")).await?;
        ensure!(answer.status < 500, "{version}: {}", answer.head);
    }
    Ok(())
}

async fn odd_range(hall: &mut Hall) -> Done {
    for range in ["bytes=999999999-", "bytes=-1", "bytes=0-0,0-0,0-0", "x"] {
        let head =
            format!("GET / HTTP/1.1\r\nhost: hall\r\nrange: {range}\r\nconnection: close\r\n\r\n");
        let answer = ask(hall, &head).await?;
        ensure!(answer.status < 500, "{range}: {}", answer.head);
    }
    Ok(())
}

/// Follows the feed from positions that this run of the hub never issued. The hub must refuse the request, or tell the page to reload everything.
async fn odd_place(hall: &mut Hall) -> Done {
    for place in [
        "0-0",
        "18446744073709551615-18446744073709551615",
        "-1--1",
        "x",
        "%00",
    ] {
        let mut stream = TcpStream::connect(hall.at.http).await?;
        let head = format!("GET /live/events?after={place} HTTP/1.1\r\nhost: hall\r\n\r\n");
        stream.write_all(head.as_bytes()).await?;
        let mut seen = String::new();
        let mut bytes = [0; 4096];
        while !seen.contains("event: resync") {
            let read = tokio::io::AsyncReadExt::read(&mut stream, &mut bytes);
            let read = tokio::time::timeout(super::PATIENCE, read).await??;
            seen += &String::from_utf8_lossy(&bytes[..read]);
            if read == 0 || seen.starts_with("HTTP/1.1 4") {
                break;
            }
        }
        let sound = seen.starts_with("HTTP/1.1 4") || seen.contains("event: resync");
        ensure!(sound, "{place}: {seen}");
    }
    Ok(())
}

async fn unknown_boards(hall: &mut Hall) -> Done {
    const PATHS: [&str; 3] = ["board/x", "live/boards/x", "board/x/qr.svg"];
    for (no, path) in (0..1_000).zip(PATHS.into_iter().cycle()) {
        let path = path.replace('x', &format!("x{no}"));
        let answer = get(hall, &format!("/{path}")).await?;
        ensure!(answer.status == 404, "{path}: {}", answer.head);
    }
    let answer = get(hall, "/event/players/65536").await?;
    ensure!(answer.status == 404, "{}", answer.head);
    Ok(())
}

async fn slow_headers(hall: &mut Hall) -> Done {
    let _held = unread(hall, 200, "GET / HTTP/1.1\r\nx:").await?;
    answers(hall).await
}

async fn deaf_watchers(hall: &mut Hall) -> Done {
    let head = "GET /live/events HTTP/1.1\r\nhost: hall\r\n\r\n";
    let _held = unread(hall, 100, head).await?;
    hall.presses(20).await?;
    answers(hall).await
}

async fn no_notes(hall: &mut Hall) -> Done {
    let boards = page_json(hall.at.http, "/live/boards.json")?;
    let board = page_json(hall.at.http, "/live/boards/1.json")?;
    let known = boards["boards"].as_array().context("boards")?;
    ensure!(!known.is_empty(), "no boards");
    let all = format!("{boards}{board}");
    for secret in [
        "note",
        "offence",
        "actor",
        "acknowledged",
        "agent",
        "reason",
    ] {
        ensure!(
            !all.contains(&format!("\"{secret}")),
            "{secret} is public: {all}"
        );
    }
    Ok(())
}

//! The event's pages over HTTP: their addresses, the files that they load, and the QR code of a board.

use std::collections::BTreeSet;

use crate::event::{harbour_cup, team_cup};
use crate::fixture::{FIRST_VERSION, Site};
use axum::http::StatusCode;

const PAGES: &[&str] = &[
    "/event",
    "/event/rounds",
    "/event/rounds/3",
    "/event/standings",
    "/event/cross-table",
    "/event/players",
    "/event/players/5",
    "/event/print/pairings",
    "/event/print/names",
    "/event/print/slips",
    "/event/print/cards",
    "/event/print/standings",
];

async fn status(site: &Site, path: &str) -> StatusCode {
    site.get(path).await.status
}

#[tokio::test]
async fn each_page_exists_and_may_load_only_its_own_files() {
    let site = harbour_cup();
    for path in PAGES {
        let page = site.get(path).await;
        assert_eq!(page.status, StatusCode::OK, "{path}");
        assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
        assert!(
            page.header("content-security-policy")
                .starts_with("default-src 'none'; script-src 'self'")
        );
        let text = page.text().await;
        assert!(
            text.contains("id=\"sign-provisional\""),
            "the signs stand in the page"
        );
        for inline in ["style=", "<style", "onclick"] {
            assert!(!text.contains(inline), "{path} has {inline}");
        }
    }
}

#[tokio::test]
async fn every_file_a_page_needs_is_served() {
    let site = harbour_cup();
    let page = site.get("/event").await.text().await;
    let mut open: Vec<String> = page
        .split('"')
        .filter(|part| part.starts_with("/assets/"))
        .map(str::to_owned)
        .collect();
    let mut seen = BTreeSet::new();
    while let Some(path) = open.pop() {
        if !seen.insert(path.clone()) {
            continue;
        }
        let answer = site.get(&path).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}");
        assert_eq!(answer.header("cache-control"), "no-cache");
        if !path.ends_with(".js") {
            continue;
        }
        let text = answer.text().await;
        let imports = text
            .split("from\"")
            .skip(1)
            .filter_map(|rest| rest.split('"').next());
        let folder = path.rsplit_once('/').unwrap().0.to_owned();
        for import in imports.filter(|import| import.starts_with('.')) {
            let parent = folder.rsplit_once('/').unwrap().0;
            open.push(match import.strip_prefix("../") {
                Some(rest) => format!("{parent}/{rest}"),
                None => format!("{folder}/{}", import.trim_start_matches("./")),
            });
        }
    }
    assert!(
        seen.contains("/assets/event.js") && seen.contains("/assets/words.js"),
        "{seen:?}"
    );
}

#[tokio::test]
async fn pages_say_that_there_is_no_event() {
    let site = Site::new();
    for path in [
        "/event",
        "/event/standings",
        "/event/print/slips",
        "/live/event.json",
        "/live/event/standings.json",
    ] {
        let answer = site.ask("GET", path, &[("accept", "text/html")]).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
        assert!(
            answer
                .text()
                .await
                .contains("No event is open in this hall"),
            "{path}"
        );
    }
}

#[tokio::test]
async fn unknown_pages_and_data_are_not_found() {
    let site = harbour_cup();
    for path in [
        "/event/players/6",
        "/event/players/05",
        "/event/players/x",
        "/event/rounds/4",
        "/event/teams",
        "/event/teams/1",
        "/event/print/money",
        "/live/event/players/6.json",
        "/live/event/players/1",
        "/live/event/rounds/0.json",
        "/live/event/teams.json",
        "/live/event/why/9.json",
        "/assets/event/secret.js",
    ] {
        assert_eq!(status(&site, path).await, StatusCode::NOT_FOUND, "{path}");
    }
    let teams = team_cup();
    for path in ["/event/teams", "/event/teams/4", "/live/event/why/4.json"] {
        assert_eq!(status(&teams, path).await, StatusCode::OK, "{path}");
    }
    assert_eq!(
        status(&teams, "/live/event/why/9.json").await,
        StatusCode::NOT_FOUND,
        "a player, but no team"
    );
}

#[tokio::test]
async fn the_pages_are_read_only() {
    let site = harbour_cup();
    for path in [
        "/event",
        "/live/event.json",
        "/live/event/standings.json",
        "/board/1/qr.svg",
    ] {
        for method in ["POST", "PUT", "DELETE"] {
            let answer = site.ask(method, path, &[]).await;
            assert_eq!(
                answer.status,
                StatusCode::METHOD_NOT_ALLOWED,
                "{method} {path}"
            );
        }
    }
}

#[tokio::test]
async fn a_boards_qr_code_is_an_image_without_scripts() {
    let site = harbour_cup();
    let code = site
        .ask("GET", "/board/2/qr.svg", &[("host", "hall.local:8080")])
        .await;
    assert_eq!(code.status, StatusCode::OK);
    assert_eq!(code.header("content-type"), "image/svg+xml");
    assert!(
        code.header("content-security-policy")
            .starts_with("default-src 'none'")
    );
    let picture = code.text().await;
    assert!(
        picture.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 "),
        "{picture}"
    );
    assert!(
        picture.contains("<path d=\"M4 4h7v1h-7z"),
        "the corner mark inside the quiet zone: {picture}"
    );
    let other = site
        .ask("GET", "/board/10/qr.svg", &[("host", "hall.local:8080")])
        .await;
    assert_ne!(other.text().await, picture, "each board has its own");
}

#[tokio::test]
async fn codes_are_of_the_halls_boards_and_lead_to_the_hubs_own_hosts() {
    let site = harbour_cup();
    let code = async |host| {
        let answer = site.ask("GET", "/board/1/qr.svg", &[("host", host)]).await;
        assert_eq!(answer.status, StatusCode::OK, "{host}");
        answer.text().await
    };
    let usual = code("10.0.0.7:8080").await;
    for foreign in ["evil.example", "hall.local:1", "evil\"host", ""] {
        assert_eq!(code(foreign).await, usual, "{foreign}");
    }
    assert_ne!(code("hall.local:8080").await, usual);
    assert_ne!(code("chess.example.org").await, usual);
    for board in ["77", "x", "%3Cb%3E", "01"] {
        let answer = site.get(&format!("/board/{board}/qr.svg")).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{board}");
    }
}

#[tokio::test]
async fn the_board_data_says_whether_there_is_an_event() {
    let site = harbour_cup();
    assert_eq!(
        site.get("/live/boards.json").await.json().await["tournament"],
        serde_json::Value::Null
    );
    site.update(|update| update.tournament(None));
    assert_eq!(
        site.get("/live/boards.json").await.json().await["tournament"],
        FIRST_VERSION
    );
}

//! The public pages and snapshots over HTTP: caching, compression, headers, and the responses when there is no data.

use std::io::Read as _;
use std::sync::atomic::Ordering;

use crate::fixture::{EPOCH, START_US, Site};
use axum::http::StatusCode;
use hall::view::Running;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

#[tokio::test]
async fn the_snapshot_has_its_position_and_the_time() {
    let site = Site::new();
    site.pass(2_500_000);
    let answer = site.get("/live/boards.json").await;
    assert_eq!(answer.header("content-type"), "application/json");
    assert_eq!(answer.header("access-control-allow-origin"), "*");
    let json = answer.json().await;
    assert_eq!(json["epoch"], EPOCH);
    assert_eq!(json["seq"], 4, "the event and three boards");
    assert_eq!(json["hub_us"], START_US + 2_500_000);
    assert_eq!(json["event"]["name"], "Harbour Cup 2026");
    let boards = json["boards"].as_array().unwrap();
    let names: Vec<_> = boards.iter().map(|board| &board["board"]).collect();
    assert_eq!(names, ["1", "2", "10"]);
    assert_eq!(boards[0]["white"]["us"], 297_500_000, "as it is at hub_us");
    assert_eq!(boards[0]["black"]["us"], 300_000_000);
}

#[tokio::test]
async fn a_snapshot_is_shared_for_a_second_and_never_misses_a_change() {
    let site = Site::new();
    let first = site
        .get("/live/boards.json")
        .await
        .header("etag")
        .to_owned();
    site.pass(400_000);
    let again = site
        .get("/live/boards.json")
        .await
        .header("etag")
        .to_owned();
    assert_eq!(first, again, "nothing changed, so the same bytes serve");
    site.pass(700_000);
    let later = site.get("/live/boards.json").await.json().await;
    assert_eq!(
        later["hub_us"],
        START_US + 1_100_000,
        "but not for longer than a second"
    );
    site.publish("1");
    assert_eq!(site.get("/live/boards.json").await.json().await["seq"], 5);
}

#[tokio::test]
async fn an_unchanged_snapshot_is_not_sent_again() {
    let site = Site::new();
    let tag = site
        .get("/live/boards.json")
        .await
        .header("etag")
        .to_owned();
    let answer = site
        .ask("GET", "/live/boards.json", &[("if-none-match", &tag)])
        .await;
    assert_eq!(answer.status, StatusCode::NOT_MODIFIED);
    assert_eq!(answer.header("etag"), tag);
    assert!(answer.bytes().await.is_empty());
}

#[tokio::test]
async fn compressed_responses_match_the_plain_ones() {
    let site = Site::new();
    for path in ["/", "/assets/live.js", "/live/boards.json"] {
        let plain = site.get(path).await;
        let packed = site.ask("GET", path, &[("accept-encoding", "gzip")]).await;
        assert_eq!(packed.header("content-encoding"), "gzip", "{path}");
        let vary = packed.header("vary").to_owned();
        assert!(vary.starts_with("accept-encoding"), "{path}: {vary}");
        let is_page = path == "/";
        assert_eq!(vary.ends_with("accept-language"), is_page, "{path}");
        assert_ne!(packed.header("etag"), plain.header("etag"), "{path}");
        let mut unpacked = Vec::new();
        let packed = packed.bytes().await;
        flate2::read::GzDecoder::new(packed.as_slice())
            .read_to_end(&mut unpacked)
            .unwrap();
        let plain = plain.bytes().await;
        assert!(packed.len() < plain.len(), "{path}");
        assert_eq!(unpacked, plain, "{path}");
    }
}

#[tokio::test]
async fn one_board_comes_with_its_moves_and_its_neighbours() {
    let site = Site::new();
    let json = site.get("/live/boards/2.json").await.json().await;
    assert_eq!(json["board"]["board"], "2");
    assert_eq!(json["previous"], "1");
    assert_eq!(json["next"], "10");
    assert_eq!(json["presses"][0]["used_us"], 4_200_000);
    assert_eq!(json["presses"][0]["side"], "white");
    assert_eq!(json["epoch"], EPOCH);
    let last = site.get("/live/boards/10.json").await.json().await;
    assert_eq!(last["presses"], serde_json::json!([]));
    assert!(last.get("next").is_none());
    assert_eq!(
        site.get("/live/boards/11.json").await.status,
        StatusCode::NOT_FOUND
    );
    assert_eq!(
        site.get("/live/boards/2").await.status,
        StatusCode::NOT_FOUND
    );
}

#[tokio::test]
async fn readers_of_a_board_ask_the_hall_for_its_moves_once() {
    let site = Site::new();
    for _ in 0..50 {
        let json = site.get("/live/boards/2.json").await.json().await;
        assert_eq!(json["presses"].as_array().unwrap().len(), 1);
    }
    assert_eq!(site.asked.load(Ordering::Relaxed), 1);
    for unknown in ["77", "78"] {
        site.get(&format!("/live/boards/{unknown}.json")).await;
    }
    assert_eq!(site.asked.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn a_board_whose_name_is_not_a_plain_number_has_its_page() {
    let site = Site::new();
    site.publish("A/1 ½");
    for path in [
        "/board/A%2F1%20%C2%BD",
        "/live/boards/A%2F1%20%C2%BD.json",
        "/live/events?board=A%2F1%20%C2%BD",
    ] {
        assert_eq!(site.get(path).await.status, StatusCode::OK, "{path}");
    }
}

#[tokio::test]
async fn every_response_has_a_restrictive_policy() {
    let site = Site::new();
    for path in [
        "/",
        "/board/1",
        "/assets/live.css",
        "/live/boards.json",
        "/live/events",
        "/healthz",
        "/nowhere",
    ] {
        let answer = site.get(path).await;
        let policy = answer.header("content-security-policy");
        assert!(
            policy.starts_with("default-src 'none'; script-src 'self'"),
            "{path}"
        );
        assert!(!policy.contains("unsafe"), "{path}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(answer.header("referrer-policy"), "no-referrer", "{path}");
    }
}

#[tokio::test]
async fn pages_load_only_existing_files_and_nothing_inline() {
    let site = Site::new();
    for page in ["/", "/board/1"] {
        let html = site.get(page).await.text().await;
        assert!(
            html.contains("<symbol id=\"sign-flag\""),
            "{page} has its signs"
        );
        assert!(
            !html.contains(" style=") && !html.contains("<style") && !html.contains(" onclick"),
            "{page}"
        );
        let mut files: Vec<_> = quoted(&html, "/assets/");
        assert!(files.len() >= 5, "{page}: {files:?}");
        let mut seen = 0;
        while let Some(file) = files.get(seen).cloned() {
            seen += 1;
            let answer = site.get(&file).await;
            assert_eq!(answer.status, StatusCode::OK, "{file}, wanted by {page}");
            if file.ends_with(".js") {
                let imports = quoted(&answer.text().await, "./");
                files.extend(
                    imports
                        .iter()
                        .map(|import| import.replace("./", "/assets/")),
                );
                files.sort();
                files.dedup();
            }
        }
    }
}

fn quoted(text: &str, start: &str) -> Vec<String> {
    let strings = text.split('"').filter(|string| string.starts_with(start));
    strings
        .map(str::to_owned)
        .filter(|string| string.contains('.'))
        .collect()
}

#[tokio::test]
async fn not_found_pages_are_in_the_visitors_language() {
    let site = Site::new();
    let browser = site
        .ask("GET", "/board/99", &[("accept", "text/html,*/*")])
        .await;
    assert_eq!(browser.status, StatusCode::NOT_FOUND);
    let html = browser.text().await;
    assert!(html.contains("<h1>No board 99 in this hall</h1>"));
    assert!(html.contains("href=\"/\""));
    let program = site.get("/board/99").await;
    assert_eq!(program.header("content-type"), "text/plain; charset=utf-8");
    assert!(
        program
            .text()
            .await
            .starts_with("No board 99 in this hall. ")
    );
    assert_eq!(
        site.get("/assets/../view.rs").await.status,
        StatusCode::NOT_FOUND
    );
    assert_eq!(site.get("/live").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn documents_and_errors_are_in_the_language_of_the_browser() {
    let site = Site::new();
    for (asked, tag, boards, nothing) in [
        (
            "de-AT,de;q=0.9,en;q=0.5",
            "de",
            "Alle Bretter",
            "Seite nicht gefunden",
        ),
        ("es", "es", "Todas las mesas", "Página no encontrada"),
        (
            "nb, fr;q=0.5",
            "fr",
            "Tous les échiquiers",
            "Page introuvable",
        ),
        ("nb", "en", "All boards", "Page not found"),
    ] {
        let browser = [("accept", "text/html"), ("accept-language", asked)];
        for (path, words) in [("/", boards), ("/board/1", boards), ("/nowhere", nothing)] {
            let answer = site.ask("GET", path, &browser).await;
            assert_eq!(answer.header("content-language"), tag, "{path} {asked}");
            let html = answer.text().await;
            assert!(
                html.contains(&format!("<html lang=\"{tag}\">")),
                "{path} {asked}"
            );
            assert!(html.contains(words), "{path} {asked}: {words}");
            assert!(!html.contains("{{"), "{path} {asked}: a slot is left");
        }
        let program = site.ask("GET", "/nowhere", &browser[1..]).await;
        assert!(program.text().await.starts_with(nothing), "{asked}");
    }
    // The language in the address overrides the browser's; an unknown language tag is ignored.
    let german = [("accept", "text/html"), ("accept-language", "de")];
    for (path, tag) in [
        ("/?lang=fr", "fr"),
        ("/nowhere?a=1&lang=es-MX", "es"),
        ("/board/1?lang=xx", "de"),
    ] {
        let answer = site.ask("GET", path, &german).await;
        assert_eq!(answer.header("content-language"), tag, "{path}");
    }
}

#[tokio::test]
async fn a_name_in_an_address_is_never_markup() {
    let site = Site::new();
    let path = "/board/%3Cscript%3Ealert(1)%3C%2Fscript%3E%7B%7Btext%7D%7D";
    let html = site
        .ask("GET", path, &[("accept", "text/html")])
        .await
        .text()
        .await;
    assert!(html.contains("&lt;script&gt;alert(1)"));
    assert!(!html.contains("<script>"));
    assert_eq!(html.matches("The board may have been used").count(), 1);
}

#[tokio::test]
async fn only_reads_are_allowed() {
    let site = Site::new();
    for method in ["POST", "PUT", "DELETE"] {
        for path in ["/", "/live/boards.json", "/live/events", "/healthz"] {
            let answer = site.ask(method, path, &[]).await;
            assert_eq!(
                answer.status,
                StatusCode::METHOD_NOT_ALLOWED,
                "{method} {path}"
            );
            assert_eq!(answer.header("allow"), "GET,HEAD", "{method} {path}");
        }
    }
    let head = site.ask("HEAD", "/", &[]).await;
    assert_eq!(head.status, StatusCode::OK);
    assert!(head.bytes().await.is_empty());
}

#[tokio::test]
async fn the_health_check_reports_the_hubs_problem() {
    let well = Site::new().get("/healthz").await;
    assert_eq!(well.status, StatusCode::OK);
    assert_eq!(well.json().await["status"], "ok");
    let ailing = Site::with_ring(64, true).get("/healthz").await;
    assert_eq!(ailing.status, StatusCode::SERVICE_UNAVAILABLE);
    let json = ailing.json().await;
    assert_eq!(json["status"], "failing");
    assert_eq!(json["why"], "The disk is full; nothing is acknowledged.");
}

#[tokio::test]
async fn a_port_in_use_is_named_with_the_flag_that_changes_it() {
    let taken = hub::web::bind("127.0.0.1:0".parse().unwrap(), "--http")
        .await
        .unwrap();
    let address = taken.local_addr().unwrap();
    let error = hub::web::bind(address, "--http")
        .await
        .unwrap_err()
        .to_string();
    assert!(error.contains(&address.to_string()), "{error}");
    assert!(error.contains("already in use"), "{error}");
    assert!(error.contains("--http"), "{error}");
    let nowhere = hub::web::bind("192.0.2.1:80".parse().unwrap(), "--metrics").await;
    assert!(
        nowhere
            .unwrap_err()
            .to_string()
            .contains("192.0.2.1:80 (--metrics)")
    );
}

#[tokio::test]
async fn the_server_ends_open_streams_when_it_closes() {
    let site = Site::new();
    let listener = hub::web::bind("127.0.0.1:0".parse().unwrap(), "--http")
        .await
        .unwrap();
    let address = listener.local_addr().unwrap();
    let (close, closed) = tokio::sync::oneshot::channel::<()>();
    let server = tokio::spawn(hub::web::serve(listener, site.router.clone(), async move {
        let _ = closed.await;
    }));
    let mut watcher = TcpStream::connect(address).await.unwrap();
    watcher
        .write_all(b"GET /live/events HTTP/1.1\r\nhost: hall\r\n\r\n")
        .await
        .unwrap();
    let mut head = vec![0; 4096];
    let read = watcher.read(&mut head).await.unwrap();
    assert!(head[..read].starts_with(b"HTTP/1.1 200 OK\r\n"));
    close.send(()).unwrap();
    let mut rest = Vec::new();
    watcher.read_to_end(&mut rest).await.unwrap();
    assert!(rest.ends_with(b"0\r\n\r\n"), "the stream is ended, not cut");
    server.await.unwrap();
    assert!(TcpStream::connect(address).await.is_err());
}

#[tokio::test]
async fn metrics_have_their_own_routes_and_units_in_their_names() {
    let recorded = hub::metrics::install().unwrap();
    hub::metrics::press_applied();
    hub::metrics::acknowledged(180);
    hub::metrics::link_refused("GOODBYE_REASON_BAD_FRAME");
    hub::metrics::boards(12, 11);
    let router = hub::metrics::router(recorded);
    let site = Site {
        router,
        ..Site::new()
    };
    let text = site.get("/metrics").await.text().await;
    assert!(text.contains("flagfall_presses_total 1\n"), "{text}");
    assert!(
        text.contains("flagfall_ack_latency_us_bucket{le=\"200\"} 1\n"),
        "{text}"
    );
    assert!(
        text.contains("flagfall_links_refused_total{why=\"GOODBYE_REASON_BAD_FRAME\"} 1\n"),
        "{text}"
    );
    assert!(text.contains("flagfall_boards_online 11\n"), "{text}");
    assert_eq!(site.get("/").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn the_hall_has_a_page_without_scripts() {
    let site = Site::new();
    let answer = site
        .ask("GET", "/plain", &[("accept-language", "de")])
        .await;
    assert_eq!(answer.status, StatusCode::OK);
    let page = answer.text().await;
    assert!(page.contains("<html lang=\"de\">") && page.contains("http-equiv=\"refresh\""));
    assert!(!page.contains("<script") && !page.contains("{{"), "{page}");
    for board in ["1", "2", "10"] {
        assert!(page.contains(&format!("<bdi>{board}</bdi>")), "{page}");
    }
    // The digits are rounded as on every clock in the hall, and text entered by people is never treated as markup.
    let mut sly = crate::fixture::board("3");
    sly.white.name = "<script>alert(1)</script> & Co".to_owned();
    (sly.running, sly.white.us, sly.black.us) = (Running::None, 59_000_001, 9_850_000);
    sly.plan.clear();
    drop(
        site.live
            .update(|update| update.board(crate::fixture::shown(sly))),
    );
    let page = site.get("/plain").await.text().await;
    assert!(
        page.contains("&lt;script>alert(1)&lt;/script> &amp; Co"),
        "{page}"
    );
    assert!(
        page.contains(">1:00</td>") && page.contains(">0:09.9</td>"),
        "{page}"
    );
}

#[tokio::test]
async fn only_pages_for_frames_may_be_framed() {
    let site = Site::new();
    for (path, framed) in [
        ("/board/1", false),
        ("/board/1?embed", true),
        ("/?wall", false),
        ("/?theme=dark&embed", true),
    ] {
        let answer = site.get(path).await;
        let policy = answer.header("content-security-policy");
        assert_eq!(
            policy.ends_with("frame-ancestors *"),
            framed,
            "{path}: {policy}"
        );
    }
}

#[tokio::test]
async fn the_feed_description_names_existing_addresses() {
    let site = crate::event::harbour_cup();
    // Enough changes to fill a block that the ring still holds.
    for _ in 0..60 {
        site.publish("1");
    }
    let described = site.get("/live/openapi.json").await.json().await;
    assert_eq!(described["openapi"], "3.1.0");
    let paths = described["paths"].as_object().unwrap();
    assert!(paths.len() >= 12, "{paths:?}");
    for (path, what) in paths {
        let path = path
            .replace("{board}", "1")
            .replace("{round}", "1")
            .replace("{player}", "1")
            .replace("{epoch}", &EPOCH.to_string())
            .replace("{block}", "0");
        let answer = site.get(&path).await;
        let media = what["get"]["responses"]["200"]["content"]
            .as_object()
            .unwrap();
        // The test hall has no games to export.
        if path.ends_with("games.pgn") {
            continue;
        }
        assert_eq!(answer.status, StatusCode::OK, "{path}");
        let kind = media.keys().next().unwrap();
        assert_eq!(answer.header("content-type"), kind, "{path}");
    }
    let board = &site.get("/live/boards/2.json").await.json().await["board"];
    let schema = &described["components"]["schemas"]["Board"];
    let fields = schema["properties"].as_object().unwrap();
    for field in board.as_object().unwrap().keys() {
        assert!(fields.contains_key(field), "{field} is not described");
    }
    for field in schema["required"].as_array().unwrap() {
        assert!(
            board.get(field.as_str().unwrap()).is_some(),
            "{field} is missing"
        );
    }
}

//! The responses for other sites and for caches: blocks of changes, link-preview pictures, and the script that embeds a board.

use crate::fixture::{EPOCH, Site, board, shown};
use axum::http::StatusCode;
use hall::view::Written;

#[tokio::test]
async fn full_blocks_of_changes_never_change_and_the_newest_lead_on_from_them() {
    let site = Site::with_ring(256, false);
    let block = |no: u64| format!("/live/changes/{EPOCH}/{no}.json");
    let missing = site.get(&block(0)).await;
    assert_eq!(missing.status, StatusCode::NOT_FOUND, "not full yet");
    assert_eq!(missing.header("cache-control"), "no-store");
    let first = site.get("/live/changes.json").await.json().await;
    assert_eq!((&first["seq"], &first["block"]), (&4.into(), &0.into()));
    assert_eq!(first["changes"].as_array().unwrap().len(), 4);
    for _ in 0..130 {
        site.pass(1_000);
        site.publish("1");
    }
    let full = site.get(&block(1)).await;
    let kept = full.header("cache-control").to_owned();
    assert_eq!(kept, "public, max-age=31536000, immutable");
    let full = full.json().await;
    let numbers: Vec<_> = full["changes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|change| change["seq"].as_u64().unwrap())
        .collect();
    assert_eq!(numbers, (65..=128).collect::<Vec<_>>());
    let newest = site.get("/live/changes.json").await;
    assert_eq!(newest.header("cache-control"), "public, max-age=1");
    let newest = newest.json().await;
    assert_eq!(
        (&newest["seq"], &newest["block"], &newest["size"]),
        (&134.into(), &2.into(), &64.into())
    );
    assert_eq!(newest["changes"][0]["seq"], 129);
    assert_eq!(newest["changes"][0]["board"]["board"], "1");
    site.pass(9_000_000);
    site.publish("2");
    assert_eq!(site.get(&block(1)).await.json().await, full);
    for other in [
        block(2),
        format!("/live/changes/{}/1.json", EPOCH + 1),
        format!("/live/changes/{EPOCH}/1"),
        format!("/live/changes/{EPOCH}/18446744073709551615.json"),
    ] {
        assert_eq!(
            site.get(&other).await.status,
            StatusCode::NOT_FOUND,
            "{other}"
        );
    }
}

#[tokio::test]
async fn link_previews_have_the_names_and_a_picture() {
    let site = Site::new();
    let page = site.get("/board/2").await.text().await;
    let picture =
        "<meta property=\"og:image\" content=\"http://10.0.0.7:8080/board/2/picture.png?lang=en\">";
    assert!(page.contains(picture), "{page}");
    assert!(
        page.contains("content=\"Harbour Cup 2026 · Board 2\""),
        "{page}"
    );
    assert!(!page.contains("<!-- share -->"), "{page}");
    for path in [
        "/picture.png",
        "/board/2/picture.png",
        "/board/2/picture.png?lang=de",
    ] {
        let picture = site.get(path).await;
        assert_eq!(picture.header("content-type"), "image/png", "{path}");
        assert_eq!(
            picture.header("cache-control"),
            "public, max-age=60",
            "{path}"
        );
        let tag = picture.header("etag").to_owned();
        let bytes = picture.bytes().await;
        let decoder = png::Decoder::new(std::io::Cursor::new(bytes.as_slice()));
        let reader = decoder.read_info().unwrap();
        assert_eq!(
            (reader.info().width, reader.info().height),
            (1200, 630),
            "{path}"
        );
        assert!(bytes.len() < 100_000, "{path}: {}", bytes.len());
        site.pass(10_000_000);
        let again = site.get(path).await;
        assert_eq!(again.header("etag"), tag, "{path}: kept");
        site.pass(51_000_000);
        let later = site.get(path).await;
        assert_ne!(later.header("etag"), tag, "{path}: drawn again");
    }
    let clocks = site.get("/board/2/picture.png").await.bytes().await;
    let mut board = board("2");
    board.written = Some(Written {
        count: 1,
        san: "e4".to_owned(),
        uci: "e2e4".to_owned(),
        fen: "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1".to_owned(),
    });
    site.update(|update| update.board(shown(board)));
    site.pass(61_000_000);
    let written = site.get("/board/2/picture.png").await.bytes().await;
    assert!(written.starts_with(b"\x89PNG") && written != clocks);
    let none = site.get("/board/11/picture.png").await;
    assert_eq!(none.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn other_sites_can_load_the_script_that_shows_a_board() {
    let site = Site::new();
    let script = site.get("/widget.js").await;
    assert_eq!(
        script.header("content-type"),
        "text/javascript; charset=utf-8"
    );
    let policy = site.get("/board/1?embed").await;
    let policy = policy.header("content-security-policy").to_owned();
    assert!(policy.contains("frame-ancestors *"), "{policy}");
}

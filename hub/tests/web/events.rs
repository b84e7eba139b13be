//! Server-sent events: numbered and resumable, with an instruction to resynchronise when necessary.

use crate::fixture::{EPOCH, FIRST_VERSION, START_US, Site};
use axum::http::StatusCode;
use futures::{FutureExt as _, Stream, StreamExt as _};

struct Watcher {
    stream: std::pin::Pin<Box<dyn Stream<Item = Result<bytes::Bytes, axum::Error>>>>,
}

impl Watcher {
    async fn of(site: &Site, path: &str, headers: &[(&str, &str)]) -> Self {
        let mut answer = site.ask("GET", path, headers).await;
        assert_eq!(answer.status, StatusCode::OK);
        assert_eq!(answer.header("content-type"), "text/event-stream");
        assert_eq!(answer.header("cache-control"), "no-store");
        assert_eq!(answer.header("content-encoding"), "");
        let stream = Box::pin(answer.body.take().unwrap().into_data_stream());
        Self { stream }
    }

    /// Returns the events that have arrived. A single chunk of the stream may contain several.
    fn heard(&mut self) -> Vec<String> {
        let mut heard = String::new();
        while let Some(Some(piece)) = self.stream.next().now_or_never() {
            heard.push_str(std::str::from_utf8(&piece.unwrap()).unwrap());
        }
        let events = heard.split_inclusive("\n\n");
        events.map(str::to_owned).collect()
    }

    fn kinds(&mut self) -> Vec<String> {
        let line = |frame: &str, name: &str| {
            let found = frame.lines().find_map(|line| line.strip_prefix(name));
            found.unwrap_or("").to_owned()
        };
        let kind = |frame: &String| format!("{} {}", line(frame, "event: "), line(frame, "id: "));
        self.heard().iter().map(kind).collect()
    }
}

#[tokio::test]
async fn a_watcher_gets_the_time_and_then_every_change() {
    let site = Site::new();
    let mut watcher = Watcher::of(&site, "/live/events", &[]).await;
    assert_eq!(
        watcher.heard(),
        [format!(
            ": keep-alive\nid: {EPOCH}-4\nevent: hub\ndata: {{\"epoch\":{EPOCH},\"seq\":4,\"hub_us\":{START_US}}}\n\n"
        )]
    );
    site.publish("1");
    site.publish("10");
    assert_eq!(watcher.kinds(), ["board 41-5", "board 41-6"]);
    assert_eq!(watcher.kinds(), [""; 0]);
}

#[tokio::test]
async fn a_reconnecting_watcher_misses_nothing() {
    let site = Site::new();
    for _ in 0..3 {
        site.publish("1");
    }
    for (path, headers) in [
        ("/live/events?after=41-5", vec![]),
        ("/live/events", vec![("last-event-id", "41-5")]),
        // A browser that reconnects by itself uses the original address again.
        ("/live/events?after=41-1", vec![("last-event-id", "41-5")]),
    ] {
        let mut watcher = Watcher::of(&site, path, &headers).await;
        assert_eq!(
            watcher.kinds(),
            ["hub 41-5", "board 41-6", "board 41-7"],
            "{path}"
        );
    }
}

#[tokio::test]
async fn a_watcher_from_another_epoch_or_too_far_behind_must_resynchronise() {
    let site = Site::with_ring(4, false);
    for _ in 0..4 {
        site.publish("1");
    }
    for after in [
        "40-8",
        "41-3",
        "41-99",
        "nonsense",
        "-",
        "41-",
        "18446744073709551616-1",
    ] {
        let mut watcher = Watcher::of(&site, &format!("/live/events?after={after}"), &[]).await;
        let kinds = watcher.kinds();
        assert_eq!(
            kinds.last().unwrap(),
            "resync 41-8",
            "after {after}: {kinds:?}"
        );
        site.update(|_| ());
        assert_eq!(watcher.kinds(), [""; 0], "nothing changed since");
    }
}

#[tokio::test]
async fn a_slow_watcher_must_resynchronise_and_then_gets_new_changes() {
    let site = Site::with_ring(4, false);
    let mut slow = Watcher::of(&site, "/live/events", &[]).await;
    slow.kinds();
    for _ in 0..20 {
        site.publish("1");
    }
    assert_eq!(slow.kinds(), ["resync 41-24"]);
    site.publish("2");
    assert_eq!(slow.kinds(), ["board 41-25"]);
}

#[tokio::test]
async fn a_single_board_can_be_followed() {
    let site = Site::new();
    let mut watcher = Watcher::of(&site, "/live/events?board=2", &[]).await;
    watcher.kinds();
    for board in ["1", "2", "10"] {
        site.publish(board);
    }
    site.update(|update| {
        update.gone("1");
        update.gone("2");
    });
    assert_eq!(watcher.kinds(), ["board 41-6", "gone 41-9"]);
    let mut late = Watcher::of(&site, "/live/events?board=2&after=41-6", &[]).await;
    assert_eq!(
        late.kinds(),
        ["hub 41-6", "gone 41-9"],
        "who was away hears it too"
    );
    let unknown = site.get("/live/events?board=77").await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn watchers_beyond_the_last_slot_are_asked_to_retry() {
    let site = Site::new();
    let mut watchers = Vec::new();
    let refused = loop {
        let answer = site.get("/live/events").await;
        if answer.status != StatusCode::OK {
            break answer;
        }
        watchers.push(answer);
    };
    assert_eq!(watchers.len(), 8192);
    assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(refused.header("retry-after"), "60");
    watchers.pop();
    assert_eq!(
        site.get("/live/events").await.status,
        StatusCode::OK,
        "a seat that is left is free again"
    );
}

#[tokio::test]
async fn event_watchers_get_no_boards_and_board_watchers_no_results() {
    let site = Site::new();
    let mut event = Watcher::of(&site, "/live/events?only=event", &[]).await;
    let mut board = Watcher::of(&site, "/live/events?board=1", &[]).await;
    event.heard();
    board.heard();
    site.publish("1");
    site.update(|update| {
        update.gone("10");
        update.tournament(None);
    });
    assert_eq!(
        event.heard(),
        [format!(
            "id: {EPOCH}-7\nevent: tournament\ndata: {{\"epoch\":{EPOCH},\"seq\":7,\"hub_us\":{START_US},\"tournament\":{FIRST_VERSION}}}\n\n"
        )]
    );
    assert_eq!(board.kinds(), ["board 41-5"]);
}

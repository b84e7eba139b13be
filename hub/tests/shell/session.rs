//! Signing in from a browser: codes, cookies, renewal, and the attempts that the hub refuses.

use hub::identity::{Arbiter, Role};
use hub::sessions::ArbiterCode;
use prost::Message as _;
use proto::grpc::{GetHallRequest, Hall};
use serde_json::json;

use crate::browser::{self, Browser, code};
use crate::hall::TestHub;

pub(crate) const UNAUTHENTICATED: u16 = 16;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_hub_serves_the_page_with_a_strict_policy() {
    let hub = TestHub::start().await;
    let browser = Browser::new(&hub);
    let page = browser.get("/").await;
    assert_eq!(page.status, 200);
    assert_eq!(page.header("cache-control"), Some("no-cache"));
    let policy = page.header("content-security-policy").unwrap();
    assert!(
        policy.starts_with("default-src 'none'; script-src 'self'"),
        "{policy}"
    );
    assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
    assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(page.header("referrer-policy"), Some("no-referrer"));
    assert_eq!(page.header("access-control-allow-origin"), None);

    let text = page.text();
    let files = text.split('"').filter_map(|word| word.strip_prefix("./"));
    let files: Vec<_> = files.filter(|file| file.starts_with("assets/")).collect();
    assert!(!files.is_empty(), "{text}");
    for file in files {
        let answer = browser.get(&format!("/{file}")).await;
        assert_eq!(answer.status, 200, "{file}");
        let keep = answer.header("cache-control").unwrap();
        assert!(keep.contains("immutable"), "{file}: {keep}");
    }
    for path in [
        "/assets/none.js",
        "/../Cargo.toml",
        "/authority.pem",
        "/devices.json",
    ] {
        assert_eq!(browser.get(path).await.status, 404, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_code_signs_a_device_in_for_the_arbiter_whom_the_chief_named() {
    let hub = TestHub::start().await;
    hub.add_board("1", "5m").await;
    let mut browser = Browser::new(&hub);
    assert_eq!(browser.get("/session").await.status, 401);
    let looked = browser.call("Arbiter/GetHall", &GetHallRequest {}).await;
    assert_eq!(looked.code, UNAUTHENTICATED, "{}", looked.said);

    let code = code(&hub, Role::Floor, "Anna Berg");
    let answer = browser.enrol(&code).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let cookie = answer.header("set-cookie").unwrap();
    for attribute in [
        "__Host-flagfall",
        "Secure",
        "HttpOnly",
        "SameSite=Strict",
        "Path=/",
    ] {
        assert!(cookie.contains(attribute), "{cookie}");
    }
    assert!(!cookie.contains("Domain"), "{cookie}");
    let who = browser.get("/session").await.json();
    assert_eq!(who["name"], "Anna Berg");
    assert_eq!(who["role"], "floor");
    assert_eq!(who, browser.who);
    let looked = browser.call("Arbiter/GetHall", &GetHallRequest {}).await;
    assert_eq!(looked.code, 0, "{}", looked.said);
    let hall = Hall::decode(&looked.message[..]).unwrap();
    assert_eq!(hall.boards[0].board, "1");

    // The code is used up, both for this device and for others.
    for mut other in [Browser::new(&hub), browser] {
        let again = other.enrol(&code).await;
        assert_eq!(again.status, 403);
        assert!(again.text().contains("not valid"), "{}", again.text());
        assert_eq!(again.header("flagfall-refusal"), Some("140"));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_malformed_enrolment_is_refused_and_uses_no_code_up() {
    let hub = TestHub::start().await;
    let mut browser = Browser::new(&hub);
    let code = code(&hub, Role::Viewer, "screen");
    let good = browser.enrolment(&code, &browser.challenge().await);
    let (none, other) = (Some("0"), Some("142"));
    for (field, value, status, said, number) in [
        (
            "authority",
            json!("00".repeat(16)),
            400,
            "another hub",
            other,
        ),
        ("authority", json!("zz"), 400, "hexadecimal", none),
        ("token", json!("00"), 400, "hexadecimal", none),
        ("public_key", json!("AAAA"), 400, "P-256", none),
        ("name", json!("x".repeat(65)), 400, "64 bytes", Some("144")),
        ("name", json!("a\u{7}"), 400, "printable", Some("144")),
        ("token", json!(7), 422, "token", None),
        ("challenge", json!(""), 400, "too old", none),
        ("challenge", json!("AAAA"), 409, "proof", none),
        ("signature", json!(""), 409, "proof", none),
        ("signature", json!("!"), 409, "proof", none),
    ] {
        let mut request = good.clone();
        request[field] = value;
        let answer = browser.post("/session/enrol", &request).await;
        assert_eq!(answer.status, status, "{field}: {}", answer.text());
        assert!(answer.text().contains(said), "{field}: {}", answer.text());
        assert_eq!(answer.header("flagfall-refusal"), number, "{field}");
        assert_eq!(answer.header("set-cookie"), None);
    }
    assert_eq!(browser.enrol(&code).await.status, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_code_enrols_only_a_key_that_the_device_has() {
    let hub = TestHub::start().await;
    let chief = Browser::enrolled(&hub, Role::Chief, "Anna Berg").await;
    let mut floor = Browser::enrolled(&hub, Role::Floor, "Per Lind").await;
    let (before, device) = (
        floor.get("/session").await.text(),
        floor.who["device"].clone(),
    );
    let code = code(&hub, Role::Viewer, "screen");
    // The hub refuses the chief's public key with a signature by a different key.
    let challenge = floor.challenge().await;
    let mut stolen = floor.enrolment(&code, &challenge);
    stolen["public_key"] = json!(chief.public_key());
    let answer = floor.post("/session/enrol", &stolen).await;
    assert_eq!(answer.status, 409, "{}", answer.text());
    // The hub refuses a proof for a different code or a different hub.
    let mut other_code = code.clone();
    other_code.0.token = [7; 16];
    let mut other_hub = code.clone();
    other_hub.0.authority = [7; 16];
    let right = floor.enrolment(&code, &challenge);
    for other in [&other_code, &other_hub] {
        let mut forged = right.clone();
        forged["signature"] = floor.enrolment(other, &challenge)["signature"].clone();
        let answer = floor.post("/session/enrol", &forged).await;
        assert_eq!(answer.status, 409, "{}", answer.text());
    }
    // A key that is already enrolled stays with its arbiter, and the code remains valid.
    let answer = floor.enrol(&code).await;
    assert_eq!(answer.status, 409, "{}", answer.text());
    assert!(
        answer.text().contains("enrolled already"),
        "{}",
        answer.text()
    );
    let used = Browser::new(&hub);
    let mut replayed = used.enrolment(&code, &challenge);
    let answer = used.post("/session/enrol", &replayed).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    // The hub refuses a new proof for a challenge that was already answered.
    let next = browser::code(&hub, Role::Viewer, "second screen");
    replayed = Browser::new(&hub).enrolment(&next, &challenge);
    assert_eq!(used.post("/session/enrol", &replayed).await.status, 409);

    assert_eq!(chief.get("/session").await.json()["role"], "chief");
    assert_eq!(floor.get("/session").await.text(), before);
    assert_eq!(floor.who["device"], device);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_revoked_key_enrols_with_no_code() {
    let hub = TestHub::start().await;
    let mut lost = Browser::enrolled(&hub, Role::Floor, "Per Lind").await;
    let device = lost.who["device"].as_str().unwrap().to_owned();
    hub.server.sessions().revoke(&device, "chief", "").unwrap();
    let answer = lost.enrol(&code(&hub, Role::Floor, "Per Lind")).await;
    assert_eq!(answer.status, 409, "{}", answer.text());
    assert_eq!(lost.renew().await.status, 401);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_code_says_whose_device_it_makes_and_stays_good() {
    let hub = TestHub::start().await;
    let mut browser = Browser::new(&hub);
    let code = code(&hub, Role::Floor, "Anna Berg");
    let secrets = |code: &ArbiterCode| json!({ "authority": hex::encode(code.0.authority), "token": hex::encode(code.0.token) });
    for _ in 0..2 {
        let answer = browser.post("/session/offer", &secrets(&code)).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        assert_eq!(answer.header("set-cookie"), None);
        let offered: serde_json::Value = serde_json::from_str(&answer.text()).unwrap();
        assert_eq!(offered, json!({ "name": "Anna Berg", "role": "floor" }));
    }
    assert_eq!(browser.enrol(&code).await.status, 200);
    // Offering the used code once and a wrong code four times counts as five guesses.
    let mut wrong = code.clone();
    for guess in 0..5 {
        let answer = browser.post("/session/offer", &secrets(&wrong)).await;
        assert_eq!(answer.status, 403, "{}", answer.text());
        wrong.0.token = [guess; 16];
    }
    let answer = browser.post("/session/offer", &secrets(&wrong)).await;
    assert_eq!(
        (answer.status, answer.header("flagfall-refusal")),
        (429, Some("141"))
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_guesser_of_codes_locks_no_other_out_and_a_clocks_code_enrols_no_arbiter() {
    let hub = TestHub::start().await;
    let mut browser = Browser::new(&hub);
    let mut clocks = code(&hub, Role::Chief, "Eve");
    clocks.0 = hub.server.desk().code("").unwrap();
    for _ in 0..5 {
        assert_eq!(browser.enrol(&clocks).await.status, 403);
    }
    let answer = browser.enrol(&clocks).await;
    assert_eq!(answer.status, 429);
    assert!(answer.text().contains("many wrong"), "{}", answer.text());
    assert_eq!(answer.header("flagfall-refusal"), Some("141"));
    // A second tablet behind the same address is not locked out.
    let good = code(&hub, Role::Viewer, "screen");
    assert_eq!(Browser::new(&hub).enrol(&good).await.status, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_arbiter_needs_a_printable_name() {
    let hub = TestHub::start().await;
    for name in ["", "  ", "a\nb", &"x".repeat(65)] {
        let arbiter = Arbiter::new(Role::Floor, name);
        assert!(
            hub.server.sessions().code(arbiter, "test").is_err(),
            "{name:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_ends_with_the_hub_and_its_device_goes_on_without_a_code() {
    let hub = TestHub::start().await;
    let mut browser = Browser::enrolled(&hub, Role::Chief, "Anna Berg").await;
    let before = browser.who.clone();
    let hub = hub.restart().await;
    browser.moves_to(&hub);
    assert_eq!(browser.get("/session").await.status, 401);
    let answer = browser.renew().await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(browser.who["device"], before["device"]);
    assert_eq!(browser.who["role"], "chief");
    assert_ne!(browser.who["session"], before["session"]);
    assert_eq!(browser.get("/session").await.status, 200);
    let kept = hub.dir.path().join("devices.json");
    let mode = std::os::unix::fs::PermissionsExt::mode(&kept.metadata().unwrap().permissions());
    assert_eq!(mode & 0o777, 0o600);
    let kept = std::fs::read_to_string(kept).unwrap();
    assert!(
        kept.contains("Anna Berg") && !kept.contains("PRIVATE"),
        "{kept}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_the_devices_own_answer_to_a_fresh_challenge_renews_and_only_once() {
    let hub = TestHub::start().await;
    let browser = Browser::enrolled(&hub, Role::Floor, "Ann").await;
    let mut thief = Browser::new(&hub);
    thief.who = browser.who.clone();
    let challenge = browser.get("/session/challenge").await.json();
    let challenge = challenge["challenge"].as_str().unwrap();
    let good = browser.renewal(challenge);
    let mut unknown = good.clone();
    unknown["device"] = json!("d-0123456789abcdef");
    let mut unreadable = good.clone();
    unreadable["signature"] = json!("!");
    // Of these requests, only that of an unknown device gets 401, because that status makes a browser forget its key.
    for (what, request, status) in [
        ("another key", thief.renewal(challenge), 409),
        ("a challenge without an owner", browser.renewal("AAAA"), 409),
        ("an unknown device", unknown, 401),
        ("no signature", unreadable, 409),
    ] {
        let answer = thief.post("/session/renew", &request).await;
        assert_eq!(answer.status, status, "{what}");
        assert_eq!(answer.header("set-cookie"), None, "{what}");
    }
    assert_eq!(thief.post("/session/renew", &good).await.status, 200);
    assert_eq!(thief.post("/session/renew", &good).await.status, 409);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_from_other_sites_are_refused() {
    let hub = TestHub::start().await;
    let browser = Browser::enrolled(&hub, Role::Chief, "Ann").await;
    let path = "/flagfall.api.v1.Arbiter/GetHall";
    let port = browser.origin().rsplit_once(':').unwrap().1.to_owned();
    let foreign = [
        "https://evil.example".to_owned(),
        "null".to_owned(),
        format!("http://localhost:{port}"),
        format!("https://localhost.evil.example:{port}"),
        "https://localhost".to_owned(),
    ];
    for origin in &foreign {
        let headers = [("origin", origin.as_str())];
        let called = browser.call_from_anywhere(path, &[], &headers).await;
        assert_eq!(called.code, 403, "{origin}");
        let json = [
            ("origin", origin.as_str()),
            ("content-type", "application/json"),
        ];
        for path in ["/session/enrol", "/session/renew"] {
            let answer = browser.ask("POST", path, &json, b"{}").await.unwrap();
            assert_eq!(answer.status, 403, "{origin} {path}");
        }
    }
    assert_eq!(browser.call_from_anywhere(path, &[], &[]).await.code, 403);
    let answer = browser
        .ask("POST", "/session/enrol", &[], b"{}")
        .await
        .unwrap();
    assert_eq!(answer.status, 403);
    assert_eq!(browser.call_with(path, &[], &[]).await.code, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_first_chiefs_code_ends_with_the_enrolment_of_any_chief() {
    let hub = TestHub::start().await;
    let sessions = hub.server.sessions();
    let replaced = sessions.first_chief_code().unwrap().unwrap();
    let first = sessions.first_chief_code().unwrap().unwrap();
    assert_eq!(Browser::new(&hub).enrol(&replaced).await.status, 403);
    assert!(!sessions.chief_enrolled().is_cancelled());
    // After a floor arbiter's device has enrolled, the hub still makes codes for the first chief arbiter.
    Browser::enrolled(&hub, Role::Floor, "Per Lind").await;
    assert!(sessions.first_chief_code().unwrap().is_some());
    let first_again = sessions.first_chief_code().unwrap().unwrap();
    assert_eq!(Browser::new(&hub).enrol(&first).await.status, 403);

    Browser::enrolled(&hub, Role::Chief, "Anna Berg").await;
    assert!(sessions.chief_enrolled().is_cancelled());
    let stranger = Browser::new(&hub).enrol(&first_again).await;
    assert_eq!(stranger.status, 403, "{}", stranger.text());
    assert!(sessions.first_chief_code().unwrap().is_none());
    let hub = hub.restart().await;
    assert!(hub.server.sessions().chief_enrolled().is_cancelled());
    assert!(hub.server.sessions().first_chief_code().unwrap().is_none());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_guesser_does_not_lock_the_first_chief_out() {
    let hub = TestHub::start().await;
    let sessions = hub.server.sessions();
    let first = sessions.first_chief_code().unwrap().unwrap();
    let mut guesser = Browser::new(&hub);
    for guess in 0..20 {
        let mut wrong = first.clone();
        wrong.0.token = [guess; 16];
        let status = if guess < 5 { 403 } else { 429 };
        assert_eq!(guesser.enrol(&wrong).await.status, status);
    }
    assert_eq!(Browser::new(&hub).enrol(&first).await.status, 200);
}

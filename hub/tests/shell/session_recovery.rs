//! Recovery of a lost chief arbiter: the printed code, the devices that it revokes, and its limits.

use hub::identity::Role;
use hub::sessions::ArbiterCode;

use crate::api_commands::read_log;
use crate::arbiter::arbiter;
use crate::browser::{Answer, Browser, code};
use crate::hall::TestHub;

async fn recover(browser: &Browser, typed: &str) -> Answer {
    let origin = browser.origin();
    let headers = [
        ("origin", origin.as_str()),
        ("content-type", "application/x-www-form-urlencoded"),
    ];
    let body = format!("code={}", typed.replace(' ', "+"));
    let answer = browser.ask("POST", "/recover", &headers, body.as_bytes());
    answer.await.unwrap()
}

/// Returns the text between two marks of a page.
fn between<'a>(page: &'a str, start: &str, end: &str) -> &'a str {
    let (_, rest) = page.split_once(start).unwrap_or_else(|| panic!("{page}"));
    rest.split_once(end).unwrap().0
}

fn arbiter_code(page: &str) -> ArbiterCode {
    let address = between(page, "<a href=\"", "\"");
    let uri = address
        .replacen("https://", "flagfall://", 1)
        .replacen("/#", "#", 1);
    ArbiterCode(uri.parse().unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_recovery_code_lets_a_new_chief_in_and_the_old_one_out() {
    let hub = TestHub::start().await;
    let printed = hub.server.identity().recovery().replace(0).unwrap();
    let lost = Browser::enrolled(&hub, Role::Chief, "Ann").await;
    let mut floor = Browser::enrolled(&hub, Role::Floor, "Ben").await;
    // The thief makes a code for a device of their own.
    let made = code(&hub, Role::Chief, "Thief");

    let stranger = Browser::new(&hub);
    let form = stranger.get("/recover").await;
    assert_eq!(form.status, 200);
    assert_eq!(form.header("referrer-policy"), Some("same-origin"));
    let wrong = recover(&stranger, "00000-00000-00000-00000-00000").await;
    assert_eq!(wrong.status, 403, "{}", wrong.text());
    assert_eq!(
        lost.get("/session").await.status,
        200,
        "nothing has happened"
    );

    let typed = printed.to_string().to_lowercase().replace('-', " ");
    let done = recover(&stranger, &typed).await;
    let page = done.text();
    assert_eq!(done.status, 200, "{page}");
    assert_eq!(lost.get("/session").await.status, 401);
    assert_eq!(
        floor.get("/session").await.status,
        200,
        "a floor arbiter goes on"
    );
    let mut thief = Browser::new(&hub);
    assert_eq!(thief.enrol(&made).await.status, 403);
    let mut chief = Browser::new(&hub);
    let enrolled = chief.enrol(&arbiter_code(&page)).await;
    assert_eq!(enrolled.status, 200, "{}", enrolled.text());
    assert_eq!(chief.who["role"], "chief");

    // The old code is used up, and the new one is valid.
    assert_eq!(recover(&floor, &printed.to_string()).await.status, 403);
    let next = between(&page, "<code>", "</code>").to_owned();
    assert_ne!(next, printed.to_string());
    floor.cookie = None;
    let again = recover(&floor, &next).await;
    assert_eq!(again.status, 200, "{}", again.text());
    assert_eq!(chief.get("/session").await.status, 401);

    let device = lost.who["device"].as_str().unwrap();
    let mut client = arbiter(&hub, Role::Chief).await;
    let logged: Vec<_> = read_log(&mut client, "", 0)
        .await
        .into_iter()
        .filter(|line| line.text.starts_with("the recovery code was used"))
        .collect();
    let latest = chief.who["device"].as_str().unwrap();
    assert_eq!(logged.len(), 2);
    assert!(logged[0].text.contains(device) && logged[1].text.contains(latest));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_guesser_of_recovery_codes_must_wait() {
    let hub = TestHub::start().await;
    let printed = hub.server.identity().recovery().replace(0).unwrap();
    let chief = Browser::enrolled(&hub, Role::Chief, "Ann").await;
    let stranger = Browser::new(&hub);
    for _ in 0..5 {
        let refused = recover(&stranger, "11111-11111-11111-11111-11111").await;
        assert!(refused.text().contains("not the recovery code"));
    }
    let refused = recover(&stranger, &printed.to_string()).await;
    assert_eq!(refused.status, 403);
    assert!(
        refused.text().contains("Wait ten minutes"),
        "{}",
        refused.text()
    );
    assert_eq!(chief.get("/session").await.status, 200);

    // A form on another site cannot send it either.
    let headers = [("origin", "https://evil.example")];
    let body = format!("code={printed}");
    let foreign = stranger.ask("POST", "/recover", &headers, body.as_bytes());
    assert_eq!(foreign.await.unwrap().status, 403);
}

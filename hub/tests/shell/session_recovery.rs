//! Recovery after the chief arbiter's device is lost: the printed code, the devices that it revokes, and its limits.

use hub::identity::{CHIEF_FILE, Credentials, Role, arbiter_client_config};
use hub::sessions::ArbiterCode;
use proto::grpc::GetHallRequest;

use crate::api_commands::read_log;
use crate::arbiter::{Client, connect, key_file};
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

/// Returns a client that uses the chief arbiter's key file from the data directory.
async fn with_chief_file(hub: &TestHub) -> Client {
    let credentials = Credentials::load(&hub.dir.path().join(CHIEF_FILE)).unwrap();
    let tls = arbiter_client_config(&credentials).unwrap();
    connect(hub.server.addresses().listen, tls).await.unwrap()
}

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
    // The thief creates a code for a further device.
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

    assert_eq!(recover(&floor, &printed.to_string()).await.status, 403);
    let next = between(&page, "<code>", "</code>").to_owned();
    assert_ne!(next, printed.to_string());
    floor.cookie = None;
    let again = recover(&floor, &next).await;
    assert_eq!(again.status, 200, "{}", again.text());
    assert_eq!(chief.get("/session").await.status, 401);

    let device = lost.who["device"].as_str().unwrap();
    let mut client = with_chief_file(&hub).await;
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

    // A form on a different site cannot send the code either.
    let headers = [("origin", "https://evil.example")];
    let body = format!("code={printed}");
    let foreign = stranger.ask("POST", "/recover", &headers, body.as_bytes());
    assert_eq!(foreign.await.unwrap().status, 403);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_recovery_revokes_the_key_files_of_a_lost_laptop() {
    let hub = TestHub::start().await;
    let printed = hub.server.identity().recovery().replace(0).unwrap();
    // The lost laptop held a copy of chief.pem and an unused key file of a chief arbiter.
    let copied = Credentials::load(&hub.dir.path().join(CHIEF_FILE)).unwrap();
    let unused = key_file(&hub, Role::Chief, "Ann");
    let floor = key_file(&hub, Role::Floor, "Ben");
    let address = hub.server.addresses().listen;
    let client = async |credentials: &Credentials| {
        let tls = arbiter_client_config(credentials).unwrap();
        connect(address, tls).await.unwrap()
    };
    let (mut thief, mut ben) = (client(&copied).await, client(&floor).await);
    thief.get_hall(GetHallRequest {}).await.unwrap();
    ben.get_hall(GetHallRequest {}).await.unwrap();

    let done = recover(&Browser::new(&hub), &printed.to_string()).await;
    let page = done.text();
    assert_eq!(done.status, 200, "{page}");
    assert!(
        page.contains("key file of a chief arbiter is revoked"),
        "{page}"
    );
    assert!(page.contains("machine: <code>chief.pem</code>"), "{page}");
    // Everything is refused: the open connection, a new one with the same file, and the unused file.
    assert!(thief.get_hall(GetHallRequest {}).await.is_err());
    for lost in [&copied, &unused] {
        let refused = client(lost).await.get_hall(GetHallRequest {}).await;
        assert!(refused.is_err());
    }
    ben.get_hall(GetHallRequest {}).await.unwrap();
    // The hub's own machine has a key file that works, even after a restart.
    with_chief_file(&hub)
        .await
        .get_hall(GetHallRequest {})
        .await
        .unwrap();
    let hub = hub.restart().await;
    let mut chief = with_chief_file(&hub).await;
    let logged = read_log(&mut chief, "", 0).await;
    let recovery = logged
        .iter()
        .find(|line| line.text.starts_with("the recovery code was used"));
    assert!(recovery.unwrap().text.contains("key files revoked: k-"));
    let tls = arbiter_client_config(&unused).unwrap();
    let mut lost = connect(hub.server.addresses().listen, tls).await.unwrap();
    assert!(lost.get_hall(GetHallRequest {}).await.is_err());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_recovery_page_speaks_the_visitors_language() {
    let hub = TestHub::start().await;
    let visitor = Browser::new(&hub);
    let origin = visitor.origin();
    for (language, title, wrong) in [
        (
            "en",
            "Recover the chief arbiter’s access",
            "not the recovery code",
        ),
        (
            "de",
            "Zugang des Hauptschiedsrichters",
            "nicht der wiederherstellungscode",
        ),
        ("es", "Recuperar el acceso", "no es el código"),
        ("fr", "Rétablir l’accès", "n’est pas le code"),
    ] {
        let named = format!("/recover?lang={language}");
        let preferred = [("accept-language", language)];
        let shown = visitor.get(&named).await;
        let asked = visitor
            .ask("GET", "/recover", &preferred, b"")
            .await
            .unwrap();
        assert_eq!(shown.text(), asked.text());
        assert_eq!(shown.header("content-language"), Some(language));
        assert!(
            shown.text().contains(&format!("<h1>{title}")),
            "{}",
            shown.text()
        );
        assert!(!shown.text().contains("hub_page_"), "{}", shown.text());
        // The form keeps the page's language.
        let action = between(&shown.text(), "action=\"", "\"").to_owned();
        let headers = [
            ("origin", origin.as_str()),
            ("content-type", "application/x-www-form-urlencoded"),
        ];
        let refused = visitor
            .ask("POST", &action, &headers, b"code=1")
            .await
            .unwrap();
        assert_eq!(refused.status, 403);
        assert!(
            refused.text().to_lowercase().contains(wrong),
            "{}",
            refused.text()
        );
    }
}

//! Key files made by `flagfall credential`: listed, revoked and expired.

use hub::identity::{Arbiter, Credentials, Role, arbiter_client_config, record_key_file};
use proto::grpc::WatchRequest;
use serde_json::Value;

use crate::arbiter::connect;
use crate::hall::{TestHub, within};
use crate::program::{Serving, expect, flagfall};

const DAY_US: i64 = 24 * 3600 * 1_000_000;

fn listed(hub: &Serving, dir: &std::path::Path, name: &str) -> Value {
    let (out, _) = expect(&hub.ctl(dir, &["devices", "--json"]), 0);
    let mut all = out.lines().map(serde_json::from_str::<Value>);
    let found = all.find_map(|one| one.ok().filter(|one| one["name"] == name));
    found.unwrap_or_else(|| panic!("{name} is not listed: {out}"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_file_is_listed_and_a_revoked_key_file_is_out_for_good() {
    let dir = tempfile::tempdir().unwrap();
    let hub = Serving::start(dir.path());
    let (path, key) = (dir.path().to_str().unwrap(), dir.path().join("anna.pem"));
    let key = key.to_str().unwrap();
    let made = flagfall(&[
        "credential",
        "--role",
        "floor",
        "--name",
        "Anna Berg",
        "--days",
        "3",
        "--data-dir",
        path,
        key,
    ]);
    let (said, _) = expect(&made, 0);
    let one = listed(&hub, dir.path(), "Anna Berg");
    let id = one["device"].as_str().unwrap();
    assert!(id.starts_with("k-") && said.contains(id), "{id}: {said}");
    assert_eq!(
        (&one["role"], &one["signed_in"]),
        (&"floor".into(), &false.into())
    );
    let life = one["expires_us"].as_i64().unwrap() - one["enrolled_us"].as_i64().unwrap();
    assert!((3 * DAY_US..=4 * DAY_US).contains(&life), "{life}");

    let credentials = Credentials::load(key.as_ref()).unwrap();
    let tls = arbiter_client_config(&credentials).unwrap();
    let mut client = connect(hub.listen.parse().unwrap(), tls).await.unwrap();
    let watched = client.watch(WatchRequest::default()).await.unwrap();
    let mut watched = watched.into_inner();
    assert!(
        within(watched.message(), "the hall")
            .await
            .unwrap()
            .is_some()
    );
    assert_eq!(listed(&hub, dir.path(), "Anna Berg")["signed_in"], true);

    let (said, _) = expect(&hub.ctl(dir.path(), &["revoke", id, "--reason", "lost"]), 0);
    assert!(
        said.contains("key file") && said.contains("is revoked"),
        "{said}"
    );
    while let Ok(Some(_)) = within(watched.message(), "the end of the stream").await {}
    let refused = |hub: &Serving| {
        let arguments = ["ctl", "--hub", &hub.listen, "--key", key, "list"];
        let (_, said) = expect(&flagfall(&arguments), 1);
        assert!(said.contains("revoked"), "{said}");
    };
    refused(&hub);
    assert_eq!(hub.stop(), Some(0));
    let hub = Serving::start(dir.path());
    refused(&hub);
    assert_eq!(
        listed(&hub, dir.path(), "Anna Berg")["revoked_reason"],
        "lost"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_expired_key_file_is_refused() {
    let hub = TestHub::start().await;
    let authority = hub.server.identity().authority();
    let address = hub.server.addresses().listen;
    for (expires, admitted) in [((2001, 1, 1), false), ((2098, 1, 1), true)] {
        let (year, month, day) = expires;
        let expires = Some(jiff::civil::date(year, month, day));
        let ann = Arbiter::new(Role::Chief, "Ann");
        let made = Credentials::issue_until(authority, &ann, expires).unwrap();
        record_key_file(hub.dir.path(), made.certificate(), &ann, 0, "test").unwrap();
        let tls = arbiter_client_config(&made).unwrap();
        let looked = match connect(address, tls).await {
            Ok(mut client) => client
                .get_hall(proto::grpc::GetHallRequest {})
                .await
                .is_ok(),
            Err(_) => false,
        };
        assert_eq!(looked, admitted, "{year}");
    }
}

//! Seven calls with three roles over a real connection: accepted, or refused with the right text.

use hub::identity::{Authority, Credentials, Role, arbiter_client_config};
use proto::grpc::command_request::Command;
use proto::grpc::{
    AddBoard, CreateEnrolmentCodeRequest, GetCommandRequest, GetHallRequest, ListAgentsRequest,
    Names, ReadLogRequest, WatchRequest,
};
use tonic::{Code, Status};

use crate::arbiter::{Client, arbiter, command, connect, without_client_certificate};
use crate::hall::{TestHub, logged};

const CALLS: [&str; 7] = [
    "GetHall",
    "Watch",
    "Send",
    "GetCommand",
    "ListAgents",
    "CreateEnrolmentCode",
    "ReadLog",
];

/// Makes the call named `call`. Returns `Ok` if the role may make it, so every error other than UNAUTHENTICATED and PERMISSION_DENIED counts as
/// success.
async fn call(client: &mut Client, call: &str) -> Result<(), Status> {
    let names = Command::Names(Names {
        white: "A".to_owned(),
        ..Names::default()
    });
    let answer = match call {
        "GetHall" => client.get_hall(GetHallRequest {}).await.map(drop),
        "Watch" => client.watch(WatchRequest::default()).await.map(drop),
        "Send" => client.send(command("1", 0, names)).await.map(drop),
        "GetCommand" => client
            .get_command(GetCommandRequest { id: vec![1; 16] })
            .await
            .map(drop),
        "ListAgents" => client.list_agents(ListAgentsRequest {}).await.map(drop),
        "CreateEnrolmentCode" => client
            .create_enrolment_code(CreateEnrolmentCodeRequest::default())
            .await
            .map(drop),
        "ReadLog" => client.read_log(ReadLogRequest::default()).await.map(drop),
        other => panic!("{other}"),
    };
    match answer {
        Err(status)
            if matches!(
                status.code(),
                Code::Unauthenticated | Code::PermissionDenied
            ) =>
        {
            Err(status)
        }
        _ => Ok(()),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_call_with_every_role() {
    let hub = TestHub::start().await;
    hub.add_board("1", "5m").await;
    let table = [
        (
            Role::Viewer,
            [true, true, false, false, false, false, false],
        ),
        (Role::Floor, [true, true, true, true, true, false, true]),
        (Role::Chief, [true; 7]),
    ];
    for (role, allowed) in table {
        let mut client = arbiter(&hub, role).await;
        for (name, allowed) in CALLS.into_iter().zip(allowed) {
            match call(&mut client, name).await {
                Ok(()) => assert!(allowed, "{name} as {role:?}"),
                Err(status) => {
                    assert!(!allowed, "{name} as {role:?}: {status}");
                    assert_eq!(status.code(), Code::PermissionDenied);
                    let needed = if name == "CreateEnrolmentCode" {
                        "chief"
                    } else {
                        "floor"
                    };
                    assert!(status.message().contains(needed), "{status}");
                }
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_client_gets_in_without_a_certificate() {
    let hub = TestHub::start().await;
    let mut client = connect(
        hub.server.addresses().listen,
        without_client_certificate(&hub),
    )
    .await
    .unwrap();
    for name in CALLS {
        let status = call(&mut client, name).await.unwrap_err();
        assert_eq!(status.code(), Code::Unauthenticated, "{name}");
        assert!(status.message().contains("chief.pem"), "{status}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_chief_of_another_hub_is_refused() {
    let hub = TestHub::start().await;
    let other = Authority::generate().unwrap();
    let credentials = Credentials::issue(&other, Role::Chief, "chief").unwrap();
    // A real client of the other hub would not trust this hub. This client trusts it, but presents a certificate from the other hub.
    let theirs = arbiter_client_config(&credentials).unwrap();
    let mut tls = without_client_certificate(&hub);
    tls.client_auth_cert_resolver = theirs.client_auth_cert_resolver;
    let status = match connect(hub.server.addresses().listen, tls).await {
        Err(_) => None,
        Ok(mut client) => Some(client.get_hall(GetHallRequest {}).await.unwrap_err()),
    };
    if let Some(status) = status {
        assert_ne!(status.code(), Code::PermissionDenied, "{status}");
    }
    logged(&["a caller was refused", "issued by another hub"]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_floor_arbiter_cannot_send_the_chiefs_commands() {
    let hub = TestHub::start().await;
    let mut floor = arbiter(&hub, Role::Floor).await;
    let add = Command::AddBoard(AddBoard {
        control: "5m".to_owned(),
        ..AddBoard::default()
    });
    let status = floor.send(command("1", 0, add.clone())).await.unwrap_err();
    assert_eq!(status.code(), Code::PermissionDenied);
    assert!(
        status.message().to_lowercase().contains("chief"),
        "{status}"
    );
    assert!(hub.find("1").is_none());
    let mut chief = arbiter(&hub, Role::Chief).await;
    chief.send(command("1", 0, add)).await.unwrap();
    assert!(hub.find("1").is_some());
}

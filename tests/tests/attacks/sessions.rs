//! Attacks on the sessions and requests of the arbiters' port: codes, signatures, cross-origin pages, oversized and malformed requests.

use anyhow::{Context as _, ensure};
use hub::identity::Role;
use prost::Message as _;
use proto::grpc::command_request::Command;
use proto::grpc::{AddBoard, CommandRequest, GetHallRequest, Names, RevokeDeviceRequest};
use serde_json::json;
use tests::attack::{Answer, Attack, Browser, Hall, request, tls};
use tokio::net::TcpStream;

use super::arbiters::{PERMISSION_DENIED, UNAUTHENTICATED};
use super::{Run, attacks};

pub(crate) const SESSIONS: &[Attack<Run>] = attacks![
    "code used by a second device", "a used code", "refused" => used_code;
    "arbiter's code guessed", "the address", "refused" => guessed_code;
    "clock's code used as an arbiter's", "a clock's code", "refused" => clock_code;
    "signature that is forged", "the chief's cookie", "denied" => forged_signature;
    "signature of another call", "the chief's cookie and a signature", "denied" => signature_of_another_call;
    "signature sent twice", "an overheard call", "denied" => replayed_signature;
    "page of another site", "the chief's browser", "refused (cross-site)" => foreign_origin;
    "request without an origin", "the chief's cookie", "refused (cross-site)" => no_origin;
    "sign-in from a foreign page", "the address", "refused (cross-site)" => foreign_sign_in;
    "renewal with another key", "a device's name", "refused" => renewal_with_another_key;
    "renewal with a used challenge", "an overheard renewal", "refused" => used_challenge;
    "page in a frame", "a foreign site", "forbidden by its headers" => framed_page;
    "id of another command", "a floor arbiter's key file", "refused" => id_of_another_command;
    "floor arbiter adds a board", "a floor arbiter's tablet", "denied" => floor_adds_a_board;
    "floor arbiter revokes the chief", "a floor arbiter's tablet", "denied" => floor_revokes;
    "line break in a reason", "a floor arbiter's tablet", "refused" => reason_with_line_break;
    "hidden characters in a name", "a floor arbiter's tablet", "refused" => hidden_name;
    "request of 16 MiB", "the chief's cookie", "refused" => oversized_request;
    "headers of 1 MiB", "the address", "refused" => long_headers;
    "two lengths of one body over TLS", "the address", "refused" => two_lengths;
    "compressed request", "the chief's cookie", "refused" => compressed;
    "length that is longer than the request", "the chief's cookie", "refused" => wrong_length;
    "plain text on the TLS port", "the address", "closed" => plain_text;
    "TLS record that is none", "the address", "closed" => broken_handshake;
    "path out of the page", "the address", "not found" => traversal;
];

type Done = anyhow::Result<()>;

/// Returns a browser with a source address of its own, so that a lock-out after wrong codes does not affect honest devices on this machine.
fn attacker(hall: &Hall, nth: u8) -> anyhow::Result<Browser> {
    Browser::at([127, 0, 9, nth].into(), hall.at.listen)
}

async fn used_code(hall: &mut Hall) -> Done {
    let code = hall.arbiter_code(Role::Chief, "Anna Berg")?;
    let mut first = Browser::new(hall.at.listen)?;
    let answer = first.enrol(&code).await?;
    ensure!(answer.status == 200, "{}", answer.text());
    is_refused(&attacker(hall, 1)?.enrol(&code).await?)
}

fn is_refused(answer: &Answer) -> Done {
    let status = answer.status;
    ensure!((400..500).contains(&status), "{status}: {}", answer.text());
    ensure!(answer.header("set-cookie").is_none(), "a session began");
    Ok(())
}

async fn guessed_code(hall: &mut Hall) -> Done {
    let code = hall.arbiter_code(Role::Chief, "Anna Berg")?;
    let (known, _) = code.rsplit_once('.').context("a code")?;
    for guess in 0..8_u8 {
        let guess = format!("{known}.{}", hex::encode([guess; 16]));
        is_refused(&attacker(hall, 2)?.enrol(&guess).await?)?;
    }
    // The code still works from another address.
    let mut honest = Browser::new(hall.at.listen)?;
    let answer = honest.enrol(&code).await?;
    ensure!(answer.status == 200, "{}", answer.text());
    Ok(())
}

async fn clock_code(hall: &mut Hall) -> Done {
    let code = hall.clock_code("").await?;
    is_refused(&attacker(hall, 3)?.enrol(&code).await?)
}

const SEND: &str = "/flagfall.api.v1.Arbiter/Send";

fn add_board(board: &str) -> CommandRequest {
    let add = AddBoard {
        control: "5m".to_owned(),
        ..AddBoard::default()
    };
    CommandRequest {
        id: rand::random::<[u8; 16]>().to_vec(),
        board: board.to_owned(),
        command: Some(Command::AddBoard(add)),
        ..CommandRequest::default()
    }
}

async fn is_denied(hall: &mut Hall, code: u16, board: &str) -> Done {
    ensure!(code == UNAUTHENTICATED, "the code is {code}");
    let boards = hall.arbiter.hall().await?.boards;
    ensure!(
        boards.iter().all(|known| known.board != board),
        "it was done"
    );
    Ok(())
}

async fn signed_send(browser: &Browser, message: &[u8], signature: &str) -> anyhow::Result<u16> {
    let origin = browser.origin();
    let headers = [
        ("origin", origin.as_str()),
        ("flagfall-signature", signature),
    ];
    Ok(browser.call_with(SEND, message, &headers).await?.code)
}

async fn forged_signature(hall: &mut Hall) -> Done {
    let chief = hall.browser(Role::Chief, "Anna Berg").await?;
    let mut thief = Browser::new(hall.at.listen)?;
    thief.cookie.clone_from(&chief.cookie);
    thief.session = chief.session.clone();
    let message = add_board("forged").encode_to_vec();
    let own = thief.signature(SEND, &message)?;
    for signature in [own.as_str(), "", "!", "AAAA"] {
        let code = signed_send(&thief, &message, signature).await?;
        is_denied(hall, code, "forged").await?;
    }
    Ok(())
}

async fn signature_of_another_call(hall: &mut Hall) -> Done {
    let chief = hall.browser(Role::Chief, "Anna Berg").await?;
    let message = add_board("other").encode_to_vec();
    let wrong = [
        chief.signature("/flagfall.api.v1.Tournament/Apply", &message)?,
        chief.signature(SEND, &add_board("9").encode_to_vec())?,
        chief.sign(&message)?,
    ];
    for signature in wrong {
        let code = signed_send(&chief, &message, &signature).await?;
        is_denied(hall, code, "other").await?;
    }
    Ok(())
}

async fn replayed_signature(hall: &mut Hall) -> Done {
    let chief = hall.browser(Role::Chief, "Anna Berg").await?;
    let message = add_board("once").encode_to_vec();
    let signature = chief.signature(SEND, &message)?;
    ensure!(
        signed_send(&chief, &message, &signature).await? == 0,
        "refused"
    );
    let code = signed_send(&chief, &message, &signature).await?;
    ensure!(code == UNAUTHENTICATED, "the second time: {code}");
    Ok(())
}

async fn foreign_origin(hall: &mut Hall) -> Done {
    let chief = hall.browser(Role::Chief, "Anna Berg").await?;
    let message = add_board("cross").encode_to_vec();
    let port = hall.at.listen.port();
    for origin in [
        "https://evil.example".to_owned(),
        "null".to_owned(),
        format!("http://127.0.0.1:{port}"),
        format!("https://127.0.0.1:{port}.evil.example"),
        "https://127.0.0.1".to_owned(),
    ] {
        let signature = chief.signature(SEND, &message)?;
        let headers = [
            ("origin", origin.as_str()),
            ("flagfall-signature", signature.as_str()),
        ];
        let called = chief.call_with(SEND, &message, &headers).await?;
        ensure!(called.code == 403, "{origin}: {called:?}");
    }
    let preflight = [
        ("origin", "https://evil.example"),
        ("access-control-request-method", "POST"),
    ];
    let answer = chief.ask("OPTIONS", SEND, &preflight, &[]).await?;
    ensure!(
        answer.header("access-control-allow-origin").is_none(),
        "{}",
        answer.head
    );
    Ok(())
}

async fn no_origin(hall: &mut Hall) -> Done {
    let chief = hall.browser(Role::Chief, "Anna Berg").await?;
    let message = add_board("cross").encode_to_vec();
    let signature = chief.signature(SEND, &message)?;
    let headers = [("flagfall-signature", signature.as_str())];
    let called = chief.call_with(SEND, &message, &headers).await?;
    ensure!(called.code == 403, "{called:?}");
    Ok(())
}

async fn foreign_sign_in(hall: &mut Hall) -> Done {
    let browser = Browser::new(hall.at.listen)?;
    let body =
        json!({"authority": "", "token": "", "name": "x", "public_key": browser.public_key()?});
    for path in ["/session/enrol", "/session/renew", "/session/offer"] {
        let headers = [
            ("origin", "https://evil.example"),
            ("content-type", "application/json"),
        ];
        let body = body.to_string();
        let answer = browser.ask("POST", path, &headers, body.as_bytes()).await?;
        ensure!(answer.status == 403, "{path}: {}", answer.head);
    }
    Ok(())
}

async fn renewal(browser: &Browser, device: &Browser, challenge: &str) -> anyhow::Result<Answer> {
    let signature = browser.sign(format!("flagfall-session-v1\n{challenge}").as_bytes())?;
    let body = json!({
        "device": device.session["device"], "challenge": challenge, "signature": signature,
    });
    browser.post("/session/renew", &body).await
}

async fn renewal_with_another_key(hall: &mut Hall) -> Done {
    let chief = hall.browser(Role::Chief, "Anna Berg").await?;
    let thief = attacker(hall, 5)?;
    let challenge = thief.challenge().await?;
    is_refused(&renewal(&thief, &chief, &challenge).await?)
}

async fn used_challenge(hall: &mut Hall) -> Done {
    let chief = hall.browser(Role::Chief, "Anna Berg").await?;
    let challenge = chief.challenge().await?;
    let first = renewal(&chief, &chief, &challenge).await?;
    ensure!(first.status == 200, "{}", first.text());
    is_refused(&renewal(&chief, &chief, &challenge).await?)?;
    is_refused(&renewal(&chief, &chief, "made up").await?)
}

async fn framed_page(hall: &mut Hall) -> Done {
    let browser = Browser::new(hall.at.listen)?;
    for path in ["/", "/session", "/none"] {
        let answer = browser.ask("GET", path, &[], &[]).await?;
        let policy = answer.header("content-security-policy").unwrap_or_default();
        ensure!(
            policy.contains("frame-ancestors 'none'"),
            "{path}: {policy}"
        );
        ensure!(
            answer.header("access-control-allow-origin").is_none(),
            "{path}: another site may read it"
        );
    }
    Ok(())
}

async fn id_of_another_command(hall: &mut Hall) -> Done {
    let id = rand::random::<[u8; 16]>();
    let names = |white: &str| {
        Command::Names(Names {
            white: white.to_owned(),
            ..Names::default()
        })
    };
    let seq = hall.arbiter.board("1").await?.seq;
    hall.arbiter.send_as(&id, "1", seq, names("Anna")).await?;
    let mut floor = hall.floor_arbiter("Eve").await?;
    let seq = floor.board("1").await?.seq;
    let other = floor.send_as(&id, "1", seq, names("Eve")).await;
    let refused = other.err().context("the second command was answered")?;
    ensure!(refused.code() == tonic::Code::InvalidArgument, "{refused}");
    let white = floor.board("1").await?.white.unwrap_or_default();
    ensure!(white.name == "Anna", "it was done: {white:?}");
    Ok(())
}

async fn floor_adds_a_board(hall: &mut Hall) -> Done {
    let floor = hall.browser(Role::Floor, "Eve").await?;
    let called = floor.call(SEND, &add_board("mine")).await?;
    ensure!(called.code == PERMISSION_DENIED, "{called:?}");
    let boards = hall.arbiter.hall().await?.boards;
    ensure!(
        boards.iter().all(|board| board.board != "mine"),
        "it was done"
    );
    Ok(())
}

async fn floor_revokes(hall: &mut Hall) -> Done {
    let chief = hall.browser(Role::Chief, "Anna Berg").await?;
    let floor = hall.browser(Role::Floor, "Eve").await?;
    let request = RevokeDeviceRequest {
        device: chief.session["device"]
            .as_str()
            .unwrap_or_default()
            .to_owned(),
        reason: "mine now".to_owned(),
    };
    let path = "/flagfall.api.v1.Arbiter/RevokeDevice";
    let called = floor.call(path, &request).await?;
    ensure!(called.code == PERMISSION_DENIED, "{called:?}");
    let path = "/flagfall.api.v1.Arbiter/GetHall";
    let called = chief.call(path, &GetHallRequest {}).await?;
    ensure!(called.code == 0, "the chief is out: {called:?}");
    Ok(())
}

async fn text_is_refused(hall: &mut Hall, reason: &str, name: &str) -> Done {
    let floor = hall.browser(Role::Floor, "Eve").await?;
    let seq = hall.arbiter.board("1").await?.seq;
    let names = Names {
        white: name.to_owned(),
        ..Names::default()
    };
    let request = CommandRequest {
        id: rand::random::<[u8; 16]>().to_vec(),
        board: "1".to_owned(),
        seen_seq: seq,
        reason: reason.to_owned(),
        offence: None,
        command: Some(Command::Names(names)),
    };
    let called = floor.call(SEND, &request).await?;
    ensure!(called.code == 3, "{called:?}");
    Ok(())
}

async fn reason_with_line_break(hall: &mut Hall) -> Done {
    for reason in ["a\nINFO forged", "a\rb", "\u{1b}[2J", "\u{202e}x"] {
        text_is_refused(hall, reason, "Alpha, Anna").await?;
    }
    Ok(())
}

async fn hidden_name(hall: &mut Hall) -> Done {
    for name in ["Alpha\u{202e}, Anna", "A\u{7}", "A\nB", &"x".repeat(400)] {
        text_is_refused(hall, "", name).await?;
    }
    Ok(())
}

async fn oversized_request(hall: &mut Hall) -> Done {
    let chief = hall.browser(Role::Chief, "Anna Berg").await?;
    let message = vec![7; 16 << 20];
    let origin = chief.origin();
    let headers = [("origin", origin.as_str()), ("flagfall-signature", "AAAA")];
    let called = chief.call_with(SEND, &message, &headers).await?;
    ensure!(called.code != 200 || !called.said.is_empty(), "{called:?}");
    ensure!(called.code != 0 || called.said.is_empty(), "{called:?}");
    Ok(())
}

async fn raw(hall: &Hall, head: &str) -> anyhow::Result<Answer> {
    request(tls(hall.at.listen, None).await?, head.as_bytes()).await
}

async fn long_headers(hall: &mut Hall) -> Done {
    let head = format!(
        "GET / HTTP/1.1\r\nhost: hub\r\nx: {}\r\nconnection: close\r\n\r\n",
        "x".repeat(1 << 20)
    );
    let status = raw(hall, &head).await?.status;
    ensure!(status == 0 || (400..500).contains(&status), "{status}");
    Ok(())
}

async fn two_lengths(hall: &mut Hall) -> Done {
    let head = "POST /session/renew HTTP/1.1\r\nhost: hub\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}x";
    let status = raw(hall, head).await?.status;
    ensure!(status == 0 || status == 400, "{status}");
    Ok(())
}

async fn compressed(hall: &mut Hall) -> Done {
    let chief = hall.browser(Role::Chief, "Anna Berg").await?;
    let port = hall.at.listen.port();
    // The first byte, 1, marks a compressed message, and the next four are its length. A signed request must not be compressed.
    let body = [&[1, 0, 0, 0, 20][..], &[0x1f, 0x8b], &[0; 18]].concat();
    let head = format!(
        "POST {SEND} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\norigin: https://127.0.0.1:{port}\r\ncookie: {}\r\n\
         content-type: application/grpc-web+proto\r\ngrpc-encoding: gzip\r\nflagfall-signature: AAAA\r\n\
         connection: close\r\ncontent-length: {}\r\n\r\n",
        chief.cookie,
        body.len()
    );
    let bytes = [head.as_bytes(), &body].concat();
    let answer = request(tls(hall.at.listen, None).await?, &bytes).await?;
    let status = answer.header("grpc-status");
    ensure!(status.is_some_and(|code| code != "0"), "{}", answer.head);
    Ok(())
}

async fn wrong_length(hall: &mut Hall) -> Done {
    let chief = hall.browser(Role::Chief, "Anna Berg").await?;
    let port = hall.at.listen.port();
    let body = [0, 0xff, 0xff, 0xff, 0xff, 1, 2];
    let head = format!(
        "POST {SEND} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\norigin: https://127.0.0.1:{port}\r\ncookie: {}\r\n\
         content-type: application/grpc-web+proto\r\nflagfall-signature: AAAA\r\nconnection: close\r\n\
         content-length: {}\r\n\r\n",
        chief.cookie,
        body.len()
    );
    let bytes = [head.as_bytes(), &body].concat();
    let answer = request(tls(hall.at.listen, None).await?, &bytes).await?;
    let status = answer.header("grpc-status");
    ensure!(status.is_some_and(|code| code != "0"), "{}", answer.head);
    Ok(())
}

async fn plain_text(hall: &mut Hall) -> Done {
    let stream = TcpStream::connect(hall.at.listen).await?;
    let answer = request(stream, b"GET /session HTTP/1.1\r\nhost: hub\r\n\r\n").await?;
    ensure!(
        answer.status == 0,
        "answered in plain text: {}",
        answer.head
    );
    Ok(())
}

async fn broken_handshake(hall: &mut Hall) -> Done {
    for bytes in [
        &[0x16, 3, 1, 0xff, 0xff, 1, 0, 0, 0][..],
        &[0x80, 0x2e, 1, 0, 2],
        &[0; 64],
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ] {
        let stream = TcpStream::connect(hall.at.listen).await?;
        let answer = request(stream, bytes).await?;
        ensure!(answer.status == 0, "answered: {}", answer.head);
    }
    Ok(())
}

async fn traversal(hall: &mut Hall) -> Done {
    let browser = Browser::new(hall.at.listen)?;
    for path in [
        "/../chief.pem",
        "/assets/../../authority.pem",
        "/..%2fchief.pem",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/authority.pem",
        "/devices.json",
        "/index.html%00.js",
    ] {
        let answer = browser.ask("GET", path, &[], &[]).await?;
        ensure!(
            (400..500).contains(&answer.status),
            "{path}: {}",
            answer.head
        );
        ensure!(!answer.text().contains("PRIVATE KEY"), "{path}");
    }
    Ok(())
}

//! A browser as the hub sees it: HTTP/1.1 over TLS (usually without a certificate), with cookies, gRPC-web and a key.

use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hub::identity::{Arbiter, Credentials, Identity, Role, arbiter_client_config};
use hub::sessions::{ArbiterCode, enrolment_text};
use prost::Message;
use proto::enrolment::EnrolmentCode;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::client::TlsStream;

use crate::arbiter::{key_file, open, without_certificate, without_client_certificate};
use crate::hall::{TestHub, within};

const SPKI_HEAD: &str = "3059301306072a8648ce3d020106082a8648ce3d030107034200";

pub(crate) struct Browser {
    address: SocketAddr,
    tls: Arc<rustls::ClientConfig>,
    pub(crate) key: EcdsaKeyPair,
    /// The session cookie's name and value.
    pub(crate) cookie: Option<String>,
    /// The body of the last response that set the session cookie: the session, and the device's id and role.
    pub(crate) who: Value,
}

pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.find_map(|(key, value)| key.eq_ignore_ascii_case(name).then_some(value))
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

/// The outcome of a call: the gRPC code (or the HTTP status without one), the text of a refusal, and the response message.
pub(crate) struct Called {
    pub(crate) code: u16,
    pub(crate) said: String,
    pub(crate) message: Vec<u8>,
}

impl Browser {
    pub(crate) fn new(hub: &TestHub) -> Self {
        Self::at(
            hub.server.addresses().listen,
            without_client_certificate(hub),
        )
    }

    pub(crate) fn at_process(dir: &Path, listen: SocketAddr) -> Self {
        Self::at(listen, without_certificate(&Identity::open(dir).unwrap()))
    }

    fn at(address: SocketAddr, mut tls: rustls::ClientConfig) -> Self {
        tls.alpn_protocols = vec![b"http/1.1".to_vec()];
        let random = SystemRandom::new();
        let pkcs8 =
            EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).unwrap();
        let key =
            EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, pkcs8.as_ref(), &random);
        Self {
            address,
            tls: Arc::new(tls),
            key: key.unwrap(),
            cookie: None,
            who: Value::Null,
        }
    }

    /// Creates a browser on a machine that has an arbiter's key file.
    pub(crate) fn certified(hub: &TestHub, role: Role) -> Self {
        Self::with_key_file(hub, &key_file(hub, role, "Ann"))
    }

    pub(crate) fn with_key_file(hub: &TestHub, credentials: &Credentials) -> Self {
        Self::with_tls(hub, arbiter_client_config(credentials).unwrap())
    }

    pub(crate) fn with_tls(hub: &TestHub, mut tls: rustls::ClientConfig) -> Self {
        tls.alpn_protocols = vec![b"http/1.1".to_vec()];
        Self {
            tls: Arc::new(tls),
            ..Self::new(hub)
        }
    }

    pub(crate) async fn enrolled(hub: &TestHub, role: Role, name: &str) -> Self {
        let mut browser = Self::new(hub);
        let answer = browser.enrol(&code(hub, role, name)).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        browser
    }

    /// Keeps the device's key, and follows the restarted hub to its new address.
    pub(crate) fn moves_to(&mut self, hub: &TestHub) {
        let mut tls = without_client_certificate(hub);
        tls.alpn_protocols = vec![b"http/1.1".to_vec()];
        self.tls = Arc::new(tls);
        self.address = hub.server.addresses().listen;
    }

    pub(crate) fn origin(&self) -> String {
        format!("https://localhost:{}", self.address.port())
    }

    pub(crate) fn public_key(&self) -> String {
        let mut spki = hex::decode(SPKI_HEAD).unwrap();
        spki.extend(self.key.public_key().as_ref());
        STANDARD.encode(spki)
    }

    pub(crate) fn sign(&self, text: &[u8]) -> Vec<u8> {
        let signature = self.key.sign(&SystemRandom::new(), text).unwrap();
        signature.as_ref().to_vec()
    }

    pub(crate) async fn enrol(&mut self, code: &ArbiterCode) -> Answer {
        let challenge = self.challenge().await;
        let request = self.enrolment(code, &challenge);
        let answer = self.post("/session/enrol", &request).await;
        self.keep(&answer);
        answer
    }

    /// Returns a request to enrol with a code, including the proof that this device holds its private key.
    pub(crate) fn enrolment(&self, code: &ArbiterCode, challenge: &str) -> Value {
        let EnrolmentCode {
            authority, token, ..
        } = &code.0;
        let text = enrolment_text(authority, token, challenge);
        json!({
            "authority": hex::encode(authority), "token": hex::encode(token), "name": "a tablet",
            "public_key": self.public_key(), "challenge": challenge,
            "signature": STANDARD.encode(self.sign(text.as_bytes())),
        })
    }

    pub(crate) async fn challenge(&self) -> String {
        let challenge = self.get("/session/challenge").await.json();
        challenge["challenge"].as_str().unwrap().to_owned()
    }

    pub(crate) async fn renew(&mut self) -> Answer {
        let request = self.renewal(&self.challenge().await);
        let answer = self.post("/session/renew", &request).await;
        self.keep(&answer);
        answer
    }

    pub(crate) fn renewal(&self, challenge: &str) -> Value {
        let signature = self.sign(format!("flagfall-session-v1\n{challenge}").as_bytes());
        json!({
            "device": self.who["device"], "challenge": challenge, "signature": STANDARD.encode(signature),
        })
    }

    fn keep(&mut self, answer: &Answer) {
        if let Some(cookie) = answer.header("set-cookie") {
            self.cookie = cookie.split(';').next().map(str::to_owned);
            self.who = answer.json();
        }
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, &[], &[]).await.unwrap()
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Answer {
        let origin = self.origin();
        let headers = [
            ("origin", origin.as_str()),
            ("content-type", "application/json"),
        ];
        let body = body.to_string();
        self.ask("POST", path, &headers, body.as_bytes())
            .await
            .unwrap()
    }

    /// Makes a signed call, as the page does.
    pub(crate) async fn call(&self, path: &str, message: &impl Message) -> Called {
        let path = format!("/flagfall.api.v1.{path}");
        let message = message.encode_to_vec();
        let signature = self.signature(&path, &message);
        let headers = [("flagfall-signature", signature.as_str())];
        self.call_with(&path, &message, &headers).await
    }

    pub(crate) fn signature(&self, path: &str, message: &[u8]) -> String {
        let session = self.who["session"].as_str().unwrap_or("none");
        let mut text = format!("flagfall-command-v1\n{path}\n{session}\n").into_bytes();
        text.extend_from_slice(message);
        STANDARD.encode(self.sign(&text))
    }

    /// Makes a call with these headers, as if from the hub's own page.
    pub(crate) async fn call_with(
        &self,
        path: &str,
        message: &[u8],
        headers: &[(&str, &str)],
    ) -> Called {
        let origin = self.origin();
        let mut all = vec![("origin", origin.as_str())];
        all.extend_from_slice(headers);
        self.call_from_anywhere(path, message, &all).await
    }

    /// Makes a call with these headers and no `Origin` of its own, so that it may seem to come from any site.
    pub(crate) async fn call_from_anywhere(
        &self,
        path: &str,
        message: &[u8],
        headers: &[(&str, &str)],
    ) -> Called {
        let mut all = vec![
            ("content-type", "application/grpc-web+proto"),
            ("x-grpc-web", "1"),
        ];
        all.extend_from_slice(headers);
        let answer = self
            .ask("POST", path, &all, &framed(message))
            .await
            .unwrap();
        called(&answer)
    }

    /// Begins a call without a message. Returns its code, read from the head because the response may never end.
    pub(crate) async fn begun(&self, path: &str, signature: Option<&str>) -> u16 {
        self.try_begun(path, signature).await.unwrap()
    }

    /// Begins a call like [`Self::begun`], but returns an error if the hub ends the connection instead of responding.
    pub(crate) async fn try_begun(&self, path: &str, signature: Option<&str>) -> io::Result<u16> {
        let origin = self.origin();
        let mut headers = vec![
            ("content-type", "application/grpc-web+proto"),
            ("x-grpc-web", "1"),
            ("origin", origin.as_str()),
        ];
        headers.extend(signature.map(|signature| ("flagfall-signature", signature)));
        let mut stream = self.send("POST", path, &headers, &framed(&[])).await?;
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(within(stream.read_u8(), "an answer").await?);
        }
        Ok(called(&answer(&head)).code)
    }

    /// Starts a call whose response is a stream; returns the connection for reading.
    pub(crate) async fn stream(&self, path: &str, message: &impl Message) -> TlsStream<TcpStream> {
        let path = format!("/flagfall.api.v1.{path}");
        let origin = self.origin();
        let headers = [
            ("content-type", "application/grpc-web+proto"),
            ("x-grpc-web", "1"),
            ("origin", origin.as_str()),
        ];
        let body = framed(&message.encode_to_vec());
        self.send("POST", &path, &headers, &body).await.unwrap()
    }

    pub(crate) async fn ask(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> io::Result<Answer> {
        let mut stream = self.send(method, path, headers, body).await?;
        let mut bytes = Vec::new();
        let read = stream.read_to_end(&mut bytes);
        within(read, "an answer").await?;
        Ok(answer(&bytes))
    }

    /// Sends the head of a call with one additional header line, but none of the body.
    pub(crate) async fn head(
        &self,
        path: &str,
        signature: &str,
        line: &str,
    ) -> TlsStream<TcpStream> {
        let mut stream = open(self.address, self.tls.clone()).await.unwrap();
        let cookie = self.cookie.as_deref().unwrap_or_default();
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: localhost:{}\r\norigin: {}\r\ncontent-type: application/grpc-web+proto\r\n\
             x-grpc-web: 1\r\ncookie: {cookie}\r\nflagfall-signature: {signature}\r\n{line}\r\n\r\n",
            self.address.port(),
            self.origin(),
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        stream.flush().await.unwrap();
        stream
    }

    async fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> io::Result<TlsStream<TcpStream>> {
        let mut stream = open(self.address, self.tls.clone()).await?;
        let mut head = format!(
            "{method} {path} HTTP/1.1\r\nhost: localhost:{}\r\nconnection: close\r\ncontent-length: {}\r\n",
            self.address.port(),
            body.len()
        );
        let cookie = self.cookie.iter().map(|cookie| ("cookie", cookie.as_str()));
        for (name, value) in headers.iter().copied().chain(cookie) {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str("\r\n");
        stream.write_all(head.as_bytes()).await?;
        stream.write_all(body).await?;
        stream.flush().await?;
        Ok(stream)
    }
}

pub(crate) fn code(hub: &TestHub, role: Role, name: &str) -> ArbiterCode {
    let arbiter = Arbiter::new(role, name);
    hub.server.sessions().code(arbiter, "test").unwrap()
}

fn framed(message: &[u8]) -> Vec<u8> {
    let length = u32::try_from(message.len()).unwrap();
    [&[0], &length.to_be_bytes()[..], message].concat()
}

fn answer(bytes: &[u8]) -> Answer {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
    let end = end.unwrap_or_else(|| panic!("no answer: {:?}", String::from_utf8_lossy(bytes)));
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    let rest = &bytes[end + 4..];
    let chunked = head.to_lowercase().contains("transfer-encoding: chunked");
    let body = if chunked { joined(rest) } else { rest.to_vec() };
    Answer { status, head, body }
}

fn joined(mut chunked: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = chunked.windows(2).position(|two| two == b"\r\n") {
        let size = std::str::from_utf8(&chunked[..end]).unwrap();
        let size = usize::from_str_radix(size, 16).unwrap();
        body.extend_from_slice(&chunked[end + 2..end + 2 + size]);
        chunked = &chunked[end + 4 + size..];
        if size == 0 {
            break;
        }
    }
    body
}

fn called(answer: &Answer) -> Called {
    let mut message = Vec::new();
    let mut trailers = answer.head.to_lowercase();
    let mut rest = &answer.body[..];
    while let Some((head, after)) = rest.split_first_chunk::<5>() {
        if answer.status != 200 {
            break;
        }
        let length = u32::from_be_bytes(head[1..].try_into().unwrap()) as usize;
        if head[0] & 0x80 == 0 {
            message.extend_from_slice(&after[..length]);
        } else {
            trailers.push('\n');
            trailers.push_str(&String::from_utf8_lossy(&after[..length]));
        }
        rest = &after[length..];
    }
    let field = |name: &str| {
        let mut lines = trailers.lines().filter_map(|line| line.split_once(':'));
        lines.find_map(|(key, value)| (key.trim() == name).then(|| value.trim().to_owned()))
    };
    // If the hub refuses the call before its gRPC service handles it, the code is the HTTP status.
    let code = match field("grpc-status") {
        Some(code) => code.parse().unwrap(),
        None => answer.status,
    };
    let said = field("grpc-message").unwrap_or_else(|| answer.text());
    Called {
        code,
        said: said.replace("%20", " "),
        message,
    }
}

//! A signed-in browser under the attacker's control, which can misuse its key, cookie and signatures or send invalid ones.

use std::net::{IpAddr, SocketAddr};

use anyhow::Context as _;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use prost::Message;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};
use serde_json::{Value, json};

use super::http::{Answer, request, tls_from};

/// The DER prefix of a P-256 public key in hexadecimal; the point follows it.
const SPKI_HEAD: &str = "3059301306072a8648ce3d020106082a8648ce3d030107034200";

pub struct Browser {
    from: IpAddr,
    hub: SocketAddr,
    key: EcdsaKeyPair,
    /// The session cookie's name and value; empty without a session.
    pub cookie: String,
    /// The hub's last response to a successful enrolment, as JSON; null before the first one.
    pub session: Value,
}

#[derive(Clone, Debug)]
pub struct Called {
    /// The gRPC code, or the HTTP status if the hub refused the call before it reached gRPC.
    pub code: u16,
    /// The gRPC message, or the response body if there is no gRPC message.
    pub said: String,
}

impl Browser {
    pub fn new(hub: SocketAddr) -> anyhow::Result<Self> {
        Self::at([127, 0, 0, 1].into(), hub)
    }

    /// Creates a browser that connects from a different address of this machine, so that its guesses lock out only that address.
    pub fn at(from: IpAddr, hub: SocketAddr) -> anyhow::Result<Self> {
        let random = SystemRandom::new();
        let key = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random)
            .map_err(|_| anyhow::anyhow!("no key"))?;
        let algorithm = &ECDSA_P256_SHA256_FIXED_SIGNING;
        let key = EcdsaKeyPair::from_pkcs8(algorithm, key.as_ref(), &random)
            .map_err(|_| anyhow::anyhow!("no key"))?;
        Ok(Self {
            from,
            hub,
            key,
            cookie: String::new(),
            session: Value::Null,
        })
    }

    pub fn origin(&self) -> String {
        format!("https://127.0.0.1:{}", self.hub.port())
    }

    /// Returns the browser's public key in the form that the page sends.
    pub fn public_key(&self) -> anyhow::Result<String> {
        let head = hex::decode(SPKI_HEAD)?;
        Ok(STANDARD.encode([&head, self.key.public_key().as_ref()].concat()))
    }

    pub async fn enrol(&mut self, code: &str) -> anyhow::Result<Answer> {
        let request = self.enrolment(code).await?;
        let answer = self.post("/session/enrol", &request).await?;
        self.keep(&answer)?;
        Ok(answer)
    }

    /// Returns the request to enrol with the URI of an enrolment code, including the proof of this browser's key.
    pub async fn enrolment(&self, code: &str) -> anyhow::Result<Value> {
        let keys = code.rsplit_once('#').context("the code has no keys")?.1;
        let (authority, token) = keys.split_once('.').context("the code has only one key")?;
        let challenge = self.challenge().await?;
        let proof = format!("flagfall-enrol-v1\n{authority}\n{token}\n{challenge}");
        Ok(json!({
            "authority": authority, "token": token, "name": "a laptop", "public_key": self.public_key()?,
            "challenge": challenge, "signature": self.sign(proof.as_bytes())?,
        }))
    }

    pub async fn challenge(&self) -> anyhow::Result<String> {
        let answer = self.ask("GET", "/session/challenge", &[], &[]).await?;
        let json: Value = serde_json::from_slice(&answer.body)?;
        let challenge = json["challenge"].as_str();
        Ok(challenge.context("no challenge")?.to_owned())
    }

    fn keep(&mut self, answer: &Answer) -> anyhow::Result<()> {
        if let Some(cookie) = answer.header("set-cookie") {
            self.cookie = cookie.split(';').next().unwrap_or_default().to_owned();
            self.session = serde_json::from_slice(&answer.body)?;
        }
        Ok(())
    }

    /// Sends JSON to one of the session paths, as the hub's own page does.
    pub async fn post(&self, path: &str, body: &Value) -> anyhow::Result<Answer> {
        let origin = self.origin();
        let headers = [
            ("origin", origin.as_str()),
            ("content-type", "application/json"),
        ];
        self.ask("POST", path, &headers, body.to_string().as_bytes())
            .await
    }

    pub async fn ask(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> anyhow::Result<Answer> {
        let mut head = format!(
            "{method} {path} HTTP/1.1\r\nhost: 127.0.0.1:{}\r\nconnection: close\r\ncontent-length: {}\r\n",
            self.hub.port(),
            body.len()
        );
        if !self.cookie.is_empty() {
            head += &format!("cookie: {}\r\n", self.cookie);
        }
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        let bytes = [head.as_bytes(), b"\r\n", body].concat();
        request(tls_from(self.from, self.hub, None).await?, &bytes).await
    }

    pub fn signature(&self, path: &str, message: &[u8]) -> anyhow::Result<String> {
        let session = self.session["session"].as_str().unwrap_or("none");
        let head = format!("flagfall-command-v1\n{path}\n{session}\n");
        self.sign(&[head.as_bytes(), message].concat())
    }

    /// Returns the browser's signature over these bytes, in base64.
    pub fn sign(&self, bytes: &[u8]) -> anyhow::Result<String> {
        let signature = self.key.sign(&SystemRandom::new(), bytes);
        let signature = signature.map_err(|_| anyhow::anyhow!("no signature"))?;
        Ok(STANDARD.encode(signature.as_ref()))
    }

    pub async fn call(&self, path: &str, message: &impl Message) -> anyhow::Result<Called> {
        let message = message.encode_to_vec();
        let signature = self.signature(path, &message)?;
        let origin = self.origin();
        let headers = [
            ("origin", origin.as_str()),
            ("flagfall-signature", signature.as_str()),
        ];
        self.call_with(path, &message, &headers).await
    }

    /// Makes a call with these headers in addition to the two that every gRPC-Web call has. Adds no signature and no origin.
    pub async fn call_with(
        &self,
        path: &str,
        message: &[u8],
        headers: &[(&str, &str)],
    ) -> anyhow::Result<Called> {
        let mut all = vec![
            ("content-type", "application/grpc-web+proto"),
            ("x-grpc-web", "1"),
        ];
        all.extend_from_slice(headers);
        let length = u32::try_from(message.len())?.to_be_bytes();
        let body = [&[0], &length[..], message].concat();
        let answer = self.ask("POST", path, &all, &body).await?;
        // The trailers are in the head of the response if the call is refused, and otherwise in the body.
        let trailers = (answer.head.clone() + "\n" + &answer.text()).to_lowercase();
        let field = |name: &str| {
            let at = trailers.find(name)? + name.len();
            let value = trailers[at..].trim_start_matches([':', ' ']);
            let end = value.find(['\r', '\n']).unwrap_or(value.len());
            Some(value[..end].to_owned())
        };
        let code = field("grpc-status").and_then(|code| code.parse().ok());
        Ok(Called {
            code: code.unwrap_or(answer.status),
            said: field("grpc-message").unwrap_or_else(|| answer.text()),
        })
    }
}

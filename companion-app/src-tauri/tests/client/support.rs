//! A simulated hub for the client tests: real TLS with its own authority, HTTP/2, the paths for sessions, and a service that echoes each
//! call. Records calls and checks signatures.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::header::{CONTENT_TYPE, COOKIE, HeaderMap, ORIGIN, SET_COOKIE};
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioExecutor, TokioIo};
use proto::enrolment::{EnrolmentCode, fingerprint};
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use ring::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};
use rustls_pki_types::{CertificateDer, PrivatePkcs8KeyDer};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;

/// The token of the hub's first code, which is valid from the start.
pub(crate) const TOKEN: [u8; 16] = [7; 16];

pub(crate) struct Authority {
    certificate: CertificateDer<'static>,
    issuer: Issuer<'static, KeyPair>,
}

impl Authority {
    pub(crate) fn new() -> Self {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        let certificate = params.self_signed(&key).unwrap().der().clone();
        Self {
            certificate,
            issuer: Issuer::new(params, key),
        }
    }

    fn server(&self, name: &str, shown: &CertificateDer<'static>) -> rustls::ServerConfig {
        let key = KeyPair::generate().unwrap();
        let params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        let leaf = params.signed_by(&key, &self.issuer).unwrap().der().clone();
        let key = PrivatePkcs8KeyDer::from(key.serialize_der()).into();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = rustls::ServerConfig::builder_with_provider(provider)
            .with_protocol_versions(&[&rustls::version::TLS13])
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![leaf, shown.clone()], key)
            .unwrap();
        config.alpn_protocols = vec![b"h2".to_vec()];
        config
    }
}

pub(crate) struct HubState {
    /// Public keys by device, as `SubjectPublicKeyInfo`.
    pub(crate) devices: BTreeMap<String, Vec<u8>>,
    pub(crate) name: String,
    tokens: BTreeSet<String>,
    challenges: u32,
    open: BTreeMap<String, String>,
    pub(crate) sessions: u32,
    pub(crate) requests: u32,
    signatures: BTreeSet<String>,
    pub(crate) calls: Vec<(String, Vec<u8>)>,
    /// True if the hub never responds to enrolment requests.
    pub(crate) silent: bool,
}

pub(crate) struct SimulatedHub {
    pub(crate) address: SocketAddr,
    pub(crate) authority: [u8; 16],
    state: Arc<Mutex<HubState>>,
    task: JoinHandle<()>,
}

impl Drop for SimulatedHub {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl SimulatedHub {
    pub(crate) async fn start() -> Self {
        Self::with(&Authority::new(), "hub.flagfall").await
    }

    pub(crate) async fn with(authority: &Authority, name: &str) -> Self {
        Self::showing(authority, name, &authority.certificate).await
    }

    /// Starts a hub of `authority` that presents the certificate of a different authority.
    pub(crate) async fn lying(authority: &Authority, shown: &Authority) -> Self {
        Self::showing(authority, "hub.flagfall", &shown.certificate).await
    }

    async fn showing(authority: &Authority, name: &str, shown: &CertificateDer<'static>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::new(Mutex::new(HubState::new()));
        let tls = TlsAcceptor::from(Arc::new(authority.server(name, shown)));
        let task = tokio::spawn(serve(listener, tls, Arc::clone(&state)));
        Self {
            address,
            authority: fingerprint(shown),
            state,
            task,
        }
    }

    pub(crate) fn code(&self) -> EnrolmentCode {
        EnrolmentCode {
            host: self.address.ip().to_string(),
            port: self.address.port(),
            authority: self.authority,
            token: TOKEN,
        }
    }

    pub(crate) fn another_code(&self, token: [u8; 16]) -> EnrolmentCode {
        self.state(|state| state.tokens.insert(proto::ids::hex(&token)));
        EnrolmentCode {
            token,
            ..self.code()
        }
    }

    pub(crate) fn state<T>(&self, look: impl FnOnce(&mut HubState) -> T) -> T {
        look(&mut self.state.lock().unwrap())
    }
}

async fn serve(listener: TcpListener, tls: TlsAcceptor, state: Arc<Mutex<HubState>>) {
    let mut connections = tokio::task::JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        let (tls, state) = (tls.clone(), Arc::clone(&state));
        connections.spawn(async move {
            let Ok(stream) = tls.accept(stream).await else {
                return;
            };
            let service = service_fn(move |request| answer(request, Arc::clone(&state)));
            let _ = hyper::server::conn::http2::Builder::new(TokioExecutor::new())
                .serve_connection(TokioIo::new(stream), service)
                .await;
        });
    }
}

async fn answer(
    request: Request<Incoming>,
    state: Arc<Mutex<HubState>>,
) -> Result<Response<Full<Bytes>>, std::io::Error> {
    let (head, body) = request.into_parts();
    let body = body.collect().await.unwrap().to_bytes();
    let host = head.uri.authority().unwrap().as_str();
    if head.method == "POST"
        && head.headers.get(ORIGIN).unwrap() != format!("https://{host}").as_str()
    {
        return Ok(say(StatusCode::FORBIDDEN, "wrong origin"));
    }
    let path = head.uri.path();
    if path == "/session/enrol" && state.lock().unwrap().silent {
        std::future::pending::<()>().await;
    }
    let mut state = state.lock().unwrap();
    let state = &mut *state;
    state.requests += 1;
    Ok(match path {
        "/session/enrol" => state.enrol(&body),
        "/session/challenge" => {
            state.challenges += 1;
            let challenge = json!({ "challenge": state.challenge() });
            say(StatusCode::OK, &challenge.to_string())
        }
        "/session/renew" => state.renew(&body),
        "/session" => match state.session(&head.headers) {
            Some(session) => say(StatusCode::OK, &member(&session).to_string()),
            None => say(StatusCode::UNAUTHORIZED, "no session"),
        },
        path => state.call(path, &head.headers, &body),
    })
}

fn signed_by(spki: &[u8], signature: &str, message: &[u8]) -> bool {
    let signature = STANDARD.decode(signature).unwrap();
    let point = &spki[spki.len() - 65..];
    UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point)
        .verify(message, &signature)
        .is_ok()
}

impl HubState {
    fn new() -> Self {
        Self {
            devices: BTreeMap::new(),
            name: String::new(),
            tokens: BTreeSet::from([proto::ids::hex(&TOKEN)]),
            challenges: 0,
            open: BTreeMap::new(),
            sessions: 0,
            requests: 0,
            signatures: BTreeSet::new(),
            calls: Vec::new(),
            silent: false,
        }
    }

    fn enrol(&mut self, body: &[u8]) -> Response<Full<Bytes>> {
        let enrolment: Value = serde_json::from_slice(body).unwrap();
        if !self.has_proof(&enrolment) {
            return say(StatusCode::CONFLICT, "the device's proof does not hold");
        }
        if !self.tokens.remove(enrolment["token"].as_str().unwrap()) {
            return say(StatusCode::FORBIDDEN, "this code is not valid\n");
        }
        enrolment["name"]
            .as_str()
            .unwrap()
            .clone_into(&mut self.name);
        let key = enrolment["public_key"].as_str().unwrap();
        let key = STANDARD.decode(key).unwrap();
        let device = device(&key);
        self.devices.insert(device.clone(), key);
        self.open_session(&device)
    }

    fn has_proof(&self, enrolment: &Value) -> bool {
        let field = |name: &str| enrolment[name].as_str().unwrap();
        let signed = format!(
            "flagfall-enrol-v1\n{}\n{}\n{}",
            field("authority"),
            field("token"),
            self.challenge()
        );
        let spki = STANDARD.decode(field("public_key")).unwrap();
        field("challenge") == self.challenge()
            && signed_by(&spki, field("signature"), signed.as_bytes())
    }

    fn renew(&mut self, body: &[u8]) -> Response<Full<Bytes>> {
        let proof: Value = serde_json::from_slice(body).unwrap();
        let device = proof["device"].as_str().unwrap();
        let signed = format!("flagfall-session-v1\n{}", self.challenge());
        let good = proof["challenge"] == self.challenge()
            && self.verifies(
                device,
                proof["signature"].as_str().unwrap(),
                signed.as_bytes(),
            );
        self.challenges += 1;
        if good {
            self.open_session(device)
        } else {
            say(StatusCode::UNAUTHORIZED, "this device is not known here")
        }
    }

    fn challenge(&self) -> String {
        format!("challenge-{}", self.challenges)
    }

    fn open_session(&mut self, device: &str) -> Response<Full<Bytes>> {
        self.sessions += 1;
        let session = format!("s{}", self.sessions);
        self.open.insert(session.clone(), device.to_owned());
        let mut answer = say(StatusCode::OK, &member(&session).to_string());
        let cookie =
            format!("__Host-flagfall-ab={session}; Secure; HttpOnly; SameSite=Strict; Path=/");
        answer
            .headers_mut()
            .insert(SET_COOKIE, cookie.parse().unwrap());
        answer
    }

    fn session(&self, headers: &HeaderMap) -> Option<String> {
        let cookie = headers.get(COOKIE)?.to_str().unwrap();
        let session = cookie.strip_prefix("__Host-flagfall-ab=").unwrap();
        self.open.contains_key(session).then(|| session.to_owned())
    }

    fn verifies(&self, device: &str, signature: &str, message: &[u8]) -> bool {
        let spki = self.devices.get(device);
        spki.is_some_and(|spki| signed_by(spki, signature, message))
    }

    fn call(&mut self, path: &str, headers: &HeaderMap, body: &[u8]) -> Response<Full<Bytes>> {
        let unauthenticated = |why: &str| {
            let mut answer = say(StatusCode::OK, "");
            let headers = answer.headers_mut();
            headers.insert(CONTENT_TYPE, "application/grpc-web+proto".parse().unwrap());
            headers.insert("grpc-status", "16".parse().unwrap());
            headers.insert("grpc-message", why.parse().unwrap());
            answer
        };
        let Some(session) = self.session(headers) else {
            return unauthenticated("no session");
        };
        let message = &body[5..];
        if path.ends_with("/Send") {
            let Some(signature) = headers.get("flagfall-signature") else {
                return unauthenticated("no signature");
            };
            let signature = signature.to_str().unwrap();
            let signed = [
                format!("flagfall-command-v1\n{path}\n{session}\n").as_bytes(),
                message,
            ]
            .concat();
            let fresh = self.signatures.insert(signature.to_owned());
            if !fresh || !self.verifies(&self.open[&session], signature, &signed) {
                return unauthenticated("invalid signature");
            }
        }
        self.calls.push((path.to_owned(), message.to_owned()));
        let trailers = b"grpc-status: 0\r\n";
        let length = u32::try_from(trailers.len()).unwrap().to_be_bytes();
        let whole = [body, &[0x80], &length, &trailers[..]].concat();
        Response::builder()
            .header(CONTENT_TYPE, "application/grpc-web+proto")
            .body(Full::new(whole.into()))
            .unwrap()
    }
}

fn device(spki: &[u8]) -> String {
    format!("d-{}", proto::ids::hex(&Sha256::digest(spki)[..8]))
}

fn member(session: &str) -> Value {
    json!({ "name": "J. Doe", "role": "chief", "device": "d-1", "session": session })
}

fn say(status: StatusCode, text: &str) -> Response<Full<Bytes>> {
    let mut answer = Response::new(Full::new(Bytes::copy_from_slice(text.as_bytes())));
    *answer.status_mut() = status;
    answer
}

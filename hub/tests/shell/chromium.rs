//! A page in Chromium, controlled over the debugging protocol. Owns the browser's process.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};

use futures::{SinkExt as _, StreamExt as _};
use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::{Value, json};
use tokio::io::AsyncReadExt as _;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

use crate::hall::{look_later, within};

pub(crate) struct Page {
    browser: Child,
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    calls: u64,
    _profile: tempfile::TempDir,
}

impl Drop for Page {
    fn drop(&mut self) {
        // Kills the whole process group, because the renderers would outlive the browser.
        let _ = kill_process_group(Pid::from_child(&self.browser), Signal::KILL);
        let _ = self.browser.wait();
    }
}

impl Page {
    pub(crate) async fn open(url: &str) -> Self {
        let profile = tempfile::tempdir().unwrap();
        let mut browser = Command::new("chromium")
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--lang=en-GB",
            ])
            .args([
                "--remote-debugging-port=0",
                "--disable-background-networking",
            ])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg(url)
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("Chromium: `tests/run needs` installs it");
        let said = browser.stderr.take().unwrap();
        let listening = tokio::task::spawn_blocking(move || {
            let mut lines = BufReader::new(said).lines().map_while(Result::ok);
            let begins = "DevTools listening on ws://";
            let found = lines.find_map(|line| Some(line.strip_prefix(begins)?.to_owned()));
            // The rest of the output is read too, so that the browser never blocks on a full pipe.
            std::thread::spawn(move || lines.for_each(drop));
            found.unwrap()
        });
        let address = within(listening, "Chromium").await.unwrap();
        let address: SocketAddr = address.split('/').next().unwrap().parse().unwrap();
        let target = within(target(address), "a page").await;
        let (socket, _) = tokio_tungstenite::connect_async(target).await.unwrap();
        Self {
            browser,
            socket,
            calls: 0,
            _profile: profile,
        }
    }

    pub(crate) async fn go(&mut self, url: &str) {
        self.call("Page.navigate", &json!({ "url": url })).await;
    }

    pub(crate) async fn value(&mut self, expression: &str) -> Value {
        let parameters = json!({"expression": expression, "returnByValue": true});
        let answer = self.call("Runtime.evaluate", &parameters).await;
        answer["result"]["result"]["value"].clone()
    }

    async fn call(&mut self, method: &str, parameters: &Value) -> Value {
        self.calls += 1;
        let call = json!({"id": self.calls, "method": method, "params": parameters});
        self.socket
            .send(Message::text(call.to_string()))
            .await
            .unwrap();
        loop {
            let message = within(self.socket.next(), method).await.unwrap().unwrap();
            let answer: Value = serde_json::from_str(message.to_text().unwrap()).unwrap();
            if answer["id"] == self.calls {
                return answer;
            }
        }
    }
}

async fn target(browser: SocketAddr) -> String {
    loop {
        let (head, mut stream) = crate::cli_broadcast::head_of(browser, "/json").await;
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("Content-Length:"));
        let mut body = vec![0; length.unwrap().trim().parse().unwrap()];
        stream.read_exact(&mut body).await.unwrap();
        let pages: Vec<Value> = serde_json::from_slice(&body).unwrap();
        let page = pages.iter().find(|page| page["type"] == "page");
        if let Some(url) = page.and_then(|page| page["webSocketDebuggerUrl"].as_str()) {
            return url.to_owned();
        }
        look_later().await;
    }
}

//! The live page in headless Chromium, as a spectator sees it.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};

use serde_json::Value;
use tests::stopwatch::Stopwatch;

use super::PATIENCE;

/// A browser that shows one board and reports each change of the page. Closing its standard input closes the browser.
pub(crate) struct Page {
    process: Child,
    input: ChildStdin,
    seen: Receiver<Value>,
}

impl Page {
    pub(crate) fn open(http: SocketAddr, board: &str) -> Self {
        let folder = tests::tidy::root().join("tests/page");
        if !folder.join("node_modules/playwright-core").exists() {
            let mut npm = Command::new("npm");
            npm.args(["ci", "--no-audit", "--no-fund"])
                .current_dir(&folder);
            assert!(
                npm.status().is_ok_and(|status| status.success()),
                "npm ci in tests/page"
            );
        }
        let mut process = Command::new("node")
            .args(["watch-board.mjs", &format!("http://{http}/"), board])
            .current_dir(&folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("node has to be installed");
        let input = process.stdin.take().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        let (tell, seen) = channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if tell.send(serde_json::from_str(&line).unwrap()).is_err() {
                    return;
                }
            }
        });
        Self {
            process,
            input,
            seen,
        }
    }

    /// Waits until the page meets the condition. Looks at every state that the page has shown, in order, and at each only once.
    #[track_caller]
    pub(crate) fn until(&self, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let started = Stopwatch::start();
        let mut last = Value::Null;
        let left = || PATIENCE.saturating_sub(started.elapsed());
        while let Ok(seen) = self.seen.recv_timeout(left()) {
            assert!(seen.get("error").is_none(), "the page: {seen}");
            if wanted(&seen) {
                return seen;
            }
            last = seen;
        }
        panic!("waited for {what}; the page shows {last}");
    }

    pub(crate) fn close(mut self) {
        drop(self.input);
        assert!(self.process.wait().unwrap().success());
    }
}

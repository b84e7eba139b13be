//! The first start of a hub: how the chief arbiter's first device gets access, with and without a terminal.

use std::io::{BufRead, BufReader, Lines, Read};
use std::path::Path;
use std::process::{Child, ChildStdout, Stdio};

use hub::sessions::ArbiterCode;

use crate::browser::Browser;
use crate::program::{command, expect, flagfall};

/// Settings for a hub that does not interfere with other programs on this machine.
const QUIET: &str =
    "--listen 127.0.0.1:0 --http 127.0.0.1:0 --metrics off --mdns false --public-name localhost";

struct OnTerminal {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
    dir: std::path::PathBuf,
}

impl OnTerminal {
    fn start(dir: &Path) -> Self {
        let program = env!("CARGO_BIN_EXE_flagfall");
        let serve = format!("{program} serve --data-dir {} {QUIET}", dir.display());
        // `script` gives the program its own terminal.
        let mut child = std::process::Command::new("script")
            .args(["-qfec", &serve, "/dev/null"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Self {
            child,
            lines,
            dir: dir.to_path_buf(),
        }
    }

    /// Reads the program's output up to and including the line that contains this text.
    fn until(&mut self, text: &str) -> String {
        let mut said = String::new();
        loop {
            let line = self.lines.next();
            let line = line
                .unwrap_or_else(|| panic!("no {text:?} in {said}"))
                .unwrap();
            said += line.trim_end();
            said.push('\n');
            if line.contains(text) {
                return said;
            }
        }
    }

    fn stop(mut self) -> String {
        let pid = std::fs::read_to_string(self.dir.join("lock")).unwrap();
        let pid = rustix::process::Pid::from_raw(pid.trim().parse().unwrap()).unwrap();
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
        let rest = self
            .lines
            .by_ref()
            .map_while(Result::ok)
            .collect::<Vec<_>>();
        self.child.wait().unwrap();
        rest.join("\n")
    }
}

impl Drop for OnTerminal {
    fn drop(&mut self) {
        // Killing the terminal also ends the hub.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Finds the enrolment address in the output; returns it and the code that it contains.
fn code_in(said: &str) -> (String, ArbiterCode) {
    let mut words = said.split_whitespace();
    let found = words.find(|word| word.starts_with("https://") && word.contains("/#"));
    let address = found
        .unwrap_or_else(|| panic!("no code in {said}"))
        .to_owned();
    let code = address
        .replacen("https://", "flagfall://", 1)
        .replacen("/#", "#", 1);
    (address, ArbiterCode(code.parse().unwrap()))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_terminal_shows_the_first_chiefs_code_until_it_is_used_once() {
    let parent = tempfile::tempdir().unwrap();
    let dir = parent.path().join("empty");
    let mut hub = OnTerminal::start(&dir);
    let said = hub.until("This code enrols one device");
    let (address, code) = code_in(&said);
    assert!(said.contains("chief arbiter's tablet or laptop"), "{said}");
    assert!(said.contains("until it is used"), "{said}");
    assert!(
        said.contains("http://") && said.contains("/authority"),
        "{said}"
    );
    assert!(said.contains('█'), "no picture: {said}");
    assert_eq!(
        said.matches("/#").count(),
        1,
        "the code is said once: {said}"
    );
    assert_eq!(address.split_once("/#").unwrap().1.len(), 65);

    let listen = hub::server::addresses_in(&dir).unwrap().unwrap().listen;
    let mut tablet = Browser::at_process(&dir, listen);
    assert_eq!(tablet.enrol(&code).await.status, 200);
    assert_eq!(tablet.who["role"], "chief");
    let said = hub.until("chief ");
    assert!(
        said.contains("enrolled: flagfall enrol --arbiter"),
        "{said}"
    );
    let again = Browser::at_process(&dir, listen).enrol(&code).await;
    assert_eq!(again.status, 403, "{}", again.text());
    let rest = hub.stop();
    assert!(!rest.contains("/#"), "{rest}");

    let mut hub = OnTerminal::start(&dir);
    let said = hub.until("chief ");
    assert!(
        said.contains("enrolled: flagfall enrol --arbiter"),
        "{said}"
    );
    let all = said + &hub.stop();
    assert!(!all.contains("/#") && !all.contains('█'), "{all}");
}

#[test]
fn without_a_terminal_the_output_names_a_command_instead_of_a_code() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().to_str().unwrap();
    let arguments: Vec<_> = ["serve", "--data-dir", path]
        .into_iter()
        .chain(QUIET.split(' '))
        .collect();
    let mut child = command(&arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut out = Vec::new();
    let chief = loop {
        let line = lines.next().unwrap().unwrap();
        out.push(line.clone());
        if let Some(chief) = line.strip_prefix("chief ") {
            break chief.trim().to_owned();
        }
    };
    let wanted = chief.strip_prefix("not enrolled: flagfall ").unwrap();
    let wanted = wanted.strip_suffix(" makes a code").unwrap();
    let arguments: Vec<_> = wanted.split(' ').collect();
    let (made, _) = expect(&flagfall(&arguments), 0);
    assert!(code_in(&made).0.contains("/#"), "{made}");

    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    out.extend(lines.map_while(Result::ok));
    let mut err = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut err)
        .unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    // Every line meant for programs is a keyword and its value.
    for line in &out {
        let key = line.split_whitespace().next().unwrap_or_default();
        assert!(!key.is_empty() && !line.starts_with(' '), "{line:?}");
    }
    assert!(
        !out.join("\n").contains("/#") && !err.contains("/#"),
        "{out:?} {err}"
    );
    let token = made.rsplit(['#', '.']).next().unwrap_or_default().trim();
    assert!(!err.contains(token), "the log has the code: {err}");
}

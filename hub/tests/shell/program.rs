//! The `flagfall` program itself, as a user runs it.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

pub(crate) fn flagfall(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_flagfall"));
    command.args(arguments).stdin(Stdio::null());
    // Remove this machine's own settings: they must not affect a test.
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("FLAGFALL_") {
            command.env_remove(name);
        }
    }
    command
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Checks the exit code; returns standard output and standard error.
#[track_caller]
pub(crate) fn expect(output: &Output, code: i32) -> (String, String) {
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(
        output.status.code(),
        Some(code),
        "stdout: {out}\nstderr: {err}"
    );
    (out, err)
}

pub(crate) struct Serving {
    child: Child,
    /// The address for clocks and arbiters.
    pub(crate) listen: String,
}

impl Serving {
    pub(crate) fn start(dir: &Path) -> Self {
        Self::start_at(dir, "127.0.0.1:0")
    }

    pub(crate) fn start_at(dir: &Path, listen: &str) -> Self {
        Self::launch(dir, listen, &[])
    }

    pub(crate) fn start_with(dir: &Path, settings: &[&str]) -> Self {
        Self::launch(dir, "127.0.0.1:0", settings)
    }

    fn launch(dir: &Path, listen: &str, settings: &[&str]) -> Self {
        let dir = dir.to_str().unwrap();
        let usual = [
            "serve",
            "--data-dir",
            dir,
            "--listen",
            listen,
            "--http",
            "127.0.0.1:0",
            "--metrics",
            "off",
            "--mdns",
            "false",
            "--public-name",
            "localhost",
        ];
        let arguments = [&usual[..], settings].concat();
        let mut child = command(&arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let (mut listen, mut page) = (None, false);
        while listen.is_none() || !page {
            let Some(line) = lines.next() else {
                let mut said = String::new();
                child
                    .stderr
                    .take()
                    .unwrap()
                    .read_to_string(&mut said)
                    .unwrap();
                panic!("the hub did not start: {said}");
            };
            let line = line.unwrap();
            let mut words = line.split_whitespace();
            match (words.next(), words.next()) {
                (Some("arbiters"), Some(address)) => listen = Some(address.to_owned()),
                (Some("page"), Some(_)) => page = true,
                _ => (),
            }
        }
        // The pipe is drained, so that the hub never blocks on it. Standard error goes to this test's output.
        std::thread::spawn(move || lines.for_each(drop));
        let mut said = child.stderr.take().unwrap();
        std::thread::spawn(move || std::io::copy(&mut said, &mut std::io::stderr()));
        Self {
            child,
            listen: listen.unwrap(),
        }
    }

    pub(crate) fn ctl(&self, dir: &Path, arguments: &[&str]) -> Output {
        self.asked("ctl", dir, arguments)
    }

    pub(crate) fn event(&self, dir: &Path, arguments: &[&str]) -> Output {
        self.asked("event", dir, arguments)
    }

    pub(crate) fn fide(&self, dir: &Path, arguments: &[&str]) -> Output {
        self.asked("fide", dir, arguments)
    }

    pub(crate) fn asked_into(
        &self,
        output: impl Into<Stdio>,
        command: &str,
        dir: &Path,
        arguments: &[&str],
    ) -> Output {
        let all = self.arguments(command, dir, arguments);
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        self::command(&all).stdout(output).output().unwrap()
    }

    fn asked(&self, command: &str, dir: &Path, arguments: &[&str]) -> Output {
        let all = self.arguments(command, dir, arguments);
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        flagfall(&all)
    }

    fn arguments(&self, command: &str, dir: &Path, arguments: &[&str]) -> Vec<String> {
        let dir = dir.to_str().unwrap();
        let first = [command, "--hub", &self.listen, "--data-dir", dir];
        let all = first.iter().chain(arguments);
        all.map(|word| (*word).to_owned()).collect()
    }

    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    pub(crate) fn stop(mut self) -> Option<i32> {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
        self.child.wait().unwrap().code()
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        // A failed test must not leave a hub running. After `stop`, there is nothing left to kill.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

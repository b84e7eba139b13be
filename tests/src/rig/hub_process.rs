//! `flagfall serve` as a process: start, read, stop and kill.
//!
//! Owns the process, which is killed when the value is dropped. Reads the program's output, as a script would.

use std::io::{BufRead as _, BufReader, Read};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use super::ports;
use crate::stopwatch::Stopwatch;

#[derive(Clone, Copy, Debug)]
pub struct Addresses {
    /// The address for clocks and arbiters.
    pub listen: SocketAddr,
    pub http: SocketAddr,
}

pub struct HubProcess {
    pid: Pid,
    lines: Receiver<String>,
    ended: Receiver<ExitStatus>,
    status: Option<ExitStatus>,
    addresses: Option<Addresses>,
    said: Arc<Mutex<String>>,
}

impl HubProcess {
    /// Starts `flagfall serve` on `dir` at the addresses `at`. If `at` is `None`, chooses free loopback ports that the system does not assign
    /// to other programs while the hub is down. Does not wait until the hub is ready.
    pub fn start(
        program: &Path,
        dir: &Path,
        at: Option<Addresses>,
        more: &[&str],
    ) -> std::io::Result<Self> {
        let mut command = Command::new(program);
        Self::serve(&mut command, dir, at, more)
    }

    /// Starts a hub like [`HubProcess::start`], but runs `command`, to which `serve` and its arguments are appended.
    pub fn serve(
        command: &mut Command,
        dir: &Path,
        at: Option<Addresses>,
        more: &[&str],
    ) -> std::io::Result<Self> {
        let at = at.unwrap_or_else(ports::addresses);
        command.arg("serve").arg("--data-dir").arg(dir);
        command.args([
            "--listen",
            &at.listen.to_string(),
            "--http",
            &at.http.to_string(),
        ]);
        command
            .args([
                "--metrics",
                "off",
                "--mdns",
                "false",
                "--public-name",
                "127.0.0.1",
            ])
            .args(more);
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("FLAGFALL_") {
                command.env_remove(name);
            }
        }
        Self::spawn(
            command
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped()),
        )
    }

    pub fn spawn(command: &mut Command) -> std::io::Result<Self> {
        let mut child = command.spawn()?;
        let pid = Pid::from_child(&child);
        let said = Arc::new(Mutex::new(String::new()));
        let (line, lines) = channel();
        if let Some(out) = child.stdout.take() {
            std::thread::spawn(move || {
                for text in BufReader::new(out).lines().map_while(Result::ok) {
                    if line.send(text).is_err() {
                        // The receiver is gone, but the pipe must be read, so that the hub never blocks on it.
                    }
                }
            });
        }
        if let Some(error) = child.stderr.take() {
            let said = said.clone();
            std::thread::spawn(move || keep(error, &said));
        }
        let (end, ended) = channel();
        std::thread::spawn(move || wait(child, &end));
        Ok(Self {
            pid,
            lines,
            ended,
            status: None,
            addresses: None,
            said,
        })
    }

    /// Returns the next line that the hub prints.
    ///
    /// # Errors
    /// Returns the hub's standard error if the hub ends or prints no line within the time `within`.
    pub fn line(&mut self, within: Duration) -> Result<String, String> {
        self.lines.recv_timeout(within).map_err(|_| self.said())
    }

    /// Waits until the hub has printed its addresses.
    ///
    /// # Errors
    /// Returns a description with the hub's standard error if the hub ends before that, or takes longer than `within`.
    pub fn ready(&mut self, within: Duration) -> Result<Addresses, String> {
        if let Some(addresses) = self.addresses {
            return Ok(addresses);
        }
        let started = Stopwatch::start();
        let (mut listen, mut http) = (None, None);
        loop {
            if let (Some(listen), Some(http)) = (listen, http) {
                let addresses = Addresses { listen, http };
                self.addresses = Some(addresses);
                return Ok(addresses);
            }
            match self
                .lines
                .recv_timeout(within.saturating_sub(started.elapsed()))
            {
                Ok(line) => {
                    let mut words = line.split_whitespace();
                    match (words.next(), words.next()) {
                        (Some("clocks"), Some(address)) => listen = address.parse().ok(),
                        (Some("page"), Some(url)) => {
                            http = url
                                .trim_start_matches("http://")
                                .trim_end_matches('/')
                                .parse()
                                .ok();
                        }
                        _ => (),
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    return Err(format!("not ready within {within:?}: {}", self.said()));
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(format!("ended while starting: {}", self.said()));
                }
            }
        }
    }

    /// Returns the hub's standard error so far, which is cut off after about 1 MiB.
    pub fn said(&self) -> String {
        self.said
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    pub fn pid(&self) -> i32 {
        self.pid.as_raw_nonzero().get()
    }

    /// Waits until the process ends, for at most `within`; returns `None` if it still runs.
    pub fn ended_within(&mut self, within: Duration) -> Option<ExitStatus> {
        if self.status.is_none() {
            self.status = self.ended.recv_timeout(within).ok();
        }
        self.status
    }

    /// Sends SIGKILL and waits for the process to end, for at most 30 seconds.
    pub fn kill(&mut self) -> Option<ExitStatus> {
        self.signal(Signal::KILL)
    }

    /// Sends SIGTERM and waits for the process to end, for at most 30 seconds.
    pub fn stop(&mut self) -> Option<ExitStatus> {
        self.signal(Signal::TERM)
    }

    fn signal(&mut self, signal: Signal) -> Option<ExitStatus> {
        if self.status.is_none() {
            // Ignore an error: the process may just have ended by itself.
            let _ = kill_process(self.pid, signal);
        }
        self.ended_within(Duration::from_secs(30))
    }
}

impl Drop for HubProcess {
    fn drop(&mut self) {
        self.kill();
    }
}

fn keep(mut from: impl Read, said: &Mutex<String>) {
    const MAX_BYTES: usize = 1 << 20;
    let mut buffer = [0; 4096];
    while let Ok(length @ 1..) = from.read(&mut buffer) {
        let mut said = said.lock().unwrap_or_else(PoisonError::into_inner);
        if said.len() < MAX_BYTES {
            said.push_str(&String::from_utf8_lossy(&buffer[..length]));
        }
    }
}

fn wait(mut child: Child, end: &std::sync::mpsc::Sender<ExitStatus>) {
    if let Ok(status) = child.wait()
        && end.send(status).is_err()
    {
        // If the value was dropped, there is no receiver; the process has ended in any case.
    }
}

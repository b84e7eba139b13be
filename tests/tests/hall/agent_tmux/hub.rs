//! A running hub (`flagfall serve`), and `flagfall` commands as an arbiter types them.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tests::rig::{Addresses, HubProcess, program};

use super::PATIENCE;

pub(crate) struct Hub {
    process: HubProcess,
    program: PathBuf,
    data_dir: PathBuf,
    addresses: Addresses,
    options: Vec<&'static str>,
}

impl Hub {
    pub(crate) fn start(folder: &Path) -> Self {
        Self::start_with(folder, &[])
    }

    pub(crate) fn start_with(folder: &Path, options: &[&'static str]) -> Self {
        let program = program("flagfall").unwrap();
        let data_dir = folder.join("hub");
        let mut process = HubProcess::start(&program, &data_dir, None, options).unwrap();
        let addresses = process.ready(PATIENCE).unwrap();
        Self {
            process,
            program,
            data_dir,
            addresses,
            options: options.to_vec(),
        }
    }

    pub(crate) fn http(&self) -> SocketAddr {
        self.addresses.http
    }

    pub(crate) fn kill(&mut self) {
        self.process.kill();
    }

    pub(crate) fn restart(&mut self) {
        let at = Some(self.addresses);
        self.process = HubProcess::start(&self.program, &self.data_dir, at, &self.options).unwrap();
        self.process.ready(PATIENCE).unwrap();
    }

    #[track_caller]
    pub(crate) fn flagfall(&self, arguments: &[&str]) -> String {
        let mut command = Command::new(&self.program);
        command.args(arguments);
        command.args(["--hub", &self.addresses.listen.to_string()]);
        command.arg("--data-dir").arg(&self.data_dir);
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success(),
            "flagfall {arguments:?}: {said}\nthe hub: {}",
            self.process.said()
        );
        String::from_utf8(output.stdout).unwrap()
    }

    pub(crate) fn replayed(&mut self) -> String {
        self.process.stop();
        let mut command = Command::new(&self.program);
        let output = command.arg("replay").arg(&self.data_dir).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "flagfall replay: {said}");
        String::from_utf8(output.stdout).unwrap()
    }

    pub(crate) fn code(&self, board: &str) -> String {
        let printed = self.flagfall(&["enrol", "--board", board]);
        printed.lines().next().unwrap().to_owned()
    }

    fn board(&self, board: &str) -> Value {
        let mut answer = String::new();
        self.get("/live/boards.json")
            .read_to_string(&mut answer)
            .unwrap();
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        let hall: Value = serde_json::from_str(body).unwrap();
        let boards = hall["boards"].as_array().unwrap();
        let view = boards.iter().find(|view| view["board"] == board);
        view.unwrap().clone()
    }

    /// Waits until the board meets the condition, and returns it. Checks the board after every line of the live feed.
    #[track_caller]
    pub(crate) fn until(&self, board: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let mut news = BufReader::new(self.get("/live/events"));
        let mut line = String::new();
        loop {
            let view = self.board(board);
            if wanted(&view) {
                return view;
            }
            line.clear();
            let read = news.read_line(&mut line);
            assert!(read.is_ok_and(|length| length > 0), "the hub has {view}");
        }
    }

    fn get(&self, path: &str) -> TcpStream {
        let mut socket = TcpStream::connect(self.http()).unwrap();
        socket.set_read_timeout(Some(PATIENCE)).unwrap();
        write!(socket, "GET {path} HTTP/1.0\r\nHost: hall\r\n\r\n").unwrap();
        socket
    }
}

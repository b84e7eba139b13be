//! A reader of snapshots that knows only the grammar in `proto/board.md` and shares no code with the engine.

use std::fmt::Write as _;

struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn unsigned(&mut self) -> u64 {
        let (mut value, mut shift) = (0, 0);
        loop {
            let (byte, rest) = self.0.split_first().unwrap();
            self.0 = rest;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return value;
            }
            shift += 7;
        }
    }

    fn signed(&mut self) -> i64 {
        let value = self.unsigned();
        (value >> 1).cast_signed() ^ -(value & 1).cast_signed()
    }

    fn phase(&mut self) -> String {
        match self.unsigned() {
            0 => "0 ready".to_owned(),
            1 => format!("1 running, mover {}", self.unsigned()),
            2 => {
                let next = self.unsigned();
                let since = self.signed();
                format!("2 paused, next {next} since {since} by {}", self.unsigned())
            }
            3 => {
                let result = self.unsigned();
                format!("3 over, result {result} next {}", self.unsigned())
            }
            other => panic!("phase {other}"),
        }
    }

    fn clock(&mut self) -> String {
        let (time, used, kind) = (self.signed(), self.signed(), self.unsigned());
        let rest = match kind {
            1 | 2 => format!("{kind} {}", self.unsigned()),
            _ => kind.to_string(),
        };
        let (flag, period) = (self.unsigned(), self.unsigned());
        let (moves, counted) = (self.unsigned(), self.unsigned());
        let bank = self.signed();
        format!(
            "time {time} used {used} kind {rest} flag {flag} period {period} moves {moves} counted {counted} bank {bank}"
        )
    }
}

pub(crate) fn fields(snapshot: &[u8]) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: &dyn std::fmt::Display| {
        writeln!(text, "{name:<13}{value}").unwrap();
    };
    let mut bytes = Bytes(snapshot);
    line("version", &bytes.unsigned());
    let length = usize::try_from(bytes.unsigned()).unwrap();
    let (control, rest) = bytes.0.split_at(length);
    bytes.0 = rest;
    line("control", &str::from_utf8(control).unwrap());
    line("white-button", &bytes.unsigned());
    line("start-rule", &bytes.unsigned());
    line("called-white", &bytes.unsigned());
    line("called-black", &bytes.unsigned());
    line("phase", &bytes.phase());
    line("first-flag", &bytes.unsigned());
    line("settled", &bytes.signed());
    line("White", &bytes.clock());
    line("Black", &bytes.clock());
    assert!(bytes.0.is_empty(), "bytes after the snapshot");
    text
}

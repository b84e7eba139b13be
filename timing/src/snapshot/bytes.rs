//! The byte format of snapshots: variable-length integers, and one tag for each choice.

use alloc::string::ToString;
use alloc::vec::Vec;

use super::SnapshotError;
use crate::board_clock::Called;
use crate::game::{Game, State};
use crate::phase::{PausedBy, Phase};
use crate::player_clock::{Flag, PlayerClock, TimeKind};
use crate::{
    Board, BoardClock, Button, BySide, Duration, GameResult, Instant, Side, StartRule, TimeControl,
};

pub(super) struct Writer(Vec<u8>);

impl Writer {
    pub(super) fn new(version: u8) -> Self {
        let mut bytes = Vec::with_capacity(128);
        bytes.push(version);
        Self(bytes)
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    pub(super) fn board_clock(&mut self, board: &BoardClock) {
        let control = board.time_control().to_string();
        self.unsigned(control.len() as u64);
        self.0.extend_from_slice(control.as_bytes());
        self.choice(board.white_button() as usize);
        self.choice(board.start_rule() as usize);
        for side in Side::BOTH {
            self.choice(board.called[side] as usize);
        }
        let state = &board.game.state;
        self.phase(&state.phase);
        self.side(state.first_flag);
        self.instant(state.settled);
        for side in Side::BOTH {
            self.clock(&state.clocks[side]);
        }
    }

    fn clock(&mut self, clock: &PlayerClock) {
        self.duration(clock.time);
        self.duration(clock.used);
        match clock.time_kind {
            TimeKind::Main => self.choice(0),
            TimeKind::ByoYomi { periods_left } => {
                self.choice(1);
                self.unsigned(periods_left.into());
            }
            TimeKind::Canadian { stones } => {
                self.choice(2);
                self.unsigned(stones.into());
            }
            TimeKind::Extra => self.choice(3),
            TimeKind::Grace => self.choice(4),
            TimeKind::Overtime => self.choice(5),
        }
        self.choice(clock.flag as usize);
        self.unsigned(clock.period.into());
        self.unsigned(clock.moves.into());
        self.unsigned(clock.counted.into());
        self.duration(clock.bank);
    }

    fn phase(&mut self, phase: &Phase<Board>) {
        match *phase {
            Phase::Ready => self.choice(0),
            Phase::Running { mover } => {
                self.choice(1);
                self.side(Some(mover));
            }
            Phase::Paused { next, since, by } => {
                self.choice(2);
                self.side(Some(next));
                self.instant(since);
                self.choice(by as usize);
            }
            Phase::Over { result, next } => {
                self.choice(3);
                self.choice(result as usize);
                self.side(next);
            }
        }
    }

    fn side(&mut self, side: Option<Side>) {
        self.choice(side.map_or(2, |side| side as usize));
    }

    fn choice(&mut self, index: usize) {
        self.unsigned(index as u64);
    }

    fn instant(&mut self, at: Instant<Board>) {
        self.signed(at.as_micros());
    }

    fn duration(&mut self, span: Duration) {
        self.signed(span.as_micros());
    }

    /// Writes a number in zigzag encoding, in which small numbers of either sign are short.
    fn signed(&mut self, value: i64) {
        self.unsigned(((value << 1) ^ (value >> 63)).cast_unsigned());
    }

    fn unsigned(&mut self, value: u64) {
        let mut value = value;
        while value >= 0x80 {
            self.0.push((value & 0x7f) as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }
}

pub(super) struct Reader<'a>(&'a [u8]);

type Read<V> = Result<V, SnapshotError>;

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub(super) fn end(&self) -> Read<()> {
        if self.0.is_empty() {
            Ok(())
        } else {
            Err(SnapshotError::WrongLength)
        }
    }

    pub(super) fn board_clock(&mut self) -> Read<BoardClock> {
        let control = self.control()?;
        let white = self.choice(&[Button::Left, Button::Right])?;
        let start = self.choice(&[StartRule::Arbiter, StartRule::BlackPress])?;
        let called = [Called::Not, Called::Yes];
        let called = BySide {
            white: self.choice(&called)?,
            black: self.choice(&called)?,
        };
        let phase = self.phase()?;
        let first_flag = self.side_or_none()?;
        let settled = self.instant()?;
        let clocks = BySide {
            white: self.clock()?,
            black: self.clock()?,
        };
        let state = State {
            phase,
            clocks,
            first_flag,
            settled,
        };
        Ok(BoardClock {
            game: Game { control, state },
            white,
            start,
            called,
        })
    }

    fn control(&mut self) -> Read<TimeControl> {
        let len = usize::try_from(self.unsigned()?).map_err(|_| SnapshotError::WrongLength)?;
        let (text, rest) = self
            .0
            .split_at_checked(len)
            .ok_or(SnapshotError::WrongLength)?;
        self.0 = rest;
        let text = core::str::from_utf8(text)
            .map_err(|_| SnapshotError::Impossible("its time control"))?;
        text.parse()
            .map_err(|_| SnapshotError::Impossible("its time control"))
    }

    fn clock(&mut self) -> Read<PlayerClock> {
        let time = self.duration()?;
        let used = self.duration()?;
        let time_kind = match self.unsigned()? {
            0 => TimeKind::Main,
            1 => TimeKind::ByoYomi {
                periods_left: self.number()?,
            },
            2 => TimeKind::Canadian {
                stones: self.number()?,
            },
            3 => TimeKind::Extra,
            4 => TimeKind::Grace,
            5 => TimeKind::Overtime,
            _ => return Err(SnapshotError::Impossible("the kind of time of a side")),
        };
        let flag = self.choice(&[Flag::Up, Flag::Down])?;
        let (period, moves, counted) = (self.number()?, self.number()?, self.number()?);
        let bank = self.duration()?;
        Ok(PlayerClock {
            time,
            used,
            time_kind,
            flag,
            period,
            moves,
            counted,
            bank,
        })
    }

    fn phase(&mut self) -> Read<Phase<Board>> {
        Ok(match self.unsigned()? {
            0 => Phase::Ready,
            1 => Phase::Running {
                mover: self.side()?,
            },
            2 => {
                let (next, since) = (self.side()?, self.instant()?);
                Phase::Paused {
                    next,
                    since,
                    by: self.choice(&[PausedBy::Arbiter, PausedBy::Players])?,
                }
            }
            3 => Phase::Over {
                result: self.choice(&GameResult::ALL)?,
                next: self.side_or_none()?,
            },
            _ => return Err(SnapshotError::Impossible("the phase of the game")),
        })
    }

    fn side(&mut self) -> Read<Side> {
        self.choice(&Side::BOTH)
    }

    fn side_or_none(&mut self) -> Read<Option<Side>> {
        self.choice(&[Some(Side::White), Some(Side::Black), None])
    }

    fn choice<V: Copy>(&mut self, choices: &[V]) -> Read<V> {
        let index = usize::try_from(self.unsigned()?).ok();
        index
            .and_then(|index| choices.get(index).copied())
            .ok_or(SnapshotError::Impossible("a choice"))
    }

    fn instant(&mut self) -> Read<Instant<Board>> {
        self.signed().map(Instant::from_micros)
    }

    fn duration(&mut self) -> Read<Duration> {
        self.signed().map(Duration::from_micros)
    }

    fn number(&mut self) -> Read<u32> {
        u32::try_from(self.unsigned()?).map_err(|_| SnapshotError::Impossible("a number"))
    }

    fn signed(&mut self) -> Read<i64> {
        let value = self.unsigned()?;
        Ok((value >> 1).cast_signed() ^ -(value & 1).cast_signed())
    }

    fn unsigned(&mut self) -> Read<u64> {
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let (&byte, rest) = self.0.split_first().ok_or(SnapshotError::WrongLength)?;
            self.0 = rest;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(SnapshotError::Impossible("a number"))
    }
}

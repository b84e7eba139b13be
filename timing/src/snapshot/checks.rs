//! The invariants of a clock. A snapshot that breaks one of them is refused.

use super::SnapshotError;
use crate::board_clock::Called;
use crate::phase::Phase;
use crate::player_clock::{Flag, PlayerClock, TimeKind};
use crate::time_control::SideControl;
use crate::{BoardClock, Duration, Side};

impl BoardClock {
    pub(crate) fn check_invariants(&self) -> Result<(), SnapshotError> {
        let state = &self.game.state;
        for side in Side::BOTH {
            check_clock(&state.clocks[side], self.time_control().side(side))?;
            if self.called[side] == Called::Yes && state.clocks[side].flag == Flag::Up {
                return Err(SnapshotError::Impossible("a called flag that is up"));
            }
        }
        let started = !matches!(state.phase, Phase::Ready | Phase::Over { next: None, .. });
        match state.first_flag {
            Some(_) if !started => Err(SnapshotError::Impossible("a first flag before the start")),
            Some(side) if !state.clocks[side].has_fallen() => {
                Err(SnapshotError::Impossible("a first flag that did not fall"))
            }
            Some(_) | None => Ok(()),
        }
    }
}

fn check_clock(clock: &PlayerClock, control: &SideControl) -> Result<(), SnapshotError> {
    let impossible = |what| Err(SnapshotError::Impossible(what));
    if usize::try_from(clock.period).is_ok_and(|index| index >= control.periods().len()) {
        return impossible("a period the control does not have");
    }
    let on_reserve = clock.time_kind != TimeKind::Main;
    if !control.reserve().allows(clock.time_kind) || (on_reserve && !control.is_last(clock.period))
    {
        return impossible("the kind of time of a side");
    }
    let never_falls = clock.time_kind == TimeKind::Overtime;
    if clock.flag == Flag::Down && (clock.time != Duration::ZERO || never_falls) {
        return impossible("time under a fallen flag");
    }
    if clock.time < Duration::ZERO && !never_falls {
        return impossible("less than no time");
    }
    if clock.used < Duration::ZERO || clock.bank < Duration::ZERO {
        return impossible("a negative span");
    }
    if clock.bank > Duration::ZERO && control.triple_block().is_none() {
        return impossible("a bank without Triple Block");
    }
    Ok(())
}

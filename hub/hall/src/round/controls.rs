//! The time control of each board in a round: an arbiter's choice, or else the sector's, the event's, or the configured
//! one. Defines the formats in which an event may give a control.

use timing::presets::{self, Preset};
use timing::{Side, TimeControl};

use super::PresetWith;
use crate::outcome::Denied;
use crate::refusal::Why;
use tournament::formats::trf;
use tournament::{BoardNo, Conflict, Event, Refusal as EventRefusal, Sector};

#[derive(Debug)]
pub(super) struct Controls {
    sectors: Vec<(Sector, GameControl)>,
    others: GameControl,
}

#[derive(Clone, Debug)]
pub(super) struct GameControl {
    pub(super) control: TimeControl,
    pub(super) draw_odds: Option<Side>,
}

impl Controls {
    pub(super) fn of(event: &Event, with: &PresetWith) -> Result<Self, Denied> {
        let shown = |game: GameControl| match with.after_flag {
            Some(rule) => GameControl {
                control: game.control.with_after_flag(rule),
                ..game
            },
            None => game,
        };
        let requested = |control: &TimeControl| GameControl {
            control: control.clone(),
            draw_odds: with.draw_odds,
        };
        if let Some(named) = &with.control {
            return Ok(Self {
                sectors: Vec::new(),
                others: shown(requested(named)),
            });
        }
        let code = event.time_control_code.trim();
        let others = match code {
            "" => requested(&with.fallback),
            code => read(code).ok_or_else(|| {
                not_read(
                    code,
                    format!(
                        "the event's time control {code:?} cannot be read: name the control to set"
                    ),
                )
            })?,
        };
        let own = event.sectors.iter().filter(|(_, sector)| has_own(sector));
        let sectors = own.map(|(name, sector)| {
            let control = read(&sector.control).ok_or_else(|| unreadable(name, sector))?;
            Ok((sector.clone(), shown(control)))
        });
        Ok(Self {
            sectors: sectors.collect::<Result<_, Denied>>()?,
            others: shown(others),
        })
    }

    pub(super) fn at(&self, board: BoardNo) -> &GameControl {
        let mut sectors = self.sectors.iter();
        let own = sectors.find(|(sector, _)| sector.has(board));
        own.map_or(&self.others, |(_, control)| control)
    }
}

/// Checks that the controls of an event's sectors can be parsed, and that no board belongs to two sectors with
/// different controls.
pub(crate) fn checked(event: &Event) -> Result<(), Denied> {
    let own = || event.sectors.iter().filter(|(_, sector)| has_own(sector));
    for (name, sector) in own() {
        if read(&sector.control).is_none() {
            return Err(unreadable(name, sector));
        }
        let shares = |other: &Sector| sector.from <= other.to && other.from <= sector.to;
        let mut others = own().filter(|(_, other)| other.control != sector.control);
        if let Some((other, _)) = others.find(|(_, other)| shares(other)) {
            let why = Conflict::SectorControls(name.clone(), other.clone());
            return Err(Denied::NotPossible(EventRefusal::from(why).into()));
        }
    }
    Ok(())
}

fn has_own(sector: &Sector) -> bool {
    !sector.control.trim().is_empty()
}

/// Parses a control: a preset's name, the format of record 222 of a tournament report, or Flagfall's notation.
fn read(code: &str) -> Option<GameControl> {
    let code = code.trim();
    let read = trf::control::read(code).ok();
    Some(GameControl {
        control: read.or_else(|| presets::control_of(code).ok())?,
        draw_odds: Preset::named(code).and_then(|preset| preset.draw_odds),
    })
}

fn unreadable(name: &str, sector: &Sector) -> Denied {
    let text = format!(
        "the time control {:?} of sector {name} cannot be read: write it as in 90m+30s, or as in a tournament report, 5400+30",
        sector.control
    );
    not_read(&sector.control, text)
}

fn not_read(written: &str, text: String) -> Denied {
    let written = written.to_owned();
    Denied::NotPossible(Why::NoControl { written, text }.into())
}

//! The choice of buttons on the command line or in the environment.
//!
//! Owns the syntax of `--buttons`. Must never open anything.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use super::keys::KeyMap;

/// The source of presses that `--buttons` selects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ButtonSpec {
    /// The terminal's keys: `keys`, or `keys:LEFT,RIGHT,STOP`.
    Keys(KeyMap),
    /// Two lines of a GPIO chip, which closed contacts pull low: `gpio:CHIP:LEFT,RIGHT`.
    Gpio {
        /// A name such as `gpiochip0`, or a path.
        chip: PathBuf,
        /// Offset of the left button's line on the chip.
        left: u32,
        right: u32,
    },
    /// Lines on standard input, such as `press left`: `lines`.
    Lines,
    /// Scripted presses: `script:FILE`.
    Script(PathBuf),
    /// No buttons: `none`.
    Nothing,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    #[error(
        "unknown buttons {0:?}; expected keys, gpio:CHIP:LEFT,RIGHT, lines, script:FILE or none"
    )]
    Kind(String),
    #[error("keys:{0}: expected three different characters other than q and y, as in keys:f,j,s")]
    Keys(String),
    #[error("gpio:{0}: expected a chip and two different lines, as in gpio:gpiochip0:17,27")]
    Gpio(String),
    #[error("script: expected a file, as in script:presses.txt")]
    Script,
}

impl ButtonSpec {
    /// Returns true if an arbiter can type at this clock.
    pub const fn has_keyboard(&self) -> bool {
        match self {
            Self::Keys(_) | Self::Lines => true,
            Self::Gpio { .. } | Self::Script(_) | Self::Nothing => false,
        }
    }
}

impl FromStr for ButtonSpec {
    type Err = SpecError;
    fn from_str(text: &str) -> Result<Self, SpecError> {
        let (kind, rest) = match text.split_once(':') {
            Some((kind, rest)) => (kind, Some(rest)),
            None => (text, None),
        };
        match (kind, rest) {
            ("keys", None) => Ok(Self::Keys(KeyMap::default())),
            ("keys", Some(keys)) => keys_of(keys)
                .map(Self::Keys)
                .ok_or_else(|| SpecError::Keys(keys.into())),
            ("gpio", rest) => {
                let rest = rest.unwrap_or_default();
                gpio_of(rest).ok_or_else(|| SpecError::Gpio(rest.into()))
            }
            ("lines", None) => Ok(Self::Lines),
            ("script", Some(file)) if !file.is_empty() => Ok(Self::Script(file.into())),
            ("script", _) => Err(SpecError::Script),
            ("none", None) => Ok(Self::Nothing),
            _ => Err(SpecError::Kind(text.into())),
        }
    }
}

impl fmt::Display for ButtonSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Keys(map) if *map == KeyMap::default() => f.write_str("keys"),
            Self::Keys(KeyMap { left, right, stop }) => write!(f, "keys:{left},{right},{stop}"),
            Self::Gpio { chip, left, right } => write!(f, "gpio:{}:{left},{right}", chip.display()),
            Self::Lines => f.write_str("lines"),
            Self::Script(file) => write!(f, "script:{}", file.display()),
            Self::Nothing => f.write_str("none"),
        }
    }
}

fn keys_of(text: &str) -> Option<KeyMap> {
    let mut keys = text.split(',').map(|key| {
        let mut chars = key.chars();
        chars.next().filter(|_| chars.next().is_none())
    });
    let (left, right, stop) = (keys.next()??, keys.next()??, keys.next()??);
    KeyMap::new(left, right, stop).filter(|_| keys.next().is_none())
}

fn gpio_of(text: &str) -> Option<ButtonSpec> {
    let (chip, lines) = text.rsplit_once(':')?;
    let (left, right) = lines.split_once(',')?;
    let (left, right) = (left.trim().parse().ok()?, right.trim().parse().ok()?);
    (!chip.is_empty() && left != right).then(|| ButtonSpec::Gpio {
        chip: chip.into(),
        left,
        right,
    })
}

#[cfg(test)]
mod tests {
    use super::{ButtonSpec, SpecError};

    #[test]
    fn specs_round_trip() {
        for text in [
            "keys",
            "keys:a,l,x",
            "gpio:gpiochip0:17,27",
            "gpio:/dev/gpiochip4:0,1",
            "lines",
            "script:presses.txt",
            "script:C:odd:name",
            "none",
        ] {
            assert_eq!(text.parse::<ButtonSpec>().unwrap().to_string(), text);
        }
        assert_eq!(
            "keys:f,j,s".parse::<ButtonSpec>().unwrap().to_string(),
            "keys"
        );
    }

    #[test]
    fn errors_name_the_fault() {
        let wrong = |text: &str| text.parse::<ButtonSpec>().unwrap_err();
        assert_eq!(wrong("levers"), SpecError::Kind("levers".into()));
        assert_eq!(wrong("none:"), SpecError::Kind("none:".into()));
        for keys in [
            "", "f", "f,j", "f,f,s", "f,j,s,x", "ff,j,s", "q,j,s", "f,J,j",
        ] {
            assert_eq!(wrong(&format!("keys:{keys}")), SpecError::Keys(keys.into()));
        }
        for gpio in [
            "",
            "gpiochip0",
            ":1,2",
            "gpiochip0:1",
            "gpiochip0:1,1",
            "gpiochip0:a,b",
            "gpiochip0:1,-2",
        ] {
            assert_eq!(wrong(&format!("gpio:{gpio}")), SpecError::Gpio(gpio.into()));
        }
        assert_eq!(wrong("gpio"), SpecError::Gpio(String::new()));
        assert_eq!(wrong("script:"), SpecError::Script);
    }
}

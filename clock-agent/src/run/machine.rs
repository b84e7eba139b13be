//! The state of the machine: battery and temperature from the kernel.

use std::path::Path;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::core::Input;

const EVERY: Duration = Duration::from_secs(60);
const POWER: &str = "/sys/class/power_supply";
const THERMAL: &str = "/sys/class/thermal/thermal_zone0/temp";

/// Reports the state now and once a minute, until `stop` is cancelled.
pub(super) fn watch(inputs: mpsc::Sender<Input>, stop: CancellationToken) {
    tokio::spawn(async move {
        let mut every = tokio::time::interval(EVERY);
        loop {
            tokio::select! {
                () = stop.cancelled() => return,
                _ = every.tick() => {}
            }
            let machine = Input::Machine {
                battery_percent: battery(Path::new(POWER)),
                temperature_mc: number(Path::new(THERMAL)),
            };
            if inputs.send(machine).await.is_err() {
                return;
            }
        }
    });
}

pub(super) fn charge() -> Option<u8> {
    battery(Path::new(POWER))
}

/// Returns the lowest charge of the machine's batteries, or `None` if none can be read. Batteries of peripherals, such as a mouse, do not count.
fn battery(supplies: &Path) -> Option<u8> {
    let supplies = std::fs::read_dir(supplies).ok()?;
    supplies
        .filter_map(|supply| {
            let dir = supply.ok()?.path();
            let is = |file: &str, word: &str| text(&dir.join(file)).as_deref() == Some(word);
            if !is("type", "Battery") || is("scope", "Device") {
                return None;
            }
            number::<u8>(&dir.join("capacity")).map(|percent| percent.min(100))
        })
        .min()
}

fn number<T: std::str::FromStr>(path: &Path) -> Option<T> {
    text(path)?.parse().ok()
}

fn text(path: &Path) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    Some(text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_machines_own_battery_counts() {
        let dir = tempfile::tempdir().unwrap();
        let supply = |name: &str, files: &[(&str, &str)]| {
            let at = dir.path().join(name);
            std::fs::create_dir(&at).unwrap();
            for (file, text) in files {
                std::fs::write(at.join(file), format!("{text}\n")).unwrap();
            }
        };
        assert_eq!(battery(&dir.path().join("none")), None);
        supply("mains", &[("type", "Mains"), ("online", "1")]);
        assert_eq!(battery(dir.path()), None);
        supply(
            "mouse",
            &[("type", "Battery"), ("scope", "Device"), ("capacity", "3")],
        );
        assert_eq!(battery(dir.path()), None);
        supply("bat0", &[("type", "Battery"), ("capacity", "81")]);
        supply("bat1", &[("type", "Battery"), ("capacity", "17")]);
        assert_eq!(battery(dir.path()), Some(17));
    }
}

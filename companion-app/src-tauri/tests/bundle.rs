//! Checks the bundle configurations of Linux and Windows: Tauri accepts every key, every icon exists, and the `flagfall` link scheme is
//! registered. Does not build the installers.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use std::path::Path;

use serde_json::Value;
use tauri::utils::config::{BundleTarget, BundleType, Config};

/// Returns the configuration for a system, merged as Tauri's CLI merges it (RFC 7396). Unknown keys are errors.
fn config(system: &str) -> Config {
    let mut config = json("tauri.conf.json");
    merge(&mut config, json(&format!("tauri.{system}.conf.json")));
    serde_json::from_value(config).unwrap()
}

fn json(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

fn merge(into: &mut Value, patch: Value) {
    let Value::Object(patch) = patch else {
        *into = patch;
        return;
    };
    if !into.is_object() {
        *into = Value::Object(serde_json::Map::new());
    }
    for (key, value) in patch {
        merge(&mut into[key.as_str()], value);
    }
}

#[track_caller]
fn check(system: &str, expected: &[BundleType], icon: &str) {
    let config = config(system);
    let BundleTarget::List(targets) = &config.bundle.targets else {
        panic!("{system}: the targets are not listed");
    };
    assert_eq!(targets, expected);
    let icons = &config.bundle.icon;
    for path in icons {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        let bytes = std::fs::read(&path).unwrap();
        assert!(bytes.len() > 100, "{} is no picture", path.display());
    }
    assert!(icons.iter().any(|path| path.ends_with(icon)), "{icons:?}");
    let schemes = &config.plugins.0["deep-link"]["desktop"]["schemes"];
    assert_eq!(*schemes, serde_json::json!(["flagfall"]));
}

#[test]
fn linux_has_packages_and_an_app_image() {
    let targets = [BundleType::Deb, BundleType::Rpm, BundleType::AppImage];
    check("linux", &targets, ".png");
}

#[test]
fn windows_has_both_installers() {
    check("windows", &[BundleType::Msi, BundleType::Nsis], ".ico");
    let windows = config("windows").bundle.windows;
    // An installer with a different upgrade code would install a second copy instead of replacing the old version.
    let upgrade = windows.wix.unwrap().upgrade_code.unwrap().to_string();
    assert_eq!(upgrade, "16870a2d-478d-40fc-b635-8e5ea3bd1de9");
    let icon = windows.nsis.unwrap().installer_icon.unwrap();
    assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(icon).exists());
}

#[test]
fn an_unknown_key_is_an_error() {
    let mut config = json("tauri.conf.json");
    merge(
        &mut config,
        serde_json::json!({ "bundle": { "linux": { "appImage": {} } } }),
    );
    assert!(serde_json::from_value::<Config>(config).is_err());
}

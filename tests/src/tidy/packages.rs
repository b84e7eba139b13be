//! Rules about packages: dependencies, licences, and the TLS provider.
//!
//! Owns the table of allowed directions. Reads cargo's metadata and never parses a manifest itself.

use cargo_metadata::{DependencyKind, Metadata};

/// The workspace packages, each with the packages of the workspace on which it may depend.
const ALLOWED: [(&str, &[&str]); 17] = [
    ("timing", &[]),
    ("proto", &[]),
    // The logic of a clock, shared by the agent and firmware. Its licence is as permissive as those of its dependencies.
    ("clock-core", &["timing", "proto"]),
    ("tournament", &["timing"]),
    ("laws", &["timing"]),
    ("time-chess", &["timing"]),
    // The archive needs the wire formats. With no features enabled, `proto` is pure.
    ("durable-log", &["proto"]),
    // Escapes untrusted text by the same rules as the engine.
    ("log-lines", &["timing"]),
    (
        "hall",
        &["timing", "proto", "tournament", "laws", "time-chess"],
    ),
    // An appeals committee does not trust the hub, so its program depends only on those packages of the workspace that only compute.
    ("verify", &["timing", "proto", "hall"]),
    // The kit judges hubs and clocks, so it shares only the engine and the wire formats with them.
    ("conformance", &["timing", "proto"]),
    // The hub uses the agent's library only for the demonstration, which runs hub and clocks in one process.
    (
        "hub",
        &[
            "timing",
            "proto",
            "tournament",
            "laws",
            "time-chess",
            "durable-log",
            "hall",
            "verify",
            "conformance",
            "log-lines",
            "clock-agent",
        ],
    ),
    (
        "clock-agent",
        &["timing", "proto", "clock-core", "log-lines"],
    ),
    ("companion-app", &["proto"]),
    // The oracle shares only the scripts' text format with the engine.
    ("oracle", &["timing"]),
    (
        "sim",
        &["timing", "proto", "clock-core", "hall", "clock-agent"],
    ),
    (
        "tests",
        &[
            "timing",
            "proto",
            "clock-core",
            "tournament",
            "durable-log",
            "hall",
            "verify",
            "conformance",
            "hub",
            "clock-agent",
            "companion-app",
            "oracle",
            "sim",
        ],
    ),
];

/// Crates that only compute: no sockets, no disk access, no async runtime.
const PURE: [&str; 9] = [
    "timing",
    "proto",
    "clock-core",
    "tournament",
    "laws",
    "time-chess",
    "hall",
    "oracle",
    "sim",
];

const SHELL_LIBRARIES: [&str; 10] = [
    "tokio",
    "tokio-stream",
    "tokio-util",
    "futures",
    "quinn",
    "tonic",
    "axum",
    "hyper",
    "sled",
    "rustix",
];

/// Returns a message for each shell library that a pure crate requires outside tests and build scripts. Also returns one for each pure crate that
/// uses features of `proto`.
pub fn purity(metadata: &Metadata) -> Vec<String> {
    let mut found = Vec::new();
    for package in metadata.workspace_packages() {
        let name = package.name.as_str();
        if !PURE.contains(&name) {
            continue;
        }
        let built_on = package.dependencies.iter();
        for dependency in built_on.filter(|dependency| dependency.kind == DependencyKind::Normal) {
            let other = dependency.name.as_str();
            if SHELL_LIBRARIES.contains(&other) && !dependency.optional {
                found.push(format!("{name} -> {other}: {name} only computes"));
            }
            let with_services = dependency.uses_default_features || !dependency.features.is_empty();
            if other == "proto" && with_services {
                found.push(format!(
                    "{name} -> proto: without features, which bring gRPC"
                ));
            }
        }
    }
    found
}

/// Returns a message for each package or dependency between packages that `ALLOWED` does not list, and for each dependency of `timing` outside tests.
pub fn direction(metadata: &Metadata) -> Vec<String> {
    let ours: Vec<&str> = ALLOWED.iter().map(|(name, _)| *name).collect();
    let mut found = Vec::new();
    for package in metadata.workspace_packages() {
        let name = package.name.as_str();
        let Some((_, allowed)) = ALLOWED.iter().find(|(known, _)| *known == name) else {
            found.push(format!(
                "package {name} has no place in the table of directions"
            ));
            continue;
        };
        for dependency in &package.dependencies {
            let other = dependency.name.as_str();
            if ours.contains(&other) && !allowed.contains(&other) && other != name {
                found.push(format!("{name} -> {other}: allowed are {allowed:?}"));
            }
            if name == "timing" && dependency.kind != DependencyKind::Development {
                found.push(format!("timing -> {other}: the engine depends on nothing"));
            }
        }
    }
    found
}

/// Returns a message for each wrong licence. The engine, the wire formats and the clock core are permissive, all others under the GPL.
pub fn licences(metadata: &Metadata) -> Vec<String> {
    let mut found = Vec::new();
    for package in metadata.workspace_packages() {
        let name = package.name.as_str();
        let want = if ["timing", "proto", "clock-core"].contains(&name) {
            "MIT OR Apache-2.0"
        } else {
            "GPL-3.0-or-later"
        };
        if package.license.as_deref() != Some(want) {
            found.push(format!("{name}: licence {:?}, not {want}", package.license));
        }
    }
    found
}

pub fn tls_provider(lock: &str) -> Vec<String> {
    let has = |name: &str| {
        lock.lines()
            .any(|line| line == format!("name = \"{name}\""))
    };
    let mut found = Vec::new();
    for other in [
        "aws-lc-rs",
        "aws-lc-sys",
        "openssl",
        "openssl-sys",
        "native-tls",
    ] {
        if has(other) {
            found.push(format!(
                "Cargo.lock: {other}; ring is the only TLS provider"
            ));
        }
    }
    if !has("ring") {
        found.push("Cargo.lock: no ring".to_owned());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Name, licence and dependencies. Each dependency has its kind from cargo's metadata (`None` for a normal dependency).
    type Package<'a> = (&'a str, &'a str, &'a [(&'a str, Option<&'a str>)]);

    fn metadata(packages: &[Package<'_>]) -> Metadata {
        let id = |name: &str| format!("path+file:///ws/{name}#0.1.0");
        let listed: Vec<serde_json::Value> = packages
            .iter()
            .map(|(name, licence, dependencies)| {
                let dependencies: Vec<serde_json::Value> = dependencies
                    .iter()
                    .map(|(other, kind)| {
                        serde_json::json!({"name": other, "req": "*", "kind": kind, "optional": false,
                            "uses_default_features": true, "features": [], "target": null, "rename": null, "source": null})
                    })
                    .collect();
                serde_json::json!({"name": name, "version": "0.1.0", "id": id(name), "license": licence,
                    "dependencies": dependencies, "targets": [], "features": {}, "edition": "2024",
                    "manifest_path": format!("/ws/{name}/Cargo.toml")})
            })
            .collect();
        let members: Vec<String> = packages.iter().map(|(name, ..)| id(name)).collect();
        serde_json::from_value(
            serde_json::json!({"packages": listed, "workspace_members": members, "resolve": null,
            "target_directory": "/ws/target", "workspace_root": "/ws", "version": 1}),
        )
        .unwrap()
    }

    #[test]
    fn a_dependency_that_points_the_wrong_way_is_caught() {
        let good = metadata(&[
            ("timing", "MIT OR Apache-2.0", &[("proptest", Some("dev"))]),
            (
                "hub",
                "GPL-3.0-or-later",
                &[("timing", None), ("tokio", None)],
            ),
        ]);
        assert_eq!(direction(&good), Vec::<String>::new());
        for bad in [
            metadata(&[("timing", "", &[("libm", None)])]),
            metadata(&[("timing", "", &[("proto", Some("dev"))])]),
            metadata(&[("proto", "", &[("timing", None)])]),
            metadata(&[("clock-agent", "", &[("hub", Some("dev"))])]),
            metadata(&[("tournament", "", &[("proto", None)])]),
            metadata(&[("durable-log", "", &[("timing", None)])]),
            metadata(&[("hall", "", &[("durable-log", None)])]),
            metadata(&[("hall", "", &[("hub", Some("dev"))])]),
            metadata(&[("newcomer", "", &[])]),
        ] {
            assert_eq!(direction(&bad).len(), 1, "{:?}", direction(&bad));
        }
    }

    #[test]
    fn a_shell_library_under_a_pure_crate_is_caught() {
        let good = metadata(&[
            ("hall", "", &[("tournament", None), ("tokio", Some("dev"))]),
            ("proto", "", &[("tonic-prost-build", Some("build"))]),
            ("hub", "", &[("tokio", None), ("proto", None)]),
        ]);
        assert_eq!(purity(&good), Vec::<String>::new());
        for bad in ["tokio", "sled", "quinn", "tonic", "proto"] {
            let packages = metadata(&[("hall", "", &[(bad, None)])]);
            assert_eq!(purity(&packages).len(), 1, "{bad}");
        }
    }

    #[test]
    fn a_wrong_licence_is_caught() {
        let bad = metadata(&[
            ("timing", "GPL-3.0-or-later", &[]),
            ("hub", "MIT", &[]),
            ("proto", "MIT OR Apache-2.0", &[]),
        ]);
        assert_eq!(licences(&bad).len(), 2);
    }

    #[test]
    fn a_second_tls_provider_is_caught() {
        assert_eq!(tls_provider("name = \"ring\"\n"), Vec::<String>::new());
        assert_eq!(
            tls_provider("name = \"ring\"\nname = \"aws-lc-rs\"\n").len(),
            1
        );
        assert_eq!(tls_provider("name = \"tokio\"\n").len(), 1);
    }
}

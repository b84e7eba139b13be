//! The service files that are shipped with the programs: systemd accepts them, and the programs accept their options and variables.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use std::process::Command;

use tests::rig::program;
use tests::tidy::root;

fn values<'a>(unit: &'a str, name: &str) -> Vec<&'a str> {
    let start = format!("{name}=");
    unit.lines()
        .filter_map(|line| line.strip_prefix(start.as_str()))
        .collect()
}

/// Returns the problems in a unit that starts a program of this project. The check uses the program just built.
fn problems(unit: &str, name: &str) -> Vec<String> {
    let mut problems = Vec::new();
    let starts = values(unit, "ExecStart");
    let [start] = starts[..] else {
        return vec![format!("{} ExecStart lines", starts.len())];
    };
    let words: Vec<&str> = start.split_whitespace().collect();
    let (path, arguments) = (words[0], &words[1..]);
    let Ok(built) = program(path.rsplit('/').next().unwrap()) else {
        return vec![format!("{path} is not a program of this project")];
    };
    // A program checks its other arguments before it handles `--help`.
    let help = Command::new(&built)
        .args(arguments)
        .arg("--help")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&help.stdout).into_owned();
    if !help.status.success() {
        problems.push(format!(
            "{start}: {}",
            String::from_utf8_lossy(&help.stderr)
        ));
    }
    for variable in values(unit, "Environment")
        .into_iter()
        .filter_map(|pair| pair.split('=').next())
    {
        if variable.starts_with("FLAGFALL_") && !text.contains(variable) {
            problems.push(format!("{path} does not read {variable}"));
        }
    }
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join(name);
    std::fs::write(&file, unit.replace(path, &built.to_string_lossy())).unwrap();
    let verdict = Command::new("systemd-analyze")
        .args(["verify", "--man=no"])
        .arg(&file)
        .output();
    let verdict = verdict.expect("systemd-analyze is missing: install Debian's package systemd");
    let said = String::from_utf8_lossy(&verdict.stderr);
    problems.extend(
        said.lines()
            .filter(|line| line.contains(name))
            .map(str::to_owned),
    );
    problems
}

#[test]
fn systemd_and_the_programs_accept_the_units() {
    let mut seen = 0;
    for entry in std::fs::read_dir(root().join("packaging")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|end| end != "service") {
            continue;
        }
        let unit = std::fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        assert_eq!(problems(&unit, &name), Vec::<String>::new(), "{name}");
        seen += 1;
    }
    assert_eq!(seen, 3, "a unit for each program, and one for a gateway");
}

#[test]
fn a_faulty_unit_is_caught() {
    let unit =
        |start: &str, more: &str| format!("[Service]\nType=exec\nExecStart={start}\n{more}\n");
    for (bad, what) in [
        (
            unit("/usr/bin/flagfall serve --data /x --no-such-flag", ""),
            "--no-such-flag",
        ),
        (
            unit(
                "/usr/bin/clock-agent run",
                "Environment=FLAGFALL_AGENT_NO_SUCH=1",
            ),
            "FLAGFALL_AGENT_NO_SUCH",
        ),
        (
            unit("/usr/bin/flagfall serve", "ProtectSistem=strict"),
            "ProtectSistem",
        ),
        (
            unit(
                "/usr/bin/flagfall gateway",
                "Environment=FLAGFALL_GATEWAY_NO_SUCH=1",
            ),
            "FLAGFALL_GATEWAY_NO_SUCH",
        ),
        (
            unit("/usr/bin/something-else", ""),
            "not a program of this project",
        ),
    ] {
        let found = problems(&bad, "bad.service");
        assert!(
            found.iter().any(|problem| problem.contains(what)),
            "{what}: {found:?}"
        );
    }
}

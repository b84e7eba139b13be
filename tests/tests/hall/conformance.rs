//! The conformance kit, run against clocks and hubs. Flagfall's own clock and hub must pass; for a faulty clock or hub, the kit must report the
//! broken rule.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use std::collections::BTreeSet;
use std::process::{Command, Stdio};
use std::time::Duration;

use conformance::clock::{ClockBody, Fault, ScriptedClock, enrol};
use conformance::kit::{Kit, KitOptions, Scenario};
use conformance::operator::{Instruction, OperatorKind};
use conformance::report::{Report, Verdict};
use conformance::rule::{Rule, UNCHECKED};
use tests::rig::{Cli, HubProcess, program};
use tokio::sync::mpsc;

const READY_WITHIN: Duration = Duration::from_secs(20);
const FIRST: [Scenario; 2] = [Scenario::Enrolment, Scenario::Session];

/// Runs the scenarios of [`FIRST`] and these ones against a scripted clock that has these faults. Returns the report and the printed lines.
async fn judged(faults: &[Fault], scenarios: &[Scenario]) -> (Report, String) {
    let (instruct, instructions) = mpsc::unbounded_channel();
    let options = KitOptions {
        listen: ([127, 0, 0, 1], 0).into(),
        host: None,
        operator: OperatorKind::Channel(instruct),
        scenarios: [&FIRST[..], scenarios].concat(),
        vectors: Vec::new(),
    };
    let lines = std::sync::Arc::new(std::sync::Mutex::new(String::new()));
    let kept = lines.clone();
    let print = move |line: &str| {
        let mut lines = kept.lock().unwrap();
        lines.push_str(line);
        lines.push('\n');
    };
    let kit = Kit::open(options, Box::new(print)).unwrap();
    let code = kit.code().clone();
    let hub = format!("{}:{}", code.host, code.port).parse().unwrap();
    let faults = faults.to_vec();
    let clock = tokio::spawn(async move {
        // If the enrolment fails, the kit reports that.
        if let Ok(identity) = enrol(hub, &code, &faults).await {
            let clock = ScriptedClock::start(identity, hub, &faults);
            operate(&clock, instructions).await;
        }
    });
    let report = kit.run().await.unwrap();
    clock.abort();
    let said = lines.lock().unwrap().clone();
    (report, said)
}

async fn operate(clock: &ScriptedClock, mut instructions: mpsc::UnboundedReceiver<Instruction>) {
    while let Some(instruction) = instructions.recv().await {
        let step = move |clock: &mut ClockBody| match instruction {
            Instruction::Press { button, at_us } => {
                clock.press_at(button, at_us.map(|at| at.min(clock.now_us())));
            }
            Instruction::Stop => {
                clock.stop();
            }
            Instruction::Correct { pin, command } => {
                clock.correct("Conformance Arbiter", &pin, &command);
            }
            Instruction::Restart => clock.restart(),
        };
        if clock.act(step).await.is_err() {
            return;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_honest_clock_breaks_no_rule() {
    let all: Vec<Scenario> = Scenario::ALL.iter().copied().skip(FIRST.len()).collect();
    let (report, said) = judged(&[], &all).await;
    assert_eq!(report.broken_rules(), Vec::<Rule>::new(), "{said}");
    let open: Vec<_> = Rule::ALL
        .iter()
        .filter(|rule| !matches!(report.verdicts().get(rule), Some(Verdict::Kept)))
        .collect();
    // Only a hub can keep or break these rules.
    let of_hubs = [Rule::E7, Rule::E8, Rule::E10, Rule::H1];
    assert!(
        open.iter().all(|rule| of_hubs.contains(rule)),
        "{open:?} were not checked: {said}"
    );
}

/// Faults of a clock, each with the scenario that reveals it and the rule that the clock breaks.
const BROKEN: &[(Fault, Scenario, Rule)] = &[
    (Fault::EnrolSignature, Scenario::Session, Rule::E4),
    (Fault::EnrolToken, Scenario::Session, Rule::E3),
    (Fault::EnrolImpatient, Scenario::Session, Rule::E9),
    (Fault::EnrolOtherKey, Scenario::Session, Rule::E9),
    (Fault::NoHello, Scenario::Session, Rule::S1),
    (Fault::HelloVersion, Scenario::Session, Rule::S2),
    (Fault::HelloNoBoot, Scenario::Session, Rule::B2),
    (Fault::HelloLate, Scenario::Resend, Rule::B2),
    (Fault::HelloLinks, Scenario::Resend, Rule::S5),
    (Fault::HelloNextSeq, Scenario::Session, Rule::S3),
    (Fault::EventSignature, Scenario::Orders, Rule::C4),
    (Fault::PrevHash, Scenario::Orders, Rule::C3),
    (Fault::Genesis, Scenario::Orders, Rule::C3),
    (Fault::SkipSeq, Scenario::Orders, Rule::C2),
    (Fault::DecreasingStamp, Scenario::Orders, Rule::C5),
    (Fault::StaleProbe, Scenario::Watermarks, Rule::C6),
    (Fault::NoResend, Scenario::Resend, Rule::S9),
    (Fault::ResendAltered, Scenario::Resend, Rule::C7),
    (Fault::ResendAcked, Scenario::Resend, Rule::C7),
    (Fault::OrderTwice, Scenario::Orders, Rule::O1),
    (Fault::OrderNumber, Scenario::Orders, Rule::O1),
    (Fault::OrderIgnored, Scenario::Orders, Rule::O1),
    (Fault::OrderBackDated, Scenario::Orders, Rule::O2),
    (Fault::WatermarkUnsigned, Scenario::Session, Rule::W1),
    (Fault::WatermarkForged, Scenario::Session, Rule::W1),
    (Fault::WatermarkNone, Scenario::Session, Rule::W4),
    (Fault::WatermarkSeldom, Scenario::Watermarks, Rule::W3),
    (Fault::WatermarkCalm, Scenario::Watermarks, Rule::W3),
    (Fault::WatermarkLate, Scenario::Watermarks, Rule::W4),
    (Fault::WatermarkNoFlag, Scenario::Watermarks, Rule::W5),
    (Fault::WatermarkBroken, Scenario::Orders, Rule::W2),
    (Fault::ProbeSilent, Scenario::Time, Rule::T1),
    (Fault::ProbeNonce, Scenario::Time, Rule::T1),
    (Fault::ProbeOrder, Scenario::Time, Rule::T3),
    (Fault::FastCrystal, Scenario::Watermarks, Rule::B1),
    (Fault::UnknownKind, Scenario::Frames, Rule::F2),
    (Fault::Garbage, Scenario::Frames, Rule::F2),
    (Fault::TooLong, Scenario::Frames, Rule::F2),
    (Fault::UnknownField, Scenario::Frames, Rule::F3),
    (Fault::ZeroIgnored, Scenario::Display, Rule::D5),
    (Fault::ZeroNonce, Scenario::Display, Rule::D5),
    (Fault::ZeroPress, Scenario::Display, Rule::D5),
    (Fault::LabelsCount, Scenario::Display, Rule::D1),
    (Fault::VersionAccepted, Scenario::Version, Rule::S6),
    (Fault::GoodbyeIgnored, Scenario::Goodbye, Rule::S12),
    (Fault::RebaseUnasked, Scenario::Resend, Rule::S8),
    (Fault::RebaseMissing, Scenario::Jump, Rule::S8),
    (Fault::RebaseOther, Scenario::Jump, Rule::S8),
    (Fault::WrongButton, Scenario::Presses, Rule::P2),
    (Fault::CorrectionProof, Scenario::Corrections, Rule::A7),
    (Fault::CorrectionName, Scenario::Corrections, Rule::A8),
    (Fault::SharedSilent, Scenario::Shared, Rule::O8),
    (Fault::JournalForgotten, Scenario::Restart, Rule::S3),
    (Fault::HealthNone, Scenario::Session, Rule::D6),
];

/// Faults in the state of the clock's own board, which only the digests of its events reveal.
const WRONG_BOARDS: &[(Fault, Scenario, Rule)] = &[
    (Fault::AdoptIgnored, Scenario::Commands, Rule::O5),
    (Fault::PauseIgnored, Scenario::Commands, Rule::O4),
    (Fault::WrongIncrement, Scenario::Presses, Rule::P3),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clock_that_breaks_a_rule_fails_with_that_rule() {
    let broken = BROKEN
        .iter()
        .map(|&(fault, scenario, rule)| (fault, vec![scenario], rule));
    let boards = WRONG_BOARDS
        .iter()
        .map(|&(fault, scenario, rule)| (fault, vec![Scenario::Digest, scenario], rule));
    let runs: Vec<_> = broken.chain(boards).collect();
    let mut missed = Vec::new();
    for batch in runs.chunks(14) {
        let mut runs = tokio::task::JoinSet::new();
        for (fault, scenarios, rule) in batch.iter().cloned() {
            let scenarios = if scenarios == [Scenario::Session] {
                Vec::new()
            } else {
                scenarios
            };
            runs.spawn(async move {
                let (report, said) = judged(&[fault], &scenarios).await;
                (fault, rule, report, said)
            });
        }
        while let Some(run) = runs.join_next().await {
            let (fault, rule, report, said) = run.unwrap();
            if !report.broken_rules().contains(&rule) {
                missed.push(format!("{fault:?} breaks {rule}:\n{said}"));
            }
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clock_without_digests_is_not_judged_by_them() {
    let (report, said) = judged(&[Fault::DivergedSilent], &[Scenario::Digest]).await;
    let verdict = report.verdicts().get(&Rule::C11);
    assert!(
        matches!(verdict, Some(Verdict::NotChecked(_))),
        "{verdict:?}: {said}"
    );
    assert_eq!(report.broken_rules(), Vec::<Rule>::new(), "{said}");
}

#[test]
fn the_kit_names_every_rule_of_the_pages() {
    let root = tests::tidy::root();
    let pages: String = ["README.md", "quic.md"]
        .map(|page| std::fs::read_to_string(root.join("proto").join(page)).unwrap())
        .concat();
    // A rule may bind both clocks and hubs; if it is unchecked for both, it is listed twice.
    let unchecked = UNCHECKED.iter().flat_map(|unchecked| unchecked.rules);
    let unchecked: BTreeSet<&str> = unchecked.copied().collect();
    let mut known: Vec<&str> = unchecked.into_iter().collect();
    known.extend(Rule::ALL.iter().map(|rule| rule.id()));
    known.sort_unstable();
    let mut written: Vec<&str> = pages
        .lines()
        .filter_map(|line| line.strip_prefix("| **")?.split_once("** |"))
        .map(|(rule, _)| rule)
        .collect();
    written.sort_unstable();
    assert_eq!(known, written, "the kit's rules and those of the pages");
}

fn conformance(arguments: &[&str]) -> (Option<i32>, String) {
    let done = Command::new(program("flagfall").unwrap())
        .arg("conformance")
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    let errors = String::from_utf8_lossy(&done.stderr);
    (done.status.code(), format!("{said}{errors}"))
}

#[test]
fn our_own_clock_passes_with_every_vector() {
    let state = tempfile::tempdir().unwrap();
    let agent = program("clock-agent").unwrap();
    let clock = format!(
        "exec {} run --code '{{code}}' --state {} --face none --buttons lines --log error",
        agent.display(),
        state.path().display()
    );
    let vectors = std::fs::read_dir(tests::tidy::root().join("tests/vectors")).unwrap();
    let mut vectors: Vec<String> = vectors
        .map(|entry| entry.unwrap().path().display().to_string())
        .filter(|path| path.ends_with(".txt"))
        .collect();
    vectors.sort();
    let mut arguments = vec!["--listen", "127.0.0.1:0", "--clock", &clock, "--vectors"];
    arguments.extend(vectors.iter().map(String::as_str));
    let (code, said) = conformance(&arguments);
    assert_eq!(code, Some(0), "{said}");
    let played = format!("{} vectors were played", vectors.len());
    assert!(said.contains(&played), "{said}");
    assert!(said.contains("none broken"), "{said}");
}

#[test]
fn our_own_hub_passes() {
    let dir = tempfile::tempdir().unwrap();
    let flagfall = program("flagfall").unwrap();
    let mut hub = HubProcess::start(&flagfall, dir.path(), None, &[]).unwrap();
    let at = hub.ready(READY_WITHIN).unwrap();
    let cli = Cli::new(&flagfall, at.listen, dir.path());
    cli.done(&["ctl", "add", "1", "5m+3s"]).unwrap();
    let made = cli.json(&["enrol", "--board", "1"]).unwrap();
    let (code, said) = conformance(&["--hub", made[0]["uri"].as_str().unwrap()]);
    assert_eq!(code, Some(0), "{said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hub_that_admits_any_clock_fails() {
    // The kit's own hub enrols the first clock that asks, whatever token it presents.
    let (instruct, _instructions) = mpsc::unbounded_channel();
    let options = KitOptions {
        listen: ([127, 0, 0, 1], 0).into(),
        host: None,
        operator: OperatorKind::Channel(instruct),
        scenarios: vec![Scenario::Enrolment],
        vectors: Vec::new(),
    };
    let kit = Kit::open(options, Box::new(|_| ())).unwrap();
    let code = kit.code().clone();
    let lines = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let kept = lines.clone();
    let print = move |line: &str| kept.lock().unwrap().push(line.to_owned());
    let judging = conformance::hub::judge(&code, Box::new(print));
    let (judged, report) = tokio::join!(judging, kit.run());
    assert!(judged.is_err(), "that hub enrols one clock only");
    assert!(report.unwrap().broken_rules().contains(&Rule::E3));
    let lines = lines.lock().unwrap();
    assert!(
        lines.iter().any(|line| line.starts_with("WRONG E8")),
        "{lines:?}"
    );
}

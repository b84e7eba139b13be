//! `flagfall conformance`: tests a clock, or a different hub, against the rules of the protocol documents.

use std::net::SocketAddr;
use std::path::PathBuf;

use conformance::kit::{Kit, KitOptions, Scenario};
use conformance::operator::OperatorKind;
use conformance::report::{Report, Verdict};
use conformance::rule::Rule;
use proto::enrolment::EnrolmentCode;

use super::output::{Failure, Result, all_done, print};
use super::serve::runtime;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall conformance --listen 0.0.0.0:7464 --host 192.0.2.7
      print a code; enrol the clock with it, and press its buttons when told to
  flagfall conformance --listen 127.0.0.1:0 --presses ./robot
      the same, with a program that reads the instructions and presses
  flagfall conformance --listen 127.0.0.1:0 --vectors tests/vectors/*.txt \\
      --clock 'clock-agent run --code {code} --state /tmp/state --face none --buttons lines'
      start the clock, restart it, and play every vector
  flagfall conformance --hub 'CODE'
      act as a clock and test a different hub; CODE is that hub's code for one clock and one board

Output lines: ok RULE, WRONG RULE expected …; got …, -- RULE not checked. RULE is a rule's name in proto/README.md or proto/quic.md.
Lines that a program at the buttons reads: press left, press right at 1234567 (the wanted stamp in board time, in microseconds), stop,
correct PIN COMMAND, restart.
Only QUIC is tested: the frames over Bluetooth LE are the same, and proto/ble.md has traces of its link.
Exit codes: 0 no rule was broken, 1 a rule was broken or the test could not be completed, 2 not understood.")]
pub(super) struct Args {
    /// Act as a hub on this UDP address and test one clock
    #[arg(
        long,
        value_name = "ADDRESS:PORT",
        required_unless_present = "hub",
        conflicts_with = "hub"
    )]
    listen: Option<SocketAddr>,
    /// Act as a clock and test the hub that made this code
    #[arg(long, value_name = "CODE")]
    hub: Option<EnrolmentCode>,
    /// The host in the printed code [default: the address of --listen]
    #[arg(long, value_name = "HOST", requires = "listen")]
    host: Option<String>,
    /// A program that presses the clock's buttons and reads one instruction per line [default: a person reads them here]
    #[arg(long, value_name = "COMMAND", requires = "listen")]
    presses: Option<String>,
    /// The clock's own program, which reads the same instructions; {code} becomes the code. A restart kills the program and starts it again
    #[arg(
        long,
        value_name = "COMMAND",
        requires = "listen",
        conflicts_with = "presses"
    )]
    clock: Option<String>,
    /// Scripts of games to play with the clock over the real connection (tests/vectors)
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "listen")]
    vectors: Vec<PathBuf>,
    /// Run these scenarios only, after the enrolment and the first session
    #[arg(long, value_name = "SCENARIO", value_delimiter = ',', value_parser = scenario, requires = "listen")]
    only: Vec<Scenario>,
    /// Leave these scenarios out
    #[arg(long, value_name = "SCENARIO", value_delimiter = ',', value_parser = scenario, requires = "listen")]
    skip: Vec<Scenario>,
}

fn scenario(text: &str) -> Result<Scenario, String> {
    let found = Scenario::ALL.iter().find(|known| known.name() == text);
    found.copied().ok_or_else(|| {
        let names: Vec<&str> = Scenario::ALL.iter().map(|known| known.name()).collect();
        format!("unknown scenario; the scenarios are {}", names.join(", "))
    })
}

pub(super) fn run(args: &Args) -> Result<()> {
    runtime()?.block_on(judge(args))
}

async fn judge(args: &Args) -> Result<()> {
    // If standard output is closed, the lines are dropped, but the exit code still gives the verdict.
    let line = |text: &str| drop(print(text));
    let report = match (&args.hub, args.listen) {
        (Some(code), _) => conformance::hub::judge(code, Box::new(line))
            .await
            .map_err(Failure::failed)?,
        (None, Some(listen)) => {
            let kit = Kit::open(options(args, listen), Box::new(line)).map_err(Failure::failed)?;
            print(format_args!("code  {}", kit.code()))?;
            kit.run().await.map_err(Failure::failed)?
        }
        (None, None) => return Err(Failure::usage("--listen or --hub is missing")),
    };
    sum_up(&report)
}

fn options(args: &Args, listen: SocketAddr) -> KitOptions {
    let first = [Scenario::Enrolment, Scenario::Session];
    let wanted = |scenario: &&Scenario| {
        let chosen = args.only.is_empty() || args.only.contains(scenario);
        first.contains(scenario) || chosen && !args.skip.contains(scenario)
    };
    let operator = match (&args.presses, &args.clock) {
        (Some(program), _) => OperatorKind::Program(program.clone()),
        (None, Some(clock)) => OperatorKind::Clock(clock.clone()),
        (None, None) => OperatorKind::Person,
    };
    KitOptions {
        listen,
        host: args.host.clone(),
        operator,
        scenarios: Scenario::ALL.iter().filter(wanted).copied().collect(),
        vectors: args.vectors.clone(),
    }
}

fn sum_up(report: &Report) -> Result<()> {
    let is_kept = |verdict: &&Verdict| matches!(verdict, Verdict::Kept);
    let kept = report.verdicts().values().filter(is_kept).count();
    let open = report.unchecked_count();
    let wrong: Vec<&str> = report.broken_rules().into_iter().map(Rule::id).collect();
    let broken = match wrong.as_slice() {
        [] => "none broken".to_owned(),
        rules => format!("{} broken: {}", rules.len(), rules.join(", ")),
    };
    print(format_args!(
        "\n{kept} rules kept, {open} not checked, {broken}"
    ))?;
    all_done(wrong.is_empty())
}

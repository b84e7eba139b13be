//! `flagfall event report`: writes the FIDE rating report, or lists what is missing for it.

use serde_json::json;

use super::super::output::{Result, document, failed, print, say, tell};
use tournament::Tournament;
use tournament::formats::draft::export_for_rating;
use tournament::formats::rating_report::{Finding, check};
use tournament::formats::trf::Edition;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall event report --check            list what is missing, with the commands that enter it
  flagfall event report > report.txt       write the report in the form that FIDE's rating server accepts (TRF16)
  flagfall event report --trf26 > report.txt
  flagfall event report --incomplete       write the report although something is missing

Exit codes: 0 complete (remarks may remain), 1 something is missing and nothing was written, 2 not understood.")]
pub(super) struct Args {
    /// A report to read instead of the hub's event; - for standard input
    pub(super) file: Option<String>,
    /// Only list what is missing, and what a rating officer may ask about
    #[arg(long)]
    check: bool,
    /// Write TRF26 instead of TRF16
    #[arg(long, conflicts_with = "check")]
    trf26: bool,
    /// Write the report even if something is missing
    #[arg(long, conflicts_with = "check")]
    incomplete: bool,
}

pub(super) fn run(args: &Args, tournament: &Tournament, as_json: bool) -> Result<()> {
    let findings = check(tournament);
    let missing = findings.iter().filter(|finding| !finding.remark).count();
    if args.check {
        return checked(&findings, missing, as_json);
    }
    if missing > 0 {
        for finding in &findings {
            tell!("{}", shown(finding));
        }
        if !args.incomplete {
            return Err(failed!(
                "the rating report is not written: {} missing; to write it anyway, add --incomplete",
                things(missing)
            ));
        }
    }
    let edition = if args.trf26 {
        Edition::Trf26
    } else {
        Edition::Trf16
    };
    let written = export_for_rating(tournament, edition);
    for lost in &written.lost {
        tell!("not in the report: {lost}");
    }
    document(&written.text)
}

fn checked(findings: &[Finding], missing: usize, as_json: bool) -> Result<()> {
    for finding in findings {
        match as_json {
            true => print(json!({
                "remark": finding.remark, "text": finding.problem.to_string(), "remedy": finding.remedy(),
            }))?,
            false => print(shown(finding))?,
        }
    }
    if missing > 0 {
        return Err(failed!(
            "the rating report is not complete: {} missing",
            things(missing)
        ));
    }
    match (as_json, findings.len()) {
        (true, _) => Ok(()),
        (false, 0) => print("the rating report is complete"),
        (false, 1) => print("the rating report is complete, with one remark"),
        (false, remarks) => say!("the rating report is complete, with {remarks} remarks"),
    }
}

fn things(count: usize) -> String {
    match count {
        1 => "one thing is".to_owned(),
        count => format!("{count} things are"),
    }
}

fn shown(finding: &Finding) -> String {
    let weight = if finding.remark { "remark" } else { "missing" };
    format!("{weight}: {}\n    {}", finding.problem, finding.remedy())
}

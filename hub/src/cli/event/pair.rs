//! `flagfall event pair`: shows the hub's pairing of the next round, and announces it after confirmation.

use proto::grpc::ProposePairingsRequest;
use serde_json::json;

use super::super::client::describe;
use super::super::output::{Result, failed, print, tell};
use super::confirm::Consent;
use super::hub::Hub;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall event pair                the next round; shows it, and asks
  flagfall event pair --all --yes    every round of a round robin, by Berger's table

The hub pairs a round robin itself. A Swiss is paired by the program that pairing_program names in the hub's configuration, from the
results of all previous rounds; with round 1 the players get the numbers of FIDE's initial order. Without such a program, pair with
another one and import its file with `flagfall event import`.")]
pub(super) struct Args {
    /// All remaining rounds of a round robin
    #[arg(long)]
    all: bool,
    /// Pair round 1 of a Swiss with the players' present numbers, not those of FIDE's initial order (C.04.2)
    #[arg(long)]
    keep_numbers: bool,
    #[command(flatten)]
    consent: Consent,
}

pub(super) async fn run(hub: &mut Hub, args: &Args) -> Result<()> {
    let request = ProposePairingsRequest {
        all: args.all,
        keep_numbers: args.keep_numbers,
    };
    let reply = hub.client.propose_pairings(request).await;
    let proposal = reply
        .map_err(|status| failed!("nothing is paired: {}", describe(&status)))?
        .into_inner();
    if hub.json {
        print(json!({
            "by": proposal.by, "words": proposal.words, "remarks": proposal.remarks, "version": proposal.version,
        }))?;
    } else {
        print(&proposal.words)?;
        for remark in &proposal.remarks {
            tell!("{}: {remark}", proposal.by);
        }
    }
    if !args.consent.to("Announce this")? {
        return Ok(());
    }
    let reason = format!("paired by {}", proposal.by);
    hub.apply_proposed(proposal.version, reason, proposal.changes, "announced")
        .await
}

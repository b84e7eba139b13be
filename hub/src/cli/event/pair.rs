//! `flagfall event pair`: shows the pairings that the hub proposes for the next round, and announces them after confirmation.

use proto::grpc::ProposePairingsRequest;
use serde_json::json;

use super::super::client::describe;
use super::super::output::{Result, failed, print, tell};
use super::confirm::Consent;
use super::hub::Hub;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall event pair                show the pairings of the next round, and ask
  flagfall event pair --all --yes    pair every round of a round robin with the Berger table

The hub pairs a round robin itself. For a Swiss it runs the program that pairing_program names in the hub's configuration. Round 1 of a
Swiss also numbers the players in FIDE's initial order. Without such a program, pair elsewhere and import the pairings with
`flagfall event import`.")]
pub(super) struct Args {
    /// Pair all remaining rounds of a round robin
    #[arg(long)]
    all: bool,
    /// Keep the players' current numbers in round 1 of a Swiss, instead of FIDE's initial order (C.04.2)
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
    if !args.consent.to("Announce these pairings")? {
        return Ok(());
    }
    let reason = format!("paired by {}", proposal.by);
    hub.apply_proposed(proposal.version, reason, proposal.changes, "announced")
        .await
}

//! `flagfall event renumber`: assigns pairing numbers by FIDE's initial order or by a drawing of lots. Owns the command line; the hub
//! computes the order.

use proto::grpc::ProposeNumbersRequest;
use serde_json::json;

use super::super::output::{Result, print};
use super::confirm::Consent;
use super::hub::Hub;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall event renumber                          number by rating, title and name (FIDE C.04.2); asks first
  flagfall event renumber --order 3,1,4,2 --yes    assign drawn numbers, in a round robin

Results, byes and teams stay with the players. In a Swiss, `flagfall event pair` renumbers the players when it pairs round 1. Numbers are
fixed once round 4 is paired (FIDE C.04.2), in a round robin once round 1 is paired.")]
pub(super) struct Args {
    /// The current numbers of all players, in the new order; the first player gets number 1
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',')]
    order: Vec<u16>,
    #[command(flatten)]
    consent: Consent,
}

pub(super) async fn run(hub: &mut Hub, args: &Args) -> Result<()> {
    let request = ProposeNumbersRequest {
        order: args.order.iter().map(|no| (*no).into()).collect(),
    };
    let proposal = hub.client.propose_numbers(request).await?.into_inner();
    let version = proposal.version;
    match hub.json {
        true => print(json!({"words": proposal.words, "version": version}))?,
        false => print(&proposal.words)?,
    }
    if proposal.changes.is_empty() || !args.consent.to("Assign these numbers")? {
        return Ok(());
    }
    let reason = "pairing numbers".to_owned();
    hub.apply_proposed(version, reason, proposal.changes, "renumbered")
        .await
}

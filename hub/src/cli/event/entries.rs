//! `flagfall event withdraw`, `return`, `bye` and `remove`: change players' participation. Owns the messages.

use super::super::output::Result;
use super::hub::Hub;
use tournament::fold::MAX_ROUNDS;
use tournament::{Bye, Change, PlayerNo, RoundNo};

pub(super) async fn remove(hub: &mut Hub, player: u16) -> Result<()> {
    let now = hub.now().await?;
    let words = format!(
        "player {player}, {}: removed from the list",
        now.player(player)?.name
    );
    let change = Change::RemovePlayer(PlayerNo(player));
    hub.apply(&now, "", &[change], &words).await
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall event withdraw 12                withdraw player 12 after the current round
  flagfall event withdraw 12 --after 3      withdraw player 12 after round 3
  flagfall event return 12                  let player 12 take part again")]
pub(super) struct WithdrawArgs {
    /// The player's number
    player: u16,
    /// The last round in which the player takes part; 0 if the player never came [default: the round being played, or else the last paired
    /// round]
    #[arg(long, value_name = "ROUND")]
    after: Option<u16>,
    /// Reason for the withdrawal, kept in the log
    #[arg(long, default_value = "")]
    reason: String,
}

pub(super) async fn withdraw(hub: &mut Hub, args: &WithdrawArgs) -> Result<()> {
    let now = hub.now().await?;
    let player = now.player(args.player)?;
    let last = args.after.map(RoundNo).or(now.tournament.current_round());
    let last = last.unwrap_or(RoundNo(0));
    let words = format!(
        "player {}, {}: withdrawn after round {last}",
        player.no, player.name
    );
    let change = Change::Withdraw(player.no, last);
    hub.apply(&now, &args.reason, &[change], &words).await
}

pub(super) async fn back(hub: &mut Hub, player: u16) -> Result<()> {
    let now = hub.now().await?;
    let words = format!("player {player}, {}: plays again", now.player(player)?.name);
    let change = Change::ReturnPlayer(PlayerNo(player));
    hub.apply(&now, "", &[change], &words).await
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall event bye 12 4 half
  flagfall event bye 12 4 none              remove the bye: the player plays after all")]
pub(super) struct ByeArgs {
    /// The player's number
    player: u16,
    /// The round of the bye
    #[arg(value_parser = clap::value_parser!(u16).range(1..=i64::from(MAX_ROUNDS)))]
    round: u16,
    /// The kind of bye
    #[arg(value_enum)]
    bye: Kind,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Kind {
    /// The points of a win
    Full,
    /// The points of a draw
    Half,
    /// No points
    Zero,
    /// A pairing-allocated bye, for the player left without an opponent
    Pairing,
    /// No bye
    None,
}

pub(super) async fn bye(hub: &mut Hub, args: &ByeArgs) -> Result<()> {
    let now = hub.now().await?;
    let player = now.player(args.player)?;
    let bye = match args.bye {
        Kind::Full => Some(Bye::Full),
        Kind::Half => Some(Bye::Half),
        Kind::Zero => Some(Bye::Zero),
        Kind::Pairing => Some(Bye::PairingAllocated),
        Kind::None => None,
    };
    let said = bye.map_or("no bye", Bye::words);
    let words = format!(
        "player {}, {}, round {}: {said}",
        player.no, player.name, args.round
    );
    let change = Change::GrantBye(player.no, RoundNo(args.round), bye);
    hub.apply(&now, "", &[change], &words).await
}

//! `flagfall event enter`, `withdraw`, `return`, `bye`, `remove`: who plays, and when. Owns the words.

use super::super::output::Failure;
use super::hub::Hub;
use super::teams;
use crate::tournament::fold::{LAST_PLAYER, MOST_RATING, MOST_ROUNDS};
use crate::tournament::{Bye, Change, Player, PlayerNo, RoundNo};

/// Enters a player.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall event enter \"Foxtrot, Fay\" --rating 2100 --federation FIN
  flagfall event enter \"Foxtrot, Fay\" --no 6 --rating 2110     player 6 has another rating
  flagfall event enter \"Golf, Gil\" --from 3                    a late arrival: the rounds before are zero-point byes")]
pub(super) struct EnterArgs {
    /// Last, First
    name: String,
    /// His number; one that is taken amends that player [default: the next one]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..=i64::from(LAST_PLAYER)))]
    no: Option<u16>,
    /// The rating with which he enters; 0: he has none
    #[arg(long, value_parser = clap::value_parser!(u16).range(0..=i64::from(MOST_RATING)))]
    rating: Option<u16>,
    /// GM, WIM …
    #[arg(long)]
    title: Option<String>,
    /// Three letters
    #[arg(long, value_name = "CODE")]
    federation: Option<String>,
    /// His FIDE number
    #[arg(long, value_name = "NUMBER")]
    fide_id: Option<u64>,
    /// His first round [default: the next one that is not paired]
    #[arg(long, value_name = "ROUND", value_parser = clap::value_parser!(u16).range(1..=i64::from(MOST_ROUNDS)))]
    from: Option<u16>,
    /// His team, by name or number, in a team event
    #[arg(long)]
    team: Option<String>,
    /// His place in the team's board order [default: behind its last player]
    #[arg(long, value_name = "PLACE", requires = "team", value_parser = clap::value_parser!(u16).range(1..))]
    board: Option<u16>,
}

pub(super) async fn enter(hub: &mut Hub, args: &EnterArgs) -> Result<(), Failure> {
    let now = hub.now().await?;
    let players = now.tournament.players();
    let no = match args.no {
        Some(no) => PlayerNo(no),
        None => PlayerNo(
            players
                .keys()
                .next_back()
                .map_or(1, |last| last.0.saturating_add(1)),
        ),
    };
    let next = now
        .tournament
        .last_round()
        .map_or(RoundNo(1), RoundNo::next);
    let known = players.get(&no);
    let mut player = known.cloned().unwrap_or_else(|| Player {
        enters: next,
        ..Player::new(no, &args.name)
    });
    player.name.clone_from(&args.name);
    if let Some(rating) = args.rating {
        player.rating = Some(rating).filter(|rating| *rating > 0);
    }
    player.fide_id = args.fide_id.or(player.fide_id);
    player.enters = args.from.map_or(player.enters, RoundNo);
    if let Some(title) = &args.title {
        player.title.clone_from(title);
    }
    if let Some(federation) = &args.federation {
        player.federation.clone_from(federation);
    }
    let what = if known.is_some() {
        "amended"
    } else {
        "entered"
    };
    let words = format!("player {no}, {}: {what}", player.name);
    let of_team = match &args.team {
        Some(team) => teams::with_player(&now, &player, team, args.board)?,
        None => Vec::new(),
    };
    let mut changes = vec![Change::EnterPlayer(Box::new(player))];
    changes.extend(of_team);
    hub.apply(Some(now.version), "", &changes, &words).await
}

pub(super) async fn remove(hub: &mut Hub, player: u16) -> Result<(), Failure> {
    let now = hub.now().await?;
    let words = format!(
        "player {player}, {}: off the list",
        now.player(player)?.name
    );
    let change = Change::RemovePlayer(PlayerNo(player));
    hub.apply(Some(now.version), "", &[change], &words).await
}

/// Withdraws a player.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall event withdraw 12                he plays no more rounds after the one being played
  flagfall event withdraw 12 --after 3      round 3 was his last one
  flagfall event return 12                  he plays again")]
pub(super) struct WithdrawArgs {
    /// His number
    player: u16,
    /// The last round in which he takes part; 0: he never came [default: the one being played, or the last one]
    #[arg(long, value_name = "ROUND")]
    after: Option<u16>,
    /// Why
    #[arg(long, default_value = "")]
    reason: String,
}

pub(super) async fn withdraw(hub: &mut Hub, args: &WithdrawArgs) -> Result<(), Failure> {
    let now = hub.now().await?;
    let player = now.player(args.player)?;
    let last = args.after.map(RoundNo).or(now.tournament.present_round());
    let last = last.unwrap_or(RoundNo(0));
    let words = format!(
        "player {}, {}: withdrawn after round {last}",
        player.no, player.name
    );
    let change = Change::Withdraw(player.no, last);
    hub.apply(Some(now.version), &args.reason, &[change], &words)
        .await
}

pub(super) async fn back(hub: &mut Hub, player: u16) -> Result<(), Failure> {
    let now = hub.now().await?;
    let words = format!("player {player}, {}: plays again", now.player(player)?.name);
    let change = Change::Return(PlayerNo(player));
    hub.apply(Some(now.version), "", &[change], &words).await
}

/// Gives a bye.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall event bye 12 4 half
  flagfall event bye 12 4 none              he plays after all")]
pub(super) struct ByeArgs {
    /// The player's number
    player: u16,
    /// The round
    #[arg(value_parser = clap::value_parser!(u16).range(1..=i64::from(MOST_ROUNDS)))]
    round: u16,
    /// What he gets for it
    #[arg(value_enum)]
    bye: Kind,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Kind {
    /// The points of a win
    Full,
    /// The points of a draw
    Half,
    /// Nothing
    Zero,
    /// The bye of whoever is left over by the pairing
    Pairing,
    /// No bye
    None,
}

pub(super) async fn bye(hub: &mut Hub, args: &ByeArgs) -> Result<(), Failure> {
    let now = hub.now().await?;
    let player = now.player(args.player)?;
    let bye = match args.bye {
        Kind::Full => Some(Bye::Full),
        Kind::Half => Some(Bye::Half),
        Kind::Zero => Some(Bye::Zero),
        Kind::Pairing => Some(Bye::PairingAllocated),
        Kind::None => None,
    };
    let said = bye.map_or("no bye".to_owned(), |bye| format!("{} bye", bye.as_str()));
    let words = format!(
        "player {}, {}, round {}: {said}",
        player.no, player.name, args.round
    );
    let change = Change::GrantBye(player.no, RoundNo(args.round), bye);
    hub.apply(Some(now.version), "", &[change], &words).await
}

//! `flagfall event enter`: enters or amends a player by FIDE ID, by name, or by hand. Owns the messages and the choice between listed players;
//! [`super::enter_list`] owns lists of names.

use std::io::{self, IsTerminal as _};

use proto::grpc::{FidePlayer, RateOfPlay, SearchFideListRequest};

use super::super::fide;
use super::super::output::{Result, failed, tell, usage};
use super::confirm::{Consent, ask};
use super::hub::{Hub, Now};
use super::listed::{fill, is_same_name, lookup, search};
use super::{amend, teams};
use tournament::fold::{MAX_PLAYER_NO, MAX_RATING, MAX_ROUNDS};
use tournament::formats::trf::value;
use tournament::{Change, Player, PlayerNo, RoundNo, Sex, TITLES, fide_title};

const OFFERED: u32 = 12;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall event enter 1503014                       enter by FIDE ID: all other data comes from the FIDE list
  flagfall event enter \"Foxtrot, F\"                  choose among the players of the FIDE list with that name
  flagfall event enter \"Foxtrot, Fay\" --by-hand --rating 2100 --federation FIN --sex w --birth 2001
  flagfall event enter --no 6 --fide-id 1500006      set player 6's FIDE ID; missing data comes from the FIDE list
  flagfall event enter \"Foxtrot, Fay\" --no 6 --rating 2110     change player 6's rating
  flagfall event enter \"Golf, Gil\" --from 3          enter a late arrival: earlier rounds are zero-point byes
  flagfall event enter --list names.csv              enter a table: Name, FIDE id, Rating, Title, Federation, Sex, Birth, Club

The rating is the one for the event's rate of play, which follows from its time control. A name that is not in the FIDE list is entered as
written, and so is every name if the hub has no FIDE list (`flagfall fide import FILE`). In a table of names, missing data comes from the
FIDE list if the list has the name exactly once; otherwise the player is entered as written, with a note. An event's first players are
numbered by rating, title and name.")]
pub(super) struct EnterArgs {
    /// The player's name ("Last, First") or FIDE ID
    #[arg(required_unless_present_any = ["no", "fide_id", "list"])]
    name: Option<String>,
    /// Enter all players named in a CSV table; - for standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["name", "no", "rating", "title", "federation", "fide_id", "sex", "birth", "club"])]
    pub(super) list: Option<String>,
    /// The player's number; an existing number amends that player [default: the next number]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..=i64::from(MAX_PLAYER_NO)))]
    no: Option<u16>,
    /// The player's rating at entry; 0 for none
    #[arg(long, value_parser = clap::value_parser!(u16).range(0..=i64::from(MAX_RATING)))]
    rating: Option<u16>,
    /// The player's FIDE title, such as GM or WIM, or none
    #[arg(long, value_parser = title)]
    title: Option<String>,
    /// The player's federation, as FIDE's three-letter code
    #[arg(long, value_name = "CODE")]
    federation: Option<String>,
    /// The player's FIDE ID
    #[arg(long, value_name = "NUMBER")]
    fide_id: Option<u64>,
    /// The player's sex: m or w
    #[arg(long, value_enum)]
    sex: Option<SexName>,
    /// The year or date of birth, such as 1990 or 1990-04-30
    #[arg(long, value_name = "DAY", value_parser = birth)]
    birth: Option<String>,
    /// The player's club
    #[arg(long)]
    club: Option<String>,
    /// The first round in which the player takes part [default: the next unpaired round]
    #[arg(long, value_name = "ROUND", value_parser = clap::value_parser!(u16).range(1..=i64::from(MAX_ROUNDS)))]
    pub(super) from: Option<u16>,
    /// The player's team, by name or number, in a team event
    #[arg(long, conflicts_with = "list")]
    team: Option<String>,
    /// The player's place in the team's board order [default: the last]
    #[arg(long, value_name = "PLACE", requires = "team", value_parser = clap::value_parser!(u16).range(1..))]
    board: Option<u16>,
    /// Enter the data exactly as given, without the FIDE list
    #[arg(long)]
    pub(super) by_hand: bool,
    #[command(flatten)]
    pub(super) consent: Consent,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum SexName {
    M,
    #[value(alias = "f")]
    W,
}

pub(super) fn sex_letter(sex: Sex) -> &'static str {
    match sex {
        Sex::Male => "m",
        Sex::Female => "w",
    }
}

fn title(text: &str) -> Result<String, String> {
    match (text, fide_title(text)) {
        (_, Some(title)) => Ok(title.to_owned()),
        ("none" | "", None) => Ok(String::new()),
        (_, None) => Err(format!(
            "unknown title: write {} or none",
            TITLES.join(", ")
        )),
    }
}

fn birth(text: &str) -> Result<String, String> {
    match value::Date::read(text.trim()) {
        Ok(Some(date)) => Ok(date.known()),
        Ok(None) => Ok(String::new()),
        Err(value::InvalidDate) => {
            Err("write a year or a date, such as 1990 or 1990-04-30".to_owned())
        }
    }
}

pub(super) async fn enter(hub: &mut Hub, args: &EnterArgs) -> Result<()> {
    let now = hub.now().await?;
    let no = PlayerNo(args.no.unwrap_or_else(|| next_number(&now)));
    let known = now.tournament.players().get(&no);
    let found = from_list(hub, args, known).await?;
    let name = args
        .name
        .as_deref()
        .filter(|name| fide_number(name).is_none());
    let mut player = match known {
        Some(known) => known.clone(),
        None => Player {
            enters: now.next_round(),
            ..Player::new(no, "")
        },
    };
    if let Some((listed, rate)) = &found {
        fill(&mut player, listed, *rate);
    }
    // The typed name was only a search term, so keep the list's spelling.
    let led_to_it = found.as_ref().is_some_and(|_| args.fide_id.is_none());
    if let Some(name) = name.filter(|_| !led_to_it) {
        name.clone_into(&mut player.name);
    }
    if player.name.is_empty() {
        return Err(usage!(
            "there is no player {no}: give a name to enter a new player"
        ));
    }
    args.override_in(&mut player);
    let what = if known.is_some() {
        "amended"
    } else {
        "entered"
    };
    let team = args.team.as_deref();
    let team = team.map(|team| teams::named(&now.tournament, team));
    let team = team.transpose()?;
    let of_team = team.map_or(String::new(), |team| format!(", team {}", team.name));
    let words = format!("player {no}, {}: {what}{of_team}", player.name);
    if args.consent.dry_run {
        return super::super::output::print(format_args!("{words} (not done)"));
    }
    let joined = team.map(|team| teams::with_player(&now, &player, team, args.board));
    let mut changes = vec![Change::EnterPlayer(Box::new(player))];
    changes.extend(joined.into_iter().flatten());
    hub.apply(&now, "", &changes, &words).await
}

pub(super) fn next_number(now: &Now) -> u16 {
    let last = now.tournament.players().keys().next_back();
    last.map_or(1, |last| last.0.saturating_add(1))
}

fn fide_number(name: &str) -> Option<u64> {
    let name = name.trim();
    let digits = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
    if digits { name.parse().ok() } else { None }
}

impl EnterArgs {
    fn override_in(&self, player: &mut Player) {
        if let Some(rating) = self.rating {
            player.rating = Some(rating).filter(|rating| *rating > 0);
        }
        amend([
            (&self.title, &mut player.title),
            (&self.federation, &mut player.federation),
            (&self.birth, &mut player.birth),
            (&self.club, &mut player.club),
        ]);
        player.fide_id = self.fide_id.or(player.fide_id);
        player.sex = match self.sex {
            Some(SexName::M) => Some(Sex::Male),
            Some(SexName::W) => Some(Sex::Female),
            None => player.sex,
        };
        player.enters = self.from.map_or(player.enters, RoundNo);
    }
}

/// Returns the matching player of the FIDE list, if any; asks the user about matches by name.
async fn from_list(
    hub: &mut Hub,
    args: &EnterArgs,
    known: Option<&Player>,
) -> Result<Option<(FidePlayer, RateOfPlay)>> {
    let by_number = args.name.as_deref().and_then(fide_number);
    if let Some(id) = by_number.or(args.fide_id).filter(|_| !args.by_hand) {
        let needed = by_number.is_some() || (args.name.is_none() && known.is_none());
        let (mut players, rate) = match lookup(hub, vec![id]).await? {
            Some(found) => found,
            None if needed => return Err(fide::no_list()),
            None => return Ok(None),
        };
        if players.is_empty() && needed {
            return Err(failed!(
                "the FIDE list has no player {id}: import a newer list, or enter the player by name: \
                 flagfall event enter \"Last, First\" --fide-id {id}"
            ));
        }
        return Ok(players.pop().map(|player| (player, rate)));
    }
    let Some(name) = args
        .name
        .as_deref()
        .filter(|_| known.is_none() && !args.by_hand)
    else {
        return Ok(None);
    };
    let request = SearchFideListRequest {
        text: name.to_owned(),
        federation: args.federation.clone().unwrap_or_default(),
        limit: OFFERED,
        ..SearchFideListRequest::default()
    };
    let Some((players, rate)) = search(hub, request).await? else {
        return Ok(None);
    };
    if players.is_empty() {
        tell!("{name} is not in the FIDE list: entered as written");
        return Ok(None);
    }
    let chosen = choose(name, players, args.consent)?;
    Ok(chosen.map(|player| (player, rate)))
}

/// Asks which listed player is meant. With `--yes`, does not ask: accepts the only match if it has the same name, and otherwise fails. Returns
/// `None` if the user chooses to enter the name as typed.
fn choose(name: &str, players: Vec<FidePlayer>, consent: Consent) -> Result<Option<FidePlayer>> {
    let same = |player: &&FidePlayer| is_same_name(name, &player.name);
    if consent.yes && players.len() == 1 && players.iter().any(|player| same(&player)) {
        return Ok(players.into_iter().next());
    }
    tell!("{}", fide::table(&players, true));
    if !io::stdin().is_terminal() || consent.yes || consent.dry_run {
        let first = players.first().map_or(0, |player| player.fide_id);
        return Err(failed!(
            "nothing was changed: the FIDE list has {} for {name}; choose one by FIDE ID, as in \
             `flagfall event enter {first}`, or add --by-hand to enter the name as written",
            match players.len() {
                1 => "1 player".to_owned(),
                count => format!("{count} players"),
            }
        ));
    }
    let question = format!(
        "Which player? 1 to {}, or 0 for {name} as written: ",
        players.len()
    );
    let said = ask(&question).and_then(|said| said.parse::<usize>().ok());
    match said {
        Some(0) => Ok(None),
        Some(number) if number <= players.len() => Ok(players.into_iter().nth(number - 1)),
        Some(_) | None => Err(failed!("nothing was changed")),
    }
}

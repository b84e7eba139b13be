//! `flagfall event new` and `set`: create an event, or change its data. Owns the command line; `tournament` decides which events are valid.

use super::super::ctl::args::Side as SideName;
use super::super::output::{Failure, Result, counted, failed, usage};
use super::amend;
use super::hub::Hub;
use laws::RuleSet;
use tournament::fold::{MAX_BOARDS, MAX_RATING, MAX_ROUNDS};
use tournament::formats::fault::shell_word;
use tournament::{BoardNo, Change, Contest, Date, Event, RoundNo, Sector, Side, System, TieBreak};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall event new \"Harbour Cup\" --rounds 7 --tie-breaks BH/C1,BH,SB --first-colour white
  flagfall event new \"Club Championship\" --system round-robin --rounds 9
  flagfall event new \"League\" --teams 8 --system round-robin --rounds 7
  flagfall event new \"Team Cup\" --teams 4 --rounds 5 --first-colour white
  flagfall event new \"Spring Open\" --rounds 7 --set-aside \"Winter Open\"     set the current event aside; `flagfall event switch` returns to it")]
pub(super) struct NewArgs {
    /// The event's name
    name: String,
    /// The exact name of the current event, to set it aside with everything in it
    #[arg(long, value_name = "NAME")]
    set_aside: Option<String>,
    #[command(flatten)]
    data: Data,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall event set --first-colour black
  flagfall event set --tie-breaks DE,SB,KS
  flagfall event set --tie-breaks none
  flagfall event set --computed-places                           ignore the places stated by an imported file
  flagfall event set --sector gallery=41-60 --sector hall=1-40
  flagfall event set --sector-control gallery=25m+10s        set a time control for the boards of a sector
  flagfall event set --city Narvik --federation NOR --starts 2026-11-20 --ends 2026-11-22
  flagfall event set --round-date 1=2026-11-20 --round-date 2=2026-11-21
  flagfall event set --chief-arbiter \"IA Doe, Jane (1500001)\" --deputy \"FA Roe, Max (1500002)\"
  flagfall event set --time-control-code 5400+30
  flagfall event set --rules uscf --round-rules 9=fide-blitz     set the rule set for all rounds, and a different one for round 9
  flagfall event set --rounds 9 --reason \"decided at the players' meeting\"")]
pub(super) struct SetArgs {
    /// The new name
    #[arg(long)]
    name: Option<String>,
    #[command(flatten)]
    data: Data,
    /// Compute the places, even if an imported file states different places
    #[arg(long)]
    computed_places: bool,
    /// Reason for the change, kept in the log
    #[arg(long, default_value = "")]
    reason: String,
}

#[derive(Debug, clap::Args)]
struct Data {
    /// The number of rounds [default for a new event: 1]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=i64::from(MAX_ROUNDS)))]
    rounds: Option<u16>,
    /// The pairing system
    #[arg(long, value_enum)]
    system: Option<SystemName>,
    /// Make this a team event, with this many boards per team
    #[arg(long, value_name = "BOARDS", value_parser = clap::value_parser!(u16).range(1..=i64::from(MAX_BOARDS)))]
    teams: Option<u16>,
    /// The tie-breaks in order, as TRF26 writes them: BH/C1,BH,SB,DE; or none
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = tie_break)]
    tie_breaks: Vec<Option<TieBreak>>,
    /// The colour drawn for the first player in round 1
    #[arg(long, value_enum, value_name = "COLOUR")]
    first_colour: Option<SideName>,
    /// The first day, such as 2026-11-20; it decides which edition of the tie-break regulations applies
    #[arg(long, value_name = "DAY", value_parser = day)]
    starts: Option<Date>,
    /// The last day, such as 2026-11-22
    #[arg(long, value_name = "DAY", value_parser = day)]
    ends: Option<Date>,
    /// The city where the event takes place
    #[arg(long)]
    city: Option<String>,
    /// The federation, as FIDE's three-letter code
    #[arg(long, value_name = "CODE")]
    federation: Option<String>,
    /// The date of a round, such as 1=2026-11-20; ROUND= removes it
    #[arg(long, value_name = "ROUND=DAY", value_parser = round_date)]
    round_date: Vec<(RoundNo, Option<Date>)>,
    /// The chief arbiter with title and FIDE ID: "IA Last, First (1500001)"
    #[arg(long, value_name = "NAME")]
    chief_arbiter: Option<String>,
    /// A deputy chief arbiter; repeat for more. Replaces all earlier deputies; `none` removes them
    #[arg(long, value_name = "NAME")]
    deputy: Vec<String>,
    /// The rule set of every game (see `flagfall ctl rules`); `none` for the rule set of the time control
    #[arg(long, value_name = "KEY", value_parser = rules)]
    rules: Option<Rules>,
    /// The rule set of a round's games, such as 9=fide-blitz; ROUND= removes it
    #[arg(long, value_name = "ROUND=KEY", value_parser = round_rules)]
    round_rules: Vec<(RoundNo, Rules)>,
    /// The time control as free text, for the report
    #[arg(long, value_name = "TEXT")]
    time_control: Option<String>,
    /// The time control as a TRF26 code, such as 5400+30
    #[arg(long, value_name = "CODE")]
    time_control_code: Option<String>,
    /// The tournament type as free text, for the report [default: from the pairing system, such as "Individual: Swiss-System"]
    #[arg(long, value_name = "TEXT")]
    type_text: Option<String>,
    /// The pairing system as a TRF26 code, such as FIDE_DUTCH_2025
    #[arg(long = "type", value_name = "CODE")]
    type_code: Option<String>,
    /// The rating that rating tie-breaks use for an unrated player
    #[arg(long, value_name = "RATING", value_parser = clap::value_parser!(u16).range(0..=i64::from(MAX_RATING)))]
    unrated_as: Option<u16>,
    /// A sector of the hall with its boards, such as gallery=41-60; NAME= removes it
    #[arg(long, value_name = "NAME=FROM-TO", value_parser = sector)]
    sector: Vec<(String, Option<(BoardNo, BoardNo)>)>,
    /// The time control of a sector, such as gallery=25m+10s, or a preset's name; NAME= for the event's time control
    #[arg(long, value_name = "NAME=CONTROL", value_parser = sector_control)]
    sector_control: Vec<(String, String)>,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum SystemName {
    Swiss,
    RoundRobin,
    DoubleRoundRobin,
}

pub(super) fn tie_break(text: &str) -> Result<Option<TieBreak>, String> {
    match text {
        "none" => Ok(None),
        text => TieBreak::parse(text).map(Some),
    }
}

pub(super) fn listed(given: &[Option<TieBreak>]) -> Result<Option<Vec<TieBreak>>> {
    match given {
        [] => Ok(None),
        [None] => Ok(Some(Vec::new())),
        list => match list.iter().copied().collect() {
            Some(list) => Ok(Some(list)),
            None => Err(usage!(
                "--tie-breaks: `none` empties the list and cannot be combined with tie-breaks"
            )),
        },
    }
}

fn day(text: &str) -> Result<Date, String> {
    Date::parse(text).ok_or_else(|| "write a date such as 2026-11-20".to_owned())
}

fn pair<'t>(text: &'t str, wrong: &str) -> Result<(&'t str, &'t str), String> {
    let (name, value) = text.split_once('=').ok_or(wrong)?;
    match name.trim() {
        "" => Err(wrong.to_owned()),
        name => Ok((name, value.trim())),
    }
}

fn round_date(text: &str) -> Result<(RoundNo, Option<Date>), String> {
    let wrong = "write a round's date as ROUND=DAY, such as 1=2026-11-20";
    let (round, date) = pair(text, wrong)?;
    let round = round.parse::<u16>().ok().filter(|round| *round > 0);
    let round = RoundNo(round.ok_or(wrong)?);
    match date {
        "" => Ok((round, None)),
        date => Ok((round, Some(day(date)?))),
    }
}

fn sector(text: &str) -> Result<(String, Option<(BoardNo, BoardNo)>), String> {
    let wrong = "write a sector as NAME=FROM-TO, such as gallery=41-60";
    let (name, boards) = pair(text, wrong)?;
    if boards.is_empty() {
        return Ok((name.to_owned(), None));
    }
    let (from, to) = boards.split_once('-').unwrap_or((boards, boards));
    let number = |text: &str| text.trim().parse::<u16>().ok().filter(|board| *board > 0);
    match (number(from), number(to)) {
        (Some(from), Some(to)) if from <= to => {
            Ok((name.to_owned(), Some((BoardNo(from), BoardNo(to)))))
        }
        _ => Err(wrong.to_owned()),
    }
}

/// The key of a rule set, or an empty string for `none` or an empty value.
#[derive(Clone, Debug)]
struct Rules(String);

fn rules(text: &str) -> Result<Rules, String> {
    match text {
        "none" | "" => Ok(Rules(String::new())),
        key if RuleSet::find(key).is_some() => Ok(Rules(key.to_owned())),
        key => Err(format!(
            "there is no rule set {key:?}; `flagfall ctl rules` lists the rule sets"
        )),
    }
}

fn round_rules(text: &str) -> Result<(RoundNo, Rules), String> {
    let wrong = "write a round's rule set as ROUND=KEY, such as 9=fide-blitz";
    let (round, key) = pair(text, wrong)?;
    let round = round.parse().ok().filter(|round| *round > 0);
    Ok((RoundNo(round.ok_or(wrong)?), rules(key)?))
}

fn sector_control(text: &str) -> Result<(String, String), String> {
    let wrong = "write a sector's time control as NAME=CONTROL, such as gallery=25m+10s";
    let (name, control) = pair(text, wrong)?;
    Ok((name.to_owned(), control.to_owned()))
}

fn has_round(event: &Event, option: &str, round: RoundNo) -> Result<()> {
    let rounds = event.rounds;
    match round.0 <= rounds {
        true => Ok(()),
        false => Err(usage!(
            "{option} {round}: the event has {}",
            counted(rounds, "round")
        )),
    }
}

impl Data {
    fn amend(&self, event: &mut Event) -> Result<()> {
        event.rounds = self.rounds.unwrap_or(event.rounds);
        if let Some(system) = self.system {
            event.system = match system {
                SystemName::Swiss => System::Swiss,
                SystemName::RoundRobin => System::RoundRobin { cycles: 1 },
                SystemName::DoubleRoundRobin => System::RoundRobin { cycles: 2 },
            };
        }
        if let Some(boards) = self.teams {
            event.contest = Contest::Teams { boards };
        }
        if let Some(list) = listed(&self.tie_breaks)? {
            event.tie_breaks = list;
        }
        if let Some(colour) = self.first_colour {
            event.initial_colour = Some(match colour {
                SideName::White => Side::White,
                SideName::Black => Side::Black,
            });
        }
        event.starts = self.starts.or(event.starts);
        event.ends = self.ends.or(event.ends);
        event.unrated_as = self.unrated_as.or(event.unrated_as);
        amend([
            (&self.city, &mut event.city),
            (&self.federation, &mut event.federation),
            (&self.chief_arbiter, &mut event.chief_arbiter),
            (&self.time_control, &mut event.time_control),
            (&self.time_control_code, &mut event.time_control_code),
            (&self.type_text, &mut event.type_text),
            (&self.type_code, &mut event.type_code),
        ]);
        for (round, day) in &self.round_date {
            has_round(event, "--round-date", *round)?;
            match day {
                Some(day) => event.round_dates.insert(*round, *day),
                None => event.round_dates.remove(round),
            };
        }
        if let Some(rules) = &self.rules {
            event.rules.clone_from(&rules.0);
        }
        for (round, rules) in &self.round_rules {
            has_round(event, "--round-rules", *round)?;
            match rules.0.as_str() {
                "" => event.round_rules.remove(round),
                key => event.round_rules.insert(*round, key.to_owned()),
            };
        }
        match self.deputy.as_slice() {
            [] => (),
            [none] if none == "none" => event.deputies.clear(),
            deputies => event.deputies = deputies.to_vec(),
        }
        self.amend_sectors(event)
    }

    fn amend_sectors(&self, event: &mut Event) -> Result<()> {
        for (name, boards) in &self.sector {
            let Some((from, to)) = *boards else {
                event.sectors.remove(name);
                continue;
            };
            let sector = event.sectors.entry(name.clone());
            let sector = sector.or_insert_with(|| Sector::new(from, to));
            (sector.from, sector.to) = (from, to);
        }
        for (name, control) in &self.sector_control {
            let Some(sector) = event.sectors.get_mut(name) else {
                let words = format!(
                    "there is no sector {name}: define its boards with --sector {name}=FROM-TO"
                );
                return Err(Failure::Usage(words));
            };
            sector.control.clone_from(control);
        }
        Ok(())
    }
}

pub(super) async fn new(hub: &mut Hub, args: &NewArgs) -> Result<()> {
    if let (Some(now), None) = (hub.now_if_any().await?, &args.set_aside) {
        let present = &now.tournament.event().name;
        return Err(failed!(
            "the hub already has an event, {present}: `flagfall event set` amends its data; to set it aside and begin a new one, add --set-aside {}",
            shell_word(present)
        ));
    }
    let mut event = Event::new(&args.name, 1);
    args.data.amend(&mut event)?;
    let teams = matches!(event.contest, Contest::Teams { .. });
    if teams && event.system == System::Swiss && event.type_code.is_empty() {
        // The hub pairs a team Swiss by the Dutch rules. This is not one of FIDE's team systems, so its type is custom.
        event.type_code = "CUSTOM_SWISS".to_owned();
    }
    let next = match teams {
        true => ": `flagfall event team NAME` enters its teams",
        false => "",
    };
    let words = format!("{}: a new event{next}", event.name);
    let changes = [Change::SetEvent(Box::new(event))];
    hub.begin(args.set_aside.as_ref(), &changes, &words).await
}

pub(super) async fn set(hub: &mut Hub, args: &SetArgs) -> Result<()> {
    let now = hub.now().await?;
    let mut event = now.tournament.event().clone();
    if let Some(name) = &args.name {
        event.name.clone_from(name);
    }
    args.data.amend(&mut event)?;
    let mut changes = Vec::new();
    if args.computed_places {
        changes.push(Change::StateStandings(None));
    }
    if event == *now.tournament.event() && changes.is_empty() {
        return Err(usage!("nothing to amend: name a field, such as --rounds 9"));
    }
    let words = format!("{}: amended", event.name);
    if event != *now.tournament.event() {
        changes.push(Change::SetEvent(Box::new(event)));
    }
    hub.apply(&now, &args.reason, &changes, &words).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rounds_date_is_set_or_removed() {
        let on = Date::new(2026, 11, 20);
        assert_eq!(round_date("1=2026-11-20"), Ok((RoundNo(1), on)));
        assert_eq!(round_date("12 ="), Ok((RoundNo(12), None)));
        for wrong in ["1", "0=2026-11-20", "a=2026-11-20", "1=2026-13-20"] {
            assert!(round_date(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_sector_is_a_range_of_boards() {
        let boards = |from, to| Some((BoardNo(from), BoardNo(to)));
        assert_eq!(sector("hall=1-40"), Ok(("hall".to_owned(), boards(1, 40))));
        assert_eq!(sector("top = 1"), Ok(("top".to_owned(), boards(1, 1))));
        assert_eq!(sector("hall="), Ok(("hall".to_owned(), None)));
        for wrong in ["hall", "=1-4", "hall=4-1", "hall=0-4", "hall=a-b"] {
            assert!(sector(wrong).is_err(), "{wrong}");
        }
    }
}

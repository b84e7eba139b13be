//! `flagfall fide`: the hub's copy of FIDE's rating list. Owns the chunked upload and the table of players.

use std::fs::File;
use std::io::Read as _;

use proto::event::Sex;
use proto::grpc::{
    FideList, FidePlayer, GetFideListStatusRequest, ImportFideListRequest, RateOfPlay,
    SearchFideListRequest,
};
use proto::refusal::RefusalCode;
use serde_json::json;
use tonic::Code;

use super::client::{EventClient, HubOptions, answer, connect_to_event, refused_file};
use super::output::{
    Failure, Result, Table, changed, counted, failed, init_messages, print, say, tell,
    unless_empty, word_of,
};
use crate::api::messages::text;

const CHUNK_BYTES: u64 = 2 << 20;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall fide import players_list.zip             import the list of ratings.fide.com: XML or TXT, zipped or not
  flagfall fide status                              show which list the hub has
  flagfall fide search \"carlsen m\"                  search by beginnings of words, in any order
  flagfall fide search carl --federation NOR
  flagfall fide search 1503014

Download the combined list (standard, rapid, blitz): a list of one rate of play has only the ratings for that rate.")]
pub(super) struct Args {
    #[command(flatten)]
    hub: HubOptions,
    /// Print one JSON object per line, for programs
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Import a file downloaded from ratings.fide.com; it replaces the current list
    Import {
        /// The file: players_list.zip, players_list_xml_foa.xml, standard_rating_list.txt …
        file: String,
        /// Accept a list with fewer than half as many players as the current list
        #[arg(long)]
        force: bool,
    },
    /// Search players by name or FIDE ID
    Search {
        /// The first letters of words in the name, or the first digits of the FIDE ID
        #[arg(required = true)]
        text: Vec<String>,
        /// Only players of this federation
        #[arg(long, value_name = "CODE", default_value = "")]
        federation: String,
        /// Maximum number of players to list
        #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100))]
        limit: u32,
    },
    /// Show which list the hub has
    Status,
}

pub(super) fn run(args: Args) -> Result<()> {
    init_messages("warn");
    super::serve::runtime()?.block_on(act(args))
}

async fn act(args: Args) -> Result<()> {
    let Args { hub, json, command } = args;
    let connect = async || Ok::<_, Failure>(connect_to_event(&hub).await?.0);
    match command {
        Command::Import { file: path, force } => {
            // Open the file first, so that a missing file is reported before the hub is contacted.
            let file = File::open(&path);
            let file = file.map_err(|error| failed!("cannot read {path}: {error}"))?;
            import(&mut connect().await?, &path, file, force, json).await
        }
        Command::Search {
            text,
            federation,
            limit,
        } => {
            let request = SearchFideListRequest {
                text: text.join(" "),
                federation,
                limit,
                ..SearchFideListRequest::default()
            };
            search(&mut connect().await?, request, json).await
        }
        Command::Status => status(&mut connect().await?, json).await,
    }
}

async fn import(
    client: &mut EventClient,
    path: &str,
    mut file: File,
    force: bool,
    json: bool,
) -> Result<()> {
    let upload = crate::identity::random::<16>().map_err(Failure::failed)?;
    let file_name = path.rsplit('/').next().unwrap_or(path).to_owned();
    let mut offset = 0;
    loop {
        let mut content = Vec::new();
        let read = file.by_ref().take(CHUNK_BYTES).read_to_end(&mut content);
        read.map_err(|error| failed!("cannot read {path}: {error}"))?;
        let length = u64::try_from(content.len()).unwrap_or(u64::MAX);
        let last = length < CHUNK_BYTES;
        let request = ImportFideListRequest {
            upload: upload.to_vec(),
            file_name: file_name.clone(),
            offset,
            content,
            last,
            force,
        };
        let reply = client.import_fide_list(request).await;
        let words = format!("{file_name} is not imported");
        let reply = reply.map_err(|status| refused_file(&words, &status))?;
        if last {
            let list = reply.into_inner().list.unwrap_or_default();
            return changed(show(&list, json));
        }
        offset += length;
    }
}

async fn search(
    client: &mut EventClient,
    request: SearchFideListRequest,
    json: bool,
) -> Result<()> {
    let sought = request.text.clone();
    let players = client.search_fide_list(request).await?.into_inner().players;
    if players.is_empty() && !json {
        return Err(failed!("the FIDE list has no player {sought}"));
    }
    if json {
        return players.iter().try_for_each(|player| print(as_json(player)));
    }
    print(table(&players, false))
}

async fn status(client: &mut EventClient, json: bool) -> Result<()> {
    let request = GetFideListStatusRequest {};
    let status = answer(client.get_fide_list_status(request).await)?;
    if status.importing {
        tell!("a FIDE list is being imported");
    }
    match status.list {
        Some(list) => show(&list, json),
        None => Err(no_list()),
    }
}

fn show(list: &FideList, json: bool) -> Result<()> {
    if json {
        return print(json!({
            "file": list.file_name, "month": list.month, "dated": list.dated, "only": rate_word(list.only()),
            "players": list.players, "unreadable": list.unreadable,
            "faults": list.faults.iter().map(|fault| json!({"line": fault.line, "text": fault.text})).collect::<Vec<_>>(),
        }));
    }
    let month = match (list.month.as_str(), list.dated.as_str()) {
        ("", "") => "of an unknown month".to_owned(),
        ("", dated) => format!("with a file dated {dated}"),
        (month, _) => format!("of {month}"),
    };
    let only = unless_empty(&rate_word(list.only()), |rate| {
        format!(", {rate} ratings only")
    });
    say!(
        "FIDE list {month}: {}{only} (from {})",
        counted(list.players, "player"),
        list.file_name
    )?;
    for fault in &list.faults {
        tell!("line {}: {}", fault.line, fault.text);
    }
    let shown = u64::try_from(list.faults.len()).unwrap_or(0);
    if list.unreadable > shown {
        let more = list.unreadable - shown;
        tell!("{} could not be read", counted(more, "more line"));
    }
    Ok(())
}

fn rate_word(rate: RateOfPlay) -> String {
    let rated = rate != RateOfPlay::Unspecified;
    text(rated.then(|| word_of(rate.as_str_name(), "RATE_OF_PLAY_")))
}

fn sex_letter(player: &FidePlayer) -> &'static str {
    match player.sex() {
        Sex::Unspecified => "",
        Sex::Male => "m",
        Sex::Female => "w",
    }
}

fn as_json(player: &FidePlayer) -> serde_json::Value {
    json!({
        "fide_id": player.fide_id, "name": player.name, "federation": player.federation, "title": player.title,
        "sex": sex_letter(player), "standard": player.standard, "rapid": player.rapid, "blitz": player.blitz,
        "birth_year": player.birth_year, "inactive": player.inactive,
    })
}

pub(super) fn table(players: &[FidePlayer], numbered: bool) -> String {
    let rows: Vec<(u32, &FidePlayer)> = (1..).zip(players).collect();
    Table::of(&rows)
        .right("", |(no, _)| text(numbered.then_some(*no)))
        .right("FIDE ID", |(_, player)| player.fide_id.to_string())
        .left("TITLE", |(_, player)| player.title.clone())
        .left("NAME", |(_, player)| player.name.clone())
        .left("FED", |(_, player)| player.federation.clone())
        .left("SEX", |(_, player)| sex_letter(player).to_owned())
        .right("STD", |(_, player)| text(player.standard))
        .right("RAPID", |(_, player)| text(player.rapid))
        .right("BLITZ", |(_, player)| text(player.blitz))
        .right("BORN", |(_, player)| {
            text(Some(player.birth_year).filter(|year| *year > 0))
        })
        .left("", |(_, player)| {
            if player.inactive { "inactive" } else { "" }.to_owned()
        })
        .to_string()
}

pub(super) fn no_list() -> Failure {
    failed!(
        "the hub has no FIDE list: download one from ratings.fide.com and import it with `flagfall fide import FILE`"
    )
}

pub(super) fn is_no_list(status: &tonic::Status) -> bool {
    status.code() == Code::FailedPrecondition
        && crate::api::refusal_code(status) == RefusalCode::NoFideList
}

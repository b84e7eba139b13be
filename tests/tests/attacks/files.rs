//! Hostile files: reports, tables and rating lists with absurd content, and tricks with the watched folder.

use std::io::Read as _;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use proto::grpc::{
    ExportFormat, ExportRequest, ImportFideListRequest, ImportReply, ImportRequest,
    ListNewsRequest, import_request::Source,
};
use tests::attack::{Attack, Hall};
use tests::rig::zip_file;
use tonic::Code;

use super::{Run, attacks};

pub(crate) const FILES: &[Attack<Run>] = attacks![
    "report of noise", "a file for the import", "refused" => noise_report;
    "report with escapes in a name", "a file for the import", "refused or shown without them" => escapes;
    "report with a text direction mark", "a file for the import", "refused or shown without it" => direction_mark;
    "report with a billion rounds", "a file for the import", "read without them, no memory taken" => absurd_rounds;
    "report with a line of 3 MiB", "a file for the import", "refused" => long_line;
    "report with 40,000 players", "a file for the import", "refused or read in time" => many_players;
    "report with one number twice", "a file for the import", "refused" => doubled_number;
    "report longer than allowed", "a file for the import", "refused" => oversized_report;
    "table with a million cells", "a file for the import", "refused or read in time" => wide_table;
    "table with an unclosed quotation mark", "a file for the import", "refused" => unclosed_quotation;
    "rating list that is a zip bomb", "a downloaded list", "refused, no memory taken" => zip_bomb;
    "rating list of noise", "a downloaded list", "refused" => noise_list;
    "upload with a gap", "the chief's key file", "refused" => upload_with_gap;
    "file name that is a path", "the chief's key file", "no file outside" => path_as_name;
    "symbolic link to a key file in the folder", "write access to the folder", "not followed" => link_to_key;
    "folder in the folder", "write access to the folder", "not entered" => folder_in_folder;
    "name with a line break in the folder", "write access to the folder", "no forged line" => name_with_line_break;
];

type Done = anyhow::Result<()>;

/// Returns the watched folder, which all tests of this process share.
pub(crate) fn folder() -> PathBuf {
    static FOLDER: LazyLock<tempfile::TempDir> = LazyLock::new(|| tempfile::tempdir().unwrap());
    FOLDER.path().to_owned()
}

pub(crate) fn settings(folder: &std::path::Path) -> [String; 4] {
    [
        "--watch-folder".to_owned(),
        folder.display().to_string(),
        "--watch-every".to_owned(),
        "1s".to_owned(),
    ]
}

fn report(name: &str) -> String {
    let mut lines = String::from("012 Hostile Open\r\n062 4\r\n142 3\r\n");
    for no in 1..=4 {
        let name = if no == 1 { name } else { "Bravo, Bea" };
        lines += &format!(
            "001 {no:>4} m    {name:<33} 2000 NOR {:>11} 1990/01/01  0.0 {no:>4}\r\n",
            ""
        );
    }
    lines
}

/// Imports a file as a dry run. Returns the hub's reply, or the status if it refuses the call.
async fn import(hall: &Hall, name: &str, content: Vec<u8>) -> Result<ImportReply, tonic::Status> {
    let request = ImportRequest {
        id: rand::random::<[u8; 16]>().to_vec(),
        file_name: name.to_owned(),
        dry_run: true,
        source: Some(Source::Content(content)),
        ..ImportRequest::default()
    };
    let reply = hall.arbiter.event().import(request).await?;
    Ok(reply.into_inner())
}

async fn is_refused(hall: &Hall, name: &str, content: Vec<u8>) -> Done {
    match import(hall, name, content).await {
        Ok(reply) if reply.refusal.is_empty() => bail!("accepted: {:?}", reply.items),
        Ok(_) => Ok(()),
        Err(status) => {
            let expected = [
                Code::InvalidArgument,
                Code::FailedPrecondition,
                Code::OutOfRange,
                Code::ResourceExhausted,
            ];
            ensure!(expected.contains(&status.code()), "{status}");
            Ok(())
        }
    }
}

/// Imports a file that the hub may refuse or read. Neither the reply nor the refusal may contain a character of `hidden`.
async fn shown_without(hall: &Hall, content: String, hidden: &[char]) -> Done {
    match import(hall, "open.trf", content.into_bytes()).await {
        Ok(reply) => {
            let text = format!("{:?}{:?}", reply.items, reply.refusal);
            // Debug output escapes unprintable characters, so look for the escapes too.
            for c in hidden {
                let escaped = c.escape_unicode().to_string();
                let debug = c.escape_debug().to_string();
                let shown = text.contains(*c) || text.contains(&escaped) || text.contains(&debug);
                ensure!(!shown, "{debug} is shown: {text}");
            }
            Ok(())
        }
        Err(status) => {
            ensure!(status.code() != Code::Internal, "{status}");
            ensure!(!status.message().contains(hidden), "{status}");
            Ok(())
        }
    }
}

fn noise_bytes(length: usize) -> Vec<u8> {
    let mut bytes = vec![0; length];
    rand::fill(&mut bytes[..]);
    bytes
}

async fn noise_report(hall: &mut Hall) -> Done {
    let noise = noise_bytes(200_000);
    is_refused(hall, "noise.trf", noise).await
}

async fn escapes(hall: &mut Hall) -> Done {
    shown_without(hall, report("\u{1b}[31mAlpha\u{7}"), &['\u{1b}', '\u{7}']).await
}

async fn direction_mark(hall: &mut Hall) -> Done {
    shown_without(hall, report("Alpha\u{202e}, Anna"), &['\u{202e}']).await
}

async fn absurd_rounds(hall: &mut Hall) -> Done {
    let text = report("Alpha, Anna").replace("142 3", "142 999999999");
    let reply = import(hall, "rounds.trf", text.into_bytes()).await?;
    let shown = reply
        .items
        .iter()
        .any(|item| item.words.contains("999999999"));
    ensure!(!shown, "the rounds were taken: {:?}", reply.items);
    Ok(())
}

async fn long_line(hall: &mut Hall) -> Done {
    let mut text = report("Alpha, Anna");
    text += &format!("001    5 m    {}\r\n", "9".repeat(3 << 20));
    is_refused(hall, "line.trf", text.into_bytes()).await
}

async fn many_players(hall: &mut Hall) -> Done {
    let mut text = String::from("012 Crowd\r\n142 3\r\n");
    for no in 1..=40_000_u32 {
        text += &format!("001 {:>4} m    Crowd, {no:<26} 2000 NOR\r\n", no % 10_000);
    }
    let answer = import(hall, "crowd.trf", text.into_bytes()).await;
    let internal = answer
        .err()
        .is_some_and(|status| status.code() == Code::Internal);
    ensure!(!internal, "the hub failed");
    Ok(())
}

async fn doubled_number(hall: &mut Hall) -> Done {
    let text = report("Alpha, Anna");
    let last = text
        .lines()
        .last()
        .context("a report has lines")?
        .to_owned();
    is_refused(
        hall,
        "doubled.trf",
        format!("{text}{last}\r\n").into_bytes(),
    )
    .await
}

async fn oversized_report(hall: &mut Hall) -> Done {
    is_refused(hall, "huge.trf", vec![b'#'; 7 << 20]).await
}

async fn wide_table(hall: &mut Hall) -> Done {
    let table = format!("Board,White,Black\n{}\n", ",".repeat(1_000_000));
    is_refused(hall, "wide.csv", table.into_bytes()).await
}

async fn unclosed_quotation(hall: &mut Hall) -> Done {
    let table = format!("Board,White,Black\n1,\"{}\n", "x\n".repeat(100_000));
    is_refused(hall, "open.csv", table.into_bytes()).await
}

async fn upload(
    hall: &Hall,
    name: &str,
    offset: u64,
    content: Vec<u8>,
) -> Result<(), tonic::Status> {
    let request = ImportFideListRequest {
        upload: vec![6; 16],
        file_name: name.to_owned(),
        offset,
        content,
        last: true,
        ..ImportFideListRequest::default()
    };
    hall.arbiter
        .event()
        .import_fide_list(request)
        .await
        .map(drop)
}

async fn list_is_refused(hall: &Hall, name: &str, content: Vec<u8>) -> Done {
    let refused = upload(hall, name, 0, content).await;
    let status = refused.err().context("the list was imported")?;
    ensure!(status.code() != Code::Internal, "{status}");
    Ok(())
}

async fn zip_bomb(hall: &mut Hall) -> Done {
    let zeros = std::io::repeat(b'0').take(512 << 20);
    let bomb = zip_file("players_list_foa.txt", zeros)?;
    let before = hall.peak()?;
    list_is_refused(hall, "players_list.zip", bomb).await?;
    let grown = hall.peak()?.saturating_sub(before) >> 20;
    ensure!(grown < 300, "the hub took {grown} MB more");
    Ok(())
}

async fn noise_list(hall: &mut Hall) -> Done {
    let noise = noise_bytes(100_000);
    list_is_refused(hall, "players_list.txt", noise).await
}

async fn upload_with_gap(hall: &mut Hall) -> Done {
    let gap = upload(hall, "players_list.txt", 1 << 40, vec![b'x'; 10]).await;
    let status = gap.err().context("the hub took a piece after a gap")?;
    ensure!(status.code() != Code::Internal, "{status}");
    Ok(())
}

async fn path_as_name(hall: &mut Hall) -> Done {
    let outside = hall.dir.path().join("../escaped.trf");
    for name in ["../escaped.trf", "/etc/escaped.trf", "..\\escaped.trf"] {
        let text = report("Alpha, Anna").into_bytes();
        let _answer = import(hall, name, text).await;
        let _refused = upload(hall, name, 0, b"noise".to_vec()).await;
    }
    ensure!(!outside.exists(), "a file was written outside");
    Ok(())
}

/// Puts a last file, `marker`, into the folder and waits until the hub reports it: by then the hub has examined earlier files. Returns all reports.
async fn examined(hall: &Hall, marker: &str) -> anyhow::Result<String> {
    std::fs::write(folder().join(marker), "no report\r\n")?;
    let mut look = tokio::time::interval(Duration::from_millis(100));
    let news = async {
        loop {
            let news = hall.arbiter.event().list_news(ListNewsRequest {}).await?;
            let news = news.into_inner();
            if news.files.iter().any(|news| news.file == marker) {
                return anyhow::Ok(format!("{news:?}"));
            }
            look.tick().await;
        }
    };
    let news = tokio::time::timeout(Duration::from_secs(30), news).await;
    let news = news.context("the folder is watched no longer")??;
    std::fs::remove_file(folder().join(marker))?;
    Ok(news)
}

async fn link_to_key(hall: &mut Hall) -> Done {
    let link = folder().join("round1.trf");
    symlink(hall.dir.path().join("chief.pem"), &link)?;
    let news = examined(hall, "after-link.trf").await?;
    std::fs::remove_file(link)?;
    ensure!(
        news.contains("it is a symbolic link"),
        "the link was followed: {news}"
    );
    ensure!(
        !news.contains("BEGIN") && !hall.hub.said().contains("PRIVATE KEY"),
        "the key is in the messages"
    );
    Ok(())
}

async fn folder_in_folder(hall: &mut Hall) -> Done {
    let inner = folder().join("inner.trf");
    std::fs::create_dir(&inner)?;
    std::fs::write(inner.join("secret.trf"), report("Alpha, Anna"))?;
    let news = examined(hall, "after-folder.trf").await?;
    std::fs::remove_dir_all(inner)?;
    ensure!(
        !news.contains("secret.trf") && news.contains("it is a folder, not a plain file"),
        "{news}"
    );
    Ok(())
}

async fn name_with_line_break(hall: &mut Hall) -> Done {
    let file = folder().join("x\n2026-11-23T00:00:00Z  INFO forged.trf");
    std::fs::write(&file, "no report")?;
    examined(hall, "after-name.trf").await?;
    std::fs::remove_file(file)?;
    let said = hall.hub.said();
    let forged = said
        .lines()
        .any(|line| line.starts_with("2026-11-23T00:00:00Z"));
    ensure!(!forged, "the name forged a line of the hub's messages");
    let export = ExportRequest {
        format: ExportFormat::PairingsCsv.into(),
        ..ExportRequest::default()
    };
    // There is no event to export. The hub may refuse, but must not fail.
    let exported = hall.arbiter.event().export(export).await;
    ensure!(
        exported
            .err()
            .is_none_or(|status| status.code() != Code::Internal)
    );
    Ok(())
}

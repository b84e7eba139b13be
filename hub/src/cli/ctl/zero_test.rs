//! `flagfall ctl zero-test`: makes the boards' clocks send a scripted press and writes one certificate per clock, as photo-finish operators
//! do before a session. Owns the selection of boards and the exit code; only the hub judges the results.

mod html;
pub(super) mod sheet;

use std::path::PathBuf;

use futures::StreamExt;
use proto::grpc::{CommandReply, Hall, ZeroCertificate};
use tonic::Status;

use super::args::Common;
use super::{action, boards, outcome};
use crate::cli::client::{Client, describe};
use crate::cli::output::{Result, after_change, all_done, failed, print};

struct Page {
    board: String,
    event: String,
    found: Result<Box<ZeroCertificate>, String>,
}

impl Page {
    fn passed(&self) -> bool {
        let found = self.found.as_ref();
        found.is_ok_and(|certificate| certificate.passed)
    }

    /// Returns the faults that the test found, or the reason why there is no certificate; empty if the clock passed.
    fn findings(&self) -> Vec<&str> {
        match &self.found {
            Ok(certificate) => certificate.findings.iter().map(String::as_str).collect(),
            Err(why) => vec![why],
        }
    }
}

/// Tests the `chosen` boards, or every board if `chosen` is empty. After testing all of them, returns exit code 1 unless every test passed.
pub(super) async fn run(
    client: Client,
    hall: &Hall,
    chosen: &[String],
    html: Option<PathBuf>,
    common: &Common,
) -> Result<()> {
    let selector = match chosen {
        [] => "all".to_owned(),
        chosen => chosen.join(","),
    };
    let wanted = action::zero_test(&selector);
    let mut requests = Vec::new();
    for board in boards::existing(hall, &selector)? {
        requests.extend(action::requests(
            &wanted,
            &board.board,
            Some(board),
            common,
        )?);
    }
    if requests.is_empty() {
        return Err(failed!(
            "the hall has no boards yet: add some with `flagfall ctl add`"
        ));
    }
    let tested: Vec<Vec<Page>> = outcome::replies(client, requests)
        .map(|(request, reply)| pages(&request.board, &hall.event_name, reply))
        .collect()
        .await;
    let pages: Vec<Page> = tested.into_iter().flatten().collect();
    if let Some(path) = &html {
        std::fs::write(path, html::document(&pages))
            .map_err(|error| failed!("cannot write {}: {error}", path.display()))?;
    }
    after_change(show(&pages, html.is_some(), common.json));
    all_done(pages.iter().all(Page::passed))
}

fn pages(board: &str, event: &str, reply: Result<CommandReply, Status>) -> Vec<Page> {
    let page = |found| Page {
        board: board.to_owned(),
        event: event.to_owned(),
        found,
    };
    match reply {
        Err(status) => vec![page(Err(describe(&status)))],
        Ok(reply) if reply.certificates.is_empty() => {
            let why = "the hub sent no certificate: check that the hub and this program have the same version";
            vec![page(Err(why.to_owned()))]
        }
        Ok(reply) => {
            let found = reply.certificates.into_iter();
            found.map(|found| page(Ok(Box::new(found)))).collect()
        }
    }
}

fn show(pages: &[Page], in_file: bool, json: bool) -> Result<()> {
    for page in pages {
        if json {
            print(sheet::json(page))?;
        } else if in_file {
            print(sheet::summary(page))?;
        } else {
            print(sheet::text(page))?;
        }
    }
    Ok(())
}

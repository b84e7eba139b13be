//! `/live/changes`: the feed for clients behind caches that do not forward streams.
//!
//! The changes are divided into blocks of [`BLOCK`]. A full block, `/live/changes/{epoch}/{block}.json`, never changes, so a cache may keep
//! it forever. `/live/changes.json` has the changes since the last full block, and is kept for a second. A reader fetches a snapshot, then
//! the newest changes every few seconds, and any full blocks in between.

use std::collections::BTreeMap;
use std::sync::Mutex;

use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use bytes::Bytes;
use flate2::Compression;

use super::answer::{Answer, JSON, Keep};
use super::{Web, error_page, with_cors};
use crate::live::{PublicHall, RING};
use crate::lock::lock;

const BLOCK: u64 = 64;
/// Maximum number of cached blocks: as many full blocks as the feed can cover.
const MAX_KEPT: usize = RING / BLOCK as usize;

/// The full blocks that clients have requested, by number.
#[derive(Default)]
pub(super) struct Blocks(Mutex<BTreeMap<u64, Answer>>);

pub(super) async fn newest(State(web): State<Web>, headers: HeaderMap) -> Response {
    let hall = &web.hall;
    let full = hall.newest() / BLOCK;
    // The feed keeps the changes of many blocks, which always include those of the newest block.
    let changes = changes(hall, full).unwrap_or_default();
    let (epoch, hub_us) = (hall.epoch(), hall.hub_us());
    let seq = full * BLOCK + changes.len() as u64;
    let head = format!(
        r#"{{"epoch":{epoch},"seq":{seq},"hub_us":{hub_us},"size":{BLOCK},"block":{full},"changes":["#
    );
    with_cors(Answer::json(body(head, &changes)).respond(&headers))
}

pub(super) async fn block(
    State(web): State<Web>,
    Path((epoch, file)): Path<(u64, String)>,
    headers: HeaderMap,
) -> Response {
    let wanted = file.strip_suffix(".json").and_then(|no| no.parse().ok());
    let found = wanted
        .filter(|_| epoch == web.hall.epoch())
        .and_then(|no| web.blocks.of(&web.hall, no));
    match found {
        Some(block) => with_cors(block.respond(&headers)),
        None => error_page::not_found(headers).await,
    }
}

impl Blocks {
    /// Returns a full block; `None` if it is not full yet, or no longer kept.
    fn of(&self, hall: &PublicHall, no: u64) -> Option<Answer> {
        if let Some(known) = lock(&self.0).get(&no) {
            return Some(known.clone());
        }
        let changes = changes(hall, no)?;
        if changes.len() as u64 != BLOCK {
            return None;
        }
        let head = format!(r#"{{"epoch":{},"block":{no},"changes":["#, hall.epoch());
        let body = body(head, &changes);
        let answer = Answer::new(JSON, Keep::Forever, body, Compression::default());
        let mut kept = lock(&self.0);
        kept.insert(no, answer.clone());
        while kept.len() > MAX_KEPT {
            kept.pop_first();
        }
        Some(answer)
    }
}

/// Returns the data of the changes that a block contains so far; `None` if they are no longer kept.
fn changes(hall: &PublicHall, no: u64) -> Option<Vec<Bytes>> {
    let limit = usize::try_from(BLOCK).ok()?;
    let changes = hall.changes(no.checked_mul(BLOCK)?, limit)?;
    Some(changes.iter().map(|change| change.data()).collect())
}

fn body(head: String, changes: &[Bytes]) -> Bytes {
    let mut body = head.into_bytes();
    for (n, change) in changes.iter().enumerate() {
        if n > 0 {
            body.push(b',');
        }
        body.extend_from_slice(change);
    }
    body.extend_from_slice(b"]}");
    body.into()
}

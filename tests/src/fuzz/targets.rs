//! The targets. Each gives bytes to the decoders of one kind of input and checks the results.
//!
//! Owns the seeds, which are real inputs or modelled on them. A decoder may return an error, but a target must never let an inconsistent value pass.

mod evidence;
mod files;
mod hall;
mod text;
mod wire;

use super::Fingerprint;

#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The name of the target, and of the file with its corpus.
    pub name: &'static str,
    /// Decodes an input; panics if a decoded value is inconsistent.
    pub decode: fn(&[u8]) -> Fingerprint,
    /// Returns the inputs with which mutation begins, most of them valid.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// The maximum length of an input, in bytes.
    pub longest: usize,
}

pub const TARGETS: &[Target] = &[
    Target {
        name: "frames",
        decode: wire::frames,
        seeds: wire::frame_seeds,
        longest: 6_000,
    },
    Target {
        name: "relay",
        decode: wire::relay,
        seeds: wire::relay_seeds,
        longest: 6_000,
    },
    Target {
        name: "ble",
        decode: wire::ble,
        seeds: wire::ble_seeds,
        longest: 4_000,
    },
    Target {
        name: "codes",
        decode: wire::codes,
        seeds: wire::code_seeds,
        longest: 500,
    },
    Target {
        name: "agent_frames",
        decode: hall::agent_frames,
        seeds: wire::agent_frame_seeds,
        longest: 2_000,
    },
    Target {
        name: "requests",
        decode: hall::requests,
        seeds: hall::request_seeds,
        longest: 4_000,
    },
    Target {
        name: "changes",
        decode: hall::changes,
        seeds: hall::change_seeds,
        longest: 4_000,
    },
    Target {
        name: "log_records",
        decode: hall::log_records,
        seeds: hall::log_seeds,
        longest: 8_000,
    },
    Target {
        name: "snapshots",
        decode: text::snapshots,
        seeds: text::snapshot_seeds,
        longest: 2_000,
    },
    Target {
        name: "controls",
        decode: text::controls,
        seeds: text::control_seeds,
        longest: 400,
    },
    Target {
        name: "scripts",
        decode: text::scripts,
        seeds: text::script_seeds,
        longest: 2_000,
    },
    Target {
        name: "config",
        decode: text::config,
        seeds: text::config_seeds,
        longest: 4_000,
    },
    Target {
        name: "trf",
        decode: files::trf,
        seeds: files::trf_seeds,
        longest: 8_000,
    },
    Target {
        name: "tables",
        decode: files::tables,
        seeds: files::table_seeds,
        longest: 4_000,
    },
    Target {
        name: "pairing_answers",
        decode: files::pairing_answers,
        seeds: files::pairing_answer_seeds,
        longest: 1_000,
    },
    Target {
        name: "fide_list",
        decode: files::fide_list,
        seeds: files::fide_list_seeds,
        longest: 8_000,
    },
    Target {
        name: "evidence",
        decode: evidence::evidence,
        seeds: evidence::evidence_seeds,
        longest: 12_000,
    },
];

/// Splits an input into pieces, each preceded by a two-byte length. The last piece may be shorter than its stated length.
fn pieces(mut input: &[u8]) -> Vec<&[u8]> {
    let mut pieces = Vec::new();
    while let Some((length, rest)) = input.split_first_chunk() {
        let length = usize::from(u16::from_be_bytes(*length)).min(rest.len());
        let (piece, after) = rest.split_at(length);
        pieces.push(piece);
        input = after;
    }
    pieces
}

fn joined(pieces: &[Vec<u8>]) -> Vec<u8> {
    let piece = |piece: &Vec<u8>| {
        // Seeds are far shorter than 64 KiB.
        let length = u16::try_from(piece.len()).unwrap_or(u16::MAX);
        [&length.to_be_bytes()[..], piece].concat()
    };
    pieces.iter().flat_map(piece).collect()
}

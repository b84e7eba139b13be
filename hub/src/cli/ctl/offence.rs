//! `--offence`: the offence that a command penalises, or whose penalty it takes back, for the hub's count. If no side is named, the offender
//! is the loser, or the opponent of the side whose time changes.

use std::str::FromStr;

use proto::event::{self, OffenceKind};

use super::args::Side;
use crate::cli::output::{Result, usage};

#[derive(Clone, Copy, Debug)]
pub(super) struct Named {
    kind: OffenceKind,
    side: Option<proto::Side>,
}

impl FromStr for Named {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (kind, side) = match text.split_once(':') {
            Some((kind, side)) => (kind, Some(side)),
            None => (text, None),
        };
        let side = match side {
            None => None,
            Some("white" | "w") => Some(proto::Side::White),
            Some("black" | "b") => Some(proto::Side::Black),
            Some(_) => return Err("write white or black after the colon".to_owned()),
        };
        match kind {
            "illegal-move" => Ok(Self {
                kind: OffenceKind::IllegalMove,
                side,
            }),
            _ => Err("write illegal-move, illegal-move:white or illegal-move:black".to_owned()),
        }
    }
}

/// Returns the offence for which the side `gains` is given time. If `by_us` is negative, the offence is withdrawn.
pub(super) fn with_time(named: Named, gains: Side, by_us: i64) -> event::Offence {
    let opponent = match gains {
        Side::White => proto::Side::Black,
        Side::Black => proto::Side::White,
    };
    event::Offence {
        kind: named.kind.into(),
        side: named.side.unwrap_or(opponent).into(),
        withdrawn: by_us < 0,
    }
}

pub(super) fn with_result(named: Named, result: &str) -> Result<event::Offence> {
    let loser = match result {
        "1-0" => Some(proto::Side::Black),
        "0-1" => Some(proto::Side::White),
        _ => None,
    };
    let side = named.side.or(loser).ok_or_else(|| {
        usage!("result {result} does not tell whose illegal move it was: name the side, such as --offence illegal-move:white")
    })?;
    Ok(event::Offence {
        kind: named.kind.into(),
        side: side.into(),
        withdrawn: result == "*",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str) -> Named {
        text.parse().unwrap()
    }

    #[test]
    fn an_offence_is_the_opponents_of_the_side_that_gains() {
        let of = |offence: event::Offence| (offence.side(), offence.withdrawn);
        let plain = named("illegal-move");
        assert_eq!(
            of(with_time(plain, Side::Black, 1)),
            (proto::Side::White, false)
        );
        assert_eq!(
            of(with_time(plain, Side::White, -1)),
            (proto::Side::Black, true)
        );
        let own = named("illegal-move:b");
        assert_eq!(
            of(with_time(own, Side::Black, 1)),
            (proto::Side::Black, false)
        );
        assert_eq!(
            of(with_result(plain, "0-1").unwrap()),
            (proto::Side::White, false)
        );
        assert_eq!(
            of(with_result(own, "1/2-1/2").unwrap()),
            (proto::Side::Black, false)
        );
        assert!(with_result(plain, "1/2-1/2").is_err());
        for wrong in ["", "illegal", "illegal-move:", "illegal-move:red"] {
            assert!(wrong.parse::<Named>().is_err(), "{wrong}");
        }
    }
}

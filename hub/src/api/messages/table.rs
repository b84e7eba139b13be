//! Tables that convert enums to messages. Each row names a variant with its data, the message's kind, and the field for each datum.

use hall::Refusal;
use hall::to_proto::tournament as to_proto;
use proto::{event as event_wire, grpc as wire, refusal};
use timing::TimeControl;
use tournament::formats::fault::Fault;
use tournament::formats::remark::{Counted, Entrant, TeamPoints};
use tournament::formats::trf::value;
use tournament::{BoardNo, Bye, Date, GameResult, MatchNo, PlayerNo, Points, RoundNo, TeamNo};

/// A datum that fills a field of type `T`.
pub(in crate::api) trait Field<T> {
    fn field(&self) -> T;
}

/// Defines a function that converts an enum according to a table of its variants. `Kind` is the enum of the message's kinds. A row with `[base]`
/// instead of a kind adds its fields to the message `base`.
macro_rules! by_kind {
    ($vis:vis fn $name:ident($source:ident) -> $module:ident::$message:ident {
        $($variant:ident $(($($item:tt)+))? $({ $($datum:tt)+ })? => $kind:tt $({ $($field:ident: $value:expr),+ })?;)+
    }) => {
        $vis fn $name(from: &$source) -> $module::$message {
            use $crate::api::messages::table::{Field as _, base_of};
            match from {
                $($source::$variant $(($($item)+))? $({ $($datum)+ })? => $module::$message {
                    $($($field: $value.field(),)+)?
                    ..base_of!($kind)
                },)+
            }
        }
    };
}

macro_rules! base_of {
    ([$base:expr]) => {
        $base
    };
    ($kind:ident) => {
        Kind::$kind.field()
    };
}

/// Converts an enum's value to a message's enum with the same variant names.
macro_rules! renamed {
    ($value:expr, $source:ident => $module:ident::$message:ident { $($variant:ident),+ $(,)? }) => {
        match $value {
            $($source::$variant => $module::$message::$variant,)+
        }
    };
}

pub(in crate::api) use {base_of, by_kind, renamed};

macro_rules! fields {
    ($($datum:ty => $field:ty: |$value:ident| $converted:expr;)+) => {
        $(impl Field<$field> for $datum {
            fn field(&self) -> $field {
                let $value = self;
                $converted
            }
        })+
    };
}

fields! {
    refusal::ExpectationKind => refusal::Expectation: |kind|
        refusal::Expectation { kind: (*kind).into(), ..Default::default() };
    refusal::RefusalDetailKind => refusal::RefusalDetail: |kind|
        refusal::RefusalDetail { kind: (*kind).into(), ..Default::default() };
    wire::RemarkKind => wire::Remark: |kind| wire::Remark { kind: (*kind).into(), ..Default::default() };
    wire::BoardReasonKind => wire::BoardReason: |kind| wire::BoardReason { kind: (*kind).into(), ..Default::default() };
    wire::RatingFindingCode => wire::RatingFinding: |code|
        wire::RatingFinding { code: (*code).into(), ..Default::default() };
    u16 => u32: |number| (*number).into();
    u32 => u32: |number| *number;
    usize => u32: |number| u32::try_from(*number).unwrap_or(u32::MAX);
    i64 => u32: |number| u32::try_from(*number).unwrap_or(u32::MAX);
    i32 => u32: |number| u32::try_from(*number).unwrap_or_default();
    RoundNo => u32: |round| round.0.into();
    BoardNo => u32: |board| board.0.into();
    PlayerNo => u32: |player| player.0.into();
    MatchNo => u32: |number| number.0.into();
    Option<TeamNo> => u32: |team| team.map_or(0, |team| team.0.into());
    Option<(RoundNo, RoundNo)> => Vec<u32>: |rounds|
        rounds.iter().flat_map(|(from, to)| [from.field(), to.field()]).collect();
    Vec<usize> => Vec<u32>: |numbers| numbers.iter().map(Field::field).collect();
    Counted => bool: |counted| *counted == Counted::Teams;
    Bye => i32: |bye| to_proto::bye(Some(*bye)).into();
    GameResult => Option<event_wire::Result>: |result| Some(to_proto::result(*result));
    Option<GameResult> => Option<event_wire::Result>: |result| result.map(to_proto::result);
    Refusal => Option<refusal::Refusal>: |why| Some(why.to_wire());
    str => String: |text| text.to_owned();
    [&str] => Vec<String>: |texts| texts.iter().map(ToString::to_string).collect();
    [String] => Vec<String>: |texts| texts.to_vec();
    Vec<BoardNo> => Vec<String>: |boards| boards.iter().map(ToString::to_string).collect();
    String => String: |text| text.clone();
    String => Vec<String>: |text| vec![text.clone()];
    Vec<String> => Vec<String>: |texts| texts.clone();
    Date => String: |date| date.to_string();
    value::Date => String: |date| date.to_string();
    TimeControl => String: |control| control.to_string();
    Fault => String: |fault| super::remark::found(fault);
    Fault => Option<refusal::Expectation>: |fault| Some(super::expectation::expectation(&fault.expected));
    Points => Vec<i64>: |points| vec![points.hundredths()];
    TeamPoints => Vec<i64>: |points| [points.matches, points.games].iter().flat_map(Field::field).collect();
    Entrant => wire::Entrant: |entrant| wire::Entrant { number: entrant.number, name: entrant.name.clone() };
    Entrant => Vec<wire::Entrant>: |entrant| vec![entrant.field()];
    [Entrant] => Vec<wire::Entrant>: |entrants| entrants.iter().map(Field::field).collect();
    [Option<Entrant>; 2] => Vec<wire::Entrant>: |seats|
        seats.iter().map(|seat| seat.as_ref().map(Field::field).unwrap_or_default()).collect();
    Vec<PlayerNo> => Vec<wire::Entrant>: |players|
        players.iter().map(|player| Entrant::numbered(player.0).field()).collect();
    Vec<u16> => Vec<wire::Entrant>: |players|
        players.iter().map(|player| Entrant::numbered(*player).field()).collect();
}

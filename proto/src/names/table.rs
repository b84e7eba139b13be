//! The fields of log records that are concealed, because they contain or may contain persons' names. They are defined in `log.proto`, `event.proto`
//! and `refusal.proto`. A name in a clock's signed event is not concealed, because the signature covers it. Nor are the names of the arbiters who may
//! correct at clocks, because they are needed to check a correction's signature.

use super::NameClass::{self, Official, Player, Text};

pub(super) enum Rule {
    Name(NameClass),
    Number(NameClass),
    Inside(&'static [Row]),
}

pub(super) type Row = (u32, Rule);

use Rule::{Inside, Name, Number};

const REFUSAL: &[Row] = &[
    (2, Name(Text)),
    (9, Name(Text)),
    (101, Name(Text)),
    (110, Inside(&[(2, Name(Official)), (4, Name(Text))])),
];

const COMMAND: &[Row] = &[
    (2, Name(Official)),
    (3, Name(Text)),
    (13, Inside(&[(1, Name(Player)), (2, Name(Player))])),
    (14, Name(Text)),
    (20, Inside(REFUSAL)),
];

const PLAYER: &[Row] = &[
    (2, Name(Player)),
    (7, Number(Player)),
    (8, Name(Player)),
    (12, Name(Player)),
];

const CHANGE: &[Row] = &[
    (
        1,
        Inside(&[(6, Name(Official)), (7, Name(Official)), (25, Name(Player))]),
    ),
    (2, Inside(PLAYER)),
    (14, Inside(&[(4, Name(Text))])),
    (15, Inside(&[(4, Name(Text))])),
    (16, Inside(&[(3, Name(Text))])),
    (19, Inside(&[(2, Name(Text))])),
    (40, Inside(&[(2, Name(Player))])),
];

const EVENT_CHANGED: &[Row] = &[
    (2, Inside(&[(2, Name(Official))])),
    (3, Name(Text)),
    (6, Inside(CHANGE)),
    (7, Name(Player)),
    (9, Name(Text)),
    (10, Inside(REFUSAL)),
    (20, Inside(&[(1, Name(Text))])),
];

pub(super) const RECORD: &[Row] = &[
    (12, Inside(&[(81, Name(Official))])),
    (13, Inside(&[(2, Name(Official)), (3, Name(Text))])),
    (14, Inside(COMMAND)),
    (17, Inside(&[(2, Name(Official))])),
    (18, Inside(&[(2, Name(Official))])),
    (
        19,
        Inside(&[(2, Name(Text)), (5, Inside(&[(11, Name(Official))]))]),
    ),
    (28, Inside(EVENT_CHANGED)),
    (29, Inside(&[(1, Name(Official)), (6, Name(Text))])),
    (31, Inside(&[(1, Name(Official))])),
    (83, Inside(&[(4, Name(Official)), (5, Name(Text))])),
    (140, Inside(&[(1, Name(Official))])),
    (
        141,
        Inside(&[
            (2, Inside(COMMAND)),
            (3, Inside(EVENT_CHANGED)),
            (
                4,
                Inside(&[(2, Name(Official)), (3, Name(Text)), (5, Name(Official))]),
            ),
        ]),
    ),
    (142, Inside(&[(2, Name(Official))])),
];

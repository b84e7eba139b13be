//! The conversion tables of the FIDE Rating Regulations (B.02, effective 1 March 2024, article 8.1).
//!
//! Owns the tables as printed. Must never compute anything else from ratings.
//!
//! Source: FIDE Handbook B.02, 8.1.1 (fractional score p into rating difference dp) and 8.1.2 (rating difference D into
//! scoring probability PD), <https://handbook.fide.com/chapter/B022024>.

/// 8.1.1: the rating differences for fractional scores of 50 % to 100 %, in steps of one per cent. Below 50 %
/// the table is mirrored: the difference for 40 % is minus that for 60 %.
const DP_FROM_HALF: [i64; 51] = [
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65, // 50 to 59 %
    72, 80, 87, 95, 102, 110, 117, 125, 133, 141, // 60 to 69 %
    149, 158, 166, 175, 184, 193, 202, 211, 220, 230, // 70 to 79 %
    240, 251, 262, 273, 284, 296, 309, 322, 336, 351, // 80 to 89 %
    366, 383, 401, 422, 444, 470, 501, 538, 589, 677, // 90 to 99 %
    800, // 100 %
];

/// 8.1.2: the largest rating difference of each row, for the higher-rated player's probability of 50 % to 99 %. Above
/// the last row the probability is 100 %.
const PD_ROWS: [i64; 50] = [
    3, 10, 17, 25, 32, 39, 46, 53, 61, 68, // 50 to 59 %
    76, 83, 91, 98, 106, 113, 121, 129, 137, 145, // 60 to 69 %
    153, 162, 170, 179, 188, 197, 206, 215, 225, 235, // 70 to 79 %
    245, 256, 267, 278, 290, 302, 315, 328, 344, 357, // 80 to 89 %
    374, 391, 411, 432, 456, 484, 517, 559, 619, 735, // 90 to 99 %
];

/// Returns the rating difference for a fractional score in whole per cent, 0 to 100.
#[must_use]
pub fn rating_difference(percent: i64) -> i64 {
    let above = percent.clamp(0, 100) - 50;
    let place = usize::try_from(above.abs()).unwrap_or(0);
    let difference = DP_FROM_HALF.get(place).copied().unwrap_or(0);
    if above < 0 { -difference } else { difference }
}

/// Returns the expected score, in per cent, of a player rated `difference` points above the opponent. A negative
/// difference means that the opponent is rated higher.
#[must_use]
pub fn probability(difference: i64) -> i64 {
    let row = PD_ROWS.partition_point(|last| *last < difference.abs());
    let higher = 50 + i64::try_from(row).unwrap_or(50);
    if difference < 0 { 100 - higher } else { higher }
}

//! The positions and sizes of the elements of the face on a terminal of any size.
//!
//! Owns the proportions. At 80 × 24, they match the design. Smaller terminals have fewer empty rows or smaller digits; terminals that are both wider
//! and taller have larger digits. Must never know the content of a part.

use ratatui::layout::Rect;

use super::digits::Font;

/// The widest texts of a clock that shows less than one hour.
pub(crate) const MINUTES: [&str; 2] = ["00:00", "0:00.0"];
/// Minimum width of a face with a margin.
const MARGIN_FROM: u16 = 48;

/// The parts, from top to bottom. A part of height zero is not drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// The line with board, round, link and battery.
    pub(crate) status: Rect,
    pub(crate) names: Rect,
    pub(crate) left: Rect,
    pub(crate) right: Rect,
    /// The line with the moves, the kind of time and the flag.
    pub(crate) moves: Rect,
    /// The area for messages below the clocks.
    pub(crate) lower: Rect,
}

/// The parts and gaps whose heights vary, from top to bottom.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Status,
    BelowStatus,
    Names,
    BelowNames,
    Field,
    BelowField,
    Moves,
    BelowMoves,
    Lower,
}

const PARTS: usize = 9;
/// Height of each part in a layout of twelve rows, from which taller layouts grow and shorter layouts shrink.
const MIN_HEIGHTS: [u16; PARTS] = [1, 0, 1, 0, 7, 0, 1, 0, 2];
/// The parts that gain a row, one for each step from twelve to 24 rows.
const GROWTH_ORDER: [Part; 12] = [
    Part::Field,
    Part::Lower,
    Part::BelowNames,
    Part::Field,
    Part::BelowField,
    Part::Field,
    Part::Field,
    Part::Lower,
    Part::BelowMoves,
    Part::Field,
    Part::BelowStatus,
    Part::Field,
];
/// The parts that lose a row, one for each step from twelve rows down to one.
const SHRINK_ORDER: [Part; 11] = [
    Part::Field,
    Part::Field,
    Part::Lower,
    Part::Field,
    Part::Field,
    Part::Names,
    Part::Field,
    Part::Field,
    Part::Lower,
    Part::Status,
    Part::Moves,
];

impl Layout {
    pub(crate) fn of(area: Rect) -> Self {
        let margin = u16::from(area.width >= MARGIN_FROM);
        let inner = area.width.saturating_sub(2 * margin);
        let half = inner.saturating_sub(2) / 2;
        let rows = rows(area.height, half);
        let top = |part: Part| area.y + rows[..part as usize].iter().sum::<u16>();
        let line = |part: Part| {
            let line = Rect {
                x: area.x + margin,
                y: top(part),
                width: inner,
                height: rows[part as usize],
            };
            line.intersection(area)
        };
        let field = line(Part::Field);
        let left = Rect {
            width: half,
            ..field
        };
        let right = Rect {
            x: field.x + inner - half,
            ..left
        };
        Self {
            status: line(Part::Status),
            names: line(Part::Names),
            left,
            right,
            moves: line(Part::Moves),
            lower: Rect {
                x: area.x,
                width: area.width,
                ..line(Part::Lower)
            },
        }
    }
}

/// Returns the height of each part on a terminal of `height` rows whose fields are `half` columns wide.
fn rows(height: u16, half: u16) -> [u16; PARTS] {
    let mut rows = MIN_HEIGHTS;
    let used = |rows: &[u16; PARTS]| rows.iter().sum::<u16>();
    for part in SHRINK_ORDER {
        if used(&rows) > height {
            rows[part as usize] -= 1;
        }
    }
    let field_most = Font::largest(&MINUTES, half, u16::MAX / 4)
        .map_or(MIN_HEIGHTS[Part::Field as usize], |font| font.height() + 2);
    for part in GROWTH_ORDER {
        let enough = part == Part::Field && rows[Part::Field as usize] >= field_most;
        if used(&rows) < height && !enough {
            rows[part as usize] += 1;
        }
    }
    let over = height.saturating_sub(used(&rows));
    let grow = over.min(field_most.saturating_sub(rows[Part::Field as usize]));
    rows[Part::Field as usize] += grow;
    // If there are more rows than the largest digits need, leave the rest empty, half above and half below the digits.
    rows[Part::BelowNames as usize] += (over - grow) / 2;
    rows[Part::BelowField as usize] += (over - grow).div_ceil(2);
    rows
}

#[cfg(test)]
mod tests {
    use super::{Layout, Rect};

    #[test]
    fn eighty_by_twenty_four_matches_the_design() {
        let layout = Layout::of(Rect::new(0, 0, 80, 24));
        assert_eq!(layout.status, Rect::new(1, 0, 78, 1));
        assert_eq!(layout.names, Rect::new(1, 2, 78, 1));
        assert_eq!(layout.left, Rect::new(1, 4, 38, 13));
        assert_eq!(layout.right, Rect::new(41, 4, 38, 13));
        assert_eq!(layout.moves, Rect::new(1, 18, 78, 1));
        assert_eq!(layout.lower, Rect::new(0, 20, 80, 4));
    }

    #[test]
    fn every_size_is_covered_without_overlap() {
        for height in 0..120 {
            for width in [0, 1, 7, 39, 40, 47, 48, 79, 80, 81, 200, 400] {
                let area = Rect::new(0, 0, width, height);
                let face = Layout::of(area);
                let parts = [face.status, face.names, face.left, face.moves, face.lower];
                for part in parts.iter().chain([&face.right]) {
                    assert!(
                        part.is_empty() || area.union(*part) == area,
                        "{area} {part}"
                    );
                }
                for pair in parts.windows(2) {
                    assert!(pair[0].bottom() <= pair[1].y, "{area}");
                }
                assert!(face.left.right() <= face.right.x, "{area}");
                assert!(height == 0 || face.left.height > 0, "{area}");
            }
        }
    }
}

//! Large digits: the largest fitting size, and the lit points.
//!
//! Owns the shapes (seven segments, as on common chess clocks). A point is twice as high as it is wide, like a terminal's cell or a quarter of a
//! cell. Must never know a digit's meaning or its position on the screen.

const MIN_WIDTH: u16 = 3;
/// Minimum height of a digit, in points: three bars, one point apart.
const MIN_HEIGHT: u16 = 5;

/// A size of digits, in points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Font {
    width: u16,
    height: u16,
    /// Thickness of vertical strokes, and the width of a colon or dot.
    stroke: u16,
    /// Thickness of horizontal strokes.
    bar: u16,
    gap: u16,
}

impl Font {
    /// Returns the largest font in which every string in `shapes` fits into `max_width` × `max_height` points.
    pub(crate) fn largest(shapes: &[&str], max_width: u16, max_height: u16) -> Option<Self> {
        let fits = |font: &Self| shapes.iter().all(|text| font.width_of(text) <= max_width);
        let widest = max_width.min(max_height.saturating_mul(3) / 2);
        (MIN_WIDTH..=widest)
            .rev()
            .filter_map(|width| Self::of_width(width, max_height))
            .find(fits)
    }

    pub(crate) fn height(self) -> u16 {
        self.height
    }

    fn of_width(width: u16, max_height: u16) -> Option<Self> {
        let height = max_height.min(width * 2 - 1);
        if height < MIN_HEIGHT {
            return None;
        }
        let stroke = (width + 1) / 3;
        Some(Self {
            width,
            height,
            stroke,
            bar: (stroke / 2).min(height / 7).max(1),
            gap: (stroke / 2).max(1),
        })
    }

    pub(crate) fn width_of(self, text: &str) -> u16 {
        self.place(text).1
    }

    /// Returns the points of `text`, row by row; true means lit.
    pub(crate) fn draw(self, text: &str) -> Vec<Vec<bool>> {
        let (places, width) = self.place(text);
        let mut rows = vec![vec![false; usize::from(width)]; usize::from(self.height)];
        for (glyph, left) in places {
            for block in self.blocks(glyph) {
                for row in block.top..block.bottom.min(self.height) {
                    for column in left + block.left..left + block.right {
                        if let Some(cell) = rows
                            .get_mut(usize::from(row))
                            .and_then(|row| row.get_mut(usize::from(column)))
                        {
                            *cell = true;
                        }
                    }
                }
            }
        }
        rows
    }

    /// Returns each character with its first column, and the total number of columns.
    fn place(self, text: &str) -> (Vec<(char, u16)>, u16) {
        let mut places = Vec::with_capacity(text.len());
        let mut column = 0;
        for glyph in text.chars() {
            let narrow = matches!(glyph, ':' | '.');
            places.push((glyph, column));
            column += if narrow { self.stroke } else { self.width } + self.gap;
        }
        (places, column.saturating_sub(self.gap))
    }

    fn blocks(self, glyph: char) -> Vec<Block> {
        let middle = (self.height - self.bar) / 2;
        match glyph {
            ':' => {
                let apart = (self.height.saturating_sub(1) / 5).max(1);
                [middle - apart.min(middle), middle + apart]
                    .map(|top| Block::new(0, self.stroke, top, top + self.bar))
                    .to_vec()
            }
            '.' => vec![Block::new(
                0,
                self.stroke,
                self.height - self.bar,
                self.height,
            )],
            '+' => {
                let left = (self.width - self.stroke.min(self.width)) / 2;
                let reach = self.height / 4;
                vec![
                    Block::new(0, self.width, middle, middle + self.bar),
                    Block::new(
                        left,
                        left + self.stroke,
                        middle - reach,
                        middle + self.bar + reach,
                    ),
                ]
            }
            digit => self.segments(segments_of(digit), middle),
        }
    }

    fn segments(self, lit: u8, middle: u16) -> Vec<Block> {
        let (width, height, stroke, bar) = (self.width, self.height, self.stroke, self.bar);
        let (upper, lower) = ((0, middle + bar), (middle, height));
        let right = width - stroke;
        [
            Block::new(0, width, 0, bar),
            Block::new(right, width, upper.0, upper.1),
            Block::new(right, width, lower.0, lower.1),
            Block::new(0, width, height - bar, height),
            Block::new(0, stroke, lower.0, lower.1),
            Block::new(0, stroke, upper.0, upper.1),
            Block::new(0, width, middle, middle + bar),
        ]
        .into_iter()
        .enumerate()
        .filter(|(segment, _)| lit >> segment & 1 == 1)
        .map(|(_, block)| block)
        .collect()
    }
}

/// Lit points: columns `left..right`, rows `top..bottom`.
#[derive(Clone, Copy)]
struct Block {
    left: u16,
    right: u16,
    top: u16,
    bottom: u16,
}

impl Block {
    fn new(left: u16, right: u16, top: u16, bottom: u16) -> Self {
        Self {
            left,
            right,
            top,
            bottom,
        }
    }
}

/// Returns the segments a to g of a digit, lowest bit first; 0 for any other character.
fn segments_of(digit: char) -> u8 {
    match digit {
        '0' => 0b011_1111,
        '1' => 0b000_0110,
        '2' => 0b101_1011,
        '3' => 0b100_1111,
        '4' => 0b110_0110,
        '5' => 0b110_1101,
        '6' => 0b111_1101,
        '7' => 0b000_0111,
        '8' => 0b111_1111,
        '9' => 0b110_1111,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::Font;

    #[track_caller]
    fn check(text: &str, shapes: &[&str], width: u16, height: u16, expected: Expect) {
        let font = Font::largest(shapes, width, height).unwrap();
        let mut drawn = String::new();
        for row in font.draw(text) {
            let row: String = row.iter().map(|lit| if *lit { '█' } else { ' ' }).collect();
            drawn.push_str(&format!("│{row}│\n"));
        }
        expected.assert_eq(&drawn);
    }

    #[test]
    fn minutes_fill_half_of_eighty_columns() {
        check(
            "23:57",
            &["00:00", "0:00.0"],
            38,
            11,
            expect![[r#"
                │███████ ███████    ███████ ███████│
                │     ██      ██    ██           ██│
                │     ██      ██    ██           ██│
                │     ██      ██ ██ ██           ██│
                │     ██      ██    ██           ██│
                │███████ ███████    ███████      ██│
                │██           ██         ██      ██│
                │██           ██ ██      ██      ██│
                │██           ██         ██      ██│
                │██           ██         ██      ██│
                │███████ ███████    ███████      ██│
            "#]],
        );
    }

    #[test]
    fn hours_are_one_size_smaller() {
        check(
            "1:46:08",
            &["0:00:00"],
            38,
            11,
            expect![[r#"
                │   ██    ██ ██ █████    █████ █████│
                │   ██    ██ ██ ██       ██ ██ ██ ██│
                │   ██    ██ ██ ██       ██ ██ ██ ██│
                │   ██ ██ ██ ██ ██    ██ ██ ██ ██ ██│
                │   ██    █████ █████    ██ ██ █████│
                │   ██ ██    ██ ██ ██ ██ ██ ██ ██ ██│
                │   ██       ██ ██ ██    ██ ██ ██ ██│
                │   ██       ██ ██ ██    ██ ██ ██ ██│
                │   ██       ██ █████    █████ █████│
            "#]],
        );
    }

    #[test]
    fn the_smallest() {
        check(
            "1:29:30",
            &["0:00:00"],
            23,
            5,
            expect![[r#"
                │  █   ███ ███   ███ ███│
                │  █ █   █ █ █ █   █ █ █│
                │  █   ███ ███   ███ █ █│
                │  █ █ █     █ █   █ █ █│
                │  █   ███ ███   ███ ███│
            "#]],
        );
    }

    #[test]
    fn overtime_has_its_plus() {
        check(
            "+4:15",
            &["+00:00"],
            44,
            11,
            expect![[r#"
                │        ██   ██         ██ ███████│
                │        ██   ██         ██ ██     │
                │        ██   ██         ██ ██     │
                │  ██    ██   ██ ██      ██ ██     │
                │  ██    ██   ██         ██ ██     │
                │███████ ███████         ██ ███████│
                │  ██         ██         ██      ██│
                │  ██         ██ ██      ██      ██│
                │             ██         ██      ██│
                │             ██         ██      ██│
                │             ██         ██ ███████│
            "#]],
        );
    }

    #[test]
    fn a_wall_screen_has_digits_of_its_own_size() {
        check(
            "0:3",
            &["0:00"],
            60,
            40,
            expect![[r#"
                │████████████████         ████████████████│
                │████████████████         ████████████████│
                │█████      █████                    █████│
                │█████      █████                    █████│
                │█████      █████                    █████│
                │█████      █████                    █████│
                │█████      █████                    █████│
                │█████      █████                    █████│
                │█████      █████  █████             █████│
                │█████      █████  █████             █████│
                │█████      █████                    █████│
                │█████      █████                    █████│
                │█████      █████                    █████│
                │█████      █████                    █████│
                │█████      █████         ████████████████│
                │█████      █████         ████████████████│
                │█████      █████                    █████│
                │█████      █████                    █████│
                │█████      █████                    █████│
                │█████      █████                    █████│
                │█████      █████  █████             █████│
                │█████      █████  █████             █████│
                │█████      █████                    █████│
                │█████      █████                    █████│
                │█████      █████                    █████│
                │█████      █████                    █████│
                │█████      █████                    █████│
                │█████      █████                    █████│
                │█████      █████                    █████│
                │████████████████         ████████████████│
                │████████████████         ████████████████│
            "#]],
        );
    }

    #[test]
    fn a_text_too_large_has_no_font() {
        assert_eq!(Font::largest(&["0:00"], 10, 5), None);
        assert_eq!(Font::largest(&["0:00"], 80, 4), None);
        assert_eq!(Font::largest(&["0:00:00"], 22, 5), None);
    }
}

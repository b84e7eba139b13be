//! The field of one clock, with its digits as large as possible; the field is lit while the clock is running.
//!
//! Owns the choice of the size and the conversion of points to cells. Must never know a clock's side.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::clock_text::ClockText;
use super::digits::Font;
use super::layout::MINUTES;
use super::screen::Charset;

/// The characters for a cell, indexed by its lit quarters: upper left 1, upper right 2, lower left 4, lower right 8.
const QUARTERS: [char; 16] = [
    ' ', '▘', '▝', '▀', '▖', '▌', '▞', '▛', '▗', '▚', '▐', '▜', '▄', '▙', '▟', '█',
];

/// The number of points per cell in each direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scale {
    Cells = 1,
    Quarters = 2,
}

/// Returns the largest font for `text` in a field, and its scale; `None` if no font fits. `quarters` permits [`Scale::Quarters`].
///
/// Below one hour, the size does not depend on the digits, so that they do not move while time runs.
pub(crate) fn font(text: &ClockText, field: Rect, quarters: bool) -> Option<(Font, Scale)> {
    let zeros: String = text
        .big
        .chars()
        .map(|c| if c.is_ascii_digit() { '0' } else { c })
        .collect();
    let shapes: &[&str] = match (zeros.matches(':').count(), zeros.starts_with('+')) {
        (1, false) => &MINUTES,
        (1, true) => &["+00:00"],
        _ => &[&zeros],
    };
    let height = if field.height >= 7 {
        field.height - 2
    } else {
        field.height
    };
    let fit = |scale: Scale| {
        let points = |cells: u16| cells.saturating_mul(scale as u16);
        let font = Font::largest(shapes, points(field.width), points(height))?;
        Some((font, scale))
    };
    let cells = fit(Scale::Cells);
    let quarters = fit(Scale::Quarters).filter(|_| quarters);
    match (cells, quarters) {
        // Whole cells look cleaner, so use quarters only if they allow considerably larger digits.
        (Some((cells, _)), Some((quarters, _))) if quarters.height() * 2 > cells.height() * 5 => {
            Some((quarters, Scale::Quarters))
        }
        (cells, quarters) => cells.or(quarters),
    }
}

/// The points of a field, row by row; true means lit.
pub(crate) struct Pixels {
    lit: Vec<Vec<bool>>,
    scale: Scale,
}

impl Pixels {
    /// Returns the digits centred in the field, dark on light if the clock is running.
    pub(crate) fn of(field: Rect, scale: Scale, running: bool, font: Font, text: &str) -> Self {
        let points = |cells: u16| usize::from(cells) * scale as usize;
        let (width, height) = (points(field.width), points(field.height));
        let mut lit = vec![vec![running; width]; height];
        let left = width.saturating_sub(usize::from(font.width_of(text))) / 2;
        let top = height.saturating_sub(usize::from(font.height())) / 2;
        for (row, into) in font.draw(text).iter().zip(lit.iter_mut().skip(top)) {
            for (&digit, point) in row.iter().zip(into.iter_mut().skip(left)) {
                *point = digit != running;
            }
        }
        Self { lit, scale }
    }

    pub(crate) fn write(&self, buffer: &mut Buffer, field: Rect, charset: Charset) {
        let lit = |x: usize, y: usize| {
            let row = self.lit.get(y);
            row.and_then(|row| row.get(x)).copied().unwrap_or(false)
        };
        for position in field.positions() {
            let x = usize::from(position.x - field.x) * self.scale as usize;
            let y = usize::from(position.y - field.y) * self.scale as usize;
            let cell = match (self.scale, charset) {
                (Scale::Cells, Charset::Ascii) if lit(x, y) => '#',
                (Scale::Cells, Charset::Unicode) if lit(x, y) => '█',
                (Scale::Cells, Charset::Ascii | Charset::Unicode) => ' ',
                (Scale::Quarters, _) => {
                    let quarters = [(0, 0, 1), (1, 0, 2), (0, 1, 4), (1, 1, 8)];
                    let lit = quarters.map(
                        |(right, down, bit)| {
                            if lit(x + right, y + down) { bit } else { 0 }
                        },
                    );
                    QUARTERS[lit.iter().sum::<usize>()]
                }
            };
            buffer[position].set_char(cell);
        }
    }
}

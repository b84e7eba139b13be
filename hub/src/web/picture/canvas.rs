//! An image of rectangles and text, written as PNG. Owns the fonts; knows nothing of chess.

use ab_glyph::{Font as _, FontRef, PxScale, ScaleFont as _, point};

/// Red, green and blue.
pub(super) type Colour = [u8; 3];

const REGULAR: &[u8] = include_bytes!("../../../assets/fonts/DejaVuSans.ttf");
const BOLD: &[u8] = include_bytes!("../../../assets/fonts/DejaVuSans-Bold.ttf");

#[derive(Debug, thiserror::Error)]
pub(super) enum PictureError {
    #[error("a font of the pictures: {0}")]
    Font(#[from] ab_glyph::InvalidFont),
    #[error("the picture: {0}")]
    Png(#[from] png::EncodingError),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Type {
    pub(super) px: f32,
    pub(super) bold: bool,
    pub(super) colour: Colour,
}

/// A rectangle. Its position is in pixels from the upper left corner of the image.
#[derive(Clone, Copy, Debug)]
pub(super) struct Area {
    pub(super) x: usize,
    pub(super) y: usize,
    pub(super) width: usize,
    pub(super) height: usize,
}

pub(super) struct Canvas {
    width: usize,
    height: usize,
    rgb: Vec<u8>,
    regular: FontRef<'static>,
    bold: FontRef<'static>,
}

impl Canvas {
    pub(super) fn new(width: usize, height: usize, ground: Colour) -> Result<Self, PictureError> {
        Ok(Self {
            width,
            height,
            rgb: ground.repeat(width * height),
            regular: FontRef::try_from_slice(REGULAR)?,
            bold: FontRef::try_from_slice(BOLD)?,
        })
    }

    pub(super) fn fill(&mut self, area: Area, colour: Colour) {
        let end = (area.x + area.width).min(self.width);
        for y in area.y..(area.y + area.height).min(self.height) {
            let row = (y * self.width + area.x) * 3..(y * self.width + end) * 3;
            if let Some(row) = self.rgb.get_mut(row) {
                row.copy_from_slice(&colour.repeat(row.len() / 3));
            }
        }
    }

    /// Writes `text` with its left end at `x` and its baseline at `y`, shortened with an ellipsis if it would be wider than `room`.
    pub(super) fn text(&mut self, (x, y): (usize, usize), room: usize, style: Type, text: &str) {
        let text = self.shortened(text, room, style);
        self.glyphs(x as f32, y as f32, style, &text);
    }

    /// Writes `text` so that it ends at `x`.
    pub(super) fn text_ending(&mut self, (x, y): (usize, usize), style: Type, text: &str) {
        let start = x as f32 - self.width_of(text, style);
        self.glyphs(start.max(0.0), y as f32, style, text);
    }

    pub(super) fn glyph_in(&mut self, square: Area, style: Type, glyph: char) {
        let font = self.font(style);
        let placed = font.glyph_id(glyph).with_scale(PxScale::from(style.px));
        let Some(outline) = font.outline_glyph(placed) else {
            return;
        };
        let bounds = outline.px_bounds();
        let left = square.x as f32 + (square.width as f32 - bounds.width()) / 2.0 - bounds.min.x;
        let base = square.y as f32 + (square.height as f32 - bounds.height()) / 2.0 - bounds.min.y;
        self.glyphs(left, base, style, glyph.encode_utf8(&mut [0; 4]));
    }

    pub(super) fn png(&self) -> Result<Vec<u8>, PictureError> {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Fast);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.rgb)?;
        writer.finish()?;
        Ok(file)
    }

    fn font(&self, style: Type) -> FontRef<'static> {
        match style.bold {
            true => self.bold.clone(),
            false => self.regular.clone(),
        }
    }

    fn width_of(&self, text: &str, style: Type) -> f32 {
        let font = self.font(style);
        let font = font.as_scaled(PxScale::from(style.px));
        text.chars().map(|c| font.h_advance(font.glyph_id(c))).sum()
    }

    fn shortened(&self, text: &str, room: usize, style: Type) -> String {
        let room = room as f32;
        if self.width_of(text, style) <= room {
            return text.to_owned();
        }
        let mut cut = text.to_owned();
        while cut.pop().is_some() {
            let shown = format!("{}…", cut.trim_end());
            if self.width_of(&shown, style) <= room {
                return shown;
            }
        }
        String::new()
    }

    fn glyphs(&mut self, mut x: f32, y: f32, style: Type, text: &str) {
        let font = self.font(style);
        let font = font.as_scaled(PxScale::from(style.px));
        for c in text.chars() {
            let id = font.glyph_id(c);
            let placed = id.with_scale_and_position(PxScale::from(style.px), point(x, y));
            x += font.h_advance(id);
            let Some(outline) = font.outline_glyph(placed) else {
                continue;
            };
            let bounds = outline.px_bounds();
            outline.draw(|dx, dy, cover| {
                let (x, y) = (bounds.min.x + dx as f32, bounds.min.y + dy as f32);
                if x >= 0.0 && y >= 0.0 {
                    self.blend(x as usize, y as usize, style.colour, cover);
                }
            });
        }
    }

    fn blend(&mut self, x: usize, y: usize, colour: Colour, cover: f32) {
        if x >= self.width || y >= self.height {
            return;
        }
        let start = (y * self.width + x) * 3;
        for (old, new) in self.rgb.iter_mut().skip(start).zip(colour) {
            let mixed = f32::from(*old) + (f32::from(new) - f32::from(*old)) * cover.min(1.0);
            *old = mixed.round() as u8;
        }
    }
}

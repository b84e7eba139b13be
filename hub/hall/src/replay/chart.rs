//! The chart of a game's time usage as an SVG image: a bar for each move's time, a line for each side's time in hand.

use std::fmt::Write;

use timing::Side;

use super::compare::MoveClocks;
use super::supposition::MoveName;
use super::timeline::Timeline;
use crate::describe::exact_time;

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 70.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 320.0;

/// Draws a game's chart as an SVG image. Its colours work on paper and in the light and dark themes.
pub fn chart(timeline: &Timeline) -> String {
    let moves: Vec<(MoveName, MoveClocks)> = timeline.moves().collect();
    let plies = moves.len().max(1) as f64;
    let most_used = moves.iter().map(|(_, clocks)| clocks.used_us).max();
    let in_hand = moves
        .iter()
        .map(|(_, clocks)| clocks.white_us.max(clocks.black_us))
        .max();
    let (most_used, in_hand) = (most_used.unwrap_or(1).max(1), in_hand.unwrap_or(1).max(1));
    let step = (WIDTH - LEFT - 20.0) / plies;
    let mut svg = opening(timeline);
    let height = |us: i64, most: i64| (us.max(0) as f64 / most as f64) * (BOTTOM - TOP);
    for (place, (name, clocks)) in moves.iter().enumerate() {
        let (x, tall) = (
            LEFT + place as f64 * step,
            height(clocks.used_us, most_used),
        );
        let class = if name.side == Side::White { "w" } else { "b" };
        // Writing to a string cannot fail.
        let _ = writeln!(
            svg,
            "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{tall:.1}\"><title>{name} {}</title></rect>",
            BOTTOM - tall,
            (step * 0.8).max(0.5),
            exact_time(clocks.used_us)
        );
    }
    for (class, time) in [
        (
            "lw",
            (|clocks: &MoveClocks| clocks.white_us) as fn(&MoveClocks) -> i64,
        ),
        ("lb", |clocks: &MoveClocks| clocks.black_us),
    ] {
        let points = moves.iter().enumerate().map(|(place, (_, clocks))| {
            let y = BOTTOM - height(time(clocks), in_hand);
            format!("{:.1},{y:.1}", LEFT + (place as f64 + 0.4) * step)
        });
        let points: Vec<String> = points.collect();
        let _ = writeln!(
            svg,
            "<polyline class=\"{class}\" points=\"{}\"/>",
            points.join(" ")
        );
    }
    axes(&mut svg, &moves, step, (most_used, in_hand));
    svg.push_str("</svg>\n");
    svg
}

fn opening(timeline: &Timeline) -> String {
    let title = format!(
        "Board {}, game {}: {} – {}, {}",
        timeline.board, timeline.game, timeline.white, timeline.black, timeline.control
    );
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\">\n\
         <title>{0}</title>\n<style>text{{font:12px sans-serif;fill:#777}}.w{{fill:#bbb;stroke:#777;stroke-width:.5}}\
         .b{{fill:#444;stroke:#777;stroke-width:.5}}polyline{{fill:none;stroke-width:2}}.lw{{stroke:#d08a00}}\
         .lb{{stroke:#2a7de1}}line{{stroke:#777}}</style>\n<text x=\"{LEFT}\" y=\"20\">{0}</text>\n",
        escaped(&title)
    )
}

fn axes(
    svg: &mut String,
    moves: &[(MoveName, MoveClocks)],
    step: f64,
    (most_used, in_hand): (i64, i64),
) {
    let seconds = |us: i64| {
        let text = exact_time(us);
        text.split('.').next().unwrap_or_default().to_owned()
    };
    let _ = writeln!(
        svg,
        "<line x1=\"{LEFT}\" y1=\"{BOTTOM}\" x2=\"{:.0}\" y2=\"{BOTTOM}\"/>\n<text x=\"4\" y=\"{:.0}\">{}</text>\n\
         <text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"end\">lines: {}</text>",
        WIDTH - 20.0,
        TOP + 4.0,
        seconds(most_used),
        WIDTH - 20.0,
        TOP - 6.0,
        seconds(in_hand)
    );
    for (place, (name, _)) in moves.iter().enumerate() {
        if name.side == Side::White && (name.number == 1 || name.number.is_multiple_of(10)) {
            let x = LEFT + place as f64 * step;
            let _ = writeln!(
                svg,
                "<text x=\"{x:.1}\" y=\"{:.0}\">{}</text>",
                BOTTOM + 18.0,
                name.number
            );
        }
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

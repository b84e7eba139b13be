// Draws the charts: axes and bars, in the colours of the page's theme.

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { minutes, type Columns } from "./chart.js";

export type Mode = "used" | "left";

interface Ink {
  line: string;
  edge: string;
  text: string;
  white: string;
  whiteEdge: string;
  black: string;
  blackEdge: string;
}

function ink(): Ink {
  const style = getComputedStyle(document.documentElement);
  const of = (name: string): string => style.getPropertyValue(name).trim();
  return {
    line: of("--line"),
    edge: of("--edge"),
    text: of("--ink-3"),
    white: of("--disc-w"),
    whiteEdge: of("--disc-w-edge"),
    black: of("--disc-b"),
    blackEdge: of("--disc-b-edge"),
  };
}

export type Size = Pick<DOMRect, "width" | "height">;

/** Creates a chart in `place`. In the mode `used`, `marks` is called for each drawing and returns the positions of the dotted lines. */
export function plotted(mode: Mode, size: Size, marks: () => number[], data: Columns, place: HTMLElement): uPlot {
  return new uPlot(options(mode, size, marks), data, place);
}

function options(mode: Mode, { width, height }: Size, marks: () => number[]): uPlot.Options {
  const colours = ink();
  const font = `12px ${getComputedStyle(document.body).fontFamily}`;
  const axis: uPlot.Axis = { stroke: colours.text, font, grid: { stroke: colours.line, width: 1 }, ticks: { show: false }, gap: 4 };
  const bars = uPlot.paths.bars?.({ size: [0.68, 40], align: 0 });
  const steps = uPlot.paths.stepped?.({ align: 1 });
  const paths = mode === "used" ? bars : steps;
  const series = (fill: string, stroke: string, dash: boolean): uPlot.Series => ({
    stroke: mode === "used" ? stroke : dash ? colours.text : stroke === colours.whiteEdge ? colours.edge : stroke,
    width: mode === "used" ? 1 : 2,
    points: { show: false },
    ...(mode === "used" ? { fill } : {}),
    ...(mode === "left" && dash ? { dash: [6, 4] } : {}),
    ...(paths ? { paths } : {}),
  });
  return {
    width,
    height,
    legend: { show: false },
    cursor: { show: false },
    padding: [12, 12, 0, 0],
    scales: {
      x: { time: false, range: (_, least, most) => (mode === "used" ? [least - 0.6, most + 0.6] : [0, Math.max(1, most)]) },
      y: { range: (_, least, most) => (mode === "used" ? both(least, most) : [0, Math.max(1, most) * 1.04]) },
    },
    axes: [
      { ...axis, grid: { show: false }, size: 26, space: 44, ...(mode === "used" ? { incrs: [1, 2, 5, 10, 20, 50] } : {}) },
      { ...axis, size: 44, space: 34, values: (_, ticks) => ticks.map((tick) => minutes(tick)) },
    ],
    series: [{}, series(colours.white, colours.whiteEdge, true), series(colours.black, colours.blackEdge, false)],
    hooks: { draw: [(plot) => dotted(plot, mode === "used" ? marks() : [], colours), (plot) => middle(plot, mode, colours)] },
  };
}

/** Returns a symmetric range, so that zero is in the middle. Its half-height is at least a quarter of a minute. */
function both(least: number, most: number): [number, number] {
  const far = Math.max(0.25, Math.abs(least), Math.abs(most)) * 1.08;
  return [-far, far];
}

function dotted(plot: uPlot, marks: number[], colours: Ink): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.strokeStyle = colours.text;
  ctx.setLineDash([2 * devicePixelRatio, 3 * devicePixelRatio]);
  for (const mark of marks) {
    const x = Math.round(plot.valToPos(mark, "x", true));
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
}

function middle(plot: uPlot, mode: Mode, colours: Ink): void {
  if (mode !== "used") return;
  const { ctx, bbox } = plot;
  const y = Math.round(plot.valToPos(0, "y", true));
  ctx.save();
  ctx.strokeStyle = colours.edge;
  ctx.lineWidth = devicePixelRatio;
  ctx.beginPath();
  ctx.moveTo(bbox.left, y);
  ctx.lineTo(bbox.left + bbox.width, y);
  ctx.stroke();
  ctx.restore();
}

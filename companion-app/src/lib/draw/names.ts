// Measures whether names fit into tiles, without a layout for each name, and how large the digits may be. Clipping by the browser costs time in
// every frame, and most names need no clipping.
//
// Owns a cache of widths. Must never decide how a name is shortened: the style sheet does.

export class Names {
  readonly #room: number;
  readonly #canvas: CanvasRenderingContext2D | null;
  readonly #widths = new Map<string, number>();

  /** @param place a rendered element that shows a name, with a disc before the name */
  constructor(place: HTMLElement) {
    const style = getComputedStyle(place);
    const disc = getComputedStyle(place, "::before");
    const lengths = [
      style.paddingInlineStart,
      style.paddingInlineEnd,
      disc.width,
      disc.marginInlineEnd,
      disc.borderInlineStartWidth,
      disc.borderInlineEndWidth,
    ];
    this.#room = lengths.reduce((room, length) => room - Number.parseFloat(length), place.clientWidth - TOLERANCE_PX);
    this.#canvas = document.createElement("canvas").getContext("2d");
    // The computed `font` shorthand is empty if part of it cannot be expressed, such as tabular figures.
    if (this.#canvas) this.#canvas.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  }

  fits(name: string): boolean {
    let width = this.#widths.get(name);
    if (width === undefined) this.#widths.set(name, (width = this.#canvas?.measureText(name).width ?? Infinity));
    return width <= this.#room;
  }
}

/** Tolerance for the different rounding of layout and canvas. */
const TOLERANCE_PX = 1;

/**
 * Returns the font size in pixels at which `digits` fill `room` pixels in the weight of a running side. Digits differ in width by a third
 * between system fonts. A size that is a fixed share of the tile's width would clip the digits of a wide font. Without a canvas, returns Infinity.
 */
export function digitSize(place: HTMLElement, digits: string, room: number): number {
  const canvas = document.createElement("canvas").getContext("2d");
  if (!canvas) return Infinity;
  const style = getComputedStyle(place);
  canvas.font = `${style.getPropertyValue("--w-digit")} ${REFERENCE_PX}px ${style.fontFamily}`;
  return Math.max(0, room) / (canvas.measureText(digits).width / REFERENCE_PX);
}
/** Font size for measuring, large enough that rounding and hinting do not matter. */
const REFERENCE_PX = 100;

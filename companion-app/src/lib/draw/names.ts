// Measures names and digits of tiles without a page layout: clipping costs time in every frame, and most names need none.
//
// Owns the widths it was asked for once. Must never decide how a name is cut: that is the style's.

export class Names {
  readonly #room: number;
  readonly #canvas: CanvasRenderingContext2D | null;
  readonly #widths = new Map<string, number>();

  /** @param place one name's place, as it is laid out, with its disc before it */
  constructor(place: HTMLElement) {
    const style = getComputedStyle(place);
    const disc = getComputedStyle(place, "::before");
    const lengths = [style.paddingInlineStart, style.paddingInlineEnd, disc.width, disc.marginInlineEnd, disc.borderInlineStartWidth, disc.borderInlineEndWidth];
    this.#room = lengths.reduce((room, length) => room - Number.parseFloat(length), place.clientWidth - TOLERANCE_PX);
    this.#canvas = document.createElement("canvas").getContext("2d");
    // The shorthand is empty where a part of it has no place in it, as with figures of one width.
    if (this.#canvas) this.#canvas.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  }

  fits(name: string): boolean {
    let width = this.#widths.get(name);
    if (width === undefined) this.#widths.set(name, (width = this.#canvas?.measureText(name).width ?? Infinity));
    return width <= this.#room;
  }
}

/** Layout rounds otherwise than a canvas does. */
const TOLERANCE_PX = 1;

/**
 * Returns the font size, in pixels, at which `digits` fill `room` pixels in the weight of a running side. System faces differ by a third
 * in the width of a digit, so a share of the tile's width alone would cut the digits of a wide face.
 */
export function digitSize(place: HTMLElement, digits: string, room: number): number {
  const canvas = document.createElement("canvas").getContext("2d");
  if (!canvas) return Infinity;
  const style = getComputedStyle(place);
  canvas.font = `${style.getPropertyValue("--w-digit")} ${REFERENCE_PX}px ${style.fontFamily}`;
  return Math.max(0, room) / (canvas.measureText(digits).width / REFERENCE_PX);
}
/** Large enough that rounding and hinting do not count. */
const REFERENCE_PX = 100;

// Protects the aim of a tap. A row or card that has just moved or appeared ignores taps, because the finger was aiming at what was there
// before. `hold.svelte.ts` keeps a list still from the moment it is touched; this module covers the moment before.

/** Time for which a row ignores taps after it has moved. Shorter than the time that a person needs to see a row and touch it. */
const AIM_MS = 400;

/** Returns the rows that have moved: all rows from the first difference on. */
export function movedRows<T>(before: readonly T[], now: readonly T[]): T[] {
  const first = now.findIndex((one, at) => one !== before[at]);
  return first < 0 ? [] : now.slice(first);
}

/** Marks each list item inside `box` with `data-moved` for a moment after it has moved or appeared. `app.css` makes marked items ignore taps. */
export function aimed(box: HTMLElement): () => void {
  const items = (): HTMLElement[] => [...box.querySelectorAll("li")];
  const marks = new Map<HTMLElement, ReturnType<typeof setTimeout>>();
  let before = items();
  const watch = new MutationObserver(() => {
    const now = items();
    for (const item of movedRows(before, now)) {
      clearTimeout(marks.get(item));
      item.dataset["moved"] = "";
      marks.set(
        item,
        setTimeout(() => {
          delete item.dataset["moved"];
          marks.delete(item);
        }, AIM_MS),
      );
    }
    before = now;
  });
  watch.observe(box, { childList: true, subtree: true });
  return () => {
    watch.disconnect();
    for (const mark of marks.values()) clearTimeout(mark);
  };
}

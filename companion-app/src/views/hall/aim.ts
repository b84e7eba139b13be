// Protects the aim of a tap. A row or card that has just moved or appeared ignores taps, because the finger was aiming at what was there
// before. `hold.svelte.ts` keeps a list still from the moment it is touched; this module covers the moment before.

/** Shorter than the time in which a person sees a row and touches it. */
const AIM_MS = 400;

/** Returns the rows that are not where they were: all rows from the first difference on. */
export function astray<T>(before: readonly T[], now: readonly T[]): T[] {
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
    for (const item of astray(before, now)) {
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

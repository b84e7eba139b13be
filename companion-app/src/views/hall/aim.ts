// Protects the aim of a tap: a row or card that has just moved or appeared takes no tap, because the finger was aimed at what stood
// there before. `hold.svelte.ts` keeps a list still from the touch on; this covers the moment before.

/** From seeing a row to touching it takes a person longer than this. */
const AIM_MS = 400;

/** Returns the rows that are not where they were: all from the first difference on. */
export function astray<T>(before: readonly T[], now: readonly T[]): T[] {
  const first = now.findIndex((one, at) => one !== before[at]);
  return first < 0 ? [] : now.slice(first);
}

/** Marks each list item inside `box` with `data-moved` for a moment after it has moved or appeared; `app.css` sends a tap past it. */
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

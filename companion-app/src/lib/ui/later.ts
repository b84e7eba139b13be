// Parts of the app that are loaded after the first screen.

/** Maximum wait before preloading. Browsers that do not report when they are idle always wait this long. */
const SETTLE_MS = 3000;

/**
 * Preloads parts once the page is idle, so that they are available if the hub is lost. A part that fails to load is loaded again when first
 * shown.
 */
export function whenIdle(parts: readonly (() => Promise<unknown>)[]): void {
  const fetchAll = (): void => {
    for (const part of parts) part().catch(() => undefined);
  };
  if ("requestIdleCallback" in globalThis) requestIdleCallback(fetchAll, { timeout: SETTLE_MS });
  else setTimeout(fetchAll, SETTLE_MS);
}

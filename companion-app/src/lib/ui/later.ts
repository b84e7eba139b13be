// Parts of the app that are loaded after the first screen.

/** The delay where the browser does not report when it is idle. */
const SETTLE_MS = 3000;

/**
 * Preloads parts once the page is idle, so that they are available if the hub is lost. A part that fails is loaded again when it is shown.
 */
export function whenIdle(parts: readonly (() => Promise<unknown>)[]): void {
  const fetchAll = (): void => {
    for (const part of parts) part().catch(() => undefined);
  };
  if ("requestIdleCallback" in globalThis) requestIdleCallback(fetchAll, { timeout: SETTLE_MS });
  else setTimeout(fetchAll, SETTLE_MS);
}

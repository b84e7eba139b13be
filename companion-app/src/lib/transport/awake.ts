// Keeps the screen of the app on while its window is seen: a hall is watched, not touched. In a browser the tablet's owner decides.
//
// Asks the system through the Rust side and, where that has no way, the web view itself.

import { invoke } from "@tauri-apps/api/core";

/** From now until `signal` ends it. */
export function stayAwake(signal: AbortSignal): void {
  let lock: WakeLockSentinel | null = null;
  const look = async (): Promise<void> => {
    const on = document.visibilityState === "visible" && !signal.aborted;
    const kept = await invoke<boolean>("keep_awake", { on }).catch(() => false);
    if (!on) {
      await lock?.release();
      lock = null;
    } else if (!kept && "wakeLock" in navigator && (!lock || lock.released)) {
      // A system that saves power may say no: then the screen goes dark, and nothing else.
      lock = await navigator.wakeLock.request("screen").catch(() => null);
    }
  };
  const changed = (): void => void look();
  document.addEventListener("visibilitychange", changed, { signal });
  signal.addEventListener("abort", changed);
  changed();
}

// Abort signals combined by hand: Safari before 17.4 has no `AbortSignal.any`.

/** Runs `act` until it finishes, `signal` aborts it, or `ms` have passed. */
export async function within<T>(ms: number, signal: AbortSignal | undefined, act: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const over = new AbortController();
  const end = (): void => over.abort(signal?.reason);
  const patience = setTimeout(end, ms);
  signal?.addEventListener("abort", end);
  if (signal?.aborted) end();
  try {
    return await act(over.signal);
  } finally {
    clearTimeout(patience);
    signal?.removeEventListener("abort", end);
  }
}

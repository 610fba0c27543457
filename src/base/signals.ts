/**
 * Runs a task under a signal that aborts with the first of `signals`, and with its reason.
 * Trades a few lines for `AbortSignal.any`, whose signals stay in memory for as long as anybody listens to them, whatever else is
 * forgotten: one listener left behind, and a daemon grows with every payment.
 */
export async function underAll<T>(
  signals: readonly AbortSignal[],
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const forget = abortWith(controller, signals);
  try {
    return await task(controller.signal);
  } finally {
    forget();
  }
}

/** Aborts `controller` with the first of `signals`, until the function that is returned is called. */
export function abortWith(controller: AbortController, signals: readonly AbortSignal[]): () => void {
  const ends = signals.map((signal) => {
    const onAbort = () => controller.abort(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    return () => signal.removeEventListener('abort', onAbort);
  });
  return () => {
    for (const end of ends) end();
  };
}

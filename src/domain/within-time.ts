/**
 * Does work with a signal that aborts with another one, or after a number of milliseconds.
 *
 * Not `AbortSignal.any([signal, AbortSignal.timeout(ms)])`: that timeout is only weakly referenced, so Node 20 collects
 * it as garbage, including its timer.
 */
export async function withinTime<T>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const end = () => limit.abort(new DOMException('The time limit was reached', 'TimeoutError'));
  const timer = setTimeout(end, ms);
  try {
    return await work(signal ? AbortSignal.any([signal, limit.signal]) : limit.signal);
  } finally {
    clearTimeout(timer);
  }
}

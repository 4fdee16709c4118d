import { setMaxListeners } from 'node:events';

/**
 * A signal that aborts with another one, or after a number of milliseconds with a `TimeoutError`.
 *
 * Not `AbortSignal.any([signal, AbortSignal.timeout(ms)])`: that timeout is only weakly referenced, so Node 20 collects
 * it as garbage, including its timer. Here the timer refers to its controller.
 */
export function withTimeLimit(signal: AbortSignal, ms: number): AbortSignal {
  const limit = new AbortController();
  const end = () => limit.abort(new DOMException('The time limit was reached', 'TimeoutError'));
  setTimeout(end, ms).unref();
  const both = AbortSignal.any([signal, limit.signal]);
  // Each open connection adds a listener, and there may be many.
  setMaxListeners(0, both);
  return both;
}

import { setMaxListeners } from 'node:events';

/**
 * A signal that aborts with another, or after so many milliseconds with a `TimeoutError`.
 *
 * Not `AbortSignal.any([signal, AbortSignal.timeout(ms)])`: nothing but a weak reference leads to that timeout, and Node 20
 * collects it as garbage, together with its timer. Here the timer refers to its controller.
 */
export function withTimeLimit(signal: AbortSignal, ms: number): AbortSignal {
  const limit = new AbortController();
  const end = () => limit.abort(new DOMException('The time limit was reached', 'TimeoutError'));
  setTimeout(end, ms).unref();
  const both = AbortSignal.any([signal, limit.signal]);
  // Each open connection listens, of which there may be many.
  setMaxListeners(0, both);
  return both;
}

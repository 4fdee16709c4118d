import { Bell } from './bell.ts';
import type { Spool } from './spool.ts';

/** Does `send` at first and after each event that is put into the spool, until the signal. */
export async function keepSending(
  spool: Spool,
  signal: AbortSignal,
  send: () => Promise<void>,
): Promise<void> {
  const bell = new Bell(signal);
  spool.onAppend = bell.ring;
  while (!signal.aborted) {
    await send();
    await bell.wait();
  }
}

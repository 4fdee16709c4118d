import { open } from 'node:fs/promises';

// The lines of a spool's segments: one event each.

/** Events that are lost. */
export interface Loss {
  readonly count: number;
  /** Times of occurrence of the first and last one. */
  readonly from: string | null;
  readonly to: string | null;
}

/** The complete lines between two places of a file, with the place behind each. */
export async function* linesOf(
  path: string,
  start: number,
  end: number,
): AsyncGenerator<{ text: string; end: number }> {
  if (start >= end) return;
  const file = await open(path, 'r');
  try {
    let rest = Buffer.alloc(0);
    let place = start;
    for (let read = start; read < end; ) {
      const chunk = Buffer.alloc(Math.min(256 * 1024, end - read));
      const { bytesRead } = await file.read(chunk, 0, chunk.length, read);
      if (bytesRead === 0) return;
      read += bytesRead;
      const data =
        rest.length > 0 ? Buffer.concat([rest, chunk.subarray(0, bytesRead)]) : chunk.subarray(0, bytesRead);
      let from = 0;
      for (let at = data.indexOf(10); at !== -1; at = data.indexOf(10, from)) {
        place += at + 1 - from;
        yield { text: data.toString('utf8', from, at), end: place };
        from = at + 1;
      }
      rest = data.subarray(from);
    }
  } finally {
    await file.close();
  }
}

/** What the spool reads of an event. */
interface Line {
  /** When the event occurred; null for a damaged line. */
  readonly occurredAt: string | null;
  /** When it was put into the spool, in milliseconds since 1970; null for a damaged line. */
  readonly spooledAt: number | null;
  /** What is lost without it: itself, or the events whose loss it reports. */
  readonly loss: Loss;
}

export function readLine(text: string): Line {
  const { event, spooledAt } = Object(parsed(text)) as { readonly [name: string]: unknown };
  const { occurred_at, kind, count, from, to } = Object(event) as { readonly [name: string]: unknown };
  const occurredAt = textOr(occurred_at, null);
  const isReport = /\.dropped$/.test(String(kind)) && Number.isSafeInteger(count);
  return {
    occurredAt,
    spooledAt: typeof spooledAt === 'number' ? spooledAt : null,
    loss: isReport
      ? { count: count as number, from: textOr(from, occurredAt), to: textOr(to, occurredAt) }
      : { count: 1, from: occurredAt, to: occurredAt },
  };
}

function textOr<T>(value: unknown, otherwise: T): string | T {
  return typeof value === 'string' ? value : otherwise;
}

/** The text itself if it is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

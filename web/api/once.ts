import { ApiError } from './api-error.ts';

interface Change {
  readonly key: string;
  readonly target: Target;
  /** Undefined after it failed without a definite response. */
  inFlight: Promise<unknown> | undefined;
  /** When it last failed, in `performance.now()` milliseconds. */
  failedAt: number;
}

interface Target {
  readonly method: string;
  readonly path: string;
}

/** Changes without a definite response so far, by their content. */
const changes = new Map<string, Change>();

/** How many failed changes are remembered, and for how many milliseconds. Later, the same change counts as a new one. */
const mostRemembered = 50;
const rememberedFor = 60_000;

/**
 * Makes a change once. The same change requested while it is in flight shares its response, and a retry after a lost response
 * carries the same idempotency key, so that a double click or a lost connection has one effect.
 *
 * @param content distinguishes the change from others to the same target: its body, or the identity of its file
 */
export function once<Answer>(
  target: Target,
  content: string,
  send: (key: string) => Promise<Answer>,
): Promise<Answer> {
  const id = `${target.method} ${target.path} ${content}`;
  const previous = changes.get(id);
  if (previous?.inFlight) return previous.inFlight as Promise<Answer>;
  const isRemembered = previous && performance.now() - previous.failedAt < rememberedFor;
  const change: Change = isRemembered
    ? previous
    : { key: newKey(), target, inFlight: undefined, failedAt: 0 };
  const inFlight = send(change.key).then(
    response => {
      changes.delete(id);
      forgetReplaced(target);
      return response;
    },
    error => {
      if (isDefinite(error)) changes.delete(id);
      change.inFlight = undefined;
      change.failedAt = performance.now();
      throw error;
    },
  );
  change.inFlight = inFlight;
  changes.set(id, change);
  if (changes.size > mostRemembered) changes.delete(changes.keys().next().value!);
  return inFlight;
}

/** A value that was set since replaces what failed changes may have set, so setting the old one again is a new change. */
function forgetReplaced({ method, path }: Target): void {
  if (method === 'POST') return;
  for (const [id, { target, inFlight }] of changes) if (target.path === path && !inFlight) changes.delete(id);
}

/** Whether the service refused the change, so that another attempt is a new one. */
function isDefinite(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500;
}

/** A UUID (RFC 9562, version 4). `crypto.randomUUID` is not available over plain HTTP. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

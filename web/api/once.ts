import { ApiError } from './api-error.ts';

interface Change {
  readonly key: string;
  readonly target: Target;
  /** Undefined once it has failed without a definite answer. */
  underWay: Promise<unknown> | undefined;
  /** When it failed last, as `performance.now()` has it. */
  failedAt: number;
}

interface Target {
  readonly method: string;
  readonly path: string;
}

/** Changes that were asked for and have no definite answer yet, by their content. */
const changes = new Map<string, Change>();

/** Changes without an answer that are remembered, and for how many milliseconds: later, the same change is meant anew. */
const mostRemembered = 50;
const rememberedFor = 60_000;

/**
 * Makes a change once: what asks for the same change while it is under way gets its answer, and a new try after an answer that got lost
 * carries the same idempotency key. A double click, Enter pressed twice and a lost connection all count as one.
 *
 * @param content what tells the change from others to the same target: its body, or what is known of its file
 */
export function once<Answer>(
  target: Target,
  content: string,
  send: (key: string) => Promise<Answer>,
): Promise<Answer> {
  const id = `${target.method} ${target.path} ${content}`;
  const before = changes.get(id);
  if (before?.underWay) return before.underWay as Promise<Answer>;
  const isRemembered = before && performance.now() - before.failedAt < rememberedFor;
  const change: Change = isRemembered ? before : { key: newKey(), target, underWay: undefined, failedAt: 0 };
  const underWay = send(change.key).then(
    answer => {
      changes.delete(id);
      forgetReplaced(target);
      return answer;
    },
    error => {
      if (isDefinite(error)) changes.delete(id);
      change.underWay = undefined;
      change.failedAt = performance.now();
      throw error;
    },
  );
  change.underWay = underWay;
  changes.set(id, change);
  if (changes.size > mostRemembered) changes.delete(changes.keys().next().value!);
  return underWay;
}

/** A value that was set since has replaced what changes without an answer had set there: to set it again is a new change. */
function forgetReplaced({ method, path }: Target): void {
  if (method === 'POST') return;
  for (const [id, { target, underWay }] of changes) if (target.path === path && !underWay) changes.delete(id);
}

/** Whether the service has refused the change, so that another try is a new one. */
function isDefinite(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500;
}

/** A UUID (RFC 9562, version 4). `crypto.randomUUID` is missing where a page is served over plain HTTP. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

import type { SourceKind } from '../../../src/contract/sources.ts';

interface TidyHost {
  readonly host: string;
  /** What was removed from what the person entered. */
  readonly removed: string | undefined;
}

/** Turns a pasted website URL into one that the service takes: without query and fragment, and with a scheme if it has a path. */
export function tidyHost(kind: SourceKind, entered: string): TidyHost {
  const text = entered.trim();
  if (kind !== 'website' && kind !== 'supabase') return { host: text, removed: undefined };
  const end = text.search(/[?#]/);
  const kept = end < 0 ? text : text.slice(0, end);
  const removed = end < 0 ? undefined : text.slice(end);
  const hasPath = kind === 'website' && !kept.includes('://') && /^[^/]+\/./.test(kept);
  return { host: hasPath ? `https://${kept}` : kept.replace(/^([^/]+)\/$/, '$1'), removed };
}

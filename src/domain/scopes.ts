import type { KeyKind, Scope } from '../contract/keys.ts';

/** Scopes of a new key (specification, section 2). They never change. */
export function scopesOf(kind: KeyKind, options: { privileged: boolean }): Scope[] {
  if (kind === 'probe') return ['ingest'];
  const scopes: Scope[] = ['ingest', 'findings:read', 'scans:write', 'sources:write'];
  return options.privileged ? [...scopes, 'sources:privileged'] : scopes;
}

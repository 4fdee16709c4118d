import type { KeyKind, Scope } from '../contract/keys.ts';

/** The scopes that a new key gets (specification, section 2). They never change after mint. */
export function scopesOf(kind: KeyKind, options: { privileged: boolean }): Scope[] {
  if (kind === 'probe') return ['ingest'];
  const scopes: Scope[] = ['ingest', 'findings:read', 'scans:write', 'sources:write'];
  return options.privileged ? [...scopes, 'sources:privileged'] : scopes;
}

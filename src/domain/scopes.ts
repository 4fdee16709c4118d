import { type DashboardScope, dashboardScopes, type KeyKind, type Scope } from '../contract/keys.ts';

/** Scopes of a new key (specification, section 2). They never change. @param chosen of a dashboard key; all by default */
export function scopesOf(
  kind: KeyKind,
  { privileged, chosen = dashboardScopes }: { privileged: boolean; chosen?: readonly DashboardScope[] },
): Scope[] {
  if (kind === 'probe') return ['ingest'];
  const scopes: Scope[] = dashboardScopes.filter(scope => chosen.includes(scope));
  return privileged ? [...scopes, 'sources:privileged'] : scopes;
}

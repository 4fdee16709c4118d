export const scopes = [
  'ingest',
  'findings:read',
  'scans:write',
  'sources:write',
  'sources:privileged',
] as const;
/** Permissions of a key (specification, section 5, Scopes), fixed when it is created. */
export type Scope = (typeof scopes)[number];

/** Scopes of a dashboard key, unless fewer are chosen. `sources:privileged` is requested separately. */
export const dashboardScopes = ['ingest', 'findings:read', 'scans:write', 'sources:write'] as const;
export type DashboardScope = (typeof dashboardScopes)[number];

/** How long a rotated key stays valid next to its replacement, in milliseconds. */
export const overlaps = {
  '1h': 3_600_000,
  '1d': 24 * 3_600_000,
  '7d': 7 * 24 * 3_600_000,
  '30d': 30 * 24 * 3_600_000,
} as const;
export type Overlap = keyof typeof overlaps;

export const keyKinds = ['dashboard', 'probe'] as const;
export type KeyKind = (typeof keyKinds)[number];

/** Maximum addresses and CIDRs in the allowlist of a key. */
export const maxAllowedAddresses = 50;

export const tokenPrefix: Record<KeyKind, string> = { dashboard: 'svc_live_', probe: 'svc_probe_' };
export const signingKeyPrefix = 'svc_sign_';

export const scopes = [
  'ingest',
  'findings:read',
  'scans:write',
  'sources:write',
  'sources:privileged',
] as const;
/** Permissions of a key (specification, section 5, Scopes), fixed when it is created. */
export type Scope = (typeof scopes)[number];

export const keyKinds = ['dashboard', 'probe'] as const;
export type KeyKind = (typeof keyKinds)[number];

/** Maximum addresses and CIDRs in the allowlist of a key. */
export const maxAllowedAddresses = 50;

export const tokenPrefix: Record<KeyKind, string> = { dashboard: 'svc_live_', probe: 'svc_probe_' };
export const signingKeyPrefix = 'svc_sign_';

export const scopes = [
  'ingest',
  'findings:read',
  'scans:write',
  'sources:write',
  'sources:privileged',
] as const;
/** What a key may do (specification, section 5, Scopes). Fixed at mint. */
export type Scope = (typeof scopes)[number];

export const keyKinds = ['dashboard', 'probe'] as const;
export type KeyKind = (typeof keyKinds)[number];

/** Addresses and CIDRs that one key can be bound to. */
export const maxAllowedAddresses = 50;

export const tokenPrefix: Record<KeyKind, string> = { dashboard: 'svc_live_', probe: 'svc_probe_' };
export const signingKeyPrefix = 'svc_sign_';

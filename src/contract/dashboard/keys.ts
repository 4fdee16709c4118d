import { type Static, Type } from 'typebox';
import { dashboardScopes, keyKinds, maxAllowedAddresses, type Overlap, overlaps, scopes } from '../keys.ts';
import {
  choice,
  closed,
  NullableTimestamp,
  NullableUuid,
  nameText,
  page,
  Timestamp,
  text,
  Uuid,
} from '../values.ts';

/** An API key without its secrets. */
export const ApiKey = closed({
  token_id: Uuid,
  name: Type.Union([Type.String(), Type.Null()]),
  kind: choice(keyKinds),
  system_id: NullableUuid,
  system_name: Type.Union([Type.String(), Type.Null()]),
  scopes: Type.Array(choice(scopes)),
  allowed_addresses: Type.Array(Type.String(), {
    description: 'IP addresses and CIDRs from which the key is accepted; empty for any.',
  }),
  status: choice(['active', 'expired', 'revoked'] as const),
  created_at: Timestamp,
  expires_at: Timestamp,
  revoked_at: NullableTimestamp,
  last_used_at: NullableTimestamp,
});
export type ApiKey = Static<typeof ApiKey>;

export const ListApiKeys = closed({
  status: Type.Optional(choice(['active'] as const, 'Excludes expired and revoked keys.')),
  cursor: page.cursor,
});
export type ListApiKeys = Static<typeof ListApiKeys>;

export const ApiKeyPage = closed({
  keys: Type.Array(ApiKey),
  next_cursor: Type.Union([Type.String(), Type.Null()]),
});
export type ApiKeyPage = Static<typeof ApiKeyPage>;
export const ApiKeyEnvelope = closed({ key: ApiKey });

/** `system_id` is required for a probe key, which cannot be `privileged` or have other scopes. */
export const MintApiKey = closed({
  name: nameText(100, 'What the key is used for.'),
  kind: choice(keyKinds),
  system_id: Type.Optional(Uuid),
  privileged: Type.Optional(Type.Boolean({ description: 'Adds the sources:privileged scope.' })),
  scopes: Type.Optional(
    Type.Array(choice(dashboardScopes), {
      minItems: 1,
      uniqueItems: true,
      description: 'Scopes of a dashboard key. Default: all of these.',
    }),
  ),
  expires_at: Type.Optional({
    ...Timestamp,
    description: 'At most 365 days from now, which is the default.',
  }),
  allowed_addresses: Type.Optional(
    Type.Array(text(80), {
      maxItems: maxAllowedAddresses,
      description: 'IPv4 and IPv6 addresses and CIDRs. Requests from other addresses are refused.',
    }),
  ),
});
export type MintApiKey = Static<typeof MintApiKey>;

/** A new key with its three values, which are never shown again. */
export const MintedApiKey = closed({
  key: ApiKey,
  token: Type.String(),
  token_id: Uuid,
  signing_key: Type.String(),
});
export type MintedApiKey = Static<typeof MintedApiKey>;

/** The new key has the same kind, system, scopes, name, allowed addresses and lifetime. */
export const RotateApiKey = closed({
  overlap: choice(
    Object.keys(overlaps) as Overlap[],
    'When the old key expires, unless it expires earlier anyway.',
  ),
});
export type RotateApiKey = Static<typeof RotateApiKey>;

/** The new key with its three values, and the old one with its new expiry. */
export const RotatedApiKey = closed({ ...MintedApiKey.properties, replaced: ApiKey });
export type RotatedApiKey = Static<typeof RotatedApiKey>;

export const ExpireApiKey = closed({ at: Timestamp });

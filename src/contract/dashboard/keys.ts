import { type Static, Type } from 'typebox';
import { keyKinds, maxAllowedAddresses, scopes } from '../keys.ts';
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

/** `system_id` is required for a probe key, which cannot be `privileged`. */
export const MintApiKey = closed({
  name: nameText(100, 'What the key is used for.'),
  kind: choice(keyKinds),
  system_id: Type.Optional(Uuid),
  privileged: Type.Optional(Type.Boolean({ description: 'Adds the sources:privileged scope.' })),
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

export const ExpireApiKey = closed({ at: Timestamp });

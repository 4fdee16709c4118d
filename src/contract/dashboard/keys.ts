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

/** A key of the API, as it is listed: nothing of it opens anything. */
export const ApiKey = closed({
  token_id: Uuid,
  name: Type.Union([Type.String(), Type.Null()]),
  kind: choice(keyKinds),
  system_id: NullableUuid,
  scopes: Type.Array(choice(scopes)),
  allowed_addresses: Type.Array(Type.String(), {
    description: 'Client addresses and CIDRs that it can be used from; empty for any.',
  }),
  status: choice(['active', 'expired', 'revoked'] as const),
  created_at: Timestamp,
  expires_at: Timestamp,
  revoked_at: NullableTimestamp,
  last_used_at: NullableTimestamp,
});
export type ApiKey = Static<typeof ApiKey>;

export const ListApiKeys = closed({
  status: Type.Optional(choice(['active'] as const, 'Leaves out keys that are expired or revoked.')),
  cursor: page.cursor,
});
export type ListApiKeys = Static<typeof ListApiKeys>;

export const ApiKeyPage = closed({
  keys: Type.Array(ApiKey),
  next_cursor: Type.Union([Type.String(), Type.Null()]),
});
export type ApiKeyPage = Static<typeof ApiKeyPage>;
export const ApiKeyEnvelope = closed({ key: ApiKey });

/** A probe key names its system and never has `privileged`. */
export const MintApiKey = closed({
  name: nameText(100, 'What it is for, so that people know it again.'),
  kind: choice(keyKinds),
  system_id: Type.Optional(Uuid),
  privileged: Type.Optional(Type.Boolean({ description: 'Adds the scope sources:privileged.' })),
  allowed_addresses: Type.Optional(
    Type.Array(text(80), {
      maxItems: maxAllowedAddresses,
      description: 'Addresses and CIDRs, IPv4 or IPv6. Requests from any other address are refused.',
    }),
  ),
});
export type MintApiKey = Static<typeof MintApiKey>;

/** The three values of a new key, shown this once: nothing can show them again. */
export const MintedApiKey = closed({
  key: ApiKey,
  token: Type.String(),
  token_id: Uuid,
  signing_key: Type.String(),
});
export type MintedApiKey = Static<typeof MintedApiKey>;

export const ExpireApiKey = closed({ at: Timestamp });

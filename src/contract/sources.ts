import { type Static, Type } from 'typebox';
import { testErrors } from './causes.ts';
import {
  choice,
  closed,
  form,
  list,
  NullableTimestamp,
  opaqueText,
  optional,
  page,
  Timestamp,
  text,
  Uuid,
} from './values.ts';

export const sourceKinds = ['website', 'postgres', 'mysql', 'redis', 'supabase'] as const;
export type SourceKind = (typeof sourceKinds)[number];
const connectionModes = ['direct', 'probe'] as const;
export type ConnectionMode = (typeof connectionModes)[number];
export const sourceStatuses = ['draft', 'pending', 'connected', 'failing', 'disconnected'] as const;
export type SourceStatus = (typeof sourceStatuses)[number];

/** A website or database of a system. */
export const Source = closed({
  id: Uuid,
  name: Type.String(),
  kind: choice(sourceKinds),
  host: Type.String({ description: 'Normalized: lowercase, without default port or credentials.' }),
  status: choice(sourceStatuses),
  system_id: Uuid,
  scan_authorized_at: NullableTimestamp,
  connection_mode: choice(
    connectionModes,
    'direct: Parapet connects to the source. probe: a probe assesses it in its network and sends no credential.',
  ),
});
export type Source = Static<typeof Source>;

export const CreateSource = closed({
  system_id: Uuid,
  name: text(200),
  kind: choice(sourceKinds),
  host: text(
    2048,
    'Host name or IP address with an optional port. A URL is also accepted for websites and Supabase projects.',
  ),
  connection_mode: optional(choice(connectionModes), 'Default: direct.'),
});
export type CreateSource = Static<typeof CreateSource>;

/** The risks to accept before Parapet connects to a source of this kind. */
export const RiskStatement = closed({ version: Type.String(), text: Type.String() });
export type RiskStatement = Static<typeof RiskStatement>;

export const AcceptRisk = closed({
  statement_version: optional(text(32), 'Version to accept. Default: the current version.'),
});

const credentials = [
  closed({
    type: Type.Literal('basic'),
    username: opaqueText(256),
    password: opaqueText(1024),
  }),
  closed({
    type: Type.Literal('header'),
    name: Type.String({
      minLength: 1,
      maxLength: 128,
      ...form("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$", 'must be a header name (RFC 9110, section 5.1)'),
    }),
    value: Type.String({
      minLength: 1,
      maxLength: 4096,
      ...form('^[!-~]([ -~]*[!-~])?$', 'must be printable ASCII without leading or trailing spaces'),
    }),
  }),
  closed({ type: Type.Literal('dsn'), dsn: opaqueText(4096) }),
  closed({
    type: Type.Literal('service_role'),
    url: opaqueText(2048),
    key: opaqueText(4096),
    anon_key: optional(
      opaqueText(4096),
      'Public anon or publishable key. Without it, anonymous access is not assessed.',
    ),
  }),
] as const;

/** A credential as documented for clients. */
export const DocumentedCredential = closed({ credential: Type.Union([...credentials]) });

/** Validated by `type`: errors name only the fields of that type. */
export const SubmitCredential = closed({
  credential: Type.Unsafe<Static<(typeof credentials)[number]>>({
    type: 'object',
    properties: { type: choice(credentials.map(({ properties }) => properties.type.const)) },
    required: ['type'],
    discriminator: { propertyName: 'type' },
    oneOf: credentials,
  }),
});
export type Credential = Static<typeof SubmitCredential>['credential'];
export type CredentialType = Credential['type'];

export const ListSourcesQuery = closed(page);
export const SourceList = list('sources', Source);
export const SourceEnvelope = closed({ source: Source });
export const CreatedSource = closed({ source: Source, risk_statement: RiskStatement });
export type CreatedSource = Static<typeof CreatedSource>;
export const AcceptedRisk = closed({
  source: Source,
  risk_acceptance: closed({ statement_version: Type.String(), accepted_at: Timestamp }),
});
export const StoredCredential = closed({
  source: Source,
  credential: closed({ type: Type.String(), stored_at: Timestamp }),
});
/** Result of a connection test. A pass does not authorize scans. */
export const ConnectionTest = closed({
  ok: Type.Boolean(),
  checked_at: Timestamp,
  latency_ms: Type.Integer({ minimum: 0 }),
  error_code: Type.Optional(choice(testErrors)),
  age_seconds: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Age of the probe report that this test repeats.' }),
  ),
});
export type ConnectionTest = Static<typeof ConnectionTest>;
export const TestedSource = closed({ source: Source, test: ConnectionTest });

import type { Statement } from '../../database/connection.ts';
import { evidenceContext } from '../evidence/content.ts';
import { channelContext } from '../notifications/channels.ts';
import { totpContext } from '../people/totp.ts';
import { contextOf } from './vault.ts';

/** Records that are rewrapped at a time. */
export const batch = 100;

interface WrappedRow {
  readonly id: string;
  readonly master_key_id: string;
  readonly wrapped_key: Buffer;
}

/** A table whose records have their own keys, in `master_key_id` and `wrapped_key`. */
export interface WrappedTable {
  /** The name of its records for operators. */
  readonly called: string;
  /** Associated data of a record's key. */
  readonly context: (organizationId: string, id: string) => string;
  /** How many records each master key wraps. */
  readonly masterKeys: Statement<{ readonly id: string; readonly records: number }>;
  /** Some records that other master keys wrap, locked. */
  readonly others: (masterKeyIds: readonly string[]) => Statement<WrappedRow>;
  /** @param to the keys of the rows, wrapped by this master key */
  readonly rewrap: (masterKeyId: string, rows: readonly WrappedRow[], to: readonly Buffer[]) => Statement;
}

interface TenantTable extends WrappedTable {
  /** The audit action for a rewrap, and the name of its records in the detail. */
  readonly audited: { readonly action: string; readonly counted: string };
  /** Organizations with records that these master keys wrap, or that others do. */
  readonly organizations: (
    by: 'these' | 'others',
    masterKeyIds: readonly string[],
  ) => Statement<{ readonly organization_id: string }>;
}

/** @param id the column whose value is bound to a record's key */
const statementsOf = (table: string, id: string): Pick<WrappedTable, 'masterKeys' | 'others' | 'rewrap'> => ({
  masterKeys: {
    text: `select master_key_id as id, count(*)::int as records from ${table} group by master_key_id`,
  },
  others: masterKeyIds => ({
    text: `select ${id} as id, master_key_id, wrapped_key from ${table} where master_key_id <> all($1)
      order by ${id} limit $2 for update`,
    values: [masterKeyIds, batch],
  }),
  rewrap: (masterKeyId, rows, to) => ({
    // One person may have two records of a kind: the wrapped key distinguishes them.
    text: `update ${table} as t set master_key_id = $1, wrapped_key = r.rewrapped
      from unnest($2::uuid[], $3::bytea[], $4::bytea[]) as r (id, wrapped, rewrapped)
      where t.${id} = r.id and t.wrapped_key = r.wrapped`,
    values: [masterKeyId, rows.map(row => row.id), rows.map(row => row.wrapped_key), to],
  }),
});

const organizationsOf =
  (table: string): TenantTable['organizations'] =>
  (by, masterKeyIds) => ({
    text: `select distinct organization_id from ${table} where master_key_id ${by === 'these' ? '= any($1)' : '<> all($1)'}`,
    values: [masterKeyIds],
  });

/** Records of organizations. Another table needs only one more entry here, besides its grants. */
export const tenantTables: readonly TenantTable[] = [
  {
    ...statementsOf('source_credentials', 'source_id'),
    organizations: organizationsOf('source_credentials'),
    called: 'credentials of sources',
    context: contextOf,
    audited: { action: 'credentials.rewrapped', counted: 'credentials' },
  },
  {
    ...statementsOf('evidence', 'id'),
    organizations: organizationsOf('evidence'),
    called: 'evidence files',
    context: evidenceContext,
    audited: { action: 'evidence.rewrapped', counted: 'evidence' },
  },
  {
    ...statementsOf('notification_channels', 'id'),
    organizations: organizationsOf('notification_channels'),
    called: 'webhooks of chat channels',
    context: channelContext,
    audited: { action: 'channels.rewrapped', counted: 'channels' },
  },
];

/** Records of people, who may belong to several organizations, so that no audit log mentions them. */
export const peopleTables: readonly WrappedTable[] = [
  {
    ...statementsOf('totp_factors', 'person_id'),
    called: 'authenticator apps',
    context: (_organizationId, personId) => totpContext(personId),
  },
];

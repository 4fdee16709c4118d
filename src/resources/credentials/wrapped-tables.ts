import type { Statement } from '../../database/connection.ts';
import { evidenceContext } from '../evidence/content.ts';
import { totpContext } from '../people/totp.ts';
import { contextOf } from './vault.ts';

/** Records that are wrapped anew at a time. */
export const batch = 100;

interface WrappedRow {
  readonly id: string;
  readonly master_key_id: string;
  readonly wrapped_key: Buffer;
}

/** A table whose records are encrypted under keys of their own, in `master_key_id` and `wrapped_key`. */
export interface WrappedTable {
  /** What the operator calls its records. */
  readonly called: string;
  /** What is bound to a record's key. */
  readonly context: (organizationId: string, id: string) => string;
  /** How many records each master key wraps. */
  readonly masterKeys: Statement<{ readonly id: string; readonly records: number }>;
  /** Some of the records that others wrap, locked. */
  readonly others: (masterKeyIds: readonly string[]) => Statement<WrappedRow>;
  /** @param to the keys of the rows, wrapped by this master key */
  readonly rewrap: (masterKeyId: string, rows: readonly WrappedRow[], to: readonly Buffer[]) => Statement;
}

interface TenantTable extends WrappedTable {
  /** The action of the audit log when keys are wrapped anew, and what its detail calls them. */
  readonly audited: { readonly action: string; readonly counted: string };
  /** Those that have records which these master keys wrap, or which others do. */
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
    // Somebody may have two records of a kind: the wrapped key tells them apart.
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

/** Records of organizations. One entry more is all that another table takes, beside its grants. */
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
];

/** Records of people, who belong to no one organization: nothing of theirs is in an audit log. */
export const peopleTables: readonly WrappedTable[] = [
  {
    ...statementsOf('totp_factors', 'person_id'),
    called: 'authenticator apps',
    context: (_organizationId, personId) => totpContext(personId),
  },
];

import { evidenceContext } from '../evidence/content.ts';
import { totpContext } from '../people/totp.ts';
import { contextOf } from './vault.ts';

/** A table whose records are encrypted under keys of their own, in `master_key_id` and `wrapped_key`. */
export interface WrappedTable {
  readonly name: string;
  /** What the operator calls its records. */
  readonly called: string;
  /** The column whose value is bound to a record's key. */
  readonly id: string;
  /** What is bound to a record's key. */
  readonly context: (organizationId: string, id: string) => string;
  /** The action of the audit log when keys are wrapped anew, and what its detail calls them. */
  readonly audited: { readonly action: string; readonly counted: string };
}

/** Records of organizations. One line more is all that another table takes, beside its grants. */
export const tenantTables: readonly WrappedTable[] = [
  {
    name: 'source_credentials',
    called: 'credentials of sources',
    id: 'source_id',
    context: contextOf,
    audited: { action: 'credentials.rewrapped', counted: 'credentials' },
  },
  {
    name: 'evidence',
    called: 'evidence files',
    id: 'id',
    context: evidenceContext,
    audited: { action: 'evidence.rewrapped', counted: 'evidence' },
  },
];

/** Records of people, who belong to no one organization: nothing of theirs is in an audit log. */
export const peopleTables: readonly Omit<WrappedTable, 'audited'>[] = [
  {
    name: 'totp_factors',
    called: 'authenticator apps',
    id: 'person_id',
    context: (_organizationId, personId) => totpContext(personId),
  },
];

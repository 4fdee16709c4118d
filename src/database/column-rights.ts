import type pg from 'pg';
import type { Roles } from './roles.ts';

interface ColumnRule {
  readonly table: string;
  readonly privilege: 'select' | 'insert' | 'update';
  /** Columns that the role must not read or write; all others are allowed. */
  readonly except: readonly string[];
}

const without = (privilege: ColumnRule['privilege']) => (table: string, except: string) => ({
  table,
  privilege,
  except: except.split(/,\s*/),
});
const [selects, inserts, updates] = [without('select'), without('insert'), without('update')];

/**
 * Identifiers, owners and creation times never change, and times set by the database cannot be supplied.
 * Listing the exceptions lets a later migration add a column without a line here unless it needs protection.
 */
const rules: Readonly<Record<keyof Roles, readonly ColumnRule[]>> = {
  app: [
    selects('api_keys', 'token_hash, public_key'),
    inserts('api_keys', 'created_at, revoked_at, last_used_at'),
    updates('systems', 'organization_id, id, external_id, created_at'),
    updates('sources', 'organization_id, id, system_id, name, kind, host, connection_mode, created_at'),
    updates('source_credentials', 'organization_id, source_id'),
    updates('check_counts', 'organization_id, day, check_id, state, severity_rank, hipaa'),
    updates('last_scans', 'organization_id, target_id'),
    updates('source_assessments', 'organization_id, source_id'),
    updates(
      'scans',
      'organization_id, id, profile, system_id, source_id, finding_id, idempotency_key, sources, is_own, is_requested, created_at',
    ),
    updates('scan_runs', 'organization_id, id, scan_id, source_id, detector'),
    updates(
      'findings',
      'organization_id, id, system_id, source_id, status, severity_rank, search_text, created_at, reopened_at, opened_at',
    ),
    updates('finding_episodes', 'organization_id, finding_id, number, opened_at, opened_by_scan'),
    inserts('finding_decisions', 'decided_at'),
    inserts('finding_edits', 'id, edited_at'),
    inserts('finding_comments', 'id, created_at, edited_at'),
    updates('finding_comments', 'organization_id, id, finding_id, author_id, created_at'),
    inserts('finding_mentions', 'mentioned_at'),
    updates('source_checks', 'organization_id, source_id'),
    updates('source_postures', 'organization_id, source_id'),
    updates('posture_scores', 'organization_id, day'),
    updates('shield_days', 'organization_id, source_id, day'),
    updates('watches', 'organization_id, source_id'),
    inserts('domain_proofs', 'proven_by, proven_at, created_at'),
    updates('domain_proofs', 'organization_id, source_id, token, created_at'),
    updates('finding_views', 'organization_id, id, person_id, created_at'),
    inserts('notices', 'created_at, waits'),
    updates('notification_settings', 'organization_id, person_id'),
    updates('notification_channels', 'organization_id, id, created_at'),
    inserts('outbox', 'created_at'),
    updates('outbox', 'organization_id, id, purpose, person_id, channel_id, period_from, created_at'),
  ],
  system: [
    inserts(
      'organizations',
      'id, created_at, event_retention_days, scan_retention_days, scan_retention_applies_at, deleted_at, erasing_since, due_days_critical, due_days_high, due_days_medium, due_days_low',
    ),
    updates('request_admissions', 'organization_id, subject'),
    updates('people', 'id, invited_by, created_at'),
    updates('memberships', 'organization_id, person_id, former_name'),
    updates('invitations', 'organization_id, id, email, role, token_hash, invited_by, created_at'),
    updates('person_identities', 'id, issuer, subject, person_id, created_at'),
    updates('known_devices', 'person_id, token_hash, created_at'),
    updates('sessions', 'id, person_id, created_at, identity_id, vouched_email'),
    updates('totp_factors', 'person_id'),
    updates('passkeys', 'id, person_id, credential_id, public_key, created_at'),
    updates('backup_codes', 'person_id, code_hash'),
    updates('sign_in_attempts', 'subject'),
    updates('change_counts', 'holder'),
    inserts('nodes', 'seen_at'),
    updates('nodes', 'id, host, role, started_at, connections'),
    updates('one_time_links', 'token_hash, purpose, person_id, created_at, expires_at'),
  ],
};

/**
 * Restricts the columns that the roles may read and write. Grants in migrations cover whole tables, and any
 * migration may add a column, so this runs on each start, in the owner's migration transaction.
 */
export async function restrictColumns(owner: pg.ClientBase, roles: Roles): Promise<void> {
  for (const role of ['app', 'system'] as const) {
    for (const { table, privilege, except } of rules[role]) {
      await owner.query('call restrict_columns($1::regclass, $2, $3, $4)', [
        `public.${table}`,
        roles[role].user,
        privilege,
        except,
      ]);
    }
  }
}

import type { Mutant, TestName } from '../mutant.ts';

const first = 'migrations/0001_organizations.sql';
const store = 'src/database/tenant-store.ts';
const chain = 'src/database/audit-chain.ts';
const by = (test: string): TestName => ({ file: 'test/database/tenancy.test.ts', test });
const replica = (test: string): TestName => ({ file: 'test/database/replica.test.ts', test });
const audit = (test: string): TestName => ({ file: 'test/database/audit.test.ts', test });
const shared = (test: string): TestName => ({ file: 'test/database/shared-connections.test.ts', test });
const unchanged = (test: string): TestName => ({ file: 'test/api/unchanged-answers.test.ts', test });
const pages = (test: string): TestName => ({ file: 'test/resources/finding-pages.test.ts', test });

/** Isolates organizations, and protects their audit logs. */
export const tenancyMutants: readonly Mutant[] = [
  {
    name: 'The policy of tables allows every row',
    file: first,
    search:
      "'create policy tenant on %s using (organization_id = nullif(current_setting(''parapet.organization_id'', true), '''')::uuid)'",
    replacement: "'create policy tenant on %s using (true)'",
    killedBy: by("returns only its organization's rows to a query without a condition"),
  },
  {
    name: 'Row-level security is not enabled',
    file: first,
    search: "execute format('alter table %s enable row level security', relation);",
    replacement: '',
    killedBy: by("changes none of another organization's rows"),
  },
  {
    name: 'Row-level security does not apply to the owner',
    file: first,
    search: "execute format('alter table %s force row level security', relation);",
    replacement: '',
    killedBy: by('has row-level security, forced'),
  },
  {
    name: 'A transaction rejects with an error of a statement behind the one that failed',
    file: store,
    search: 'throw cause !== undefined && isRefusedAfterFailure(error) ? cause : error;',
    replacement: 'throw error;',
    killedBy: by(
      'rejects with the error of the statement that failed first, not of those that were sent together with it',
    ),
  },
  {
    name: 'A statement runs after its transaction has ended',
    file: store,
    search: '    hasEnded = true;\n',
    replacement: '',
    killedBy: by(
      'refuses a statement after its transaction has ended, which could be in the transaction of another organization',
    ),
  },
  {
    name: 'The organization stays set on the connection',
    file: store,
    search: 'set local parapet.organization_id',
    replacement: 'set parapet.organization_id',
    killedBy: by('leaves no organization set on its connection'),
  },
  {
    name: 'An organization id may be any text',
    file: store,
    search: "if (!isUuid(organizationId)) throw new TypeError('an organization id is a UUID');",
    replacement: '',
    killedBy: by('accepts only a UUID as organization'),
  },
  {
    name: 'The expiry of a key can be moved later',
    file: 'migrations/0003_api_keys.sql',
    search: 'if new.expires_at > old.expires_at then',
    replacement: 'if false then',
    killedBy: by('only allows moving its expiry earlier, and stays revoked'),
  },
  {
    name: 'A revocation can be reverted',
    file: 'migrations/0003_api_keys.sql',
    search: 'if old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at then',
    replacement: 'if false then',
    killedBy: by('only allows moving its expiry earlier, and stays revoked'),
  },
  {
    name: 'The organization of a statement on a shared connection persists',
    file: 'src/database/tenant-query.ts',
    search: "set_config('parapet.organization_id', $1, true)",
    replacement: "set_config('parapet.organization_id', $1, false)",
    killedBy: shared('shows each statement only its organization, on one connection'),
  },
  {
    name: 'A statement on a shared connection has the organization of the one before it',
    file: 'src/database/tenant-query.ts',
    search: "    super({ ...queryConfig(query), queryMode: 'extended' } as pg.QueryConfig, done);",
    replacement: '    super(queryConfig(query), done);',
    killedBy: shared('shows each statement only its organization, on one connection'),
  },
  {
    name: 'A change of findings advances no version',
    file: 'migrations/0045_versions_by_subject.sql',
    search: "('findings', 'findings'), ",
    replacement: '',
    killedBy: unchanged('reads only findings again after'),
  },
  {
    name: 'Statements that change nothing advance a version',
    file: 'migrations/0045_versions_by_subject.sql',
    search: ' and exists (select from changed)',
    replacement: '',
    killedBy: unchanged('keeps responses in memory after statements that change nothing'),
  },
  {
    name: 'A finding that moves onto a page is left out',
    file: 'src/resources/findings/finding-pages.ts',
    search: 'if (text?.version !== row.version) return undefined;',
    replacement: 'if (text === undefined) continue;',
    killedBy: pages(
      'reads the details of a finding that moves onto a page after it was changed together with others',
    ),
  },
  {
    name: 'A finding that changed is listed as it was',
    file: 'src/resources/findings/finding-pages.ts',
    search: 'const text = isRead(row) ? textOf(row) : byId.get(row.id);',
    replacement: 'const text = byId.get(row.id) ?? textOf(row as Finding & ListedFinding);',
    killedBy: pages('lists each finding as it is, and reads only those that changed, in one statement'),
  },
  {
    name: 'The app role may write audit entries',
    file: 'migrations/0014_last_line.sql',
    search: 'revoke insert, update on audit_heads, audit_entries from {{app}}, {{system}};',
    replacement: '',
    killedBy: { file: 'test/database/privileges.test.ts', test: 'the app role > cannot move an audit head' },
  },
  {
    name: 'An audit entry can be deleted',
    file: 'migrations/0014_last_line.sql',
    search: 'create trigger keep_audit_log before update or delete on audit_entries',
    replacement: 'create trigger keep_audit_log before update on audit_entries',
    killedBy: {
      file: 'test/database/privileges.test.ts',
      test: 'refuses deleting an entry even to the owner',
    },
  },
  {
    name: 'An audit entry does not hash the one before it',
    file: 'migrations/0019_pending_audit_entries.sql',
    search: 'next_hash := sha256(head.hash || convert_to(',
    replacement: 'next_hash := sha256(convert_to(',
    killedBy: audit('records every action in order, with a valid chain'),
  },
  {
    name: 'Altered audit entries are not found',
    file: chain,
    search: 'when hash <> sha256(',
    replacement: 'when false and hash <> sha256(',
    killedBy: audit('finds an altered entry'),
  },
  {
    name: 'Removed audit entries are not found',
    file: chain,
    search: "when previous_hash <> coalesce(lag(hash) over chain, '\\\\x') or sequence",
    replacement:
      "when false and previous_hash <> coalesce(lag(hash) over chain, '\\\\x') or false and sequence",
    killedBy: audit('finds a removed entry'),
  },
  {
    name: 'A truncated audit log is not found',
    file: chain,
    search: 'where coalesce(last.sequence, 0) <> h.sequence or',
    replacement: 'where false and',
    killedBy: audit('finds a cut tail'),
  },
  {
    name: 'A removed audit log is not found',
    file: chain,
    search: "select id, 0, 'log_missing' from organizations o\n  where",
    replacement: "select id, 0, 'log_missing' from organizations o\n  where false and",
    killedBy: audit('finds a removed log'),
  },
  {
    name: 'An audit entry is kept if its transaction is rolled back',
    file: 'src/database/run-transaction.ts',
    search: "await client.query('rollback').catch(",
    replacement: "await client.query('commit').catch(",
    killedBy: audit('commits together with the change that it records'),
  },
  {
    name: 'A transaction that PostgreSQL rolled back counts as committed',
    file: 'src/database/run-transaction.ts',
    search: "!== 'COMMIT'",
    replacement: "=== ''",
    killedBy: by(
      'rejects if a statement failed whose error the work has ignored, since nothing was committed',
    ),
  },
  {
    name: 'A log line has more audit heads than several processes can write',
    file: 'src/worker/log-audit-heads.ts',
    search: 'const headsPerLine = 20;',
    replacement: 'const headsPerLine = 40;',
    killedBy: {
      file: 'test/worker/audit-heads.test.ts',
      test: 'logs the heads of many organizations in lines that several processes can write',
    },
  },
  {
    name: 'A statement behind a canceled one of the same name fails',
    file: 'src/database/shared-connections.ts',
    search: "statementCanceled, '26000', '42P05'",
    replacement: "'57014'",
    killedBy: shared('cancels statements of one name together, if the first could not be prepared in time'),
  },
  {
    name: 'A reader of the audit log sees only the first thousand pending entries',
    file: chain,
    search: 'batch < 100',
    replacement: 'batch < 1',
    killedBy: audit('account entries > are all appended before the log is read, however many'),
  },
  {
    name: 'What a server answered counts although it lacks what the primary had',
    file: 'src/database/replica.ts',
    search: 'if (problemOf(standby!, floor) || standby!.position < floor.position) throw new NotUsable();',
    replacement: '',
    killedBy: replica('never counts what a server answered that does not have what it should'),
  },
  {
    name: 'What a server answered counts although it was promoted meanwhile',
    file: 'src/database/replica.ts',
    search: 'conclude(stillStandby);',
    replacement: '',
    killedBy: replica('is not used if it is a copy of another server, no standby, or of another history'),
  },
  {
    name: 'Another database of the cluster is read from',
    file: 'src/database/replica.ts',
    search: 'if (standby.database !== primary.database)',
    replacement: 'if (!standby.database)',
    killedBy: replica('is not used if it is a copy of another server, no standby, or of another history'),
  },
  {
    name: 'A person who has exported the audit log does not find the entry of it',
    file: 'src/dashboard/plugins/guard.ts',
    search: '(changes || stepUp === true) && services',
    replacement: 'changes && services',
    killedBy: replica('is not used by a browser that has changed the account, or exported the audit log'),
  },
  {
    name: 'A standby that does not answer keeps the reads of an organization for a minute',
    file: 'src/database/replica.ts',
    search: 'const limits = { mostMs: longestMs, connectMs: longestMs };',
    replacement: 'const limits = {};',
    killedBy: replica('leaves reads to the primary that the standby does not answer, after seconds'),
  },
  {
    name: 'A standby that follows a former primary is read from',
    file: 'src/database/replica.ts',
    search: 'if (standby.timeline !== primary.timeline) {',
    replacement: 'if (standby.timeline < 0) {',
    killedBy: replica('is not used if it is a copy of another server, no standby, or of another history'),
  },
  {
    name: 'People read from a replica what they have just changed',
    file: 'src/dashboard/plugins/guard.ts',
    search: 'mayBeOld: !changes && !hasJustChanged(request, services),',
    replacement: 'mayBeOld: !changes,',
    killedBy: replica('shows people what they have just changed, on every node'),
  },
  {
    name: 'An organization may use all connections that PostgreSQL still permits',
    file: 'src/resources/pools.ts',
    search: 'shares.limit(limitsOfShares(connections));',
    replacement: 'undefined;',
    killedBy: {
      file: 'test/database/few-connections.test.ts',
      test: 'leaves others a connection if PostgreSQL permits few and the statements of an organization are slow',
    },
  },
];

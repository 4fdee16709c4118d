import type { Mutant, TestName } from '../mutant.ts';

const guard = 'src/surfaces/connection/target-guard.ts';
const byGuard = (test: string) => ({ file: 'src/surfaces/connection/target-guard.test.ts', test });

const byOrdinaryRole = (test: string): TestName => ({
  file: 'src/surfaces/postgres/ordinary-role.test.ts',
  test,
});

/** Where scans may connect, and where their credentials may go. */
export const targetMutants: readonly Mutant[] = [
  {
    name: 'A scan reaches private addresses',
    file: guard,
    search: '!isPublicUnicast(address) || own.has(address)',
    replacement: 'own.has(address)',
    killedBy: byGuard('refuses every address outside the public ranges, in any spelling'),
  },
  {
    name: 'A scan reaches this machine by its public address',
    file: guard,
    search: '!isPublicUnicast(address) || own.has(address)',
    replacement: '!isPublicUnicast(address)',
    killedBy: byGuard('refuses the addresses of this machine, public ones too'),
  },
  {
    name: 'A probe follows a redirect to another port of a private target',
    file: 'src/surfaces/connection/pinned-connection.ts',
    search: 'checked.ports?.includes(port) === false',
    replacement: 'checked.ports?.length === 0',
    killedBy: {
      file: 'src/surfaces/connection/pinned-connection.test.ts',
      test: 'connects to a private address of the target on its ports only',
    },
  },
  {
    name: 'A scan reaches this machine by a local route',
    file: 'src/surfaces/connection/pinned-connection.ts',
    search: 'if (isAllowlisted || socket.localAddress !== socket.remoteAddress) return socket;',
    replacement: 'if (!isAllowlisted || socket.localAddress !== socket.remoteAddress) return socket;',
    killedBy: {
      file: 'src/surfaces/connection/pinned-connection.test.ts',
      test: 'refuses an address that turns out to be of this machine',
    },
  },
  {
    name: 'A credential follows a redirect',
    file: 'src/surfaces/website/navigate.ts',
    search: 'credential !== null && credential.origin === url.origin',
    replacement: 'credential !== null',
    killedBy: {
      file: 'src/surfaces/website/credential.test.ts',
      test: 'do not follow a redirect to another port',
    },
  },
  {
    name: 'A credential is sent to a server without a certificate for the name',
    file: 'src/surfaces/website/arrival.ts',
    search: 'isTrusted || explicitHttp ? session.credential : null',
    replacement: 'session.credential',
    killedBy: {
      file: 'src/surfaces/website/credential.test.ts',
      test: 'are not sent if the certificate is not trusted',
    },
  },
  {
    name: 'A scan follows redirects to other sites',
    file: 'src/surfaces/website/navigate.ts',
    search: 'if (!isSameSite(hostnameOf(start), hostnameOf(next))) return',
    replacement: 'if (next.href === start.href) return',
    killedBy: {
      file: 'src/surfaces/website/collect.test.ts',
      test: 'stops at endless redirects, other sites and private addresses',
    },
  },
  {
    name: 'The log contains values of rows',
    file: 'src/main/logger.ts',
    search: '!valuesOfRows.includes(field)',
    replacement: 'field !== valuesOfRows.join()',
    killedBy: { file: 'src/main/logger.test.ts', test: 'logs a database error without values of the row' },
  },
  {
    name: 'Another page resolves a finding',
    file: 'src/scan/reconcile.ts',
    search: 'return assessed.has(finding.category) && isReached(finding);',
    replacement: 'return assessed.has(finding.category);',
    killedBy: { file: 'src/scan/reconcile.test.ts', test: 'resolves a finding on a page only' },
  },
  {
    name: 'A safe scan resolves what only full scans read',
    file: 'src/scan/reconcile.ts',
    search: '(!isInFullScan(finding.category, finding.locator) || fully?.has(finding.category) === true)',
    replacement: 'true',
    killedBy: {
      file: 'src/scan/depths.test.ts',
      test: 'keeps libraries of a source map that a safe scan does not read',
    },
  },
  {
    name: 'A Redis server without users resolves findings',
    file: 'src/surfaces/redis/read-replies.ts',
    search: 'return hasDefault ?',
    replacement: 'return true ?',
    killedBy: {
      file: 'src/surfaces/redis/empty-answers.test.ts',
      test: 'resolves nothing if the server leaves out the users',
    },
  },
  {
    name: 'A setting of the database changes how names are spelled',
    file: 'src/surfaces/postgres/session.ts',
    search: "'set local quote_all_identifiers = off',",
    replacement: '',
    killedBy: byOrdinaryRole('invents no changes, and hides none, by settings of the database'),
  },
  {
    name: 'Objects of extensions are hidden whoever owns them',
    file: 'src/surfaces/postgres/queries/query.ts',
    search: 'and (select s.rolsuper from',
    replacement: 'and not (select not true from',
    killedBy: byOrdinaryRole('hides nothing by adding it to an extension'),
  },
  {
    name: 'The names of any superusers identify a managed service',
    file: 'src/detectors/postgres/provider.ts',
    search: 'first.length > 0 ? first : superusers',
    replacement: 'superusers',
    killedBy: byOrdinaryRole('resolves nothing by creating neon_superuser'),
  },
  {
    name: 'The mode of a MySQL server decides what is read',
    file: 'src/surfaces/mysql/session.ts',
    search: 'sql_mode = 0, ',
    replacement: '',
    killedBy: {
      file: 'src/surfaces/mysql/server-settings.test.ts',
      test: "reads the same with sql_mode = 'EMPTY_STRING_IS_NULL'",
    },
  },
  {
    name: 'One owner of many policies hides those of others',
    file: 'src/surfaces/postgres/queries/query.ts',
    search: 'row_number() over (partition by ${owner} order by ${order})',
    replacement: 'row_number() over (order by ${order})',
    killedBy: {
      file: 'src/surfaces/postgres/crowded.test.ts',
      test: 'assesses policies of others behind those of one owner',
    },
  },
  {
    name: 'One owner of long conditions hides those of others',
    file: 'src/surfaces/postgres/queries/row-security.ts',
    search: 'over (order by share, polrelid)',
    replacement: 'over (order by of_table, polrelid)',
    killedBy: {
      file: 'src/surfaces/postgres/crowded.test.ts',
      test: 'assesses policies of others behind those of one owner',
    },
  },
  {
    name: 'The roles of an API decide what it serves in every database of a server',
    file: 'src/detectors/postgres/api/served.ts',
    search: "if (providerOf(capture)?.name !== 'Supabase')",
    replacement: "if (providerOf(capture)?.name === 'none')",
    killedBy: { file: 'src/detectors/golden.test.ts', test: 'roles of an API in another database' },
  },
  {
    name: 'A grant of a superuser with ADMIN only is not noticed',
    file: 'src/detectors/postgres/privileges/members.ts',
    search: 'admin || inherits || can_set',
    replacement: 'inherits || can_set',
    killedBy: {
      file: 'src/detectors/golden.test.ts',
      test: 'a member who may only grant',
    },
  },
  {
    name: 'A change of a long condition is not noticed',
    file: 'src/surfaces/postgres/queries/hashes.ts',
    search: "else 'transaction ' || p.transaction end",
    replacement: "else 'long' end",
    killedBy: {
      file: 'src/surfaces/postgres/ordinary-role.test.ts',
      test: 'cannot change row security without a reported change',
    },
  },
  {
    name: 'A Redis server announces texts of any length',
    file: 'src/surfaces/redis/replies.ts',
    search: "kind === '$' && number >= 0 && number <= maxText",
    replacement: "kind === '$' && number >= 0",
    killedBy: {
      file: 'src/surfaces/redis/replies.test.ts',
      test: 'are refused as soon as a text of a gigabyte is announced',
    },
  },
  {
    name: 'A Redis server sends replies of any size',
    file: 'src/surfaces/redis/session.ts',
    search: 'if (received + size > maxReceived)',
    replacement: 'if (size < 0)',
    killedBy: {
      file: 'src/surfaces/redis/session.test.ts',
      test: 'ends if replies exceed the limit in total',
    },
  },
  {
    name: 'Hashes of passwords of Redis users are kept',
    file: 'src/surfaces/redis/read-replies.ts',
    search: 'commands: starting(/^[+-]/),',
    replacement: 'commands: [...rules],',
    killedBy: {
      file: 'src/surfaces/redis/collect.test.ts',
      test: 'collects no password and no hash of one',
    },
  },
  {
    name: 'Redis shows which commands strangers may run only if it reports its users',
    file: 'src/detectors/redis/access/detector.ts',
    search: 'if (anonymous.assessed) return anonymous.value.accepted;',
    replacement: '',
    killedBy: {
      file: 'src/detectors/golden.test.ts',
      test: 'the same over loopback',
    },
  },
];

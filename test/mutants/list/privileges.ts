import type { Mutant, TestName } from '../mutant.ts';

const cursor = 'src/database/cursor.ts';
const cursorTest = 'src/database/cursor.test.ts';
const lifeCycle = (test: string): TestName => ({ file: 'test/api/source-life-cycle.test.ts', test });

/** What a key may do, and with which sources. */
export const privilegeMutants: readonly Mutant[] = [
  {
    name: 'A database credential is stored without the privileged scope',
    file: 'src/api/routes/sources/store-credential.ts',
    search: "privilegedScope: apiKey.scopes.includes('sources:privileged')",
    replacement: 'privilegedScope: apiKey.scopes.length > 0',
    killedBy: lifeCycle('refuses credentials of postgres while they are switched off'),
  },
  {
    name: 'A body is validated before the state of its source',
    file: 'src/api/routes/sources/store-credential.ts',
    search: 'judgeSource((source, request) => assertTakesCredential(source, permissionsOf(request)))',
    replacement:
      'judgeSource((source, request) => void [source, assertTakesCredential, permissionsOf(request)])',
    killedBy: {
      file: 'test/api/contract.test.ts',
      test: 'is not validated if the source is a draft or disconnected',
    },
  },
  {
    name: 'A source that is not authorized is scanned',
    file: 'src/resources/scans/scans.ts',
    search: ".where('scan_authorized_at', 'is not', null).orderBy('id')",
    replacement: ".orderBy('id')",
    killedBy: { file: 'test/api/scan-requests.test.ts', test: 'does not scan anything unauthorized' },
  },
  {
    name: 'Databases are scanned with the switch off',
    file: 'src/domain/scannable.ts',
    search: '!privilegedConnections',
    replacement: 'privilegedConnections',
    killedBy: {
      file: 'test/api/scan-requests.test.ts',
      test: 'explains why nothing can be scanned here, and scans what can be',
    },
  },
  {
    name: 'A credential is kept when its source is disconnected',
    file: 'src/resources/sources/sources.ts',
    search: "db.deleteFrom('source_credentials').where('source_id', '=', id).returning('type')",
    replacement: "db.selectFrom('source_credentials').where('source_id', '=', id).select('type')",
    killedBy: lifeCycle('takes a website from draft to disconnected'),
  },
  {
    name: 'A source stays tested by a removed credential',
    file: 'src/resources/sources/connect-source.ts',
    search: 'const untested = await forgetTest(transaction, source.id);',
    replacement: 'const untested = source;',
    killedBy: lifeCycle('makes a source untested again when it gets a new credential'),
  },
  {
    name: 'A test of a replaced credential decides the state of the new one',
    file: 'src/resources/sources/connect-source.ts',
    search: '(await vault.version(transaction, id)) === version',
    replacement: 'version !== null',
    killedBy: lifeCycle('is not set by a test of a replaced credential'),
  },
  {
    name: 'A cursor continues the list of another organization',
    file: cursor,
    search: '[organization, name, Object.keys(order)',
    replacement: '[name, Object.keys(order)',
    killedBy: { file: cursorTest, test: 'is refused by the list of another organization' },
  },
  {
    name: 'A cursor continues any list',
    file: cursor,
    search: 'parts.at(-1) === digest(list) &&',
    replacement: '',
    killedBy: { file: cursorTest, test: 'is refused by another list' },
  },
  {
    name: 'A cursor continues a list with other filters',
    file: cursor,
    search: ', Object.entries(filters).sort()]',
    replacement: ']',
    killedBy: { file: cursorTest, test: 'is refused by no filter' },
  },
  {
    name: 'A cursor injects any text into a query',
    file: cursor,
    search: 'columns.every(([, type], index) => isWritten[type](parts[index]))',
    replacement: 'columns.length > 0',
    killedBy: { file: cursorTest, test: 'is refused if a value is malformed' },
  },
];

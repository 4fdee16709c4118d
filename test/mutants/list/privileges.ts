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
    killedBy: lifeCycle('keeps credentials of postgres out while they are switched off'),
  },
  {
    name: 'A body is validated before the state of its source',
    file: 'src/api/routes/sources/store-credential.ts',
    search: 'judgeSource((source, request) => assertTakesCredential(source, permissionsOf(request)))',
    replacement:
      'judgeSource((source, request) => void [source, assertTakesCredential, permissionsOf(request)])',
    killedBy: {
      file: 'test/api/contract.test.ts',
      test: 'is not judged where the source is a draft or disconnected',
    },
  },
  {
    name: 'A source that is not authorized is scanned',
    file: 'src/resources/scans/scans.ts',
    search: ".where('scan_authorized_at', 'is not', null).orderBy('id')",
    replacement: ".orderBy('id')",
    killedBy: { file: 'test/api/scan-requests.test.ts', test: 'scans nothing that is not authorized' },
  },
  {
    name: 'Databases are scanned with the switch off',
    file: 'src/domain/scannable.ts',
    search: '!privilegedConnections',
    replacement: 'privilegedConnections',
    killedBy: { file: 'test/api/scan-requests.test.ts', test: 'says why nothing can be scanned from here' },
  },
  {
    name: 'A credential is kept when its source is disconnected',
    file: 'src/resources/sources/sources.ts',
    search: "db.deleteFrom('source_credentials').where('source_id', '=', id).returning('type')",
    replacement: "db.selectFrom('source_credentials').where('source_id', '=', id).select('type')",
    killedBy: lifeCycle('leads a website from draft to disconnected'),
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
    killedBy: lifeCycle('is not decided by a test of a credential that was replaced meanwhile'),
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
    killedBy: { file: cursorTest, test: 'is refused where one of its values is malformed' },
  },
];

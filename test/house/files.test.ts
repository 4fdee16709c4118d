import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };

const root = fileURLToPath(new URL('../../', import.meta.url));
/** Files that are committed, or would be. */
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter(file => file !== '' && existsSync(root + file));
const read = (file: string) => readFileSync(root + file, 'utf8');

it('names files after their contents', () => {
  // Web servers require the name index.html.
  const named = files.filter(file => !/^examples\/.*\/index\.html$/.test(file));
  expect(
    named.filter(file => /(^|\/)(utils?|helpers?|common|manager|misc|index)(\.[a-z]+)*(\/|$)/i.test(file)),
  ).toEqual([]);
  const source = files.filter(file => /^(src|web)\/.*\.tsx?$/.test(file));
  expect(source.length).toBeGreaterThan(80);
  expect(source.filter(file => !/^[a-z0-9/.-]+$/.test(file))).toEqual([]);
});

it('encodes values in paths of the API', () => {
  const asking = files.filter(file => /^web\/(api|forms|pages)\/.*\.tsx?$/.test(file));
  expect(asking.filter(file => read(file).includes('apiPath`')).length).toBeGreaterThan(5);
  const unencoded = /(?<!apiPath)`\/[^`$]*\$\{(?!queryString\()/;
  expect(asking.filter(file => unencoded.test(read(file)))).toEqual([]);
});

it('keeps files short', () => {
  const long = files
    .filter(
      file => /^(src|web)\/.*\.tsx?$/.test(file) && !/(\.test|\/cases|\/checks|\/schema)\.ts$/.test(file),
    )
    .filter(file => read(file).split('\n').length > 300);
  expect(long).toEqual([]);
});

it('limits time with timers that garbage collection keeps', () => {
  const source = files.filter(file => /^src\/.*(?<!\.test)\.ts$/.test(file));
  const code = (file: string) => read(file).replace(/^ *(?:\/\*\*|\*|\/\/).*$/gm, '');
  expect(source.filter(file => code(file).includes('AbortSignal.timeout('))).toEqual([]);
  // Of such a request, Node 20 can collect what connects its signal with the answer.
  expect(source.filter(file => /redirect: 'error'/.test(code(file)))).toEqual([]);
});

it('pins every dependency exactly, and keeps registry addresses out', () => {
  const { dependencies, devDependencies, optionalDependencies } = packageJson;
  const { 'older-postgres': local, ...published } = devDependencies;
  const older = JSON.parse(read(`${local.replace(/^file:/, '')}/package.json`)).optionalDependencies;
  const versions = Object.entries({ ...dependencies, ...published, ...optionalDependencies, ...older });
  const isExact = (version: unknown) =>
    /^(npm:@[\w-]+\/[\w-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(String(version));
  expect(versions.filter(([, version]) => !isExact(version))).toEqual([]);
  expect(read('package-lock.json')).not.toMatch(/"resolved": "http/);
});

it('is self-contained: no link leads out of the repository', () => {
  const outside = files.filter(
    file =>
      /\.(tsx?|json|md|sh|mjs|py|go|sql|yml)$/.test(file) &&
      file !== 'test/house/files.test.ts' &&
      /\/root\/|\/home\/\w|\.\.\/shared/.test(read(file)),
  );
  expect(outside).toEqual([]);
});

it('locates installed files in one way, which also works in builds', () => {
  const own = files.filter(file => /^src\/.*(?<!\.test)\.ts$/.test(file));
  const placed = own.filter(file => read(file).includes('import.meta.'));
  // PostgreSQL's package is resolved by Node, and folder access is checked for the actual location of the code.
  expect(placed).toEqual([
    'src/domain/installed-file.ts',
    'src/private-postgres/binaries.ts',
    'src/private-postgres/give-up-root.ts',
  ]);
});

it('has no hooks in shared test modules', () => {
  // A worker loads a module once for all of its test files, so a hook would run in the first of them only.
  const shared = files.filter(file => /^test\/support\/.*\.ts$/.test(file));
  expect(shared.length).toBeGreaterThan(40);
  expect(shared.filter(file => /^(before|after)(All|Each)\(/m.test(read(file)))).toEqual([]);
});

import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cruise, type ICruiseResult, type IForbiddenRuleType } from 'dependency-cruiser';
import { beforeAll, expect, it } from 'vitest';
import { rooms } from './rooms.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Folders that do not import `contract` and `bytes`. */
const selfContained = new Set(['contract', 'bytes', 'captures', 'locks', 'private-postgres']);

/** Files of a folder that others may import. A folder without an entry is open. */
const doors: Record<string, string> = {
  surfaces:
    '(connection/.*|(website|postgres|mysql|redis|supabase)/(collect|test-connection)|webhook/post-message|website/(credential-form|domain-proof|failure|proof-coverage|proof-places|session)|supabase/(keys|origin))',
  detectors: '(catalogue|detector|mask-secrets|remediation/step)',
  sandbox: '(sandbox|limits|tasks|died|run-spawner|run-given-program|spawn)',
  'private-postgres': '(open|home|give-up-root|carry-over)',
  worker: '(worker|log-audit-heads|recurring)',
  api: '(server|services)',
  dashboard: '(dashboard|services|sign-in/(oidc|passwords))',
};

/** Files of the contract without schemas. */
const plainContract =
  '^src/contract/(limits|mentions|readable-place|remediation-text|dashboard/(password|audit-actions|audit-problems|evidence-limits|finding-limits|retention-days|outdated|own-checks))\\.ts$';

const rules: IForbiddenRuleType[] = [
  ...Object.entries(rooms).map(([room, others]) => ({
    name: `${room} imports only what it may`,
    severity: 'error' as const,
    from: { path: `^src/${room}/`, pathNot: '\\.test\\.ts$' },
    to: {
      path: '^src/',
      pathNot: `^src/(${[room, ...(selfContained.has(room) ? [] : ['contract', 'bytes']), ...others].join('|')})/`,
    },
  })),
  ...Object.entries(doors).map(([room, door]) => ({
    name: `${room} is imported only through its public files`,
    severity: 'error' as const,
    from: { path: '^src/', pathNot: `\\.test\\.ts$|^src/${room}/` },
    to: { path: `^src/${room}/`, pathNot: `^src/${room}/${door}\\.ts$` },
  })),
  {
    name: 'web imports only the contract',
    severity: 'error',
    from: { path: '^web/' },
    to: { path: '^(src|test|bench|maintenance)/', pathNot: '^src/contract/' },
  },
  {
    // The schemas stay on the server: the dashboard must not load TypeBox in the browser.
    name: 'web imports the types of schemas, but not the schemas',
    severity: 'error',
    from: { path: '^web/' },
    to: { path: '^src/contract/', pathNot: plainContract, dependencyTypesNot: ['type-only'] },
  },
  { name: 'no cycle', severity: 'error', from: {}, to: { circular: true } },
  { name: 'nothing unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
  {
    name: 'only tests import test support',
    severity: 'error',
    from: { path: '^src/', pathNot: '\\.test\\.ts$' },
    to: { path: '^(test|bench)/|^node_modules/(vitest|fast-check)/' },
  },
];

let output: ICruiseResult;
beforeAll(async () => {
  const result = await cruise(['src', 'web'], {
    baseDir: root,
    ruleSet: { forbidden: rules },
    validate: true,
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: `${root}tsconfig.json` },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  });
  output = result.output as ICruiseResult;
});

it('has no import that breaks the rules', () => {
  const { summary, modules } = output;
  expect(
    ['src/', 'web/'].map(room => modules.filter(({ source }) => source.startsWith(room)).length > 50),
    'it read the code',
  ).toEqual([true, true]);
  expect(modules.flatMap(module => module.dependencies).length).toBeGreaterThan(200);
  expect(summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`)).toEqual([]);
});

/** The modules that load with a module: type imports load nothing. */
function loadedWith(start: string): Set<string> {
  const modules = new Map(output.modules.map(module => [module.source, module]));
  const loaded = new Set([start]);
  for (const source of loaded) {
    for (const { resolved, dependencyTypes } of modules.get(source)?.dependencies ?? []) {
      if (!dependencyTypes.includes('type-only')) loaded.add(resolved);
    }
  }
  return loaded;
}

/**
 * Modules that read a target's data or connect to it: all of the surfaces, except parsers of hosts, addresses and
 * credentials, and time limits.
 */
const ofTargets =
  /^src\/surfaces\/(?!(connection\/(address|authority|connection-failed|dsn|target-allowlist|target-guard|time-limit)|website\/(target|proof-places|credential-form)|supabase\/(keys|origin))\.ts$)|^src\/scan\/(collect|inspect|run-detectors)\.ts$|^node_modules\/(undici|mysql2)\//;

it('connects to targets, and reads their data, only in the sandbox', () => {
  const service = [...loadedWith('src/main/parapet.ts')];
  expect(service).toContain('src/sandbox/process.ts');
  expect(service).toContain('src/dashboard/dashboard.ts');
  expect(service.filter(source => ofTargets.test(source))).toEqual([]);
  expect([...loadedWith('src/sandbox/program.ts')].filter(source => ofTargets.test(source))).not.toEqual([]);
});

it('loads the PDF library only in a separate thread', () => {
  const ofPdfs = (source: string) => source.startsWith('node_modules/pdfkit/');
  expect([...loadedWith('src/main/parapet.ts')].filter(ofPdfs)).toEqual([]);
  expect([...loadedWith('src/dashboard/audit-pack/report-program.ts')].filter(ofPdfs)).not.toEqual([]);
});

const sorted = (names: readonly string[]) => [...names].sort();

it('has rules for every folder, as in the architecture document', async () => {
  const folders = readdirSync(resolve(root, 'src'), { withFileTypes: true }).filter(entry =>
    entry.isDirectory(),
  );
  expect(sorted(folders.map(entry => entry.name))).toEqual(sorted([...Object.keys(rooms), 'main']));
  const document = await readFile(resolve(root, 'docs/architecture.md'), 'utf8');
  const rows = [...document.matchAll(/^\| `([a-z-]+)` \| [^|]+ \| ([^|]+) \|$/gm)];
  const documented = rows.map(([, room, others]) => [
    room!,
    others === '–' ? [] : sorted(others!.split(', ')),
  ]);
  const held = Object.entries(rooms).map(([room, others]) => [room, sorted(others)]);
  expect(Object.fromEntries(documented)).toEqual({ ...Object.fromEntries(held), main: ['all'] });
});

it('has no folder with more than 60 files in it', () => {
  const files = output.modules.flatMap(({ source }) =>
    /^(src|web)\/(?!.*\.test\.)/.test(source) ? [dirname(source)] : [],
  );
  const crowded = [...new Set(files)].filter(folder => files.filter(other => other === folder).length > 60);
  expect(crowded).toEqual([]);
});

it.each(['CONTRIBUTING.md', 'docs/architecture.md'])('has every file that %s names', async document => {
  const text = await readFile(resolve(root, document), 'utf8');
  const named = [...text.matchAll(/`([\w./-]+\/[\w.-]*\.(?:ts|tsx|sql|md|json))`/g)].map(([, path]) => path!);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter(path => !['', 'src'].some(from => existsSync(resolve(root, from, path))))).toEqual([]);
});

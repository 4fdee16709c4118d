import { readdirSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cruise, type ICruiseResult, type IForbiddenRuleType } from 'dependency-cruiser';
import { beforeAll, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** What each room may import besides itself, `contract` and `bytes`. `main` puts the parts together: it may import all. */
const rooms: Record<string, readonly string[]> = {
  contract: [],
  bytes: [],
  domain: [],
  evidence: [],
  surfaces: ['evidence'],
  detectors: ['evidence', 'domain'],
  scan: ['surfaces', 'detectors', 'evidence', 'domain'],
  sandbox: ['scan', 'surfaces', 'domain'],
  storage: ['domain'],
  worker: ['sandbox', 'scan', 'detectors', 'storage', 'domain'],
  http: ['domain', 'storage'],
  api: ['http', 'domain', 'storage'],
  dashboard: ['http', 'domain', 'storage'],
  cli: ['domain'],
};

/** What imports nothing of ours. */
const selfContained = new Set(['contract', 'bytes', 'evidence']);

/** What of the contract has no schemas. */
const plainContract =
  '^src/contract/(limits|dashboard/(password|audit-actions|evidence-limits|outdated))\\.ts$';

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
  {
    name: 'web imports only the contract',
    severity: 'error',
    from: { path: '^web/' },
    to: { path: '^(src|test|bench|maintenance)/', pathNot: '^src/contract/' },
  },
  {
    // The schemas stay on the server: a browser that loads the dashboard must not load TypeBox with it.
    name: 'web takes the types of schemas, and not the schemas',
    severity: 'error',
    from: { path: '^web/' },
    to: { path: '^src/contract/', pathNot: plainContract, dependencyTypesNot: ['type-only'] },
  },
  { name: 'no cycle', severity: 'error', from: {}, to: { circular: true } },
  { name: 'nothing unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
  {
    name: 'only tests import what is for tests',
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

it('holds every import to the rules of the house', () => {
  const { summary, modules } = output;
  expect(
    ['src/', 'web/'].map(room => modules.filter(({ source }) => source.startsWith(room)).length > 50),
    'it looked at the code',
  ).toEqual([true, true]);
  expect(modules.flatMap(module => module.dependencies).length).toBeGreaterThan(200);
  expect(summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`)).toEqual([]);
});

/** What is loaded with a module: imports of types alone load nothing. */
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

/** What reads a target's bytes or connects to it: of the surfaces, all but the forms of hosts, addresses and credentials, and time limits. */
const ofTargets =
  /^src\/surfaces\/(?!(address|target-allowlist|target-guard|time-limit|website\/(target|proof-places|credential-form)|database\/(authority|dsn|connection-failed)|supabase\/(keys|origin))\.ts$)|^src\/scan\/(collect-evidence|inspect|run-detectors)\.ts$|^node_modules\/(undici|mysql2)\//;

it('connects to targets, and reads what they send, in the sandbox only', () => {
  const service = [...loadedWith('src/main/parapet.ts')];
  expect(service).toContain('src/sandbox/process.ts');
  expect(service).toContain('src/dashboard/dashboard.ts');
  expect(service.filter(source => ofTargets.test(source))).toEqual([]);
  expect([...loadedWith('src/sandbox/program.ts')].filter(source => ofTargets.test(source))).not.toEqual([]);
});

it('loads what writes PDFs in a thread of its own only', () => {
  const ofPdfs = (source: string) => source.startsWith('node_modules/pdfkit/');
  expect([...loadedWith('src/main/parapet.ts')].filter(ofPdfs)).toEqual([]);
  expect([...loadedWith('src/dashboard/audit-pack/report-program.ts')].filter(ofPdfs)).not.toEqual([]);
});

it('knows every room', () => {
  const found = readdirSync(resolve(root, 'src'), { withFileTypes: true }).filter(entry =>
    entry.isDirectory(),
  );
  expect(found.map(entry => entry.name).sort()).toEqual([...Object.keys(rooms), 'main'].sort());
  expect(relative(root, dirname(fileURLToPath(import.meta.url)))).toBe('test/house');
});

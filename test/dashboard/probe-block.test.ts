import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseConfiguration } from '../../src/probe/configuration.ts';
import { exampleFor } from '../../src/shield/example.ts';
import { parseForwarderFile } from '../../src/shield/forwarder-settings.ts';
import {
  type BlockTarget,
  rotateBlock,
  secretVariable,
  serviceYaml,
  startBlock,
  targetNames,
} from '../../web/pages/probes/probe-block.ts';

const key = {
  token: 'svc_probe_abc',
  token_id: '00000000-0000-4000-8000-00000000000b',
  signing_key: 'svc_sign_abc',
};
const sourceId = '00000000-0000-4000-8000-000000000001';
const target: BlockTarget = {
  name: 'orders',
  kind: 'postgres',
  sourceId,
  host: 'db.internal',
  user: 'parapet_reader',
  database: 'orders',
  tls: true,
};
const service = { serviceUrl: 'https://parapet.example/prefix', brand: 'acme' };

/** A folder with a `parapet-probe` that only succeeds. */
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'block-'));
  writeFileSync(join(folder, 'parapet-probe'), '#!/bin/sh\n', { mode: 0o755 });
  return folder;
}

/** Runs the block in a shell, with its folders below a temporary one. */
function run(block: string, folder: string): void {
  const script = block
    .replace('dir=/etc/parapet', `dir='${folder}/etc'`)
    .replace('spool=/var/lib/parapet-probe', `spool='${folder}/spool'`);
  execFileSync('sh', ['-c', script], { cwd: folder, env: { PATH: `${folder}:${process.env.PATH}` } });
}

it('writes a configuration that the probe reads, and a key file that only its user reads', () => {
  const folder = newFolder();
  const site: BlockTarget = {
    ...target,
    name: 'site',
    kind: 'website',
    sourceId: key.token_id,
    host: 'https://a.b/c',
  };
  run(startBlock({ name: 'office', targets: [target, site], key }, service), folder);
  const file = join(folder, 'etc', 'probe-key.json');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(key);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const read = parseConfiguration(readFileSync(join(folder, 'etc', 'probe.yaml'), 'utf8'));
  expect(read).toMatchObject({
    name: 'office',
    service: { url: 'https://parapet.example/prefix', brand: 'acme', keyFile: file },
    spool: { folder: join(folder, 'spool') },
    targets: [
      {
        ...{ name: 'orders', kind: 'postgres', sourceId, host: 'db.internal', database: 'orders', tls: true },
        login: { type: 'password', user: 'parapet_reader', password: { env: 'PROBE_ORDERS_PASSWORD' } },
      },
      { name: 'site', kind: 'website', host: 'https://a.b/c', login: { type: 'none' } },
    ],
  });
});

it('states service and brand for a forwarder, in place of the url of its example', () => {
  const settingsWith = (brand: string) =>
    parseForwarderFile(
      exampleFor([{ engine: 'crowdsec', api: 'http://127.0.0.1:8080' }]).replace(
        /^ {2}url: .*$/m,
        serviceYaml({ ...service, brand }),
      ),
    ).service;
  const { serviceUrl: url } = service;
  expect(settingsWith('acme')).toMatchObject({ url, brand: 'acme' });
  expect(settingsWith('service')).toMatchObject({ url, brand: 'service' });
  expect(serviceYaml({ ...service, brand: 'service' })).not.toContain('brand');
});

it('lets no text break out of its value, in the shell or in the file', () => {
  const texts = [
    "'; touch broken; '",
    '$(touch broken)`touch broken`',
    'a\nEND_OF_FILE\ntouch broken\n',
    '"\n  password_command: touch broken',
    '#{x}: - & * ! | > % @ \\ \u2028 \u0085 \u{1f600}',
    ...fc.sample(fc.string({ unit: 'binary', maxLength: 40 }), { numRuns: 20, seed: 20_261_126 }),
  ];
  for (const text of texts) {
    const folder = newFolder();
    run(
      startBlock(
        {
          name: 'office',
          targets: [{ ...target, user: text, database: text }],
          key: { ...key, signing_key: text },
        },
        service,
      ),
      folder,
    );
    expect(execFileSync('ls', ['-R', folder], { encoding: 'utf8' }), text).not.toContain('broken');
    expect(JSON.parse(readFileSync(join(folder, 'etc', 'probe-key.json'), 'utf8')).signing_key).toBe(text);
    const yaml = readFileSync(join(folder, 'etc', 'probe.yaml'), 'utf8');
    const line = yaml.split('\n').find(found => found.includes(' user: '))!;
    expect(JSON.parse(line.replace(/^\s*user: /, '')), text).toBe(text);
    expect(
      yaml.split('\n').filter(found => /^ {4}\w+: /.test(found)),
      text,
    ).toHaveLength(8);
  }
});

it('replaces the key file, and keeps its mode', () => {
  const folder = newFolder();
  run(startBlock({ name: 'office', targets: [target], key }, service), folder);
  const next = { ...key, token: 'svc_probe_next' };
  run(rotateBlock(next), folder);
  const file = join(folder, 'etc', 'probe-key.json');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(next);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('names targets uniquely, and the variables of their secrets', () => {
  expect(targetNames(['Orders', 'orders!', 'Café 1', '患者', '', 'x'.repeat(200)])).toEqual([
    'orders',
    'orders-2',
    'cafe-1',
    'target',
    'target-2',
    'x'.repeat(59),
  ]);
  expect(secretVariable({ name: '1-db', kind: 'mysql' })).toBe('PROBE_1_DB_PASSWORD');
  expect(secretVariable({ name: 'cache', kind: 'redis' })).toBe('PROBE_CACHE_PASSWORD');
  expect(secretVariable({ name: 'p', kind: 'supabase' })).toBe('PROBE_P_KEY');
  expect(secretVariable({ name: 'p', kind: 'website' })).toBeUndefined();
});

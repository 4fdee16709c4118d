import { appendFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { check } from './check.ts';
import { parseForwarderFile } from './forwarder-settings.ts';

const home = mkdtempSync(join(tmpdir(), 'parapet-shield-'));
afterAll(() => rmSync(home, { recursive: true }));
mkdirSync(join(home, 'spool'), { mode: 0o700 });
writeFileSync(join(home, 'key.json'), '{}', { mode: 0o600 });
const path = join(home, 'audit.log');

/** A line of the log, in this minute. */
const record = (minute = 0) => {
  const text = JSON.stringify({
    transaction: {
      ...{ time_stamp: new Date(Date.UTC(2026, 10, 26) + minute * 60_000), client_ip: '2001:db8:1:2::3' },
      request: { method: 'GET', uri: '/a', headers: { 'User-Agent': 'a'.repeat(1_000) } },
      response: { http_code: 403 },
      producer: { modsecurity: 'ModSecurity v3.0.9 (Linux)', secrules_engine: 'Enabled', components: [] },
      messages: [{ message: 'a', details: { ruleId: '949110', severity: '2', tags: ['attack-generic'] } }],
    },
  });
  return `${text}\n`;
};

/** What it prints. @param onEvent called for each event */
async function checked(onEvent = () => {}) {
  const events: { kind: string; interval_seconds?: number; log?: object; groups?: { count: number }[] }[] =
    [];
  let errors = '';
  const output = vi.spyOn(process.stdout, 'write').mockImplementation(text => {
    onEvent();
    events.push(...JSON.parse(String(text)).events);
    return true;
  });
  const explained = vi.spyOn(process.stderr, 'write').mockImplementation(text => {
    errors += text;
    return true;
  });
  try {
    await check(
      parseForwarderFile(`name: edge
service: { url: "http://127.0.0.1:9", key_file: "${home}/key.json" }
spool: { folder: "${home}/spool" }
root: ${home}
heartbeat: 2m
logs: [{ engine: modsecurity3, path: "${path}" }]`),
      '1',
    );
  } finally {
    output.mockRestore();
    explained.mockRestore();
  }
  return { events, errors };
}

it('prints what would be sent for a log, with one heartbeat at the configured interval', async () => {
  writeFileSync(path, record().repeat(1_500));
  const { events, errors } = await checked();
  expect(events.map(({ kind }) => kind)).toEqual(['shield.requests', 'shield.heartbeat']);
  expect(events[0]?.groups).toMatchObject([{ count: 1_500 }]);
  expect(events[1]).toMatchObject({ interval_seconds: 120, log: { records: 1_500, lag_bytes: 0 } });
  expect(errors).toContain(`ok      ${path}: 1500 records, 0 not understood; `);
});

it('says where rules are expected, and finds them behind a link from there', async () => {
  writeFileSync(path, record());
  const { errors } = await checked();
  expect(errors).toContain('They are read from /etc/nginx/nginx.conf and');
  expect(errors).toContain('make /etc/nginx a link to it');
  const configuration = join(home, 'opt/nginx/conf');
  mkdirSync(configuration, { recursive: true });
  writeFileSync(join(configuration, 'nginx.conf'), 'modsecurity on; modsecurity_rules_file rules.conf;');
  writeFileSync(join(configuration, 'rules.conf'), 'SecRule ARGS "@rx a" "id:1,phase:2,deny"\n');
  mkdirSync(join(home, 'etc'));
  symlinkSync('/opt/nginx/conf', join(home, 'etc/nginx'));
  expect((await checked()).errors).toContain('; 1 rule of its configuration\n');
  rmSync(join(home, 'etc'), { recursive: true });
});

it('says why a log cannot be read', async () => {
  rmSync(path);
  mkdirSync(path);
  expect((await checked()).errors).toContain(`FAILED  ${path}: the log does not exist or is not a file`);
  rmSync(path, { recursive: true });
  symlinkSync(path, path);
  expect((await checked()).errors).toContain(`FAILED  ${path}: ${path} cannot be read (ELOOP)`);
  rmSync(path);
});

it('ends while the log grows faster than it is read', async () => {
  // In more minutes than are counted together.
  writeFileSync(path, Array.from({ length: 600 }, (_, minute) => record(minute)).join(''));
  const { events } = await checked(() => appendFileSync(path, record(600)));
  expect(events.length).toBe(601);
  expect(events.at(-1)).toMatchObject({ kind: 'shield.heartbeat', log: { records: 600 } });
});

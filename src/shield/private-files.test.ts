import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { check } from './check.ts';
import { forward } from './forwarder.ts';
import { parseForwarderFile } from './forwarder-settings.ts';

const home = mkdtempSync(join(tmpdir(), 'parapet-shield-'));
afterAll(() => rmSync(home, { recursive: true }));
const spool = join(home, 'spool');
const keyFile = join(home, 'key.json');
mkdirSync(spool, { mode: 0o700 });
writeFileSync(keyFile, '{}', { mode: 0o600 });
const settings = parseForwarderFile(`name: edge
service: { url: "http://127.0.0.1:9", key_file: "${keyFile}" }
spool: { folder: "${spool}" }
logs:
  - { engine: modsecurity3, path: "${home}/audit.log" }
`);
const parts = { version: '1', log: () => {}, signal: AbortSignal.abort() };

it('refuses a key that all users can read, and a spool that others can write', async () => {
  chmodSync(keyFile, 0o644);
  await expect(forward(settings, parts)).rejects.toThrow(`chmod 600 ${keyFile}`);
  await expect(check(settings, '1')).rejects.toThrow(`chmod 600 ${keyFile}`);
  chmodSync(keyFile, 0o600);
  chmodSync(spool, 0o777);
  await expect(forward(settings, parts)).rejects.toThrow(`chmod go-w ${spool}`);
  await expect(check(settings, '1')).rejects.toThrow(`chmod go-w ${spool}`);
});

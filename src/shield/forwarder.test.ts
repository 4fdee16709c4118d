import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { poll } from '../../test/support/poll.ts';
import { lockFolder } from '../agent/folder-lock.ts';
import { SpoolUnusable } from '../agent/private-files.ts';
import { forward } from './forwarder.ts';
import { parseForwarderFile } from './forwarder-settings.ts';

const home = mkdtempSync(join(tmpdir(), 'parapet-shield-'));
afterAll(() => rmSync(home, { recursive: true }));

/** Files in the spool that this process has open. */
const openFiles = () =>
  readdirSync('/proc/self/fd').flatMap(name => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`).startsWith(join(home, 'spool')) ? [name] : [];
    } catch {
      return [];
    }
  });

it('releases a spool that can no longer be used', async () => {
  const spool = join(home, 'spool');
  mkdirSync(spool, { mode: 0o700 });
  writeFileSync(join(home, 'key.json'), '{}', { mode: 0o600 });
  const settings = parseForwarderFile(`name: edge
service: { url: "http://127.0.0.1:9", key_file: "${home}/key.json" }
spool: { folder: "${spool}" }
heartbeat: 10s
logs: [{ engine: modsecurity3, path: "${home}/audit.log" }]`);
  const { signal } = new AbortController();
  const ended = forward(settings, { version: '1', log: () => {}, signal }).catch(error => error);
  const segments = () => readdirSync(spool).filter(name => name.startsWith('events-'));
  await poll('a heartbeat in the spool', () => segments().length > 0);
  expect(openFiles().length).toBeGreaterThan(0);
  for (const name of segments()) {
    rmSync(join(spool, name));
    mkdirSync(join(spool, name));
  }
  expect(await ended).toBeInstanceOf(SpoolUnusable);
  expect(openFiles()).toEqual([]);
  await (await lockFolder(spool)).release();
});

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { canTest } from '../../test/support/can-test.ts';
import { lockFolder } from './folder-lock.ts';

const folder = mkdtempSync(join(tmpdir(), 'parapet-lock-'));
afterAll(() => rmSync(folder, { recursive: true }));
const hasFlock = canTest(
  spawnSync('flock', ['--version']).error === undefined,
  'flock is not installed; the locks of agents are not tested',
);

it.runIf(hasFlock)('gives a folder to one agent at a time', async () => {
  const lock = await lockFolder(folder);
  expect(statSync(join(folder, 'lock')).mode & 0o077).toBe(0);
  await expect(lockFolder(folder)).rejects.toThrow(`another process of Parapet uses ${folder}`);
  await lock.release();
  await (await lockFolder(folder)).release();
});

it.runIf(process.platform === 'linux')('does not depend on a name that any user can take', async () => {
  const { dev, ino } = statSync(folder);
  const taken = createServer().listen(`\0parapet-agent-${dev}-${ino}`);
  await once(taken, 'listening');
  await (await lockFolder(folder)).release();
  taken.close();
});

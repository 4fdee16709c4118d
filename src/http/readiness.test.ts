import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { diskRoom } from './disk-room.ts';
import { Readiness } from './readiness.ts';

const system = { ping: async () => {}, isTooNew: async () => false };
const pools = () => [{ longestWaitSeconds: 0 }];

it('is ready, until it drains', async () => {
  const readiness = new Readiness({ system, pools });
  expect(await readiness.status()).toBe('ready');
  readiness.drain();
  expect(await readiness.status()).toBe('draining');
});

it('names what keeps it from answering', async () => {
  const down = { ...system, ping: () => Promise.reject(new Error('refused')) };
  expect(await new Readiness({ system: down, pools }).status()).toBe('database unavailable');
  const outdated = { ...system, isTooNew: async () => true };
  expect(await new Readiness({ system: outdated, pools }).status()).toBe('release too old for the database');
  const stuck = () => [{ longestWaitSeconds: 0 }, { longestWaitSeconds: 7 }];
  expect(await new Readiness({ system, pools: stuck }).status()).toBe('database connections exhausted');
  expect(await new Readiness({ system, pools, hasProcess: () => false }).status()).toBe(
    'no process answers requests',
  );
  expect(await new Readiness({ system, pools, dataFolder: '/nonexistent/folder' }).status()).toBe(
    'disk not writable',
  );
});

it('measures the room on the disk of a folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parapet-room-'));
  expect(await diskRoom(folder, 0)).toBeUndefined();
  expect(await diskRoom(folder, Number.MAX_SAFE_INTEGER)).toBe('disk full');
  await rm(folder, { recursive: true });
  expect(await diskRoom(folder)).toBe('disk not writable');
});

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { canTest } from '../../test/support/can-test.ts';
import { poll } from '../../test/support/poll.ts';
import { DataFolders, isRoot, ORDINARY } from '../../test/support/private-postgres/data-folders.ts';
import { takeProcessLock } from './process-lock.ts';

const hasFlock = canTest(
  spawnSync('flock', ['--version']).error === undefined,
  'flock is not installed; the locks of processes are not tested',
);
const folders = new DataFolders();
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});
afterAll(() => folders.remove());

/** A file like the password's, in a folder like the home. */
async function makeFile(): Promise<string> {
  const home = await folders.make();
  await mkdir(home, { mode: 0o711 });
  const file = join(home, 'password');
  await writeFile(file, 'secret', { mode: 0o600 });
  return file;
}

test.runIf(hasFlock)('one process at a time has the lock, until it is released', async () => {
  const file = await makeFile();
  const all = await Promise.all(Array.from({ length: 8 }, () => takeProcessLock(file)));
  const [giveBack, ...others] = all.filter(taken => taken !== null);
  expect(others).toEqual([]);
  expect(await takeProcessLock(file)).toBeNull();
  await giveBack!();
  const again = await takeProcessLock(file);
  expect(again).not.toBeNull();
  await again!();
});

test.runIf(hasFlock)('the lock of a killed process is released', async () => {
  const file = await makeFile();
  const lock = new URL('process-lock.ts', import.meta.url).href;
  const program = `const { takeProcessLock } = await import(${JSON.stringify(lock)});
    console.log((await takeProcessLock(${JSON.stringify(file)})) !== null); setInterval(() => {}, 1000);`;
  const holder = start(['--import', import.meta.resolve('tsx'), '--input-type=module', '-e', program]);
  expect(String(await once(holder.stdout!, 'data'))).toBe('true\n');
  expect(await takeProcessLock(file)).toBeNull();
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  await poll('the lock is free', async () => {
    const giveBack = await takeProcessLock(file);
    await giveBack?.();
    return giveBack !== null;
  });
});

/**
 * Lists Parapet's socket names that every user can see. Then `hold` connects to them, and `squat` binds the
 * names on command.
 */
const attacker = `
  const { readFileSync } = require('node:fs'), net = require('node:net'), { once } = require('node:events');
  const names = new Set(readFileSync('/proc/net/unix', 'latin1').match(/@parapet-[0-9a-f]+/g) ?? []);
  const all = act => Promise.all([...names].map(name => act(name.replace('@', '\\0')))).then(() => console.log('done'));
  if (process.argv[1] === 'hold') all(path => once(net.connect({ path }), 'connect'));
  else {
    console.log('seen');
    process.stdin.once('data', () => all(path => once(net.createServer().listen(path), 'listening')));
  }
  setInterval(() => {}, 1000);`;

test.runIf(isRoot && hasFlock)('other users cannot prevent the release of the lock', async () => {
  const file = await makeFile();
  const giveBack = await takeProcessLock(file);
  const holding = start(['-e', attacker, 'hold'], ORDINARY);
  await once(holding.stdout!, 'data');
  await giveBack!();
  await (await takeProcessLock(file))!();
});

test.runIf(isRoot && hasFlock)('other users cannot take the lock', async () => {
  const file = await makeFile();
  const giveBack = await takeProcessLock(file);
  const squatting = start(['-e', attacker, 'squat'], ORDINARY);
  await once(squatting.stdout!, 'data');
  await giveBack!();
  squatting.stdin!.write('now');
  await once(squatting.stdout!, 'data');
  const again = await takeProcessLock(file);
  expect(again).not.toBeNull();
  await again!();
  const locking = spawnSync('flock', ['-n', file, 'true'], ORDINARY);
  expect(String(locking.stderr)).toMatch(/cannot open lock file .*Permission denied/);
});

function start(parameters: string[], user: { uid?: number; gid?: number } = {}): ChildProcess {
  const stdio = ['pipe', 'pipe', 'inherit'] as const;
  const child = spawn(process.execPath, parameters, { cwd: '/', stdio: [...stdio], ...user });
  children.push(child);
  return child;
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';

const reaper = fileURLToPath(new URL('../support/reaper.mjs', import.meta.url));
const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

const wait = ['-e', 'process.stdout.write("ready"); setInterval(() => {}, 1000)'];

async function waiting(parameters: string[], options: object = {}): Promise<ChildProcess> {
  const child = spawn(process.execPath, [...wait, ...parameters], { ...options, stdio: 'pipe' });
  started.push(child);
  await once(child.stdout!, 'data');
  return child;
}

it.runIf(process.platform === 'linux')('removes everything of a killed run, and nothing else', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parapet-'));
  const socket = encodeURIComponent(`${folder}/data`);
  const ofRun = [
    await waiting([`${folder}/data`]),
    await waiting([], { cwd: folder }),
    await waiting([], { env: { DATABASE_URL: `postgres://${socket}/parapet` } }),
  ];
  const other = await waiting([], { cwd: tmpdir() });
  // A run as the reaper knows it: the process that keeps the reaper's standard input open.
  const program = `require('node:child_process').spawn(process.execPath, process.argv.slice(1), { stdio: ['pipe', 'ignore', 'ignore'] });
      process.stdout.write('ready')`;
  const run = spawn(process.execPath, ['-e', program, reaper, folder], { stdio: 'pipe' });
  started.push(run);
  await once(run.stdout, 'data');
  const gone = ofRun.map(child => once(child, 'exit'));
  run.kill('SIGKILL');
  await Promise.all(gone);
  await expect.poll(() => existsSync(folder)).toBe(false);
  expect([other.exitCode, other.signalCode]).toEqual([null, null]);
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { poll } from '../../test/support/poll.ts';
import { outputOf } from './run-command.ts';

const home = mkdtempSync(join(tmpdir(), 'parapet-command-'));
afterAll(() => rmSync(home, { recursive: true }));

const limits = { milliseconds: 20_000, bytes: 1_000 };

/** A command with a pipe that does not end, and whether a process of it is left. */
function endless(name: string) {
  const file = join(home, name);
  const isRunning = () => {
    try {
      return process.kill(-Number(readFileSync(file, 'utf8')), 0);
    } catch {
      return false;
    }
  };
  const hasBegun = () => existsSync(file) && readFileSync(file, 'utf8').endsWith('\n') && isRunning();
  return { command: `echo $$ > ${file}; sleep 71 | cat`, hasBegun, isRunning };
}

it('returns what a command prints', async () => {
  expect(await outputOf('printf a | tr a b', limits)).toBe('b');
});

it('says why a command failed, without its output', async () => {
  await expect(outputOf('echo secret; exit 3', limits)).rejects.toThrow(/^failed \(exit status 3\)$/);
  await expect(outputOf('echo secret; kill -9 $$', limits)).rejects.toThrow(/^failed \(SIGKILL\)$/);
  await expect(outputOf('yes', limits)).rejects.toThrow(/^printed more than 1000 bytes$/);
});

it('leaves nothing running at the limit of its time', async () => {
  const { command, isRunning } = endless('timeout');
  await expect(outputOf(command, { ...limits, milliseconds: 500 })).rejects.toThrow(
    'did not end within 0.5 s',
  );
  await poll('all of it to end', () => !isRunning());
});

it('leaves nothing running after the signal', async () => {
  const { command, hasBegun, isRunning } = endless('abort');
  const listeners = process.listenerCount('SIGTERM');
  const stop = new AbortController();
  const output = outputOf(command, limits, stop.signal);
  await poll('the command to begin', hasBegun);
  stop.abort(new Error('stopped'));
  await expect(output).rejects.toThrow('stopped');
  await poll('all of it to end', () => !isRunning());
  expect(process.listenerCount('SIGTERM')).toBe(listeners);
});

it.each([
  ['SIGINT', ''],
  ['SIGTERM', ''],
  ['SIGTERM', "const stop = new AbortController(); process.once('SIGTERM', () => stop.abort());"],
] as const)('ends with this process: %s %s', async (signal, listener) => {
  const { command, hasBegun, isRunning } = endless(`death-${signal}-${listener.length}`);
  const program = `import { outputOf } from ${JSON.stringify(new URL('run-command.ts', import.meta.url).href)};
    ${listener}
    const aborted = ${listener === '' ? 'undefined' : 'stop.signal'};
    await outputOf(${JSON.stringify(command)}, ${JSON.stringify(limits)}, aborted).catch(() => process.exit(7));`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type', 'module', '--eval', program], {
    stdio: 'inherit',
  });
  await poll('the command to begin', hasBegun);
  child.kill(signal);
  expect(await once(child, 'exit')).toEqual(listener === '' ? [null, signal] : [7, null]);
  await poll('all of it to end', () => !isRunning());
});

it('goes on, with its command, after a signal that this process listens to', async () => {
  const file = join(home, 'begun');
  const program = `import { outputOf } from ${JSON.stringify(new URL('run-command.ts', import.meta.url).href)};
    process.once('SIGHUP', () => process.stdout.write('heard '));
    process.stdout.write(await outputOf(${JSON.stringify(`touch ${file}; sleep 1; echo ended`)}, ${JSON.stringify(limits)}));`;
  const command = ['--import', 'tsx', '--input-type', 'module', '--eval', program];
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', piece => {
    output += piece;
  });
  await poll('the command to begin', () => existsSync(file));
  child.kill('SIGHUP');
  expect([await once(child, 'close'), output]).toEqual([[0, null], 'heard ended\n']);
});

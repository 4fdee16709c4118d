import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { describe, expect, it, onTestFinished } from 'vitest';
import { act, credential, open, program, running, spawners } from '../../test/support/misbehaving-sandbox.ts';
import { poll } from '../../test/support/poll.ts';
import { sandboxesOf, spawnersOf } from '../../test/support/sandbox.ts';

/** A service that is too busy to accept the channel of a process that it requested. */
const hungService = `
  const { builtSpawner, Spawner } = await import(${JSON.stringify(new URL('spawner.ts', import.meta.url).href)});
  new Spawner(builtSpawner(${JSON.stringify(program)}), 10).start({});
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);`;

describe.skipIf(process.platform !== 'linux')('the spawner', () => {
  it('runs background work at a low priority, in its own scheduler group', async () => {
    // Two, since only one process at a time may change its group.
    const background = () => open({ isBackground: true });
    await Promise.all([act(background(), 'answer'), act(background(), 'answer')]);
    // As described in proc(5): `/autogroup-25 nice 0`; empty on a kernel without such groups, and if no session was
    // created.
    const groupOf = (pid: number) =>
      existsSync(`/proc/${pid}/autogroup`) ? readFileSync(`/proc/${pid}/autogroup`, 'utf8').trim() : '';
    const ofNewSession = execFileSync(
      'setsid',
      ['sh', '-c', 'cat /proc/self/autogroup 2> /dev/null || true'],
      {
        encoding: 'utf8',
      },
    );
    const [service, hasGroups] = [groupOf(process.pid), ofNewSession !== ''];
    for (const pid of running()) {
      expect(getPriority(pid)).toBeGreaterThanOrEqual(10);
      expect(groupOf(pid).split(' ')[0] !== service.split(' ')[0]).toBe(hasGroups);
      await poll('the group', async () => !hasGroups || groupOf(pid).endsWith(' nice 10') || undefined);
    }
  });

  it('does not blame a target for a process that could not be started', async () => {
    const sandbox = open();
    await act(sandbox, 'answer', { credential });
    const [spawner] = spawners();
    const openFiles = /^Max open files +(\d+)/m.exec(readFileSync(`/proc/${spawner}/limits`, 'utf8'))![1];
    const allow = (most: string) => execFileSync('prlimit', ['--pid', `${spawner}`, `--nofile=${most}:`]);
    allow('0');
    await expect(act(sandbox, 'answer')).rejects.toThrow('EMFILE');
    allow(openFiles!);
    expect(await act(sandbox, 'answer')).toEqual({ ok: true, latencyMs: 1 });
    expect(sandbox.log).toEqual([]);
  });

  it('replaces a killed spawner, and loses the processes that it started', async () => {
    const sandbox = open();
    const stuck = act(sandbox, 'say nothing').catch((error: unknown) => error);
    await poll('the process', async () => running().length === 1 || undefined);
    const [lost] = running();
    process.kill(spawners()[0]!, 'SIGKILL');
    expect(await stuck, 'not attributed to the target').toEqual(new Error('the spawner ended'));
    expect(sandbox.log).toEqual([]);
    await poll('what it had started to end', async () => !existsSync(`/proc/${lost}/exe`) || undefined);
    expect(await act(sandbox, 'answer')).toEqual({ ok: true, latencyMs: 1 });
  });

  it('ends with a service that was killed before it read what the spawner sent', async () => {
    const service = spawn(
      process.execPath,
      ['--import', import.meta.resolve('tsx'), '--input-type=module', '-e', hungService],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    );
    onTestFinished(() => void service.kill('SIGKILL'));
    const started = await poll('a process', async () => sandboxesOf(service.pid!)[0]);
    const [spawner] = spawnersOf(service.pid!);
    service.kill('SIGKILL');
    for (const pid of [spawner, started])
      await poll('the end', async () => !existsSync(`/proc/${pid}/exe`) || undefined);
  });

  it('fails if the program is missing, and blames no target', async () => {
    const sandbox = open({ program: '/nonexistent' });
    await expect(act(sandbox, 'answer')).rejects.toThrow('the spawner ended');
    expect(sandbox.log).toEqual([]);
  });

  it('stops reading the standard error of a process at a limit', async () => {
    expect(await act(open(), 'fill standard error')).toEqual({ ok: true, latencyMs: 1 });
  });

  it('closes although the spawner hangs', async () => {
    const sandbox = open();
    await act(sandbox, 'answer');
    process.kill(spawners()[0]!, 'SIGSTOP');
    await sandbox.close();
    expect(spawners()).toEqual([]);
  });

  it('has no environment of the service, and only SIGKILL ends it', async () => {
    process.env.PARAPET_MASTER_KEY = 'S3cret';
    const sandbox = open();
    await act(sandbox, 'answer');
    delete process.env.PARAPET_MASTER_KEY;
    const [spawner] = spawners();
    expect(readFileSync(`/proc/${spawner}/environ`, 'utf8')).toMatch(
      /^(NODE_EXTRA_CA_CERTS=[^\0]*\0)?NODE_CHANNEL_FD=\d+\0NODE_CHANNEL_SERIALIZATION_MODE=json\0$/,
    );
    for (const signal of ['SIGUSR1', 'SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(spawner!, signal);
    expect(await act(sandbox, 'answer')).toEqual({ ok: true, latencyMs: 1 });
    expect(spawners()).toEqual([spawner]);
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { act, limits, open, running } from '../../test/support/misbehaving-sandbox.ts';
import { poll } from '../../test/support/poll.ts';
import { SandboxProcess } from './process.ts';
import { builtSpawner, type Observer, Spawner } from './spawner.ts';
import type { Usage } from './usage.ts';
import { withheld } from './withheld.ts';

const program = fileURLToPath(
  new URL('../../test/support/sandbox-programs/misbehaving.cjs', import.meta.url),
);

const settings = { allowlist: [], userAgent: 'Parapet/test' };

const never = new AbortController().signal;

class CountingSpawner extends Spawner {
  kills = 0;

  override start(observer: Observer): () => void {
    const kill = super.start(observer);
    return () => {
      this.kills += 1;
      kill();
    };
  }
}

it('is killed only once, however often it is requested', async () => {
  const spawner = new CountingSpawner(builtSpawner(program), 0);
  const started = new SandboxProcess(spawner);
  for (let count = 0; count < 3; count++) started.kill();
  await started.ended;
  started.kill();
  expect(spawner.kills).toBe(1);
  await spawner.close();
});

it('is not killed during its next task because of a late reading of the time before', async () => {
  const spawner = new CountingSpawner(builtSpawner(program), 0);
  let read = async () => ({ cpuMs: 0, residentBytes: 0, ownBytes: 0, wantedMs: 0 });
  const started = new SandboxProcess(spawner, () => read());
  const task = () => {
    const input = { source: { host: 'answer' } };
    return started.run({ task: 'test_connection', input, settings } as never, limits, never);
  };
  await task();
  const stopWatching = started.watchIdle();
  const isRead = new Promise<(usage: Usage) => void>(resolve => {
    read = () => new Promise(resolve);
  });
  const release = await isRead;
  stopWatching();
  read = async () => ({ cpuMs: 60_000, residentBytes: 0, ownBytes: 0, wantedMs: 0 });
  const next = task();
  release({ cpuMs: 60_000, residentBytes: 0, ownBytes: 0, wantedMs: 0 });
  expect(await next).toMatchObject({ result: { ok: true } });
  await spawner.close();
});

it.skipIf(process.platform !== 'linux')(
  'took too long if SIGXCPU, sent by the kernel at the CPU time limit, ends it',
  async () => {
    const stuck = act(open(), 'compute forever', { limits: { cpuMs: 60_000, wallMs: 60_000 } });
    const [pid] = await poll('the process', async () => (running().length === 1 ? running() : undefined));
    process.kill(pid!, 'SIGXCPU');
    await expect(stuck).rejects.toMatchObject({ deathCause: 'took_too_long' });
  },
);

it('blames no target for a release of Node.js without an API that must be removed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parapet-test-'));
  const gives = join(folder, 'gives-up-twice.cjs');
  // The second run finds all of them removed already.
  writeFileSync(gives, `${withheld}\nprocess.exit(0);`);
  try {
    const sandbox = open({ program: gives });
    await expect(act(sandbox, 'answer')).rejects.toThrow('lacks an API that the sandbox removes');
    expect(sandbox.log, 'no death attributed to a target').toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { act, open, running } from '../../test/support/misbehaving-sandbox.ts';
import { poll } from '../../test/support/poll.ts';

const program = fileURLToPath(
  new URL('../../test/support/sandbox-programs/overlapping.cjs', import.meta.url),
);
const limits = { cpuMs: 20_000, wallMs: 60_000 };
const canShare = true;

/** Each organization has four tasks at a time until the test ends. */
function keepBusy(sandbox: ReturnType<typeof open>, organizations: number, what: string): void {
  let isOver = false;
  const tasks = Array.from({ length: organizations }, () => randomUUID()).flatMap(organizationId =>
    Array.from({ length: 4 }, async () => {
      while (!isOver) await act(sandbox, what, { organizationId, limits, canShare });
    }),
  );
  onTestFinished(async () => {
    isOver = true;
    await Promise.all(tasks);
  });
}

describe.skipIf(process.platform !== 'linux')('an organization without a process', () => {
  it('gets one while the tasks of as many others as processes overlap without end', async () => {
    const sandbox = open({ program, processes: 2, tasksPerProcess: 8 });
    keepBusy(sandbox, 2, 'answer');
    await poll('all processes', () => running().length === 2);
    for (let turn = 0; turn < 2; turn += 1)
      expect(await act(sandbox, 'answer', { organizationId: randomUUID(), limits, canShare })).toMatchObject({
        ok: true,
      });
  });

  it('gets one while another fills the memory without exceeding it', async () => {
    const sandbox = open({ program, processes: 4, tasksPerProcess: 8, memoryBytes: 120 * 1024 * 1024 });
    keepBusy(sandbox, 1, 'hold memory');
    await poll('a process', () => running().length === 1);
    expect(await act(sandbox, 'answer', { organizationId: randomUUID(), limits, canShare })).toMatchObject({
      ok: true,
    });
    expect(sandbox.log).toEqual([]);
  });
});

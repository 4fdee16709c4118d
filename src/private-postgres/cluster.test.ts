import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { poll } from '../../test/support/poll.ts';
import { AttachedProcess } from '../../test/support/private-postgres/attached-process.ts';
import {
  DataFolders,
  processesIn,
  serverPid,
  untilGone,
} from '../../test/support/private-postgres/data-folders.ts';
import { PrivatePostgresError } from './error.ts';
import { openPrivatePostgres } from './open.ts';
import { runProgram } from './program.ts';

const folders = new DataFolders();
afterAll(() => folders.remove());

test('processes that start simultaneously on an empty folder share one server', async () => {
  const data = await folders.make();
  const all = [new AttachedProcess(data), new AttachedProcess(data), new AttachedProcess(data)];
  const opened = await Promise.all(all.map(process => process.reported('opened')));
  const pid = await serverPid(data);
  expect(new Set(opened.map(({ connection }) => JSON.stringify(connection))).size).toBe(1);
  await Promise.all(all.map(process => process.close()));
  await untilGone(pid);
  expect((await namesIn(data)).filter(name => /^(making|password-|s-)/.test(name))).toEqual([]);
});

test('SIGKILL while the cluster is created leaves no partial cluster', async () => {
  const data = await folders.make();
  const killed = new AttachedProcess(data);
  await poll('the cluster is being created', async () => {
    for (const name of await namesIn(data)) {
      if (!name.startsWith('making-')) continue;
      const inner = await readdir(join(data, 'postgres', name, 'cluster-18')).catch((): string[] => []);
      if (inner.includes('PG_VERSION')) return true;
    }
    return false;
  });
  await killed.kill();
  expect(await namesIn(data)).not.toContain('cluster-18');
  // initdb briefly outlives its parent; its result is not used.
  await poll('initdb has ended', async () => (await processesIn(data)).length === 0);
  const postgres = await openPrivatePostgres({ directory: data });
  await postgres.close();
  expect((await namesIn(data)).filter(name => name.startsWith('making-'))).toEqual([]);
});

test('if initdb fails, the error contains the reason, and there is no cluster', async () => {
  const data = await folders.make();
  await (await openPrivatePostgres({ directory: data })).close();
  const [binaries] = (await namesIn(data)).filter(name => name.startsWith('bin-'));
  await rm(join(data, 'postgres/cluster-18'), { recursive: true });
  await rm(join(data, 'postgres', binaries!, 'share/postgresql/postgres.bki'));
  const failure = await openPrivatePostgres({ directory: data }).catch(error => error);
  expect(failure).toBeInstanceOf(PrivatePostgresError);
  expect(failure.message).toMatch(/^the database could not be created: initdb failed\n[\s\S]*postgres\.bki/);
  expect((await namesIn(data)).filter(name => /^(making|cluster)/.test(name))).toEqual([]);
});

async function namesIn(data: string): Promise<string[]> {
  return readdir(join(data, 'postgres')).catch(() => []);
}

test('programs of the data folder have no controlling terminal', async () => {
  const directory = await folders.make();
  await mkdir(join(directory, 'bin'), { recursive: true });
  await chmod(directory, 0o755);
  const program = join(directory, 'bin', 'initdb');
  // proc_pid_stat(5): the session is the sixth field.
  await writeFile(program, '#!/bin/sh\ncut -d " " -f 6 /proc/self/stat\n', { mode: 0o755 });
  const home = { directory, serverUser: { uid: process.getuid!(), gid: process.getgid!() } };
  const { output } = await runProgram(home, { directory, major: 18 }, 'initdb', []);
  const own = (await readFile('/proc/self/stat', 'utf8')).split(' ')[5];
  expect(Number(output)).toBeGreaterThan(0);
  expect(output.trim()).not.toBe(own);
});

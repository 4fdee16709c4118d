import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { authorizedSource, queuedScan } from '../support/authorized-source.ts';
import { poll } from '../support/poll.ts';
import { sandboxesOf, spawnersOf } from '../support/sandbox.ts';
import { startService, type TestService } from '../support/service.ts';
import { ServingProcess } from '../support/serving-process.ts';
import { httpServer, type TestServer } from '../support/website.ts';

const masterKey = Buffer.from('a master key for this single test').subarray(0, 32).toString('base64');

let service: TestService;
let worker: ServingProcess;
let silent: TestServer;
beforeAll(async () => {
  service = await startService();
  worker = await ServingProcess.work(service.database.url, { PARAPET_MASTER_KEY: masterKey });
  silent = await httpServer(() => {});
});
afterAll(async () => {
  await worker?.kill('SIGKILL');
  await silent?.close();
  await service?.close();
});

/** Whether the text is anywhere in the writable memory of a process, with one or two bytes per character. */
function remembers(pid: number, text: string): boolean {
  const wanted = [Buffer.from(text, 'latin1'), Buffer.from(text, 'utf16le')];
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  try {
    return readFileSync(`/proc/${pid}/maps`, 'utf8')
      .split('\n')
      .filter(line => /^\S+ rw/.test(line))
      .some(line => {
        const [start, end] = line
          .split(' ')[0]!
          .split('-')
          .map(hex => Number.parseInt(hex, 16));
        const bytes = Buffer.alloc(Math.min(end! - start!, 1 << 30));
        let read = 0;
        try {
          read = readSync(memory, bytes, 0, bytes.length, start!);
        } catch {
          // A region that cannot be read, such as a mapped device.
        }
        return wanted.some(one => bytes.subarray(0, read).includes(one));
      });
  } finally {
    closeSync(memory);
  }
}

it.skipIf(process.platform !== 'linux')(
  'keeps every secret of the service out of the process that reads a target, which ends with the service',
  async () => {
    const source = await authorizedSource(service, { host: `http://127.0.0.1:${silent.port}/` });
    await queuedScan(source);
    const [sandbox] = await poll('a sandbox process that waits for the target', async () => {
      const found = sandboxesOf(worker.child.pid!);
      return found.length === 1 && remembers(found[0]!, `127.0.0.1:${silent.port}`) ? found : undefined;
    });
    const [spawner] = spawnersOf(worker.child.pid!);
    for (const pid of [sandbox, spawner]) {
      expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toMatch(/PARAPET|DATABASE|HOME/);
      expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).not.toMatch(/127\.0\.0\.1|postgres/);
    }
    const password = new URL(service.database.url).password;
    const secrets = [masterKey, service.database.url, ...(password ? [password] : [])];
    for (const secret of secrets) {
      expect(remembers(worker.child.pid!, secret), 'the search finds text in memory').toBe(true);
      expect(remembers(sandbox!, secret)).toBe(false);
      expect(remembers(spawner!, secret)).toBe(false);
    }
    await worker.kill('SIGKILL');
    const isGone = (pid: number) => !existsSync(`/proc/${pid}/exe`);
    await poll('both to end', async () => (isGone(sandbox!) && isGone(spawner!)) || undefined);
  },
);

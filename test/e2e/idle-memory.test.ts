import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DataFolders } from '../support/private-postgres/data-folders.ts';
import { childrenOf } from '../support/sandbox.ts';
import { ServingProcess } from '../support/serving-process.ts';

const folders = new DataFolders();
let serving: ServingProcess;
beforeAll(async () => {
  const data = await folders.made();
  serving = await ServingProcess.serve({ PARAPET_DATA: data, PARAPET_MANAGEMENT_PORT: '0' });
});
afterAll(async () => {
  await serving?.kill('SIGTERM');
  await folders.remove();
});

/** Memory of a process and its children, except PostgreSQL (VmRSS of proc_pid_status(5)). */
async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  if (/^Name:\s+postgres$/m.test(status)) return 0;
  const own = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)![1]) / 1024;
  const others = await Promise.all(childrenOf(pid).map(residentMegabytes));
  return others.reduce((sum, megabytes) => sum + megabytes, own);
}

it.runIf(process.platform === 'linux')('idles in less than 220 MB, without PostgreSQL', async () => {
  expect((await fetch(`${serving.url}/readyz`)).status).toBe(200);
  const megabytes = await residentMegabytes(serving.child.pid!);
  // Shows that the process was counted.
  expect(megabytes).toBeGreaterThan(50);
  expect(megabytes).toBeLessThan(220);
});

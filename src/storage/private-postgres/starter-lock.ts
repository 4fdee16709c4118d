import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { codeOf } from './error.ts';

/**
 * The right to start the server of a cluster, which one process at a time has. PostgreSQL's own lock keeps a second
 * server out, but not a second starter from removing a `postmaster.pid` that the first one's server is writing.
 *
 * It is a name in Linux's abstract socket namespace, which goes when its process ends, however it ends. Other users
 * cannot take the name before us, because it is made of the password. Elsewhere than on Linux any number have the right.
 *
 * @returns gives the right back; null while another process has it
 */
export async function takeStarterLock(
  cluster: string,
  password: string,
): Promise<(() => Promise<void>) | null> {
  if (process.platform !== 'linux') return async () => undefined;
  const { dev, ino } = await stat(cluster);
  const name = createHmac('sha256', password).update(`start ${dev}:${ino}`).digest('hex');
  const server = createServer().unref();
  try {
    await once(server.listen(`\0parapet-${name}`), 'listening');
  } catch (error) {
    if (codeOf(error) === 'EADDRINUSE') return null;
    throw error;
  }
  return async () => {
    await once(server.close(), 'close');
  };
}

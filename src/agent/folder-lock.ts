import { once } from 'node:events';
import { statSync } from 'node:fs';
import { createServer, type Server } from 'node:net';

/** Another agent uses the folder. */
class FolderInUse extends Error {
  override readonly name = 'FolderInUse';
}

/**
 * Keeps other agents of this network namespace from the folder until this process ends, however it ends: the lock is the
 * name of an abstract socket (unix(7)), which the kernel removes with the process. Only Linux has such sockets.
 */
export async function lockFolder(folder: string): Promise<{ release(): void }> {
  if (process.platform !== 'linux') return { release() {} };
  const { dev, ino } = statSync(folder);
  const server: Server = createServer(socket => socket.destroy());
  server.listen(`\0parapet-agent-${dev}-${ino}`);
  try {
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new FolderInUse(`another process of Parapet uses ${folder}. Stop it, or set another spool folder`);
  }
  server.unref();
  return { release: () => void server.close() };
}

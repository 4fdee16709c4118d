import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort, reachable, type TestServer } from '../../test/support/website.ts';

export interface Program {
  readonly command: string;
  readonly parameters: readonly string[];
  /** By path below the folder in which the program runs. */
  readonly files?: Readonly<Record<string, string | Buffer>>;
}

/** Starts a server on a free loopback port, in a folder that is removed with it. */
export async function startProgram(describe: (port: number, folder: string) => Program): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'accuracy-'));
  // Servers may give up root.
  await chmod(folder, 0o755);
  const port = await freePort();
  const { command, parameters, files = {} } = describe(port, folder);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const child = spawn(command, parameters, { cwd: folder, stdio: 'ignore', detached: true });
  const exited = once(child, 'exit');
  await reachable(port);
  return {
    port,
    close: async () => {
      // With the processes that it started.
      if (child.exitCode === null) process.kill(-child.pid!, 'SIGKILL');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

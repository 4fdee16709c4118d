import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Binaries } from './binaries.ts';
import { PrivatePostgresError } from './error.ts';
import type { Home } from './home.ts';
import { runsAsRoot } from './owner.ts';

/** What every program of PostgreSQL is started with: a fixed locale, and nothing of ours (no PG* variables). */
export function programOptions(home: Home, binaries: Binaries) {
  const libraries = join(binaries.directory, 'lib');
  return {
    cwd: home.directory,
    env: {
      PATH: process.env.PATH ?? '/usr/bin:/bin',
      LC_ALL: 'C',
      TZ: 'UTC',
      [process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH']: libraries,
    },
    ...(runsAsRoot() ? { uid: home.serverUser.uid, gid: home.serverUser.gid } : {}),
  };
}

/** Runs one of PostgreSQL's programs to its end. `output` is what it wrote to both streams. */
export function runProgram(
  home: Home,
  binaries: Binaries,
  name: string,
  parameters: readonly string[],
  input = '',
): Promise<{ status: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const program = join(binaries.directory, 'bin', name);
    const child = spawn(program, parameters, {
      ...programOptions(home, binaries),
      // Without the terminal of who runs this: as root it may be a file of another user's, who could type into it.
      detached: true,
      stdio: 'pipe',
    });
    let output = '';
    const collect = (chunk: Buffer) => {
      output += chunk.toString('utf8');
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('error', error => reject(notRunnable(error)));
    child.on('close', status => resolve({ status, output }));
    // A program that ended before it read its input is judged by its status.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

/** For a program that the system does not start, as on musl (`ENOENT`) or a `noexec` mount (`EACCES`). */
export function notRunnable(cause: Error): PrivatePostgresError {
  return new PrivatePostgresError(
    `PostgreSQL cannot be run here (${cause.message}); it needs glibc and a data folder that allows execution: or set DATABASE_URL`,
    { cause },
  );
}

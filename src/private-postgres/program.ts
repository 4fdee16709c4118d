import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Binaries } from './binaries.ts';
import { PrivatePostgresError } from './error.ts';
import type { Home } from './home.ts';
import { runsAsRoot } from './owner.ts';

/** Options of every PostgreSQL program: a fixed locale, and none of our environment (no PG* variables). */
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

/** Runs one of PostgreSQL's programs until it exits. `output` has both of its streams. */
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
      // Without a controlling terminal: as root, the program may be another user's file, which could inject
      // input.
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
    // The exit status shows whether a program that did not read its input failed.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

/** For programs that the system cannot start, as on musl (`ENOENT`) or a `noexec` mount (`EACCES`). */
export function notRunnable(cause: Error): PrivatePostgresError {
  return new PrivatePostgresError(
    `PostgreSQL cannot be run here (${cause.message}); it needs glibc and a data folder that allows execution: or set DATABASE_URL`,
    { cause },
  );
}

import { spawnSync } from 'node:child_process';

/** Runs a program with this process's output. Throws if it fails. */
export function run(program: string, parameters: readonly string[], env = process.env): void {
  const { status, signal, error } = spawnSync(program, parameters, { stdio: 'inherit', env });
  if (error) throw error;
  if (status !== 0) throw new Error(`${program} ended with ${signal ?? status}`);
}
